/* The lattice of a domain: its cells on each axis, and spacings that fit the periods. */
#include <math.h>

#include "geometry/geometry.h"

static const char axis_name[3] = {'x', 'y', 'z'};

/* Whether every periodic length is a whole number of spacings. */
static int spacing_fits(const struct sluice_config *c, double spacing)
{
    for (int a = 0; a < c->dimension; a++) {
        const double cells = (c->domain.max[a] - c->domain.min[a]) / spacing;
        if (c->domain.periodic[a] &&
            (rint(cells) < 1 || fabs(cells - rint(cells)) > SLUICE_LATTICE_FIT))
            return 0;
    }
    return 1;
}

/* The nearest spacing that fits, finer (direction 1) or coarser (-1) than the config's; 0 where
 * none is within a factor of two. Every spacing that fits is a whole part of one periodic length,
 * so only those are tried. */
static double fitting_spacing(const struct sluice_config *c, int axis, int direction)
{
    const double length = c->domain.max[axis] - c->domain.min[axis];
    const double cells = length / c->spacing;
    double n = direction > 0 ? floor(cells) + 1 : ceil(cells) - 1;
    for (int tries = 0; tries < 1000000 && n >= 1 && n < 2 * cells && n > cells / 2;
         tries++, n += direction)
        if (spacing_fits(c, length / n))
            return length / n;
    return 0;
}

static sluice_status refuse_spacing(const struct sluice_config *c, int axis)
{
    const double length = c->domain.max[axis] - c->domain.min[axis];
    const double finer = fitting_spacing(c, axis, 1), coarser = fitting_spacing(c, axis, -1);
    char remedy[160] = "no spacing near it fits all periodic lengths, change one of them";
    if (finer > 0 && coarser > 0)
        snprintf(remedy, sizeof remedy, "the nearest spacings that fit are %.9g and %.9g", finer,
                 coarser);
    else if (finer > 0 || coarser > 0)
        snprintf(remedy, sizeof remedy, "the nearest spacing that fits is %.9g",
                 finer > 0 ? finer : coarser);
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "spacing: the period of %.9g along %c is %.6f times the spacing %.9g, it "
                       "must be a whole number of times (within %g); %s",
                       length, axis_name[axis], length / c->spacing, c->spacing, SLUICE_LATTICE_FIT,
                       remedy);
}

sluice_status sluice_geometry_set_lattice(struct sluice_geometry *g)
{
    const struct sluice_config *c = g->config;
    for (int a = 0; a < 3; a++) {
        g->step[a] = c->spacing;
        g->n[a] = 1;
        if (a >= g->dimension)
            continue;
        const double length = c->domain.max[a] - c->domain.min[a], cells = length / c->spacing;
        SLUICE_CHECK(cells < 1e15, SLUICE_BAD_INPUT,
                     "spacing: %.9g puts %.3g particles on the domain's length of %.9g along %c; "
                     "make the spacing larger",
                     c->spacing, cells, length, axis_name[a]);
        g->origin[a] = c->domain.min[a];
        g->periodic[a] = c->domain.periodic[a];
        g->n[a] = (int64_t)floor(cells + 0.5 + 1e-9);
        SLUICE_CHECK(g->n[a] >= 1, SLUICE_BAD_INPUT,
                     "spacing: %.9g is more than the domain's length of %.9g along %c", c->spacing,
                     length, axis_name[a]);
        if (g->periodic[a] && fabs(cells - rint(cells)) > SLUICE_LATTICE_FIT)
            return refuse_spacing(c, a);
        if (g->periodic[a])
            g->step[a] = length / (double)g->n[a];
    }
    return SLUICE_OK;
}
