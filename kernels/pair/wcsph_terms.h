/* Pairs of water are made of terms. A combination is a pair with some of them: it has their members
 * and pays for no other (wcsph_combinations.h lists the combinations, pair_wcsph.h composes them).
 * All terms work on the same structs, with the members of all terms; a combination stores its own,
 * and the compiler drops the rest. */
#ifndef SLUICE_PAIR_WCSPH_TERMS_H
#define SLUICE_PAIR_WCSPH_TERMS_H
#include "kernels/pair/correction.h"
#include "kernels/pair/mixing_length.h"
#include "kernels/pair/pair_shift.h"
#include "kernels/pair/sph_kernel.h"
#include "kernels/pair/wall_law.h"
#include "kernels/pair/wall_spin.h"
#include "kernels/pair/wcsph_spring.h"
#include "kernels/types/wcsph_params.h"

/* The loop that a term is in: the terms that its combination always has, and those that it may
 * have (enum wcsph_term). The compiler knows both. */
struct wcsph_loop {
    struct pair_loop at;
    unsigned must, may;
};

/* Members of a particle, by term. In every combination: (vx, vy, vz) predicted velocity; e head, as
 * wcsph_predict.h or filter_head.h (kernels/pointwise) leaves it; p = pressure/rho^2, of a target
 * times p_unit; with two fluids the pressure itself. In the usual case that is 32 bytes of a fluid
 * particle in float: position and p, velocity and e. */
#define WCSPH_SRC_CORE(X)   X(vx) X(vy) X(vz) X(e) X(p)
#define WCSPH_SRC_MASSES(X) X(mass) /* in the constants' unit */
/* (wx, wy, wz) of walls the velocity that a no-slip wall's viscous term sees; s = rho0/rho, 0 of a
 * wall that slips where others do not. */
#define WCSPH_SRC_LAMINAR(X) X(wx) X(wy) X(wz) X(s)
#define WCSPH_SRC_STRESS(X)  X(txx) X(txy) X(tyy) X(txz) X(tyz) X(tzz)
#define WCSPH_SRC_SLOPE(X)   X(gx) X(gy) X(gz)
#define WCSPH_SRC_EDDIES(X)  X(length) /* mixing length */
/* L - 1 of renormalised gradients. */
#define WCSPH_SRC_RENORMALISED(X) X(lxx) X(lxy) X(lyy) X(lxz) X(lyz) X(lzz)
#define WCSPH_SRC_SHIFT(X)        X(space)          /* rho0/rho */
#define WCSPH_SRC_SPIN(X)         X(ox) X(oy) X(oz) /* of walls: how fast they turn */
#define WCSPH_SRC_SOME_SLIP(X)    X(friction)       /* of walls: 1, or 0 of those that slip */
/* V; m/rho0; 1/b and 1/mu, of a wall 0, or infinite where it slips; 1 of the second fluid, 0 of the
 * first. */
#define WCSPH_SRC_TWO(X) X(volume) X(share) X(stiff) X(thin) X(second)
#define WCSPH_SRC(X)                                                                               \
    WCSPH_SRC_CORE(X)                                                                              \
    WCSPH_SRC_MASSES(X)                                                                            \
    WCSPH_SRC_LAMINAR(X)                                                                           \
    WCSPH_SRC_STRESS(X)                                                                            \
    WCSPH_SRC_SLOPE(X)                                                                             \
    WCSPH_SRC_EDDIES(X)                                                                            \
    WCSPH_SRC_SPIN(X)                                                                              \
    WCSPH_SRC_SOME_SLIP(X) WCSPH_SRC_TWO(X) WCSPH_SRC_RENORMALISED(X) WCSPH_SRC_SHIFT(X)

/* Sums, by term. In every combination: (ax, ay, az) pair acceleration; rate = sum m F v.d;
 * diffusion = its bracket's sum; powers of viscosity with fluid and with walls, of the ghost state
 * and of moving walls; phi, (sx, sy, sz), su: the spring's sums. All are of the shapes of F and W:
 * store() multiplies by the kernel's constants. Accelerations and powers of one fluid are in
 * p_unit. */
/* clang-format off */
#define WCSPH_ACC_CORE(X)                                                                          \
    X(ax) X(ay) X(az) X(rate) X(diffusion) X(viscous) X(wall_viscous) X(ghost) X(body)             \
    X(phi) X(sx) X(sy) X(sz) X(su)
/* clang-format on */
/* Over walls: (nx, ny, nz) = sum m F d, share = sum m F, (mx, my, mz) = sum m F u, with m/rho0 for
 * m of two fluids; where walls turn (tx, ty, tz) = sum m F w x d. */
#define WCSPH_ACC_LAW(X)  X(nx) X(ny) X(nz) X(share) X(mx) X(my) X(mz)
#define WCSPH_ACC_SPIN(X) X(tx) X(ty) X(tz)
/* bent = sum m F v.(M - 1) d; of the next step's L, sum m F d (x) d. */
#define WCSPH_ACC_RENORMALISED(X) X(bent) X(nxx) X(nxy) X(nyy) X(nxz) X(nyz) X(nzz)
/* Of shifting (struct shift_sums), with m rho0/rho in the constants' unit for V: of the weighted
 * F d; of F d^2; those that the density's rate has. */
