/* Walks over the cells of shapes: which are filled, and how many. */
#include <math.h>
#include <pthread.h>

#include "core/threads.h"
#include "domain/comm.h"
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
        /* A body may leave the wall that its face is on. */
        if (cell[a] - box->low[a] < g->layers &&
            (s->body || !sluice_geometry_face_on_wall(g, shape, a, 0)))
            return 0;
        if (box->high[a] - 1 - cell[a] < g->layers &&
            (s->body || !sluice_geometry_face_on_wall(g, shape, a, 1)))
            return 0;
    }
    if (s->kind == SLUICE_SHAPE_BOX)
        return 1;
    const double inner = s->radius - g->layers * g->spacing;
    return inner > 0 && sluice_geometry_round2(g, s, cell) <= inner * inner;
}

/* One slab a side, and never the inside of the domain, which may be huge. A corner belongs to the
 * slab of the last axis that it lies beyond. */
static int find_wall_boxes(const struct sluice_geometry *g, unsigned sides,
                           struct sluice_cells box[SLUICE_SHAPE_BOXES])
{
    int boxes = 0;
    for (int a = 0; a < g->dimension; a++)
        for (int high = 0; high < 2; high++) {
            if (!sluice_has_side(sides, a, high))
                continue;
            struct sluice_cells *slab = &box[boxes++];
            *slab = g->with_walls;
            slab->low[a] = high ? g->n[a] : -g->layers;
            slab->high[a] = slab->low[a] + g->layers;
            for (int b = a + 1; b < g->dimension; b++) {
                if (sluice_has_side(sides, b, 0))
                    slab->low[b] = 0;
                if (sluice_has_side(sides, b, 1))
                    slab->high[b] = g->n[b];
            }
        }
    return boxes;
}

int sluice_geometry_boxes(const struct sluice_geometry *g, int shape,
                          struct sluice_cells box[SLUICE_SHAPE_BOXES])
{
    if (g->config->shapes[shape].kind == SLUICE_SHAPE_WALLS)
        return find_wall_boxes(g, g->config->shapes[shape].sides, box);
    box[0] = g->raster[shape].ready ? g->raster[shape].cells : g->box[shape];
    return 1;
}

static int is_cut(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    int64_t count;
    const int *later = sluice_shape_bins_at(&g->bins, cell, &count);
    while (count-- > 0 && later[count] > shape)
        if (sluice_geometry_owns(g, later[count], cell))
            return 1;
    return 0;
}

int sluice_geometry_fills(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    return sluice_geometry_owns(g, shape, cell) && !hollow(g, shape, cell) &&
           !is_cut(g, shape, cell);
}

/* --- All cells, one after the other --- */

static void visit_box(const struct sluice_geometry *g, int shape, const struct sluice_cells *box,
                      sluice_geometry_visitor visit, void *data)
{
    int64_t cell[3];
    for (cell[2] = box->low[2]; cell[2] < box->high[2]; cell[2]++)
        for (cell[1] = box->low[1]; cell[1] < box->high[1]; cell[1]++)
            for (cell[0] = box->low[0]; cell[0] < box->high[0]; cell[0]++) {
                if (!sluice_geometry_fills(g, shape, cell))
                    continue;
                double x[3];
                sluice_geometry_centre_of(g, cell, x);
                visit(data, shape, x);
            }
}

void sluice_geometry_visit(const struct sluice_geometry *g, int type, sluice_geometry_visitor visit,
                           void *data)
{
    struct sluice_cells box[SLUICE_SHAPE_BOXES];
    for (int s = 0; s < g->config->shape_count; s++) {
        const int boxes = g->config->shapes[s].type == type ? sluice_geometry_boxes(g, s, box) : 0;
        for (int k = 0; k < boxes; k++)
            visit_box(g, s, &box[k], visit, data);
    }
}

/* --- Counts --- */

enum {
    BLOCK = 1 << 14, /* cells, about */
    FEW = 100000     /* starting threads takes longer than counting so many cells */
};

struct counting {
    const struct sluice_geometry *g;
    int shape;
    const struct sluice_cells *box;
    int64_t first, rows, block; /* the rows of the box that are counted; taken at a time */
    pthread_mutex_t lock;
    struct sluice_cell_count count;
};

static const struct sluice_cell_count none = {
    .extent = {{INT64_MAX, INT64_MAX, INT64_MAX}, {INT64_MIN, INT64_MIN, INT64_MIN}}};

