#include "backend/particle_list.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

sluice_status sluice_particle_list_reserve(struct sluice_particle_list *list, int64_t count)
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

/* volatile: gcc 12.2 with -O2 leaves out the rounding of two doubles side by side. */
static double rounded(int real_bytes, double x)
{
    volatile float single = (float)x;
    return real_bytes == 4 ? (double)single : x;
}

int sluice_listed_is_inside(const struct sluice_grid *g, const struct sluice_listed_particle *p)
{
    const double margin = 1e-6 * g->cutoff;
    double x[3];
    int inside = 1;
    sluice_grid_coordinates(g, &p->place, x);
    for (int c = 0; c < g->dimension; c++)
        inside = inside &&
                 (g->periodic[c] || (x[c] > g->low[c] + margin && x[c] < g->high[c] - margin));
    return inside;
}

void sluice_listed_round(const struct sluice_grid *g, int real_bytes,
                         struct sluice_listed_particle *p)
{
    p->slot = sluice_particle_list_slot(g, p);
    for (int c = 0; c < 3; c++) {
        p->place.offset[c] = rounded(real_bytes, p->place.offset[c]);
        p->velocity[c] = rounded(real_bytes, p->velocity[c]);
    }
    p->scalar = rounded(real_bytes, p->scalar);
    p->mass = rounded(real_bytes, p->mass);
}

sluice_status sluice_listed_check(const struct sluice_grid *g,
                                  const struct sluice_listed_particle *p)
{
    double x[3];
    sluice_grid_coordinates(g, &p->place, x);
    SLUICE_CHECK(sluice_listed_is_inside(g, p), SLUICE_BAD_INPUT,
                 "a particle would come at (%.9g, %.9g, %.9g) m, outside the domain", x[0], x[1],
                 x[2]);
    return SLUICE_OK;
}

sluice_status sluice_particle_list_add(struct sluice_particle_list *list,
                                       const struct sluice_grid *g, int real_bytes,
                                       const struct sluice_listed_particle *p)
{
    SLUICE_TRY(sluice_particle_list_reserve(list, list->count + 1));
    struct sluice_listed_particle *added = &list->particle[list->count++];
    *added = *p;
    added->slot = list->count > 1 ? added[-1].slot : -1; /* often the frame of the one before */
    sluice_listed_round(g, real_bytes, added);
    return sluice_listed_check(g, added);
}

sluice_status sluice_particle_list_append(struct sluice_particle_list *list,
                                          const struct sluice_particle_list *more)
{
    SLUICE_TRY(sluice_particle_list_reserve(list, list->count + more->count));
    if (more->count > 0)
        memcpy(list->particle + list->count, more->particle,
               (size_t)more->count * sizeof *more->particle);
    list->count += more->count;
    return SLUICE_OK;
}

sluice_status sluice_particle_list_read(struct sluice_particle_list *list,
                                        const struct sluice_grid *g, const struct sluice_set *set,
                                        int64_t first, int64_t last)
{
    const struct listed_arrays arrays = listed_arrays_of(set);
    SLUICE_TRY(sluice_particle_list_reserve(list, list->count + last - first));
    if (last > first)
        memset(list->particle + list->count, 0, (size_t)(last - first) * sizeof *list->particle);
    for (int64_t i = first; i < last; i++)
        listed_read(&arrays, (const int32_t(*)[3])g->frame, i, &list->particle[list->count++]);
    return SLUICE_OK;
}

/* Rates of r, gradients, corrections and memories are 0 until the first forces, and no rounding is
 * lost. */
sluice_fields sluice_particle_list_fields(void)
{
    return SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) |
           SLUICE_BIT(VELOCITY) | SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(SCALAR) |
           SLUICE_BIT(SCALAR_LOW) | SLUICE_BIT(ACCELERATION) | SLUICE_BIT(ACCELERATION_OLD) |
           SLUICE_BIT(RATE) | SLUICE_BIT(RATE_OLD) | SLUICE_BIT(HEAD_MEAN) |
           SLUICE_BIT(HEAD_MEAN_LOW) | SLUICE_BIT(HEAD_GRADIENT) | SLUICE_BIT(HEAD_GRADIENT_NEXT) |
           SLUICE_BIT(STRESS) | SLUICE_BIT(STRESS_NEXT) | SLUICE_BIT(CORRECTION) |
           SLUICE_BIT(CORRECTION_OLD) | SLUICE_BIT(MEMORY) | SLUICE_BIT(MEMORY_OLD) |
           SLUICE_BIT(PHASE) | SLUICE_BIT(GROUP) | SLUICE_BIT(RETIRES);
}

/* --- Frames --- */

int32_t sluice_particle_list_slot(const struct sluice_grid *g,
                                  const struct sluice_listed_particle *p)
{
    return p->slot >= 0 && p->slot < g->frame_count &&
                   memcmp(g->frame[p->slot], p->place.frame, sizeof p->place.frame) == 0
               ? p->slot
               : sluice_grid_find_frame(g, p->place.frame);
}

sluice_status sluice_particle_list_add_frames(const struct sluice_particle_list *list,
                                              struct sluice_grid *g, int32_t **new_slot)
{
    const int before = g->frame_count;
    int64_t missing = 0;
    int32_t(*frame)[3], *slot_of;
    *new_slot = NULL;
    for (int64_t k = 0; k < list->count; k++)
        missing += sluice_particle_list_slot(g, &list->particle[k]) < 0;
    if (missing == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(slot_of, before + list->count, "frames");
    *new_slot = slot_of;
    SLUICE_ALLOCATE(frame, before + list->count, "frames");
    memcpy(frame, g->frame, (size_t)before * sizeof *frame);
    for (int64_t k = 0; k < list->count; k++)
        memcpy(frame[before + k], list->particle[k].place.frame, sizeof *frame);
    const sluice_status status = sluice_grid_set_frames(g, (const int32_t(*)[3])frame,
                                                        before + list->count);
    for (int slot = 0; slot < before && status == SLUICE_OK; slot++)
        slot_of[slot] = sluice_grid_find_frame(g, frame[slot]);
    free(frame);
    return status;
}
