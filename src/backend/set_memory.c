/* The arrays of a set live in its backend's memory. */
#include "backend/backend.h"
#include "particles/particles.h"

sluice_status sluice_set_create(struct sluice_backend *b, struct sluice_set *set, unsigned fields,
                                int64_t n)
{
    set->fields = fields;
    set->count = n;
    set->capacity = (n + 63) / 64 * 64 + 64;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        set->field[f] = NULL;
        if (fields & 1u << f)
            SLUICE_TRY(b->ops->alloc(
                b, (size_t)(set->capacity * sluice_set_field_bytes(set, (enum sluice_field)f)),
                &set->field[f]));
    }
    return SLUICE_OK;
}

void sluice_set_destroy(struct sluice_backend *b, struct sluice_set *set)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (set->field[f])
            b->ops->free(b, set->field[f]);
        set->field[f] = NULL;
    }
    b->ops->bins_free(&set->bins);
    set->count = set->capacity = 0;
}
