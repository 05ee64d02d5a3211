/* The loops of `sluice bench` on the CPU, compiled for each precision and instruction set as those
 * of kernels/cpu/loops are. */
#ifndef SLUICE_KERNELS_BENCH_CPU_VARIANT_H
#define SLUICE_KERNELS_BENCH_CPU_VARIANT_H
#include "kernels/bench/bench_ops.h"
#include "kernels/cpu/variant.h"

/* swarm.c, sums.c, typed_lists.c, stored_lists.c, branching.c: the operations of these names in
 * bench_ops.h. */
#define CPU_BENCH_FUNCTIONS(X)                                                                     \
    X(void, swarm, (struct sluice_threads * team, const struct sluice_swarm *s))                   \
    X(void, sums, (struct sluice_threads * team, const struct sluice_sums *s))                     \
    X(void, typed_lists, (struct sluice_threads * team, const struct sluice_typed_lists *l))       \
    X(sluice_status, list_build,                                                                   \
      (struct sluice_threads * team, const struct sluice_grid *g, struct sluice_pass *pass,        \
       struct sluice_stored_list *list, struct cpu_scratch *work))                                 \
    X(void, list_pass,                                                                             \
      (struct sluice_threads * team, struct sluice_pass * pass,                                    \
       const struct sluice_stored_list *list))                                                     \
    X(sluice_status, branching,                                                                    \
      (struct sluice_threads * team, const struct sluice_grid *g, struct sluice_pass *pass,        \
       struct cpu_scratch *work))

struct cpu_bench {
#define X(type, name, arguments) type(*name) arguments;
    CPU_BENCH_FUNCTIONS(X)
#undef X
};

#ifdef SLUICE_SUFFIX
#define X(type, name, arguments) type VARIANT(name) arguments;
CPU_BENCH_FUNCTIONS(X)
#undef X
extern const struct cpu_bench VARIANT(cpu_bench);
#endif
#endif
