/* When particles are sorted. A sort serves for several steps: until the next one a target looks as
 * much further as a particle can have moved, which the largest speed and acceleration of the step
 * before bound.
 *
 * Looking further costs the pair loop in each step, the more the further, a sort once: in steps of
 * w the mean of both is least where the next sort comes before the drift passes sqrt(g w cutoff);
 * and steps that are too long gain nothing. What g is, and how long, was measured (docs/gpu.md).
 *
 * Which steps begin with a sort decides the order of sums, and so the bits: it follows from the
 * particles alone, and not from a clock. */
#include <math.h>

#include "kernels/registry.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

/* With a fixed step, where steps are queued before the last one's speeds are known: from so many
 * particles on a sort costs more than waiting for them. */
enum { WAITS_FROM = 1 << 18 };

int sluice_sim_keeps_order(const struct sluice_sim *sim)
{
    const struct sluice_config *config = sim->config;
    const struct sluice_grid *g = &sim->grid;
    int drifts = 1, rows = 1, wide = 1; /* nothing but the drift moves particles that are sorted */
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        drifts &= sim->set[t].count == 0 || sim->set[t].moves != SLUICE_DRIVEN;
    for (int c = 1; c < g->dimension; c++)
        rows &= ldexp((1 + 2 * SLUICE_DRIFT_MOST) * g->cutoff / g->width[c], g->bins_log2[c]) <=
                SLUICE_DRIFT_ROWS;
    /* A target looks into the nearer frame beside it alone. */
    for (int c = 0; c < g->dimension; c++)
        wide &= g->width[c] >= 4 * g->cutoff;
    return sim->backend.ops->order && config->backend.keep_order && drifts && rows && wide &&
           config->fluid.shifting.kind == SLUICE_SHIFTING_NONE &&
           sim->backend.strategy == SLUICE_STRATEGY_window &&
           (config->time.step <= 0 || sim->fluid_at_start >= WAITS_FROM);
}

/* How far particles may drift, m, in steps of `way`; a little where nothing moves. */
static double best_drift(const struct sluice_sim *sim, double way)
{
    const int flat = sim->config->dimension == 2;
    const double cutoff = sim->grid.cutoff, g = flat ? 0.3 : 0.1,
                 longest = flat ? 0.075 : 0.03; /* of the cutoff */
    const double best = way < longest * cutoff ? sqrt(g * way * cutoff) : 0;
    return fmin(fmax(best, 1e-6 * cutoff), SLUICE_DRIFT_MOST * cutoff);
}

void sluice_sim_drift(struct sluice_sim *sim, const struct sluice_flight *flight)
{
    struct sluice_backend *b = &sim->backend;
    const struct sluice_budget_row *last = &sim->now;
    const double speed = last->max_speed + flight->dt / 2 * last->max_acceleration,
                 way = flight->dt * speed * 1.001, /* and rounding */
        drifted = b->drifted + way;
    const int keeps = sluice_sim_keeps_order(sim) && sim->queued == sim->step &&
                      flight->step % sim->tuning.every != 0 &&
                      drifted <= best_drift(sim, way); /* not a number is not */
    b->drifted = keeps ? fmax(drifted, 1e-9 * sim->grid.cutoff) : 0;
}
