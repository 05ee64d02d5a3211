#include "bodies/mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/solid_union.h"
#include "bodies/union_moments.h"
#include "core/allocate.h"

/* Whether a part is a single shape that no other part comes near. */
static int stands_alone(const struct sluice_solid_union *u, int part)
{
    const struct sluice_union_part *p = &u->part[part];
    const struct sluice_shape *s = &u->g->asked[p->shape];
    if (s->within[0] || s->without[0])
        return 0;
    for (int k = 0; k < u->count; k++) {
        int apart = k == part;
        for (int a = 0; a < u->dimension; a++)
            apart |= u->part[k].low[a] >= p->high[a] || u->part[k].high[a] <= p->low[a];
        if (!apart)
            return 0;
    }
    return 1;
}

/* Adds all parts by their closed forms, in the axes of the config. Returns 0 if not all have one.
 * `origin`: in the config's coordinates. */
static int add_closed_forms(const struct sluice_solid_union *u, const double origin[3],
                            struct sluice_moments *sum)
{
    const double zero[3] = {0, 0, 0};
    memset(sum, 0, sizeof *sum);
    for (int k = 0; k < u->count; k++) {
        struct sluice_moments one;
        if (!stands_alone(u, k) ||
            !sluice_solid_moments(&u->g->solid[u->part[k].shape], origin, &one))
            return 0;
        sluice_moments_add(sum, &one, zero, 1);
    }
    return 1;
}

/* From moments about `origin`, all in the axes of the config. */
static void set_mass(const struct sluice_moments *s, int dimension, const double origin[3],
                     struct sluice_body_mass *mass)
{
    double from[3], spread[3][3];
    memset(mass, 0, sizeof *mass);
    mass->volume = s->volume;
    for (int a = 0; a < dimension; a++)
        mass->centre[a] = origin[a] + s->first[a] / s->volume;
    for (int a = 0; a < 3; a++)
        from[a] = s->first[a] / s->volume;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            spread[a][b] = s->second[a][b] - s->volume * from[a] * from[b];
    const double trace = spread[0][0] + spread[1][1] + spread[2][2];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (dimension == 3 || (a == 2 && b == 2))
                mass->inertia[a][b] = (a == b ? trace : 0) - spread[a][b];
}

static sluice_status find_mass(const struct sluice_solid_union *u, struct sluice_body_mass *mass)
{
    struct sluice_moments sum;
    char title[2 * SLUICE_TEXT_MAX];
    double middle[3] = {0, 0, 0}, origin[3], turn[3][3], box = 1;
    for (int a = 0; a < u->dimension; a++) {
        box *= u->high[a] - u->low[a];
        middle[a] = (u->low[a] + u->high[a]) / 2;
    }
    sluice_solid_union_to_config(u, middle, origin);
    if (!add_closed_forms(u, origin, &sum)) {
        SLUICE_TRY(sluice_union_moments(u, middle, &sum));
        for (int i = 0; i < 3; i++)
            for (int a = 0; a < 3; a++)
                turn[i][a] = u->axis[a][i];
        sluice_moments_turn(&sum, u->dimension, (const double(*)[3])turn, 1);
    }
    SLUICE_CHECK(sum.volume > 1e-12 * box, SLUICE_BAD_INPUT,
                 "body: %s encloses nothing, so the body has no mass",
                 sluice_geometry_title(u->g->config, u->part[0].shape, title, sizeof title));
    set_mass(&sum, u->dimension, origin, mass);
    return SLUICE_OK;
}

sluice_status sluice_body_mass(const struct sluice_geometry *g, const int *shape, int count,
                               struct sluice_body_mass *mass)
{
    struct sluice_solid_union u;
    SLUICE_TRY(sluice_solid_union_create(&u, g, shape, count));
    const sluice_status status = find_mass(&u, mass);
    sluice_solid_union_destroy(&u);
    return status;
}

/* --- As asked --- */

/* Whether faces of a shape have moved to those of the lattice. */
static int has_moved(const struct sluice_geometry *g, int shape)
{
    const struct sluice_shape *asked = &g->asked[shape], *snapped = &g->snapped[shape];
    double most = fabs(asked->length - snapped->length);
    for (int a = 0; a < g->dimension; a++) {
        most = fmax(most, fabs(asked->min[a] - snapped->min[a]));
        most = fmax(most, fabs(asked->max[a] - snapped->max[a]));
        most = fmax(most, fabs(asked->centre[a] - snapped->centre[a]));
    }
    return most > 1e-9 * g->spacing;
}

/* Whether a shape is one of a body's, or may be combined with one: parts can be so over others. */
static int may_belong(const struct sluice_geometry *g, const int *list, int count, int shape)
{
    const char *name = g->asked[shape].name;
    for (int k = 0; k < count; k++) {
        const struct sluice_shape *own = &g->asked[list[k]];
        if (list[k] == shape ||
            (*name && (strcmp(name, own->within) == 0 || strcmp(name, own->without) == 0)))
            return 1;
    }
    return g->asked[shape].type == SLUICE_SHAPE_PART;
}

sluice_status sluice_body_asked_volume(const struct sluice_geometry *g, const int *shape, int count,
                                       double actual, double *volume)
{
    struct sluice_geometry asked = *g;
    struct sluice_warnings none = {0};
    struct sluice_body_mass mass = {.volume = actual};
    sluice_status status = SLUICE_OK;
    int moved = 0;
    *volume = actual;
    for (int k = 0; k < g->config->shape_count && !moved; k++)
        moved = may_belong(g, shape, count, k) && has_moved(g, k);
    if (!moved)
        return SLUICE_OK;
    SLUICE_ALLOCATE(asked.solid, g->config->shape_count, "shapes");
    memcpy(asked.solid, g->solid, (size_t)g->config->shape_count * sizeof *asked.solid);
    for (int k = 0; k < g->config->shape_count && status == SLUICE_OK; k++)
        if (may_belong(g, shape, count, k) && has_moved(g, k)) /* its solid owns nothing */
            status = sluice_solid_create(&asked.solid[k], g->config, &g->asked[k], &none);
    if (status == SLUICE_OK)
        status = sluice_body_mass(&asked, shape, count, &mass);
    free(asked.solid);
    *volume = mass.volume;
    return status;
}
