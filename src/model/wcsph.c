/* Weakly compressible SPH. Passes in order:
 *
 *   predict   fluid (and dynamic walls): velocity and density at the end of the step, pressure
 *   walls     wall from fluid: pressure extrapolated (Adami); or ghost nodes from fluid (mdbc), and
 *             the walls' state from theirs
 *   gradients fluid from fluid and no-slip walls: what some terms of `pairs` need
 *   pairs     fluid from fluid and walls: a, dr/dt, powers
 *   dynamic   wall from fluid: dr/dt of dynamic walls
 *   repulsive fluid from walls: their force; such walls are in no other pass
 *   shift     fluid from fluid and walls: where particles are moved after the step, and what of it
 *             the density's rate counts
 *   reaction  wall from fluid: what the fluid does to walls, in steps after which a probe asks */
#include <math.h>
#include <string.h>

#include "kernels/types/wcsph_params.h"
#include "kernels/registry.h"
#include "model/model.h"

static int repulsive_walls(const struct sluice_model *m)
{
    return m->physics->config->boundary.kind == SLUICE_BOUNDARY_REPULSIVE;
}

static int dynamic_walls(const struct sluice_model *m)
{
    return m->physics->config->boundary.kind == SLUICE_BOUNDARY_DYNAMIC;
}

static int mdbc_walls(const struct sluice_model *m)
{
    return m->physics->config->boundary.kind == SLUICE_BOUNDARY_MDBC;
}

static int shifts(const struct sluice_model *m)
{
    return m->physics->config->fluid.shifting.kind != SLUICE_SHIFTING_NONE;
}

static int needs_gradients(const struct sluice_model *m)
{
    return wcsph_has_stress(&m->physics->wcsph) || m->physics->wcsph.corrected_diffusion;
}

static int pair_of(const struct sluice_model *m, int wendland)
{
    return sluice_pair_with_kernel(wendland, m->physics->wcsph.kernel);
}

static unsigned fields(const struct sluice_model *m, enum sluice_type type)
{
    const unsigned place = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) |
                           SLUICE_BIT(EOS);
    const unsigned density = SLUICE_BIT(DENSITY) | SLUICE_BIT(DENSITY_LOW) | SLUICE_BIT(RATE) |
                             SLUICE_BIT(RATE_OLD);
    const unsigned motion = SLUICE_BIT(POSITION_LOW) | SLUICE_BIT(VELOCITY) |
                            SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(ACCELERATION) |
                            SLUICE_BIT(ACCELERATION_OLD);
    const struct wcsph_params *p = &m->physics->wcsph;
    const int forces = sluice_config_probe_of(m->physics->config, SLUICE_PROBE_FORCE) != NULL;
    if (type == SLUICE_FLUID)
        return place | density | motion | SLUICE_BIT(PREDICTED) |
               (shifts(m) ? SLUICE_BIT(SHIFT) : 0) |
               (wcsph_has_stress(p) ? SLUICE_BIT(STRESS) : 0) |
               (p->corrected_diffusion ? SLUICE_BIT(HEAD_GRADIENT) : 0) |
               (forces && p->spring ? SLUICE_BIT(PUSH) : 0);
    const unsigned driven = SLUICE_BIT(VELOCITY) | SLUICE_BIT(ACCELERATION) |
                            SLUICE_BIT(REFERENCE) | SLUICE_BIT(REFERENCE_LOW) | SLUICE_BIT(MOTION);
    const unsigned wall = place | (m->physics->walls_move ? driven : 0) |
                          (forces ? SLUICE_BIT(REACTION) : 0);
    const unsigned friction = !p->slip && wcsph_is_viscous(p) ? SLUICE_BIT(PREDICTED) : 0;
    if (type == SLUICE_GHOST)
        return (wall & ~(SLUICE_BIT(EOS) | SLUICE_BIT(REACTION))) | SLUICE_BIT(HEAD) | friction;
    if (dynamic_walls(m))
        return wall | density | SLUICE_BIT(PREDICTED);
    if (repulsive_walls(m))
        return wall & ~SLUICE_BIT(EOS);
    return wall | friction | (mdbc_walls(m) ? SLUICE_BIT(OFFSET) : 0);
}

