/* Signed distances of shapes with what `within`, `without` and periodic axes make of them.
 *
 * The distance from a union is the least one of its parts. This holds outside. Inside, a part's
 * nearest point may be on a seam, where another part goes on:
 *
 *      +--------+---------+
 *      |       xs         |      x is nearest to the seam, s
 *      |        |         |
 *      +--------+---------+
 *
 * The surface nearest to x is found from the open cells around it: the nearest point of the union,
 * seen from a place outside, is on its surface. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/geometry.h"

double sluice_geometry_sides_distance(const struct sluice_geometry *g, unsigned sides,
                                      const double x[3], double way[3])
{
    double least = INFINITY;
    for (int a = 0; a < g->dimension; a++)
        for (int high = 0; high < 2; high++) {
            const double face = g->origin[a] + (high ? (double)g->n[a] * g->step[a] : 0),
                         d = high ? face - x[a] : x[a] - face;
            if (!sluice_has_side(sides, a, high) || d >= least)
                continue;
            least = d;
            way[0] = way[1] = way[2] = 0;
            way[a] = face - x[a];
        }
    return least;
}

static double distance_to_seams(const struct sluice_geometry *g, int shape, const double x[3],
                                double way[3]);

/* The signed distance from the union of the earlier shapes of this name. */
static double distance_of_all(const struct sluice_geometry *g, int before, const char *name,
                              const double x[3], double way[3])
{
    double least = INFINITY, one[3];
    for (int k = 0; k < before; k++) {
        if (strcmp(g->asked[k].name, name) != 0)
            continue;
        const double d = distance_to_seams(g, k, x, one);
        if (d < least) {
            least = d;
            memcpy(way, one, sizeof one);
        }
    }
    return least;
}

enum { IMAGES = 27 };

/* Whether a solid has periodic images along an axis. One that reaches beyond the domain has none:
 * its cells beyond do not come back on the other side. */
static int has_images(const struct sluice_geometry *g, const struct sluice_solid *solid, int axis)
{
    const double end = g->origin[axis] + (double)g->n[axis] * g->step[axis];
    return g->periodic[axis] && solid->low[axis] >= g->origin[axis] - 0.49 * g->step[axis] &&
           solid->high[axis] <= end + 0.49 * g->step[axis];
}

/* Lists the shifts of a solid's periodic images, its own 0 first. */
static int list_images(const struct sluice_geometry *g, const struct sluice_solid *solid,
                       double shift[IMAGES][3])
{
    int count = 1;
    memset(shift[0], 0, sizeof shift[0]);
    for (int a = 0; a < g->dimension; a++) {
        const double period = (double)g->n[a] * g->step[a];
        const int known = count;
        if (!has_images(g, solid, a))
            continue;
        for (int i = 0; i < known; i++)
            for (int sense = -1; sense <= 1; sense += 2) {
                memcpy(shift[count], shift[i], sizeof shift[i]);
                shift[count++][a] = sense * period;
            }
    }
    return count;
}

/* How far x is outside the solid's extent along an axis. */
static double distance_along(const struct sluice_solid *solid, int axis, double x)
{
    const double below = solid->low[axis] - x, above = x - solid->high[axis];
    return below > 0 ? below : above > 0 ? above : 0;
}

static double distance_of_box(const struct sluice_solid *solid, int dimension, const double x[3])
{
    double sum = 0;
    for (int a = 0; a < dimension; a++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the dimension is 2 or 3 */
        const double d = distance_along(solid, a, x[a]);
        sum += d * d;
    }
    return sqrt(sum);
}

/* The nearest of the periodic images of a solid. */
static double distance_of_images(const struct sluice_geometry *g, int shape, const double x[3],
                                 double way[3])
{
    const struct sluice_solid *solid = &g->solid[shape];
    double shift[IMAGES][3], one[3];
    const int images = list_images(g, solid, shift);
    double least = sluice_solid_distance(solid, x, way);
    for (int i = 1; i < images; i++) {
        const double at[3] = {x[0] + shift[i][0], x[1] + shift[i][1], x[2] + shift[i][2]};
        if (distance_of_box(solid, g->dimension, at) >= fmax(least, 0))
            continue;
        const double d = sluice_solid_distance(solid, at, one);
        if (d < least) {
            least = d;
            memcpy(way, one, sizeof one);
        }
    }
    return least;
}

