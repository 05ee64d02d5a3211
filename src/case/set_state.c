/* The initial state: extent of the fluid, masses, densities, velocities. */
#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "case/builder.h"
#include "kernels/registry.h"

/* --- Extent --- */

/* Half the size of a particle's lattice cell on an axis, m. A Lennard-Jones particle is a point. */
static double half_cell(const struct sluice_case_builder *b, int axis)
{
    if (b->config->model == SLUICE_MODEL_LJ)
        return 0;
    return 0.5 * (b->c->geometry.box ? b->c->geometry.step[axis] : b->config->spacing);
}

/* The extent of the fluid, as far as it has been measured. */
struct extent {
    const struct sluice_case_builder *b;
    const double *down;     /* the unit vector along gravity */
    double highest, lowest; /* m, against gravity */
};

static void extend(void *data, int shape, const double x[3])
{
    struct extent *e = data;
    struct sluice_case *c = e->b->c;
    double height = 0;
    (void)shape;
    for (int a = 0; a < e->b->config->dimension; a++) {
        height -= e->down[a] * x[a];
        c->fluid_low[a] = fmin(c->fluid_low[a], x[a] - half_cell(e->b, a));
        c->fluid_high[a] = fmax(c->fluid_high[a], x[a] + half_cell(e->b, a));
    }
    e->highest = fmax(e->highest, height);
    e->lowest = fmin(e->lowest, height);
}

/* Fitted walls move fluid off the lattice. Its cells are measured then, so that the level stays the
 * same. */
static void visit_fluid(const struct sluice_case_builder *b, struct extent *e)
{
    const struct sluice_start *fluid = &b->c->start[SLUICE_FLUID];
    if (b->fit) {
        sluice_geometry_visit(&b->c->geometry, SLUICE_SHAPE_FLUID, extend, e);
        return;
    }
    for (int64_t i = 0; i < fluid->count; i++) {
        double x[3];
        sluice_grid_coordinates(&b->grid, &fluid->place[i], x);
        extend(e, 0, x);
    }
}

void sluice_case_measure_fluid(struct sluice_case_builder *b, struct sluice_initial_frame *f)
{
    struct sluice_case *c = b->c;
    double down[3] = {0}, margin = 0;
    for (int a = 0; a < b->config->dimension; a++) {
        f->low[a] = b->config->lattice.used ? c->grid.low[a] : b->config->domain.min[a];
        f->high[a] = b->config->lattice.used ? c->grid.high[a] : b->config->domain.max[a];
        f->pull[a] = c->grid.periodic[a] ? 0 : b->config->gravity[a];
        c->fluid_low[a] = DBL_MAX;
        c->fluid_high[a] = -DBL_MAX;
    }
    f->gravity = sluice_norm(f->pull);
    for (int a = 0; a < 3 && f->gravity > 0; a++) {
        down[a] = f->pull[a] / f->gravity;
        margin += fabs(down[a]) * half_cell(b, a);
    }
    struct extent e = {b, down, -DBL_MAX, DBL_MAX};
    visit_fluid(b, &e);
    f->top = e.highest + margin;
    c->fluid_depth = f->gravity > 0 ? e.highest - e.lowest + 2 * margin : 0;
    f->fluid_depth = c->fluid_depth;
    for (int a = 0; a < 3; a++)
        f->fluid_low[a] = c->fluid_low[a];
}

/* --- Masses and densities --- */

/* The fluid of particle i of a type; walls have the first one. */
static const struct wcsph_params *fluid_of(const struct sluice_case_builder *b, int type, int64_t i)
{
    const struct sluice_case *c = b->c;
    return type == SLUICE_FLUID ? wcsph_of(&c->physics.wcsph, c->start[type].id[i])
                                : &c->physics.wcsph;
}

/* The frame for a particle of this fluid. */
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

enum { BLOCK = 1 << 14 };

/* A loop over the particles of the fluid. */
struct fluid_loop {
    struct sluice_case_builder *b;
    const struct sluice_initial_frame *frame;
    int sets_density, sets_mass; /* of hydrostatic_masses */
    int field;                   /* of apply_field */
    atomic_llong refused;        /* of apply_field: the first particle with a state that is refused;
                                    the number of particles if there is none */
};

static void run_over_fluid(struct fluid_loop *l, sluice_loop *body)
{
    const int64_t n = l->b->c->start[SLUICE_FLUID].count;
    sluice_threads_run(l->b->team, sluice_blocks(n, BLOCK), body, l);
}

/* The place of a particle, and the frame of its fluid. */
static struct sluice_initial_frame frame_at(const struct fluid_loop *l, int64_t i, double x[3])
{
    sluice_grid_coordinates(&l->b->grid, &l->b->c->start[SLUICE_FLUID].place[i], x);
    return frame_of(l->frame, fluid_of(l->b, SLUICE_FLUID, i));
}

