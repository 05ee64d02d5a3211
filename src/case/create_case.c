#include "case/case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"
#include "kernels/backends/backends.h"
#include "model/effect.h"
#include "model/waves.h"

#define CONTRAST_MOST 8 /* finer bins cost more than they save */

/* --- Derived from the config alone --- */

static int main_pair(const struct sluice_config *config)
{
    if (config->model == SLUICE_MODEL_LJ)
        return config->pair.index;
    return sluice_pair_with_kernel(config->model == SLUICE_MODEL_GAS ? SLUICE_PAIR_gas_wendland
                                                                     : SLUICE_PAIR_wcsph_wendland,
                                   config->kernel.name);
}

void sluice_case_set_water(struct sluice_physics *physics)
{
    const struct sluice_config *config = physics->config;
    struct wcsph_params *p = &physics->wcsph;
    p->dimension = config->dimension;
    p->kernel = config->kernel.name;
    p->spacing = config->spacing;
    p->h = config->kernel.h_over_dp * config->spacing;
    p->rho0 = config->fluid.density;
    p->sound_speed = config->fluid.sound_speed;
    p->eos = config->fluid.eos;
    p->gamma = config->fluid.gamma;
    p->background = config->fluid.background_pressure;
    /* Along a periodic axis no pressure balances gravity: the hydrostatic terms leave it out. */
    for (int a = 0; a < config->dimension; a++) {
        p->gravity[a] = config->domain.periodic[a] ? 0 : config->gravity[a];
        p->body[a] = config->gravity[a];
    }
    p->begins = config->central_count == 0;
    p->ghost = sluice_config_walls_have(config, SLUICE_WALL_EXTRAPOLATED);
    p->spring = config->boundary.spring && sluice_config_walls_have(config, SLUICE_WALL_SPRING);
    sluice_effects_derive(physics);
}

static sluice_status set_model(struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    struct sluice_case *c = b->c;
    if (config->model == SLUICE_MODEL_GAS)
        return sluice_case_prepare_gas(b);
    if (config->model == SLUICE_MODEL_LJ) {
        c->cutoff = sluice_pairs[main_pair(config)].support(config->pair.params.bytes);
        b->particle_mass = sluice_config_pair_number(config, "pair.mass", 1);
        return SLUICE_OK;
    }
    sluice_case_set_water(&c->physics);
    c->physics.decay = sluice_effects_decay(&c->physics);
    struct wcsph_params any_speed = c->physics.wcsph; /* the reach does not depend on it */
    any_speed.sound_speed = 1;
    c->cutoff = sluice_pairs[main_pair(config)].support(&any_speed);
    b->particle_mass = config->fluid.density * pow(config->spacing, config->dimension);
    return SLUICE_OK;
}

static void set_layers(struct sluice_case_builder *b)
{
    const int deep = sluice_config_walls_have(b->config, SLUICE_WALL_IN_PAIRS);
    const int needed = deep ? (int)ceil(b->c->cutoff / b->config->spacing - 1e-9) : 1;
    const long long asked = b->config->boundary.layers;
    b->c->wall_layers = asked > 0 ? (int)asked : needed;
    int walls = 0;
    for (int s = 0; s < b->config->shape_count; s++)
        walls |= b->config->shapes[s].type == SLUICE_SHAPE_WALL;
    if (walls && b->c->wall_layers < needed)
        sluice_warn(&b->warnings,
                    "boundary.layers: %d layers of wall particles, the kernel reaches over %d "
                    "(%.9g at a spacing of %.9g); fluid at the wall misses a part of its pressure",
                    b->c->wall_layers, needed, b->c->cutoff, b->config->spacing);
}

/* The domain of the search includes the layers of its walls, so that fluid pressed into a wall has
 * not left it. */
