#include "geometry/gas_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "geometry/geometry.h"

static const double stretch_warned = 0.03;

/* --- The contents of a shape --- */

/* Sites never lie on the faces of their own box, but may lie on those of others. */
static double rounding(const struct sluice_gas_shapes *g)
{
    return 1e-9 * g->config->spacing;
}

static int contains_alone(const struct sluice_gas_shapes *g, int shape, const double x[3])
{
    const struct sluice_gas_shape *s = &g->shape[shape];
    double way[3];
    if (!s->solid.kind) /* walls, at the domain's faces */
        return 0;
    for (int a = 0; a < g->config->dimension; a++)
        if (x[a] < s->solid.low[a] - rounding(g) || x[a] > s->solid.high[a] + rounding(g))
            return 0;
    return sluice_solid_distance(&s->solid, x, way) <= rounding(g);
}

static int contains(const struct sluice_gas_shapes *g, int shape, const double x[3]);

static int any_contains(const struct sluice_gas_shapes *g, int before, const char *name,
                        const double x[3])
{
    for (int k = 0; k < before; k++)
        if (strcmp(g->config->shapes[k].name, name) == 0 && contains(g, k, x))
            return 1;
    return 0;
}

/* Whether x is in a shape, and in what `within` and `without` leave of it. */
static int contains(const struct sluice_gas_shapes *g, int shape, const double x[3])
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    return contains_alone(g, shape, x) && (!s->within[0] || any_contains(g, shape, s->within, x)) &&
           (!s->without[0] || !any_contains(g, shape, s->without, x));
}

enum sluice_gas_site sluice_gas_shapes_site(const struct sluice_gas_shapes *g, int shape,
                                            const double x[3])
{
    const struct sluice_gas_shape *own = &g->shape[shape];
    for (int a = 0; a < g->config->dimension && !own->is_filled; a++)
        if (x[a] < own->low[a] || x[a] > own->high[a])
            return SLUICE_SITE_OUTSIDE;
    if (!own->is_filled && !contains(g, shape, x))
        return SLUICE_SITE_OUTSIDE;
    for (int k = shape + 1; k < g->config->shape_count; k++)
        if (g->config->shapes[k].type != SLUICE_SHAPE_PART && contains(g, k, x))
            return SLUICE_SITE_CUT;
    return SLUICE_SITE_FILLED;
}

/* --- Lattices --- */

static int is_fluid(const struct sluice_shape *s)
{
    return s->type == SLUICE_SHAPE_FLUID;
}

/* The volume of a particle of a shape, m^D: all shapes without a spacing of their own have
 * particles of one mass. */
static double volume_asked(const struct sluice_config *c, const struct sluice_shape *s)
{
    double densest = 0;
    if (s->spacing > 0)
        return pow(s->spacing, c->dimension);
    for (int k = 0; k < c->shape_count; k++)
        if (is_fluid(&c->shapes[k]) && c->shapes[k].spacing == 0)
            densest = fmax(densest, c->shapes[k].density);
    return densest / s->density * pow(c->spacing, c->dimension);
}

/* Whether the cells along an axis fill the shape's length. */
static int fits_along(const struct sluice_gas_shapes *g, int shape, int axis)
{
    const struct sluice_config *c = g->config;
    const struct sluice_shape *s = &c->shapes[shape];
    const struct sluice_gas_shape *own = &g->shape[shape];
    const double near = 1e-6 * c->spacing;
    return (s->kind == SLUICE_SHAPE_BOX && s->rotation_degrees == 0) ||
           (c->domain.periodic[axis] && own->low[axis] <= c->domain.min[axis] + near &&
            own->high[axis] >= c->domain.max[axis] - near);
}

/* Warns of a lattice that had to be stretched a lot. */
static void warn_of_stretch(const struct sluice_gas_shapes *g, int shape, int axis,
                            struct sluice_warnings *warnings)
{
    const struct sluice_gas_shape *s = &g->shape[shape];
    const double edge = s->lattice.edge[axis], asked = s->asked[axis];
    char title[2 * SLUICE_TEXT_MAX];
    if (fabs(edge / asked - 1) <= stretch_warned)
        return;
    sluice_warn(warnings,
                "geometry: %s is %.6g m long along %c, %.3f cells of its lattice: they are "
                "stretched by %+.1f%% to %lld cells; %.6g m fits, or a smaller spacing",
                sluice_geometry_title(g->config, shape, title, sizeof title),
                s->high[axis] - s->low[axis], "xyz"[axis], (s->high[axis] - s->low[axis]) / asked,
                100 * (edge / asked - 1), (long long)s->lattice.cells[axis],
                (double)s->lattice.cells[axis] * asked);
}

