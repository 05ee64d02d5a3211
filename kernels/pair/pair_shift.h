/* Particle shifting: where each fluid particle is moved to keep the particles evenly spread.
 *
 *   dx_i = -A U h dt sum_j V_j [1 + 0.2 (W/W(dp))^4] F d,  |dx| <= 0.05 dp,  U = c0/10
 *          (Sun et al. 2017, eq. 13, with A = 4 and U the largest speed that the fluid is made for)
 *
 * j over fluid and walls, V = m/rho. Where the density counts the shift, dx/dt = u, its rate gains
 *
 *   dr_i/dt = -sum V_j (u_j - u_i).F d + sum_fluid V_j (u_j + u_i).F d
 *           = u_i.(2 sum_fluid V_j F d + sum_walls V_j F d),  u = 0 at walls
 *          (Sun et al. 2019, for densities that differ by little)
 *
 * and P_shift = sum m P rho0 dr/dt is its power. With `inside`, particles at a free surface are not
 * shifted: dx is multiplied by
 *
 *   (s - s0)/(D - s0), within 0 and 1,  s = -sum_j V_j F d^2,  s0 = 1.5 in 2-D, 2.75 in 3-D
 *          (the divergence of position, D inside: Lee et al. 2008, eq. 59; Mokos et al. 2017)
 *
 * Between two fluids a particle is shifted along their interface. Its dx loses the part along n,
 *
 *   n_i = sum_j V_j F d, j over the other fluid,  dx - (dx.n) n/(|n|^2 + 1e-6/h^2)
 *          (as Lind et al. 2012 treat free surfaces; n is the gradient of the other fluid's colour)
 *
 * so no shift carries a particle through the interface, or presses it there. U is a tenth of the
 * smaller c0: that of the lighter fluid is larger only to make it as stiff.
 *
 * Nothing is shifted where the walls' springs act or might after the move (wcsph_terms.h): phi
 * above 0.24 is within 0.05 dp of their threshold, 0.3. So the springs' energy does not jump. The
 * change of the potential energy, -m g.dx, is summed. Every kernel: one pair. */
#ifndef SLUICE_PAIR_SHIFT_H
#define SLUICE_PAIR_SHIFT_H
#include "kernels/pair/wcsph_terms.h"

#define shift_PARAMS(X)     /* derived by the model: kernels/types/wcsph_params.h */
#define shift_READS         (SLUICE_BIT(POSITION) | SLUICE_BIT(EOS) | SLUICE_BIT(RATE) | SLUICE_BIT(PHASE))
#define shift_WRITES        (SLUICE_BIT(SHIFT) | SLUICE_BIT(RATE))
#define shift_SUMS          (SLUICE_SUM_BIT(SHIFT) | SLUICE_SUM_BIT(SHIFT_DENSITY))
#define shift_FLOPS(kernel) 30
#define shift_MASKS_ITSELF  1
#define shift_USES_R        1
#define shift_PACKS         SLUICE_FIELD_POSITION
#define SHIFT_PHI_MOST      ((real)(0.8 * WCSPH_SPRING_THRESHOLD))
#define SHIFT_NORMAL_LEAST  1e-3 /* of h |n|: beyond, the other fluid is far */

/* volume; of the second of two fluids its negative */
#define shift_SRC(X) X(volume)
/* gradient of the concentration, divergence of position, in the kernel's shape; the spring's phi;
 * (cx, cy, cz): the sums that the density's rate has, in the kernel's shape, or with two fluids,
 * where no density counts the shift, the normal to their interface */
#define shift_ACC(X) X(x) X(y) X(z) X(spread) X(phi) X(cx) X(cy) X(cz)
PAIR_STRUCT(shift_src, shift_SRC)
PAIR_STRUCT(shift_acc, shift_ACC)

typedef struct wcsph_shift_params shift_params;
typedef struct {
    struct sph_kernel kernel, spring; /* as in wcsph_constants */
    real support;
    real clump; /* 0.2 (W/shape/W(dp))^4 */
    real rho0, inverse_rho0;
    real step; /* -A U h dt F/shape */
    real rate; /* F/shape/dt; 0: the density does not count the shift */
    real most; /* 0.05 dp */
    real gravity[3];
    real surface[2];    /* s0, 1/(D - s0); (0, 0): everywhere */
    int two;            /* there is a second fluid: */
    real second_volume; /* -1/rho0 of it */
    real normal;        /* h F/shape */
} shift_constants;

static inline shift_constants shift_prepare(const struct wcsph_shift_params *p, double mass)
{
    const struct wcsph_params *w = &p->wcsph;
    const double s0 = w->dimension == 2 ? 1.5 : 2.75;
    shift_constants k;
    (void)mass;
    k.kernel = sph_kernel_prepare(w->kernel, w->h, w->dimension);
    k.spring = wcsph_spring_of(w);
    k.spring.w = w->spring ? k.spring.w : 0; /* then no phi is above the limit */
    k.support = k.kernel.support;
    const double ratio = (double)k.kernel.w / p->w_dp;
    k.clump = (real)(0.2 * ratio * ratio * ratio * ratio);
    k.rho0 = (real)w->rho0;
    k.inverse_rho0 = (real)(1 / w->rho0);
    k.two = w->second != NULL;
    k.second_volume = (real)(k.two ? -1 / w->second->rho0 : 0);
    k.normal = (real)(w->h * (double)k.kernel.f);
    k.step = (real)(-p->strength * 0.1 * wcsph_slowest_sound(w) * w->h * p->dt *
                    (double)k.kernel.f);
    k.rate = (real)(p->counted && !k.two && p->dt > 0 ? (double)k.kernel.f / p->dt : 0);
    k.most = (real)(0.05 * w->spacing);
    for (int c = 0; c < 3; c++)
        k.gravity[c] = (real)w->gravity[c];
    k.surface[0] = (real)(p->inside ? s0 : 0);
    k.surface[1] = (real)(p->inside ? 1 / (w->dimension - s0) : 0);
    return k;
}

