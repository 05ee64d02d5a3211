/* The initial state: masses, densities, velocities. */
#include <math.h>
#include <stdatomic.h>

#include "case/builder.h"
#include "kernels/registry.h"

enum { BLOCK = 1 << 14 };

/* A chunk of particles of one type, whose state is set. */
struct chunk {
    const struct sluice_case_builder *b;
    enum sluice_type type;
    struct sluice_start *particles;
    int64_t first;               /* of the chunk in its type */
    int sets_density, sets_mass; /* of hydrostatic_masses */
    int field;                   /* of apply_field */
    atomic_llong refused;        /* of apply_field: the first particle with a state that is refused;
                                    the number of particles if there is none */
};

static void run_over(struct chunk *k, struct sluice_threads *team, sluice_loop *body)
{
    sluice_threads_run(team, sluice_blocks(k->particles->count, BLOCK), body, k);
}

/* --- Masses and densities --- */

/* The fluid of particle i; walls have the first one. */
static const struct wcsph_params *fluid_of(const struct chunk *k, int64_t i)
{
    const struct wcsph_params *p = &k->b->c->physics.wcsph;
    return k->type == SLUICE_FLUID ? wcsph_of(p, k->particles->phase ? k->particles->phase[i] : 0)
                                   : p;
}

/* The place of a particle, and the frame of its fluid. */
static struct sluice_initial_frame frame_at(const struct chunk *k, int64_t i, double x[3])
{
    struct sluice_initial_frame own = k->b->frame;
    sluice_grid_coordinates(&k->b->grid, &k->particles->place[i], x);
    own.wcsph = own.wcsph ? fluid_of(k, i) : NULL;
    if (k->b->level || k->b->has_levels)
        own.top = sluice_case_level(k->b, k->type, k->particles, i, x);
    return own;
}

static void set_hydrostatic(struct sluice_share *share, void *data)
{
    const struct chunk *k = data;
    struct sluice_start *fluid = k->particles;
    int64_t i, end;
    while (sluice_share_block(share, fluid->count, BLOCK, &i, &end))
        for (; i < end; i++) {
            double x[3];
            const struct sluice_initial_frame own = frame_at(k, i, x);
            const double r = sluice_initial_hydrostatic(&own, x);
            if (k->sets_density)
                fluid->density[i] = r;
            if (k->sets_mass)
                fluid->mass[i] *= 1 + r;
        }
}

/* m = rho(z) dp^D, so that the lattice starts at rest. With rho0 dp^D its own weight would compress
 * it first. */
static void hydrostatic_masses(struct chunk *k, struct sluice_threads *team)
{
    const struct sluice_case_builder *b = k->b;
    if (b->config->model != SLUICE_MODEL_WCSPH ||
        b->config->fluid.masses != SLUICE_MASSES_HYDROSTATIC)
        return;
    const int from_file = b->from_file[SLUICE_FLUID] > 0,
              given = from_file && (b->file.has_density || b->file.has_pressure);
    k->sets_density = !given;
    k->sets_mass = !from_file || !b->file.has_mass;
    run_over(k, team, set_hydrostatic);
}

static void set_walls(struct sluice_share *share, void *data)
{
    const struct chunk *k = data;
    const struct sluice_case_builder *b = k->b;
    struct sluice_start *wall = k->particles;
    const int64_t given = b->file.has_density || b->file.has_pressure ? b->from_file[SLUICE_WALL]
                                                                      : 0;
    int64_t i, end;
    while (sluice_share_block(share, wall->count, BLOCK, &i, &end))
        for (; i < end; i++) {
            double x[3];
            int near_fluid = k->first + i >= given;
            sluice_grid_coordinates(&b->grid, &wall->place[i], x);
            for (int a = 0; a < b->config->dimension; a++)
                near_fluid &= x[a] >= b->c->fluid_low[a] - b->c->cutoff &&
                              x[a] <= b->c->fluid_high[a] + b->c->cutoff;
            if (!near_fluid || !sluice_case_is_hydrostatic(b, x))
                continue;
            const struct sluice_initial_frame own = frame_at(k, i, x);
            wall->density[i] = sluice_initial_hydrostatic(&own, x);
        }
}

/* Some walls have a density of their own. Next to hydrostatic fluid it must match the fluid's,
 * or the wall starts by pulling the fluid. */
static void hydrostatic_walls(struct chunk *k, struct sluice_threads *team)
{
    const struct sluice_case_builder *b = k->b;
    int hydrostatic = b->config->fluid.masses == SLUICE_MASSES_HYDROSTATIC;
    for (int i = 0; i < b->config->initial_count; i++)
        hydrostatic |= b->config->initials[i].kind == SLUICE_INITIAL_HYDROSTATIC;
    if (hydrostatic && b->config->model == SLUICE_MODEL_WCSPH &&
        sluice_config_walls_have(b->config, SLUICE_WALL_DENSITY))
        run_over(k, team, set_walls);
}

/* --- Initial fields --- */

