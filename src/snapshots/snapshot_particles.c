#include "snapshots/snapshot_particles.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"
#include "snapshots/snapshot_file.h"

#define MEMBER(name) offsetof(struct sluice_host_particles, name)

const struct sluice_snapshot_array sluice_snapshot_arrays[SLUICE_SNAPSHOT_ARRAYS] = {
    {"VTKHDF/Points", MEMBER(x), SLUICE_ARRAY_REAL, SLUICE_ALWAYS, 3, 0, "m",
     "position, without domain.frame_shift"},
    {"VTKHDF/PointData/Velocity", MEMBER(velocity), SLUICE_ARRAY_REAL, SLUICE_ALWAYS, 3, 0, "m/s",
     "velocity"},
    {"VTKHDF/PointData/Mass", MEMBER(mass), SLUICE_ARRAY_REAL, SLUICE_ALWAYS, 0, 0, "kg",
     "mass (of a metre of depth in 2-D)"},
    {"VTKHDF/PointData/ParticleType", MEMBER(type), SLUICE_ARRAY_BYTE, SLUICE_ALWAYS, 0,
     SLUICE_WALL, "1", "0 fluid, 1 wall"},
    {"VTKHDF/PointData/Id", MEMBER(id), SLUICE_ARRAY_ID, SLUICE_ALWAYS, 0, 0, "1",
     "identity, for life"},
    {"VTKHDF/PointData/Density", MEMBER(density), SLUICE_ARRAY_REAL, SLUICE_WITH_DENSITY, 0, 0,
     "kg/m^3", "density"},
    {"VTKHDF/PointData/Pressure", MEMBER(pressure), SLUICE_ARRAY_REAL, SLUICE_WITH_DENSITY, 0, 0,
     "Pa", "pressure, from the equation of state"},
    {"VTKHDF/PointData/Phase", MEMBER(phase), SLUICE_ARRAY_BYTE, SLUICE_OPTIONAL, 0, 2, "1",
     "of fluid: 1 the first, 2 the second; 0 walls"},
    {"VTKHDF/PointData/Shape", MEMBER(shape), SLUICE_ARRAY_INT, SLUICE_OPTIONAL, 0, 0, "1",
     "number of the group of shapes; FieldData/ShapeNames has the names"},
};

void *sluice_snapshot_array_data(const struct sluice_host_particles *p,
                                 const struct sluice_snapshot_array *a)
{
    void *data;
    memcpy(&data, (const char *)p + a->member, sizeof data);
    return data;
}

static void set_data(struct sluice_host_particles *p, const struct sluice_snapshot_array *a,
                     void *data)
{
    memcpy((char *)p + a->member, &data, sizeof data);
}

sluice_status sluice_snapshot_array_reserve(struct sluice_host_particles *p,
                                            const struct sluice_snapshot_array *a)
{
    static const size_t bytes[] = {sizeof *p->mass, sizeof *p->type, sizeof *p->id,
                                   sizeof *p->shape};
    if (sluice_snapshot_array_data(p, a))
        return SLUICE_OK;
    void *data = malloc((size_t)(p->capacity > 0 ? p->capacity : 1) * bytes[a->type] *
                        (size_t)(a->columns > 0 ? a->columns : 1));
    SLUICE_CHECK(data, SLUICE_DEVICE, "no memory for the output's copy of %lld particles: %s",
                 (long long)p->capacity, a->description);
    set_data(p, a, data);
    return SLUICE_OK;
}

static void free_arrays(struct sluice_host_particles *p)
{
    for (int k = 0; k < SLUICE_SNAPSHOT_ARRAYS; k++) {
        free(sluice_snapshot_array_data(p, &sluice_snapshot_arrays[k]));
        set_data(p, &sluice_snapshot_arrays[k], NULL);
    }
    p->capacity = 0;
}

static sluice_status reserve_member(struct sluice_host_particles *p, size_t member)
{
    int k = 0;
    while (sluice_snapshot_arrays[k].member != member)
        k++;
    return sluice_snapshot_array_reserve(p, &sluice_snapshot_arrays[k]);
}

sluice_status sluice_host_particles_reserve(struct sluice_host_particles *p, int64_t n)
{
    if (n <= p->capacity && p->x != NULL)
        return SLUICE_OK;
    free_arrays(p);
    p->capacity = n > 0 ? n : 1;
    for (int k = 0; k < SLUICE_SNAPSHOT_ARRAYS; k++)
        if (sluice_snapshot_arrays[k].presence != SLUICE_OPTIONAL &&
            sluice_snapshot_array_reserve(p, &sluice_snapshot_arrays[k]) != SLUICE_OK) {
            free_arrays(p);
            return SLUICE_DEVICE;
        }
    return SLUICE_OK;
}

sluice_status sluice_host_particles_reserve_shape(struct sluice_host_particles *p)
{
    return reserve_member(p, MEMBER(shape));
}

void sluice_host_particles_destroy(struct sluice_host_particles *p)
{
    free_arrays(p);
    sluice_groups_destroy(&p->read);
    sluice_particle_copy_destroy(&p->copy);
    memset(p, 0, sizeof *p);
}

/* Converts n reals to doubles. Inlined with a known real_bytes, so that it is vectorised. */
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

/* Splits the array of positions into offsets (z = 0 in 2-D) and masses of n particles. */
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
        SLUICE_TRY(reserve_member(p, MEMBER(phase)));
    if (p->groups != NULL)
        SLUICE_TRY(reserve_member(p, MEMBER(shape)));
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
