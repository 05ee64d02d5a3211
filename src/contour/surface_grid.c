#include "contour/surface_grid.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"

/* --- Nodes --- */

/* The nodes within the extent on each axis, and how far they are apart. */
static void lay_out(const struct sluice_solid_union *u, double step, int least, int64_t inner[3],
                    double width[3])
{
    double longest = 0;
    for (int a = 0; a < u->dimension; a++)
        longest = fmax(longest, u->high[a] - u->low[a]);
    step = fmin(step, longest / least);
    for (int a = 0; a < 3; a++) {
        const double extent = a < u->dimension ? u->high[a] - u->low[a] : 0;
        inner[a] = a < u->dimension ? (int64_t)fmax(1, ceil(extent / step - 1e-6)) : 0;
        width[a] = a < u->dimension ? extent / (double)inner[a] : 0;
    }
}

double sluice_surface_grid_size(const struct sluice_solid_union *u, double step, int least)
{
    int64_t inner[3];
    double width[3], size = 1;
    lay_out(u, step, least, inner, width);
    for (int a = 0; a < u->dimension; a++)
        size *= (double)inner[a] + 2;
    return size;
}

/* How far around y all is on the same side, and on which: negative inside. */
static double distance_at(const struct sluice_surface_grid *grid, const double y[3])
{
    const struct sluice_solid_union *u = grid->u;
    double way[3], x[3], d = sluice_solid_union_distance(u, y, way);
    sluice_solid_union_to_config(u, y, x);
    for (int k = 0; k < u->count; k++)
        d = copysign(fmin(fabs(d), sluice_geometry_certain(u->g, u->part[k].shape, x)), d);
    return d;
}

/* Nodes from low up to, without, high. */
struct block {
    int64_t low[3], high[3];
};

static void fill(struct sluice_surface_grid *grid, const struct block *b, float d)
{
    for (int64_t k = b->low[2]; k < b->high[2]; k++)
        for (int64_t j = b->low[1]; j < b->high[1]; j++)
            for (int64_t i = b->low[0]; i < b->high[0]; i++)
                grid->d[i + j * grid->stride[1] + k * grid->stride[2]] = d;
}

/* A block that the surface may cross is halved along each axis, down to single nodes. */
static void find_signs(struct sluice_surface_grid *grid, const struct block *b)
{
    double y[3], half[3], way[3];
    int single = 1;
    for (int a = 0; a < 3; a++) {
        y[a] = grid->low[a] + (double)(b->low[a] + b->high[a] - 1) / 2 * grid->step[a];
        half[a] = (double)(b->high[a] - b->low[a] - 1) / 2 * grid->step[a];
        single &= b->high[a] - b->low[a] == 1;
    }
    if (single) {
        const double d = sluice_solid_union_distance(grid->u, y, way);
        fill(grid, b, d < 0 ? fminf((float)d, -FLT_MIN) : (float)d);
        return;
    }
    const double d = distance_at(grid, y), most = sluice_norm(half) + sluice_norm(grid->step);
    if (fabs(d) > most) {
        fill(grid, b, d < 0 ? -FLT_MAX : FLT_MAX);
        return;
    }
    for (int k = 0; k < 8; k++) {
        struct block part = *b;
        int empty = 0;
        for (int a = 0; a < 3; a++) {
            const int64_t middle = (b->low[a] + b->high[a] + 1) / 2;
            if (k >> a & 1)
                part.low[a] = middle;
            else
                part.high[a] = middle;
            empty |= part.low[a] >= part.high[a];
        }
        if (!empty)
            find_signs(grid, &part);
    }
}

