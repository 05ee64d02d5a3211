/* The rows of opening_NAME.csv: what passes an opening, and the water in front of it. */
#include <math.h>

#include "core/vector.h"
#include "kernels/registry.h"
#include "physics/openings/openings.h"

const struct sluice_column opening_columns[] = {
    {"discharge", NULL, "m^3/s",
     "volume that enters in a second, a mean since the last row; below 0 water leaves"},
    {"mass_in", NULL, "kg", "mass that has entered since the start"},
    {"mass_out", NULL, "kg", "mass that has left since the start"},
    {"particles_in", NULL, "1", "particles that have entered since the start"},
    {"particles_out", NULL, "1", "particles that have left since the start"},
    {"level", NULL, "m",
     "height of the water's surface, by the mass in front of the face: a mean since the last row; "
     "where water reaches above the opening the height of its upper edge"},
    {"depth", NULL, "m", "level over the lower edge of the opening"},
    {"velocity", NULL, "m/s", "velocity along the normal, a mean over the wet part of the opening"},
    {"pressure", NULL, "Pa",
     "pressure at the centre of the opening, hydrostatic from the mean over its wet part, so below "
     "0 where the centre is above the water"},
    {"froude", NULL, "1", "velocity over sqrt(g depth)"},
    {"energy_in", NULL, "J", "energy of the water that has entered since the start"},
    {"energy_out", NULL, "J", "energy of the water that has left since the start"},
    {"power", NULL, "W",
     "power of the opening on the water in the last step: of pressure, and of the force that holds "
     "its speed"},
    {"head", NULL, "m",
     "total head over the lower edge: energy and work of the water that has passed since the last "
     "row, over its weight; empty where less passes than at a speed of c0/10000"},
    {0}};

/* A mean velocity below this part of c0 is 0: what a cubic metre brings is then not defined. */
#define AT_REST 1e-4

double opening_column_area(const struct opening *of, const struct wcsph_params *water)
{
    return pow(of->size, water->dimension - 1);
}

/* --- Heights --- */

/* By how much a column is higher at its upper edge than at its lower one, m. */
static double rise_of(const struct opening *of, const struct wcsph_params *water)
{
    double rise = 0;
    for (int e = 0; e < water->dimension - 1; e++)
        rise += fabs(opening_height(water, of->edge[e])) * of->size;
    return rise;
}

double opening_area_below(const struct openings *o, const struct opening *of,
                          const struct wcsph_params *water, double height)
{
    const double rise = rise_of(of, water);
    double columns = 0;
    for (int c = 0; c < opening_columns_of(of); c++)
        if (!o->column[of->first + c].closed)
            columns += rise > 0 ? fmax(0, fmin(1, (height - of->height[c]) / rise + 0.5)) : 1;
    return columns * opening_column_area(of, water);
}

