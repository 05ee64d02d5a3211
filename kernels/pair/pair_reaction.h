/* The force of the fluid on a wall particle, for probes of forces: the exact reaction, term by
 * term, to the force of the particle on the fluid. With d = x_w - x_f,
 *
 *   F_w = -sum_f m_f m_w (P_f + P_w) F d                                 pressure (pair_wcsph.h)
 *         +sum_f m_f m_w 2 (D + 2) nu rho0/(rho_f rho_w) F ((w_w - v_f).d)/l^2 d       no slip
 *      or +sum_f m_f m_w 2 nu rho0/(rho_f rho_w) F d^2/(d^2 + 0.01 h^2) (w_w - v_f)    no slip
 *         +sum_f m_f m_w F T_f d             no slip: sub-particle stress (wcsph_gradients.h)
 *         -sum_f m_f m_w F Pi d                         artificial viscosity with walls
 *         -sum_f m_f a_f m_w F/sum_w m_w F              law of the wall: FRICTION of the fluid
 *         +sum_f m_f push_f F(d; 0.8 dp)/F0 d                            springs: PUSH of the fluid
 *
 * With two fluids the volumes V = m/rho and what they carry (wcsph_two_fluids.h): V_f V_w (p_f +
 * p_w) for m_f m_w (P_f + P_w), V_f V_w mu_f for m_f m_w nu rho0/(rho_f rho_w), V_f V_w tau_f for
 * m_f m_w T_f, and V_f V_w Pi with b_f; the other terms stay.
 *
 * or, for repulsive walls (pair_repulsive.h), sum_f m_f D x (x - 1) d/r^2. It runs after the loops
 * whose fields it reads, and only in steps in which a probe asks for it; on bodies in each. Every
 * kernel: one pair. */
#ifndef SLUICE_PAIR_REACTION_H
#define SLUICE_PAIR_REACTION_H
#include "kernels/pair/pair_repulsive.h"
#include "kernels/pair/wcsph_terms.h"

#define reaction_PARAMS(X) /* derived by the model: kernels/types/wcsph_params.h */
#define reaction_READS                                                                             \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS) | SLUICE_BIT(PUSH) |           \
     SLUICE_BIT(STRESS) | SLUICE_BIT(FRICTION) | SLUICE_BIT(PHASE) | SLUICE_BIT(HAS_FRICTION))
#define reaction_WRITES        SLUICE_BIT(REACTION)
#define reaction_SUMS          0
#define reaction_FLOPS(kernel) 45
#define reaction_MASKS_ITSELF  1
#define reaction_USES_R        1
#define reaction_PACKS         SLUICE_FIELD_EOS
/* A wall's v is the velocity that friction sees, w_w; the fluid's push is its PUSH. With two
 * fluids p is the pressure itself, s = 1/rho, T the stress itself; `second` is 1 for a particle of
 * the second one, else 0; has_friction is 0 of a wall that slips where others do not, else 1. */
/* clang-format off */
#define reaction_SRC(X)                                                                            \
    X(vx) X(vy) X(vz) X(mass) X(p) X(s) X(push) X(txx) X(txy) X(tyy) X(txz) X(tyz) X(tzz)          \
    X(bx) X(by) X(bz) X(second) X(has_friction)
/* clang-format on */
/* (x, y, z): without the kernel's constant and the wall's mass; (px, py, pz): force of springs, or
 * of repulsive walls without D. */
#define reaction_ACC(X) X(x) X(y) X(z) X(px) X(py) X(pz)
PAIR_STRUCT(reaction_src, reaction_SRC)
PAIR_STRUCT(reaction_acc, reaction_ACC)

typedef struct wcsph_reaction_params reaction_params;
typedef struct {
    struct sph_kernel kernel, spring; /* as in wcsph_constants */
    real support, spring_reach;
    real nu, eta2; /* 2 nu/rho0, in the central form times (D + 2)/l^2, 0 without friction;
                      0.01 h^2 */
    repulsive_constants force; /* of repulsive walls */
    real push;                 /* 1, or D of repulsive walls */
    real visc[2];              /* as in wcsph_constants, without p_unit */
    real mass;                 /* of every particle; 0: various */
    int repulsive, stress, law, artificial, central;
    int mixed; /* some walls slip, and others do not */
    int two;   /* there is a second fluid; of each: */
    struct {
        real rho0, inverse_rho0;
        real nu;      /* 2 mu, in the central form times (D + 2)/l^2, 0 without friction */
        real visc[2]; /* -(0.01 h^2, 1)/b; (infinity, 0) without it */
    } fluid[2];
} reaction_constants;

