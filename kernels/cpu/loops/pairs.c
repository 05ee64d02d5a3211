/* What each pair does with a cluster and a list of candidates: lane_ops for every pair of the
 * registry. */
#define SLUICE_REGISTRY_HEADERS
#include "kernels/cpu/loops/cluster.h"

#include <stddef.h>
#include <string.h>

/* OF_PAIR(eval) is lj_eval, and so on, for the pair that the template is at. */
#define PAIR_PASTE(pair, part)  pair##_##part
#define PAIR_EXPAND(pair, part) PAIR_PASTE(pair, part)
#define OF_PAIR(part)           PAIR_EXPAND(EACH_NAME, part)

#define EACH_OF         SLUICE_PAIRS
#define EACH_FILE(name) "kernels/cpu/loops/pair_lanes.inc"
#include "kernels/each.h"

#define OPS(name, dim, energy)                                                                     \
    {                                                                                              \
        name##_prepare_lanes, name##_support_lanes, name##_begin_##dim##energy,                    \
            name##_list_##dim##energy, name##_end_##dim##energy                                    \
    }
const struct cpu_lane_ops VARIANT(lane_ops)[SLUICE_PAIR_COUNT][2][2] = {
#define X(name, what) {{OPS(name, 2, 0), OPS(name, 2, 1)}, {OPS(name, 3, 0), OPS(name, 3, 1)}},
    SLUICE_PAIRS(X)
#undef X
};

static struct sluice_view view_of(const struct sluice_set *set)
{
    struct sluice_view v = {.count = set->count, .id = set->field[SLUICE_FIELD_ID]};
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        v.field[f] = set->field[f];
    return v;
}

void VARIANT(call_open)(struct cpu_call *call, const struct sluice_pass *pass)
{
    memset(call, 0, sizeof *call);
    call->dim = pass->target->dimension;
    call->ops = &VARIANT(lane_ops)[pass->pair][call->dim - 2][pass->energy != 0];
    call->ops->prepare(call->constants, pass->params, sluice_pass_mass(pass));
    call->cutoff = call->ops->support(call->constants);
    call->count_pairs = pass->count_pairs;
    call->target = view_of(pass->target);
    call->target_bins = pass->target->bins;
    call->sources = SLUICE_PASS_SOURCES;
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s] && pass->source[s]->count > 0) {
            call->source[s] = view_of(pass->source[s]);
            call->source_bins[s] = pass->source[s]->bins;
            call->same[s] = pass->source[s] == pass->target;
        }
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
            real r2 = 0;
            for (int c = 0; c < dim; c++) {
                const real d = (cluster->x[c][l] -
                                position[(int64_t)(dim + 1) * list->index[u] + c]) +
                               list->shift[c];
                r2 += d * d;
            }
            hits += r2 < call->cutoff * call->cutoff &&
                    !(list->same && cluster->first + l == (int64_t)list->index[u]);
        }
    return hits;
}

void VARIANT(list_flush)(const struct cpu_call *call, struct cpu_cluster *cluster,
                         struct cpu_list *list)
{
    if (list->count == 0)
        return;
    call->ops->list(call, cluster, list);
    if (call->count_pairs)
        cluster->hits += count_hits(call, cluster, list);
    list->count = 0;
}

void VARIANT(sum_items)(double (*item)[SLUICE_SUM_COUNT], int64_t n, double sum[SLUICE_SUM_COUNT])
{
    for (int64_t stride = 1; stride < n; stride *= 2)
        for (int64_t i = 0; i + stride < n; i += 2 * stride)
            for (int k = 0; k < SLUICE_SUM_COUNT; k++)
                item[i][k] += item[i + stride][k];
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        sum[k] = n > 0 ? item[0][k] : 0;
}
