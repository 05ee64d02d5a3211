#include "bodies/solid_union.h"

#include <math.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"

void sluice_solid_union_to_config(const struct sluice_solid_union *u, const double y[3],
                                  double x[3])
{
    for (int a = 0; a < 3; a++)
        x[a] = u->axis[0][a] * y[0] + u->axis[1][a] * y[1] + u->axis[2][a] * y[2];
}

void sluice_solid_union_from_config(const struct sluice_solid_union *u, const double x[3],
                                    double y[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = sluice_dot(u->axis[i], x);
}

/* --- Extents --- */

/* The extent of a shape along a direction of length 1. */
static void find_extent(const struct sluice_geometry *g, int shape, const double direction[3],
                        double *low, double *high)
{
    const struct sluice_shape *s = &g->asked[shape];
    const double back[3] = {-direction[0], -direction[1], -direction[2]};
    double all_low = INFINITY, all_high = -INFINITY;
    *low = -INFINITY;
    *high = INFINITY;
    if (s->kind != SLUICE_SHAPE_WALLS) {
        *low = -sluice_solid_reach(&g->solid[shape], back);
        *high = sluice_solid_reach(&g->solid[shape], direction);
    }
    for (int k = 0; k < shape && s->within[0]; k++) {
        double one_low, one_high;
        if (strcmp(g->asked[k].name, s->within) != 0)
            continue;
        find_extent(g, k, direction, &one_low, &one_high);
        all_low = fmin(all_low, one_low);
        all_high = fmax(all_high, one_high);
    }
    if (all_high > all_low) {
        *low = fmax(*low, all_low);
        *high = fmin(*high, all_high);
    }
}

void sluice_solid_union_extent(const struct sluice_solid_union *u, int shape, int axis, double *low,
                               double *high)
{
    find_extent(u->g, shape, u->axis[axis], low, high);
}

static sluice_status set_part(struct sluice_solid_union *u, struct sluice_union_part *p)
{
    char title[2 * SLUICE_TEXT_MAX];
    for (int a = 0; a < u->dimension; a++) {
        double along[3] = {0, 0, 0};
        along[a] = 1;
        find_extent(u->g, p->shape, along, &p->box[0][a], &p->box[1][a]);
        SLUICE_CHECK(isfinite(p->box[0][a]) && isfinite(p->box[1][a]), SLUICE_BAD_INPUT,
                     "body: %s has no end along %c, so no mass: give it one by `within`, or take "
                     "another shape",
                     sluice_geometry_title(u->g->config, p->shape, title, sizeof title), "xyz"[a]);
        sluice_solid_union_extent(u, p->shape, a, &p->low[a], &p->high[a]);
    }
    return SLUICE_OK;
}

/* The axes are those of the largest shape, by its box. */
static void set_axes(struct sluice_solid_union *u, const int *shape)
{
    double largest = -1;
    for (int k = 0; k < u->count; k++) {
        const struct sluice_solid *solid = &u->g->solid[shape[k]];
        double size = 1;
        for (int a = 0; a < u->dimension; a++)
            size *= solid->high[a] - solid->low[a];
        if (!(size > largest) || !isfinite(size) || !solid->kind)
            continue;
        largest = size;
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < 3; a++)
                u->axis[i][a] = solid->rotation[a][i];
    }
}

static sluice_status set_parts(struct sluice_solid_union *u, const int *shape)
{
    char title[2 * SLUICE_TEXT_MAX];
    SLUICE_ALLOCATE(u->part, u->count, "shapes of a body");
    for (int k = 0; k < u->count; k++) {
        u->part[k].shape = shape[k];
        SLUICE_TRY(set_part(u, &u->part[k]));
    }
    for (int a = 0; a < u->dimension; a++) {
        u->low[a] = INFINITY;
        u->high[a] = -INFINITY;
        for (int k = 0; k < u->count; k++) {
            u->low[a] = fmin(u->low[a], u->part[k].low[a]);
            u->high[a] = fmax(u->high[a], u->part[k].high[a]);
        }
        SLUICE_CHECK(u->count > 0 && u->high[a] > u->low[a], SLUICE_BAD_INPUT,
                     "body: %s encloses nothing, so the body has no mass",
                     u->count > 0
                         ? sluice_geometry_title(u->g->config, shape[0], title, sizeof title)
                         : "no shape");
    }
    return SLUICE_OK;
}

sluice_status sluice_solid_union_create(struct sluice_solid_union *u,
                                        const struct sluice_geometry *g, const int *shape,
                                        int count)
{
    *u = (struct sluice_solid_union){.g = g,
                                     .dimension = g->dimension,
                                     .count = count,
                                     .axis = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    set_axes(u, shape);
    const sluice_status status = set_parts(u, shape);
    if (status != SLUICE_OK)
        sluice_solid_union_destroy(u);
    return status;
}

void sluice_solid_union_destroy(struct sluice_solid_union *u)
{
    free(u->part);
    *u = (struct sluice_solid_union){0};
}

/* --- Distances --- */

/* On a periodic axis the geometry has images of the part, too; they lie beyond its extent. */
double sluice_solid_union_part_distance(const struct sluice_solid_union *u, int part,
                                        const double y[3], double way[3])
{
    const struct sluice_union_part *p = &u->part[part];
    const int *periodic = u->g->periodic;
    double x[3], there[3], box[3];
    sluice_solid_union_to_config(u, y, x);
    double d = sluice_geometry_distance(u->g, p->shape, x, there);
    if (periodic[0] || periodic[1] || periodic[2]) {
        const double to_box = sluice_solid_box_distance(p->box[0], p->box[1], u->dimension, x, box);
        if (to_box > d + 1e-12 * fabs(d)) {
            d = to_box;
            memcpy(there, box, sizeof box);
        }
    }
    sluice_solid_union_from_config(u, there, way);
    return d;
}

double sluice_solid_union_distance(const struct sluice_solid_union *u, const double y[3],
                                   double way[3])
{
    double least = INFINITY, one[3];
    for (int k = 0; k < u->count; k++) {
        const struct sluice_union_part *p = &u->part[k];
        if (sluice_solid_box_distance(p->low, p->high, u->dimension, y, one) >= fmax(least, 0))
            continue;
        const double d = sluice_solid_union_part_distance(u, k, y, one);
        if (d < least) {
            least = d;
            memcpy(way, one, sizeof one);
        }
    }
    return least;
}
