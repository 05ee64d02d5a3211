#include "pair_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "kernels/types/compensated.h"
#include "kernels/backends/backends.h"

double uniform(uint64_t *state)
{
    return sluice_mix_unit(*state += SLUICE_MIX_STEP);
}

void cloud_create(struct cloud *c, int64_t n)
{
    const size_t m = (size_t)n + 1;
    c->n = n;
    c->x = calloc(m, sizeof *c->x);
    c->v = calloc(m, sizeof *c->v);
    c->mass = calloc(m, sizeof *c->mass);
    c->density = calloc(m, sizeof *c->density);
    c->id = calloc(m, sizeof *c->id);
}

void cloud_destroy(struct cloud *c)
{
    free(c->x);
    free(c->v);
    free(c->mass);
    free(c->density);
    free(c->id);
    memset(c, 0, sizeof *c);
}

void cloud_random(struct cloud *c, int64_t n, int dim, const double low[3], const double high[3],
                  uint64_t seed)
{
    cloud_create(c, n);
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < dim; k++) {
            c->x[i][k] = low[k] + (high[k] - low[k]) * uniform(&seed);
            c->v[i][k] = 2 * uniform(&seed) - 1;
        }
        c->mass[i] = 0.9 + 0.2 * uniform(&seed);
        c->density[i] = 0.02 * uniform(&seed) - 0.01;
        c->id[i] = (sluice_id)(n - 1 - i);
    }
}

uint32_t cloud_phase(sluice_id id)
{
    return (uint32_t)(sluice_mix(id) & 1);
}

void cloud_shuffle(struct cloud *c, uint64_t seed)
{
    for (int64_t i = c->n - 1; i > 0; i--) {
        const int64_t j = (int64_t)(uniform(&seed) * (double)(i + 1));
        for (int k = 0; k < 3; k++) {
            const double x = c->x[i][k], v = c->v[i][k];
            c->x[i][k] = c->x[j][k];
            c->v[i][k] = c->v[j][k];
            c->x[j][k] = x;
            c->v[j][k] = v;
        }
        const double mass = c->mass[i], density = c->density[i];
        const sluice_id id = c->id[i];
        c->mass[i] = c->mass[j];
        c->density[i] = c->density[j];
        c->id[i] = c->id[j];
        c->mass[j] = mass;
        c->density[j] = density;
        c->id[j] = id;
    }
}

/* In float, what rounding took from the field before it. */
static int is_packed(const struct sluice_set *set, enum sluice_field f)
{
    return sluice_field_table[f].type == SLUICE_TYPE_LOW && set->real_bytes == 4;
}

double field_at(const struct sluice_set *set, enum sluice_field f, int64_t i, int k)
{
    const int64_t n = i * sluice_field_components(f, set->dimension) + k;
    if (is_packed(set, f))
        return (double)lost_or_nan((float)field_at(set, (enum sluice_field)(f - 1), i, k),
                                   ((const int16_t *)set->field[f])[n]);
    return set->real_bytes == 4 ? (double)((const float *)set->field[f])[n]
                                : ((const double *)set->field[f])[n];
}

void field_put(struct sluice_set *set, enum sluice_field f, int64_t i, int k, double value)
{
    const int64_t n = i * sluice_field_components(f, set->dimension) + k;
    if (is_packed(set, f) && isnan(value))
        ((int16_t *)set->field[f])[n] = KEPT_MARK;
    else if (is_packed(set, f))
        ((int16_t *)set->field[f])[n] = lost_pack(
            (float)field_at(set, (enum sluice_field)(f - 1), i, k), (float)value);
    else if (set->real_bytes == 4)
        ((float *)set->field[f])[n] = (float)value;
    else
        ((double *)set->field[f])[n] = value;
}

