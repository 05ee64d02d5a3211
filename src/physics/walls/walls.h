/* The common part of the kinds of walls. A kind's properties are its row of config/boundary.h. */
#ifndef SLUICE_PHYSICS_WALLS_WALLS_H
#define SLUICE_PHYSICS_WALLS_WALLS_H
#include "kernels/registry.h"
#include "model/model.h"

/* A pass of the walls from the fluid, by the pair's version for the run's kernel. */
static inline struct sluice_pass sluice_walls_from_fluid(const struct sluice_model *m,
                                                         const char *name, int pair)
{
    return (struct sluice_pass){.name = name,
                                .pair = sluice_pair_with_kernel(pair, m->physics->wcsph.kernel),
                                .target = m->set[SLUICE_WALL],
                                .source = {m->set[SLUICE_FLUID], NULL}};
}
#endif
