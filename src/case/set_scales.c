/* Quantities that follow from the config and the whole start: the scales of exact sums
 * (kernels/types/ exact_sum.h), the reference energy, and its changes by effects. Those of sums are
 * powers of two near a particle's largest mass, speed and energy. A sum has 16 binary digits above
 * its scale and 79 below, so they need not be exact. */
#include <math.h>

#include "case/builder.h"
#include "core/vector.h"
#include "model/effect.h"

/* More binary digits for Lennard-Jones: the virial of a particle at r from another one is 24
 * epsilon (sigma/r)^12, and reaches 2^(32 + 16) epsilon at r = 0.082 sigma. */
enum { LJ_MARGIN = 32 };

/* The binary exponent of a size; 0 if it is none. */
static int exponent_of(double size)
{
    return size > 0 && isfinite(size) ? ilogb(size) : 0;
}

static int within_doubles(int exponent)
{
    return exponent < -900 ? -900 : exponent > 900 ? 900 : exponent;
}

/* The largest potential energy of a unit mass in the domain, by gravity and central forces, J/kg.
 * diagonal: of the domain, m. */
static double potential_of(const struct sluice_case_builder *b, double *diagonal)
{
    const struct sluice_config *config = b->config;
    const struct sluice_grid_options *g = &b->c->grid;
    double size2 = 0, specific = 0;
    for (int c = 0; c < config->dimension; c++) {
        const double length = g->high[c] - g->low[c];
        size2 += length * length;
        specific += fabs(config->gravity[c]) * length;
    }
    for (int n = 0; n < config->central_count; n++) {
        const double *centre = config->centrals[n].centre, strength = config->centrals[n].strength;
        double away2 = 0;
        for (int c = 0; c < config->dimension; c++)
            away2 += pow(fmax(fabs(g->high[c] - centre[c]), fabs(g->low[c] - centre[c])), 2);
        specific += strength * strength * away2;
    }
    *diagonal = sqrt(size2);
    return specific;
}

void sluice_case_set_scales(struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    const struct wcsph_params *p = &b->c->physics.wcsph;
    const int atoms = config->model == SLUICE_MODEL_LJ, margin = atoms ? LJ_MARGIN : 0;
    const double mass = b->largest_mass;
    double speed = b->largest_speed, diagonal,
           specific = potential_of(b, &diagonal); /* of a unit mass, J/kg */
    if (config->model == SLUICE_MODEL_GAS) {
        const double u = b->c->gas.energy[1];
        speed = fmax(speed, sqrt(gas_sound2(&b->c->physics.gas) * u));
        specific = fmax(specific, u);
    } else if (!atoms)
        speed = fmax(speed, wcsph_fastest_sound(p));
    else if (mass > 0)
        speed = fmax(speed, sqrt(sluice_config_pair_number(config, "pair.epsilon", 1) / mass));
    specific = fmax(specific, speed * speed);
    speed = sqrt(specific); /* a fall through the domain gives as much */
    const int of_mass = exponent_of(mass), of_energy = of_mass + exponent_of(specific) + margin,
              of_momentum = of_mass + exponent_of(speed) + margin / 2;
    b->c->physics.scales = (struct sluice_scales){
        .mass = within_doubles(of_mass),
        .momentum = within_doubles(of_momentum),
        .angular = within_doubles(of_momentum + exponent_of(diagonal)),
        .energy = within_doubles(of_energy),
        .power = within_doubles(of_energy + exponent_of(speed) - exponent_of(b->c->cutoff)),
    };
}

/* --- The energy that the residual of the budget is judged by (docs/theory.md) --- */

/* The extent along gravity of a body's shapes and the fluid together, m. */
static double common_depth(const struct sluice_case_builder *b,
                           const struct sluice_rigid_body *body)
{
    const struct sluice_initial_frame *f = &b->frame;
    double top = f->top, bottom = f->top - b->c->fluid_depth;
    for (int k = 0; k < body->shapes; k++) {
        const struct sluice_solid *solid = &b->c->geometry.solid[body->shape[k]];
        double high = 0, low = 0;
        for (int a = 0; a < b->config->dimension; a++) {
            const double up = -f->pull[a] / f->gravity, one = up * solid->low[a],
                         other = up * solid->high[a];
            high += fmax(one, other);
            low += fmin(one, other);
        }
        top = fmax(top, high);
        bottom = fmin(bottom, low);
    }
    return top - bottom;
}

