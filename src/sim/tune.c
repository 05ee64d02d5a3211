#include "sim/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/registry.h"
#include "sim/sim.h"

enum { BINS_MOST = 24 }; /* of a frame, as a power of two: more than any measurement chooses */

/* A time step of a gas at its start, s: signals run at twice the sound speed where nothing moves.
 */
static double step_at_start(const struct sluice_sim *sim)
{
    const struct sluice_gas_ranges *gas = &sim->setup->gas;
    const double sound = sqrt(gas_sound2(&sim->setup->physics.gas) * gas->energy[1]);
    return sim->config->time.cfl * gas->h[0] / (2 * sound);
}

/* Steps that the run will make at least: a shorter time step makes them more. */
static double planned_steps(const struct sluice_sim *sim)
{
    const struct sluice_config *config = sim->config;
    const double dt = config->time.step > 0 ? config->time.step
                      : sim->matter.gas && !(sim->rest.rate > 0)
                          ? step_at_start(sim)
                          : sim->model.ops->time_step(&sim->model, &sim->rest);
    const double by_time = dt > 0 ? config->time.end / dt : 0;
    return config->time.max_steps > 0 ? fmin(by_time, (double)config->time.max_steps) : by_time;
}

void sluice_tune_create(struct sluice_sim *sim)
{
    const char *strategy = sim->config->backend.strategy;
    struct sluice_tuning *t = &sim->tuning;
    t->is_auto = !*strategy || strcmp(strategy, "auto") == 0;
    if (t->is_auto && sim->setup->contrast > SLUICE_TUNE_CONTRAST)
        sim->backend.orders.strategy = SLUICE_STRATEGY_bucket;
    memcpy(t->rule_log2, sim->grid.bins_log2, sizeof t->rule_log2);
    memcpy(t->last.bins_log2, sim->grid.bins_log2, sizeof t->last.bins_log2);
    t->last.strategy = t->rule_strategy = sim->backend.orders.strategy;
    t->every = SLUICE_TUNE_EVERY;
}

void sluice_tune_begin(struct sluice_sim *sim, int always)
{
    struct sluice_tuning *t = &sim->tuning;
    const double planned = always ? SLUICE_TUNE_STEPS : planned_steps(sim);
    t->planned = planned < SLUICE_TUNE_STEPS ? (int64_t)planned : SLUICE_TUNE_STEPS;
    t->measures = t->is_auto &&
                  sim->config->backend.auto_share * (double)t->planned >= SLUICE_TUNE_EVALUATIONS;
    t->begun = t->is_auto;
}

static sluice_status check_replay(const struct sluice_choice *c)
{
    const int bins = c->bins_log2[0] + c->bins_log2[1] + c->bins_log2[2];
    SLUICE_CHECK(bins <= BINS_MOST, SLUICE_BAD_INPUT,
                 "the log's choice of step %lld has 2^%d bins a frame, at most 2^%d are possible",
                 (long long)c->step, bins, (int)BINS_MOST);
    return SLUICE_OK;
}

sluice_status sluice_tune_replay(struct sluice_sim *sim, const struct sluice_choice *choices,
                                 int count, int64_t after)
{
    struct sluice_tuning *t = &sim->tuning;
    if (count == 0)
        return SLUICE_OK;
    SLUICE_CHECK(t->is_auto, SLUICE_BAD_INPUT,
                 "--replay repeats what auto chose, and backend.strategy = \"%s\" leaves it no "
                 "choice; take one of the two away",
                 sim->config->backend.strategy);
    SLUICE_ALLOCATE(t->replay, count, "choices");
    for (int k = 0; k < count; k++)
        if (choices[k].step > after) {
            SLUICE_TRY(check_replay(&choices[k]));
            t->replay[t->replay_count++] = choices[k];
        }
    return SLUICE_OK;
}

/* Sorts a step again that has been sorted, in other bins. No particle has left since. */
static sluice_status sort_again(struct sluice_sim *sim)
{
    struct sluice_flight again = {0};
    sluice_status status = sluice_sim_sort(sim, &again);
    if (status == SLUICE_OK)
        status = sim->backend.ops->sync(&sim->backend);
    free(again.gone.particle);
    return status;
}

