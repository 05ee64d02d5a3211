/* Passes that depend on one another: walls and fluid, on every backend and instruction set. */
#include "pair_trial.h"
#include "part.h"
#include "tap.h"
#include "tolerances.h"

/* Fluid and dynamic walls together close the power identity. */
static void check_dynamic_identity(const struct variant *on, int dim, int real_bytes)
{
    const double low[3] = {0, 0, 0}, high[3] = {5, 4, 3};
    const struct sluice_grid_options o = {.dimension = dim,
                                          .cutoff = 1,
                                          .high = {5, 4, 3},
                                          .frame_cutoffs = 2,
                                          .bins_per_cutoff = {8, 2, 2}};
    struct wcsph_params p = {.dimension = dim,
                             .h = 0.5,
                             .spacing = 0.3,
                             .rho0 = 1.3,
                             .sound_speed = 10,
                             .gamma = 7,
                             .alpha = 0.1,
                             .delta = 0.1,
                             .slip = 1};
    struct cloud fluid, walls;
    struct world w;
    cloud_random(&fluid, 700, dim, low, high, 5);
    cloud_random(&walls, 300, dim, low, high, 6);
    trial_open(&w, on, SLUICE_STRATEGY_window, real_bytes, &o, &fluid, &walls,
               SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(DENSITY) |
                   SLUICE_BIT(RATE));
    struct sluice_pass main_loop = trial_pass(&w, SLUICE_PAIR_wcsph_wendland, &p, 1, 0);
    struct sluice_pass dynamic = trial_pass(&w, SLUICE_PAIR_dynamic_wendland, &p, 1, 0);
    trial_run(&w, &main_loop);
    trial_run(&w, &dynamic);
    const double miss = main_loop.sum[SLUICE_SUM_IDENTITY] + dynamic.sum[SLUICE_SUM_IDENTITY];
    const double size = main_loop.sum[SLUICE_SUM_IDENTITY_ABS] +
                        dynamic.sum[SLUICE_SUM_IDENTITY_ABS];
    diag("%s, %d-D, %d bytes", on->name, dim, real_bytes);
    is_close(miss / size, 0, real_bytes == 4 ? TOLERANCE_IDENTITY_FLOAT : TOLERANCE_IDENTITY_DOUBLE,
             "fluid and moving dynamic walls close the power identity");
    ok(fabs(main_loop.sum[SLUICE_SUM_IDENTITY]) > 1e-3 * size, "and neither alone does");
    world_close(&w);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

/* As in a run: fluid, then the walls' state from it, then the fluid again, with no sort between. */
static void check_again(const struct variant *on, int dim, int real_bytes, int strategy)
{
    const struct sluice_grid_options o = {.dimension = dim,
                                          .cutoff = 1,
                                          .high = {5, 4, 3},
                                          .frame_cutoffs = 2,
                                          .bins_per_cutoff = {8, 2, 2}};
    struct wcsph_params p = {.dimension = dim,
                             .h = 0.5,
                             .spacing = 0.3,
                             .rho0 = 1,
                             .sound_speed = 10,
                             .gamma = 7,
                             .gravity = {0, dim == 2 ? -2 : 0, dim == 2 ? 0 : -2},
                             .alpha = 0.1,
                             .delta = 0.1,
                             .hydrostatic_diffusion = 1,
                             .slip = 1,
                             .ghost = 1,
                             .spring = 1};
    struct cloud fluid, walls;
    struct world w;
    struct trial again = {.tolerance = real_bytes == 4 ? TOLERANCE_PAIR_FLOAT
                                                       : TOLERANCE_PAIR_DOUBLE};
    cloud_random(&fluid, 700, dim, o.low, o.high, 5);
    cloud_random(&walls, 300, dim, o.low, o.high, 6);
    trial_open(&w, on, strategy, real_bytes, &o, &fluid, &walls, 0);
    struct sluice_pass main_loop = trial_pass(&w, SLUICE_PAIR_wcsph_wendland, &p, 1, 0),
                       adami = trial_pass(&w, SLUICE_PAIR_adami_wendland, &p, 0, 0);
    const int fits = trial_fits(&w, &main_loop);
    const double before = field_at(&w.host[SLUICE_WALL], SLUICE_FIELD_EOS, 0, 0);
    if (fits)
        trial_run(&w, &adami);
    const double after = field_at(&w.host[SLUICE_WALL], SLUICE_FIELD_EOS, 0, 0);
    if (fits)
        trial_compare(&again, &w, &main_loop, strategy, on->name);
    else /* t074 looks at what it says */
        diag("%s, %s, %d-D, %d bytes: does not fit into shared memory", on->name,
             sluice_strategies[strategy].name, dim, real_bytes);
    ok(fits ? before != after && again.error <= 1 : strategy == SLUICE_STRATEGY_all_in_sm,
       "%s, %s, %d-D, %d bytes: walls as they were last written: worst %.2g tolerances", on->name,
       sluice_strategies[strategy].name, dim, real_bytes, again.error);
    if (again.error > 1)
        fprintf(stderr, "#   %s\n", again.where);
    reference_free(&again.reference);
    world_close(&w);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    for (int k = 0; k < n; k++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            for (int dim = 2; dim <= 3; dim++) {
                if (part_has(dim + real_bytes / 4, 2))
                    check_dynamic_identity(&variants[k], dim, real_bytes);
                for (int strategy = 0; strategy < SLUICE_STRATEGY_COUNT; strategy++)
                    if (variant_has(&variants[k], strategy) &&
                        part_has(strategy + dim + real_bytes / 4, 2))
                        check_again(&variants[k], dim, real_bytes, strategy);
            }
    return done_testing();
}
