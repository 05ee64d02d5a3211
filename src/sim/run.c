#include "sim/tune.h"
#include "sim/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/threads.h"
#include "domain/launch.h"
#include "files/run_files.h"
#include "snapshots/checkpoint.h"
#include "files/safe_file.h"
#include "probes/probe_report.h"
#include "sim/output.h"
#include "sim/sim_internal.h"

enum { PATH_SIZE = 4096 };

/* Everything that a run owns: finish() frees it. */
struct run {
    const struct sluice_run_options *options;
    struct sluice_case setup;
    struct sluice_sim sim;
    struct sluice_output output;
    int has_setup, has_sim;
    int stop, checkpoint; /* requested, and not done yet */
    int ids_end;          /* 1: a checkpoint was asked for, since ids may end in the next step */
    struct sluice_run_result *result;
};

static sluice_status write_config(const struct run *run)
{
    char path[PATH_SIZE];
    const char *text = sluice_config_text(run->options->config);
    if (sluice_world()->rank > 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_run_file_path(run->options->folder, "config.cfg", path, sizeof path));
    return sluice_safe_file_write(path, text, strlen(text));
}

static void log_line_by_line(struct sluice_log *log, char *text)
{
    static const char mark[] = "warning: "; /* the log writes its own */
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        sluice_log_warning(
            log, "%s", strncmp(line, mark, sizeof mark - 1) == 0 ? line + sizeof mark - 1 : line);
}

static sluice_status create_case(struct run *run)
{
    char *text = NULL;
    size_t size = 0;
    FILE *warnings = open_memstream(&text, &size);
    SLUICE_CHECK(warnings, SLUICE_DEVICE, "no memory for the case's warnings");
    struct sluice_log *log = run->options->log;
    sluice_status status = sluice_case_create_on(&run->setup, run->options->config, warnings,
                                                 log ? log->terminal : NULL);
    run->has_setup = status == SLUICE_OK;
    if (status == SLUICE_OK)
        status = sluice_probes_check(&run->setup, warnings);
    fclose(warnings);
    log_line_by_line(log, text);
    free(text);
    return status;
}

static sluice_status create(struct run *run)
{
    SLUICE_TRY(create_case(run));
    run->has_sim = 1;
    SLUICE_TRY(sluice_sim_create(&run->sim, run->options->config, &run->setup, run->options->log));
    if (run->options->ahead > 0 && !run->sim.changes)
        run->sim.ahead = run->options->ahead < SLUICE_IN_FLIGHT ? run->options->ahead
                                                                : SLUICE_IN_FLIGHT;
    sluice_log_line(run->options->log, "backend %s (%s), precision %s", run->sim.backend.ops->name,
                    run->sim.backend.isa, run->sim.backend.real_bytes == 8 ? "double" : "float");
    if (sluice_world()->size > 1)
        sluice_log_line(run->options->log, "%d ranks, this one with %d thread%s",
                        sluice_world()->size, sluice_threads_count(run->sim.backend.team),
                        sluice_threads_count(run->sim.backend.team) == 1 ? "" : "s");
    if (*sluice_threads_shortage(run->sim.backend.team))
        sluice_log_warning(run->options->log, "%s", sluice_threads_shortage(run->sim.backend.team));
    SLUICE_TRY(sluice_ranks_watch(run->options->config->backend.patience));
    sluice_tune_begin(&run->sim, 0);
    if (run->sim.backend.passed_over[0])
        sluice_log_line(run->options->log, "backend auto passed over %s",
                        run->sim.backend.passed_over);
    return sluice_output_create(&run->output, &run->sim);
}

/* Writes the surroundings of a blow-up to blow_up.csv, if any fluid is left. The message of the
 * failure stays the last one. */
