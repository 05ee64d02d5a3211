#include "case/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

static const char axis_name[3] = {'x', 'y', 'z'};
static const char *const kind_name[] = {SLUICE_SHAPES(SLUICE_CHOICE_WORD)};

const char *sluice_geometry_title(const struct sluice_config *config, int shape, char *text,
                                  int size)
{
    const struct sluice_shape *s = &config->shapes[shape];
    int used = snprintf(text, (size_t)size, "%s %d", kind_name[s->kind], shape + 1);
    if (s->name[0] && used < size)
        used += snprintf(text + used, (size_t)(size - used), " '%s'", s->name);
    if (s->file[0] && used < size)
        snprintf(text + used, (size_t)(size - used), " (%s:%d)", s->file, s->line);
    return text;
}

static void set_walls(struct sluice_geometry *g)
{
    for (int s = 0; s < g->config->shape_count; s++)
        if (g->config->shapes[s].kind == SLUICE_SHAPE_WALLS)
            g->sides |= g->config->shapes[s].sides;
    for (int a = 0; a < 3; a++) {
        g->with_walls.low[a] = sluice_has_side(g->sides, a, 0) ? -g->layers : 0;
        g->with_walls.high[a] = g->n[a] + (sluice_has_side(g->sides, a, 1) ? g->layers : 0);
    }
}

/* --- Shapes: the cells they own --- */

/* Index of the lattice face nearest to x; halves go up, even if rounding put them slightly below.
 */
static int64_t nearest_face(const struct sluice_geometry *g, int axis, double x)
{
    const double face = floor((x - g->origin[axis]) / g->step[axis] + 0.5 + 1e-9);
    return (int64_t)fmax(-1e15, fmin(1e15, face));
}

/* First cell whose centre is at or above x. */
static int64_t cell_above(const struct sluice_geometry *g, int axis, double x)
{
    const double cell = ceil((x - g->origin[axis]) / g->step[axis] - 0.5 - 1e-9);
    return (int64_t)fmax(-1e15, fmin(1e15, cell));
}

static double cell_centre(const struct sluice_geometry *g, int axis, int64_t cell)
{
    return axis < g->dimension ? g->origin[axis] + ((double)cell + 0.5) * g->step[axis] : 0;
}

/* Whether the shape is flat across this axis (faces to be snapped) rather than round. */
static int is_flat(const struct sluice_shape *s, int axis)
{
    return s->kind == SLUICE_SHAPE_BOX || (s->kind == SLUICE_SHAPE_CYLINDER && axis == s->axis);
}

double sluice_geometry_asked_face(const struct sluice_geometry *g, const struct sluice_shape *s,
                                  int axis, int high)
{
    if (s->kind == SLUICE_SHAPE_WALLS)
        return high ? g->config->domain.max[axis] : g->config->domain.min[axis];
    if (s->kind == SLUICE_SHAPE_BOX)
        return high ? s->max[axis] : s->min[axis];
    const double half = is_flat(s, axis) ? 0.5 * s->length : s->radius;
    return s->centre[axis] + (high ? half : -half);
}

static void snap_shape(const struct sluice_geometry *g, const struct sluice_shape *s,
                       struct sluice_cells *box)
{
    for (int a = 0; a < 3; a++) {
        box->low[a] = 0;
        box->high[a] = 1;
        if (a >= g->dimension)
            continue;
        if (s->kind == SLUICE_SHAPE_WALLS) {
            box->low[a] = g->with_walls.low[a];
            box->high[a] = g->with_walls.high[a];
        } else if (is_flat(s, a)) {
            box->low[a] = nearest_face(g, a, sluice_geometry_asked_face(g, s, a, 0));
            box->high[a] = nearest_face(g, a, sluice_geometry_asked_face(g, s, a, 1));
        } else {
            box->low[a] = cell_above(g, a, sluice_geometry_asked_face(g, s, a, 0));
            box->high[a] = cell_above(g, a, sluice_geometry_asked_face(g, s, a, 1)) +
                           1; /* at most one too many, as shape_owns tests the centre */
        }
    }
}

/* Squared distance of a cell from the centre or the axis of a round shape, m^2. */
static double round_distance2(const struct sluice_geometry *g, const struct sluice_shape *s,
                              const int64_t cell[3])
{
    double d2 = 0;
    for (int a = 0; a < g->dimension; a++)
        if (!is_flat(s, a)) {
            const double d = cell_centre(g, a, cell[a]) - s->centre[a];
            d2 += d * d;
        }
    return d2;
}

static int in_box(const struct sluice_cells *box, const int64_t cell[3])
{
    for (int a = 0; a < 3; a++)
        if (cell[a] < box->low[a] || cell[a] >= box->high[a])
            return 0;
    return 1;
}

/* Whether a cell is beyond the domain's face on one of these sides. */
static int beyond_side(const struct sluice_geometry *g, unsigned sides, int axis, int64_t cell)
{
    return (cell < 0 && sluice_has_side(sides, axis, 0)) ||
           (cell >= g->n[axis] && sluice_has_side(sides, axis, 1));
}

static int shape_owns(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    if (!in_box(&g->box[shape], cell))
        return 0;
    if (s->kind == SLUICE_SHAPE_WALLS)
        return beyond_side(g, s->sides, 0, cell[0]) || beyond_side(g, s->sides, 1, cell[1]) ||
               beyond_side(g, s->sides, 2, cell[2]);
    if (s->kind == SLUICE_SHAPE_BOX)
        return 1;
    return round_distance2(g, s, cell) <= s->radius * s->radius * (1 + 1e-12);
}

