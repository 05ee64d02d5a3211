/* The energy that the scalar of a particle holds, in double: the elastic energy of water by its
 * equation of state (kernels/pair/eos.h), and the internal energy of a gas. */
#ifndef SLUICE_KERNELS_TYPES_SCALAR_ENERGY_H
#define SLUICE_KERNELS_TYPES_SCALAR_ENERGY_H
#include <math.h>
#include <stdint.h>

#include "kernels/types/device.h"
#include "kernels/types/fluid_choices.h"

/* r below `least` has the energy of `least` and opening (r - least). */
struct scalar_energy_fluid {
    double sound_speed, gamma, background; /* m/s; 1; the background pressure over rho0, J/kg */
    double opening, least; /* J/kg; 1: that of the pressure, -1: no limit; -INFINITY: of a gas */
};

struct scalar_energy_params {
    int eos; /* enum sluice_eos; SLUICE_EOS_IDEAL: the scalar is the energy itself, J/kg */
    int two; /* there is a second fluid */
    struct scalar_energy_fluid fluid[2];
};

/* Whether it is Tait's equation with gamma = 7 and nothing else: c0^2/7 eos_elastic_seventh(). */
static inline int scalar_energy_is_seventh(const struct scalar_energy_params *p)
{
    const struct scalar_energy_fluid *f = &p->fluid[0];
    return p->eos == SLUICE_EOS_TAIT && f->gamma == 7 && f->background == 0 && f->least <= -1 &&
           !p->two;
}

/* Elastic energy of a unit mass over c0^2/7, for Tait with gamma = 7: a polynomial, which does not
 * cancel as the power form does. `inverse` is 1/(1 + r). */
HD double eos_elastic_seventh(double r, double inverse)
{
    return r * r * (inverse + 5.0 / 2 + r * (10.0 / 3 + r * (5.0 / 2 + r * (1 + r * (1.0 / 6)))));
}

/* Elastic energy of a unit mass, J/kg, in double: the integral of (p + background)/rho^2 over rho;
 * `background` is that pressure over rho0. An ideal gas has u itself as r. */
HD double eos_elastic_energy(int eos, double sound_speed, double gamma, double background, double r)
{
    const double c2 = sound_speed * sound_speed, work = background * (r / (1 + r));
    if (eos == SLUICE_EOS_IDEAL)
        return r;
    if (eos == SLUICE_EOS_LINEAR)
        return work + c2 * (log1p(r) - r / (1 + r));
    if (gamma == 7)
        return work + c2 / 7 * eos_elastic_seventh(r, 1 / (1 + r));
    return work + c2 / gamma * (expm1((gamma - 1) * log1p(r)) / (gamma - 1) - r / (1 + r));
}

/* The least r that has an energy of its own. A wall has none below 0. */
HD double scalar_energy_least(const struct scalar_energy_params *p, int wall, uint32_t phase)
{
    return wall ? 0 : p->fluid[p->two && phase ? 1 : 0].least;
}

/* The energy of a unit mass of the fluid `phase`, J/kg, and r as it is limited. */
HD double scalar_energy_of(const struct scalar_energy_params *p, int wall, uint32_t phase,
                           double *r)
{
    const struct scalar_energy_fluid f = p->two && phase ? p->fluid[1] : p->fluid[0];
    const double least = scalar_energy_least(p, wall, phase), opened = *r < least ? *r - least : 0;
    if (*r < least)
        *r = least;
    return eos_elastic_energy(p->eos, f.sound_speed, f.gamma, f.background, *r) +
           (wall ? 0 : f.opening) * opened;
}
#endif
