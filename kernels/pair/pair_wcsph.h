/* Weakly compressible SPH: fluid from fluid (source 0) and fluid from walls (source 1), in one
 * loop, composed of the terms that its combination has (wcsph_terms.h).
 *
 * d = x_i - x_j, F = W'(r)/r, grad W = F d; r also names the relative density rho/rho0 - 1;
 * P = p/rho^2; e is the head, the integral of dp/rho over c0^2.
 *
 *   momentum    a_i   = -sum m_j (P_i + P_j + Pi_ij) F d + viscous
 *                       (Monaghan 1992, eq. 3.3)
 *   continuity  dr_i/dt = 1/rho0 sum m_j F v_ij.d + D_i
 *                       (Monaghan 1992, eq. 3.9: adjoint to the momentum equation)
 *   artificial  Pi_ij = -alpha c0 h min(v_ij.d, 0)/(rho0 (d^2 + 0.01 h^2))
 *                       (Monaghan 1992, eq. 4.1-4.2, with c0 and rho0 for the means); a term:
 *                       at walls too
 *   diffusion   D_i   = -2 delta h c0/rho0 sum_fluid m_j F [e_j - e_i + g.d/c0^2]
 *                       (to first order in r Fourtakas et al. 2019, eq. 8; without g Molteni &
 *                       Colagrossi 2009, eq. 11)
 *
 * The bracket is zero in water at rest, where grad e = g/c0^2. It is e_j - e_i alone where e
 * is less g.x/c0^2 already: with params.piezometric, or with a filter (pointwise/filter_head.h).
 * No wall has diffusion. Terms:
 *
 *   laminar     a_i  += sum m_j 2 (D + 2) nu rho0/(rho_i rho_j) F (v_ij.d)/l^2 d
 *                       (after Monaghan & Gingold 1983; l^2 the kernel's mean square distance)
 *               or      sum m_j 2 nu rho0/(rho_i rho_j) F d^2/(d^2 + 0.01 h^2) v_ij
 *                       (Morris et al. 1997, eq. 22); not at free-slip walls
 *   eddies      Pi_ij of a mixing length, between fluid                   (mixing_length.h)
 *   stress      a_i  += sum m_j (T_i + T_j) F d,  T = tau/rho^2, 0 of walls
 *                       (Dalrymple & Rogers 2006; wcsph_gradients.h)
 *   slope       diffusion with [e_j - e_i + (G_i + G_j).d/2], G the renormalised gradient of the
 *                       head (to first order in r Antuono et al. 2010; wcsph_gradients.h)
 *   law         a_i  += -2 |n_i| tau/rho v_t/|v_t|, the law of the wall   (wall_law.h)
 *   tension     dr_i/dt >= (least - r_i)/dt, so that the next r is at least `least`, which is
 *                       below the limit on the pressure: the density remembers a gap that opened
 *   renormalised  gradients of pressure and continuity between fluid     (wcsph_renormalised.h)
 *   shift       the shift after the step                                  (pair_shift.h)
 *   two         two fluids                                                (wcsph_two_fluids.h)
 *
 * Masses are in the constants' unit until store. Powers come from the same terms: docs/theory.md.
 * Conditions on constants are the same for all pairs. */
#ifndef SLUICE_PAIR_WCSPH_H
#define SLUICE_PAIR_WCSPH_H
#include "kernels/pair/wcsph_gradients.h"
#include "kernels/pair/wcsph_renormalised.h"
#include "kernels/pair/wcsph_shift.h"
#include "kernels/pair/wcsph_two_fluids.h"
#include "kernels/pair/wcsph_viscosity.h"
#include "kernels/pair/wcsph_walls.h"

/* The numbers of a particle. Source 1 is the walls, SLUICE_TARGET and source 0 the fluid. PREDICTED
 * of a wall is the velocity that no-slip friction sees. m: NULL where no term needs it. */
