/* Times a sort and the forces with one strategy and bins after another.
 *
 * The forces are those of the present state (dt = 0). They can be computed again and again:
 * what they overwrite is a, a(n-1), R and R(n-1) of the step, what the next one needs of gradients,
 * and the smoothing lengths of a gas. The host keeps these in the order of the old bins, to which
 * the particles return at the end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "model/effect.h"
#include "sim/tune.h"
#include "sim/tune_cache.h"
#include "kernels/backends/backends.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

enum { CANDIDATES = 24, WARM = 3, TIMED = 5, TURNS = 2 };

enum { ROWS_MOST = 6 }; /* of bins a cutoff: a GPU searches no more, and more are not faster */

enum verdict { UNTRIED, FAILED, SLOW, TIMED_FULLY };

struct candidate {
    struct sluice_choice choice; /* strategy and bins */
    double seconds;              /* the least */
    enum verdict verdict;
};

struct measurement {
    struct sluice_sim *sim;
    struct sluice_flight flight; /* of the evaluations */
    struct candidate candidate[CANDIDATES];
    int count, best;     /* number of candidates; index of the fastest, -1: none yet */
    int incomplete;      /* a candidate was not tried */
    double begun, until; /* by sluice_seconds() */
    double wall;         /* of the last evaluation, by sluice_seconds() */
    double longest;      /* first evaluation of a candidate, which may have loaded its kernels */
    void *saved[SLUICE_TYPE_COUNT][SLUICE_FIELD_COUNT];
    double dt; /* the simulation's, to be put back */
    struct sluice_timers timers;
};

/* --- The fields that forces overwrite --- */

static sluice_fields saved_fields(const struct sluice_sim *sim)
{
    return SLUICE_BIT(ACCELERATION) | SLUICE_BIT(ACCELERATION_OLD) | SLUICE_BIT(RATE) |
           SLUICE_BIT(RATE_OLD) | SLUICE_BIT(SMOOTHING) |
           sluice_effects_found(&sim->setup->physics);
}

/* Keeps those fields on the host; back: puts them back. */
static sluice_status copy_saved(struct measurement *m, int back)
{
    struct sluice_backend *b = &m->sim->backend;
    const sluice_fields fields = saved_fields(m->sim);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
            const struct sluice_set *set = &m->sim->set[t];
            const size_t bytes = (size_t)(set->count *
                                          sluice_set_field_bytes(set, (enum sluice_field)f));
            void *field = set->field[f], **saved = &m->saved[t][f];
            if (!(fields >> f & 1u) || !field || bytes == 0)
                continue;
            if (!back)
                *saved = malloc(bytes);
            SLUICE_CHECK(*saved, SLUICE_DEVICE,
                         "no memory to keep %zu bytes; backend.auto_share = 0 needs none", bytes);
            SLUICE_TRY(back ? b->ops->upload(b, field, *saved, bytes)
                            : b->ops->download(b, *saved, field, bytes));
        }
    return SLUICE_OK;
}

/* --- The clock --- */

/* On the host the processor time of this process without its waits for other ranks, which hardly
 * depends on what else runs there. */
static double seconds_now(const struct measurement *m)
{
    return m->sim->backend.ops->on_host ? sluice_processor_seconds() - sluice_world()->idle
                                        : sluice_seconds();
}

/* Collective: times become those of the slowest rank, so that all ranks decide alike. */
static sluice_status take_slowest(double *seconds, int n)
{
    return sluice_world()->ops->max(sluice_world(), seconds, n);
}

/* Collective: times a sort and the forces. Waits for queued work also after an error. */
static sluice_status evaluate(struct measurement *m, double *seconds)
{
    struct sluice_sim *sim = m->sim;
    const double begun = seconds_now(m), wall = sluice_seconds();
    const unsigned sums = sim->model.sums;
    /* as in most steps */
    sim->model.sums = sluice_model_sums(&sim->model, sim->config->energy.every == 1);
    sluice_status status = sluice_sim_sort(sim, &m->flight);
    if (status == SLUICE_OK)
        status = sim->model.ops->forces(&sim->model, &sim->backend, &sim->grid, &m->flight.passes);
    sim->model.sums = sums;
    const sluice_status synced = sim->backend.ops->sync(&sim->backend);
    double took[2] = {seconds_now(m) - begun, sluice_seconds() - wall};
    SLUICE_TRY(status);
    SLUICE_TRY(synced);
    SLUICE_TRY(take_slowest(took, 2));
    *seconds = took[0];
    m->wall = took[1];
    return SLUICE_OK;
}

