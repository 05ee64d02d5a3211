/* From the case's particles to sorted sets on the backend, and the first forces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/registry.h"
#include "model/effect.h"
#include "sim/tune.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

/* a(-1) = a(0), R(-1) = R(0). */
static sluice_status copy_to_old(struct sluice_sim *sim, enum sluice_type type,
                                 enum sluice_field from, enum sluice_field to)
{
    enum { PIECE = 1 << 24 };
    const struct sluice_set *set = &sim->set[type];
    const int64_t bytes = set->count * sluice_set_field_bytes(set, from);
    sluice_status status = SLUICE_OK;
    char *memory;
    if (!set->field[from] || !set->field[to])
        return SLUICE_OK;
    SLUICE_ALLOCATE(memory, PIECE, "bytes to stage");
    for (int64_t at = 0; at < bytes && status == SLUICE_OK; at += PIECE) {
        const size_t n = (size_t)(bytes - at < PIECE ? bytes - at : PIECE);
        status = sim->backend.ops->download(&sim->backend, memory, (char *)set->field[from] + at,
                                            n);
        if (status == SLUICE_OK)
            status = sim->backend.ops->upload(&sim->backend, (char *)set->field[to] + at, memory,
                                              n);
    }
    free(memory);
    return status;
}

static double initial_energy(const struct sluice_sim *sim)
{
    const struct sluice_budget_row *e = &sim->now;
    return e->kinetic + e->elastic + e->thermal + fabs(e->potential) + fabs(e->bodies) +
           fabs(e->pair);
}

/* Tells which passes another strategy than the named one runs. */
static void log_rare_pairs(const struct sluice_sim *sim, const struct sluice_passes *passes)
{
    if (sim->backend.ops->on_host || sim->backend.orders.strategy == SLUICE_STRATEGY_window)
        return;
    for (int p = 0; p < passes->count; p++)
        if (sluice_pair_is_rare(passes->pass[p].pair))
            sluice_log_line(
                sim->log,
                "strategy %s: pass \"%s\" is by window, the only one on a GPU with pair "
                "%s",
                sluice_strategies[sim->backend.orders.strategy].name, passes->pass[p].name,
                sluice_pairs[passes->pass[p].pair].name);
}

/* --- Pairs --- */

/* Counts the pairs of a step in an extra evaluation of the forces: counting would slow the steps.
 */
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
    free(flight.gone.particle);
    return status;
}

/* --- Start --- */

sluice_status sluice_sim_start(struct sluice_sim *sim)
{
    struct sluice_flight *first = &sim->flight[0];
    SLUICE_TRY(sluice_sim_fill_sets(sim));
    sluice_sim_set_born_mass(sim);
    SLUICE_TRY(sluice_sim_sort(sim, first));
    sim->model.time = sim->model.dt = sim->model.dt_old = 0;
    sim->model.reacts = sim->reaction_time <= 0;
    first->energies = 1;
    SLUICE_TRY(sluice_model_move_walls(&sim->model, &sim->backend, &sim->grid, 0));
    SLUICE_TRY(sluice_tune(sim, 0));
    if (sim->config->model == SLUICE_MODEL_GAS || /* it finds h from rough guesses */
        sluice_effects_start_twice(&sim->setup->physics)) {
        SLUICE_TRY(sim->model.ops->forces(&sim->model, &sim->backend, &sim->grid, &first->passes));
        SLUICE_TRY(sim->backend.ops->sync(&sim->backend));
        SLUICE_TRY(sluice_sim_sort(sim, first)); /* halos have what was found */
    }
    if (sim->counts_pairs)
        SLUICE_TRY(sluice_sim_count_pairs(sim, &sim->pairs_at_start, NULL));
    SLUICE_TRY(sim->model.ops->forces(&sim->model, &sim->backend, &sim->grid, &first->passes));
    log_rare_pairs(sim, &first->passes);
    sluice_bodies_kick(&sim->model.bodies, 0, 1);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        SLUICE_TRY(copy_to_old(sim, (enum sluice_type)t, SLUICE_FIELD_ACCELERATION,
                               SLUICE_FIELD_ACCELERATION_OLD));
        SLUICE_TRY(copy_to_old(sim, (enum sluice_type)t, SLUICE_FIELD_RATE, SLUICE_FIELD_RATE_OLD));
    }
    SLUICE_TRY(sluice_sim_reduce(sim, first));
    SLUICE_TRY(sim->backend.ops->sync(&sim->backend));
    sluice_sim_sum_changes(sim, first);
    SLUICE_TRY(sluice_sim_book(sim, first));
    /* Particles beyond the domain at the start are not in E(0). */
    memset(sim->flow, 0, sizeof sim->flow);
    memset(sim->flow_particles, 0, sizeof sim->flow_particles);
    sim->now.removed = 0;
    sim->rest.rate = sim->summary[SLUICE_FLUID].extremes.max_rate;
    sim->start_total = sim->now.total;
    sim->now.residual = 0;
    sim->reference_energy = sim->setup->reference_energy > 0 ? sim->setup->reference_energy
                                                             : initial_energy(sim);
    SLUICE_TRY(sluice_sim_check_alive(sim));
    SLUICE_CHECK(sim->reference_energy > 0 || !sim->model.energy, SLUICE_BAD_INPUT,
                 "energy.reference: the case has no energy at its start to measure the residual "
                 "against; give energy.reference (J)");
    sim->now.reference = sim->reference_energy;
    sim->dt_old = sim->dt_next; /* of the step before the first one, which does not exist */
    return SLUICE_OK;
}
