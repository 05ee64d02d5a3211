/* The contract of a pair. Its header, kernels/pair/pair_NAME.h, defines
 *
 *   NAME_PARAMS(X)       the keys of its parameters (pair_lj.h); empty where a model derives them
 *   NAME_READS, _WRITES  fields of the target, SLUICE_BIT(...)
 *   NAME_PACKS           the field of the number that is stored beside a position: pair_packed()
 *   NAME_SUMS            the sums of the pass to which store adds, SLUICE_SUM_BIT(...)
 *   NAME_FLOPS(kernel)   operations of one pair within the cutoff, energy off; kernel: pair_kernel
 *   NAME_MASKS_ITSELF    1: eval may meet the target itself and candidates beyond the support: of
 *                        the one it adds the pair's own term, mostly exact zeros, of the others
 *                        exact zeros; 0: the strategy leaves both out
 *   NAME_USES_R          1: eval reads r; 0: r2 alone
 *   NAME_SRC, _ACC(X)    members of NAME_src, loaded of a particle, and NAME_acc, summed: lists, so
 *                        that a strategy can lay them out in vector lanes (PAIR_STRUCT)
 *   NAME_params          what prepare reads, in double
 *   NAME_constants       what the loop reads; its member `support` is the cutoff, m
 *   NAME_prepare         constants from params, once a pass; mass: of every particle, 0: various
 *   NAME_is_usual        whether the constants are those of the case that has code of its own
 *   NAME_usual           the same constants, with the values that the usual case lets the compiler
 *                        know; PAIR_ALWAYS_USUAL where there is one case
 *   NAME_load            a particle's src; source: SLUICE_TARGET, or its source in the pass
 *   NAME_eval            adds what candidate j does to target i
 *   NAME_store           the target's results from its sums, and its share of the pass's sums; with
 *                        `energy`, of those that are wanted at least
 *
 * A pair of SLUICE_ADAPTIVE_PAIRS, where each particle has a support of its own, also defines
 *
 *   NAME_GATHERS         what a target meets: enum pair_gathers. Beyond that eval adds exact zeros
 *   NAME_support         the support of a particle of any set, m; constants->support is that of the
 *                        widest particle at the start
 *   NAME_mirror          turns a target's numbers and its sums into those of its image behind a
 *                        wall across `axis`, and back
 *   NAME_accepts         whether the target's sums are final: then store follows. If not, its sums
 *                        are made again, from its fields, which accepts has changed. Others are not
 *                        waited for, and nothing of a target whose sums were final is called again.
 *                        Sums over EITHER support are always final: others' supports must stand
 *
 * Pair headers are the common part of C11 and C++17: gcc, nvcc and hipcc compile the same text. */
#ifndef SLUICE_PAIR_PAIR_CONTRACT_H
#define SLUICE_PAIR_PAIR_CONTRACT_H
#include "kernels/types/interaction.h"
#include "kernels/types/lanes.h"
#include "kernels/types/view.h"

/* The smoothing kernels that a loop is compiled for. */
enum pair_kernel {
    PAIR_KERNEL_ALL,      /* any, found at run time; or the pair has none */
    PAIR_KERNEL_WENDLAND, /* Wendland C2, the default */
    PAIR_KERNEL_OTHERS    /* any but Wendland C2, found at run time */
};

/* The candidates of a target: those within its own support, or within the larger one of the two. */
enum pair_gathers { PAIR_GATHERS_OWN, PAIR_GATHERS_EITHER };

/* The loop that a pair is in: the compiler knows these numbers, all but the last. */
struct pair_loop {
    int source; /* of the candidates */
    int dim, energy;
    enum pair_kernel kernel;
    unsigned wanted; /* in store: the sums that are read, SLUICE_SUM_BIT(...); others may stay 0 */
};

/* Between target i and candidate j: d = x_i - x_j, r2 = |d|^2, r = |d|. In 2-D d[2] is not used. */
struct pair_distance {
    lane d[3], r2, r;
};

/* struct name: the members of the list, as reals; name_lanes: as lanes. */
#define PAIR_REAL(member) real member;
#define PAIR_LANE(member) lane member;
#ifdef SLUICE_LANE_BYTES
#define PAIR_LANES(name, list)                                                                     \
    typedef struct {                                                                               \
        list(PAIR_LANE)                                                                            \
    } name##_lanes;
#else
#define PAIR_LANES(name, list) typedef name name##_lanes;
#endif
#define PAIR_STRUCT(name, list)                                                                    \
    typedef struct {                                                                               \
        list(PAIR_REAL)                                                                            \
    } name;                                                                                        \
    PAIR_LANES(name, list)

/* A pair with one case. The test is always true; gcc orders the sums by it. */
#define PAIR_ALWAYS_USUAL(pair)                                                                    \
    HD int pair##_is_usual(const pair##_constants *k)                                              \
    {                                                                                              \
        return k->support > 0;                                                                     \
    }                                                                                              \
    HD pair##_constants pair##_usual(pair##_constants k)                                           \
    {                                                                                              \
        return k;                                                                                  \
    }

/* The number of particle i that a strategy may store beside its position: the mass, or p/rho^2; 0
 * for a target without a pressure. */
HD real pair_packed(enum sluice_field packs, const struct sluice_view *v, int64_t i, const int dim,
                    const int source)
{
    if (packs != SLUICE_FIELD_EOS)
        return VIEW(v, POSITION, i, dim + 1, dim);
    return source == SLUICE_TARGET && !v->field[SLUICE_FIELD_EOS] ? 0 : VIEW(v, EOS, i, 2, 0);
}

/* (x, y, z) += f d. */
HD void pair_add(const int dim, const lane f, const lane d[3], lane *x, lane *y, lane *z)
{
    *x += f * d[0];
    *y += f * d[1];
    if (dim == 3)
        *z += f * d[2];
}

HD lane pair_dot(const int dim, const lane a[3], const lane b[3])
{
    const lane beside = dim == 3 ? lane_fma(a[2], b[2], a[1] * b[1]) : a[1] * b[1];
    return lane_fma(a[0], b[0], beside); /* x last: a GPU has its difference last */
}

/* A wall's own velocity; a wall without VELOCITY is at rest. */
HD struct real4 pair_wall_velocity(const struct sluice_view *v, int64_t i, const int dim)
{
    const real *velocity = v->field[SLUICE_FIELD_VELOCITY];
    struct real4 u;
    u.x = velocity ? velocity[dim * i] : 0;
    u.y = velocity ? velocity[dim * i + 1] : 0;
    u.z = velocity && dim == 3 ? velocity[dim * i + 2] : 0;
    u.w = 0;
    return u;
}
#endif
