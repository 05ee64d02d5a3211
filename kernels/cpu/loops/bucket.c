/* The bucket strategy, for pairs in which each particle has a support of its own: clusters of
 * particles that follow one another on the curve, candidates from a tree of boxes in each frame
 * (bucket_tree.h).
 *
 * A cluster walks down the trees of the frames around. Its candidates are the particles that reach
 * it or that it reaches, in the order of the curve. All others would add exact zeros, so a sum does
 * not depend on the leaves. */
#include "kernels/cpu/loops/bucket_tree.h"
#include "kernels/cpu/loops/subnormal.h"

/* A frame near the item's. */
struct bucket_frame {
    struct near_frame seen;
    int64_t place;
    struct levels levels;
};

/* One thread's state. */
struct bucket_search {
    const struct bucket_loop *loop;
    struct cpu_cluster cluster;
    struct cpu_list list;
    real reach2; /* of the cluster */
    struct near_frame seen[NEAR_MOST];
    struct bucket_frame near[NEAR_MOST];
    int near_count;
    int count[LEVELS_MOST]; /* nodes within reach that are noted */
    uint32_t node[LEVELS_MOST][NODES_MOST + 64];
};

static void find_trees(struct bucket_search *s, int slot)
{
    const struct bucket_loop *loop = s->loop;
    s->near_count = find_near_frames(loop->call, loop->grid, slot, s->seen);
    for (int k = 0; k < s->near_count; k++) {
        const struct tree *tree = &loop->trees.tree[s->seen[k].slot];
        s->near[k] = (struct bucket_frame){s->seen[k], tree->place, levels_of(tree)};
    }
}

/* Lists the candidates of the leaves that are noted. */
HD void search_leaves(struct bucket_search *s, const struct bucket_frame *f,
                      const struct frame_box *box, const int dim)
{
    const struct trees *t = &s->loop->trees;
    const real *const x[3] = {t->x[0], t->x[1], t->x[2]};
    int count = s->list.count;
    for (int k = 0; k < s->count[0]; k++) {
        const int64_t place = f->place + (int64_t)s->node[0][k] * LANES;
        count += lane_append_from(s->list.index + count, t->order + place,
                                  boxes_within(x, x, t->reach2, place, box, s->reach2, dim));
        if (count > LIST_MOST - LANES) {
            s->list.count = count;
            VARIANT(list_flush)(s->loop->call, &s->cluster, &s->list);
            count = 0;
        }
    }
    s->list.count = count;
}

/* Notes those of LANES nodes of a level that are within reach. */
HD void note_nodes(struct bucket_search *s, const struct bucket_frame *f,
                   const struct frame_box *box, int level, uint32_t first, const int dim)
{
    const struct trees *t = &s->loop->trees;
    const real *const low[3] = {t->low[0], t->low[1], t->low[2]};
    const real *const high[3] = {t->high[0], t->high[1], t->high[2]};
    s->count[level] += lane_append(
        s->node[level] + s->count[level], first,
        boxes_within(low, high, t->widest2, f->levels.first[level] + first, box, s->reach2, dim));
}

/* Walks down a tree: notes the nodes of a level within reach, then those of the level below them,
 * as long as they fit. */
HD void search_tree(struct bucket_search *s, const struct bucket_frame *f,
                    const struct frame_box *cluster, const int dim)
{
    const struct frame_box box = box_seen(cluster, &f->seen, dim);
    const int top = f->levels.count - 1;
    int next[LEVELS_MOST], level = top;
    s->count[top] = next[top] = 0;
    note_nodes(s, f, &box, top, 0, dim);
    if (s->count[top] == 0)
        return;
    list_begin(&s->list, &f->seen);
    while (level <= top) {
        const int below = level - 1;
        if (level == 0) {
            search_leaves(s, f, &box, dim);
            level++;
            continue;
        }
        s->count[below] = next[below] = 0;
        while (next[level] < s->count[level] && s->count[below] <= NODES_MOST - LANES)
            note_nodes(s, f, &box, below, s->node[level][next[level]++] * LANES, dim);
        level += s->count[below] > 0 ? -1 : 1;
    }
    VARIANT(list_flush)(s->loop->call, &s->cluster, &s->list);
}

HD void search_for_cluster(struct bucket_search *s, const int dim, struct lane_sums *sums)
{
    const struct cpu_call *call = s->loop->call;
    struct frame_box box = {.support = 0};
    do {
        call->ops->begin(call, &s->cluster);
        const real reach = reach_of(s->cluster.reach, s->loop->slack);
        s->reach2 = reach * reach;
        cluster_box(&s->cluster, &box, dim);
        for (int k = 0; k < s->near_count; k++)
            search_tree(s, &s->near[k], &box, dim);
        call->ops->end(call, &s->cluster, sums);
    } while (s->cluster.left);
}

/* Takes the next particles that this rank computes. 0: none is left. */
static int next_in_order(const struct bucket_loop *loop, struct cpu_cluster *cluster,
                         int64_t *place, int64_t last)
{
    const uint8_t *own = loop->call->own;
    int count = 0;
    for (; *place < last && count < LANES; ++*place) {
        const uint32_t n = loop->trees.order[*place];
        cluster->particle[count] = n;
        count += !own || own[n];
    }
    for (int l = count; l < LANES && count > 0; l++)
        cluster->particle[l] = cluster->particle[count - 1];
    cluster->count = count;
    cluster->left = (1u << count) - 1;
    return count > 0;
}

