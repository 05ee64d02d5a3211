/* Weakly compressible SPH. Passes in order:
 *
 *   predict   fluid, and walls with a density: velocity and density at the step's end, pressure
 *   walls     what the kind of walls computes before the pair loop (walls.c)
 *   filter    fluid: what is steady in the head that is diffused
 *   mixing length  fluid: of the eddies that carry the walls' friction
 *   gradients fluid from fluid and no-slip walls: stress, gradient of the head
 *   pairs     fluid from fluid and walls: a, dr/dt, powers
 *   walls     what the kind of walls computes after the pair loop (walls.c)
 *   shift     fluid from fluid and walls: the shift after the step, and its part of dr/dt
 *   reaction  wall from fluid: the fluid's force on walls, in steps after which a probe asks; in
 *             other steps on bodies alone */
#include <math.h>
#include <string.h>

#include "kernels/types/wcsph_params.h"
#include "kernels/registry.h"
#include "model/walls.h"

static int walls_have(const struct sluice_model *m, unsigned property)
{
    return m->set[SLUICE_WALL]->whole > 0 && sluice_config_walls_have(m->physics->config, property);
}

/* The walls as neighbours of the fluid; NULL: they are none. */
static struct sluice_set *wall_neighbours(const struct sluice_model *m)
{
    return walls_have(m, SLUICE_WALL_IN_PAIRS) ? m->set[SLUICE_WALL] : NULL;
}

static int shifts(const struct sluice_physics *p)
{
    return p->config->fluid.shifting.kind != SLUICE_SHIFTING_NONE;
}

static int needs_gradients(const struct wcsph_params *p)
{
    return wcsph_has_stress(p) || p->corrected_diffusion;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    const int forces = sluice_physics_needs_forces(p);
    if (type != SLUICE_FLUID)
        return sluice_walls_fields(p, type);
    return SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) |
           SLUICE_BIT(VELOCITY) | SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(ACCELERATION) |
           SLUICE_BIT(ACCELERATION_OLD) | SLUICE_BIT(SCALAR) | SLUICE_BIT(SCALAR_LOW) |
           SLUICE_BIT(RATE) | SLUICE_BIT(RATE_OLD) | SLUICE_BIT(EOS) | SLUICE_BIT(PREDICTED) |
           (p->wcsph.mixing.most > 0 ? SLUICE_BIT(MIXING_LENGTH) : 0) |
           (shifts(p) ? SLUICE_BIT(SHIFT) : 0) |
           (wcsph_has_stress(&p->wcsph) ? SLUICE_BIT(STRESS) : 0) |
           (p->wcsph.corrected_diffusion ? SLUICE_BIT(HEAD_GRADIENT) : 0) |
           (p->wcsph.filter > 0 ? SLUICE_BIT(HEAD_MEAN) | SLUICE_BIT(HEAD_MEAN_LOW) : 0) |
           (forces && p->wcsph.spring ? SLUICE_BIT(PUSH) : 0) |
           (forces && p->wcsph.wall_law.used ? SLUICE_BIT(FRICTION) : 0);
}

static void swap(struct sluice_set *set, enum sluice_field a, enum sluice_field b)
{
    void *const kept = set->field[a];
    set->field[a] = set->field[b];
    set->field[b] = kept;
}

/* Predicts v and r of a set; a(n) and R(n) become the old ones. a(n+1) of the fluid begins with the
 * body forces, unless the pair loop begins it. */
static sluice_status predict(struct sluice_model *m, struct sluice_backend *b,
                             const struct sluice_grid *g, enum sluice_type type)
{
    const struct body_force_params body = sluice_model_body_forces(m);
    const int begun = type == SLUICE_FLUID && !m->physics->wcsph.begins;
    struct wcsph_predict_params params = {.wcsph = m->physics->wcsph,
                                          .dt = m->dt,
                                          .dt_old = m->dt_old,
                                          .beta = m->physics->config->time.predictor,
                                          .clamp = type == SLUICE_WALL,
                                          .body = begun ? &body : NULL};
    sluice_grid_place(g, g->low, &params.origin);
    const struct sluice_point point = {"predict", SLUICE_POINTWISE_wcsph_predict, &params,
                                       m->set[type]};
    SLUICE_TRY(b->ops->pointwise(b, g, &point));
    if (m->set[type]->moves == SLUICE_FREE)
        swap(m->set[type], SLUICE_FIELD_ACCELERATION, SLUICE_FIELD_ACCELERATION_OLD);
    swap(m->set[type], SLUICE_FIELD_RATE, SLUICE_FIELD_RATE_OLD);
    return SLUICE_OK;
}