static void dump(struct run *run)
{
    char path[PATH_SIZE], message[2048];
    if (run->sim.count[SLUICE_FLUID] == 0)
        return;
    snprintf(message, sizeof message, "%s", sluice_message());
    snprintf(path, sizeof path, "%s/blow_up.csv", run->options->folder);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    sluice_status status = sluice_sim_dump(&run->sim, out);
    if (fclose(out) != 0 && status == SLUICE_OK)
        status = SLUICE_FAIL(SLUICE_DEVICE, "no memory");
    if (status == SLUICE_OK && sluice_world()->rank == 0)
        status = sluice_safe_file_write(path, text, size);
    if (status == SLUICE_OK)
        sluice_log_line(run->options->log, "the surroundings of the particle are in %s", path);
    else
        sluice_log_warning(run->options->log, "the surroundings of the particle are not kept: %s",
                           sluice_message());
    free(text);
    (void)SLUICE_FAIL(SLUICE_BLOW_UP, "%s", message);
}

static int is_requested(int (*question)(void *), void *data)
{
    return question && question(data);
}

/* Whether a checkpoint would hold the energies of its step. Before ids run out no further step is
 * sure, so that checkpoint has the energies of the last row. */
static int has_energies(const struct run *run)
{
    const struct sluice_sim *sim = &run->sim;
    return sim->energy_step == sim->step ||
           (run->checkpoint && !run->stop && sluice_sim_ids_end(sim));
}

/* For sim->queue_limit. On a request no step is queued but one that sums energies. */
static int64_t queue_limit(const struct run *run)
{
    const struct sluice_sim *sim = &run->sim;
    if (!run->stop && !run->checkpoint)
        return sluice_output_queue_limit(&run->output, sim);
    return sim->queued > sim->step ? sim->queued : sim->step + 1;
}

/* Writes a requested checkpoint, or stops, as soon as no step is under way and energies are known.
 */
static sluice_status serve_requests(struct run *run)
{
    const struct sluice_run_hooks *hooks = &run->options->hooks;
    struct sluice_sim *sim = &run->sim;
    run->stop |= sluice_comm_any(sluice_world(), is_requested(hooks->stop, hooks->data));
    run->checkpoint |= sluice_comm_any(sluice_world(),
                                       is_requested(hooks->checkpoint, hooks->data) ||
                                           sluice_output_checkpoint_due(&run->output, sim) ||
                                           (!run->ids_end && sluice_sim_ids_end(sim)));
    run->ids_end |= sluice_sim_ids_end(sim);
    if (sim->queued > sim->step || !has_energies(run) || !(run->stop || run->checkpoint))
        return SLUICE_OK;
    SLUICE_TIMED(&sim->timers, OUTPUT, sluice_output_checkpoint(&run->output, sim));
    run->checkpoint = 0;
    if (run->stop)
        return SLUICE_FAIL(SLUICE_STOPPED,
                           "stopped on request at step %lld, t = %.9g, with a checkpoint; "
                           "`sluice restart %s` goes on",
                           (long long)sim->step, sim->time, run->options->folder);
    return SLUICE_OK;
}

static sluice_status loop(struct run *run)
{
    struct sluice_run_result *result = run->result;
    const double begun = sluice_seconds();
    const struct sluice_run_hooks *hooks = &run->options->hooks;
    struct sluice_sim *sim = &run->sim;
    sluice_sim_choose_threads(sim);
    while (!sluice_sim_finished(sim)) {
        sim->queue_limit = queue_limit(run);
        SLUICE_TRY(sluice_sim_step(sim));
        if (!run->stop && !run->checkpoint && !sluice_output_needs_particles(&run->output, sim)) {
            sim->queue_limit = queue_limit(run);
            SLUICE_TRY(sluice_sim_queue(sim));
        }
        SLUICE_TIMED(&sim->timers, OUTPUT, sluice_output_write(&run->output, sim));
        result->fluid_steps += (double)sim->count[SLUICE_FLUID];
        result->particle_steps += (double)(sim->count[SLUICE_FLUID] + sim->count[SLUICE_WALL]);
        result->stepping_seconds = sluice_seconds() - begun;
        if (hooks->progress)
            hooks->progress(hooks->data, sim);
        SLUICE_TRY(serve_requests(run));
    }
    if (sim->config->output.keep > 0)
        SLUICE_TIMED(&sim->timers, OUTPUT, sluice_output_checkpoint(&run->output, sim));
    else
        sluice_log_line(sim->log, "output.keep is 0: no checkpoint of the end to go on from");
    return sluice_sim_log_most_memory(sim);
}

