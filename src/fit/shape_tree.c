#include "fit/shape_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

enum {
    FEW = 8,   /* shapes: too few for a tree */
    SHORT = 3, /* list: no need to split it */
    NODES_PER_SHAPE = 32,
    NODES_MORE = 1024 /* most nodes */
};

struct sluice_shape_node {
    double low[3], high[3]; /* m */
    int64_t first;          /* of the list */
    int count;
    int axis;      /* of the split, in the middle; -1: a leaf */
    int64_t child; /* the lower half; the upper one comes next */
};

void sluice_shape_tree_destroy(struct sluice_shape_tree *tree)
{
    free(tree->node);
    free(tree->list);
    memset(tree, 0, sizeof *tree);
}

/* Adds a node with those of the shapes in list[first] to list[first + count - 1] that are near. */
static sluice_status add_node(struct sluice_shape_tree *t, const struct sluice_geometry *g,
                              struct sluice_shape_node node, int64_t first, int count)
{
    double centre[3] = {0}, half2 = 0;
    node.first = t->list_count;
    node.count = 0;
    node.axis = -1;
    for (int a = 0; a < g->dimension; a++) {
        centre[a] = 0.5 * (node.low[a] + node.high[a]);
        half2 += pow(0.5 * (node.high[a] - node.low[a]), 2);
    }
    for (int k = 0; k < count; k++) {
        const int shape = t->list[first + k];
        if (sluice_geometry_box_distance(g, shape, centre) > t->reach + sqrt(half2))
            continue;
        SLUICE_GROW(t->list, t->list_count, t->list_capacity, "shapes near fitted walls");
        t->list[t->list_count++] = shape;
        node.count++;
    }
    SLUICE_GROW(t->node, t->node_count, t->node_capacity, "places near fitted walls");
    t->node[t->node_count++] = node;
    return SLUICE_OK;
}

/* Splits a node across its longest axis. */
static sluice_status split(struct sluice_shape_tree *t, const struct sluice_geometry *g, int64_t at)
{
    struct sluice_shape_node node = t->node[at], half = node;
    int axis = 0;
    for (int a = 1; a < g->dimension; a++)
        if (node.high[a] - node.low[a] > node.high[axis] - node.low[axis])
            axis = a;
    if (node.count <= SHORT || node.high[axis] - node.low[axis] < 0.5 * t->reach)
        return SLUICE_OK;
    t->node[at].axis = axis;
    t->node[at].child = t->node_count;
    half.high[axis] = 0.5 * (node.low[axis] + node.high[axis]);
    SLUICE_TRY(add_node(t, g, half, node.first, node.count));
    half.low[axis] = half.high[axis];
    half.high[axis] = node.high[axis];
    return add_node(t, g, half, node.first, node.count);
}

static sluice_status list_all(struct sluice_shape_tree *t)
{
    for (int s = 0; s < t->shape_count; s++) {
        SLUICE_GROW(t->list, t->list_count, t->list_capacity, "shapes near fitted walls");
        t->list[t->list_count++] = s;
    }
    return SLUICE_OK;
}

sluice_status sluice_shape_tree_create(struct sluice_shape_tree *t,
                                       const struct sluice_geometry *geometry, const double low[3],
                                       const double high[3], double reach)
{
    const int shapes = geometry->config->shape_count;
    const int64_t most = (int64_t)NODES_PER_SHAPE * shapes + NODES_MORE;
    struct sluice_shape_node root = {.axis = -1};
    *t = (struct sluice_shape_tree){.reach = reach, .shape_count = shapes};
    SLUICE_TRY(list_all(t));
    if (shapes <= FEW)
        return SLUICE_OK;
    memcpy(root.low, low, sizeof root.low);
    memcpy(root.high, high, sizeof root.high);
    SLUICE_TRY(add_node(t, geometry, root, 0, shapes));
    /* The largest boxes first: where nodes run out, they do so everywhere. */
    for (int64_t at = 0; at < t->node_count && t->node_count + 2 <= most; at++)
        SLUICE_TRY(split(t, geometry, at));
    return SLUICE_OK;
}

const int *sluice_shape_tree_near(const struct sluice_shape_tree *t, const double x[3], int *count)
{
    const struct sluice_shape_node *n = t->node;
    *count = t->shape_count;
    for (int a = 0; a < 3; a++)
        if (!n || !(x[a] >= n->low[a] && x[a] <= n->high[a]))
            return t->list;
    while (n->axis >= 0)
        n = &t->node[n->child + (x[n->axis] > t->node[n->child].high[n->axis])];
    *count = n->count;
    return t->list + n->first;
}