static sluice_status predict_all(struct sluice_model *m, struct sluice_backend *b,
                                 const struct sluice_grid *g)
{
    SLUICE_TRY(predict(m, b, g, SLUICE_FLUID));
    return walls_have(m, SLUICE_WALL_DENSITY) ? predict(m, b, g, SLUICE_WALL) : SLUICE_OK;
}

static sluice_status filter(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g)
{
    struct wcsph_filter_params params = {
        .wcsph = m->physics->wcsph, .dt = m->dt, .starts = m->time == 0};
    sluice_grid_place(g, g->low, &params.origin);
    const struct sluice_point point = {"filter", SLUICE_POINTWISE_filter_head, &params,
                                       m->set[SLUICE_FLUID]};
    return b->ops->pointwise(b, g, &point);
}

static sluice_status find_mixing_length(struct sluice_model *m, struct sluice_backend *b,
                                        const struct sluice_grid *g)
{
    const struct sluice_point point = {"mixing length", SLUICE_POINTWISE_find_mixing_length,
                                       &m->mixing, m->set[SLUICE_FLUID]};
    return b->ops->pointwise(b, g, &point);
}

/* The shift of each particle, from the positions at t(n+1); finish() moves them. */
static sluice_status shift(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct sluice_config *config = m->physics->config;
    const struct wcsph_params *p = &m->physics->wcsph;
    const struct wcsph_shift_params params = {
        .wcsph = *p,
        .dt = m->dt,
        .strength = config->fluid.shifting.strength,
        .w_dp = sluice_wcsph_w(p, p->spacing),
        .inside = config->fluid.shifting.kind == SLUICE_SHIFTING_INSIDE,
        .counted = config->fluid.shifting.density == SLUICE_SHIFTING_COUNTED};
    const struct sluice_pass pass = {.name = "shift",
                                     .pair = SLUICE_PAIR_shift,
                                     .params = &params,
                                     .target = m->set[SLUICE_FLUID],
                                     .source = {m->set[SLUICE_FLUID], wall_neighbours(m)},
                                     .energy = 1};
    return sluice_passes_interact(passes, m, b, g, pass);
}

/* The MOTION of the first body's particles. */
static uint32_t first_of_bodies(const struct sluice_model *m)
{
    return (uint32_t)m->physics->config->motion_count + 1;
}

/* Between probes of forces only bodies need the force of the fluid. */
static sluice_status react(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct wcsph_reaction_params params = {m->physics->wcsph, !wall_neighbours(m)};
    const struct sluice_pass pass = {.name = "reaction",
                                     .pair = SLUICE_PAIR_reaction,
                                     .params = &params,
                                     .target = m->set[SLUICE_WALL],
                                     .source = {m->set[SLUICE_FLUID], NULL},
                                     .least_motion = m->reacts ? 0 : first_of_bodies(m)};
    struct rigid_motion_params motions;
    SLUICE_TRY(sluice_passes_interact(passes, m, b, g, pass));
    if (m->bodies.count == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_model_motions(m, g, &motions));
    return sluice_bodies_collect(&m->bodies, b, g, m->set[SLUICE_WALL], &m->physics->wcsph,
                                 &motions);
}

static sluice_status find_gradients(struct sluice_model *m, struct sluice_backend *b,
                                    const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct wcsph_params *p = &m->physics->wcsph;
    struct sluice_set *fluid = m->set[SLUICE_FLUID];
    const int friction = wcsph_has_stress(p) && !p->slip;
    const struct sluice_pass pass = {.name = "gradients",
                                     .pair = SLUICE_PAIR_gradients,
                                     .target = fluid,
                                     .source = {fluid, friction ? wall_neighbours(m) : NULL}};
    return sluice_passes_interact(passes, m, b, g, pass);
}

