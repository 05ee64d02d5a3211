/* Loads interleaved positions into lanes, and lists the lanes that a mask sets. Plain loops for
 * every machine, and x86's own instructions where they are several times faster. */
#ifndef SLUICE_KERNELS_CPU_LOOPS_LANE_LOAD_H
#define SLUICE_KERNELS_CPU_LOOPS_LANE_LOAD_H
#include <stdint.h>
#include <string.h>

#include "kernels/types/lanes.h"

#ifdef SLUICE_LANE_BYTES /* said by a variant file, which alone has lanes */

/* x[c][l] = p[(dim + 1) l + c]. Reads a whole entry of each particle, and in 2-D one real past the
 * last. */
#if defined(__AVX__) && SLUICE_LANE_BYTES == 32 && !defined(SLUICE_DOUBLE)
HD lane load_two(const real *low, const real *high)
{
    return (lane)_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high),
                                      1);
}
HD void lane_load(lane x[3], const real *p, const int dim)
{
    const int n = dim + 1;
    const lane a = load_two(p, p + 4 * n), b = load_two(p + n, p + 5 * n);
    const lane c = load_two(p + 2 * n, p + 6 * n), d = load_two(p + 3 * n, p + 7 * n);
    const lane ab = _mm256_unpacklo_ps(a, b),
               cd = _mm256_unpacklo_ps(c, d); /* x0 x1 y0 y1 | x4 x5 y4 y5 */
    x[0] = _mm256_shuffle_ps(ab, cd, 0x44);
    x[1] = _mm256_shuffle_ps(ab, cd, 0xee);
    if (dim == 3)
        x[2] = _mm256_shuffle_ps(_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d), 0x44);
}
#elif defined(__AVX__) && SLUICE_LANE_BYTES == 32
HD void lane_load(lane x[3], const real *p, const int dim)
{
    const int n = dim + 1;
    const lane a = _mm256_loadu_pd(p), b = _mm256_loadu_pd(p + n), c = _mm256_loadu_pd(p + 2 * n),
               d = _mm256_loadu_pd(p + 3 * n);
    const lane ab = _mm256_unpacklo_pd(a, b), cd = _mm256_unpacklo_pd(c, d); /* x0 x1 | z0 z1 */
    const lane hab = _mm256_unpackhi_pd(a, b), hcd = _mm256_unpackhi_pd(c, d);
    x[0] = _mm256_permute2f128_pd(ab, cd, 0x20);
    x[1] = _mm256_permute2f128_pd(hab, hcd, 0x20);
    if (dim == 3)
        x[2] = _mm256_permute2f128_pd(ab, cd, 0x31);
}
#elif defined(__SSE2__) && SLUICE_LANE_BYTES == 16 && !defined(SLUICE_DOUBLE)
HD void lane_load(lane x[3], const real *p, const int dim)
{
    const int n = dim + 1;
    const lane a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + n), c = _mm_loadu_ps(p + 2 * n),
               d = _mm_loadu_ps(p + 3 * n);
    const lane ab = _mm_unpacklo_ps(a, b), cd = _mm_unpacklo_ps(c, d);
    x[0] = _mm_shuffle_ps(ab, cd, 0x44);
    x[1] = _mm_shuffle_ps(ab, cd, 0xee);
    if (dim == 3)
        x[2] = _mm_shuffle_ps(_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d), 0x44);
}
#else
HD void lane_load(lane x[3], const real *p, const int dim)
{
    for (int c = 0; c < dim; c++) {
        lane v = {0};
        for (int l = 0; l < LANES; l++)
            v[l] = p[(dim + 1) * l + c];
        x[c] = v;
    }
}
#endif

/* One bit a lane. */
HD unsigned lane_bits(lane_mask mask)
{
#ifdef LANE_OP
    return (unsigned)
#if SLUICE_LANE_BYTES == 32
        LANE_TYPE(_mm256_movemask_)((lane)mask);
#else
        LANE_TYPE(_mm_movemask_)((lane)mask);
#endif
#else
    unsigned bits = 0;
    for (int l = 0; l < LANES; l++)
        bits |= (mask[l] ? 1u : 0u) << l;
    return bits;
#endif
}

/* Appends from[l] for every bit l < 8 that is set; returns how many. Reads 8 entries, and writes as
 * many. */
#if defined(__AVX512VL__)
HD int lane_append_from(uint32_t *out, const uint32_t *from, unsigned bits)
{
    const __m256i number = _mm256_loadu_si256((const __m256i *)(const void *)from);
    _mm256_storeu_si256((__m256i *)(void *)out,
                        _mm256_maskz_compress_epi32((__mmask8)bits, number));
    return __builtin_popcount(bits);
}
#elif defined(__BMI2__) && defined(__AVX2__)
/* The numbers of the bits that are set, of 8: a byte of ones each, and the bytes 0 .. 7 of those,
 * packed (Langdale's use of pext). */
HD __m256i lane_set_bits(unsigned bits)
{
    const uint64_t spread = _pdep_u64(bits, 0x0101010101010101u) * 0xff;
    return _mm256_cvtepu8_epi32(
        _mm_cvtsi64_si128((long long)_pext_u64(0x0706050403020100u, spread)));
}
HD int lane_append_from(uint32_t *out, const uint32_t *from, unsigned bits)
{
    const __m256i number = _mm256_loadu_si256((const __m256i *)(const void *)from);
    _mm256_storeu_si256((__m256i *)(void *)out,
                        _mm256_permutevar8x32_epi32(number, lane_set_bits(bits)));
    return __builtin_popcount(bits);
}
#else
HD int lane_append_from(uint32_t *out, const uint32_t *from, unsigned bits)
{
    int count = 0;
    for (unsigned l = 0; l < (unsigned)LANES; l++) {
        out[count] = from[l];
        count += (int)(bits >> l & 1);
    }
    return count;
}
#endif

/* Appends first + l for every bit l that is set; returns how many. Writes up to 16 entries at
 * `out`.
 */
#if defined(__AVX512VL__) && !defined(SLUICE_DOUBLE)
HD int lane_append(uint32_t *out, uint32_t first, unsigned bits)
{
    const __m512i number = _mm512_add_epi32(
        _mm512_set1_epi32((int)first),
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32((__mmask16)bits, number));
    return __builtin_popcount(bits);
}
#elif defined(__AVX512VL__)
HD int lane_append(uint32_t *out, uint32_t first, unsigned bits)
{
    const __m256i number = _mm256_add_epi32(_mm256_set1_epi32((int)first),
                                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_storeu_si256((__m256i *)(void *)out,
                        _mm256_maskz_compress_epi32((__mmask8)bits, number));
    return __builtin_popcount(bits);
}
#elif defined(__BMI2__) && defined(__AVX2__)
HD int lane_append(uint32_t *out, uint32_t first, unsigned bits)
{
    _mm256_storeu_si256((__m256i *)(void *)out,
                        _mm256_add_epi32(_mm256_set1_epi32((int)first), lane_set_bits(bits)));
    return __builtin_popcount(bits);
}
#else
HD int lane_append(uint32_t *out, uint32_t first, unsigned bits)
{
    int count = 0;
    for (unsigned l = 0; l < (unsigned)LANES; l++) {
        out[count] = first + l;
        count += (int)(bits >> l & 1);
    }
    return count;
}
#endif
#endif
#endif