HD wcsph_src wcsph_read(const wcsph_constants *k, const struct wcsph_more *m,
                        const struct wcsph_loop loop, const struct sluice_view *v, int64_t i,
                        const int source, real packed)
{
    const int wall = source == 1, dim = loop.at.dim,
              laminar = wcsph_has(k, loop, WCSPH_LAMINAR | WCSPH_STRESS);
    const struct real4 none = {0, 0, 0, 0}, u = !wall      ? view_predicted(v, i, dim)
                                                : k->still ? none
                                                           : pair_wall_velocity(v, i, dim);
    const int friction = wall && laminar && k->no_slip && v->field[SLUICE_FIELD_PREDICTED];
    const struct real4 w = friction ? view_predicted(v, i, dim) : u;
    const int two = WCSPH_HAS_RARE(k, m, loop, WCSPH_TWO);
    real spin[3] = {0, 0, 0};
    wcsph_src s;
    s.vx = u.x;
    s.vy = u.y;
    s.vz = u.z;
    s.wx = w.x;
    s.wy = w.y;
    s.wz = w.z;
    s.e = u.w;
    s.p = source == SLUICE_TARGET ? packed * k->p_unit : packed;
    s.mass = two || wcsph_has(k, loop, WCSPH_MASSES) ? VIEW(v, POSITION, i, dim + 1, dim) : 1;
    s.s = laminar ? VIEW(v, EOS, i, 2, 1) : 1;
    s.volume = s.share = s.stiff = s.thin = s.second = 0;
    if (two)
        wcsph_load_two(m, v, i, source, s.mass, &s);
    if (wall && laminar && v->field[SLUICE_FIELD_HAS_FRICTION])
        wcsph_load_slip(v, i, &s);
    if (wcsph_has(k, loop, WCSPH_STRESS))
        wcsph_load_stress(v, i, dim, two ? wcsph_density2(m, v, i, &s) : 1, &s);
    if (wcsph_has(k, loop, WCSPH_SLOPE))
        wcsph_load_slope(v, i, dim, &s);
    s.space = WCSPH_HAS_RARE(k, m, loop, WCSPH_SHIFT) ? VIEW(v, EOS, i, 2, 1) : 1;
    s.lxx = s.lxy = s.lyy = s.lxz = s.lyz = s.lzz = 0;
    if (!wall && WCSPH_HAS_RARE(k, m, loop, WCSPH_RENORMALISED))
        wcsph_load_renormalised(v, i, dim, &s);
    s.length = !wall && wcsph_has(k, loop, WCSPH_EDDIES) ? VIEW(v, MIXING_LENGTH, i, 1, 0) : 0;
    if (wall && WCSPH_HAS_RARE(k, m, loop, WCSPH_SPIN))
        wall_spin_of(&m->spin, v, i, spin);
    s.friction = wall && WCSPH_HAS_RARE(k, m, loop, WCSPH_SOME_SLIP)
                     ? VIEW(v, HAS_FRICTION, i, 1, 0)
                     : 1;
    s.ox = spin[0];
    s.oy = spin[1];
    s.oz = spin[2];
    return s;
}

/* x between particles of one fluid, 0 between those of two. */
HD lane wcsph_of_own(const wcsph_constants *k, const struct wcsph_more *m,
                     const struct wcsph_loop loop, const lane x, const wcsph_src_lanes *i,
                     const wcsph_src *j)
{
    return WCSPH_HAS_RARE(k, m, loop, WCSPH_TWO)
               ? lane_select(i->second == j->second, x, lane_of(0))
               : x;
}

/* The bracket of the diffusion. step: e_j - e_i. */
HD lane wcsph_bracket(const wcsph_constants *k, const struct wcsph_more *m,
                      const struct wcsph_loop loop, const lane d[3], lane step,
                      const wcsph_src_lanes *i, const wcsph_src *j)
{
    const int dim = loop.at.dim, two = WCSPH_HAS_RARE(k, m, loop, WCSPH_TWO);
    if (!k->level) {
        /* No index by dim: it would keep d out of registers. */
        lane gd = dim == 3 ? k->gravity[2] * d[2] : k->gravity[1] * d[1];
        if (wcsph_has(k, loop, WCSPH_TILTED)) {
            gd += k->gravity[0] * d[0];
            if (dim == 3)
                gd += k->gravity[1] * d[1];
        }
        if (two)
            gd *= lane_select(i->second > 0, lane_of(m->fluid[1].gravity), lane_of(1));
        step += gd;
    }
    if (wcsph_has(k, loop, WCSPH_SLOPE))
        step += wcsph_head_between(dim, d, i, j);
    return wcsph_of_own(k, m, loop, step, i, j);
}

