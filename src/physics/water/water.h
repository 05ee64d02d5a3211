/* Functions of the model of water that its effects use. */
#ifndef SLUICE_PHYSICS_WATER_WATER_H
#define SLUICE_PHYSICS_WATER_WATER_H
#include "model/model.h"

/* The walls as neighbours of the fluid; NULL: they are none. */
struct sluice_set *sluice_water_wall_neighbours(const struct sluice_model *m);

/* Lets the hydrostatic terms follow gravity and config->acceleration at m->time. */
void sluice_water_pull(const struct sluice_model *m, const struct sluice_grid *g,
                       struct wcsph_params *params);

/* Queues the prediction of v and r of a set; a(n) and R(n) become the old ones. a(n+1) of the fluid
 * begins with the body forces, unless the pair loop begins it. */
sluice_status sluice_water_predict(struct sluice_model *m, struct sluice_backend *b,
                                   const struct sluice_grid *g, enum sluice_type type);
#endif
