/* Where openings are: their columns and buffers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "kernels/registry.h"
#include "physics/openings/openings.h"

enum { ROWS_MORE = 2 }; /* than the support: rows that are late */

/* --- The frame of an opening --- */

/* The face of the lattice nearest to a place on an axis, with a warning if that is another. */
static double snapped(const struct sluice_opening *keys, const struct sluice_effect_setup *setup,
                      int axis, const char *key, double asked)
{
    const double step = setup->physics->wcsph.spacing,
                 origin = setup->physics->config->domain.min[axis],
                 face = origin + floor((asked - origin) / step + 0.5 + 1e-9) * step;
    if (fabs(face - asked) > 1e-6 * step)
        sluice_warn(setup->warnings,
                    OPENING_NAME "%s: %.9g along %c is no face of the lattice of particles; it was "
                                 "moved to %.9g",
                    OPENING_NAME_OF(keys), key, asked, "xyz"[axis], face);
    return face;
}

/* An opening on a face of the domain: its buffer lies along the face, within the domain. */
static void place_on_face(struct opening *of, const struct sluice_effect_setup *setup,
                          double length[2])
{
    const struct sluice_opening *keys = of->keys;
    const struct sluice_grid *g = setup->grid;
    const int axis = keys->face / 2, high = keys->face % 2, dim = g->dimension;
    const struct sluice_config *config = setup->physics->config;
    int e = 0;
    of->normal[axis] = high ? -1 : 1;
    /* within the domain, on a face of the lattice */
    of->corner[axis] = config->domain.min[axis] + of->rows * of->spacing;
    if (high) {
        const double width = config->domain.max[axis] - config->domain.min[axis];
        of->corner[axis] = config->domain.min[axis] +
                           (floor(width / of->spacing + 1e-6) - of->rows) * of->spacing;
    }
    for (int c = 0; c < dim; c++) {
        if (c == axis)
            continue;
        const double low = isfinite(keys->from[c]) ? snapped(keys, setup, c, "from", keys->from[c])
                                                   : config->domain.min[c],
                     top = isfinite(keys->to[c]) ? snapped(keys, setup, c, "to", keys->to[c])
                                                 : config->domain.max[c];
        of->corner[c] = low;
        length[e] = top - low;
        of->edge[e++][c] = 1;
    }
}

/* An opening at any angle, by its centre, normal and sides or radius. */
static void place_freely(struct opening *of, const struct sluice_effect_setup *setup,
                         double length[2])
{
    const struct sluice_opening *keys = of->keys;
    const int dim = setup->grid->dimension;
    const double norm = sluice_norm(keys->normal);
    for (int c = 0; c < 3; c++)
        of->normal[c] = keys->normal[c] / norm;
    if (dim == 2) {
        of->edge[0][0] = -of->normal[1];
        of->edge[0][1] = of->normal[0];
    } else {
        const double flat = hypot(of->normal[0], of->normal[1]);
        of->edge[0][0] = flat > 1e-9 ? -of->normal[1] / flat : 1;
        of->edge[0][1] = flat > 1e-9 ? of->normal[0] / flat : 0;
        sluice_cross(of->normal, of->edge[0], of->edge[1]);
    }
    for (int e = 0; e < dim - 1; e++) {
        length[e] = keys->radius > 0 ? 2 * keys->radius : keys->size[e];
        for (int c = 0; c < 3; c++)
            of->corner[c] += -length[e] / 2 * of->edge[e][c];
    }
    for (int c = 0; c < dim; c++)
        of->corner[c] += keys->centre[c];
}

/* Columns lie along the direction in which water comes; without one along the normal. */
static void set_axis(struct opening *of)
{
    const double *direction = sluice_norm(of->keys->direction) > 0 ? of->keys->direction
                                                                   : of->normal;
    const double along = sluice_dot(direction, of->normal);
    for (int c = 0; c < 3; c++)
        of->axis[c] = direction[c] / along;
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 3; c++)
            of->across_axis[e][c] = of->edge[e][c] -
                                    sluice_dot(of->edge[e], of->axis) * of->normal[c];
}

void opening_column_middle(const struct opening *of, int c, double x[3])
{
    const int across = c % of->columns[0], up = c / of->columns[0];
    for (int a = 0; a < 3; a++)
        x[a] = of->corner[a] + (across + 0.5) * of->size * of->edge[0][a] +
               (up + 0.5) * of->size * of->edge[1][a];
}

