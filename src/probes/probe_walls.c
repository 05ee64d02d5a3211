#include "probes/probe_walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"

/* Relative rounding of the places in a file, in half spacings. */
#define FACE_ROUNDING 0.01

/* Lengths of a walk along a line, in spacings. SEAM: the rounding of a distance. */
#define LEAST_STEP 0.05
#define SEAM       1e-12
enum { BISECTIONS = 60 };

/* A vertical line in the coordinates of a group at t = 0: start + height direction. */
struct line {
    double start[3], direction[3];
};

/* --- Columns --- */

sluice_status sluice_wall_column_add(struct sluice_wall_column *column, double low, double high)
{
    SLUICE_GROW(column->span, column->count, column->capacity, "walls above a probe");
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

/* --- Groups of walls --- */

/* The shape whose walls a cell is, or -1. */
static int wall_at(const struct sluice_walls *w, const int64_t cell[3])
{
    const int shape = w->setup->geometry.box ? sluice_geometry_owner(&w->setup->geometry, cell)
                                             : -1;
    return shape >= 0 && w->group_of[shape] >= 0 ? shape : -1;
}

static void extend(struct sluice_wall_group *group, const double low[3], const double high[3])
{
    for (int a = 0; a < 3; a++) {
        group->box[0][a] = group->used ? fmin(group->box[0][a], low[a]) : low[a];
        group->box[1][a] = group->used ? fmax(group->box[1][a], high[a]) : high[a];
    }
    group->used = 1;
}

static void add_shapes(struct sluice_walls *w)
{
    const struct sluice_geometry *g = &w->setup->geometry;
    for (int s = 0; g->box && s < w->setup->config->shape_count; s++) {
        double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
        if (w->group_of[s] < 0)
            continue;
        for (int a = 0; a < g->dimension; a++) {
            low[a] = g->origin[a] + (double)g->box[s].low[a] * g->step[a];
            high[a] = g->origin[a] + (double)g->box[s].high[a] * g->step[a];
        }
        extend(&w->group[w->group_of[s]], low, high);
    }
}

/* The shape of this group that has a wall particle at x, or -1. */
static int shape_at(const struct sluice_walls *w, int group, const double x[3])
{
    const struct sluice_geometry *g = &w->setup->geometry;
    int64_t cell[3] = {0, 0, 0};
    for (int a = 0; g->box && a < g->dimension; a++) {
        const double place = (x[a] - g->origin[a]) / g->step[a];
        cell[a] = (int64_t)floor(place);
        if (fabs(place - (double)cell[a] - 0.5) > 1e-3)
            return -1;
    }
    const int shape = wall_at(w, cell);
    return shape >= 0 && w->group_of[shape] == group ? shape : -1;
}

/* Wall particle k of the case: its place and group. Returns the shape that has it, or -1. */
static int find_particle(const struct sluice_walls *w, const struct sluice_grid *grid, int64_t k,
                         double x[3], int *group)
{
    const struct sluice_start *wall = &w->setup->start[SLUICE_WALL];
    *group = wall->motion ? (int)wall->motion[k] : 0;
    sluice_grid_coordinates(grid, &wall->place[k], x);
    return shape_at(w, *group, x);
}

/* A shape that lost all particles to the file's has walls only if the file has particles at the
 * same places: those of a snapshot may have moved. */
static void drop_moved_shapes(struct sluice_walls *w, const struct sluice_grid *grid,
                              int64_t *found)
{
    const struct sluice_case *c = w->setup;
    for (int64_t k = 0; k < c->start[SLUICE_WALL].count; k++) {
        double x[3] = {0, 0, 0};
        int group;
        const int shape = find_particle(w, grid, k, x, &group);
        if (shape >= 0)
            found[shape]++;
    }
    for (int s = 0; s < c->config->shape_count; s++)
        if (c->shapes[s].particles == 0 && found[s] < c->shapes[s].displaced)
            w->group_of[s] = -1;
}

/* With a file, walls where no shape has them are the file's. */
static void add_group(struct sluice_walls *w, const struct sluice_grid *grid, int group,
                      double (*first)[3])
{
    const double half = w->setup->config->spacing / 2;
    struct sluice_wall_group *to = &w->group[group];
    to->particle = first;
    for (int64_t k = 0; k < w->setup->start[SLUICE_WALL].count; k++) {
        double x[3] = {0, 0, 0};
        int own;
        if (find_particle(w, grid, k, x, &own) >= 0 || own != group)
            continue;
        memcpy(to->particle[to->count++], x, sizeof x);
        extend(to, (double[3]){x[0] - half, x[1] - half, x[2] - half},
               (double[3]){x[0] + half, x[1] + half, x[2] + half});
    }
    qsort(to->particle, (size_t)to->count, sizeof *to->particle, sluice_by_real);
}

static sluice_status add_particles(struct sluice_walls *w)
{
    const struct sluice_case *c = w->setup;
    struct sluice_grid grid;
    if (!c->config->particles[0] || c->start[SLUICE_WALL].count == 0)
        return SLUICE_OK;
    w->particle = malloc((size_t)c->start[SLUICE_WALL].count * sizeof *w->particle);
    int64_t *found = calloc((size_t)c->config->shape_count + 1, sizeof *found);
    sluice_status status = w->particle && found
                               ? sluice_grid_create(&grid, &c->grid)
                               : SLUICE_FAIL(SLUICE_DEVICE, "no memory for the walls under probes");
    if (found && status == SLUICE_OK) {
        int64_t n = 0;
        drop_moved_shapes(w, &grid, found);
        for (int i = 0; i <= c->config->motion_count; n += w->group[i++].count)
            add_group(w, &grid, i, w->particle + n);
        sluice_grid_destroy(&grid);
    }
    free(found);
    return status;
}

sluice_status sluice_walls_create(struct sluice_walls *w, const struct sluice_case *c)
{
    const struct sluice_config *config = c->config;
    *w = (struct sluice_walls){.setup = c};
    SLUICE_ALLOCATE(w->group, config->motion_count + 1, "groups of walls");
    SLUICE_ALLOCATE(w->group_of, config->shape_count, "shapes");
    for (int s = 0; s < config->shape_count; s++) {
        const int is_wall = config->shapes[s].type == SLUICE_SHAPE_WALL && !config->shapes[s].body;
        w->group_of[s] = is_wall ? 1 + sluice_config_mover(config, s) : -1;
    }
    if (c->geometry.box)
        SLUICE_TRY(sluice_wall_surfaces_create(&w->surfaces, c, 3 * c->cutoff));
    SLUICE_TRY(add_particles(w));
    for (int s = 0; s < config->shape_count && w->surfaces.group; s++)
        if (w->group_of[s] < 0)
            w->surfaces.group[s] = -1;
    add_shapes(w);
    sluice_walls_move(w, 0);
    return SLUICE_OK;
}

void sluice_walls_destroy(struct sluice_walls *w)
{
    sluice_wall_surfaces_destroy(&w->surfaces);
    free(w->group);
    free(w->group_of);
    free(w->particle);
    *w = (struct sluice_walls){0};
}

/* --- At the time of the last move --- */

void sluice_walls_move(struct sluice_walls *w, double time)
{
    const struct sluice_motions *motions = &w->setup->physics.motions;
    memcpy(w->group->now_box, w->group->box, sizeof w->group->box);
    for (int i = 0; i < w->setup->config->motion_count; i++) {
        struct sluice_wall_group *group = &w->group[1 + i];
        if (!group->used)
            continue;
        sluice_motions_at(motions, i, time, &group->now);
        sluice_motions_carry_box(motions, i, &group->now, group->box, group->now_box);
    }
}

static struct line line_through(const struct sluice_walls *w, int group, const double x[3])
{
    const struct sluice_motions *motions = &w->setup->physics.motions;
    const struct sluice_displacement *now = &w->group[group].now;
    const int up = w->setup->config->dimension - 1;
    double start[3] = {x[0], x[1], x[2]}, above[3] = {x[0], x[1], x[2]};
    struct line line;
    start[up] = 0;
    above[up] = 1;
    memcpy(line.start, start, sizeof start);
    memcpy(line.direction, above, sizeof above);
    if (group > 0) {
        sluice_motions_carry_back(motions, group - 1, now, start, line.start);
        sluice_motions_carry_back(motions, group - 1, now, above, line.direction);
    }
    for (int a = 0; a < 3; a++)
        line.direction[a] -= line.start[a];
    return line;
}

/* The distance from a group's shapes at a height of the line. The seam between two shapes that
 * touch is in them. */
static double distance_at(const struct sluice_walls *w, int group, const struct line *line,
                          double height)
{
    double x[3];
    for (int a = 0; a < 3; a++)
        x[a] = line->start[a] + height * line->direction[a];
    return sluice_wall_surfaces_of(&w->surfaces, group - 1, x, NULL) -
           SEAM * w->setup->config->spacing;
}

/* A height on a face of the lattice, to rounding, becomes that face, as long as nothing has moved.
 */
static double on_face(const struct sluice_geometry *g, const struct line *line, double height)
{
    const int up = g->dimension - 1;
    const double face = g->origin[up] + round((height - g->origin[up]) / g->step[up]) * g->step[up];
    return line->start[up] == 0 && line->direction[up] == 1 &&
                   fabs(height - face) < 1e-9 * g->step[up]
               ? face
               : height;
}

/* The height between two where the line meets a surface. */
static double meets_at(const struct sluice_walls *w, int group, const struct line *line, double low,
                       double high)
{
    const int inside = distance_at(w, group, line, low) < 0;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (low + high);
        if ((distance_at(w, group, line, middle) < 0) == inside)
            low = middle;
        else
            high = middle;
    }
    return on_face(&w->setup->geometry, line, 0.5 * (low + high));
}

