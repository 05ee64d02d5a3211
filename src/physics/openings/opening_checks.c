/* What a run's openings may not be, and what is doubtful. */
#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "physics/openings/openings.h"

enum { CLEAR_ROWS = 4 }; /* between an opening and what moves, at the start */

/* --- Distances --- */

/* The distance of a place from the box of an opening, m: its columns from `low` to `high` along the
 * normal. */
static double distance_from(const struct opening *of, const struct sluice_grid *g, double low,
                            double high, const double x[3])
{
    double d[3] = {0, 0, 0}, away2;
    for (int a = 0; a < g->dimension; a++) {
        const double period = g->periodic[a] ? g->high[a] - g->low[a] : 0;
        d[a] = x[a] - of->centre[a];
        d[a] -= period > 0 ? period * floor(d[a] / period + 0.5) : 0;
    }
    const double s = sluice_dot(d, of->normal), past = fmax(0, fmax(low - s, s - high)),
                 slant = 1 / sluice_norm(of->axis);
    away2 = past * past;
    for (int e = 0; e < g->dimension - 1; e++) {
        const double beside = slant * fmax(0, fabs(sluice_dot(d, of->across_axis[e])) -
                                                  of->columns[e] * of->size / 2);
        away2 += beside * beside;
    }
    return sqrt(away2);
}

static double buffer_of(const struct opening *of)
{
    return of->rows * of->spacing;
}

/* From the middle of a column to one of its four corners, along an axis. */
static double side_of(const struct opening *of, int corner, int axis)
{
    return of->size * ((corner & 1 ? 0.5 : -0.5) * of->edge[0][axis] +
                       (corner & 2 ? 0.5 : -0.5) * of->edge[1][axis]);
}

/* The least distance of the buffer and the strip of one opening from those of another, m. */
static double distance_between(const struct openings *o, const struct opening *one,
                               const struct opening *other, const struct sluice_grid *g)
{
    const double strip = o->box[one - o->opening].strip, deep = buffer_of(one) + strip;
    const int steps = (int)ceil(deep / one->spacing);
    double least = INFINITY;
    for (int c = 0; c < opening_columns_of(one); c++)
        for (int corner = 0; corner < 4 && !o->column[one->first + c].closed; corner++) {
            double x[3], at[3];
            opening_column_middle(one, c, x);
            for (int k = 0; k <= steps; k++) {
                for (int a = 0; a < 3; a++)
                    at[a] = x[a] + (-buffer_of(one) + deep * k / steps) * one->axis[a] +
                            side_of(one, corner, a);
                least = fmin(least, distance_from(other, g, -buffer_of(other), strip, at));
            }
        }
    return least;
}

static sluice_status check_apart(const struct openings *o, const struct sluice_effect_setup *setup)
{
    for (int i = 0; i < o->count; i++)
        for (int k = 0; k < i; k++) {
            const double support = o->box[i].strip,
                         apart = distance_between(o, &o->opening[i], &o->opening[k], setup->grid);
            SLUICE_CHECK(
                apart >= support * (1 - 1e-6), SLUICE_BAD_INPUT,
                OPENING_NAME "its buffer and the strip of its gauges are %.6g m from those "
                             "of \"%s\", and the kernel reaches %.6g m: move the openings "
                             "apart, make the domain longer, or the spacing smaller",
                OPENING_NAME_OF(o->opening[i].keys), apart, o->opening[k].keys->name, support);
        }
    return SLUICE_OK;
}

struct nearest {
    const struct opening *of;
    const struct sluice_grid *grid;
    double least, x[3];
};

static void find_nearest(void *data, const double x[3])
{
    struct nearest *near = data;
    const double away = distance_from(near->of, near->grid, -buffer_of(near->of), 0, x);
    if (away >= near->least)
        return;
    near->least = away;
    for (int a = 0; a < 3; a++)
        near->x[a] = x[a];
}

