/* Energies, momenta and extremes of a set, from the compensated state: value plus what its rounding
 * lost, in double. The sums are exact (lane_sums.h). In a step that asks for the extremes alone,
 * they have the same bits. */
#include <math.h>
#include <string.h>

#include "kernels/cpu/loops/lane_sums.h"
#include "kernels/types/compensated.h"
#include "kernels/cpu/variant.h"
#include "kernels/types/potential.h"
#include "kernels/types/scalar_energy.h"

enum { BLOCK = 1024, BATCH = 16 };

/* The rounding losses of the particles of a block. */
struct block_lost {
    real x[3 * BLOCK], v[3 * BLOCK], r[BLOCK];
};

/* Unpacks the losses, field `low`, of `count` particles from `first` on; 0 if the set has no such
 * field. The compiler knows `field` and `components`. */
static inline __attribute__((always_inline)) void unpack_lost(const struct sluice_set *set,
                                                              const int field, int low,
                                                              const int components, int64_t first,
                                                              int count, real *restrict to)
{
    const int stride = field == SLUICE_FIELD_POSITION ? components + 1 : components; /* the mass */
    const real *restrict value = set->field[field];
    const real_low *restrict kept = set->field[low];
    if (!value || !kept) {
        memset(to, 0, (size_t)(components * count) * sizeof *to);
        return;
    }
    value += stride * first;
    kept += components * first;
    if (stride == components) {
#pragma omp simd
        for (int n = 0; n < components * count; n++)
            to[n] = lost_or_nan(value[n], kept[n]);
        return;
    }
    for (int i = 0; i < count; i++)
        for (int c = 0; c < components; c++)
            to[components * i + c] = value[stride * i + c];
#pragma omp simd
    for (int n = 0; n < components * count; n++)
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the loops above have copied it */
        to[n] = lost_or_nan(to[n], kept[n]);
}

static inline __attribute__((always_inline)) void unpack_motion(const struct sluice_set *set,
                                                                int64_t first, int count,
                                                                const int dim,
                                                                struct block_lost *to)
{
    unpack_lost(set, SLUICE_FIELD_VELOCITY, SLUICE_FIELD_VELOCITY_LOW, dim, first, count, to->v);
    unpack_lost(set, SLUICE_FIELD_SCALAR, SLUICE_FIELD_SCALAR_LOW, 1, first, count, to->r);
}

static inline __attribute__((always_inline)) void unpack_of(const struct sluice_set *set,
                                                            int64_t first, int count, const int dim,
                                                            struct block_lost *to)
{
    unpack_lost(set, SLUICE_FIELD_POSITION, SLUICE_FIELD_POSITION_LOW, dim, first, count, to->x);
    unpack_motion(set, first, count, dim, to);
}

static void unpack_block(const struct sluice_set *set, int64_t first, int count,
                         struct block_lost *to)
{
    if (set->dimension == 3)
        unpack_of(set, first, count, 3, to);
    else
        unpack_of(set, first, count, 2, to);
}

/* A loop over the particles of a set: exact sums, and the extremes of each block. Fields that the
 * set does not have are NULL. */
struct reduction {
    const struct sluice_grid *grid;
    const struct sluice_reduce *reduce;
    const real *position, *velocity, *acceleration, *scalar, *smoothing;
    const uint32_t *frame, *phase;
    double gravity[3]; /* 0 along periodic axes */
    struct sum_scales scales;
    struct shared_sums *sums;
    struct sluice_extremes *block;
};

/* Potential energy of a unit mass at `x` from the potential's origin, J/kg. */
HD double potential_energy(const struct reduction *to, const int dim, const int32_t frame[3],
                           const double offset[3], const double x[3])
{
    const struct sluice_grid *g = to->grid;
    const struct sluice_reduce *q = to->reduce;
    double phi = gravity_potential(dim, to->gravity, x), d[3] = {0, 0, 0};
    for (int n = 0; n < q->central_count; n++) {
        const struct sluice_place *centre = &q->central[n].centre;
        for (int c = 0; c < dim; c++)
            d[c] = (double)(frame[c] - centre->frame[c]) * g->width[c] +
                   (offset[c] - centre->offset[c]);
        phi += central_potential(dim, q->central[n].strength, d);
    }
    return phi;
}

static const struct sluice_extremes nothing = {
    .first_not_finite = INT64_MAX, .min_scalar = INFINITY, .max_scalar = -INFINITY};

/* `b` where `a` is NaN, as fmax and fmin, but an instruction instead of a call. */
HD double larger(double a, double b)
{
    return a > b ? a : b;
}

HD double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline __attribute__((always_inline)) void add_extremes(const struct reduction *to,
                                                               int64_t i, double v2, double a2,
                                                               double r, struct sluice_extremes *e)
{
    e->max_speed2 = larger(v2, e->max_speed2);
    e->max_acceleration2 = larger(a2, e->max_acceleration2);
    e->min_scalar = smaller(r, e->min_scalar);
    e->max_scalar = larger(r, e->max_scalar);
    if (to->smoothing) {
        e->max_length = larger((double)to->smoothing[4 * i], e->max_length);
        e->max_rate = larger((double)to->smoothing[4 * i + 3], e->max_rate);
    }
}