static void swap(struct sluice_set *set, enum sluice_field a, enum sluice_field b)
{
    void *const kept = set->field[a];
    set->field[a] = set->field[b];
    set->field[b] = kept;
}

/* Predicts v and r of a set, and lets a(n) and R(n) become the old ones; a(n+1) of the fluid begins
 * with the body forces, where the pair loop does not begin it. */
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
    if (m->set[SLUICE_WALL]->count && dynamic_walls(m))
        SLUICE_TRY(predict(m, b, g, SLUICE_WALL));
    return SLUICE_OK;
}

/* One of the passes; energy 1: it has powers. */
static sluice_status interact(struct sluice_model *m, struct sluice_backend *b,
                              const struct sluice_grid *g, struct sluice_passes *passes,
                              struct sluice_pass pass)
{
    pass.params = &m->physics->wcsph;
    pass.energy &= m->energy;
    return sluice_passes_interact(passes, b, g, &pass);
}

/* Particles are shifted by what their places at t(n+1) ask for: finish(). */
static sluice_status shift(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct sluice_set *fluid = m->set[SLUICE_FLUID],
                      *wall = m->set[SLUICE_WALL]->count ? m->set[SLUICE_WALL] : NULL;
    const struct sluice_config *config = m->physics->config;
    const struct wcsph_shift_params params = {
        .wcsph = m->physics->wcsph,
        .dt = m->dt,
        .strength = config->fluid.shifting.strength,
        .w_dp = sluice_wcsph_w(&m->physics->wcsph, m->physics->wcsph.spacing),
        .inside = config->fluid.shifting.kind == SLUICE_SHIFTING_INSIDE,
        .counted = config->fluid.shifting.density == SLUICE_SHIFTING_COUNTED};
    const struct sluice_pass pass = {.name = "shift",
                                     .pair = SLUICE_PAIR_shift,
                                     .params = &params,
                                     .target = fluid,
                                     .source = {fluid, wall},
                                     .energy = m->energy};
    return sluice_passes_interact(passes, b, g, &pass);
}

static sluice_status react(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct wcsph_reaction_params params = {m->physics->wcsph, repulsive_walls(m)};
    const struct sluice_pass pass = {.name = "reaction",
                                     .pair = SLUICE_PAIR_reaction,
                                     .params = &params,
                                     .target = m->set[SLUICE_WALL],
                                     .source = {m->set[SLUICE_FLUID], NULL}};
    return sluice_passes_interact(passes, b, g, &pass);
}

/* The fluid at the ghost nodes, and the walls' state from that. */
static sluice_status from_ghosts(struct sluice_model *m, struct sluice_backend *b,
                                 const struct sluice_grid *g, struct sluice_passes *passes)
{
    const uint32_t first_id = m->physics->first_wall_id;
    struct rigid_motion_params motions;
    const struct wcsph_mdbc_params nodes = {.wcsph = m->physics->wcsph, .first_id = first_id};
    const struct from_ghosts_params walls = {.wcsph = m->physics->wcsph,
                                             .ghosts = m->set[SLUICE_GHOST],
                                             .first_id = first_id,
                                             .motions = &motions};
    const struct sluice_pass pass = {.name = "ghost nodes from fluid",
                                     .pair = pair_of(m, SLUICE_PAIR_mdbc_wendland),
                                     .params = &nodes,
                                     .target = m->set[SLUICE_GHOST],
                                     .source = {m->set[SLUICE_FLUID], NULL}};
    const struct sluice_point point = {"walls from ghost nodes", SLUICE_POINTWISE_from_ghosts,
                                       &walls, m->set[SLUICE_WALL]};
    SLUICE_TRY(sluice_model_motions(m, g, &motions));
    SLUICE_TRY(sluice_passes_interact(passes, b, g, &pass));
    return b->ops->pointwise(b, g, &point);
}