static sluice_status measure_cells(struct sluice_sim *sim, struct sluice_choice *choice)
{
    struct sluice_occupancy found;
    SLUICE_TRY(
        sim->backend.ops->occupancy(&sim->backend, &sim->grid, &sim->set[SLUICE_FLUID], &found));
    choice->mean = rint(1000 * found.mean) / 1000; /* as in the log */
    choice->fullest = found.fullest;
    return SLUICE_OK;
}

/* Writes the line of log.txt that --replay reads. */
static void write_choice(struct sluice_log *log, const struct sluice_choice *choice,
                         const char *why)
{
    char text[SLUICE_CHOICE_TEXT];
    sluice_choice_text(choice, why, text);
    sluice_log_detail(log, "%s", text);
}

/* Uses a choice from here on. The terminal shows the first choice, and changes. */
static sluice_status take(struct sluice_sim *sim, const struct sluice_choice *choice, int replayed,
                          const char *why)
{
    const int64_t version = sim->grid.version;
    struct sluice_choice *last = &sim->tuning.last;
    const int stays = choice->step > 0 && choice->strategy == last->strategy;
    sluice_tune_use(sim, choice);
    *last = *choice;
    if (sim->grid.version != version) {
        SLUICE_TRY(sort_again(sim));
        if (!replayed) /* cells are made of bins: later checks compare with these */
            SLUICE_TRY(measure_cells(sim, last));
    }
    write_choice(sim->log, last, why);
    if (!stays || sim->grid.version != version)
        sluice_log_brief(sim->log, "auto: strategy %s from step %lld on (%s)",
                         sluice_strategies[last->strategy].name, (long long)last->step, why);
    return SLUICE_OK;
}

/* Keeps the choice for want of time. The log gets a line with the last measurement's numbers, so
 * that a replay does not measure here either. */
static sluice_status stay(struct sluice_sim *sim, int64_t step)
{
    sim->tuning.last.step = step;
    write_choice(sim->log, &sim->tuning.last, "kept: there is no time to measure");
    return SLUICE_OK;
}

static int is_other(double now, double then)
{
    return now > 1.25 * then || now < then / 1.25;
}

static const struct sluice_choice *find_replay(const struct sluice_tuning *t, int64_t step)
{
    for (int k = 0; k < t->replay_count; k++)
        if (t->replay[k].step == step)
            return &t->replay[k];
    return NULL;
}

/* Whether a step may change the choice. */
static int is_due(const struct sluice_tuning *t, int64_t step)
{
    return t->begun && step % t->every == 0 && (t->measures || t->replay_count || step == 0);
}

int64_t sluice_tune_limit(const struct sluice_sim *sim, int64_t furthest)
{
    for (int64_t step = sim->step + 2; step <= furthest; step++)
        if (is_due(&sim->tuning, step))
            return step - 1;
    return furthest;
}

sluice_status sluice_tune(struct sluice_sim *sim, int64_t step)
{
    struct sluice_tuning *t = &sim->tuning;
    struct sluice_choice choice = t->last;
    char why[128];
    snprintf(why, sizeof why, "the rule: %s%s",
             sim->config->backend.auto_share > 0 ? "the run is too short to measure"
                                                 : "backend.auto_share is 0",
             sim->setup->contrast > SLUICE_TUNE_CONTRAST ? ", and spacings differ much" : "");
    if (!is_due(t, step))
        return SLUICE_OK;
    SLUICE_TRY(sim->backend.ops->sync(&sim->backend)); /* particles that left are known */
    const struct sluice_choice *replayed = find_replay(t, step);
    if (replayed)
        return take(sim, replayed, 1, "replayed");
    SLUICE_TRY(measure_cells(sim, &choice));
    if (step > 0 && !(t->measures && (is_other(choice.mean, t->last.mean) ||
                                      is_other((double)choice.fullest, (double)t->last.fullest))))
        return SLUICE_OK;
    if (step > 0 && !sluice_tune_has_time(sim))
        return stay(sim, step);
    choice.step = step;
    if (t->measures)
        SLUICE_TRY(sluice_tune_measure(sim, &choice, why));
    return take(sim, &choice, 0, why);
}