static int lasts_twice(const struct measurement *m, double seconds)
{
    return m->best >= 0 && seconds > 2 * m->candidate[m->best].seconds;
}

/* Evaluates `times` times. *seconds becomes the shortest time, if that is shorter than before. */
static sluice_status time_it(struct measurement *m, int times, double *seconds)
{
    for (int k = 0; k < times; k++) {
        double now;
        SLUICE_TRY(evaluate(m, &now));
        *seconds = fmin(*seconds, now);
    }
    return SLUICE_OK;
}

/* Warms up, then takes the shortest of several times: disturbances only make a time longer. Stops
 * early if the first timed evaluation takes twice as long as the best candidate, or the warm-up
 * twenty times as long. */
static sluice_status measure(struct measurement *m, struct candidate *c)
{
    sluice_tune_use(m->sim, &c->choice);
    c->verdict = SLOW;
    c->seconds = INFINITY;
    SLUICE_TRY(time_it(m, m->best < 0 ? WARM : 1, &c->seconds));
    m->longest = fmax(m->longest, m->wall);
    if (lasts_twice(m, c->seconds / 10))
        return SLUICE_OK;
    c->seconds = INFINITY;
    SLUICE_TRY(time_it(m, 1, &c->seconds));
    if (lasts_twice(m, c->seconds))
        return SLUICE_OK;
    SLUICE_TRY(time_it(m, TIMED - 1, &c->seconds));
    c->verdict = TIMED_FULLY;
    return SLUICE_OK;
}

/* Tries a candidate if there is time for a warm-up as long as the longest so far. A candidate that
 * fails is not taken; only the first one's failure is an error, and any one's where other ranks go
 * on with it. */
static sluice_status try_candidate(struct measurement *m, struct candidate *c)
{
    const int late = m->best >= 0 && sluice_seconds() + m->longest > m->until;
    if (sluice_comm_any(sluice_world(), late)) {
        m->incomplete = 1;
        return SLUICE_OK;
    }
    const sluice_status status = measure(m, c);
    if (status != SLUICE_OK) {
        c->verdict = FAILED;
        if (m->best < 0)
            return status;
        SLUICE_CHECK(sluice_world()->size == 1, status,
                     "auto: %s, which the ranks measured: %s; give backend.strategy = \"window\", "
                     "or backend.auto_share = 0",
                     sluice_strategies[c->choice.strategy].name, sluice_message());
        sluice_log_detail(m->sim->log, "auto: %s: %s", sluice_strategies[c->choice.strategy].name,
                          sluice_message());
    }
    if (c->verdict == TIMED_FULLY && (m->best < 0 || c->seconds < m->candidate[m->best].seconds))
        m->best = (int)(c - m->candidate);
    return SLUICE_OK;
}

/* Times the best and the first candidate, which is in use, in turn: the machine may have become
 * slower or faster meanwhile. The best is taken if it is faster by more than the clock's noise. */
static sluice_status confirm(struct measurement *m)
{
    struct candidate *both[] = {&m->candidate[0], &m->candidate[m->best]};
    const double gain = 1 - m->sim->backend.ops->timing_noise;
    double seconds[2] = {INFINITY, INFINITY};
    for (int k = 0; k < 2 * TURNS && m->best > 0; k++) {
        double warm = INFINITY;
        sluice_tune_use(m->sim, &both[k % 2]->choice);
        SLUICE_TRY(time_it(m, 1, &warm));
        SLUICE_TRY(time_it(m, 2, &seconds[k % 2]));
    }
    if (m->best == 0)
        return SLUICE_OK;
    both[0]->seconds = seconds[0];
    both[1]->seconds = seconds[1];
    if (!(seconds[1] < gain * seconds[0]))
        m->best = 0;
    return SLUICE_OK;
}

/* --- Candidates --- */

static sluice_status try_choice(struct measurement *m, const struct sluice_choice *choice)
{
    for (int k = 0; k < m->count; k++)
        if (m->candidate[k].choice.strategy == choice->strategy &&
            memcmp(m->candidate[k].choice.bins_log2, choice->bins_log2, sizeof choice->bins_log2) ==
                0)
            return SLUICE_OK;
    if (m->count == CANDIDATES)
        return SLUICE_OK;
    m->candidate[m->count] = (struct candidate){.choice = *choice};
    return try_candidate(m, &m->candidate[m->count++]);
}

