/* The simulation: particles on a backend, advanced step by step.
 *
 *     sluice_sim_create -> (sluice_sim_start | sluice_sim_restore)
 *                       -> sluice_sim_step ... -> sluice_sim_destroy
 *
 * Output is not its business: src/sim/run.h drives it and writes. */
#ifndef SLUICE_SIM_SIM_H
#define SLUICE_SIM_SIM_H
#include "backend/backend.h"
#include "core/log.h"
#include "core/timer.h"
#include "grid/grid.h"
#include "io/case.h"
#include "model/model.h"
#include "sim/budget.h"

struct sluice_sim {
    const struct sluice_config *config; /* borrowed */
    const struct sluice_case *setup;    /* borrowed */
    struct sluice_log *log;             /* borrowed */
    struct sluice_backend backend;
    struct sluice_grid grid;
    struct sluice_set set[SLUICE_TYPE_COUNT];
    struct sluice_model model;
    struct sluice_timers timers;

    int64_t step;
    double time, dt, dt_old,
        dt_next; /* s; dt of the last step made, of the one before, and of the next */
    struct sluice_budget_row now;   /* the last row: energies, works, limits */
    double power[SLUICE_SUM_COUNT]; /* P(n), W */
    double force_power;             /* of gravity along periodic axes at n, W */
    double start_total;             /* E(0), J */
    double reference_energy;        /* of the verdict, J */
    int64_t fluid_at_start, removed_count;
    struct sluice_summary summary[SLUICE_TYPE_COUNT];
};

/* Backend, grid and sets for the case. Errors: no memory (with what is needed and there), no such
 * backend or strategy. */
sluice_status sluice_sim_create(struct sluice_sim *sim, const struct sluice_config *config,
                                const struct sluice_case *setup, struct sluice_log *log);

/* Puts the case's start into the sets, sorts, and computes the first forces; sets the reference
 * energy. */
sluice_status sluice_sim_start(struct sluice_sim *sim);

/* One step: docs/theory.md, "The time step". Errors: SLUICE_BLOW_UP when a value is not finite or
 * particles collapsed; the message names the particle. */
sluice_status sluice_sim_step(struct sluice_sim *sim);

/* True when the simulation is at or after `time`, s, but for rounding: 10 steps of 0.1 reach 1. */
int sluice_sim_reached(const struct sluice_sim *sim, double time);

/* True when time.end or time.max_steps has been reached. */
int sluice_sim_finished(const struct sluice_sim *sim);

/* Memory by array, as a table: bytes a particle and in all, of each set, search structure included.
 */
void sluice_sim_print_memory(const struct sluice_sim *sim, FILE *out);

/* The particle to blame for a blow-up and all within two cutoffs of it, as CSV. */
sluice_status sluice_sim_dump(struct sluice_sim *sim, FILE *out);

void sluice_sim_destroy(struct sluice_sim *sim);
#endif
