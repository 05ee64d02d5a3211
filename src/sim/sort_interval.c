/* When particles are sorted. A sort serves for several steps: until the next one the pair loop
 * searches further, by the distance that a particle can have moved since. The largest speed and
 * acceleration of the step before bound it, and the motions of walls and bodies do so too.
 *
 * A longer search costs time in each step, and more with each step; a sort costs time once. If a
 * particle moves by w in a step, the mean cost is least with a sort before the drift passes
 * sqrt(g w cutoff). Above a certain w, sorting in each step is fastest. Both numbers were measured
 * (docs/gpu.md).
 *
 * The steps with a sort decide the order of sums, and so the bits: they follow from the particles
 * alone, never from a clock. */
#include <math.h>

#include "kernels/registry.h"
#include "model/effect.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

int sluice_sim_keeps_order(const struct sluice_sim *sim)
{
    const struct sluice_config *config = sim->config;
    const struct sluice_grid *g = &sim->grid;
    int stays = 1; /* no driven particle crosses a periodic seam in x, and no ghost node moves */
    int rows = 1;  /* the search stays within SLUICE_DRIFT_ROWS */
    int wide = 1;  /* the search stays within a frame and the nearer of its neighbours */
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        stays &= !sluice_set_exists(&sim->set[t]) || sim->set[t].moves != SLUICE_DRIVEN ||
                 (t != SLUICE_GHOST && !g->periodic[0]);
    for (int c = 0; c < g->dimension; c++) {
        wide &= g->width[c] >= 4 * g->cutoff;
        rows &= c == 0 || ldexp((1 + 2 * SLUICE_DRIFT_MOST) * g->cutoff / g->width[c],
                                g->bins_log2[c]) <= SLUICE_DRIFT_ROWS;
    }
    return sim->backend.ops->order && config->model != SLUICE_MODEL_GAS &&
           config->backend.keep_order && stays && rows && wide &&
           !sluice_effects_move_particles(&sim->setup->physics) &&
           sim->backend.orders.strategy == SLUICE_STRATEGY_window &&
           (config->time.step <= 0 ||
            sim->backend.orders.particles[SLUICE_FLUID] >= SLUICE_WAITS_FROM);
}

/* The drift, m, before the next sort, if a particle moves by `way` in a step. Above 0 even if
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
                 of_walls = sluice_model_wall_distance(&sim->model, sim->time, flight->dt),
                 way = fmax(flight->dt * speed, of_walls) * 1.001, /* and rounding */
        drifted = b->drifted + way;
    const int keeps = sluice_sim_keeps_order(sim) && sim->queued == sim->step &&
                      flight->step % sim->tuning.every != 0 &&
                      !(sim->changes && sluice_effects_change_now(&sim->model)) &&
                      drifted <= best_drift(sim, way); /* false for a NaN */
    b->drifted = keeps ? fmax(drifted, 1e-9 * sim->grid.cutoff) : 0;
}

/* On several ranks a gas may reach as far as the supports of the last step, and those of the next
 * may be half as wide again. */
void sluice_sim_set_reach(struct sluice_sim *sim)
{
    if (!sim->backend.domain || !sim->matter.gas)
        return;
    sim->model.reach = 1.5 * sim->support;
    sluice_domain_set_reach(sim->backend.domain, sim->model.reach, 0);
}

sluice_status sluice_sim_bin(struct sluice_sim *sim, struct sluice_flight *flight)
{
    struct sluice_set *sets[SLUICE_TYPE_COUNT];
    const int n = sluice_sim_sets(sim, SLUICE_TYPE_COUNT, sets);
    sluice_sim_set_reach(sim);
    return sim->backend.ops->bin(&sim->backend, &sim->grid, sets, n,
                                 flight->born.count ? &flight->born : NULL, &flight->gone);
}

sluice_status sluice_sim_sort(struct sluice_sim *sim, struct sluice_flight *flight)
{
    sim->backend.drifted = 0;
    return sluice_sim_bin(sim, flight);
}
