/* The forces in a gas with a smoothing length a particle (Springel & Hernquist 2002; Monaghan 2002;
 * Price 2012). F_i = F(r; h_i) is W'(r)/r at h_i, T = p/(Omega rho^2), mF = (F_i + F_j)/2:
 *
 *   a_i     = -Sum_j m_j [T_i F_i + T_j F_j + Pi mF] d
 *   du_i/dt = T_i Sum_j m_j F_i v_ij.d + Sum_j m_j (Pi/2) mF v_ij.d
 *             + Sum_j m_j K (u_i - u_j) mF r
 *
 * Both sums of a pair cancel: momentum and energy are kept whatever h, Pi and K are. With `mean`
 * T_i F_i + T_j F_j is (p_i + p_j)/(rho_i rho_j) mF (McFarlane 2018, AstroCuda), for comparison.
 *
 * Viscosity (Monaghan 1997, J. Comput. Phys. 136, 298), w = min(v_ij.d, 0)/r, mean rho:
 *
 *   Pi = -alpha/2 (b_i + b_j)/2 s w/rho,   s = c_i + c_j - beta w
 *
 * b is Balsara's limiter (1995, J. Comput. Phys. 121, 357) of the step before:
 * |div v|/(|div v| + |rot v| + 1e-4 c/h).
 *
 * Conductivity (Price 2008, J. Comput. Phys. 227, 10040): K = conductivity sqrt(|p_i - p_j|/rho)/
 * rho, which vanishes in pressure equilibrium.
 *
 * The pass also gives what the next step needs: d(ln h)/dt = -(1/D) dln rho/dt, the limiter, and
 * the largest of s/h and sqrt(|a|/h), the inverse of a time step of cfl 1.
 *
 * eval sums with F over f of the kernel (sph_kernel.h), which store() multiplies. */
#ifndef SLUICE_PAIR_GAS_H
#define SLUICE_PAIR_GAS_H
#include "kernels/pair/gas_terms.h"

#define gas_PARAMS(X)
#define gas_READS                                                                                  \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(SMOOTHING) | SLUICE_BIT(GAS) | SLUICE_BIT(PREDICTED))
#define gas_WRITES        (SLUICE_BIT(ACCELERATION) | SLUICE_BIT(RATE) | SLUICE_BIT(SMOOTHING))
#define gas_PACKS         SLUICE_FIELD_POSITION
#define gas_SUMS          (SLUICE_SUM_BIT(IDENTITY) | SLUICE_SUM_BIT(IDENTITY_ABS) | SLUICE_SUM_BIT(HEAT))
#define gas_FLOPS(kernel) ((kernel) == PAIR_KERNEL_WENDLAND ? 80 : 110)
#define gas_MASKS_ITSELF  1
#define gas_USES_R        1
#define gas_GATHERS       PAIR_GATHERS_EITHER
#define gas_SRC(X)        X(mass) X(u) X(v) X(w) X(inverse_h) X(norm) X(pull) X(rho) X(sound) X(limiter)
#define gas_ACC(X)        X(ax) X(ay) X(az) X(shrink) X(heat) X(rx) X(ry) X(rz) X(signal)
PAIR_STRUCT(gas_src, gas_SRC)
PAIR_STRUCT(gas_acc, gas_ACC)

static inline gas_constants gas_prepare(const gas_params *p, double mass)
{
    (void)mass;
    return gas_constants_of(p);
}

/* The variational form has code of its own. */
HD int gas_is_usual(const gas_constants *k)
{
    return !k->mean;
}
HD gas_constants gas_usual(gas_constants k)
{
    k.mean = 0;
    return k;
}

