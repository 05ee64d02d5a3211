/* The particles in the buffers of openings, and the water in front of them
 * (kernels/types/opening_params.h). In the order of a step:
 *
 *   openings_retire   marks what has passed the end of a buffer
 *   openings_predict  gives the buffers their velocity and pressure, for the pair loop
 *   openings_sums     measures the water, and what holds the buffers
 *   openings_hold     takes accelerations and rates off the buffers, whose work the openings do,
 * and gives them the velocity and density of the step's end
 *
 * The head in a buffer is hydrostatic, e = column.head + g.d/c0^2, d from the corner of the face.
 * A bounded one has r >= 0. */
#ifndef SLUICE_POINTWISE_OPENINGS_H
#define SLUICE_POINTWISE_OPENINGS_H
#include "kernels/pointwise/wcsph_predict.h"
#include "kernels/types/opening_params.h"

struct openings_constants {
    struct wcsph_predict_constants predict;
    struct scalar_energy_params energy;
    const struct opening_box *box;
    const struct opening_column *column;
    int count, sets;
    real gravity[3]; /* over c0^2 */
    real past;       /* how far behind a buffer's end still counts, m */
    double sound_speed, rho0;
};

static inline struct openings_constants openings_prepare(const struct openings_params *p)
{
    struct openings_constants k;
    const struct wcsph_params *water = &p->predict->wcsph;
    k.predict = wcsph_predict_prepare(p->predict);
    k.energy = *p->energy;
    k.box = p->box;
    k.column = p->column;
    k.count = p->count;
    k.sets = p->sets;
    k.sound_speed = water->sound_speed;
    k.rho0 = water->rho0;
    k.past = (real)(2 * water->spacing);
    for (int c = 0; c < 3; c++)
        k.gravity[c] = (real)(water->gravity[c] / (water->sound_speed * water->sound_speed));
    return k;
}

/* Where a particle is at an opening. */
struct opening_at {
    int box;    /* -1: at none */
    real s;     /* distance from the face into the water, m */
    real slope; /* g.d/c0^2 from the face's corner */
    const struct opening_column *column;
};

/* The opening whose buffer, or strip, particle i is in. */
HD struct opening_at opening_find(const struct openings_constants *k, const struct sluice_view *v,
                                  const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const int32_t *frame = frames->index[view_number(v, SLUICE_FIELD_FRAME, i)];
    struct opening_at at = {-1, 0, 0, NULL};
    for (int b = 0; b < k->count && at.box < 0; b++) {
        const struct opening_box *box = &k->box[b];
        real d[3] = {0, 0, 0}, s = 0, slope = 0;
        int32_t column = 0;
        for (int c = 0; c < dim; c++) {
            d[c] = (real)(frame[c] - box->corner.frame[c]) * frames->width[c] +
                   (VIEW(v, POSITION, i, dim + 1, c) - (real)box->corner.offset[c]);
            s += d[c] * (real)box->normal[c]; /* 0 along a periodic axis */
        }
        if (!(s > -(real)box->buffer - k->past && s < (real)box->strip))
            continue;
        for (int c = 0; c < dim; c++) {
            const real period = (real)frames->period[c];
            if (period > 0)
                d[c] += d[c] < 0 ? period : d[c] >= period ? -period : 0;
            slope += d[c] * k->gravity[c];
        }
        for (int e = dim - 2; e >= 0; e--) {
            const real along = d[0] * (real)box->edge[e][0] + d[1] * (real)box->edge[e][1] +
                               d[2] * (real)box->edge[e][2];
            column = along >= 0 && along < (real)box->columns[e] && column >= 0
                         ? column * box->columns[e] + (int32_t)along
                         : -1;
        }
        if (column < 0)
            continue;
        at.box = b;
        at.s = s;
        at.slope = slope;
        at.column = &k->column[box->first + column];
    }
    return at;
}

/* Whether particle i is in a buffer that holds it. */
HD int opening_holds(const struct opening_at *at)
{
    return at->box >= 0 && at->s <= 0 && at->column->rule == OPENING_HOLDS;
}