double opening_surface_of(const struct openings *o, const struct opening *of,
                          const struct wcsph_params *water, double filled)
{
    double low = of->low, high = of->high;
    if (rise_of(of, water) < 1e-6 * of->spacing)
        return NAN;
    if (!(filled > 0))
        return low;
    while (high - low > 1e-6 * of->spacing) {
        const double middle = (low + high) / 2;
        if (opening_area_below(o, of, water, middle) < filled)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* --- What the gauges say --- */

struct reading {
    double discharge, area, head, mass; /* m^3/s, m^2 of wet columns; mean head, 1; kg */
};

static struct reading read_columns(const struct openings *o, const struct opening *of,
                                   const struct wcsph_params *water)
{
    struct reading all = {0, 0, 0, 0};
    const double area = opening_column_area(of, water);
    for (int c = of->first; c < of->first + opening_columns_of(of); c++) {
        const struct opening_gauge *gauge = &o->gauge[c];
        all.mass += gauge->mass;
        if (o->column[c].closed || !(gauge->weight > 0))
            continue;
        all.discharge += gauge->velocity * area;
        all.head += gauge->head * area;
        all.area += area;
    }
    all.head /= all.area;
    return all;
}

static double pressure_of(const struct opening *of, const struct wcsph_params *water, double head)
{
    for (int c = 0; c < water->dimension; c++)
        head += water->gravity[c] * (of->centre[c] - of->corner[c]) /
                (water->sound_speed * water->sound_speed);
    return sluice_wcsph_pressure(water, sluice_wcsph_density_of_head(water, head));
}

/* --- Means since the last row --- */

/* The mass of a metre of a column's buffer, kg/m. That of an outlet may be filled in part. */
static double mass_a_metre(const struct openings *o, const struct opening *of,
                           const struct sluice_physics *p, int c)
{
    double x[3];
    if (of->keys->kind == SLUICE_OPENING_OUTLET)
        return o->measured[of->first + c].held / of->end;
    if (o->column[of->first + c].rule != OPENING_HOLDS)
        return 0;
    opening_column_middle(of, c, x);
    const double head = opening_head_at(of, p, o->column[of->first + c].head, x);
    return opening_row_of(of) / of->spacing *
           opening_particle_mass(p, sluice_wcsph_density_of_head(&p->wcsph, head));
}

/* A buffer passes on its mass at its speed: over rho0 the volume a second that enters by it. */
static void gather_one(const struct openings *o, const struct opening *of,
                       const struct sluice_physics *p, double dt, struct opening_sums *since)
{
    const struct wcsph_params *water = &p->wcsph;
    const double g = sluice_norm(water->gravity),
                 end = of->low + opening_height(water, of->axis) * of->rows * of->spacing,
                 slant2 = sluice_dot(of->axis, of->axis);
    for (int c = 0; c < opening_columns_of(of); c++) {
        const double u = o->row[of->first + c].speed, passes = mass_a_metre(o, of, p, c) * u * dt;
        since->mass += o->gauge[of->first + c].mass * dt;
        since->volume += passes / water->rho0;
        since->energy += passes * (slant2 * u * u / 2 + g * (of->height[c] - end));
    }
}

void openings_gather(struct openings *o, const struct sluice_physics *p, double dt)
{
    for (int i = 0; i < o->count; i++)
        gather_one(o, &o->opening[i], p, dt, &o->totals[i].since);
}

/* The total head of what passes the opening, over its lower edge, m: its energy as it passes the
 * end of the buffer, and the work of the opening on it, over its weight. */
static double total_head(const struct openings *o, const struct opening *of,
                         const struct wcsph_params *water)
{
    const struct opening_sums *since = &o->totals[of - o->opening].since;
    const double gravity = sluice_norm(water->gravity),
                 still = AT_REST * water->sound_speed * opening_area_below(o, of, water, INFINITY);
    return gravity > 0 && fabs(since->volume) > still * since->time
               ? (since->energy + since->work) / (water->rho0 * gravity * since->volume)
               : NAN;
}

void opening_fill_row(const struct openings *o, const struct wcsph_params *water, int opening,
                      double *row)
{
    const struct opening *of = &o->opening[opening];
    const struct opening_totals *totals = &o->totals[opening];
    const struct opening_sums *since = &totals->since;
    const struct reading now = read_columns(o, of, water);
    const double strip = o->box[opening].strip,
                 mass = since->time > 0 ? since->mass / since->time : now.mass,
                 level = opening_surface_of(o, of, water, mass / (water->rho0 * strip));
    const double depth = level - of->low, velocity = now.area > 0 ? now.discharge / now.area : NAN;
    const double values[] = {since->time > 0 ? since->volume / since->time : now.discharge,
                             totals->mass[0],
                             totals->mass[1],
                             totals->particles[0],
                             totals->particles[1],
                             level,
                             depth,
                             velocity,
                             now.area > 0 ? pressure_of(of, water, now.head) : NAN,
                             velocity / sqrt(sluice_norm(water->gravity) * depth),
                             totals->energy[0],
                             totals->energy[1],
                             totals->power,
                             total_head(o, of, water)};
    _Static_assert(sizeof values / sizeof *values + 1 ==
                       sizeof opening_columns / sizeof *opening_columns,
                   "a number for each column");
    for (size_t k = 0; k < sizeof values / sizeof *values; k++)
        row[k] = values[k];
}