/* Arrays in host memory beside those of a set. */
static sluice_status mirror_create(struct sluice_set *host, const struct sluice_set *set)
{
    *host = *set;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (set->field[f]) {
            host->field[f] = calloc((size_t)set->capacity,
                                    (size_t)sluice_set_field_bytes(set, (enum sluice_field)f));
            SLUICE_CHECK(host->field[f], SLUICE_DEVICE, "no memory for the test's own arrays");
        }
    return SLUICE_OK;
}

sluice_status world_write(struct world *w, enum sluice_type type, enum sluice_field f)
{
    const struct sluice_set *set = &w->set[type];
    const size_t bytes = (size_t)(w->host[type].count * sluice_set_field_bytes(set, f));
    return bytes ? w->backend.ops->upload(&w->backend, set->field[f], w->host[type].field[f], bytes)
                 : SLUICE_OK;
}

sluice_status world_read(struct world *w)
{
    SLUICE_TRY(w->backend.ops->sync(&w->backend));
    for (int t = 0; t <= SLUICE_WALL; t++) {
        const struct sluice_set *set = &w->set[t];
        w->host[t].count = set->count;
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
            if (set->field[f] && set->count > 0)
                SLUICE_TRY(w->backend.ops->download(
                    &w->backend, w->host[t].field[f], set->field[f],
                    (size_t)(set->count * sluice_set_field_bytes(set, (enum sluice_field)f))));
    }
    return SLUICE_OK;
}

/* The common mass of n particles, kg, from their POSITION; 0: masses differ. */
static double common_mass(const void *position, int64_t n, int dimension, int real_bytes)
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

/* One set from a cloud; the slots are of the grid's table, which holds all frames of the clouds. */
static sluice_status fill(struct world *w, enum sluice_type type, const struct cloud *c,
                          sluice_fields fields, int moves)
{
    const int dim = w->grid.dimension;
    struct sluice_set *set = &w->set[type], *host = &w->host[type];
    set->type = type;
    set->dimension = dim;
    set->real_bytes = w->real_bytes;
    set->moves = moves;
    SLUICE_TRY(sluice_set_create(&w->backend, set, fields, c->n));
    SLUICE_TRY(mirror_create(host, set));
    for (int64_t i = 0; i < c->n; i++) {
        struct sluice_place place;
        sluice_grid_place(&w->grid, c->x[i], &place);
        ((uint32_t *)host->field[SLUICE_FIELD_FRAME])[i] = (uint32_t)sluice_grid_find_frame(
            &w->grid, place.frame);
        ((sluice_id *)host->field[SLUICE_FIELD_ID])[i] = c->id[i];
        for (int k = 0; k < dim; k++) {
            field_put(host, SLUICE_FIELD_POSITION, i, k, place.offset[k]);
            if (set->field[SLUICE_FIELD_VELOCITY])
                field_put(host, SLUICE_FIELD_VELOCITY, i, k, c->v[i][k]);
            if (set->field[SLUICE_FIELD_ACCELERATION])
                field_put(host, SLUICE_FIELD_ACCELERATION, i, k,
                          0.1 * (k + 1) + 0.01 * (double)(c->id[i] % 7));
        }
        field_put(host, SLUICE_FIELD_POSITION, i, dim, c->mass[i]);
        if (set->field[SLUICE_FIELD_PHASE])
            ((uint32_t *)host->field[SLUICE_FIELD_PHASE])[i] = cloud_phase(c->id[i]);
        if (set->field[SLUICE_FIELD_NODE]) /* in another order than the ids */
            ((uint32_t *)host->field[SLUICE_FIELD_NODE])[i] = (uint32_t)(c->n - 1) -
                                                              (uint32_t)c->id[i];
        if (set->field[SLUICE_FIELD_MOTION])
            ((uint32_t *)host->field[SLUICE_FIELD_MOTION])[i] = (uint32_t)(c->id[i] % 3);
        if (set->field[SLUICE_FIELD_HAS_FRICTION])
            field_put(host, SLUICE_FIELD_HAS_FRICTION, i, 0, cloud_phase(c->id[i]));
        if (set->field[SLUICE_FIELD_SCALAR])
            field_put(host, SLUICE_FIELD_SCALAR, i, 0, c->density[i]);
        if (set->field[SLUICE_FIELD_RATE])
            field_put(host, SLUICE_FIELD_RATE, i, 0, 0.3 * (double)(c->id[i] % 5) - 0.7);
    }
    set->mass = common_mass(host->field[SLUICE_FIELD_POSITION], c->n, dim, w->real_bytes);
    host->mass = set->mass;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (set->field[f])
            SLUICE_TRY(world_write(w, type, (enum sluice_field)f));
    return SLUICE_OK;
}

