/* The filter of the diffused head: what is steady in it is not diffused
 * (kernels/pointwise/filter_head.h). */
#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"

static int used(const struct sluice_physics *p)
{
    return p->wcsph.filter > 0;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(HEAD_MEAN) | SLUICE_BIT(HEAD_MEAN_LOW) : 0;
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
    .used = used,
    .fields = fields,
    .stage[SLUICE_STAGE_BEFORE] = {filter, SLUICE_SECTION_POINTWISE},
};
