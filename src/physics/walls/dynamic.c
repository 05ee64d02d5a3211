/* Walls with a density of their own, from continuity (Crespo et al. 2007;
 * kernels/pair/pair_dynamic.h). */
#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"
#include "physics/walls/walls.h"
#include "physics/water/water.h"

static int used(const struct sluice_physics *p)
{
    return p->config->boundary.kind == SLUICE_BOUNDARY_DYNAMIC;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_WALL ? SLUICE_BIT(EOS) | SLUICE_BIT(SCALAR) | SLUICE_BIT(SCALAR_LOW) |
                                     SLUICE_BIT(RATE) | SLUICE_BIT(RATE_OLD) | SLUICE_BIT(PREDICTED)
                               : 0;
}

static sluice_status predict(struct sluice_model *m, struct sluice_backend *b,
                             const struct sluice_grid *g, struct sluice_passes *passes)
{
    (void)passes;
    return sluice_set_exists(m->set[SLUICE_WALL]) ? sluice_water_predict(m, b, g, SLUICE_WALL)
                                                  : SLUICE_OK;
}

/* Dynamic: the density's rate of each wall particle. */
static sluice_status change_density(struct sluice_model *m, struct sluice_backend *b,
                                    const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct sluice_pass pass = sluice_walls_from_fluid(m, "dynamic walls",
                                                            SLUICE_PAIR_dynamic_wendland);
    if (!sluice_set_exists(m->set[SLUICE_WALL]))
        return SLUICE_OK;
    return sluice_passes_interact(passes, m, b, g, pass);
}

/* The density stays at or above the reference. */
static sluice_status clamp(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct sluice_point point = {"clamp", SLUICE_POINTWISE_clamp_density, NULL,
                                       m->set[SLUICE_WALL]};
    (void)passes;
    return sluice_set_exists(m->set[SLUICE_WALL]) ? b->ops->pointwise(b, g, &point) : SLUICE_OK;
}

const struct sluice_effect sluice_effect_dynamic = {
    .name = "dynamic walls",
    .used = used,
    .fields = fields,
    .passes = 1,
    .stage[SLUICE_STAGE_PREDICT] = {predict, SLUICE_SECTION_POINTWISE},
    .stage[SLUICE_STAGE_AFTER] = {change_density, SLUICE_SECTION_WALLS},
    .stage[SLUICE_STAGE_FINISH] = {clamp, SLUICE_SECTION_KICK},
};
