/* The real type, and the macro HD for inline functions that gcc, nvcc and hipcc share. */
#ifndef SLUICE_KERNELS_TYPES_REAL_H
#define SLUICE_KERNELS_TYPES_REAL_H
#include <math.h>

#ifdef SLUICE_DOUBLE
typedef double real;
#define REAL_SQRT sqrt
#define REAL_FABS fabs
#define REAL_LOG  log
#else
typedef float real;
#define REAL_SQRT sqrtf
#define REAL_FABS fabsf
#define REAL_LOG  logf
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

/* One instruction each: fmax on a GPU, a comparison on a CPU, where fmax has to treat NaN. If a is
 * NaN the result is b on both. */
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