/* u, v, w: the predicted velocity; norm: h^-(D + 2); pull: T. */
HD gas_src gas_load(const gas_constants *k, const struct sluice_view *v, int64_t i, const int dim,
                    const int source, real packed)
{
    const struct real4 predicted = view_predicted(v, i, dim),
                       record = view_load4(&VIEW(v, GAS, i, 4, 0));
    const real inverse_h = predicted.w;
    gas_src s;
    (void)k, (void)source;
    s.mass = packed;
    s.u = predicted.x;
    s.v = predicted.y;
    s.w = predicted.z;
    s.inverse_h = inverse_h;
    s.norm = gas_power(dim, inverse_h) * (inverse_h * inverse_h);
    s.pull = record.x;
    s.rho = record.y;
    s.sound = record.z;
    s.limiter = record.w;
    return s;
}

HD real gas_support(const gas_constants *k, const struct sluice_view *v, int64_t i, const int dim)
{
    return k->kernel.support / view_predicted(v, i, dim).w;
}

/* The rotation is an axial vector: its other components turn. */
HD void gas_mirror(int axis, gas_src_lanes *i, gas_acc_lanes *sum)
{
    lane *const v[] = {&i->u, &i->v, &i->w}, *const a[] = {&sum->ax, &sum->ay, &sum->az},
                *const r[] = {&sum->rx, &sum->ry, &sum->rz};
    *v[axis] = -*v[axis];
    *a[axis] = -*a[axis];
    for (int c = 1; c < 3; c++)
        *r[(axis + c) % 3] = -*r[(axis + c) % 3];
}

/* (x, y, z) += f v x d; in 2-D z alone. */
HD void gas_add_cross(const int dim, const lane f, const lane v[3], const lane d[3],
                      gas_acc_lanes *sum)
{
    sum->rz += f * (v[0] * d[1] - v[1] * d[0]);
    if (dim == 3) {
        sum->rx += f * (v[1] * d[2] - v[2] * d[1]);
        sum->ry += f * (v[2] * d[0] - v[0] * d[2]);
    }
}

HD void gas_eval(const gas_constants *k, const struct pair_loop loop,
                 const struct pair_distance *at, const gas_src_lanes *i, const gas_src *j,
                 gas_acc_lanes *sum)
{
    const lane fi = i->norm * sph_f_shape(&k->kernel, loop.kernel, at->r * i->inverse_h),
               fj = j->norm * sph_f_shape(&k->kernel, loop.kernel, at->r * j->inverse_h),
               mean = (real)0.5 * (fi + fj);
    const lane v[3] = {i->u - j->u, i->v - j->v, i->w - j->w}, apart = pair_dot(loop.dim, v, at->d),
               inverse_rho = 2 / (i->rho + j->rho),
               away = at->r / lane_max(at->r2, lane_of((real)1e-30)),
               w = lane_min(apart, lane_of(0)) * away;
    const lane signal = (i->sound + j->sound) - k->beta * w,
               viscous = -k->alpha4 * (i->limiter + j->limiter) * signal * w * inverse_rho;
    /* Differences, as warmer = c_i^2 - c_j^2, are exactly opposite for i and j: none is fused with
     * a product. */
    const lane pi = k->per_sound * (i->rho * (i->sound * i->sound)),
               pj = lane_of(k->per_sound * (j->rho * (j->sound * j->sound))),
               drop = lane_add(pi, -pj), jump = lane_max(drop, -drop),
               warmer = (i->sound + j->sound) * (i->sound - j->sound),
               conduct = k->conduct * lane_sqrt(jump * inverse_rho) * warmer * inverse_rho;
    lane push = i->pull * fi + j->pull * fj;
    if (k->mean) {
        const lane both = mean / (i->rho * j->rho);
        push = (pi + pj) * both;
        sum->heat += j->mass * (pi * both) * apart;
    }
    pair_add(loop.dim, j->mass * (push + viscous * mean), at->d, &sum->ax, &sum->ay, &sum->az);
    sum->shrink += j->mass * fi * apart;
    sum->heat += j->mass * mean * ((real)0.5 * viscous * apart + conduct * at->r);
    gas_add_cross(loop.dim, j->mass * fi, v, at->d, sum);
    sum->signal = lane_max(sum->signal, lane_select(mean > 0, signal, lane_of(0)));
}

