/* Signed distances of bodies and walls. */
#include <math.h>
#include <string.h>

#include "contact/contact_internal.h"

/* The least distance of the shapes. */
static double distance_of_body(const struct sluice_contacts *c,
                               const struct sluice_contact_solid *s, const double y[3],
                               double way[3])
{
    double least = INFINITY, one[3];
    for (int k = 0; k < s->shapes; k++) {
        const struct sluice_solid *solid = &c->geometry->solid[s->shape[k]];
        if (k > 0 &&
            sluice_contact_is_beyond(c->dimension, solid->low, solid->high, y, fmax(least, 0)))
            continue;
        const double d = sluice_geometry_distance(c->geometry, s->shape[k], y, one);
        if (d < least) {
            least = d;
            memcpy(way, one, sizeof one);
        }
    }
    return least;
}

/* The signed distance from a side of the domain: the greatest of those from its faces, or the
 * distance to an edge of two. */
static double distance_of_side(const struct sluice_contact_wall *w, const double y[3],
                               double way[3])
{
    double most = -INFINITY, outside2 = 0;
    int nearest = 0, outside = 0;
    way[0] = way[1] = way[2] = 0;
    for (int i = 0; i < w->faces; i++) {
        const struct sluice_contact_face *f = &w->face[i];
        const double beyond = f->outward * (y[f->axis] - f->place);
        if (beyond > 0) {
            way[f->axis] = f->place - y[f->axis];
            outside2 += beyond * beyond;
            outside++;
        }
        if (beyond > most) {
            most = beyond;
            nearest = i;
        }
    }
    if (outside == 0)
        way[w->face[nearest].axis] = w->face[nearest].place - y[w->face[nearest].axis];
    return outside > 1 ? sqrt(outside2) : most;
}

static double distance_of_wall(const struct sluice_contacts *c, const struct sluice_contact_wall *w,
                               const double y[3], double way[3])
{
    const struct sluice_geometry *g = c->geometry;
    double x[3], other[3];
    for (int a = 0; a < 3; a++) {
        x[a] = y[a];
        if (c->periodic[a])
            x[a] -= c->period[a] * floor((x[a] - c->origin[a]) / c->period[a]);
    }
    double most = w->side >= 0 ? distance_of_side(w, x, way)
                               : sluice_geometry_distance(g, w->shape, x, way);
    for (int k = 0; k < w->cuts && most < SLUICE_CONTACT_BALL * c->spacing; k++) {
        if (sluice_geometry_box_distance(g, w->cut[k], x) > fmax(0, -most))
            continue;
        const double d = -sluice_geometry_distance(g, w->cut[k], x, other);
        if (d > most) {
            most = d;
            memcpy(way, other, sizeof other);
        }
    }
    return most;
}

double sluice_contact_distance(const struct sluice_contacts *c, int other, const double y[3],
                               double way[3])
{
    return other >= 0 ? distance_of_body(c, &c->solid[other], y, way)
                      : distance_of_wall(c, &c->wall[-1 - other], y, way);
}
