/* test: 2 s, emulator, tsan-slow */
/* Passes that depend on one another: walls and fluid, on every backend and instruction set. */
#include "support/pair_trial.h"
#include "support/part.h"
#include "support/tap.h"
#include "support/tolerances.h"

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
               SLUICE_BIT(VELOCITY) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(SCALAR) |
                   SLUICE_BIT(RATE));
    struct sluice_pass main_loop = trial_pass(&w, sluice_wcsph_pair(&p, 0), &p, SLUICE_ALL_SUMS, 0);
    struct sluice_pass dynamic = trial_pass(&w, SLUICE_PAIR_dynamic_wendland, &p, SLUICE_ALL_SUMS,
                                            0);
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

/* The passes of a run: fluid, then the walls' state from it, then the fluid again, without a sort
 * between. */
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
    struct sluice_pass main_loop = trial_pass(&w, sluice_wcsph_pair(&p, 0), &p, SLUICE_ALL_SUMS, 0),
                       adami = trial_pass(&w, SLUICE_PAIR_adami_wendland, &p, 0, 0);
    trial_run(&w, &main_loop);
    const double before = field_at(&w.host[SLUICE_WALL], SLUICE_FIELD_EOS, 0, 0);
    trial_run(&w, &adami);
    const double after = field_at(&w.host[SLUICE_WALL], SLUICE_FIELD_EOS, 0, 0);
    trial_compare(&again, &w, &main_loop, strategy, on->name);
    ok(before != after && again.error <= 1,
       "%s, %s, %d-D, %d bytes: walls as they were last written: worst %.2g tolerances", on->name,
       sluice_strategies[strategy].name, dim, real_bytes, again.error);
    if (again.error > 1)
        fprintf(stderr, "#   %s\n", again.where);
    reference_free(&again.reference);
    world_close(&w);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

/* A linear head is exact at wall particles, wherever fluid is around their nodes, also where turned
 * offsets lead there. A wall that would pull, and a dry one, get no head. The walls are nodes of
 * their own here. */
