/* Probes on surfaces that are no plane of the lattice.
 *
 *      face "x-"           A ray runs along the face's axis through `at`, from the outer side of
 *      ------> *           the shapes of the probe's name to the first surface. There is the
 *             (            probe. A patch lies in the surface's tangent plane; its sides are the
 *              \           other two axes, turned into that plane. */
#include <math.h>
#include <string.h>

#include "case/builder.h"
#include "core/vector.h"

/* In spacings. HIT: where a ray has reached a surface. BESIDE: where its direction is measured.
 * OFF: how far a patch may be from its surface without a word. */
#define HIT    1e-7
#define BESIDE 0.01
#define OFF    0.25

/* A face is looked at from at least 12 degrees above. */
#define STEEPEST 0.2

/* --- The shapes of a name --- */

static int is_of(const struct sluice_case_builder *b, int shape, const char *name)
{
    char group[SLUICE_TEXT_MAX];
    const int type = b->config->shapes[shape].type;
    return type != SLUICE_SHAPE_VOID && type != SLUICE_SHAPE_PART &&
           strcmp(sluice_config_group(b->config, shape, group), name) == 0;
}

/* `nearest` (may be NULL): the shape that is nearest. */
static double distance(const struct sluice_case_builder *b, const char *name, const double x[3],
                       double way[3], int *nearest)
{
    double least = INFINITY, one[3];
    for (int s = 0; s < b->config->shape_count; s++) {
        if (!is_of(b, s, name))
            continue;
        const double d = sluice_geometry_distance(&b->c->geometry, s, x, one);
        if (d < least) {
            least = d;
            memcpy(way, one, sizeof one);
            if (nearest)
                *nearest = s;
        }
    }
    return least;
}

/* How far the shapes reach along an axis, or the domain where they have no end. */
static double end_of(const struct sluice_case_builder *b, const char *name, int axis, int high)
{
    double end = high ? -INFINITY : INFINITY;
    for (int s = 0; s < b->config->shape_count; s++) {
        if (!is_of(b, s, name))
            continue;
        const double face = sluice_geometry_asked_face(&b->c->geometry, s, axis, high);
        end = high ? fmax(end, face) : fmin(end, face);
    }
    return end;
}

/* --- The ray --- */

static sluice_status find_surface(const struct sluice_case_builder *b,
                                  const struct sluice_probe *probe, double x[3], double normal[3])
{
    const int axis = probe->face / 2, high = probe->face % 2, sense = high ? -1 : 1;
    const double dp = b->config->spacing, low_end = end_of(b, probe->on, axis, 0),
                 high_end = end_of(b, probe->on, axis, 1), most = high_end - low_end + 2 * dp;
    double way[3], gone = 0, length, d;
    SLUICE_CHECK(isfinite(most), SLUICE_BAD_INPUT, "%s:%d: probe '%s': '%.60s' has no walls",
                 probe->file, probe->line, probe->name, probe->on);
    x[axis] = high ? high_end + dp : low_end - dp;
    d = distance(b, probe->on, x, way, NULL);
    SLUICE_CHECK(d > 0, SLUICE_BAD_INPUT,
                 "%s:%d: probe '%s': '%.60s' has no face %c%c: it reaches beyond the domain there; "
                 "name another face",
                 probe->file, probe->line, probe->name, probe->on, "xyz"[axis], "-+"[high]);
    while (d > HIT * dp && gone <= most) {
        const double step = fmax(d, HIT * dp);
        gone += step;
        x[axis] += sense * step;
        d = distance(b, probe->on, x, way, NULL);
    }
    SLUICE_CHECK(gone <= most, SLUICE_BAD_INPUT,
                 "%s:%d: probe '%s': seen from %c%c, nothing of '%.60s' is at its place `at`: move "
                 "it, or name another face",
                 probe->file, probe->line, probe->name, "xyz"[axis], "-+"[high], probe -> on);
    for (int a = 0; a < 3; a++)
        normal[a] = a == axis ? -sense : 0;
    for (int i = 0; i < 2; i++) { /* from above the surface; then the nearest point is x */
        double above[3];
        for (int a = 0; a < 3; a++)
            above[a] = x[a] + BESIDE * dp * normal[a];
        distance(b, probe->on, above, way, NULL);
        length = sluice_norm(way);
        for (int a = 0; a < 3; a++)
            normal[a] = length > 0 ? -way[a] / length : 0;
    }
    SLUICE_CHECK(
        -sense * normal[axis] >= STEEPEST, SLUICE_BAD_INPUT,
        "%s:%d: probe '%s': the surface of '%.60s' at (%.6g, %.6g, %.6g) lies almost along "
        "%c: name the face that looks at it",
        probe->file, probe->line, probe->name, probe->on, x[0], x[1], x[2], "xyz"[axis]);
    return SLUICE_OK;
}

