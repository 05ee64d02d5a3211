#include "probes/probe_flux.h"

#include <math.h>

#include "kernels/registry.h"

/* 3-D: 2 pi int_d^R W r dr. 2-D: 2 int_0^s W ds, s^2 = R^2 - d^2. By Simpson's rule: W is smooth
 * but for its third derivative at the end of the support. */
static double over_plane(const struct wcsph_params *p, double d, double support)
{
    enum { STEPS = 256 };
    const int space = p->dimension == 3;
    const double first = space ? d : 0, last = space ? support : sqrt(support * support - d * d),
                 step = (last - first) / STEPS;
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double s = first + i * step, r = space ? s : sqrt(d * d + s * s);
        const double f = r < support ? sluice_wcsph_w(p, r) : 0;
        sum += (i == 0 || i == STEPS ? 1 : i % 2 ? 4 : 2) * (space ? 2 * M_PI * r * f : 2 * f);
    }
    return sum * step / 3;
}

/* Scaled so that the integral of the linear interpolation is 1. */
void sluice_flux_kernel_make(struct sluice_flux_kernel *k, const struct wcsph_params *p,
                             double support)
{
    const double step = support / SLUICE_FLUX_INTERVALS;
    double integral = 0;
    k->support = support;
    for (int i = 0; i <= SLUICE_FLUX_INTERVALS; i++) {
        k->w[i] = i < SLUICE_FLUX_INTERVALS ? over_plane(p, i * step, support) : 0;
        integral += (i > 0 ? 2 : 1) * k->w[i] * step;
    }
    for (int i = 0; i <= SLUICE_FLUX_INTERVALS; i++)
        k->w[i] /= integral;
}

double sluice_flux_kernel_at(const struct sluice_flux_kernel *k, double d)
{
    const double place = d / k->support * SLUICE_FLUX_INTERVALS;
    const int i = (int)place;
    return place >= SLUICE_FLUX_INTERVALS ? 0 : k->w[i] + (place - i) * (k->w[i + 1] - k->w[i]);
}

int sluice_flux_axis(const double from[3], const double to[3])
{
    return from[0] == to[0] ? 0 : from[1] == to[1] ? 1 : 2;
}

double sluice_flux(const struct sluice_flux_kernel *k, const struct sluice_near *near,
                   const struct sluice_host_particles *p, const double from[3], int axis)
{
    double sum = 0;
    for (int64_t n = 0; n < near->count; n++) {
        const struct sluice_near_entry *e = &near->entry[n];
        const double volume = p->mass[e->particle] / p->density[e->particle];
        sum += volume * p->velocity[e->particle][axis] *
               sluice_flux_kernel_at(k, fabs(e->x[axis] - from[axis]));
    }
    return sum;
}
