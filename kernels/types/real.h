/* The real type. */
#ifndef SLUICE_KERNELS_TYPES_REAL_H
#define SLUICE_KERNELS_TYPES_REAL_H
#include <math.h>

#include "kernels/types/device.h"

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