/* The velocity and the relative density that an opening gives a particle of its buffer. */
HD real opening_state(const struct openings_constants *k, const struct opening_at *at, real u[3])
{
    const struct opening_box *box = &k->box[at->box];
    const real head = (real)at->column->head + at->slope;
    for (int c = 0; c < 3; c++)
        u[c] = (real)(at->column->velocity * box->axis[c]);
    return box->bounded && head < 0 ? 0 : eos_density_of_head(&k->predict.eos, head);
}

/* --- The operations --- */

#define openings_PLACE (SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME))

#define openings_retire_READS     openings_PLACE
#define openings_retire_WRITES    SLUICE_BIT(RETIRES)
#define openings_retire_constants openings_constants
#define openings_retire_prepare   openings_prepare
HD void openings_retire_point(const struct openings_constants *k, const struct sluice_view *v,
                              const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const struct opening_at at = opening_find(k, v, frames, i, dim);
    const int held = at.box >= 0 && at.s <= 0 && at.column->rule != OPENING_FREE,
              goes = held &&
                     (at.s < -(real)k->box[at.box].buffer || at.column->rule == OPENING_RETIRES);
    ((uint32_t *)(void *)v->field[SLUICE_FIELD_RETIRES])[i] = goes ? (uint32_t)at.box + 1 : 0;
}

#define openings_predict_READS     openings_PLACE
#define openings_predict_WRITES    (SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS))
#define openings_predict_constants openings_constants
#define openings_predict_prepare   openings_prepare
HD void openings_predict_point(const struct openings_constants *k, const struct sluice_view *v,
                               const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const struct opening_at at = opening_find(k, v, frames, i, dim);
    real u[3];
    if (!opening_holds(&at))
        return;
    const real r = opening_state(k, &at, u);
    wcsph_predict_store(&k->predict, v, frames, i, dim, view_number(v, SLUICE_FIELD_FRAME, i),
                        &VIEW(v, POSITION, i, dim + 1, 0), u, r);
}

#define openings_hold_READS openings_PLACE
#define openings_hold_WRITES                                                                       \
    (SLUICE_BIT(ACCELERATION) | SLUICE_BIT(RATE) | SLUICE_BIT(SHIFT) | SLUICE_BIT(VELOCITY) |      \
     SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(SCALAR) | SLUICE_BIT(SCALAR_LOW))
#define openings_hold_constants openings_constants
#define openings_hold_prepare   openings_prepare
HD void openings_hold_point(const struct openings_constants *k, const struct sluice_view *v,
                            const struct sluice_frames_view *frames, int64_t i, const int dim)
{
    const struct opening_at at = opening_find(k, v, frames, i, dim);
    real u[3];
    if (!opening_holds(&at))
        return;
    const real r = opening_state(k, &at, u);
    VIEW(v, RATE, i, 1, 0) = 0;
    if (k->sets) {
        VIEW(v, SCALAR, i, 1, 0) = r;
        view_low(v, SLUICE_FIELD_SCALAR_LOW)[i] = 0;
    }
    for (int c = 0; c < dim; c++) {
        VIEW(v, ACCELERATION, i, dim, c) = 0;
        if (v->field[SLUICE_FIELD_SHIFT])
            VIEW(v, SHIFT, i, dim, c) = 0;
        if (k->sets) {
            VIEW(v, VELOCITY, i, dim, c) = u[c];
            view_low(v, SLUICE_FIELD_VELOCITY_LOW)[(int64_t)dim * i + c] = 0;
        }
    }
}

/* --- The sums --- */

struct openings_sums_parts {
    double term[OPENING_TERMS];
};
#define openings_sums_constants openings_constants

static inline struct openings_constants openings_sums_prepare(const void *params)
{
    return openings_prepare((const struct openings_params *)params);
}

HD double openings_sums_term(const struct openings_sums_parts *of, const int dim, int k)
{
    (void)dim;
    return of->term[k];
}

