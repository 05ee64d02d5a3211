/* The loops of one precision and instruction set, in one table. */
#include "kernels/bench/cpu/bench_variant.h"

const struct cpu_bench VARIANT(cpu_bench) = {
#define X(type, name, arguments) .name = VARIANT(name),
    CPU_BENCH_FUNCTIONS(X)
#undef X
};
