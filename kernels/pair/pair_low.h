/* A synthetic pair of 5 floating point operations, for benchmarks: nearly all of its time is the
 * strategy's own work, such as the search. It has the data and parameters of Lennard-Jones, and a
 * soft repulsion with a potential:
 *
 *   u(r) = eps (1 - (r/rc)^2),   f = -u'(r)/r = 2 eps/rc^2,   r < rc
 *
 * The operations: three additions for the sum of d, two for the sum of rc^2 - r^2. store()
 * multiplies the sums by 2 eps/(rc^2 m) and eps/(2 rc^2). */
#ifndef SLUICE_PAIR_LOW_H
#define SLUICE_PAIR_LOW_H
#include "kernels/pair/pair_lj.h"

#define low_PARAMS(X)     /* struct lj_params, made by the benchmark */
#define low_READS         lj_READS
#define low_WRITES        lj_WRITES
#define low_PACKS         lj_PACKS
#define low_SUMS          (SLUICE_SUM_BIT(PAIR_ENERGY) | SLUICE_SUM_BIT(VIRIAL))
#define low_FLOPS(kernel) 5
#define low_MASKS_ITSELF  0
#define low_USES_R        0
#define low_SRC           lj_SRC
#define low_ACC           lj_ACC
PAIR_STRUCT(low_src, lj_SRC)
PAIR_STRUCT(low_acc, lj_ACC)

typedef struct lj_params low_params;
typedef struct {
    real support, support2, force, energy; /* force = 2 eps/rc^2, energy = eps/(2 rc^2) */
} low_constants;

static inline low_constants low_prepare(const low_params *p, double mass)
{
    const double support2 = p->cutoff * p->cutoff;
    low_constants k;
    (void)mass;
    k.support = (real)p->cutoff;
    k.support2 = (real)support2;
    k.force = (real)(2 * p->epsilon / support2);
    k.energy = (real)(0.5 * p->epsilon / support2);
    return k;
}
PAIR_ALWAYS_USUAL(low)

HD low_src low_load(const low_constants *k, const struct sluice_view *v, int64_t i, const int dim,
                    const int source, real packed)
{
    (void)k, (void)v, (void)i, (void)dim, (void)source;
    const low_src s = {packed};
    return s;
}

HD void low_eval(const low_constants *k, const struct pair_loop loop,
                 const struct pair_distance *at, const low_src_lanes *i, const low_src *j,
                 low_acc_lanes *sum)
{
    (void)i, (void)j;
    sum->ax += at->d[0];
    sum->ay += at->d[1];
    if (loop.dim == 3)
        sum->az += at->d[2];
    sum->energy += k->support2 - at->r2;
    if (loop.energy)
        sum->virial += at->r2;
}

/* ACCELERATION holds the body forces on entry. */
HD void low_store(const low_constants *k, const struct sluice_view *v, int64_t n,
                  const struct pair_loop loop, const low_src *i, const low_acc *sum,
                  double out[SLUICE_SUM_COUNT])
{
    const real scale = k->force / i->mass, a[3] = {sum->ax, sum->ay, sum->az};
    for (int c = 0; c < loop.dim; c++)
        VIEW(v, ACCELERATION, n, loop.dim, c) += scale * a[c];
    if (loop.energy) {
        out[SLUICE_SUM_PAIR_ENERGY] += (double)(k->energy * sum->energy);
        out[SLUICE_SUM_VIRIAL] += (double)((real)0.5 * k->force * sum->virial);
    }
}
#endif
