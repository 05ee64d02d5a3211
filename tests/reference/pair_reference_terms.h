/* Shared by pair_reference.c and its parts: a particle, its sums, and the formulas in
 * pair_reference_terms.c and in the files pair_reference_NAME.c, which are named after their pairs.
 */
#ifndef SLUICE_TESTS_PAIR_REFERENCE_TERMS_H
#define SLUICE_TESTS_PAIR_REFERENCE_TERMS_H
#include "kernels/pair/pair_lj.h"
#include "pair_reference.h"

/* The fields of one particle that the formulas use. */
struct point {
    double v[3], w[3], m, e, p, s,
        push;        /* w: viscous velocity of a no-slip wall; e: head; p = P/rho^2; s = rho0/rho */
    double t[3][3];  /* sub-particle stress over rho^2 */
    double g[3];     /* gradient of the head */
    double l1[3][3]; /* L - 1 of renormalised gradients */
    double b[3];     /* friction of walls, FRICTION */
    double l;        /* mixing length */
    double density;  /* r, not predicted */
    uint32_t phase;  /* of a fluid particle: 1 of the second fluid */
    double x[3];     /* place in its frame */
    uint32_t motion; /* of a wall: what carries it; 0: nothing */
    int slips;       /* of a wall: no fluid sticks to it */
    const int32_t *frame;
};

struct sums {
    double a[3], rate, diffusion, viscous, wall_viscous, ghost, body, phi, s[3], su, energy, virial,
        w, wp, lift[3], wv[3];
    double mean[3], turned[3]; /* sums of W d, of m F w x d, w the spin of what carries a wall */
    double a_scale, rate_scale, diffusion_scale, p_scale, power_scale;
    double close; /* pairs as near to the cutoff as those of struct reference */
    double n[3][3], ge[3], n_scale, ge_scale; /* sums of m F d (x) d, of m F (e_j - e_i) d */
    double grad[3][3], grad_scale;            /* sums of m F v_ij (x) d, and of their magnitudes */
    double matrix[3][3], matrix_scale, bent;  /* of renormalised gradients: N, ds/dt */
    double spring, spring_d;                  /* sums of |F| and |F d| of the spring's kernel */
    struct {
        double push[3], counted[3], mean[3], spread, phi, size, rate_size;
    } shift;                                           /* mean: over the other fluid */
    double a4[4][4], a4_size[4][4], b4[4], b4_size[4]; /* mdbc: the system, its terms' sizes */
};

/* Particle i of a set in host memory. */
struct point reference_point(const struct sluice_grid *g, const struct sluice_set *set, int64_t i);

/* W and W'(r)/r of an enum sluice_kernel. */
double reference_kernel_w(int dim, double h, int kernel, double r);
double reference_kernel_f(int dim, double h, int kernel, double r);

/* |m F| h, and a little for pairs so near to the cutoff that the rounding of r is seen against what
 * is left to it. */
double reference_size(const struct wcsph_params *p, double m, double f);
double reference_dot(const double *a, const double *b);

/* Laminar viscosity of nu = 1/2, v the relative velocity, without mass, F and densities: Morris et
 * al. 1997, or along d, with the kernel's mean square distance found by quadrature. The terms that
 * cancel in v.d are of the size of |v|, and d counts twice. */
void reference_laminar(const struct wcsph_params *p, const double v[3], const double d[3],
                       double r2, double force[3]);

/* c = w x d, w the spin of the body or motion that carries a wall particle. */
void reference_turned(const struct wcsph_params *p, uint32_t motion, const double d[3],
                      double c[3]);

/* The index of component (a, b) of a symmetric tensor in a field: xx, xy, yy, xz, yz, zz. */
int reference_symmetric(int a, int b);

/* Adds the contribution of a pair at d to the sums of i. */
void reference_add_lj(const struct lj_params *p, const double d[3], double r2, struct sums *t);
void reference_add_low(const struct lj_params *p, const double d[3], double r2, struct sums *t);
void reference_add_high(const struct lj_params *p, const double d[3], double r2, struct sums *t);
void reference_add_gradients(const struct wcsph_params *p, int source, const struct point *i,
                             const struct point *j, const double d[3], double r2, struct sums *t);
void reference_add_slope(const struct wcsph_params *p, const struct point *i, const struct point *j,
                         const double d[3], double r2, struct sums *t);
void reference_add_stress(const struct wcsph_params *p, int source, const struct point *i,
                          const struct point *j, const double d[3], double r2, struct sums *t);
void reference_add_renormalised(const struct wcsph_params *p, const struct point *i,
                                const struct point *j, const double d[3], double r2,
                                struct sums *t);
/* Sets the memory and the tensor, and returns what comes to the rate; *leak: the part that is
 * forgotten. */
double reference_remember(struct reference *r, const struct sluice_set *set,
                          const struct wcsph_params *p, int64_t n, const struct sums *t,
                          double *leak);
void reference_add_tensor(const struct wcsph_params *p, const struct point *j, const double d[3],
                          double r2, struct sums *t);
void reference_add_two_fluids(const struct wcsph_params *p, int source, const struct point *i,
                              const struct point *j, const double d[3], double r2, struct sums *t);
void reference_add_repulsive(const struct wcsph_params *p, const struct point *j, const double d[3],
                             double r2, struct sums *t);
void reference_add_adami(const struct wcsph_params *p, const struct point *j, const double d[3],
                         double r2, struct sums *t);
void reference_add_mdbc(const struct wcsph_params *p, const struct point *j, const double d[3],
                        double r2, struct sums *t);

/* Pi of the eddies of a mixing length. */
double reference_eddies(const struct wcsph_params *p, const struct point *i, const struct point *j,
                        double vd, double r2);

/* Sums for the law of the wall: w, lift, wv and, for the error of lift, p_scale. */
void reference_add_wall_law(const struct wcsph_params *p, const struct point *j, const double d[3],
                            double mf, struct sums *t);
/* The acceleration by it, its power on a wall of unit mass, and the scale of its error. */
double reference_finish_wall_law(const struct wcsph_params *p, const struct point *i,
                                 const struct sums *t, double a[3], double *on_wall);

/* Finishes the sums: their results on particle n. */
void reference_finish_gradients(struct reference *r, const struct wcsph_params *p, int64_t n,
                                const struct point *i, const struct sums *t);
void reference_finish_adami(struct reference *r, const struct sluice_set *set,
                            const struct wcsph_params *p, int64_t n, const struct point *i,
                            const struct sums *t);
void reference_finish_mdbc(struct reference *r, const struct sluice_set *set,
                           const struct wcsph_params *p, int64_t n, const struct sums *t);

/* pair_reference_shift.c: displacements of particle shifting. */
void reference_add_shift(const struct wcsph_params *p, int source, const struct point *i,
                         const struct point *j, const double d[3], double r2, struct sums *t);
void reference_finish_shift(struct reference *r, const struct wcsph_params *p, int64_t n,
                            const struct point *i, const struct sums *t);
#endif
