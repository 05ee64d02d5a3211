/* The path of a paddle. */
#include <math.h>

#include "motion/wave_maker.h"
#include "motion/wave_ramp.h"

/* y[0] to y[2]: value and derivatives. */
static void multiply(double x[3], const double r[3])
{
    const double first = r[0] * x[1] + r[1] * x[0],
                 second = r[0] * x[2] + 2 * r[1] * x[1] + r[2] * x[0];
    x[0] *= r[0];
    x[1] = first;
    x[2] = second;
}

/* The ramp and its derivatives. */
static void rise(double s, double per_time, double r[3])
{
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    r[0] = sluice_wave_rise(s);
    r[1] = per_time * 30 * s * s * (1 - s) * (1 - s);
    r[2] = per_time * per_time * 60 * s * (1 - s) * (1 - 2 * s);
}

/* What is left of the path beyond both ends goes to zero over a unit of beta c t. */
static void solitary_at(const struct sluice_wave_maker *w, double t, double x[3])
{
    const struct sluice_solitary *s = &w->solitary;
    const double per_time = s->beta * s->c, reach = SLUICE_SOLITARY_REACH,
                 phase = per_time * (t - w->of->start) - reach, whole = sluice_solitary_stroke(s);
    const int second = phase > 0;
    const double inside = reach - fabs(phase);
    double r[3];
    rise(inside, inside > 0 && inside < 1 ? (second ? -per_time : per_time) : 0, r);
    sluice_solitary_paddle(s, phase, &x[0], &x[1], &x[2]);
    x[0] += second ? -0.5 * whole : 0.5 * whole; /* from the end, or the start */
    multiply(x, r);
    x[0] += second ? whole : 0;
}

static void components_at(const struct sluice_wave_maker *w, double t, double x[3])
{
    const double tau = t - w->of->start;
    for (int64_t i = 0; i < w->count; i++) {
        const struct sluice_wave_component *c = &w->component[i];
        const double angle = c->omega * tau + c->phase;
        x[0] += c->stroke * sin(angle);
        x[1] += c->stroke * c->omega * cos(angle);
        x[2] -= c->stroke * c->omega * c->omega * sin(angle);
    }
    if (w->order == 2) {
        const double omega = 2 * w->component[0].omega,
                     angle = omega * tau + 2 * w->component[0].phase,
                     place = w->second[0] * cos(angle) + w->second[1] * sin(angle);
        x[0] += place;
        x[1] += omega * (w->second[1] * cos(angle) - w->second[0] * sin(angle));
        x[2] -= omega * omega * place;
    }
}

/* From its first row; at rest before it and after its last. An angle becomes the displacement at
 * the surface, lever tan(angle). */
static void paddle_at(const struct sluice_wave_maker *w, double t, double x[3])
{
    const struct sluice_track *s = w->table;
    const double at = t - w->of->start + s->t[0], end = s->t[s->count - 1],
                 inside = at < s->t[0] ? s->t[0] : fmin(at, end), moves = at == inside;
    double begin[SLUICE_TRACK_COLUMNS], value[SLUICE_TRACK_COLUMNS], first[SLUICE_TRACK_COLUMNS],
        second[SLUICE_TRACK_COLUMNS];
    sluice_track_at(s, s->t[0], begin, first, second);
    sluice_track_at(s, inside, value, first, second);
    const double angle = value[SLUICE_TRACK_ANGLE] - begin[SLUICE_TRACK_ANGLE],
                 slope = 1 / (cos(angle) * cos(angle)), spin = first[SLUICE_TRACK_ANGLE],
                 spin_rate = second[SLUICE_TRACK_ANGLE], gain = w->of->gain;
    x[0] = gain * (value[0] - begin[0] + w->lever * tan(angle));
    x[1] = gain * moves * (first[0] + w->lever * slope * spin);
    x[2] = gain * moves *
           (second[0] + w->lever * slope * (spin_rate + 2 * tan(angle) * spin * spin));
}

void sluice_wave_maker_at(const struct sluice_wave_maker *w, double t, double *x, double *v,
                          double *a)
{
    const double tau = t - w->start;
    double at[3] = {0, 0, 0}, r[3];
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        solitary_at(w, t, at);
    else if (w->of->kind == SLUICE_WAVE_PADDLE)
        paddle_at(w, t, at);
    else
        components_at(w, t, at);
    if (w->ramp > 0) {
        rise(tau / w->ramp, tau > 0 && tau < w->ramp ? 1 / w->ramp : 0, r);
        multiply(at, r);
        if (t > w->stop - w->ramp) {
            const double left = w->stop - t;
            rise(left / w->ramp, left > 0 ? -1 / w->ramp : 0, r);
            multiply(at, r);
        }
    }
    *x = at[0];
    *v = at[1];
    *a = at[2];
}
