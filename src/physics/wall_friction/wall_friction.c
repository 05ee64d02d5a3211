/* Friction of walls is a term of the pair loop: its coefficients, and the time step that the law of
 * the wall bears. */
#include <math.h>

#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"

static void derive(struct sluice_physics *p)
{
    const struct sluice_config *c = p->config;
    const unsigned slips = sluice_config_slips(c), free = 1u << SLUICE_SLIP_FREE;
    p->wcsph.slip = !(slips & 1u << SLUICE_SLIP_NONE);
    p->wcsph.some_slip = (slips & free) && (slips & ~free);
    p->wcsph.artificial_walls = (slips & 1u << SLUICE_SLIP_ARTIFICIAL) != 0;
    if (slips & 1u << SLUICE_SLIP_LAW)
        sluice_wcsph_wall_law(&p->wcsph, c->wall_friction.nu, c->wall_friction.roughness);
}

/* Viscous fluid that sticks to walls asks for their velocity, and for that at ghost nodes. Where it
 * does not stick to all, or not all have another friction, each wall particle says so. */
static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    const int sticks = !p->wcsph.slip && wcsph_is_viscous(&p->wcsph);
    return (type != SLUICE_FLUID && sticks ? SLUICE_BIT(PREDICTED) : 0) |
           (type == SLUICE_WALL && wcsph_slips_differ(&p->wcsph) ? SLUICE_BIT(HAS_FRICTION) : 0);
}

static double decay(const struct sluice_physics *p)
{
    struct wcsph_params most = p->wcsph;
    most.wall_law.nu = fmax(most.wall_law.nu, p->second.wall_law.nu);
    return sluice_wcsph_wall_law_rate(&most);
}

static sluice_status prepare(const struct sluice_effect_setup *setup)
{
    const double grain = setup->physics->config->wall_friction.roughness,
                 spacing = setup->physics->config->spacing;
    if (grain > spacing)
        sluice_warn(setup->warnings,
                    "boundary.roughness: a grain of %.9g m is larger than the spacing of %.9g m: "
                    "the lowest particles are among the grains, where the law of the wall does not "
                    "hold; take a spacing as large as the grain or larger",
                    grain, spacing);
    return SLUICE_OK;
}

static void print(const struct sluice_physics *physics, FILE *out)
{
    const struct wall_law_params *law = &physics->wcsph.wall_law;
    if (!law->used)
        return;
    sluice_config_print_number(physics->config, "wall law: nu", law->nu, " m^2/s", "", out);
    if (physics->wcsph.second)
        sluice_config_print_number(physics->config, "wall law: second", physics->second.wall_law.nu,
                                   " m^2/s", "", out);
    sluice_config_print_number(physics->config, "wall law: grain", law->roughness, " m", "", out);
}

const struct sluice_effect sluice_effect_wall_friction = {
    .name = "friction of walls",
    .derive = derive,
    .fields = fields,
    .decay = decay,
    .prepare = prepare,
    .print = print,
};
