/* sluice run, sluice restart: prepare the folder and the log, run, and report. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/config_from_options.h"
#include "app/progress.h"
#include "app/run_folder.h"
#include "app/run_report.h"
#include "app/signals.h"
#include "app/verbs.h"
#include "core/hash.h"
#include "core/processors.h"
#include "core/version.h"
#include "domain/comm.h"
#include "domain/launch.h"
#include "files/run_files.h"

enum { PATH_SIZE = 4096 };

/* The folder of --out, or out/ and the name of the config file without its extension. */
static sluice_status choose_folder(const struct sluice_arguments *arguments, char *path,
                                   size_t size)
{
    const char *given = arguments->value[SLUICE_OPTION_OUT];
    int length;
    if (given) {
        length = snprintf(path, size, "%s", given);
    } else {
        const char *config = arguments->positional[0], *slash = strrchr(config, '/');
        const char *name = slash ? slash + 1 : config, *dot = strrchr(name, '.');
        const int letters = (int)(dot && dot != name ? (size_t)(dot - name) : strlen(name));
        length = snprintf(path, size, "out/%.*s", letters, name);
    }
    SLUICE_CHECK(length > 0 && (size_t)length < size, SLUICE_BAD_INPUT,
                 "the folder's name is too long: choose one with --out");
    while (length > 1 && path[length - 1] == '/')
        path[--length] = '\0';
    return SLUICE_OK;
}

static sluice_status join_ranks(const struct sluice_arguments *arguments)
{
    long long ranks;
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_RANKS, 1, 0, &ranks));
    const int processors = sluice_processors_usable();
    if (ranks > processors && !sluice_ranks_started() && !arguments->given[SLUICE_OPTION_QUIET])
        fprintf(stderr,
                "sluice: warning: --ranks %lld: this host has %d processor%s to use; ranks that "
                "share one wait for each other, and take far longer than fewer ranks would\n",
                ranks, processors, processors == 1 ? "" : "s");
    return sluice_ranks_join(ranks, arguments->argv);
}

/* A restart appends to the log: it must be a run's log, a regular file with one name. */
static sluice_status check_log(int file, const char *path)
{
    struct stat about;
    SLUICE_CHECK(fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink <= 1 &&
                     sluice_run_file_begins_so(file, "log.txt"),
                 SLUICE_IO,
                 "%s is not the log of a run, or has other names (hard links), and the restart "
                 "would write into it: move it away",
                 path);
    return SLUICE_OK;
}

/* The log of a new run is a new file. Links are never followed. */
static sluice_status open_log(struct sluice_log *log, const char *folder, int restarted)
{
    char path[PATH_SIZE];
    SLUICE_TRY(sluice_run_file_path(folder, "log.txt", path, sizeof path));
    const int file = open(path,
                          O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC |
                              (restarted ? O_APPEND : O_EXCL),
                          0666);
    SLUICE_CHECK(file >= 0 || errno != ELOOP, SLUICE_IO,
                 "%s is a symbolic link, and the run would write into its target: move it away",
                 path);
    SLUICE_CHECK(file >= 0, SLUICE_IO, "%s cannot be written: %s", path, strerror(errno));
    const sluice_status status = restarted ? check_log(file, path) : SLUICE_OK;
    if (status == SLUICE_OK && (log->file = fdopen(file, restarted ? "a" : "w")))
        return SLUICE_OK;
    const int cause = errno;
    close(file);
    SLUICE_TRY(status);
    return SLUICE_FAIL(SLUICE_IO, "%s cannot be written: %s", path, strerror(cause));
}

/* Lost lines are an error, unless the run itself failed. */
static sluice_status close_log(struct sluice_log *log, const char *folder, sluice_status status)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/log.txt", folder);
    const int deleted = access(path, F_OK) != 0 && errno == ENOENT;
    const int lost = ferror(log->file) != 0;
    const int failed = fclose(log->file) != 0;
    if (status != SLUICE_OK && status != SLUICE_FAILED_CHECK)
        return status;
    SLUICE_CHECK(!deleted, SLUICE_IO,
                 "%s was deleted while the run wrote it: its lines are lost, the run is done",
                 path);
    SLUICE_CHECK(!lost && !failed, SLUICE_IO, "%s could not be written in full: is the disk full?",
                 path);
    return status;
}

