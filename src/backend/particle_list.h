/* Lists of particles that come into a set or have left it: from and to its arrays, in host memory.
 */
#ifndef SLUICE_BACKEND_PARTICLE_LIST_H
#define SLUICE_BACKEND_PARTICLE_LIST_H
#include "backend/backend.h"
#include "kernels/types/compensated.h"
#include "particles/columns.h"

/* The arrays of a set, for one particle at a time; shared by the host and the GPU. */
struct listed_arrays {
    void *field[SLUICE_FIELD_COUNT]; /* NULL: it has not */
    int state[SLUICE_FIELD_COUNT];   /* bytes a particle of a STATE field; 0: of the others */
    int dimension, real_bytes;
};

static inline struct listed_arrays listed_arrays_of(const struct sluice_set *set)
{
    struct listed_arrays a;
    a.dimension = set->dimension;
    a.real_bytes = set->real_bytes;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int is_state = sluice_field_table[f].life == SLUICE_LIFE_STATE;
        a.field[f] = set->field[f];
        a.state[f] = set->field[f] && is_state
                         ? (int)sluice_set_field_bytes(set, (enum sluice_field)f)
                         : 0;
    }
    return a;
}

/* --- From a set --- */

HD double listed_real(const struct listed_arrays *a, int field, int64_t index)
{
    const void *array = a->field[field];
    return !array               ? 0
           : a->real_bytes == 4 ? (double)((const float *)array)[index]
                                : ((const double *)array)[index];
}

/* Value and compensation added. */
HD double listed_sum(const struct listed_arrays *a, int field, int64_t index, int low_field,
                     int64_t low_index)
{
    const double value = listed_real(a, field, index);
    const void *low = a->field[low_field];
    return value + (!low ? 0
                    : a->real_bytes == 4
                        ? (double)lost_or_nan((float)value, ((const int16_t *)low)[low_index])
                        : ((const double *)low)[low_index]);
}

HD uint32_t listed_number(const struct listed_arrays *a, int field, int64_t i)
{
    const uint32_t *array = (const uint32_t *)a->field[field];
    return array ? array[i] : 0;
}

#define LISTED_READS                                                                               \
    (SLUICE_BIT(ID) | SLUICE_BIT(FRAME) | SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) |        \
     SLUICE_BIT(VELOCITY) | SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(SCALAR) |                        \
     SLUICE_BIT(SCALAR_LOW) | SLUICE_BIT(PHASE) | SLUICE_BIT(GROUP) | SLUICE_BIT(RETIRES))

/* Particle i. index: the grid's frames, or the device's copy of them. Fields that the set does not
 * have count as 0. */
HD void listed_read(const struct listed_arrays *a, const int32_t (*index)[3], int64_t i,
                    struct sluice_listed_particle *p)
{
    const int dim = a->dimension;
    const uint32_t slot = listed_number(a, SLUICE_FIELD_FRAME, i);
    p->id = ((const sluice_id *)a->field[SLUICE_FIELD_ID])[i];
    p->phase = listed_number(a, SLUICE_FIELD_PHASE, i);
    p->group = listed_number(a, SLUICE_FIELD_GROUP, i);
    p->retires = listed_number(a, SLUICE_FIELD_RETIRES, i);
    p->slot = (int32_t)slot;
    for (int c = 0; c < 3; c++) {
        p->place.frame[c] = index[slot][c];
        p->place.offset[c] = c < dim ? listed_sum(a, SLUICE_FIELD_POSITION, (dim + 1) * i + c,
                                                  SLUICE_FIELD_POSITION_LOW, dim * i + c)
                                     : 0;
        p->velocity[c] = c < dim ? listed_sum(a, SLUICE_FIELD_VELOCITY, dim * i + c,
                                              SLUICE_FIELD_VELOCITY_LOW, dim * i + c)
                                 : 0;
        p->acceleration[c] = 0;
    }
    p->scalar = listed_sum(a, SLUICE_FIELD_SCALAR, i, SLUICE_FIELD_SCALAR_LOW, i);
    p->mass = listed_real(a, SLUICE_FIELD_POSITION, (dim + 1) * i + dim);
    p->energy = 0;
}

/* --- Into a set --- */