/* Counts the pairs after the last step: counting overwrites fields. A failure does not fail the
 * run; but one of several ranks leaves the others waiting. */
static sluice_status count_pairs(struct run *run, sluice_status status)
{
    struct sluice_run_result *result = run->result;
    sluice_status counted = SLUICE_OK;
    result->pairs[0] = run->sim.pairs_at_start;
    if ((status == SLUICE_OK || status == SLUICE_STOPPED) && result->steps > 0)
        counted = sluice_sim_count_pairs(&run->sim, &result->pairs[1], NULL);
    if (counted != SLUICE_OK)
        result->pairs[1] = 0;
    return sluice_world()->size > 1 ? counted : SLUICE_OK;
}

static void report(struct run *run, int64_t first_step, double begun)
{
    const struct sluice_sim *sim = &run->sim;
    struct sluice_run_result *result = run->result;
    result->steps = sim->step - first_step;
    result->fluid = sim->count[SLUICE_FLUID];
    result->particles = result->fluid + sim->count[SLUICE_WALL];
    result->time = sim->time;
    result->wall_seconds = sluice_seconds() - begun;
    sluice_sim_sections(sim, result->seconds);
    result->timed_steps = sim->backend.ops && sim->backend.ops->elapsed ? sim->timed_steps : -1;
    result->budget = sim->now;
    result->reference_energy = sim->reference_energy;
    result->max_residual = run->output.max_residual;
    result->max_identity = run->output.max_identity;
    if (sim->model.energy && sluice_sim_finished(sim)) {
        result->max_residual = sluice_larger_residual(result->max_residual, sim->now.residual);
        result->max_identity = fmax(result->max_identity, fabs(sim->now.identity));
    }
    result->removed = sim->flow_particles[SLUICE_FLOW_REMOVED];
    result->density_sums = result->steps > 0 ? sim->density_sums / (double)result->steps : 0;
    result->negative_count = sim->negative_count;
    sluice_bodies_report(&sim->model.bodies, sim->log);
    result->ranks = sluice_world()->size;
    memcpy(result->messages, sim->backend.messages, sizeof result->messages);
    if (sim->backend.domain && sim->backend.domain->mean > 0)
        result->busiest_rank = sim->backend.domain->busiest / sim->backend.domain->mean;
    result->verdict = !sim->model.energy || !(sim->reference_energy > 0)
                          ? -1
                          : result->max_residual <=
                                run->options->config->energy.tolerance * sim->reference_energy;
}

/* Runs from the present step on, reports, and frees everything; but nothing of several ranks that
 * end at once. */
static sluice_status finish(struct run *run, sluice_status status, double begun)
{
    const int64_t first_step = run->sim.step;
    if (status == SLUICE_OK)
        status = loop(run);
    if (status == SLUICE_BLOW_UP && run->has_sim)
        dump(run);
    if (run->has_sim)
        report(run, first_step, begun);
    if (sluice_ranks_end(status))
        return status;
    char message[2048];
    snprintf(message, sizeof message, "%s", sluice_message());
    const sluice_status counted = run->has_sim ? count_pairs(run, status) : SLUICE_OK;
    const sluice_status closed = sluice_output_close(&run->output);
    if (run->has_sim)
        sluice_sim_destroy(&run->sim);
    if (run->has_setup)
        sluice_case_destroy(&run->setup);
    SLUICE_TRY(counted);
    /* Only the first failure is reported. */
    return status == SLUICE_OK ? closed : SLUICE_FAIL(status, "%s", message);
}

