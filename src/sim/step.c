/* One time step: each line is one operation of the backend and one row of the timing table.
 * Leapfrog with one force evaluation and a predicted velocity and density: docs/theory.md, "The
 * time step". */
#include <math.h>

#include "core/processors.h"
#include "core/threads.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

/* Fluid, and the density of dynamic walls. */
static int is_integrated(const struct sluice_set *set)
{
    return set->count && (set->moves == SLUICE_FREE || set->field[SLUICE_FIELD_DENSITY]);
}

static sluice_status kick_drift(struct sluice_sim *sim)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (is_integrated(&sim->set[t]))
            SLUICE_TRY(sim->backend.ops->kick_drift(&sim->backend, &sim->grid, &sim->set[t],
                                                    sim->model.dt));
    return sluice_model_move_walls(&sim->model, &sim->backend, &sim->grid, 1);
}

static sluice_status kick(struct sluice_sim *sim)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        if (is_integrated(&sim->set[t]))
            SLUICE_TRY(sim->backend.ops->kick(&sim->backend, &sim->set[t], sim->model.dt));
    return sim->model.ops->finish ? sim->model.ops->finish(&sim->model, &sim->backend, &sim->grid)
                                  : SLUICE_OK;
}

/* One step in so many is timed with the backend's clock, because reading it costs a little. A
 * prime, so that it is no multiple of the steps between sorts. */
enum { STEPS_A_SAMPLE = 17 };

static void mark(void *backend, int section)
{
    struct sluice_backend *b = backend;
    b->ops->mark(b, section);
}

static sluice_status queue_operations(struct sluice_sim *sim, struct sluice_flight *flight)
{
    SLUICE_TIMED(&sim->timers, KICK_DRIFT, kick_drift(sim)); /* v, r to n+1/2; x and walls to n+1 */
    SLUICE_TIMED(&sim->timers, BIN,
                 sluice_sim_bin(sim, flight)); /* not in every step: sort_interval.c */
    SLUICE_TRY(sluice_tune(
        sim, flight->step)); /* seldom: chooses the strategy and bins of the next steps */
    SLUICE_TRY(sim->model.ops->forces(&sim->model, &sim->backend, &sim->grid,
                                      &flight->passes)); /* a, dr/dt and powers at n+1 */
    SLUICE_TIMED(&sim->timers, KICK, kick(sim));         /* v, r to n+1 */
    SLUICE_TIMED(&sim->timers, REDUCE,
                 sluice_sim_reduce(sim, flight)); /* limits, energies, not finite */
    return SLUICE_OK;
}

/* Whether the energy of pairs is needed: for a row of energy.csv, or for an output at step hold. */
static int wants_pair_energy(const struct sluice_sim *sim, int64_t step)
{
    const long long every = sim->config->energy.every;
    return sim->model.energy && (step % every == 0 || step == sim->hold);
}

/* Queues the step after the last one queued; the backend works while this returns. */
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
    flight->pair_energy = sim->model.pair_energy = wants_pair_energy(sim, step);
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

static sluice_status wait_for(struct sluice_sim *sim, struct sluice_flight *flight)
{
    struct sluice_backend *b = &sim->backend;
    SLUICE_TRY(b->ops->wait ? b->ops->wait(b, (int)(flight->step % SLUICE_IN_FLIGHT))
                            : b->ops->sync(b));
    sim->steps++;
    if (!flight->timed)
        return SLUICE_OK;
    sim->timed_steps++;
    return b->ops->elapsed(b, sim->device_seconds);
}

/* The last step to queue: the next one, or with a fixed time step as many as can be under way, up
 * to `hold`. */
static int64_t last_to_queue(const struct sluice_sim *sim)
{
    const int64_t next = sim->step + 1, furthest = sluice_tune_limit(sim, sim->step + sim->ahead);
    if (sim->config->time.step <= 0 || sim->hold <= next || sluice_sim_keeps_order(sim))
        return next;
    return sim->hold < furthest ? sim->hold : furthest;
}

sluice_status sluice_sim_queue(struct sluice_sim *sim)
{
    return sim->queued == sim->step && sim->ahead > 1 ? queue_step(sim) : SLUICE_OK;
}

void sluice_sim_choose_threads(struct sluice_sim *sim)
{
    const int most = sluice_threads_count(sim->backend.team);
    const int64_t particles = sim->count[SLUICE_FLUID] + sim->count[SLUICE_WALL];
    if (most == 1 || sim->config->backend.threads > 0 || sluice_processors_asked() > 0)
        return;
    sluice_thread_count_begin(&sim->thread_count, most, particles);
    sluice_threads_use(sim->backend.team, sim->thread_count.used);
}

/* Logs the first choice, and each that differs from the last. */
static void count_threads(struct sluice_sim *sim, double seconds)
{
    struct sluice_thread_count *c = &sim->thread_count;
    char text[SLUICE_THREAD_TEXT];
    const int ended = sluice_thread_count_step(c, seconds);
    sluice_threads_use(sim->backend.team, c->used);
    if (!ended || c->used == sim->threads_said)
        return;
    sim->threads_said = c->used;
    sluice_thread_count_text(c, text);
    sluice_log_line(sim->log, "threads: %s", text);
}

sluice_status sluice_sim_step(struct sluice_sim *sim)
{
    struct sluice_flight *flight = &sim->flight[(sim->step + 1) % SLUICE_IN_FLIGHT];
    const double begun = sluice_seconds(), looks = sim->tuning.seconds;
    while (sim->queued <
           last_to_queue(sim)) /* evaluated each time: a step may change strategy and bins */
        SLUICE_TRY(queue_step(sim));
    SLUICE_TRY(wait_for(sim, flight));
    SLUICE_TRY(sluice_sim_book(sim, flight));
    if (sim->thread_count.most > 1)
        count_threads(sim, sluice_seconds() - begun - (sim->tuning.seconds - looks));
    sim->dt_old = sim->dt;
    return sluice_sim_check_alive(sim);
}
