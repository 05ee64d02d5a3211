/* The choices that decide the order in which terms are added. Places and ids of particles decide
 * the rest. All ranks have the same choices, and checkpoints store them.
 *
 * The bins of a frame and the steps that sort follow from the particles of all ranks at the sort
 * (sluice_grid_level; sim/sort_interval.c). Every other choice by number uses `particles`: the
 * number at the start. Once there are twice as many, the present number takes its place
 * (sim/step.c). So a run without births keeps it. */
#ifndef SLUICE_BACKEND_ORDERS_H
#define SLUICE_BACKEND_ORDERS_H
#include <stdint.h>

#include "particles/particles.h"

struct sluice_orders {
    int strategy; /* SLUICE_STRATEGY_... of kernels/registry.h, used by interact */
    /* Global counts; 0 until a set is made, which then is taken for all. They decide how many parts
     * a target's rows have on a GPU, and whether fixed steps sort in each step (fewer fluid
     * particles than SLUICE_WAITS_FROM) or wait for the speeds of the last one. */
    int64_t particles[SLUICE_TYPE_COUNT];
};

/* With a fixed time step, steps are queued before the speeds of the last one are known. From this
 * number of particles on, a sort takes longer than waiting for them. */
enum { SLUICE_WAITS_FROM = 1 << 18 };
#endif
