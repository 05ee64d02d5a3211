/* The cells of the lattice near fitted walls, and the volumes of layers and fluid in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/fit_internal.h"
#include "core/allocate.h"

enum { BEYOND_MOST = 3, BLOCK = 64 };

void sluice_fit_cell_at(const struct sluice_geometry *g, const double x[3], int64_t cell[3])
{
    sluice_geometry_cell_at(g, x, cell);
    sluice_geometry_wrap(g, cell);
}

static sluice_status add_cell(struct sluice_fit *f, const int64_t at[3], int content, int shape)
{
    struct sluice_fit_cell new = {.content = (enum sluice_fit_content)content, .shape = shape};
    const int64_t n = f->map.count;
    SLUICE_GROW(f->cell, n, f->cell_capacity, "cells at fitted walls");
    SLUICE_TRY(sluice_cell_map_add(&f->map, at));
    sluice_geometry_centre_of(&f->surface, at, new.x);
    f->cell[n] = new;
    return SLUICE_OK;
}

/* --- Seeds --- */

struct seeds {
    struct sluice_fit *f;
    sluice_status status;
};

static void add_seed(void *data, int shape, const double x[3])
{
    struct seeds *s = data;
    int64_t cell[3];
    if (s->status != SLUICE_OK || !sluice_fit_is_fitted(s->f->config, shape))
        return;
    sluice_fit_cell_at(&s->f->surface, x, cell);
    s->status = add_cell(s->f, cell, SLUICE_CELL_SEED, shape);
}

/* --- Neighbours --- */

/* By how many rows a cell is outside the domain. */
static int64_t rows_outside(const struct sluice_geometry *g, const int64_t cell[3])
{
    int64_t rows = 0;
    for (int a = 0; a < g->dimension; a++) {
        const int64_t out = cell[a] < 0 ? -cell[a] : cell[a] - g->n[a] + 1;
        rows = out > rows ? out : rows;
    }
    return rows;
}

/* Adds a neighbour of cell `from`, unless it is far beyond the room for walls. A surface without
 * end is followed no farther; a shape that moves has room everywhere. */
static sluice_status meet_cell(struct sluice_fit *f, int64_t from, const int64_t at[3])
{
    const struct sluice_geometry *g = &f->surface;
    const int64_t outside = rows_outside(g, at);
    const int owner = sluice_geometry_owner(g, at);
    const int type = owner < 0 ? SLUICE_SHAPE_VOID : f->config->shapes[owner].type;
    double x[3], way[3];
    int shape;
    if (owner >= 0 &&
        sluice_fit_is_fitted(f->config, owner)) { /* a part of it may be in the last layer */
        SLUICE_TRY(add_cell(f, at, SLUICE_CELL_SEED, owner));
        f->cell[f->map.count - 1].deep = 1;
        return SLUICE_OK;
    }
    if (type == SLUICE_SHAPE_WALL)
        return add_cell(f, at, SLUICE_CELL_LATTICE, owner);
    if (outside > g->layers + BEYOND_MOST && f->cell[from].content != SLUICE_CELL_SEED)
        return SLUICE_OK;
    sluice_geometry_centre_of(g, at, x);
    if (outside > 0 &&
        sluice_fit_distance(f, SLUICE_FIT_ALL_WALLS, x, way, &shape) < -1e-9 * g->spacing)
        return add_cell(f, at, SLUICE_CELL_BEYOND, shape);
    return add_cell(f, at, type == SLUICE_SHAPE_FLUID ? SLUICE_CELL_FLUID : SLUICE_CELL_DRY, owner);
}

static sluice_status meet_neighbours(struct sluice_fit *f, int64_t from)
{
    const int64_t deep = f->surface.dimension == 3;
    const int64_t at[3] = {f->map.cell[from][0], f->map.cell[from][1], f->map.cell[from][2]};
    int64_t d[3];
    for (d[2] = -deep; d[2] <= deep; d[2]++)
        for (d[1] = -1; d[1] <= 1; d[1]++)
            for (d[0] = -1; d[0] <= 1; d[0]++) {
                int64_t other[3] = {at[0] + d[0], at[1] + d[1], at[2] + d[2]};
                sluice_geometry_wrap(&f->surface, other);
                if (sluice_cell_map_find(&f->map, other) < 0)
                    SLUICE_TRY(meet_cell(f, from, other));
            }
    return SLUICE_OK;
}

