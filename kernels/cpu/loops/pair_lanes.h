/* A pair's functions on a cluster and a list of candidates, made from its formulas: the functions
 * of a struct cpu_lane_ops. pair.c makes them for every pair of the registry. */
#ifndef SLUICE_KERNELS_CPU_LOOPS_PAIR_LANES_H
#define SLUICE_KERNELS_CPU_LOOPS_PAIR_LANES_H
#include <string.h>

#include "kernels/cpu/loops/cluster.h"
#include "kernels/pair/pair_contract.h"

/* The compiler sees a product that is rounded already. It would fuse either product of d0^2 + d1^2
 * into a multiply-add, one in the loop and perhaps the other before it, and a sum would depend on
 * the place of a candidate in its list. */
#if defined(__x86_64__)
#define ROUNDED(product) __asm__("" : "+x"(product))
#elif defined(__aarch64__)
#define ROUNDED(product) __asm__("" : "+w"(product))
#else
#define ROUNDED(product) (void)(product)
#endif

/* Between the targets and a candidate at x. Without its root r is 0. */
HD struct pair_distance distance_of(const lane target[3], const real x[3], const real shift[3],
                                    const int shifted, const int root, const int dim)
{
    struct pair_distance at = {.r = {0}};
    at.r2 = lane_of(0);
    for (int c = 0; c < dim; c++) {
        at.d[c] = target[c] - x[c];
        if (shifted)
            at.d[c] += shift[c];
        at.r2 = c ? at.r2 + at.d[c] * at.d[c] : at.d[c] * at.d[c];
        if (c == 0)
            ROUNDED(at.r2);
    }
    if (root)
        at.r = lane_sqrt(at.r2);
    return at;
}

/* A member of the cluster's memory as the pair uses it, `own`: LANES reals. Written and read one by
 * one, they stay in memory. */
#define REALS(member)    ((real *)(void *)&own->member)
#define PUT_SRC(member)  REALS(src.member)[l] = s.member;
#define GET_SRC(member)  s.member = REALS(src.member)[l];
#define GET_ACC(member)  sum.member = REALS(acc.member)[l];
#define LOAD_SRC(member) memcpy(&i.member, &own->src.member, sizeof(lane));
#define LOAD_ACC(member) memcpy(&sum.member, &own->acc.member, sizeof(lane));
#define SAVE_ACC(member) memcpy(&own->acc.member, &sum.member, sizeof(lane));
#define HIT_ACC(member)  sum.member = lane_select(hit, more.member, sum.member);

