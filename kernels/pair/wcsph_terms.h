/* Shared by the WCSPH pairs: the members that are loaded and summed, the constants, the terms of
 * walls and of laminar viscosity, and the results that are stored. */
#ifndef SLUICE_PAIR_WCSPH_TERMS_H
#define SLUICE_PAIR_WCSPH_TERMS_H
#include "kernels/pair/sph_kernel.h"
#include "kernels/types/wcsph_params.h"

#define WCSPH_READS                                                                                \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS) | SLUICE_BIT(ACCELERATION))
#define WCSPH_WRITES                                                                               \
    (SLUICE_BIT(ACCELERATION) | SLUICE_BIT(RATE) | SLUICE_BIT(PUSH) | SLUICE_BIT(FRICTION))

/* (vx, vy, vz) predicted velocity; (wx, wy, wz) of walls, the one that a no-slip wall's viscous
 * term sees, wx of fluid its mixing length (pair_wcsph_friction.h); mass, in the constants' unit; e
 * head, as wcsph_predict.h or filter_head.h (kernels/pointwise) leaves it; p = pressure/rho^2, of a
 * target times p_unit; s = rho0/rho, for laminar viscosity. In the usual case that is 32 bytes of a
 * fluid particle in float: position and p, velocity and e. */
#define WCSPH_SRC(X) X(vx) X(vy) X(vz) X(wx) X(wy) X(wz) X(mass) X(e) X(p) X(s)

/* (ax, ay, az) pair acceleration; rate = sum m F v.d; diffusion = its bracket's sum; powers of
 * viscosity with fluid and with walls, of the ghost state and of moving walls; phi, (sx, sy, sz),
 * su: the spring's sums. All are of the shapes of F and W: store() multiplies by the kernel's
 * constants. Accelerations and powers of one fluid are in p_unit. */
/* clang-format off */
#define WCSPH_ACC(X)                                                                               \
    X(ax) X(ay) X(az) X(rate) X(diffusion) X(viscous) X(wall_viscous) X(ghost) X(body)             \
    X(phi) X(sx) X(sy) X(sz) X(su)
/* clang-format on */
PAIR_STRUCT(wcsph_src, WCSPH_SRC)
PAIR_STRUCT(wcsph_acc, WCSPH_ACC)

/* The spring against penetration (docs/theory.md, "Walls"): it acts where phi, the walls' share of
 * a particle's volume as a kernel of hs = 0.8 dp sees it, is above 0.3. */
#define WCSPH_SPRING_H_OVER_DP 0.8
#define WCSPH_SPRING_THRESHOLD 0.3

typedef struct {
    struct sph_kernel kernel, spring; /* spring: Wendland C2 of 0.8 dp, times dp^D */
    real support;
    real eta2;       /* 0.01 h^2 */
    real p_unit;     /* of P and Pi: a power of two, in which Pi < 1 */
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
    int laminar;  /* nu != 0, or sub-particle stress, which comes with it */
    int equal;    /* all particles have the mass `mass` */
    int begins;   /* the pass sets ACCELERATION, starting from body[]; 0: it adds to it */
    real body[3]; /* m/s^2 */
    int upright;  /* gravity[] is along the last axis, or 0 */
    int level;    /* gravity[] is 0 */
    int still;    /* 1: no wall has a VELOCITY; 0: not known */
} wcsph_constants;

/* The spring's kernel: Wendland C2 of 0.8 dp, W and F times dp^D. */
static inline struct sph_kernel wcsph_spring_of(const struct wcsph_params *p)
{
    const double volume = p->dimension == 2 ? p->spacing * p->spacing
                                            : p->spacing * p->spacing * p->spacing;
    struct sph_kernel k = sph_kernel_prepare(SLUICE_KERNEL_WENDLAND_C2,
                                             WCSPH_SPRING_H_OVER_DP * p->spacing, p->dimension);
    k.w *= (real)volume;
    k.f *= (real)volume;
    return k;
}

/* Pi is at most 5 alpha c0/rho0 times the speed of approach, at d = h/10. In this unit it is below
 * 1 up to a thousand times the speed of sound. */
