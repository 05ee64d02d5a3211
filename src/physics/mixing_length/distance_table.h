/* The table of mixing lengths of a case. */
#ifndef SLUICE_PHYSICS_DISTANCE_TABLE_H
#define SLUICE_PHYSICS_DISTANCE_TABLE_H
#include "case/builder.h"

/* Makes the table, from the places of the wall particles. Errors: walls that move, memory. */
sluice_status sluice_distance_table_create(const struct sluice_case_builder *b,
                                           struct sluice_effect_table *table);
#endif
