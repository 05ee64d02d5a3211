/* A run: the simulation and all its output, in one folder.
 *
 *   config.cfg  log.txt  energy.csv  probe_NAME.csv
 *   snap_000000.hdf ...  run.hdf.series  checkpoint_NNNNNNNNN.hdf */
#ifndef SLUICE_SIM_RUN_H
#define SLUICE_SIM_RUN_H
#include "sim/sim.h"

/* Calls to the caller between steps; every pointer may be NULL. */
struct sluice_run_hooks {
    void *data;
    void (*progress)(void *data, const struct sluice_sim *sim); /* after each step */
    int (*stop)(void *data);       /* nonzero: finish the step, write a checkpoint, stop (75) */
    int (*checkpoint)(void *data); /* nonzero: write a checkpoint now and go on */
    void (*prepared)(void *data);  /* the start is ready; from here on files are written */
};

struct sluice_run_options {
    const struct sluice_config
        *config;        /* checked; its text is written to config.cfg and into every file */
    const char *folder; /* exists, is empty or --force'd, or holds the run to be restarted */
    struct sluice_log *log;
    const struct sluice_choice *replay; /* [replay_count] by step: choices for auto to repeat */
    int replay_count;
    struct sluice_run_hooks hooks;
    int ahead; /* steps under way at once with a fixed time step; 0: the most that the backend
                  supports, SLUICE_IN_FLIGHT at most */
};

/* The results of a run, for the final report and --json. */
struct sluice_run_result {
    int64_t steps;             /* made by this call */
    int64_t particles, fluid;  /* at the end: all, and of the fluid */
    double time, wall_seconds; /* s of the simulation; s on the clock, start and output included */
    double seconds[SLUICE_SECTION_COUNT]; /* by section of the step */
    double stepping_seconds; /* s on the clock between the first step and the last, with output */
    double fluid_steps, particle_steps; /* particles of each step, added up: fluid, and all */
    double pairs[2];     /* of a step, counted at the run's start and after the last step; 0: not */
    int64_t timed_steps; /* steps timed by the device's clock, from which the sections are scaled
                            up; -1: every step was timed by the host's clock */
    struct sluice_budget_row budget;       /* the last row */
    double reference_energy, max_residual; /* J; largest |residual| of the steps that have one */
    double max_identity;                   /* largest power-identity imbalance */
    int64_t removed;
    double density_sums;    /* of a gas: for the density, of a particle in a step; else 0 */
    int64_t negative_count; /* of a gas: predicted energies below 0, for which 0 was taken */
    double busiest_rank; /* cost of the busiest one over the mean; 0: no ranks, or not compared */
    int ranks;
    char messages[256]; /* how GPUs send to each other: as in sluice_backend */
    int verdict; /* 1: |residual| <= tolerance reference, 0: not, -1: no verdict (nothing ran) */
};

/* Runs from the start. Returns 0, 75 when stopped, 5 when blown up, ... */
sluice_status sluice_run(const struct sluice_run_options *options,
                         struct sluice_run_result *result);

/* Continues from the newest whole checkpoint in the folder, to the same bits as a run that was
 * never stopped. options->config comes from sluice_run_read_config. */
sluice_status sluice_run_restart(const struct sluice_run_options *options,
                                 struct sluice_run_result *result);

/* Reads the config of the newest whole checkpoint of a folder, with overrides: only time.end,
 * time.max_steps, output.*, backend.threads, backend.device and backend.share_devices may change,
 * and an end must not have passed. Errors name the key. */
sluice_status sluice_run_read_config(const char *folder, const char *const *set, int set_count,
                                     struct sluice_config *config, FILE *errors);
#endif