double sluice_geometry_certain(const struct sluice_geometry *g, int shape, const double x[3])
{
    const struct sluice_shape *s = &g->asked[shape];
    const struct sluice_solid *solid = &g->solid[shape];
    double least = INFINITY, shift[IMAGES][3];
    if (s->kind == SLUICE_SHAPE_WALLS)
        return least;
    const int images = solid->kind->certain ? list_images(g, solid, shift) : 0;
    for (int i = 0; i < images; i++) {
        const double at[3] = {x[0] + shift[i][0], x[1] + shift[i][1], x[2] + shift[i][2]};
        least = fmin(least, sluice_solid_certain(solid, at));
    }
    for (int k = 0; k < shape && (s->within[0] || s->without[0]); k++)
        if (g->asked[k].name[0] &&
            (strcmp(g->asked[k].name, s->within) == 0 || strcmp(g->asked[k].name, s->without) == 0))
            least = fmin(least, sluice_geometry_certain(g, k, x));
    return least;
}

/* The nearest image is the nearest one along each axis. */
double sluice_geometry_box_distance(const struct sluice_geometry *g, int shape, const double x[3])
{
    const struct sluice_solid *solid = &g->solid[shape];
    double sum = 0;
    if (g->asked[shape].kind == SLUICE_SHAPE_WALLS)
        return 0;
    for (int a = 0; a < g->dimension; a++) {
        double d = distance_along(solid, a, x[a]);
        if (d > 0 && has_images(g, solid, a)) {
            const double period = (double)g->n[a] * g->step[a];
            d = fmin(d, fmin(distance_along(solid, a, x[a] - period),
                             distance_along(solid, a, x[a] + period)));
        }
        sum += d * d;
    }
    return sqrt(sum);
}

/* As sluice_geometry_distance, but the seams of parts and of images count as surfaces: inside its
 * size is a lower bound. */
static double distance_to_seams(const struct sluice_geometry *g, int shape, const double x[3],
                                double way[3])
{
    const struct sluice_shape *s = &g->asked[shape];
    double other[3];
    if (s->kind == SLUICE_SHAPE_WALLS)
        return sluice_geometry_sides_distance(g, s->sides, x, way);
    double most = distance_of_images(g, shape, x, way);
    if (s->within[0]) {
        const double d = distance_of_all(g, shape, s->within, x, other);
        if (d > most) {
            most = d;
            memcpy(way, other, sizeof other);
        }
    }
    if (s->without[0]) {
        const double d = -distance_of_all(g, shape, s->without, x, other);
        if (d > most) {
            most = d;
            memcpy(way, other, sizeof other);
        }
    }
    return most;
}

int sluice_geometry_contains(const struct sluice_geometry *g, int shape, const double x[3])
{
    double way[3];
    return distance_to_seams(g, shape, x, way) <= 0;
}

/* --- Seams --- */

int sluice_geometry_has_seams(const struct sluice_geometry *g, int shape)
{
    const struct sluice_shape *s = &g->asked[shape];
    const struct sluice_solid *solid = &g->solid[shape];
    double shift[IMAGES][3];
    int parts = 0;
    if (s->kind == SLUICE_SHAPE_WALLS)
        return 0;
    const int images = list_images(g, solid, shift);
    for (int i = 1; i < images; i++) /* a solid as long as the period meets its image */
        for (int a = 0; a < g->dimension; a++)
            if (fabs(shift[i][a]) > 0 &&
                solid->high[a] - solid->low[a] > fabs(shift[i][a]) - 0.5 * g->step[a])
                return 1;
    for (int k = 0; k < shape && s->within[0]; k++)
        if (strcmp(g->asked[k].name, s->within) == 0 &&
            (++parts > 1 || sluice_geometry_has_seams(g, k)))
            return 1;
    return 0;
}

struct search {
    const struct sluice_geometry *g;
    int shape;
    const double *x;
    int64_t cell[3]; /* of x */
    double least;    /* from x to the nearest point found */
    double point[3], normal[3];
};

