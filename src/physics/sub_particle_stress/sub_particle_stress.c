/* The stress of eddies is a term of the pair loop, which finds that of the next step. */
#include "model/effect.h"
#include "physics/effects.h"
#include "physics/water/water.h"

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

static sluice_status begin(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    (void)b, (void)g, (void)passes;
    sluice_water_swap(m->set[SLUICE_FLUID], SLUICE_FIELD_STRESS, SLUICE_FIELD_STRESS_NEXT);
    return SLUICE_OK;
}

const struct sluice_effect sluice_effect_sub_particle_stress = {
    .name = "sub-particle stress",
    .derive = derive,
    .used = used,
    .fields = fields,
    .starts_twice = 1,
    .stage[SLUICE_STAGE_PREDICT] = {begin, SLUICE_SECTION_POINTWISE},
};
