/* Density diffusion is a term of the pair loop, which finds the gradients that it may need in the
 * next step. */
#include "model/effect.h"
#include "physics/effects.h"

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

const struct sluice_effect sluice_effect_diffusion = {
    .name = "density diffusion",
    .derive = derive,
    .used = has_gradients,
    .fields = fields,
    .swap = {{SLUICE_FIELD_HEAD_GRADIENT, SLUICE_FIELD_HEAD_GRADIENT_NEXT}},
};
