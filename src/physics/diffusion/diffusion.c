/* Density diffusion is a term of the pair loop, which finds the gradients that it may need in the
 * next step. */
#include "model/effect.h"
#include "physics/effects.h"
#include "physics/water/water.h"

static void derive(struct sluice_physics *p)
{
    const struct sluice_config *c = p->config;
    const int kind = c->diffusion.kind;
    p->wcsph.delta = kind != SLUICE_DIFFUSION_NONE ? c->diffusion.delta : 0;
    p->wcsph.hydrostatic_diffusion = kind == SLUICE_DIFFUSION_HYDROSTATIC;
    p->wcsph.corrected_diffusion = kind == SLUICE_DIFFUSION_ANTUONO;
    /* Ghost nodes need the head itself, and heads of two fluids cannot be compared. The filter
     * takes gravity out itself. */
    p->wcsph.piezometric = p->wcsph.hydrostatic_diffusion && c->filter.time == 0 &&
                           !c->two_fluids.used && !sluice_config_walls_have(c, SLUICE_WALL_GHOSTS);
}

static int has_gradients(const struct sluice_physics *p)
{
    return p->wcsph.corrected_diffusion;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(HEAD_GRADIENT) | SLUICE_BIT(HEAD_GRADIENT_NEXT) : 0;
}

static sluice_status begin(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    (void)b, (void)g, (void)passes;
    sluice_water_swap(m->set[SLUICE_FLUID], SLUICE_FIELD_HEAD_GRADIENT,
                      SLUICE_FIELD_HEAD_GRADIENT_NEXT);
    return SLUICE_OK;
}

const struct sluice_effect sluice_effect_diffusion = {
    .name = "density diffusion",
    .derive = derive,
    .used = has_gradients,
    .fields = fields,
    .starts_twice = 1,
    .stage[SLUICE_STAGE_PREDICT] = {begin, SLUICE_SECTION_POINTWISE},
};
