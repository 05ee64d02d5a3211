/* Particle shifting: each fluid particle is moved to keep the particles evenly spread. Loops of
 * water find the shifts beside the forces (pair_wcsph.h), or else a pass of its own does.
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
 * Nothing is shifted where the walls' springs act or might after the move (wcsph_spring.h): phi
 * above 0.24 is within 0.05 dp of their threshold, 0.3. So the springs' energy does not jump. The
 * change of the potential energy, -m g.dx, is summed. */
#ifndef SLUICE_PAIR_SHIFT_H
#define SLUICE_PAIR_SHIFT_H
#include "kernels/pair/pair_contract.h"
#include "kernels/pair/sph_kernel.h"
#include "kernels/pair/wcsph_spring.h"
#include "kernels/types/wcsph_params.h"

#define SHIFT_PHI_MOST ((real)(0.8 * WCSPH_SPRING_THRESHOLD))

struct shift_rule {
    real f;     /* F/shape */
    real clump; /* 0.2 (W/shape/W(dp))^4 */
    real rho0;
    real step; /* -A U h dt F/shape */
    real rate; /* F/shape/dt; 0: the density does not count the shift */
    real most; /* 0.05 dp */
    real gravity[3];
    real surface[2]; /* s0, 1/(D - s0); (0, 0): everywhere */
    real spring;     /* W/shape of the springs' kernel; 0: there are none */
};

/* The sums over j, in the kernels' shapes: of V times the weighted F d, of V F d^2, of the springs'
 * W, and those that the density's rate has. */
struct shift_sums {
    real push[3], spread, phi, counted[3];
};

/* The shift of a step of p->dt. Zeros without shifting. */
static inline struct shift_rule shift_rule_of(const struct wcsph_params *p)
{
    const struct shifting_params *q = &p->shift;
    const struct sph_kernel kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    const double s0 = p->dimension == 2 ? 1.5 : 2.75,
                 ratio = q->used ? (double)kernel.w / q->w_dp : 0;
    struct shift_rule k;
    k.f = kernel.f;
    k.clump = (real)(0.2 * ratio * ratio * ratio * ratio);
    k.rho0 = (real)p->rho0;
    k.step = (real)(-q->strength * 0.1 * wcsph_slowest_sound(p) * p->h * p->dt * (double)kernel.f);
    k.rate = (real)(q->counted && !p->second && p->dt > 0 ? (double)kernel.f / p->dt : 0);
    k.most = (real)(0.05 * p->spacing);
    for (int c = 0; c < 3; c++)
        k.gravity[c] = (real)q->gravity[c];
    k.surface[0] = (real)(q->inside ? s0 : 0);
    k.surface[1] = (real)(q->inside ? 1 / (p->dimension - s0) : 0);
    k.spring = p->spring ? wcsph_spring_of(p).w : 0;
    return k;
}

/* Adds to `push` f d with the weight against clumps, f = V F, to `spread`, and to `counted`. */
HD void shift_add(const struct shift_rule *k, const struct sph_kernel *kernel,
                  const struct pair_loop loop, const struct pair_distance *at, const lane f,
                  lane *const push[3], lane *spread, lane *const counted[3])
{
    const lane w = sph_w_shape(kernel, loop.kernel, at->r), w2 = w * w;
    pair_add(loop.dim, f * (1 + k->clump * w2 * w2), at->d, push[0], push[1], push[2]);
    *spread += f * at->r2;
    if (k->rate != 0) /* the same for all pairs */
        pair_add(loop.dim, loop.source == 0 ? f + f : f, at->d, counted[0], counted[1], counted[2]);
}

/* dx without its limit. */
HD void shift_of(const struct shift_rule *k, const int dim, const struct shift_sums *sum,
                 real dx[3])
{
    const real inside = (-k->f * sum->spread - k->surface[0]) * k->surface[1];
    const real part = k->surface[1] == 0 ? 1 : real_min(real_max(inside, 0), 1);
    const real scale = k->spring * sum->phi > SHIFT_PHI_MOST ? 0 : part * k->step;
    dx[0] = scale * sum->push[0];
    dx[1] = scale * sum->push[1];
    dx[2] = dim == 3 ? scale * sum->push[2] : 0;
}

/* Stores dx within its limit, and adds what the density's rate gains; mass: of the particle, kg;
 * pressure: p/rho^2. */
HD void shift_store_limited(const struct shift_rule *k, const struct sluice_view *v, int64_t n,
                            const struct pair_loop loop, const real dx[3],
                            const struct shift_sums *sum, const double mass, const double pressure,
                            double out[SLUICE_SUM_COUNT])
{
    const real length = REAL_SQRT(dx[0] * dx[0] + dx[1] * dx[1] + dx[2] * dx[2]);
    const real limit = length > k->most ? k->most / length : 1;
    real rate = 0;
    double work = 0;
    for (int c = 0; c < loop.dim; c++) {
        VIEW(v, SHIFT, n, loop.dim, c) = limit * dx[c];
        work += (double)k->gravity[c] * (double)(limit * dx[c]);
        rate += k->rate * sum->counted[c] * (limit * dx[c]);
    }
    if (k->rate != 0)
        VIEW(v, RATE, n, 1, 0) += rate;
    if (loop.energy) {
        out[SLUICE_SUM_SHIFT] -= mass * work;
        if (k->rate != 0)
            out[SLUICE_SUM_SHIFT_DENSITY] += mass * pressure * (double)k->rho0 * (double)rate;
    }
}

/* --- The pass of its own --- */

/* Between two fluids a particle is shifted along their interface. Its dx loses the part
 * along n,
 *
 *   n_i = sum_j V_j F d, j over the other fluid,  dx - (dx.n) n/(|n|^2 + 1e-6/h^2)
 *          (as Lind et al. 2012 treat free surfaces; n is the gradient of the other fluid's colour)
 *
 * so no shift carries a particle through the interface, or presses it there. U is a tenth of the
 * smaller c0: that of the lighter fluid is larger only to make it as stiff. Every kernel: one pair.
 */
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
