/* sluice bench blocks, layouts, lists: loops beside those of the program, on a shaken lattice
 * (backend/bench_ops.h). Each is compared with plain sums: a wrong loop may be fast. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_atoms.h"
#include "backend/bench_ops.h"
#include "kernels/backends.h"

enum {
    LAUNCHES = 100,
    BLOCKS_PARTICLES = 40000,
    THREADS_MOST = 1024,
    FLOPS_OF_LAYOUTS = 23,
    MEMORIES = 8
};
static const double seconds_gpu = 0.05, seconds_cpu = 1e-3; /* of a measurement, about */
static const double skin = 0.12; /* of the lists, in cutoffs: LAMMPS' 0.3 of 2.5 */

/* Particles a cubic cutoff, for so many neighbours. */
static const struct {
    const char *name;
    int filling;
} cases[] = {{"n54", 13}, {"n113", 27}, {"n268", 64}};
enum { CASES = sizeof cases / sizeof cases[0] };

const char *sluice_bench_loop_name(int i)
{
    return i < CASES ? cases[i].name : NULL;
}

static const char *const layouts[SLUICE_LAYOUT_COUNT] = {
    "structures", "padded", "packed", "arrays", "chunks-2", "chunks-4", "chunks-8", "chunks-16"};

/* One case. */
struct loops {
    struct sluice_backend *backend;
    const struct sluice_bench_ops *ops;
    struct sluice_bench_atoms atoms;
    struct sluice_bench_lj lj;
    struct sluice_trial trial;
    struct sluice_bench_set set; /* of lists: what is measured just in time */
    struct sluice_pass pass;
    FILE *out;
    struct sluice_bench_loop row;
    void *memory[MEMORIES]; /* the backend's */
    int memories;
};

/* --- Forces in double, as the loops have them ---- */

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

static void put_real(void *reals, int real_bytes, int64_t n, double value)
{
    if (real_bytes == 4)
        ((float *)reals)[n] = (float)value;
    else
        ((double *)reals)[n] = value;
}

/* The particles in a layout; SLUICE_LAYOUT_COUNT: place and mass, four numbers each. */
static sluice_status upload_atoms(struct loops *l, enum sluice_layout layout)
{
    const struct sluice_bench_atoms *a = &l->atoms;
    const int real_bytes = l->backend->real_bytes, four = layout == SLUICE_LAYOUT_COUNT;
    const size_t bytes = (size_t)(a->n * SLUICE_LAYOUT_WIDEST * real_bytes);
    void *reals = calloc(1, bytes);
    SLUICE_CHECK(reals, SLUICE_DEVICE, "no memory for %lld particles", (long long)a->n);
    for (int64_t i = 0; i < a->n; i++)
        for (int c = 0; c < SLUICE_LAYOUT_NUMBERS; c++)
            if (!four)
                put_real(reals, real_bytes, sluice_layout_place(layout, a->n, i, c), a->at[i][c]);
            else if (c < 4)
                put_real(reals, real_bytes, 4 * i + c, c < 3 ? a->at[i][c] : 1);

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
    sluice_bench_lj(&l->lj, sigma_of(l));
    l->row.particles = (double)a->n;
    l->trial.params = l->lj.bytes;
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
    if (l->set.backend)
        sluice_bench_set_destroy(&l->set);
    while (l->memories > 0)
        l->backend->ops->free(l->backend, l->memory[--l->memories]);
    sluice_bench_atoms_destroy(&l->atoms);
}

/* --- Measuring ---- */

typedef sluice_status (*launch)(struct loops *l);

static sluice_status launch_trial(struct loops *l)
{
    return l->ops->trial(l->backend, &l->trial);
}

static sluice_status launch_pass(struct loops *l)
{
    return l->backend->ops->interact(l->backend, &l->set.grid, &l->pass);
}

static sluice_status launch_sort(struct loops *l)
{
    return sluice_bench_set_sort(&l->set);
}

static sluice_status time_launches(struct loops *l, launch work, int launches, double *seconds)
{
    const double begun = sluice_seconds();
    for (int k = 0; k < launches; k++)
        SLUICE_TRY(work(l));
    SLUICE_TRY(l->backend->ops->sync(l->backend));
    *seconds = (sluice_seconds() - begun) / launches;
    return SLUICE_OK;
}