/* Two particles that meet. */
struct wcsph_meeting {
    lane mf;       /* m_j F, with two fluids V_j F */
    lane shared;   /* m_j F, with two fluids m_j/rho0 F */
    lane v[3], vd; /* v_ij; v_ij.d */
};

/* Adds what fluid does, and returns the force along -d; `force` is that of pressure. */
HD lane wcsph_add_fluid(const wcsph_constants *k, const struct wcsph_more *m,
                        const struct wcsph_loop loop, const struct pair_distance *at,
                        const struct wcsph_meeting *of, lane force, const wcsph_src_lanes *i,
                        const wcsph_src *j, wcsph_acc_lanes *sum)
{
    const lane mfpi = wcsph_artificial(k, loop, of->mf, of->vd, at->r2, i, j);
    const lane head = j->e - i->e, step = wcsph_bracket(k, m, loop, at->d, head, i, j);
    force += mfpi;
    sum->diffusion += of->shared * step;
    if (wcsph_has(k, loop, WCSPH_SLOPE))
        wcsph_add_head(loop.at.dim, wcsph_of_own(k, m, loop, of->mf, i, j), at->d, head, sum);
    if (loop.at.energy)
        sum->viscous -= mfpi * of->vd;
    if (wcsph_has(k, loop, WCSPH_LAMINAR)) {
        const lane nu = wcsph_laminar(k, loop, of->mf, at->r2, i, j);
        if (wcsph_has(k, loop, WCSPH_MORRIS))
            wcsph_add_laminar(loop.at, nu, of->v, sum);
        else
            force += wcsph_central(loop.at, nu, of->vd, sum);
    }
    if (WCSPH_HAS_RARE(k, m, loop, WCSPH_EDDIES)) {
        const lane mf = wcsph_has(k, loop, WCSPH_TWO) ? of->mf * wcsph_between(m, i, j) : of->mf;
        force += wcsph_add_eddies(k, &m->mixing, loop.at, mf, of->vd, at->r2, i, j, sum);
    }
    return force;
}

/* Adds what a wall does, and returns the force along -d. ghost: the part of the wall's pressure. */
HD lane wcsph_add_from_wall(const wcsph_constants *k, const struct wcsph_loop loop,
                            const struct pair_distance *at, const struct wcsph_meeting *of,
                            const lane ghost, lane force, const wcsph_src_lanes *i,
                            const wcsph_src *j, wcsph_acc_lanes *sum)
{
    const real u[3] = {j->vx, j->vy, j->vz};
    wcsph_add_wall(k, loop.at, at, force, ghost, of->vd, u, sum);
    if (k->no_slip && wcsph_has(k, loop, WCSPH_LAMINAR)) {
        const lane w[3] = {i->vx - j->wx, i->vy - j->wy, i->vz - j->wz},
                   nu = wcsph_laminar(k, loop, of->mf, at->r2, i, j);
        if (wcsph_has(k, loop, WCSPH_MORRIS))
            wcsph_add_wall_laminar(loop.at, nu, w, of->v, u, sum);
        else
            force += wcsph_central_wall(loop.at, at->d, nu, pair_dot(loop.at.dim, w, at->d), of->vd,
                                        u, sum);
    }
    if (wcsph_has(k, loop, WCSPH_ARTIFICIAL_WALLS)) {
        const lane held = wcsph_held(k, loop, of->mf, j),
                   mfpi = wcsph_artificial(k, loop, held, of->vd, at->r2, i, j);
        wcsph_add_artificial_wall(loop.at, at->d, mfpi, of->vd, u, sum);
        force += mfpi;
    }
    if (wcsph_has(k, loop, WCSPH_LAW))
        wcsph_add_law(loop.at, wcsph_held(k, loop, of->shared, j), at->d, j, sum);
    if (wcsph_has(k, loop, WCSPH_SPIN))
        wcsph_add_spin(loop.at, wcsph_held(k, loop, of->shared, j), at->d, j, sum);
    return force;
}

