/* Particle shifting (shift.h) in a pass of its own, where no loop of water finds the shifts beside
 * the forces. Between two fluids a particle is shifted along their interface. Its dx loses the part
 * along n,
 *
 *   n_i = sum_j V_j F d, j over the other fluid,  dx - (dx.n) n/(|n|^2 + 1e-6/h^2)
 *          (as Lind et al. 2012 treat free surfaces; n is the gradient of the other fluid's colour)
 *
 * so no shift carries a particle through the interface, or presses it there. U is a tenth of the
 * smaller c0: that of the lighter fluid is larger only to make it as stiff. Every kernel: one pair.
 */
#ifndef SLUICE_PAIR_SHIFT_H
#define SLUICE_PAIR_SHIFT_H
#include "kernels/pair/shift.h"

#define shift_PARAMS(X)     /* derived by the model: kernels/types/wcsph_params.h */
#define shift_READS         (SLUICE_BIT(POSITION) | SLUICE_BIT(EOS) | SLUICE_BIT(RATE) | SLUICE_BIT(PHASE))
#define shift_WRITES        (SLUICE_BIT(SHIFT) | SLUICE_BIT(RATE))
#define shift_SUMS          (SLUICE_SUM_BIT(SHIFT) | SLUICE_SUM_BIT(SHIFT_DENSITY))
#define shift_FLOPS(kernel) 30
#define shift_MASKS_ITSELF  1
#define shift_USES_R        1
#define shift_PACKS         SLUICE_FIELD_POSITION
#define SHIFT_NORMAL_LEAST  1e-3 /* of h |n|: beyond, the other fluid is far */

/* volume; of the second of two fluids its negative */
#define shift_SRC(X) X(volume)
/* struct shift_sums; with two fluids, where no density counts the shift, (cx, cy, cz) is the normal
 * to their interface */
#define shift_ACC(X) X(x) X(y) X(z) X(spread) X(phi) X(cx) X(cy) X(cz)
PAIR_STRUCT(shift_src, shift_SRC)
PAIR_STRUCT(shift_acc, shift_ACC)

typedef struct wcsph_params shift_params;
typedef struct {
    struct sph_kernel kernel, spring; /* as in wcsph_constants */
    struct shift_rule rule;
    real support;
    real inverse_rho0;
    int two;            /* there is a second fluid: */
    real second_volume; /* -1/rho0 of it */
    real normal;        /* h F/shape */
} shift_constants;

static inline shift_constants shift_prepare(const struct wcsph_params *p, double mass)
{
    shift_constants k;
    (void)mass;
    k.kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    k.spring = wcsph_spring_of(p);
    k.rule = shift_rule_of(p);
    k.support = k.kernel.support;
    k.inverse_rho0 = (real)(1 / p->rho0);
    k.two = p->second != NULL;
    k.second_volume = (real)(k.two ? -1 / p->second->rho0 : 0);
    k.normal = (real)(p->h * (double)k.kernel.f);
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
    const lane f = REAL_FABS(j->volume) * sph_f_shape(&k->kernel, loop.kernel, at->r);
    lane *const push[3] = {&sum->x, &sum->y, &sum->z}, *const counted[3] = {&sum->cx, &sum->cy,
                                                                            &sum->cz};
    shift_add(&k->rule, &k->kernel, loop, at, f, push, &sum->spread, counted);
    if (k->two && loop.source == 0) { /* the same for all pairs */
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
    const struct shift_sums all = {
        {sum->x, sum->y, sum->z}, sum->spread, sum->phi, {sum->cx, sum->cy, sum->cz}};
    const double mass = (double)VIEW(v, POSITION, n, loop.dim + 1, loop.dim),
                 pressure = (double)VIEW(v, EOS, n, 2, 0);
    real dx[3];
    (void)i;
    shift_of(&k->rule, loop.dim, &all, dx);
    if (k->two)
        shift_stays(k, loop.dim, sum, dx);
    shift_store_limited(&k->rule, v, n, loop, dx, &all, mass, pressure, out);
}
#endif
