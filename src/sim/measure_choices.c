/* A look: times a sort and the forces, with one choice of strategy and bins after another.
 *
 * The forces are those of the present state (dt = 0), which depend on places, velocities and
 * densities alone, so that they can be computed again and again. They overwrite a, a(n-1), R and
 * R(n-1) of the step. So these are saved on the host first, in the order of the old bins; at the
 * end the particles return to that order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/version.h"
#include "sim/choice_cache.h"
#include "kernels/backends.h"
#include "sim/sim.h"
#include "sim/sim_internal.h"

enum { CANDIDATES = 24, WARM = 3, TIMED = 5, TURNS = 2, SAVED = 4 };

enum { ROWS_MOST = 6 }; /* of a cutoff: a GPU takes no more, and finer ones do not pay */

enum verdict { UNTRIED, FAILED, SLOW, TIMED_FULLY };

struct candidate {
    struct sluice_choice choice; /* strategy and bins */
    double seconds;              /* the least */
    enum verdict verdict;
};

struct look {
    struct sluice_sim *sim;
    struct sluice_flight flight; /* of its evaluations */
    struct candidate candidate[CANDIDATES];
    int count, best;     /* best: -1: none yet */
    double begun, until; /* on sluice_seconds()' clock */
    double wall;         /* of the last evaluation, on that clock */
    double longest;      /* first evaluation of a candidate, which may have loaded its kernels */
    void *saved[SLUICE_TYPE_COUNT][SAVED];
};

/* --- Fields that the forces overwrite --- */

static const enum sluice_field saved_fields[SAVED] = {SLUICE_FIELD_ACCELERATION,
                                                      SLUICE_FIELD_ACCELERATION_OLD,
                                                      SLUICE_FIELD_RATE, SLUICE_FIELD_RATE_OLD};

static size_t bytes_of(const struct sluice_set *set, int k)
{
    return set->field[saved_fields[k]]
               ? (size_t)(set->count * sluice_set_field_bytes(set, saved_fields[k]))
               : 0;
}

static sluice_status save(struct look *look)
{
    struct sluice_backend *b = &look->sim->backend;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        for (int k = 0; k < SAVED; k++) {
            const struct sluice_set *set = &look->sim->set[t];
            const size_t bytes = bytes_of(set, k);
            if (bytes == 0)
                continue;
            look->saved[t][k] = malloc(bytes);
            SLUICE_CHECK(look->saved[t][k], SLUICE_DEVICE,
                         "no memory to keep %zu bytes; backend.auto_share = 0 needs none", bytes);
            SLUICE_TRY(b->ops->download(b, look->saved[t][k], set->field[saved_fields[k]], bytes));
        }
    return SLUICE_OK;
}

static sluice_status bring_back(struct look *look)
{
    struct sluice_backend *b = &look->sim->backend;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        for (int k = 0; k < SAVED; k++)
            if (look->saved[t][k])
                SLUICE_TRY(b->ops->upload(b, look->sim->set[t].field[saved_fields[k]],
                                          look->saved[t][k], bytes_of(&look->sim->set[t], k)));
    return SLUICE_OK;
}

/* --- The clock --- */