static inline double wcsph_unit_of(const struct wcsph_params *p)
{
    const double most = 5 * p->alpha * p->sound_speed / p->rho0 * 1000 * p->sound_speed;
    return most > 1 ? exp2(floor(-log2(most))) : 1;
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

static inline wcsph_constants wcsph_constants_of(const struct wcsph_params *p, double mass)
{
    const double c02 = p->sound_speed * p->sound_speed;
    wcsph_constants k;
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
        k.gravity[c] = (real)(p->hydrostatic_diffusion && !p->piezometric && p->filter == 0
                                  ? p->gravity[c] / c02
                                  : 0);
    k.inverse_rho0 = (real)(1 / p->rho0);
    k.rho0 = (real)p->rho0;
    k.spring_k = (real)(p->spring ? c02 : 0);
    k.spring_reach = k.spring.support;
    k.equal = mass > 0;
    k.mass = (real)(mass > 0 ? mass : 1);
    k.no_slip = !p->slip;
    k.ghost = p->ghost;
    k.still = 0;
    k.laminar = p->nu != 0 || wcsph_has_stress(p);
    for (int c = 0; c < 3; c++)
        k.body[c] = (real)p->body[c];
    k.begins = p->begins;
    k.upright = k.gravity[0] == 0 && (p->dimension == 2 || k.gravity[1] == 0);
    k.level = k.upright && k.gravity[p->dimension - 1] == 0;
    return k;
}

/* Source 1 is the walls, SLUICE_TARGET and source 0 the fluid. PREDICTED of a wall is the velocity
 * that no-slip friction sees. */
HD wcsph_src wcsph_load(const wcsph_constants *k, const struct sluice_view *v, int64_t i,
                        const int dim, const int source, real packed)
{
    const int wall = source == 1;
    const struct real4 none = {0, 0, 0, 0}, u = !wall      ? view_predicted(v, i, dim)
                                                : k->still ? none
                                                           : pair_wall_velocity(v, i, dim);
    const int friction = wall && k->laminar && k->no_slip && v->field[SLUICE_FIELD_PREDICTED];
    const struct real4 w = friction ? view_predicted(v, i, dim) : u;
    wcsph_src s;
    s.vx = u.x;
    s.vy = u.y;
    s.vz = u.z;
    s.wx = w.x;
    s.wy = w.y;
    s.wz = w.z;
    s.e = u.w;
    s.p = source == SLUICE_TARGET ? packed * k->p_unit : packed;
    s.mass = k->equal ? 1 : VIEW(v, POSITION, i, dim + 1, dim);
    s.s = k->laminar ? VIEW(v, EOS, i, 2, 1) : 1;
    return s;
}

/* a -= force d. */
HD void wcsph_add_force(const int dim, const lane force, const lane d[3], wcsph_acc_lanes *sum)
{
    sum->ax -= force * d[0];
    sum->ay -= force * d[1];
    if (dim == 3)
        sum->az -= force * d[2];
}

/* The factor of laminar viscosity, without that of the pair: 1 along d, d^2/(d^2 + 0.01 h^2) along
 * v. The form is the same for all pairs. */
HD lane wcsph_viscous_shape(const wcsph_constants *k, const lane r2)
{
    return k->central > 0 ? lane_of(1) : r2 / (r2 + k->eta2);
}

/* Laminar viscosity between fluid along d: returns its force along -d, vd = v_ij.d. */
HD lane wcsph_central(const struct pair_loop loop, const lane nu, const lane vd,
                      wcsph_acc_lanes *sum)
{
    const lane pull = nu * vd;
    if (loop.energy)
        sum->viscous += pull * vd;
    return -pull;
}

/* The same at a no-slip wall of velocity u: wd = w.d, w the fluid's velocity relative to the wall's
 * viscous one, vd relative to its real one. */
HD lane wcsph_central_wall(const struct pair_loop loop, const lane d[3], const lane nu,
                           const lane wd, const lane vd, const real u[3], wcsph_acc_lanes *sum)
{
    const lane pull = nu * wd;
    if (loop.energy) {
        lane ud = u[0] * d[0] + u[1] * d[1];
        if (loop.dim == 3)
            ud += u[2] * d[2];
        sum->wall_viscous += pull * vd;
        sum->body += pull * ud;
    }
    return -pull;
}

/* Laminar viscosity between fluid along v, nu v, v = v_ij. */
HD void wcsph_add_laminar(const struct pair_loop loop, const lane nu, const lane v[3],
                          wcsph_acc_lanes *sum)
{
    pair_add(loop.dim, nu, v, &sum->ax, &sum->ay, &sum->az);
    if (loop.energy) {
        sum->viscous += nu * (v[0] * v[0] + v[1] * v[1]);
        if (loop.dim == 3)
            sum->viscous += nu * v[2] * v[2];
    }
}

/* The same at a no-slip wall, nu w: w is the fluid's velocity relative to the wall's
 * viscous one, v relative to its real one, u. */
HD void wcsph_add_wall_laminar(const struct pair_loop loop, const lane nu, const lane w[3],
                               const lane v[3], const real u[3], wcsph_acc_lanes *sum)
{
    const lane fx = nu * w[0], fy = nu * w[1], fz = nu * w[2];
    sum->ax += fx;
    sum->ay += fy;
    if (loop.dim == 3)
        sum->az += fz;
    if (loop.energy) {
        sum->wall_viscous += fx * v[0] + fy * v[1];
        sum->body += fx * u[0] + fy * u[1];
        if (loop.dim == 3) {
            sum->wall_viscous += fz * v[2];
            sum->body += fz * u[2];
        }
    }
}

/* The other effects of a wall with velocity u: the power of its ghost state, whose part of the
 * force is `ghost`; the power of its motion; the spring. */
HD void wcsph_add_wall(const wcsph_constants *k, const struct pair_loop loop,
                       const struct pair_distance *at, const lane force, const lane ghost,
                       const lane vd, const real u[3], wcsph_acc_lanes *sum)
{
    lane ud = u[0] * at->d[0] + u[1] * at->d[1];
    if (loop.dim == 3)
        ud += u[2] * at->d[2];
    if (loop.energy) {
        sum->ghost -= ghost * vd;
        if (!k->still)
            sum->body -= force * ud;
    }
    if (k->spring_k != 0 && lane_any(at->r < k->spring_reach)) { /* few walls are that near */
        const lane f = wendland_f_shape(&k->spring, at->r);
        sum->phi += wendland_w_shape(&k->spring, at->r);
        pair_add(loop.dim, f, at->d, &sum->sx, &sum->sy, &sum->sz);
        if (loop.energy && !k->still)
            sum->su += f * ud;
    }
}

/* A particle's sums in SI units. */
struct wcsph_result {
    real u[3];  /* predicted velocity */
    real scale; /* of the sums of the acceleration */
    real rate, diffusion;
    real spring_k;
    double mass, mass_f; /* mass_f: times the scale of F, for powers */
    double elastic;      /* m p rho0/rho^2 */
};

/* ACCELERATION holds the body forces on entry, unless the pass begins it. */
HD void wcsph_store_result(const wcsph_constants *k, const struct sluice_view *v, int64_t n,
                           const struct pair_loop loop, const struct wcsph_result *q,
                           const wcsph_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const real phi = k->spring.w * sum->phi, s[3] = {sum->sx, sum->sy, sum->sz};
    const real a[3] = {q->scale * sum->ax, q->scale * sum->ay, q->scale * sum->az};
    const real over = phi > (real)WCSPH_SPRING_THRESHOLD ? phi - (real)WCSPH_SPRING_THRESHOLD : 0;
    const real push = -q->spring_k * over * k->spring.f;
    double pair_power = 0, body_power = 0; /* of the accelerations, for a unit mass */

    for (int c = 0; c < loop.dim; c++) {
        const real body = k->begins ? k->body[c] : VIEW(v, ACCELERATION, n, loop.dim, c);
        VIEW(v, ACCELERATION, n, loop.dim, c) = a[c] + push * s[c] + body;
        pair_power += (double)q->u[c] * (double)a[c];
        body_power += (double)q->u[c] * (double)body;
    }
    VIEW(v, RATE, n, 1, 0) = q->rate;
    if (v->field[SLUICE_FIELD_PUSH])
        VIEW(v, PUSH, n, 1, 0) = push;

    if (loop.energy) {
        const double viscous = q->mass_f * (0.5 * (double)sum->viscous + (double)sum->wall_viscous);
        const double diffused = q->elastic * (double)q->diffusion;
        const double ghost = k->ghost ? q->mass_f * (double)sum->ghost : 0;
        const double body = q->mass_f * (double)sum->body;
        const double lhs = q->mass * pair_power, internal = q->elastic * (double)q->rate;
        out[SLUICE_SUM_VISCOUS] += viscous;
        out[SLUICE_SUM_DIFFUSION] += diffused;
        out[SLUICE_SUM_GHOST] += ghost;
        out[SLUICE_SUM_BODY] += body + q->mass * (double)push * (double)sum->su;
        out[SLUICE_SUM_SPRING] += 0.5 * q->mass * (double)q->spring_k * (double)over * (double)over;
        out[SLUICE_SUM_IDENTITY] += lhs + internal - viscous - diffused - ghost - body;
        out[SLUICE_SUM_IDENTITY_ABS] += fabs(lhs) + fabs(q->mass * body_power) + fabs(internal);
    }
}
#endif
