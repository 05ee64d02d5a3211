/* Compares each shape on the lattice with the shape as asked for: faces, volumes, particles. */
#include <math.h>
#include <string.h>

#include "geometry/geometry.h"
#include "geometry/volumes.h"
#include "geometry/wet_faces.h"

static const double error_limit = 0.05, warning_limit = 0.01;

/* The standard deviations by which an estimate may be off: 3 in 1000 are off by more. */
static const double sure = 3;

/* --- Volumes --- */

/* Area (2-D) or volume of a shape as asked, before its faces snapped to the lattice; 0: it has no
 * end, or is combined with others. */
static double asked_volume(const struct sluice_geometry *g, int shape)
{
    const struct sluice_shape *s = &g->asked[shape];
    struct sluice_warnings none = {0};
    struct sluice_solid solid;
    if (s->within[0] || s->without[0])
        return 0;
    if (!sluice_geometry_is_plain(s))
        return g->solid[shape].volume; /* it does not snap */
    if (sluice_solid_create(&solid, g->config, s, &none) != SLUICE_OK)
        return 0;
    sluice_solid_destroy(&solid);
    return solid.volume;
}

/* The space between walls. The lattice begins at domain.min, so only the upper one of two walls can
 * be off, and the shape that has the upper one reports the space. Other axes are as asked for. */
static void set_enclosed(const struct sluice_geometry *g, const struct sluice_shape *s,
                         struct sluice_shape_report *r)
{
    double high[3];
    int encloses = 0;
    for (int a = 0; a < g->dimension; a++) {
        const int between = sluice_has_side(s->sides, a, 1) && sluice_has_side(g->sides, a, 0);
        high[a] = between ? r->actual_max[a] : r->asked_max[a];
        encloses |= between;
    }
    if (encloses) {
        r->asked_volume = sluice_geometry_box_volume(g, r->asked_min, r->asked_max);
        r->actual_volume = sluice_geometry_box_volume(g, r->asked_min, high);
    }
}

double sluice_geometry_volume_error(const struct sluice_shape_report *r)
{
    return r->asked_volume > 0 ? (r->actual_volume - r->asked_volume) / r->asked_volume : 0;
}

/* Whether the domain and its walls' layers have no room for all cells of a shape. A shape that ends
 * within half a cell of its last cell has no further one. 0.501: half, and rounding. */
static int is_clipped(const struct sluice_geometry *g, int shape)
{
    const struct sluice_solid *solid = &g->solid[shape];
    const struct sluice_cells *box = &g->raster[shape].cells;
    if (sluice_geometry_is_plain(&g->asked[shape]))
        return 0;
    for (int a = 0; a < g->dimension; a++) {
        const double low = g->origin[a] + (double)box->low[a] * g->step[a],
                     high = g->origin[a] + (double)box->high[a] * g->step[a];
        if (solid->low[a] < low - 0.501 * g->step[a] || solid->high[a] > high + 0.501 * g->step[a])
            return 1;
    }
    return 0;
}

/* Compares the volumes of a shape that is no walls shape. */
static void compare_volumes(const struct sluice_geometry *g, int shape, double actual,
                            struct sluice_shape_report *r)
{
    const struct sluice_shape *s = &g->asked[shape];
    r->actual_volume = actual;
    r->asked_volume = asked_volume(g, shape);
    if (is_clipped(g, shape) && r->asked_volume > 0) {
        r->clipped = fmax(0, 1 - actual / r->asked_volume);
        r->asked_volume = 0;
    } else if (is_clipped(g, shape)) {
        const double beyond = sluice_geometry_volume_beyond(g, shape);
        r->endless = isinf(beyond);
        r->clipped = r->endless || beyond == 0 ? 0 : beyond / (beyond + actual);
    }
    if (r->asked_volume == 0 && !sluice_geometry_is_plain(s) && s->type != SLUICE_SHAPE_PART &&
        s->fit != SLUICE_FIT_SURFACE) {
        const struct sluice_volume_sample estimate = sluice_geometry_estimate_volume(g, shape);
        r->asked_volume = estimate.volume;
        r->deviation = estimate.deviation;
    }
}