static void set_domain(struct sluice_case_builder *b)
{
    struct sluice_grid_options *grid = &b->c->grid;
    const struct sluice_geometry *g = &b->c->geometry;
    for (int s = 0; s < b->config->shape_count && b->config->model == SLUICE_MODEL_GAS; s++)
        grid->walls |= b->config->shapes[s].sides;
    for (int a = 0; a < b->config->dimension; a++) {
        grid->periodic[a] = b->config->domain.periodic[a];
        grid->low[a] = b->config->domain.min[a];
        grid->high[a] = b->config->domain.max[a];
        grid->shift[a] = b->config->domain.frame_shift[a];
        if (b->config->lattice.used) {
            grid->periodic[a] = 1;
            grid->low[a] = b->lattice.low[a];
            grid->high[a] = b->lattice.high[a];
        } else if (g->box && !grid->periodic[a]) {
            const double face = g->origin[a] + (double)g->n[a] * g->step[a];
            const int walled = g->with_walls.high[a] > g->n[a];
            grid->low[a] += (double)g->with_walls.low[a] * g->step[a];
            grid->high[a] = walled ? face + g->layers * g->step[a] : fmax(face, grid->high[a]);
        }
    }
}

/* Extends the domain over all positions of moving walls of the domain. A motion without end does
 * not extend it, so the domain does not depend on the length of the run. */
static void follow_walls(struct sluice_case_builder *b, int motion)
{
    enum { SAMPLES = 1000 };
    const struct sluice_motions *motions = &b->c->physics.motions;
    struct sluice_grid_options *grid = &b->c->grid;
    double box[2][3], now[2][3], from, to;
    if (motion < 0 || !sluice_motions_span(motions, motion, &from, &to))
        return;
    memcpy(box[0], grid->low, sizeof box[0]);
    memcpy(box[1], grid->high, sizeof box[1]);
    for (int k = 0; k <= SAMPLES; k++) {
        struct sluice_displacement d;
        sluice_motions_at(motions, motion, from + (to - from) * k / SAMPLES, &d);
        sluice_motions_carry_box(motions, motion, &d, box, now);
        for (int a = 0; a < b->config->dimension; a++)
            if (!grid->periodic[a]) {
                grid->low[a] = fmin(grid->low[a], now[0][a]);
                grid->high[a] = fmax(grid->high[a], now[1][a]);
            }
    }
}

/* The backend and the strategy of the run choose the bins a cutoff. Frames are made of bins, so
 * this comes before any place. */
static sluice_status set_bins(struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    const struct gas_params *gas = &b->c->physics.gas;
    const double apart = config->model == SLUICE_MODEL_WCSPH ? config->spacing
                         : config->model == SLUICE_MODEL_GAS
                             ? b->c->cutoff / (sluice_kernel_support(gas->kernel) * gas->eta)
                             : sluice_config_pair_number(config, "pair.sigma", 1);
    SLUICE_TRY(sluice_strategy_find(config->backend.strategy, &b->strategy));
    SLUICE_TRY(sluice_backend_find(NULL, config->backend.name, (int)config->backend.device,
                                   &b->backend, NULL, 0));
    b->c->reach = b->c->cutoff / apart;
    b->backend->bins(b->strategy, main_pair(config), config->dimension, b->c->reach,
                     b->c->grid.bins_per_cutoff);
    /* Bins as the densest gas wants them; frames with few particles have fewer (grid.h). */
    for (int a = 0; a < config->dimension && config->model == SLUICE_MODEL_GAS; a++)
        b->c->grid.bins_per_cutoff[a] *= fmin(b->c->contrast, CONTRAST_MOST);
    for (int a = 0; a < 3; a++) {
        const long long asked = a < config->dimension ? config->backend.bins[a] : 1;
        if (asked > 0)
            b->c->grid.bins_per_cutoff[a] = (double)asked;
    }
    return SLUICE_OK;
}

/* Makes the grid. The message of a domain that is too large names the motion that extended it. */
static sluice_status make_grid(struct sluice_case_builder *b, int motion)
{
    char title[4 * SLUICE_TEXT_MAX];
    const sluice_status status = sluice_grid_create(&b->grid, &b->c->grid);
    if (status == SLUICE_OK || motion < 0)
        return status;
    return SLUICE_FAIL(status, "%s, reach too far: %s",
                       sluice_case_motion_title(b->c, motion, title, sizeof title),
                       sluice_message());
}

