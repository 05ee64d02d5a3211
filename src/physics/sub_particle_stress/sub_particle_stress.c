/* The stress of eddies is a term of the pair loop, which finds that of the next step. */
#include "model/effect.h"
#include "physics/effects.h"

static void derive(struct sluice_physics *p)
{
    const struct sluice_config *c = p->config;
    if (c->viscosity.kind != SLUICE_VISCOSITY_SPS)
        return;
    p->wcsph.smagorinsky = c->sub_particle_stress.smagorinsky;
    p->wcsph.isotropic = c->sub_particle_stress.isotropic;
}

static int used(const struct sluice_physics *p)
{
    return wcsph_has_stress(&p->wcsph);
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(STRESS) | SLUICE_BIT(STRESS_NEXT) : 0;
}

const struct sluice_effect sluice_effect_sub_particle_stress = {
    .name = "sub-particle stress",
    .derive = derive,
    .used = used,
    .fields = fields,
    .swap = {{SLUICE_FIELD_STRESS, SLUICE_FIELD_STRESS_NEXT}},
};