static inline reaction_constants reaction_prepare(const struct wcsph_reaction_params *p,
                                                  double mass)
{
    const struct wcsph_params *w = &p->wcsph;
    reaction_constants k;
    k.kernel = sph_kernel_prepare(w->kernel, w->h, w->dimension);
    k.spring = wcsph_spring_of(w);
    k.repulsive = p->repulsive;
    k.stress = wcsph_has_stress(w) && !w->slip;
    k.law = w->wall_law.used;
    k.mixed = wcsph_slips_differ(w);
    k.artificial = w->artificial_walls;
    wcsph_artificial_of(w, 1, k.visc);
    k.force = repulsive_prepare(w, mass);
    k.support = p->repulsive ? k.force.support : k.kernel.support;
    k.spring_reach = w->spring ? k.spring.support : 0;
    const double central = wcsph_central_of(w);
    k.central = central > 0;
    k.nu = (real)(w->slip ? 0 : 2 * w->nu / w->rho0 * (central > 0 ? central : 1));
    k.eta2 = (real)(0.01 * w->h * w->h);
    k.push = p->repulsive ? k.force.strength : 1;
    k.two = w->second != NULL;
    k.mass = (real)(k.two ? 0 : mass);
    for (int n = 0; n < 2; n++) {
        const struct wcsph_params *of = n == 1 && k.two ? w->second : w;
        k.fluid[n].rho0 = (real)of->rho0;
        k.fluid[n].inverse_rho0 = (real)(1 / of->rho0);
        k.fluid[n].nu = (real)(w->slip ? 0 : 2 * of->nu * of->rho0 * (central > 0 ? central : 1));
        wcsph_artificial_of(of, of->rho0 * of->rho0, k.fluid[n].visc);
    }
    return k;
}

/* One fluid needs no phases, and walls that agree no slip of each: code of its own. */
HD int reaction_is_usual(const reaction_constants *k)
{
    return !k->two && !k->mixed;
}
HD reaction_constants reaction_usual(reaction_constants k)
{
    k.two = 0;
    k.mixed = 0;
    return k;
}

HD void reaction_load_stress(const struct sluice_view *v, int64_t i, const int dim, const real unit,
                             reaction_src *s)
{
    const real *stress = v->field[SLUICE_FIELD_STRESS] + dim * (dim + 1) / 2 * i;
    s->txx = unit * stress[0];
    s->txy = unit * stress[1];
    s->tyy = unit * stress[2];
    s->txz = dim == 3 ? unit * stress[3] : 0;
    s->tyz = dim == 3 ? unit * stress[4] : 0;
    s->tzz = dim == 3 ? unit * stress[5] : 0;
}

