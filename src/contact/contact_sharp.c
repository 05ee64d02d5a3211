/* Sharp points of walls. A body's points do not see a tip between them, so tips and edges have
 * points of their own, which are tested against the body:
 *
 *     x     x     x     x       points of a body
 *     -------------------
 *              /\
 *             /  \              a wedge of wall
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/vector.h"
#include "solids/sharp.h"

/* Directions in which a place looks around; the part of them inside where an edge is sharp: an
 * angle of 160 degrees between its faces. How far it looks, over dp. */
enum { LOOKS = 64 };
static const double sharp_most = 160.0 / 360, look = 0.02;

/* Directions that are evenly apart: on a circle, or on a sphere by a spiral. */
static void set_direction(int dimension, int k, double out[3])
{
    const double pi = acos(-1), golden = pi * (3 - sqrt(5.0)),
                 z = dimension == 2 ? 0 : 1 - (2 * k + 1.0) / LOOKS,
                 turn = dimension == 2 ? 2 * pi * (k + 0.5) / LOOKS : golden * k,
                 r = sqrt(1 - z * z);
    out[0] = r * cos(turn);
    out[1] = r * sin(turn);
    out[2] = z;
}

/* Whether a place in the axes of wall w is inside it or a wall that stays with it. */
static int is_inside(const struct sluice_contacts *c, int w, const double x[3])
{
    const struct sluice_contact_wall *wall = &c->wall[w];
    double way[3];
    if (sluice_contact_distance(c, -1 - w, x, way) < 0)
        return 1;
    for (int i = 0; i < wall->besides; i++)
        if (c->wall[wall->beside[i]].motion == wall->motion &&
            sluice_contact_distance(c, -1 - wall->beside[i], x, way) < 0)
            return 1;
    return 0;
}

static int is_near_others(const struct sluice_contacts *c, int w, const double x[3])
{
    const struct sluice_contact_wall *wall = &c->wall[w];
    double way[3];
    for (int i = 0; i < wall->besides; i++) {
        const int k = wall->beside[i];
        const struct sluice_solid *solid = &c->geometry->solid[c->wall[k].shape];
        if (c->wall[k].side >= 0
                ? sluice_contact_distance(c, -1 - k, x, way) < c->spacing
                : !sluice_contact_is_beyond(c->dimension, solid->low, solid->high, x, c->spacing))
            return 1;
    }
    return 0;
}

/* Whether a point of wall w is on a sharp edge of the surface of all walls that move together. */
static int is_sharp(const struct sluice_contacts *c, int w, const double x[3])
{
    double way[3], direction[3], at[3];
    int inside = 0;
    if (fabs(sluice_contact_distance(c, -1 - w, x, way)) > 1e-6 * c->spacing)
        return 0;
    if (c->geometry->config->shapes[c->wall[w].shape].kind == SLUICE_SHAPE_MESH &&
        !is_near_others(c, w, x))
        return 1; /* a ridge of the mesh is sharp, and has many points */
    for (int k = 0; k < LOOKS; k++) {
        set_direction(c->dimension, k, direction);
        for (int a = 0; a < 3; a++)
            at[a] = x[a] + look * c->spacing * direction[a];
        inside += is_inside(c, w, at);
        if (inside > sharp_most * LOOKS)
            return 0;
    }
    return 1;
}

static sluice_status sharpen_wall(struct sluice_contacts *c, int w, struct sluice_sharp *list)
{
    int64_t kept = 0;
    list->count = 0;
    SLUICE_TRY(sluice_sharp_list(list, &c->geometry->solid[c->wall[w].shape]));
    for (int64_t i = 0; i < list->count; i++)
        if (is_sharp(c, w, list->point[i]))
            memcpy(list->point[kept++], list->point[i], sizeof list->point[i]);
    return sluice_contact_tree_create(c, -1 - w, (const double(*)[3])list->point, kept);
}

sluice_status sluice_contact_sharpen_walls(struct sluice_contacts *c)
{
    struct sluice_sharp list = {.spacing = c->spacing};
    sluice_status status = SLUICE_OK;
    for (int w = 0; w < c->walls && status == SLUICE_OK; w++) {
        const int moves = c->wall[w].motion >= 0; /* it may come from outside */
        for (int a = 0; a < c->dimension; a++) {
            const double beyond = c->spacing + (moves ? c->period[a] : 0);
            list.low[a] = c->origin[a] - beyond;
            list.high[a] = c->origin[a] + c->period[a] + beyond;
        }
        if (c->wall[w].side < 0)
            status = sharpen_wall(c, w, &list);
    }
    free(list.point);
    return status;
}