double opening_particle_mass(const struct sluice_physics *p, double relative_density)
{
    const struct wcsph_params *water = &p->wcsph;
    const int follows = p->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC;
    return water->rho0 * pow(water->spacing, water->dimension) *
           (follows ? 1 + relative_density : 1);
}

double opening_head_at(const struct opening *of, const struct sluice_physics *p, double head,
                       const double x[3])
{
    const struct wcsph_params *water = &p->wcsph;
    for (int c = 0; c < water->dimension; c++)
        head += water->gravity[c] * (x[c] - of->corner[c]) /
                (water->sound_speed * water->sound_speed);
    return of->has_surface ? fmax(head, 0) : head;
}

int opening_column_of(const struct opening *of, const struct sluice_grid *g, const double x[3],
                      double *s)
{
    double d[3] = {0, 0, 0};
    int column = 0;
    for (int a = 0; a < g->dimension; a++) {
        const double period = g->periodic[a] ? g->high[a] - g->low[a] : 0;
        d[a] = x[a] - of->corner[a];
        d[a] -= period > 0 ? period * floor(d[a] / period) : 0;
    }
    *s = sluice_dot(d, of->normal);
    for (int e = g->dimension - 2; e >= 0 && column >= 0; e--) {
        const double n = floor(sluice_dot(d, of->across_axis[e]) / of->size);
        column = n >= 0 && n < of->columns[e] ? column * of->columns[e] + (int)n : -1;
    }
    return column;
}

/* Whether a column is a part of the opening: of a disc, those whose middle is in it. */
static int is_open(const struct opening *of, int c)
{
    double x[3], away[3];
    if (!(of->keys->radius > 0))
        return 1;
    opening_column_middle(of, c, x);
    for (int a = 0; a < 3; a++)
        away[a] = x[a] - of->centre[a];
    return sluice_norm(away) <= of->keys->radius;
}

/* How many particles a column is across: as many as make about 24 columns along the shorter edge of
 * an opening in 3-D, up to 4; they divide both edges. */
static int across_of(const struct opening *of, int dimension)
{
    const int shorter = of->columns[0] < of->columns[1] ? of->columns[0] : of->columns[1];
    int across = dimension == 3 ? shorter / 24 : 1;
    across = across > 4 ? 4 : across;
    while (across > 1 && (of->columns[0] % across || of->columns[1] % across))
        across--;
    return across > 1 ? across : 1;
}

/* The heights of the columns' middles, and of the edges. */
static sluice_status set_heights(struct opening *of, const struct wcsph_params *water)
{
    const int n = opening_columns_of(of);
    double rise = 0;
    SLUICE_ALLOCATE(of->height, n, "columns of an opening");
    for (int e = 0; e < water->dimension - 1; e++)
        rise += fabs(opening_height(water, of->edge[e])) * of->size;
    of->low = INFINITY;
    of->high = -INFINITY;
    for (int c = 0; c < n; c++) {
        double x[3];
        opening_column_middle(of, c, x);
        of->height[c] = opening_height(water, x);
        of->low = fmin(of->low, of->height[c] - rise / 2);
        of->high = fmax(of->high, of->height[c] + rise / 2);
    }
    return SLUICE_OK;
}