/* What moves must not come into a buffer, whose rows know nothing of it. */
static sluice_status check_moving(const struct openings *o, const struct sluice_effect_setup *setup)
{
    for (int i = 0; i < o->count && setup->physics->walls_move; i++) {
        const struct opening *of = &o->opening[i];
        struct nearest near = {of, setup->grid, INFINITY, {0, 0, 0}};
        SLUICE_TRY(setup->each_moving(setup, find_nearest, &near));
        SLUICE_CHECK(near.least > CLEAR_ROWS * of->spacing, SLUICE_BAD_INPUT,
                     OPENING_NAME
                     "a particle of a body or of a wall that moves is %.6g m from it at "
                     "the start (at %.6g, %.6g, %.6g), and must be more than %d "
                     "spacings away, %.6g m: move one of the two",
                     OPENING_NAME_OF(of->keys), near.least, near.x[0], near.x[1], near.x[2],
                     CLEAR_ROWS, CLEAR_ROWS * of->spacing);
    }
    return SLUICE_OK;
}

/* --- Places --- */

/* The buffer of an opening at any angle: the corners of its columns, at both ends. */
static sluice_status check_within(const struct openings *o, const struct opening *of,
                                  const struct sluice_config *config)
{
    const double *low = config->domain.min, *high = config->domain.max, slack = 1e-6 * of->spacing;
    for (int c = 0; c < opening_columns_of(of); c++)
        for (int corner = 0; corner < 8; corner++) {
            double x[3];
            if (o->column[of->first + c].closed)
                continue;
            opening_column_middle(of, c, x);
            for (int a = 0; a < config->dimension; a++) {
                x[a] += side_of(of, corner, a) - (corner & 4 ? buffer_of(of) : 0) * of->axis[a];
                SLUICE_CHECK(
                    config->domain.periodic[a] || (x[a] > low[a] - slack && x[a] < high[a] + slack),
                    SLUICE_BAD_INPUT,
                    OPENING_NAME
                    "its buffer, %.6g m deep behind the face, reaches %.6g along %c, and "
                    "the domain goes from %.6g to %.6g: move the opening, or make the "
                    "domain larger",
                    OPENING_NAME_OF(of->keys), buffer_of(of), x[a], "xyz"[a], low[a], high[a]);
            }
        }
    return SLUICE_OK;
}

/* Along a periodic axis cells are stretched to fit the period, and columns are not. */
static sluice_status check_period(const struct opening *of, const struct sluice_grid *g)
{
    for (int a = 0; a < g->dimension; a++) {
        const double cells = (g->high[a] - g->low[a]) / of->spacing;
        SLUICE_CHECK(!g->periodic[a] || fabs(cells - round(cells)) < 1e-6, SLUICE_BAD_INPUT,
                     OPENING_NAME
                     "the period of the domain along %c, %.9g m, is no multiple of the "
                     "spacing of %.9g m, as columns need: make it %.9g m",
                     OPENING_NAME_OF(of->keys), "xyz"[a], g -> high[a] - g -> low[a], of -> spacing,
                     round(cells) * of -> spacing);
    }
    return SLUICE_OK;
}

/* --- What is given --- */

