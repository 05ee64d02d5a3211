/* sluice bench auto: what `auto` chooses beside every choice one change away from the rule's, timed
 * as it times them: a sort and forces, of the steps' cases and of the cubes of `bench strategies`.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/bench.h"
#include "snapshots/snapshot.h"
#include "kernels/registry.h"

enum { CHOICES = SLUICE_TUNE_CHOICES + 4 };

/* --- Cubes --- */

static const char cube[] =
    "title = \"bench: random atoms\"; model = \"lj\"; units = \"lj\"; dimension = 3;\n"
    "domain = { min = [0.0, 0.0, 0.0]; max = [%d.0, %d.0, %d.0]; };\n"
    "particles = \"%s\"; pair = { name = \"lj\"; cutoff = 1.0; sigma = %.6f; };\n"
    "time = { step = 0.001; end = 1000.0; }; output = { every = 0.0; };\n";

static sluice_status fill(struct sluice_host_particles *p, int box, int64_t n)
{
    SLUICE_TRY(sluice_host_particles_reserve(p, n));
    memset(p->velocity, 0, (size_t)n * sizeof *p->velocity);
    memset(p->type, SLUICE_FLUID, (size_t)n);
    p->count = p->type_count[SLUICE_FLUID] = n;
    p->dimension = 3;
    for (int64_t i = 0; i < n; i++) {
        p->id[i] = (uint32_t)i;
        p->mass[i] = 1;
        for (int c = 0; c < 3; c++)
            p->x[i][c] = box * (sluice_bench_random((uint64_t)(3 * i + c)) + 0.5);
    }
    return SLUICE_OK;
}

sluice_status sluice_bench_atoms_write(struct sluice_bench_atoms_file *file, int box, int filling)
{
    const struct sluice_snapshot_header header = {.dimension = 3,
                                                  .high = {box, box, box},
                                                  .frame_width = {box, box, box},
                                                  .units = "lj",
                                                  .config = "",
                                                  .ranks = 1,
                                                  .precision = 8};
    const char *folder = getenv("TMPDIR");
    struct sluice_host_particles p = {0};
    memset(file, 0, sizeof *file);
    file->box = box;
    file->filling = filling;
    snprintf(file->folder, sizeof file->folder, "%s/sluice-bench-XXXXXX",
             folder && *folder ? folder : "/tmp");
    SLUICE_CHECK(mkdtemp(file->folder), SLUICE_IO, "%s: no folder can be made there: %s",
                 file->folder, strerror(errno));
    snprintf(file->path, sizeof file->path, "%s/atoms.hdf", file->folder);
    sluice_status status = fill(&p, box, (int64_t)box * box * box * filling);
    if (status == SLUICE_OK)
        status = sluice_snapshot_write(file->path, &p, &header);
    sluice_host_particles_destroy(&p);
    return status;
}

void sluice_bench_atoms_text(const struct sluice_bench_atoms_file *file,
                             char text[SLUICE_BENCH_TEXT])
{
    snprintf(text, SLUICE_BENCH_TEXT, cube, file->box, file->box, file->box, file->path,
             1 / cbrt(file->filling));
}

void sluice_bench_atoms_remove(struct sluice_bench_atoms_file *file)
{
    unlink(file->path);
    rmdir(file->folder);
}

/* --- Measuring --- */

static void add_bins(const struct sluice_choice *from, int x, int yz, int dimension,
                     struct sluice_choice *choice, int *count)
{
    struct sluice_choice *c = &choice[*count];
    *c = *from;
    c->bins_log2[0] += x;
    c->bins_log2[1] += yz;
    c->bins_log2[2] += dimension == 3 ? yz : 0;
    *count += c->bins_log2[0] >= 0 && c->bins_log2[1] >= 0 && c->bins_log2[2] >= 0;
}

/* Every strategy, and `window` in finer and coarser bins. */
static int list_choices(const struct sluice_sim *sim, struct sluice_choice choice[CHOICES])
{
    const int dimension = sim->grid.dimension;
    int count = sluice_tune_choices(sim, choice);
    for (int finer = -1; finer <= 1 && !sluice_tune_bins_are_given(sim); finer += 2) {
        add_bins(&choice[0], 0, finer, dimension, choice, &count);
        add_bins(&choice[0], finer, 0, dimension, choice, &count);
    }
    return count;
}