static sluice_status measure(struct loops *l, launch work)
{
    const double budget = sluice_bench_is_device(l->backend) ? seconds_gpu : seconds_cpu;
    double once;
    SLUICE_TRY(time_launches(l, work, 1, &once));
    SLUICE_TRY(time_launches(l, work, 1, &once));
    l->row.launches = (int)fmax(1, fmin(LAUNCHES, budget / fmax(once, 1e-9)));
    for (int k = 0; k < l->row.repeats; k++)
        SLUICE_TRY(time_launches(l, work, l->row.launches, &l->row.seconds[k]));
    return SLUICE_OK;
}

/* Downloads accelerations and holds them against plain sums. */
static sluice_status check(struct loops *l, const void *device, const uint32_t *of,
                           sluice_bench_force force)
{
    const double sigma2 = sigma_of(l) * sigma_of(l);
    const size_t bytes = (size_t)(3 * l->atoms.n * l->backend->real_bytes);
    char what[96];
    void *host = malloc(bytes);
    SLUICE_CHECK(host, SLUICE_DEVICE, "no memory for %zu bytes", bytes);
    snprintf(what, sizeof what, "bench %s, %s, %s", l->row.bench, l->row.name, l->row.variant);
    sluice_status status = l->backend->ops->download(l->backend, host, device, bytes);
    if (status == SLUICE_OK)
        status = sluice_bench_atoms_check(&l->atoms, host, l->backend->real_bytes, of, force,
                                          &sigma2, what);
    free(host);
    return status;
}

