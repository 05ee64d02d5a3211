#include "snapshots/snapshot_particles.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"

static void free_arrays(struct sluice_host_particles *p)
{
    free(p->x);
    free(p->velocity);
    free(p->density);
    free(p->pressure);
    free(p->mass);
    free(p->id);
    free(p->type);
    free(p->phase);
    free(p->shape);
    p->x = NULL;
    p->velocity = NULL;
    p->density = p->pressure = p->mass = NULL;
    p->id = NULL;
    p->type = p->phase = NULL;
    p->shape = NULL;
    p->capacity = 0;
}

sluice_status sluice_host_particles_reserve(struct sluice_host_particles *p, int64_t n)
{
    if (n <= p->capacity && p->x != NULL)
        return SLUICE_OK;
    free_arrays(p);
    const size_t entries = n > 0 ? (size_t)n : 1;
    p->x = malloc(entries * sizeof *p->x);
    p->velocity = malloc(entries * sizeof *p->velocity);
    p->density = malloc(entries * sizeof *p->density);
    p->pressure = malloc(entries * sizeof *p->pressure);
    p->mass = malloc(entries * sizeof *p->mass);
    p->id = malloc(entries * sizeof *p->id);
    p->type = malloc(entries * sizeof *p->type);
    if (!p->x || !p->velocity || !p->density || !p->pressure || !p->mass || !p->id || !p->type) {
        free_arrays(p);
        return SLUICE_FAIL(SLUICE_DEVICE,
                           "no memory for the output's copy of %lld particles (%.1f MB)",
                           (long long)n, 77e-6 * (double)n);
    }
    p->capacity = (int64_t)entries;
    return SLUICE_OK;
}

sluice_status sluice_host_particles_reserve_phase(struct sluice_host_particles *p)
{
    if (!p->phase)
        p->phase = malloc(p->capacity > 0 ? (size_t)p->capacity : 1);
    SLUICE_CHECK(p->phase, SLUICE_DEVICE, "no memory for the phases of %lld particles",
                 (long long)p->capacity);
    return SLUICE_OK;
}

sluice_status sluice_host_particles_reserve_shape(struct sluice_host_particles *p)
{
    if (!p->shape)
        p->shape = malloc((p->capacity > 0 ? (size_t)p->capacity : 1) * sizeof *p->shape);
    SLUICE_CHECK(p->shape, SLUICE_DEVICE, "no memory for the groups of %lld particles",
                 (long long)p->capacity);
    return SLUICE_OK;
}

void sluice_host_particles_destroy(struct sluice_host_particles *p)
{
    free_arrays(p);
    sluice_groups_destroy(&p->read);
    sluice_particle_copy_destroy(&p->copy);
    memset(p, 0, sizeof *p);
}

/* n reals of either size to doubles. Inlined with a known size, so that it is vectorised. */
static inline __attribute__((always_inline)) void widen(double *to, const void *from,
                                                        int real_bytes, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] = real_bytes == 4 ? (double)((const float *)from)[i] : ((const double *)from)[i];
}

static inline double real_at(const void *array, int real_bytes, int64_t i)
{
    return real_bytes == 4 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}

/* Offsets (z = 0 in 2-D) and masses of n particles, out of the array of positions. */
static inline __attribute__((always_inline)) void
split_positions(double (*x)[3], double *mass, const void *from, int real_bytes, int dim, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        x[i][0] = real_at(from, real_bytes, (dim + 1) * i);
        x[i][1] = real_at(from, real_bytes, (dim + 1) * i + 1);
        x[i][2] = dim == 3 ? real_at(from, real_bytes, (dim + 1) * i + 2) : 0;
        mass[i] = real_at(from, real_bytes, (dim + 1) * i + dim);
    }
}

/* Adds the centre of its frame to each offset: the same operations as sluice_grid_coordinates. */
static sluice_status add_frames(double (*x)[3], const struct sluice_grid *g, const uint32_t *slot,
                                int64_t n)
{
    double centre[3] = {0, 0, 0};
    for (int64_t i = 0; i < n; i++) {
        if (i == 0 || slot[i] != slot[i - 1]) { /* sorted: most share the frame of the one before */
            SLUICE_CHECK(slot[i] < (uint32_t)g->frame_count, SLUICE_DEVICE,
                         "internal: particle %lld of a set lies in frame slot %u of %d",
                         (long long)i, slot[i], g->frame_count);
            for (int c = 0; c < g->dimension; c++)
                centre[c] = sluice_grid_centre(g, (int)slot[i], c);
        }
        for (int c = 0; c < 3; c++)
            x[i][c] += centre[c];
    }
    return SLUICE_OK;
}

static sluice_status convert_positions(struct sluice_host_particles *p,
                                       const struct sluice_particle_copy *copy,
                                       const struct sluice_copied_set *set, int64_t at)
{
    const void *data = set->field[SLUICE_FIELD_POSITION];
    SLUICE_CHECK(data && set->field[SLUICE_FIELD_FRAME], SLUICE_DEVICE,
                 "internal: a set without positions or frames cannot be written");
    if (copy->real_bytes == 4 && copy->dimension == 3)
        split_positions(p->x + at, p->mass + at, data, 4, 3, set->count);
    else if (copy->real_bytes == 4)
        split_positions(p->x + at, p->mass + at, data, 4, 2, set->count);
    else
        split_positions(p->x + at, p->mass + at, data, 8, copy->dimension, set->count);
    return add_frames(p->x + at, &copy->grid, set->field[SLUICE_FIELD_FRAME], set->count);
}

