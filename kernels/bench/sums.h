/* Sums for `sluice bench claims`: one number is added to each element of an array, as an integrator
 * does, by each of these ways. The loops: kernels/bench/cpu/loops/sums.c. */
#ifndef SLUICE_KERNELS_BENCH_SUMS_H
#define SLUICE_KERNELS_BENCH_SUMS_H
#include <stdint.h>

/* X(name, text, bytes): an element's sum, its correction and its term. */
#define SLUICE_SUM_WAYS(X)                                                                         \
    X(FLOAT, "float", 8)                                                                           \
    X(DOUBLE, "double", 12)                                                                        \
    X(KAHAN, "kahan", 12)                                                                          \
    X(KBN_BRANCH, "kbn-branch", 12)                                                                \
    X(KBN_SELECT, "kbn-select", 12)                                                                \
    X(TWO_SUM, "two-sum", 12)                                                                      \
    X(TWO_SUM_16, "two-sum-16", 10)                                                                \
    X(DOUBLE_FLOAT, "double-float", 12)

enum sluice_sum_way {
#define X(name, text, bytes) SLUICE_SUM_OF_##name,
    SLUICE_SUM_WAYS(X)
#undef X
        SLUICE_SUM_WAY_COUNT
};

/* Arrays of `count` in device memory. DOUBLE has its sums in `wide`, the others in `sum`.
 * TWO_SUM_16 has its corrections in `kept` as runs do (kernels/types/compensated.h), the other
 * compensated ways in `low`. KAHAN subtracts the correction, the others add it. */
struct sluice_sums {
    enum sluice_sum_way way;
    int64_t count;
    int updates; /* of each element by the same term, one after another */
    float *sum, *low;
    double *wide;
    int16_t *kept;
    const float *term;
};
#endif