static void fill_report(const struct sluice_geometry *g, int shape,
                        const struct sluice_cell_count *n, struct sluice_shape_report *r)
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    const int walls = s->kind == SLUICE_SHAPE_WALLS;
    double cell = 1;
    memset(r, 0, sizeof *r);
    for (int a = 0; a < g->dimension; a++) {
        const int64_t low = walls ? 0 : n->extent.low[a],
                      high = walls ? g->n[a] : n->extent.high[a];
        r->asked_min[a] = sluice_geometry_asked_face(g, shape, a, 0);
        r->asked_max[a] = sluice_geometry_asked_face(g, shape, a, 1);
        r->actual_min[a] = g->origin[a] + (double)low * g->step[a];
        r->actual_max[a] = g->origin[a] + (double)high * g->step[a];
        cell *= g->spacing;
    }
    r->particles = n->filled;
    r->cut = n->cut;
    if (walls) {
        set_enclosed(g, s, r);
        return;
    }
    compare_volumes(g, shape, cell * (double)n->owned, r);
    if (s->type == SLUICE_SHAPE_FLUID) {
        const double density = s->phase == 2 ? g->config->two_fluids.density
                                             : g->config->fluid.density;
        r->asked_mass = density * r->asked_volume;
        r->actual_mass = density * r->actual_volume;
    }
}

/* --- Errors and warnings --- */

/* Whether whole cells make stairs of the shape's surface. */
static int has_stairs(const struct sluice_geometry *g, int shape)
{
    const struct sluice_shape *s = &g->asked[shape];
    return !sluice_geometry_is_plain(s) ||
           (s->kind != SLUICE_SHAPE_BOX && s->kind != SLUICE_SHAPE_WALLS);
}

static int is_flat_wall(const struct sluice_geometry *g, int shape)
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    return s->type == SLUICE_SHAPE_WALL && s->kind == SLUICE_SHAPE_BOX && !has_stairs(g, shape);
}

static void append_vector(const struct sluice_geometry *g, char *text, size_t size,
                          const char *name, const double v[3])
{
    size_t used = strlen(text);
    for (int a = 0; a < g->dimension && used < size; a++) {
        const double shown = fabs(v[a]) < 1e-9 * g->spacing ? 0 : v[a];
        used += (size_t)snprintf(text + used, size - used, "%s%s%.9g", a ? ", " : name,
                                 a ? "" : " = [", shown);
    }
    if (used < size)
        snprintf(text + used, size - used, "]");
}

static void find_remedy(const struct sluice_geometry *g, int shape,
                        const struct sluice_shape_report *r, char *text, size_t size)
{
    const struct sluice_shape *s = &g->asked[shape];
    if (g->solid[shape].counts_twice) {
        snprintf(
            text, size,
            "parts of its surface cross or touch, and what two of them enclose counts twice in "
            "the latter: unite them in the file");
        return;
    }
    if (!sluice_geometry_is_plain(s)) {
        snprintf(text, size,
                 "it is made of whole cells of the spacing %.9g: make the spacing smaller; from 20 "
                 "spacings across on shapes are within about 1%%",
                 g->spacing);
        return;
    }
    if (has_stairs(g, shape)) {
        snprintf(text, size,
                 "its radius is %.3g spacings of %.9g, and round shapes are made of whole cells: "
                 "make the spacing smaller; from 20 spacings on they are within about 1%%",
                 s->radius / g->spacing, g->spacing);
        return;
    }
    snprintf(text, size,
             "take a spacing that divides its lengths (it is %.9g), or the faces of "
             "the lattice: ",
             g->spacing);
    if (s->kind == SLUICE_SHAPE_BOX) {
        append_vector(g, text, size, "min", r->actual_min);
        snprintf(text + strlen(text), size - strlen(text), ", ");
    }
    append_vector(g, text, size, s->kind == SLUICE_SHAPE_BOX ? "max" : "domain.max", r->actual_max);
    if (s->kind == SLUICE_SHAPE_BOX && s->type == SLUICE_SHAPE_WALL)
        snprintf(text + strlen(text), size - strlen(text),
                 "; fit = \"surface\" leaves its faces where they are");
}