static sluice_status forces(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct sluice_set *fluid = m->set[SLUICE_FLUID],
                      *wall = m->set[SLUICE_WALL]->count ? m->set[SLUICE_WALL] : NULL;
    const int dynamic = wall && dynamic_walls(m), repulsive = wall && repulsive_walls(m),
              mdbc = wall && mdbc_walls(m);
    const struct sluice_pass to_wall = {
        .name = dynamic ? "dynamic walls" : "walls from fluid",
        .pair = pair_of(m, dynamic ? SLUICE_PAIR_dynamic_wendland : SLUICE_PAIR_adami_wendland),
        .target = wall,
        .source = {fluid, NULL},
        .energy = dynamic}; /* the extrapolation has none */
    const struct wcsph_params *p = &m->physics->wcsph;
    const int friction = wcsph_has_stress(p) && !p->slip; /* repulsive walls have none */
    const struct sluice_pass gradients = {.name = "gradients",
                                          .pair = SLUICE_PAIR_gradients,
                                          .target = fluid,
                                          .source = {fluid, friction ? wall : NULL}};
    const struct sluice_pass pairs = {.name = "pair loop",
                                      .pair = p->second ? SLUICE_PAIR_two_fluids
                                              : needs_gradients(m)
                                                  ? SLUICE_PAIR_wcsph_gradients
                                                  : pair_of(m, SLUICE_PAIR_wcsph_wendland),
                                      .target = fluid,
                                      .source = {fluid, repulsive ? NULL : wall},
                                      .energy = 1};
    const struct sluice_pass push = {.name = "repulsive walls",
                                     .pair = SLUICE_PAIR_repulsive,
                                     .target = fluid,
                                     .source = {wall, NULL},
                                     .energy = 1};
    passes->count = 0;
    SLUICE_TIMED(m->timers, POINTWISE, predict_all(m, b, g));
    if (mdbc)
        SLUICE_TIMED(m->timers, WALLS, from_ghosts(m, b, g, passes));
    else if (wall && !dynamic && !repulsive)
        SLUICE_TIMED(m->timers, WALLS, interact(m, b, g, passes, to_wall));
    if (needs_gradients(m))
        SLUICE_TIMED(m->timers, PAIRS, interact(m, b, g, passes, gradients));
    SLUICE_TIMED(m->timers, PAIRS, interact(m, b, g, passes, pairs));
    if (dynamic)
        SLUICE_TIMED(m->timers, WALLS, interact(m, b, g, passes, to_wall));
    if (repulsive)
        SLUICE_TIMED(m->timers, WALLS, interact(m, b, g, passes, push));
    if (shifts(m))
        SLUICE_TIMED(m->timers, PAIRS, shift(m, b, g, passes));
    if (m->reacts && wall)
        SLUICE_TIMED(m->timers, WALLS, react(m, b, g, passes));
    return SLUICE_OK;
}

static sluice_status finish(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g)
{
    const struct sluice_point clamp = {"clamp", SLUICE_POINTWISE_clamp_density, NULL,
                                       m->set[SLUICE_WALL]};
    const struct sluice_point move = {"move", SLUICE_POINTWISE_move, NULL, m->set[SLUICE_FLUID]};
    if (m->set[SLUICE_WALL]->count && dynamic_walls(m))
        SLUICE_TRY(b->ops->pointwise(b, g, &clamp));
    return shifts(m) ? b->ops->pointwise(b, g, &move) : SLUICE_OK;
}

/* Courant and force limits (Monaghan 1992, sec. 4.4); and the viscous one, where a decay at the
 * fastest rate is on the edge of what the integrator bears (docs/theory.md, "The viscous limit").
 */
static double time_step(const struct sluice_model *m, double max_speed, double max_acceleration)
{
    const struct wcsph_params *p = &m->physics->wcsph;
    const double cfl = m->physics->config->time.cfl, beta = m->physics->config->time.predictor;
    const double sound = p->second ? fmax(p->sound_speed, p->second->sound_speed) : p->sound_speed;
    double dt = cfl * p->h / (sound + max_speed);
    if (max_acceleration > 0)
        dt = fmin(dt, cfl * sqrt(p->h / max_acceleration));
    if (m->physics->viscous_rate > 0)
        dt = fmin(dt, 1 / ((1 + 2 * beta) * m->physics->viscous_rate));
    return dt;
}

const struct sluice_model_ops sluice_model_wcsph = {"wcsph", fields, forces, finish, time_step};
