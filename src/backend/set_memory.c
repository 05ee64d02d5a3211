/* The arrays of a set live in its backend's memory, in one piece. */
#include <string.h>

#include "backend/backend.h"
#include "particles/columns.h"

void sluice_set_plan(const struct sluice_backend *b, struct sluice_set *set, sluice_fields fields,
                     int64_t n)
{
    set->fields = fields;
    set->count = n;
    set->capacity = (n + 63) / 64 * 64 + 64;
    const struct sluice_columns c = sluice_columns_of(set);
    const int wanted = b->ops->scratch_columns ? b->ops->scratch_columns(set) : 0;
    set->columns = c.first + c.state + (wanted > c.scratch ? wanted : c.scratch);
}

sluice_status sluice_set_check(const struct sluice_set *set, int64_t n)
{
    SLUICE_CHECK(n <= SLUICE_SET_MOST, SLUICE_BAD_INPUT,
                 "%lld %s particles are to be held here, at most %lld are possible: take %s",
                 (long long)n, sluice_type_names[set->type], (long long)SLUICE_SET_MOST,
                 set->type == SLUICE_GHOST ? "another boundary.kind than \"mdbc\""
                                           : "more ranks (--ranks)");
    return SLUICE_OK;
}

sluice_status sluice_set_create(struct sluice_backend *b, struct sluice_set *set,
                                sluice_fields fields, int64_t n)
{
    sluice_set_plan(b, set, fields, n);
    if (b->orders.particles[set->type] == 0)
        b->orders.particles[set->type] = n;
    SLUICE_TRY(sluice_set_check(set, n));
    SLUICE_TRY(b->ops->alloc(b, (size_t)(set->capacity * set->columns * SLUICE_COLUMN_BYTES),
                             &set->memory));
    sluice_columns_lay_out(set);
    return SLUICE_OK;
}

sluice_status sluice_set_resize(struct sluice_backend *b, struct sluice_set *set, int64_t n)
{
    struct sluice_set old = *set;
    set->capacity = (n + 63) / 64 * 64 + 64;
    const sluice_status status = b->ops->alloc(
        b, (size_t)(set->capacity * set->columns * SLUICE_COLUMN_BYTES), &set->memory);
    if (status != SLUICE_OK) {
        *set = old;
        return status;
    }
    sluice_columns_lay_out(set);
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (set->field[f] && sluice_field_table[f].life == SLUICE_LIFE_STATE)
            memcpy(set->field[f], old.field[f],
                   (size_t)(set->count * sluice_set_field_bytes(set, (enum sluice_field)f)));
    b->ops->free(b, old.memory);
    return SLUICE_OK;
}

sluice_status sluice_set_grow(struct sluice_backend *b, struct sluice_set *set, int64_t n)
{
    const int64_t half_more = set->count + set->count / 2;
    if (n + 64 <= set->capacity)
        return SLUICE_OK;
    SLUICE_TRY(sluice_set_check(set, n));
    if (n < half_more && sluice_set_resize(b, set, half_more) == SLUICE_OK)
        return SLUICE_OK;
    return sluice_set_resize(b, set, n);
}

void sluice_set_destroy(struct sluice_backend *b, struct sluice_set *set)
{
    if (set->memory)
        b->ops->free(b, set->memory);
    set->memory = NULL;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        set->field[f] = NULL;
    b->ops->bins_free(&set->bins);
    set->count = set->capacity = 0;
    b->orders.particles[set->type] = 0;
}