static sluice_status set_box(struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    b->c->grid.dimension = config->dimension;
    b->c->grid.cutoff = b->c->cutoff;
    b->c->grid.frame_cutoffs = (double)config->backend.frame_cutoffs;
    SLUICE_TRY(set_bins(b));
    if (config->lattice.used)
        sluice_lattice_create(&b->lattice, config);
    if (config->shape_count > 0 && config->model == SLUICE_MODEL_WCSPH) {
        set_layers(b);
        SLUICE_TRY(
            sluice_geometry_create(&b->c->geometry, config, b->c->wall_layers, &b->warnings));
    }
    SLUICE_TRY(sluice_motions_read(&b->c->physics.motions, b->config));
    SLUICE_ALLOCATE(b->c->physics.motion_reach, config->motion_count, "motions");
    SLUICE_ALLOCATE(b->c->moving, config->motion_count, "motions");
    sluice_motions_digest(&b->c->physics.motions, b->c->motion_digest);
    set_domain(b);
    int carried = -1; /* the last motion that extends the domain */
    for (int s = 0; s < b->config->shape_count; s++)
        if (b->config->shapes[s].kind == SLUICE_SHAPE_WALLS) {
            const int motion = sluice_motions_find(b->config, b->config->shapes[s].motion);
            follow_walls(b, motion);
            carried = motion >= 0 ? motion : carried;
        }
    return make_grid(b, carried);
}

/* --- Derived from the particles --- */

/* c0 = 10 sqrt(2 |g| H): the density varies by about 1% at the speed of a fall from the fluid's
 * height (Monaghan 1994). With two fluids this holds for the heavier one; the lighter one must be
 * as stiff. */
static sluice_status set_sound_speed(struct sluice_case_builder *b,
                                     const struct sluice_initial_frame *frame)
{
    struct wcsph_params *p = &b->c->physics.wcsph;
    const double heaviest = p->second ? fmax(p->rho0, p->second->rho0) : p->rho0;
    const double usual = 10 * sqrt(2 * frame->gravity * b->c->fluid_depth) *
                         sqrt(heaviest / p->rho0);
    if (p->sound_speed > 0) {
        if (p->sound_speed < usual * (1 - 1e-9))
            sluice_warn(&b->warnings,
                        "fluid.sound_speed: %.6g is below 10 sqrt(2 g H) = %.6g; the density "
                        "may vary by more than 1%%",
                        p->sound_speed, usual);
        return SLUICE_OK;
    }
    SLUICE_CHECK(usual > 0, SLUICE_BAD_INPUT,
                 "fluid.sound_speed: 0 asks for 10 sqrt(2 g H), but there is no gravity along an "
                 "axis that is not periodic; set it to 10 times the largest speed expected");
    p->sound_speed = usual;
    return SLUICE_OK;
}

/* A table of an acceleration may pull more than gravity. */
static void warn_of_strong_pull(struct sluice_case_builder *b)
{
    const struct sluice_case *c = b->c;
    double most[3];
    if (!b->config->acceleration[0])
        return;
    sluice_motions_largest_pull(&c->physics.motions, most);
    const double asked = 10 * sqrt(2 * sluice_norm(most) * c->fluid_depth);
    if (c->physics.wcsph.sound_speed < 0.95 * asked) /* the density varies by 1.1% */
        sluice_warn(&b->warnings,
                    "fluid.sound_speed: %.6g is below 10 sqrt(2 a H), a = %.4g m/s^2 the largest "
                    "pull of gravity and the acceleration: the density may vary by more than 1%%; "
                    "write fluid.sound_speed = %.4g",
                    c->physics.wcsph.sound_speed, sluice_norm(most), asked);
}

/* The fluid follows its walls: c0 must be ten times their speed too. */
static void warn_of_fast_walls(struct sluice_case_builder *b)
{
    const struct sluice_case *c = b->c;
    char title[4 * SLUICE_TEXT_MAX];
    for (int i = 0; i < b->config->motion_count; i++) {
        const double speed = sluice_case_motion_peaks(c, i).speed;
        if (speed > 0.1 * c->physics.wcsph.sound_speed)
            sluice_warn(&b->warnings,
                        "fluid.sound_speed: %.6g is below ten times %.6g, the largest speed "
                        "of %s; give %.6g or slow the motion",
                        c->physics.wcsph.sound_speed, speed,
                        sluice_case_motion_title(c, i, title, sizeof title), 10 * speed);
    }
}

