/* Places of the probes. A probe on a shape sits on the face that the lattice gave it. */
#include <math.h>
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"

/* The first shape of a name, and how many there are. */
static int find_shape(const struct sluice_config *config, const char *name, int *count)
{
    char group[SLUICE_TEXT_MAX];
    int first = -1;
    *count = 0;
    for (int s = config->shape_count - 1; s >= 0; s--)
        if (strcmp(sluice_config_group(config, s, group), name) == 0) {
            first = s;
            (*count)++;
        }
    return first;
}

/* Whether a probe sits on a face of the lattice: of one box or the domain's walls. */
static int is_on_lattice(const struct sluice_case_builder *b, const struct sluice_probe *probe)
{
    int count;
    const int shape = find_shape(b->config, probe->on, &count);
    const struct sluice_shape *s = shape < 0 ? NULL : &b->c->geometry.asked[shape];
    return !s || s->kind == SLUICE_SHAPE_WALLS ||
           (count == 1 && s->kind == SLUICE_SHAPE_BOX && sluice_geometry_is_plain(s));
}

static void warn_if_moving(struct sluice_case_builder *b, const struct sluice_probe *probe,
                           int shape)
{
    if (b->config->shapes[shape].motion[0] || b->config->shapes[shape].body)
        sluice_warn(&b->warnings,
                    "probe '%s': '%s' moves, the probe stays where its face is at t = 0",
                    probe->name, probe->on);
}

/* Puts x on the face, and gives the shape's faces. */
static sluice_status place_on_face(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                   struct sluice_case_probe *place,
                                   const struct sluice_shape_report **faces)
{
    int count;
    const int shape = find_shape(b->config, probe->on, &count), axis = probe->face / 2,
              high = probe->face % 2;
    SLUICE_CHECK(shape >= 0, SLUICE_BAD_INPUT,
                 "%s:%d: probe '%s': no shape of the geometry is named '%s'", probe->file,
                 probe->line, probe->name, probe->on);
    int next = 0;
    *faces = &b->c->shapes[shape];
    warn_if_moving(b, probe, shape);
    sluice_case_put_on_wall(b, shape, (double[3]){axis == 0, axis == 1, axis == 2}, place);
    for (int a = 0; a < b->config->dimension; a++)
        place->x[a] = a != axis ? probe->at[next++]
                      : high    ? (*faces)->actual_max[a]
                                : (*faces)->actual_min[a];
    return SLUICE_OK;
}

static sluice_status place_point(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                 struct sluice_case_probe *place)
{
    const struct sluice_shape_report *faces;
    double *x = place->x;
    int count;
    if (!is_on_lattice(b, probe)) {
        warn_if_moving(b, probe, find_shape(b->config, probe->on, &count));
        return sluice_case_place_on_surface(b, probe, place);
    }
    SLUICE_TRY(place_on_face(b, probe, place, &faces));
    for (int a = 0; a < b->config->dimension; a++)
        if (x[a] < faces->actual_min[a] || x[a] > faces->actual_max[a])
            sluice_warn(&b->warnings,
                        "probe '%s': %c = %.6g lies beyond the face of '%s', which reaches "
                        "from %.6g to %.6g there",
                        probe->name, "xyz"[a], x[a], probe -> on, faces -> actual_min[a],
                        faces -> actual_max[a]);
    return SLUICE_OK;
}

/* A side of a patch, from low to high along an axis, should lie on the face. */
static void warn_if_beyond_face(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                const struct sluice_shape_report *faces, int axis, double low,
                                double high)
{
    const double on = fmin(high, faces->actual_max[axis]) - fmax(low, faces->actual_min[axis]),
                 beyond = 1 - fmax(on, 0) / (high - low);
    if (beyond > 1e-9)
        sluice_warn(&b->warnings,
                    "probe '%s': %.3g%% of its side along %c, from %.6g to %.6g, lies beyond the "
                    "face of '%s', which reaches from %.6g to %.6g: move it or give a smaller size",
                    probe->name, 100 * beyond, "xyz"[axis], low, high, probe -> on,
                    faces -> actual_min[axis], faces -> actual_max[axis]);
}

