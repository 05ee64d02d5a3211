/* The functions of water.h that effects use. */

#include "kernels/registry.h"
#include "kernels/types/wcsph_params.h"
#include "physics/water/water.h"

struct sluice_set *sluice_water_wall_neighbours(const struct sluice_model *m)
{
    struct sluice_set *walls = m->set[SLUICE_WALL];
    return sluice_set_exists(walls) &&
                   sluice_config_walls_have(m->physics->config, SLUICE_WALL_IN_PAIRS)
               ? walls
               : NULL;
}

void sluice_water_pull(const struct sluice_model *m, const struct sluice_grid *g,
                       struct wcsph_params *params)
{
    sluice_motions_pull(&m->physics->motions, m->time, params->gravity);
    for (int c = 0; c < 3; c++)
        if (c >= g->dimension || g->periodic[c])
            params->gravity[c] = 0;
}

sluice_status sluice_water_predict(struct sluice_model *m, struct sluice_backend *b,
                                   const struct sluice_grid *g, enum sluice_type type)
{
    const struct body_force_params body = sluice_model_body_forces(m);
    const int begun = type == SLUICE_FLUID && !m->physics->wcsph.begins;
    struct wcsph_predict_params params = {.wcsph = m->physics->wcsph,
                                          .dt = m->dt,
                                          .dt_old = m->dt_old,
                                          .beta = m->physics->config->time.predictor,
                                          .clamp = type == SLUICE_WALL,
                                          .body = begun ? &body : NULL};
    sluice_water_pull(m, g, &params.wcsph);
    sluice_grid_place(g, g->low, &params.origin);
    const struct sluice_point point = {"predict", SLUICE_POINTWISE_wcsph_predict, &params,
                                       m->set[type]};
    SLUICE_TRY(b->ops->pointwise(b, g, &point));
    if (m->set[type]->moves == SLUICE_FREE)
        sluice_set_swap(m->set[type], SLUICE_FIELD_ACCELERATION, SLUICE_FIELD_ACCELERATION_OLD);
    sluice_set_swap(m->set[type], SLUICE_FIELD_RATE, SLUICE_FIELD_RATE_OLD);
    return SLUICE_OK;
}