/* Counts the neighbours nearer than the reach: all of them, and the most of a particle. */
static sluice_status count(struct loops *l, double *all, int *most)
{
    const int64_t n = l->atoms.n;
    uint32_t *length = malloc((size_t)n * sizeof *length);
    SLUICE_CHECK(length, SLUICE_DEVICE, "no memory for %lld particles", (long long)n);
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

/* A row of the loop that the trial says. */
static sluice_status measure_trial(struct loops *l, const char *variant, sluice_bench_force force)
{
    l->row.variant = variant;
    SLUICE_TRY(measure(l, launch_trial));
    if (force)
        SLUICE_TRY(check(l, l->trial.out, NULL, force));
    sluice_bench_print_loop(l->out, &l->row);
    return SLUICE_OK;
}

/* --- The sub-benchmarks ---- */

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

/* The program's own strategy on the same particles; ids are their places in the order of cells. */
static sluice_status run_just_in_time(struct loops *l)
{
    const struct sluice_bench_atoms *a = &l->atoms;
    const double real_bytes = l->backend->real_bytes;
    const struct sluice_backend_ops *ops = l->backend->ops;
    l->pass = (struct sluice_pass){.name = "pair loop",
                                   .pair = SLUICE_PAIR_lj,
                                   .params = l->lj.bytes,
                                   .target = &l->set.set,
                                   .source = {&l->set.set, NULL},
                                   .count_pairs = 1};
    void *zeros = calloc((size_t)(3 * a->n), (size_t)l->backend->real_bytes);
    uint32_t *id = malloc((size_t)a->n * sizeof *id);
    sluice_status status = zeros && id ? SLUICE_OK
                                       : SLUICE_FAIL(SLUICE_DEVICE, "no memory for particles");
    void *acceleration = l->set.set.field[SLUICE_FIELD_ACCELERATION];
    if (status == SLUICE_OK)
        status = ops->upload(l->backend, acceleration, zeros,
                             (size_t)(3 * a->n * l->backend->real_bytes));
    if (status == SLUICE_OK)
        status = launch_pass(l);
    if (status == SLUICE_OK)
        status = ops->sync(l->backend);
    l->row.pairs = l->pass.sum[SLUICE_SUM_PAIRS];
    l->pass.count_pairs = 0;
    l->row.variant = "just-in-time";
    if (status == SLUICE_OK)
        status = ops->download(l->backend, id, l->set.set.field[SLUICE_FIELD_ID],
                               (size_t)a->n * sizeof *id);
    if (status == SLUICE_OK)
        status = check(l, acceleration, id, force_lj);
    free(zeros);
    free(id);
    SLUICE_TRY(status);
    l->row.held = 0;
    l->row.moved = (4 + 6) * real_bytes;
    SLUICE_TRY(measure(l, launch_pass));
    sluice_bench_print_loop(l->out, &l->row);
    l->row.variant = "sort";
    l->row.flops = l->row.moved = 0;
    SLUICE_TRY(measure(l, launch_sort));
    sluice_bench_print_loop(l->out, &l->row);
    return SLUICE_OK;
}

static sluice_status create_set(struct loops *l)
{
    const struct sluice_bench_atoms *a = &l->atoms;
    double(*x)[3] = malloc((size_t)a->n * sizeof *x);
    SLUICE_CHECK(x, SLUICE_DEVICE, "no memory for %lld particles", (long long)a->n);
    for (int64_t i = 0; i < a->n; i++)
        memcpy(x[i], a->at[i], sizeof x[i]);
    const sluice_status status = sluice_bench_set_create(&l->set, l->backend, (const double(*)[3])x,
                                                         a->n, a->edge, a->filling);
    free(x);
    if (status != SLUICE_OK)
        l->set.backend = NULL;
    return status;
}

static sluice_status run_lists(struct loops *l)
{
    const double real_bytes = l->backend->real_bytes;
    double listed;
    int most;
    SLUICE_TRY(create_set(l));
    l->row.flops = sluice_pairs[SLUICE_PAIR_lj].flops;
    SLUICE_TRY(run_just_in_time(l));
    SLUICE_TRY(count(l, &listed, &most));
    l->trial.capacity = most;
    SLUICE_TRY(take(l, (size_t)most * (size_t)l->atoms.n * sizeof(uint32_t), &l->trial.list));
    l->row.held = 4.0 * most + 4;
    l->row.flops = 0;
    l->row.moved = 4 * real_bytes + 4 * listed / l->row.particles;
    SLUICE_TRY(measure_trial(l, "list-build", NULL));
    l->trial.kind = SLUICE_TRIAL_LIST_FORCE;
    l->row.flops = sluice_pairs[SLUICE_PAIR_lj].flops;
    l->row.moved += 3 * real_bytes;
    return measure_trial(l, "list-force", force_lj);
}

/* --- The verb ---- */

static sluice_status run_case(struct sluice_backend *b, const struct sluice_bench_loop *row,
                              FILE *out, long long n, int k)
{
    const char *bench = row->bench;
    const int lists = strcmp(bench, "lists") == 0;
    struct loops l = {.backend = b, .ops = sluice_bench_ops_find(b), .out = out, .row = *row};
    l.row.name = cases[k].name;
    sluice_status status = create(&l, n, cases[k].filling, lists ? 1 + skin : 1);
    if (status == SLUICE_OK)
        status = lists                          ? run_lists(&l)
                 : strcmp(bench, "blocks") == 0 ? run_blocks(&l)
                                                : run_layouts(&l);
    destroy(&l);
    return status;
}

static sluice_status run_cases(struct sluice_backend *b, struct sluice_bench_loop *row, FILE *out,
                               long long n, const char *only)
{
    const int blocks = strcmp(row->bench, "blocks") == 0;
    SLUICE_CHECK(sluice_bench_ops_find(b), SLUICE_BAD_INPUT,
                 "bench %s: its loops are for GPUs, and this runs on %s; --backend names another",
                 row->bench, b->ops->name);
    sluice_bench_print_loop_header(out);
    for (int k = 0; k < CASES; k++)
        if (only ? strcmp(only, cases[k].name) == 0 : !blocks || k == 0)
            SLUICE_TRY(run_case(b, row, out, n, k));
    return SLUICE_OK;
}

sluice_status sluice_bench_loops(const struct sluice_arguments *arguments, FILE *out, int repeats)
{
    const char *only = arguments->positional_count > 1 ? arguments->positional[1] : NULL;
    struct sluice_backend b;
    struct sluice_bench_loop row = {
        .bench = arguments->positional[0], .backend = &b, .repeats = repeats};
    const int blocks = strcmp(row.bench, "blocks") == 0;
    long long n;
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_PARTICLES, 512,
                                    blocks ? BLOCKS_PARTICLES : 216000, &n));
    SLUICE_TRY(sluice_bench_open(&b, arguments));
    row.seconds = malloc((size_t)repeats * sizeof *row.seconds);
    sluice_status status = row.seconds ? SLUICE_OK
                                       : SLUICE_FAIL(SLUICE_DEVICE, "no memory for %d measurements",
                                                     repeats);
    if (status == SLUICE_OK)
        status = run_cases(&b, &row, out, n, only);
    free(row.seconds);
    sluice_backend_close(&b);
    return status;
}
