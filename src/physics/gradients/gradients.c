/* The gradients that sub-particle stress and corrected diffusion need, in one pass
 * (kernels/pair/pair_gradients.h). Their forces are terms of the pair loop. */
#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"
#include "physics/water/water.h"

static int used(const struct sluice_physics *p)
{
    return wcsph_has_stress(&p->wcsph) || p->wcsph.corrected_diffusion;
}

static sluice_status find_gradients(struct sluice_model *m, struct sluice_backend *b,
                                    const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct wcsph_params *p = &m->physics->wcsph;
    struct sluice_set *fluid = m->set[SLUICE_FLUID];
    const int friction = wcsph_has_stress(p) && !p->slip;
    const struct sluice_pass pass = {
        .name = "gradients",
        .pair = SLUICE_PAIR_gradients,
        .target = fluid,
        .source = {fluid, friction ? sluice_water_wall_neighbours(m) : NULL}};
    return sluice_passes_interact(passes, m, b, g, pass);
}

const struct sluice_effect sluice_effect_gradients = {
    .name = "gradients",
    .used = used,
    .passes = 1,
    .stage[SLUICE_STAGE_BEFORE] = {find_gradients, SLUICE_SECTION_PAIRS},
};