/* Follows the line from one free ball to the next: no surface is nearer than the distance. Walls
 * thinner than the least step may be left out. */
static sluice_status add_shapes_at(const struct sluice_walls *w, int group, const struct line *line,
                                   struct sluice_wall_column *column)
{
    const struct sluice_geometry *g = &w->setup->geometry;
    const int up = g->dimension - 1;
    const double top = w->group[group].now_box[1][up] + 0.3 * g->spacing,
                 least = LEAST_STEP * g->spacing;
    double height = w->group[group].now_box[0][up] - 0.3 * g->spacing,
           d = distance_at(w, group, line, height), from = d < 0 ? height : NAN;
    while (height < top) {
        const double next = fmin(height + fmax(fabs(d), least), top);
        const double then = distance_at(w, group, line, next);
        if ((then < 0) != (d < 0)) {
            const double at = meets_at(w, group, line, height, next);
            if (d < 0)
                SLUICE_TRY(sluice_wall_column_add(column, from, at));
            from = at;
        }
        height = next;
        d = then;
    }
    return d < 0 ? sluice_wall_column_add(column, from, height) : SLUICE_OK;
}

/* The part of the line inside the cube around a particle. An upright line on the face between two
 * cubes is in both: places in a file are rounded, so the faces may not meet to the last digit. */
