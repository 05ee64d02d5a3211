/* test: 0.6 s, emulator-slow, tsan-slow */
/* The ends of blocks and tiles, where strategies go wrong: pairs that can be counted by hand, for
 * each strategy, backend and precision.
 *
 * The tests look for four mistakes of all-pairs kernels through shared memory: a barrier that
 * threads without a particle do not reach (any number of particles that fills no block; the
 * emulator ends such a kernel); a load of the last tile beyond the end of the set (the same
 * numbers, with the emulator's guarded memory); i left out of the wrong set, or by its place (a
 * wall with i's place and index counts, and so do coincident particles); and n^2 in 32 bits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/pair_trial.h"
#include "support/tap.h"
#include "kernels/backends/backends.h"

static const struct wcsph_params physics = {
    .dimension = 3, .h = 0.5, .spacing = 0.3, .rho0 = 1, .sound_speed = 10, .gamma = 7, .slip = 1};

/* The pass of a world with one strategy: the pairs that it counts. */
static double count_pairs(struct world *w, int pair, int strategy)
{
    struct wcsph_params p = physics;
    p.dimension = w->grid.dimension;
    struct sluice_pass pass = trial_pass(w, pair, &p, SLUICE_ALL_SUMS, 1);
    w->backend.orders.strategy = strategy;
    trial_run(w, &pass);
    return pass.sum[SLUICE_SUM_PAIRS];
}

/* n particles and m walls in one cell, every one within the cutoff of all; the first of both at one
 * place. */
static void crowd_together(struct cloud *fluid, struct cloud *walls, int64_t n, int64_t m, int dim)
{
    const double low[3] = {0.51, 0.51, 0.51}, high[3] = {0.99, 0.99, 0.99};
    cloud_random(fluid, n, dim, low, high, 3);
    cloud_random(walls, m, dim, low, high, 4);
    for (int64_t i = 0; i < n && i < 2; i++)
        memcpy(fluid->x[i], (const double[3]){0.75, 0.75, dim == 3 ? 0.75 : 0}, sizeof fluid->x[i]);
    if (m > 0)
        memcpy(walls->x[0], fluid->x[0], sizeof walls->x[0]);
}

static void check_crowds(const struct variant *on, int dim, int real_bytes)
{
    static const int64_t counts[] = {1, 63, 64, 65, 129, 257, 513};
    const struct sluice_grid_options o = {.dimension = dim,
                                          .cutoff = 1,
                                          .high = {3, 3, 3},
                                          .frame_cutoffs = 4,
                                          .bins_per_cutoff = {1, 1, 1}};
    char wrong[400] = "";
    int tried = 0;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        const int64_t n = counts[k], m = n < 200 ? n : 65;
        struct cloud fluid, walls;
        struct world w;
        crowd_together(&fluid, &walls, n, m, dim);
        trial_open(&w, on, 0, real_bytes, &o, &fluid, &walls, 0);
        for (int strategy = 0; strategy < SLUICE_STRATEGY_COUNT; strategy++) {
            if (!sluice_strategy_has(strategy, 0))
                continue;
            const double pairs = count_pairs(&w, SLUICE_PAIR_wcsph_wendland, strategy);
            tried++;
            if (pairs != (double)(n * (n - 1) + n * m))
                snprintf(wrong, sizeof wrong, "%s, %lld and %lld particles: %.0f pairs",
                         sluice_strategies[strategy].name, (long long)n, (long long)m, pairs);
        }
        world_close(&w);
        cloud_destroy(&fluid);
        cloud_destroy(&walls);
    }
    ok(!*wrong && tried >= 14, "%s, %d-D, %d bytes: crowds around the sizes of blocks: %s",
       on->name, dim, real_bytes, *wrong ? wrong : "every pair, once");
}

/* 65,537 particles, two by two. */
static void check_many(const struct variant *on)
{
    enum { SIDE = 257, N = 65537, M = 33 };
    const struct sluice_grid_options o = {.dimension = 2,
                                          .cutoff = 1,
                                          .high = {2 * SIDE, 1.2 * SIDE, 1},
                                          .frame_cutoffs = 8,
                                          .bins_per_cutoff = {1, 1, 1}};
    const int emulated = strcmp(on->backend, "emulated") == 0;
    struct cloud fluid, walls;
    struct world w;
    cloud_random(&fluid, N, 2, o.low, o.high, 3);
    cloud_random(&walls, M, 2, o.low, o.high, 4);
    for (int64_t i = 0; i < N; i++) { /* rows more than a cutoff apart; the last one alone */
        fluid.x[i][0] = 4.0 * (double)(i / 2 % 128) + 0.6 * (double)(i % 2) + 0.2;
        fluid.x[i][1] = 1.1 * (double)(i / 256) + 0.02;
    }
    for (int64_t i = 0; i < M; i++) { /* between them, of no one's reach */
        walls.x[i][0] = 4.0 * (double)i + 2.5;
        walls.x[i][1] = 0.02;
    }
    trial_open(&w, on, 0, 4, &o, &fluid, &walls, 0);
    for (int strategy = 0; strategy < SLUICE_STRATEGY_COUNT; strategy++) {
        if (!sluice_strategy_has(strategy, 0))
            continue;
        if (strategy == SLUICE_STRATEGY_tiled && (on->is_cpu || emulated)) {
            diag("%s: tiled meets 65,537^2 particles on devices only", on->name);
            continue;
        }
        const double pairs = count_pairs(&w, SLUICE_PAIR_wcsph_wendland, strategy);
        ok(pairs == N - 1, "%s, %s: 65,537 particles: %.0f pairs", on->name,
           sluice_strategies[strategy].name, pairs);
    }
    world_close(&w);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    for (int k = 0; k < n; k++) {
        if (variants[k].is_cpu && k + 1 < n && variants[k + 1].is_cpu)
            continue; /* of the instruction sets the best one */
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            for (int dim = 2; dim <= 3; dim++)
                check_crowds(&variants[k], dim, real_bytes);
        check_many(&variants[k]);
    }
    return done_testing();
}
