/* Repulsive walls (Monaghan 1994, section 4.2), which act by this force alone: fluid from walls,
 * after the main loop. With x = (r0/r)^2 and exponents 4 and 2,
 *
 *   a_f = D sum_w x (x - 1) d/r^2,   potential  D/4 sum_w (x - 1)^2,   r < r0
 *
 * r0 = dp, D = c0^2/40: 5 g H where c0 is 10 sqrt(2 g H), as in the source. r^2 has 1e-4 dp^2
 * added, so that the force is finite at 0; the potential's is the same. */
#ifndef SLUICE_PAIR_REPULSIVE_H
#define SLUICE_PAIR_REPULSIVE_H
#include "kernels/pair/wcsph_terms.h"

#define repulsive_PARAMS(X) /* derived by the model: kernels/types/wcsph_params.h */

#define repulsive_READS  (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(ACCELERATION))
#define repulsive_WRITES SLUICE_BIT(ACCELERATION)

#define repulsive_SUMS          (SLUICE_SUM_BIT(BODY) | SLUICE_SUM_BIT(SPRING))
#define repulsive_FLOPS(kernel) 23
#define repulsive_MASKS_ITSELF  1
#define repulsive_USES_R        0
#define repulsive_PACKS         SLUICE_FIELD_POSITION
/* velocity of the wall; mass of the fluid */
#define repulsive_SRC(X) X(vx) X(vy) X(vz) X(mass)
/* sums of x (x - 1) d/r^2, of the same times u_w, of (x - 1)^2 */
#define repulsive_ACC(X) X(ax) X(ay) X(az) X(power) X(phi)

PAIR_STRUCT(repulsive_src, repulsive_SRC)
PAIR_STRUCT(repulsive_acc, repulsive_ACC)

typedef struct wcsph_params repulsive_params;
typedef struct {
    real support, reach2, softening2, strength; /* r0, r0^2, 1e-4 dp^2, D */
} repulsive_constants;

static inline repulsive_constants repulsive_prepare(const struct wcsph_params *p, double mass)
{
    repulsive_constants k;
    (void)mass;
    k.support = (real)p->spacing;
    k.reach2 = (real)(p->spacing * p->spacing);
    k.softening2 = (real)(1e-4 * p->spacing * p->spacing);
    k.strength = (real)(p->sound_speed * p->sound_speed / 40);
    return k;
}
PAIR_ALWAYS_USUAL(repulsive)

/* x (x - 1)/r^2; *over: x - 1. Both are 0 beyond r0. */
HD lane repulsive_shape(const repulsive_constants *k, const lane r2, lane *over)
{
    const lane inverse = 1 / (r2 + k->softening2), x = k->reach2 * inverse;
    *over = lane_max(x - 1, lane_of(0));
    return x * *over * inverse;
}

HD repulsive_src repulsive_load(const repulsive_constants *k, const struct sluice_view *v,
                                int64_t i, const int dim, const int source, real packed)
{
    repulsive_src s = {0, 0, 0, packed};
    (void)k;
    if (source != SLUICE_TARGET) {
        const struct real4 u = pair_wall_velocity(v, i, dim);
        s.vx = u.x;
        s.vy = u.y;
        s.vz = u.z;
    }
    return s;
}

HD void repulsive_eval(const repulsive_constants *k, const struct pair_loop loop,
                       const struct pair_distance *at, const repulsive_src_lanes *i,
                       const repulsive_src *j, repulsive_acc_lanes *sum)
{
    (void)at->r, (void)i;
    lane over;
    const lane f = repulsive_shape(k, at->r2, &over);
    pair_add(loop.dim, f, at->d, &sum->ax, &sum->ay, &sum->az);
    if (loop.energy) {
        const lane wall[3] = {lane_of(j->vx), lane_of(j->vy), lane_of(j->vz)};
        sum->power += f * pair_dot(loop.dim, wall, at->d);
        sum->phi += over * over;
    }
}

/* Adds to what ACCELERATION holds. */
HD void repulsive_store(const repulsive_constants *k, const struct sluice_view *v, int64_t n,
                        const struct pair_loop loop, const repulsive_src *i,
                        const repulsive_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const real a[3] = {sum->ax, sum->ay, sum->az};
    for (int c = 0; c < loop.dim; c++)
        VIEW(v, ACCELERATION, n, loop.dim, c) += k->strength * a[c];
    if (loop.energy) {
        const double scale = (double)i->mass * (double)k->strength;
        out[SLUICE_SUM_BODY] += scale * (double)sum->power;
        out[SLUICE_SUM_SPRING] += 0.25 * scale * (double)sum->phi;
    }
}
#endif
