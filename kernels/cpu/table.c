/* The functions of one precision and instruction set, in one table. */
#include "kernels/cpu/leaf.h"

/* A strategy's function here, by its kind in the registry. */
#define INTERACT_ON_CPU(name) LEAF(interact_##name)
#define INTERACT_ON_GPU(name) NULL
#define INTERACT_CELLS(name)  NULL

const struct cpu_leaf LEAF(cpu_leaf) = {
    .isa = SLUICE_ISA_NAME,
#ifdef SLUICE_DOUBLE
    .real_bytes = 8,
#else
    .real_bytes = 4,
#endif
    .lanes = &LEAF(window_lanes),
    .kick_drift = LEAF(kick_drift),
    .kick = LEAF(kick),
    .locate = LEAF(locate),
    .keys = LEAF(keys),
    .pointwise = LEAF(pointwise),
    .reduce = LEAF(reduce),
    .interact =
        {
#define X(name, option, kind, what) INTERACT_##kind(name),
            SLUICE_STRATEGIES(X)
#undef X
        },
};
