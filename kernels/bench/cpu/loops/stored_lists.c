/* Neighbour lists for `sluice bench claims` (struct sluice_stored_list of
 * kernels/bench/bench_ops.h). Building is the search of window.c with functions that keep each list
 * of candidates instead of summing it. A pass sums the kept lists with the pair's own functions. So
 * the two differ in nothing but how candidates are found, and give the same bits.
 *
 *   index    of each cluster its first record, its first particle, and how many it has
 *   entries  records, one after another: a cluster's next record, and a struct cpu_list that ends
 *            after its last particle */
#include <stddef.h>
#include <string.h>

#include "kernels/bench/cpu/bench_variant.h"
#include "kernels/cpu/loops/cluster.h"
#include "kernels/cpu/loops/subnormal.h"

enum { NONE = -1, CLUSTERS_AT_ONCE = 32 };

struct list_record {
    int64_t next; /* in bytes from the first; NONE: it is the last */
    struct cpu_list list;
};

struct list_cluster {
    int64_t record, first;
    int count;
};

/* The stored lists; found in the call's constants. Threads take the next bytes and the next
 * cluster. Clusters that do not fit are only counted. */
struct list_keeper {
    char *entries;
    struct list_cluster *cluster;
    int64_t entry_bytes, clusters; /* capacities */
    int64_t used, kept, listed;
};

/* The cluster's last record, in the cluster's memory for fields. */
struct list_end {
    int64_t first;
    int64_t *next; /* of the last record; NULL: none is stored */
    int64_t count;
};

static struct list_keeper *keeper_of(const struct cpu_call *call)
{
    struct list_keeper *keeper;
    memcpy(&keeper, call->constants, sizeof keeper);
    return keeper;
}

static struct list_end end_of(const struct cpu_cluster *cluster)
{
    struct list_end end;
    memcpy(&end, cluster->field, sizeof end);
    return end;
}

static void set_end(struct cpu_cluster *cluster, struct list_end end)
{
    memcpy(cluster->field, &end, sizeof end);
}

static void begin_keeping(const struct cpu_call *call, struct cpu_cluster *cluster)
{
    const real *position = call->target.field[SLUICE_FIELD_POSITION];
    for (int l = 0; l < LANES; l++) {
        const int64_t n = cluster->particle[l];
        for (int c = 0; c < call->dim; c++)
            cluster->x[c][l] = position[(call->dim + 1) * n + c];
    }
    set_end(cluster, (struct list_end){NONE, NULL, 0});
}

static void keep_list(const struct cpu_call *call, struct cpu_cluster *cluster,
                      const struct cpu_list *list)
{
    struct list_keeper *keeper = keeper_of(call);
    struct list_end end = end_of(cluster);
    const size_t from = offsetof(struct list_record, list),
                 bytes = offsetof(struct cpu_list, index) +
                         (size_t)list->count * sizeof *list->index;
    const int64_t size = ((int64_t)(from + bytes) + 7) / 8 * 8,
                  at = __atomic_fetch_add(&keeper->used, size, __ATOMIC_RELAXED);
    end.count += list->count;
    if (at + size <= keeper->entry_bytes) {
        struct list_record *record = (void *)(keeper->entries + at);
        record->next = NONE;
        memcpy(&record->list, list, bytes);
        if (end.next)
            *end.next = at;
        else
            end.first = at;
        end.next = &record->next;
    }
    set_end(cluster, end);
}

static void end_keeping(const struct cpu_call *call, struct cpu_cluster *cluster,
                        struct lane_sums *sums)
{
    struct list_keeper *keeper = keeper_of(call);
    const struct list_end end = end_of(cluster);
    const int64_t k = __atomic_fetch_add(&keeper->kept, 1, __ATOMIC_RELAXED);
    (void)sums;
    __atomic_fetch_add(&keeper->listed, end.count, __ATOMIC_RELAXED);
    if (k < keeper->clusters)
        keeper->cluster[k] = (struct list_cluster){end.first, cluster->particle[0], cluster->count};
}

sluice_status VARIANT(list_build)(struct sluice_threads *team, const struct sluice_grid *g,
                                  struct sluice_pass *pass, struct sluice_stored_list *list,
                                  struct cpu_scratch *work)
{
    static const struct cpu_lane_ops keeping = {
        .begin = begin_keeping, .list = keep_list, .end = end_keeping};
    struct list_keeper keeper = {.entries = list->entries, .cluster = list->index};
    struct list_keeper *const here = &keeper;
    struct cpu_call call;
    struct shared_sums sums;
    VARIANT(call_open)(&call, pass, &sums);
    if (list->entries) {
        keeper.entry_bytes = list->entry_bytes;
        keeper.clusters = list->index_bytes / (int64_t)sizeof *keeper.cluster;
    }
    call.ops = &keeping;
    call.cutoff = (real)list->reach;
    call.count_pairs = 0;
    memcpy(call.constants, &here, sizeof here);
    if (pass->target->count > 0)
        SLUICE_TRY(VARIANT(run_window)(team, g, &call, work));
    SLUICE_CHECK(!list->entries ||
                     (keeper.used <= keeper.entry_bytes && keeper.kept <= keeper.clusters),
                 SLUICE_FAILED_CHECK,
                 "a neighbour list has memory for %lld bytes and %lld clusters, but needs %lld and "
                 "%lld: it was made for other particles",
                 (long long)keeper.entry_bytes, (long long)keeper.clusters, (long long)keeper.used,
                 (long long)keeper.kept);
    list->entry_bytes = keeper.used;
    list->index_bytes = keeper.kept * (int64_t)sizeof *keeper.cluster;
    list->listed = keeper.listed;
    return SLUICE_OK;
}

/* --- A pass ---- */

struct list_loop {
    const struct cpu_call *call;
    const struct sluice_stored_list *list;
    int64_t clusters;
};

static void sum_cluster(const struct list_loop *loop, const struct list_cluster *kept,
                        struct cpu_cluster *cluster, struct lane_sums *sums)
{
    const struct cpu_call *call = loop->call;
    const char *entries = loop->list->entries;
    cluster_put(call, cluster, kept->first, kept->count);
    call->ops->begin(call, cluster);
    for (int64_t at = kept->record; at != NONE;) {
        const struct list_record *record = (const void *)(entries + at);
        call->ops->list(call, cluster, &record->list);
        at = record->next;
    }
    call->ops->end(call, cluster, sums);
}

static void sum_clusters(struct sluice_share *share, void *data)
{
    const struct list_loop *loop = data;
    const struct list_cluster *kept = loop->list->index;
    const unsigned mode = subnormal_begin();
    struct lane_sums sums = {.to = loop->call->sums};
    struct cpu_cluster cluster;
    int64_t k, last;
    while (sluice_share_block(share, loop->clusters, CLUSTERS_AT_ONCE, &k, &last))
        for (; k < last; k++)
            sum_cluster(loop, &kept[k], &cluster, &sums);
    VARIANT(add_sums)(loop->call, &sums, 0);
    subnormal_end(mode);
}

void VARIANT(list_pass)(struct sluice_threads *team, struct sluice_pass *pass,
                        const struct sluice_stored_list *list)
{
    struct cpu_call call;
    struct shared_sums sums;
    struct list_loop loop = {&call, list, list->index_bytes / (int64_t)sizeof(struct list_cluster)};
    VARIANT(call_open)(&call, pass, &sums);
    sluice_threads_run(team, sluice_blocks(loop.clusters, CLUSTERS_AT_ONCE), sum_clusters, &loop);
    VARIANT(call_close)(&call, pass);
}
