#include "particles/particles.h"

const char *const sluice_type_names[SLUICE_TYPE_COUNT] = {"fluid", "wall", "ghost"};

int64_t sluice_set_field_bytes(const struct sluice_set *set, enum sluice_field field)
{
    return sluice_field_bytes(field, set->dimension, set->real_bytes);
}

void sluice_set_swap(struct sluice_set *set, enum sluice_field a, enum sluice_field b)
{
    void *const kept = set->field[a];
    set->field[a] = set->field[b];
    set->field[b] = kept;
}
