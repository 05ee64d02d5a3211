/* The accelerations of bodies together with the pressure at their walls, and the force of the
 * fluid.
 *
 * Adami's wall pressure contains the wall's acceleration, and that of a body follows from this
 * pressure. A light body whose acceleration lags by a step behind it is unstable, because the water
 * that it carries along is heavier than itself. So both are found at once. The wrench of a body
 * depends on its acceleration alone, and linearly where no wall particle's pressure is at its limit
 * 0. So Newton's iteration
 *
 *   (M - dw/da) a = w(a_k) - dw/da a_k + w_others
 *
 * ends once the set of these particles stays. Bodies do not see each other's accelerations here. */
#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "kernels/registry.h"

enum { ROUNDS_MOST = 12 };

/* Component k of a wrench of the sums, as one of 6: in 2-D fx, fy, tz. */
static int slot_of(int dimension, int k)
{
    return dimension == 2 && k == 2 ? 5 : k;
}

/* Takes the wrench of body i, and its matrix if there is one, from the sums. */
static void take(const struct sluice_bodies *b, int i, int solves, double wrench[6],
                 double matrix[6][6])
{
    const int d = b->config->dimension, n = sluice_wrench_size(d);
    const double *sum = b->sum + (int64_t)i * sluice_body_terms(d, solves);
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int k = 0; k < n; k++)
        wrench[slot_of(d, k)] = sum[k];
    if (!solves)
        return;
    memset(matrix, 0, 36 * sizeof **matrix);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            matrix[slot_of(d, r)][slot_of(d, c)] = sum[n + n * r + c];
}

/* One step of Newton's iteration for body i. Returns by how much its acceleration changes, as a
 * part of what it is. */
static double solve_body(struct sluice_bodies *b, int i)
{
    struct sluice_body_now *now = &b->now[i];
    const struct sluice_rigid_body *of = &b->body[i];
    double pressure[6], matrix[6][6], wrench[6], next[6], change = 0, size = 0;
    take(b, i, 1, pressure, matrix);
    sluice_body_sum_others(now, wrench);
    for (int k = 0; k < 6; k++)
        wrench[k] += pressure[k] + b->state[i].other[k];
    sluice_body_accelerate(of, now, wrench, matrix, now->trial, next);
    for (int k = 0; k < 6; k++) {
        const double arm = k < 3 ? 1 : of->reach;
        change = fmax(change, arm * fabs(next[k] - now->trial[k]));
        size = fmax(size, arm * fabs(next[k]));
        now->pressure[k] = pressure[k];
        for (int c = 0; c < 6; c++)
            now->pressure[k] += matrix[k][c] * (next[c] - now->trial[c]);
    }
    for (int c = 0; c < b->config->dimension; c++)
        size = fmax(size, fabs(b->config->gravity[c]));
    memcpy(now->trial, next, sizeof now->trial);
    return size > 0 ? change / size : 0;
}

static struct body_params params_of(const struct sluice_bodies *b, const struct wcsph_params *wcsph,
                                    const struct rigid_motion_params *motions, int solves)
{
    return (struct body_params){
        .wcsph = *wcsph, .motions = motions, .scales = b->scales, .solves = solves};
}

sluice_status sluice_bodies_solve(struct sluice_bodies *b, struct sluice_backend *backend,
                                  const struct sluice_grid *g, struct sluice_set *walls,
                                  const struct wcsph_params *wcsph,
                                  const struct rigid_motion_params *motions)
{
    const double tolerance = backend->real_bytes == 4 ? 1e-6 : 1e-11;
    const struct body_params params = params_of(b, wcsph, motions, 1);
    struct sluice_body_sums sums = {walls, &params, b->sum};
    const struct sluice_point pressure = {"pressure at bodies", SLUICE_POINTWISE_body_pressure,
                                          &params, walls};
    double change = INFINITY;
    for (int i = 0; i < b->count; i++) /* the same bits, if a step is computed twice */
        memcpy(b->now[i].trial, b->state[i].solved, sizeof b->state[i].solved);
    if (!b->fresh)
        SLUICE_TRY(sluice_bodies_upload(b, backend, g));
    b->fresh = 0;
    for (int round = 0; round < ROUNDS_MOST && change > tolerance; round++) {
        change = 0;
        SLUICE_TRY(backend->ops->sum_bodies(backend, g, &sums));
        for (int i = 0; i < b->count; i++)
            change = fmax(change, solve_body(b, i));
        SLUICE_TRY(sluice_bodies_upload(b, backend, g));
        b->rounds++;
    }
    b->unsolved += change > tolerance;
    return backend->ops->pointwise(backend, g, &pressure);
}

sluice_status sluice_bodies_collect(struct sluice_bodies *b, struct sluice_backend *backend,
                                    const struct sluice_grid *g, struct sluice_set *walls,
                                    const struct wcsph_params *wcsph,
                                    const struct rigid_motion_params *motions)
{
    const struct body_params params = params_of(b, wcsph, motions, 0);
    struct sluice_body_sums sums = {walls, &params, b->sum};
    SLUICE_TRY(backend->ops->sum_bodies(backend, g, &sums));
    b->fluid_power = 0;
    for (int i = 0; i < b->count; i++) {
        struct sluice_body_now *now = &b->now[i];
        double *wrench = now->wrench[SLUICE_BY_FLUID];
        take(b, i, 0, wrench, NULL);
        for (int c = 0; c < 3; c++)
            b->fluid_power += wrench[c] * now->pose.velocity[c] + wrench[3 + c] * now->pose.spin[c];
    }
    return SLUICE_OK;
}
