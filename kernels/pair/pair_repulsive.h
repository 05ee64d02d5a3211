/* Walls that push by a force of their own, and do nothing else (Monaghan 1994, section 4.2): fluid
 * from walls, after the main loop. With x = (r0/r)^2 and exponents 4 and 2,
 *
 *   a_f = D sum_w x (x - 1) d/r^2,   potential  D/4 sum_w (x - 1)^2,   r < r0
 *
 * r0 = dp, D = c0^2/40: 5 g H where c0 is 10 sqrt(2 g H), as in the source. r^2 has 1e-4 dp^2
 * added, so that the force is finite at 0; the potential's is the same. */
#ifndef SLUICE_PAIR_REPULSIVE_H
#define SLUICE_PAIR_REPULSIVE_H
#include "kernels/pair/wcsph_terms.h"

#define repulsive_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define repulsive_READS        (SLUICE_BIT(POSITION) | SLUICE_BIT(PREDICTED) | SLUICE_BIT(ACCELERATION))
#define repulsive_WRITES       SLUICE_BIT(ACCELERATION)
#define repulsive_FLOPS        23
#define repulsive_MASKS_ITSELF 1
#define repulsive_USES_R       0
#define repulsive_PACKS        SLUICE_FIELD_POSITION
/* velocity of the wall; mass of the fluid */
#define repulsive_SRC(X) X(vx) X(vy) X(vz) X(mass)
/* sums of x (x - 1) d/r^2, of the same times u_w, of (x - 1)^2 */
#define repulsive_ACC(X) X(ax) X(ay) X(az) X(power) X(phi)

typedef struct wcsph_params repulsive_params;
typedef struct {
    real reach, reach2, softening2, strength; /* r0, r0^2, 1e-4 dp^2, D */
} repulsive_constants;
typedef struct repulsive_src {
#define X(name) real name;
    repulsive_SRC(X)
#undef X
} repulsive_src;
typedef struct repulsive_acc {
#define X(name) real name;
    repulsive_ACC(X)
#undef X
} repulsive_acc;
LANES_DEFINE(repulsive_src, repulsive_SRC)
LANES_DEFINE(repulsive_acc, repulsive_ACC)
typedef LANES_OF(repulsive_src) repulsive_src_lanes;
typedef LANES_OF(repulsive_acc) repulsive_acc_lanes;

static inline repulsive_constants repulsive_prepare(const struct wcsph_params *p, double mass)
{
    repulsive_constants k;
    (void)mass;
    k.reach = (real)p->spacing;
    k.reach2 = (real)(p->spacing * p->spacing);
    k.softening2 = (real)(1e-4 * p->spacing * p->spacing);
    k.strength = (real)(p->sound_speed * p->sound_speed / 40);
    return k;
}

HD real repulsive_support(const repulsive_constants *k)
{
    return k->reach;
}

/* Every case is the usual one. */
HD int repulsive_is_usual(const repulsive_constants *k)
{
    return k->reach > 0;
}
HD repulsive_constants repulsive_usual(repulsive_constants k)
{
    return k;
}

/* The mass. */
HD real repulsive_pack(const struct sluice_view *v, int64_t i, const int dim, const int source)
{
    (void)source;
    return VIEW(v, POSITION, i, dim + 1, dim);
}

HD repulsive_src repulsive_load(const repulsive_constants *k, const struct sluice_view *v,
                                int64_t i, const int dim, const int source, real packed)
{
    repulsive_src s = {0, 0, 0, packed};
    (void)k;
    if (source != SLUICE_TARGET) {
        const struct real4 u = wcsph_wall_velocity(v, i, dim);
        s.vx = u.x;
        s.vy = u.y;
        s.vz = u.z;
    }
    return s;
}

HD void repulsive_eval(const repulsive_constants *k, const int source, const int dim,
                       const int energy, const lane d[3], const lane r2, const lane r,
                       const LANES_OF(repulsive_src) * i, const repulsive_src *j,
                       LANES_OF(repulsive_acc) * sum)
{
    (void)source, (void)r, (void)i;
    const lane inverse = 1 / (r2 + k->softening2), x = k->reach2 * inverse;
    const lane over = lane_max(x - 1, lane_of(0)), f = x * over * inverse;
    sum->ax += f * d[0];
    sum->ay += f * d[1];
    if (dim == 3)
        sum->az += f * d[2];
    if (energy) {
        sum->power += f * (j->vx * d[0] + j->vy * d[1]);
        if (dim == 3)
            sum->power += f * (j->vz * d[2]);
        sum->phi += over * over;
    }
}

/* Adds to what ACCELERATION holds. */
HD void repulsive_store(const repulsive_constants *k, const struct sluice_view *v, int64_t n,
                        const int dim, const int energy, const repulsive_src *i,
                        const repulsive_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const real a[3] = {sum->ax, sum->ay, sum->az};
    for (int c = 0; c < dim; c++)
        VIEW(v, ACCELERATION, n, dim, c) += k->strength * a[c];
    if (energy) {
        const double scale = (double)i->mass * (double)k->strength;
        out[SLUICE_SUM_BODY] += scale * (double)sum->power;
        out[SLUICE_SUM_SPRING] += 0.25 * scale * (double)sum->phi;
    }
}
#endif
