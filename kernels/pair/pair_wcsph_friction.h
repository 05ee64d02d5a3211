/* Weakly compressible SPH, fluid from fluid and walls, with friction of walls and a limit on
 * tension. The formulas of pair_wcsph.h, and beside them
 *
 *   law of the wall  a_i += -2 |n_i| tau/rho v_t/|v_t|                    (wall_law.h)
 *   artificial       Pi_ij between fluid and walls, as between fluid
 *   eddies           Pi_ij of a mixing length, between fluid               (mixing_length.h)
 *   tension          dr_i/dt >= (least - r_i)/dt, so that the next r is at least `least`, which is
 *                    below the limit on the pressure: the density remembers a gap that opened
 *
 * A case that needs none of them takes pair_wcsph.h, and pays nothing. */
#ifndef SLUICE_PAIR_WCSPH_FRICTION_H
#define SLUICE_PAIR_WCSPH_FRICTION_H
#include "kernels/pair/mixing_length.h"
#include "kernels/pair/pair_wcsph.h"
#include "kernels/pair/wall_law.h"
#include "kernels/pair/wall_spin.h"

#define wcsph_friction_PARAMS(X)     /* derived by the model: kernels/types/wcsph_params.h */
#define wcsph_friction_READS         (WCSPH_READS | SLUICE_BIT(SCALAR) | SLUICE_BIT(MIXING_LENGTH))
#define wcsph_friction_WRITES        WCSPH_WRITES
#define wcsph_friction_PACKS         SLUICE_FIELD_EOS
#define wcsph_friction_SUMS          (wcsph_SUMS | SLUICE_SUM_BIT(TENSION))
#define wcsph_friction_FLOPS(kernel) wcsph_FLOPS(kernel)
#define wcsph_friction_MASKS_ITSELF  1
#define wcsph_friction_USES_R        1
#define wcsph_friction_SRC           WCSPH_SRC
/* Over walls: (nx, ny, nz) = sum m F d, share = sum m F, (mx, my, mz) = sum m F u; where walls turn
 * (tx, ty, tz) = sum m F w x d. */
#define wcsph_friction_ACC(X)                                                                      \
    WCSPH_ACC(X) X(nx) X(ny) X(nz) X(share) X(mx) X(my) X(mz) X(tx) X(ty) X(tz)
typedef wcsph_src wcsph_friction_src;
typedef wcsph_src_lanes wcsph_friction_src_lanes;
PAIR_STRUCT(wcsph_friction_acc, wcsph_friction_ACC)

typedef struct wcsph_params wcsph_friction_params;
typedef struct {
    wcsph_constants plain; /* of pair_wcsph.h */
    real support;
    struct wall_law law;
    struct mixing_length mixing;
    struct wall_spin spin;
    int artificial;     /* artificial viscosity between fluid and walls */
    int limited;        /* r >= least, by a limit on the rate: */
    real least, per_dt; /* per_dt: 1/dt */
} wcsph_friction_constants;

static inline wcsph_friction_constants wcsph_friction_prepare(const struct wcsph_params *p,
                                                              double mass)
{
    wcsph_friction_constants k;
    k.plain = wcsph_constants_of(p, mass);
    k.support = k.plain.support;
    k.law = wall_law_prepare(p);
    k.mixing = mixing_length_prepare(p, wcsph_unit_of(p));
    k.spin = wall_spin_prepare(k.law.used ? p->motions : NULL);
    k.artificial = p->artificial_walls;
    k.limited = p->limits_tension && p->dt > 0;
    k.least = (real)(-p->tension - p->gap);
    k.per_dt = (real)(p->dt > 0 ? 1 / p->dt : 0);
    return k;
}

HD int wcsph_friction_is_usual(const wcsph_friction_constants *k)
{
    return wcsph_is_usual(&k->plain) && !k->mixing.used && !k->spin.used;
}
HD wcsph_friction_constants wcsph_friction_usual(wcsph_friction_constants k)
{
    k.plain = wcsph_usual(k.plain);
    k.mixing.used = 0;
    k.spin.used = 0;
    return k;
}

