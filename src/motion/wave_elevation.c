/* The waves that theory has at a distance from their maker. */
#include <math.h>

#include "motion/wave_maker.h"
#include "motion/wave_ramp.h"

/* The ramps that have come so far at a wave's group velocity. */
static double ramp_at(const struct sluice_wave_maker *w, const struct sluice_wave_component *c,
                      double distance, double t)
{
    const double left = t - distance / sluice_wave_component_speed(c, w->of->depth);
    return w->ramp > 0 ? sluice_wave_rise((left - w->start) / w->ramp) *
                             sluice_wave_rise((w->stop - left) / w->ramp)
                       : 1;
}

static double solitary_at(const struct sluice_wave_maker *w, double distance, double t)
{
    const struct sluice_solitary *s = &w->solitary;
    const double from_crest = cosh(s->beta * (distance - s->c * (t - sluice_wave_maker_crest(w))));
    return w->of->gain * s->height / (from_crest * from_crest);
}

/* A paddle that moves the other way makes troughs of crests. */
static double steady_at(const struct sluice_wave_maker *w, double distance, double t)
{
    const struct sluice_wave_component *c = w->component;
    const double turned = w->of->gain < 0 ? 3.14159265358979323846 : 0,
                 phase = w->steady.k * distance - c->omega * (t - w->of->start) - c->phase;
    return ramp_at(w, c, distance, t) * sluice_steady_wave_at(&w->steady, phase + turned);
}

double sluice_wave_maker_elevation(const struct sluice_wave_maker *w, double distance, double t)
{
    double sum = 0;
    if (w->of->kind == SLUICE_WAVE_PADDLE)
        return NAN;
    if (w->of->kind == SLUICE_WAVE_SOLITARY)
        return solitary_at(w, distance, t);
    if (w->steady.k > 0)
        return steady_at(w, distance, t);
    for (int64_t i = 0; i < w->count; i++) {
        const struct sluice_wave_component *c = &w->component[i];
        sum += ramp_at(w, c, distance, t) * c->amplitude *
               cos(c->k * distance - c->omega * (t - w->of->start) - c->phase);
    }
    return w->of->gain * sum;
}
