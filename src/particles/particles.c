#include "particles/particles.h"

int64_t sluice_set_field_bytes(const struct sluice_set *set, enum sluice_field field)
{
    return sluice_field_bytes(field, set->dimension, set->real_bytes);
}

int64_t sluice_set_particle_bytes(const struct sluice_set *set)
{
    int64_t bytes = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (set->fields & 1u << f)
            bytes += sluice_set_field_bytes(set, (enum sluice_field)f);
    return bytes;
}
