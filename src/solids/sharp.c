#include "solids/sharp.h"

#include <math.h>
#include <string.h>

#include "core/allocate.h"

sluice_status sluice_sharp_list(struct sluice_sharp *sharp, const struct sluice_solid *solid)
{
    sharp->solid = solid;
    return solid->kind && solid->kind->sharp ? solid->kind->sharp(solid, sharp) : SLUICE_OK;
}

sluice_status sluice_sharp_add_corner(struct sluice_sharp *sharp, const double own[3])
{
    double x[3];
    sluice_solid_place(sharp->solid, own, x);
    for (int a = 0; a < sharp->solid->dimension; a++)
        if (!(x[a] >= sharp->low[a] && x[a] <= sharp->high[a]))
            return SLUICE_OK;
    SLUICE_GROW(sharp->point, sharp->count, sharp->capacity, "corners of a wall");
    memcpy(sharp->point[sharp->count++], x, sizeof x);
    return SLUICE_OK;
}

/* Cuts the part of an edge, from + t along with t in range, to the box. Returns 0 if none is left.
 */
static int clip(const struct sluice_sharp *sharp, const double a[3], const double b[3],
                double range[2])
{
    double from[3], to[3];
    sluice_solid_place(sharp->solid, a, from);
    sluice_solid_place(sharp->solid, b, to);
    range[0] = 0;
    range[1] = 1;
    for (int k = 0; k < sharp->solid->dimension; k++) {
        const double along = to[k] - from[k], first = (sharp->low[k] - from[k]) / along,
                     last = (sharp->high[k] - from[k]) / along;
        if (!(fabs(along) > 0)) {
            if (!(from[k] >= sharp->low[k] && from[k] <= sharp->high[k]))
                return 0;
            continue;
        }
        range[0] = fmax(range[0], fmin(first, last));
        range[1] = fmin(range[1], fmax(first, last));
    }
    return range[1] > range[0];
}

sluice_status sluice_sharp_add_edge(struct sluice_sharp *sharp, const double a[3],
                                    const double b[3])
{
    double length2 = 0, range[2], own[3];
    for (int k = 0; k < 3; k++)
        length2 += (b[k] - a[k]) * (b[k] - a[k]);
    if (!isfinite(length2) || !clip(sharp, a, b, range))
        return SLUICE_OK;
    const double parts = ceil(sqrt(length2) * sharp->solid->shape->scale / sharp->spacing - 1e-9),
                 first = fmax(1, ceil(range[0] * parts)),
                 last = fmin(parts - 1, floor(range[1] * parts));
    for (double i = first; i <= last; i++) {
        for (int k = 0; k < 3; k++)
            own[k] = a[k] + i / parts * (b[k] - a[k]);
        SLUICE_TRY(sluice_sharp_add_corner(sharp, own));
    }
    return SLUICE_OK;
}

sluice_status sluice_sharp_add_circle(struct sluice_sharp *sharp, const double centre[3], int axis,
                                      double radius)
{
    const double pi = acos(-1),
                 parts = ceil(2 * pi * radius * sharp->solid->shape->scale / sharp->spacing);
    double own[3];
    memcpy(own, centre, sizeof own);
    for (double i = 0; i < fmax(1, parts); i++) {
        own[(axis + 1) % 3] = centre[(axis + 1) % 3] + radius * cos(2 * pi * i / parts);
        own[(axis + 2) % 3] = centre[(axis + 2) % 3] + radius * sin(2 * pi * i / parts);
        SLUICE_TRY(sluice_sharp_add_corner(sharp, parts > 0 ? own : centre));
    }
    return SLUICE_OK;
}