#define WCSPH_ACC_SHIFT(X) X(hx) X(hy) X(hz) X(spread) X(cx) X(cy) X(cz)
/* Of the next stress: sums of m F (v_a d_b + v_b d_a), half of it on the diagonal. Of the next
 * gradient of the head: those of m F d_a d_b and of m F (e_j - e_i) d. */
#define WCSPH_ACC_STRESS(X) X(uxx) X(uxy) X(uyy) X(uxz) X(uyz) X(uzz)
#define WCSPH_ACC_SLOPE(X)  X(qxx) X(qxy) X(qyy) X(qxz) X(qyz) X(qzz) X(gx) X(gy) X(gz)
#define WCSPH_ACC(X)                                                                               \
    WCSPH_ACC_CORE(X)                                                                              \
    WCSPH_ACC_LAW(X)                                                                               \
    WCSPH_ACC_SPIN(X)                                                                              \
    WCSPH_ACC_RENORMALISED(X)                                                                      \
    WCSPH_ACC_SHIFT(X) WCSPH_ACC_STRESS(X) WCSPH_ACC_SLOPE(X)
PAIR_STRUCT(wcsph_src, WCSPH_SRC)
PAIR_STRUCT(wcsph_acc, WCSPH_ACC)

/* Constants of every combination. */
typedef struct {
    struct sph_kernel kernel, spring; /* spring: Wendland C2 of 0.8 dp, times dp^D */
    real support;
    real eta2;       /* 0.01 h^2 */
    real p_unit;     /* of P and Pi: a power of two, in which Pi < 1; 1 with two fluids */
    real visc[2];    /* Pi = max(v.d/(visc[0] + visc[1] d^2), 0): -(0.01 h^2, 1) rho0/(alpha c0 h)
                        over p_unit; (infinity, 0) without it */
    real nu;         /* 2 nu/rho0, in the central form times `central`; times p_unit */
    real central;    /* (D + 2)/l^2 of the central form; 0: Morris' form */
    real diffusion;  /* -2 delta h c0/rho0 */
    real gravity[3]; /* g/c0^2, for the diffusion's hydrostatic term; 0 without it, and where e
                        is less g.x/c0^2 already */
    real inverse_rho0, rho0;
    real mass;     /* the unit of what is loaded and summed: the mass of every particle, or 1 kg */
    real spring_k; /* c0^2; 0: no spring */
    real spring_reach; /* the support of its kernel */
    int no_slip, ghost;
    unsigned terms; /* enum wcsph_term: those of the case */
    int begins;     /* the pass sets ACCELERATION, starting from body[]; 0: it adds to it */
    real body[3];   /* m/s^2 */
    int level;      /* gravity[] is 0 */
    int still;      /* 1: no wall has a VELOCITY; 0: not known */
    real smagorinsky, isotropic; /* C_s^2 dp^2, 2/3 C_I dp^2 */
} wcsph_constants;

/* The constants of one of two fluids. */
struct wcsph_fluid {
    real rho0, rho02, inverse_rho0;
    real stiff, thin; /* 1/b and 1/mu; infinity: no such viscosity */
    real diffusion;   /* -2 delta h c0 */
    real gravity;     /* c0^2 of the first over c0^2 of this one */
    real spring_k;    /* c0^2; 0: no spring */
    real least;       /* the least r, by the limit on tension */
    struct wall_law law;
};

/* Constants of rarer terms. */
struct wcsph_more {
    struct mixing_length mixing;
    struct wall_spin spin;
    real per_dt;                     /* 1/dt, for the limit on tension */
    struct correction_memory memory; /* of renormalised gradients */
    struct shift_rule shift;
    struct wcsph_fluid fluid[2]; /* the second is as the first where there is one fluid */
    real repulsion;              /* e_ij - 1 between the two; 0: none */
    real between;                /* 2/(1/rho0_1 + 1/rho0_2) */
};
typedef struct {
    wcsph_constants plain;
    real support;
    struct wcsph_more more;
} wcsph_more_constants;

/* Whether the loop has a term. Its constants are the same for all pairs. */
HD int wcsph_has(const wcsph_constants *k, const struct wcsph_loop loop, unsigned term)
{
    return (loop.must & term) || ((loop.may & term) && (k->terms & term));
}

/* The same of a term whose constants stand in m, which is NULL in a combination without such. A
 * macro, for the analyzer looks into no call that deep. */
#define WCSPH_HAS_RARE(k, m, loop, term) ((m) && wcsph_has(k, loop, term))

/* Pi is at most 5 alpha c0/rho0 times the speed of approach, at d = h/10. In this unit it is below
 * 1 up to a thousand times the speed of sound. */
