#include "probes/probe_walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/geometry.h"

/* The walls at rest, or those of one motion, as they stand at t = 0; and where they are now. */
struct body {
    int motion;             /* -1: at rest */
    int used;               /* it has walls */
    double low[3], high[3]; /* all of it at t = 0, m */
    double now_low[3], now_high[3];
    struct sluice_displacement at;
    int64_t count, capacity;
    double (*particle)[3]; /* [count] of a particle file, at t = 0, m; sorted by x */
};

struct sluice_walls {
    const struct sluice_case *setup;
    struct sluice_geometry geometry;
    int has_shapes; /* whether shapes have walls at all */
    int *motion;    /* [shape_count] the motion that carries a shape, or -1 */
    int *stands;    /* [shape_count] whether its cells are walls, where it has them */
    int bodies;     /* 1 + motion_count: the first is at rest */
    struct body *body;
};

/* What a face of a cube around a particle may be off by, in half spacings. */
#define FACE_ROUNDING 0.01

/* A column in the coordinates that a body has at t = 0: start + height way. */
struct line {
    double start[3], way[3];
};

/* --- Columns --- */

sluice_status sluice_wall_column_add(struct sluice_wall_column *column, double low, double high)
{
    if (column->count == column->capacity) {
        const int capacity = 2 * column->capacity + 4;
        struct sluice_wall_span *larger = realloc(column->span, (size_t)capacity * sizeof *larger);
        SLUICE_CHECK(larger, SLUICE_DEVICE, "no memory for %d walls above a probe", capacity);
        column->span = larger;
        column->capacity = capacity;
    }
    column->span[column->count++] = (struct sluice_wall_span){low, high};
    return SLUICE_OK;
}

static int by_height(const void *a, const void *b)
{
    const struct sluice_wall_span *x = a, *y = b;
    return x->low != y->low ? (x->low < y->low ? -1 : 1)
                            : (x->high > y->high) - (x->high < y->high);
}

void sluice_wall_column_join(struct sluice_wall_column *column, double gap)
{
    struct sluice_wall_span *span = column->span;
    int last = 0;
    if (column->count < 2)
        return;
    qsort(span, (size_t)column->count, sizeof *span, by_height);
    for (int k = 1; k < column->count; k++)
        if (span[k].low - span[last].high < gap)
            span[last].high = fmax(span[last].high, span[k].high);
        else
            span[++last] = span[k];
    column->count = last + 1;
}

/* --- The bodies --- */

static int is_wall(const struct sluice_shape *s)
{
    return s->kind == SLUICE_SHAPE_WALLS || s->type == SLUICE_SHAPE_WALL;
}

/* The shape of walls that owns a cell, or -1. */
static int shape_at(const struct sluice_walls *w, const int64_t cell[3])
{
    const int shape = w->has_shapes ? sluice_geometry_owner(&w->geometry, cell) : -1;
    return shape >= 0 && is_wall(&w->setup->config->shapes[shape]) ? shape : -1;
}

/* The body whose wall a cell is, or -1. */
static int owner_of(const struct sluice_walls *w, const int64_t cell[3])
{
    const int shape = shape_at(w, cell);
    return shape >= 0 && w->stands[shape] ? 1 + w->motion[shape] : -1;
}

static void extend(struct body *body, const double low[3], const double high[3])
{
    for (int a = 0; a < 3; a++) {
        body->low[a] = body->used ? fmin(body->low[a], low[a]) : low[a];
        body->high[a] = body->used ? fmax(body->high[a], high[a]) : high[a];
    }
    body->used = 1;
}

static void add_shapes(struct sluice_walls *w)
{
    const struct sluice_geometry *g = &w->geometry;
    for (int s = 0; s < w->setup->config->shape_count; s++) {
        double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
        if (!is_wall(&w->setup->config->shapes[s]) || !w->stands[s])
            continue;
        for (int a = 0; a < g->dimension; a++) {
            low[a] = g->origin[a] + (double)g->box[s].low[a] * g->step[a];
            high[a] = g->origin[a] + (double)g->box[s].high[a] * g->step[a];
        }
        extend(&w->body[1 + w->motion[s]], low, high);
    }
}

