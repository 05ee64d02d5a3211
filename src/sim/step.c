/* One time step: each line is one operation of the backend and one row of the timing table.
 * Leapfrog with one force evaluation and a predicted velocity and density: docs/theory.md, "The
 * time step". */
#include <math.h>

#include "sim/sim.h"
#include "sim/sim_internal.h"

static sluice_status kick_drift(struct sluice_sim *sim)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (sim->set[t].count && (sim->set[t].moves || sim->set[t].field[SLUICE_FIELD_DENSITY]))
            SLUICE_TRY(
                sim->backend.ops->kick_drift(&sim->backend, &sim->grid, &sim->set[t], sim->dt));
    return SLUICE_OK;
}

static sluice_status kick(struct sluice_sim *sim)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (sim->set[t].count && (sim->set[t].moves || sim->set[t].field[SLUICE_FIELD_DENSITY]))
            SLUICE_TRY(sim->backend.ops->kick(&sim->backend, &sim->set[t], sim->dt));
    return sim->model.ops->finish ? sim->model.ops->finish(&sim->model, &sim->backend, &sim->grid)
                                  : SLUICE_OK;
}

sluice_status sluice_sim_step(struct sluice_sim *sim)
{
    sim->dt = sim->dt_next; /* from the last step's reduction, never clipped to an output */
    sim->model.dt = sim->dt;
    sim->model.dt_old = sim->step > 0 ? sim->dt_old : sim->dt;
    sim->step++;

    SLUICE_TIMED(&sim->timers, KICK_DRIFT, kick_drift(sim)); /* v, r to n+1/2; x to n+1 */
    SLUICE_TIMED(&sim->timers, BIN, sluice_sim_bin(sim));    /* walls at rest keep their order */
    SLUICE_TRY(sim->model.ops->forces(&sim->model, &sim->backend,
                                      &sim->grid)); /* a, dr/dt and powers at n+1 */
    SLUICE_TIMED(&sim->timers, KICK, kick(sim));    /* v, r to n+1 */
    sim->time = sim->config->time.step > 0 ? (double)sim->step * sim->dt : sim->time + sim->dt;
    SLUICE_TIMED(&sim->timers, REDUCE,
                 sluice_sim_account(sim, sim->dt)); /* limits, energies, not finite */
    sim->dt_old = sim->dt;
    return sluice_sim_check_alive(sim);
}
