/* Walks over the cells of shapes: which are filled, and how many. */
#include <math.h>

#include "geometry/geometry.h"

/* Whether a cell is deeper in a shell than its layers. A face on a wall of the domain has no
 * layers, as fluid cannot reach it. */
static int hollow(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    const struct sluice_shape *s = &g->asked[shape];
    const struct sluice_cells *box = &g->box[shape];
    if (s->fill != SLUICE_FILL_SHELL || s->kind == SLUICE_SHAPE_WALLS)
        return 0;
    if (!sluice_geometry_is_plain(s))
        return sluice_raster_at(&g->raster[shape], cell) == SLUICE_RASTER_DEEP;
    for (int a = 0; a < g->dimension; a++) {
        if (!sluice_geometry_is_flat(s, a))
            continue;
        if (cell[a] - box->low[a] < g->layers && !sluice_geometry_face_on_wall(g, shape, a, 0))
            return 0;
        if (box->high[a] - 1 - cell[a] < g->layers && !sluice_geometry_face_on_wall(g, shape, a, 1))
            return 0;
    }
    if (s->kind == SLUICE_SHAPE_BOX)
        return 1;
    const double inner = s->radius - g->layers * g->spacing;
    return inner > 0 && sluice_geometry_round2(g, s, cell) <= inner * inner;
}

struct walk {
    const struct sluice_geometry *g;
    int shape;
    void (*cell)(struct walk *w, const int64_t cell[3]);
    sluice_geometry_visitor visit; /* of visit_cell */
    void *data;
    struct sluice_cell_count count; /* of count_cell */
};

static void walk_box(struct walk *w, const struct sluice_cells *box)
{
    int64_t cell[3] = {0};
    for (cell[2] = box->low[2]; cell[2] < box->high[2]; cell[2]++)
        for (cell[1] = box->low[1]; cell[1] < box->high[1]; cell[1]++)
            for (cell[0] = box->low[0]; cell[0] < box->high[0]; cell[0]++)
                if (sluice_geometry_owns(w->g, w->shape, cell))
                    w->cell(w, cell);
}

/* Walks over the layers of a walls shape, one slab a side, and never over the inside of the domain,
 * which may be huge. A corner belongs to the slab of the last axis that it lies beyond. */
static void walk_walls(struct walk *w)
{
    const struct sluice_geometry *g = w->g;
    const unsigned sides = g->config->shapes[w->shape].sides;
    for (int a = 0; a < g->dimension; a++)
        for (int high = 0; high < 2; high++) {
            if (!sluice_has_side(sides, a, high))
                continue;
            struct sluice_cells slab = g->with_walls;
            slab.low[a] = high ? g->n[a] : -g->layers;
            slab.high[a] = slab.low[a] + g->layers;
            for (int b = a + 1; b < g->dimension; b++) {
                if (sluice_has_side(sides, b, 0))
                    slab.low[b] = 0;
                if (sluice_has_side(sides, b, 1))
                    slab.high[b] = g->n[b];
            }
            walk_box(w, &slab);
        }
}

static void walk_shape(struct walk *w)
{
    if (w->g->config->shapes[w->shape].kind == SLUICE_SHAPE_WALLS)
        walk_walls(w);
    else if (w->g->raster[w->shape].ready)
        walk_box(w, &w->g->raster[w->shape].cells);
    else
        walk_box(w, &w->g->box[w->shape]);
}

static int is_cut(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    for (int later = shape + 1; later < g->config->shape_count; later++)
        if (g->config->shapes[later].type != SLUICE_SHAPE_PART &&
            sluice_geometry_owns(g, later, cell))
            return 1;
    return 0;
}

/* Whether a cell that the shape owns is filled. */
static int shape_fills(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    return !hollow(g, shape, cell) && !is_cut(g, shape, cell);
}

static void visit_cell(struct walk *w, const int64_t cell[3])
{
    if (!shape_fills(w->g, w->shape, cell))
        return;
    const double x[3] = {sluice_geometry_centre(w->g, 0, cell[0]),
                         sluice_geometry_centre(w->g, 1, cell[1]),
                         sluice_geometry_centre(w->g, 2, cell[2])};
    w->visit(w->data, w->shape, x);
}

void sluice_geometry_visit(const struct sluice_geometry *g, int type, sluice_geometry_visitor visit,
                           void *data)
{
    struct walk w = {.g = g, .cell = visit_cell, .visit = visit, .data = data};
    for (w.shape = 0; w.shape < g->config->shape_count; w.shape++)
        if (g->config->shapes[w.shape].type == type)
            walk_shape(&w);
}

static void count_owned(struct walk *w, const int64_t cell[3])
{
    struct sluice_cell_count *n = &w->count;
    n->owned++;
    for (int a = 0; a < 3; a++) {
        if (n->owned == 1 || cell[a] < n->extent.low[a])
            n->extent.low[a] = cell[a];
        if (n->owned == 1 || cell[a] >= n->extent.high[a])
            n->extent.high[a] = cell[a] + 1;
    }
}

static void count_cell(struct walk *w, const int64_t cell[3])
{
    struct sluice_cell_count *n = &w->count;
    count_owned(w, cell);
    if (!hollow(w->g, w->shape, cell)) {
        const int cut = is_cut(w->g, w->shape, cell);
        n->filled += !cut;
        n->cut += cut;
    }
}

void sluice_geometry_count(const struct sluice_geometry *g, int shape,
                           struct sluice_cell_count *count)
{
    struct walk w = {.g = g, .shape = shape, .cell = count_cell};
    if (g->config->shapes[shape].type == SLUICE_SHAPE_PART)
        w.cell = count_owned;
    walk_shape(&w);
    *count = w.count;
}

double sluice_geometry_bound(const struct sluice_geometry *g)
{
    double bound = 0;
    for (int s = 0; s < g->config->shape_count; s++) {
        const struct sluice_shape *shape = &g->config->shapes[s];
        if (shape->type == SLUICE_SHAPE_VOID || shape->type == SLUICE_SHAPE_PART)
            continue;
        if (!sluice_geometry_is_plain(shape)) {
            const int64_t *n = g->raster[s].count;
            bound += (double)n[SLUICE_RASTER_NEAR];
            bound += shape->fill == SLUICE_FILL_SHELL ? 0 : (double)n[SLUICE_RASTER_DEEP];
            continue;
        }
        double cells = 1, inner = 1;
        for (int a = 0; a < g->dimension; a++) {
            const double wide = (double)(g->box[s].high[a] - g->box[s].low[a]);
            cells *= fmax(0, wide);
            inner *= shape->kind == SLUICE_SHAPE_WALLS  ? (double)g->n[a]
                     : shape->fill == SLUICE_FILL_SHELL ? fmax(0, wide - 2 * g->layers)
                                                        : 0;
        }
        bound += cells - inner;
    }
    return bound;
}
