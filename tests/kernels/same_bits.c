/* test: 8 s, emulator-slow, tsan-slow */
/* The same bits: from run to run, with any number of threads, any order of the input, any shift of
 * the frames; for each strategy and backend. */
#include "support/pair_state.h"
#include "support/part.h"
#include "support/tap.h"
#include "support/variants.h"
#include "kernels/backends/backends.h"

/* The results of a pass, by position in the sorted set, and its sums. */
struct result {
    int64_t count;
    double sum[SLUICE_SUM_COUNT];
    float acceleration[3 * 4000], rate[4000];
    sluice_id id[4000];
};

struct setting {
    const struct variant *on;
    int strategy, threads, dim;
    int32_t shift;
    uint64_t shuffle; /* 0: the input as it is */
    int kib;          /* of candidates that particles meet together; 0: as usual */
    int periodic;
};

static void run(const struct setting *v, struct result *r)
{
    const double low[3] = {0, 0, 0}, high[3] = {9, 8, 7};
    struct sluice_grid_options o = {.dimension = v->dim,
                                    .cutoff = 1,
                                    .high = {9, 8, 7},
                                    .frame_cutoffs = 3,
                                    .bins_per_cutoff = {8, 2, 2}};
    const struct wcsph_params p = {.dimension = v->dim,
                                   .h = 0.5,
                                   .spacing = 0.3,
                                   .rho0 = 1000,
                                   .sound_speed = 20,
                                   .gamma = 7,
                                   .gravity = {0, v->dim == 2 ? -9.81 : 0, -9.81},
                                   .alpha = 0.05,
                                   .delta = 0.1,
                                   .hydrostatic_diffusion = 1,
                                   .slip = 1,
                                   .ghost = 1,
                                   .spring = 1};
    const struct sluice_backend_choice choice = {.name = v->on->backend,
                                                 .isa = v->on->isa,
                                                 .strategy = sluice_strategies[v->strategy].name,
                                                 .real_bytes = 4,
                                                 .threads = v->threads,
                                                 .shared_kib = v->kib};
    struct cloud fluid, walls;
    struct world w;
    memset(r, 0, sizeof *r);
    cloud_random(&fluid, 3000, v->dim, low, high, 41);
    cloud_random(&walls, 900, v->dim, low, high, 42);
    for (int c = 0; c < 3; c++) {
        o.shift[c] = (c == 1 ? -1 : 1) * v->shift;
        o.periodic[c] = c == 0 && v->periodic;
    }
    if (v->shuffle) {
        cloud_shuffle(&fluid, v->shuffle);
        cloud_shuffle(&walls, v->shuffle + 1);
    }
    if (world_open(&w, &choice, &o, &fluid, &walls, 0) != SLUICE_OK)
        diag("%s", sluice_message());
    struct sluice_pass pass = {.pair = SLUICE_PAIR_wcsph_wendland,
                               .params = &p,
                               .target = &w.set[0],
                               .source = {&w.set[0], &w.set[1]},
                               .sums = SLUICE_ALL_SUMS,
                               .count_pairs = 1};
    if (w.backend.ops->interact(&w.backend, &w.grid, &pass) != SLUICE_OK ||
        world_read(&w) != SLUICE_OK)
        diag("%s", sluice_message());
    const struct sluice_set *host = &w.host[SLUICE_FLUID];
    r->count = host->count;
    memcpy(r->sum, pass.sum, sizeof r->sum);
    memcpy(r->acceleration, host->field[SLUICE_FIELD_ACCELERATION],
           sizeof(float) * (size_t)(v->dim * r->count));
    memcpy(r->rate, host->field[SLUICE_FIELD_RATE], sizeof(float) * (size_t)r->count);
    memcpy(r->id, host->field[SLUICE_FIELD_ID], sizeof *r->id * (size_t)r->count);
    world_close(&w);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

static int same_bits(const struct setting *v, const struct result *reference)
{
    static struct result other;
    run(v, &other);
    return memcmp(reference, &other, sizeof other) == 0;
}

static void check(const struct setting *base)
{
    static struct result reference;
    struct setting v = *base;
    char name[160];
    snprintf(name, sizeof name, "%.63s, %s, %d-D, periodic %d", base->on->name,
             sluice_strategies[base->strategy].name, base->dim, base->periodic);
    run(base, &reference);
    ok(reference.sum[SLUICE_SUM_PAIRS] > 1e4 && reference.acceleration[0] != 0, "%s: %.0f pairs",
       name, reference.sum[SLUICE_SUM_PAIRS]);
    ok(same_bits(&v, &reference), "%s: repeated", name);
    for (v.threads = 2; v.threads <= 3 && base->on->is_cpu; v.threads++)
        ok(same_bits(&v, &reference), "%s: %d threads", name, v.threads);
    v = *base;
    if (v.on->is_cpu && sluice_strategies[v.strategy].bins == SLUICE_CELLS) {
        v.kib = 1;
        ok(same_bits(&v, &reference), "%s: few candidates at a time", name);
        v = *base;
        v.strategy = SLUICE_STRATEGY_par_part_noloop;
        ok(same_bits(&v, &reference), "%s: the bits of all strategies of cells", name);
    }
    v = *base;
    v.shuffle = 99;
    ok(same_bits(&v, &reference), "%s: permuted input", name);
    v = *base;
    v.shift = 1000000;
    ok(same_bits(&v, &reference), "%s: frames shifted by a million", name);
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int count = variants_here(variants);
    for (int k = 0; k < count; k++) {
        if (variants[k].is_cpu && k + 1 < count && variants[k + 1].is_cpu)
            continue; /* of the instruction sets the best one: the others are the same code */
        for (int strategy = 0; strategy < SLUICE_STRATEGY_COUNT; strategy++)
            for (int dim = 2; dim <= 3; dim++)
                for (int periodic = 0; periodic < 2; periodic++)
                    if (sluice_strategy_has(strategy, 0) &&
                        part_has(strategy + 2 * dim + periodic, 4)) /* a part has each strategy */
                        check(&(struct setting){.on = &variants[k],
                                                .strategy = strategy,
                                                .threads = 1,
                                                .dim = dim,
                                                .periodic = periodic});
    }
    return done_testing();
}
