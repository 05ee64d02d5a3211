/* The eddies that carry the friction of walls into the stream (kernels/pair/mixing_length.h): each
 * step looks the mixing length of the fluid's particles up. */
#include <math.h>

#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"
#include "physics/mixing_length/distance_table.h"

#define EDDY_SHARE 2.5 /* docs/theory.md, "Mixing length": 2 for a force of v^2, 1.25 for 3-D */

static void derive(struct sluice_physics *p)
{
    const struct sluice_config *c = p->config;
    p->wcsph.mixing.most = c->wall_friction.slip == SLUICE_SLIP_LAW ? c->mixing_length.most : 0;
}

static int used(const struct sluice_physics *p)
{
    return p->wcsph.mixing.most > 0;
}

static sluice_fields fields(const struct sluice_physics *p, enum sluice_type type)
{
    (void)p;
    return type == SLUICE_FLUID ? SLUICE_BIT(MIXING_LENGTH) : 0;
}

/* The fastest decay per m^2/s of eddies, 1/m^2, with their margin. Between two fluids their stress
 * has the harmonic mean of the densities, on the lighter one. */
static double decay_of_eddies(const struct sluice_physics *p)
{
    struct wcsph_params one = p->wcsph;
    const double d = one.dimension,
                 between = one.second
                               ? fmax(1, wcsph_mean_over_lighter(&one, one.rho0, one.second->rho0))
                               : 1;
    one.nu = 1;
    one.viscous_form = SLUICE_VISCOUS_MORRIS; /* EDDY_SHARE is of that rate */
    return EDDY_SHARE * (d + 2) / d * sluice_wcsph_viscous_rate(&one) * between;
}

/* The largest eddy viscosity that a step of dt (s) bears beside the other viscosity, m^2/s; dt = 0:
 * INFINITY. Artificial viscosity counts as nu = alpha c0 h/(2 (D + 2)). */
static double most_eddies(const struct sluice_physics *p, double dt)
{
    const struct wcsph_params *w = &p->wcsph, *second = w->second ? w->second : w;
    const double speed = fmax(w->alpha * w->sound_speed, second->alpha * second->sound_speed),
                 artificial = speed * w->h / (2 * (w->dimension + 2)),
                 rate = 1 / ((1 + 2 * p->config->time.predictor) * dt) - p->decay;
    return dt > 0 ? fmax(0, rate / decay_of_eddies(p) - artificial) : INFINITY;
}

static sluice_status prepare(const struct sluice_effect_setup *setup)
{
    struct sluice_physics *p = setup->physics;
    const double step = p->config->time.step;
    SLUICE_CHECK(step == 0 || most_eddies(p, step) > 0, SLUICE_BAD_INPUT,
                 "time.step: %.6g s is too long for any eddies of boundary.mixing_length beside "
                 "the other viscosity; shorten it, or take 0, with which it follows the speed of "
                 "sound",
                 step);
    return sluice_distance_table_create(setup, &p->table[SLUICE_EFFECT_mixing_length]);
}

/* The first step is the longest to expect: later ones are shorter by the speed of the flow. */
static void print(const struct sluice_physics *physics, FILE *out)
{
    const struct wcsph_params *p = &physics->wcsph;
    const double fixed = physics->config->time.step,
                 step = fixed > 0 ? fixed
                                  : physics->config->time.cfl * p->h / wcsph_fastest_sound(p);
    sluice_config_print_number(physics->config, "mixing length", p->mixing.most, " m", " at most",
                               out);
    sluice_config_print_number(physics->config, "eddy viscosity", most_eddies(physics, step),
                               " m^2/s", " at most, by the time step", out);
}

static void begin_step(const struct sluice_model *m, struct wcsph_params *params)
{
    params->mixing.nu_most = most_eddies(m->physics, m->dt);
}

static sluice_status find(struct sluice_model *m, struct sluice_backend *b,
                          const struct sluice_grid *g, struct sluice_passes *passes)
{
    const struct mixing_length_table *made = m->physics->table[SLUICE_EFFECT_mixing_length].head;
    struct mixing_length_table table = *made;
    const struct sluice_point point = {"mixing length", SLUICE_POINTWISE_find_mixing_length, &table,
                                       m->set[SLUICE_FLUID]};
    (void)passes;
    table.length = m->table[SLUICE_EFFECT_mixing_length];
    return b->ops->pointwise(b, g, &point);
}

const struct sluice_effect sluice_effect_mixing_length = {
    .name = "mixing length",
    .derive = derive,
    .used = used,
    .fields = fields,
    .prepare = prepare,
    .print = print,
    .begin_step = begin_step,
    .stage[SLUICE_STAGE_BEFORE] = {find, SLUICE_SECTION_POINTWISE},
};
