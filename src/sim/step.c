/* One time step: each line of queue_operations is one section of the timing table. Leapfrog with
 * one force evaluation and a predicted velocity and density: docs/theory.md, "The time step". */
#include <string.h>

#include "model/effect.h"
#include "sim/tune.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

/* Fluid, and the density of dynamic walls. */
static int is_integrated(const struct sluice_set *set)
{
    return sluice_set_exists(set) && (set->moves == SLUICE_FREE || set->field[SLUICE_FIELD_SCALAR]);
}

/* Walls first: on a GPU the drift of the fluid then waits for the prediction. */
static sluice_status kick_drift(struct sluice_sim *sim)
{
    SLUICE_TRY(sluice_model_move_walls(&sim->model, &sim->backend, &sim->grid, 1));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (is_integrated(&sim->set[t]))
            SLUICE_TRY(sim->backend.ops->kick_drift(&sim->backend, &sim->grid, &sim->set[t],
                                                    sim->model.dt));
    return SLUICE_OK;
}

static sluice_status kick(struct sluice_sim *sim)
{
    sluice_bodies_kick(&sim->model.bodies, sim->model.dt, 0);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (is_integrated(&sim->set[t]))
            SLUICE_TRY(sim->backend.ops->kick(&sim->backend, &sim->set[t], sim->model.dt));
    return sim->model.ops->finish ? sim->model.ops->finish(&sim->model, &sim->backend, &sim->grid)
                                  : SLUICE_OK;
}

static sluice_status forces(struct sluice_sim *sim, struct sluice_flight *flight)
{
    return sim->model.ops->forces(&sim->model, &sim->backend, &sim->grid, &flight->passes);
}

static sluice_status queue_operations(struct sluice_sim *sim, struct sluice_flight *flight)
{
    struct sluice_timers *t = &sim->timers;
    SLUICE_TIMED(t, KICK_DRIFT, kick_drift(sim));            /* v, r to n+1/2; x, walls to n+1 */
    SLUICE_TIMED(t, BIN, sluice_sim_change(sim, flight));    /* what comes and goes: population.c */
    SLUICE_TIMED(t, BIN, sluice_sim_bin(sim, flight));       /* sorts at times: sort_interval.c */
    SLUICE_TRY(sluice_tune(sim, flight->step));              /* seldom: another strategy */
    SLUICE_TRY(forces(sim, flight));                         /* a, dr/dt and powers at n+1 */
    SLUICE_TIMED(t, KICK, kick(sim));                        /* v, r to n+1 */
    SLUICE_TIMED(t, REDUCE, sluice_sim_reduce(sim, flight)); /* limits, at times energies */
    return SLUICE_OK;
}

/* The backend's clock is read on one step in STEPS_A_SAMPLE: reading it takes a little time. A
 * prime, so that it is no multiple of the steps from sort to sort. */
enum { STEPS_A_SAMPLE = 17 };

static void mark(void *backend, int section)
{
    struct sluice_backend *b = backend;
    b->ops->mark(b, section);
}

/* Rows of energy.csv and outputs of particles need energies. */
static int wants_energies(const struct sluice_sim *sim, int64_t step)
{
    const long long every = sim->config->energy.every;
    return (every > 0 && step % every == 0) || step == sim->queue_limit;
}