static sluice_status check_table(const struct opening *of, const struct wcsph_params *water)
{
    const int gravity = sluice_norm(water->gravity) > 0, kind = of->keys->kind;
    const double inward = fmax(opening_fastest(of, -1), opening_most(of, OPENING_DISCHARGE, -1)),
                 outward = fmax(opening_fastest(of, 1), opening_most(of, OPENING_DISCHARGE, 1));
    if (!of->steps)
        return SLUICE_OK;
    SLUICE_CHECK(!(opening_gives(of, OPENING_VELOCITY) && opening_gives(of, OPENING_DISCHARGE)) &&
                     !(opening_gives(of, OPENING_LEVEL) && opening_gives(of, OPENING_PRESSURE)),
                 SLUICE_BAD_INPUT,
                 OPENING_NAME "with the columns of %s it gives %s twice: leave one of them out",
                 OPENING_NAME_OF(of->keys), of->keys->table,
                 opening_gives(of, OPENING_DISCHARGE) ? "velocity and discharge, the flow"
                                                      : "level and pressure, the pressure");
    SLUICE_CHECK(!opening_has_heights(of) || of->keys->profile == SLUICE_PROFILE_UNIFORM,
                 SLUICE_BAD_INPUT,
                 OPENING_NAME "%s has the velocity at each height, and profile another one: leave "
                              "profile out, or the column height",
                 OPENING_NAME_OF(of->keys), of->keys->table);
    SLUICE_CHECK(gravity || !opening_gives(of, OPENING_LEVEL), SLUICE_BAD_INPUT,
                 OPENING_NAME "%s has a level, and without gravity water has none: give a pressure",
                 OPENING_NAME_OF(of->keys), of->keys->table);
    SLUICE_CHECK(kind != SLUICE_OPENING_INLET || !opening_flows(of) || inward <= 0,
                 SLUICE_BAD_INPUT,
                 OPENING_NAME "%s has %.6g, and through an inlet water only enters: take kind = "
                              "\"open\"",
                 OPENING_NAME_OF(of->keys), of->keys->table, -inward);
    SLUICE_CHECK(kind != SLUICE_OPENING_OUTLET || !opening_flows(of) || outward <= 0,
                 SLUICE_BAD_INPUT,
                 OPENING_NAME "%s has %.6g, and through an outlet water only leaves: take kind = "
                              "\"open\"",
                 OPENING_NAME_OF(of->keys), of->keys->table, outward);
    return SLUICE_OK;
}

/* Beyond the heights of its table the velocity is that of the nearest one. top: of its water, m. */
static void warn_of_heights(const struct opening *of, double top,
                            const struct sluice_effect_setup *setup)
{
    double first, last;
    opening_heights(of, &first, &last);
    if (first > of->spacing * 0.5 || last < top - of->spacing * 0.5)
        sluice_warn(setup->warnings,
                    OPENING_NAME
                    "the heights of %s go from %.6g to %.6g m, and its water from 0 to "
                    "%.6g m over the lower edge: beyond them the velocity is that of "
                    "the nearest",
                    OPENING_NAME_OF(of->keys), of->keys->table, first, last, top);
}

static sluice_status check_heights(const struct opening *of,
                                   const struct sluice_effect_setup *setup)
{
    const double least = -opening_most(of, OPENING_LEVEL, -1),
                 most = opening_most(of, OPENING_LEVEL, 1), depth = of->keys->depth;
    SLUICE_CHECK(!isfinite(depth) || depth <= (of->high - of->low) * (1 + 1e-9), SLUICE_BAD_INPUT,
                 OPENING_NAME "depth: %.6g m is more than the height of the opening, %.6g m: make "
                              "the opening higher, or leave depth out",
                 OPENING_NAME_OF(of->keys), depth, of->high - of->low);
    if (opening_has_heights(of))
        warn_of_heights(of, isfinite(depth) ? depth : fmin(most, of->high) - of->low, setup);
    if (!opening_gives(of, OPENING_LEVEL))
        return SLUICE_OK;
    SLUICE_CHECK(least > of->low, SLUICE_BAD_INPUT,
                 OPENING_NAME "level: %.6g m is not above the lower edge of the opening, %.6g m: "
                              "raise the level, or lower the opening",
                 OPENING_NAME_OF(of->keys), least, of->low);
    if (most > of->high * (1 + 1e-9))
        sluice_warn(setup->warnings,
                    OPENING_NAME "level: %.6g m is above the upper edge of the opening, %.6g m: "
                                 "water is pressed through it as through a culvert; make it higher "
                                 "if the surface shall lie in it",
                    OPENING_NAME_OF(of->keys), most, of->high);
    return SLUICE_OK;
}

