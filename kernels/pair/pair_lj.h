/* Lennard-Jones 12-6 of particles of one kind: force, energy and virial of one pair within the
 * cutoff.
 *
 *   u(r) = 4 eps [(s/r)^12 - (s/r)^6] + shift + slope (r - rc),   r < rc
 *          (Jones 1924; Allen & Tildesley 2017, sec. 1.3.2)
 *
 *   truncation "cut":          shift = slope = 0
 *              "shift":        shift = -u12,6(rc)
 *              "force-shift":  shift = -u12,6(rc), slope = -u'12,6(rc): energy and force
 *                              vanish at rc (Toxvaerd & Dyre 2011, eq. 4)
 *
 * Softening replaces r^2 by r^2 + softening^2 throughout, so that nothing diverges at r = 0.
 * Lengths, energies and masses are in the units of the case. */
#ifndef SLUICE_PAIR_LJ_H
#define SLUICE_PAIR_LJ_H
#include "kernels/pair/pair_contract.h"
#include "kernels/types/lj_params.h"

/* struct, member, path, type, default, unit, least, most, choices, sentence */
#define lj_PARAMS(X)                                                                               \
    X(lj_params, epsilon, "pair.epsilon", REAL, 1.0, "energy", 0.0, 1e300, NULL,                   \
      "depth of the well")                                                                         \
    X(lj_params, sigma, "pair.sigma", REAL, 1.0, "length", 1e-300, 1e300, NULL,                    \
      "distance at which the potential is zero")                                                   \
    X(lj_params, mass, "pair.mass", REAL, 1.0, "mass", 1e-300, 1e300, NULL, "mass of a particle")  \
    X(lj_params, cutoff, "pair.cutoff", REAL, 2.5, "length", 1e-300, 1e300, NULL,                  \
      "distance beyond which a pair does not interact")                                            \
    X(lj_params, softening, "pair.softening", REAL, 0.0, "length", 0.0, 1e300, NULL,               \
      "added to the distance in quadrature, so that nothing diverges where particles meet")        \
    X(lj_params, truncation, "pair.truncation", CHOICE, 0, "", 0, 0, "cut|shift|force-shift",      \
      "what becomes of the potential at the cutoff")                                               \
    X(lj_params, tail, "pair.tail", BOOL, 0, "", 0, 1, NULL,                                       \
      "add the standard long-range corrections to energy and pressure")

#define lj_READS         (SLUICE_BIT(POSITION) | SLUICE_BIT(ACCELERATION))
#define lj_WRITES        SLUICE_BIT(ACCELERATION)
#define lj_PACKS         SLUICE_FIELD_POSITION
#define lj_SUMS          (SLUICE_SUM_BIT(PAIR_ENERGY) | SLUICE_SUM_BIT(VIRIAL))
#define lj_FLOPS(kernel) 21
#define lj_MASKS_ITSELF  0
#define lj_USES_R        0
#define lj_SRC(X)        X(mass)
#define lj_ACC(X)        X(ax) X(ay) X(az) X(energy) X(virial)
PAIR_STRUCT(lj_src, lj_SRC)
PAIR_STRUCT(lj_acc, lj_ACC)

typedef struct lj_params lj_params;
typedef struct lj_constants {
    real sigma2, sigma6, eps48, eps4, support, softening2, soft_cutoff;
    real shift, slope; /* as above, in 4 epsilon and in 48 epsilon */
    int plain;         /* no slope, no softening; and powers of r itself, not of sigma/r, neither
                          overflow nor underflow */
    int begins; /* the pass sets ACCELERATION, starting from body[], and need not add to it */
    real body[3];
} lj_constants;

/* In double, once: the loop below must not divide by what is known before it starts. */
static inline lj_constants lj_prepare(const lj_params *p, double mass)
{
    (void)mass;
    /* Without a well nothing overflows, however near particles are. */
    const double sigma2 = p->epsilon > 0 ? p->sigma * p->sigma : 0;
    const double rc2 = p->cutoff * p->cutoff + p->softening * p->softening;
    const double rc = sqrt(rc2);
    const double s6 = pow(sigma2 / rc2, 3);
    const int shifted = p->truncation >= 1, force_shifted = p->truncation == 2;
    lj_constants k;
    k.sigma2 = (real)sigma2;
    k.sigma6 = (real)(sigma2 * sigma2 * sigma2);
    k.eps48 = (real)(48 * p->epsilon);
    k.eps4 = (real)(4 * p->epsilon);
    k.shift = (real)(shifted ? -s6 * (s6 - 1) : 0);
    k.slope = (real)(force_shifted ? s6 * (s6 - 0.5) / rc : 0);
    k.support = (real)p->cutoff;
    k.softening2 = (real)(p->softening * p->softening);
    k.soft_cutoff = (real)rc;
    k.begins = p->begins;
    for (int c = 0; c < 3; c++)
        k.body[c] = (real)p->body[c];
    k.plain = !force_shifted && p->softening == 0 && sigma2 > 0.01 && sigma2 < 100;
    return k;
}

