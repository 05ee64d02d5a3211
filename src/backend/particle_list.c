#include "backend/particle_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/types/compensated.h"

/* --- A list --- */

static sluice_status grow(struct sluice_particle_list *list, int64_t count)
{
    if (count <= list->capacity)
        return SLUICE_OK;
    struct sluice_listed_particle *particle = realloc(list->particle,
                                                      (size_t)(2 * count) * sizeof *particle);
    SLUICE_CHECK(particle, SLUICE_DEVICE,
                 "no memory to list %lld particles that enter or leave the domain",
                 (long long)count);
    list->particle = particle;
    list->capacity = 2 * count;
    return SLUICE_OK;
}

sluice_status sluice_particle_list_add(struct sluice_particle_list *list,
                                       const struct sluice_listed_particle *p)
{
    SLUICE_TRY(grow(list, list->count + 1));
    list->particle[list->count++] = *p;
    return SLUICE_OK;
}

/* --- From a set --- */

static double component(const struct sluice_set *set, int field, int64_t index)
{
    const void *array = set->field[field];
    return array ? sluice_real_at(array, set->real_bytes, index) : 0;
}

/* Value and compensation added. */
static double both(const struct sluice_set *set, int field, int64_t index, int low_field,
                   int64_t low_index)
{
    const double value = component(set, field, index);
    const void *low = set->field[low_field];
    return value + (!low ? 0
                    : set->real_bytes == 4
                        ? (double)lost_or_nan((float)value, ((const int16_t *)low)[low_index])
                        : ((const double *)low)[low_index]);
}

static uint32_t number(const struct sluice_set *set, int field, int64_t i)
{
    const uint32_t *array = set->field[field];
    return array ? array[i] : 0;
}

sluice_status sluice_particle_list_read(struct sluice_particle_list *list,
                                        const struct sluice_grid *g, const struct sluice_set *set,
                                        int64_t first, int64_t last)
{
    const int dim = set->dimension;
    SLUICE_TRY(grow(list, list->count + last - first));
    for (int64_t i = first; i < last; i++) {
        struct sluice_listed_particle *p = &list->particle[list->count++];
        memset(p, 0, sizeof *p);
        p->id = ((const sluice_id *)set->field[SLUICE_FIELD_ID])[i];
        p->phase = number(set, SLUICE_FIELD_PHASE, i);
        p->group = number(set, SLUICE_FIELD_GROUP, i);
        p->retires = number(set, SLUICE_FIELD_RETIRES, i);
        memcpy(p->place.frame, g->frame[((const uint32_t *)set->field[SLUICE_FIELD_FRAME])[i]],
               sizeof p->place.frame);
        for (int c = 0; c < dim; c++) {
            p->place.offset[c] = both(set, SLUICE_FIELD_POSITION, (dim + 1) * i + c,
                                      SLUICE_FIELD_POSITION_LOW, dim * i + c);
            p->velocity[c] = both(set, SLUICE_FIELD_VELOCITY, dim * i + c,
                                  SLUICE_FIELD_VELOCITY_LOW, dim * i + c);
        }
        p->scalar = both(set, SLUICE_FIELD_SCALAR, i, SLUICE_FIELD_SCALAR_LOW, i);
        p->mass = component(set, SLUICE_FIELD_POSITION, (dim + 1) * i + dim);
    }
    return SLUICE_OK;
}

/* --- Into a set --- */

static void put(const struct sluice_set *set, enum sluice_field field, int64_t index, double value)
{
    if (set->field[field])
        sluice_put_real(set->field[field], set->real_bytes, index, value);
}

static void put_number(const struct sluice_set *set, enum sluice_field field, int64_t i,
                       uint32_t value)
{
    uint32_t *array = set->field[field];
    if (array)
        array[i] = value;
}

void sluice_particle_list_write(const struct sluice_listed_particle *p, const struct sluice_grid *g,
                                const struct sluice_set *set, int64_t i)
{
    const int dim = set->dimension;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int64_t bytes = sluice_set_field_bytes(set, (enum sluice_field)f);
        if (set->field[f] && sluice_field_table[f].life == SLUICE_LIFE_STATE)
            memset((char *)set->field[f] + bytes * i, 0, (size_t)bytes);
    }
    for (int c = 0; c < dim; c++) {
        put(set, SLUICE_FIELD_POSITION, (dim + 1) * i + c, p->place.offset[c]);
        put(set, SLUICE_FIELD_VELOCITY, dim * i + c, p->velocity[c]);
        put(set, SLUICE_FIELD_ACCELERATION, dim * i + c, p->acceleration[c]);
        put(set, SLUICE_FIELD_ACCELERATION_OLD, dim * i + c, p->acceleration[c]);
    }
    put(set, SLUICE_FIELD_POSITION, (dim + 1) * i + dim, p->mass);
    put(set, SLUICE_FIELD_SCALAR, i, p->scalar);
    put(set, SLUICE_FIELD_HEAD_MEAN, i, NAN); /* the filter begins it */
    put_number(set, SLUICE_FIELD_FRAME, i, (uint32_t)sluice_grid_find_frame(g, p->place.frame));
    put_number(set, SLUICE_FIELD_PHASE, i, p->phase);
    put_number(set, SLUICE_FIELD_GROUP, i, p->group);
    ((sluice_id *)set->field[SLUICE_FIELD_ID])[i] = p->id;
}

/* Rates of r are 0 until the first forces, and no rounding is lost. */
sluice_fields sluice_particle_list_fields(void)
{
    return SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) |
           SLUICE_BIT(VELOCITY) | SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(SCALAR) |
           SLUICE_BIT(SCALAR_LOW) | SLUICE_BIT(ACCELERATION) | SLUICE_BIT(ACCELERATION_OLD) |
           SLUICE_BIT(RATE) | SLUICE_BIT(RATE_OLD) | SLUICE_BIT(HEAD_MEAN) |
           SLUICE_BIT(HEAD_MEAN_LOW) | SLUICE_BIT(PHASE) | SLUICE_BIT(GROUP) |
           SLUICE_BIT(RETIRES);
}

/* --- Frames --- */

sluice_status sluice_particle_list_add_frames(const struct sluice_particle_list *list,
                                              struct sluice_grid *g, int32_t **new_slot)
{
    const int before = g->frame_count;
    int64_t missing = 0;
    int32_t(*frame)[3];
    *new_slot = NULL;
    for (int64_t k = 0; k < list->count; k++)
        missing += sluice_grid_find_frame(g, list->particle[k].place.frame) < 0;
    if (missing == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(frame, before + list->count, "frames");
    memcpy(frame, g->frame, (size_t)before * sizeof *frame);
    for (int64_t k = 0; k < list->count; k++)
        memcpy(frame[before + k], list->particle[k].place.frame, sizeof *frame);
    sluice_status status = sluice_grid_set_frames(g, (const int32_t(*)[3])frame,
                                                  before + list->count);
    *new_slot = malloc((size_t)before * sizeof **new_slot + 1);
    if (status == SLUICE_OK && !*new_slot)
        status = SLUICE_FAIL(SLUICE_DEVICE, "no memory for frames");
    for (int slot = 0; slot < before && status == SLUICE_OK; slot++)
        (*new_slot)[slot] = sluice_grid_find_frame(g, frame[slot]);
    free(frame);
    return status;
}