static void make_lattice(struct sluice_gas_shapes *g, int shape, struct sluice_warnings *warnings)
{
    const struct sluice_config *c = g->config;
    const struct sluice_shape *s = &c->shapes[shape];
    struct sluice_gas_shape *own = &g->shape[shape];
    struct sluice_lattice *l = &own->lattice;
    double low[3] = {0};
    int fits = 0;
    sluice_lattice_set_cell(l, s->lattice, c->dimension, volume_asked(c, s));
    memcpy(own->asked, l->edge, sizeof own->asked);
    for (int a = 0; a < c->dimension; a++) {
        const double length = own->high[a] - own->low[a], cells = length / l->edge[a];
        low[a] = own->low[a];
        if (fits_along(g, shape, a)) {
            l->cells[a] = (int64_t)fmin(fmax(1, rint(cells)), 1e15);
            l->edge[a] = length / (double)l->cells[a];
            warn_of_stretch(g, shape, a, warnings);
            fits++;
        } else { /* an even number of cells about the centre */
            l->cells[a] = (int64_t)fmin(2 * ceil(cells / 2), 1e15);
            low[a] = 0.5 * (own->low[a] + own->high[a] - (double)l->cells[a] * l->edge[a]);
        }
    }
    sluice_lattice_set_block(l, low);
    own->mass = s->density * sluice_lattice_volume(l);
    own->is_filled = s->kind == SLUICE_SHAPE_BOX && fits == c->dimension && !s->within[0] &&
                     !s->without[0];
}

/* --- All shapes --- */

/* The extent in the domain. A shape with an end must lie in it; one without goes on to its faces.
 */
static sluice_status set_extent(struct sluice_gas_shapes *g, int shape)
{
    const struct sluice_config *c = g->config;
    struct sluice_gas_shape *s = &g->shape[shape];
    char title[2 * SLUICE_TEXT_MAX];
    sluice_geometry_title(c, shape, title, sizeof title);
    for (int a = 0; a < c->dimension; a++) {
        const double low = s->solid.low[a], high = s->solid.high[a], min = c->domain.min[a],
                     max = c->domain.max[a], near = 1e-6 * c->spacing;
        s->low[a] = s->solid.kind && isfinite(low) ? low : min;
        s->high[a] = s->solid.kind && isfinite(high) ? high : max;
        if (!is_fluid(&c->shapes[shape]))
            continue;
        SLUICE_CHECK(s->low[a] >= min - near && s->high[a] <= max + near, SLUICE_BAD_INPUT,
                     "geometry: %s reaches from %c = %.9g to %.9g, the domain from %.9g to %.9g: a "
                     "gas must lie in the domain",
                     title, "xyz"[a], s -> low[a], s -> high[a], min, max);
        SLUICE_CHECK(s->high[a] > s->low[a], SLUICE_BAD_INPUT,
                     "geometry: %s ends at %c = %.9g, not above where it begins, %.9g", title,
                     "xyz"[a], s -> high[a], s -> low[a]);
    }
    return SLUICE_OK;
}

static sluice_status make_shape(struct sluice_gas_shapes *g, int shape,
                                struct sluice_warnings *warnings)
{
    SLUICE_TRY(sluice_geometry_create_solid(g->config, shape, &g->config->shapes[shape],
                                            &g->shape[shape].solid, warnings));
    SLUICE_TRY(set_extent(g, shape));
    if (is_fluid(&g->config->shapes[shape]))
        make_lattice(g, shape, warnings);
    return SLUICE_OK;
}

sluice_status sluice_gas_shapes_create(struct sluice_gas_shapes *g,
                                       const struct sluice_config *config,
                                       struct sluice_warnings *warnings)
{
    sluice_status status = SLUICE_OK;
    g->config = config;
    SLUICE_ALLOCATE(g->shape, config->shape_count, "shapes");
    for (int s = 0; s < config->shape_count && status == SLUICE_OK; s++)
        status = make_shape(g, s, warnings);
    if (status != SLUICE_OK)
        sluice_gas_shapes_destroy(g);
    return status;
}

void sluice_gas_shapes_destroy(struct sluice_gas_shapes *g)
{
    for (int s = 0; g->shape && s < g->config->shape_count; s++)
        sluice_solid_destroy(&g->shape[s].solid);
    free(g->shape);
    memset(g, 0, sizeof *g);
}

void sluice_gas_shapes_spacings(const struct sluice_gas_shapes *g, double *least, double *most)
{
    for (int s = 0; s < g->config->shape_count; s++) {
        if (!is_fluid(&g->config->shapes[s]))
            continue;
        const double spacing = pow(sluice_lattice_volume(&g->shape[s].lattice),
                                   1.0 / g->config->dimension);
        *least = fmin(*least, spacing);
        *most = fmax(*most, spacing);
    }
}

double sluice_gas_shapes_bound(const struct sluice_gas_shapes *g)
{
    double count = 0;
    for (int s = 0; s < g->config->shape_count; s++)
        count += g->shape[s].lattice.count;
    return count;
}
