/* Shared by the files of the simulation. */
#ifndef SLUICE_SIM_INTERNAL_H
#define SLUICE_SIM_INTERNAL_H
#include "sim/sim.h"

/* Sets with room for count[type] particles, fields by the model. */
sluice_status sluice_sim_create_sets(struct sluice_sim *sim,
                                     const int64_t count[SLUICE_TYPE_COUNT]);

/* Before anything is allocated, with sim->count and what decides the sets' fields known: how much
 * the backend will need, in sim->predicted_bytes, and SLUICE_DEVICE where it has less. memory.c. */
sluice_status sluice_sim_check_memory(struct sluice_sim *sim);

/* sort_interval.c. Sets backend.drifted for the step that is to be queued; 0 if the step begins
 * with a sort. */
void sluice_sim_drift(struct sluice_sim *sim, const struct sluice_flight *flight);

/* bin queues the sort of the sets that moved, if the step has one; sort queues it in any case.
 * reduce queues the reductions of both sets. */
sluice_status sluice_sim_bin(struct sluice_sim *sim, struct sluice_flight *flight);
sluice_status sluice_sim_sort(struct sluice_sim *sim, struct sluice_flight *flight);
sluice_status sluice_sim_reduce(struct sluice_sim *sim, struct sluice_flight *flight);

/* Books a step whose results have come back: makes it the present step; books and logs the
 * particles that left the domain, integrates the powers over its dt (0: only reads them), and fills
 * sim->now and dt_next. Errors: no fluid is left. */
sluice_status sluice_sim_book(struct sluice_sim *sim, const struct sluice_flight *flight);

/* SLUICE_BLOW_UP, naming the particle, if a value is not finite, the fluid has collapsed, or a wall
 * is too fast for the step. */
sluice_status sluice_sim_check_alive(struct sluice_sim *sim);
#endif