/* "box 2 'obstacle' (a.cfg:3) has an area of 0.24 on the lattice instead of 0.27, 11% off". */
static void describe(const struct sluice_geometry *g, int shape,
                     const struct sluice_shape_report *r, char *text, size_t size)
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    const char *volume = g->dimension == 2 ? "an area" : "a volume";
    const double percent = 100 * fabs(sluice_geometry_volume_error(r));
    char title[2 * SLUICE_TEXT_MAX], off[32];
    const char *about = r->deviation > 0 ? "about " : "";
    const int digits = r->deviation > 0 ? 4 : 6;
    snprintf(off, sizeof off, percent < 99.5 ? "%.2g%% off" : "%.0f%% off", percent);
    sluice_geometry_title(g->config, shape, title, sizeof title);
    if (s->type == SLUICE_SHAPE_FLUID)
        snprintf(text, size, "%s holds %.6g of mass on the lattice instead of %s%.*g, %s", title,
                 r->actual_mass, about, digits, r->asked_mass, off);
    else
        snprintf(text, size, "%s %s %s of %.6g on the lattice instead of %s%.*g, %s", title,
                 s->kind == SLUICE_SHAPE_WALLS ? "encloses" : "has", volume, r->actual_volume,
                 about, digits, r->asked_volume, off);
}

int sluice_geometry_warning(const struct sluice_geometry *g, int shape,
                            const struct sluice_shape_report *r, char *text, size_t size)
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    char title[2 * SLUICE_TEXT_MAX], remedy[512];
    if (r->actual_volume == 0 && s->type == SLUICE_SHAPE_VOID) {
        snprintf(text, size,
                 "%s is so small that it cuts nothing: no cell of the lattice lies in it; make it "
                 "larger or the spacing (%.9g) smaller",
                 sluice_geometry_title(g->config, shape, title, sizeof title), g->spacing);
        return 1;
    }
    if (r->particles == 0 && r->buried > 0) {
        snprintf(text, size,
                 "nothing is left of %s: its %lld cells lie deeper in other walls than their "
                 "layers, where no fluid feels them; move it, or remove it",
                 sluice_geometry_title(g->config, shape, title, sizeof title),
                 (long long)r->buried);
        return 1;
    }
    if (r->particles == 0 && r->cut > 0) {
        snprintf(text, size,
                 "nothing is left of %s: shapes that come after it take all of its %lld cells; "
                 "of shapes in one place the last one stays, so put it after them",
                 sluice_geometry_title(g->config, shape, title, sizeof title), (long long)r->cut);
        return 1;
    }
    if (fabs(r->actual_volume - r->asked_volume) <=
            warning_limit * r->asked_volume + sure * r->deviation ||
        r->asked_volume == 0 || s->fit == SLUICE_FIT_SURFACE)
        return 0; /* src/fit warns of fitted walls */
    describe(g, shape, r, text, size);
    find_remedy(g, shape, r, remedy, sizeof remedy);
    snprintf(text + strlen(text), size - strlen(text), " (over %g%%)", 100 * warning_limit);
    if (is_flat_wall(g, shape))
        sluice_geometry_describe_moves(g, r, text, size);
    snprintf(text + strlen(text), size - strlen(text), ": %s", remedy);
    return 1;
}

/* Whether a wall that is flat along the axes is as thick as asked for between faces that fluid can
 * reach. Where it reaches one of two, as in front of a paddle, the thickness counts for nothing. */
static sluice_status check_wet_faces(const struct sluice_geometry *g, int shape,
                                     const struct sluice_cells *extent,
                                     const struct sluice_shape_report *r, int *good)
{
    unsigned faces;
    *good = 0;
    if (!is_flat_wall(g, shape) || sluice_config_body_entry(g->config, shape) >= 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_geometry_wet_faces(g, shape, extent, &faces));
    *good = fabs(sluice_geometry_wet_error(g, r, faces)) <= error_limit;
    return SLUICE_OK;
}

/* Fluid and flat walls have a limit. Round walls and voids are as exact as the lattice allows, and
 * an estimate refuses nothing. */