/* A choice and its measurements. */
struct timed {
    struct sluice_choice choice;
    int taken; /* by auto */
    int out;   /* it does not fit */
    double *seconds;
};

/* One measurement of each, the `round`-th: what the clocks of a device do in the course of a run
 * then falls on all alike. What does not fit is said, and left out. */
static sluice_status measure(struct sluice_sim *sim, struct timed *timed, int count, int round,
                             const char *name)
{
    for (int k = 0; k < count; k++) {
        struct timed *t = &timed[k];
        if (t->out)
            continue;
        const sluice_status status = sluice_look_time(sim, &t->choice, &t->seconds[round]);
        if (status != SLUICE_OK && t->taken)
            return status;
        if (status != SLUICE_OK) {
            fprintf(stderr, "%s, %s: left out: %s\n", name,
                    sluice_strategies[t->choice.strategy].name, sluice_message());
            t->out = 1;
        }
    }
    return SLUICE_OK;
}

/* As window-64x4x4, or as auto-64x4x4 the one that was taken. */
static void print(struct sluice_sim *sim, const struct timed *t,
                  const struct sluice_bench_loop *row, FILE *out)
{
    const int *bins = t->choice.bins_log2;
    struct sluice_bench_loop one = *row;
    char variant[64];
    snprintf(variant, sizeof variant, "%s-%dx%dx%d",
             t->taken ? "auto" : sluice_strategies[t->choice.strategy].name, 1 << bins[0],
             1 << bins[1], 1 << bins[2]);
    one.variant = variant;
    one.seconds = t->seconds;
    sluice_tune_use(sim, &t->choice);
    sluice_bench_print_loop(out, &one);
}

/* seconds: [CHOICES + 1][row->repeats] */
static sluice_status measure_all(struct sluice_sim *sim, struct sluice_bench_loop *row,
                                 double *seconds, FILE *out)
{
    struct sluice_choice choice[CHOICES];
    struct timed timed[CHOICES + 1] = {{.choice = sim->tuning.last, .taken = 1}};
    double look = sim->tuning.seconds, flops;
    const int count = 1 + list_choices(sim, choice);
    for (int k = 0; k < count; k++) {
        timed[k].seconds = seconds + k * row->repeats;
        if (k > 0)
            timed[k].choice = choice[k - 1];
    }
    row->particles = (double)(sim->count[SLUICE_FLUID] + sim->count[SLUICE_WALL]);
    row->held = (double)sluice_sim_memory(sim) / row->particles;
    SLUICE_TRY(sluice_bench_count_pairs(sim, &row->pairs, &flops));
    row->flops = row->pairs > 0 ? flops / row->pairs : 0;
    for (int round = 0; round < row->repeats; round++)
        SLUICE_TRY(measure(sim, timed, count, round, row->name));
    for (int k = 0; k < count; k++)
        if (!timed[k].out)
            print(sim, &timed[k], row, out);
    /* What the look took, once. */
    struct sluice_bench_loop once = *row;
    once.variant = "look";
    once.seconds = &look;
    once.repeats = 1;
    sluice_tune_use(sim, &timed[0].choice);
    sluice_bench_print_loop(out, &once);
    return SLUICE_OK;
}

sluice_status sluice_bench_auto(const struct sluice_case *setup, const char *name, FILE *out,
                                int repeats)
{
    struct sluice_log log = {.terminal = stderr};
    struct sluice_sim sim;
    struct sluice_bench_loop row = {
        .bench = "auto", .name = name, .backend = &sim.backend, .repeats = repeats, .launches = 1};
    double *seconds = malloc((CHOICES + 1) * (size_t)repeats * sizeof *seconds);
    SLUICE_CHECK(seconds, SLUICE_DEVICE, "no memory for the measurements");
    sluice_status status = sluice_sim_create(&sim, setup->config, setup, &log);
    if (status == SLUICE_OK && !sim.tuning.is_auto)
        status = SLUICE_FAIL(SLUICE_BAD_INPUT, "bench auto compares all strategies with auto: "
                                               "without --strategy");
    if (status == SLUICE_OK) {
        sluice_tune_begin(&sim, 1);
        status = sluice_sim_start(&sim);
    }
    if (status == SLUICE_OK)
        status = measure_all(&sim, &row, seconds, out);
    sluice_sim_destroy(&sim);
    free(seconds);
    return status;
}