struct row {
    struct sluice_fit *f;
    int64_t first, last;
};

static void find_distances(struct sluice_share *share, void *data)
{
    const struct row *row = data;
    const struct sluice_fit *f = row->f;
    int64_t first, last;
    double way[3];
    while (sluice_share_block(share, row->last - row->first, BLOCK, &first, &last))
        for (int64_t i = row->first + first; i < row->first + last; i++) {
            struct sluice_fit_cell *c = &f->cell[i];
            c->apart = fabs(
                sluice_fit_distance(f, SLUICE_FIT_FITTED_WALLS, c->x, way, &c->nearest));
            if (c->content == SLUICE_CELL_SEED)
                c->depth = -sluice_fit_distance(f, f->motion[c->shape], c->x, way, NULL);
        }
}

/* From the seeds outwards, one row of cells after the other, up to the reach of the fluid that
 * moves and of its neighbours. */
static sluice_status find_neighbours(struct sluice_fit *f)
{
    const double most = 2 * f->cutoff + f->surface.spacing;
    int64_t first = 0;
    while (first < f->map.count) {
        struct row row = {f, first, f->map.count};
        sluice_waiting_report(f->waiting, "fitted walls: finding %lld cells around them",
                              (long long)f->map.count);
        sluice_threads_run(f->team, sluice_blocks(row.last - row.first, BLOCK), find_distances,
                           &row);
        for (int64_t i = first; i < row.last; i++)
            if (!f->cell[i].deep &&
                (f->cell[i].content == SLUICE_CELL_SEED || f->cell[i].apart < most))
                SLUICE_TRY(meet_neighbours(f, i));
        first = row.last;
    }
    return SLUICE_OK;
}

/* --- Volumes --- */

int sluice_fit_layer_at(const struct sluice_fit *f, double depth)
{
    return (int)fmax(0, floor(depth / f->surface.spacing + 1e-6));
}

int sluice_fit_layers_of(const struct sluice_fit *f, int shape)
{
    return f->config->shapes[shape].fill == SLUICE_FILL_SHELL ? f->surface.layers : INT32_MAX;
}

/* A cell, or a part of it, as seen from the walls' surface. */
struct piece {
    double x[3], edge; /* m; edge in spacings */
    double depth;      /* of x, in spacings */
    double out[3];     /* the unit vector out of the walls */
    int shape;         /* the nearest wall */
};

static void see(const struct sluice_fit *f, int motion, struct piece *p)
{
    double way[3];
    const double d = sluice_fit_distance(f, motion, p->x, way, &p->shape);
    p->depth = -d / f->surface.spacing;
    if (fabs(p->depth) < 1e6)
        sluice_fit_outwards(f, motion, p->x, d, way, p->out);
}

/* The volume, in dp^D, of the part of a piece that is less deep than `depth`, by the plane through
 * its middle. */
static double fraction_above(const struct sluice_fit *f, const struct piece *p, double depth)
{
    const int dimension = f->surface.dimension;
    return pow(p->edge, dimension) *
           sluice_fit_cube_fraction(dimension, p->out, (depth - p->depth) / p->edge);
}

/* Finds who owns the open part of a piece: the last fluid or void that contains it. Returns that
 * fluid; shape_count: the part is dry; -1: it is in a wall. x: a point in the part, the piece's
 * middle or else 0.01 dp off the surface. */
static int owner_of_open(const struct sluice_fit *f, const struct piece *p, double x[3])
{
    const double dp = f->surface.spacing, into = p->depth < 0 ? 0 : p->depth + 0.01;
    double way[3];
    for (int a = 0; a < 3; a++)
        x[a] = p->x[a] + into * dp * p->out[a];
    if (sluice_fit_distance(f, SLUICE_FIT_ALL_WALLS, x, way, NULL) < -1e-9 * dp)
        return -1;
    int count;
    const int *list = sluice_shape_tree_near(&f->tree, x, &count);
    for (int k = count - 1; k >= 0; k--) {
        const int s = list[k], type = f->config->shapes[s].type;
        if (type == SLUICE_SHAPE_PART || type == SLUICE_SHAPE_WALL ||
            f->config->shapes[s].kind == SLUICE_SHAPE_WALLS ||
            sluice_geometry_box_distance(f->geometry, s, x) > 1e-9 * dp ||
            sluice_geometry_distance(f->geometry, s, x, way) > 1e-9 * dp)
            continue;
        return type == SLUICE_SHAPE_FLUID ? s : f->config->shape_count;
    }
    return f->config->shape_count;
}

