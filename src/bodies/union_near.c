#include "bodies/union_near.h"

#include <math.h>

/* Whether the other side of the surface that is nearest is no other side. */
static int is_seam(const struct sluice_solid_union *u, int part, const double y[3], double d,
                   const double way[3], double size)
{
    const struct sluice_shape *s = &u->g->asked[u->part[part].shape];
    double beyond[3], rest[3];
    if (!s->within[0] && !s->without[0] && s->kind != SLUICE_SHAPE_MESH)
        return 0;
    for (int a = 0; a < 3; a++)
        beyond[a] = y[a] + (1 + 1e-3 * size / fmax(fabs(d), 1e-9 * size)) * way[a];
    return (sluice_solid_union_part_distance(u, part, beyond, rest) < 0) == (d < 0);
}

double sluice_union_sample(const struct sluice_solid_union *u, int part, const double y[3],
                           double size, struct sluice_union_near *n)
{
    static const double aside[3] = {0.36e-3, 0.48e-3, 0.8e-3};
    double way[3], x[3], d = sluice_solid_union_part_distance(u, part, y, way);
    *n = (struct sluice_union_near){.part = part, .d = d};
    if (fabs(d) < 1e-6 * size) {
        double beside[3] = {0, 0, 0};
        for (int a = 0; a < u->dimension; a++)
            beside[a] = y[a] + aside[a] * size;
        d = sluice_solid_union_part_distance(u, part, beside, way);
    } else
        n->is_seam = is_seam(u, part, y, d, way, size);
    for (int a = 0; a < 3; a++)
        n->out[a] = d != 0 ? -way[a] / d : 0;
    if (fabs(n->d) < size) /* too near, whatever else is known */
        return fabs(n->d);
    sluice_solid_union_to_config(u, y, x);
    return fmin(fabs(n->d), sluice_geometry_certain(u->g, u->part[part].shape, x));
}

int sluice_union_is_in_box(const struct sluice_solid_union *u, int part,
                           const struct sluice_union_cell *c)
{
    const struct sluice_union_part *p = &u->part[part];
    const struct sluice_shape *s = &u->g->asked[p->shape];
    const struct sluice_solid *solid = &u->g->solid[p->shape];
    int inside = s->kind == SLUICE_SHAPE_BOX && !s->within[0] && !s->without[0];
    for (int a = 0; a < u->dimension && inside; a++) {
        const double rounding = 1e-9 * c->half[a];
        inside = c->middle[a] - c->half[a] >= p->low[a] - rounding &&
                 c->middle[a] + c->half[a] <= p->high[a] + rounding;
        for (int i = 0; i < 3; i++)
            inside &= fabs(solid->rotation[i][a] - u->axis[a][i]) < 1e-12;
    }
    return inside;
}

int sluice_union_is_beyond(const struct sluice_solid_union *u, int part,
                           const struct sluice_union_cell *c)
{
    const struct sluice_union_part *p = &u->part[part];
    for (int a = 0; a < u->dimension; a++)
        if (c->middle[a] - c->half[a] > p->high[a] - 1e-9 * c->half[a] ||
            c->middle[a] + c->half[a] < p->low[a] + 1e-9 * c->half[a])
            return 1;
    return 0;
}

double sluice_union_plane_distance(const struct sluice_union_cell *c,
                                   const struct sluice_union_near *n, const double y[3])
{
    double d = n->d;
    for (int a = 0; a < 3; a++)
        d += n->out[a] * (y[a] - c->middle[a]);
    return d;
}