/* The corners of a patch on a face of the lattice. */
static sluice_status place_corners(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                   struct sluice_case_probe *place)
{
    const struct sluice_shape_report *faces;
    int next = 0;
    SLUICE_TRY(place_on_face(b, probe, place, &faces));
    memcpy(place->to, place->x, sizeof place->to);
    for (int a = 0; a < b->config->dimension; a++) {
        if (a == probe->face / 2)
            continue;
        const double side = probe->size[next++];
        place->x[a] -= side / 2;
        place->to[a] += side / 2;
        warn_if_beyond_face(b, probe, faces, a, place->x[a], place->to[a]);
    }
    next = 0;
    memcpy(place->side[1], place->x, sizeof place->x);
    for (int a = 0; a < b->config->dimension; a++)
        if (a != probe->face / 2) {
            memcpy(place->side[next], place->x, sizeof place->x);
            place->side[next++][a] = place->to[a];
        }
    return SLUICE_OK;
}

/* The corners and points of a patch: at most dp/2 apart, at least four a side. */
static sluice_status place_patch(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                 struct sluice_case_probe *place)
{
    enum { LEAST = 4 };
    const double most = 1e6, spacing = b->config->spacing;
    double points = 1, longest = 0;
    int shapes;
    if (is_on_lattice(b, probe)) {
        SLUICE_TRY(place_corners(b, probe, place));
    } else {
        warn_if_moving(b, probe, find_shape(b->config, probe->on, &shapes));
        SLUICE_TRY(sluice_case_place_on_surface(b, probe, place));
    }
    place->points[1] = 1;
    for (int k = 0; k < b->config->dimension - 1; k++) {
        const double side = probe->size[k], count = fmax(LEAST, ceil(2 * side / spacing - 1e-9));
        place->points[k] = (int)fmin(count, most + 1);
        points *= count;
        longest = fmax(longest, side);
    }
    SLUICE_CHECK(points <= most, SLUICE_BAD_INPUT,
                 "%s:%d: probe '%s': its size takes %.3g points half a spacing apart, at most %g "
                 "are allowed: give a smaller size",
                 probe->file, probe->line, probe->name, points, most);
    if (longest < spacing)
        sluice_warn(&b->warnings,
                    "probe '%s': its longest side, %.6g m, is shorter than the spacing of %.6g m: "
                    "it measures what a point does",
                    probe->name, longest, spacing);
    return SLUICE_OK;
}

static void warn_if_outside(struct sluice_case_builder *b, const struct sluice_probe *probe,
                            const double x[3])
{
    for (int a = 0; a < b->config->dimension; a++)
        if (x[a] < b->c->grid.low[a] || x[a] > b->c->grid.high[a])
            sluice_warn(&b->warnings,
                        "probe '%s': %c = %.6g lies outside the domain, from %.6g to %.6g",
                        probe->name, "xyz"[a], x[a], b -> c -> grid.low[a], b->c->grid.high[a]);
}

/* A section may reach past walls, but must meet the domain. */
static void warn_of_section_outside(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                    const struct sluice_case_probe *place)
{
    const struct sluice_grid_options *grid = &b->c->grid;
    for (int a = 0; a < b->config->dimension; a++)
        if (fmax(place->x[a], place->to[a]) < grid->low[a] ||
            fmin(place->x[a], place->to[a]) > grid->high[a])
            sluice_warn(&b->warnings,
                        "probe '%s': the section lies beyond the domain along %c, which "
                        "reaches from %.6g to %.6g: nothing flows through it; move it",
                        probe->name, "xyz"[a], grid -> low[a], grid -> high[a]);
}

/* The numbers of a crest are divided by its width, so that a section wider than the water says too
 * little. */