sluice_status openings_check_places(const struct openings *o,
                                    const struct sluice_effect_setup *setup)
{
    for (int i = 0; i < o->count; i++) {
        const struct opening *of = &o->opening[i];
        SLUICE_TRY(check_table(of, &setup->physics->wcsph));
        SLUICE_TRY(check_period(of, setup->grid));
        SLUICE_TRY(check_within(o, of, setup->physics->config));
        SLUICE_TRY(check_heights(of, setup));
    }
    SLUICE_TRY(check_apart(o, setup));
    return check_moving(o, setup);
}

/* --- The start --- */

/* Warns of streams that are fast for the sound speed, and of water deeper than it is made for. */
static void warn_of_speed(const struct openings *o, const struct opening *of,
                          const struct sluice_effect_setup *setup)
{
    const struct wcsph_params *water = &setup->physics->wcsph;
    const double area = opening_wet_area(o, of, water),
                 mean = fmax(opening_most_through(of, area, 1),
                             opening_most_through(of, area, -1)) /
                        area;
    double most = 0, sum = 0, uneven;
    int wet = 0;
    for (int c = 0; c < opening_columns_of(of); c++) {
        const int below = !isfinite(of->keys->depth) || of->height[c] < of->low + of->keys->depth;
        if (o->column[of->first + c].closed || !below)
            continue;
        most = fmax(most, of->profile[c]);
        sum += of->profile[c];
        wet++;
    }
    uneven = sum > 0 ? most * wet / sum : 1; /* the largest velocity over the mean */
    if (isfinite(mean) && mean * uneven > water->sound_speed / 10 * (1 + 1e-9))
        sluice_warn(setup->warnings,
                    OPENING_NAME "its water has up to %.6g m/s, more than a tenth of "
                                 "fluid.sound_speed, %.6g m/s: give %.6g m/s or more",
                    OPENING_NAME_OF(of->keys), mean * uneven, water->sound_speed,
                    10 * mean * uneven);
    const double level = opening_gives(of, OPENING_LEVEL)
                             ? opening_most(of, OPENING_LEVEL, 1) - of->low
                             : of->keys->depth,
                 fall = 10 * sqrt(2 * sluice_norm(water->gravity) * level);
    if (isfinite(level) && fall > water->sound_speed * (1 + 1e-6) &&
        level > setup->fluid_high[water->dimension - 1] - setup->fluid_low[water->dimension - 1])
        sluice_warn(setup->warnings,
                    OPENING_NAME "its water is %.6g m deep, more than that of the start, and "
                                 "fluid.sound_speed, %.6g m/s, is below 10 sqrt(2 g H) = %.6g m/s: "
                                 "give that",
                    OPENING_NAME_OF(of->keys), level, water->sound_speed, fall);
}

/* Warns of a subcritical stream with too few or too many conditions. */
static void warn_of_conditions(const struct openings *o, const struct opening *of,
                               const struct sluice_effect_setup *setup)
{
    const struct opening_stream is = opening_stream_of(o, of, &setup->physics->wcsph);
    if (!(is.froude < 1) || is.given == is.takes)
        return;
    sluice_warn(setup->warnings,
                OPENING_NAME "a stream of Froude number %.3g takes one condition, a velocity or "
                             "discharge, or a level, and has %s",
                OPENING_NAME_OF(of->keys), is.froude,
                is.given ? "two: they fight; leave one of them out"
                         : "none: its depth is left to chance; give one");
}

struct counting {
    const struct openings *o;
    const struct sluice_grid *grid;
    int *front; /* [columns] particles of the first row in front of the face */
};

static void count_front(void *data, const double x[3])
{
    const struct counting *to = data;
    for (int i = 0; i < to->o->count; i++) {
        const struct opening *of = &to->o->opening[i];
        double s;
        const int c = opening_column_of(of, to->grid, x, &s);
        if (c >= 0 && s > 0 && s <= of->spacing)
            to->front[of->first + c]++;
    }
}

