/* The bucket strategy, for pairs in which each particle has a support of its own: clusters of
 * particles that follow one another on the curve, candidates from a tree of boxes in each frame.
 *
 *   place   of a particle in the order along the curve (curve_sort.h), frame after frame. Each
 *           frame begins at a multiple of LANES
 *   leaf    LANES places, a node of level 0. A node of level l + 1 has LANES nodes of level l; the
 *           top level of a frame has one node. So LANES children are tested at once
 *   node    the box of its particles, and their largest reach where it matters to targets
 *
 *   level 2                        0
 *   level 1          0             1          2
 *   level 0   0 1 2 3 4 5 6 7   8 9 ...   16 17
 *
 * A cluster walks down the trees of the frames around. Its candidates are the particles that reach
 * it or that it reaches, in the order of the curve. All others would add exact zeros, so a sum does
 * not depend on the leaves. */
#include "kernels/cpu/loops/subnormal.h"
#include "kernels/cpu/loops/curve_sort.h"
#include "kernels/cpu/loops/near_frames.h"

/* LEVELS_MOST: for 2^32 particles. NODES_MOST: of a level, noted at once. */
enum {
    LEVELS_MOST = LANES == 2   ? 32
                  : LANES == 4 ? 16
                               : 11,
    NODES_MOST = 256,
    ITEM_PARTICLES = 256,
    ORDER_PAST = 8, /* read past the last place */
    FRAME_GROUP = 8
};
_Static_assert((LANES & (LANES - 1)) == 0 && PART % (LANES * LANES) == 0, "PART");

/* A frame's tree. */
struct tree {
    uint32_t begin, count; /* its particles, as they are stored */
    int64_t place, node;   /* its first ones */
};

/* The levels of a tree: their numbers of nodes, and their first nodes. */
struct levels {
    int count;
    int64_t nodes[LEVELS_MOST], first[LEVELS_MOST];
};

/* The trees of a pass. */
struct trees {
    struct tree *tree;      /* [slot] */
    uint32_t *order;        /* [place] the particle, as it is stored */
    real *x[3], *reach2;    /* [place] offsets; squares of their reach, NULL: it does not matter */
    real *low[3], *high[3]; /* [node] */
    real *widest2;          /* [node] the largest reach2, or NULL */
    int64_t places, nodes;
};

struct bucket_loop {
    const struct sluice_grid *grid;
    const struct cpu_call *call;
    struct trees trees;
    struct curve_sort sort;
    struct bucket_item *item;
    real slack;
};

/* Places first .. last - 1 of a frame. */
struct bucket_item {
    int slot;
    int64_t first, last;
};

/* --- Building --- */

static int64_t whole_lanes(int64_t n)
{
    return sluice_blocks(n, LANES) * LANES;
}

static struct levels levels_of(const struct tree *tree)
{
    struct levels levels = {.count = 0};
    int64_t nodes = tree->count, first = tree->node;
    do {
        nodes = sluice_blocks(nodes, LANES);
        levels.nodes[levels.count] = nodes;
        levels.first[levels.count++] = first;
        first += whole_lanes(nodes);
    } while (nodes > 1);
    return levels;
}

/* Fills the places from the sorted entries of a part. */
static void fill_places(const struct bucket_loop *loop, const struct curve_part *p)
{
    const struct trees *t = &loop->trees;
    const int dim = loop->call->dim;
    const struct curve_entry *entry = curve_sorted(&loop->sort, p->begin, t->tree[p->slot].count) +
                                      p->first;
    const int64_t place = t->tree[p->slot].place + p->first;
    for (uint32_t i = 0; i < p->count; i++) {
        const real *x = loop->sort.position + (int64_t)(dim + 1) * entry[i].particle;
        t->order[place + i] = entry[i].particle;
        for (int c = 0; c < dim; c++)
            t->x[c][place + i] = x[c];
        if (t->reach2)
            t->reach2[place + i] = entry[i].reach2;
    }
    for (int64_t i = place + p->count; i < place + whole_lanes(p->count); i++) { /* of no reach */
        for (int c = 0; c < dim; c++)
            t->x[c][i] = INFINITY;
        if (t->reach2)
            t->reach2[i] = 0;
    }
}

/* Makes a node from boxes first .. first + count - 1, or from particles. NaN is in no box. */
static void join(const struct trees *t, int64_t node, real *const low[3], real *const high[3],
                 const real *reach2, int64_t first, int64_t count, int dim)
{
    for (int c = 0; c < dim; c++) {
        real least = INFINITY, most = -INFINITY;
        for (int64_t i = first; i < first + count; i++) {
            least = low[c][i] < least ? low[c][i] : least;
            most = high[c][i] > most ? high[c][i] : most;
        }
        t->low[c][node] = least;
        t->high[c][node] = most;
    }
    real widest = 0;
    for (int64_t i = first; reach2 && i < first + count; i++)
        widest = reach2[i] > widest ? reach2[i] : widest;
    if (reach2)
        t->widest2[node] = widest;
}