HD void listed_put(const struct listed_arrays *a, int field, int64_t index, double value)
{
    void *array = a->field[field];
    if (array && a->real_bytes == 4)
        ((float *)array)[index] = (float)value;
    else if (array)
        ((double *)array)[index] = value;
}

HD void listed_put_number(const struct listed_arrays *a, int field, int64_t i, uint32_t value)
{
    uint32_t *array = (uint32_t *)a->field[field];
    if (array)
        array[i] = value;
}

/* Makes particle i. slot: of its frame. STATE fields that it does not give become 0; the mean head
 * becomes NaN until the filter has seen the particle. */
HD void listed_write(const struct listed_arrays *a, const struct sluice_listed_particle *p,
                     int32_t slot, int64_t i)
{
    const int dim = a->dimension;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        for (int k = 0; k < a->state[f]; k++)
            ((unsigned char *)a->field[f])[i * a->state[f] + k] = 0;
    for (int c = 0; c < dim; c++) {
        listed_put(a, SLUICE_FIELD_POSITION, (dim + 1) * i + c, p->place.offset[c]);
        listed_put(a, SLUICE_FIELD_VELOCITY, dim * i + c, p->velocity[c]);
        listed_put(a, SLUICE_FIELD_ACCELERATION, dim * i + c, p->acceleration[c]);
        listed_put(a, SLUICE_FIELD_ACCELERATION_OLD, dim * i + c, p->acceleration[c]);
    }
    listed_put(a, SLUICE_FIELD_POSITION, (dim + 1) * i + dim, p->mass);
    listed_put(a, SLUICE_FIELD_SCALAR, i, p->scalar);
    listed_put(a, SLUICE_FIELD_HEAD_MEAN, i, NAN);
    listed_put_number(a, SLUICE_FIELD_FRAME, i, (uint32_t)slot);
    listed_put_number(a, SLUICE_FIELD_PHASE, i, p->phase);
    listed_put_number(a, SLUICE_FIELD_GROUP, i, p->group);
    ((sluice_id *)a->field[SLUICE_FIELD_ID])[i] = p->id;
}

/* The STATE fields that listed_write gives: all but those are 0. */
sluice_fields sluice_particle_list_fields(void);

/* --- Lists --- */

/* Makes the list large enough for `count` particles. Errors (SLUICE_DEVICE): no memory. */
sluice_status sluice_particle_list_reserve(struct sluice_particle_list *list, int64_t count);

/* Gives a particle that comes its numbers as the precision of the sets holds them, and the slot of
 * its frame; p->slot: a guess. */
void sluice_listed_round(const struct sluice_grid *g, int real_bytes,
                         struct sluice_listed_particle *p);
/* Whether its place is inside the domain, a millionth of a cutoff or more from its open sides.
 * check: SLUICE_BAD_INPUT if not. */
int sluice_listed_is_inside(const struct sluice_grid *g, const struct sluice_listed_particle *p);
sluice_status sluice_listed_check(const struct sluice_grid *g,
                                  const struct sluice_listed_particle *p);

/* Adds a particle that comes. Errors: SLUICE_DEVICE, no memory; those of the check. */
sluice_status sluice_particle_list_add(struct sluice_particle_list *list,
                                       const struct sluice_grid *g, int real_bytes,
                                       const struct sluice_listed_particle *p);

/* Adds those of another list. Errors: as above. */
sluice_status sluice_particle_list_append(struct sluice_particle_list *list,
                                          const struct sluice_particle_list *more);

/* Adds particles first .. last - 1 of a set whose arrays are in host memory. Errors: as above. */
sluice_status sluice_particle_list_read(struct sluice_particle_list *list,
                                        const struct sluice_grid *g, const struct sluice_set *set,
                                        int64_t first, int64_t last);

/* The slot of a particle's frame in the grid's table; -1: it is not there. */
int32_t sluice_particle_list_slot(const struct sluice_grid *g,
                                  const struct sluice_listed_particle *p);

/* Adds the frames of the list to the grid's table. *new_slot: the new slot of each frame that was
 * in the table, to be freed by the caller even on an error; NULL: the table had them all. Errors:
 * memory. */
sluice_status sluice_particle_list_add_frames(const struct sluice_particle_list *list,
                                              struct sluice_grid *g, int32_t **new_slot);
#endif
