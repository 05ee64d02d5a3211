/* How the particles start: named fields of velocity, pressure and density, and thermal velocities.
 *
 * The fields are applied to the fluid in the config's order; each sets its quantity everywhere, so
 * a later one wins. x is the first axis, up the last one; phases are measured from domain.min.
 *
 *   uniform        value
 *   linear         value + gradient (x - centre)
 *   quadratic      value + curvature |x - centre|^2                     (pressure, density)
 *   rotation       rate (-(y - cy), x - cx)                             (velocity)
 *   taylor-green   u = -U cos(a) sin(b), v = U (kx/ky) sin(a) cos(b), a = kx x, b = ky y,
 *                  k = 2 pi mode/L (mode 0: 1); p = -rho0/4 (U^2 cos 2a + V^2 cos 2b)
 *                                                                       (velocity, pressure)
 *   acoustic-wave  r = A cos(k.x), k = 2 pi mode/L; velocity: c0 A cos(k.x) along k
 *                                                                       (all three)
 *   gravity-wave   potential flow of depth H over a flat floor (Lamb 1932, sec. 228):
 *                  u = c cosh(k z) sin(kx x), w = -c sinh(k z) cos(kx x), k = pi mode/L,
 *                  c = A omega/sinh(kH), omega^2 = g k tanh(kH), z above the fluid's foot
 *                                                                       (velocity)
 *   hydrostatic    the equation of state's own profile below the highest fluid
 *                                                                       (pressure, density) */
#ifndef SLUICE_CASE_INITIAL_H
#define SLUICE_CASE_INITIAL_H
#include "case/case.h"

/* What the fields are told of the case. */
struct sluice_initial_frame {
    const struct sluice_config *config; /* borrowed */
    const struct wcsph_params *wcsph;   /* borrowed; NULL with Lennard-Jones: velocities only */
    double low[3], high[3];             /* the domain, m */
    double pull[3];                     /* gravity along open axes, m/s^2: what makes a depth */
    double top; /* largest -pull.x/|pull| of the fluid's cells: height of its highest level, m */
    double fluid_low[3], fluid_depth;           /* m */
    const struct sluice_initial_layers *layers; /* borrowed; NULL: one fluid, or no depth */
};

/* Pressure at rest of two fluids that lie on each other in any way: their column is cut into rows
 * of a spacing; in each, the pressure grows by the mean of what it would in either, weighted by how
 * much of both is there. Exact for layers that are whole rows. */
struct sluice_initial_layers {
    const struct wcsph_params *fluid[2];
    double pull, thickness;   /* gravity, m/s^2; of a row, m */
    int64_t rows;             /* from the top down */
    double *share, *pressure; /* [rows] of the first fluid; [rows] at the row's top, Pa */
};

/* Fills the pressures of rows whose shares are set. */
void sluice_initial_layers_weigh(struct sluice_initial_layers *l);
/* Pressure at a depth below the top, Pa. */
double sluice_initial_layers_pressure(const struct sluice_initial_layers *l, double depth);
void sluice_initial_layers_destroy(struct sluice_initial_layers *l);

/* How far x is below the highest fluid, m; r of a head. */
double sluice_initial_depth(const struct sluice_initial_frame *f, const double x[3]);
double sluice_initial_density_of_head(const struct wcsph_params *p, double head);

/* Relative density r at x of fluid at rest below f->top, from the exact integral of dp/dz = -rho g
 * with the equation of state: Tait, depth d: rho = rho0 (1 + (gamma - 1) g d/c0^2)^(1/(gamma - 1));
 * linear: rho0 exp(g d/c0^2). 0 above the top. Of two fluids, that of the pressure of their layers
 * in f->wcsph, the particle's own. */
double sluice_initial_hydrostatic(const struct sluice_initial_frame *f, const double x[3]);

/* Applies field number `index` of the config at x: changes `velocity` (m/s) or `r` (relative
 * density). `check` says once before whether it can be: errors name the key's file and line. */
sluice_status sluice_initial_check(const struct sluice_initial_frame *f, int index);
void sluice_initial_apply(const struct sluice_initial_frame *f, int index, const double x[3],
                          double velocity[3], double *r);

/* Sets thermal velocities of the particles: normal deviates from Philox4x32-10 (Salmon et al. 2011)
 * with the seed as key and the id as counter, the mean momentum taken off, scaled so that sum m v^2
 * = (D N - D) T, exactly T for the degrees of freedom that are left. The particles must come in
 * ascending order of id: then neither their order in a file nor threads change a bit. Errors: fewer
 * than two particles. */
sluice_status sluice_initial_thermal(struct sluice_start *start, int dimension, double temperature,
                                     long long seed);
#endif
