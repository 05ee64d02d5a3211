/* Subnormal numbers count as zero while a thread sums pairs. In water almost at rest the powers of
 * the pairs are as small as that, and on some processors each such number costs a hundred cycles or
 * more. The dropped numbers are below the smallest normal one, 1e-38 in float. */
#ifndef SLUICE_KERNELS_CPU_LOOPS_SUBNORMAL_H
#define SLUICE_KERNELS_CPU_LOOPS_SUBNORMAL_H
#ifdef __SSE2__
#include <immintrin.h>

/* Begins, and returns what subnormal_end() restores. */
static inline unsigned subnormal_begin(void)
{
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040); /* flush to zero, denormals are zero */
    return before;
}

static inline void subnormal_end(unsigned before)
{
    _mm_setcsr(before);
}
#else
static inline unsigned subnormal_begin(void)
{
    return 0;
}

static inline void subnormal_end(unsigned before)
{
    (void)before;
}
#endif
#endif
