/* Walls whose pressure is extrapolated from the fluid (Adami et al. 2012;
 * kernels/pair/pair_adami.h). */
#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"
#include "physics/walls/walls.h"
#include "physics/water/water.h"
#include "kernels/types/wcsph_params.h"

static int used(const struct sluice_physics *p)
{
    return p->config->boundary.kind == SLUICE_BOUNDARY_ADAMI;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    if (type != SLUICE_WALL)
        return 0;
    return SLUICE_BIT(EOS) | (p->body_count ? SLUICE_BIT(EXTRAPOLATED) | SLUICE_BIT(SHARE) : 0);
}

/* Adami: the pressure of each wall particle, from the fluid around it; that of bodies together with
 * their accelerations. */
static sluice_status extrapolate(struct sluice_model *m, struct sluice_backend *b,
                                 const struct sluice_grid *g, struct sluice_passes *passes)
{
    struct rigid_motion_params motions;
    struct wcsph_params params = m->physics->wcsph;
    struct sluice_pass pass = sluice_walls_from_fluid(m, "walls from fluid",
                                                      SLUICE_PAIR_adami_wendland);
    if (!sluice_set_exists(m->set[SLUICE_WALL]))
        return SLUICE_OK;
    SLUICE_TRY(sluice_model_motions(m, g, &motions));
    params.motions = &motions;
    sluice_water_pull(m, g, &params);
    pass.params = &params;
    if (m->bodies.count == 0)
        return sluice_passes_interact(passes, m, b, g, pass);
    pass.pair = SLUICE_PAIR_adami_bodies;
    SLUICE_TRY(sluice_passes_interact(passes, m, b, g, pass));
    return sluice_bodies_solve(&m->bodies, b, g, m->set[SLUICE_WALL], &m->physics->wcsph, &motions);
}

const struct sluice_effect sluice_effect_adami = {
    .name = "adami walls",
    .used = used,
    .fields = fields,
    .passes = 1,
    .stage[SLUICE_STAGE_WALLS] = {extrapolate, SLUICE_SECTION_WALLS},
};
