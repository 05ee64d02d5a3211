/* FNV-1a, 64 bits (Fowler, Noll & Vo). */
#ifndef SLUICE_CORE_HASH_H
#define SLUICE_CORE_HASH_H
#include <stddef.h>
#include <stdint.h>

#define SLUICE_HASH_BEGIN UINT64_C(0xcbf29ce484222325)

/* Continues `hash` over the bytes of `data`; the first is SLUICE_HASH_BEGIN. */
static inline uint64_t sluice_hash(uint64_t hash, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    return hash;
}
#endif