/* Particle i, `number` of its block. The compiler knows `dim` and `is_wall`. The motion of walls
 * has no terms, so they add a mass and an elastic energy. */
static inline __attribute__((always_inline)) void
add_particle(const struct reduction *to, const int dim, const int is_wall, int64_t i,
             const struct block_lost *lost, int number, union sum_terms *out,
             struct sluice_extremes *e)
{
    const struct sluice_grid *g = to->grid;
    const struct sluice_reduce *q = to->reduce;
    const double m = (double)to->position[(dim + 1) * i + dim];
    const int32_t *frame = g->frame[to->frame[i]];
    double offset[3] = {0, 0, 0}, x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, v2 = 0, a2 = 0, all = 0;

    for (int c = 0; c < dim; c++) {
        const double a = to->acceleration ? (double)to->acceleration[dim * i + c] : 0;
        offset[c] = (double)to->position[(dim + 1) * i + c] + (double)lost->x[dim * number + c];
        x[c] = (double)(frame[c] - q->origin.frame[c]) * g->width[c] +
               (offset[c] - q->origin.offset[c]);
        if (to->velocity)
            v[c] = (double)to->velocity[dim * i + c] + (double)lost->v[dim * number + c];
        v2 += v[c] * v[c];
        a2 += a * a;
        all += x[c] + v[c] + a;
    }
    double r = to->scalar ? (double)to->scalar[i] + (double)lost->r[number] : 0;
    all += r;
    const double elastic = q->energy ? scalar_energy_of(q->energy, is_wall,
                                                        to->phase ? to->phase[i] : 0, &r)
                                     : 0;
    out->one[SUMMARY_MASS] = m;
    out->one[SUMMARY_ELASTIC] = m * elastic;
    if (!is_wall) {
        out->one[SUMMARY_KINETIC] = 0.5 * m * v2;
        out->one[SUMMARY_POTENTIAL] = m * potential_energy(to, dim, frame, offset, x);
        for (int c = 0; c < 3; c++) {
            const int j = (c + 1) % 3, k = (c + 2) % 3;
            out->one[SUMMARY_MOMENTUM + c] = m * v[c];
            out->one[SUMMARY_ANGULAR + c] = m * (x[j] * v[k] - x[k] * v[j]);
        }
    }
    add_extremes(to, i, v2, a2, r, e);
    if (!isfinite(all)) /* count_faults looks at the terms alone */
        out->one[SUMMARY_MASS] = NAN;
}

static void count_fault(const struct reduction *to, int64_t i, struct sluice_extremes *e)
{
    const int64_t id = (int64_t)((const sluice_id *)to->reduce->set->field[SLUICE_FIELD_ID])[i];
    e->first_not_finite = id < e->first_not_finite ? id : e->first_not_finite;
    e->not_finite++;
}

/* Counts the particles of a batch, from i on, with a term out of range. */
static void count_faults(const struct reduction *to, const union sum_terms *terms, int64_t i, int n,
                         struct sluice_extremes *e)
{
    for (int k = 0; k < n; k++)
        if (!lane_sums_hold(&to->scales, &terms[k]))
            count_fault(to, i + k, e);
}

static void add_block(struct sluice_extremes *to, const struct sluice_extremes *block)
{
    to->max_speed2 = fmax(to->max_speed2, block->max_speed2);
    to->max_acceleration2 = fmax(to->max_acceleration2, block->max_acceleration2);
    to->min_scalar = fmin(to->min_scalar, block->min_scalar);
    to->max_scalar = fmax(to->max_scalar, block->max_scalar);
    to->max_rate = fmax(to->max_rate, block->max_rate);
    to->max_length = fmax(to->max_length, block->max_length);
    if (block->first_not_finite < to->first_not_finite)
        to->first_not_finite = block->first_not_finite;
    to->not_finite += block->not_finite;
}

/* The particles from `first` up to `last`, of one block. */
static inline __attribute__((always_inline)) void
add_particles(const struct reduction *r, const int dim, const int is_wall, int64_t first,
              int64_t last, struct lane_sums *sums, struct sluice_extremes *extremes)
{
    const uint8_t *own = r->reduce->set->own;
    const unsigned numbers = is_wall ? 1u << SUMMARY_MASS | 1u << SUMMARY_ELASTIC
                                     : (1u << SUMMARY_SUMS) - 1;
    union sum_terms terms[BATCH] = {{.one = {0}}};
    struct block_lost lost;
    unpack_block(r->reduce->set, first, (int)(last - first), &lost);
    for (int64_t i = first; i < last; i += BATCH) {
        const int n = last - i < BATCH ? (int)(last - i) : BATCH;
        if (own && !memchr(own + i, 1, (size_t)n))
            continue;
        for (int k = 0; k < n; k++)
            if (!own || own[i + k])
                add_particle(r, dim, is_wall, i + k, &lost, (int)(i - first) + k, &terms[k],
                             extremes);
            else
                memset(&terms[k], 0, sizeof terms[k]);
        if (!lane_sums_add(&r->scales, terms, n, sum_fours(numbers), sums))
            count_faults(r, terms, i, n, extremes);
    }
}