HD wcsph_src wcsph_friction_load(const wcsph_friction_constants *k, const struct sluice_view *v,
                                 int64_t i, const int dim, const int source, real packed)
{
    wcsph_src s = wcsph_load(&k->plain, v, i, dim, source, packed);
    if (k->mixing.used && source != 1)
        s.wx = VIEW(v, MIXING_LENGTH, i, 1, 0);
    if (k->spin.used && source == 1) { /* the law needs no viscous velocity of walls */
        real w[3];
        wall_spin_of(&k->spin, v, i, w);
        s.wx = w[0];
        s.wy = w[1];
        s.wz = w[2];
    }
    return s;
}

/* Adds the power of eddies, and returns their force along -d. */
HD lane wcsph_friction_eddies(const wcsph_friction_constants *k, const struct pair_loop loop,
                              const struct pair_distance *at, const lane mf,
                              const wcsph_src_lanes *i, const wcsph_src *j, wcsph_acc_lanes *sum)
{
    const lane v[3] = {i->vx - j->vx, i->vy - j->vy, i->vz - j->vz};
    const lane vd = pair_dot(loop.dim, v, at->d),
               force = mf * mixing_length_pi(&k->mixing, vd, at->r2 + k->plain.eta2, i->wx, j->wx);
    if (loop.energy)
        sum->viscous -= force * vd;
    return force;
}

/* Artificial viscosity at a wall: adds its powers, and returns its force along -d. */
HD lane wcsph_friction_artificial(const wcsph_constants *k, const struct pair_loop loop,
                                  const struct pair_distance *at, const lane mf,
                                  const wcsph_src_lanes *i, const wcsph_src *j,
                                  wcsph_acc_lanes *sum)
{
    const lane v[3] = {i->vx - j->vx, i->vy - j->vy, i->vz - j->vz},
               u[3] = {lane_of(j->vx), lane_of(j->vy), lane_of(j->vz)};
    const lane vd = pair_dot(loop.dim, v, at->d),
               force = mf * lane_fraction(vd, k->visc[0] + k->visc[1] * at->r2);
    if (loop.energy) {
        sum->wall_viscous -= force * vd;
        sum->body -= force * pair_dot(loop.dim, u, at->d);
    }
    return force;
}

HD void wcsph_friction_eval(const wcsph_friction_constants *k, const struct pair_loop loop,
                            const struct pair_distance *at, const wcsph_src_lanes *i,
                            const wcsph_src *j, wcsph_friction_acc_lanes *sum)
{
    const lane mf = j->mass * sph_f_shape(&k->plain.kernel, loop.kernel, at->r);
    wcsph_acc_lanes main;
#define X(name) main.name = sum->name;
    WCSPH_ACC(X)
#undef X
    lane force = wcsph_force(&k->plain, loop, at, mf, i, j, NULL, &main);
    if (loop.source == 0 && k->mixing.used)
        force += wcsph_friction_eddies(k, loop, at, mf, i, j, &main);
    if (loop.source == 1 && k->artificial)
        force += wcsph_friction_artificial(&k->plain, loop, at, mf, i, j, &main);
    wcsph_add_force(loop.dim, force, at->d, &main);
#define X(name) sum->name = main.name;
    WCSPH_ACC(X)
#undef X
    if (loop.source == 1 && k->law.used) {
        pair_add(loop.dim, mf, at->d, &sum->nx, &sum->ny, &sum->nz);
        sum->share += mf;
        sum->mx += mf * j->vx;
        sum->my += mf * j->vy;
        if (loop.dim == 3)
            sum->mz += mf * j->vz;
        if (k->spin.used) { /* the same for all pairs */
            const lane x = at->d[0], y = at->d[1], z = loop.dim == 3 ? at->d[2] : lane_of(0);
            sum->tx += mf * (j->wy * z - j->wz * y);
            sum->ty += mf * (j->wz * x - j->wx * z);
            if (loop.dim == 3)
                sum->tz += mf * (j->wx * y - j->wy * x);
        }
    }
}

/* Adds the law of the wall to ACCELERATION and to the powers; stores FRICTION. The
 * identity stays: the power is on both its sides. */
