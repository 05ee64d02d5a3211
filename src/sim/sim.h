/* The simulation: particles on a backend, advanced step by step.
 *
 *     sluice_sim_create -> (sluice_sim_start | sluice_state_restore)
 *                       -> sluice_sim_step ... -> sluice_sim_destroy
 *
 * A step is queued on the backend, and booked when its sums have come back. With a fixed time step
 * the next one does not depend on them, so several may be under way:
 *
 *     step   ..  41  42  43  44  45          sim->step = 42: booked, in step order
 *            booked  |   under way  queued   sim->queued = 45: where the backend's particles are
 *
 * Output that needs the particles of a step sets queue_limit to it, so that no later step is
 * queued.
 *
 * The simulation itself writes nothing: src/sim/run.h drives it and writes. */
#ifndef SLUICE_SIM_SIM_H
#define SLUICE_SIM_SIM_H
#include "backend/backend.h"
#include "core/json.h"
#include "core/log.h"
#include "core/timer.h"
#include "grid/grid.h"
#include "case/case.h"
#include "domain/frame_counts.h"
#include "model/model.h"
#include "snapshots/particle_copy.h"
#include "sim/budget_row.h"
#include "sim/thread_count.h"
#include "sim/tune_choice.h"

/* Sums over the particles that came or went. */
enum sluice_flows {
    SLUICE_FLOW_ENTERED, /* they came */
    SLUICE_FLOW_LEFT,    /* an effect took them out */
    SLUICE_FLOW_REMOVED, /* they left the domain */
    SLUICE_FLOWS
};
struct sluice_flow {
    double mass, momentum[3], energy; /* kg, kg m/s, J */
};
enum { SLUICE_FLOW_REALS = sizeof(struct sluice_flow) / sizeof(double) };
/* population.c: of population.csv, after step and time. */
extern const struct sluice_column sluice_population_columns[];

/* A step under way, and its results. */
struct sluice_flight {
    int64_t step;
    double time, dt;                        /* s */
    int timed;                              /* its sections were marked for the backend's clock */
    int energies;                           /* those of particles and pairs are summed */
    struct sluice_particle_list born, gone; /* in the step */
    struct sluice_flow flow[SLUICE_FLOWS];  /* of these two */
    int64_t flow_particles[SLUICE_FLOWS];
    struct sluice_passes passes;
    struct sluice_reduce reduce[SLUICE_TYPE_COUNT]; /* set NULL: none */
};

struct sluice_sim {
    const struct sluice_config *config; /* borrowed */
    const struct sluice_case *setup;    /* borrowed */
    struct sluice_log *log;             /* borrowed */
    struct sluice_backend backend;
    struct sluice_threads *team; /* the model's; NULL: the backend's, or the caller alone */
    struct sluice_grid grid;
    struct sluice_set set[SLUICE_TYPE_COUNT];
    struct sluice_model model;
    struct sluice_frame_counts start_frames; /* while the sets are made; then empty */
    struct sluice_timers timers;
    struct sluice_tuning tuning;
    struct sluice_thread_count thread_count;
    int threads_logged; /* the number in the log; 0: none yet */

    int64_t step;                                  /* the last one booked */
    int64_t queued;                                /* the last one queued */
    int64_t queue_limit;                           /* no later step is queued until this one is
                                                      booked, which sums energies; 0: one step at
                                                      a time */
    int ahead;                                     /* steps that may be under way at once */
    struct sluice_flight flight[SLUICE_IN_FLIGHT]; /* of step % SLUICE_IN_FLIGHT */
    double reaction_time; /* s: the first step at or after it sums the fluid's forces on walls;
                             INFINITY: none does */
    double time, dt, dt_old,
        dt_next; /* s; dt of the last step made, of the one before, and of the next */
    struct sluice_budget_row now;   /* of `step`, but the energies, momenta, temperature, pressure
                                       and residual of the fluid are of energy_step */
    int64_t energy_step;            /* the last one whose energies were summed */
    double power[SLUICE_SUM_COUNT]; /* P(n), W */
    double lost_power;              /* of bodies, to impacts, friction and dampers at n, W */
    double force_power;             /* of accelerations without a potential at n, W */
    double start_total;             /* E(0), J */
    double reference_energy;        /* of the verdict, J */
    int changes;                    /* 1: particles may come and go by effects */
    struct sluice_flow flow[SLUICE_FLOWS];
    int64_t flow_particles[SLUICE_FLOWS];
    int64_t removed_reported; /* particles that left the domain, as the terminal showed last */
    double support;           /* of a gas: the largest one, m */
    double density_sums;      /* of a gas, in steps of this process: sums a particle, added up */
    int64_t negative_count;   /* and predicted energies below 0, for which 0 was taken */
    int counts_pairs;      /* at the start; off unless asked for. A gas then begins from smoothing
                              lengths one Newton step nearer to their equation */
    double pairs_at_start; /* of a step, by sluice_sim_count_pairs; 0: not counted */
    int64_t count[SLUICE_TYPE_COUNT]; /* particles at `step` */
    int64_t predicted_bytes;          /* of the backend's memory, before it was asked for; 0: its
                                         memory is the host's */
    int64_t free_bytes;               /* of the backend, then */
    int64_t timed_steps, steps;       /* made by this process: on the backend's clock, and all */
    double device_seconds[SLUICE_SECTION_COUNT]; /* of timed_steps, by the backend's clock */
    struct sluice_summary summary[SLUICE_TYPE_COUNT];
    struct sluice_limits rest; /* of the fluid at rest, or of a gas at its start */
    struct sluice_matter matter;
};

