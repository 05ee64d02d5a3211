/* test: 0.4 s, emulator, tsan-slow, gpu */
/* The memory of a device, where the host can see how much of it is free. The table of `sluice
 * check` accounts for all memory taken, and the estimate before the run is right to a few percent.
 * Small shipped cases, each model and precision. */
#include "support/part.h"
#include "sim/sim.h"
#include "support/tap.h"
#include "support/variants.h"
#include "kernels/backends/backends.h"

enum { STEPS = 2 };

/* Allocations that belong to no set, made before the particles are counted: the same for every
 * case. */
enum { ALLOWED = 4096 };

static void check(const char *backend, const char *path, const char *spacing, const char *precision)
{
    struct sluice_config config;
    struct sluice_case setup;
    struct sluice_sim sim = {0};
    char name[64], real[64];
    const char *const set[] = {spacing, name, real, "output.every=0.0"};
    snprintf(name, sizeof name, "backend.name=\"%s\"", backend);
    snprintf(real, sizeof real, "backend.precision=\"%s\"", precision);
    if (sluice_config_read(&config, path, set, 4, NULL) != SLUICE_OK ||
        sluice_case_create(&setup, &config, NULL) != SLUICE_OK ||
        sluice_sim_create(&sim, &config, &setup, NULL) != SLUICE_OK) {
        ok(0, "%s on %s: %s", path, backend, sluice_message());
        return;
    }
    const int64_t before = sim.backend.ops->available(&sim.backend, NULL);
    sluice_status status = sluice_sim_start(&sim);
    for (int k = 0; k < STEPS && status == SLUICE_OK; k++)
        status = sluice_sim_step(&sim);
    ok(status == SLUICE_OK, "%s, %s, on %s: %d steps", path, precision, backend, STEPS);
    const int64_t used = before - sim.backend.ops->available(&sim.backend, NULL),
                  listed = sluice_sim_memory(&sim), foreseen = sim.predicted_bytes;
    const double n = (double)(sim.count[SLUICE_FLUID] + sim.count[SLUICE_WALL]);
    diag("%.0f particles: %.1f bytes each; listed %.1f, foreseen %.1f", n, (double)used / n,
         (double)listed / n, (double)foreseen / n);
    ok(labs((long)(listed - used)) < ALLOWED, "%s: the table lists what was taken", path);
    ok(fabs((double)(foreseen - used)) < 0.04 * (double)used, "%s: foreseen to 4%%", path);
    sluice_sim_destroy(&sim);
    sluice_case_destroy(&setup);
    sluice_config_destroy(&config);
}

int main(void)
{
    static const char *const real[] = {"float", "double"};
    int devices = 0;
    for (int i = 0; sluice_backend_at(i); i++) {
        const struct sluice_backend_ops *ops = sluice_backend_at(i);
        if (!ops->available || strcmp(ops->name, "emulated") != 0 || !backend_runs_here(ops))
            continue; /* a real device gives memory out in pieces of megabytes */
        devices++;
        for (int p = 0; p < 2; p++) {
            if (part_has(p, 2)) {
                check(ops->name, "configs/dam_break_3d.cfg", "spacing=0.04", real[p]);
                check(ops->name, "configs/dam_break.cfg", "spacing=0.002", real[p]);
            }
            if (part_has(p + 1, 2)) {
                check(ops->name, "configs/drop.cfg", "spacing=0.02", real[p]);
                check(ops->name, "configs/lennard_jones.cfg", "lattice.cells=[10, 10, 10]",
                      real[p]);
            }
        }
    }
    if (devices == 0) {
        printf("1..0 # SKIP no device whose memory can be counted\n");
        return 0;
    }
    return done_testing();
}