/* The plain potential has code of its own. */
HD int lj_is_usual(const lj_constants *k)
{
    return k->plain;
}
HD lj_constants lj_usual(lj_constants k)
{
    k.plain = 1;
    return k;
}

HD lj_src lj_load(const lj_constants *k, const struct sluice_view *v, int64_t i, const int dim,
                  const int source, real packed)
{
    (void)k, (void)v, (void)i, (void)dim, (void)source;
    const lj_src s = {packed};
    return s;
}

/* The unit in which forces and the virial are summed. */
HD real lj_unit(const lj_constants *k)
{
    return k->plain ? k->eps48 * k->sigma6 : k->eps48;
}

/* Plain. `energy` sums u - virial/12, which takes the fewest operations; store() adds the rest. */
HD void lj_eval_plain(const lj_constants *k, const struct pair_loop loop,
                      const struct pair_distance *at, lj_acc_lanes *sum)
{
    const lane inv2 = 1 / at->r2, inv6 = inv2 * inv2 * inv2;
    const lane bracket = inv6 * (k->sigma6 * inv6 - (real)0.5);
    const lane f = inv2 * bracket; /* -u'(r)/r */
    if (loop.energy) {
        sum->energy += k->shift - (real)0.5 * k->sigma6 * inv6;
        sum->virial = lane_add(sum->virial, bracket);
    }
    pair_add(loop.dim, f, at->d, &sum->ax, &sum->ay, &sum->az);
}

/* Energies are summed in 4 epsilon. */
HD void lj_eval(const lj_constants *k, const struct pair_loop loop, const struct pair_distance *at,
                const lj_src_lanes *i, const lj_src *j, lj_acc_lanes *sum)
{
    (void)i, (void)j;
    if (k->plain) { /* the same for all pairs */
        lj_eval_plain(k, loop, at, sum);
        return;
    }
    const lane inv2 = 1 / (at->r2 + k->softening2);
    const lane s2 = k->sigma2 * inv2;
    const lane s6 = s2 * s2 * s2;
    lane f = (s6 * s6 - (real)0.5 * s6) * inv2, u = s6 * (s6 - 1) + k->shift;
    if (k->slope != 0) {
        const lane r = lane_sqrt(at->r2 + k->softening2);
        f -= k->slope / r;
        u += 12 * k->slope * (r - k->soft_cutoff);
    }
    if (loop.energy) {
        sum->energy += u;
        sum->virial = lane_add(sum->virial, f * at->r2);
    }
    pair_add(loop.dim, f, at->d, &sum->ax, &sum->ay, &sum->az);
}

/* ACCELERATION holds the body forces on entry, unless the pass begins it. */
HD void lj_store(const lj_constants *k, const struct sluice_view *v, int64_t n,
                 const struct pair_loop loop, const lj_src *i, const lj_acc *sum,
                 double out[SLUICE_SUM_COUNT])
{
    const real unit = lj_unit(k), inverse = unit / i->mass, a[3] = {sum->ax, sum->ay, sum->az};
    for (int c = 0; c < loop.dim; c++) {
        const real body = k->begins ? k->body[c] : VIEW(v, ACCELERATION, n, loop.dim, c);
        VIEW(v, ACCELERATION, n, loop.dim, c) = body + a[c] * inverse;
    }
    if (loop.energy) { /* half: each pair is met twice */
        const double virial = (double)unit * (double)sum->virial;
        out[SLUICE_SUM_PAIR_ENERGY] += 0.5 * ((double)k->eps4 * (double)sum->energy +
                                              (k->plain ? virial / 12 : 0));
        out[SLUICE_SUM_VIRIAL] += 0.5 * virial;
    }
}
#endif
