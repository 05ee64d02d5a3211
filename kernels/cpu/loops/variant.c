/* The functions of one precision and instruction set, in one table. */
#include "kernels/cpu/variant.h"

const struct cpu_variant VARIANT(cpu_variant) = {
    .isa = SLUICE_ISA_NAME,
#ifdef SLUICE_DOUBLE
    .real_bytes = 8,
#else
    .real_bytes = 4,
#endif
    .lanes = &VARIANT(window_lanes),
#define X(type, name, arguments) .name = VARIANT(name),
    CPU_VARIANT_FUNCTIONS(X)
#undef X
        .interact =
        {
#define X(name, option, bins, what) VARIANT(interact_##name),
            SLUICE_STRATEGIES(X)
#undef X
        },
};
