/* A pass on the CPU: its pair's work on a cluster and a list of candidates, and its sums. */
#include "kernels/cpu/loops/cluster.h"

/* Those of each pair: pair.c. */
#define X(name, formulas, kernel, what)                                                            \
    extern const struct cpu_lane_ops VARIANT(lane_ops_##name)[2][2];
SLUICE_PAIRS(X)
#define EFFECT_PAIR X
#include "physics/effects.def"
#undef X

/* A pair's for a dimension, energies on or off. */
static const struct cpu_lane_ops *lane_ops_of(int pair, int dimension, int energy)
{
    static const struct cpu_lane_ops(*const ops[SLUICE_PAIR_COUNT])[2] = {
#define X(name, formulas, kernel, what) VARIANT(lane_ops_##name),
        SLUICE_PAIRS(X)
#define EFFECT_PAIR X
#include "physics/effects.def"
#undef X
    };
    return &ops[pair][dimension - 2][energy];
}

void VARIANT(call_open)(struct cpu_call *call, const struct sluice_pass *pass,
                        struct shared_sums *sums)
{
    memset(call, 0, sizeof *call);
    memset(sums, 0, sizeof *sums);
    call->sums = sums;
    for (int n = 0; n < SUM_SLOTS; n++)
        sum_scale_set(&call->scales, n,
                      n < SLUICE_SUM_COUNT ? sluice_sum_scale(&pass->scales, n) : 0);
    call->dim = pass->target->dimension;
    call->wanted = pass->sums & sluice_pairs[pass->pair].sums;
    call->ops = lane_ops_of(pass->pair, call->dim, call->wanted != 0);
    call->cutoff = call->ops->prepare(call->constants, pass->params, sluice_pass_mass(pass));
    call->count_pairs = pass->count_pairs;
    call->target = view_of(pass->target);
    call->target_bins = pass->target->bins;
    call->own = pass->asked ? pass->asked : pass->target->own;
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s] && pass->source[s]->count > 0) {
            call->source[s] = view_of(pass->source[s]);
            call->source_bins[s] = pass->source[s]->bins;
            call->same[s] = pass->source[s] == pass->target;
        }
}

/* The square of the distance within which particle n meets candidate j of a source. */
static real reach2_of(const struct cpu_call *call, int64_t n, int source, int64_t j)
{
    const struct cpu_lane_ops *ops = call->ops;
    real reach = call->cutoff, other = 0;
    if (ops->support) {
        ops->support(call, &call->target, n, 1, &reach);
        if (ops->gathers_either)
            ops->support(call, &call->source[source], j, 1, &other);
        reach = real_max(reach, other);
    }
    return reach * reach;
}

/* Ordered pairs i != j within the cutoff. */
static int64_t count_hits(const struct cpu_call *call, const struct cpu_cluster *cluster,
                          const struct cpu_list *list)
{
    const real *position = call->source[list->source].field[SLUICE_FIELD_POSITION];
    const int dim = call->dim;
    int64_t hits = 0;
    for (int u = 0; u < list->count; u++)
        for (int l = 0; l < cluster->count; l++) {
            if (!(cluster->left >> l & 1))
                continue;
            real r2 = 0;
            for (int c = 0; c < dim; c++) {
                const real d = (cluster->x[c][l] -
                                position[(int64_t)(dim + 1) * list->index[u] + c]) +
                               list->shift[c];
                r2 += d * d;
            }
            hits += r2 < reach2_of(call, cluster->particle[l], list->source, list->index[u]) &&
                    !(list->same && cluster->particle[l] == list->index[u]);
        }
    return hits;
}

static void mirror(const struct cpu_call *call, struct cpu_cluster *cluster, unsigned axes)
{
    for (int c = 0; axes >> c; c++)
        if (axes >> c & 1)
            call->ops->mirror(cluster, c);
}

void VARIANT(list_flush)(const struct cpu_call *call, struct cpu_cluster *cluster,
                         struct cpu_list *list)
{
    if (list->count == 0)
        return;
    if (call->ops->mirror)
        mirror(call, cluster, list->mirror);
    call->ops->list(call, cluster, list);
    if (call->count_pairs)
        cluster->hits += count_hits(call, cluster, list);
    if (call->ops->mirror)
        mirror(call, cluster, list->mirror);
    list->count = 0;
}

void VARIANT(add_sums)(const struct cpu_call *call, struct lane_sums *sums, int64_t hits)
{
    lane_sums_share(sums);
    for (int p = 0; hits && p < EXACT_PIECES; p++)
        __atomic_fetch_add(&call->sums->piece[SLUICE_SUM_PAIRS][p],
                           exact_piece(exact_count(hits), p), __ATOMIC_RELAXED);
}

void VARIANT(call_close)(const struct cpu_call *call, struct sluice_pass *pass)
{
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        pass->total[k] = shared_sum(call->sums, k);
    pass->out_of_range = call->sums->out_of_range;
}
