/* The extent of a shape by its keys, and the moves of its faces to those of the lattice. */
#include <math.h>
#include <string.h>

#include "geometry/geometry.h"

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

int sluice_geometry_is_plain(const struct sluice_shape *s)
{
    const int on_axes = s->kind == SLUICE_SHAPE_BOX || s->kind == SLUICE_SHAPE_SPHERE ||
                        s->kind == SLUICE_SHAPE_DISC || s->kind == SLUICE_SHAPE_CYLINDER ||
                        s->kind == SLUICE_SHAPE_WALLS;
    return on_axes && s->fit == SLUICE_FIT_LATTICE && s->rotation_degrees == 0 && !s->within[0] &&
           !s->without[0];
}

int sluice_geometry_is_flat(const struct sluice_shape *s, int axis)
{
    if (s->rotation_degrees != 0)
        return 0;
    return s->kind == SLUICE_SHAPE_BOX || (s->kind == SLUICE_SHAPE_CYLINDER && axis == s->axis);
}

/* Index of the lattice face nearest to x; halves go up, even if rounding put them slightly below.
 */
static int64_t nearest_face(const struct sluice_geometry *g, int axis, double x)
{
    const double face = floor((x - g->origin[axis]) / g->step[axis] + 0.5 + 1e-9);
    return (int64_t)fmax(-1e15, fmin(1e15, face));
}

int64_t sluice_geometry_cell_above(const struct sluice_geometry *g, int axis, double x)
{
    const double cell = ceil((x - g->origin[axis]) / g->step[axis] - 0.5 - 1e-9);
    return (int64_t)fmax(-1e15, fmin(1e15, cell));
}

int sluice_geometry_has_faces(const struct sluice_shape *s)
{
    struct sluice_shape alone = *s;
    alone.within[0] = alone.without[0] = 0;
    return sluice_geometry_is_plain(&alone);
}

static double plain_face(const struct sluice_geometry *g, const struct sluice_shape *s, int axis,
                         int high)
{
    if (s->kind == SLUICE_SHAPE_WALLS)
        return high ? g->config->domain.max[axis] : g->config->domain.min[axis];
    if (s->kind == SLUICE_SHAPE_BOX)
        return high ? s->max[axis] : s->min[axis];
    const double half = sluice_geometry_is_flat(s, axis) ? 0.5 * s->length : s->radius;
    return s->centre[axis] + (high ? half : -half);
}

double sluice_geometry_asked_face(const struct sluice_geometry *g, int shape, int axis, int high)
{
    const struct sluice_solid *solid = &g->solid[shape];
    const double face = high ? solid->high[axis] : solid->low[axis];
    if (sluice_geometry_has_faces(&g->asked[shape]))
        return plain_face(g, &g->asked[shape], axis, high);
    return isfinite(face) ? face : high ? g->config->domain.max[axis] : g->config->domain.min[axis];
}

/* The cells that a plain shape can own. */
static void snap_plain(const struct sluice_geometry *g, int shape, struct sluice_cells *box)
{
    const struct sluice_shape *s = &g->asked[shape];
    for (int a = 0; a < g->dimension; a++) {
        const double low = plain_face(g, s, a, 0), high = plain_face(g, s, a, 1);
        if (s->kind == SLUICE_SHAPE_WALLS) {
            box->low[a] = g->with_walls.low[a];
            box->high[a] = g->with_walls.high[a];
        } else if (sluice_geometry_is_flat(s, a)) {
            box->low[a] = nearest_face(g, a, low);
            box->high[a] = nearest_face(g, a, high);
        } else {
            box->low[a] = sluice_geometry_cell_above(g, a, low);
            box->high[a] = sluice_geometry_cell_above(g, a, high) + 1; /* at most one too many */
        }
    }
}

int sluice_geometry_is_carried(const struct sluice_geometry *g, int shape)
{
    const struct sluice_config *c = g->config;
    const char *name = c->shapes[shape].name;
    for (int k = shape + 1; k < c->shape_count && name[0]; k++) {
        const struct sluice_shape *s = &c->shapes[k];
        if ((strcmp(s->within, name) == 0 || strcmp(s->without, name) == 0) &&
            (s->motion[0] || sluice_geometry_is_carried(g, k)))
            return 1;
    }
    return 0;
}