/* Whether fluid near x has room beside the walls. Between two parallel walls the steps go back and
 * forth, and end at the gap less `least` from one of them: `enough` accepts gaps from 0.65 dp. In a
 * corner of the fluid each step is shorter than the last by the cosine of its angle: so many steps
 * come out of its tip from 30 degrees on. */
static int fluid_fits(const struct sluice_fit *f, const double x[3])
{
    enum { STEPS = 20 };
    const double enough = 0.85; /* of `least` */
    const double least = SLUICE_FIT_TO_SURFACE * f->surface.spacing;
    double at[3] = {x[0], x[1], x[2]};
    return sluice_fit_hold(f, least, STEPS, at) >= enough * least;
}

/* Gives the part of a seed's piece outside all walls to the fluid, if its particles have room
 * there.
 */
static void add_fluid_volume(struct sluice_fit *f, struct piece p)
{
    double x[3];
    see(f, SLUICE_FIT_ALL_WALLS, &p);
    const double open = fraction_above(f, &p, 0);
    const int fluid = open > 0 ? owner_of_open(f, &p, x) : -1;
    if (fluid < 0)
        return;
    if (fluid_fits(f, x))
        f->due_fluid[fluid] += open;
    else if (fluid < f->config->shape_count)
        f->narrow += open;
}

/* Adds the volumes of a piece of a seed's cell: in its shape's layers, and in the fluid. */
static void add_seed_volume(struct sluice_fit *f, const struct piece *p, int shape)
{
    const int most = sluice_fit_layers_of(f, shape) < f->layers ? sluice_fit_layers_of(f, shape)
                                                                : f->layers;
    const double open = fraction_above(f, p, 0);
    double above = open;
    const int first = (int)fmax(0, floor(p->depth - p->edge));
    if (first > 0)
        above = fraction_above(f, p, first);
    for (int k = first; k < most && k <= p->depth + p->edge; k++) {
        const double next = fraction_above(f, p, k + 1);
        f->due[(int64_t)shape * f->layers + k] += next - above;
        above = next;
    }
    if (open > 0)
        add_fluid_volume(f, *p);
}

/* The part of an open cell's volume that walls take, and that a narrow gap takes from the fluid. */
static void add_open_volume(struct sluice_fit *f, const struct piece *p,
                            const struct sluice_fit_cell *cell)
{
    const int fitted = p->shape >= 0 && sluice_fit_is_fitted(f->config, p->shape);
    const double whole = pow(p->edge, f->surface.dimension),
                 in = fitted ? whole - fraction_above(f, p, 0) : 0;
    if (fitted)
        f->due[(int64_t)p->shape * f->layers] += in;
    f->due_fluid[cell->content == SLUICE_CELL_FLUID ? cell->shape : f->config->shape_count] -=
        cell->narrow ? whole : in;
    f->narrow += cell->narrow ? whole - in : 0;
}

/* Whether the domain and its walls' layers have room for the particles of a shape in the row of a
 * cell. */
static int shape_fits(const struct sluice_fit *f, int shape, const int64_t cell[3])
{
    const struct sluice_geometry *g = f->geometry;
    for (int a = 0; a < g->dimension; a++) {
        const int64_t low = -g->layers, high = g->n[a] + g->layers;
        if (!g->periodic[a] && ((cell[a] < low && g->box[shape].low[a] == low &&
                                 g->solid[shape].low[a] < sluice_geometry_centre(g, a, low - 1)) ||
                                (cell[a] >= high && g->box[shape].high[a] == high &&
                                 g->solid[shape].high[a] > sluice_geometry_centre(g, a, high))))
            return 0;
    }
    return 1;
}

/* The middle of a part of a cell: of half its edge, one of 2^D. */
static void middle_of_part(const struct sluice_geometry *g, int part, double x[3])
{
    for (int a = 0; a < g->dimension; a++)
        x[a] += (part >> a & 1 ? 0.25 : -0.25) * g->step[a];
}

/* Corrects the volume of a fitted shape where its surface runs through cell i: adds the part of the
 * cell in the shape, and takes off the whole cell if its centre counted. Cuts by other shapes do
 * not matter. */
