/* Energies, momenta and limits of a set, from the compensated state: value plus what its rounding
 * lost, in double.
 *
 * Sums go over blocks of a fixed number of particles, and then over the blocks in their order, so
 * that they do not depend on how many threads there are. */
#include <math.h>
#include <stdlib.h>

#include "kernels/compensated.h"
#include "kernels/cpu/leaf.h"
#include "kernels/pointwise/eos.h"

enum { BLOCK = 1024 };

/* Component c of particle i of a vector field and its compensation; 0 where the field does not
 * exist. */
static double value(const struct sluice_set *set, int field, int low, int64_t i, int stride,
                    int low_stride, int c)
{
    const real *x = set->field[field];
    const real_low *lost = low >= 0 ? set->field[low] : NULL;
    if (!x)
        return 0;
    const real at = x[stride * i + c];
    return (double)at + (lost ? (double)lost_or_nan(at, lost[low_stride * i + c]) : 0);
}

/* Potential energy of a unit mass at `x` from the potential's origin, J/kg, and the power of
 * gravity along periodic axes, W/kg. */
static double potential_energy(const struct sluice_grid *g, const struct sluice_reduce *q,
                               const int32_t frame[3], const double offset[3], const double x[3])
{
    double phi = 0;
    for (int c = 0; c < g->dimension; c++)
        if (!g->periodic[c])
            phi -= q->gravity[c] * x[c];
    for (int n = 0; n < q->central_count; n++) {
        const struct sluice_central *f = &q->central[n];
        double d2 = 0;
        for (int c = 0; c < g->dimension; c++) {
            const double d = (double)(frame[c] - f->centre.frame[c]) * g->width[c] +
                             (offset[c] - f->centre.offset[c]);
            d2 += d * d;
        }
        phi += 0.5 * f->strength * f->strength * d2;
    }
    return phi;
}

static void add_particle(const struct sluice_grid *g, const struct sluice_reduce *q, int64_t i,
                         struct sluice_summary *s)
{
    const struct sluice_set *set = q->set;
    const int dim = set->dimension;
    const real *position = set->field[SLUICE_FIELD_POSITION];
    const double m = (double)position[(dim + 1) * i + dim];
    const int32_t *frame = g->frame[((const uint32_t *)set->field[SLUICE_FIELD_FRAME])[i]];
    double offset[3] = {0, 0, 0}, x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, v2 = 0, a2 = 0, power = 0,
           all = 0;

    for (int c = 0; c < dim; c++) {
        const double a = value(set, SLUICE_FIELD_ACCELERATION, -1, i, dim, 0, c);
        offset[c] = value(set, SLUICE_FIELD_POSITION, SLUICE_FIELD_POSITION_LOW, i, dim + 1, dim,
                          c);
        x[c] = (double)(frame[c] - q->origin.frame[c]) * g->width[c] +
               (offset[c] - q->origin.offset[c]);
        v[c] = value(set, SLUICE_FIELD_VELOCITY, SLUICE_FIELD_VELOCITY_LOW, i, dim, dim, c);
        v2 += v[c] * v[c];
        a2 += a * a;
        power += g->periodic[c] ? q->gravity[c] * v[c] : 0;
        all += x[c] + v[c] + a;
    }
    double r = value(set, SLUICE_FIELD_DENSITY, SLUICE_FIELD_DENSITY_LOW, i, 1, 1, 0);
    all += r;
    if (set->type == SLUICE_WALL && r < 0)
        r = 0;
    s->mass += m;
    s->kinetic += 0.5 * m * v2;
    s->elastic += m *
                  (q->two && ((const uint32_t *)set->field[SLUICE_FIELD_ID])[i] >= q->second.from
                       ? eos_elastic_energy(q->eos, q->second.sound_speed, q->second.gamma,
                                            q->second.background, r)
                       : eos_elastic_energy(q->eos, q->sound_speed, q->gamma, q->background, r));
    s->potential += m * potential_energy(g, q, frame, offset, x);
    s->gravity_power += m * power;
    for (int c = 0; c < 3; c++) {
        const int j = (c + 1) % 3, k = (c + 2) % 3;
        s->momentum[c] += m * v[c];
        s->angular[c] += m * (x[j] * v[k] - x[k] * v[j]);
    }
    s->max_speed2 = fmax(s->max_speed2, v2);
    s->max_acceleration2 = fmax(s->max_acceleration2, a2);
    s->min_density = fmin(s->min_density, r);
    s->max_density = fmax(s->max_density, r);
    if (!isfinite(all)) {
        if (s->not_finite == 0)
            s->first_not_finite = i;
        s->not_finite++;
    }
}

static void add_block(struct sluice_summary *to, const struct sluice_summary *block)
{
    to->mass += block->mass;
    to->kinetic += block->kinetic;
    to->elastic += block->elastic;
    to->potential += block->potential;
    to->gravity_power += block->gravity_power;
    for (int c = 0; c < 3; c++) {
        to->momentum[c] += block->momentum[c];
        to->angular[c] += block->angular[c];
    }
    to->max_speed2 = fmax(to->max_speed2, block->max_speed2);
    to->max_acceleration2 = fmax(to->max_acceleration2, block->max_acceleration2);
    to->min_density = fmin(to->min_density, block->min_density);
    to->max_density = fmax(to->max_density, block->max_density);
    if (to->not_finite == 0)
        to->first_not_finite = block->first_not_finite;
    to->not_finite += block->not_finite;
}

sluice_status LEAF(reduce)(const struct sluice_grid *g, struct sluice_reduce *q,
                           struct cpu_scratch *work)
{
    const struct sluice_summary zero = {
        .first_not_finite = -1, .min_density = INFINITY, .max_density = -INFINITY};
    const int64_t n = q->set->count, blocks = (n + BLOCK - 1) / BLOCK;
    SLUICE_TRY(cpu_scratch_reserve(work, (size_t)blocks * sizeof(struct sluice_summary)));
    struct sluice_summary *block = work->memory;
#pragma omp parallel for schedule(static) if (n >= CPU_ALONE_BELOW)
    for (int64_t b = 0; b < blocks; b++) {
        struct sluice_summary sum = zero;
        const int64_t last = (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n;
        for (int64_t i = b * BLOCK; i < last; i++)
            add_particle(g, q, i, &sum);
        block[b] = sum;
    }
    q->out = zero;
    for (int64_t b = 0; b < blocks; b++)
        add_block(&q->out, &block[b]);
    return SLUICE_OK;
}