/* So that the surface is closed, whatever the distances say. */
static void close_border(struct sluice_surface_grid *grid)
{
    for (int a = 0; a < grid->dimension; a++)
        for (int high = 0; high < 2; high++) {
            struct block b = {.high = {grid->nodes[0], grid->nodes[1], grid->nodes[2]}};
            if (high)
                b.low[a] = b.high[a] - 1;
            else
                b.high[a] = 1;
            for (int64_t k = b.low[2]; k < b.high[2]; k++)
                for (int64_t j = b.low[1]; j < b.high[1]; j++)
                    for (int64_t i = b.low[0]; i < b.high[0]; i++) {
                        float *d = &grid->d[i + j * grid->stride[1] + k * grid->stride[2]];
                        *d = *d < 0 ? FLT_MIN : *d;
                    }
        }
}

/* --- Crossings --- */

/* From a place inside to one outside, at which the distance changes its sign. */
struct span {
    const struct sluice_solid_union *u;
    double from[3], to[3]; /* inside, outside */
};

static double at_share(const struct span *s, double t, double y[3], double way[3])
{
    for (int a = 0; a < 3; a++)
        y[a] = s->from[a] + t * (s->to[a] - s->from[a]);
    return sluice_solid_union_distance(s->u, y, way);
}

/* The share of the span where the surface is, to a thousandth: by the secant, held between bounds
 * (Illinois; Dowell & Jarratt 1971). *d: the distance there. */
static double find_share(const struct span *s, double length, double d_in, double d_out, double *d)
{
    enum { STEPS = 40 };
    double low = 0, high = 1, t = 0.5, y[3], way[3];
    for (int i = 0; i < STEPS; i++) {
        t = i % 8 == 7 ? (low + high) / 2 : low + (high - low) * d_in / (d_in - d_out);
        *d = at_share(s, t, y, way);
        if (fabs(*d) < 1e-3 * length)
            break;
        if (*d < 0) {
            low = t;
            d_in = *d;
            d_out /= 2;
        } else {
            high = t;
            d_out = *d;
            d_in /= 2;
        }
    }
    return t;
}

/* The plane is that of the nearest point of the surface; its direction follows from a place beside
 * it. A surface with holes has none where its lids are. */
static void set_crossing(struct sluice_crossing *c, const struct span *s, double d_in, double d_out)
{
    const double across[3] = {s->to[0] - s->from[0], s->to[1] - s->from[1], s->to[2] - s->from[2]},
                 length = sluice_norm(across);
    double y[3], way[3], d;
    double t = find_share(s, length, d_in, d_out, &d);
    c->has_plane = fabs(d) < 1e-2 * length;
    if (fabs(d) < 1e-4 * length)
        t -= 1e-3;
    d = at_share(s, t, y, way);
    for (int a = 0; a < 3; a++) {
        c->at[a] = c->has_plane ? y[a] + way[a] : y[a];
        c->out[a] = d != 0 ? -way[a] / d : across[a] / length;
    }
}

static sluice_status add_crossing(struct sluice_surface_grid *grid, int64_t node, int axis)
{
    const int64_t next = node + grid->stride[axis];
    const int rise = sluice_surface_grid_is_inside(grid, node);
    struct span s = {.u = grid->u};
    SLUICE_GROW(grid->crossing, grid->crossings, grid->capacity, "edges across a surface");
    struct sluice_crossing *c = &grid->crossing[grid->crossings++];
    *c = (struct sluice_crossing){.key = 3 * node + axis, .is_rise = rise};
    sluice_surface_grid_place(grid, rise ? node : next, s.from);
    sluice_surface_grid_place(grid, rise ? next : node, s.to);
    set_crossing(c, &s, fmin((double)grid->d[rise ? node : next], -1e-9 * grid->step[axis]),
                 fmax((double)grid->d[rise ? next : node], 1e-9 * grid->step[axis]));
    return SLUICE_OK;
}

/* The share of an edge, from one of its ends, where it meets the plane of the surface that is
 * nearest to this end; over 1: it does not. */
static double share_to_plane(const struct sluice_solid_union *u, const double y[3],
                             const double edge[3], double way[3])
{
    const double d = sluice_solid_union_distance(u, y, way), along = sluice_dot(way, edge);
    return along > d * d ? d * d / along : 2;
}