/* The shape that owns the place `along` spacings above a surface, or -1. */
static int owner_above(const struct sluice_case_builder *b, const double x[3],
                       const double normal[3], double along)
{
    const struct sluice_geometry *g = &b->c->geometry;
    int64_t cell[3] = {0, 0, 0};
    for (int a = 0; a < g->dimension; a++)
        cell[a] = (int64_t)floor((x[a] + along * g->spacing * normal[a] - g->origin[a]) /
                                 g->step[a]);
    const int owner = sluice_geometry_owner(g, cell);
    return owner >= 0 && b->config->shapes[owner].type == SLUICE_SHAPE_WALL ? owner : -1;
}

/* Other walls in front of the probe keep fluid from it; or its own are cut away. */
static void warn_if_covered(struct sluice_case_builder *b, const struct sluice_probe *probe,
                            const double x[3], const double normal[3])
{
    char title[2 * SLUICE_TEXT_MAX];
    const int owner = owner_above(b, x, normal, 1);
    if (owner_above(b, x, normal, -1) < 0)
        sluice_warn(&b->warnings,
                    "probe '%s': a spacing beneath the surface of '%s' at (%.6g, %.6g, %.6g) is no "
                    "wall: it is cut away, or thinner than the lattice",
                    probe->name, probe->on, x[0], x[1], x[2]);
    if (owner >= 0)
        sluice_warn(&b->warnings,
                    "probe '%s': a spacing above the surface of '%s' at (%.6g, %.6g, %.6g) is %s: "
                    "fluid does not come there",
                    probe->name, probe->on, x[0], x[1], x[2],
                    sluice_geometry_title(b->config, owner, title, sizeof title));
}

/* --- The patch --- */

/* The part of an axis across a direction, and across another one; of length 1. */
static void turn_axis(int axis, const double normal[3], const double *other, double side[3])
{
    double length;
    for (int a = 0; a < 3; a++)
        side[a] = (a == axis) - normal[axis] * normal[a] - (other ? other[axis] * other[a] : 0);
    length = sluice_norm(side);
    for (int a = 0; a < 3; a++)
        side[a] /= length;
}

/* A patch is flat: its corners and the middles of its sides may be off a surface that is not. */
static void warn_if_off(struct sluice_case_builder *b, const struct sluice_probe *probe,
                        const struct sluice_case_probe *place)
{
    const double dp = b->config->spacing;
    double most = 0;
    for (int i = 0; i <= 2; i++)
        for (int k = 0; k <= (b->config->dimension == 3 ? 2 : 0); k++) {
            double x[3], way[3];
            for (int a = 0; a < 3; a++)
                x[a] = place->x[a] + 0.5 * i * (place->side[0][a] - place->x[a]) +
                       0.5 * k * (place->side[1][a] - place->x[a]);
            most = fmax(most, fabs(distance(b, probe->on, x, way, NULL)));
        }
    if (most > OFF * dp)
        sluice_warn(&b->warnings,
                    "probe '%s': the patch is flat, and its edge is up to %.4g m, %.2g spacings, "
                    "off the surface of '%s': give a smaller size",
                    probe->name, most, most / dp, probe->on);
}

void sluice_case_put_on_wall(const struct sluice_case_builder *b, int shape, const double normal[3],
                             struct sluice_case_probe *place)
{
    const int mover = sluice_config_mover(b->config, shape);
    place->on_wall = b->config->shapes[shape].type == SLUICE_SHAPE_WALL ||
                     b->config->shapes[shape].kind == SLUICE_SHAPE_WALLS;
    place->motion = mover < b->config->motion_count ? mover : -1;
    memcpy(place->normal, normal, sizeof place->normal);
}

sluice_status sluice_case_place_on_surface(struct sluice_case_builder *b,
                                           const struct sluice_probe *probe,
                                           struct sluice_case_probe *place)
{
    const int dimension = b->config->dimension, axis = probe->face / 2;
    double x[3] = {0, 0, 0}, normal[3], side[2][3] = {{0}}, way[3];
    const int patch = sluice_probe_has(probe->kind, SLUICE_PROBE_TAKES_SIZE);
    int shape = 0;
    for (int a = 0, next = 0; a < dimension; a++)
        if (a != axis)
            x[a] = probe->at[next++];
    SLUICE_TRY(find_surface(b, probe, x, normal));
    warn_if_covered(b, probe, x, normal);
    distance(b, probe->on, x, way, &shape);
    sluice_case_put_on_wall(b, shape, normal, place);
    for (int a = 0, next = 0; a < dimension && patch; a++)
        if (a != axis) {
            turn_axis(a, normal, next ? side[0] : NULL, side[next]);
            next++;
        }
    for (int i = 0; i < dimension - 1; i++)
        for (int k = 0; k < 3; k++)
            side[i][k] *= probe->size[i];
    for (int k = 0; k < 3; k++) {
        place->x[k] = x[k] - side[0][k] / 2 - side[1][k] / 2;
        place->side[0][k] = place->x[k] + side[0][k];
        place->side[1][k] = place->x[k] + side[1][k];
        place->to[k] = x[k] + side[0][k] / 2 + side[1][k] / 2;
    }
    if (patch)
        warn_if_off(b, probe, place);
    return SLUICE_OK;
}
