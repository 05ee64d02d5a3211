/* What the files of the simulation share. */
#ifndef SLUICE_SIM_INTERNAL_H
#define SLUICE_SIM_INTERNAL_H
#include "sim/sim.h"

/* Sets with room for count[type] particles, fields by the model. */
sluice_status sluice_sim_create_sets(struct sluice_sim *sim,
                                     const int64_t count[SLUICE_TYPE_COUNT]);

/* Before anything is allocated, with sim->count and what decides the sets' fields known: how much
 * the backend will need, in sim->predicted_bytes, and SLUICE_DEVICE where it has less. memory.c. */
sluice_status sluice_sim_check_memory(struct sluice_sim *sim);

/* sort_interval.c. For the step that is to be queued: backend.drifted, 0 where it begins with a
 * sort. */
void sluice_sim_drift(struct sluice_sim *sim, const struct sluice_flight *flight);

/* Queues the sort of what moved, where the step has one (sort: in any case), and the reductions of
 * both sets. */
sluice_status sluice_sim_bin(struct sluice_sim *sim, struct sluice_flight *flight);
sluice_status sluice_sim_sort(struct sluice_sim *sim, struct sluice_flight *flight);
sluice_status sluice_sim_reduce(struct sluice_sim *sim, struct sluice_flight *flight);

/* Once the flight has come back: makes its step the present one; books and logs what left the
 * domain, integrates the powers over its dt (0: only reads them), and fills sim->now and dt_next.
 * Errors: no fluid is left. */
sluice_status sluice_sim_book(struct sluice_sim *sim, const struct sluice_flight *flight);

/* SLUICE_BLOW_UP, with the particle, when something is not finite, collapsed, or too fast for the
 * step. */
sluice_status sluice_sim_check_alive(struct sluice_sim *sim);
#endif
