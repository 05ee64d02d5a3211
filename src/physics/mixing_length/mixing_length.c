/* The eddies that carry the friction of walls into the stream (kernels/pair/mixing_length.h): each
 * step looks the mixing length of the fluid's particles up. */
#include <math.h>

#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"

static int used(const struct sluice_physics *p)
{
    return p->wcsph.mixing.most > 0;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(MIXING_LENGTH) : 0;
}

double sluice_physics_most_eddies(const struct sluice_physics *p, double dt)
{
    const struct wcsph_params *w = &p->wcsph, *second = w->second ? w->second : w;
    const double speed = fmax(w->alpha * w->sound_speed, second->alpha * second->sound_speed),
                 artificial = speed * w->h / (2 * (w->dimension + 2)),
                 rate = 1 / ((1 + 2 * p->config->time.predictor) * dt) - p->viscous_rate;
    return dt > 0 && p->eddy_rate > 0 ? fmax(0, rate / p->eddy_rate - artificial) : INFINITY;
}

static sluice_status find(struct sluice_model *m, struct sluice_backend *b,
                          const struct sluice_grid *g, struct sluice_passes *passes)
{
    (void)passes;
    const struct sluice_point point = {"mixing length", SLUICE_POINTWISE_find_mixing_length,
                                       &m->mixing, m->set[SLUICE_FLUID]};
    return b->ops->pointwise(b, g, &point);
}

const struct sluice_effect sluice_effect_mixing_length = {
    .name = "mixing length",
    .used = used,
    .fields = fields,
    .stage[SLUICE_STAGE_BEFORE] = {find, SLUICE_SECTION_POINTWISE},
};
