#include "geometry/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

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

/* Squared distance of a cell from the centre or the axis of a round shape, m^2. */
double sluice_geometry_round2(const struct sluice_geometry *g, const struct sluice_shape *s,
                              const int64_t cell[3])
{
    double d2 = 0;
    for (int a = 0; a < g->dimension; a++)
        if (!sluice_geometry_is_flat(s, a)) {
            const double d = sluice_geometry_centre(g, a, cell[a]) - s->centre[a];
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

/* Whether a cell is in a shape, whatever that is combined with. */
static int owns_alone(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    const struct sluice_shape *s = &g->asked[shape];
    if (!in_box(&g->box[shape], cell))
        return 0;
    if (s->kind == SLUICE_SHAPE_WALLS)
        return beyond_side(g, s->sides, 0, cell[0]) || beyond_side(g, s->sides, 1, cell[1]) ||
               beyond_side(g, s->sides, 2, cell[2]);
    if (!sluice_geometry_has_faces(s)) {
        double x[3], way[3];
        sluice_geometry_centre_of(g, cell, x);
        return sluice_solid_distance(&g->solid[shape], x, way) <= sluice_geometry_tie(g);
    }
    if (s->kind == SLUICE_SHAPE_BOX)
        return 1;
    return sluice_geometry_round2(g, s, cell) <= s->radius * s->radius * (1 + 1e-12);
}

/* Whether earlier shapes of this name own a cell. */
static int any_owns(const struct sluice_geometry *g, int before, const char *name,
                    const int64_t cell[3])
{
    for (int k = 0; k < before; k++)
        if (strcmp(g->asked[k].name, name) == 0 && sluice_geometry_owns(g, k, cell))
            return 1;
    return 0;
}

int sluice_geometry_owns(const struct sluice_geometry *g, int shape, const int64_t cell[3])
{
    const struct sluice_shape *s = &g->asked[shape];
    if (g->raster[shape].ready)
        return sluice_raster_is_inside(&g->raster[shape], cell);
    return owns_alone(g, shape, cell) && (!s->within[0] || any_owns(g, shape, s->within, cell)) &&
           (!s->without[0] || !any_owns(g, shape, s->without, cell));
}

int sluice_geometry_owner(const struct sluice_geometry *g, const int64_t cell[3])
{
    int64_t count;
    const int *shape = sluice_shape_bins_at(&g->bins, cell, &count);
    while (count-- > 0)
        if (sluice_geometry_owns(g, shape[count], cell))
            return shape[count];
    return -1;
}

int sluice_geometry_face_on_wall(const struct sluice_geometry *g, int shape, int axis, int high)
{
    const struct sluice_shape *s = &g->asked[shape];
    const struct sluice_cells *box = &g->box[shape];
    if (!sluice_geometry_is_flat(s, axis) || !sluice_has_side(g->sides, axis, high))
        return 0;
    return high ? box->high[axis] >= g->n[axis] : box->low[axis] <= 0;
}

/* --- Checks before counting --- */

static sluice_status check_shape(const struct sluice_geometry *g, int shape)
{
    const struct sluice_shape *s = &g->asked[shape];
    const struct sluice_solid *solid = &g->solid[shape];
    const int faces = sluice_geometry_has_faces(s);
    char title[2 * SLUICE_TEXT_MAX];
    sluice_geometry_title(g->config, shape, title, sizeof title);
    if (s->kind == SLUICE_SHAPE_WALLS)
        return SLUICE_OK;
    for (int a = 0; a < g->dimension; a++) {
        const double low = sluice_geometry_asked_face(g, shape, a, 0),
                     high = sluice_geometry_asked_face(g, shape, a, 1),
                     end = g->config->domain.max[a], rounding = 1e-9 * g->spacing;
        const int snaps = faces && sluice_geometry_is_flat(s, a),
                  beyond_low = snaps ? g->box[shape].low[a] < 0
                                     : sluice_geometry_cell_above(g, a, low) < 0 &&
                                           low < g->origin[a] - rounding,
                  beyond_high = snaps ? g->box[shape].high[a] > g->n[a]
                                      : sluice_geometry_cell_above(g, a, high) >= g->n[a] &&
                                            high > end + rounding;
        SLUICE_CHECK(
            high > low || (isfinite(solid->low[a]) && isfinite(solid->high[a])), SLUICE_BAD_INPUT,
            "geometry: %s lies beyond the domain: its end is %c = %.9g, the domain reaches "
            "from %.9g to %.9g; move it, or give its scale",
            title, "xyz"[a], isfinite(solid->low[a]) ? low : high, g->origin[a], end);
        SLUICE_CHECK(high > low || !isfinite(low) || !isfinite(high), SLUICE_BAD_INPUT,
                     "geometry: %s ends at %c = %.9g, not above where it begins, %.9g", title,
                     "xyz"[a], high, low);
        if (s->type == SLUICE_SHAPE_VOID || s->type == SLUICE_SHAPE_PART ||
            (s->type == SLUICE_SHAPE_WALL && !g->periodic[a]))
            continue;
        SLUICE_CHECK(
            !beyond_low, SLUICE_BAD_INPUT,
            "geometry: %s begins at %c = %.9g, beyond domain.min = %.9g; it must lie in the domain",
            title, "xyz"[a], low, g -> origin[a]);
        SLUICE_CHECK(!beyond_high, SLUICE_BAD_INPUT,
                     "geometry: %s reaches to %c = %.9g, beyond domain.max = %.9g; it must lie in "
                     "the domain",
                     title, "xyz"[a], high, end);
    }
    return SLUICE_OK;
}

struct one_shape {
    const struct sluice_geometry *g;
    int shape;
};

static double distance_of_shape(const void *data, const double x[3])
{
    const struct one_shape *one = data;
    double way[3];
    return sluice_geometry_distance(one->g, one->shape, x, way);
}

static double certain_of_shape(const void *data, const double x[3])
{
    const struct one_shape *one = data;
    return sluice_geometry_certain(one->g, one->shape, x);
}

/* The distance of a mesh, which is costly, is not found again. */
static int shape_owns(const void *data, const int64_t cell[3], double distance)
{
    const struct one_shape *one = data;
    const struct sluice_geometry *g = one->g;
    const struct sluice_shape *s = &g->asked[one->shape];
    if (!sluice_geometry_has_faces(s) && !s->within[0] && !s->without[0] && !g->periodic[0] &&
        !g->periodic[1] && !g->periodic[2])
        return in_box(&g->box[one->shape], cell) && distance <= sluice_geometry_tie(g);
    return sluice_geometry_owns(one->g, one->shape, cell);
}

/* The raster took the seams of a shell for surfaces. */
static void deepen_seams(struct sluice_geometry *g, int shape)
{
    struct sluice_raster *r = &g->raster[shape];
    int64_t c[3];
    for (c[2] = r->cells.low[2]; c[2] < r->cells.high[2]; c[2]++)
        for (c[1] = r->cells.low[1]; c[1] < r->cells.high[1]; c[1]++)
            for (c[0] = r->cells.low[0]; c[0] < r->cells.high[0]; c[0]++) {
                if (sluice_raster_at(r, c) != SLUICE_RASTER_NEAR)
                    continue;
                double x[3], way[3];
                sluice_geometry_centre_of(g, c, x);
                if (-sluice_geometry_distance(g, shape, x, way) >
                    g->layers * g->spacing * (1 + 1e-9))
                    sluice_raster_deepen(r, c);
            }
}

/* Faces that snap to the lattice lie up to half a spacing from those of the distance. */
static sluice_status create_raster(struct sluice_geometry *g, int shape)
{
    struct sluice_cells cells = g->box[shape];
    const struct one_shape one = {g, shape};
    struct sluice_raster_source source = {.layers = g->layers * g->spacing,
                                          .margin = g->spacing,
                                          .config = g->config,
                                          .waiting = g->waiting,
                                          .data = &one,
                                          .distance = distance_of_shape,
                                          .certain = certain_of_shape,
                                          .owns = shape_owns};
    char title[2 * SLUICE_TEXT_MAX];
    for (int a = 0; a < g->dimension; a++) {
        source.origin[a] = g->origin[a];
        source.step[a] = g->step[a];
        source.longest = fmax(source.longest, 1e4 + 100 * (double)g->n[a]);
        if (!g->asked[shape].motion[0] &&
            !sluice_geometry_is_carried(g, shape)) { /* the rest can never matter */
            const int64_t beyond = g->periodic[a] ? 0 : g->layers;
            cells.low[a] = cells.low[a] > -beyond ? cells.low[a] : -beyond;
            cells.high[a] = cells.high[a] < g->n[a] + beyond ? cells.high[a] : g->n[a] + beyond;
        }
    }
    const sluice_status status = sluice_raster_create(&g->raster[shape], &source, &cells);
    g->has_seams[shape] = sluice_geometry_has_seams(g, shape);
    if (status == SLUICE_OK && g->has_seams[shape] && g->asked[shape].fill == SLUICE_FILL_SHELL)
        deepen_seams(g, shape);
    if (status == SLUICE_OK)
        return status;
    return SLUICE_FAIL(status, "geometry: %s: %s",
                       sluice_geometry_title(g->config, shape, title, sizeof title),
                       sluice_message());
}

/* The shapes in order: those that `within` and `without` name come earlier. */
static sluice_status create_shapes(struct sluice_geometry *g, struct sluice_warnings *warnings)
{
    const int n = g->config->shape_count;
    SLUICE_ALLOCATE(g->box, n, "shapes");
    SLUICE_ALLOCATE(g->asked, n, "shapes");
    SLUICE_ALLOCATE(g->snapped, n, "shapes");
    SLUICE_ALLOCATE(g->solid, n, "shapes");
    SLUICE_ALLOCATE(g->raster, n, "shapes");
    SLUICE_ALLOCATE(g->has_seams, n, "shapes");
    for (int s = 0; s < n; s++) {
        SLUICE_TRY(sluice_geometry_snap(g, s, warnings));
        SLUICE_TRY(check_shape(g, s));
        if (!sluice_geometry_is_plain(&g->asked[s]))
            SLUICE_TRY(create_raster(g, s));
    }
    return SLUICE_OK;
}

static sluice_status create_bins(struct sluice_geometry *g)
{
    const int n = g->config->shape_count;
    struct sluice_cells *cells;
    SLUICE_ALLOCATE(cells, n, "shapes");
    for (int s = 0; s < n; s++)
        if (g->asked[s].type != SLUICE_SHAPE_PART)
            cells[s] = g->raster[s].ready ? g->raster[s].cells : g->box[s];
    const sluice_status status = sluice_shape_bins_create(&g->bins, cells, n, &g->with_walls);
    free(cells);
    return status;
}

sluice_status sluice_geometry_create(struct sluice_geometry *g, const struct sluice_config *config,
                                     int layers, struct sluice_warnings *warnings)
{
    memset(g, 0, sizeof *g);
    g->config = config;
    g->dimension = config->dimension;
    g->spacing = config->spacing;
    g->layers = layers;
    g->waiting = warnings->waiting;
    SLUICE_TRY(sluice_geometry_set_lattice(g));
    set_walls(g);
    sluice_status status = create_shapes(g, warnings);
    if (status == SLUICE_OK)
        status = create_bins(g);
    if (status != SLUICE_OK)
        sluice_geometry_destroy(g);
    return status;
}

void sluice_geometry_destroy(struct sluice_geometry *g)
{
    for (int s = 0; g->config && s < g->config->shape_count; s++) {
        if (g->solid)
            sluice_solid_destroy(&g->solid[s]);
        if (g->raster)
            sluice_raster_destroy(&g->raster[s]);
    }
    free(g->box);
    free(g->asked);
    free(g->snapped);
    free(g->solid);
    free(g->raster);
    free(g->has_seams);
    sluice_shape_bins_destroy(&g->bins);
    memset(g, 0, sizeof *g);
}
