/* What the files of the simulation share. */
#ifndef SLUICE_SIM_INTERNAL_H
#define SLUICE_SIM_INTERNAL_H
#include "sim/sim.h"

/* Sets with room for count[type] particles, fields by the model. */
sluice_status sluice_sim_create_sets(struct sluice_sim *sim,
                                     const int64_t count[SLUICE_TYPE_COUNT]);

/* Sorts what moved; books and logs what left the domain. */
sluice_status sluice_sim_bin(struct sluice_sim *sim);

/* Reduces both sets; integrates the powers over dt (0: only reads them) and fills sim->now and
 * dt_next. */
sluice_status sluice_sim_account(struct sluice_sim *sim, double dt);

/* SLUICE_BLOW_UP, with the particle, when something is not finite, collapsed, or too fast for the
 * step. */
sluice_status sluice_sim_check_alive(struct sluice_sim *sim);
#endif