/* Finite at r2 = 0, and zero there and beyond the support: the strategy need not mask. The order of
 * the terms decides the last bit on a GPU. */
HD void wcsph_add(const wcsph_constants *k, const struct wcsph_more *m,
                  const struct wcsph_loop loop, const struct pair_distance *at,
                  const wcsph_src_lanes *i, const wcsph_src *j, wcsph_acc_lanes *sum)
{
    const int dim = loop.at.dim, two = wcsph_has(k, loop, WCSPH_TWO);
    const lane f = sph_f_shape(&k->kernel, loop.at.kernel, at->r);
    struct wcsph_meeting of;
    of.mf = (two ? j->volume : j->mass) * f;
    of.shared = two ? j->share * f : of.mf;
    of.v[0] = i->vx - j->vx;
    of.v[1] = i->vy - j->vy;
    of.v[2] = i->vz - j->vz; /* not used in 2-D */
    of.vd = pair_dot(dim, of.v, at->d);
    const lane pressed = loop.at.source == 0 && WCSPH_HAS_RARE(k, m, loop, WCSPH_REPULSION)
                             ? wcsph_repelled(m, of.mf, i, j)
                             : of.mf;
    const real p = j->p * k->p_unit;
    lane force = pressed * (p + i->p);
    sum->rate += pressed * of.vd;
    if (loop.at.source == 0)
        force = wcsph_add_fluid(k, m, loop, at, &of, force, i, j, sum);
    else
        force = wcsph_add_from_wall(k, loop, at, &of, of.mf * p, force, i, j, sum);
    if (wcsph_has(k, loop, WCSPH_STRESS) && (loop.at.source == 0 || k->no_slip)) {
        const lane mf = wcsph_slips(loop.at, j) ? lane_of(0) : of.mf;
        wcsph_add_stress(loop.at, mf * k->p_unit, at->d, i, j, sum);
        wcsph_add_strain(dim, mf, at->d, of.v, sum);
    }
    if (WCSPH_HAS_RARE(k, m, loop, WCSPH_RENORMALISED))
        wcsph_add_renormalised(loop.at, at->d, of.mf, of.v, p, i, j, sum);
    if (WCSPH_HAS_RARE(k, m, loop, WCSPH_SHIFT))
        wcsph_add_shift(k, &m->shift, loop.at, at, of.mf, j, sum);
    sum->ax -= force * at->d[0];
    sum->ay -= force * at->d[1];
    if (dim == 3)
        sum->az -= force * at->d[2];
}

/* --- Results --- */

