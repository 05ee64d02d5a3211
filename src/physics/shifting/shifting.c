/* Particle shifting (kernels/pair/pair_shift.h): found by the pair loop or after it, done after the
 * step.
 */
#include <string.h>

#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"
#include "physics/water/water.h"

static int used(const struct sluice_physics *p)
{
    return p->config->shifting.kind != SLUICE_SHIFTING_NONE;
}

static void derive(struct sluice_physics *p)
{
    p->wcsph.shift = (struct shifting_params){
        .used = used(p),
        .strength = p->config->shifting.strength,
        .w_dp = sluice_wcsph_w(&p->wcsph, p->wcsph.spacing),
        .inside = p->config->shifting.kind == SLUICE_SHIFTING_INSIDE,
        .counted = p->config->shifting.density == SLUICE_SHIFTING_COUNTED};
    memcpy(p->wcsph.shift.gravity, p->wcsph.gravity, sizeof p->wcsph.shift.gravity);
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(SHIFT) : 0;
}

/* The shift of each particle, from the positions at t(n+1), unless the pair loop has found it;
 * finish() moves them. */
static sluice_status shift(struct sluice_model *m, struct sluice_backend *b,
                           const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct wcsph_params params = m->physics->wcsph;
    const struct sluice_pass pass = {
        .name = "shift",
        .pair = SLUICE_PAIR_shift,
        .params = &params,
        .target = m->set[SLUICE_FLUID],
        .source = {m->set[SLUICE_FLUID], sluice_water_wall_neighbours(m)}};
    for (int p = 0; p < passes->count; p++)
        if (sluice_pairs[passes->pass[p].pair].writes & SLUICE_BIT(SHIFT))
            return SLUICE_OK;
    params.dt = m->dt;
    return sluice_passes_interact(passes, m, b, g, pass);
}

static sluice_status move(struct sluice_model *m, struct sluice_backend *b,
                          const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct sluice_point point = {"move", SLUICE_POINTWISE_move, NULL, m->set[SLUICE_FLUID]};
    (void)passes;
    return b->ops->pointwise(b, g, &point);
}

const struct sluice_effect sluice_effect_shifting = {
    .name = "shifting",
    .derive = derive,
    .used = used,
    .fields = fields,
    .passes = 1,
    .stage[SLUICE_STAGE_AFTER] = {shift, SLUICE_SECTION_PAIRS},
    .stage[SLUICE_STAGE_FINISH] = {move, SLUICE_SECTION_KICK},
    .moves_particles = 1,
};
