/* The surface of fitted walls: of all walls together, and what later shapes cut out of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/fit_internal.h"
#include "core/allocate.h"

int sluice_fit_is_fitted(const struct sluice_config *c, int shape)
{
    const struct sluice_shape *s = &c->shapes[shape];
    return s->type == SLUICE_SHAPE_WALL && s->fit == SLUICE_FIT_SURFACE;
}

/* Whether a face of a shape stands on a wall of the domain: the layers around the domain, and a gap
 * of less than a hundredth of a spacing is none. A body may leave it. */
static int stands_on_wall(const struct sluice_geometry *g, int shape, int axis, int high)
{
    const double touch = 0.01 * g->spacing, face = sluice_geometry_asked_face(g, shape, axis, high),
                 end = fmin(g->origin[axis] + (double)g->n[axis] * g->step[axis],
                            g->config->domain.max[axis]);
    return !g->asked[shape].body && sluice_geometry_face_on_wall(g, shape, axis, high) &&
           (high ? face >= end - touch : face <= g->origin[axis] + touch);
}

/* Extends a box or a cylinder where it stands on a wall of the domain, or fills a period: its face
 * there is no surface. Returns whether it did. */
static int extend(const struct sluice_geometry *g, int shape, struct sluice_shape *s)
{
    const double by = 2 * (g->layers + 2) * g->spacing / g->asked[shape].scale;
    int extended = 0;
    *s = g->asked[shape];
    if (s->within[0] || s->without[0])
        return 0;
    for (int a = 0; a < g->dimension; a++) {
        const int fills = g->periodic[a] && g->box[shape].low[a] <= 0 &&
                          g->box[shape].high[a] >= g->n[a];
        if (!sluice_geometry_is_flat(s, a))
            continue;
        for (int high = 0; high < 2; high++) {
            if (!fills && !stands_on_wall(g, shape, a, high))
                continue;
            extended = 1;
            s->min[a] -= high ? 0 : by;
            s->max[a] += high ? by : 0;
            s->centre[a] += (high ? 0.5 : -0.5) * (s->kind == SLUICE_SHAPE_BOX ? 0 : by);
            s->length += by;
        }
    }
    return extended;
}

/* Over the domain and its walls' layers. */
static sluice_status create_tree(struct sluice_fit *f)
{
    const struct sluice_geometry *g = &f->surface;
    const double beyond = (g->layers + 3) * g->spacing;
    double low[3] = {0}, high[3] = {0};
    for (int a = 0; a < g->dimension; a++) {
        low[a] = g->origin[a] - beyond;
        high[a] = g->origin[a] + (double)g->n[a] * g->step[a] + beyond;
    }
    return sluice_shape_tree_create(&f->tree, g, low, high, 2 * f->cutoff + 2 * g->spacing);
}

sluice_status sluice_fit_create_surface(struct sluice_fit *f)
{
    const struct sluice_geometry *g = f->geometry;
    const int n = f->config->shape_count;
    f->surface = *g;
    SLUICE_ALLOCATE(f->solid, n, "shapes");
    SLUICE_ALLOCATE(f->extended, n, "shapes");
    SLUICE_ALLOCATE(f->motion, n, "shapes");
    memcpy(f->solid, g->solid, (size_t)n * sizeof *f->solid);
    f->surface.solid = f->solid;
    for (int s = 0; s < n; s++) {
        f->motion[s] = sluice_config_mover(f->config, s);
        if (sluice_fit_is_fitted(f->config, s) && extend(g, s, &f->extended[s]))
            SLUICE_TRY(sluice_solid_create(&f->solid[s], f->config, &f->extended[s], NULL));
    }
    return create_tree(f);
}

/* Boxes and cylinders have no data of their own: their copies need no destroying. */
void sluice_fit_destroy_surface(struct sluice_fit *f)
{
    sluice_shape_tree_destroy(&f->tree);
    free(f->solid);
    free(f->extended);
    free(f->motion);
}

/* Turns x into the image that is in the domain. */
static void wrap(const struct sluice_geometry *g, const double from[3], double x[3])
{
    for (int a = 0; a < 3; a++) {
        const double length = (double)g->n[a] * g->step[a];
        x[a] = from[a];
        if (a < g->dimension && g->periodic[a])
            x[a] -= length * floor((x[a] - g->origin[a]) / length);
    }
}

/* Whether a wall belongs to a surface. */
static int is_meant(const struct sluice_fit *f, int motion, int shape)
{
    if (motion == SLUICE_FIT_FITTED_WALLS)
        return sluice_fit_is_fitted(f->config, shape);
    return motion == SLUICE_FIT_ALL_WALLS || f->motion[shape] == motion;
}

/* The distance as the listed shapes have it, in their order. */
static double distance_of(const struct sluice_fit *f, int motion, const int *list, int count,
                          const double x[3], double way[3], int *shape)
{
    const struct sluice_config *c = f->config;
    double least = INFINITY, one[3];
    way[0] = way[1] = way[2] = 0;
    *shape = -1;
    for (int k = 0; k < count; k++) {
        const int s = list[k], type = c->shapes[s].type,
                  walls = c->shapes[s].kind == SLUICE_SHAPE_WALLS,
                  wall = type == SLUICE_SHAPE_WALL || walls;
        if (type == SLUICE_SHAPE_PART || (wall && !is_meant(f, motion, s)) ||
            (!wall && !isfinite(least)))
            continue;
        const double far = sluice_geometry_box_distance(&f->surface, s, x);
        if (far > 0 && (wall ? far >= least : -far <= least))
            continue;
        const double d = walls ? sluice_geometry_sides_distance(&f->surface, c->shapes[s].sides, x,
                                                                one)
                               : sluice_geometry_distance(&f->surface, s, x, one);
        if (wall ? d >= least : -d <= least)
            continue;
        least = wall ? d : -d;
        memcpy(way, one, sizeof one);
        if (wall)
            *shape = s;
    }
    return least;
}

