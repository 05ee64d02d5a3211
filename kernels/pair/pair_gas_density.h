/* The density and the smoothing length of a gas, equation (1) of gas_terms.h, by Newton-Raphson.
 *
 * SMOOTHING holds a guess of h. A sum at this h gives
 *
 *   e = ln(m eta^D/(h^D rho)),   Omega = -Sum_j m_j r^2 F(r; h)/(D rho),   d(ln h) = e/(D Omega)
 *
 * If |e| is within the tolerance, the step d(ln h) ends the search. The error left after it is of
 * the order of e^2, and rho = m (eta/h)^D is the density at the h after the step. Otherwise the sum
 * is made again at the new h. Each sum also bounds the root from one side. A step onto a bound or
 * beyond it, or longer than half of h, is cut: rounding in the sums could lead from bound to bound
 * for ever.
 *
 * u and v are those of the end of the step, predicted (kernels/pointwise/gas_predict.h). */
#ifndef SLUICE_PAIR_GAS_DENSITY_H
#define SLUICE_PAIR_GAS_DENSITY_H
#include "kernels/pair/gas_terms.h"

#define gas_density_PARAMS(X)
#define gas_density_READS                                                                          \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(SMOOTHING) | SLUICE_BIT(GAS) | SLUICE_BIT(PREDICTED))
#define gas_density_WRITES        (SLUICE_BIT(SMOOTHING) | SLUICE_BIT(GAS) | SLUICE_BIT(PREDICTED))
#define gas_density_PACKS         SLUICE_FIELD_POSITION
#define gas_density_SUMS          (SLUICE_SUM_BIT(ROUNDS) | SLUICE_SUM_BIT(NEGATIVE))
#define gas_density_FLOPS(kernel) ((kernel) == PAIR_KERNEL_WENDLAND ? 25 : 40)
#define gas_density_MASKS_ITSELF  1
#define gas_density_USES_R        1
#define gas_density_GATHERS       PAIR_GATHERS_OWN
#define gas_density_SRC(X)        X(mass) X(inverse_h)
#define gas_density_ACC(X)        X(w) X(f)
PAIR_STRUCT(gas_density_src, gas_density_SRC)
PAIR_STRUCT(gas_density_acc, gas_density_ACC)

typedef gas_params gas_density_params;
typedef gas_constants gas_density_constants;

static inline gas_constants gas_density_prepare(const gas_params *p, double mass)
{
    (void)mass;
    return gas_constants_of(p);
}
PAIR_ALWAYS_USUAL(gas_density)

HD gas_density_src gas_density_load(const gas_constants *k, const struct sluice_view *v, int64_t i,
                                    const int dim, const int source, real packed)
{
    gas_density_src s;
    (void)k, (void)dim;
    s.mass = packed;
    s.inverse_h = source == SLUICE_TARGET ? 1 / gas_length(v, i) : 0;
    return s;
}

/* The support of particle i, m. */
HD real gas_density_support(const gas_constants *k, const struct sluice_view *v, int64_t i,
                            const int dim)
{
    (void)dim;
    return k->kernel.support * gas_length(v, i);
}

HD void gas_density_mirror(int axis, gas_density_src_lanes *i, gas_density_acc_lanes *sum)
{
    (void)axis, (void)i, (void)sum;
}

HD void gas_density_eval(const gas_constants *k, const struct pair_loop loop,
                         const struct pair_distance *at, const gas_density_src_lanes *i,
                         const gas_density_src *j, gas_density_acc_lanes *sum)
{
    const lane q = at->r * i->inverse_h;
    sum->w += j->mass * sph_w_shape(&k->kernel, loop.kernel, q);
    sum->f += j->mass * (q * q * sph_f_shape(&k->kernel, loop.kernel, q));
}

/* Omega of the sums; 0 for a particle without neighbours. */
HD real gas_density_omega(const gas_constants *k, const gas_density_acc *sum)
{
    return -k->per_dim * (k->kernel.f * sum->f) / (k->kernel.w * sum->w);
}

/* The record GAS until h is found: the bounds of the root (0: none yet), the sums so far. */
enum { GAS_LEAST, GAS_MOST, GAS_ROUNDS, GAS_MOST_ROUNDS = 100 };

/* Takes the Newton step of a sum. Returns 1 if it ended the search, or if the search failed, which
 * leaves -h. */
HD int gas_density_accepts(const gas_constants *k, const struct sluice_view *v, int64_t n,
                           const struct pair_loop loop, const gas_density_src *i,
                           const gas_density_acc *sum)
{
    real *search = &VIEW(v, GAS, n, 4, 0), *smoothing = &VIEW(v, SMOOTHING, n, 4, 0);
    const real h = smoothing[0], limit = (real)0.4, omega = gas_density_omega(k, sum),
               e = gas_log(i->mass * gas_power(loop.dim, k->eta) / (k->kernel.w * sum->w)),
               step = k->per_dim * e / real_max(omega, (real)0.1);
    search[GAS_ROUNDS] += 1;
    if (h > k->widest) { /* a guess: neighbours were missed */
        smoothing[0] = k->widest;
        return 0;
    }
    search[e > 0 ? GAS_LEAST : GAS_MOST] = h;
    const real least = search[GAS_LEAST], most = search[GAS_MOST];
    real next = real_min(h * gas_exp(real_max(real_min(step, limit), -limit)), k->widest);
    int accepted = (e <= k->tolerance && e >= -k->tolerance) || next == h;
    if (!accepted && least > 0 && most > 0 && !(next > least && next < most)) {
        next = REAL_SQRT(least * most);
        accepted = next == h;
    }
    const int failed = !(next > 0) || (h == k->widest && e > k->tolerance) ||
                       search[GAS_ROUNDS] >= GAS_MOST_ROUNDS;
    smoothing[0] = failed ? -h : next;
    return accepted || failed;
}

/* The record of the force pass: GAS, and 1/h as the last number of PREDICTED. */
HD void gas_density_store(const gas_constants *k, const struct sluice_view *v, int64_t n,
                          const struct pair_loop loop, const gas_density_src *i,
                          const gas_density_acc *sum, double out[SLUICE_SUM_COUNT])
{
    real *record = &VIEW(v, GAS, n, 4, 0), *u = &VIEW(v, PREDICTED, n, loop.dim + 1, loop.dim);
    const real *smoothing = &VIEW(v, SMOOTHING, n, 4, 0);
    const real h = smoothing[0], inverse_h = 1 / h,
               rho = i->mass * gas_power(loop.dim, k->eta * inverse_h),
               omega = real_max(gas_density_omega(k, sum), (real)1e-3), energy = real_max(*u, 0);
    if (loop.energy) {
        out[SLUICE_SUM_ROUNDS] += (double)record[GAS_ROUNDS];
        out[SLUICE_SUM_NEGATIVE] += *u < 0;
    }
    view_store4(record, k->gamma1 * energy / (omega * rho), h > 0 ? rho : (real)NAN,
                REAL_SQRT(k->sound2 * energy), smoothing[2]);
    *u = inverse_h;
}
#endif
