#include "geometry/shape_bins.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

enum {
    FEW = 16,   /* shapes; no more of them have a single bin */
    BINS = 4,   /* for each shape, at most */
    LISTED = 64 /* bins that list a shape, in the mean, at most */
};

static int64_t bins_of(const struct sluice_shape_bins *b)
{
    return b->n[0] * b->n[1] * b->n[2];
}

static void set_edge(struct sluice_shape_bins *b, const struct sluice_cells *around, int64_t edge)
{
    b->edge = edge;
    for (int a = 0; a < 3; a++) {
        b->low[a] = around->low[a];
        b->n[a] = (around->high[a] - around->low[a] - 1) / edge + 1;
    }
}

/* The bins that meet the cells of a shape; returns how many. */
static int64_t find_range(const struct sluice_shape_bins *b, const struct sluice_cells *cells,
                          int64_t low[3], int64_t high[3])
{
    int64_t bins = 1;
    for (int a = 0; a < 3; a++) {
        if (cells->high[a] <= cells->low[a])
            return 0;
        low[a] = sluice_shape_bins_along(b, a, cells->low[a]);
        high[a] = sluice_shape_bins_along(b, a, cells->high[a] - 1);
        bins *= high[a] - low[a] + 1;
    }
    return bins;
}

/* The sum of all lists' lengths. */
static double listed(const struct sluice_shape_bins *b, const struct sluice_cells *cells,
                     int shapes)
{
    int64_t low[3], high[3];
    double all = 0;
    for (int s = 0; s < shapes; s++)
        all += (double)find_range(b, &cells[s], low, high);
    return all;
}

/* Bins as small as their numbers allow. */
static void choose_edge(struct sluice_shape_bins *b, const struct sluice_cells *cells, int shapes,
                        const struct sluice_cells *around)
{
    double volume = 1;
    int64_t longest = 1;
    for (int a = 0; a < 3; a++) {
        const int64_t length = around->high[a] - around->low[a];
        volume *= (double)length;
        longest = length > longest ? length : longest;
    }
    int64_t edge = shapes > FEW ? 1 + (int64_t)cbrt(volume / BINS / shapes) : longest;
    for (set_edge(b, around, edge);
         edge < longest &&
         ((double)b->n[0] * (double)b->n[1] * (double)b->n[2] > 2.0 * BINS * shapes ||
          listed(b, cells, shapes) > (double)LISTED * shapes);
         set_edge(b, around, edge))
        edge *= 2;
}

/* Adds each shape to its bins: counts it in first[], or enters it. */
static void add_shapes(struct sluice_shape_bins *b, const struct sluice_cells *cells, int shapes,
                       int64_t *end)
{
    int64_t low[3], high[3], i[3];
    for (int s = 0; s < shapes; s++) {
        if (find_range(b, &cells[s], low, high) == 0)
            continue;
        for (i[2] = low[2]; i[2] <= high[2]; i[2]++)
            for (i[1] = low[1]; i[1] <= high[1]; i[1]++)
                for (i[0] = low[0]; i[0] <= high[0]; i[0]++) {
                    const int64_t at = end[(i[2] * b->n[1] + i[1]) * b->n[0] + i[0]]++;
                    if (b->shape)
                        b->shape[at] = s;
                }
    }
}

sluice_status sluice_shape_bins_create(struct sluice_shape_bins *b,
                                       const struct sluice_cells *cells, int shapes,
                                       const struct sluice_cells *around)
{
    memset(b, 0, sizeof *b);
    choose_edge(b, cells, shapes, around);
    const int64_t bins = bins_of(b);
    int64_t *end;
    SLUICE_ALLOCATE(b->first, bins + 1, "bins of shapes");
    /* Each bin's list ends where the next one begins. */
    end = b->first + 1;
    add_shapes(b, cells, shapes, end);
    int64_t sum = 0;
    for (int64_t i = 0; i < bins; i++) {
        const int64_t count = end[i];
        end[i] = sum;
        sum += count;
    }
    SLUICE_ALLOCATE(b->shape, sum, "shapes in bins");
    add_shapes(b, cells, shapes, end);
    return SLUICE_OK;
}

void sluice_shape_bins_destroy(struct sluice_shape_bins *b)
{
    free(b->first);
    free(b->shape);
    memset(b, 0, sizeof *b);
}