static int is_usable(const struct sluice_start *fluid, int64_t i)
{
    const double *v = fluid->velocity[i], density = fluid->density[i];
    if (!isfinite(v[0]) || !isfinite(v[1]) || !isfinite(v[2]))
        return 0;
    if (fluid->energy)
        return density > 0 && isfinite(density) && fluid->energy[i] >= 0 &&
               isfinite(fluid->energy[i]);
    return density > -0.5 && density < 0.5;
}

static void apply_to(const struct chunk *k, int64_t i)
{
    struct sluice_start *s = k->particles;
    double x[3];
    if (!sluice_case_initial_is_on(k->b, k->field, s->group ? (int)s->group[i] : -1))
        return;
    const struct sluice_initial_frame own = frame_at(k, i, x);
    const struct sluice_gas_state gas = {s->velocity[i], &s->density[i], &s->mass[i],
                                         s->energy ? &s->energy[i] : NULL};
    if (s->energy)
        sluice_gas_initial_apply(&own, k->field, x, k->b->point_total[k->field], &gas);
    else
        sluice_initial_apply(&own, k->field, x, s->velocity[i], &s->density[i]);
}

static void apply_to_blocks(struct sluice_share *share, void *data)
{
    struct chunk *k = data;
    struct sluice_start *fluid = k->particles;
    int64_t i, end;
    while (sluice_share_block(share, fluid->count, BLOCK, &i, &end))
        for (; i < end; i++) {
            apply_to(k, i);
            long long first = atomic_load(&k->refused);
            while (i < first && !is_usable(fluid, i) &&
                   !atomic_compare_exchange_weak(&k->refused, &first, i))
                ;
        }
}

static sluice_status apply_field(struct chunk *k, struct sluice_threads *team, int index)
{
    const struct sluice_start *fluid = k->particles;
    const struct sluice_initial *field = &k->b->config->initials[index];
    double x[3];
    k->field = index;
    atomic_store(&k->refused, fluid->count);
    run_over(k, team, apply_to_blocks);
    const int64_t i = atomic_load(&k->refused);
    if (i == fluid->count)
        return SLUICE_OK;
    const struct wcsph_params *own = frame_at(k, i, x).wcsph;
    const double *v = fluid->velocity[i];
    SLUICE_CHECK(isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]), SLUICE_BAD_INPUT,
                 "%s:%d: initial: the velocity at (%.6g, %.6g, %.6g) is not finite", field->file,
                 field->line, x[0], x[1], x[2]);
    SLUICE_CHECK(
        !fluid->energy, SLUICE_BAD_INPUT,
        "%s:%d: initial: at (%.6g, %.6g, %.6g) the gas would have a density of %.6g kg/m^3 "
        "and an energy of %.6g J/kg: the one must be above 0, the other not below",
        field->file, field->line, x[0], x[1], x[2], fluid->density[i], fluid->energy[i]);
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "%s:%d: initial: at (%.6g, %.6g, %.6g) the density would be %.4g times the "
                       "reference, the fluid is only "
                       "weakly compressible; lower the pressure or raise fluid.sound_speed (%.6g)",
                       field->file, field->line, x[0], x[1], x[2], 1 + fluid->density[i],
                       own ? own->sound_speed : 0);
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

/* Normal deviates from Philox with the seed as key and the id as counter. Then the mean velocity is
 * removed, twice, as the second time removes the rounding that the first has left. Last the
 * velocities are scaled so that sum m v^2 = (D N - D) T, exactly T for the degrees of freedom that
 * are left. */
static void set_thermal(struct sluice_share *share, void *data)
{
    const struct chunk *k = data;
    const struct sluice_thermal *t = &k->b->thermal;
    const unsigned long long seed = (unsigned long long)k->b->config->thermal.seed;
    struct sluice_start *s = k->particles;
    int64_t i, end;
    while (sluice_share_block(share, s->count, BLOCK, &i, &end))
        for (; i < end; i++) {
            const uint64_t id = s->id[i];
            uint32_t word[4] = {(uint32_t)id, (uint32_t)(id >> 32), 0, 0};
            double normal[4];
            philox(word, (uint32_t)seed, (uint32_t)(seed >> 32));
            normal_pair(word[0], word[1], normal);
            normal_pair(word[2], word[3], normal + 2);
            for (int a = 0; a < 3; a++) {
                double *v = &s->velocity[i][a];
                *v = a < k->b->config->dimension ? normal[a] / sqrt(s->mass[i]) : 0;
                for (int n = 0; n < t->drifts; n++)
                    *v -= t->drift[n][a];
                if (t->scaled)
                    *v *= t->scale;
            }
        }
}

/* --- All of them --- */

sluice_status sluice_case_set_state(const struct sluice_case_builder *b, enum sluice_type type,
                                    struct sluice_start *chunk, int64_t first,
                                    struct sluice_threads *team)
{
    struct chunk k = {.b = b, .type = type, .particles = chunk, .first = first};
    if (type == SLUICE_WALL)
        hydrostatic_walls(&k, team);
    if (type != SLUICE_FLUID)
        return SLUICE_OK;
    hydrostatic_masses(&k, team);
    for (int i = 0; i < b->fields; i++)
        SLUICE_TRY(apply_field(&k, team, i));
    if (b->config->thermal.used)
        run_over(&k, team, set_thermal);
    return SLUICE_OK;
}
