#include "probes/probe_passage.h"

#include <math.h>

static const double quiet = 0.01; /* of the largest discharge of an event */

/* Begins with the first row. Returns the time since the last one, s. */
static double step_to(struct sluice_passage *p, double time)
{
    if (p->rows++ == 0) {
        p->start = p->time = time;
        p->last = p->largest = NAN;
    }
    const double dt = time - p->time;
    p->time = time;
    return dt;
}

void sluice_passage_flux(struct sluice_passage *p, double time, double flux, double values[2])
{
    p->volume += 0.5 * (p->flux + flux) * step_to(p, time);
    p->flux = flux;
    values[0] = flux;
    values[1] = p->volume;
}

static void end_event(struct sluice_passage *p, double least)
{
    if (p->event >= least) {
        p->events++;
        p->last = p->event;
        p->largest = isnan(p->largest) ? p->event : fmax(p->largest, p->event);
    }
    p->open = p->event = p->peak = 0;
}

void sluice_passage_crest(struct sluice_passage *p, const struct sluice_probe *probe,
                          double particle, double time, double discharge, double values[8])
{
    const double dt = step_to(p, time), passed = 0.5 * (fmax(p->flux, 0) + fmax(discharge, 0)) * dt,
                 back = 0.5 * (fmax(-p->flux, 0) + fmax(-discharge, 0)) * dt;
    p->volume += passed;
    p->returned += back;
    p->flux = discharge;
    if (!p->open && discharge > 0)
        p->open = 1;
    if (p->open) {
        p->event += passed;
        p->peak = fmax(p->peak, discharge);
        if (discharge > quiet * p->peak)
            p->active = time;
        else if (time - p->active >= probe->gap)
            end_event(p, probe->least > 0 ? probe->least : particle);
    }
    values[0] = discharge;
    values[1] = time > p->start ? p->volume / (time - p->start) : 0;
    values[2] = p->volume;
    values[3] = p->returned;
    values[4] = p->events;
    values[5] = p->event;
    values[6] = p->last;
    values[7] = p->largest;
}
