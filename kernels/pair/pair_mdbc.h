/* The fluid's state at the ghost nodes of wall particles, mirror images in the fluid, by
 * interpolation that is consistent to first order (English et al. 2022, modified dynamic boundary
 * conditions). The target is the set of ghost nodes; d = x_g - x_j,
 * V = m_j/rho_j, u_j = -d/h.
 *
 *   [ sum V W        sum V W u^T      ] [ e_g       ]   [ sum V e W      ]
 *   [ sum V h F d    sum V h F d u^T  ] [ h grad e  ] = [ sum V e h F d  ]   Liu & Liu 2006
 *
 *   e_g = sum V e W/sum V W, grad e = 0 where the determinant is below 1e-3 (Shepard 1968)
 *   no slip: u_g - sum V v W/sum V W, for the viscous term only; of walls that turn
 *            + w x (x_m - x_g), x_m the place of that mean
 *
 * English et al. interpolate the density. The head e is linear in depth in water at rest for every
 * equation of state, so this is exact there.
 *
 * The results are stored at the numbers of the nodes, for kernels/pointwise/from_ghosts.h. */
#ifndef SLUICE_PAIR_MDBC_H
#define SLUICE_PAIR_MDBC_H
#include "kernels/pair/sph_kernel.h"
#include "kernels/pair/wall_spin.h"
#include "kernels/types/wcsph_params.h"

#define mdbc_PARAMS(X)     /* derived by the model: kernels/types/wcsph_params.h */
#define mdbc_READS         (SLUICE_BIT(POSITION) | SLUICE_BIT(NODE) | SLUICE_BIT(VELOCITY))
#define mdbc_WRITES        (SLUICE_BIT(HEAD) | SLUICE_BIT(PREDICTED))
#define mdbc_PACKS         SLUICE_FIELD_POSITION
#define mdbc_SUMS          0
#define mdbc_FLOPS(kernel) 50
#define mdbc_MASKS_ITSELF  1
#define mdbc_USES_R        1
/* predicted velocity and head; V rho0 */
#define mdbc_SRC(X) X(vx) X(vy) X(vz) X(e) X(volume)
/* Sums over the fluid of V times: W; W d; F d; F d d; e W; e F d; v W */
/* clang-format off */
#define mdbc_ACC(X)                                                                                \
    X(w) X(wx) X(wy) X(wz) X(fx) X(fy) X(fz) X(fxx) X(fyy) X(fzz) X(fxy) X(fxz) X(fyz)             \
    X(ew) X(ex) X(ey) X(ez) X(vx) X(vy) X(vz)
/* clang-format on */

#define MDBC_DETERMINANT 1e-3 /* below it the system is not solved (English et al. 2022) */

#define MDBC_DRY (-1.0) /* the head where no fluid is near: no wall's density is that low */

PAIR_STRUCT(mdbc_src, mdbc_SRC)
PAIR_STRUCT(mdbc_acc, mdbc_ACC)

typedef struct wcsph_params mdbc_params;
typedef struct {
    struct sph_kernel kernel;
    real support, inverse_rho0;
    real tiny; /* 1e-6 of a particle's share at the kernel's peak: below it there is no fluid */
    int no_slip;
    struct wall_spin spin;
} mdbc_constants;

static inline mdbc_constants mdbc_prepare(const struct wcsph_params *p, double mass)
{
    const double share = p->rho0 * pow(p->spacing, p->dimension);
    mdbc_constants k;
    (void)mass;
    k.kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    k.support = k.kernel.support;
    k.tiny = (real)(1e-6 * share) * k.kernel.peak;
    k.inverse_rho0 = (real)(1 / p->rho0);
    k.no_slip = !p->slip && p->nu > 0;
    k.spin = wall_spin_prepare(k.no_slip ? p->motions : NULL);
    return k;
}