static void run_items(struct sluice_share *share, void *data)
{
    const struct bucket_loop *loop = data;
    const unsigned mode = subnormal_begin();
    struct bucket_search s;
    struct lane_sums sums = {.to = loop->call->sums};
    int64_t i;
    s.loop = loop;
    s.list.count = 0;
    s.cluster.hits = 0;
    while (sluice_share_next(share, &i)) {
        int64_t place = loop->item[i].first;
        find_trees(&s, loop->item[i].slot);
        while (next_in_order(loop, &s.cluster, &place, loop->item[i].last))
            if (loop->call->dim == 3)
                search_for_cluster(&s, 3, &sums);
            else
                search_for_cluster(&s, 2, &sums);
    }
    VARIANT(add_sums)(loop->call, &sums, s.cluster.hits);
    subnormal_end(mode);
}

/* --- The pass --- */

/* Places the frames' trees; returns the items, and fills them unless NULL. */
static int64_t list_items(const struct sluice_bins *bins, struct trees *t, struct bucket_item *item)
{
    int64_t items = 0;
    t->places = t->nodes = 0;
    for (int slot = 0; slot < bins->frame_count; slot++) {
        const struct cpu_frame_bins *frame = &bins->frame[slot];
        struct tree tree = {0, frame->count, t->places, t->nodes};
        if (tree.count > 0) {
            const struct levels levels = levels_of(&tree);
            const int top = levels.count - 1;
            tree.begin = bins->start[frame->first_bin];
            t->nodes = levels.first[top] + whole_lanes(levels.nodes[top]);
        }
        if (item)
            t->tree[slot] = tree;
        for (int64_t i = 0; i < tree.count; i += ITEM_PARTICLES, items++)
            if (item)
                item[items] = (struct bucket_item){slot, tree.place + i,
                                                   tree.place + (i + ITEM_PARTICLES < tree.count
                                                                     ? i + ITEM_PARTICLES
                                                                     : tree.count)};
        t->places += whole_lanes(tree.count);
    }
    return items;
}

/* Takes the next part of the scratch memory; at NULL it only counts. */
static void *take(char *memory, size_t *used, int64_t count, size_t size)
{
    char *const here = memory ? memory + *used : NULL;
    *used += ((size_t)count * size + 63) / 64 * 64;
    return here;
}

/* Divides the memory. Returns the bytes. */
static size_t divide(struct bucket_loop *loop, char *memory, int64_t items)
{
    const struct cpu_call *call = loop->call;
    struct trees *t = &loop->trees;
    const int64_t wide = call->ops->gathers_either;
    size_t used = 0;
    t->tree = take(memory, &used, call->target_bins->frame_count, sizeof *t->tree);
    loop->item = take(memory, &used, items, sizeof *loop->item);
    loop->sort.part = take(memory, &used, loop->sort.parts, sizeof *loop->sort.part);
    for (int k = 0; k < 2; k++)
        loop->sort.entry[k] = take(memory, &used, call->target.count, sizeof(struct curve_entry));
    t->order = take(memory, &used, t->places + ORDER_PAST, sizeof *t->order);
    for (int c = 0; c < call->dim; c++) {
        t->x[c] = take(memory, &used, t->places, sizeof(real));
        t->low[c] = take(memory, &used, t->nodes, sizeof(real));
        t->high[c] = take(memory, &used, t->nodes, sizeof(real));
    }
    t->reach2 = wide ? take(memory, &used, t->places, sizeof(real)) : NULL;
    t->widest2 = wide ? take(memory, &used, t->nodes, sizeof(real)) : NULL;
    return used;
}

static sluice_status run_bucket(struct sluice_threads *team, const struct sluice_grid *g,
                                const struct cpu_call *call, struct cpu_scratch *work)
{
    struct bucket_loop loop = {.grid = g,
                               .call = call,
                               .slack = slack_of(g),
                               .sort = {.curve = curve_of(g),
                                        .bins = call->target_bins,
                                        .position = call->target.field[SLUICE_FIELD_POSITION],
                                        .parts = curve_list_parts(call->target_bins, NULL)}};
    const int64_t items = list_items(call->target_bins, &loop.trees, NULL);
    SLUICE_TRY(cpu_scratch_reserve(work, divide(&loop, NULL, items)));
    divide(&loop, work->memory, items);
    list_items(call->target_bins, &loop.trees, loop.item);
    curve_list_parts(call->target_bins, loop.sort.part);
    bucket_build(team, &loop);
    sluice_threads_run(team, items, run_items, &loop);
    return SLUICE_OK;
}

sluice_status VARIANT(interact_bucket)(const struct sluice_backend *b, const struct sluice_grid *g,
                                       struct sluice_pass *pass, struct cpu_scratch *work)
{
    struct cpu_call call;
    struct shared_sums sums;
    VARIANT(call_open)(&call, pass, &sums);
    SLUICE_CHECK(
        call.ops->support, SLUICE_BAD_INPUT,
        "backend.strategy = \"bucket\" has only pairs with a support for each particle, as "
        "a gas has (pass %s): choose \"window\" or \"tiled\"",
        pass->name);
    SLUICE_CHECK(pass->source[0] == pass->target && !pass->source[1], SLUICE_BAD_INPUT,
                 "internal: pass %s: bucket searches the targets themselves, no other set",
                 pass->name);
    if (pass->target->count > 0)
        SLUICE_TRY(run_bucket(b->team, g, &call, work));
    VARIANT(call_close)(&call, pass);
    return SLUICE_OK;
}
