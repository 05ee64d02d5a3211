/* Hashes. */
#ifndef SLUICE_CORE_HASH_H
#define SLUICE_CORE_HASH_H
#include <stddef.h>
#include <stdint.h>

#define SLUICE_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/* FNV-1a, 64 bits (Fowler, Noll & Vo). Continues `hash` over the bytes of `data`; the first is
 * SLUICE_HASH_BEGIN. */
static inline uint64_t sluice_hash(uint64_t hash, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* splitmix64 (Steele, Lea & Flood 2014): the counter's step, and the function that turns the
 * counter into a random number. */
#define SLUICE_MIX_STEP UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t sluice_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* From 0 to below 1. */
static inline double sluice_mix_unit(uint64_t z)
{
    return (double)(sluice_mix(z) >> 11) * 0x1p-53;
}
#endif
