/* The walls' part of a WCSPH step, by their kind. */
#ifndef SLUICE_MODEL_WALLS_H
#define SLUICE_MODEL_WALLS_H
#include "model/model.h"

/* SLUICE_BIT(...) of the fields that wall particles or ghost nodes need. */
sluice_fields sluice_walls_fields(const struct sluice_physics *p, enum sluice_type type);

/* Queues the passes of the walls. */
typedef sluice_status sluice_wall_passes(struct sluice_model *m, struct sluice_backend *b,
                                         const struct sluice_grid *g, struct sluice_passes *passes);

/* The passes before and after the fluid's pair loop; NULL: none. */
sluice_wall_passes *sluice_walls_before(const struct sluice_model *m);
sluice_wall_passes *sluice_walls_after(const struct sluice_model *m);
#endif