static sluice_status add_cube(const double x[3], double half, int dimension,
                              const struct line *line, struct sluice_wall_column *column)
{
    double low = -INFINITY, high = INFINITY;
    for (int a = 0; a < dimension; a++) {
        const double off = line->start[a] - x[a];
        if (fabs(line->direction[a]) < 1e-12) {
            if (fabs(off) > half * (1 + FACE_ROUNDING))
                return SLUICE_OK;
            continue;
        }
        const double one = (-half - off) / line->direction[a],
                     other = (half - off) / line->direction[a];
        low = fmax(low, fmin(one, other));
        high = fmin(high, fmax(one, other));
    }
    return low < high ? sluice_wall_column_add(column, low, high) : SLUICE_OK;
}

/* The first of a group's particles at or beyond x. */
static int64_t first_from(const struct sluice_wall_group *group, double x)
{
    int64_t low = 0, high = group->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (group->particle[middle][0] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static sluice_status add_group_at(const struct sluice_walls *w, int i, const double x[3],
                                  struct sluice_wall_column *column)
{
    const struct sluice_wall_group *group = &w->group[i];
    const double half = w->setup->config->spacing / 2;
    const int dimension = w->setup->config->dimension;
    for (int a = 0; a < dimension - 1; a++)
        if (x[a] < group->now_box[0][a] || x[a] > group->now_box[1][a])
            return SLUICE_OK;
    const struct line line = line_through(w, i, x);
    if (w->setup->geometry.box)
        SLUICE_TRY(add_shapes_at(w, i, &line, column));
    /* Through a group that has not turned the line is upright and passes few particles. */
    const double reach = fabs(line.direction[0]) < 1e-12 ? half * (1 + 2 * FACE_ROUNDING)
                                                         : INFINITY;
    for (int64_t k = first_from(group, line.start[0] - reach);
         k < group->count && group->particle[k][0] <= line.start[0] + reach; k++)
        SLUICE_TRY(add_cube(group->particle[k], half, dimension, &line, column));
    return SLUICE_OK;
}

/* All periodic images of the place within the group's box, axis by axis. */
static sluice_status add_images(const struct sluice_walls *w, int i, const double x[3], int axis,
                                struct sluice_wall_column *column)
{
    const struct sluice_grid_options *grid = &w->setup->grid;
    const double period = grid->high[axis] - grid->low[axis];
    if (axis == w->setup->config->dimension - 1)
        return add_group_at(w, i, x, column);
    if (!grid->periodic[axis])
        return add_images(w, i, x, axis + 1, column);
    double image[3] = {x[0], x[1], x[2]};
    image[axis] += period * ceil((w->group[i].now_box[0][axis] - x[axis]) / period - 1e-9);
    for (; image[axis] <= w->group[i].now_box[1][axis]; image[axis] += period)
        SLUICE_TRY(add_images(w, i, image, axis + 1, column));
    return SLUICE_OK;
}

sluice_status sluice_walls_column(const struct sluice_walls *w, int moving, const double x[3],
                                  struct sluice_wall_column *column)
{
    const int last = moving ? w->setup->config->motion_count : 0;
    for (int i = moving ? 1 : 0; i <= last; i++)
        if (w->group[i].used)
            SLUICE_TRY(add_images(w, i, x, 0, column));
    return SLUICE_OK;
}