static sluice_status add_particle(struct body *body, const double x[3], double half)
{
    if (body->count == body->capacity) {
        const int64_t capacity = 2 * body->capacity + 1024;
        double(*larger)[3] = realloc(body->particle, (size_t)capacity * sizeof *larger);
        SLUICE_CHECK(larger, SLUICE_DEVICE, "no memory for %lld walls of a file under probes",
                     (long long)capacity);
        body->particle = larger;
        body->capacity = capacity;
    }
    memcpy(body->particle[body->count++], x, sizeof *body->particle);
    extend(body, (double[3]){x[0] - half, x[1] - half, x[2] - half},
           (double[3]){x[0] + half, x[1] + half, x[2] + half});
    return SLUICE_OK;
}

static int by_x(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The shape whose wall particle would be at x, if it were of this body; or -1. */
static int shape_of(const struct sluice_walls *w, int body, const double x[3])
{
    const struct sluice_geometry *g = &w->geometry;
    int64_t cell[3] = {0, 0, 0};
    for (int a = 0; a < g->dimension; a++) {
        const double place = (x[a] - g->origin[a]) / g->step[a];
        cell[a] = (int64_t)floor(place);
        if (fabs(place - (double)cell[a] - 0.5) > 1e-3)
            return -1;
    }
    const int shape = shape_at(w, cell);
    return shape >= 0 && 1 + w->motion[shape] == body ? shape : -1;
}

/* With a file, walls that are not where shapes put them are the file's. A shape all of whose
 * particles gave way to the file's stands only if the file has them at the same places: those of a
 * snapshot may have moved. */
static sluice_status add_particles(struct sluice_walls *w)
{
    const struct sluice_case *c = w->setup;
    const struct sluice_start *wall = &c->start[SLUICE_WALL];
    struct sluice_grid grid = {0};
    sluice_status status = SLUICE_OK;
    if (!c->config->particles[0] || wall->count == 0)
        return SLUICE_OK;
    int64_t *found = calloc((size_t)c->config->shape_count + 1, sizeof *found);
    SLUICE_CHECK(found, SLUICE_DEVICE, "no memory for the walls under probes");
    status = sluice_grid_create(&grid, &c->grid);
    for (int pass = 0; pass < 2 && status == SLUICE_OK; pass++) {
        for (int64_t k = 0; k < wall->count && status == SLUICE_OK; k++) {
            const int body = wall->motion ? (int)wall->motion[k] : 0;
            double x[3] = {0, 0, 0};
            sluice_grid_coordinates(&grid, &wall->place[k], x);
            const int shape = shape_of(w, body, x);
            if (pass == 0 && shape >= 0)
                found[shape]++;
            if (pass == 1 && (shape < 0 || !w->stands[shape]))
                status = add_particle(&w->body[body], x, c->config->spacing / 2);
        }
        for (int s = 0; s < c->config->shape_count; s++)
            w->stands[s] = c->shapes[s].particles > 0 || found[s] >= c->shapes[s].left_out;
    }
    for (int i = 0; i < w->bodies; i++)
        if (w->body[i].count > 0)
            qsort(w->body[i].particle, (size_t)w->body[i].count, sizeof *w->body[i].particle, by_x);
    sluice_grid_destroy(&grid);
    free(found);
    return status;
}

static sluice_status create(struct sluice_walls *w)
{
    const struct sluice_config *config = w->setup->config;
    w->bodies = 1 + config->motion_count;
    w->body = calloc((size_t)w->bodies, sizeof *w->body);
    w->motion = calloc((size_t)config->shape_count + 1, sizeof *w->motion);
    w->stands = calloc((size_t)config->shape_count + 1, sizeof *w->stands);
    SLUICE_CHECK(w->body && w->motion && w->stands, SLUICE_DEVICE,
                 "no memory for the walls under probes");
    for (int i = 0; i < w->bodies; i++)
        w->body[i].motion = i - 1;
    for (int s = 0; s < config->shape_count; s++) {
        w->motion[s] = sluice_motions_find(config, config->shapes[s].motion);
        w->has_shapes |= is_wall(&config->shapes[s]);
        w->stands[s] = 1;
    }
    if (w->has_shapes)
        SLUICE_TRY(sluice_geometry_create(&w->geometry, config, w->setup->wall_layers));
    SLUICE_TRY(add_particles(w));
    if (w->has_shapes)
        add_shapes(w);
    sluice_walls_move(w, 0);
    return SLUICE_OK;
}

sluice_status sluice_walls_create(struct sluice_walls **out, const struct sluice_case *c)
{
    *out = NULL;
    struct sluice_walls *w = calloc(1, sizeof *w);
    SLUICE_CHECK(w, SLUICE_DEVICE, "no memory for the walls under probes");
    w->setup = c;
    const sluice_status status = create(w);
    if (status != SLUICE_OK) {
        sluice_walls_destroy(&w);
        return status;
    }
    *out = w;
    return SLUICE_OK;
}

void sluice_walls_destroy(struct sluice_walls **walls)
{
    struct sluice_walls *w = *walls;
    if (!w)
        return;
    for (int i = 0; w->body && i < w->bodies; i++)
        free(w->body[i].particle);
    free(w->body);
    free(w->motion);
    free(w->stands);
    sluice_geometry_destroy(&w->geometry);
    free(w);
    *walls = NULL;
}

/* --- Where they are now --- */

/* The box around what a body's own box has become. */
static void place_body(const struct sluice_walls *w, struct body *body)
{
    const int dimension = w->setup->config->dimension;
    for (int corner = 0; corner < 1 << dimension; corner++) {
        double x[3] = {0, 0, 0}, there[3];
        for (int a = 0; a < dimension; a++)
            x[a] = corner >> a & 1 ? body->high[a] : body->low[a];
        sluice_motions_carry(&w->setup->physics.motions, body->motion, &body->at, x, there);
        for (int a = 0; a < 3; a++) {
            body->now_low[a] = corner ? fmin(body->now_low[a], there[a]) : there[a];
            body->now_high[a] = corner ? fmax(body->now_high[a], there[a]) : there[a];
        }
    }
}

void sluice_walls_move(struct sluice_walls *w, double time)
{
    for (int i = 0; i < w->bodies; i++) {
        struct body *body = &w->body[i];
        if (body->motion >= 0 && body->used) {
            sluice_motions_at(&w->setup->physics.motions, body->motion, time, &body->at);
            place_body(w, body);
        } else {
            memcpy(body->now_low, body->low, sizeof body->low);
            memcpy(body->now_high, body->high, sizeof body->high);
        }
    }
}

static struct line line_through(const struct sluice_walls *w, const struct body *body,
                                const double x[3])
{
    const int up = w->setup->config->dimension - 1;
    struct line line = {{x[0], x[1], x[2]}, {0, 0, 0}};
    line.start[up] = 0;
    line.way[up] = 1;
    if (body->motion >= 0) {
        double at_0[3], at_1[3], one[3] = {line.start[0], line.start[1], line.start[2]};
        one[up] = 1;
        sluice_motions_carry_back(&w->setup->physics.motions, body->motion, &body->at, line.start,
                                  at_0);
        sluice_motions_carry_back(&w->setup->physics.motions, body->motion, &body->at, one, at_1);
        for (int a = 0; a < 3; a++) {
            line.start[a] = at_0[a];
            line.way[a] = at_1[a] - at_0[a];
        }
    }
    return line;
}

/* The first height from which the line is in no cell of this row on the axis any more. */
static double leaves_at(const struct sluice_geometry *g, const struct line *line, int a,
                        int64_t cell)
{
    const double face = g->origin[a] + (double)(cell + (line->way[a] > 0)) * g->step[a];
    return fabs(line->way[a]) < 1e-12 ? INFINITY : (face - line->start[a]) / line->way[a];
}

/* From cell to cell along the line. */
static sluice_status add_cells(const struct sluice_walls *w, int body, const struct line *line,
                               struct sluice_wall_column *column)
{
    const struct sluice_geometry *g = &w->geometry;
    const int up = g->dimension - 1;
    const double top = w->body[body].now_high[up] + 0.3 * g->spacing;
    double height = w->body[body].now_low[up] - 0.3 * g->spacing, from = NAN;
    int64_t cell[3] = {0, 0, 0};
    for (int a = 0; a < g->dimension; a++)
        cell[a] = (int64_t)floor(
            (line->start[a] + height * line->way[a] - g->origin[a]) / g->step[a] + 1e-9);
    while (height < top) {
        const int inside = owner_of(w, cell) == body;
        if (inside && isnan(from))
            from = height;
        if (!inside && !isnan(from)) {
            SLUICE_TRY(sluice_wall_column_add(column, from, height));
            from = NAN;
        }
        int next = 0;
        for (int a = 1; a < g->dimension; a++)
            if (leaves_at(g, line, a, cell[a]) < leaves_at(g, line, next, cell[next]))
                next = a;
        height = leaves_at(g, line, next, cell[next]);
        cell[next] += line->way[next] > 0 ? 1 : -1;
    }
    return isnan(from) ? SLUICE_OK : sluice_wall_column_add(column, from, height);
}

/* Where the line is inside the cube around a particle. An upright line on the face between two
 * cubes is in both: the places of a file are rounded, so the faces may not meet to the last digit.
 */
static sluice_status add_cube(const double x[3], double half, int dimension,
                              const struct line *line, struct sluice_wall_column *column)
{
    double low = -INFINITY, high = INFINITY;
    for (int a = 0; a < dimension; a++) {
        const double off = line->start[a] - x[a];
        if (fabs(line->way[a]) < 1e-12) {
            if (fabs(off) > half * (1 + FACE_ROUNDING))
                return SLUICE_OK;
            continue;
        }
        const double one = (-half - off) / line->way[a], other = (half - off) / line->way[a];
        low = fmax(low, fmin(one, other));
        high = fmin(high, fmax(one, other));
    }
    return low < high ? sluice_wall_column_add(column, low, high) : SLUICE_OK;
}

/* The first of a body's particles that is not before x. */
static int64_t first_from(const struct body *body, double x)
{
    int64_t low = 0, high = body->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (body->particle[middle][0] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static sluice_status add_body(const struct sluice_walls *w, int i, const double x[3],
                              struct sluice_wall_column *column)
{
    const struct body *body = &w->body[i];
    const double half = w->setup->config->spacing / 2;
    const int dimension = w->setup->config->dimension;
    for (int a = 0; a < dimension - 1; a++)
        if (x[a] < body->now_low[a] || x[a] > body->now_high[a])
            return SLUICE_OK;
    const struct line line = line_through(w, body, x);
    if (w->has_shapes)
        SLUICE_TRY(add_cells(w, i, &line, column));
    /* Through a body that has not turned the line is upright: few particles are beside it. */
    const int upright = fabs(line.way[0]) < 1e-12;
    const double beside = upright ? half * (1 + 2 * FACE_ROUNDING) : INFINITY;
    for (int64_t k = first_from(body, line.start[0] - beside);
         k < body->count && body->particle[k][0] <= line.start[0] + beside; k++)
        SLUICE_TRY(add_cube(body->particle[k], half, dimension, &line, column));
    return SLUICE_OK;
}

/* All images of the place that a body can be at: from the lowest one that is not before it. */
static sluice_status add_images(const struct sluice_walls *w, int i, const double x[3], int axis,
                                struct sluice_wall_column *column)
{
    const struct sluice_grid_options *grid = &w->setup->grid;
    const double period = grid->high[axis] - grid->low[axis];
    if (axis == w->setup->config->dimension - 1)
        return add_body(w, i, x, column);
    if (!grid->periodic[axis])
        return add_images(w, i, x, axis + 1, column);
    double image[3] = {x[0], x[1], x[2]};
    image[axis] += period * ceil((w->body[i].now_low[axis] - x[axis]) / period - 1e-9);
    for (; image[axis] <= w->body[i].now_high[axis]; image[axis] += period)
        SLUICE_TRY(add_images(w, i, image, axis + 1, column));
    return SLUICE_OK;
}

sluice_status sluice_walls_column(const struct sluice_walls *w, enum sluice_walls_part part,
                                  const double x[3], struct sluice_wall_column *column)
{
    const int first = part == SLUICE_WALLS_MOVING ? 1 : 0,
              last = part == SLUICE_WALLS_MOVING ? w->bodies : 1;
    for (int i = first; i < last; i++)
        if (w->body[i].used)
            SLUICE_TRY(add_images(w, i, x, 0, column));
    return SLUICE_OK;
}

int sluice_walls_same_column(const struct sluice_walls *w, const double a[3], const double b[3])
{
    const struct sluice_geometry *g = &w->geometry;
    for (int axis = 0; w->has_shapes && axis < g->dimension - 1; axis++)
        if (floor((a[axis] - g->origin[axis]) / g->step[axis] + 1e-9) !=
            floor((b[axis] - g->origin[axis]) / g->step[axis] + 1e-9))
            return 0;
    return w->body[0].count == 0;
}