HD void wcsph_friction_by_law(const wcsph_friction_constants *k, const struct sluice_view *v,
                              int64_t n, const struct pair_loop loop, const wcsph_src *i,
                              const wcsph_friction_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const real mass = k->plain.mass * k->plain.kernel.f, scale = mass * k->plain.inverse_rho0;
    const real normal[3] = {scale * sum->nx, scale * sum->ny, loop.dim == 3 ? scale * sum->nz : 0},
               moved[3] = {sum->mx, sum->my, sum->mz}, turned[3] = {sum->tx, sum->ty, sum->tz},
               u[3] = {i->vx, i->vy, i->vz};
    const real length2 = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2],
               length = REAL_SQRT(length2);
    const int near = sum->share > 0 && length2 > 0;
    real *stored = v->field[SLUICE_FIELD_FRICTION];
    real wall[3] = {0, 0, 0}, here[3] = {0, 0, 0}, slip[3] = {0, 0, 0}, across = 0, speed2 = 0,
         friction = 0;
    double on_fluid = 0, on_wall = 0;
    for (int c = 0; c < loop.dim && near; c++) {
        wall[c] = moved[c] / sum->share;
        here[c] = k->spin.used ? wall[c] + turned[c] / sum->share : wall[c];
        across += (u[c] - here[c]) * normal[c];
    }
    for (int c = 0; c < loop.dim && near; c++) {
        slip[c] = u[c] - here[c] - across / length2 * normal[c];
        speed2 += slip[c] * slip[c];
    }
    if (near) {
        const real y = wall_law_distance(&k->law, length / REAL_FABS(scale * sum->share));
        friction = 2 * length * wall_law_friction(&k->law, REAL_SQRT(speed2), y);
    }
    for (int c = 0; c < loop.dim; c++) {
        const real a = -friction * slip[c];
        VIEW(v, ACCELERATION, n, loop.dim, c) += a;
        on_fluid += (double)a * (double)u[c];
        on_wall += (double)a * (double)wall[c];
        if (stored)
            stored[loop.dim * n + c] = near ? a / (mass * sum->share) : 0;
    }
    if (loop.energy) {
        const double particle = (double)i->mass * (double)k->plain.mass;
        out[SLUICE_SUM_VISCOUS] += particle * (on_fluid - on_wall);
        out[SLUICE_SUM_BODY] += particle * on_wall;
        out[SLUICE_SUM_IDENTITY_ABS] += fabs(particle * on_fluid);
    }
}

/* Limits RATE. The power of the limit is the elastic energy that it adds. */
HD void wcsph_friction_limit(const wcsph_friction_constants *k, const struct sluice_view *v,
                             int64_t n, const struct pair_loop loop, const wcsph_src *i,
                             double out[SLUICE_SUM_COUNT])
{
    const real rate = VIEW(v, RATE, n, 1, 0),
               floor = (k->least - VIEW(v, SCALAR, n, 1, 0)) * k->per_dt,
               limited = rate < floor ? floor : rate; /* a rate that is no number stays one */
    VIEW(v, RATE, n, 1, 0) = limited;
    if (loop.energy)
        out[SLUICE_SUM_TENSION] += (double)i->mass * (double)k->plain.mass *
                                   ((double)i->p / (double)k->plain.p_unit *
                                    (double)k->plain.rho0) *
                                   ((double)limited - (double)rate);
}

HD void wcsph_friction_store(const wcsph_friction_constants *k, const struct sluice_view *v,
                             int64_t n, const struct pair_loop loop, const wcsph_src *i,
                             const wcsph_friction_acc *sum, double out[SLUICE_SUM_COUNT])
{
    wcsph_acc main;
#define X(name) main.name = sum->name;
    WCSPH_ACC(X)
#undef X
    wcsph_store(&k->plain, v, n, loop, i, &main, out);
    if (k->law.used)
        wcsph_friction_by_law(k, v, n, loop, i, sum, out);
    if (k->limited)
        wcsph_friction_limit(k, v, n, loop, i, out);
}
#endif