/* The state as the predictor and the equation of state leave it: p = 100 r, rho0 = 1; the head of
 * Tait's equation to second order. And a stress and a gradient. */
static sluice_status fill_scratch(struct world *w, enum sluice_type type, const struct cloud *c)
{
    struct sluice_set *set = &w->host[type];
    int64_t *of_id = calloc((size_t)c->n + 1, sizeof *of_id);
    for (int64_t i = 0; i < c->n; i++)
        of_id[c->id[i]] = i;
    for (int64_t i = 0; i < set->count; i++) {
        const int64_t n = of_id[((const sluice_id *)set->field[SLUICE_FIELD_ID])[i]];
        const double r = c->density[n];
        if (set->field[SLUICE_FIELD_PREDICTED]) {
            for (int k = 0; k < set->dimension; k++)
                field_put(set, SLUICE_FIELD_PREDICTED, i, k, c->v[n][k]);
            field_put(set, SLUICE_FIELD_PREDICTED, i, set->dimension, r * (1 + 2.5 * r));
        }
        if (set->field[SLUICE_FIELD_EOS]) {
            field_put(set, SLUICE_FIELD_EOS, i, 0, 100 * r / ((1 + r) * (1 + r)));
            field_put(set, SLUICE_FIELD_EOS, i, 1, 1 / (1 + r));
        }
        for (int k = 0; k < set->dimension * (set->dimension + 1) / 2; k++)
            if (set->field[SLUICE_FIELD_STRESS])
                field_put(set, SLUICE_FIELD_STRESS, i, k, 0.3 * sin((double)n + 2 * k));
        for (int k = 0; k < set->dimension && set->field[SLUICE_FIELD_HEAD_GRADIENT]; k++)
            field_put(set, SLUICE_FIELD_HEAD_GRADIENT, i, k, 0.05 * cos((double)n + 2 * k));
        for (int k = 0; k < set->dimension * (set->dimension + 1) / 2; k++)
            if (set->field[SLUICE_FIELD_CORRECTION_OLD])
                field_put(set, SLUICE_FIELD_CORRECTION_OLD, i, k, 0.2 * sin((double)n + 3 * k));
        if (set->field[SLUICE_FIELD_MEMORY_OLD])
            field_put(set, SLUICE_FIELD_MEMORY_OLD, i, 0, 0.01 * cos((double)n));
        for (int k = 0; k < set->dimension && set->field[SLUICE_FIELD_FRICTION]; k++)
            field_put(set, SLUICE_FIELD_FRICTION, i, k, 0.2 * cos((double)n + 3 * k));
        if (set->field[SLUICE_FIELD_MIXING_LENGTH])
            field_put(set, SLUICE_FIELD_MIXING_LENGTH, i, 0, 0.05 * (1 + sin((double)n)));
        if (set->field[SLUICE_FIELD_PUSH])
            field_put(set, SLUICE_FIELD_PUSH, i, 0, 50 * r);
    }
    free(of_id);
    for (int f = SLUICE_FIELD_PREDICTED; f <= SLUICE_FIELD_FRICTION; f++)
        if (set->field[f] && f != SLUICE_FIELD_SHIFT)
            SLUICE_TRY(world_write(w, type, (enum sluice_field)f));
    return SLUICE_OK;
}