double sluice_physics_most_eddies(const struct sluice_physics *p, double dt)
{
    const struct wcsph_params *w = &p->wcsph;
    const double artificial = w->alpha * w->sound_speed * w->h / (2 * (w->dimension + 2)),
                 rate = 1 / ((1 + 2 * p->config->time.predictor) * dt) - p->viscous_rate;
    return dt > 0 && p->eddy_rate > 0 ? fmax(0, rate / p->eddy_rate - artificial) : INFINITY;
}

static sluice_status interact(struct sluice_model *m, struct sluice_backend *b,
                              const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct wcsph_params params = m->physics->wcsph;
    struct rigid_motion_params motions;
    SLUICE_TRY(sluice_model_motions(m, g, &motions));
    params.motions = &motions;
    params.dt = m->dt;
    params.mixing.nu_most = sluice_physics_most_eddies(m->physics, m->dt);
    struct sluice_pass pass = {.name = "pair loop",
                               .params = &params,
                               .target = m->set[SLUICE_FLUID],
                               .source = {m->set[SLUICE_FLUID], wall_neighbours(m)},
                               .energy = 1};
    pass.pair = sluice_wcsph_pair(&params, sluice_pass_mass(&pass));
    return sluice_passes_interact(passes, m, b, g, pass);
}

static sluice_status forces(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_passes *passes)
{
    sluice_wall_passes *const before = sluice_walls_before(m), *const after = sluice_walls_after(m);
    passes->count = 0;
    SLUICE_TIMED(m->timers, POINTWISE, predict_all(m, b, g));
    if (before)
        SLUICE_TIMED(m->timers, WALLS, before(m, b, g, passes));
    if (m->physics->wcsph.filter > 0)
        SLUICE_TIMED(m->timers, POINTWISE, filter(m, b, g));
    if (m->physics->wcsph.mixing.most > 0)
        SLUICE_TIMED(m->timers, POINTWISE, find_mixing_length(m, b, g));
    if (needs_gradients(&m->physics->wcsph))
        SLUICE_TIMED(m->timers, PAIRS, find_gradients(m, b, g, passes));
    SLUICE_TIMED(m->timers, PAIRS, interact(m, b, g, passes));
    if (after)
        SLUICE_TIMED(m->timers, WALLS, after(m, b, g, passes));
    if (shifts(m->physics))
        SLUICE_TIMED(m->timers, PAIRS, shift(m, b, g, passes));
    if ((m->reacts || m->bodies.count) && m->set[SLUICE_WALL]->whole)
        SLUICE_TIMED(m->timers, WALLS, react(m, b, g, passes));
    return SLUICE_OK;
}

static sluice_status finish(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g)
{
    const struct sluice_point clamp = {"clamp", SLUICE_POINTWISE_clamp_density, NULL,
                                       m->set[SLUICE_WALL]};
    const struct sluice_point move = {"move", SLUICE_POINTWISE_move, NULL, m->set[SLUICE_FLUID]};
    if (walls_have(m, SLUICE_WALL_DENSITY))
        SLUICE_TRY(b->ops->pointwise(b, g, &clamp));
    return shifts(m->physics) ? b->ops->pointwise(b, g, &move) : SLUICE_OK;
}

/* Courant and force limits (Monaghan 1992, sec. 4.4), and the viscous limit, at which the fastest
 * decay is just stable (docs/theory.md, "The viscous limit"). */
static double time_step(const struct sluice_model *m, const struct sluice_limits *limits)
{
    const struct wcsph_params *p = &m->physics->wcsph;
    const double cfl = m->physics->config->time.cfl, beta = m->physics->config->time.predictor;
    const double sound = p->second ? fmax(p->sound_speed, p->second->sound_speed) : p->sound_speed;
    double dt = cfl * p->h / (sound + limits->speed);
    if (limits->acceleration > 0)
        dt = fmin(dt, cfl * sqrt(p->h / limits->acceleration));
    if (m->physics->viscous_rate > 0)
        dt = fmin(dt, 1 / ((1 + 2 * beta) * m->physics->viscous_rate));
    return dt;
}

const struct sluice_model_ops sluice_model_wcsph = {"wcsph", fields, forces, finish, time_step};
