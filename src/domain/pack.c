#include "domain/pack.h"

#include <string.h>

unsigned sluice_pack_state(const struct sluice_set *set)
{
    unsigned fields = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (sluice_field_table[f].life == SLUICE_LIFE_STATE)
            fields |= 1u << f;
    return fields & set->fields;
}

size_t sluice_pack_bytes(const struct sluice_set *set, unsigned fields)
{
    size_t bytes = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (fields >> f & 1)
            bytes += (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
    return bytes;
}

void sluice_pack(const struct sluice_set *set, unsigned fields, const uint32_t *index, int64_t n,
                 char *to)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!(fields >> f & 1))
            continue;
        const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
        const char *from = set->field[f];
        for (int64_t k = 0; k < n; k++, to += bytes)
            memcpy(to, from + bytes * (size_t)(index ? index[k] : k), bytes);
    }
}

void sluice_unpack(const struct sluice_set *set, unsigned fields, const uint32_t *index, int64_t n,
                   const char *from)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!(fields >> f & 1))
            continue;
        const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
        char *to = set->field[f];
        for (int64_t k = 0; k < n; k++, from += bytes)
            memcpy(to + bytes * index[k], from, bytes);
    }
}