/* Where pairs with one support for all (EVEN) and with one for each particle (ADAPTIVE) differ. */
#define BEGIN_EVEN(pair, name)
#define BEGIN_ADAPTIVE(pair, name)                                                                 \
    cluster->reach = 0;                                                                            \
    for (int l = 0; l < cluster->count; l++)                                                       \
        if (cluster->left >> l & 1)                                                                \
            cluster->reach = real_max(                                                             \
                cluster->reach, name##_support(&k, &call->target, cluster->particle[l], dim));
#define END_EVEN(pair, name)
#define END_ADAPTIVE(pair, name)                                                                   \
    if (!name##_accepts(&k, &call->target, cluster->particle[l], loop, &s, &sum))                  \
        continue;                                                                                  \
    cluster->left &= ~(1u << l);
#define SUPPORT_EVEN(pair, name)
#define SUPPORT_ADAPTIVE(pair, name)                                                               \
    static real pair##_support_of(const struct cpu_call *call, const struct sluice_view *v,        \
                                  int64_t first, int64_t count, real *to)                          \
    {                                                                                              \
        const name##_constants k = *(const name##_constants *)(const void *)call->constants;       \
        real most = 0;                                                                             \
        for (int64_t i = 0; i < count; i++) {                                                      \
            to[i] = name##_support(&k, v, first + i, call->dim);                                   \
            most = real_max(most, to[i]);                                                          \
        }                                                                                          \
        return most;                                                                               \
    }                                                                                              \
    static void pair##_mirror(struct cpu_cluster *cluster, int axis)                               \
    {                                                                                              \
        struct pair##_cluster *own = (void *)cluster;                                              \
        own->x[axis] = -own->x[axis];                                                              \
        name##_mirror(axis, &own->src, &own->acc);                                                 \
    }
#define MORE_EVEN(pair, name) NULL, NULL, 0
#define MORE_ADAPTIVE(pair, name)                                                                  \
    pair##_support_of, pair##_mirror, name##_GATHERS == PAIR_GATHERS_EITHER

/* The functions of one pair. The distance is always one candidate ahead, for its square root takes
 * longer than the processor can look ahead. Most candidates are of the cluster's own frame, which
 * has no shift. */
#define DEFINE_PAIR(pair, name, supports)                                                          \
    struct pair##_cluster {                                                                        \
        lane x[3];                                                                                 \
        name##_src_lanes src;                                                                      \
        name##_acc_lanes acc;                                                                      \
    };                                                                                             \
    _Static_assert(sizeof(struct pair##_cluster) <= offsetof(struct cpu_cluster, particle),        \
                   "FIELDS");                                                                      \
    _Static_assert(sizeof(name##_constants) <= CONSTANTS_BYTES, "CONSTANTS_BYTES");                \
                                                                                                   \
    static real pair##_prepare_lanes(void *constants, const void *params, double mass)             \
    {                                                                                              \
        const name##_constants k = name##_prepare((const name##_params *)params, mass);            \
        memcpy(constants, &k, sizeof k);                                                           \
        return k.support;                                                                          \
    }                                                                                              \
                                                                                                   \
    HD name##_src pair##_particle(const name##_constants *k, const struct sluice_view *v,          \
                                  int64_t n, const int dim, const int source)                      \
    {                                                                                              \
        return name##_load(k, v, n, dim, source,                                                   \
                           pair_packed((enum sluice_field)name##_PACKS, v, n, dim, source));       \
    }                                                                                              \
                                                                                                   \
    HD void pair##_begin(const struct cpu_call *call, struct cpu_cluster *cluster, const int dim)  \
    {                                                                                              \
        struct pair##_cluster *own = (void *)cluster;                                              \
        const name##_constants k = *(const name##_constants *)(const void *)call->constants;       \
        const real *position = call->target.field[SLUICE_FIELD_POSITION];                          \
        memset(&own->acc, 0, sizeof own->acc);                                                     \
        for (int l = 0; l < LANES; l++) {                                                          \
            const int64_t n = cluster->particle[l];                                                \
            const name##_src s = pair##_particle(&k, &call->target, n, dim, SLUICE_TARGET);        \
            for (int c = 0; c < dim; c++)                                                          \
                cluster->x[c][l] = position[(dim + 1) * n + c];                                    \
            name##_SRC(PUT_SRC)                                                                    \
        }                                                                                          \
        BEGIN_##supports(pair, name)                                                               \
    }                                                                                              \
                                                                                                   \
    HD void pair##_loop(const struct cpu_call *call, struct cpu_cluster *cluster,                  \
                        const struct cpu_list *list, const name##_constants k, const int shifted,  \
                        const struct pair_loop loop)                                               \
    {                                                                                              \
        struct pair##_cluster *own = (void *)cluster;                                              \
        const struct sluice_view v = call->source[loop.source];                                    \
        const real *position = v.field[SLUICE_FIELD_POSITION];                                     \
        const real cutoff2 = call->cutoff * call->cutoff;                                          \
        const real shift[3] = {list->shift[0], list->shift[1], list->shift[2]};                    \
        const int dim = loop.dim, last = list->count - 1;                                          \
        lane x[3];                                                                                 \
        name##_src_lanes i;                                                                        \
        name##_acc_lanes sum;                                                                      \
        for (int c = 0; c < dim; c++)                                                              \
            memcpy(&x[c], cluster->x[c], sizeof x[c]);                                             \
        name##_SRC(LOAD_SRC) name##_ACC(LOAD_ACC) lane_mask self = {0};                            \
        for (int l = 0; l < LANES && !name##_MASKS_ITSELF; l++)                                    \
            self[l] = list->same ? (int)cluster->particle[l] : -1;                                 \
        struct pair_distance next = distance_of(x, position + (dim + 1) * (int64_t)list->index[0], \
                                                shift, shifted, name##_USES_R, dim);               \
        for (int u = 0; u <= last; u++) {                                                          \
            const int64_t n = list->index[u], following = list->index[u < last ? u + 1 : u];       \
            struct pair_distance at = next;                                                        \
            next = distance_of(x, position + (dim + 1) * following, shift, shifted, name##_USES_R, \
                               dim);                                                               \
            const name##_src j = pair##_particle(&k, &v, n, dim, loop.source);                     \
            if (name##_MASKS_ITSELF) {                                                             \
                name##_eval(&k, loop, &at, &i, &j, &sum);                                          \
            } else {                                                                               \
                const lane_mask hit = (at.r2 < cutoff2) & (self != (int)n);                        \
                name##_acc_lanes more = sum;                                                       \
                at.r2 = lane_select(hit, at.r2, lane_of(cutoff2));                                 \
                name##_eval(&k, loop, &at, &i, &j, &more);                                         \
                name##_ACC(HIT_ACC)                                                                \
            }                                                                                      \
        }                                                                                          \
        name##_ACC(SAVE_ACC)                                                                       \
    }                                                                                              \
                                                                                                   \
    enum { pair##_HAS_SUMS = name##_SUMS != 0 };                                                   \
                                                                                                   \
    HD void pair##_list(const struct cpu_call *call, struct cpu_cluster *cluster,                  \
                        const struct cpu_list *list, const struct pair_loop loop)                  \
    {                                                                                              \
        const name##_constants k = *(const name##_constants *)(const void *)call->constants;       \
        const int shifted = list->shift[0] != 0 || list->shift[1] != 0 || list->shift[2] != 0;     \
        if (!name##_is_usual(&k))                                                                  \
            pair##_loop(call, cluster, list, k, 1, loop);                                          \
        else if (shifted)                                                                          \
            pair##_loop(call, cluster, list, name##_usual(k), 1, loop);                            \
        else                                                                                       \
            pair##_loop(call, cluster, list, name##_usual(k), 0, loop);                            \
    }                                                                                              \
                                                                                                   \
    HD void pair##_end(const struct cpu_call *call, struct cpu_cluster *cluster,                   \
                       const struct pair_loop loop, struct lane_sums *sums)                        \
    {                                                                                              \
        struct pair##_cluster *own = (void *)cluster;                                              \
        const name##_constants k = *(const name##_constants *)(const void *)call->constants;       \
        union sum_terms out[LANES];                                                                \
        for (int l = 0; l < LANES && l < cluster->count; l++) {                                    \
            name##_src s;                                                                          \
            name##_acc sum;                                                                        \
            if (loop.energy)                                                                       \
                memset(&out[l], 0, sizeof out[l]);                                                 \
            if (!(cluster->left >> l & 1))                                                         \
                continue;                                                                          \
            name##_SRC(GET_SRC) name##_ACC(GET_ACC) END_##supports(pair, name)                     \
                name##_store(&k, &call->target, cluster->particle[l], loop, &s, &sum, out[l].one); \
        }                                                                                          \
        if (loop.energy && name##_SUMS)                                                            \
            lane_sums_add(&call->scales, out, cluster->count, sum_fours(loop.wanted), sums);       \
    }                                                                                              \
    SUPPORT_##supports(pair, name)

/* They become functions for a dimension, with and without energies. */
#define DEFINE_CASE(pair, which, dim, energy)                                                      \
    static void pair##_begin_##dim##energy(const struct cpu_call *call,                            \
                                           struct cpu_cluster *cluster)                            \
    {                                                                                              \
        pair##_begin(call, cluster, dim);                                                          \
    }                                                                                              \
    static void pair##_list_##dim##energy(                                                         \
        const struct cpu_call *call, struct cpu_cluster *cluster, const struct cpu_list *list)     \
    {                                                                                              \
        const struct pair_loop first = {0, dim, pair##_HAS_SUMS && (energy), PAIR_KERNEL_##which,  \
                                        0},                                                        \
                               second = {1, dim, pair##_HAS_SUMS && (energy), PAIR_KERNEL_##which, \
                                         0};                                                       \
        if (list->source == 0)                                                                     \
            pair##_list(call, cluster, list, first);                                               \
        else                                                                                       \
            pair##_list(call, cluster, list, second);                                              \
    }                                                                                              \
    static void pair##_end_##dim##energy(const struct cpu_call *call, struct cpu_cluster *cluster, \
                                         struct lane_sums *sums)                                   \
    {                                                                                              \
        const struct pair_loop loop = {0, dim, pair##_HAS_SUMS && (energy), PAIR_KERNEL_##which,   \
                                       call->wanted};                                              \
        pair##_end(call, cluster, loop, sums);                                                     \
    }

/* An initialiser of a struct cpu_lane_ops. */
#define OPS(name, formulas, dim, energy, supports)                                                 \
    {                                                                                              \
        (dim) * (int)sizeof(real) + (int)sizeof(formulas##_src), name##_prepare_lanes,             \
            name##_begin_##dim##energy, name##_list_##dim##energy, name##_end_##dim##energy,       \
            MORE_##supports(name, formulas)                                                        \
    }
#endif
