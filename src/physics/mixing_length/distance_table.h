/* The table of mixing lengths of a case. */
#ifndef SLUICE_PHYSICS_DISTANCE_TABLE_H
#define SLUICE_PHYSICS_DISTANCE_TABLE_H
#include "model/effect.h"

/* Makes the table, from the places of the wall particles. Errors: walls that move, memory. */
sluice_status sluice_distance_table_create(const struct sluice_effect_setup *setup,
                                           struct sluice_effect_table *table);
#endif
