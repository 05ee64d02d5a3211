/* The fluid's state at the ghost nodes of wall particles, mirror images in the fluid, by
 * interpolation that is consistent to first order (English et al. 2022, modified dynamic boundary
 * conditions). A template, as wcsph.h is. The target is the set of ghost nodes; d = x_g - x_j,
 * V = m_j/rho_j, u_j = -d/h.
 *
 *   [ sum V W        sum V W u^T      ] [ e_g       ]   [ sum V e W      ]
 *   [ sum V h F d    sum V h F d u^T  ] [ h grad e  ] = [ sum V e h F d  ]   Liu & Liu 2006
 *
 *   e_g = sum V e W/sum V W, grad e = 0 where the determinant is below 1e-3 (Shepard 1968)
 *   no slip: u_g - sum V v W/sum V W, for the viscous term only
 *
 * Theirs interpolates the density; the head e is linear in depth in water at rest whatever the
 * equation of state, so that this is exact there.
 *
 * The results stand in the order of the walls' ids, where kernels/pointwise/from_ghosts.h finds
 * them. */
#include "kernels/pair/mdbc_terms.h"

typedef struct wcsph_mdbc_params SPH_NAME(params);
typedef struct mdbc_constants SPH_NAME(constants);
typedef struct mdbc_src SPH_NAME(src);
typedef struct mdbc_acc SPH_NAME(acc);
typedef LANES_OF(mdbc_src) SPH_NAME(src_lanes);
typedef LANES_OF(mdbc_acc) SPH_NAME(acc_lanes);

static inline struct mdbc_constants SPH_NAME(prepare)(const struct wcsph_mdbc_params *p,
                                                      double mass)
{
    (void)mass;
    return mdbc_constants_of(p);
}

/* Free slip needs no velocities: code of its own. */
HD int SPH_NAME(is_usual)(const struct mdbc_constants *k)
{
    return !k->no_slip;
}
HD struct mdbc_constants SPH_NAME(usual)(struct mdbc_constants k)
{
    k.no_slip = 0;
    return k;
}

HD real SPH_NAME(support)(const struct mdbc_constants *k)
{
    return k->support;
}

/* The mass. */
HD real SPH_NAME(pack)(const struct sluice_view *v, int64_t i, const int dim, const int source)
{
    (void)source;
    return VIEW(v, POSITION, i, dim + 1, dim);
}

HD struct mdbc_src SPH_NAME(load)(const struct mdbc_constants *k, const struct sluice_view *v,
                                  int64_t i, const int dim, const int source, real packed)
{
    struct mdbc_src s = {0, 0, 0, 0, 0};
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

HD void SPH_NAME(eval)(const struct mdbc_constants *k, const int source, const int dim,
                       const int energy, const lane d[3], const lane r2, const lane r,
                       const LANES_OF(mdbc_src) * i, const struct mdbc_src *j,
                       LANES_OF(mdbc_acc) * sum)
{
    (void)source, (void)energy, (void)i, (void)r2;
    const lane w = j->volume * SPH_KERNEL(w_shape)(&k->kernel, r),
               f = j->volume * SPH_KERNEL(f_shape)(&k->kernel, r);
    const lane fx = f * d[0], fy = f * d[1];
    sum->w += w;
    sum->wx += w * d[0];
    sum->wy += w * d[1];
    sum->fx += fx;
    sum->fy += fy;
    sum->fxx += fx * d[0];
    sum->fyy += fy * d[1];
    sum->fxy += fx * d[1];
    sum->ew += j->e * w;
    sum->ex += j->e * fx;
    sum->ey += j->e * fy;
    if (dim == 3) {
        const lane fz = f * d[2];
        sum->wz += w * d[2];
        sum->fz += fz;
        sum->fzz += fz * d[2];
        sum->fxz += fx * d[2];
        sum->fyz += fy * d[2];
        sum->ez += j->e * fz;
    }
    if (k->no_slip) { /* the same for all pairs */
        sum->vx += j->vx * w;
        sum->vy += j->vy * w;
        if (dim == 3)
            sum->vz += j->vz * w;
    }
}

/* The head and its gradient at a node that has fluid around it. */
HD void SPH_NAME(solve)(const struct mdbc_constants *k, const int dim, const struct mdbc_acc *sum,
                        double head[4])
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
    double a[4][4];
    a[0][0] = w * (double)sum->w;
    head[0] = w * (double)sum->ew;
    for (int r = 0; r < dim; r++) {
        a[0][r + 1] = -w / h * wd[r];
        a[r + 1][0] = f * fd[r];
        head[r + 1] = f * fe[r];
        for (int c = 0; c < dim; c++)
            a[r + 1][c + 1] = -f / h * fdd[r][c];
    }
    const int solved = fabs(mdbc_solve(a, head, dim + 1)) >= MDBC_DETERMINANT;
    if (!solved)
        head[0] = (double)sum->ew / (double)sum->w;
    for (int c = 0; c < dim; c++)
        head[c + 1] = solved ? head[c + 1] / h : 0;
}

HD void SPH_NAME(store)(const struct mdbc_constants *k, const struct sluice_view *v, int64_t n,
                        const int dim, const int energy, const struct mdbc_src *i,
                        const struct mdbc_acc *sum, double out[SLUICE_SUM_COUNT])
{
    (void)energy, (void)i, (void)out;
    const int64_t of_wall = (int64_t)(v->id[n] - k->first_id);
    const int near = sum->w > k->tiny;
    const real vf[3] = {sum->vx, sum->vy, sum->vz}, *velocity = v->field[SLUICE_FIELD_VELOCITY];
    double head[4] = {MDBC_DRY, 0, 0, 0};
    if (near)
        SPH_NAME(solve)(k, dim, sum, head);
    for (int c = 0; c <= dim; c++)
        VIEW(v, HEAD, of_wall, dim + 1, c) = (real)head[c];
    for (int c = 0; c < dim && k->no_slip; c++) {
        const real u = velocity ? velocity[dim * n + c] : 0;
        VIEW(v, PREDICTED, of_wall, dim + 1, c) = near ? u - vf[c] / sum->w : 0;
    }
}
