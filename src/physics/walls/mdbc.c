/* Walls whose state is found at ghost nodes in the fluid (English et al. 2022;
 * kernels/pair/pair_mdbc.h). */
#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"
#include "physics/walls/walls.h"
#include "kernels/types/wcsph_params.h"

static int used(const struct sluice_physics *p)
{
    return p->config->boundary.kind == SLUICE_BOUNDARY_MDBC;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_WALL    ? SLUICE_BIT(EOS) | SLUICE_BIT(OFFSET) | SLUICE_BIT(NODE)
           : type == SLUICE_GHOST ? SLUICE_BIT(HEAD) | SLUICE_BIT(NODE)
                                  : 0;
}

/* mdbc: the fluid's state at the ghost nodes, and from it the walls' state. */
static sluice_status use_ghosts(struct sluice_model *m, struct sluice_backend *b,
                                const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct rigid_motion_params motions;
    struct wcsph_params nodes = m->physics->wcsph;
    const struct from_ghosts_params walls = {
        .wcsph = m->physics->wcsph, .ghosts = m->set[SLUICE_GHOST], .motions = &motions};
    struct sluice_pass pass = sluice_walls_from_fluid(m, "ghost nodes from fluid",
                                                      SLUICE_PAIR_mdbc_wendland);
    const struct sluice_point point = {"walls from ghost nodes", SLUICE_POINTWISE_from_ghosts,
                                       &walls, m->set[SLUICE_WALL]};
    if (!sluice_set_exists(m->set[SLUICE_WALL]))
        return SLUICE_OK;
    nodes.motions = &motions;
    pass.params = &nodes;
    pass.target = m->set[SLUICE_GHOST];
    SLUICE_TRY(sluice_model_motions(m, g, &motions));
    SLUICE_TRY(sluice_passes_interact(passes, m, b, g, pass));
    return b->ops->pointwise(b, g, &point);
}

const struct sluice_effect sluice_effect_mdbc = {
    .name = "mdbc walls",
    .used = used,
    .fields = fields,
    .passes = 1,
    .stage[SLUICE_STAGE_WALLS] = {use_ghosts, SLUICE_SECTION_WALLS},
};