/* The terminal has had the config's warnings when the config was read. */
static void log_warnings(struct sluice_log *log, const char *warnings)
{
    for (const char *line = warnings; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        sluice_log_detail(log, "%.*s", (int)strcspn(line, "\n"), line);
    }
}

/* The energy verdict counts if the run reached its end. */
static sluice_status judge(sluice_status status, const struct sluice_run_result *result)
{
    return status == SLUICE_OK && result->verdict == 0 ? SLUICE_FAILED_CHECK : status;
}

typedef sluice_status runner(const struct sluice_run_options *options,
                             struct sluice_run_result *result);

/* Runs as a rank that writes nothing and reports nothing. */
static sluice_status follow(struct sluice_run_options options, runner *run)
{
    struct sluice_log log = {0};
    struct sluice_run_result result = {.verdict = -1};
    sluice_signals_catch(1);
    sluice_signals_prepare(NULL);
    options.log = &log;
    options.hooks.stop = sluice_signals_stop;
    options.hooks.checkpoint = sluice_signals_checkpoint;
    options.hooks.prepared = sluice_signals_prepared;
    return judge(run(&options, &result), &result);
}

/* Runs in a locked folder and reports how the run ended. Makes the log and the hooks; the other
 * options are the caller's. `warnings` of the config, or NULL, go to the log. */
static sluice_status run_and_report(struct sluice_run_options options, const char *warnings,
                                    const struct sluice_arguments *arguments, runner *run)
{
    const char *folder = options.folder;
    const int json = arguments->given[SLUICE_OPTION_JSON],
              quiet = arguments->given[SLUICE_OPTION_QUIET];
    struct sluice_log log = {.terminal = quiet || json ? NULL : stderr};
    struct sluice_progress progress;
    struct sluice_run_result result = {.verdict = -1};
    char path[PATH_SIZE];
    if (sluice_world()->rank > 0)
        return follow(options, run);
    sluice_signals_catch(quiet || json);
    SLUICE_TRY(open_log(&log, folder, run == sluice_run_restart));
    snprintf(path, sizeof path, "%s/log.txt", folder);
    sluice_signals_prepare(run == sluice_run_restart ? NULL : path);
    sluice_progress_create(&progress, &log, !quiet && !json && isatty(STDERR_FILENO));
    log.before_terminal = sluice_progress_clear;
    log.before_data = &progress;
    sluice_log_line(&log, "sluice %s, revision %s, %s", sluice_version.version,
                    sluice_version.revision, sluice_version.compiler);
    if (options.config->title[0])
        sluice_log_line(&log, "%s", options.config->title);
    log_warnings(&log, warnings);

    options.log = &log;
    options.hooks = (struct sluice_run_hooks){&progress, sluice_progress_step, sluice_signals_stop,
                                              sluice_signals_checkpoint, sluice_signals_prepared};
    const sluice_status status = judge(run(&options, &result), &result);
    sluice_signals_prepared(NULL);
    sluice_progress_clear(&progress);

    const struct sluice_run_report report = {arguments->verb->name, folder, options.config, &result,
                                             status};
    const int ran = status == SLUICE_OK || status == SLUICE_FAILED_CHECK ||
                    status == SLUICE_STOPPED;
    if (ran)
        sluice_run_report_text(&report, log.file);
    else
        fprintf(log.file, "error: %s\n", sluice_message());
    if (json && (ran || status == SLUICE_BLOW_UP))
        sluice_run_report_json(&report, stdout);
    else if (ran && !quiet)
        sluice_run_report_text(&report, stdout);
    else if (status == SLUICE_FAILED_CHECK && !json)
        sluice_run_report_verdict(&report, stderr);
    return close_log(&log, folder, status);
}

/* Reads the choices of --replay before the folder is cleared, since the log may be in it. */
static sluice_status read_replay(const struct sluice_arguments *arguments,
                                 struct sluice_choice **replay, int *count)
{
    const char *log = arguments->value[SLUICE_OPTION_REPLAY];
    int unread;
    *replay = NULL;
    *count = 0;
    if (!log)
        return SLUICE_OK;
    SLUICE_TRY(sluice_choices_read(log, replay, count, &unread));
    SLUICE_CHECK(unread == 0, SLUICE_BAD_INPUT,
                 "--replay %s:%d: this choice of auto cannot be repeated: the strategy must be one "
                 "of this program, the bins powers of 2, and the line whole",
                 log, unread);
    SLUICE_CHECK(*count > 0, SLUICE_BAD_INPUT,
                 "--replay %s: it holds no choice of auto; give the log.txt of a run with "
                 "backend.strategy = \"auto\"",
                 log);
    return SLUICE_OK;
}

