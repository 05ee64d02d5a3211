/* Lists of particles that come into a set or have left it: from and to its arrays, in host memory.
 */
#ifndef SLUICE_BACKEND_PARTICLE_LIST_H
#define SLUICE_BACKEND_PARTICLE_LIST_H
#include "backend/backend.h"

/* Adds particles first .. last - 1 of a set whose arrays are in host memory. Fields that it does
 * not have count as 0. Errors (SLUICE_DEVICE): no memory. */
sluice_status sluice_particle_list_read(struct sluice_particle_list *list,
                                        const struct sluice_grid *g, const struct sluice_set *set,
                                        int64_t first, int64_t last);

/* Makes particle i of a set whose arrays are in host memory. The frame of its place is in the
 * grid's table. STATE fields that it does not give become 0; the mean head
 * becomes NaN until the filter has seen the particle. */
void sluice_particle_list_write(const struct sluice_listed_particle *p, const struct sluice_grid *g,
                                const struct sluice_set *set, int64_t i);

/* The STATE fields that it gives: all but those are 0. */
sluice_fields sluice_particle_list_fields(void);

/* Adds the frames of the list to the grid's table. *new_slot: the new slot of each frame that was in
 * the table, to be freed by the caller even on an error; NULL: the table had them all. Errors:
 * memory. */
sluice_status sluice_particle_list_add_frames(const struct sluice_particle_list *list,
                                              struct sluice_grid *g, int32_t **new_slot);
#endif
