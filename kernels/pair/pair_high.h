/* A synthetic pair of 168 floating point operations, for benchmarks of strategies: what is left of
 * a strategy's time when the pairs cost most of it. With Lennard-Jones' data and parameters, and a
 * soft repulsion whose force is a polynomial of degree 80 in t = (r/rc)^2, by Horner's rule:
 *
 *   f = -u'(r)/r = 2 eps/rc^2 (1 - t) (1 + t + t^2 + ... + t^79) = 2 eps/rc^2 (1 - t^80)
 *   u(r) = eps [(1 - t) - (1 - t^81)/81],   r < rc
 *
 * The operations: t, 79 of t p + 1, 1 - t and two products, and three sums of f d. */
#ifndef SLUICE_PAIR_HIGH_H
#define SLUICE_PAIR_HIGH_H
#include "kernels/pair/pair_lj.h"

#define high_PARAMS(X)    /* struct lj_params, made by the benchmark */
#define high_READS        lj_READS
#define high_WRITES       lj_WRITES
#define high_FLOPS        168
#define high_MASKS_ITSELF 0
#define high_USES_R       0
#define high_PACKS        lj_PACKS
#define high_SRC          lj_SRC
#define high_ACC          lj_ACC

enum { HIGH_TERMS = 79 };

struct high_constants {
    real cutoff, inverse2, force, energy; /* 1/rc^2, 2 eps/rc^2, eps/2 */
};
typedef struct lj_params high_params;
typedef struct high_constants high_constants;
typedef struct lj_src high_src;
typedef struct lj_acc high_acc;
typedef LANES_OF(lj_src) high_src_lanes;
typedef LANES_OF(lj_acc) high_acc_lanes;

static inline struct high_constants high_prepare(const struct lj_params *p, double mass)
{
    const double cutoff2 = p->cutoff * p->cutoff;
    struct high_constants k;
    (void)mass;
    k.cutoff = (real)p->cutoff;
    k.inverse2 = (real)(1 / cutoff2);
    k.force = (real)(2 * p->epsilon / cutoff2);
    k.energy = (real)(0.5 * p->epsilon);
    return k;
}

HD int high_is_usual(const struct high_constants *k)
{
    (void)k;
    return 1;
}
HD struct high_constants high_usual(struct high_constants k)
{
    return k;
}

HD real high_support(const struct high_constants *k)
{
    return k->cutoff;
}

HD real high_pack(const struct sluice_view *v, int64_t i, const int dim, const int source)
{
    (void)source;
    return VIEW(v, POSITION, i, dim + 1, dim);
}

HD struct lj_src high_load(const struct high_constants *k, const struct sluice_view *v, int64_t i,
                           const int dim, const int source, real packed)
{
    (void)k, (void)v, (void)i, (void)dim, (void)source;
    struct lj_src s;
    s.mass = packed;
    return s;
}

HD void high_eval(const struct high_constants *k, const int source, const int dim, const int energy,
                  const lane d[3], const lane r2, const lane unused, const LANES_OF(lj_src) * i,
                  const struct lj_src *j, LANES_OF(lj_acc) * sum)
{
    (void)source, (void)i, (void)j, (void)unused;
    const lane t = r2 * k->inverse2, left = 1 - t;
    lane p = lane_of(1);
    for (int n = 0; n < HIGH_TERMS; n++)
        p = t * p + 1;
    const lane f = k->force * (left * p);
    sum->ax += f * d[0];
    sum->ay += f * d[1];
    if (dim == 3)
        sum->az += f * d[2];
    if (energy) {
        const lane power = t * (1 - left * p); /* t^81 */
        sum->energy += k->energy * (left - (1 - power) * (real)(1.0 / (HIGH_TERMS + 2)));
        sum->virial += (real)0.5 * f * r2;
    }
}

/* ACCELERATION holds the body forces on entry. */
HD void high_store(const struct high_constants *k, const struct sluice_view *v, int64_t n,
                   const int dim, const int energy, const struct lj_src *i,
                   const struct lj_acc *sum, double out[SLUICE_SUM_COUNT])
{
    (void)k;
    const real inverse = (real)1 / i->mass;
    VIEW(v, ACCELERATION, n, dim, 0) += sum->ax * inverse;
    VIEW(v, ACCELERATION, n, dim, 1) += sum->ay * inverse;
    if (dim == 3)
        VIEW(v, ACCELERATION, n, dim, 2) += sum->az * inverse;
    if (energy) {
        out[SLUICE_SUM_PAIR_ENERGY] += (double)sum->energy;
        out[SLUICE_SUM_VIRIAL] += (double)sum->virial;
    }
}
#endif