/* Pictures of the run before would stand beside the snapshots of this one. */
static sluice_status warn_of_pictures(const struct sluice_run_folder *folder)
{
    struct sluice_run_folder_pictures pictures;
    SLUICE_TRY(sluice_run_folder_pictures(folder, &pictures));
    if (pictures.count > 0)
        fprintf(stderr,
                "sluice: warning: --force keeps pictures and movies in %s (%d: %s%s): they do not "
                "show this run; draw them anew, or remove them\n",
                folder->path, pictures.count, pictures.names, pictures.count > 4 ? ", ..." : "");
    return SLUICE_OK;
}

static sluice_status run_in_folder(const struct sluice_arguments *arguments,
                                   struct sluice_run_options options, const char *warnings)
{
    struct sluice_run_folder folder;
    if (sluice_world()->rank > 0)
        return run_and_report(options, warnings, arguments, sluice_run);
    SLUICE_TRY(sluice_run_folder_create(&folder, options.folder));
    sluice_status status = sluice_run_folder_clear(
        &folder, options.config, arguments->positional[0], arguments->given[SLUICE_OPTION_FORCE]);
    if (status == SLUICE_OK && arguments->given[SLUICE_OPTION_FORCE] &&
        !arguments->given[SLUICE_OPTION_QUIET])
        status = warn_of_pictures(&folder);
    if (status == SLUICE_OK)
        status = run_and_report(options, warnings, arguments, sluice_run);
    sluice_run_folder_unlock(&folder);
    return status;
}

/* The data that all ranks must have in common. */
static uint64_t digest_of(const struct sluice_config *config)
{
    const char *text = sluice_config_text(config), *revision = sluice_version.revision;
    return sluice_hash(sluice_hash(SLUICE_HASH_BEGIN, text, strlen(text)), revision,
                       strlen(revision));
}

sluice_status sluice_verb_run(const struct sluice_arguments *arguments)
{
    char path[PATH_SIZE], *warnings = NULL;
    struct sluice_config config;
    struct sluice_choice *replay = NULL;
    struct sluice_run_options options = {.config = &config, .folder = path};
    SLUICE_TRY(join_ranks(arguments));
    SLUICE_TRY(choose_folder(arguments, path, sizeof path));
    sluice_status status = sluice_config_file_with_options(&config, arguments->positional[0],
                                                           arguments, &warnings);
    if (status == SLUICE_OK) {
        status = read_replay(arguments, &replay, &options.replay_count);
        options.replay = replay;
        status = sluice_ranks_agree(status, digest_of(&config), "config and version");
        if (status == SLUICE_OK)
            status = run_in_folder(arguments, options, warnings);
        free(replay);
        sluice_config_destroy(&config);
    }
    free(warnings);
    return status;
}

sluice_status sluice_verb_restart(const struct sluice_arguments *arguments)
{
    const char *path = arguments->positional[0];
    struct sluice_run_folder folder;
    struct sluice_config config;
    struct sluice_config_options o;
    char *warnings = NULL;
    SLUICE_TRY(join_ranks(arguments));
    const int locks = sluice_world()->rank == 0;
    if (locks)
        SLUICE_TRY(sluice_run_folder_lock(&folder, path));
    sluice_status status = sluice_config_options_begin(&o, arguments);
    if (status == SLUICE_OK) {
        status = sluice_run_read_config(path, o.set, o.count, &config, o.messages);
        status = sluice_config_options_end(&o, status, path, &warnings);
    }
    if (status == SLUICE_OK) {
        const struct sluice_run_options options = {.config = &config, .folder = path};
        status = sluice_ranks_agree(status, digest_of(&config), "config and version");
        if (status == SLUICE_OK)
            status = run_and_report(options, warnings, arguments, sluice_run_restart);
        sluice_config_destroy(&config);
    }
    free(warnings);
    if (locks)
        sluice_run_folder_unlock(&folder);
    return status;
}
