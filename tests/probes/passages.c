/* test: 0.1 s */
/* Volumes that pass through a section, and the events of overtopping, of discharges whose integrals
 * are known. */
#include <math.h>
#include <string.h>

#include "probes/probe_passage.h"
#include "support/tap.h"

enum { DISCHARGE, MEAN, VOLUME, RETURNED, EVENTS, EVENT, LAST, LARGEST, COLUMNS };
static const double dt = 0.01, particle = 1e-4;

/* Two waves of half a sine, of 0.2 and 0.5 s, with water that flows back between them, and a drop
 * of less than a particle at the end. */
static double discharge_at(double t)
{
    if (t >= 1 && t <= 1.2)
        return 0.3 * sin(M_PI * (t - 1) / 0.2);
    if (t > 1.2 && t <= 1.4)
        return -0.05 * sin(M_PI * (t - 1.2) / 0.2);
    if (t >= 2 && t <= 2.5)
        return 0.1 * sin(M_PI * (t - 2) / 0.5);
    return fabs(t - 3.5) < 0.5 * dt ? 0.5 * particle / dt : 0;
}

static void run(struct sluice_passage *p, const struct sluice_probe *probe, int from, int to,
                double values[COLUMNS])
{
    for (int k = from; k <= to; k++)
        sluice_passage_crest(p, probe, particle, k * dt, discharge_at(k * dt), values);
}

static void crest(void)
{
    /* the trapezoidal rule of half a sine of 20 steps has an error of (pi/20)^2/12 */
    const double rule = 3e-3, first = 0.3 * 0.2 * 2 / M_PI, second = 0.1 * 0.5 * 2 / M_PI;
    const struct sluice_probe probe = {.gap = 0.3};
    struct sluice_passage p = {0}, kept;
    double v[COLUMNS], again[COLUMNS];
    run(&p, &probe, 0, 90, v);
    ok(v[VOLUME] == 0 && v[EVENTS] == 0 && isnan(v[LAST]) && isnan(v[LARGEST]), "nothing yet");
    run(&p, &probe, 91, 110, v);
    ok(v[EVENTS] == 0 && v[EVENT] > 0.4 * first, "an event goes on");
    kept = p;
    run(&p, &probe, 111, 160, v);
    run(&kept, &probe, 111, 160, again);
    ok(memcmp(v, again, sizeof v) == 0, "from its numbers it goes on with the same bits");
    is_close(v[EVENTS], 1, 0, "it has ended");
    is_close(v[LAST] / first, 1, rule, "its volume");
    is_close(v[RETURNED] / (0.05 * 0.2 * 2 / M_PI), 1, rule, "the volume that flowed back");
    run(&p, &probe, 161, 450, v);
    is_close(v[EVENTS], 2, 0, "the second one; a drop is none");
    is_close(v[LAST] / second, 1, rule, "its volume");
    is_close(v[LARGEST] / first, 1, rule, "the largest is the first");
    is_close(v[VOLUME] / (first + second + 0.5 * particle), 1, rule, "all of it, with the drop");
    is_close(v[MEAN], v[VOLUME] / 4.5, 1e-15, "the mean discharge");
}

static void choices(void)
{
    const struct sluice_probe large = {.gap = 0.3, .least = 0.035}, slow = {.gap = 0.9};
    struct sluice_passage p = {0}, q = {0};
    double v[COLUMNS];
    run(&p, &large, 0, 450, v);
    is_close(v[EVENTS], 1, 0, "`least`: one event is large enough");
    run(&q, &slow, 0, 450, v);
    is_close(v[EVENTS], 1, 0, "a gap of more than the pause joins both waves");
}

static void flux(void)
{
    struct sluice_passage p = {0};
    double v[2];
    for (int k = 0; k <= 100; k++)
        sluice_passage_flux(&p, 5 + k * dt, 2 - 0.04 * k, v);
    is_close(v[0], -2, 1e-12, "a flux that turns");
    is_close(v[1], 0, 1e-12, "its volume comes back");
    for (int k = 101; k <= 150; k++)
        sluice_passage_flux(&p, 5 + k * dt, -2, v);
    is_close(v[1], -1, 1e-12, "and goes the other way");
}

int main(void)
{
    crest();
    choices();
    flux();
    return done_testing();
}
