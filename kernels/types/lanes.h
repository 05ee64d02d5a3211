/* Pair formulas are written in the type `lane`: a real, or on the CPU a vector of them, one for
 * each target particle.
 *
 * With SLUICE_LANE_BYTES defined (16, 32 or 64) lanes are gcc's vectors: + - * / work on them and
 * mix with reals; what has no operator stands below. Without it a lane is a real, and the same text
 * is the scalar formula, for GPUs and for the host. */
#ifndef SLUICE_KERNELS_TYPES_LANES_H
#define SLUICE_KERNELS_TYPES_LANES_H
#include "kernels/types/real.h"

#ifdef SLUICE_LANE_BYTES
#include <stdint.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

typedef real lane __attribute__((vector_size(SLUICE_LANE_BYTES)));
#ifdef SLUICE_DOUBLE
typedef int64_t lane_mask __attribute__((vector_size(SLUICE_LANE_BYTES))); /* all bits set: true */
#define LANE_TYPE(x86)         x86##pd
#define LANE_TYPE2(x86, after) x86##pd##after
#else
typedef int32_t lane_mask __attribute__((vector_size(SLUICE_LANE_BYTES)));
#define LANE_TYPE(x86)         x86##ps
#define LANE_TYPE2(x86, after) x86##ps##after
#endif
enum { LANES = SLUICE_LANE_BYTES / (int)sizeof(real) };

#if defined(__AVX512F__) && SLUICE_LANE_BYTES == 64
#define LANE_OP(op, ...) ((lane)LANE_TYPE(_mm512_##op##_)(__VA_ARGS__))
#elif defined(__AVX__) && SLUICE_LANE_BYTES == 32
#define LANE_OP(op, ...) ((lane)LANE_TYPE(_mm256_##op##_)(__VA_ARGS__))
#elif defined(__SSE2__) && SLUICE_LANE_BYTES == 16
#define LANE_OP(op, ...) ((lane)LANE_TYPE(_mm_##op##_)(__VA_ARGS__))
#endif

/* The same real in every lane. */
HD lane lane_of(real x)
{
    return x - (lane){0};
}

/* mask ? a : b. */
HD lane lane_select(lane_mask mask, lane a, lane b)
{
    return (lane)(((lane_mask)a & mask) | ((lane_mask)b & ~mask));
}

#ifdef LANE_OP
HD lane lane_max(lane a, lane b)
{
    return LANE_OP(max, a, b);
}
HD lane lane_min(lane a, lane b)
{
    return LANE_OP(min, a, b);
}
HD lane lane_sqrt(lane a)
{
    return LANE_OP(sqrt, a);
}
#else
HD lane lane_max(lane a, lane b)
{
    return lane_select(a > b, a, b);
}
HD lane lane_min(lane a, lane b)
{
    return lane_select(a < b, a, b);
}
HD lane lane_sqrt(lane a)
{
    lane root;
    for (int l = 0; l < LANES; l++)
        root[l] = REAL_SQRT(a[l]);
    return root;
}
#endif

/* a + b. On a GPU b is rounded before, even if it is a product: a compiler may fuse the two in one
 * place where it puts this code and not in another, so that a sum would depend on the place. */
HD lane lane_add(lane a, lane b)
{
    return a + b;
}

/* a b + c. On a GPU the product is not rounded: of two products in a sum a compiler may fuse the
 * one in one place and the other in another. */
HD lane lane_fma(lane a, lane b, lane c)
{
    return a * b + c;
}

/* max(1 - a slope, 0) for a slope >= 0. */
HD lane lane_ramp(lane a, real slope)
{
    return lane_max(1 - a * slope, lane_of(0));
}

/* max(a/b, 0); the caller knows that it is at most 1. */
HD lane lane_fraction(lane a, lane b)
{
    return lane_max(a / b, lane_of(0));
}

/* Whether any lane is set. May return 1 without a test where the test would cost more. */
HD int lane_any(lane_mask mask)
{
#ifdef LANE_OP
#if SLUICE_LANE_BYTES == 64
    (void)mask;
    return 1;
#elif SLUICE_LANE_BYTES == 32
    return LANE_TYPE(_mm256_movemask_)((lane)mask) != 0;
#else
    return LANE_TYPE(_mm_movemask_)((lane)mask) != 0;
#endif
#else
    int any = 0;
    for (int l = 0; l < LANES; l++)
        any |= mask[l] != 0;
    return any;
#endif
}

#else
typedef real lane;
typedef int lane_mask;

HD lane lane_of(real x)
{
    return x;
}
HD lane lane_select(lane_mask mask, lane a, lane b)
{
    return mask ? a : b;
}
HD int lane_any(lane_mask mask)
{
    return mask;
}
HD lane lane_max(lane a, lane b)
{
    return real_max(a, b);
}
HD lane lane_min(lane a, lane b)
{
    return real_min(a, b);
}
HD lane lane_sqrt(lane a)
{
    return REAL_SQRT(a);
}
HD lane lane_add(lane a, lane b)
{
#if SLUICE_ON_DEVICE && defined(SLUICE_DOUBLE)
    return __dadd_rn(a, b);
#elif SLUICE_ON_DEVICE
    return __fadd_rn(a, b);
#else
    return a + b;
#endif
}
HD lane lane_fma(lane a, lane b, lane c)
{
#if SLUICE_ON_DEVICE && defined(SLUICE_DOUBLE)
    return __fma_rn(a, b, c);
#elif SLUICE_ON_DEVICE
    return __fmaf_rn(a, b, c);
#else
    return a * b + c;
#endif
}
HD lane lane_ramp(lane a, real slope)
{
#if SLUICE_ON_DEVICE && defined(__CUDACC__) && !defined(SLUICE_DOUBLE)
    real ramp; /* one instruction; the compiler makes two */
    asm("fma.rn.ftz.sat.f32 %0, %1, %2, %3;" : "=f"(ramp) : "f"(-a), "f"(slope), "f"(1.0f));
    return ramp;
#else
    return real_max(1 - a * slope, 0);
#endif
}
HD lane lane_fraction(lane a, lane b)
{
#if SLUICE_ON_DEVICE && defined(__CUDACC__) && !defined(SLUICE_DOUBLE)
    real fraction; /* likewise */
    asm("mul.rn.ftz.sat.f32 %0, %1, %2;" : "=f"(fraction) : "f"(a), "f"(1 / b));
    return fraction;
#else
    return real_max(a / b, 0);
#endif
}
#endif
#endif