/* Fluid of a file has no shapes; it may be no water at rest. */
static void warn_of_small_waves(struct sluice_case_builder *b)
{
    const struct sluice_case *c = b->c;
    const int up = b->config->dimension - 1;
    const struct sluice_waves_setup waves = {&c->geometry, &c->physics.motions, c->fluid_low[up],
                                             c->fluid_high[up], b->frame.gravity};
    int down = b->frame.pull[up] < 0 && c->geometry.solid != NULL;
    for (int a = 0; a < up; a++)
        down = down && fabs(b->frame.pull[a]) <= 0;
    if (down)
        sluice_waves_warn(&waves, &b->warnings);
}

/* The whole pressure of a wall may be 0: then its pressure without the background is minus that,
 * and the equation of state must have a density for it. */
static sluice_status check_background(const struct wcsph_params *p)
{
    const double most = 0.5 * p->rho0 * p->sound_speed * p->sound_speed /
                        (p->eos == SLUICE_EOS_TAIT ? p->gamma : 1);
    SLUICE_CHECK(p->background <= most, SLUICE_BAD_INPUT,
                 "fluid.background_pressure: %.6g Pa is above %.6g Pa, half of the equation of "
                 "state's stiffness at a sound speed of %.6g m/s; rho0 U^2 of the largest speed U "
                 "is usually enough",
                 p->background, most, p->sound_speed);
    return SLUICE_OK;
}

/* Neighbours deep in the fluid: the volume within the cutoff times the particles a volume. */
static double estimate_neighbours(const struct sluice_case_builder *b)
{
    const struct sluice_case *c = b->c;
    const double rc = c->cutoff,
                 ball = b->config->dimension == 2 ? M_PI * rc * rc : 4.0 / 3 * M_PI * rc * rc * rc;
    if (b->config->model == SLUICE_MODEL_WCSPH)
        return ball / pow(b->config->spacing, b->config->dimension);
    if (b->config->model == SLUICE_MODEL_GAS)
        return ball / pow(rc / c->reach, b->config->dimension);
    double volume = 1;
    for (int a = 0; a < b->config->dimension; a++)
        volume *= c->grid.periodic[a] ? c->grid.high[a] - c->grid.low[a]
                                      : fmax(rc, c->fluid_high[a] - c->fluid_low[a]);
    return ball * (double)c->start[SLUICE_FLUID].count / volume;
}

/* Tests of pairs in a step: the fluid meets fluid and walls, the walls meet fluid. */
static double tests_of(const struct sluice_case *c, int strategy)
{
    const double fluid = (double)c->start[SLUICE_FLUID].count,
                 wall = (double)c->start[SLUICE_WALL].count;
    return sluice_strategy_tests(strategy, c->config->dimension, c->neighbours, fluid,
                                 fluid + wall) +
           sluice_strategy_tests(strategy, c->config->dimension, c->neighbours, wall, fluid);
}

/* Warns of a strategy chosen by name that has over ten times the work of the default. */
static void check_strategy(struct sluice_case_builder *b)
{
    enum { SLOWER_MOST = 10 };
    const char *name = b->config->backend.strategy;
    if (!*name || strcmp(name, "auto") == 0)
        return;
    const double tests = tests_of(b->c, b->strategy),
                 least = tests_of(b->c, SLUICE_STRATEGY_window);
    if (tests > SLOWER_MOST * least && tests > b->backend->tiled_most)
        sluice_warn(&b->warnings,
                    "backend.strategy: \"%s\" tests about %.2g pairs a step, \"%s\", the "
                    "default, about %.2g, %.0f times fewer: leave backend.strategy (--strategy) "
                    "out unless you want to compare",
                    name, tests, sluice_strategies[SLUICE_STRATEGY_window].name, least,
                    tests / least);
}

