/* The energy budget and the limits of the time step, from the sums of each step. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "kernels/registry.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

const struct sluice_column sluice_budget_step[] = {{"dt", NULL, "s", "length of the step"}, {0}};

const struct sluice_column sluice_budget_columns[SLUICE_BUDGET_COLUMNS + 1] = {
#define X(member, unit, sentence) {#member, NULL, unit, sentence},
    SLUICE_BUDGET_BEGIN(X)
#define EFFECT_COLUMN(member, sentence) X(member, "J", "work of " sentence)
#include "physics/effects.def"
        SLUICE_BUDGET_END(X)
#undef X
};

/* Of the columns' numbers in a row. */
static const size_t offsets[SLUICE_BUDGET_COLUMNS] = {
#define X(member, unit, sentence) offsetof(struct sluice_budget_row, member),
    SLUICE_BUDGET_BEGIN(X)
#define EFFECT_COLUMN(member, sentence) X(member, "J", sentence)
#include "physics/effects.def"
        SLUICE_BUDGET_END(X)
#undef X
};

double *sluice_budget_at(struct sluice_budget_row *row, int c)
{
    return (double *)(void *)((char *)row + offsets[c]);
}

double sluice_budget_value(const struct sluice_budget_row *row, int c)
{
    return *(const double *)(const void *)((const char *)row + offsets[c]);
}

/* An acceleration without a potential works in each step. */
static int has_power(const struct sluice_reduce *r)
{
    return r->driven[0] != 0 || r->driven[1] != 0 || r->driven[2] != 0;
}

sluice_status sluice_sim_reduce(struct sluice_sim *sim, struct sluice_flight *flight)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        struct sluice_reduce *r = &flight->reduce[t];
        r->set = NULL;
        if (!sluice_set_exists(&sim->set[t]) ||
            (t != SLUICE_FLUID && !sim->set[t].field[SLUICE_FIELD_SCALAR]))
            continue; /* a mass alone, which does not change */
        sluice_model_describe(&sim->model, &sim->grid, (enum sluice_type)t, r);
        r->sums = flight->energies || (t == SLUICE_FLUID && has_power(r));
        SLUICE_TRY(sim->backend.ops->reduce(&sim->backend, &sim->grid, r));
    }
    return SLUICE_OK;
}

/* Virial pressure of a Lennard-Jones fluid; energy of the pairs. */
static void account_pairs(struct sluice_sim *sim)
{
    struct sluice_budget_row *e = &sim->now;
    const int d = sim->config->dimension;
    const double n = (double)sim->count[SLUICE_FLUID];
    double volume = 1, tail_energy = 0, tail_pressure = 0;
    for (int c = 0; c < d; c++)
        volume *= sim->grid.high[c] - sim->grid.low[c];
    sluice_lj_tail(sim->config, n / volume, &tail_energy, &tail_pressure);
    e->pair = sim->model.sum[SLUICE_SUM_PAIR_ENERGY] + n * tail_energy;
    e->pressure = (2 * e->kinetic + sim->model.sum[SLUICE_SUM_VIRIAL]) / (d * volume) +
                  tail_pressure;
}

/* The powers that are integrated, and the works that they add to. */
static const struct power {
    enum sluice_sum sum;
    size_t work; /* offset in struct sluice_budget_row */
} powers[] = {
#define EFFECT_POWER(NAME, column) {SLUICE_SUM_##NAME, offsetof(struct sluice_budget_row, column)},
    EFFECT_POWER(VISCOUS, work_viscous) EFFECT_POWER(DIFFUSION, work_diffusion)
        EFFECT_POWER(GHOST, work_ghost) EFFECT_POWER(BODY, work_body)
#include "physics/effects.def"
            {SLUICE_SUM_HEAT, offsetof(struct sluice_budget_row, work_heat)},
};
enum { POWERS = sizeof powers / sizeof *powers };

