/* Volumes of combined shapes, of which no closed form is known, from places at random. */
#include "geometry/volumes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/hash.h"

double sluice_geometry_box_volume(const struct sluice_geometry *g, const double low[3],
                                  const double high[3])
{
    double volume = 1;
    for (int a = 0; a < g->dimension; a++)
        volume *= high[a] - low[a];
    return volume;
}

/* The extent of a shape, m, no larger than that of the shapes that `within` names. */
static void find_extent(const struct sluice_geometry *g, int shape, double low[3], double high[3])
{
    const struct sluice_shape *s = &g->asked[shape];
    double all_low[3] = {INFINITY, INFINITY, INFINITY}, all_high[3];
    assert(g->dimension <= 3);
    for (int a = 0; a < 3; a++) {
        low[a] = g->solid[shape].low[a];
        high[a] = g->solid[shape].high[a];
        all_high[a] = -INFINITY;
    }
    for (int k = 0; k < shape && s->within[0]; k++) {
        double one_low[3], one_high[3];
        if (strcmp(g->asked[k].name, s->within) != 0 || g->asked[k].kind == SLUICE_SHAPE_WALLS)
            continue;
        find_extent(g, k, one_low, one_high);
        for (int a = 0; a < g->dimension; a++) {
            all_low[a] = fmin(all_low[a], one_low[a]);
            all_high[a] = fmax(all_high[a], one_high[a]);
        }
    }
    for (int a = 0; a < g->dimension && all_high[0] > all_low[0]; a++) {
        low[a] = fmax(low[a], all_low[a]);
        high[a] = fmin(high[a], all_high[a]);
    }
}

/* The faces of the cells that a shape can own, m. */
static void find_own_box(const struct sluice_geometry *g, int shape, double low[3], double high[3])
{
    const struct sluice_cells *box = &g->raster[shape].cells;
    for (int a = 0; a < 3; a++) {
        low[a] = g->origin[a] + (double)box->low[a] * g->step[a];
        high[a] = g->origin[a] + (double)box->high[a] * g->step[a];
    }
}

/* How far x lies outside a box, in steps of the lattice. */
static double steps_outside(const struct sluice_geometry *g, const double x[3], const double low[3],
                            const double high[3])
{
    double most = 0;
    for (int a = 0; a < g->dimension; a++)
        most = fmax(most, fmax(low[a] - x[a], x[a] - high[a]) / g->step[a]);
    return most;
}

/* Estimates it from two points at random in each of BRICKS equal parts of the box (stratified
 * sampling, Cochran 1977, chapter 5): only parts that a surface crosses add to the deviation.
 * `beyond`: only the part outside of the cells that it can own. 0 if all of that is within half a
 * cell. */
static struct sluice_volume_sample sample_volume(const struct sluice_geometry *g, int shape,
                                                 const double low[3], const double high[3],
                                                 int beyond)
{
    enum { BRICKS = 50000 };
    const double size = pow(sluice_geometry_box_volume(g, low, high) / BRICKS, 1.0 / g->dimension);
    double brick = 1, part[3] = {0}, own_low[3], own_high[3], farthest = 0;
    int64_t count[3] = {1, 1, 1}, inside = 0, mixed = 0;
    find_own_box(g, shape, own_low, own_high);
    for (int a = 0; a < g->dimension; a++) {
        count[a] = (int64_t)fmax(1, ceil((high[a] - low[a]) / size));
        part[a] = (high[a] - low[a]) / (double)count[a];
        brick *= part[a];
    }
    for (int64_t i = 0; i < count[0] * count[1] * count[2]; i++) {
        const int64_t at[3] = {i % count[0], i / count[0] % count[1], i / count[0] / count[1]};
        int hits = 0;
        sluice_waiting_report(g->waiting, "geometry: estimating the volume of a shape");
        for (int k = 0; k < 2; k++) {
            double x[3] = {0};
            for (int a = 0; a < g->dimension; a++) {
                const uint64_t draw = (uint64_t)((i * 2 + k) * 3 + a);
                x[a] = low[a] + ((double)at[a] + sluice_mix_unit(draw * SLUICE_MIX_STEP)) * part[a];
            }
            const double outside = steps_outside(g, x, own_low, own_high);
            if ((beyond && outside == 0) || !sluice_geometry_contains(g, shape, x))
                continue;
            farthest = fmax(farthest, outside);
            hits++;
        }
        inside += hits;
        mixed += hits == 1;
    }
    if (beyond && farthest <= 0.5)
        return (struct sluice_volume_sample){0};
    return (struct sluice_volume_sample){.volume = brick * (double)inside / 2,
                                         .deviation = brick * sqrt((double)mixed) / 2};
}

struct sluice_volume_sample sluice_geometry_estimate_volume(const struct sluice_geometry *g,
                                                            int shape)
{
    double low[3], high[3], own_low[3], own_high[3];
    find_extent(g, shape, low, high);
    find_own_box(g, shape, own_low, own_high);
    assert(g->dimension <= 3);
    for (int a = 0; a < g->dimension; a++) {
        const double begin = g->origin[a], end = begin + (double)g->n[a] * g->step[a];
        const int wraps = g->periodic[a] && (low[a] < begin || high[a] > end);
        low[a] = wraps ? begin : fmax(low[a], own_low[a]);
        high[a] = wraps ? end : fmin(high[a], own_high[a]);
        if (!(high[a] > low[a]))
            return (struct sluice_volume_sample){0};
    }
    return sample_volume(g, shape, low, high, 0);
}

double sluice_geometry_volume_beyond(const struct sluice_geometry *g, int shape)
{
    double low[3], high[3];
    find_extent(g, shape, low, high);
    for (int a = 0; a < g->dimension; a++)
        if (!isfinite(low[a]) || !isfinite(high[a]))
            return INFINITY;
    return sample_volume(g, shape, low, high, 1).volume;
}