static sluice_status place(struct opening *of, const struct sluice_effect_setup *setup)
{
    const struct wcsph_params *water = &setup->physics->wcsph;
    const double support = water->h * sluice_kernel_support(water->kernel);
    double length[2] = {0, 0};
    of->spacing = water->spacing;
    of->rows = (int)ceil(support / of->spacing - 1e-9) + ROWS_MORE;
    if (of->keys->face >= 0)
        place_on_face(of, setup, length);
    else
        place_freely(of, setup, length);
    set_axis(of);
    memcpy(of->centre, of->corner, sizeof of->centre);
    of->columns[1] = 1;
    for (int e = 0; e < setup->grid->dimension - 1; e++) {
        const double particles = length[e] / of->spacing; /* those of a face lie within it */
        of->columns[e] = of->keys->face < 0 ? (int)lround(particles) : (int)floor(particles + 1e-6);
        SLUICE_CHECK(of->columns[e] > 0, SLUICE_BAD_INPUT,
                     OPENING_NAME "it is %.9g m wide, less than a particle of %.9g m: make it "
                                  "wider, or spacing smaller",
                     OPENING_NAME_OF(of->keys), length[e], of->spacing);
        if (of->keys->face < 0 && !(of->keys->radius > 0) &&
            fabs(of->columns[e] * of->spacing - length[e]) > 1e-6 * of->spacing)
            sluice_warn(setup->warnings,
                        OPENING_NAME "size: %.9g m is no multiple of the spacing of %.9g m; %.9g m "
                                     "was taken",
                        OPENING_NAME_OF(of->keys), length[e], of->spacing,
                        of->columns[e] * of->spacing);
        for (int c = 0; c < 3; c++)
            of->centre[c] += of->columns[e] * of->spacing / 2 * of->edge[e][c];
    }
    of->across = across_of(of, setup->grid->dimension);
    of->size = of->across * of->spacing;
    for (int e = 0; e < setup->grid->dimension - 1; e++)
        of->columns[e] /= of->across;
    /* Water that leaves goes before it reaches the end of the domain: it is looked for after half a
     * spacing. Where it also comes, a row is half a spacing late. */
    of->end = (of->rows + (of->keys->kind == SLUICE_OPENING_INLET ? 1 : -0.6)) * of->spacing;
    of->late = of->keys->kind == SLUICE_OPENING_BOTH ? of->spacing / 2 : 0;
    const double g = sluice_norm(water->gravity);
    of->has_surface = g > 0 && !opening_gives(of, OPENING_PRESSURE) &&
                      fabs(sluice_dot(water->gravity, of->normal)) < 0.99 * g;
    return set_heights(of, water);
}

static void fill_box(struct opening_box *box, const struct opening *of,
                     const struct sluice_effect_setup *setup)
{
    const struct wcsph_params *water = &setup->physics->wcsph;
    sluice_grid_place(setup->grid, of->corner, &box->corner);
    for (int c = 0; c < 3; c++) {
        box->normal[c] = of->normal[c];
        box->axis[c] = of->axis[c];
        for (int e = 0; e < 2; e++)
            box->edge[e][c] = of->across_axis[e][c] / of->size;
    }
    box->buffer = of->end;
    box->strip = water->h * sluice_kernel_support(water->kernel);
    box->columns[0] = of->columns[0];
    box->columns[1] = of->columns[1];
    box->first = of->first;
    box->bounded = of->has_surface;
}

/* --- How a velocity is spread --- */

double opening_column_height(const struct opening *of, const struct wcsph_params *water, int c)
{
    const int up = water->dimension == 2 ? c : c / of->columns[0];
    return sluice_norm(water->gravity) > 0 ? of->height[c] - of->low : (up + 0.5) * of->size;
}

/* That height over the one of its water. */
static double height_of(const struct opening *of, const struct sluice_physics *p, int c)
{
    const int last = p->wcsph.dimension == 2 ? 0 : 1;
    const double all = !(sluice_norm(p->wcsph.gravity) > 0) ? of->columns[last] * of->size
                       : isfinite(of->keys->depth)          ? of->keys->depth
                                                            : of->high - of->low;
    return opening_column_height(of, &p->wcsph, c) / all;
}

static double shape_of(const struct opening *of, const struct sluice_physics *p, int c)
{
    const double height = height_of(of, p, c), grain = of->keys->roughness;
    double x[3], shape = 1;
    switch (of->keys->profile) {
    case SLUICE_PROFILE_PARABOLIC:
        if (of->keys->radius > 0) {
            opening_column_middle(of, c, x);
            double away2 = 0;
            for (int a = 0; a < 3; a++)
                away2 += (x[a] - of->centre[a]) * (x[a] - of->centre[a]);
            return 1 - away2 / (of->keys->radius * of->keys->radius);
        }
        for (int e = 0; e < p->wcsph.dimension - 1; e++) {
            const double at = ((e ? c / of->columns[0] : c % of->columns[0]) + 0.5) /
                              of->columns[e];
            shape *= 4 * at * (1 - at);
        }
        return shape;
    case SLUICE_PROFILE_LOG:
        return log(
            fmax(height * (isfinite(of->keys->depth) ? of->keys->depth : of->high - of->low) /
                     (grain / 30),
                 1));
    case SLUICE_PROFILE_POWER:
        return pow(fmax(height, 0), of->keys->exponent);
    default:
        return 1;
    }
}

/* Of a table with heights: its means, over the columns that have water at its depth, and its
 * largest velocities. */