static void warn_of_wide_crest(struct sluice_case_builder *b, const struct sluice_probe *probe)
{
    const int side = probe->from[0] == probe->to[0];
    const double low = fmin(probe->from[side], probe->to[side]),
                 high = fmax(probe->from[side], probe->to[side]), slack = 1e-6 * b->config->spacing,
                 *min = b->config->domain.min, *max = b->config->domain.max;
    if (probe->kind == SLUICE_PROBE_OVERTOPPING && b->config->dimension == 3 &&
        !b->c->grid.periodic[side] && (low < min[side] - slack || high > max[side] + slack))
        sluice_warn(&b->warnings,
                    "probe '%s': the section reaches from %.6g to %.6g along %c, and the domain "
                    "from %.6g to %.6g: its numbers are divided by its width of %.6g m; let it end "
                    "with the water",
                    probe->name, low, high, "xy"[side], min[side], max[side], high - low);
}

static sluice_status check_force(const struct sluice_case_builder *b,
                                 const struct sluice_probe *probe)
{
    const struct sluice_groups *g = &b->c->groups;
    const int group = sluice_groups_find(g, probe->on);
    char list[800];
    SLUICE_CHECK(group >= 0 && g->group[group].type == SLUICE_WALL, SLUICE_BAD_INPUT,
                 "%s:%d: probe '%s': '%.60s' is the name of no walls; walls are named %s",
                 probe->file, probe->line, probe->name, probe->on,
                 sluice_groups_list(g, SLUICE_WALL, list, sizeof list));
    SLUICE_CHECK(g->group[group].particles > 0, SLUICE_BAD_INPUT,
                 "%s:%d: probe '%s': '%s' has no wall particle left that a force could act on",
                 probe->file, probe->line, probe->name, probe->on);
    return SLUICE_OK;
}

/* A place on a face, a point, or a line or box; else the corner of the domain. */
static sluice_status place_by_keys(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                   struct sluice_case_probe *place)
{
    const unsigned has = sluice_probe_kinds[probe->kind].has;
    if (has & SLUICE_PROBE_TAKES_SIZE) {
        SLUICE_TRY(place_patch(b, probe, place));
        warn_if_outside(b, probe, place->to);
    } else if (has & SLUICE_PROBE_TAKES_FACE && probe->on[0]) {
        SLUICE_TRY(place_point(b, probe, place));
    } else if (has & SLUICE_PROBE_TAKES_FACE) {
        memcpy(place->x, probe->at, sizeof place->x);
    } else if (has & SLUICE_PROBE_TAKES_ENDS) {
        memcpy(place->x, probe->from, sizeof place->x);
        memcpy(place->to, probe->to, sizeof place->to);
        warn_if_outside(b, probe, place->to);
    }
    return SLUICE_OK;
}

static sluice_status place_probe(struct sluice_case_builder *b, const struct sluice_probe *probe,
                                 struct sluice_case_probe *place)
{
    const int up = b->config->dimension - 1;
    for (int a = 0; a < b->config->dimension; a++)
        place->x[a] = b->config->lattice.used ? b->c->grid.low[a] : b->config->domain.min[a];
    switch (probe->kind) {
    case SLUICE_PROBE_FLUX:
    case SLUICE_PROBE_OVERTOPPING:
        memcpy(place->x, probe->from, sizeof place->x);
        memcpy(place->to, probe->to, sizeof place->to);
        warn_of_section_outside(b, probe, place);
        warn_of_wide_crest(b, probe);
        return SLUICE_OK;
    case SLUICE_PROBE_HEIGHT:
    case SLUICE_PROBE_PROFILE:
        for (int a = 0; a < up; a++)
            place->x[a] = probe->at[a];
        break;
    case SLUICE_PROBE_FORCE:
        memcpy(place->x, probe->about, sizeof place->x);
        return check_force(b, probe);
    default:
        SLUICE_TRY(place_by_keys(b, probe, place));
    }
    warn_if_outside(b, probe, place->x);
    return SLUICE_OK;
}

sluice_status sluice_case_place_probes(struct sluice_case_builder *b)
{
    SLUICE_ALLOCATE(b->c->probes, b->config->probe_count, "probes");
    for (int i = 0; i < b->config->probe_count; i++)
        SLUICE_TRY(place_probe(b, &b->config->probes[i], &b->c->probes[i]));
    return SLUICE_OK;
}