/* ACCELERATION holds the body forces on entry, unless the pass begins it. */
HD void wcsph_store_result(const wcsph_constants *k, const struct sluice_view *v, int64_t n,
                           const struct pair_loop loop, const struct wcsph_result *q,
                           const wcsph_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const real phi = k->spring.w * sum->phi, s[3] = {sum->sx, sum->sy, sum->sz};
    const real a[3] = {q->scale * sum->ax, q->scale * sum->ay, q->scale * sum->az};
    const real over = phi > (real)WCSPH_SPRING_THRESHOLD ? phi - (real)WCSPH_SPRING_THRESHOLD : 0;
    const real push = -q->spring_k * over * k->spring.f;
    const int instant = (loop.wanted & SLUICE_INSTANT_SUMS) != 0;
    double pair_power = 0, body_power = 0; /* of the accelerations, for a unit mass */
    for (int c = 0; c < loop.dim; c++) {
        const real body = k->begins ? k->body[c] : VIEW(v, ACCELERATION, n, loop.dim, c);
        VIEW(v, ACCELERATION, n, loop.dim, c) = a[c] + push * s[c] + body;
        if (instant) {
            pair_power += (double)q->u[c] * (double)a[c];
            body_power += (double)q->u[c] * (double)body;
        }
    }
    VIEW(v, RATE, n, 1, 0) = q->rate;
    if (v->field[SLUICE_FIELD_PUSH])
        VIEW(v, PUSH, n, 1, 0) = push;

    if (loop.energy) {
        const double viscous = q->mass_f * (0.5 * (double)sum->viscous + (double)sum->wall_viscous);
        const double diffused = q->elastic * (double)q->diffusion,
                     leaked = q->elastic * (double)q->leak, body = q->mass_f * (double)sum->body;
        const double ghost = k->ghost ? q->mass_f * (double)sum->ghost : 0;
        out[SLUICE_SUM_VISCOUS] += viscous;
        out[SLUICE_SUM_DIFFUSION] += diffused;
        out[SLUICE_SUM_GHOST] += ghost;
        out[SLUICE_SUM_BODY] += body + q->mass * (double)push * (double)sum->su;
        if (instant) {
            const double lhs = q->mass * pair_power, of_body = q->mass * body_power,
                         internal = q->elastic * (double)q->rate, pressed = (double)over;
            out[SLUICE_SUM_SPRING] += 0.5 * q->mass * (double)q->spring_k * pressed * pressed;
            out[SLUICE_SUM_IDENTITY] += lhs + internal - viscous - diffused - leaked - ghost - body;
            out[SLUICE_SUM_IDENTITY_ABS] += fabs(lhs) + fabs(of_body) + fabs(internal);
        }
    }
}

/* The sums of one fluid in SI units. */
HD void wcsph_result_of(const wcsph_constants *k, const wcsph_src *i, const wcsph_acc *sum,
                        struct wcsph_result *q)
{
    const real f = k->mass * k->kernel.f;
    q->scale = f / k->p_unit;
    q->diffusion = k->diffusion * f * sum->diffusion;
    q->rate = k->inverse_rho0 * f * sum->rate + q->diffusion;
    q->spring_k = k->spring_k;
    q->mass = (double)i->mass * (double)k->mass;
    q->mass_f = q->mass * (double)f / (double)k->p_unit;
    q->elastic = q->mass * ((double)i->p / (double)k->p_unit * (double)k->rho0);
}

/* The same of two fluids. */
HD void wcsph_result_of_two(const wcsph_constants *k, const struct wcsph_fluid *own,
                            const wcsph_src *i, const wcsph_acc *sum, struct wcsph_result *q)
{
    const real f = k->kernel.f, density = i->share / i->volume; /* over rho0 */
    const double volume = (double)i->volume;
    q->scale = f * own->inverse_rho0 / density;
    q->diffusion = own->diffusion * f * sum->diffusion;
    q->rate = density * f * sum->rate + q->diffusion;
    q->spring_k = own->spring_k;
    q->mass = (double)i->share * (double)own->rho0;
    q->mass_f = volume * (double)f;
    q->elastic = volume * (double)i->p / (double)density;
}