/* Makes the nodes first .. last - 1 of a level, as many as there are. */
static void join_level(const struct bucket_loop *loop, const struct tree *tree,
                       const struct levels *levels, int level, int64_t first, int64_t last)
{
    const struct trees *t = &loop->trees;
    const int dim = loop->call->dim;
    const int64_t nodes = levels->nodes[level],
                  below = level ? levels->nodes[level - 1] : tree->count;
    for (int64_t n = first; n < last && n < nodes; n++) {
        const int64_t count = below - n * LANES < LANES ? below - n * LANES : LANES,
                      node = levels->first[level] + n;
        if (level == 0)
            join(t, node, t->x, t->x, t->reach2, tree->place + n * LANES, count, dim);
        else
            join(t, node, t->low, t->high, t->widest2, levels->first[level - 1] + n * LANES, count,
                 dim);
    }
}

/* Puts boxes that nothing reaches where a level ends. */
static void end_level(const struct bucket_loop *loop, const struct levels *levels, int level)
{
    const struct trees *t = &loop->trees;
    const int64_t first = levels->first[level], nodes = levels->nodes[level];
    for (int64_t i = first + nodes; i < first + whole_lanes(nodes); i++) {
        for (int c = 0; c < loop->call->dim; c++) {
            t->low[c][i] = INFINITY;
            t->high[c][i] = -INFINITY;
        }
        if (t->widest2)
            t->widest2[i] = 0;
    }
}

/* Makes the entries of a part and sorts them. */
static void sort_parts(struct sluice_share *share, void *data)
{
    const struct bucket_loop *loop = data;
    const struct cpu_call *call = loop->call;
    const struct curve_sort *sort = &loop->sort;
    int64_t k;
    real support[PART];
    while (sluice_share_next(share, &k)) {
        const struct curve_part *p = &sort->part[k];
        const uint32_t first = p->begin + p->first;
        if (call->ops->gathers_either)
            call->ops->support(call, &call->target, first, p->count, support);
        for (uint32_t i = 0; i < p->count; i++) {
            const real *x = sort->position + (int64_t)(call->dim + 1) * (first + i),
                       reach = call->ops->gathers_either
                                   ? reach_of(real_max(support[i], 0), loop->slack)
                                   : 0;
            sort->entry[0][first + i] = (struct curve_entry){
                call->dim == 3 ? curve_key(&sort->curve, 3, x) : curve_key(&sort->curve, 2, x),
                first + i, reach * reach};
        }
        curve_sort_part(sort, p);
    }
}

/* Makes the places of a part, and the nodes that have no others: up to the level of which a node is
 * a part or wider. */
static void make_parts(struct sluice_share *share, void *data)
{
    const struct bucket_loop *loop = data;
    int64_t k;
    while (sluice_share_next(share, &k)) {
        const struct curve_part *p = &loop->sort.part[k];
        const struct tree *tree = &loop->trees.tree[p->slot];
        const struct levels levels = levels_of(tree);
        fill_places(loop, p);
        for (int64_t level = 0, wide = LANES; level < levels.count && wide <= PART;
             level++, wide *= LANES)
            join_level(loop, tree, &levels, (int)level, p->first / wide,
                       sluice_blocks(p->first + p->count, wide));
    }
}

/* Makes the nodes of several parts. */
static void make_tops(struct sluice_share *share, void *data)
{
    const struct bucket_loop *loop = data;
    const int frames = loop->sort.bins->frame_count;
    int64_t slot, last;
    while (sluice_share_block(share, frames, FRAME_GROUP, &slot, &last))
        for (; slot < last; slot++) {
            const struct tree *tree = &loop->trees.tree[slot];
            if (tree->count == 0)
                continue;
            const struct levels levels = levels_of(tree);
            for (int64_t level = 0, wide = LANES; level < levels.count; level++, wide *= LANES) {
                if (wide > PART)
                    join_level(loop, tree, &levels, (int)level, 0, levels.nodes[level]);
                end_level(loop, &levels, (int)level);
            }
        }
}

static void build(struct sluice_threads *team, struct bucket_loop *loop)
{
    sluice_threads_run(team, loop->sort.parts, sort_parts, loop);
    curve_merge(team, &loop->sort);
    sluice_threads_run(team, loop->sort.parts, make_parts, loop);
    sluice_threads_run(team, sluice_blocks(loop->sort.bins->frame_count, FRAME_GROUP), make_tops,
                       loop);
}

/* --- Searching --- */

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

/* Walks down a tree: of each level the nodes within reach are noted, then those of the level below
 * them, as long as there is room. */
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
    build(team, &loop);
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
