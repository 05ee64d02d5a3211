/* The filter of the diffused head: its steady part is not diffused
 * (kernels/pointwise/filter_head.h). */
#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"

static void derive(struct sluice_physics *p)
{
    p->wcsph.filter = p->config->filter.time;
}

static int used(const struct sluice_physics *p)
{
    return p->wcsph.filter > 0;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(HEAD_MEAN) | SLUICE_BIT(HEAD_MEAN_LOW) : 0;
}

/* The noise that density diffusion is for has waves of a few smoothing lengths. */
static sluice_status prepare(const struct sluice_effect_setup *setup)
{
    const struct wcsph_params *p = &setup->physics->wcsph;
    const double least = 20 * p->h / wcsph_slowest_sound(p);
    if (p->filter < least)
        sluice_warn(setup->warnings,
                    "fluid.diffusion.filter: %.4g s is below %.4g s, 20 h/c0: noise lasts as long, "
                    "and is not diffused either; take 10 to 30 sqrt(depth/g)",
                    p->filter, least);
    return SLUICE_OK;
}

static sluice_status filter(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_passes *passes)
{
    (void)passes;
    struct wcsph_filter_params params = {
        .wcsph = m->physics->wcsph, .dt = m->dt, .starts = m->time == 0};
    sluice_grid_place(g, g->low, &params.origin);
    const struct sluice_point point = {"filter", SLUICE_POINTWISE_filter_head, &params,
                                       m->set[SLUICE_FLUID]};
    return b->ops->pointwise(b, g, &point);
}

const struct sluice_effect sluice_effect_filter = {
    .name = "filter",
    .derive = derive,
    .used = used,
    .fields = fields,
    .prepare = prepare,
    .stage[SLUICE_STAGE_BEFORE] = {filter, SLUICE_SECTION_POINTWISE},
};