static void integrate_powers(struct sluice_sim *sim, double dt)
{
    struct sluice_budget_row *e = &sim->now;
    const double *now = sim->model.sum,
                 force = sim->summary[SLUICE_FLUID].driven_power + sim->model.bodies.driven_power;
    for (int i = 0; i < POWERS; i++)
        *(double *)(void *)((char *)e + powers[i].work) += dt / 2 *
                                                           (sim->power[powers[i].sum] +
                                                            now[powers[i].sum]);
    e->work_force += dt / 2 * (sim->force_power + force);
#define EFFECT_JUMP(NAME, column) e->column += dt > 0 ? now[SLUICE_SUM_##NAME] : 0;
#include "physics/effects.def"
    sim->force_power = force;
    memcpy(sim->power, now, sizeof sim->power);
}

/* The power, W, below which the rounding of the terms of the sums shows in the 13th digit: that of
 * a fluid at rest. */
static double least_power(const struct sluice_sim *sim)
{
    const double n = (double)(sim->count[SLUICE_FLUID] + sim->count[SLUICE_WALL]);
    return ldexp(1e13 * sqrt(n), sim->setup->physics.scales.power - EXACT_UNIT);
}

static void account_identity(struct sluice_sim *sim)
{
    double scale = sim->power[SLUICE_SUM_IDENTITY_ABS];
    for (int i = 0; i < POWERS; i++)
        scale += fabs(sim->power[powers[i].sum]);
    sim->now.identity = sim->power[SLUICE_SUM_IDENTITY] / fmax(scale, least_power(sim));
}

double sluice_sim_stable_dt(const struct sluice_sim *sim)
{
    if (sim->config->time.step > 0)
        return sim->config->time.step;
    double speed, acceleration; /* of walls, and so of the fluid that they push */
    sluice_model_wall_limits(&sim->model, sim->time, sim->dt, &speed, &acceleration);
    const struct sluice_limits limits = {
        .speed = fmax(speed, sim->now.max_speed),
        .acceleration = fmax(acceleration, sim->now.max_acceleration),
        .rate = sim->summary[SLUICE_FLUID].extremes.max_rate,
        .length = sim->summary[SLUICE_FLUID].extremes.max_length};
    return fmin(sim->model.ops->time_step(&sim->model, &limits),
                sluice_bodies_longest_step(&sim->model.bodies));
}

/* The stable step. With time.first < 1 the step starts shorter and grows to it slowly, so that the
 * waves of a sudden start die down meanwhile (docs/theory.md, "The time step"). */
static double next_dt(const struct sluice_sim *sim, double dt)
{
    const double stable = sluice_sim_stable_dt(sim), first = sim->config->time.first;
    if (first == 1)
        return stable;
    return sim->step == 0 ? first * stable : fmin(stable, 1.05 * dt);
}

/* The total energy, and the residual of the budget. */
static void account_total(struct sluice_sim *sim)
{
    struct sluice_budget_row *e = &sim->now;
    e->total = e->kinetic + e->potential + e->elastic + e->thermal + e->spring + e->bodies +
               e->contact + e->pair;
    e->residual = e->total - sim->start_total - e->entered + e->left + e->removed - e->work_force -
                  e->work_contact - e->work_viscous - e->work_diffusion - e->work_ghost -
                  e->work_body;
#define EFFECT_COLUMN(column, what) e->residual -= e->column;
#include "physics/effects.def"
    e->residual -= e->work_heat;
}

/* Their state is that of the step that is booked: with bodies no later one is queued. */
static void account_bodies(struct sluice_sim *sim)
{
    const struct sluice_bodies *b = &sim->model.bodies;
    sim->now.bodies = b->kinetic + b->potential;
    sim->now.contact = b->elastic;
    sim->now.work_contact -= sim->dt / 2 * (sim->lost_power + b->dissipated);
    sim->now.work_contact -= b->shed;
    sim->lost_power = b->dissipated;
    if (sim->config->time.step > 0)
        sluice_bodies_note_step(&sim->model.bodies, sim->config->time.step);
}

