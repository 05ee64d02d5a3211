/* Seams. Each wall has a signed distance of its own, and so has each part of a body. Where two
 * meet, the face between them is no surface:
 *
 *           y
 *           |\          y is above the left box. Its nearest point on the right box is the upper
 *     ------+-+------    corner, but the left box is nearer there. So that corner is no contact.
 *           |            A contact is where the distance from y to the union has a local minimum.
 *
 * Deep inside, the nearest face may be a seam. The surface is then sought from a place outside,
 * from which the nearest point of a union is on its surface. */
#include <math.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"
#include "core/vector.h"

/* Over dp: how far beyond a surface others are asked; how far apart walls do not cover each other.
 * Relative: at less than this distances are equal, and the first wall has the contact. */
static const double ahead = 0.01, apart = 0.1, equal = 1e-9;
/* Nearer than this over dp a place is on a surface, or on a seam. */
static const double on_surface = 1e-9;

/* --- Walls beside each other --- */

static int may_cover(const struct sluice_contacts *c, const struct sluice_contact_wall *w,
                     const struct sluice_contact_wall *by)
{
    const struct sluice_solid *a = &c->geometry->solid[w->shape],
                              *b = &c->geometry->solid[by->shape];
    if (w == by || (w->side >= 0 && by->side >= 0))
        return 0;
    if (w->motion != by->motion || w->side >= 0 || by->side >= 0)
        return 1;
    for (int k = 0; k < c->dimension; k++)
        if (!c->periodic[k] && (a->low[k] > b->high[k] + apart * c->spacing ||
                                b->low[k] > a->high[k] + apart * c->spacing))
            return 0;
    return 1;
}

sluice_status sluice_contact_list_besides(struct sluice_contacts *c)
{
    for (int i = 0; i < c->walls; i++) {
        struct sluice_contact_wall *w = &c->wall[i];
        int count = 0;
        for (int k = 0; k < c->walls; k++)
            count += may_cover(c, w, &c->wall[k]);
        SLUICE_ALLOCATE(w->beside, count, "walls beside a wall");
        for (int k = 0; k < c->walls; k++)
            if (may_cover(c, w, &c->wall[k]))
                w->beside[w->besides++] = k;
    }
    return SLUICE_OK;
}

/* --- Seams --- */

/* x in the axes of one wall, in those of another. */
static void change_axes(const struct sluice_contact_wall *from,
                        const struct sluice_contact_wall *to, const double x[3], double y[3])
{
    double arm[3], world[3];
    if (from->motion == to->motion) {
        memcpy(y, x, 3 * sizeof y[0]);
        return;
    }
    for (int a = 0; a < 3; a++)
        arm[a] = x[a] - from->centre[a];
    sluice_matrix_times(from->pose.turn, arm, world);
    for (int a = 0; a < 3; a++)
        world[a] += from->pose.centre[a] - to->pose.centre[a];
    sluice_matrix_transposed_times(to->pose.turn, world, y);
    for (int a = 0; a < 3; a++)
        y[a] += to->centre[a];
}

static int is_far(const struct sluice_contacts *c, const struct sluice_contact_wall *w,
                  const double y[3])
{
    const struct sluice_solid *solid = &c->geometry->solid[w->shape];
    return w->side < 0 && !c->periodic[0] && !c->periodic[1] && !c->periodic[2] &&
           sluice_contact_is_beyond(c->dimension, solid->low, solid->high, y, c->spacing);
}

/* Whether another wall covers the surface of wall w that is nearest to y, just beneath p. */
static int is_covered_by_walls(const struct sluice_contacts *c, int w, const double y[3],
                               double distance, const double p[3])
{
    const struct sluice_contact_wall *wall = &c->wall[w];
    const double off = ahead * c->spacing;
    double at[3], way[3];
    for (int i = 0; i < wall->besides; i++) {
        const int k = wall->beside[i];
        change_axes(wall, &c->wall[k], p, at);
        if (is_far(c, &c->wall[k], at))
            continue;
        const double d = sluice_contact_distance(c, -1 - k, at, way);
        if (d < off * (1 - equal))
            return 1;
        if (d > off * (1 + equal))
            continue;
        change_axes(wall, &c->wall[k], y, at);
        const double whole = sluice_contact_distance(c, -1 - k, at, way);
        if (whole < distance || (k < w && whole <= distance))
            return 1;
    }
    return 0;
}

