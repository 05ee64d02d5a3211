/* A synthetic pair of 5 floating point operations, for benchmarks of strategies: what is left of a
 * strategy's time when the pairs cost next to nothing. With Lennard-Jones' data and parameters, and
 * a soft repulsion that has a potential:
 *
 *   u(r) = eps (1 - (r/rc)^2),   f = -u'(r)/r = 2 eps/rc^2,   r < rc
 *
 * The operations: three sums of d and the energy's sum of rc^2 - r^2; eps is put in at the end. */
#ifndef SLUICE_PAIR_LOW_H
#define SLUICE_PAIR_LOW_H
#include "kernels/pair/pair_lj.h"

#define low_PARAMS(X)    /* struct lj_params, made by the benchmark */
#define low_READS        lj_READS
#define low_WRITES       lj_WRITES
#define low_FLOPS        5
#define low_MASKS_ITSELF 0
#define low_USES_R       0
#define low_PACKS        lj_PACKS
#define low_SRC          lj_SRC
#define low_ACC          lj_ACC

struct low_constants {
    real cutoff, cutoff2, force, energy; /* force = 2 eps/rc^2, energy = eps/(2 rc^2) */
};
typedef struct lj_params low_params;
typedef struct low_constants low_constants;
typedef struct lj_src low_src;
typedef struct lj_acc low_acc;
typedef LANES_OF(lj_src) low_src_lanes;
typedef LANES_OF(lj_acc) low_acc_lanes;

static inline struct low_constants low_prepare(const struct lj_params *p, double mass)
{
    const double cutoff2 = p->cutoff * p->cutoff;
    struct low_constants k;
    (void)mass;
    k.cutoff = (real)p->cutoff;
    k.cutoff2 = (real)cutoff2;
    k.force = (real)(2 * p->epsilon / cutoff2);
    k.energy = (real)(0.5 * p->epsilon / cutoff2);
    return k;
}

HD int low_is_usual(const struct low_constants *k)
{
    (void)k;
    return 1;
}
HD struct low_constants low_usual(struct low_constants k)
{
    return k;
}

HD real low_support(const struct low_constants *k)
{
    return k->cutoff;
}

HD real low_pack(const struct sluice_view *v, int64_t i, const int dim, const int source)
{
    (void)source;
    return VIEW(v, POSITION, i, dim + 1, dim);
}

HD struct lj_src low_load(const struct low_constants *k, const struct sluice_view *v, int64_t i,
                          const int dim, const int source, real packed)
{
    (void)k, (void)v, (void)i, (void)dim, (void)source;
    struct lj_src s;
    s.mass = packed;
    return s;
}

HD void low_eval(const struct low_constants *k, const int source, const int dim, const int energy,
                 const lane d[3], const lane r2, const lane unused, const LANES_OF(lj_src) * i,
                 const struct lj_src *j, LANES_OF(lj_acc) * sum)
{
    (void)source, (void)i, (void)j, (void)unused;
    sum->ax += d[0];
    sum->ay += d[1];
    if (dim == 3)
        sum->az += d[2];
    sum->energy += k->cutoff2 - r2;
    if (energy)
        sum->virial += r2;
}

/* ACCELERATION holds the body forces on entry. */
HD void low_store(const struct low_constants *k, const struct sluice_view *v, int64_t n,
                  const int dim, const int energy, const struct lj_src *i, const struct lj_acc *sum,
                  double out[SLUICE_SUM_COUNT])
{
    const real scale = k->force / i->mass;
    VIEW(v, ACCELERATION, n, dim, 0) += scale * sum->ax;
    VIEW(v, ACCELERATION, n, dim, 1) += scale * sum->ay;
    if (dim == 3)
        VIEW(v, ACCELERATION, n, dim, 2) += scale * sum->az;
    if (energy) {
        out[SLUICE_SUM_PAIR_ENERGY] += (double)(k->energy * sum->energy);
        out[SLUICE_SUM_VIRIAL] += (double)((real)0.5 * k->force * sum->virial);
    }
}
#endif
