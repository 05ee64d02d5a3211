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

/* Takes the wrench of body i from the sums, [terms][bodies]. */
static void take(const struct sluice_bodies *b, int i, double wrench[6])
{
    const int d = b->config->dimension, n = sluice_wrench_size(d);
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int k = 0; k < n; k++)
        wrench[body_system_slot(d, k)] = b->sum[(int64_t)k * b->count + i];
}

static struct body_params params_of(const struct sluice_bodies *b, const struct wcsph_params *wcsph,
                                    const struct rigid_motion_params *motions, int solves)
{
    return (struct body_params){
        .wcsph = *wcsph, .motions = motions, .scales = b->scales, .solves = solves};
}

static sluice_status sum(struct sluice_bodies *b, struct sluice_backend *backend,
                         const struct sluice_grid *g, struct sluice_set *walls,
                         const struct body_params *params, struct sluice_label_rounds *rounds)
{
    struct sluice_label_sums sums = {.formula = SLUICE_LABELLED_body_sums,
                                     .params = params,
                                     .set = walls,
                                     .labels = params->motions->bodies,
                                     .terms = sluice_body_terms(walls->dimension, params->solves),
                                     .out = b->sum,
                                     .rounds = rounds};
    for (int k = 0; k < sums.terms; k++)
        sums.scale[k] = sluice_body_scale(&params->scales, walls->dimension, k);
    return backend->ops->sum_labels(backend, g, &sums);
}

sluice_status sluice_bodies_solve(struct sluice_bodies *b, struct sluice_backend *backend,
                                  const struct sluice_grid *g, struct sluice_set *walls,
                                  const struct wcsph_params *wcsph,
                                  const struct rigid_motion_params *motions)
{
    const struct body_params params = params_of(b, wcsph, motions, 1);
    struct sluice_label_rounds rounds = {.state = b->rigid,
                                         .table = b->table,
                                         .given = b->system,
                                         .result = b->solution,
                                         .state_bytes = sizeof *b->rigid,
                                         .given_bytes = sizeof *b->system,
                                         .result_bytes = sizeof *b->solution,
                                         .round = body_sums_round,
                                         .tolerance = backend->real_bytes == 4 ? 1e-6 : 1e-11};
    const struct sluice_point pressure = {"pressure at bodies", SLUICE_POINTWISE_body_pressure,
                                          &params, walls};
    for (int i = 0; i < b->count; i++) /* the same bits, if a step is computed twice */
        memcpy(b->now[i].trial, b->state[i].solved, sizeof b->state[i].solved);
    if (!b->fresh)
        SLUICE_TRY(sluice_bodies_upload(b, backend, g));
    b->fresh = 0;
    SLUICE_TRY(sum(b, backend, g, walls, &params, &rounds));
    for (int i = 0; i < b->count; i++) {
        memcpy(b->now[i].trial, b->solution[i].rate, sizeof b->now[i].trial);
        memcpy(b->now[i].pressure, b->solution[i].pressure, sizeof b->now[i].pressure);
    }
    b->rounds += rounds.count;
    b->unsolved += rounds.count > SLUICE_LABEL_ROUNDS;
    return backend->ops->pointwise(backend, g, &pressure);
}

sluice_status sluice_bodies_collect(struct sluice_bodies *b, struct sluice_backend *backend,
                                    const struct sluice_grid *g, struct sluice_set *walls,
                                    const struct wcsph_params *wcsph,
                                    const struct rigid_motion_params *motions)
{
    const struct body_params params = params_of(b, wcsph, motions, 0);
    SLUICE_TRY(sum(b, backend, g, walls, &params, NULL));
    b->fluid_power = 0;
    for (int i = 0; i < b->count; i++) {
        struct sluice_body_now *now = &b->now[i];
        double *wrench = now->wrench[SLUICE_BY_FLUID];
        take(b, i, wrench);
        for (int c = 0; c < 3; c++)
            b->fluid_power += wrench[c] * now->pose.velocity[c] + wrench[3 + c] * now->pose.spin[c];
    }
    return SLUICE_OK;
}