HD reaction_src reaction_load(const reaction_constants *k, const struct sluice_view *v, int64_t i,
                              const int dim, const int source, real packed)
{
    const int wall = source == SLUICE_TARGET;
    const struct real4 u = wall && !v->field[SLUICE_FIELD_PREDICTED] ? pair_wall_velocity(v, i, dim)
                                                                     : view_predicted(v, i, dim);
    const real mass = k->mass > 0 ? k->mass : VIEW(v, POSITION, i, dim + 1, dim);
    reaction_src s = {u.x, u.y, u.z, mass, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    real density2 = 1; /* of two fluids rho^2 */
    if (!k->repulsive) {
        s.p = packed;
        s.s = VIEW(v, EOS, i, 2, 1);
        s.push = wall || k->spring_reach == 0 ? 0 : VIEW(v, PUSH, i, 1, 0);
    }
    if (k->two) {
        const int second = !wall && view_phase(v, i);
        const real density = k->fluid[second].rho0 / s.s;
        density2 = density * density;
        s.p *= density2;
        s.s *= k->fluid[second].inverse_rho0;
        s.second = (real)second;
    }
    if (k->mixed && wall)
        s.has_friction = VIEW(v, HAS_FRICTION, i, 1, 0);
    if (k->stress && !wall)
        reaction_load_stress(v, i, dim, density2, &s);
    if (k->law && !wall) {
        const real *friction = v->field[SLUICE_FIELD_FRICTION] + dim * i;
        s.bx = friction[0];
        s.by = friction[1];
        s.bz = dim == 3 ? friction[2] : 0;
    }
    return s;
}

/* Laminar viscosity: along v, or as a part of the force along -d. */
HD void reaction_viscous(const reaction_constants *k, const int dim, const struct pair_distance *at,
                         const lane nu, const reaction_src_lanes *i, const reaction_src *j,
                         lane *along, reaction_acc_lanes *sum)
{
    const lane v[3] = {i->vx - j->vx, i->vy - j->vy, i->vz - j->vz};
    if (k->central)
        *along -= nu * pair_dot(dim, v, at->d);
    else
        pair_add(dim, nu * at->r2 / (at->r2 + k->eta2), v, &sum->x, &sum->y, &sum->z);
}

HD void reaction_stress(const int dim, const lane f, const lane d[3], const reaction_src *j,
                        reaction_acc_lanes *sum)
{
    sum->x += f * (j->txx * d[0] + j->txy * d[1]);
    sum->y += f * (j->txy * d[0] + j->tyy * d[1]);
    if (dim == 3) {
        sum->x += f * (j->txz * d[2]);
        sum->y += f * (j->tyz * d[2]);
        sum->z += f * (j->txz * d[0] + j->tyz * d[1] + j->tzz * d[2]);
    }
}

/* All but the springs. f: m_f F. */
HD void reaction_of_water(const reaction_constants *k, const struct pair_loop loop,
                          const struct pair_distance *at, const lane f, const reaction_src_lanes *i,
                          const reaction_src *j, reaction_acc_lanes *sum)
{
    const int second = j->second > 0;
    const lane carried = k->two ? f * j->s * i->s : f;                /* V_f V_w/m_w F */
    const lane held = k->mixed ? carried * i->has_friction : carried; /* the same of friction */
    lane pressure = carried * (i->p + j->p);
    if (k->artificial) {
        const real *visc = k->two ? k->fluid[second].visc : k->visc;
        lane vd = (i->vx - j->vx) * at->d[0] + (i->vy - j->vy) * at->d[1];
        if (loop.dim == 3)
            vd += (i->vz - j->vz) * at->d[2];
        pressure += held * lane_max(vd / (visc[0] + visc[1] * at->r2), lane_of(0));
    }
    const lane nu = k->two ? held * k->fluid[second].nu : held * (k->nu * j->s) * i->s;
    reaction_viscous(k, loop.dim, at, nu, i, j, &pressure, sum);
    sum->x -= pressure * at->d[0];
    sum->y -= pressure * at->d[1];
    if (loop.dim == 3)
        sum->z -= pressure * at->d[2];
    if (k->law) {
        const lane share = k->mixed ? f * i->has_friction : f;
        sum->x -= share * j->bx;
        sum->y -= share * j->by;
        if (loop.dim == 3)
            sum->z -= share * j->bz;
    }
    if (k->stress)
        reaction_stress(loop.dim, held, at->d, j, sum);
}

HD void reaction_eval(const reaction_constants *k, const struct pair_loop loop,
                      const struct pair_distance *at, const reaction_src_lanes *i,
                      const reaction_src *j, reaction_acc_lanes *sum)
{
    lane push, over;
    if (k->repulsive) { /* the same for all pairs */
        push = j->mass * repulsive_shape(&k->force, at->r2, &over);
    } else {
        const lane f = j->mass * sph_f_shape(&k->kernel, loop.kernel, at->r);
        reaction_of_water(k, loop, at, f, i, j, sum);
        push = (j->mass * j->push) * wendland_f_shape(&k->spring, at->r);
    }
    pair_add(loop.dim, push, at->d, &sum->px, &sum->py, &sum->pz);
}

HD void reaction_store(const reaction_constants *k, const struct sluice_view *v, int64_t n,
                       const struct pair_loop loop, const reaction_src *i, const reaction_acc *sum,
                       double out[SLUICE_SUM_COUNT])
{
    const real f = i->mass * k->kernel.f;
    const real all[3] = {f * sum->x + k->push * sum->px, f * sum->y + k->push * sum->py,
                         f * sum->z + k->push * sum->pz};
    (void)out;
    for (int c = 0; c < loop.dim; c++)
        VIEW(v, REACTION, n, loop.dim, c) = all[c];
}
#endif