static void set_heights_of_table(struct openings *o, struct opening *of,
                                 const struct wcsph_params *water)
{
    int n = 0;
    for (int c = 0; c < opening_columns_of(of); c++) {
        const double height = opening_column_height(of, water, c);
        if (!o->column[of->first + c].closed && height < of->keys->depth)
            o->line[n++] = height;
    }
    const double time = opening_set_means(of, o->line, n);
    for (int c = 0; c < opening_columns_of(of); c++)
        of->profile[c] = opening_velocity_at(of, time, opening_column_height(of, water, c));
}

void openings_set_profiles(struct openings *o, const struct sluice_physics *p)
{
    for (int i = 0; i < o->count; i++) {
        struct opening *of = &o->opening[i];
        if (opening_has_heights(of))
            set_heights_of_table(o, of, &p->wcsph);
        for (int c = 0; c < opening_columns_of(of) && !opening_has_heights(of); c++)
            of->profile[c] = shape_of(of, p, c);
    }
}

/* --- All openings --- */

static sluice_status allocate(struct openings *o)
{
    double *at;
    const size_t totals = sizeof *o->totals / sizeof *at, row = sizeof *o->row / sizeof *at,
                 gauge = sizeof *o->gauge / sizeof *at, measured = sizeof *o->measured / sizeof *at;
    SLUICE_ALLOCATE(o->box, o->count, "openings");
    SLUICE_ALLOCATE(o->column, o->columns, "columns of openings");
    SLUICE_ALLOCATE(o->born, o->columns, "columns of openings");
    SLUICE_ALLOCATE(o->next, o->columns, "columns of openings");
    SLUICE_ALLOCATE(o->seen, o->columns, "columns of openings");
    SLUICE_ALLOCATE(o->line, o->columns, "columns of openings");
    SLUICE_ALLOCATE(o->own, (size_t)o->columns * OPENING_TERMS, "sums of openings");
    o->state_count = (int64_t)(1 + totals * (size_t)o->count +
                               (row + gauge + measured) * (size_t)o->columns);
    SLUICE_ALLOCATE(o->state, o->state_count, "numbers of openings");
    o->out = at = o->state;
    o->totals = (struct opening_totals *)(at += 1);
    o->row = (struct opening_row *)(at += totals * (size_t)o->count);
    o->gauge = (struct opening_gauge *)(at += row * (size_t)o->columns);
    o->measured = (struct opening_measured *)(at + gauge * (size_t)o->columns);
    return SLUICE_OK;
}

static sluice_status make(struct openings *o, const struct sluice_effect_setup *setup)
{
    const struct sluice_config *config = setup->physics->config;
    o->count = config->opening_count;
    o->group = setup->fluid_group;
    SLUICE_ALLOCATE(o->opening, o->count, "openings");
    for (int i = 0; i < o->count; i++) {
        struct opening *of = &o->opening[i];
        of->keys = &config->openings[i];
        SLUICE_TRY(opening_steps_read(of));
        SLUICE_TRY(place(of, setup));
        SLUICE_ALLOCATE(of->profile, opening_columns_of(of), "columns of an opening");
        of->first = o->columns;
        o->columns += opening_columns_of(of);
    }
    SLUICE_TRY(allocate(o));
    for (int i = 0; i < o->count; i++) {
        const struct opening *of = &o->opening[i];
        fill_box(&o->box[i], of, setup);
        for (int c = 0; c < opening_columns_of(of); c++)
            o->column[of->first + c].closed = !is_open(of, c);
    }
    return SLUICE_OK;
}

sluice_status openings_create(const struct sluice_effect_setup *setup, struct openings **out)
{
    SLUICE_ALLOCATE(*out, 1, "openings");
    const sluice_status status = make(*out, setup);
    if (status != SLUICE_OK) {
        openings_destroy(*out);
        *out = NULL;
    }
    return status;
}

void openings_destroy(struct openings *o)
{
    if (!o)
        return;
    for (int i = 0; i < o->count && o->opening; i++) {
        opening_steps_free(&o->opening[i]);
        free(o->opening[i].profile);
        free(o->opening[i].height);
    }
    free(o->opening);
    free(o->box);
    free(o->column);
    free(o->born);
    free(o->next);
    free(o->seen);
    free(o->line);
    free(o->own);
    free(o->state);
    free(o);
}