/* Logs the path of messages between GPUs, and lets the hook know that the steps can begin. */
static void say_prepared(const struct run *run)
{
    const struct sluice_run_hooks *hooks = &run->options->hooks;
    if (*run->sim.backend.messages)
        sluice_log_line(run->options->log, "GPUs send %s", run->sim.backend.messages);
    if (hooks->prepared)
        hooks->prepared(hooks->data);
}

static sluice_status start(struct run *run)
{
    SLUICE_TRY(create(run));
    SLUICE_TRY(sluice_tune_replay(&run->sim, run->options->replay, run->options->replay_count, -1));
    run->sim.counts_pairs = 1;
    SLUICE_TRY(sluice_sim_start(&run->sim));
    say_prepared(run);
    SLUICE_TRY(write_config(run));
    SLUICE_TRY(sluice_output_open(&run->output, &run->sim, run->options->folder, 0));
    sluice_log_line(run->options->log,
                    "%lld fluid and %lld wall particles, %.0f pairs a step; first time step %.6g s",
                    (long long)run->sim.count[SLUICE_FLUID], (long long)run->sim.count[SLUICE_WALL],
                    run->sim.pairs_at_start, run->sim.dt_next);
    sluice_case_log_bodies(run->sim.setup, run->options->log);
    sluice_case_log_waves(run->sim.setup, run->options->log);
    SLUICE_TRY(sluice_sim_log_memory(&run->sim));
    return sluice_output_write(&run->output, &run->sim);
}

sluice_status sluice_run(const struct sluice_run_options *options, struct sluice_run_result *result)
{
    const double begun = sluice_seconds();
    struct run run = {.options = options, .result = result};
    *result = (struct sluice_run_result){.verdict = -1};
    return finish(&run, start(&run), begun);
}

/* Replays the choices that the stopped run made after its checkpoint. */
static sluice_status replay_own(struct run *run)
{
    char path[PATH_SIZE];
    struct sluice_choice *choices;
    int count, unread; /* a run that was killed may have cut its last line off */
    SLUICE_TRY(sluice_run_file_path(run->options->folder, "log.txt", path, sizeof path));
    if (!run->sim.tuning.is_auto || access(path, R_OK) != 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_choices_read(path, &choices, &count, &unread));
    const sluice_status status = sluice_tune_replay(&run->sim, choices, count, run->sim.step);
    free(choices);
    return status;
}

static sluice_status restore(struct run *run, struct sluice_checkpoint *checkpoint)
{
    int64_t step;
    SLUICE_TRY(sluice_checkpoint_ints(checkpoint, "Step", &step, 1));
    SLUICE_TRY(sluice_ranks_agree(SLUICE_OK, (uint64_t)step, "checkpoint"));
    SLUICE_TRY(create(run));
    SLUICE_TRY(sluice_state_restore(&run->output, &run->sim, checkpoint));
    SLUICE_TRY(replay_own(run));
    say_prepared(run);
    if (!sluice_sim_finished(&run->sim)) /* a finished run keeps its config */
        SLUICE_TRY(write_config(run));
    SLUICE_TRY(sluice_output_open(&run->output, &run->sim, run->options->folder, 1));
    if (sluice_sim_finished(&run->sim))
        sluice_log_line(
            run->options->log,
            "nothing is left to do: the run ended at step %lld, t = %.9g; with %s it goes on",
            (long long)run->sim.step, run->sim.time,
            sluice_time_reached(run->sim.time, run->options->config->time.end)
                ? "a later --set time.end=SECONDS"
                : "--set time.max_steps=0");
    else
        sluice_log_line(run->options->log, "going on at step %lld, t = %.9g",
                        (long long)run->sim.step, run->sim.time);
    return SLUICE_OK;
}

