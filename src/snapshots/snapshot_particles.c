#include "snapshots/snapshot_particles.h"

#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/registry.h"
#include "snapshots/lj_output.h"
#include "snapshots/snapshot_file.h"

enum { BLOCK = 1 << 14 }; /* particles that a thread takes at once */

#define MEMBER(name) offsetof(struct sluice_host_particles, name)

static const struct sluice_snapshot_array arrays[SLUICE_SNAPSHOT_ARRAYS] = {
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
    {"VTKHDF/PointData/InternalEnergy", MEMBER(energy), SLUICE_ARRAY_REAL, SLUICE_OPTIONAL, 0, 0,
     "J/kg", "specific internal energy of a gas"},
    {"VTKHDF/PointData/SmoothingLength", MEMBER(length), SLUICE_ARRAY_REAL, SLUICE_OPTIONAL, 0, 0,
     "m", "smoothing length of a particle"},
    {"VTKHDF/PointData/Phase", MEMBER(phase), SLUICE_ARRAY_BYTE, SLUICE_OPTIONAL, 0, 2, "1",
     "of fluid: 1 the first, 2 the second; 0 walls"},
    {"VTKHDF/PointData/Shape", MEMBER(shape), SLUICE_ARRAY_INT, SLUICE_OPTIONAL, 0, 0, "1",
     "number of the group of shapes; FieldData/ShapeNames has the names"},
    {"VTKHDF/PointData/Force", MEMBER(force), SLUICE_ARRAY_REAL, SLUICE_OPTIONAL, 3, 0, "N",
     "mass times acceleration"},
    {"VTKHDF/PointData/PotentialEnergy", MEMBER(potential), SLUICE_ARRAY_REAL, SLUICE_OPTIONAL, 0,
     0, "J", "half of the energies of the pairs of the particle"},
#define EFFECT_OUTPUT(NAME, array, word, sentence, holds, key, value)                              \
    {.path = "VTKHDF/PointData/" array,                                                            \
     .member = MEMBER(output[SLUICE_EFFECT_OUTPUT_##NAME]),                                        \
     .presence = SLUICE_OPTIONAL,                                                                  \
     .description = sentence},
#include "physics/effects.def"
};

struct sluice_snapshot_array sluice_snapshot_array(int k)
{
    struct sluice_snapshot_array a = arrays[k];
    const int output = k - SLUICE_ARRAY_OUTPUTS;
    if (output >= 0) {
        const int columns = sluice_effect_output_columns(output);
        a.columns = columns > 1 ? columns : 0;
        a.unit = sluice_field_table[sluice_effect_outputs[output].field].unit;
    }
    return a;
}

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

/* Bytes of a particle's entry. */
static size_t entry_bytes(const struct sluice_snapshot_array *a)
{
    static const struct sluice_host_particles *const p;
    static const size_t bytes[] = {sizeof *p->mass, sizeof *p->type, sizeof *p->id,
                                   sizeof *p->shape};
    return bytes[a->type] * (size_t)(a->columns > 0 ? a->columns : 1);
}

sluice_status sluice_snapshot_array_reserve(struct sluice_host_particles *p,
                                            const struct sluice_snapshot_array *a)
{
    if (sluice_snapshot_array_data(p, a))
        return SLUICE_OK;
    void *data = malloc((size_t)(p->capacity > 0 ? p->capacity : 1) * entry_bytes(a));
    SLUICE_CHECK(data, SLUICE_DEVICE, "no memory for the output's copy of %lld particles: %s",
                 (long long)p->capacity, a->description);
    set_data(p, a, data);
    return SLUICE_OK;
}

static void free_arrays(struct sluice_host_particles *p)
{
    for (int k = 0; k < SLUICE_SNAPSHOT_ARRAYS; k++) {
        free(sluice_snapshot_array_data(p, &arrays[k]));
        set_data(p, &arrays[k], NULL);
    }
    p->capacity = 0;
}

static sluice_status reserve(struct sluice_host_particles *p, int k)
{
    const struct sluice_snapshot_array a = sluice_snapshot_array(k);
    return sluice_snapshot_array_reserve(p, &a);
}

sluice_status sluice_host_particles_reserve(struct sluice_host_particles *p, int64_t n)
{
    if (n <= p->capacity && p->x != NULL)
        return SLUICE_OK;
    free_arrays(p);
    p->capacity = n > 0 ? n : 1;
    for (int k = 0; k < SLUICE_SNAPSHOT_ARRAYS; k++)
        if (arrays[k].presence != SLUICE_OPTIONAL && reserve(p, k) != SLUICE_OK) {
            free_arrays(p);
            return SLUICE_DEVICE;
        }
    return SLUICE_OK;
}

void sluice_host_particles_destroy(struct sluice_host_particles *p)
{
    free_arrays(p);
    sluice_groups_destroy(&p->read);
    sluice_particle_copy_destroy(&p->copy);
    for (int s = 0; s < SLUICE_TYPE_COUNT; s++)
        sluice_fetch_destroy(&p->spare[s]);
    sluice_slice_scratch_destroy(&p->scratch);
    memset(p, 0, sizeof *p);
}

/* Splits an array of vectors, each with a number behind it if there is a `mass` to take it, into
 * doubles; z = 0 in 2-D. Inlined with known numbers, so that it is vectorised. */
static inline __attribute__((always_inline)) void
split_known(double (*to)[3], double *mass, const void *from, int real_bytes, int dim, int64_t n)
{
    const int stride = dim + (mass != NULL);
    for (int64_t i = 0; i < n; i++) {
        to[i][0] = sluice_real_at(from, real_bytes, stride * i);
        to[i][1] = sluice_real_at(from, real_bytes, stride * i + 1);
        to[i][2] = dim == 3 ? sluice_real_at(from, real_bytes, stride * i + 2) : 0;
        if (mass)
            mass[i] = sluice_real_at(from, real_bytes, stride * i + dim);
    }
}

static void split(double (*to)[3], double *mass, const struct sluice_fetch *set,
                  enum sluice_field field)
{
    const void *from = set->field[field];
    const int dim = set->set->dimension;
    if (set->set->real_bytes == 8)
        split_known(to, mass, from, 8, dim, set->count);
    else if (dim == 3)
        split_known(to, mass, from, 4, 3, set->count);
    else
        split_known(to, mass, from, 4, 2, set->count);
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

static sluice_status convert_places(struct sluice_host_particles *p, const struct sluice_grid *g,
                                    const struct sluice_fetch *set, int64_t at)
{
    SLUICE_CHECK(set->field[SLUICE_FIELD_POSITION] && set->field[SLUICE_FIELD_FRAME] &&
                     set->field[SLUICE_FIELD_ID],
                 SLUICE_DEVICE,
                 "internal: a set without positions, frames or ids cannot be written");
    split(p->x + at, p->mass + at, set, SLUICE_FIELD_POSITION);
    return add_frames(p->x + at, g, set->field[SLUICE_FIELD_FRAME], set->count);
}

static void convert_water(struct sluice_host_particles *p, const struct sluice_fetch *set,
                          int64_t at, const struct wcsph_params *params)
{
    const int bytes = set->set->real_bytes;
    const void *data = set->field[SLUICE_FIELD_SCALAR];
    const uint32_t *phase = set->field[SLUICE_FIELD_PHASE];
    if (data != NULL) {
        for (int64_t i = 0; i < set->count; i++) {
            const struct wcsph_params *own = wcsph_of(params, phase ? phase[i] : 0);
            const double r = sluice_real_at(data, bytes, i);
            p->density[at + i] = own->rho0 * (1 + r);
            p->pressure[at + i] = sluice_wcsph_pressure(own, r);
        }
        return;
    }
    data = set->field[SLUICE_FIELD_EOS]; /* p/rho^2, rho0/rho */
    for (int64_t i = 0; i < set->count; i++) {
        const double specific = data != NULL ? sluice_real_at(data, bytes, 2 * i + 1) : 0;
        const double rho = specific > 0 ? params->rho0 / specific
                                        : params->rho0; /* 0: before the first forces */
        p->density[at + i] = rho;
        p->pressure[at + i] = data != NULL ? sluice_real_at(data, bytes, 2 * i) * rho * rho : 0;
    }
}

/* The density is that of the smoothing length: rho = m (eta/h)^D. */
static void convert_gas(struct sluice_host_particles *p, const struct sluice_fetch *set, int64_t at,
                        const struct gas_params *params)
{
    const int bytes = set->set->real_bytes, dim = set->set->dimension;
    const void *energy = set->field[SLUICE_FIELD_SCALAR],
               *smoothing = set->field[SLUICE_FIELD_SMOOTHING];
    for (int64_t i = 0; i < set->count; i++) {
        const double h = sluice_real_at(smoothing, bytes, 4 * i), near = params->eta / h;
        p->energy[at + i] = sluice_real_at(energy, bytes, i);
        p->length[at + i] = h;
        p->density[at + i] = p->mass[at + i] * near * near * (dim == 3 ? near : 1);
        p->pressure[at + i] = (params->gamma - 1) * p->density[at + i] * p->energy[at + i];
    }
}

/* The field of an output; NAN of a set without it. */
static void convert_output(struct sluice_host_particles *p, const struct sluice_fetch *set,
                           int64_t at, int output)
{
    static const int of_tensor[] = {0, 3, 1, 5, 4, 2}; /* the columns of xx, xy, yy, xz, yz, zz */
    const enum sluice_field field = sluice_effect_outputs[output].field;
    const int columns = sluice_effect_output_columns(output), bytes = set->set->real_bytes,
              components = sluice_field_components(field, set->set->dimension);
    const void *from = set->field[field];
    double *to = p->output[output] + columns * at;
    for (int64_t i = 0; i < columns * set->count; i++)
        to[i] = from ? 0 : NAN;
    for (int64_t i = 0; from && i < set->count; i++)
        for (int c = 0; c < components; c++)
            to[columns * i + (columns == 6 ? of_tensor[c] : c)] = sluice_real_at(
                from, bytes, components * i + c);
}

static void convert_forces(struct sluice_host_particles *p, const struct sluice_fetch *set,
                           int64_t at)
{
    split(p->force + at, NULL, set, SLUICE_FIELD_ACCELERATION);
    for (int64_t i = at; i < at + set->count; i++)
        for (int c = 0; c < 3; c++)
            p->force[i][c] *= p->mass[i];
}

/* Converts a set, or part of one, to the places from `at` on. */
static sluice_status convert_part(struct sluice_host_particles *p, const struct sluice_grid *g,
                                  const struct sluice_fetch *set,
                                  const struct sluice_matter *matter, int64_t at)
{
    const enum sluice_type type = set->set->type;
    const sluice_id *id = set->field[SLUICE_FIELD_ID];
    SLUICE_TRY(convert_places(p, g, set, at));
    if (set->field[SLUICE_FIELD_VELOCITY])
        split(p->velocity + at, NULL, set, SLUICE_FIELD_VELOCITY);
    else
        memset(p->velocity + at, 0, (size_t)set->count * sizeof *p->velocity);
    const struct wcsph_params *water = matter ? matter->water : NULL;
    if (water)
        convert_water(p, set, at, water);
    else if (matter)
        convert_gas(p, set, at, matter->gas);
    const uint32_t *phase = set->field[SLUICE_FIELD_PHASE];
    for (int64_t i = 0; p->phase && i < set->count; i++)
        p->phase[at + i] = (uint8_t)(phase ? 1 + phase[i] : 0);
    const uint32_t *group = set->field[SLUICE_FIELD_GROUP];
    const int only = p->shape ? sluice_groups_first(p->groups, type) : 0;
    for (int64_t i = 0; p->shape && i < set->count; i++)
        p->shape[at + i] = group ? (int32_t)group[i] : only;
    if (p->lj)
        convert_forces(p, set, at);
    for (int k = 0; k < SLUICE_EFFECT_OUTPUTS; k++)
        if (p->outputs >> k & 1)
            convert_output(p, set, at, k);
    memcpy(p->id + at, id, (size_t)set->count * sizeof *p->id);
    memset(p->type + at, (int)type, (size_t)set->count);
    return SLUICE_OK;
}

struct conversion {
    struct sluice_host_particles *p;
    const struct sluice_grid *grid;
    const struct sluice_fetch *set;
    const struct sluice_matter *matter;
    atomic_int failed;
};

static void convert_blocks(struct sluice_share *share, void *data)
{
    struct conversion *c = data;
    int64_t first, last;
    while (sluice_share_block(share, c->set->count, BLOCK, &first, &last)) {
        struct sluice_fetch part = *c->set;
        part.count = last - first;
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
            if (part.field[f])
                part.field[f] = (char *)part.field[f] +
                                first * sluice_set_field_bytes(part.set, (enum sluice_field)f);
        if (convert_part(c->p, c->grid, &part, c->matter, c->p->count + first) != SLUICE_OK)
            c->failed = 1;
    }
}

static sluice_status convert_set(struct sluice_host_particles *p, const struct sluice_grid *g,
                                 const struct sluice_fetch *set, const struct sluice_matter *matter)
{
    struct conversion c = {p, g, set, matter, 0};
    if (set->count == 0)
        return SLUICE_OK;
    sluice_threads_run(p->team, sluice_blocks(set->count, BLOCK), convert_blocks, &c);
    if (c.failed) /* again, for the message, which is a thread's own */
        return convert_part(p, g, set, matter, p->count);
    p->type_count[set->set->type] += set->count;
    p->count += set->count;
    return SLUICE_OK;
}

sluice_status sluice_host_particles_convert(struct sluice_host_particles *p,
                                            const struct sluice_particle_copy *copy,
                                            const struct sluice_matter *matter)
{
    int64_t total = 0;
    for (int s = 0; s < copy->set_count; s++)
        total += copy->set[s].count;
    SLUICE_TRY(sluice_host_particles_reserve(p, total));
    if (matter && matter->water && matter->water->second)
        SLUICE_TRY(reserve(p, SLUICE_ARRAY_PHASE));
    if (matter && matter->gas) {
        SLUICE_TRY(reserve(p, SLUICE_ARRAY_INTERNAL_ENERGY));
        SLUICE_TRY(reserve(p, SLUICE_ARRAY_LENGTH));
    }
    if (p->groups != NULL)
        SLUICE_TRY(reserve(p, SLUICE_ARRAY_SHAPE));
    for (int k = 0; k < SLUICE_EFFECT_OUTPUTS; k++)
        if (p->outputs >> k & 1)
            SLUICE_TRY(reserve(p, SLUICE_ARRAY_OUTPUTS + k));
    if (p->lj) {
        SLUICE_TRY(reserve(p, SLUICE_ARRAY_FORCE));
        SLUICE_TRY(reserve(p, SLUICE_ARRAY_POTENTIAL));
    }
    p->count = 0;
    memset(p->type_count, 0, sizeof p->type_count);
    p->dimension = copy->grid.dimension;
    p->has_density = matter != NULL;
    for (int s = 0; s < copy->set_count; s++)
        SLUICE_TRY(convert_set(p, &copy->grid, &copy->set[s], matter));
    if (!p->lj)
        return SLUICE_OK;
    return sluice_lj_potentials(p->lj, &copy->grid, p->team, p->x, p->count, p->potential);
}

/* --- Slices --- */

/* Plans the slices of a set: `all` rows has the file, *base is the first one of this type, which
 * has `count` in all; *base becomes that of the next type. */
static sluice_status plan_set(struct sluice_slices *s, struct sluice_comm *comm,
                              struct sluice_threads *team, const struct sluice_fetch *set,
                              int64_t all, int64_t count, int64_t *base)
{
    int64_t *first;
    SLUICE_ALLOCATE(first, comm->size + 1, "slices of files");
    for (int r = 0; r <= comm->size; r++) {
        const int64_t row = sluice_slice_first(comm, all, r) - *base;
        first[r] = row < 0 ? 0 : row > count ? count : row;
    }
    const sluice_status status = sluice_slices_create(s, comm, team, set->field[SLUICE_FIELD_ID],
                                                      NULL, set->count, first);
    free(first);
    *base += count;
    return status;
}

/* Brings the fields of a set into p->spare, which then takes the place of the set's memory. */
static sluice_status bring_set(struct sluice_host_particles *p, struct sluice_fetch *set,
                               struct sluice_fetch *spare, const struct sluice_slices *s)
{
    spare->set = set->set;
    spare->fields = set->fields;
    SLUICE_TRY(sluice_fetch_reserve(spare, s->count));
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (set->fields & set->set->fields &
            SLUICE_FIELD_BIT(f)) /* the set itself may move meanwhile */
            SLUICE_TRY(sluice_slices_bring(
                s, &p->scratch, (size_t)sluice_set_field_bytes(set->set, (enum sluice_field)f),
                set->field[f], spare->field[f]));
    const struct sluice_fetch ordered = *spare;
    *spare = *set;
    *set = ordered;
    return SLUICE_OK;
}

sluice_status sluice_host_particles_slice(struct sluice_host_particles *p,
                                          struct sluice_particle_copy *copy,
                                          struct sluice_comm *comm)
{
    int64_t count[SLUICE_TYPE_COUNT] = {0}, all = 0, base = 0;
    for (int s = 0; s < copy->set_count; s++)
        count[s] = copy->set[s].count;
    SLUICE_TRY(comm->ops->sum(comm, count, copy->set_count));
    for (int s = 0; s < copy->set_count; s++)
        all += count[s];
    for (int s = 0; s < copy->set_count; s++) {
        struct sluice_slices slices = {0};
        sluice_status status = plan_set(&slices, comm, p->team, &copy->set[s], all, count[s],
                                        &base);
        if (status == SLUICE_OK)
            status = bring_set(p, &copy->set[s], &p->spare[s], &slices);
        sluice_slices_destroy(&slices);
        SLUICE_TRY(status);
    }
    return SLUICE_OK;
}

sluice_status sluice_host_particles_collect(struct sluice_host_particles *p,
                                            struct sluice_backend *b, const struct sluice_grid *g,
                                            struct sluice_set *const *sets, int n,
                                            const struct sluice_matter *matter)
{
    struct sluice_comm self = sluice_comm_self();
    p->copy.outputs = p->outputs;
    p->copy.forces = p->lj != NULL;
    SLUICE_TRY(sluice_particle_copy_take(&p->copy, b, g, sets, n, matter != NULL));
    SLUICE_TRY(sluice_host_particles_slice(p, &p->copy, &self));
    return sluice_host_particles_convert(p, &p->copy, matter);
}
