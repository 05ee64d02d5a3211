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

/* The face of one side, or of its end, and the part of the way to it that is along the axis. */
struct end {
    int axis;
    double beyond, way; /* how far y is outside, and to the face, m */
};

/* Lists the faces of a side of the domain: its own, and its ends. A side ends with the domain where
 * it meets no other side and the axis is not periodic; behind its face it has no end. */
static int list_ends(const struct sluice_contacts *c, int side, const double y[3],
                     struct end end[1 + 6])
{
    int count = 0;
    for (int k = 0; k < 2 * c->dimension; k++) {
        const int axis = k / 2, high = k % 2, own = k == side;
        if (!own && (axis == side / 2 || c->periodic[axis] || c->sides & 1u << k))
            continue;
        const double face = c->origin[axis] + (high ? c->period[axis] : 0), way = face - y[axis];
        end[count++] = (struct end){axis, own == high ? way : -way, way};
    }
    return count;
}

/* The signed distance from a side of the domain. */
static double distance_of_side(const struct sluice_contacts *c, int side, const double y[3],
                               double way[3])
{
    struct end end[1 + 6];
    const int count = list_ends(c, side, y, end);
    int nearest = 0;
    double outside2 = 0;
    way[0] = way[1] = way[2] = 0;
    for (int i = 0; i < count; i++) {
        nearest = end[i].beyond > end[nearest].beyond ? i : nearest;
        if (!(end[i].beyond > 0))
            continue;
        outside2 += end[i].beyond * end[i].beyond;
        way[end[i].axis] = end[i].way;
    }
    if (outside2 > 0)
        return sqrt(outside2);
    way[end[nearest].axis] = end[nearest].way;
    return end[nearest].beyond;
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
    double most = w->side >= 0 ? distance_of_side(c, w->side, x, way)
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
