/* Functions that the files of src/sim share. */
#ifndef SLUICE_SIM_INTERNAL_H
#define SLUICE_SIM_INTERNAL_H
#include "sim/sim.h"
#include "domain/domain.h"

/* Sets for count[type] particles on all ranks and held[type] on this one, fields by the model. */
sluice_status sluice_sim_create_sets(struct sluice_sim *sim, const int64_t count[SLUICE_TYPE_COUNT],
                                     const int64_t held[SLUICE_TYPE_COUNT]);

/* start_sets.c: makes the table of frames, and the sets with this rank's part of the case's start.
 */
sluice_status sluice_sim_fill_sets(struct sluice_sim *sim);

/* memory.c. Before the sets are allocated: predicts the backend's memory, sim->predicted_bytes,
 * from the capacities of the sets, the particles that this rank holds, and the fields. Errors:
 * SLUICE_DEVICE, the backend has less. Collective. */
sluice_status sluice_sim_check_memory(struct sluice_sim *sim,
                                      const int64_t capacity[SLUICE_TYPE_COUNT],
                                      const int64_t held[SLUICE_TYPE_COUNT]);

/* The sets of types below `types` that the case has; returns their number. */
static inline int sluice_sim_sets(struct sluice_sim *sim, int types, struct sluice_set **sets)
{
    int n = 0;
    for (int t = 0; t < types; t++)
        if (sluice_set_exists(&sim->set[t]))
            sets[n++] = &sim->set[t];
    return n;
}

/* For qsort: the order of ids, of entries that begin with their id. */
static inline int sluice_sim_by_id(const void *a, const void *b)
{
    const sluice_id i = *(const sluice_id *)a, j = *(const sluice_id *)b;
    return (i > j) - (i < j);
}

/* sort_interval.c. Sets backend.drifted for the next step to be queued; 0: it begins with a sort.
 */
void sluice_sim_drift(struct sluice_sim *sim, const struct sluice_flight *flight);

/* sort_interval.c. The particles that each of several ranks with a gas needs from here on. */
void sluice_sim_set_reach(struct sluice_sim *sim);

/* sort_interval.c. Queues the sort of moved particles, if the step begins with one. */
sluice_status sluice_sim_bin(struct sluice_sim *sim, struct sluice_flight *flight);

/* population.c. Queues what comes and goes in the step, before its sort: flight->born. */
sluice_status sluice_sim_change(struct sluice_sim *sim, struct sluice_flight *flight);
/* Once the sets are full: takes the common mass off the fluid if particles of another may come. */
void sluice_sim_set_born_mass(struct sluice_sim *sim);
/* Once the sets are made, of a run in which particles come: refuses fields of effects that these
 * would lack, and more steps than ids last for. */
sluice_status sluice_sim_check_births(const struct sluice_sim *sim);
/* For `sluice check`: the ids and the memory of those that come until the end of the run. */
void sluice_sim_print_newcomers(const struct sluice_sim *sim, FILE *out);
/* Whether ids may end in the next step that has births. */
int sluice_sim_ids_end(const struct sluice_sim *sim);
/* sum: sums the particles that came and went in a flight, and tells the effects. book: adds these
 * sums to the run's, when the flight's results are back. */
void sluice_sim_sum_changes(struct sluice_sim *sim, struct sluice_flight *flight);
void sluice_sim_book_changes(struct sluice_sim *sim, struct sluice_flight *flight);

/* A row of population.csv. */
enum { SLUICE_POPULATION_COLUMNS = 2 + 6 * SLUICE_FLOWS };
void sluice_population_row(const struct sluice_sim *sim, double row[SLUICE_POPULATION_COLUMNS]);

/* budget.c. Queues the reductions of the fluid, and of walls that have densities. */
sluice_status sluice_sim_reduce(struct sluice_sim *sim, struct sluice_flight *flight);

/* budget.c. Books a flight whose results are back: its step becomes sim->step. Books what came and
 * went, integrates the powers over its dt, and fills sim->now and
 * dt_next. Errors: no fluid is left. */
sluice_status sluice_sim_book(struct sluice_sim *sim, struct sluice_flight *flight);

/* blow_up.c. SLUICE_BLOW_UP, with the particle, if a value is not finite, the fluid has collapsed,
 * or something is too fast for the step. */
sluice_status sluice_sim_check_alive(struct sluice_sim *sim);

/* sim.c. A step took `seconds`: may change the number of threads. */
void sluice_sim_count_threads(struct sluice_sim *sim, double seconds);

/* --- culprit.c: the particle at fault in a blow-up --- */

/* A particle of the report. */
struct sluice_near {
    sluice_id id; /* first: the list is sorted by it */
    int type;
    double x[3], velocity[3], density, pressure; /* NAN: the model has no densities */
    double length; /* of a gas: h, m; negative: none was found; of others 0 */
};

/* The numbers of the report: the same on all ranks. */
struct sluice_surroundings {
    int64_t fluid; /* particles; 0: there is no culprit */
    struct sluice_near culprit;
    struct sluice_near *near; /* [count] it and all within two cutoffs, by id; malloc'ed */
    int64_t count;
};

/* The distance of two places, m, over periodic ends if that is shorter. */
double sluice_sim_distance(const struct sluice_sim *sim, const double x[3], const double y[3]);

/* Whether the density of a fluid has collapsed. */
int sluice_sim_collapsed(const struct sluice_sim *sim);

/* The last step queued, which the backend's particles are of; NULL: it is the booked one. Its
 * summary is filled after a sync. */
const struct sluice_flight *sluice_sim_step_ahead(const struct sluice_sim *sim);

/* Collective: each rank looks at its own particles. The caller frees s->near, also after an error.
 */
sluice_status sluice_sim_look_around(struct sluice_sim *sim, struct sluice_surroundings *s);
#endif