/* Rows of bins that a cutoff spans, on the axis where it spans most. */
static double rows_of_cutoff(const struct sluice_grid *g, const int log2[3])
{
    double most = 0;
    for (int c = 1; c < g->dimension; c++)
        most = fmax(most, g->cutoff / g->width[c] * (1 << log2[c]));
    return most;
}

/* The best candidate so far with strategy `window`; -1: none. */
static int best_with_windows(const struct measurement *m)
{
    int best = -1;
    for (int k = 0; k < m->count; k++)
        if (m->candidate[k].choice.strategy == SLUICE_STRATEGY_window &&
            m->candidate[k].verdict == TIMED_FULLY &&
            (best < 0 || m->candidate[k].seconds < m->candidate[best].seconds))
            best = k;
    return best;
}

/* Tries the best one with windows in other bins: finer by the powers of two x, and yz in y and z.
 */
static sluice_status try_bins(struct measurement *m, int x, int yz)
{
    const int best = best_with_windows(m);
    struct sluice_choice choice;
    if (best < 0)
        return SLUICE_OK;
    choice = m->candidate[best].choice;
    if (!sluice_tune_refine(m->sim, &choice, x, yz) ||
        rows_of_cutoff(&m->sim->grid, choice.bins_log2) > ROWS_MOST)
        return SLUICE_OK;
    return try_choice(m, &choice);
}

static sluice_status try_all(struct measurement *m)
{
    struct sluice_sim *sim = m->sim;
    struct sluice_choice listed[SLUICE_TUNE_CHOICES];
    const int count = sluice_tune_choices(sim, listed);
    int tried = 0;
    do
        SLUICE_TRY(try_choice(m, &listed[tried]));
    while (listed[tried++].strategy != SLUICE_STRATEGY_window);
    const int before = best_with_windows(m);
    SLUICE_TRY(try_bins(m, 0, -1));
    if (best_with_windows(m) == before)
        SLUICE_TRY(try_bins(m, 0, 1));
    for (int k = tried; k < count; k++)
        SLUICE_TRY(try_choice(m, &listed[k]));
    if (!sim->backend.ops->tunes_x)
        return SLUICE_OK;
    SLUICE_TRY(try_bins(m, -1, 0));
    return try_bins(m, 1, 0);
}

/* --- Measuring --- */

/* Writes the table of candidates to log.txt; it is too long for a terminal. */
static void print(const struct measurement *m)
{
    static const char *const words[] = {"not tried: no time is left", "does not fit", "s, dropped",
                                        "s"};
    const struct sluice_sim *sim = m->sim;
    sluice_log_detail(sim->log, "auto: %-16s %-14s a sort and forces%s", "strategy", "bins a frame",
                      sluice_world()->size > 1 ? " on the slowest rank" : "");
    for (int k = 0; k < m->count; k++) {
        const struct candidate *c = &m->candidate[k];
        char bins[64], seconds[32] = "";
        snprintf(bins, sizeof bins, "%d x %d x %d", 1 << c->choice.bins_log2[0],
                 1 << c->choice.bins_log2[1], 1 << c->choice.bins_log2[2]);
        if (c->verdict >= SLOW)
            snprintf(seconds, sizeof seconds, "%.3e ", c->seconds);
        sluice_log_detail(sim->log, "auto: %-16s %-14s %s%s%s",
                          sluice_strategies[c->choice.strategy].name, bins, seconds,
                          words[c->verdict], k == m->best ? ", taken" : "");
    }
}

/* Seconds that are left for measuring, if an evaluation takes `evaluation` seconds. */
static double seconds_left(const struct sluice_sim *sim, double evaluation)
{
    const struct sluice_tuning *t = &sim->tuning;
    const double steps = fmax((double)t->planned, (double)sim->step);
    return sim->config->backend.auto_share * steps * evaluation - t->seconds;
}

int sluice_tune_has_time(const struct sluice_sim *sim)
{
    const double evaluation = sim->tuning.evaluation;
    return seconds_left(sim, evaluation) >= 2 * (WARM + TIMED) * evaluation;
}

static void set_choice(struct sluice_choice *to, const struct sluice_choice *from)
{
    to->strategy = from->strategy;
    memcpy(to->bins_log2, from->bins_log2, sizeof to->bins_log2);
}

