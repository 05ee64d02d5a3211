#include "solids/solid.h"

#include <math.h>
#include <string.h>

#include "core/vector.h"

static const struct sluice_solid_kind *const kinds[] = {
    [SLUICE_SHAPE_BOX] = &sluice_solid_box,
    [SLUICE_SHAPE_SPHERE] = &sluice_solid_sphere,
    [SLUICE_SHAPE_CYLINDER] = &sluice_solid_cylinder,
    [SLUICE_SHAPE_DISC] = &sluice_solid_sphere, /* in two dimensions */
    [SLUICE_SHAPE_CONE] = &sluice_solid_cone,
    [SLUICE_SHAPE_HALF_SPACE] = &sluice_solid_half_space,
    [SLUICE_SHAPE_POLYGON] = &sluice_solid_polygon,
    [SLUICE_SHAPE_HEIGHTFIELD] = &sluice_solid_heightfield,
    [SLUICE_SHAPE_MESH] = &sluice_solid_mesh,
    [SLUICE_SHAPE_WALLS] = NULL,
};

/* The rotation by an angle about an axis (Rodrigues' formula). Multiples of 90 degrees are exact.
 */
static void set_rotation(struct sluice_solid *solid)
{
    const double degrees = solid->shape->rotation_degrees, angle = degrees * acos(-1) / 180;
    const double quarter = degrees / 90;
    const int exact = quarter == rint(quarter);
    const double c = exact ? rint(cos(angle)) : cos(angle),
                 s = exact ? rint(sin(angle)) : sin(angle);
    double u[3] = {0, 0, 1}, length = 0;
    for (int a = 0; a < 3; a++)
        length += solid->shape->rotation_axis[a] * solid->shape->rotation_axis[a];
    for (int a = 0; a < 3 && length > 0; a++)
        u[a] = solid->shape->rotation_axis[a] / sqrt(length);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int third = 3 - i - k;
            const double cross = i == k ? 0 : (k == (i + 1) % 3 ? -u[third] : u[third]);
            solid->rotation[i][k] = (i == k ? c : 0) + (1 - c) * u[i] * u[k] + s * cross;
        }
}

/* How far a solid reaches along a direction: of its box, unless the kind knows better. */
static double reach(const struct sluice_solid *solid, const double direction[3])
{
    double sum = 0;
    if (solid->kind->reach)
        return solid->kind->reach(solid, direction);
    for (int a = 0; a < 3; a++)
        if (direction[a] != 0)
            sum += direction[a] * (direction[a] > 0 ? solid->own_high[a] : solid->own_low[a]);
    return sum;
}

double sluice_solid_reach(const struct sluice_solid *solid, const double direction[3])
{
    double own[3];
    for (int i = 0; i < 3; i++) {
        own[i] = 0;
        for (int k = 0; k < 3; k++)
            if (solid->rotation[k][i] != 0)
                own[i] += solid->rotation[k][i] * direction[k];
    }
    return sluice_dot(solid->shape->move, direction) + solid->shape->scale * reach(solid, own);
}

int sluice_solid_moments(const struct sluice_solid *solid, const double origin[3],
                         struct sluice_moments *moments)
{
    double middle[3], place[3];
    struct sluice_moments own;
    for (int a = 0; a < 3; a++) {
        middle[a] = a < solid->dimension ? (solid->own_low[a] + solid->own_high[a]) / 2 : 0;
        if (!isfinite(middle[a]))
            return 0;
    }
    memset(&own, 0, sizeof own);
    if (!solid->kind || !solid->kind->moments || solid->counts_twice ||
        !solid->kind->moments(solid, middle, &own))
        return 0;
    sluice_moments_turn(&own, solid->dimension, solid->rotation, solid->shape->scale);
    sluice_solid_place(solid, middle, place);
    for (int a = 0; a < 3; a++)
        place[a] -= origin[a];
    memset(moments, 0, sizeof *moments);
    sluice_moments_add(moments, &own, place, 1);
    return 1;
}

/* Turns the extent of the kind into that in the config's coordinates. */
static void place_extent(struct sluice_solid *solid)
{
    memcpy(solid->own_low, solid->low, sizeof solid->low);
    memcpy(solid->own_high, solid->high, sizeof solid->high);
    for (int a = 0; a < 3; a++) {
        const double *row = solid->rotation[a], scale = solid->shape->scale;
        const double back[3] = {-row[0], -row[1], -row[2]};
        solid->low[a] = solid->shape->move[a] - scale * reach(solid, back);
        solid->high[a] = solid->shape->move[a] + scale * reach(solid, row);
    }
}

sluice_status sluice_solid_create(struct sluice_solid *solid, const struct sluice_config *config,
                                  const struct sluice_shape *shape,
                                  struct sluice_warnings *warnings)
{
    *solid = (struct sluice_solid){
        .config = config, .shape = shape, .dimension = config->dimension};
    if (!kinds[shape->kind])
        return SLUICE_OK;
    set_rotation(solid);
    SLUICE_TRY(kinds[shape->kind]->create(solid, warnings));
    solid->kind = kinds[shape->kind];
    place_extent(solid);
    solid->volume *= pow(shape->scale, solid->dimension);
    return SLUICE_OK;
}

void sluice_solid_destroy(struct sluice_solid *solid)
{
    if (solid->kind && solid->kind->destroy)
        solid->kind->destroy(solid->data);
    solid->kind = NULL;
}

/* The config's coordinates -> the solid's own. */
static void to_own(const struct sluice_solid *solid, const double x[3], double own[3])
{
    const struct sluice_shape *shape = solid->shape;
    for (int i = 0; i < 3; i++) {
        own[i] = 0;
        for (int k = 0; k < 3; k++)
            own[i] += solid->rotation[k][i] * (x[k] - shape->move[k]) / shape->scale;
    }
}

double sluice_solid_certain(const struct sluice_solid *solid, const double x[3])
{
    double own[3];
    if (!solid->kind->certain)
        return INFINITY;
    to_own(solid, x, own);
    return solid->shape->scale * solid->kind->certain(solid, own);
}

double sluice_solid_distance(const struct sluice_solid *solid, const double x[3], double way[3])
{
    const struct sluice_shape *shape = solid->shape;
    double own[3], own_way[3] = {0, 0, 0};
    to_own(solid, x, own);
    const double distance = solid->kind->distance(solid, own, own_way);
    for (int i = 0; i < 3; i++) {
        way[i] = 0;
        for (int k = 0; k < 3; k++)
            way[i] += shape->scale * solid->rotation[i][k] * own_way[k];
    }
    return shape->scale * distance;
}