static void warn_of_dry(const struct openings *o, const struct opening *of, const int *front,
                        const struct sluice_effect_setup *setup)
{
    int dry = 0;
    for (int c = of->first; c < of->first + opening_columns_of(of); c++)
        dry += !o->column[c].closed && front[c] > 0 && o->row[c].moved > 0;
    if (dry > 0)
        sluice_warn(setup->warnings,
                    OPENING_NAME "%d of its columns have water in front of the face and none, or "
                                 "not enough, in the buffer behind it, %.6g m deep: it would rush "
                                 "in; let the water reach through the buffer",
                    OPENING_NAME_OF(of->keys), dry, buffer_of(of));
}

/* Under a level or a pressure alone water enters as fast as that in front of the opening moves. */
static void warn_of_bare(const struct opening *of, const int *front,
                         const struct sluice_effect_setup *setup)
{
    int found = 0;
    for (int c = of->first; c < of->first + opening_columns_of(of); c++)
        found += front[c];
    if (found == 0 && of->keys->kind != SLUICE_OPENING_OUTLET && !opening_flows(of))
        sluice_warn(setup->warnings,
                    OPENING_NAME
                    "no water is in front of it, whose velocity it would take: nothing "
                    "enters before other water comes there; give a velocity or a "
                    "discharge, or start with water there",
                    OPENING_NAME_OF(of->keys));
}

/* Without a surface, and without an opening that gives one, nothing sets the pressure. It is
 * certain where fluid fills the domain. */
static sluice_status check_pressure(const struct openings *o,
                                    const struct sluice_effect_setup *setup)
{
    const struct wcsph_params *water = &setup->physics->wcsph;
    const struct sluice_config *config = setup->physics->config;
    double volume = 1, size = 1, air = 0; /* over the water, along gravity, m^2/s^2 */
    int dry = 0;
    for (int i = 0; i < o->count; i++)
        if (opening_presses(&o->opening[i]))
            return SLUICE_OK;
    for (int c = 0; c < o->columns; c++)
        dry += !o->column[c].closed && o->row[c].moved > 0;
    for (int a = 0; a < config->dimension; a++) {
        const double *low = config->domain.min, *high = config->domain.max, g = water->gravity[a];
        volume *= high[a] - low[a];
        size *= water->spacing;
        air += g > 0 ? g * (setup->fluid_low[a] - low[a]) : -g * (high[a] - setup->fluid_high[a]);
    }
    SLUICE_CHECK((double)setup->fluid * size < 0.999 * volume, SLUICE_BAD_INPUT,
                 "openings: no opening gives a level or a pressure, and the water fills the domain "
                 "without a surface: nothing sets its pressure; give a pressure at one of them, "
                 "as at an outlet");
    if (dry == 0 && !(air > sluice_norm(water->gravity) * water->spacing))
        sluice_warn(setup->warnings,
                    "openings: no opening gives a level or a pressure, and water fills all of "
                    "them: unless it has a surface elsewhere nothing sets its pressure; give a "
                    "pressure or a level at one of them");
    return SLUICE_OK;
}

sluice_status openings_check_start(const struct openings *o,
                                   const struct sluice_effect_setup *setup)
{
    struct counting counting = {o, setup->grid, NULL};
    SLUICE_ALLOCATE(counting.front, o->columns, "columns of openings");
    sluice_status status = setup->each_place(setup, SLUICE_FLUID, count_front, &counting);
    for (int i = 0; i < o->count && status == SLUICE_OK; i++) {
        const struct opening *of = &o->opening[i];
        int open = 0;
        for (int c = 0; c < opening_columns_of(of); c++)
            open += !o->column[of->first + c].closed;
        warn_of_speed(o, of, setup);
        warn_of_conditions(o, of, setup);
        warn_of_dry(o, of, counting.front, setup);
        warn_of_bare(of, counting.front, setup);
        if (open == 0)
            status = SLUICE_FAIL(SLUICE_BAD_INPUT,
                                 OPENING_NAME "walls stand in the buffers of all its %d columns: "
                                              "move the opening or the walls",
                                 OPENING_NAME_OF(of->keys), opening_columns_of(of));
    }
    free(counting.front);
    return status == SLUICE_OK ? check_pressure(o, setup) : status;
}