HD void wcsph_finish(const wcsph_constants *k, const struct wcsph_more *m,
                     const struct wcsph_loop loop, const struct sluice_view *v, int64_t n,
                     const wcsph_src *i, const wcsph_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const int two = WCSPH_HAS_RARE(k, m, loop, WCSPH_TWO), second = two && i->second > 0;
    struct wcsph_result q;
    q.u[0] = i->vx;
    q.u[1] = i->vy;
    q.u[2] = i->vz;
    q.leak = 0;
    if (two)
        wcsph_result_of_two(k, &m->fluid[second], i, sum, &q);
    else
        wcsph_result_of(k, i, sum, &q);
    if (WCSPH_HAS_RARE(k, m, loop, WCSPH_RENORMALISED)) {
        const real scale = k->inverse_rho0 * k->mass * k->kernel.f, added = scale * sum->bent;
        wcsph_store_tensor(v, n, loop.at.dim, -2 * scale, sum);
        q.leak = correction_forget(&m->memory, v, n, added);
        q.rate += added + q.leak;
    }
    wcsph_store_result(k, v, n, loop.at, &q, sum, out);
    if (wcsph_has(k, loop, WCSPH_STRESS)) {
        const real volume = i->s * (two ? m->fluid[second].inverse_rho0 : k->inverse_rho0);
        wcsph_store_stress(k, v, n, loop.at.dim, volume, k->kernel.f * (two ? 1 : volume * k->mass),
                           sum);
    }
    if (wcsph_has(k, loop, WCSPH_SLOPE))
        wcsph_store_head(v, n, loop.at.dim, sum);
    if (WCSPH_HAS_RARE(k, m, loop, WCSPH_LAW)) {
        /* The sums are of m_w F in the unit of masses, with two fluids of m_w/rho0 F. */
        const real unit = k->mass * k->kernel.f;
        wcsph_store_law(&m->fluid[second].law, v, n, loop.at, wcsph_has(k, loop, WCSPH_SPIN),
                        two ? k->kernel.f * k->rho0 : unit,
                        two ? k->kernel.f : unit * k->inverse_rho0, &q, sum, out);
    }
    if (WCSPH_HAS_RARE(k, m, loop, WCSPH_SHIFT))
        wcsph_store_shift(&m->shift, v, n, loop.at, k->mass * k->inverse_rho0, i->p / k->p_unit, &q,
                          sum, out);
    if (loop.at.energy && WCSPH_HAS_RARE(k, m, loop, WCSPH_RENORMALISED))
        out[SLUICE_SUM_MEMORY] += q.elastic * (double)q.leak;
    if (WCSPH_HAS_RARE(k, m, loop, WCSPH_TENSION))
        wcsph_store_limit(m->fluid[second].least, m->per_dt, v, n, loop.at, &q, out);
}

/* --- Combinations ---
 * What ends with a comma is one statement for all members: a function may have 200. */

#define WCSPH_GIVE(member)       to.member = all.member;
#define WCSPH_NO_SRC(member)     own.member = lane_of(0), other.member = 0,
#define WCSPH_NO_ACC(member)     all.member = lane_of(0),
#define WCSPH_NO_OWN(member)     own.member = 0;
#define WCSPH_NO_SUM(member)     all.member = 0;
#define WCSPH_TAKE_SRC(member)   own.member = i->member, other.member = j->member;
#define WCSPH_TAKE_OWN(member)   own.member = i->member;
#define WCSPH_TAKE_ACC(member)   all.member = sum->member;
#define WCSPH_RETURN_ACC(member) sum->member = all.member;

/* Constants without and with those of rarer terms. */
#define WCSPH_PLAIN(k)        (k)
#define WCSPH_PLAIN_MORE(k)   NULL
#define WCSPH_PLAIN_CONSTANTS wcsph_constants
#define WCSPH_PLAIN_PREPARE   wcsph_constants_of
#define WCSPH_RARE(k)         (&(k)->plain)
#define WCSPH_RARE_MORE(k)    (&(k)->more)
#define WCSPH_RARE_CONSTANTS  wcsph_more_constants
#define WCSPH_RARE_PREPARE    wcsph_more_of

#define WCSPH_READS                                                                                \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS) | SLUICE_BIT(ACCELERATION) |   \
     SLUICE_BIT(HAS_FRICTION))
#define WCSPH_WRITES                                                                               \
    (SLUICE_BIT(ACCELERATION) | SLUICE_BIT(RATE) | SLUICE_BIT(PUSH) | SLUICE_BIT(FRICTION))
#define WCSPH_SUMS                                                                                 \
    (SLUICE_SUM_BIT(VISCOUS) | SLUICE_SUM_BIT(DIFFUSION) | SLUICE_SUM_BIT(GHOST) |                 \
     SLUICE_SUM_BIT(BODY) | SLUICE_SUM_BIT(SPRING) | SLUICE_SUM_BIT(IDENTITY) |                    \
     SLUICE_SUM_BIT(IDENTITY_ABS))

/* The pair `name`, which has the terms name_MUST always, and name_MAY if the case has them; its
 * members are name_SRC and name_ACC, its constants PLAIN or RARE. Members of other terms are 0, the
 * mass is 1. */
