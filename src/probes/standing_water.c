#include "probes/standing_water.h"

#include <math.h>
#include <string.h>

enum {
    MOST_CELLS = 2000000,
    MOST_COLUMNS = 16000,
    MOST_PLACES = 16000, /* in all columns */
    PARTS = 4,           /* of a column along each axis, at most */
    STEPS = 16,          /* of a spacing at most, so that the toe of a slope is found */
    HALVINGS = 6
};

/* Over dp: a place is on a surface. */
static const double on_surface = 1e-3;

struct search {
    const struct sluice_case *c;
    const char *group;
    int up;
    struct sluice_cells box; /* around the shapes */
    int parts;               /* of a column along each axis */
};

/* A column's uppermost water: from cell `bottom` to below cell `top`. */
struct water {
    int64_t bottom, top;
    int found, on_group; /* on_group: it stands on the group */
};

static int is_of_group(const struct search *s, int shape)
{
    char name[SLUICE_TEXT_MAX];
    const struct sluice_config *config = s->c->config;
    if (shape < 0 || config->shapes[shape].kind == SLUICE_SHAPE_WALLS ||
        (config->shapes[shape].type != SLUICE_SHAPE_WALL && !config->shapes[shape].body))
        return 0;
    return strcmp(sluice_config_group(config, shape, name), s->group) == 0;
}

static int is_water(const struct search *s, const int64_t cell[3])
{
    const int owner = sluice_geometry_owner(&s->c->geometry, cell);
    return owner >= 0 && s->c->config->shapes[owner].type == SLUICE_SHAPE_FLUID;
}

static struct water find_water(const struct search *s, const int64_t column[3])
{
    struct water w = {0};
    int64_t cell[3] = {column[0], column[1], column[2]};
    const int64_t highest = s->c->geometry.n[s->up] - 1;
    for (cell[s->up] = highest; cell[s->up] >= s->box.low[s->up]; cell[s->up]--) {
        const int is = is_water(s, cell);
        if (w.found && !is)
            break;
        if (is && !w.found)
            w.top = cell[s->up] + 1;
        w.found |= is;
        w.bottom = cell[s->up];
    }
    w.on_group = w.found && is_of_group(s, sluice_geometry_owner(&s->c->geometry, cell));
    return w;
}

/* Where all of a column is wall, water may stand on the true surface beneath the neighbours' level.
 */
static struct water beside(const struct search *s, const int64_t column[3])
{
    struct water w = {0};
    for (int a = 0; a < s->up; a++)
        for (int side = -1; side <= 1; side += 2) {
            int64_t cell[3] = {column[0], column[1], column[2]};
            cell[a] += side;
            const struct water other = find_water(s, cell);
            if (other.found && other.on_group && (!w.found || other.top > w.top))
                w = (struct water){other.top, other.top, 1, 1};
        }
    int64_t below[3] = {column[0], column[1], column[2]};
    below[s->up] = w.top - 1;
    w.found = w.found && is_of_group(s, sluice_geometry_owner(&s->c->geometry, below));
    return w;
}

/* The signed distance from the group's shapes, at most 16 spacings, m. */
static double distance_of(const struct search *s, const double x[3])
{
    const struct sluice_geometry *g = &s->c->geometry;
    double least = 16 * g->spacing, way[3];
    for (int k = 0; k < s->c->config->shape_count; k++)
        if (is_of_group(s, k) && sluice_geometry_box_distance(g, k, x) < least)
            least = fmin(least, sluice_geometry_distance(g, k, x, way));
    return least;
}

/* The depth of water on the true surface at a place of the column, m: 0 where none stands on it.
 * Goes down from one free ball to the next. */
static double depth_at(const struct search *s, const struct water *w, double x[3])
{
    const struct sluice_geometry *g = &s->c->geometry;
    const double dp = g->step[s->up], level = g->origin[s->up] + (double)w->top * dp,
                 foot = g->origin[s->up] + (double)w->bottom * dp,
                 lowest = w->on_group ? foot - 2 * dp : foot;
    double high = level, low = level;
    for (x[s->up] = level; x[s->up] > lowest; x[s->up] = low) {
        const double d = distance_of(s, x);
        if (d < on_surface * dp)
            break;
        high = x[s->up];
        low = high - fmax(d, dp / STEPS);
    }
    if (!(low > lowest))
        return 0;
    for (int i = 0; i < HALVINGS && low < high; i++) {
        x[s->up] = 0.5 * (low + high);
        if (distance_of(s, x) < on_surface * dp)
            low = x[s->up];
        else
            high = x[s->up];
    }
    return level - low;
}