static void set_hydrostatic(struct sluice_share *share, void *data)
{
    const struct fluid_loop *l = data;
    struct sluice_start *fluid = &l->b->c->start[SLUICE_FLUID];
    int64_t i, end;
    while (sluice_share_block(share, fluid->count, BLOCK, &i, &end))
        for (; i < end; i++) {
            double x[3];
            const struct sluice_initial_frame own = frame_at(l, i, x);
            const double r = sluice_initial_hydrostatic(&own, x);
            if (l->sets_density)
                fluid->density[i] = r;
            if (l->sets_mass)
                fluid->mass[i] *= 1 + r;
        }
}

/* m = rho(z) dp^D, so that the lattice starts at rest. With rho0 dp^D its own weight would compress
 * it first. */
static void hydrostatic_masses(struct sluice_case_builder *b, const struct sluice_initial_frame *f)
{
    if (b->config->model != SLUICE_MODEL_WCSPH ||
        b->config->fluid.masses != SLUICE_MASSES_HYDROSTATIC)
        return;
    const int from_file = b->from_file[SLUICE_FLUID] > 0,
              given = from_file && (b->file.has_density || b->file.has_pressure);
    struct fluid_loop l = {
        .b = b, .frame = f, .sets_density = !given, .sets_mass = !from_file || !b->file.has_mass};
    run_over_fluid(&l, set_hydrostatic);
}

/* Some walls have a density of their own. Next to hydrostatic fluid it must match the fluid's,
 * or the wall starts by pulling the fluid. */
static void hydrostatic_walls(struct sluice_case_builder *b, const struct sluice_initial_frame *f)
{
    struct sluice_start *wall = &b->c->start[SLUICE_WALL];
    int hydrostatic = b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC;
    for (int i = 0; i < b->config->initial_count; i++)
        hydrostatic |= b->config->initials[i].kind == SLUICE_INITIAL_HYDROSTATIC;
    if (!hydrostatic || b->config->model != SLUICE_MODEL_WCSPH ||
        !sluice_config_walls_have(b->config, SLUICE_WALL_DENSITY))
        return;
    const int given = b->file.has_density || b->file.has_pressure;
    for (int64_t i = given ? b->from_file[SLUICE_WALL] : 0; i < wall->count; i++) {
        double x[3];
        int near_fluid = 1;
        sluice_grid_coordinates(&b->grid, &wall->place[i], x);
        for (int a = 0; a < b->config->dimension; a++)
            near_fluid &= x[a] >= b->c->fluid_low[a] - b->c->cutoff &&
                          x[a] <= b->c->fluid_high[a] + b->c->cutoff;
        if (near_fluid)
            wall->density[i] = sluice_initial_hydrostatic(f, x);
    }
}

/* --- Initial fields --- */

static int is_usable(const struct sluice_start *fluid, int64_t i)
{
    const double *v = fluid->velocity[i], density = fluid->density[i];
    return density > -0.5 && density < 0.5 && isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static void apply_to_blocks(struct sluice_share *share, void *data)
{
    struct fluid_loop *l = data;
    struct sluice_start *fluid = &l->b->c->start[SLUICE_FLUID];
    int64_t i, end;
    while (sluice_share_block(share, fluid->count, BLOCK, &i, &end))
        for (; i < end; i++) {
            double x[3];
            const struct sluice_initial_frame own = frame_at(l, i, x);
            sluice_initial_apply(&own, l->field, x, fluid->velocity[i], &fluid->density[i]);
            long long first = atomic_load(&l->refused);
            while (i < first && !is_usable(fluid, i) &&
                   !atomic_compare_exchange_weak(&l->refused, &first, i))
                ;
        }
}

static sluice_status apply_field(struct sluice_case_builder *b,
                                 const struct sluice_initial_frame *f, int index)
{
    const struct sluice_start *fluid = &b->c->start[SLUICE_FLUID];
    const struct sluice_initial *field = &b->config->initials[index];
    struct fluid_loop l = {.b = b, .frame = f, .field = index, .refused = fluid->count};
    double x[3];
    SLUICE_TRY(sluice_initial_check(f, index));
    run_over_fluid(&l, apply_to_blocks);
    const int64_t i = atomic_load(&l.refused);
    if (i == fluid->count)
        return SLUICE_OK;
    sluice_grid_coordinates(&b->grid, &fluid->place[i], x);
    const struct wcsph_params *own = f->wcsph ? fluid_of(b, SLUICE_FLUID, i) : NULL;
    SLUICE_CHECK(fluid->density[i] > -0.5 && fluid->density[i] < 0.5, SLUICE_BAD_INPUT,
                 "%s:%d: initial: at (%.6g, %.6g, %.6g) the density would be %.4g times the "
                 "reference, the fluid is only "
                 "weakly compressible; lower the pressure or raise fluid.sound_speed (%.6g)",
                 field->file, field->line, x[0], x[1], x[2], 1 + fluid->density[i],
                 own ? own->sound_speed : 0);
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "%s:%d: initial: the velocity at (%.6g, %.6g, %.6g) is not finite",
                       field->file, field->line, x[0], x[1], x[2]);
}