/* Whether an edge with both ends on one side crosses a part that is thinner than the grid: what
 * lies between the planes that the ends see is on the other side, and the planes face the ends. At
 * a corner of the body they do not. */
static int is_missed(const struct sluice_surface_grid *grid, int64_t node, int axis)
{
    const int64_t next = node + grid->stride[axis];
    double y[2][3], way[2][3], edge[3] = {0, 0, 0}, back[3] = {0, 0, 0};
    if (fabs((double)grid->d[node]) + fabs((double)grid->d[next]) >= grid->step[axis])
        return 0;
    edge[axis] = grid->step[axis];
    back[axis] = -grid->step[axis];
    sluice_surface_grid_place(grid, node, y[0]);
    sluice_surface_grid_place(grid, next, y[1]);
    const double low = share_to_plane(grid->u, y[0], edge, way[0]);
    if (low > 1)
        return 0;
    const double high = 1 - share_to_plane(grid->u, y[1], back, way[1]);
    if (high < low || sluice_dot(way[0], way[1]) > -0.8 * sluice_norm(way[0]) * sluice_norm(way[1]))
        return 0;
    y[0][axis] += (low + high) / 2 * grid->step[axis];
    const double d = sluice_solid_union_distance(grid->u, y[0], way[0]);
    return (d < 0) != sluice_surface_grid_is_inside(grid, node);
}

static sluice_status find_crossings(struct sluice_surface_grid *grid)
{
    for (int64_t node = 0; node < grid->all; node++) {
        if (fabsf(grid->d[node]) == FLT_MAX)
            continue;
        for (int a = 0; a < grid->dimension; a++) {
            const int64_t next = node + grid->stride[a];
            if (node / grid->stride[a] % grid->nodes[a] == grid->nodes[a] - 1)
                continue;
            if (sluice_surface_grid_is_inside(grid, node) !=
                sluice_surface_grid_is_inside(grid, next))
                SLUICE_TRY(add_crossing(grid, node, a));
            else
                grid->missed += is_missed(grid, node, a);
        }
    }
    return SLUICE_OK;
}

const struct sluice_crossing *sluice_surface_grid_find(const struct sluice_surface_grid *grid,
                                                       int64_t node, int axis)
{
    const int64_t key = 3 * node + axis;
    int64_t low = 0, high = grid->crossings;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (grid->crossing[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < grid->crossings && grid->crossing[low].key == key ? &grid->crossing[low] : NULL;
}

/* --- The grid --- */

static sluice_status build(struct sluice_surface_grid *grid)
{
    const struct block all = {.high = {grid->nodes[0], grid->nodes[1], grid->nodes[2]}};
    SLUICE_ALLOCATE(grid->d, grid->all, "nodes around a body");
    find_signs(grid, &all);
    close_border(grid);
    return find_crossings(grid);
}

sluice_status sluice_surface_grid_create(struct sluice_surface_grid *grid,
                                         const struct sluice_solid_union *u, double step, int least)
{
    int64_t inner[3];
    *grid = (struct sluice_surface_grid){.u = u, .dimension = u->dimension, .all = 1};
    lay_out(u, step, least, inner, grid->step);
    for (int a = 0; a < 3; a++) {
        grid->nodes[a] = a < u->dimension ? inner[a] + 2 : 1;
        grid->low[a] = a < u->dimension ? u->low[a] - grid->step[a] / 2 : 0;
        grid->stride[a] = grid->all;
        grid->all *= grid->nodes[a];
    }
    const sluice_status status = build(grid);
    if (status != SLUICE_OK)
        sluice_surface_grid_destroy(grid);
    return status;
}

void sluice_surface_grid_destroy(struct sluice_surface_grid *grid)
{
    free(grid->d);
    free(grid->crossing);
    *grid = (struct sluice_surface_grid){0};
}
