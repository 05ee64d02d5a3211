/* For `sluice bench claims` alone, so not in the registry: fluid and dynamic walls in one set,
 * whose loop looks at the types of both particles. Ids tell types (branching_params.h). Fluid from
 * fluid and from walls is pair_wcsph.h; walls from fluid is the continuity of pair_dynamic.h,
 * whose term is that of the fluid; walls do not meet walls. Forces alone, without energies.
 *
 * Where lanes are of both types, a wall sums forces that store leaves out. */
#ifndef SLUICE_PAIR_BRANCHING_H
#define SLUICE_PAIR_BRANCHING_H
#include "kernels/bench/branching_params.h"
#include "kernels/pair/wcsph_combinations.h"

#define branching_PACKS        wcsph_plain_PACKS
#define branching_SUMS         wcsph_plain_SUMS
#define branching_WRITES       wcsph_plain_WRITES
#define branching_MASKS_ITSELF 1
#define branching_USES_R       1
#define branching_SRC(X)       wcsph_plain_SRC(X) X(wall)
#define branching_ACC(X)       wcsph_plain_ACC(X)
PAIR_STRUCT(branching_src, branching_SRC)
typedef wcsph_plain_acc branching_acc;
typedef wcsph_plain_acc_lanes branching_acc_lanes;

typedef struct sluice_branching_params branching_params;
typedef struct {
    wcsph_constants wcsph;
    real support;
    sluice_id bits, walls_from;
} branching_constants;

static inline branching_constants branching_prepare(const branching_params *p, double mass)
{
    branching_constants k;
    k.wcsph = wcsph_plain_prepare(&p->wcsph, mass);
    k.wcsph.still = 1; /* the walls are at rest: no velocity is loaded, as in the split loops */
    k.support = k.wcsph.support;
    k.bits = p->bits;
    k.walls_from = p->walls_from;
    return k;
}

PAIR_ALWAYS_USUAL(branching)

#define BRANCHING_COPY(member) to.member = from.member;

HD branching_src branching_load(const branching_constants *k, const struct sluice_view *v,
                                int64_t i, const int dim, const int source, real packed)
{
    const int wall = (v->id[i] & k->bits) >= k->walls_from,
              as = source == SLUICE_TARGET ? SLUICE_TARGET : wall;
    const wcsph_plain_src from = wcsph_plain_load(&k->wcsph, v, i, dim, as, packed);
    branching_src to;
    wcsph_plain_SRC(BRANCHING_COPY) to.wall = (real)wall;
    return to;
}

HD wcsph_plain_src branching_other(const branching_src from)
{
    wcsph_plain_src to;
    wcsph_plain_SRC(BRANCHING_COPY) return to;
}

HD wcsph_plain_src_lanes branching_own(const branching_src_lanes from)
{
    wcsph_plain_src_lanes to;
    wcsph_plain_SRC(BRANCHING_COPY) return to;
}

/* Walls from fluid: sum m_j F v.d. */
HD void branching_add_rate(const branching_constants *k, const struct pair_loop loop,
                           const struct pair_distance *at, const wcsph_plain_src_lanes *i,
                           const wcsph_plain_src *j, wcsph_plain_acc_lanes *sum)
{
    const lane v[3] = {i->vx - j->vx, i->vy - j->vy, i->vz - j->vz};
    const lane f = sph_f_shape(&k->wcsph.kernel, loop.kernel, at->r);
    sum->rate += f * pair_dot(loop.dim, v, at->d);
}

HD void branching_eval(const branching_constants *k, const struct pair_loop loop,
                       const struct pair_distance *at, const branching_src_lanes *i,
                       const branching_src *j, branching_acc_lanes *sum)
{
    const struct pair_loop fluid = {0, loop.dim, loop.energy, loop.kernel, 0},
                           walls = {1, loop.dim, loop.energy, loop.kernel, 0};
    const wcsph_plain_src other = branching_other(*j);
    const wcsph_plain_src_lanes own = branching_own(*i);
    const int any_fluid = lane_any(i->wall < 1);
    if (j->wall > 0 && any_fluid) {
        const lane before = sum->rate;
        wcsph_plain_eval(&k->wcsph, walls, at, &own, &other, sum);
        sum->rate = lane_select(i->wall > 0, before, sum->rate);
    } else if (j->wall == 0 && any_fluid) {
        wcsph_plain_eval(&k->wcsph, fluid, at, &own, &other, sum);
    } else if (j->wall == 0) {
        branching_add_rate(k, loop, at, &own, &other, sum);
    }
}

HD void branching_store(const branching_constants *k, const struct sluice_view *v, int64_t n,
                        const struct pair_loop loop, const branching_src *i,
                        const branching_acc *sum, double out[SLUICE_SUM_COUNT])
{
    const wcsph_plain_src own = branching_other(*i);
    if (i->wall > 0)
        VIEW(v, RATE, n, 1, 0) = k->wcsph.inverse_rho0 * (k->wcsph.mass * k->wcsph.kernel.f) *
                                 sum->rate;
    else
        wcsph_plain_store(&k->wcsph, v, n, loop, &own, sum, out);
}
#endif
