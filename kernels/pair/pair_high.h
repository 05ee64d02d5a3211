/* A synthetic pair of 168 floating point operations, for benchmarks: nearly all of its time is
 * spent on pairs, hardly any on the search. It has the data and parameters of Lennard-Jones, and a
 * soft repulsion whose force is a polynomial of degree 80 in t = (r/rc)^2, by Horner's rule:
 *
 *   f = -u'(r)/r = 2 eps/rc^2 (1 - t) (1 + t + t^2 + ... + t^79) = 2 eps/rc^2 (1 - t^80)
 *   u(r) = eps [(1 - t) - (1 - t^81)/81],   r < rc
 *
 * The operations: t, 79 times t p + 1, 1 - t and two products, and three sums of f d. */
#ifndef SLUICE_PAIR_HIGH_H
#define SLUICE_PAIR_HIGH_H
#include "kernels/pair/pair_lj.h"

#define high_PARAMS(X)     /* struct lj_params, made by the benchmark */
#define high_READS         lj_READS
#define high_WRITES        lj_WRITES
#define high_PACKS         lj_PACKS
#define high_SUMS          (SLUICE_SUM_BIT(PAIR_ENERGY) | SLUICE_SUM_BIT(VIRIAL))
#define high_FLOPS(kernel) 168
#define high_MASKS_ITSELF  0
#define high_USES_R        0
#define high_SRC           lj_SRC
#define high_ACC           lj_ACC
PAIR_STRUCT(high_src, lj_SRC)
PAIR_STRUCT(high_acc, lj_ACC)

enum { HIGH_TERMS = 79 };

typedef struct lj_params high_params;
typedef struct {
    real support, inverse2, force, energy; /* 1/rc^2, 2 eps/rc^2, eps/2 */
} high_constants;

static inline high_constants high_prepare(const high_params *p, double mass)
{
    const double cutoff2 = p->cutoff * p->cutoff;
    high_constants k;
    (void)mass;
    k.support = (real)p->cutoff;
    k.inverse2 = (real)(1 / cutoff2);
    k.force = (real)(2 * p->epsilon / cutoff2);
    k.energy = (real)(0.5 * p->epsilon);
    return k;
}
PAIR_ALWAYS_USUAL(high)

HD high_src high_load(const high_constants *k, const struct sluice_view *v, int64_t i,
                      const int dim, const int source, real packed)
{
    (void)k, (void)v, (void)i, (void)dim, (void)source;
    const high_src s = {packed};
    return s;
}

HD void high_eval(const high_constants *k, const struct pair_loop loop,
                  const struct pair_distance *at, const high_src_lanes *i, const high_src *j,
                  high_acc_lanes *sum)
{
    (void)i, (void)j;
    const lane t = at->r2 * k->inverse2, left = 1 - t;
    lane p = lane_of(1);
    for (int n = 0; n < HIGH_TERMS; n++)
        p = t * p + 1;
    const lane f = k->force * (left * p);
    pair_add(loop.dim, f, at->d, &sum->ax, &sum->ay, &sum->az);
    if (loop.energy) {
        const lane power = t * (1 - left * p); /* t^81 */
        sum->energy += k->energy * (left - (1 - power) * (real)(1.0 / (HIGH_TERMS + 2)));
        sum->virial += (real)0.5 * f * at->r2;
    }
}

/* ACCELERATION holds the body forces on entry. */
HD void high_store(const high_constants *k, const struct sluice_view *v, int64_t n,
                   const struct pair_loop loop, const high_src *i, const high_acc *sum,
                   double out[SLUICE_SUM_COUNT])
{
    (void)k;
    const real inverse = (real)1 / i->mass, a[3] = {sum->ax, sum->ay, sum->az};
    for (int c = 0; c < loop.dim; c++)
        VIEW(v, ACCELERATION, n, loop.dim, c) += a[c] * inverse;
    if (loop.energy) {
        out[SLUICE_SUM_PAIR_ENERGY] += (double)sum->energy;
        out[SLUICE_SUM_VIRIAL] += (double)sum->virial;
    }
}
#endif