/* Takes the choice from the cache, or measures: first the choice in use, then the others. */
static sluice_status decide(struct measurement *m, struct sluice_choice *found, char why[128])
{
    struct sluice_sim *sim = m->sim;
    struct sluice_choice cached, now = *found;
    double seconds;
    int is_cached;
    char key[SLUICE_CACHE_KEY];
    m->until = INFINITY;
    SLUICE_TRY(evaluate(m, &seconds)); /* lists the passes */
    if (sim->tuning.seconds == 0)      /* a device has loaded kernels that the first step needs */
        m->begun = sluice_seconds();
    sluice_choice_cache_key(sim, &m->flight.passes, found, key);
    SLUICE_TRY(sluice_choice_cache_find(sim, key, &cached, &is_cached));
    if (is_cached) {
        set_choice(found, &cached);
        snprintf(why, 128, "as an earlier run found");
        SLUICE_TRY(evaluate(m, &seconds)); /* warmed up: later measurements plan with its time */
        sim->tuning.evaluation = m->wall;
        return SLUICE_OK;
    }
    SLUICE_TRY(try_choice(m, &now));
    sim->tuning.evaluation = m->wall;
    /* The rest is for later measurements, and for restoring the fields. */
    m->until = m->begun + 0.6 * seconds_left(sim, sim->tuning.evaluation);
    SLUICE_TRY(try_all(m));
    SLUICE_TRY(confirm(m));
    print(m);
    set_choice(found, &m->candidate[m->best].choice);
    if (sim->config->backend.auto_cache && !m->incomplete && sluice_world()->rank == 0)
        sluice_choice_cache_keep(key, found, sim->log);
    snprintf(why, 128, "measured in %.3g s", sluice_seconds() - m->begun);
    return SLUICE_OK;
}

/* The planes between ranks stay, so that each rank keeps its particles. */
static void fix_planes(const struct sluice_sim *sim, int fixed)
{
    if (sim->backend.domain)
        sim->backend.domain->fixed = fixed;
}

/* Begins a measurement. dt becomes 0, so that forces are those of the present state, and its time
 * counts in no section. */
static sluice_status begin(struct sluice_sim *sim, struct measurement **out)
{
    struct measurement *m;
    SLUICE_ALLOCATE(m, 1, "measurement of strategies");
    if (sluice_passes_create(&m->flight.passes, sim->flight[0].passes.most) != SLUICE_OK) {
        free(m);
        return SLUICE_DEVICE;
    }
    m->sim = sim;
    m->best = -1;
    m->begun = sluice_seconds();
    m->dt = sim->model.dt;
    m->timers = sim->timers;
    sim->model.dt = 0;
    sim->timers.mark = NULL;
    fix_planes(sim, 1);
    *out = m;
    return SLUICE_OK;
}

static void end(struct measurement *m)
{
    m->sim->model.dt = m->dt;
    m->sim->timers = m->timers;
    fix_planes(m->sim, 0);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
            free(m->saved[t][f]);
    sluice_passes_destroy(&m->flight.passes);
    free(m->flight.gone.particle);
    free(m);
}

sluice_status sluice_tune_time(struct sluice_sim *sim, const struct sluice_choice *choice,
                               double *seconds)
{
    struct measurement *m;
    double least = INFINITY;
    SLUICE_TRY(begin(sim, &m));
    sluice_tune_use(sim, choice);
    sluice_status status = time_it(m, WARM, &least);
    if (status == SLUICE_OK)
        status = evaluate(m, seconds);
    end(m);
    return status;
}

static sluice_status decide_and_restore(struct measurement *m, struct sluice_choice *found,
                                        char why[128])
{
    struct sluice_sim *sim = m->sim;
    const struct sluice_choice now = *found;
    SLUICE_TRY(copy_saved(m, 0));
    const sluice_status status = decide(m, found, why);
    sluice_tune_use(sim, &now);
    SLUICE_TRY(status);
    SLUICE_TRY(sluice_sim_sort(sim, &m->flight));
    SLUICE_TRY(sim->backend.ops->sync(&sim->backend));
    return copy_saved(m, 1);
}

sluice_status sluice_tune_measure(struct sluice_sim *sim, struct sluice_choice *found,
                                  char why[128])
{
    struct measurement *m;
    SLUICE_TRY(begin(sim, &m));
    sluice_status status = decide_and_restore(m, found, why);
    double took = sluice_seconds() - m->begun;
    if (status == SLUICE_OK)
        status = take_slowest(&took, 1);
    sim->tuning.seconds += took;
    end(m);
    return status;
}