/* The sound speed and the rest of the physics, from the extent of the fluid. */
static sluice_status set_physics(struct sluice_case_builder *b)
{
    struct sluice_initial_frame *frame = &b->frame;
    SLUICE_TRY(set_sound_speed(b, frame));
    sluice_case_set_second_speed(&b->c->physics);
    SLUICE_TRY(check_background(&b->c->physics.wcsph));
    if (b->c->physics.wcsph.second)
        SLUICE_TRY(check_background(b->c->physics.wcsph.second));
    frame->wcsph = &b->c->physics.wcsph;
    SLUICE_TRY(sluice_case_layers(b));
    SLUICE_TRY(sluice_case_find_levels(b));
    warn_of_fast_walls(b);
    warn_of_strong_pull(b);
    SLUICE_TRY(sluice_case_check_motions(b));
    SLUICE_TRY(sluice_case_check_wave_makers(b));
    warn_of_small_waves(b);
    sluice_case_warn_fast_bodies(b);
    sluice_case_warn_stiff_contacts(b);
    return SLUICE_OK;
}

static sluice_status build(struct sluice_case_builder *b)
{
    b->frame.config = b->config;
    SLUICE_TRY(set_model(b));
    SLUICE_TRY(set_box(b));
    SLUICE_TRY(sluice_case_fill(b));
    SLUICE_TRY(sluice_case_check_bodies(b));
    SLUICE_TRY(sluice_case_measure_fluid(b));
    if (b->config->model == SLUICE_MODEL_WCSPH)
        SLUICE_TRY(set_physics(b));
    if (b->config->model == SLUICE_MODEL_GAS)
        b->frame.gas = &b->c->physics.gas;
    SLUICE_TRY(sluice_case_prepare_state(b));
    SLUICE_TRY(sluice_case_prepare_effects(b));
    SLUICE_TRY(sluice_case_check_initial_pressure(b));
    SLUICE_TRY(sluice_case_sum_start(b));
    b->c->reference_energy = sluice_case_reference_energy(b);
    b->c->neighbours = estimate_neighbours(b);
    sluice_case_set_scales(b);
    check_strategy(b);
    return sluice_case_place_probes(b);
}

/* holds: all particles stay in memory, as those of a file do. */
static sluice_status create(struct sluice_case *c, const struct sluice_config *config,
                            FILE *warnings, FILE *terminal, int holds)
{
    struct sluice_case_builder *b;
    memset(c, 0, sizeof *c);
    SLUICE_ALLOCATE(b, 1, "case");
    *b = (struct sluice_case_builder){
        .c = c, .config = config, .warnings = {.out = warnings, .waiting = &b->waiting}};
    c->config = c->physics.config = config;
    c->builder = b;
    sluice_waiting_begin(&b->waiting, terminal);
    sluice_status status = build(b);
    sluice_waiting_end(&b->waiting);
    c->geometry.waiting = NULL; /* the builder may go before the case */
    c->warning_count = b->warnings.count;
    if (status == SLUICE_OK && (holds || config->particles[0]))
        status = sluice_case_hold(c);
    if (status != SLUICE_OK)
        sluice_case_destroy(c);
    return status;
}

sluice_status sluice_case_create(struct sluice_case *c, const struct sluice_config *config,
                                 FILE *warnings)
{
    return create(c, config, warnings, NULL, 1);
}

sluice_status sluice_case_create_on(struct sluice_case *c, const struct sluice_config *config,
                                    FILE *warnings, FILE *terminal)
{
    return create(c, config, warnings, terminal, 0);
}

void sluice_case_destroy(struct sluice_case *c)
{
    sluice_case_builder_destroy(&c->builder);
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
        sluice_start_destroy(&c->start[type]);
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++) {
        if (c->physics.table[e].destroy)
            c->physics.table[e].destroy(c->physics.table[e].head);
        else
            free(c->physics.table[e].head);
        free(c->physics.table[e].data);
        memset(&c->physics.table[e], 0, sizeof c->physics.table[e]);
    }
    sluice_motions_destroy(&c->physics.motions);
    free(c->physics.motion_reach);
    free(c->moving);
    c->physics.motion_reach = NULL;
    c->moving = NULL;
    sluice_case_destroy_bodies(c);
    sluice_groups_destroy(&c->groups);
    sluice_geometry_destroy(&c->geometry);
    sluice_gas_shapes_destroy(&c->gas_shapes);
    free(c->shapes);
    free(c->probes);
    c->shapes = NULL;
    c->probes = NULL;
}
