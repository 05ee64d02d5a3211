/* Viscosity is a term of the pair loop alone: its coefficients, and the time step that they bear.
 */
#include <math.h>

#include "kernels/registry.h"
#include "model/effect.h"
#include "physics/effects.h"

static void derive(struct sluice_physics *p)
{
    const struct sluice_config *c = p->config;
    const unsigned kind = 1u << c->viscosity.kind;
    p->wcsph.alpha = kind & SLUICE_ARTIFICIAL_BITS ? c->viscosity.alpha : 0;
    p->wcsph.nu = kind & SLUICE_LAMINAR_BITS ? c->viscosity.nu : 0;
    p->wcsph.viscous_form = c->viscosity.form;
}

/* The largest kinematic viscosity, m^2/s. Where two fluids meet, the harmonic mean of their dynamic
 * viscosities acts on the lighter one. */
static double most_viscous(const struct wcsph_params *p)
{
    const struct wcsph_params *q = p->second;
    return q ? fmax(fmax(p->nu, q->nu),
                    wcsph_mean_over_lighter(p, p->rho0 * p->nu, q->rho0 * q->nu))
             : p->nu;
}

static double decay(const struct sluice_physics *p)
{
    struct wcsph_params most = p->wcsph;
    most.nu = most_viscous(&p->wcsph);
    return sluice_wcsph_viscous_rate(&most);
}

const struct sluice_effect sluice_effect_viscosity = {
    .name = "viscosity", .derive = derive, .decay = decay};
