/* Counts the pairs of a step in an extra force evaluation, because counting would slow the steps.
 */
#include <stdlib.h>

#include "kernels/registry.h"
#include "sim/sim_internal.h"

static sluice_status count(struct sluice_sim *sim, struct sluice_flight *flight)
{
    struct sluice_backend *b = &sim->backend;
    SLUICE_TRY(b->ops->sync(b)); /* earlier sorts have now listed their removed particles */
    SLUICE_TRY(sluice_sim_sort(sim, flight));
    const sluice_status status = sim->model.ops->forces(&sim->model, b, &sim->grid,
                                                        &flight->passes);
    const sluice_status synced = b->ops->sync(b);
    SLUICE_TRY(status);
    SLUICE_TRY(synced);
    SLUICE_TRY(sluice_sim_sort(
        sim, flight)); /* drops the data that the forces derived from the first sort */
    return b->ops->sync(b);
}

sluice_status sluice_sim_count_pairs(struct sluice_sim *sim, double *pairs, double *flops)
{
    const struct sluice_timers timers = sim->timers;
    const double dt = sim->model.dt;
    struct sluice_flight flight = {0};
    SLUICE_TRY(sluice_passes_create(&flight.passes, sim->flight[0].passes.most));
    flight.passes.count_pairs = 1;
    sim->timers.mark = NULL;
    sim->model.dt = 0;
    const sluice_status status = count(sim, &flight);
    sim->model.dt = dt;
    sim->timers = timers;
    *pairs = 0;
    if (flops)
        *flops = 0;
    for (int p = 0; p < flight.passes.count; p++) {
        const struct sluice_pass *pass = &flight.passes.pass[p];
        *pairs += pass->sum[SLUICE_SUM_PAIRS];
        if (flops)
            *flops += pass->sum[SLUICE_SUM_PAIRS] * sluice_pairs[pass->pair].flops;
    }
    sluice_passes_destroy(&flight.passes);
    free(flight.removed.particle);
    return status;
}