/* Shapes beyond the tree's reach change no result within it: a wall there has a larger distance,
 * and what cuts it cuts deeper in. */
double sluice_fit_distance(const struct sluice_fit *f, int motion, const double from[3],
                           double way[3], int *shape)
{
    double x[3];
    int count, own;
    wrap(&f->surface, from, x);
    const int *list = sluice_shape_tree_near(&f->tree, x, &count);
    double d = distance_of(f, motion, list, count, x, way, &own);
    if (!(fabs(d) < f->tree.reach) && count < f->tree.shape_count)
        d = distance_of(f, motion, f->tree.list, f->tree.shape_count, x, way, &own);
    if (shape)
        *shape = own;
    return d;
}

void sluice_fit_outwards(const struct sluice_fit *f, int motion, const double x[3], double distance,
                         const double way[3], double out[3])
{
    const double step = 1e-4 * f->surface.spacing;
    const int near = fabs(distance) < 1e-6 * f->surface.spacing;
    double length = 0, other[3];
    for (int a = 0; a < 3; a++) {
        out[a] = distance < 0 ? way[a] : -way[a];
        if (near) { /* on the surface itself: by differences */
            double low[3] = {x[0], x[1], x[2]}, high[3] = {x[0], x[1], x[2]};
            low[a] -= step;
            high[a] += step;
            out[a] = a < f->surface.dimension ? sluice_fit_distance(f, motion, high, other, NULL) -
                                                    sluice_fit_distance(f, motion, low, other, NULL)
                                              : 0;
        }
        length += out[a] * out[a];
    }
    for (int a = 0; a < 3; a++)
        out[a] = length > 0 ? out[a] / sqrt(length) : a == 0;
}

double sluice_fit_to_depth(const struct sluice_fit *f, int motion, double depth, int steps,
                           double x[3], double out[3])
{
    double off = 0, way[3], own[3];
    if (!out)
        out = own;
    for (int k = 0; k < steps; k++) {
        const double d = sluice_fit_distance(f, motion, x, way, NULL);
        off = d + depth;
        if (!isfinite(d) || fabs(off) < 1e-13 * f->surface.spacing)
            break;
        sluice_fit_outwards(f, motion, x, d, way, out);
        for (int a = 0; a < 3; a++)
            x[a] -= off * out[a];
    }
    return fabs(off);
}

double sluice_fit_hold(const struct sluice_fit *f, double least, int steps, double x[3])
{
    double d = INFINITY, way[3], out[3];
    for (int k = 0; k < steps; k++) { /* in a corner one wall after the other */
        d = sluice_fit_distance(f, SLUICE_FIT_ALL_WALLS, x, way, NULL);
        if (d >= least)
            break;
        sluice_fit_outwards(f, SLUICE_FIT_ALL_WALLS, x, d, way, out);
        for (int a = 0; a < 3; a++)
            x[a] += (least - d) * out[a];
    }
    return d;
}

/* Inclusion and exclusion over the corners of the cube: the simplex that a corner leaves above the
 * plane has the volume t^D/(D! n_1 ... n_D), with t the corner's distance along the normal. */
double sluice_fit_cube_fraction(int dimension, const double normal[3], double depth)
{
    double n[3] = {1, 1, 1}, sum = 0, product = 1, fraction = 0;
    for (int a = 0; a < dimension; a++) {
        n[a] = fmax(fabs(normal[a]), 1e-3);
        sum += n[a];
        product *= n[a] * (a + 1);
    }
    const double d = depth + 0.5 * sum;
    if (d <= 0)
        return 0;
    if (d >= sum)
        return 1;
    for (int corner = 0; corner < 1 << dimension; corner++) {
        double t = d;
        int sign = 1;
        for (int a = 0; a < dimension; a++)
            if (corner >> a & 1) {
                t -= n[a];
                sign = -sign;
            }
        if (t > 0)
            fraction += sign * (dimension == 2 ? t * t : t * t * t);
    }
    return fmin(1, fmax(0, fraction / product));
}

void sluice_fit_mirror(const struct sluice_fit *f, int shape, const double x[3], double ghost[3])
{
    const double rounding = 1e-6 * f->surface.spacing;
    double at[3] = {x[0], x[1], x[2]}, way[3];
    if (!sluice_fit_is_fitted(f->config, shape)) {
        sluice_geometry_mirror(f->geometry, shape, x, ghost);
        return;
    }
    /* In a corner of the fluid the nearest point of one wall lies in the other one: go on from
     * there. */
    for (int k = 0; k < 20; k++) {
        if (sluice_fit_distance(f, f->motion[shape], at, way, NULL) > -rounding)
            break;
        for (int a = 0; a < 3; a++)
            at[a] += way[a];
    }
    for (int a = 0; a < 3; a++)
        ghost[a] = 2 * at[a] - x[a];
    if (sluice_fit_distance(f, f->motion[shape], ghost, way, NULL) < -rounding)
        sluice_geometry_mirror(f->geometry, shape, x, ghost);
}