#define WCSPH_COMBINATION(name, CONSTANTS)                                                         \
    enum {                                                                                         \
        name##_PACKS = SLUICE_FIELD_EOS,                                                           \
        name##_SUMS = (int)(WCSPH_SUMS |                                                           \
                            (name##_MAY & WCSPH_TENSION ? SLUICE_SUM_BIT(TENSION) : 0) |           \
                            (name##_MAY & WCSPH_RENORMALISED ? SLUICE_SUM_BIT(MEMORY) : 0) |       \
                            (name##_MAY & WCSPH_SHIFT                                              \
                                 ? SLUICE_SUM_BIT(SHIFT) | SLUICE_SUM_BIT(SHIFT_DENSITY)           \
                                 : 0)),                                                            \
        name##_MASKS_ITSELF = 1,                                                                   \
        name##_USES_R = 1                                                                          \
    };                                                                                             \
    PAIR_STRUCT(name##_src, name##_SRC)                                                            \
    PAIR_STRUCT(name##_acc, name##_ACC)                                                            \
    typedef struct wcsph_params name##_params;                                                     \
    typedef WCSPH_##CONSTANTS##_CONSTANTS name##_constants;                                        \
    static inline name##_constants name##_prepare(const struct wcsph_params *p, double mass)       \
    {                                                                                              \
        return WCSPH_##CONSTANTS##_PREPARE(p, name##_MUST & WCSPH_MASSES ? 0 : mass);              \
    }                                                                                              \
    PAIR_ALWAYS_USUAL(name)                                                                        \
    HD name##_src name##_load(const name##_constants *k, const struct sluice_view *v, int64_t n,   \
                              const int dim, const int source, real packed)                        \
    {                                                                                              \
        const struct wcsph_loop loop = {                                                           \
            {source, dim, 0, PAIR_KERNEL_ALL, 0}, name##_MUST, name##_MAY};                        \
        const wcsph_src all = wcsph_read(WCSPH_##CONSTANTS(k), WCSPH_##CONSTANTS##_MORE(k), loop,  \
                                         v, n, source, packed);                                    \
        name##_src to;                                                                             \
        name##_SRC(WCSPH_GIVE) return to;                                                          \
    }                                                                                              \
    HD void name##_eval(const name##_constants *k, const struct pair_loop at_loop,                 \
                        const struct pair_distance *at, const name##_src_lanes *i,                 \
                        const name##_src *j, name##_acc_lanes *sum)                                \
    {                                                                                              \
        const struct wcsph_loop loop = {at_loop, name##_MUST, name##_MAY};                         \
        wcsph_src_lanes own;                                                                       \
        wcsph_src other;                                                                           \
        wcsph_acc_lanes all;                                                                       \
        WCSPH_SRC(WCSPH_NO_SRC)                                                                    \
        WCSPH_ACC(WCSPH_NO_ACC)                                                                    \
        own.mass = lane_of(1), other.mass = 1;                                                     \
        name##_SRC(WCSPH_TAKE_SRC) name##_ACC(WCSPH_TAKE_ACC) wcsph_add(                           \
            WCSPH_##CONSTANTS(k), WCSPH_##CONSTANTS##_MORE(k), loop, at, &own, &other, &all);      \
        name##_ACC(WCSPH_RETURN_ACC)                                                               \
    }                                                                                              \
    HD void name##_store(const name##_constants *k, const struct sluice_view *v, int64_t n,        \
                         const struct pair_loop at_loop, const name##_src *i,                      \
                         const name##_acc *sum, double out[SLUICE_SUM_COUNT])                      \
    {                                                                                              \
        const struct wcsph_loop loop = {at_loop, name##_MUST, name##_MAY};                         \
        wcsph_src own;                                                                             \
        wcsph_acc all;                                                                             \
        WCSPH_SRC(WCSPH_NO_OWN)                                                                    \
        WCSPH_ACC(WCSPH_NO_SUM)                                                                    \
        own.mass = 1;                                                                              \
        name##_SRC(WCSPH_TAKE_OWN) name##_ACC(WCSPH_TAKE_ACC) wcsph_finish(                        \
            WCSPH_##CONSTANTS(k), WCSPH_##CONSTANTS##_MORE(k), loop, v, n, &own, &all, out);       \
    }
#endif
