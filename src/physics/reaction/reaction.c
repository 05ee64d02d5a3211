/* The fluid's force on walls, in steps after which a probe asks, in other steps on bodies alone
 * (kernels/pair/pair_reaction.h). */
#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"
#include "physics/water/water.h"

static int used(const struct sluice_physics *p)
{
    return sluice_physics_needs_forces(p);
}

/* The pair loop leaves PUSH and FRICTION of the fluid for it. */
static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    if (type == SLUICE_WALL)
        return SLUICE_BIT(REACTION);
    return type == SLUICE_FLUID ? (p->wcsph.spring ? SLUICE_BIT(PUSH) : 0) |
                                      (p->wcsph.wall_law.used ? SLUICE_BIT(FRICTION) : 0)
                                : 0;
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
    const struct wcsph_reaction_params params = {m->physics->wcsph,
                                                 !sluice_water_wall_neighbours(m)};
    const struct sluice_pass pass = {.name = "reaction",
                                     .pair = SLUICE_PAIR_reaction,
                                     .params = &params,
                                     .target = m->set[SLUICE_WALL],
                                     .source = {m->set[SLUICE_FLUID], NULL},
                                     .least_motion = m->reacts ? 0 : first_of_bodies(m)};
    struct rigid_motion_params motions;
    if ((!m->reacts && m->bodies.count == 0) || !sluice_set_exists(m->set[SLUICE_WALL]))
        return SLUICE_OK;
    SLUICE_TRY(sluice_passes_interact(passes, m, b, g, pass));
    if (m->bodies.count == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_model_motions(m, g, &motions));
    return sluice_bodies_collect(&m->bodies, b, g, m->set[SLUICE_WALL], &m->physics->wcsph,
                                 &motions);
}

const struct sluice_effect sluice_effect_reaction = {
    .name = "forces on walls",
    .used = used,
    .fields = fields,
    .passes = 1,
    .stage[SLUICE_STAGE_AFTER] = {react, SLUICE_SECTION_WALLS},
};
