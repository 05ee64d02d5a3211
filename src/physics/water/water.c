/* Weakly compressible SPH. A step in order:
 *
 *   predict   fluid: velocity and density at the step's end, pressure
 *   effects   what they do after the prediction, for the state of walls, and before the pair loop
 *             (src/physics/effects.def)
 *   pairs     fluid from fluid and walls: a, dr/dt, powers
 *   effects   what they do after the pair loop */
#include "physics/water/water.h"

#include <math.h>
#include <string.h>

#include "kernels/registry.h"
#include "kernels/types/wcsph_params.h"
#include "model/effect.h"

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    const sluice_fields fluid = SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) |
                                SLUICE_BIT(FRAME) | SLUICE_BIT(ID) | SLUICE_BIT(VELOCITY) |
                                SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(ACCELERATION) |
                                SLUICE_BIT(ACCELERATION_OLD) | SLUICE_BIT(SCALAR) |
                                SLUICE_BIT(SCALAR_LOW) | SLUICE_BIT(RATE) | SLUICE_BIT(RATE_OLD) |
                                SLUICE_BIT(EOS) | SLUICE_BIT(PREDICTED);
    const sluice_fields place = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID);
    const sluice_fields driven = SLUICE_BIT(VELOCITY) | SLUICE_BIT(ACCELERATION) |
                                 SLUICE_BIT(REFERENCE) | SLUICE_BIT(REFERENCE_LOW) |
                                 SLUICE_BIT(MOTION);
    const sluice_fields wall = place | (p->walls_move ? driven : 0);
    return (type == SLUICE_FLUID ? fluid : wall) | sluice_effects_fields(p, type);
}

static sluice_status interact(struct sluice_model *m, struct sluice_backend *b,
                              const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct wcsph_params params = m->physics->wcsph;
    struct rigid_motion_params motions;
    SLUICE_TRY(sluice_model_motions(m, g, &motions));
    params.motions = &motions;
    params.dt = m->dt;
    sluice_motions_pull(&m->physics->motions, m->time, params.body);
    sluice_water_pull(m, g, &params);
    sluice_effects_begin_step(m, &params);
    struct sluice_pass pass = {.name = "pair loop",
                               .params = &params,
                               .target = m->set[SLUICE_FLUID],
                               .source = {m->set[SLUICE_FLUID], sluice_water_wall_neighbours(m)}};
    pass.pair = sluice_wcsph_pair(&params, sluice_pass_mass(&pass));
    return sluice_passes_interact(passes, m, b, g, pass);
}

static sluice_status forces(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_passes *passes)
{
    passes->count = 0;
    memset(m->beside, 0, sizeof m->beside);
    SLUICE_TIMED(m->timers, POINTWISE, sluice_water_predict(m, b, g, SLUICE_FLUID));
    sluice_effects_swap(m);
    SLUICE_TRY(sluice_effects_act(m, b, g, passes, SLUICE_STAGE_PREDICT));
    SLUICE_TRY(sluice_effects_act(m, b, g, passes, SLUICE_STAGE_WALLS));
    SLUICE_TRY(sluice_effects_act(m, b, g, passes, SLUICE_STAGE_BEFORE));
    SLUICE_TIMED(m->timers, PAIRS, interact(m, b, g, passes));
    return sluice_effects_act(m, b, g, passes, SLUICE_STAGE_AFTER);
}

static sluice_status finish(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g)
{
    return sluice_effects_act(m, b, g, NULL, SLUICE_STAGE_FINISH);
}

/* Courant and force limits (Monaghan 1992, sec. 4.4), and the viscous limit, at which the fastest
 * decay is just stable (docs/theory.md, "The viscous limit"). */
static double time_step(const struct sluice_model *m, const struct sluice_limits *limits)
{
    const struct wcsph_params *p = &m->physics->wcsph;
    const double cfl = m->physics->config->time.cfl, beta = m->physics->config->time.predictor;
    double dt = cfl * p->h / (wcsph_fastest_sound(p) + limits->speed);
    if (limits->acceleration > 0)
        dt = fmin(dt, cfl * sqrt(p->h / limits->acceleration));
    if (m->physics->decay > 0)
        dt = fmin(dt, 1 / ((1 + 2 * beta) * m->physics->decay));
    return dt;
}

static int passes_of(const struct sluice_physics *p)
{
    return 1 + sluice_effects_passes(p);
}

const struct sluice_model_ops sluice_model_wcsph = {"wcsph", passes_of, fields,
                                                    forces,  finish,    time_step};