static sluice_status set_frames(struct world *w, const struct cloud *fluid,
                                const struct cloud *walls)
{
    const int64_t n = fluid->n + (walls ? walls->n : 0);
    int32_t(*frame)[3] = calloc((size_t)n + 1, sizeof *frame);
    for (int64_t i = 0; i < n; i++) {
        struct sluice_place place;
        sluice_grid_place(&w->grid, i < fluid->n ? fluid->x[i] : walls->x[i - fluid->n], &place);
        memcpy(frame[i], place.frame, sizeof *frame);
    }
    const sluice_status status = sluice_grid_set_frames(&w->grid, (const int32_t(*)[3])frame, n);
    free(frame);
    return status;
}

sluice_status world_open(struct world *w, const struct sluice_backend_choice *choice,
                         const struct sluice_grid_options *options, const struct cloud *fluid,
                         const struct cloud *walls, sluice_fields wall_fields)
{
    static const struct cloud nothing;
    struct sluice_set *sets[SLUICE_TYPE_COUNT];
    struct sluice_particle_list removed = {0};
    const sluice_fields sorted = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID);
    const sluice_fields fluid_fields = sorted | SLUICE_BIT(PHASE) | SLUICE_BIT(VELOCITY) |
                                       SLUICE_BIT(SCALAR) | SLUICE_BIT(POSITION_LOW) |
                                       SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(SCALAR_LOW) |
                                       SLUICE_BIT(ACCELERATION) | SLUICE_BIT(RATE) |
                                       SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS) | SLUICE_BIT(SHIFT) |
                                       SLUICE_BIT(STRESS) | SLUICE_BIT(STRESS_NEXT) |
                                       SLUICE_BIT(HEAD_GRADIENT) | SLUICE_BIT(HEAD_GRADIENT_NEXT) |
                                       SLUICE_BIT(CORRECTION) | SLUICE_BIT(CORRECTION_OLD) |
                                       SLUICE_BIT(MEMORY) | SLUICE_BIT(MEMORY_OLD) |
                                       SLUICE_BIT(PUSH) | SLUICE_BIT(FRICTION) |
                                       SLUICE_BIT(MIXING_LENGTH) | SLUICE_BIT(HEAD_MEAN) |
                                       SLUICE_BIT(HEAD_MEAN_LOW) | SLUICE_BIT(SMOOTHING) |
                                       SLUICE_BIT(GAS);
    memset(w, 0, sizeof *w);
    w->real_bytes = choice->real_bytes;
    SLUICE_TRY(sluice_backend_open(&w->backend, choice));
    SLUICE_TRY(sluice_grid_create(&w->grid, options));
    SLUICE_TRY(set_frames(w, fluid, walls));
    SLUICE_TRY(fill(w, SLUICE_FLUID, fluid, fluid_fields, 1));
    SLUICE_TRY(fill(w, SLUICE_WALL, walls ? walls : &nothing,
                    sorted | SLUICE_BIT(EOS) | SLUICE_BIT(REACTION) | wall_fields, 0));
    for (int s = 0; s <= SLUICE_WALL; s++)
        sets[s] = &w->set[s];
    SLUICE_TRY(w->backend.ops->bin(&w->backend, &w->grid, sets, 2, NULL, &removed));
    SLUICE_TRY(world_read(w));
    free(removed.particle);
    SLUICE_TRY(fill_scratch(w, SLUICE_FLUID, fluid));
    return fill_scratch(w, SLUICE_WALL, walls ? walls : &nothing);
}

void world_close(struct world *w)
{
    for (int s = 0; s <= SLUICE_WALL; s++) {
        sluice_set_destroy(&w->backend, &w->set[s]);
        w->backend.ops->bins_free(&w->set[s].bins);
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
            free(w->host[s].field[f]);
    }
    sluice_grid_destroy(&w->grid);
    sluice_backend_close(&w->backend);
}
