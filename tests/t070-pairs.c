/* Window against tiled, all pairs. */
#include "pair_state.h"
#include "tap.h"

int main(void)
{
    const double low[3] = {0, 0, 0}, high[3] = {7, 6, 5};
    struct cloud fluid, walls;
    for (int dim = 2; dim <= 3; dim++) {
        cloud_random(&fluid, 3000, dim, low, high, 1);
        cloud_random(&walls, 1000, dim, low, high, 2);
        struct wcsph_params p = {.dimension = dim, .spacing = 0.4, .h = 0.5, .rho0 = 1, .sound_speed = 10, .gamma = 7, .gravity = {0, -1, -2}, .alpha = .1, .nu=0.01,
            .delta = .1, .hydrostatic_diffusion = 1, .slip = 0, .ghost = 1, .spring = 1};
        for (int per = 0; per < 2; per++) {
        struct sluice_grid_options o = {.dimension = dim, .cutoff = 1, .low = {0, 0, 0}, .high = {7, 6, 5}, .periodic = {per, per, per},
            .frame_cutoffs = 2, .bins_per_cutoff = {8, 2, 2}};
        double acc[2][3] = {{0}};
        for (int strategy = 0; strategy < 2; strategy++) {
            struct sluice_backend_choice c = {.name = "cpu", .strategy = strategy ? "tiled" : "window", .real_bytes = 8, .threads = 2};
            struct world w;
            if (world_open(&w, &c, &o, &fluid, &walls, 0) != SLUICE_OK) { printf("%s\n", sluice_message()); return 1; }
            struct sluice_pass pass = {.pair = SLUICE_PAIR_wcsph_wendland, .params = &p, .target = &w.set[0], .source = {&w.set[0], &w.set[1]}, .energy = 1, .count_pairs = 1};
            if (w.backend.ops->interact(&w.backend, &w.grid, &pass) != SLUICE_OK) { printf("%s\n", sluice_message()); return 1; }
            for (int k = 0; k < SLUICE_SUM_COUNT; k++) printf("# %d %d: %.15g\n", dim, k, pass.sum[k]);
            for (int64_t i = 0; i < w.set[0].count; i++) for (int k = 0; k < dim; k++) acc[strategy][k] += fabs(field_at(&w.set[0], SLUICE_FIELD_ACCELERATION, i, k));
            ok(fabs(pass.sum[SLUICE_SUM_IDENTITY]) < 1e-12 * pass.sum[SLUICE_SUM_IDENTITY_ABS], "identity");
            world_close(&w);
        }
        for (int k = 0; k < dim; k++) is_close(acc[0][k], acc[1][k], 1e-9 * acc[0][k], "acc");
        }
        cloud_destroy(&fluid);
        cloud_destroy(&walls);
    }
    return done_testing();
}
