/* What C11, nvcc and hipcc need to share one inline function and one real type. */
#ifndef SLUICE_KERNELS_TYPES_REAL_H
#define SLUICE_KERNELS_TYPES_REAL_H
#include <math.h>

#ifdef SLUICE_DOUBLE
typedef double real;
#define REAL_SQRT sqrt
#define REAL_FABS fabs
#else
typedef float real;
#define REAL_SQRT sqrtf
#define REAL_FABS fabsf
#endif

/* 1 where a GPU's own code is made, 0 on the host. */
#if defined(__CUDA_ARCH__) || (defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__)
#define SLUICE_ON_DEVICE 1
#else
#define SLUICE_ON_DEVICE 0
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define HD static __host__ __device__ inline __attribute__((always_inline))
#else
#define HD static inline __attribute__((always_inline))
#endif

/* One instruction, whatever a compiler may assume of NaN: fmax's rules for it are a GPU's own, and
 * not a CPU's. Of a NaN and b both make b. */
HD real real_max(real a, real b)
{
#if SLUICE_ON_DEVICE && !defined(SLUICE_DOUBLE)
    return fmaxf(a, b);
#else
    return a > b ? a : b;
#endif
}

HD real real_min(real a, real b)
{
#if SLUICE_ON_DEVICE && !defined(SLUICE_DOUBLE)
    return fminf(a, b);
#else
    return a < b ? a : b;
#endif
}
#endif