static sluice_status check_volume(const struct sluice_geometry *g, int shape,
                                  const struct sluice_cells *extent,
                                  const struct sluice_shape_report *r)
{
    const struct sluice_shape *s = &g->config->shapes[shape];
    char what[6 * SLUICE_TEXT_MAX], remedy[512];
    int good;
    if (fabs(sluice_geometry_volume_error(r)) <= error_limit || r->deviation > 0 ||
        s->type == SLUICE_SHAPE_VOID || s->type == SLUICE_SHAPE_PART ||
        (s->type == SLUICE_SHAPE_WALL && has_stairs(g, shape)))
        return SLUICE_OK;
    SLUICE_TRY(check_wet_faces(g, shape, extent, r, &good));
    if (good)
        return SLUICE_OK;
    describe(g, shape, r, what, sizeof what);
    snprintf(what + strlen(what), sizeof what - strlen(what), " (the limit is %g%%)",
             100 * error_limit);
    if (is_flat_wall(g, shape))
        sluice_geometry_describe_moves(g, r, what, sizeof what);
    find_remedy(g, shape, r, remedy, sizeof remedy);
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "geometry: %s; %s", what, remedy);
}

/* A shape without cells that fills something: it is not in the domain, or too small. */
static sluice_status check_owned(const struct sluice_geometry *g, int shape, int64_t owned)
{
    const int type = g->config->shapes[shape].type;
    char title[2 * SLUICE_TEXT_MAX];
    if (owned > 0 || type == SLUICE_SHAPE_VOID || type == SLUICE_SHAPE_PART)
        return SLUICE_OK;
    sluice_geometry_title(g->config, shape, title, sizeof title);
    for (int a = 0; a < g->dimension; a++) {
        const double low = sluice_geometry_asked_face(g, shape, a, 0),
                     high = sluice_geometry_asked_face(g, shape, a, 1),
                     end = g->origin[a] + (double)g->n[a] * g->step[a];
        SLUICE_CHECK(high > g->origin[a] && low < end, SLUICE_BAD_INPUT,
                     "geometry: %s lies from %c = %.9g to %.9g, beyond the domain, which reaches "
                     "from %.9g to %.9g: move it, or give its scale",
                     title, "xyz"[a], low, high, g -> origin[a], end);
    }
    const struct sluice_shape *asked = &g->asked[shape];
    SLUICE_CHECK(!asked->within[0] && !asked->without[0], SLUICE_BAD_INPUT,
                 "geometry: no particle of the lattice lies in %s and %s \"%s\": move one of them",
                 title, asked->within[0] ? "within" : "outside of",
                 asked->within[0] ? asked->within : asked->without);
    for (int a = 0; a < g->dimension; a++)
        SLUICE_CHECK(isfinite(g->solid[shape].low[a]) || isfinite(g->solid[shape].high[a]),
                     SLUICE_BAD_INPUT,
                     "geometry: no particle of the lattice lies in %s, which has no end along %c: "
                     "it lies beyond the domain, or is too thin for the spacing (%.9g)",
                     title, "xyz"[a], g -> spacing);
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "geometry: %s is so small that no particle of the lattice lies in it; make "
                       "it larger or the spacing (%.9g) smaller",
                       title, g->spacing);
}

sluice_status sluice_geometry_report(const struct sluice_geometry *g,
                                     struct sluice_shape_report *report,
                                     int64_t count[SLUICE_TYPE_COUNT])
{
    memset(count, 0, SLUICE_TYPE_COUNT * sizeof *count);
    for (int s = 0; s < g->config->shape_count; s++) {
        const int type = g->config->shapes[s].type;
        struct sluice_cell_count n;
        SLUICE_TRY(sluice_geometry_count(g, s, &n));
        fill_report(g, s, &n, &report[s]);
        SLUICE_TRY(check_owned(g, s, n.owned));
        SLUICE_TRY(check_volume(g, s, &n.extent, &report[s]));
        if (type == SLUICE_SHAPE_FLUID)
            count[SLUICE_FLUID] += n.filled;
        else if (type == SLUICE_SHAPE_WALL)
            count[SLUICE_WALL] += n.filled;
    }
    return SLUICE_OK;
}