static void check_ghosts(const struct variant *on, int dim, int real_bytes)
{
    const struct sluice_grid_options o = {.dimension = dim,
                                          .cutoff = 1,
                                          .high = {6, 4, 3},
                                          .frame_cutoffs = 2,
                                          .bins_per_cutoff = {8, 2, 2}};
    const double low[3] = {0, 0, 0}, high[3] = {4, 4, 3}, slope[3] = {0.002, -0.003, 0.001};
    const double tolerance = 100 * (real_bytes == 4 ? TOLERANCE_PAIR_FLOAT : TOLERANCE_PAIR_DOUBLE);
    const struct wcsph_params p = {.dimension = dim,
                                   .h = 0.5,
                                   .spacing = 0.3,
                                   .slip = 1,
                                   .rho0 = pow(0.3, -dim),
                                   .sound_speed = 10,
                                   .gamma = 7};
    const struct rigid_motion_params motions = {
        .count = 2,
        .motion = {{.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                   {.turn = {{0.6, -0.8, 0}, {0.8, 0.6, 0}, {0, 0, 1}}}}};
    const struct wcsph_params nodes = p;
    struct cloud fluid, walls;
    struct world w;
    cloud_random(&fluid, dim == 2 ? 180 : 1800, dim, low, high, 7);
    cloud_random(&walls, 200, dim, o.low, o.high, 8);
    trial_open(&w, on, SLUICE_STRATEGY_window, real_bytes, &o, &fluid, &walls,
               SLUICE_BIT(HEAD) | SLUICE_BIT(NODE) | SLUICE_BIT(OFFSET) | SLUICE_BIT(MOTION));
    struct sluice_set *host[2] = {&w.host[SLUICE_FLUID], &w.host[SLUICE_WALL]};
    double head[2][2000]; /* the linear field at the fluid's and the walls' places */
    for (int s = 0; s < 2; s++)
        for (int64_t i = 0; i < host[s]->count; i++) {
            const uint32_t slot = ((const uint32_t *)host[s]->field[SLUICE_FIELD_FRAME])[i];
            head[s][i] = 0.01;
            for (int c = 0; c < dim; c++)
                head[s][i] += slope[c] * (w.grid.frame[slot][c] * w.grid.width[c] +
                                          field_at(host[s], SLUICE_FIELD_POSITION, i, c));
            if (s == 0)
                field_put(host[s], SLUICE_FIELD_PREDICTED, i, dim, head[s][i]);
        }
    for (int64_t i = 0; i < host[1]->count; i++) { /* a third at rest, two that move, one turned */
        ((uint32_t *)host[1]->field[SLUICE_FIELD_MOTION])[i] = (uint32_t)(i % 3);
        for (int c = 0; c < dim; c++)
            field_put(host[1], SLUICE_FIELD_OFFSET, i, c, 0.7 * (c + 1) - 0.9);
    }
    const struct from_ghosts_params take = {
        .wcsph = p, .ghosts = &w.set[SLUICE_WALL], .motions = &motions};
    const struct sluice_point point = {"walls", SLUICE_POINTWISE_from_ghosts, &take,
                                       &w.set[SLUICE_WALL]};
    struct sluice_pass pass = trial_pass(&w, SLUICE_PAIR_mdbc_wendland, &nodes, 0, 0);
    world_write(&w, SLUICE_FLUID, SLUICE_FIELD_PREDICTED);
    world_write(&w, SLUICE_WALL, SLUICE_FIELD_MOTION);
    world_write(&w, SLUICE_WALL, SLUICE_FIELD_OFFSET);
    trial_run(&w, &pass);
    ok(w.backend.ops->pointwise(&w.backend, &w.grid, &point) == SLUICE_OK &&
           world_read(&w) == SLUICE_OK,
       "%s, %d-D, %d bytes: walls from ghost nodes", on->name, dim, real_bytes);
    int found = 0, dry = 0, clamped = 0;
    double worst = 0;
    for (int64_t i = 0; i < host[1]->count; i++) {
        const uint32_t number = ((const uint32_t *)host[1]->field[SLUICE_FIELD_NODE])[i];
        const double s = i % 3 == 2 ? 0.8 : 0, k = i % 3 == 2 ? 0.6 : 1, x = -0.2, y = 0.5;
        const double want = head[1][i] + slope[0] * (k * x - s * y) + slope[1] * (s * x + k * y) +
                            (dim == 3 ? slope[2] * 1.2 : 0);
        const double node = field_at(host[1], SLUICE_FIELD_HEAD, number, 0),
                     across = field_at(host[1], SLUICE_FIELD_HEAD, number, 1),
                     r = 1 / field_at(host[1], SLUICE_FIELD_EOS, i, 1) - 1,
                     e = (pow(1 + r, 6) - 1) / 6;
        dry += node == -1 && r == 0;
        clamped += node != -1 && across != 0 && want < 0 && r == 0;
        found += across != 0 && want > 0;
        if (across != 0 && want > 0)
            worst = fmax(worst, fabs(e - want));
        if (node == -1)
            worst = fmax(worst, r);
    }
    diag("%d found, %d clamped, %d dry of %d", found, clamped, dry, (int)host[1]->count);
    ok(worst < tolerance && found > 60 && dry > 10 && clamped >= 1,
       "a linear head is exact at the walls, turned ones too: off by %.2g", worst);
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
                    check_ghosts(&variants[k], dim, real_bytes);
                if (part_has(dim + real_bytes / 4, 2))
                    check_dynamic_identity(&variants[k], dim, real_bytes);
                for (int strategy = 0; strategy < SLUICE_STRATEGY_COUNT; strategy++)
                    if (sluice_strategy_has(strategy, 0) &&
                        part_has(strategy + dim + real_bytes / 4, 2))
                        check_again(&variants[k], dim, real_bytes, strategy);
            }
    return done_testing();
}
