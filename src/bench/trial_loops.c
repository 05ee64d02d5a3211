/* sluice bench blocks, layouts, lists: the trial loops of kernels/bench/bench_ops.h on a shaken
 * lattice. The forces of each are compared with plain sums: a wrong loop may be fast. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "bench/benchmark.h"
#include "bench/shaken_lattice.h"
#include "core/allocate.h"
#include "kernels/registry.h"

enum { THREADS_MOST = 1024, FLOPS_OF_LAYOUTS = 23, MEMORIES = 8 };
static const struct sluice_bench_limits limits = {100, 0.05};

/* Neighbours, and the particles a cubic cutoff that give them. */
static const struct {
    const char *name;
    int filling;
} cases[] = {{"n54", 13}, {"n113", 27}, {"n268", 64}};
enum { CASES = sizeof cases / sizeof cases[0] };

static const char *const layouts[SLUICE_LAYOUT_COUNT] = {
    "structures", "padded", "packed", "arrays", "chunks-2", "chunks-4", "chunks-8", "chunks-16"};

/* One case. */
struct loops {
    struct sluice_bench *bench;
    struct sluice_backend *backend;
    const struct sluice_bench_ops *ops;
    struct sluice_bench_atoms atoms;
    struct lj_params lj;
    struct sluice_trial trial;
    struct sluice_bench_set set; /* lists: the same particles for the program's own strategy */
    struct sluice_pass pass;
    struct sluice_bench_loop row;
    void *memory[MEMORIES]; /* the backend's */
    int memories;
};

/* --- The forces of the loops, in double ---- */

static void force_lj(const double i[7], const double j[7], const double d[3], double r2,
                     const void *params, double f[3])
{
    const double sigma2 = *(const double *)params, s6 = pow(sigma2 / r2, 3);
    (void)i, (void)j;
    for (int c = 0; c < 3; c++)
        f[c] = 24 * s6 * (2 * s6 - 1) / r2 * d[c];
}

static void force_soft(const double i[7], const double j[7], const double d[3], double r2,
                       const void *params, double f[3])
{
    (void)params;
    for (int c = 0; c < 3; c++)
        f[c] = j[6] * (1 - r2) * (d[c] - (i[3 + c] - j[3 + c]));
}

static double sigma_of(const struct loops *l)
{
    return 0.8 / cbrt(l->atoms.filling); /* a little less than the lattice's spacing */
}

/* --- Memory ---- */

static sluice_status take(struct loops *l, size_t bytes, void *out)
{
    void *memory;
    SLUICE_TRY(l->backend->ops->alloc(l->backend, bytes, &memory));
    l->memory[l->memories++] = memory;
    memcpy(out, &memory, sizeof memory);
    return SLUICE_OK;
}

/* The particles in a layout; SLUICE_LAYOUT_COUNT: place and mass, four numbers each. */
static sluice_status upload_atoms(struct loops *l, enum sluice_layout layout)
{
    const struct sluice_bench_atoms *a = &l->atoms;
    const int real_bytes = l->backend->real_bytes, four = layout == SLUICE_LAYOUT_COUNT;
    const size_t bytes = (size_t)(a->n * SLUICE_LAYOUT_WIDEST * real_bytes);
    char *reals;
    SLUICE_ALLOCATE(reals, bytes, "bytes of particles");
    for (int64_t i = 0; i < a->n; i++)
        for (int c = 0; c < SLUICE_LAYOUT_NUMBERS; c++)
            if (!four)
                sluice_put_real(reals, real_bytes, sluice_layout_place(layout, a->n, i, c),
                                a->at[i][c]);
            else if (c < 4)
                sluice_put_real(reals, real_bytes, 4 * i + c, c < 3 ? a->at[i][c] : 1);
    const sluice_status status = l->backend->ops->upload(l->backend, l->trial.at, reals, bytes);
    free(reals);
    return status;
}

static sluice_status create(struct loops *l, long long n, double filling, double reach)
{
    struct sluice_bench_atoms *a = &l->atoms;
    const int real_bytes = l->backend->real_bytes;
    SLUICE_TRY(sluice_bench_atoms_create(a, n, filling, reach, real_bytes));
    const size_t cells = (size_t)a->box * (size_t)a->box * (size_t)a->box;
    l->lj = sluice_bench_lj(sigma_of(l));
    l->row.particles = (double)a->n;
    l->trial.params = &l->lj;
    l->trial.count = a->n;
    l->trial.box = a->box;
    l->trial.reach = reach;
    SLUICE_TRY(take(l, (size_t)(a->n * SLUICE_LAYOUT_WIDEST * real_bytes), &l->trial.at));
    SLUICE_TRY(take(l, (cells + 1) * sizeof *a->start, &l->trial.start));
    SLUICE_TRY(take(l, (size_t)a->n * sizeof *l->trial.length, &l->trial.length));
    SLUICE_TRY(take(l, (size_t)(3 * a->n * real_bytes), &l->trial.out));
    SLUICE_TRY(l->backend->ops->upload(l->backend, l->trial.start, a->start,
                                       (cells + 1) * sizeof *a->start));
    return upload_atoms(l, SLUICE_LAYOUT_COUNT);
}

