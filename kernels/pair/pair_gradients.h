/* Gradients of the fluid for the main loop (wcsph_gradients.h), from the state that the main
 * loop will see: fluid from fluid and, with no slip, from walls. Every kernel: one pair. d, F, P as
 * in pair_wcsph.h; Delta = dp.
 *
 * Sub-particle stress (Gotoh et al. 2001; Dalrymple & Rogers 2006, eq. 10-12), tau over rho:
 *
 *   S      = sym grad v,  grad v_i = -1/rho_i sum_j m_j v_ij (x) F d  (Monaghan 1992, sec. 2.2)
 *   |S|    = sqrt(2 S:S),  nu_t = (C_s Delta)^2 |S|  (Smagorinsky 1963)
 *   tau/rho = nu_t (2 S - 2/3 tr S I) - 2/3 C_I Delta^2 |S|^2 I
 *
 * This gradient is the adjoint of the force that the main loop makes of tau: the power of a
 * particle's stress is -m tau:S/rho, and that of its part in nu_t is never positive.
 *
 * Gradient of the head over the fluid, exact where the head is linear (Randles & Libersky 1996;
 * Antuono et al. 2010, with m_j for V_j):
 *
 *   G = N^-1 sum_j m_j F (e_j - e_i) d,  N = -sum_j m_j F d (x) d
 *
 * With two fluids S has V_j for m_j/rho_i, and G its own fluid alone. G is 0 where N is singular:
 * where its determinant is below 0.05 of a sphere's of the same trace, as with neighbours in a line
 * or, in 3-D, in a plane. */
#ifndef SLUICE_PAIR_GRADIENTS_H
#define SLUICE_PAIR_GRADIENTS_H
#include "kernels/pair/correction.h"
#include "kernels/pair/pair_wcsph.h"

#define gradients_PARAMS(X) /* derived by the model: kernels/types/wcsph_params.h */
#define gradients_READS                                                                            \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS) | SLUICE_BIT(PHASE) |          \
     SLUICE_BIT(HAS_FRICTION))
#define gradients_WRITES        (SLUICE_BIT(STRESS) | SLUICE_BIT(HEAD_GRADIENT))
#define gradients_SUMS          0
#define gradients_FLOPS(kernel) 64
#define gradients_MASKS_ITSELF  1
#define gradients_USES_R        1
#define gradients_PACKS         SLUICE_FIELD_EOS
/* predicted velocity, of walls their own; mass in the constants' unit, with two fluids m/rho; head;
 * 1 of the second fluid, 0 of the first */
#define gradients_SRC(X) X(vx) X(vy) X(vz) X(mass) X(e) X(second)
/* sums of m F (v_a d_b + v_b d_a); of m F d_a d_b; of m F (e_i - e_j) d */
/* clang-format off */
#define gradients_ACC(X)                                                                           \
    X(xx) X(xy) X(yy) X(xz) X(yz) X(zz) X(nxx) X(nxy) X(nyy) X(nxz) X(nyz) X(nzz) X(gx) X(gy) X(gz)
/* clang-format on */
PAIR_STRUCT(gradients_src, gradients_SRC)
PAIR_STRUCT(gradients_acc, gradients_ACC)
#define GRADIENTS_DETERMINANT_LEAST 0.05

typedef struct wcsph_params gradients_params;
typedef struct {
    wcsph_constants plain; /* of the main loop */
    real support;
    struct wcsph_more more;
    real smagorinsky, isotropic; /* C_s^2 dp^2, 2/3 C_I dp^2 */
    int stress, head;            /* 1: is computed */
} gradients_constants;

static inline gradients_constants gradients_prepare(const struct wcsph_params *p, double mass)
{
    const double dp2 = p->spacing * p->spacing;
    const wcsph_more_constants main = wcsph_more_of(p, mass);
    gradients_constants k;
    k.plain = main.plain;
    k.support = main.support;
    k.more = main.more;
    k.smagorinsky = (real)(p->smagorinsky * p->smagorinsky * dp2);
    k.isotropic = (real)(2. / 3 * p->isotropic * dp2);
    k.stress = wcsph_has_stress(p);
    k.head = p->corrected_diffusion;
    return k;
}
PAIR_ALWAYS_USUAL(gradients)

HD int gradients_two(const gradients_constants *k)
{
    return (k->plain.terms & WCSPH_TWO) != 0;
}

HD gradients_src gradients_load(const gradients_constants *k, const struct sluice_view *v,
                                int64_t i, const int dim, const int source, real packed)
{
    const struct wcsph_loop loop = {{source, dim, 0, PAIR_KERNEL_ALL}, 0, WCSPH_MASSES | WCSPH_TWO};
    const wcsph_src main = wcsph_read(&k->plain, &k->more, loop, v, i, source, packed);
    gradients_src s = {main.vx, main.vy,    main.vz, gradients_two(k) ? main.volume : main.mass,
                       main.e,  main.second};
    if (source == 1 && v->field[SLUICE_FIELD_HAS_FRICTION])
        s.mass *= VIEW(v, HAS_FRICTION, i, 1, 0);
    return s;
}