/* --- Thermal velocities --- */

/* Philox4x32-10 (Salmon, Moraes, Dror & Shaw 2011, SC11, sec. 3.3) turns a counter and a key into
 * four random words. It has no state. */
static void philox(uint32_t counter[4], uint32_t key0, uint32_t key1)
{
    for (int round = 0; round < 10; round++) {
        const uint64_t p0 = (uint64_t)0xD2511F53u * counter[0],
                       p1 = (uint64_t)0xCD9E8D57u * counter[2];
        counter[0] = (uint32_t)(p1 >> 32) ^ counter[1] ^ key0;
        counter[1] = (uint32_t)p1;
        counter[2] = (uint32_t)(p0 >> 32) ^ counter[3] ^ key1;
        counter[3] = (uint32_t)p0;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
}

/* Two normal deviates from two words (Box & Muller 1958). */
static void normal_pair(uint32_t a, uint32_t b, double out[2])
{
    const double u = ((double)a + 0.5) / 4294967296.0,
                 angle = 2 * M_PI * ((double)b + 0.5) / 4294967296.0;
    const double radius = sqrt(-2 * log(u));
    out[0] = radius * cos(angle);
    out[1] = radius * sin(angle);
}

static void remove_drift(struct sluice_start *s, int dimension)
{
    double momentum[3] = {0}, mass = 0;
    for (int64_t i = 0; i < s->count; i++) {
        mass += s->mass[i];
        for (int a = 0; a < dimension; a++)
            momentum[a] += s->mass[i] * s->velocity[i][a];
    }
    for (int64_t i = 0; i < s->count; i++)
        for (int a = 0; a < dimension; a++)
            s->velocity[i][a] -= momentum[a] / mass;
}

/* Sets thermal velocities: normal deviates from Philox with the seed as key and the id as counter.
 * Then the mean momentum is removed, and the velocities are scaled so that sum m v^2 = (D N - D) T,
 * exactly T for the degrees of freedom that are left. The particles come in ascending order of id,
 * so neither their order in a file nor threads change a bit. */
static sluice_status set_thermal(struct sluice_start *s, int dimension, double temperature,
                                 long long seed)
{
    SLUICE_CHECK(s->count >= 2, SLUICE_BAD_INPUT,
                 "thermal: %lld particle: a temperature without a drift needs at least two",
                 (long long)s->count);
    for (int64_t i = 0; i < s->count; i++) {
        uint32_t word[4] = {s->id[i], 0, 0, 0};
        double normal[4];
        philox(word, (uint32_t)(unsigned long long)seed,
               (uint32_t)((unsigned long long)seed >> 32));
        normal_pair(word[0], word[1], normal);
        normal_pair(word[2], word[3], normal + 2);
        for (int a = 0; a < 3; a++)
            s->velocity[i][a] = a < dimension ? normal[a] / sqrt(s->mass[i]) : 0;
    }
    /* The second time removes the rounding that the first has left. */
    remove_drift(s, dimension);
    remove_drift(s, dimension);
    double twice_kinetic = 0;
    for (int64_t i = 0; i < s->count; i++)
        for (int a = 0; a < dimension; a++)
            twice_kinetic += s->mass[i] * s->velocity[i][a] * s->velocity[i][a];
    const double freedom = (double)dimension * (double)(s->count - 1);
    const double scale = sqrt(freedom * temperature / twice_kinetic);
    for (int64_t i = 0; i < s->count; i++)
        for (int a = 0; a < dimension; a++)
            s->velocity[i][a] *= scale;
    return SLUICE_OK;
}

/* --- All of them --- */

sluice_status sluice_case_set_state(struct sluice_case_builder *b,
                                    const struct sluice_initial_frame *f)
{
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
        densities_from_file(b, type);
    hydrostatic_masses(b, f);
    hydrostatic_walls(b, f);
    for (int i = 0; i < b->config->initial_count; i++)
        SLUICE_TRY(apply_field(b, f, i));
    if (b->config->thermal.used)
        SLUICE_TRY(set_thermal(&b->c->start[SLUICE_FLUID], b->config->dimension,
                               b->config->thermal.temperature, b->config->thermal.seed));
    return SLUICE_OK;
}
