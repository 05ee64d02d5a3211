/* test: 0.2 s, emulator, tsan-slow, gpu */
/* The number of launches a step on a GPU, of small cases, whose time is that of their launches: it
 * may not grow. The emulated device counts them; the sort's scan is one kernel there, two of CUDA's
 * library. */
#include "sim/sim.h"
#include "support/tap.h"
#include "support/variants.h"

#ifdef SLUICE_WITH_EMULATED
#include "kernels/gpu/emulator/emulator_counts.h"
#include "kernels/backends/backends.h"

enum { BEFORE = 3, STEPS = 4 }; /* BEFORE: then all one-time work is done */

static int run(const char *path, const char *const *set, int sets, struct sluice_emulated_counts *c)
{
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_sim sim;
    memset(&sim, 0, sizeof sim);
    sluice_status status = sluice_config_read(&config, path, set, sets, NULL);
    if (status == SLUICE_OK)
        status = sluice_case_create(&setup, &config, NULL);
    if (status == SLUICE_OK)
        status = sluice_sim_create(&sim, &config, &setup, NULL);
    sim.ahead = 1;
    if (status == SLUICE_OK)
        status = sluice_sim_start(&sim);
    for (int k = 0; k < BEFORE + STEPS && status == SLUICE_OK; k++) {
        if (k == BEFORE)
            *c = sluice_emulated_counts;
        status = sluice_sim_step(&sim);
    }
    c->kernels = sluice_emulated_counts.kernels - c->kernels;
    c->fills = sluice_emulated_counts.fills - c->fills;
    c->copies = sluice_emulated_counts.copies - c->copies;
    if (status != SLUICE_OK)
        diag("%s", sluice_message());
    sluice_sim_destroy(&sim);
    sluice_case_destroy(&setup);
    sluice_config_destroy(&config);
    return status == SLUICE_OK;
}

/* Counts a step's kernels, clearings and copies. */
static void check(const char *path, const char *setting, const char *order, int kernels, int fills,
                  int copies)
{
    struct sluice_emulated_counts c = {0};
    const char *const set[] = {"backend.name=\"emulated\"", "output.every=0.0", setting, order};
    if (!ok(run(path, set, 4, &c), "%s: %d steps", path, BEFORE + STEPS))
        return;
    diag("%s, a step: %.2f kernels, %.2f clearings, %.2f copies", path, (double)c.kernels / STEPS,
         (double)c.fills / STEPS, (double)c.copies / STEPS);
    is_int(c.kernels, STEPS * kernels, "kernels");
    is_int(c.fills, STEPS * fills, "clearings");
    is_int(c.copies, STEPS * copies, "copies");
}

int main(void)
{
    if (!backend_runs_here(&sluice_emulated_ops)) {
        printf("1..0 # SKIP the emulated device is not asked for\n");
        return 0;
    }
    /* Launches at the start, with a sort in each step, and for a while without any. */
    check("configs/dam_break.cfg", "spacing=0.004", "backend.keep_order=false", 11, 0, 0);
    check("configs/dam_break.cfg", "spacing=0.004", "backend.keep_order=true", 5, 0, 0);
    /* A filter is one launch more: it leaves the records that the prediction has packed. */
    check("configs/dam_break.cfg", "fluid.diffusion.filter=1.0", "backend.keep_order=false", 12, 0,
          0);
    check("configs/dam_break.cfg", "fluid.diffusion.filter=1.0", "backend.keep_order=true", 6, 0,
          0);
    check("configs/lennard_jones.cfg", "lattice.cells=[5, 5, 5]", "backend.keep_order=true", 10, 0,
          0);
    return done_testing();
}
#else
int main(void)
{
    printf("1..0 # SKIP a program without the emulated device\n");
    return 0;
}
#endif