HD int gas_accepts(const gas_constants *k, const struct sluice_view *v, int64_t n,
                   const struct pair_loop loop, const gas_src *i, const gas_acc *sum)
{
    (void)k, (void)v, (void)n, (void)loop, (void)i, (void)sum;
    return 1;
}

/* The flow around a target, from the pass. */
struct gas_flow {
    real shrink, heat; /* dln rho/dt times Omega, 1/s; du/dt, W/kg */
    real turn;         /* |rot v|, 1/s */
};

HD struct gas_flow gas_flow_of(const gas_constants *k, const int dim, const gas_src *i,
                               const gas_acc *sum)
{
    const real f = k->kernel.f, per_rho = 1 / i->rho;
    const real turn2 = sum->rz * sum->rz + (dim == 3 ? sum->rx * sum->rx + sum->ry * sum->ry : 0);
    struct gas_flow flow;
    flow.shrink = f * sum->shrink * per_rho;
    flow.heat = f * sum->heat + (k->mean ? 0 : i->pull * (f * sum->shrink));
    flow.turn = -f * REAL_SQRT(turn2) * per_rho;
    return flow;
}

/* SMOOTHING for the next step; a2: |a|^2. */
HD void gas_put_smoothing(const gas_constants *k, real *smoothing, const gas_src *i,
                          const struct gas_flow *flow, real signal, real a2)
{
    const real pressure = k->per_sound * i->rho * i->sound * i->sound,
               omega = i->pull > 0 ? pressure / (i->pull * i->rho * i->rho) : 1,
               spread = REAL_FABS(flow->shrink),
               limiter = spread / (spread + flow->turn + (real)1e-4 * i->sound * i->inverse_h);
    smoothing[1] = -k->per_dim * flow->shrink / omega;
    smoothing[2] = k->limiter && flow->turn > 0 ? limiter : 1;
    smoothing[3] = real_max(signal * i->inverse_h, REAL_SQRT(REAL_SQRT(a2) * i->inverse_h));
}

HD void gas_store(const gas_constants *k, const struct sluice_view *v, int64_t n,
                  const struct pair_loop loop, const gas_src *i, const gas_acc *sum,
                  double out[SLUICE_SUM_COUNT])
{
    const struct gas_flow flow = gas_flow_of(k, loop.dim, i, sum);
    const real a[3] = {-k->kernel.f * sum->ax, -k->kernel.f * sum->ay, -k->kernel.f * sum->az},
               u[3] = {i->u, i->v, i->w};
    real a2 = 0;
    /* The power identity is measured against forces before they cancel: one side's is T rho D/h. */
    const double one_side = (double)(i->pull * i->rho * i->inverse_h) * loop.dim;
    double power = 0, absolute = 0;
    for (int c = 0; c < loop.dim; c++) {
        const real all = k->body[c] + a[c];
        VIEW(v, ACCELERATION, n, loop.dim, c) = all;
        a2 += all * all;
        power += (double)u[c] * (double)a[c];
        absolute += fabs((double)u[c]) * fmax(fabs((double)a[c]), one_side);
    }
    VIEW(v, RATE, n, 1, 0) = k->isothermal ? 0 : flow.heat;
    gas_put_smoothing(k, &VIEW(v, SMOOTHING, n, 4, 0), i, &flow, sum->signal, a2);
    if (loop.energy) {
        const double mass = (double)i->mass, heat = (double)flow.heat;
        if (loop.wanted & SLUICE_INSTANT_SUMS) {
            out[SLUICE_SUM_IDENTITY] += mass * (power + heat);
            out[SLUICE_SUM_IDENTITY_ABS] += mass * (absolute + fabs(heat));
        }
        if (k->isothermal)
            out[SLUICE_SUM_HEAT] -= mass * heat;
    }
}
#endif
