/* The list of particles that left the domain. */
#ifndef SLUICE_BACKEND_REMOVED_H
#define SLUICE_BACKEND_REMOVED_H
#include "backend/backend.h"

/* Adds particles first .. last - 1 of a set whose arrays are in host memory. Fields that it does
 * not have count as 0. Errors (SLUICE_DEVICE): no memory. */
sluice_status sluice_removed_add(struct sluice_removed *removed, const struct sluice_grid *g,
                                 const struct sluice_set *set, int64_t first, int64_t last);
#endif
