#include "particles/particles.h"

const char *const sluice_type_names[SLUICE_TYPE_COUNT] = {"fluid", "wall", "ghost"};

int64_t sluice_set_field_bytes(const struct sluice_set *set, enum sluice_field field)
{
    return sluice_field_bytes(field, set->dimension, set->real_bytes);
}

double sluice_common_mass(const void *position, int64_t n, int dimension, int real_bytes)
{
    double first = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t at = (dimension + 1) * i + dimension;
        const double mass = sluice_real_at(position, real_bytes, at);
        if (i > 0 && mass != first)
            return 0;
        first = mass;
    }
    return first;
}
