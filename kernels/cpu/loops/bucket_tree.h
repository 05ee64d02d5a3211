/* The trees of the bucket strategy (bucket.c): their layout, and how they are built.
 *
 *   place   of a particle in the order along the curve (curve_sort.h), frame after frame. Each
 *           frame begins at a multiple of LANES
 *   leaf    LANES places, a node of level 0. A node of level l + 1 has LANES nodes of level l; the
 *           top level of a frame has one node. So LANES children are tested at once
 *   node    the box of its particles, and their largest reach where it matters to targets
 *
 *   level 2                        0
 *   level 1          0             1          2
 *   level 0   0 1 2 3 4 5 6 7   8 9 ...   16 17 */
#ifndef SLUICE_KERNELS_CPU_LOOPS_BUCKET_TREE_H
#define SLUICE_KERNELS_CPU_LOOPS_BUCKET_TREE_H
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

static inline void bucket_build(struct sluice_threads *team, struct bucket_loop *loop)
{
    sluice_threads_run(team, loop->sort.parts, sort_parts, loop);
    curve_merge(team, &loop->sort);
    sluice_threads_run(team, loop->sort.parts, make_parts, loop);
    sluice_threads_run(team, sluice_blocks(loop->sort.bins->frame_count, FRAME_GROUP), make_tops,
                       loop);
}
#endif