/* Solves a x = b by cofactors, those of two rows times those of the other two: no pivot is sought,
 * so the matrix stays in registers. Returns the determinant, x in b. With one below
 * MDBC_DETERMINANT x is of no use. */
HD double mdbc_solve(double a[4][4], double b[4])
{
    double s[6], c[6]; /* of columns 01, 02, 03, 12, 13, 23, in rows 0, 1 and in rows 2, 3 */
    for (int m = 0, n = 0; m < 3; m++)
        for (int l = m + 1; l < 4; l++, n++) {
            s[n] = a[0][m] * a[1][l] - a[1][m] * a[0][l];
            c[n] = a[2][m] * a[3][l] - a[3][m] * a[2][l];
        }
    const double determinant = s[0] * c[5] - s[1] * c[4] + s[2] * c[3] + s[3] * c[2] - s[4] * c[1] +
                               s[5] * c[0];
    /* (A_0m b_1 - A_1m b_0) and (A_2m b_3 - A_3m b_2) are minors of a column with b. */
    double p[4], q[4];
    for (int m = 0; m < 4; m++) {
        p[m] = a[0][m] * b[1] - a[1][m] * b[0];
        q[m] = a[2][m] * b[3] - a[3][m] * b[2];
    }
    const double inverse = 1 / determinant;
    b[0] = ((q[1] * s[5] - q[2] * s[4] + q[3] * s[3]) + (p[1] * c[5] - p[2] * c[4] + p[3] * c[3])) *
           -inverse;
    b[1] = ((q[0] * s[5] - q[2] * s[2] + q[3] * s[1]) + (p[0] * c[5] - p[2] * c[2] + p[3] * c[1])) *
           inverse;
    b[2] = ((q[0] * s[4] - q[1] * s[2] + q[3] * s[0]) + (p[0] * c[4] - p[1] * c[2] + p[3] * c[0])) *
           -inverse;
    b[3] = ((q[0] * s[3] - q[1] * s[1] + q[2] * s[0]) + (p[0] * c[3] - p[1] * c[1] + p[2] * c[0])) *
           inverse;
    return determinant;
}

/* Free slip needs no velocities: code of its own. */
HD int mdbc_is_usual(const mdbc_constants *k)
{
    return !k->no_slip;
}
HD mdbc_constants mdbc_usual(mdbc_constants k)
{
    k.no_slip = 0;
    return k;
}

HD mdbc_src mdbc_load(const mdbc_constants *k, const struct sluice_view *v, int64_t i,
                      const int dim, const int source, real packed)
{
    mdbc_src s = {0, 0, 0, 0, 0};
    (void)k;
    if (source == SLUICE_TARGET)
        return s;
    const struct real4 u = view_predicted(v, i, dim);
    s.vx = u.x;
    s.vy = u.y;
    s.vz = u.z;
    s.e = u.w;
    s.volume = packed * VIEW(v, EOS, i, 2, 1);
    return s;
}

HD void mdbc_eval(const mdbc_constants *k, const struct pair_loop loop,
                  const struct pair_distance *at, const mdbc_src_lanes *i, const mdbc_src *j,
                  mdbc_acc_lanes *sum)
{
    (void)i;
    const lane w = j->volume * sph_w_shape(&k->kernel, loop.kernel, at->r),
               f = j->volume * sph_f_shape(&k->kernel, loop.kernel, at->r);
    const lane fx = f * at->d[0], fy = f * at->d[1];
    sum->w += w;
    sum->wx += w * at->d[0];
    sum->wy += w * at->d[1];
    sum->fx += fx;
    sum->fy += fy;
    sum->fxx += fx * at->d[0];
    sum->fyy += fy * at->d[1];
    sum->fxy += fx * at->d[1];
    sum->ew += j->e * w;
    sum->ex += j->e * fx;
    sum->ey += j->e * fy;
    if (loop.dim == 3) {
        const lane fz = f * at->d[2];
        sum->wz += w * at->d[2];
        sum->fz += fz;
        sum->fzz += fz * at->d[2];
        sum->fxz += fx * at->d[2];
        sum->fyz += fy * at->d[2];
        sum->ez += j->e * fz;
    }
    if (k->no_slip) { /* the same for all pairs */
        sum->vx += j->vx * w;
        sum->vy += j->vy * w;
        if (loop.dim == 3)
            sum->vz += j->vz * w;
    }
}