HD void gradients_of_velocity(const int dim, const lane mf, const lane d[3],
                              const gradients_src_lanes *i, const gradients_src *j,
                              gradients_acc_lanes *sum)
{
    const lane vx = mf * (i->vx - j->vx), vy = mf * (i->vy - j->vy);
    sum->xx += 2 * (vx * d[0]);
    sum->xy += vx * d[1] + vy * d[0];
    sum->yy += 2 * (vy * d[1]);
    if (dim == 3) {
        const lane vz = mf * (i->vz - j->vz);
        sum->xz += vx * d[2] + vz * d[0];
        sum->yz += vy * d[2] + vz * d[1];
        sum->zz += 2 * (vz * d[2]);
    }
}

HD void gradients_of_head(const int dim, const lane mf, const lane d[3],
                          const gradients_src_lanes *i, const gradients_src *j,
                          gradients_acc_lanes *sum)
{
    const lane x = mf * d[0], y = mf * d[1], e = i->e - j->e;
    sum->nxx += x * d[0];
    sum->nxy += x * d[1];
    sum->nyy += y * d[1];
    sum->gx += x * e;
    sum->gy += y * e;
    if (dim == 3) {
        const lane z = mf * d[2];
        sum->nxz += x * d[2];
        sum->nyz += y * d[2];
        sum->nzz += z * d[2];
        sum->gz += z * e;
    }
}

HD void gradients_eval(const gradients_constants *k, const struct pair_loop loop,
                       const struct pair_distance *at, const gradients_src_lanes *i,
                       const gradients_src *j, gradients_acc_lanes *sum)
{
    const lane mf = j->mass * sph_f_shape(&k->plain.kernel, loop.kernel, at->r);
    if (k->stress)
        gradients_of_velocity(loop.dim, mf, at->d, i, j, sum);
    if (k->head && loop.source == 0) {
        const lane own = gradients_two(k) ? lane_select(i->second == j->second, mf, lane_of(0))
                                          : mf;
        gradients_of_head(loop.dim, own, at->d, i, j, sum);
    }
}

/* tau over rho^2. In 2-D nothing moves along z: S_zz = 0. */
HD void gradients_put_stress(const gradients_constants *k, const struct sluice_view *v, int64_t n,
                             const int dim, const gradients_src *i, const gradients_acc *sum)
{
    const int parts = dim * (dim + 1) / 2;
    const real inverse_rho0 = gradients_two(k) && i->second > 0 ? k->more.fluid[1].inverse_rho0
                                                                : k->plain.inverse_rho0;
    const real volume = VIEW(v, EOS, n, 2, 1) * inverse_rho0; /* 1/rho */
    const real scale = gradients_two(k) ? (real)-0.5 * k->plain.kernel.f
                                        : (real)-0.5 * volume * k->plain.mass * k->plain.kernel.f;
    const real strain[6] = {scale * sum->xx, scale * sum->xy, scale * sum->yy,
                            scale * sum->xz, scale * sum->yz, scale * sum->zz};
    const real diagonal[6] = {1, 0, 1, 0, 0, 1};
    real square = 0, trace = 0; /* S:S, tr S */
    for (int c = 0; c < parts; c++) {
        square += (2 - diagonal[c]) * strain[c] * strain[c];
        trace += diagonal[c] * strain[c];
    }
    square *= 2;
    const real nu = k->smagorinsky * REAL_SQRT(square);
    const real pressure = (real)(2. / 3) * nu * trace + k->isotropic * square;
    for (int c = 0; c < parts; c++)
        VIEW(v, STRESS, n, parts, c) = volume * (2 * nu * strain[c] - diagonal[c] * pressure);
}

/* Inverts N by the adjugate of N over its mean diagonal; the units of the kernel's shape and of
 * masses cancel. In 2-D N gets a third axis with the mean diagonal. */
HD void gradients_put_head(const struct sluice_view *v, int64_t n, const int dim,
                           const gradients_acc *sum)
{
    const real mean = (sum->nxx + sum->nyy + (dim == 3 ? sum->nzz : 0)) / (real)dim;
    const real inverse = mean > 0 ? 1 / mean : 0;
    const real xx = inverse * sum->nxx, xy = inverse * sum->nxy, yy = inverse * sum->nyy;
    const real xz = dim == 3 ? inverse * sum->nxz : 0, yz = dim == 3 ? inverse * sum->nyz : 0;
    const real zz = dim == 3 ? inverse * sum->nzz : 1;
    const real g[3] = {sum->gx, sum->gy, dim == 3 ? sum->gz : 0},
               matrix[6] = {xx, xy, yy, xz, yz, zz};
    real a[6];
    const real determinant = correction_adjugate(matrix, a),
               scale = determinant > (real)GRADIENTS_DETERMINANT_LEAST ? inverse / determinant : 0;
    VIEW(v, HEAD_GRADIENT, n, dim, 0) = scale * (a[0] * g[0] + a[1] * g[1] + a[3] * g[2]);
    VIEW(v, HEAD_GRADIENT, n, dim, 1) = scale * (a[1] * g[0] + a[2] * g[1] + a[4] * g[2]);
    if (dim == 3)
        VIEW(v, HEAD_GRADIENT, n, dim, 2) = scale * (a[3] * g[0] + a[4] * g[1] + a[5] * g[2]);
}

HD void gradients_store(const gradients_constants *k, const struct sluice_view *v, int64_t n,
                        const struct pair_loop loop, const gradients_src *i,
                        const gradients_acc *sum, double out[SLUICE_SUM_COUNT])
{
    (void)out;
    if (k->stress)
        gradients_put_stress(k, v, n, loop.dim, i, sum);
    if (k->head)
        gradients_put_head(v, n, loop.dim, sum);
}
#endif
