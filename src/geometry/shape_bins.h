/* Which shapes may own a cell: bins of cells, each with a list of the shapes whose cells meet it.
 *
 *     +--------+--------+--------+
 *     |  s0    |  s0 s2 |  s0    |      bins; those at the border go on without an end
 *     +--------+--------+--------+
 */
#ifndef SLUICE_GEOMETRY_SHAPE_BINS_H
#define SLUICE_GEOMETRY_SHAPE_BINS_H
#include <stdint.h>

#include "core/status.h"
#include "geometry/raster.h"

struct sluice_shape_bins {
    int64_t low[3], n[3], edge; /* first cell; bins on each axis; cells of a bin on each axis */
    int64_t *first;             /* [bins + 1] of each bin's shapes in shape[] */
    int *shape;                 /* of each bin in order */
};

/* cells: [shapes] those that each shape can own. around: where most of them are; a few shapes get a
 * single bin. Errors: memory. */
sluice_status sluice_shape_bins_create(struct sluice_shape_bins *bins,
                                       const struct sluice_cells *cells, int shapes,
                                       const struct sluice_cells *around);
void sluice_shape_bins_destroy(struct sluice_shape_bins *bins);

static inline int64_t sluice_shape_bins_along(const struct sluice_shape_bins *b, int axis,
                                              int64_t cell)
{
    const int64_t at = cell - b->low[axis], bin = at > 0 ? at / b->edge : 0;
    return bin < b->n[axis] ? bin : b->n[axis] - 1;
}

/* The shapes that may own a cell, in order; how many there are. */
static inline const int *sluice_shape_bins_at(const struct sluice_shape_bins *b,
                                              const int64_t cell[3], int64_t *count)
{
    const int64_t bin = (sluice_shape_bins_along(b, 2, cell[2]) * b->n[1] +
                         sluice_shape_bins_along(b, 1, cell[1])) *
                            b->n[0] +
                        sluice_shape_bins_along(b, 0, cell[0]);
    *count = b->first[bin + 1] - b->first[bin];
    return b->shape + b->first[bin];
}
#endif