/* Whether the surface nearest to y, at y + way with this normal, is none of the union. */
static int is_covered(const struct sluice_contacts *c, int other, const double y[3],
                      const struct sluice_contact_hit *hit)
{
    const double off = ahead * c->spacing;
    double p[3], way[3];
    if (other >= 0 ? c->solid[other].shapes == 1 || hit->distance > 0
                   : c->wall[-1 - other].besides == 0)
        return 0;
    for (int a = 0; a < 3; a++)
        p[a] = y[a] + (off - hit->distance) * hit->normal[a];
    return other < 0 ? is_covered_by_walls(c, -1 - other, y, hit->distance, p)
                     : sluice_contact_distance(c, other, p, way) < off * (1 - equal);
}

/* Where a shape is cut, the surface that it would have without the cut is nearer than the true one,
 * as seen from outside. */
static int is_cut_off(const struct sluice_contacts *c, int other, const double y[3],
                      const struct sluice_contact_hit *hit)
{
    double beyond[3], way[3];
    if (!(hit->distance > 0) ||
        !(other >= 0 ? c->solid[other].combined : c->wall[-1 - other].combined))
        return 0;
    for (int a = 0; a < 3; a++)
        beyond[a] = y[a] -
                    hit->normal[a] * (hit->distance + 1e-3 * SLUICE_CONTACT_BALL * c->spacing);
    return !(sluice_contact_distance(c, other, beyond, way) < 0);
}

static int ask(const struct sluice_contacts *c, int other, const double y[3],
               struct sluice_contact_hit *hit)
{
    double way[3];
    hit->distance = sluice_contact_distance(c, other, y, way);
    const double length = hit->distance > 0 ? -sluice_norm(way) : sluice_norm(way);
    for (int a = 0; a < 3; a++)
        hit->normal[a] = way[a] / length;
    return fabs(length) > 0;
}

/* --- Deep inside --- */

/* The surface above y as seen from `height` along a direction. */
static int look_from(const struct sluice_contacts *c, int other, const double y[3],
                     const double along[3], double height, struct sluice_contact_hit *hit)
{
    struct sluice_contact_hit seen;
    double from[3];
    for (int a = 0; a < 3; a++)
        from[a] = y[a] + height * along[a];
    if (!ask(c, other, from, &seen) || !(seen.distance > 0) || is_cut_off(c, other, from, &seen) ||
        is_covered(c, other, from, &seen))
        return 0;
    const double depth = height * sluice_dot(along, seen.normal) - seen.distance;
    *hit = seen;
    hit->distance = -depth;
    return depth > -on_surface * c->spacing;
}

int sluice_contact_look_from(const struct sluice_contacts *c, int other, const double y[3],
                             const double out[3], struct sluice_contact_hit *hit)
{
    const double least = SLUICE_CONTACT_BALL * c->spacing;
    for (double height = 2 * least; height < 5 * c->spacing; height *= 2) {
        struct sluice_contact_hit first, second;
        if (!look_from(c, other, y, out, height, &first))
            continue;
        if (!look_from(c, other, y, first.normal, least - first.distance, &second) ||
            sluice_dot(first.normal, second.normal) < 1 - 1e-6)
            return 0;
        *hit = second;
        return 1;
    }
    return 0;
}

enum sluice_contact_sight sluice_contact_look(const struct sluice_contacts *c, int other,
                                              const double y[3], double radius,
                                              struct sluice_contact_hit *hit)
{
    if (!ask(c, other, y, hit) || !(radius > hit->distance) || is_cut_off(c, other, y, hit))
        return SLUICE_CONTACT_NONE;
    if (!is_covered(c, other, y, hit))
        return SLUICE_CONTACT_SEEN;
    return hit->distance < 0 ? SLUICE_CONTACT_SEAM : SLUICE_CONTACT_NONE;
}

double sluice_contact_depth(const struct sluice_contacts *c, int other, const double y[3],
                            double way[3])
{
    struct sluice_contact_hit hit, best = {.distance = -INFINITY};
    const double distance = sluice_contact_distance(c, other, y, way);
    if (other < 0 || c->solid[other].shapes == 1 || distance > on_surface * c->spacing)
        return distance;
    if (distance < -on_surface * c->spacing &&
        (!ask(c, other, y, &hit) || !is_covered(c, other, y, &hit)))
        return distance;
    for (int k = 0; k < (c->dimension == 2 ? 9 : 27); k++) {
        double out[3] = {k % 3 - 1, k / 3 % 3 - 1, c->dimension == 2 ? 0 : k / 9 - 1};
        const double length = sluice_norm(out);
        for (int a = 0; a < 3; a++)
            out[a] /= length > 0 ? length : 1;
        if (length > 0 && sluice_contact_look_from(c, other, y, out, &hit) &&
            hit.distance > best.distance)
            best = hit;
    }
    if (isinf(best.distance))
        return distance;
    for (int a = 0; a < 3; a++)
        way[a] = -best.distance * best.normal[a];
    return best.distance;
}