/* The present velocity and relative density, with what their rounding has lost. */
HD double openings_present(const struct sluice_view *v, enum sluice_field field,
                           enum sluice_field low, int64_t i)
{
    const real value = v->field[field][i];
    return (double)value + (double)lost_or_nan(value, view_low(v, low)[i]);
}

HD void openings_measure(const struct openings_constants *k, const struct sluice_view *v, int64_t i,
                         const int dim, const struct opening_at *at, struct openings_sums_parts *of)
{
    const struct opening_box *box = &k->box[at->box];
    const double q = (double)at->s / box->strip, w = (1 - q) * (1 - q),
                 e = (double)eos_head(&k->predict.eos, VIEW(v, SCALAR, i, 1, 0)) -
                     (double)at->slope;
    double u = 0;
    for (int c = 0; c < dim; c++)
        u += (double)VIEW(v, VELOCITY, i, dim, c) * box->normal[c];
    u /= k->sound_speed;
    of->term[OPENING_W] = w;
    of->term[OPENING_WS] = w * q;
    of->term[OPENING_WSS] = w * q * q;
    of->term[OPENING_WU] = w * u;
    of->term[OPENING_WE] = w * e;
    of->term[OPENING_WSE] = w * q * e;
    of->term[OPENING_MASS] = (double)VIEW(v, POSITION, i, dim + 1, dim);
}

/* The opening takes up m u.a + m p rho0/rho^2 R, what forces and rates would do, and gives back
 * -m g.dx of the shifts that its buffer does not make. */
HD void openings_take_up(const struct openings_constants *k, const struct sluice_view *v, int64_t i,
                         const int dim, const struct opening_at *at, struct openings_sums_parts *of)
{
    const double m = (double)VIEW(v, POSITION, i, dim + 1, dim),
                 q = -(double)at->s / k->box[at->box].buffer;
    real u[3];
    double r = (double)opening_state(k, at, u),
           before = openings_present(v, SLUICE_FIELD_SCALAR, SLUICE_FIELD_SCALAR_LOW, i),
           power = (double)VIEW(v, EOS, i, 2, 0) * k->rho0 * (double)VIEW(v, RATE, i, 1, 0);
    double jump = scalar_energy_of(&k->energy, 0, 0, &r) -
                  scalar_energy_of(&k->energy, 0, 0, &before);
    for (int c = 0; c < dim; c++) {
        const double now = openings_present(v, SLUICE_FIELD_VELOCITY, SLUICE_FIELD_VELOCITY_LOW,
                                            (int64_t)dim * i + c);
        jump += ((double)u[c] - now) * ((double)u[c] + now) / 2;
        power += (double)u[c] * (double)VIEW(v, ACCELERATION, i, dim, c);
        if (v->field[SLUICE_FIELD_SHIFT])
            jump += (double)k->gravity[c] * k->sound_speed * k->sound_speed *
                    (double)VIEW(v, SHIFT, i, dim, c);
    }
    of->term[OPENING_HELD] = q < 1 ? m * 30 * q * q * (1 - q) * (1 - q) : 0;
    of->term[OPENING_JUMP] = m * jump;
    of->term[OPENING_POWER] = -m * power;
}

/* The label of particle i, its column; -1: it has none. */
HD int openings_sums_parts_of(const struct openings_constants *k, const struct sluice_view *v,
                              const struct sluice_frames_view *frames, int64_t i, const int dim,
                              struct openings_sums_parts *of)
{
    const struct opening_at at = opening_find(k, v, frames, i, dim);
    if (at.box < 0 || (at.s <= 0 && !opening_holds(&at)) || at.column->closed)
        return -1;
    for (int t = 0; t < OPENING_TERMS; t++)
        of->term[t] = 0;
    if (at.s > 0)
        openings_measure(k, v, i, dim, &at, of);
    else
        openings_take_up(k, v, i, dim, &at, of);
    return (int)(at.column - k->column);
}
#endif
