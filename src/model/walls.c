/* What each kind of walls computes: the fields of its particles, and its passes before and after
 * the fluid's pair loop. What a kind has and allows is its row of config/boundary.h. */
#include "model/walls.h"

#include "kernels/types/wcsph_params.h"
#include "kernels/registry.h"

static struct sluice_pass from_fluid(const struct sluice_model *m, const char *name, int pair)
{
    return (struct sluice_pass){.name = name,
                                .pair = sluice_pair_with_kernel(pair, m->physics->wcsph.kernel),
                                .target = m->set[SLUICE_WALL],
                                .source = {m->set[SLUICE_FLUID], NULL}};
}

/* Adami: the pressure of each wall particle, from the fluid around it; that of bodies together with
 * their accelerations. */
static sluice_status extrapolate(struct sluice_model *m, struct sluice_backend *b,
                                 const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct rigid_motion_params motions;
    struct wcsph_params params = m->physics->wcsph;
    struct sluice_pass pass = from_fluid(m, "walls from fluid", SLUICE_PAIR_adami_wendland);
    SLUICE_TRY(sluice_model_motions(m, g, &motions));
    params.motions = &motions;
    pass.params = &params;
    if (m->bodies.count == 0)
        return sluice_passes_interact(passes, m, b, g, pass);
    pass.pair = SLUICE_PAIR_adami_bodies;
    SLUICE_TRY(sluice_passes_interact(passes, m, b, g, pass));
    return sluice_bodies_solve(&m->bodies, b, g, m->set[SLUICE_WALL], &m->physics->wcsph, &motions);
}

/* Dynamic: the density's rate of each wall particle. */
static sluice_status change_density(struct sluice_model *m, struct sluice_backend *b,
                                    const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct sluice_pass pass = from_fluid(m, "dynamic walls", SLUICE_PAIR_dynamic_wendland);
    pass.energy = 1;
    return sluice_passes_interact(passes, m, b, g, pass);
}

/* Repulsive: the fluid's acceleration by the walls' own force. */
static sluice_status repel(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    return sluice_passes_interact(passes, m, b, g,
                                  (struct sluice_pass){.name = "repulsive walls",
                                                       .pair = SLUICE_PAIR_repulsive,
                                                       .target = m->set[SLUICE_FLUID],
                                                       .source = {m->set[SLUICE_WALL], NULL},
                                                       .energy = 1});
}

/* mdbc: the fluid's state at the ghost nodes, and from it the walls' state. */
static sluice_status use_ghosts(struct sluice_model *m, struct sluice_backend *b,
                                const struct sluice_grid *g, struct sluice_passes *passes)
{
    const sluice_id first_id = m->physics->first_wall_id;
    struct rigid_motion_params motions;
    struct wcsph_mdbc_params nodes = {.wcsph = m->physics->wcsph, .first_id = first_id};
    const struct from_ghosts_params walls = {.wcsph = m->physics->wcsph,
                                             .ghosts = m->set[SLUICE_GHOST],
                                             .first_id = first_id,
                                             .motions = &motions};
    struct sluice_pass pass = from_fluid(m, "ghost nodes from fluid", SLUICE_PAIR_mdbc_wendland);
    const struct sluice_point point = {"walls from ghost nodes", SLUICE_POINTWISE_from_ghosts,
                                       &walls, m->set[SLUICE_WALL]};
    nodes.wcsph.motions = &motions;
    pass.params = &nodes;
    pass.target = m->set[SLUICE_GHOST];
    SLUICE_TRY(sluice_model_motions(m, g, &motions));
    SLUICE_TRY(sluice_passes_interact(passes, m, b, g, pass));
    return b->ops->pointwise(b, g, &point);
}

static const struct {
    sluice_fields fields; /* SLUICE_BIT(...) of the wall particles, beside their place and motion */
    sluice_wall_passes *before, *after; /* the fluid's pair loop; NULL: none */
} kinds[SLUICE_BOUNDARY_COUNT] = {
    [SLUICE_BOUNDARY_ADAMI] = {SLUICE_BIT(EOS), extrapolate, NULL},
    [SLUICE_BOUNDARY_DYNAMIC] = {SLUICE_BIT(EOS) | SLUICE_BIT(SCALAR) | SLUICE_BIT(SCALAR_LOW) |
                                     SLUICE_BIT(RATE) | SLUICE_BIT(RATE_OLD) |
                                     SLUICE_BIT(PREDICTED),
                                 NULL, change_density},
    [SLUICE_BOUNDARY_REPULSIVE] = {0, NULL, repel},
    [SLUICE_BOUNDARY_MDBC] = {SLUICE_BIT(EOS) | SLUICE_BIT(OFFSET), use_ghosts, NULL},
};

sluice_fields sluice_walls_fields(const struct sluice_physics *p, enum sluice_type type)
{
    const sluice_fields place = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID);
    const sluice_fields driven = SLUICE_BIT(VELOCITY) | SLUICE_BIT(ACCELERATION) |
                                 SLUICE_BIT(REFERENCE) | SLUICE_BIT(REFERENCE_LOW) |
                                 SLUICE_BIT(MOTION);
    const int friction = !p->wcsph.slip && wcsph_is_viscous(&p->wcsph),
              forces = sluice_physics_needs_forces(p),
              solves = p->body_count && p->config->boundary.kind == SLUICE_BOUNDARY_ADAMI;
    const sluice_fields all = place | (p->walls_move ? driven : 0) |
                              (friction ? SLUICE_BIT(PREDICTED) : 0);
    if (type == SLUICE_GHOST)
        return all | SLUICE_BIT(HEAD);
    return all | kinds[p->config->boundary.kind].fields | (forces ? SLUICE_BIT(REACTION) : 0) |
           (solves ? SLUICE_BIT(EXTRAPOLATED) | SLUICE_BIT(SHARE) : 0);
}

sluice_wall_passes *sluice_walls_before(const struct sluice_model *m)
{
    return m->set[SLUICE_WALL]->whole ? kinds[m->physics->config->boundary.kind].before : NULL;
}

sluice_wall_passes *sluice_walls_after(const struct sluice_model *m)
{
    return m->set[SLUICE_WALL]->whole ? kinds[m->physics->config->boundary.kind].after : NULL;
}
