/* Walls that push by a force of their own (Monaghan 1994; kernels/pair/pair_repulsive.h). */
#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"

static int used(const struct sluice_physics *p)
{
    return p->config->boundary.kind == SLUICE_BOUNDARY_REPULSIVE;
}

/* Repulsive: the fluid's acceleration by the walls' own force. */
static sluice_status repel(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    if (!sluice_set_exists(m->set[SLUICE_WALL]))
        return SLUICE_OK;
    return sluice_passes_interact(passes, m, b, g,
                                  (struct sluice_pass){.name = "repulsive walls",
                                                       .pair = SLUICE_PAIR_repulsive,
                                                       .target = m->set[SLUICE_FLUID],
                                                       .source = {m->set[SLUICE_WALL], NULL}});
}

const struct sluice_effect sluice_effect_repulsive = {
    .name = "repulsive walls",
    .used = used,
    .passes = 1,
    .stage[SLUICE_STAGE_AFTER] = {repel, SLUICE_SECTION_WALLS},
};