static sluice_status open_newest(const char *folder, struct sluice_log *log,
                                 struct sluice_checkpoint **checkpoint)
{
    char *text = NULL;
    size_t size = 0;
    FILE *warnings = open_memstream(&text, &size);
    SLUICE_CHECK(warnings, SLUICE_DEVICE, "no memory for warnings");
    const sluice_status status = sluice_checkpoint_open_newest(checkpoint, folder, warnings);
    fclose(warnings);
    log_line_by_line(log, text);
    free(text);
    return status;
}

sluice_status sluice_run_restart(const struct sluice_run_options *options,
                                 struct sluice_run_result *result)
{
    const double begun = sluice_seconds();
    struct run run = {.options = options, .result = result};
    struct sluice_checkpoint *checkpoint = NULL;
    *result = (struct sluice_run_result){.verdict = -1};
    SLUICE_TRY(open_newest(options->folder, options->log, &checkpoint));
    const sluice_status status = restore(&run, checkpoint);
    sluice_checkpoint_close(&checkpoint);
    return finish(&run, status, begun);
}

/* Whether a restart may change the key of "path=value". */
static int may_change(const char *set)
{
    static const char *const allowed[] = {
        "time.end=",        "time.max_steps=", "output.",
        "backend.threads=", "backend.device=", "backend.share_devices="};
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        if (strncmp(set, allowed[i], strlen(allowed[i])) == 0)
            return 1;
    return 0;
}

/* Refuses an end that the run has already passed. */
static sluice_status check_ends(const struct sluice_checkpoint *checkpoint,
                                const struct sluice_config *config, const char *const *set,
                                int set_count)
{
    double time, dt;
    int64_t step;
    SLUICE_TRY(sluice_checkpoint_reals(checkpoint, "Time", &time, 1));
    SLUICE_TRY(sluice_checkpoint_reals(checkpoint, "TimeStep", &dt, 1));
    SLUICE_TRY(sluice_checkpoint_ints(checkpoint, "Step", &step, 1));
    for (int i = 0; i < set_count; i++) {
        SLUICE_CHECK(strncmp(set[i], "time.end=", 9) != 0 || config->time.end > time - dt,
                     SLUICE_BAD_INPUT,
                     "--set %s: the run has passed that, its checkpoint is of t = %.9g s; give a "
                     "later time",
                     set[i], time);
        SLUICE_CHECK(strncmp(set[i], "time.max_steps=", 15) != 0 || config->time.max_steps == 0 ||
                         config->time.max_steps >= step,
                     SLUICE_BAD_INPUT,
                     "--set %s: the run has passed that, its checkpoint is of step %lld; give a "
                     "larger number, or 0 for no limit",
                     set[i], (long long)step);
    }
    return SLUICE_OK;
}

sluice_status sluice_run_read_config(const char *folder, const char *const *set, int set_count,
                                     struct sluice_config *config, FILE *errors)
{
    struct sluice_checkpoint *checkpoint = NULL;
    for (int i = 0; i < set_count; i++)
        SLUICE_CHECK(may_change(set[i]), SLUICE_BAD_INPUT,
                     "--set %s: a restart goes on to the same bits, so only time.end, "
                     "time.max_steps, output.*, backend.threads, backend.device and "
                     "backend.share_devices may change; start a new run for the rest",
                     set[i]);
    SLUICE_TRY(open_newest(folder, NULL, &checkpoint));
    sluice_status status = sluice_config_parse(config, sluice_checkpoint_config(checkpoint),
                                               "the checkpoint's config", set, set_count, errors);
    if (status == SLUICE_OK) {
        status = check_ends(checkpoint, config, set, set_count);
        if (status != SLUICE_OK)
            sluice_config_destroy(config);
    }
    sluice_checkpoint_close(&checkpoint);
    return status;
}
