/* When particles are sorted. A sort serves several steps. Until the next sort, targets search
 * further by the largest distance that a particle can have moved. The largest speed and
 * acceleration of the last step bound this distance, the drift.
 *
 * Searching further costs time in the pair loop of each step, in proportion to the drift; a sort
 * costs once. If particles move by w in a step, the mean cost is least with a sort before the drift
 * passes sqrt(g w cutoff). If w is too long, nothing is gained. g and the longest w were measured
 * (docs/gpu.md).
 *
 * The steps that begin with a sort decide the order of sums, and so the bits. So they depend on the
 * particles alone, not on a clock. */
#include <math.h>

#include "kernels/registry.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

/* With a fixed step, steps can be queued before the speeds of the last one are known. From so many
 * particles on, a sort costs more than waiting for these speeds. */
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
    /* On each side a target searches only the next frame. */
    for (int c = 0; c < g->dimension; c++)
        wide &= g->width[c] >= 4 * g->cutoff;
    return sim->backend.ops->order && config->backend.keep_order && drifts && rows && wide &&
           config->fluid.shifting.kind == SLUICE_SHIFTING_NONE &&
           sim->backend.strategy == SLUICE_STRATEGY_window &&
           (config->time.step <= 0 || sim->fluid_at_start >= WAITS_FROM);
}

/* How far particles may drift between sorts, m, if they move by `way` in a step; a little if
 * nothing moves. */
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
                      drifted <= best_drift(sim, way); /* false for NaN */
    b->drifted = keeps ? fmax(drifted, 1e-9 * sim->grid.cutoff) : 0;
}