static inline double wcsph_unit_of(const struct wcsph_params *p)
{
    const double most = 5 * p->alpha * p->sound_speed / p->rho0 * 1000 * p->sound_speed;
    return most > 1 && !p->second ? exp2(floor(-log2(most))) : 1;
}

/* visc[] of the constants, in a unit. */
static inline void wcsph_artificial_of(const struct wcsph_params *p, double unit, real visc[2])
{
    const double b = unit * p->alpha * p->sound_speed * p->h / p->rho0;
    visc[0] = (real)(b > 0 ? -0.01 * p->h * p->h / b : INFINITY);
    visc[1] = (real)(b > 0 ? -1 / b : 0);
}

/* (D + 2)/l^2 of the central form, l^2 the kernel's mean square distance; 0: Morris' form. */
static inline double wcsph_central_of(const struct wcsph_params *p)
{
    const double l2 = sph_kernel_mean_square(p->kernel, p->dimension) * p->h * p->h;
    return p->viscous_form == SLUICE_VISCOUS_CENTRAL ? (p->dimension + 2) / l2 : 0;
}

/* mass: of every particle, kg; 0: various. */
static inline wcsph_constants wcsph_constants_of(const struct wcsph_params *p, double mass)
{
    const double c02 = p->sound_speed * p->sound_speed;
    wcsph_constants k;
    mass = p->second ? 0 : mass;
    k.kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    k.spring = wcsph_spring_of(p);
    k.support = k.kernel.support;
    k.eta2 = (real)(0.01 * p->h * p->h);
    const double unit = wcsph_unit_of(p);
    k.p_unit = (real)unit;
    wcsph_artificial_of(p, unit, k.visc);
    const double central = wcsph_central_of(p);
    k.central = (real)central;
    k.nu = (real)(unit * 2 * p->nu / p->rho0 * (central > 0 ? central : 1));
    k.diffusion = (real)(-2 * p->delta * p->h * p->sound_speed / p->rho0);
    for (int c = 0; c < 3; c++)
        k.gravity[c] = (real)(wcsph_corrects(p) ? p->gravity[c] / c02 : 0);
    k.level = k.gravity[0] == 0 && k.gravity[1] == 0 && k.gravity[2] == 0;
    k.inverse_rho0 = (real)(1 / p->rho0);
    k.rho0 = (real)p->rho0;
    k.smagorinsky = (real)(p->smagorinsky * p->smagorinsky * p->spacing * p->spacing);
    k.isotropic = (real)(2. / 3 * p->isotropic * p->spacing * p->spacing);
    k.spring_k = (real)(p->spring ? c02 : 0);
    k.spring_reach = k.spring.support;
    k.mass = (real)(mass > 0 ? mass : 1);
    k.no_slip = !p->slip;
    k.ghost = p->ghost;
    k.still = 0;
    k.terms = wcsph_terms_of(p, mass);
    for (int c = 0; c < 3; c++)
        k.body[c] = (real)p->body[c];
    k.begins = p->begins;
    return k;
}

static inline struct wcsph_fluid wcsph_fluid_of(const struct wcsph_params *p,
                                                const struct wcsph_params *q)
{
    const double b = q->alpha * q->rho0 * q->sound_speed * q->h, mu = q->rho0 * q->nu;
    struct wcsph_fluid f;
    f.rho0 = (real)q->rho0;
    f.rho02 = (real)(q->rho0 * q->rho0);
    f.inverse_rho0 = (real)(1 / q->rho0);
    f.stiff = (real)(b > 0 ? 1 / b : INFINITY);
    f.thin = (real)(mu > 0 ? 1 / mu : INFINITY);
    f.diffusion = (real)(-2 * q->delta * q->h * q->sound_speed);
    f.gravity = (real)(p->sound_speed * p->sound_speed / (q->sound_speed * q->sound_speed));
    f.spring_k = (real)(q->spring ? q->sound_speed * q->sound_speed : 0);
    f.least = (real)(-q->tension - q->gap);
    f.law = wall_law_prepare(q);
    return f;
}

static inline wcsph_more_constants wcsph_more_of(const struct wcsph_params *p, double mass)
{
    const struct wcsph_params *second = p->second ? p->second : p;
    const double sum = p->rho0 + second->rho0;
    wcsph_more_constants k;
    k.plain = wcsph_constants_of(p, mass);
    k.support = k.plain.support;
    k.more.mixing = mixing_length_prepare(p, p->second ? p->rho0 : wcsph_unit_of(p));
    k.more.spin = wall_spin_prepare(p->wall_law.used ? p->motions : NULL);
    k.more.per_dt = (real)(p->dt > 0 ? 1 / p->dt : 0);
    k.more.memory = correction_memory_of(p);
    k.more.shift = shift_rule_of(p);
    k.more.fluid[0] = wcsph_fluid_of(p, p);
    k.more.fluid[1] = wcsph_fluid_of(p, second);
    k.more.repulsion = (real)(p->repulsion * fabs(p->rho0 - second->rho0) / sum);
    k.more.between = (real)(2 * p->rho0 * second->rho0 / sum);
    return k;
}
#endif