/* The source of densities and pressures of particles; NULL: the model has none. */
const struct sluice_matter *sluice_sim_matter(const struct sluice_sim *sim);

/* Opens the backend and makes the grid and the model for the case. Errors: no such backend or
 * strategy, memory. */
sluice_status sluice_sim_create(struct sluice_sim *sim, const struct sluice_config *config,
                                const struct sluice_case *setup, struct sluice_log *log);

/* Fills the sets with the case's start, sorts, and computes the first forces and the reference
 * energy. Errors: also not enough memory, with the bytes needed and free. */
sluice_status sluice_sim_start(struct sluice_sim *sim);

/* Call it before the steps of a run: the run then finds the fastest number of threads, if
 * backend.threads is 0 and the environment names none. Otherwise all threads are used. */
void sluice_sim_choose_threads(struct sluice_sim *sim);

/* Makes and books the next step, and may queue more: docs/theory.md, "The time step". Errors:
 * SLUICE_BLOW_UP, a value is not finite or the fluid has collapsed; the message names the particle.
 */
sluice_status sluice_sim_step(struct sluice_sim *sim);

/* Queues the next step if none is under way and the backend can run ahead: it computes the step
 * while the caller writes the results of the last one, whose particles are lost. */
sluice_status sluice_sim_queue(struct sluice_sim *sim);

/* Whether the sets may stay in the order of a sort for several steps (sort_interval.c). Then each
 * step must be booked before the next one is queued. */
int sluice_sim_keeps_order(const struct sluice_sim *sim);
/* Queues a sort of all moving sets. */
sluice_status sluice_sim_sort(struct sluice_sim *sim, struct sluice_flight *flight);

/* Seconds by section of all steps: by the host's clock, or by the backend's own, scaled up from a
 * sample of the steps (sim->timed_steps). */
void sluice_sim_sections(const struct sluice_sim *sim, double seconds[SLUICE_SECTION_COUNT]);

/* Whether `now` is at or after `time`, s, up to rounding: 10 steps of 0.1 reach 1. */
int sluice_time_reached(double now, double time);

/* The next time step, s: time.step, or the largest stable one in the present state. */
double sluice_sim_stable_dt(const struct sluice_sim *sim);

/* Whether time.end or time.max_steps has been reached. */
int sluice_sim_finished(const struct sluice_sim *sim);

/* Prints a table of the memory: each array of each set, the search tables, and the backend's work
 * space. sluice_sim_memory: the sum, bytes. */
void sluice_sim_print_memory(const struct sluice_sim *sim, FILE *out);
/* One line: the sum, and what sets and search tables have of it. */
void sluice_sim_print_memory_line(const struct sluice_sim *sim, FILE *out);
/* "memory_bytes", the sum, and "memory", the table. */
void sluice_sim_write_memory(const struct sluice_sim *sim, struct sluice_json *json);
int64_t sluice_sim_memory(const struct sluice_sim *sim);
/* Collective. Logs the table, to log.txt alone, as it is long; and which of several ranks has the
 * most. */
sluice_status sluice_sim_log_memory(const struct sluice_sim *sim);

/* Logs the most memory of a device that the run has taken so far; nothing for a backend on the
 * host. Collective. */
sluice_status sluice_sim_log_most_memory(const struct sluice_sim *sim);

/* Ordered pairs i != j within the cutoff of all passes of a step, at the present places, and their
 * operations (NULL: not wanted). Call it between a sort and the forces of step 0, or after a step
 * with none under way: it sorts, and overwrites accelerations and rates. */
sluice_status sluice_sim_count_pairs(struct sluice_sim *sim, double *pairs, double *flops);

/* Writes the particle at fault in a blow-up, and all within two cutoffs of it, as CSV of these
 * columns. */
extern const struct sluice_column sluice_blow_up_columns[];
sluice_status sluice_sim_dump(struct sluice_sim *sim, FILE *out);

void sluice_sim_destroy(struct sluice_sim *sim);
#endif
