/* The shapes near a place: a tree of boxes, each split in halves, with lists at its leaves.
 *
 *      +---------+----+----+
 *      |         | 2  | 2 7|      a leaf lists the shapes within `reach` of any place in it,
 *      |   2 5   +----+----+      in their order
 *      |         |    7    |
 *      +---------+---------+
 */
#ifndef SLUICE_FIT_SHAPE_TREE_H
#define SLUICE_FIT_SHAPE_TREE_H
#include "core/status.h"
#include "geometry/geometry.h"

/* A zeroed struct is valid and has no shapes. */
struct sluice_shape_tree {
    double reach; /* m */
    int shape_count;
    int64_t node_count, node_capacity, list_count, list_capacity;
    struct sluice_shape_node *node; /* the first is the root; none for few shapes */
    int *list;                      /* begins with all shapes */
};

/* The tree of a box from low to high (m) for shapes by their extents. Errors: memory. */
sluice_status sluice_shape_tree_create(struct sluice_shape_tree *tree,
                                       const struct sluice_geometry *geometry, const double low[3],
                                       const double high[3], double reach);
void sluice_shape_tree_destroy(struct sluice_shape_tree *tree);

/* The shapes whose extents are within reach of x, and perhaps some more: all of them (shape_count)
 * outside the box, and if they are few. */
const int *sluice_shape_tree_near(const struct sluice_shape_tree *tree, const double x[3],
                                  int *count);
#endif
