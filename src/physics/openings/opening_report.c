/* What `sluice check` says of openings, and how many particles come and go through them. */
#include <math.h>

#include "core/vector.h"
#include "physics/openings/openings.h"

static const char *const kinds[] = {SLUICE_OPENING_KINDS(SLUICE_CHOICE_WORD)},
                         *const quantities[OPENING_QUANTITIES] = {"velocity", "discharge", "level",
                                                                  "pressure"};

int opening_flows(const struct opening *of)
{
    return opening_gives(of, OPENING_VELOCITY) || opening_gives(of, OPENING_DISCHARGE);
}

int opening_presses(const struct opening *of)
{
    return opening_gives(of, OPENING_LEVEL) || opening_gives(of, OPENING_PRESSURE);
}

/* --- The water at the start --- */

/* By the depth or the level that is given, else by the columns whose buffers are full. */
double opening_wet_area(const struct openings *o, const struct opening *of,
                        const struct wcsph_params *water)
{
    const double level = opening_given(of, OPENING_LEVEL, of->keys->start);
    double full = 0;
    if (isfinite(of->keys->depth))
        return opening_area_below(o, of, water, of->low + of->keys->depth);
    if (isfinite(level))
        return opening_area_below(o, of, water, level);
    for (int c = of->first; c < of->first + opening_columns_of(of); c++)
        full += !o->column[c].closed && o->row[c].moved == 0;
    return (full > 0 || of->keys->kind == SLUICE_OPENING_OUTLET)
               ? full * opening_column_area(of, water)
               : opening_area_below(o, of, water, INFINITY);
}

/* The same, of columns that follow the water: all. */
static double largest_area(const struct openings *o, const struct opening *of,
                           const struct wcsph_params *water)
{
    return isfinite(of->keys->depth) ? opening_wet_area(o, of, water)
                                     : opening_area_below(o, of, water, INFINITY);
}

double opening_most_through(const struct opening *of, double area, int sign)
{
    if (opening_gives(of, OPENING_DISCHARGE))
        return opening_most(of, OPENING_DISCHARGE, sign);
    if (opening_gives(of, OPENING_VELOCITY))
        return opening_most(of, OPENING_VELOCITY, sign) * area;
    return NAN;
}

/* What enters after the ramp, m^3/s: by what is given, or so that as much leaves as enters by the
 * others. NAN: neither is known. */
static double discharge_of(const struct openings *o, const struct opening *of,
                           const struct wcsph_params *water)
{
    double others = 0;
    if (opening_flows(of)) {
        const double area = opening_wet_area(o, of, water), in = opening_most_through(of, area, 1),
                     out = opening_most_through(of, area, -1);
        return in >= out ? in : -out;
    }
    for (int i = 0; i < o->count; i++)
        if (&o->opening[i] != of)
            others += opening_flows(&o->opening[i]) ? discharge_of(o, &o->opening[i], water) : NAN;
    return -others;
}

/* --- Until time.end --- */

double openings_until_end(const struct openings *o, const struct sluice_physics *p, double from,
                          double *going)
{
    const double volume = pow(p->wcsph.spacing, p->wcsph.dimension);
    double coming = 0;
    *going = 0;
    for (int i = 0; i < o->count; i++) {
        const struct opening *of = &o->opening[i];
        const double buffer = opening_columns_of(of) * (of->rows + 1) *
                              pow(of->across, p->wcsph.dimension - 1),
                     seconds = fmax(0, p->config->time.end - fmax(from, of->keys->start)),
                     in = opening_most_through(of, largest_area(o, of, &p->wcsph), 1),
                     q = discharge_of(o, of, &p->wcsph);
        *going += isnan(q) ? NAN : fmax(0, -q) * seconds / volume;
        if (of->keys->kind == SLUICE_OPENING_OUTLET)
            continue;
        /* its buffer may be empty, and a row come early */
        coming += isnan(in) || of->keys->absorb ? INFINITY
                                                : fmax(0, in) * seconds / volume + buffer;
    }
    return coming;
}

/* --- The report --- */

static void print_vector(FILE *out, const double v[3], int dimension)
{
    for (int c = 0; c < dimension; c++)
        fprintf(out, "%s%.6g", c ? ", " : "(", fabs(v[c]) < 1e-12 ? 0 : v[c]);
    fputc(')', out);
}

