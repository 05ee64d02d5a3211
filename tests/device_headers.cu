/* Every pair and pointwise operation in a kernel of its own, for `make check-nvcc`: nvcc makes
 * device code of the headers, a C++17 compiler reads them as host code. Nothing of it runs.
 *
 * One thread a particle, all pairs: the shortest strategy that calls everything a pair header
 * gives. */
#define SLUICE_REGISTRY_HEADERS
#include "kernels/registry.h"

#ifdef __CUDACC__
#define THREAD (blockIdx.x * (int64_t)blockDim.x + threadIdx.x)
#else
#define __global__
#define THREAD 0
#endif

#define X(name, what)                                                                              \
    template <int dim, int source, int energy>                                                     \
    __global__ void pair_##name(name##_constants k, sluice_view target, sluice_view other,         \
                                double *sums)                                                      \
    {                                                                                              \
        const int64_t i = THREAD;                                                                  \
        const auto own = name##_load(&k, &target, i, dim, SLUICE_TARGET,                           \
                                     name##_pack(&target, i, dim, SLUICE_TARGET));                 \
        name##_acc sum = {};                                                                       \
        double out[SLUICE_SUM_COUNT] = {};                                                         \
        for (int64_t j = 0; j < other.count; j++) {                                                \
            const auto theirs = name##_load(&k, &other, j, dim, source,                            \
                                            name##_pack(&other, j, dim, source));                  \
            real d[3] = {}, r2 = 0;                                                                \
            for (int c = 0; c < dim; c++) {                                                        \
                d[c] = VIEW(&target, POSITION, i, dim + 1, c) -                                    \
                       VIEW(&other, POSITION, j, dim + 1, c);                                      \
                r2 += d[c] * d[c];                                                                 \
            }                                                                                      \
            if (r2 > 0 && r2 < name##_support(&k) * name##_support(&k))                            \
                name##_eval(&k, source, dim, energy, d, r2, sqrt(r2), &own, &theirs, &sum);        \
        }                                                                                          \
        name##_store(&k, &target, i, dim, energy, &own, &sum, out);                                \
        for (int c = 0; c < SLUICE_SUM_COUNT; c++)                                                 \
            sums[i * SLUICE_SUM_COUNT + c] = out[c];                                               \
    }                                                                                              \
    template __global__ void pair_##name<2, 0, 0>(name##_constants, sluice_view, sluice_view,      \
                                                  double *);                                       \
    template __global__ void pair_##name<3, 0, 1>(name##_constants, sluice_view, sluice_view,      \
                                                  double *);                                       \
    template __global__ void pair_##name<3, 1, 1>(name##_constants, sluice_view, sluice_view,      \
                                                  double *);
SLUICE_PAIRS(X)
#undef X

#define X(name, what)                                                                              \
    template <int dim>                                                                             \
    __global__ void point_##name(name##_constants k, sluice_view set, sluice_frames_view frames)   \
    {                                                                                              \
        name##_point(&k, &set, &frames, THREAD, dim);                                              \
    }                                                                                              \
    template __global__ void point_##name<2>(name##_constants, sluice_view, sluice_frames_view);   \
    template __global__ void point_##name<3>(name##_constants, sluice_view, sluice_frames_view);
SLUICE_POINTWISE(X)
#undef X