/* On the host this is the processor time of the process, which hardly depends on other programs. */
static double seconds_now(const struct look *look)
{
    struct timespec now;
    if (!look->sim->backend.ops->on_host || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0)
        return sluice_seconds();
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Times a sort and the forces. After a failure, too, it waits until the queue is empty. */
static sluice_status evaluate(struct look *look, double *seconds)
{
    struct sluice_sim *sim = look->sim;
    const double begun = seconds_now(look), wall = sluice_seconds();
    const int sums = sim->model.pair_energy;
    sim->model.pair_energy = sim->config->energy.every == 1; /* energies as in most steps */
    sluice_status status = sluice_sim_sort(sim, &look->flight);
    if (status == SLUICE_OK)
        status = sim->model.ops->forces(&sim->model, &sim->backend, &sim->grid,
                                        &look->flight.passes);
    sim->model.pair_energy = sums;
    const sluice_status synced = sim->backend.ops->sync(&sim->backend);
    *seconds = seconds_now(look) - begun;
    look->wall = sluice_seconds() - wall;
    return status == SLUICE_OK ? synced : status;
}

static int lasts_twice(const struct look *look, double seconds)
{
    return look->best >= 0 && seconds > 2 * look->candidate[look->best].seconds;
}

/* Evaluates the present choice so many times. *seconds becomes the least of them and of itself. */
static sluice_status time_it(struct look *look, int times, double *seconds)
{
    for (int k = 0; k < times; k++) {
        double now;
        SLUICE_TRY(evaluate(look, &now));
        *seconds = fmin(*seconds, now);
    }
    return SLUICE_OK;
}

/* Warms up, then times a candidate. The least time counts, since disturbances only add to it. Gives
 * up if the first timed evaluation takes twice as long as the best, or if the first sort in the new
 * bins took twenty times as long. */
static sluice_status measure(struct look *look, struct candidate *c)
{
    sluice_tune_use(look->sim, &c->choice);
    c->verdict = SLOW;
    c->seconds = INFINITY;
    SLUICE_TRY(time_it(look, look->best < 0 ? WARM : 1, &c->seconds));
    look->longest = fmax(look->longest, look->wall);
    if (lasts_twice(look, c->seconds / 10))
        return SLUICE_OK;
    c->seconds = INFINITY;
    SLUICE_TRY(time_it(look, 1, &c->seconds));
    if (lasts_twice(look, c->seconds))
        return SLUICE_OK;
    SLUICE_TRY(time_it(look, TIMED - 1, &c->seconds));
    c->verdict = TIMED_FULLY;
    return SLUICE_OK;
}

/* Tries a candidate, if there is time even when its first evaluation takes as long as the longest
 * so far. A candidate that does not fit is left out; only for the first one is that an error. */
static sluice_status try_candidate(struct look *look, struct candidate *c)
{
    if (look->best >= 0 && sluice_seconds() + look->longest > look->until)
        return SLUICE_OK;
    const sluice_status status = measure(look, c);
    if (status != SLUICE_OK) {
        c->verdict = FAILED;
        if (look->best < 0)
            return status;
        sluice_log_detail(look->sim->log, "auto: %s: %s",
                          sluice_strategies[c->choice.strategy].name, sluice_message());
    }
    if (c->verdict == TIMED_FULLY &&
        (look->best < 0 || c->seconds < look->candidate[look->best].seconds))
        look->best = (int)(c - look->candidate);
    return SLUICE_OK;
}

/* Times the best and the first candidate, the present choice, in turn, because the machine may have
 * become slower or faster in the meantime. The best is taken only if it is faster by more than the
 * clock's noise. */
static sluice_status confirm(struct look *look)
{
    struct candidate *both[] = {&look->candidate[0], &look->candidate[look->best]};
    const double gain = 1 - look->sim->backend.ops->timing_noise;
    double seconds[2] = {INFINITY, INFINITY};
    for (int k = 0; k < 2 * TURNS && look->best > 0; k++) {
        double warm = INFINITY;
        sluice_tune_use(look->sim, &both[k % 2]->choice);
        SLUICE_TRY(time_it(look, 1, &warm));
        SLUICE_TRY(time_it(look, 2, &seconds[k % 2]));
    }
    if (look->best == 0)
        return SLUICE_OK;
    both[0]->seconds = seconds[0];
    both[1]->seconds = seconds[1];
    if (!(seconds[1] < gain * seconds[0]))
        look->best = 0;
    return SLUICE_OK;
}

/* --- Candidates --- */

static sluice_status try_choice(struct look *look, int strategy, const int log2[3])
{
    for (int k = 0; k < look->count; k++)
        if (look->candidate[k].choice.strategy == strategy &&
            memcmp(look->candidate[k].choice.bins_log2, log2, 3 * sizeof *log2) == 0)
            return SLUICE_OK;
    if (look->count == CANDIDATES)
        return SLUICE_OK;
    struct candidate *c = &look->candidate[look->count++];
    memset(c, 0, sizeof *c);
    c->choice.strategy = strategy;
    memcpy(c->choice.bins_log2, log2, sizeof c->choice.bins_log2);
    return try_candidate(look, c);
}

/* Rows of bins that a cutoff spans. */
static double rows_of_cutoff(const struct sluice_grid *g, const int log2[3])
{
    double most = 0;
    for (int c = 1; c < g->dimension; c++)
        most = fmax(most, g->cutoff / g->width[c] * (1 << log2[c]));
    return most;
}

/* The best candidate of strategy window so far; -1: none. */
static int best_with_windows(const struct look *look)
{
    int best = -1;
    for (int k = 0; k < look->count; k++)
        if (look->candidate[k].choice.strategy == SLUICE_STRATEGY_window &&
            look->candidate[k].verdict == TIMED_FULLY &&
            (best < 0 || look->candidate[k].seconds < look->candidate[best].seconds))
            best = k;
    return best;
}

/* Tries the best candidate of strategy window in other bins: x and yz are added to their log2. */
static sluice_status try_bins(struct look *look, int x, int yz)
{
    const struct sluice_grid *g = &look->sim->grid;
    const int best = best_with_windows(look);
    if (best < 0)
        return SLUICE_OK;
    const struct sluice_choice from = look->candidate[best].choice;
    int log2[3] = {from.bins_log2[0] + x, from.bins_log2[1] + yz,
                   g->dimension == 3 ? from.bins_log2[2] + yz : 0};
    if (sluice_tune_bins_are_given(look->sim) || log2[0] < 0 || log2[1] < 0 || log2[2] < 0 ||
        rows_of_cutoff(g, log2) > ROWS_MOST)
        return SLUICE_OK;
    return try_choice(look, from.strategy, log2);
}

static sluice_status try_all(struct look *look)
{
    struct sluice_sim *sim = look->sim;
    struct sluice_choice listed[SLUICE_TUNE_CHOICES];
    const int count = sluice_tune_choices(sim, listed);
    SLUICE_TRY(try_choice(look, listed[0].strategy, listed[0].bins_log2));
    const int before = best_with_windows(look);
    SLUICE_TRY(try_bins(look, 0, -1));
    if (best_with_windows(look) == before)
        SLUICE_TRY(try_bins(look, 0, 1));
    for (int k = 1; k < count; k++)
        SLUICE_TRY(try_choice(look, listed[k].strategy, listed[k].bins_log2));
    if (!sim->backend.ops->tunes_x)
        return SLUICE_OK;
    SLUICE_TRY(try_bins(look, -1, 0));
    return try_bins(look, 1, 0);
}

/* --- The cache --- */

/* The class of a number; from one class to the next it grows by a quarter. */
static int class_of(double x)
{
    return x > 0 ? (int)rint(log(x) / log(1.25)) : 0;
}

/* The key under which a choice is kept: program, device, pairs, precision, dimension, frames, and
 * the classes of the number of particles and of their density. */
static void make_key(const struct look *look, const struct sluice_choice *cells,
                     char key[SLUICE_CACHE_KEY])
{
    const struct sluice_sim *sim = look->sim;
    size_t used = 0;
    const char *separator = "";
    double frame[3]; /* in cutoffs */
    for (int c = 0; c < 3; c++)
        frame[c] = c < sim->grid.dimension ? sim->grid.width[c] / sim->grid.cutoff : 0;
    used += (size_t)snprintf(key, SLUICE_CACHE_KEY, "%s, %s, sluice %s %s, threads %lld, ",
                             sim->backend.ops->name, sim->backend.isa, sluice_version.version,
                             sluice_version.revision, sim->config->backend.threads);
    for (int p = 0; p < look->flight.passes.count && used < SLUICE_CACHE_KEY / 2; p++) {
        const struct sluice_pass *pass = &look->flight.passes.pass[p];
        used += (size_t)snprintf(key + used, SLUICE_CACHE_KEY - used, "%s%s%s", separator,
                                 sluice_pairs[pass->pair].name, pass->energy ? " E" : "");
        separator = "+";
    }
    snprintf(key + used, SLUICE_CACHE_KEY - used,
             ", %d-D, %d bytes, frames %.3g %.3g %.3g, bins %lld %lld %lld, particles %d %d, cells "
             "%d %d",
             sim->config->dimension, sim->backend.real_bytes, frame[0], frame[1], frame[2],
             sim->config->backend.bins[0], sim->config->backend.bins[1],
             sim->config->backend.bins[2], class_of((double)sim->count[SLUICE_FLUID]),
             class_of((double)sim->count[SLUICE_WALL]), class_of(cells->mean),
             class_of((double)cells->fullest));
    for (char *c = key; *c; c++)
        *c = *c == '\t' || *c == '\n' ? ' ' : *c;
}

/* --- The look --- */

/* Writes the table to the log file alone: it is too long for a terminal. */
static void print(const struct look *look)
{
    static const char *const words[] = {"not tried: no time is left", "does not fit", "s, dropped",
                                        "s"};
    const struct sluice_sim *sim = look->sim;
    sluice_log_detail(sim->log, "auto: %-16s %-14s a sort and forces", "strategy", "bins a frame");
    for (int k = 0; k < look->count; k++) {
        const struct candidate *c = &look->candidate[k];
        char bins[64], seconds[32] = "";
        snprintf(bins, sizeof bins, "%d x %d x %d", 1 << c->choice.bins_log2[0],
                 1 << c->choice.bins_log2[1], 1 << c->choice.bins_log2[2]);
        if (c->verdict >= SLOW)
            snprintf(seconds, sizeof seconds, "%.3e ", c->seconds);
        sluice_log_detail(sim->log, "auto: %-16s %-14s %s%s%s",
                          sluice_strategies[c->choice.strategy].name, bins, seconds,
                          words[c->verdict], k == look->best ? ", taken" : "");
    }
}

/* Whether every candidate was tried. */
static int is_complete(const struct look *look)
{
    for (int k = 0; k < look->count; k++)
        if (look->candidate[k].verdict == UNTRIED)
            return 0;
    return 1;
}

/* The seconds that are left for looks, if an evaluation takes so long. */
static double seconds_left(const struct sluice_sim *sim, double evaluation)
{
    const struct sluice_tuning *t = &sim->tuning;
    const double steps = fmax((double)t->planned, (double)sim->step);
    return sim->config->backend.auto_share * steps * evaluation - t->seconds;
}

int sluice_look_pays(const struct sluice_sim *sim)
{
    const double evaluation = sim->tuning.evaluation;
    return seconds_left(sim, evaluation) >= 2 * (WARM + TIMED) * evaluation;
}

/* Decides: by the cache if it has the key, else by measuring the present choice and all others. */
static sluice_status decide(struct look *look, struct sluice_choice *found, char why[128])
{
    struct sluice_sim *sim = look->sim;
    const int caches = sim->config->backend.auto_cache;
    struct sluice_choice cached, now = *found;
    double seconds;
    char key[SLUICE_CACHE_KEY];
    look->until = INFINITY;
    SLUICE_TRY(evaluate(look, &seconds)); /* fills the passes, which are part of the key */
    if (sim->tuning.seconds ==
        0) /* the device has now loaded its kernels, as the first step would */
        look->begun = sluice_seconds();
    make_key(look, found, key);
    if (caches && sluice_choice_cache_find(key, &cached, sim->log) &&
        sluice_tune_is_possible(sim, &cached)) {
        found->strategy = cached.strategy;
        memcpy(found->bins_log2, cached.bins_log2, sizeof found->bins_log2);
        snprintf(why, 128, "as an earlier run found");
        SLUICE_TRY(evaluate(look, &seconds)); /* warm: its time limits later looks */
        sim->tuning.evaluation = look->wall;
        return SLUICE_OK;
    }
    SLUICE_TRY(try_choice(look, now.strategy, now.bins_log2));
    sim->tuning.evaluation = look->wall;
    /* The rest is for later looks, and for restoring the overwritten fields. */
    look->until = look->begun + 0.6 * seconds_left(sim, sim->tuning.evaluation);
    SLUICE_TRY(try_all(look));
    SLUICE_TRY(confirm(look));
    print(look);
    const struct candidate *best = &look->candidate[look->best];
    found->strategy = best->choice.strategy;
    memcpy(found->bins_log2, best->choice.bins_log2, sizeof found->bins_log2);
    if (caches && is_complete(look))
        sluice_choice_cache_keep(key, found, sim->log);
    snprintf(why, 128, "measured in %.3g s", sluice_seconds() - look->begun);
    return SLUICE_OK;
}

sluice_status sluice_look_time(struct sluice_sim *sim, const struct sluice_choice *choice,
                               double *seconds)
{
    const double dt = sim->model.dt;
    struct look *look = calloc(1, sizeof *look);
    SLUICE_CHECK(look, SLUICE_DEVICE, "no memory to measure strategies");
    look->sim = sim;
    look->best = -1;
    sim->model.dt = 0;
    sluice_tune_use(sim, choice);
    double least = INFINITY;
    sluice_status status = time_it(look, WARM, &least);
    if (status == SLUICE_OK)
        status = evaluate(look, seconds);
    sim->model.dt = dt;
    free(look->flight.removed.particle);
    free(look);
    return status;
}

static sluice_status look_around(struct look *look, struct sluice_choice *found, char why[128])
{
    struct sluice_sim *sim = look->sim;
    const struct sluice_choice now = *found;
    const double dt = sim->model.dt;
    SLUICE_TRY(save(look));
    sim->model.dt = 0;
    const sluice_status status = decide(look, found, why);
    sim->model.dt = dt;
    sluice_tune_use(sim, &now);
    SLUICE_TRY(status);
    SLUICE_TRY(sluice_sim_sort(sim, &look->flight));
    SLUICE_TRY(sim->backend.ops->sync(&sim->backend));
    return bring_back(look);
}

sluice_status sluice_look(struct sluice_sim *sim, struct sluice_choice *found, char why[128])
{
    struct sluice_tuning *t = &sim->tuning;
    const struct sluice_timers timers = sim->timers;
    struct look *look = calloc(1, sizeof *look);
    SLUICE_CHECK(look, SLUICE_DEVICE, "no memory to measure strategies");
    look->sim = sim;
    look->best = -1;
    look->begun = sluice_seconds();
    sim->timers.mark = NULL;
    const sluice_status status = look_around(look, found, why);
    sim->timers = timers; /* looks count in no section */
    t->seconds += sluice_seconds() - look->begun;
    for (int s = 0; s < SLUICE_TYPE_COUNT; s++)
        for (int k = 0; k < SAVED; k++)
            free(look->saved[s][k]);
    free(look->flight.removed.particle);
    free(look);
    return status;
}