static void destroy(struct loops *l)
{
    sluice_bench_set_destroy(&l->set);
    while (l->memories > 0)
        l->backend->ops->free(l->backend, l->memory[--l->memories]);
    sluice_bench_atoms_destroy(&l->atoms);
}

/* --- Measuring ---- */

static sluice_status launch_trial(void *data)
{
    struct loops *l = data;
    return l->ops->trial(l->backend, &l->trial);
}

static sluice_status launch_pass(void *data)
{
    struct loops *l = data;
    return l->backend->ops->interact(l->backend, &l->set.grid, &l->pass);
}

static sluice_status launch_sort(void *data)
{
    struct loops *l = data;
    return sluice_bench_set_sort(&l->set);
}

static sluice_status measure(struct loops *l, sluice_status (*work)(void *data))
{
    return sluice_bench_time(&l->row.times, l->backend, &limits, work, l);
}

/* Downloads accelerations and compares them with plain sums. */
static sluice_status check(struct loops *l, const void *device, const sluice_id *of,
                           sluice_bench_force force)
{
    const double sigma2 = sigma_of(l) * sigma_of(l);
    const size_t bytes = (size_t)(3 * l->atoms.n * l->backend->real_bytes);
    char what[96];
    char *host;
    SLUICE_ALLOCATE(host, bytes, "bytes of accelerations");
    snprintf(what, sizeof what, "bench %s, %s, %s", l->bench->settings->benchmark, l->row.name,
             l->row.variant);
    sluice_status status = l->backend->ops->download(l->backend, host, device, bytes);
    if (status == SLUICE_OK)
        status = sluice_bench_atoms_check(&l->atoms, host, l->backend->real_bytes, of, force,
                                          &sigma2, what);
    free(host);
    return status;
}

/* Counts the neighbours nearer than the reach: of all particles, and the most of one. */
static sluice_status count(struct loops *l, double *all, int *most)
{
    const int64_t n = l->atoms.n;
    uint32_t *length;
    SLUICE_ALLOCATE(length, n, "particles");
    l->trial.kind = SLUICE_TRIAL_LIST_BUILD;
    l->trial.capacity = 0;
    sluice_status status = launch_trial(l);
    if (status == SLUICE_OK)
        status = l->backend->ops->download(l->backend, length, l->trial.length,
                                           (size_t)n * sizeof *length);
    *all = 0;
    *most = 0;
    for (int64_t i = 0; i < n && status == SLUICE_OK; i++) {
        *all += length[i];
        *most = (int)length[i] > *most ? (int)length[i] : *most;
    }
    free(length);
    return status;
}

/* Measures the trial loop as it is set up, and prints its row. */
static sluice_status measure_trial(struct loops *l, const char *variant, sluice_bench_force force)
{
    l->row.variant = variant;
    SLUICE_TRY(measure(l, launch_trial));
    if (force)
        SLUICE_TRY(check(l, l->trial.out, NULL, force));
    return sluice_bench_print_loop(l->bench, &l->row);
}

/* --- The benchmarks ---- */

static sluice_status run_blocks(struct loops *l)
{
    const double real_bytes = l->backend->real_bytes;
    int most;
    char variant[16];
    SLUICE_TRY(count(l, &l->row.pairs, &most));
    l->trial.kind = SLUICE_TRIAL_TILED;
    l->row.flops = sluice_pairs[SLUICE_PAIR_lj].flops;
    l->row.held = 4 * real_bytes;
    l->row.moved = (4 + 3) * real_bytes;
    for (l->trial.threads = 1; l->trial.threads <= THREADS_MOST; l->trial.threads *= 2) {
        snprintf(variant, sizeof variant, "%d", l->trial.threads);
        SLUICE_TRY(measure_trial(l, variant, force_lj));
    }
    return SLUICE_OK;
}

static sluice_status run_layouts(struct loops *l)
{
    const double real_bytes = l->backend->real_bytes;
    int most;
    SLUICE_TRY(count(l, &l->row.pairs, &most));
    l->trial.kind = SLUICE_TRIAL_LAYOUT;
    l->row.flops = FLOPS_OF_LAYOUTS;
    for (int k = 0; k < SLUICE_LAYOUT_COUNT; k++) {
        const int padded = k == SLUICE_LAYOUT_PADDED || k == SLUICE_LAYOUT_PACKED;
        l->trial.layout = (enum sluice_layout)k;
        l->row.held = (padded ? SLUICE_LAYOUT_WIDEST : SLUICE_LAYOUT_NUMBERS) * real_bytes;
        l->row.moved = l->row.held + 3 * real_bytes;
        SLUICE_TRY(upload_atoms(l, l->trial.layout));
        SLUICE_TRY(measure_trial(l, layouts[k], force_soft));
    }
    return SLUICE_OK;
}

/* Compares the accelerations of the program's own strategy; ids are indices in the order of cells.
 */