/* Energies and momenta, in a step that sums them. */
static void account_energies(struct sluice_sim *sim)
{
    struct sluice_budget_row *e = &sim->now;
    const struct sluice_summary *fluid = &sim->summary[SLUICE_FLUID];
    const struct sluice_bodies *bodies = &sim->model.bodies;
    const int atoms = sim->config->model == SLUICE_MODEL_LJ, d = sim->config->dimension;
    const double n = (double)sim->count[SLUICE_FLUID];
    double *internal = sim->config->model == SLUICE_MODEL_GAS ? &e->thermal : &e->elastic;
    sim->energy_step = sim->step;
    e->spring = sim->model.sum[SLUICE_SUM_SPRING];
    account_identity(sim);
    e->elastic = e->thermal = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        *internal += sim->summary[t].elastic;
    e->kinetic = fluid->kinetic;
    e->potential = fluid->potential;
    e->temperature = atoms && n > 1 ? 2 * e->kinetic / (d * n - d) : 0;
    if (atoms && sim->model.energy)
        account_pairs(sim);
    if (!atoms || sim->model.energy)
        account_total(sim);
    e->momentum_x = fluid->momentum[0] + bodies->momentum[0];
    e->momentum_y = fluid->momentum[1] + bodies->momentum[1];
    e->momentum_z = fluid->momentum[2] + bodies->momentum[2];
    e->angular_x = fluid->angular[0] + bodies->angular[0];
    e->angular_y = fluid->angular[1] + bodies->angular[1];
    e->angular_z = fluid->angular[2] + bodies->angular[2];
}

/* Fills sim->now and dt_next from the summaries and the sums of the step. */
static void fill_row(struct sluice_sim *sim, const struct sluice_flight *flight)
{
    struct sluice_budget_row *e = &sim->now;
    const struct sluice_extremes *fluid = &sim->summary[SLUICE_FLUID].extremes;
    integrate_powers(sim, sim->dt);
    e->step = sim->step;
    e->time = sim->time;
    e->dt = sim->dt;
    account_bodies(sim);
    if (flight->energies)
        account_energies(sim);
    e->max_speed = sqrt(fluid->max_speed2);
    e->max_acceleration = sqrt(fluid->max_acceleration2);
    e->particles = (double)sim->count[SLUICE_FLUID];
    sim->dt_next = next_dt(sim, sim->dt);
}

sluice_status sluice_sim_book(struct sluice_sim *sim, struct sluice_flight *flight)
{
    sim->step = flight->step;
    sim->time = flight->time;
    sim->dt = flight->dt;
    sluice_sim_book_changes(sim, flight);
    SLUICE_CHECK(sim->count[SLUICE_FLUID] > 0, SLUICE_BLOW_UP,
                 "step %lld, t = %.9g: every fluid particle has left the domain%s; %s",
                 (long long)sim->step, sim->time,
                 sim->flow_particles[SLUICE_FLOW_LEFT] ? " or was taken out" : "",
                 sim->config->opening_count > 0
                     ? "set time.end below this time, let more water enter, or keep some by the "
                       "level of an outlet"
                     : "make the domain larger or add walls");
    sluice_model_collect(&sim->model, &flight->passes);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const struct sluice_reduce *r = &flight->reduce[t];
        if (r->set && r->sums)
            sim->summary[t] = r->out;
        else if (r->set) {
            sim->summary[t].extremes = r->out.extremes;
            sim->summary[t].driven_power = 0; /* a power would have asked for sums */
        }
    }
    if (sim->step > 0 && sim->count[SLUICE_FLUID] > 0)
        sim->density_sums += sim->model.sum[SLUICE_SUM_ROUNDS] / (double)sim->count[SLUICE_FLUID];
    sim->support = sluice_kernel_support(sim->config->kernel.name) *
                   sim->summary[SLUICE_FLUID].extremes.max_length;
    sim->negative_count += (int64_t)sim->model.sum[SLUICE_SUM_NEGATIVE];
    fill_row(sim, flight);
    return SLUICE_OK;
}