/* Queues the step after the last one queued. A device computes it after this has returned. */
static sluice_status queue_step(struct sluice_sim *sim)
{
    const int64_t step = sim->queued + 1;
    const int slot = (int)(step % SLUICE_IN_FLIGHT);
    struct sluice_flight *flight = &sim->flight[slot];
    const double fixed = sim->config->time.step;
    flight->step = step;
    flight->dt = sim->dt_next; /* from the last step's reduction, never clipped to an output */
    flight->time = fixed > 0 ? (double)step * fixed : sim->time + sim->dt_next;
    flight->timed = sim->backend.ops->elapsed && step % STEPS_A_SAMPLE == 1;
    flight->energies = wants_energies(sim, step);
    sim->model.sums = sluice_model_sums(&sim->model, flight->energies);
    sim->model.step = step;
    sim->model.time = flight->time;
    sim->model.dt = flight->dt;
    sim->model.dt_old = sim->dt_old;
    sim->model.reacts = sluice_time_reached(flight->time, sim->reaction_time);
    sluice_sim_drift(sim, flight);
    sim->timers.mark = flight->timed ? mark : NULL;
    sim->timers.mark_data = &sim->backend;
    const sluice_status status = queue_operations(sim, flight);
    sim->timers.mark = NULL;
    SLUICE_TRY(status);
    if (sim->backend.ops->post)
        SLUICE_TRY(sim->backend.ops->post(&sim->backend, slot));
    sim->queued = step;
    return SLUICE_OK;
}

/* Births and deaths are summed while a device goes on with the step. */
static sluice_status wait_for(struct sluice_sim *sim, struct sluice_flight *flight)
{
    struct sluice_backend *b = &sim->backend;
    const int slot = (int)(flight->step % SLUICE_IN_FLIGHT);
    int early = 0;
    if (sim->changes && b->ops->wait)
        SLUICE_TRY(b->ops->wait(b, slot, &early));
    if (early)
        sluice_sim_sum_changes(sim, flight);
    SLUICE_TRY(b->ops->wait ? b->ops->wait(b, slot, NULL) : b->ops->sync(b));
    if (!early)
        sluice_sim_sum_changes(sim, flight);
    sim->steps++;
    if (!flight->timed)
        return SLUICE_OK;
    sim->timed_steps++;
    return b->ops->elapsed(b, sim->device_seconds);
}

/* The last step to queue now: the next one, or with a fixed time step as many as may be under way,
 * up to queue_limit. */
static int64_t last_to_queue(const struct sluice_sim *sim)
{
    const int64_t next = sim->step + 1, furthest = sluice_tune_limit(sim, sim->step + sim->ahead);
    if (sim->config->time.step <= 0 || sim->queue_limit <= next || sluice_sim_keeps_order(sim))
        return next;
    return sim->queue_limit < furthest ? sim->queue_limit : furthest;
}

/* The choices that depend on numbers of particles are made anew where there are twice as many:
 * backend/orders.h. */
static void renew_orders(struct sluice_sim *sim)
{
    struct sluice_orders *orders = &sim->backend.orders;
    if (sim->count[SLUICE_FLUID] < 2 * orders->particles[SLUICE_FLUID])
        return;
    memcpy(orders->particles, sim->count, sizeof orders->particles);
    sluice_log_line(sim->log, "orders of sums from step %lld on: by %lld fluid particles",
                    (long long)sim->step + 1, (long long)orders->particles[SLUICE_FLUID]);
}

sluice_status sluice_sim_queue(struct sluice_sim *sim)
{
    return sim->queued == sim->step && sim->ahead > 1 ? queue_step(sim) : SLUICE_OK;
}

sluice_status sluice_sim_step(struct sluice_sim *sim)
{
    struct sluice_flight *flight = &sim->flight[(sim->step + 1) % SLUICE_IN_FLIGHT];
    const double begun = sluice_seconds(), measuring = sim->tuning.seconds;
    while (sim->queued < last_to_queue(sim)) /* each time: a step may change the strategy */
        SLUICE_TRY(queue_step(sim));
    SLUICE_TRY(sluice_effects_prepare_next(&sim->model, &sim->backend));
    SLUICE_TRY(wait_for(sim, flight));
    sluice_effects_add_sums(&sim->model);
    SLUICE_TRY(sluice_sim_book(sim, flight));
    renew_orders(sim);
    if (sim->thread_count.most > 1)
        sluice_sim_count_threads(sim, sluice_seconds() - begun - (sim->tuning.seconds - measuring));
    sim->dt_old = sim->dt;
    return sluice_sim_check_alive(sim);
}
