/* How many steps a run would make, and how long they would take on this machine. */
#ifndef SLUICE_PLAN_PACE_H
#define SLUICE_PLAN_PACE_H
#include "core/json.h"
#include "sim/sim.h"

/* Steps to the end if the time step stayed as at the start, an estimate; with contacts as in an
 * impact, if that is shorter: then more than there will be. */
int64_t sluice_pace_steps_of_run(const struct sluice_sim *sim, int contacts);

/* Make steps of a simulation that was started, for some 0.1 s, but one at least, and say how long
 * the run would take: a line; the members "measured_steps", "seconds_a_step",
 * "expected_seconds", and "expected_seconds_busy" with other programs as busy as now. Afterwards
 * the simulation is no longer at its start, and its log is silent. An error of a step is no error
 * here: the time is not known, and the line says why. */
void sluice_pace_print(struct sluice_sim *sim);
void sluice_pace_write(struct sluice_sim *sim, struct sluice_json *json);
#endif