static void add_own_volume(struct sluice_fit *f, int shape, int64_t i)
{
    const struct sluice_geometry *g = f->geometry;
    const double *x = f->cell[i].x, near = f->near * g->spacing;
    double way[3];
    if (!sluice_fit_is_fitted(f->config, shape) ||
        sluice_geometry_box_distance(g, shape, x) > near ||
        fabs(sluice_geometry_distance(g, shape, x, way)) > near ||
        !shape_fits(f, shape, f->map.cell[i]))
        return;
    f->volume[shape] -= sluice_geometry_owns(g, shape, f->map.cell[i]);
    for (int part = 0; part < 1 << g->dimension; part++) {
        struct piece p = {.x = {x[0], x[1], x[2]}, .edge = 0.5};
        middle_of_part(g, part, p.x);
        const double d = sluice_geometry_distance(g, shape, p.x, way);
        p.depth = -d / g->spacing;
        for (int a = 0; a < 3; a++)
            p.out[a] = d == 0 ? a == 0 : -way[a] / d;
        f->volume[shape] += pow(p.edge, g->dimension) - fraction_above(f, &p, 0);
    }
}

static void add_volume(struct sluice_fit *f, int64_t i)
{
    struct sluice_fit_cell *cell = &f->cell[i];
    const struct sluice_geometry *g = &f->surface;
    const int cut = cell->apart <= f->near * g->spacing;
    int count;
    const int *list = sluice_shape_tree_near(&f->tree, cell->x, &count);
    for (int k = 0; k < count; k++)
        add_own_volume(f, list[k], i);
    if (cell->content == SLUICE_CELL_LATTICE || cell->content == SLUICE_CELL_BEYOND)
        return;
    const int seed = cell->content == SLUICE_CELL_SEED,
              motion = seed ? f->motion[cell->shape] : SLUICE_FIT_ALL_WALLS;
    struct piece whole = {.x = {cell->x[0], cell->x[1], cell->x[2]}, .edge = 1};
    if (!seed && (!cut || !shape_fits(f, cell->nearest, f->map.cell[i])))
        return;
    cell->narrow = cell->content == SLUICE_CELL_FLUID && !fluid_fits(f, cell->x);
    see(f, motion, &whole);
    for (int part = 0; part < (cut ? 1 << g->dimension : 1); part++) {
        struct piece p = whole;
        if (cut) {
            p.edge = 0.5;
            middle_of_part(g, part, p.x);
            see(f, motion, &p);
        }
        if (seed)
            add_seed_volume(f, &p, cell->shape);
        else
            add_open_volume(f, &p, cell);
    }
}

/* Finds how many layers there are. */
static int deepest_layer(const struct sluice_fit *f)
{
    double deepest = 0;
    for (int64_t i = 0; i < f->map.count; i++) {
        const struct sluice_fit_cell *c = &f->cell[i];
        if (c->content == SLUICE_CELL_SEED && f->config->shapes[c->shape].fill == SLUICE_FILL_SOLID)
            deepest = fmax(deepest, c->depth);
    }
    const int count = sluice_fit_layer_at(f, deepest) + 1;
    return count > f->surface.layers ? count : f->surface.layers;
}

sluice_status sluice_fit_find_cells(struct sluice_fit *f)
{
    const int shapes = f->config->shape_count;
    struct seeds seeds = {f, SLUICE_OK};
    sluice_geometry_visit(f->geometry, SLUICE_SHAPE_WALL, add_seed, &seeds);
    SLUICE_TRY(seeds.status);
    /* Half a cell's diagonal. 0.01: cells of a period may be stretched a little; and rounding. */
    f->near = 0.51 * sqrt(f->surface.dimension);
    SLUICE_TRY(find_neighbours(f));
    f->layers = deepest_layer(f);
    SLUICE_ALLOCATE(f->due, (int64_t)shapes * f->layers, "layers of fitted walls");
    SLUICE_ALLOCATE(f->due_fluid, shapes + 1, "shapes");
    SLUICE_ALLOCATE(f->volume, shapes, "shapes");
    SLUICE_ALLOCATE(f->buried, shapes, "shapes");
    for (int64_t i = 0; i < f->map.count; i++)
        add_volume(f, i);
    return SLUICE_OK;
}