static void convert_velocities(struct sluice_host_particles *p,
                               const struct sluice_particle_copy *copy,
                               const struct sluice_copied_set *set, int64_t at)
{
    const void *data = set->field[SLUICE_FIELD_VELOCITY];
    double(*v)[3] = p->velocity + at;
    if (data == NULL) {
        memset(v, 0, (size_t)set->count * sizeof *v);
    } else if (copy->dimension == 3) {
        if (copy->real_bytes == 4)
            widen(v[0], data, 4, 3 * set->count);
        else
            widen(v[0], data, 8, 3 * set->count);
    } else {
        for (int64_t i = 0; i < set->count; i++) {
            v[i][0] = real_at(data, copy->real_bytes, 2 * i);
            v[i][1] = real_at(data, copy->real_bytes, 2 * i + 1);
            v[i][2] = 0;
        }
    }
}

static void convert_densities(struct sluice_host_particles *p,
                              const struct sluice_particle_copy *copy,
                              const struct sluice_copied_set *set, int64_t at,
                              const struct wcsph_params *params)
{
    const void *data = set->field[SLUICE_FIELD_DENSITY];
    const uint32_t *id = set->field[SLUICE_FIELD_ID];
    if (data != NULL) {
        for (int64_t i = 0; i < set->count; i++) {
            const struct wcsph_params *own = wcsph_of(params, id[i]);
            const double r = real_at(data, copy->real_bytes, i);
            p->density[at + i] = own->rho0 * (1 + r);
            p->pressure[at + i] = sluice_wcsph_pressure(own, r);
        }
        return;
    }
    data = set->field[SLUICE_FIELD_EOS]; /* p/rho^2, rho0/rho */
    for (int64_t i = 0; i < set->count; i++) {
        const double specific = data != NULL ? real_at(data, copy->real_bytes, 2 * i + 1) : 0;
        const double rho = specific > 0 ? params->rho0 / specific
                                        : params->rho0; /* 0: before the first forces */
        p->density[at + i] = rho;
        p->pressure[at + i] = data != NULL ? real_at(data, copy->real_bytes, 2 * i) * rho * rho : 0;
    }
}

static sluice_status convert_set(struct sluice_host_particles *p,
                                 const struct sluice_particle_copy *copy,
                                 const struct sluice_copied_set *set,
                                 const struct wcsph_params *params)
{
    const int64_t at = p->count;
    if (set->count == 0)
        return SLUICE_OK;
    SLUICE_TRY(convert_positions(p, copy, set, at));
    convert_velocities(p, copy, set, at);
    SLUICE_CHECK(set->field[SLUICE_FIELD_ID] != NULL, SLUICE_DEVICE,
                 "internal: a set without ids cannot be written");
    if (params != NULL)
        convert_densities(p, copy, set, at, params);
    for (int64_t i = 0; p->phase && i < set->count; i++) {
        const uint32_t id = ((const uint32_t *)set->field[SLUICE_FIELD_ID])[i];
        p->phase[at + i] = set->type != SLUICE_FLUID ? 0 : id >= params->second_from ? 2 : 1;
    }
    for (int64_t i = 0; p->shape && i < set->count; i++)
        p->shape[at + i] = sluice_groups_of(p->groups,
                                            ((const uint32_t *)set->field[SLUICE_FIELD_ID])[i]);
    memcpy(p->id + at, set->field[SLUICE_FIELD_ID], (size_t)set->count * sizeof *p->id);
    memset(p->type + at, (int)set->type, (size_t)set->count);
    p->type_count[set->type] += set->count;
    p->count += set->count;
    return SLUICE_OK;
}

sluice_status sluice_host_particles_convert(struct sluice_host_particles *p,
                                            const struct sluice_particle_copy *copy,
                                            const struct wcsph_params *params)
{
    int64_t total = 0;
    for (int s = 0; s < copy->set_count; s++)
        total += copy->set[s].count;
    SLUICE_TRY(sluice_host_particles_reserve(p, total));
    if (params != NULL && params->second)
        SLUICE_TRY(sluice_host_particles_reserve_phase(p));
    if (p->groups != NULL)
        SLUICE_TRY(sluice_host_particles_reserve_shape(p));
    p->count = 0;
    memset(p->type_count, 0, sizeof p->type_count);
    p->dimension = copy->dimension;
    p->has_density = params != NULL;
    for (int s = 0; s < copy->set_count; s++)
        SLUICE_TRY(convert_set(p, copy, &copy->set[s], params));
    return SLUICE_OK;
}

sluice_status sluice_host_particles_collect(struct sluice_host_particles *p,
                                            struct sluice_backend *b, const struct sluice_grid *g,
                                            struct sluice_set *const *sets, int n,
                                            const struct wcsph_params *params)
{
    SLUICE_TRY(sluice_particle_copy_take(&p->copy, b, g, sets, n, params != NULL));
    return sluice_host_particles_convert(p, &p->copy, params);
}
