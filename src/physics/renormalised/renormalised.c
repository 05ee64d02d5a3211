/* Renormalised gradients are terms of the pair loop, which uses the tensor of the step before. */
#include <math.h>

#include "model/effect.h"
#include "physics/effects.h"

static void derive(struct sluice_physics *p)
{
    p->wcsph.renormalised = p->config->renormalised.kind == SLUICE_GRADIENTS_RENORMALISED;
    p->wcsph.memory = p->config->renormalised.memory;
}

static int used(const struct sluice_physics *p)
{
    return p->wcsph.renormalised;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(CORRECTION) | SLUICE_BIT(CORRECTION_OLD) |
                                      SLUICE_BIT(MEMORY) | SLUICE_BIT(MEMORY_OLD)
                                : 0;
}

/* The depth is the fluid's extent along gravity, without periodic axes. */
static sluice_status prepare(const struct sluice_effect_setup *setup)
{
    struct wcsph_params *p = &setup->physics->wcsph;
    const double *gravity = setup->physics->config->gravity;
    double along = 0, g = 0;
    for (int c = 0; c < p->dimension; c++)
        if (!setup->grid->periodic[c]) {
            along += fabs(gravity[c]) * (setup->fluid_high[c] - setup->fluid_low[c]);
            g += gravity[c] * gravity[c];
        }
    if (p->memory == 0 && g > 0)
        p->memory = 1.5 * sqrt(along / g);
    SLUICE_CHECK(p->memory > 0, SLUICE_BAD_INPUT,
                 "fluid.gradients_memory must be given where gravity points along periodic axes or "
                 "no fluid is there at the start: about a period of the motion");
    return SLUICE_OK;
}

static void print(const struct sluice_physics *p, FILE *out)
{
    fprintf(out, "  gradients        renormalised, with a memory of %.4g s\n", p->wcsph.memory);
}

const struct sluice_effect sluice_effect_renormalised = {
    .name = "renormalised gradients",
    .derive = derive,
    .used = used,
    .fields = fields,
    .prepare = prepare,
    .print = print,
    .swap = {{SLUICE_FIELD_CORRECTION_OLD, SLUICE_FIELD_CORRECTION},
             {SLUICE_FIELD_MEMORY_OLD, SLUICE_FIELD_MEMORY}},
};