static void add_cell(const struct counting *c, const int64_t cell[3], struct sluice_cell_count *n)
{
    if (!sluice_geometry_owns(c->g, c->shape, cell))
        return;
    n->owned++;
    for (int a = 0; a < 3; a++) {
        if (cell[a] < n->extent.low[a])
            n->extent.low[a] = cell[a];
        if (cell[a] >= n->extent.high[a])
            n->extent.high[a] = cell[a] + 1;
    }
    if (c->g->config->shapes[c->shape].type == SLUICE_SHAPE_PART || hollow(c->g, c->shape, cell))
        return;
    const int cut = is_cut(c->g, c->shape, cell);
    n->filled += !cut;
    n->cut += cut;
}

static void add_counts(struct sluice_cell_count *all, const struct sluice_cell_count *n)
{
    all->owned += n->owned;
    all->filled += n->filled;
    all->cut += n->cut;
    for (int a = 0; a < 3; a++) {
        if (n->extent.low[a] < all->extent.low[a])
            all->extent.low[a] = n->extent.low[a];
        if (n->extent.high[a] > all->extent.high[a])
            all->extent.high[a] = n->extent.high[a];
    }
}

static void count_rows(struct sluice_share *share, void *data)
{
    struct counting *c = data;
    struct sluice_cell_count n = none;
    const int64_t high = c->box->high[1] - c->box->low[1];
    int64_t row, end, cell[3];
    while (sluice_share_block(share, c->rows, c->block, &row, &end))
        for (; row < end; row++) {
            sluice_waiting_report(c->g->waiting, "geometry: counting the cells of shapes");
            cell[1] = c->box->low[1] + (c->first + row) % high;
            cell[2] = c->box->low[2] + (c->first + row) / high;
            for (cell[0] = c->box->low[0]; cell[0] < c->box->high[0]; cell[0]++)
                add_cell(c, cell, &n);
        }
    pthread_mutex_lock(&c->lock);
    add_counts(&c->count, &n);
    pthread_mutex_unlock(&c->lock);
}

/* Each of several ranks counts some of the rows. */
static sluice_status count_box(struct counting *c)
{
    const struct sluice_comm *world = sluice_world();
    const int64_t wide = c->box->high[0] - c->box->low[0], high = c->box->high[1] - c->box->low[1],
                  deep = c->box->high[2] - c->box->low[2];
    struct sluice_threads *team = NULL;
    if (wide <= 0 || high <= 0 || deep <= 0)
        return SLUICE_OK;
    c->first = sluice_comm_share(world, high * deep, world->rank);
    c->rows = sluice_comm_share(world, high * deep, world->rank + 1) - c->first;
    c->block = 1 + BLOCK / wide;
    if ((double)wide * (double)c->rows > FEW)
        SLUICE_TRY(sluice_threads_create(
            &team, sluice_config_threads(c->g->config, sluice_world()->sharing)));
    sluice_threads_run(team, sluice_blocks(c->rows, c->block), count_rows, c);
    sluice_threads_destroy(&team);
    return SLUICE_OK;
}

/* The global counts. Reals have each cell's number exactly. */
static sluice_status join_counts(struct sluice_cell_count *n)
{
    struct sluice_comm *world = sluice_world();
    int64_t sum[3] = {n->owned, n->filled, n->cut};
    double most[6];
    for (int a = 0; a < 3; a++) {
        most[a] = -(double)n->extent.low[a];
        most[3 + a] = (double)n->extent.high[a];
    }
    SLUICE_TRY(world->ops->sum(world, sum, 3));
    SLUICE_TRY(world->ops->max(world, most, 6));
    *n = (struct sluice_cell_count){.owned = sum[0], .filled = sum[1], .cut = sum[2]};
    for (int a = 0; a < 3 && n->owned > 0; a++) {
        n->extent.low[a] = -(int64_t)most[a];
        n->extent.high[a] = (int64_t)most[3 + a];
    }
    return SLUICE_OK;
}

sluice_status sluice_geometry_count(const struct sluice_geometry *g, int shape,
                                    struct sluice_cell_count *count)
{
    struct sluice_cells box[SLUICE_SHAPE_BOXES];
    const int boxes = sluice_geometry_boxes(g, shape, box);
    struct counting c = {.g = g, .shape = shape, .lock = PTHREAD_MUTEX_INITIALIZER, .count = none};
    for (int k = 0; k < boxes; k++) {
        c.box = &box[k];
        SLUICE_TRY(count_box(&c));
    }
    *count = c.count;
    return join_counts(count);
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
