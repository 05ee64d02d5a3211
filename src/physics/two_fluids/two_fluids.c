/* A second fluid: the pair loop knows the parameters of each, and a particle its fluid. */
#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"

static int used(const struct sluice_physics *p)
{
    return p->config->two_fluids.used;
}

/* After the other effects, whose parameters it copies. */
static void derive(struct sluice_physics *p)
{
    const struct sluice_config *c = p->config;
    const unsigned kind = 1u << c->viscosity.kind;
    if (!c->two_fluids.used)
        return;
    p->second = p->wcsph;
    p->second.rho0 = c->two_fluids.density;
    p->second.sound_speed = c->two_fluids.sound_speed;
    p->second.gamma = c->two_fluids.gamma;
    p->second.alpha = kind & SLUICE_ARTIFICIAL_BITS ? c->two_fluids.alpha : 0;
    p->second.nu = kind & SLUICE_LAMINAR_BITS ? c->two_fluids.nu : 0;
    if (p->second.wall_law.used)
        sluice_wcsph_wall_law(&p->second, c->wall_friction.nu, c->wall_friction.roughness);
    p->wcsph.repulsion = c->two_fluids.repulsion;
    p->wcsph.second = &p->second;
}

static void print(const struct sluice_physics *physics, FILE *out)
{
    const struct wcsph_params *p = &physics->wcsph;
    sluice_config_print_number(physics->config, "second density", p->second->rho0, " kg/m^3", "",
                               out);
    sluice_config_print_number(
        physics->config, "second speed c0", p->second->sound_speed, " m/s",
        physics->config->two_fluids.sound_speed > 0 ? "" : " (as stiff as the first)", out);
    if (p->repulsion > 0)
        sluice_config_print_number(physics->config, "repulsion", p->repulsion, "", "", out);
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(PHASE) : 0;
}

const struct sluice_effect sluice_effect_two_fluids = {
    .name = "two fluids", .derive = derive, .used = used, .fields = fields, .print = print};
