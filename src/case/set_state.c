/* What the particles of a case carry at the start: extent of the fluid, masses, densities,
 * velocities. */
#include <float.h>
#include <math.h>

#include "case/builder.h"
#include "kernels/registry.h"

/* --- Extent --- */

/* Half the size of a particle's own cell on an axis, m. A Lennard-Jones particle is a point. */
static double half_cell(const struct sluice_case_builder *b, int axis)
{
    if (b->config->model == SLUICE_MODEL_LJ)
        return 0;
    return 0.5 * (b->geometry.box ? b->geometry.step[axis] : b->config->spacing);
}

void sluice_case_measure_fluid(struct sluice_case_builder *b, struct sluice_initial_frame *f)
{
    struct sluice_case *c = b->c;
    const struct sluice_start *fluid = &c->start[SLUICE_FLUID];
    double down[3] = {0}, pull = 0, margin = 0, highest = -DBL_MAX, lowest = DBL_MAX;
    for (int a = 0; a < b->config->dimension; a++) {
        f->low[a] = b->config->lattice.used ? c->grid.low[a] : b->config->domain.min[a];
        f->high[a] = b->config->lattice.used ? c->grid.high[a] : b->config->domain.max[a];
        f->pull[a] = c->grid.periodic[a] ? 0 : b->config->gravity[a];
        pull += f->pull[a] * f->pull[a];
        c->fluid_low[a] = DBL_MAX;
        c->fluid_high[a] = -DBL_MAX;
    }
    pull = sqrt(pull);
    for (int a = 0; a < 3 && pull > 0; a++) {
        down[a] = f->pull[a] / pull;
        margin += fabs(down[a]) * half_cell(b, a);
    }
    for (int64_t i = 0; i < fluid->count; i++) {
        double x[3], height = 0;
        sluice_grid_coordinates(&b->grid, &fluid->place[i], x);
        for (int a = 0; a < b->config->dimension; a++) {
            height -= down[a] * x[a];
            c->fluid_low[a] = fmin(c->fluid_low[a], x[a] - half_cell(b, a));
            c->fluid_high[a] = fmax(c->fluid_high[a], x[a] + half_cell(b, a));
        }
        highest = fmax(highest, height);
        lowest = fmin(lowest, height);
    }
    f->top = highest + margin;
    c->fluid_depth = pull > 0 ? highest - lowest + 2 * margin : 0;
    f->fluid_depth = c->fluid_depth;
    for (int a = 0; a < 3; a++)
        f->fluid_low[a] = c->fluid_low[a];
}

/* --- Masses and densities --- */

/* The fluid of particle i of a type; walls are reckoned to the first. */
static const struct wcsph_params *fluid_of(const struct sluice_case_builder *b, int type, int64_t i)
{
    const struct sluice_case *c = b->c;
    return type == SLUICE_FLUID ? wcsph_of(&c->physics.wcsph, c->start[type].id[i])
                                : &c->physics.wcsph;
}

/* The frame as a particle of this fluid sees it. */
static struct sluice_initial_frame frame_of(const struct sluice_initial_frame *f,
                                            const struct wcsph_params *fluid)
{
    struct sluice_initial_frame own = *f;
    own.wcsph = f->wcsph ? fluid : NULL;
    return own;
}

static void densities_from_file(struct sluice_case_builder *b, int type)
{
    struct sluice_start *s = &b->c->start[type];
    int64_t n = 0;
    if (b->config->model == SLUICE_MODEL_LJ)
        return;
    for (int64_t i = 0; i < b->file.count; i++) {
        const struct sluice_particle_row *row = &b->file.row[i];
        if (row->type != type)
            continue;
        const struct wcsph_params *own = fluid_of(b, type, n);
        if (b->file.has_density)
            s->density[n] = row->density / own->rho0 - 1;
        else if (b->file.has_pressure)
            s->density[n] = sluice_wcsph_relative_density(own, row->pressure);
        n++;
    }
}

/* m = rho(z) dp^D: the lattice is then at rest as it stands; rho0 dp^D is compressed by its own
 * weight first. */
