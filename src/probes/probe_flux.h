/* Volume flux through a section: a segment of a line (2-D) or a rectangle (3-D) across an axis.
 *
 *   Q = sum_j V_j u_j W1(x_j - x)     over fluid particles j before and behind the section
 *
 * u, x along the axis; W1 is the kernel integrated over the plane of the section. This is the
 * interpolated flux (Monaghan 1992, section 2) through the plane. A particle counts for the section
 * where it is before or behind it. The integral of W1 is 1, so a particle that passes through
 * contributes exactly its volume, whatever its path. */
#ifndef SLUICE_PROBES_PROBE_FLUX_H
#define SLUICE_PROBES_PROBE_FLUX_H
#include "kernels/types/wcsph_params.h"
#include "probes/probe_near.h"

/* W1 at equal distances from 0 to the support. */
enum { SLUICE_FLUX_INTERVALS = 512 };
struct sluice_flux_kernel {
    double support;                      /* m */
    double w[SLUICE_FLUX_INTERVALS + 1]; /* 1/m */
};
void sluice_flux_kernel_make(struct sluice_flux_kernel *k, const struct wcsph_params *p,
                             double support);

/* W1 at a distance from the plane, m. */
double sluice_flux_kernel_at(const struct sluice_flux_kernel *k, double distance);

/* The axis across the section: its corners agree on it. */
int sluice_flux_axis(const double from[3], const double to[3]);

/* m^3/s, in 2-D m^2/s, positive along the axis; of the particles in `near`, by id. */
double sluice_flux(const struct sluice_flux_kernel *k, const struct sluice_near *near,
                   const struct sluice_host_particles *p, const double from[3], int axis);
#endif