/* The cells of other shapes: those that the domain and wall layers around it have room for. */
static void snap_extent(const struct sluice_geometry *g, int shape, struct sluice_cells *box)
{
    const struct sluice_solid *solid = &g->solid[shape];
    const int layers = g->asked[shape].type == SLUICE_SHAPE_FLUID ? 0 : g->layers;
    for (int a = 0; a < g->dimension; a++) {
        const int moves = (g->asked[shape].motion[0] || sluice_geometry_is_carried(g, shape)) &&
                          isfinite(solid->low[a]) && isfinite(solid->high[a]);
        const int64_t beyond = g->periodic[a] ? 0 : layers;
        const int64_t low = sluice_geometry_cell_above(g, a, solid->low[a]),
                      high = sluice_geometry_cell_above(g, a, solid->high[a]) + 1;
        box->low[a] = low > -beyond || moves ? low : -beyond;
        box->high[a] = high < g->n[a] + beyond || moves ? high : g->n[a] + beyond;
        if (box->high[a] < box->low[a])
            box->high[a] = box->low[a];
    }
}

/* Moves the flat faces of a shape to those of the lattice. */
static void snap_faces(const struct sluice_geometry *g, const struct sluice_cells *box,
                       struct sluice_shape *s)
{
    for (int a = 0; a < g->dimension; a++) {
        const double low = g->origin[a] + (double)box->low[a] * g->step[a],
                     high = g->origin[a] + (double)box->high[a] * g->step[a];
        if (s->kind == SLUICE_SHAPE_BOX) {
            s->min[a] = low;
            s->max[a] = high;
        } else if (sluice_geometry_is_flat(s, a)) {
            s->centre[a] = (low + high) / 2;
            s->length = high - low;
        }
    }
}

/* Scales and moves the keys of a shape along the axes; the rest of the program need not know. */
static void place_shape(struct sluice_shape *s)
{
    for (int a = 0; a < 3; a++) {
        s->min[a] = s->scale * s->min[a] + s->move[a];
        s->max[a] = s->scale * s->max[a] + s->move[a];
        s->centre[a] = s->scale * s->centre[a] + s->move[a];
        s->move[a] = 0;
    }
    s->radius *= s->scale;
    s->length *= s->scale;
    s->scale = 1;
}

sluice_status sluice_geometry_create_solid(const struct sluice_config *config, int shape,
                                           const struct sluice_shape *placed,
                                           struct sluice_solid *solid,
                                           struct sluice_warnings *warnings)
{
    char about[2 * SLUICE_TEXT_MAX] = "geometry: ";
    const int used = (int)strlen(about);
    sluice_geometry_title(config, shape, about + used, (int)sizeof about - used);
    warnings->about = about;
    const sluice_status status = sluice_solid_create(solid, config, placed, warnings);
    warnings->about = NULL;
    return status == SLUICE_OK ? status : SLUICE_FAIL(status, "%s: %s", about, sluice_message());
}

sluice_status sluice_geometry_snap(struct sluice_geometry *g, int shape,
                                   struct sluice_warnings *warnings)
{
    const struct sluice_config *c = g->config;
    struct sluice_cells *box = &g->box[shape];
    struct sluice_shape *asked = &g->asked[shape], *snapped = &g->snapped[shape];
    *asked = c->shapes[shape];
    if (sluice_geometry_has_faces(asked) &&
        (asked->scale != 1 || asked->move[0] != 0 || asked->move[1] != 0 || asked->move[2] != 0))
        place_shape(asked);
    *snapped = *asked;
    *box = (struct sluice_cells){{0, 0, 0}, {1, 1, 1}};
    if (sluice_geometry_has_faces(asked)) {
        snap_plain(g, shape, box);
        snap_faces(g, box, snapped);
    }
    SLUICE_TRY(sluice_geometry_create_solid(c, shape, snapped, &g->solid[shape], warnings));
    if (!sluice_geometry_has_faces(asked))
        snap_extent(g, shape, box);
    return SLUICE_OK;
}