/* Its weight times that extent, and its kinetic energy at the start or its release, J. Gravity does
 * no work along locked axes. */
static double energy_of(const struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const double *v = body->entry->velocity, *spin = body->entry->spin;
    const int flat = b->config->dimension == 2;
    double pull[3], kinetic = body->mass * sluice_dot(v, v);
    for (int a = 0; a < 3; a++)
        pull[a] = body->locks & 1u << a ? 0 : b->frame.pull[a];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3 && !flat; k++)
            kinetic += spin[i] * body->inertia[i][k] * spin[k];
    kinetic += flat ? body->inertia[2][2] * spin[0] * spin[0] : 0;
    return body->mass * sluice_norm(pull) * common_depth(b, body) + 0.5 * kinetic;
}

double sluice_case_reference_energy(const struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    double energy = b->start_mass * b->frame.gravity * b->c->fluid_depth;
    if (config->energy.reference > 0)
        return config->energy.reference;
    if (config->model == SLUICE_MODEL_GAS || !(b->frame.gravity > 0))
        return 0;
    for (int i = 0; i < b->c->physics.body_count; i++)
        energy += energy_of(b, &b->c->physics.bodies[i]);
    return energy;
}

/* --- Effects --- */

struct each_place {
    const struct sluice_grid *grid;
    void (*visit)(void *data, const double x[3]);
    void *data;
    int moving; /* only what moves */
};

static sluice_status visit_places(void *data, const struct sluice_start *chunk, int64_t first,
                                  struct sluice_threads *team)
{
    const struct each_place *to = data;
    (void)first, (void)team;
    for (int64_t i = 0; i < chunk->count; i++) {
        double x[3];
        if (to->moving && !(chunk->motion && chunk->motion[i]))
            continue;
        sluice_grid_coordinates(to->grid, &chunk->place[i], x);
        to->visit(to->data, x);
    }
    return SLUICE_OK;
}

static sluice_status each_place(const struct sluice_effect_setup *setup, enum sluice_type type,
                                void (*visit)(void *data, const double x[3]), void *data)
{
    struct each_place places = {setup->grid, visit, data, 0};
    return sluice_case_each(setup->of, type, visit_places, &places);
}

static sluice_status each_moving(const struct sluice_effect_setup *setup,
                                 void (*visit)(void *data, const double x[3]), void *data)
{
    struct each_place places = {setup->grid, visit, data, 1};
    return sluice_case_each(setup->of, SLUICE_WALL, visit_places, &places);
}

struct wall_places {
    const struct sluice_grid *grid;
    double (*x)[3];
};

static sluice_status add_places(void *data, const struct sluice_start *walls, int64_t first,
                                struct sluice_threads *team)
{
    const struct wall_places *to = data;
    (void)team;
    for (int64_t i = 0; i < walls->count; i++)
        sluice_grid_coordinates(to->grid, &walls->place[i], to->x[first + i]);
    return SLUICE_OK;
}

static sluice_status wall_places(const struct sluice_effect_setup *setup, double (*x)[3])
{
    struct wall_places places = {setup->grid, x};
    return sluice_case_each(setup->of, SLUICE_WALL, add_places, &places);
}

sluice_status sluice_case_prepare_effects(struct sluice_case_builder *b)
{
    const struct sluice_effect_setup setup = {
        .physics = &b->c->physics,
        .grid = &b->grid,
        .warnings = &b->warnings,
        .fluid = b->c->start[SLUICE_FLUID].count,
        .fluid_group = (uint32_t)sluice_groups_first(&b->c->groups, SLUICE_FLUID),
        .fluid_low = b->c->fluid_low,
        .fluid_high = b->c->fluid_high,
        .walls = b->c->start[SLUICE_WALL].count,
        .each_place = each_place,
        .each_moving = each_moving,
        .wall_places = wall_places,
        .of = b->c};
    return sluice_effects_prepare(&setup);
}
