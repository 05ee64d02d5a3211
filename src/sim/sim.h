/* The simulation: particles on a backend, advanced step by step.
 *
 *     sluice_sim_create -> (sluice_sim_start | sluice_state_restore)
 *                       -> sluice_sim_step ... -> sluice_sim_destroy
 *
 * A step is queued on the backend, and booked when its sums have come back. With a fixed time step
 * the next step does not depend on them, so several may be under way:
 *
 *     step   ..  41  42  43  44  45          sim->step = 42: booked, in step order
 *            booked  |   under way  queued   sim->queued = 45: where the backend's particles are
 *
 * A caller that needs the particles at a step sets `hold` to it, so that no later step is queued.
 *
 * The simulation writes no output: src/sim/run.h drives it and writes. */
#ifndef SLUICE_SIM_SIM_H
#define SLUICE_SIM_SIM_H
#include "backend/backend.h"
#include "core/log.h"
#include "core/timer.h"
#include "grid/grid.h"
#include "case/case.h"
#include "model/model.h"
#include "sim/budget.h"
#include "sim/thread_count.h"
#include "sim/tune.h"

/* A step under way, and its results. */
struct sluice_flight {
    int64_t step;
    double time, dt; /* s */
    int timed;       /* its sections were marked for the backend's clock */
    int pair_energy; /* model.pair_energy: the energy and the residual are known of it */
    struct sluice_removed removed;
    struct sluice_passes passes;
    struct sluice_reduce reduce[SLUICE_TYPE_COUNT]; /* set NULL: not asked for */
};

struct sluice_sim {
    const struct sluice_config *config; /* borrowed */
    const struct sluice_case *setup;    /* borrowed */
    struct sluice_log *log;             /* borrowed */
    struct sluice_backend backend;
    struct sluice_grid grid;
    struct sluice_set set[SLUICE_TYPE_COUNT];
    struct sluice_model model;
    struct sluice_timers timers;
    struct sluice_tuning tuning;
    struct sluice_thread_count thread_count;
    int threads_said; /* in the log; 0: not yet */

    int64_t step;                                  /* the last one booked */
    int64_t queued;                                /* the last one queued */
    int64_t hold;                                  /* none is queued after this one before it is
                                                      booked; 0: none ahead at all */
    int ahead;                                     /* steps that may be under way at once */
    struct sluice_flight flight[SLUICE_IN_FLIGHT]; /* of step % SLUICE_IN_FLIGHT */
    double reaction_time; /* s: what the fluid does to walls is wanted at the first step at or after
                             it; INFINITY: never */
    double time, dt, dt_old,
        dt_next; /* s; dt of the last step made, of the one before, and of the next */
    struct sluice_budget_row now;   /* the last row: energies, works, limits */
    double power[SLUICE_SUM_COUNT]; /* P(n), W */
    double force_power;             /* of gravity along periodic axes at n, W */
    double start_total;             /* E(0), J */
    double reference_energy;        /* of the verdict, J */
    int64_t fluid_at_start, removed_count;
    int counts_pairs;                 /* at the start; off unless asked for */
    double pairs_at_start;            /* of a step, by sluice_sim_count_pairs; 0: not counted */
    int64_t count[SLUICE_TYPE_COUNT]; /* particles at `step` */
    int64_t predicted_bytes;          /* of the backend's memory, before it was asked for; 0: its
                                         memory is the host's */
    int64_t timed_steps, steps;       /* made by this process: on the backend's clock, and all */
    double device_seconds[SLUICE_SECTION_COUNT]; /* of timed_steps, by the backend's clock */
    struct sluice_summary summary[SLUICE_TYPE_COUNT];
};

/* Backend, grid and sets for the case. Errors: no memory (with what is needed and there), no such
 * backend or strategy. */
sluice_status sluice_sim_create(struct sluice_sim *sim, const struct sluice_config *config,
                                const struct sluice_case *setup, struct sluice_log *log);

/* Puts the case's start into the sets, sorts, and computes the first forces; sets the reference
 * energy. */
sluice_status sluice_sim_start(struct sluice_sim *sim);

/* Call it before the steps of a run: from then on the fastest number of threads is searched, if
 * backend.threads is 0 and the environment names none. Otherwise all threads of the backend are
 * used.
 */
void sluice_sim_choose_threads(struct sluice_sim *sim);

/* The next step, booked; more may have been queued: docs/theory.md, "The time step". Errors:
 * SLUICE_BLOW_UP when a value is not finite or particles collapsed; the message names the particle.
 */
sluice_status sluice_sim_step(struct sluice_sim *sim);

/* Queues the next step if none is under way and the backend gains from it: the backend computes it
 * while the caller writes output of the booked one. Call it only if nothing needs the booked step's
 * particles any more. */
sluice_status sluice_sim_queue(struct sluice_sim *sim);

/* Whether the sets may stay in the order of a sort for steps after it (sort_interval.c). If so, the
 * results of each step must be known before the next one is queued. */
int sluice_sim_keeps_order(const struct sluice_sim *sim);

/* Seconds by section of all steps: the host's clock, or where the backend has one of its own, its
 * seconds of a sample of the steps (sim->timed_steps) in proportion. */
void sluice_sim_sections(const struct sluice_sim *sim, double seconds[SLUICE_SECTION_COUNT]);

/* True if `now` is at or after `time`, s, up to rounding: 10 steps of 0.1 reach 1. */
int sluice_time_reached(double now, double time);
/* The same for the booked step. */
int sluice_sim_reached(const struct sluice_sim *sim, double time);

/* The time step at the present state, s: time.step, or the largest stable one. */
double sluice_sim_stable_dt(const struct sluice_sim *sim);

/* True when time.end or time.max_steps has been reached. */
int sluice_sim_finished(const struct sluice_sim *sim);

/* Memory by array, as a table: bytes a particle and in all, of each set, search structure included,
 * and what the backend has beside them; and the sum of all of it. */
void sluice_sim_print_memory(const struct sluice_sim *sim, FILE *out);
int64_t sluice_sim_memory(const struct sluice_sim *sim);

/* Ordered pairs i != j within the cutoff of all passes of a step, at the present places, and their
 * operations (NULL: not wanted). Call it between a sort and the forces of step 0, or after a step
 * with none under way: it sorts, and overwrites accelerations and rates. */
sluice_status sluice_sim_count_pairs(struct sluice_sim *sim, double *pairs, double *flops);

/* The particle to blame for a blow-up and all within two cutoffs of it, as CSV. */
sluice_status sluice_sim_dump(struct sluice_sim *sim, FILE *out);

void sluice_sim_destroy(struct sluice_sim *sim);
#endif
