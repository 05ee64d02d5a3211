/* The same bits: any number of threads, any order of the input, any shift of the frames; for each
 * strategy. */
#include "kernels/cpu/cpu_backend.h"
#include "pair_state.h"
#include "tap.h"

/* What a pass leaves, by position in the sorted set, and its sums. */
struct result {
    int64_t count;
    double sum[SLUICE_SUM_COUNT];
    float acceleration[3 * 4000], rate[4000];
    uint32_t id[4000];
};

struct variant {
    int strategy, threads, dim;
    int32_t shift;
    uint64_t shuffle; /* 0: the input as it is */
    int periodic;
};

static void run(const struct variant *v, struct result *r)
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
    const struct sluice_backend_choice choice = {.name = "cpu",
                                                 .strategy = sluice_strategies[v->strategy].name,
                                                 .real_bytes = 4,
                                                 .threads = v->threads};
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
                               .energy = 1,
                               .count_pairs = 1};
    if (w.backend.ops->interact(&w.backend, &w.grid, &pass) != SLUICE_OK)
        diag("%s", sluice_message());
    r->count = w.set[0].count;
    memcpy(r->sum, pass.sum, sizeof r->sum);
    memcpy(r->acceleration, w.set[0].field[SLUICE_FIELD_ACCELERATION],
           sizeof(float) * (size_t)(v->dim * r->count));
    memcpy(r->rate, w.set[0].field[SLUICE_FIELD_RATE], sizeof(float) * (size_t)r->count);
    memcpy(r->id, w.set[0].field[SLUICE_FIELD_ID], sizeof(uint32_t) * (size_t)r->count);
    world_close(&w);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

int main(void)
{
    static struct result reference, other;
    for (int strategy = 0; strategy < SLUICE_STRATEGY_COUNT; strategy++)
        for (int dim = 2; dim <= 3; dim++)
            for (int periodic = 0; periodic < 2; periodic++) {
                const struct variant base = {
                    .strategy = strategy, .threads = 1, .dim = dim, .periodic = periodic};
                const char *name = sluice_strategies[strategy].name;
                struct variant v = base;
                run(&base, &reference);
                ok(reference.sum[SLUICE_SUM_PAIRS] > 1e4 && reference.acceleration[0] != 0,
                   "%s, %d-D: %.0f pairs", name, dim, reference.sum[SLUICE_SUM_PAIRS]);
                for (v.threads = 2; v.threads <= 3; v.threads++) {
                    run(&v, &other);
                    ok(memcmp(&reference, &other, sizeof other) == 0,
                       "%s, %d-D, periodic %d: %d threads", name, dim, periodic, v.threads);
                }
                v = base;
                v.shuffle = 99;
                run(&v, &other);
                ok(memcmp(&reference, &other, sizeof other) == 0,
                   "%s, %d-D, periodic %d: permuted input", name, dim, periodic);
                v = base;
                v.shift = 1000000;
                run(&v, &other);
                ok(memcmp(&reference, &other, sizeof other) == 0,
                   "%s, %d-D, periodic %d: frames shifted by a million", name, dim, periodic);
            }
    return done_testing();
}