static sluice_status hydrostatic_masses(struct sluice_case_builder *b,
                                        const struct sluice_initial_frame *f)
{
    struct sluice_start *fluid = &b->c->start[SLUICE_FLUID];
    if (b->config->model != SLUICE_MODEL_WCSPH ||
        b->config->fluid.masses != SLUICE_MASSES_HYDROSTATIC)
        return SLUICE_OK;
    SLUICE_CHECK(b->c->fluid_depth > 0, SLUICE_BAD_INPUT,
                 "fluid.masses: \"hydrostatic\", but there is no gravity along an axis that is not "
                 "periodic; use \"lattice\"");
    const int from_file = b->from_file[SLUICE_FLUID] > 0,
              given = from_file && (b->file.has_density || b->file.has_pressure);
    for (int64_t i = 0; i < fluid->count; i++) {
        double x[3];
        sluice_grid_coordinates(&b->grid, &fluid->place[i], x);
        const struct sluice_initial_frame own = frame_of(f, fluid_of(b, SLUICE_FLUID, i));
        const double r = sluice_initial_hydrostatic(&own, x);
        if (!given)
            fluid->density[i] = r;
        if (!from_file || !b->file.has_mass)
            fluid->mass[i] *= 1 + r;
    }
    return SLUICE_OK;
}

/* Walls with a density of their own: beside hydrostatic fluid it must match, or the wall begins by
 * pulling. */
static void hydrostatic_walls(struct sluice_case_builder *b, const struct sluice_initial_frame *f)
{
    struct sluice_start *wall = &b->c->start[SLUICE_WALL];
    int wanted = b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC;
    for (int i = 0; i < b->config->initial_count; i++)
        wanted |= b->config->initials[i].kind == SLUICE_INITIAL_HYDROSTATIC;
    if (!wanted || b->config->model != SLUICE_MODEL_WCSPH ||
        !sluice_config_walls_have(b->config, SLUICE_WALL_DENSITY))
        return;
    const int given = b->file.has_density || b->file.has_pressure;
    for (int64_t i = given ? b->from_file[SLUICE_WALL] : 0; i < wall->count; i++) {
        double x[3];
        int beside = 1;
        sluice_grid_coordinates(&b->grid, &wall->place[i], x);
        for (int a = 0; a < b->config->dimension; a++)
            beside &= x[a] >= b->c->fluid_low[a] - b->c->cutoff &&
                      x[a] <= b->c->fluid_high[a] + b->c->cutoff;
        if (beside)
            wall->density[i] = sluice_initial_hydrostatic(f, x);
    }
}

/* --- Initial fields --- */

static sluice_status apply_field(struct sluice_case_builder *b,
                                 const struct sluice_initial_frame *f, int index)
{
    struct sluice_start *fluid = &b->c->start[SLUICE_FLUID];
    const struct sluice_initial *field = &b->config->initials[index];
    SLUICE_TRY(sluice_initial_check(f, index));
    for (int64_t i = 0; i < fluid->count; i++) {
        double x[3];
        sluice_grid_coordinates(&b->grid, &fluid->place[i], x);
        const struct sluice_initial_frame own = frame_of(f, fluid_of(b, SLUICE_FLUID, i));
        sluice_initial_apply(&own, index, x, fluid->velocity[i], &fluid->density[i]);
        SLUICE_CHECK(fluid->density[i] > -0.5 && fluid->density[i] < 0.5, SLUICE_BAD_INPUT,
                     "%s:%d: initial: at (%.6g, %.6g, %.6g) the density would be %.4g times the "
                     "reference, the fluid is only "
                     "weakly compressible; lower the pressure or raise fluid.sound_speed (%.6g)",
                     field->file, field->line, x[0], x[1], x[2], 1 + fluid->density[i],
                     own.wcsph ? own.wcsph->sound_speed : 0);
        for (int a = 0; a < 3; a++)
            SLUICE_CHECK(isfinite(fluid->velocity[i][a]), SLUICE_BAD_INPUT,
                         "%s:%d: initial: the velocity at (%.6g, %.6g, %.6g) is not finite",
                         field->file, field->line, x[0], x[1], x[2]);
    }
    return SLUICE_OK;
}

sluice_status sluice_case_set_state(struct sluice_case_builder *b,
                                    const struct sluice_initial_frame *f)
{
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
        densities_from_file(b, type);
    SLUICE_TRY(hydrostatic_masses(b, f));
    hydrostatic_walls(b, f);
    for (int i = 0; i < b->config->initial_count; i++)
        SLUICE_TRY(apply_field(b, f, i));
    if (b->config->thermal.used)
        SLUICE_TRY(sluice_initial_thermal(&b->c->start[SLUICE_FLUID], b->config->dimension,
                                          b->config->thermal.temperature, b->config->thermal.seed));
    return SLUICE_OK;
}