static void print_place(const struct openings *o, const struct opening *of,
                        const struct wcsph_params *water, FILE *out)
{
    const int columns = opening_columns_of(of), axis = of->keys->face / 2;
    int closed = 0;
    for (int c = 0; c < columns; c++)
        closed += o->column[of->first + c].closed;
    fprintf(out, "  %-18s%s, face at ", of->keys->name, kinds[of->keys->kind]);
    if (of->keys->face >= 0)
        fprintf(out, "%c = %.6g m", "xyz"[axis], of -> corner[axis]);
    else {
        print_vector(out, of->centre, water->dimension);
        fputs(" m, normal ", out);
        print_vector(out, of->normal, water->dimension);
    }
    if (sluice_norm(of->keys->direction) > 0) {
        fputs(", water comes along ", out);
        print_vector(out, of->axis, water->dimension);
    }
    fprintf(out, "; area %.6g m%s: %d columns of %d rows",
            (columns - closed) * opening_column_area(of, water), water->dimension == 3 ? "^2" : "",
            columns - closed, of->rows);
    if (of->across > 1)
        fprintf(out, ", each %d x %d particles wide", of->across, of->across);
    if (closed)
        fprintf(out, ", %d more are closed by walls%s", closed,
                of->keys->radius > 0 ? " or outside the disc" : "");
    fputc('\n', out);
}

static void print_given(const struct opening *of, int dimension, FILE *out)
{
    const char *const units[OPENING_QUANTITIES] = {"m/s", dimension == 2 ? "m^2/s" : "m^3/s", "m",
                                                   "Pa"};
    int any = 0;
    fputs("    gives           ", out);
    for (int q = 0; q < OPENING_QUANTITIES; q++) {
        const double least = -opening_most(of, (enum opening_quantity)q, -1),
                     most = opening_most(of, (enum opening_quantity)q, 1);
        if (!opening_gives(of, (enum opening_quantity)q))
            continue;
        fprintf(out, "%s%s %.6g", any++ ? ", " : "", quantities[q], least);
        if (most > least)
            fprintf(out, " to %.6g", most);
        fprintf(out, " %s%s", units[q],
                q == OPENING_VELOCITY && opening_has_heights(of) ? " (means over its heights)"
                                                                 : "");
    }
    if (isfinite(of->keys->depth))
        fprintf(out, ", depth %.6g m", of->keys->depth);
    if (!any)
        fputs("nothing", out);
    if (!opening_flows(of) || !opening_presses(of))
        fprintf(out, "; %s extrapolated from the water",
                opening_flows(of)     ? "the pressure is"
                : opening_presses(of) ? "the velocity is"
                                      : "velocity and pressure are");
    fputc('\n', out);
}

struct opening_stream opening_stream_of(const struct openings *o, const struct opening *of,
                                        const struct wcsph_params *water)
{
    const double area = opening_wet_area(o, of, water);
    struct opening_stream is = {.discharge = discharge_of(o, of, water),
                                .depth = opening_surface_of(o, of, water, area) - of->low,
                                .given = opening_flows(of) + opening_presses(of)};
    is.speed = fabs(is.discharge) / area;
    is.froude = of->has_surface ? is.speed / sqrt(sluice_norm(water->gravity) * is.depth) : NAN;
    is.takes = is.froude < 1 ? 1 : is.discharge > 0 ? 2 : 0;
    return is;
}

static void print_speed(const struct openings *o, const struct opening *of,
                        const struct wcsph_params *water, FILE *out)
{
    const struct opening_stream is = opening_stream_of(o, of, water);
    const int enters = is.discharge > 0;
    if (!isfinite(is.speed))
        return;
    fprintf(out, "    speed           %.6g m/s, %.3g c0", is.speed, is.speed / water->sound_speed);
    if (isfinite(is.froude))
        fprintf(out,
                "; Froude number %.3g at a depth of %.6g m: a %s stream takes %d condition%s "
                "where it %s, and has %d",
                is.froude, is.depth, is.froude < 1 ? "subcritical" : "supercritical", is.takes,
                is.takes == 1 ? "" : "s", enters ? "enters" : "leaves", is.given);
    fprintf(out, "\n    particles       %.4g a second %s\n",
            fabs(is.discharge) / pow(of->spacing, water->dimension), enters ? "enter" : "leave");
}

void openings_print(const struct openings *o, const struct sluice_physics *p, FILE *out)
{
    for (int i = 0; i < o->count; i++) {
        print_place(o, &o->opening[i], &p->wcsph, out);
        print_given(&o->opening[i], p->wcsph.dimension, out);
        print_speed(o, &o->opening[i], &p->wcsph, out);
    }
}