int sluice_geometry_owner(const struct sluice_geometry *g, const int64_t cell[3])
{
    for (int shape = g->config->shape_count - 1; shape >= 0; shape--)
        if (shape_owns(g, shape, cell))
            return shape;
    return -1;
}

int sluice_geometry_face_on_wall(const struct sluice_geometry *g, int shape, int axis, int high)
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    const struct sluice_cells *box = &g->box[shape];
    if (!is_flat(s, axis) || !sluice_has_side(g->sides, axis, high))
        return 0;
    return high ? box->high[axis] >= g->n[axis] : box->low[axis] <= 0;
}

/* Whether a cell is deeper in a shell than its layers. A face on a wall of the domain has no
 * layers, as fluid cannot reach it. */
static int hollow(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    const struct sluice_cells *box = &g->box[shape];
    if (s->fill != SLUICE_FILL_SHELL || s->kind == SLUICE_SHAPE_WALLS)
        return 0;
    for (int a = 0; a < g->dimension; a++) {
        if (!is_flat(s, a))
            continue;
        if (cell[a] - box->low[a] < g->layers && !sluice_geometry_face_on_wall(g, shape, a, 0))
            return 0;
        if (box->high[a] - 1 - cell[a] < g->layers && !sluice_geometry_face_on_wall(g, shape, a, 1))
            return 0;
    }
    if (s->kind == SLUICE_SHAPE_BOX)
        return 1;
    const double inner = s->radius - g->layers * g->spacing;
    return inner > 0 && round_distance2(g, s, cell) <= inner * inner;
}

/* --- Walking over the cells --- */

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
                if (shape_owns(w->g, w->shape, cell))
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
    else
        walk_box(w, &w->g->box[w->shape]);
}

static int is_cut(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    for (int later = shape + 1; later < g->config->shape_count; later++)
        if (shape_owns(g, later, cell))
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
    const double x[3] = {cell_centre(w->g, 0, cell[0]), cell_centre(w->g, 1, cell[1]),
                         cell_centre(w->g, 2, cell[2])};
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

static void count_cell(struct walk *w, const int64_t cell[3])
{
    struct sluice_cell_count *n = &w->count;
    n->owned++;
    if (!hollow(w->g, w->shape, cell)) {
        const int cut = is_cut(w->g, w->shape, cell);
        n->filled += !cut;
        n->cut += cut;
    }
    for (int a = 0; a < 3; a++) {
        if (n->owned == 1 || cell[a] < n->extent.low[a])
            n->extent.low[a] = cell[a];
        if (n->owned == 1 || cell[a] >= n->extent.high[a])
            n->extent.high[a] = cell[a] + 1;
    }
}

void sluice_geometry_count(const struct sluice_geometry *g, int shape,
                           struct sluice_cell_count *count)
{
    struct walk w = {.g = g, .shape = shape, .cell = count_cell};
    walk_shape(&w);
    *count = w.count;
}

double sluice_geometry_bound(const struct sluice_geometry *g)
{
    double bound = 0;
    for (int s = 0; s < g->config->shape_count; s++) {
        const struct sluice_shape *shape = &g->config->shapes[s];
        if (shape->type == SLUICE_SHAPE_VOID)
            continue;
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

/* --- Checks before counting --- */

static sluice_status check_shape(const struct sluice_geometry *g, int shape)
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    char title[2 * SLUICE_TEXT_MAX];
    sluice_geometry_title(g->config, shape, title, sizeof title);
    if (s->kind == SLUICE_SHAPE_WALLS)
        return SLUICE_OK;
    for (int a = 0; a < g->dimension; a++) {
        const double low = sluice_geometry_asked_face(g, s, a, 0),
                     high = sluice_geometry_asked_face(g, s, a, 1);
        const int beyond_low = g->box[shape].low[a]<0, beyond_high = g->box[shape].high[a]> g->n[a];
        SLUICE_CHECK(high > low, SLUICE_BAD_INPUT,
                     "geometry: %s ends at %c = %.9g, not above where it begins, %.9g", title,
                     axis_name[a], high, low);
        if (s->type == SLUICE_SHAPE_VOID || (s->type == SLUICE_SHAPE_WALL && !g->periodic[a]))
            continue;
        SLUICE_CHECK(
            !beyond_low || (!is_flat(s, a) && low >= g->origin[a] - 1e-9 * g->spacing),
            SLUICE_BAD_INPUT,
            "geometry: %s begins at %c = %.9g, beyond domain.min = %.9g; it must lie in the domain",
            title, axis_name[a], low, g->origin[a]);
        SLUICE_CHECK(!beyond_high ||
                         (!is_flat(s, a) && high <= g->config->domain.max[a] + 1e-9 * g->spacing),
                     SLUICE_BAD_INPUT,
                     "geometry: %s reaches to %c = %.9g, beyond domain.max = %.9g; it must lie in "
                     "the domain",
                     title, axis_name[a], high, g->config->domain.max[a]);
    }
    return SLUICE_OK;
}

sluice_status sluice_geometry_create(struct sluice_geometry *g, const struct sluice_config *config,
                                     int layers)
{
    memset(g, 0, sizeof *g);
    g->config = config;
    g->dimension = config->dimension;
    g->spacing = config->spacing;
    g->layers = layers;
    SLUICE_TRY(sluice_geometry_set_lattice(g));
    set_walls(g);
    SLUICE_ALLOCATE(g->box, config->shape_count, "shapes");
    for (int s = 0; s < config->shape_count; s++) {
        snap_shape(g, &config->shapes[s], &g->box[s]);
        SLUICE_TRY(check_shape(g, s));
    }
    return SLUICE_OK;
}

void sluice_geometry_destroy(struct sluice_geometry *g)
{
    free(g->box);
    g->box = NULL;
}