/* The same particles without sums. */
static inline __attribute__((always_inline)) void add_extremes_of(const struct reduction *to,
                                                                  const int dim, const int is_wall,
                                                                  int64_t first, int64_t last,
                                                                  struct sluice_extremes *e)
{
    const struct sluice_reduce *q = to->reduce;
    const uint8_t *own = q->set->own;
    struct block_lost lost;
    unpack_motion(q->set, first, (int)(last - first), dim, &lost);
    for (int64_t i = first; i < last; i++) {
        const int64_t number = i - first;
        double v2 = 0, a2 = 0, all = 0;
        if (own && !own[i])
            continue;
        for (int c = 0; c < dim; c++) {
            const double a = to->acceleration ? (double)to->acceleration[dim * i + c] : 0,
                         v = to->velocity ? (double)to->velocity[dim * i + c] +
                                                (double)lost.v[dim * number + c]
                                          : 0;
            v2 += v * v;
            a2 += a * a;
            all += v + a;
        }
        double r = to->scalar ? (double)to->scalar[i] + (double)lost.r[number] : 0;
        all += r;
        if (q->energy) {
            const double least = scalar_energy_least(q->energy, is_wall,
                                                     to->phase ? to->phase[i] : 0);
            r = r < least ? least : r; /* as scalar_energy_of: a NaN stays */
        }
        add_extremes(to, i, v2, a2, r, e);
        if (!isfinite(all))
            count_fault(to, i, e);
    }
}

static inline __attribute__((always_inline)) void add_some(const struct reduction *r, const int dim,
                                                           const int is_wall, int64_t first,
                                                           int64_t last, struct lane_sums *sums,
                                                           struct sluice_extremes *extremes)
{
    if (r->reduce->sums)
        add_particles(r, dim, is_wall, first, last, sums, extremes);
    else
        add_extremes_of(r, dim, is_wall, first, last, extremes);
}

static void reduce_blocks(struct sluice_share *share, void *data)
{
    const struct reduction *r = data;
    const struct sluice_set *set = r->reduce->set;
    struct lane_sums sums = {.to = r->sums};
    int64_t first, last;
    while (sluice_share_block(share, set->count, BLOCK, &first, &last)) {
        struct sluice_extremes extremes = nothing;
        if (set->type == SLUICE_WALL && set->dimension == 3)
            add_some(r, 3, 1, first, last, &sums, &extremes);
        else if (set->type == SLUICE_WALL)
            add_some(r, 2, 1, first, last, &sums, &extremes);
        else if (set->dimension == 3)
            add_some(r, 3, 0, first, last, &sums, &extremes);
        else
            add_some(r, 2, 0, first, last, &sums, &extremes);
        r->block[first / BLOCK] = extremes;
    }
    lane_sums_share(&sums);
}

sluice_status VARIANT(reduce)(struct sluice_threads *team, const struct sluice_grid *g,
                              struct sluice_reduce *q, struct cpu_scratch *work)
{
    const int64_t blocks = sluice_blocks(q->set->count, BLOCK);
    SLUICE_TRY(cpu_scratch_reserve(work, (size_t)blocks * sizeof(struct sluice_extremes)));
    struct shared_sums sums = {{{0}}, 0};
    void *const *field = q->set->field;
    struct reduction r = {.grid = g,
                          .reduce = q,
                          .position = field[SLUICE_FIELD_POSITION],
                          .velocity = field[SLUICE_FIELD_VELOCITY],
                          .acceleration = field[SLUICE_FIELD_ACCELERATION],
                          .scalar = field[SLUICE_FIELD_SCALAR],
                          .smoothing = field[SLUICE_FIELD_SMOOTHING],
                          .frame = field[SLUICE_FIELD_FRAME],
                          .phase = field[SLUICE_FIELD_PHASE],
                          .sums = &sums,
                          .block = work->memory};
    for (int c = 0; c < g->dimension; c++)
        r.gravity[c] = q->gravity[c];
    q->extremes = nothing;
    for (int n = 0; n < SUM_SLOTS; n++)
        sum_scale_set(&r.scales, n, n < SUMMARY_SUMS ? sluice_summary_scale(&q->scales, n) : 0);
    sluice_threads_run(team, blocks, reduce_blocks, &r);
    for (int64_t b = 0; b < blocks; b++)
        add_block(&q->extremes, &r.block[b]);
    for (int n = 0; n < SUMMARY_SUMS; n++)
        q->total[n] = shared_sum(&sums, n);
    return SLUICE_OK;
}