static sluice_status check_set(struct loops *l)
{
    const size_t n = (size_t)l->atoms.n;
    sluice_id *id;
    SLUICE_ALLOCATE(id, n, "particles");
    sluice_status status = l->backend->ops->download(
        l->backend, id, l->set.set.field[SLUICE_FIELD_ID], n * sizeof *id);
    if (status == SLUICE_OK)
        status = check(l, l->set.set.field[SLUICE_FIELD_ACCELERATION], id, force_lj);
    free(id);
    return status;
}

/* The program's own strategy on the same particles: it finds neighbours just in time. */
static sluice_status run_just_in_time(struct loops *l)
{
    const double real_bytes = l->backend->real_bytes;
    const size_t bytes = (size_t)(3 * l->atoms.n * l->backend->real_bytes);
    l->pass = (struct sluice_pass){.name = "pair loop",
                                   .pair = SLUICE_PAIR_lj,
                                   .params = &l->lj,
                                   .target = &l->set.set,
                                   .source = {&l->set.set, NULL}};
    char *zeros;
    SLUICE_ALLOCATE(zeros, bytes, "bytes of accelerations");
    sluice_status status = l->backend->ops->upload(
        l->backend, l->set.set.field[SLUICE_FIELD_ACCELERATION], zeros, bytes);
    free(zeros);
    SLUICE_TRY(status);
    SLUICE_TRY(sluice_bench_count(l->backend, &l->set.grid, &l->pass, &l->row.pairs));
    l->row.variant = "just-in-time";
    SLUICE_TRY(check_set(l));
    l->row.held = 0;
    l->row.moved = (4 + 6) * real_bytes;
    SLUICE_TRY(measure(l, launch_pass));
    SLUICE_TRY(sluice_bench_print_loop(l->bench, &l->row));
    l->row.variant = "sort";
    l->row.flops = l->row.moved = 0;
    SLUICE_TRY(measure(l, launch_sort));
    return sluice_bench_print_loop(l->bench, &l->row);
}

static sluice_status run_lists(struct loops *l)
{
    const double real_bytes = l->backend->real_bytes;
    const struct sluice_bench_atoms *a = &l->atoms;
    double listed;
    int most;
    SLUICE_TRY(sluice_bench_set_create(&l->set, l->backend, a->at[0], SLUICE_LAYOUT_NUMBERS, a->n,
                                       a->edge, a->filling));
    l->row.flops = sluice_pairs[SLUICE_PAIR_lj].flops;
    SLUICE_TRY(run_just_in_time(l));
    SLUICE_TRY(count(l, &listed, &most));
    l->trial.capacity = most;
    SLUICE_TRY(take(l, (size_t)most * (size_t)a->n * sizeof(uint32_t), &l->trial.list));
    l->row.held = 4.0 * most + 4;
    l->row.flops = 0;
    l->row.moved = 4 * real_bytes + 4 * listed / l->row.particles;
    SLUICE_TRY(measure_trial(l, "list-build", NULL));
    l->trial.kind = SLUICE_TRIAL_LIST_FORCE;
    l->row.flops = sluice_pairs[SLUICE_PAIR_lj].flops;
    l->row.moved += 3 * real_bytes;
    return measure_trial(l, "list-force", force_lj);
}

/* The benchmarks, with their number of particles and the width of the cells, in cutoffs. The skin
 * of the lists is LAMMPS' 0.3 of 2.5. */
static const struct {
    const char *name;
    sluice_status (*run)(struct loops *l);
    long long particles;
    double reach;
} benchmarks[] = {{"blocks", run_blocks, 40000, 1},
                  {"layouts", run_layouts, SLUICE_BENCH_PARTICLES, 1},
                  {"lists", run_lists, SLUICE_BENCH_PARTICLES, 1.12}};

enum { BENCHMARKS = sizeof benchmarks / sizeof *benchmarks };

static sluice_status run(struct sluice_bench *bench, int k, const char *name)
{
    const struct sluice_bench_settings *settings = bench->settings;
    struct sluice_backend *b = &bench->backend;
    struct loops l = {.bench = bench, .backend = b, .ops = sluice_bench_ops_find(b)};
    int i = BENCHMARKS - 1;
    while (i > 0 && strcmp(benchmarks[i].name, settings->benchmark) != 0)
        i--;
    l.row = (struct sluice_bench_loop){
        .name = name, .backend = b, .times = {bench->seconds, settings->repeats, 0}};
    SLUICE_CHECK(l.ops->trial, SLUICE_BAD_INPUT,
                 "bench %s: its loops are for GPUs, and this runs on %s; --backend names another",
                 settings->benchmark, b->ops->name);
    sluice_status status = create(
        &l, settings->particles ? settings->particles : benchmarks[i].particles, cases[k].filling,
        benchmarks[i].reach);
    if (status == SLUICE_OK)
        status = benchmarks[i].run(&l);
    destroy(&l);
    return status;
}

static int find_case(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    if (k == CASES)
        return 0;
    found->name = cases[k].name;
    found->large = k > 0 && strcmp(settings->benchmark, "blocks") == 0; /* it tests all pairs */
    return 1;
}

const struct sluice_benchmark sluice_bench_blocks = {"blocks", find_case, run},
                              sluice_bench_layouts = {"layouts", find_case, run},
                              sluice_bench_lists = {"lists", find_case, run};
