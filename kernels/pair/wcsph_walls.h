/* The effect of walls on fluid beside their pressure and viscosity: the powers of their ghost state
 * and of their motion, the spring against penetration, the law of the wall. Also the last step of a
 * particle's rate: the limit on tension. */
#ifndef SLUICE_PAIR_WCSPH_WALLS_H
#define SLUICE_PAIR_WCSPH_WALLS_H
#include "kernels/pair/wcsph_terms.h"

/* A particle's sums in SI units. */
struct wcsph_result {
    real u[3];  /* predicted velocity */
    real scale; /* of the sums of the acceleration */
    real rate, diffusion;
    real leak; /* of rate: what renormalised gradients forget */
    real spring_k;
    double mass, mass_f; /* mass_f: times the scale of F, for powers */
    double elastic;      /* m p rho0/rho^2 */
};

/* Where walls differ: one that slips has no part in the laminar terms, nor in the stress. */
HD void wcsph_load_slip(const struct sluice_view *v, int64_t i, wcsph_src *s)
{
    const real friction = VIEW(v, HAS_FRICTION, i, 1, 0);
    s->s *= friction;
    s->thin = friction > 0 ? 0 : (real)INFINITY;
}
HD int wcsph_slips(const struct pair_loop loop, const wcsph_src *j)
{
    return loop.source == 1 && j->s == 0;
}

/* m F, or V F, for the law of the wall and artificial viscosity. */
HD lane wcsph_held(const wcsph_constants *k, const struct wcsph_loop loop, const lane mf,
                   const wcsph_src *j)
{
    return wcsph_has(k, loop, WCSPH_SOME_SLIP) ? mf * j->friction : mf;
}

/* The effects of a wall with velocity u: the power of its ghost state, whose part of the
 * force is `ghost`; the power of its motion; the spring. */
HD void wcsph_add_wall(const wcsph_constants *k, const struct pair_loop loop,
                       const struct pair_distance *at, const lane force, const lane ghost,
                       const lane vd, const real u[3], wcsph_acc_lanes *sum)
{
    const lane wall[3] = {lane_of(u[0]), lane_of(u[1]), lane_of(u[2])},
               ud = pair_dot(loop.dim, wall, at->d);
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

/* The sums of the law of the wall. mf: m_w F, with two fluids m_w/rho0 F. */
HD void wcsph_add_law(const struct pair_loop loop, const lane mf, const lane d[3],
                      const wcsph_src *j, wcsph_acc_lanes *sum)
{
    pair_add(loop.dim, mf, d, &sum->nx, &sum->ny, &sum->nz);
    sum->share += mf;
    sum->mx += mf * j->vx;
    sum->my += mf * j->vy;
    if (loop.dim == 3)
        sum->mz += mf * j->vz;
}

HD void wcsph_add_spin(const struct pair_loop loop, const lane mf, const lane d[3],
                       const wcsph_src *j, wcsph_acc_lanes *sum)
{
    const lane x = d[0], y = d[1], z = loop.dim == 3 ? d[2] : lane_of(0);
    sum->tx += mf * (j->oy * z - j->oz * y);
    sum->ty += mf * (j->oz * x - j->ox * z);
    if (loop.dim == 3)
        sum->tz += mf * (j->ox * y - j->oy * x);
}

/* Adds the law of the wall to ACCELERATION and to the powers; stores FRICTION. The identity stays:
 * the power is on both its sides. The sums times `scale` are those of V_w F, times `unit` those of
 * m_w F. */
HD void wcsph_store_law(const struct wall_law *law, const struct sluice_view *v, int64_t n,
                        const struct pair_loop loop, const int turns, const real unit,
                        const real scale, const struct wcsph_result *q, const wcsph_acc *sum,
                        double out[SLUICE_SUM_COUNT])
{
    const real normal[3] = {scale * sum->nx, scale * sum->ny, loop.dim == 3 ? scale * sum->nz : 0},
               moved[3] = {sum->mx, sum->my, sum->mz}, turned[3] = {sum->tx, sum->ty, sum->tz};
    const real length2 = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2],
               length = REAL_SQRT(length2);
    const int near = sum->share > 0 && length2 > 0;
    real *stored = v->field[SLUICE_FIELD_FRICTION];
    real wall[3] = {0, 0, 0}, here[3] = {0, 0, 0}, slip[3] = {0, 0, 0}, across = 0, speed2 = 0,
         friction = 0;
    double on_fluid = 0, on_wall = 0;
    for (int c = 0; c < loop.dim && near; c++) {
        wall[c] = moved[c] / sum->share;
        here[c] = turns ? wall[c] + turned[c] / sum->share : wall[c];
        across += (q->u[c] - here[c]) * normal[c];
    }
    for (int c = 0; c < loop.dim && near; c++) {
        slip[c] = q->u[c] - here[c] - across / length2 * normal[c];
        speed2 += slip[c] * slip[c];
    }
    if (near) {
        const real y = wall_law_distance(law, length / REAL_FABS(scale * sum->share));
        friction = 2 * length * wall_law_friction(law, REAL_SQRT(speed2), y);
    }
    for (int c = 0; c < loop.dim; c++) {
        const real a = -friction * slip[c];
        VIEW(v, ACCELERATION, n, loop.dim, c) += a;
        on_fluid += (double)a * (double)q->u[c];
        on_wall += (double)a * (double)wall[c];
        if (stored)
            stored[loop.dim * n + c] = near ? a / (unit * sum->share) : 0;
    }
    if (loop.energy) {
        out[SLUICE_SUM_VISCOUS] += q->mass * (on_fluid - on_wall);
        out[SLUICE_SUM_BODY] += q->mass * on_wall;
        out[SLUICE_SUM_IDENTITY_ABS] += fabs(q->mass * on_fluid);
    }
}

/* Limits RATE, so that the next r is at least `least`. The power of the limit is the elastic energy
 * that it adds. */
HD void wcsph_store_limit(const real least, const real per_dt, const struct sluice_view *v,
                          int64_t n, const struct pair_loop loop, const struct wcsph_result *q,
                          double out[SLUICE_SUM_COUNT])
{
    const real rate = VIEW(v, RATE, n, 1, 0), floor = (least - VIEW(v, SCALAR, n, 1, 0)) * per_dt,
               limited = rate < floor ? floor : rate; /* a rate that is no number stays one */
    VIEW(v, RATE, n, 1, 0) = limited;
    if (loop.energy)
        out[SLUICE_SUM_TENSION] += q->elastic * ((double)limited - (double)rate);
}
#endif