/* Adds the depths of a column, m: on the steps, and the mean on the surface. */
static void add_column(const struct search *s, const int64_t column[3], double depth[2])
{
    const struct sluice_geometry *g = &s->c->geometry;
    struct water w = find_water(s, column);
    double sum = 0, x[3] = {0, 0, 0};
    if (w.on_group)
        depth[0] += (double)(w.top - w.bottom) * g->step[s->up];
    if (!w.found)
        w = beside(s, column);
    const int across = s->up == 2 ? s->parts : 1;
    for (int i = 0; i < s->parts && w.found; i++)
        for (int k = 0; k < across; k++) {
            x[0] = sluice_geometry_centre(g, 0, column[0]) +
                   ((i + 0.5) / s->parts - 0.5) * g->step[0];
            if (s->up == 2)
                x[1] = sluice_geometry_centre(g, 1, column[1]) +
                       ((k + 0.5) / s->parts - 0.5) * g->step[1];
            sum += depth_at(s, &w, x);
        }
    depth[1] += sum / (s->parts * across);
}

/* The cells around the group's shapes in the domain, and one of its shapes on the lattice. */
static int find_box(struct search *s)
{
    const struct sluice_geometry *g = &s->c->geometry;
    int shape = -1;
    for (int k = 0; k < s->c->config->shape_count; k++) {
        if (!is_of_group(s, k))
            continue;
        for (int a = 0; a <= s->up; a++) {
            const int64_t low = g->box[k].low[a] - 1, high = g->box[k].high[a] + 1;
            s->box.low[a] = shape < 0 || low < s->box.low[a] ? low : s->box.low[a];
            s->box.high[a] = shape < 0 || high > s->box.high[a] ? high : s->box.high[a];
            s->box.low[a] = s->box.low[a] < 0 ? 0 : s->box.low[a];
            s->box.high[a] = s->box.high[a] > g->n[a] ? g->n[a] : s->box.high[a];
        }
        if (s->c->config->shapes[k].fit == SLUICE_FIT_SURFACE)
            return -1;
        if (shape < 0 || !sluice_geometry_is_plain(&g->asked[k]))
            shape = k;
    }
    return shape;
}

static int is_upright(const struct search *s)
{
    const double *g = s->c->config->gravity;
    for (int a = 0; a < s->up; a++)
        if (fabs(g[a]) > 0)
            return 0;
    return g[s->up] < 0;
}

struct sluice_standing_water sluice_find_standing_water(const struct sluice_case *c,
                                                        const char *group)
{
    const struct sluice_geometry *g = &c->geometry;
    struct search s = {.c = c, .group = group, .up = c->config->dimension - 1};
    struct sluice_standing_water out = {.shape = -1};
    double depth[2] = {0, 0}, area = 1, columns = 1;
    if (!g->box || c->config->particles[0] || !is_upright(&s))
        return out;
    out.shape = find_box(&s);
    for (int a = 0; a < s.up && out.shape >= 0; a++) {
        columns *= (double)(s.box.high[a] - s.box.low[a]);
        area *= g->step[a];
    }
    if (columns * (double)g->n[s.up] > MOST_CELLS || columns > MOST_COLUMNS)
        out.shape = -1;
    s.parts = PARTS;
    while (s.parts > 1 && columns * pow(s.parts, s.up) > MOST_PLACES)
        s.parts /= 2;
    const int64_t low = s.up == 2 ? s.box.low[1] : 0, high = s.up == 2 ? s.box.high[1] : 1;
    int64_t cell[3] = {0, 0, 0};
    for (cell[0] = s.box.low[0]; cell[0] < s.box.high[0] && out.shape >= 0; cell[0]++)
        for (cell[1] = low; cell[1] < high; cell[1]++)
            add_column(&s, cell, depth);
    const double weight = c->config->fluid.density * -c->config->gravity[s.up] * area;
    out.on_steps = depth[0] * weight;
    out.on_surface = depth[1] * weight;
    return out;
}