/* One fluid needs no phases: code of its own. */
HD int shift_is_usual(const shift_constants *k)
{
    return !k->two;
}
HD shift_constants shift_usual(shift_constants k)
{
    k.two = 0;
    return k;
}

HD shift_src shift_load(const shift_constants *k, const struct sluice_view *v, int64_t i,
                        const int dim, const int source, real packed)
{
    shift_src s;
    (void)dim;
    s.volume = packed *
               (k->two && source != 1 && view_phase(v, i) ? k->second_volume : k->inverse_rho0);
    if (v->field[SLUICE_FIELD_EOS]) /* repulsive walls have none */
        s.volume *= VIEW(v, EOS, i, 2, 1);
    return s;
}

HD void shift_eval(const shift_constants *k, const struct pair_loop loop,
                   const struct pair_distance *at, const shift_src_lanes *i, const shift_src *j,
                   shift_acc_lanes *sum)
{
    const lane w = sph_w_shape(&k->kernel, loop.kernel, at->r), w2 = w * w,
               f = REAL_FABS(j->volume) * sph_f_shape(&k->kernel, loop.kernel, at->r),
               push = f * (1 + k->clump * w2 * w2);
    pair_add(loop.dim, push, at->d, &sum->x, &sum->y, &sum->z);
    sum->spread += f * at->r2;
    if (k->rate != 0) { /* the same for all pairs */
        const lane counted = loop.source == 0 ? f + f : f;
        pair_add(loop.dim, counted, at->d, &sum->cx, &sum->cy, &sum->cz);
    }
    if (k->two && loop.source == 0) { /* the same */
        const lane first = lane_select(i->volume < 0, f, lane_of(0)), second = f - first,
                   other = j->volume < 0 ? second : first;
        pair_add(loop.dim, other, at->d, &sum->cx, &sum->cy, &sum->cz);
    }
    if (loop.source == 1)
        sum->phi += wendland_w_shape(&k->spring, at->r);
}

/* Takes the part normal to the interface of two fluids from dx. */
HD void shift_stays(const shift_constants *k, const int dim, const shift_acc *sum, real dx[3])
{
    const real n[3] = {k->normal * sum->cx, k->normal * sum->cy, k->normal * sum->cz},
               n2 = n[0] * n[0] + n[1] * n[1] + (dim == 3 ? n[2] * n[2] : 0),
               dxn = dx[0] * n[0] + dx[1] * n[1] + (dim == 3 ? dx[2] * n[2] : 0),
               along = dxn / (n2 + (real)SHIFT_NORMAL_LEAST * (real)SHIFT_NORMAL_LEAST);
    for (int c = 0; c < dim; c++)
        dx[c] -= along * n[c];
}

HD void shift_store(const shift_constants *k, const struct sluice_view *v, int64_t n,
                    const struct pair_loop loop, const shift_src *i, const shift_acc *sum,
                    double out[SLUICE_SUM_COUNT])
{
    (void)i;
    const real inside = (-k->kernel.f * sum->spread - k->surface[0]) * k->surface[1];
    const real part = k->surface[1] == 0 ? 1 : real_min(real_max(inside, 0), 1);
    const real scale = k->spring.w * sum->phi > SHIFT_PHI_MOST ? 0 : part * k->step;
    real dx[3] = {scale * sum->x, scale * sum->y, loop.dim == 3 ? scale * sum->z : 0};
    if (k->two)
        shift_stays(k, loop.dim, sum, dx);
    const real length = REAL_SQRT(dx[0] * dx[0] + dx[1] * dx[1] + dx[2] * dx[2]);
    const real limit = length > k->most ? k->most / length : 1;
    const real counted[3] = {sum->cx, sum->cy, sum->cz};
    real rate = 0;
    double work = 0;
    for (int c = 0; c < loop.dim; c++) {
        VIEW(v, SHIFT, n, loop.dim, c) = limit * dx[c];
        work += (double)k->gravity[c] * (double)(limit * dx[c]);
        rate += k->rate * counted[c] * (limit * dx[c]);
    }
    if (k->rate != 0)
        VIEW(v, RATE, n, 1, 0) += rate;
    if (loop.energy) {
        const double m = (double)VIEW(v, POSITION, n, loop.dim + 1, loop.dim);
        out[SLUICE_SUM_SHIFT] -= m * work;
        out[SLUICE_SUM_SHIFT_DENSITY] += k->rate != 0 ? m * (double)VIEW(v, EOS, n, 2, 0) *
                                                            (double)k->rho0 * (double)rate
                                                      : 0;
    }
}
#endif
