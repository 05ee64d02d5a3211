/* Initial fields of velocity, pressure and density.
 *
 * The fields are applied to the fluid in the config's order. Each sets its quantity everywhere, so
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
 *                                                                       (pressure, density)
 *
 * Those of a gas are applied to what its shapes or its file gave (gas_initial.c):
 *
 *   uniform, linear, quadratic, rotation   as above; also of the energy u
 *   sine      adds value sin(2 pi sum_a mode_a (x_a - domain.min_a)/L_a)       (all fields)
 *   vortex    Gresho & Chan 1990 about the centre: adds v_phi = 5 r up to r = 0.2, 2 - 5 r up to
 *             0.4, and 0 beyond; sets the pressure that holds it at rho = 1    (velocity, pressure)
 *   shear     McNally, Lyra & Passy 2012, eq. 1 to 4: two streams with smooth borders; lengths are
 *             in periods, the lengths of the domain                            (velocity, density)
 *   point     adds `amplitude` J in all, shared among the particles by a kernel about the centre:
 *             u_i += E W_i/sum m_j W_j                                         (energy)
 *
 * A pressure p sets u = p/((gamma - 1) rho). A density changes the mass of a particle, whose volume
 * and pressure stay: so what is in balance stays so. */
#ifndef SLUICE_CASE_INITIAL_H
#define SLUICE_CASE_INITIAL_H
#include "case/case.h"
#include "case/hydrostatic_layers.h"
#include "core/vector.h"

/* The case as the fields need it. */
struct sluice_initial_frame {
    const struct sluice_config *config; /* borrowed */
    const struct wcsph_params *wcsph;   /* borrowed; NULL of other models */
    const struct gas_params *gas;       /* borrowed; NULL of other models */
    double low[3], high[3];             /* the domain, m */
    double pull[3], gravity;            /* gravity along open axes, and its size, m/s^2 */
    double top; /* largest -pull.x/|pull| of the fluid's cells: height of its highest level, m */
    double fluid_low[3], fluid_depth;   /* m */
    const struct sluice_layers *layers; /* borrowed; NULL: one fluid, or no depth */
};

/* Depth of x below the highest fluid, m. */
double sluice_initial_depth(const struct sluice_initial_frame *f, const double x[3]);

/* Relative density r at x of fluid at rest below f->top, from the exact integral of dp/dz = -rho g
 * with the equation of state: Tait, depth d: rho = rho0 (1 + (gamma - 1) g d/c0^2)^(1/(gamma - 1));
 * linear: rho0 exp(g d/c0^2). 0 above the top. With two fluids the pressure is that of their
 * layers, and f->wcsph is the particle's own fluid. */
double sluice_initial_hydrostatic(const struct sluice_initial_frame *f, const double x[3]);

/* Applies field number `index` of the config at x: sets `velocity` (m/s) or `r` (relative density).
 * Call check once before. Its errors name the key's file and line. */
sluice_status sluice_initial_check(const struct sluice_initial_frame *f, int index);
void sluice_initial_apply(const struct sluice_initial_frame *f, int index, const double x[3],
                          double velocity[3], double *r);

/* --- gas_initial.c --- */

/* A particle's state. */
struct sluice_gas_state {
    double *velocity; /* [3] m/s */
    double *density, *mass, *energy;
};

/* Applies field number `index` of the config to a particle at x. total: sum m_j W_j of a point. */
void sluice_gas_initial_apply(const struct sluice_initial_frame *f, int index, const double x[3],
                              double total, const struct sluice_gas_state *s);

/* W at x of a point's kernel, 1/m^D; 0 beyond its radius. */
double sluice_gas_point_kernel(const struct sluice_initial_frame *f, int index, const double x[3]);

/* The radius of that kernel, m. */
double sluice_gas_point_radius(const struct sluice_initial_frame *f, int index);
#endif