/* Considers the surface that is nearest to a place outside. */
static void look_from(struct search *f, const double outside[3])
{
    double way[3], apart2 = 0;
    const double d = distance_to_seams(f->g, f->shape, outside, way);
    if (!(d > 0))
        return;
    for (int a = 0; a < 3; a++)
        apart2 += (outside[a] + way[a] - f->x[a]) * (outside[a] + way[a] - f->x[a]);
    if (apart2 >= f->least * f->least)
        return;
    f->least = sqrt(apart2);
    for (int a = 0; a < 3; a++) {
        f->point[a] = outside[a] + way[a];
        f->normal[a] = -way[a] / d;
    }
}

/* Whether an open cell may be beside the surface: the raster has it so, or ends before it. */
static int may_be_beside(const struct sluice_raster *r, const int64_t cell[3])
{
    for (int a = 0; a < 3; a++)
        if (cell[a] < r->cells.low[a] || cell[a] >= r->cells.high[a])
            return 1;
    return sluice_raster_at(r, cell) == SLUICE_RASTER_BESIDE;
}

static void look_from_cell(struct search *f, const int64_t step[3])
{
    const struct sluice_geometry *g = f->g;
    double centre[3], apart2 = 0;
    int64_t cell[3];
    for (int a = 0; a < 3; a++) {
        cell[a] = f->cell[a] + step[a];
        centre[a] = sluice_geometry_centre(g, a, cell[a]);
        apart2 += (centre[a] - f->x[a]) * (centre[a] - f->x[a]);
    }
    sluice_geometry_wrap(g, cell);
    if (sqrt(apart2) < f->least + g->spacing && may_be_beside(&g->raster[f->shape], cell))
        look_from(f, centre);
}

/* Looks from the cells around x, those nearby first, as far as the layers of walls reach. */
static void search_cells(struct search *f)
{
    const int64_t most = f->g->layers + 2, deep = f->g->dimension == 3;
    int64_t step[3];
    for (int64_t k = 1; k <= most && (double)(k - 2) * f->g->spacing < f->least; k++)
        for (step[2] = -k * deep; step[2] <= k * deep; step[2]++)
            for (step[1] = -k; step[1] <= k; step[1]++) {
                const int inner = llabs(step[2]) < k && llabs(step[1]) < k;
                for (step[0] = -k; step[0] <= k; step[0] += inner ? 2 * k : 1)
                    look_from_cell(f, step);
            }
}

/* Straight above x the nearest point of a smooth surface is the one nearest to x, too. */
static void refine(struct search *f)
{
    for (int i = 0; i < 4 && isfinite(f->least); i++) {
        const double before = f->least;
        double above[3], along = 0;
        for (int a = 0; a < 3; a++)
            along += (f->point[a] - f->x[a]) * f->normal[a];
        for (int a = 0; a < 3; a++)
            above[a] = f->x[a] + (along + 0.01 * f->g->spacing) * f->normal[a];
        look_from(f, above);
        if (f->least > before - 1e-9 * f->g->spacing)
            return;
    }
}

double sluice_geometry_distance(const struct sluice_geometry *g, int shape, const double x[3],
                                double way[3])
{
    const double d = distance_to_seams(g, shape, x, way), dp = g->spacing;
    if (d > 1e-9 * dp || !g->raster[shape].ready || !g->has_seams[shape])
        return d;
    double beyond[3], rest[3];
    for (int a = 0; a < 3; a++)
        beyond[a] = x[a] + (1 - 0.01 * dp / fmin(d, -1e-9 * dp)) * way[a];
    if (d < -1e-9 * dp && distance_to_seams(g, shape, beyond, rest) > 0)
        return d;
    struct search f = {.g = g, .shape = shape, .x = x, .least = INFINITY};
    sluice_geometry_cell_at(g, x, f.cell);
    search_cells(&f);
    refine(&f);
    if (isinf(f.least)) { /* deep inside */
        const double deep = fmax(-d, (g->layers + 1) * dp);
        for (int a = 0; a < 3; a++)
            way[a] = d < 0 ? -way[a] * deep / d : a == 0 ? deep : 0;
        return -deep;
    }
    for (int a = 0; a < 3; a++)
        way[a] = f.point[a] - x[a];
    return -f.least;
}