/* The head and its gradient at a node that has fluid around it. */
HD void mdbc_head(const mdbc_constants *k, const int dim, const mdbc_acc *sum, double head[4])
{
    const double h = 1 / (double)k->kernel.inverse_h,
                 w = (double)k->kernel.w * (double)k->inverse_rho0,
                 f = (double)k->kernel.f * (double)k->inverse_rho0 * h;
    const double wd[3] = {(double)sum->wx, (double)sum->wy, (double)sum->wz},
                 fd[3] = {(double)sum->fx, (double)sum->fy, (double)sum->fz},
                 fe[3] = {(double)sum->ex, (double)sum->ey, (double)sum->ez};
    const double fdd[3][3] = {{(double)sum->fxx, (double)sum->fxy, (double)sum->fxz},
                              {(double)sum->fxy, (double)sum->fyy, (double)sum->fyz},
                              {(double)sum->fxz, (double)sum->fyz, (double)sum->fzz}};
    double a[4][4] = {{0}};
    a[3][3] = 1; /* in 2-D: a fourth equation, head[3] = 0 */
    head[3] = 0;
    a[0][0] = w * (double)sum->w;
    head[0] = w * (double)sum->ew;
    for (int r = 0; r < dim; r++) {
        a[0][r + 1] = -w / h * wd[r];
        a[r + 1][0] = f * fd[r];
        head[r + 1] = f * fe[r];
        for (int c = 0; c < dim; c++)
            a[r + 1][c + 1] = -f / h * fdd[r][c];
    }
    const int solved = fabs(mdbc_solve(a, head)) >= MDBC_DETERMINANT;
    if (!solved)
        head[0] = (double)sum->ew / (double)sum->w;
    for (int c = 0; c < dim; c++)
        head[c + 1] = solved ? head[c + 1] / h : 0;
}

HD void mdbc_store(const mdbc_constants *k, const struct sluice_view *v, int64_t n,
                   const struct pair_loop loop, const mdbc_src *i, const mdbc_acc *sum,
                   double out[SLUICE_SUM_COUNT])
{
    (void)i, (void)out;
    const int64_t of_wall = view_number(v, SLUICE_FIELD_NODE, n);
    const int near = sum->w > k->tiny;
    real turned[3] = {0, 0, 0};
    const real vf[3] = {sum->vx, sum->vy, sum->vz}, *velocity = v->field[SLUICE_FIELD_VELOCITY];
    double head[4] = {MDBC_DRY, 0, 0, 0};
    if (near)
        mdbc_head(k, loop.dim, sum, head);
    for (int c = 0; c <= loop.dim; c++)
        VIEW(v, HEAD, of_wall, loop.dim + 1, c) = (real)head[c];
    if (k->spin.used && near) {
        const real mean[3] = {-sum->wx / sum->w, -sum->wy / sum->w,
                              loop.dim == 3 ? -sum->wz / sum->w : 0};
        real spin[3];
        wall_spin_of(&k->spin, v, n, spin);
        for (int c = 0; c < 3; c++)
            turned[c] = wall_spin_cross(spin, mean, c);
    }
    for (int c = 0; c < loop.dim && k->no_slip; c++) {
        const real u = velocity ? velocity[loop.dim * n + c] : 0;
        real seen = near ? u - vf[c] / sum->w : 0;
        if (k->spin.used)
            seen += turned[c];
        VIEW(v, PREDICTED, of_wall, loop.dim + 1, c) = seen;
    }
}
#endif
