/* The program: hands the table of verbs to the parser and runs the verb that was typed. Only main
 * exits (but for a second signal): core/status.h has the exit codes; 130 and 143: a second signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/completion.h"
#include "app/help.h"
#include "app/signals.h"
#include "app/verbs.h"
#include "core/colour.h"
#include "core/json.h"
#include "domain/comm.h"
#include "domain/launch.h"

/* If descriptor 0, 1 or 2 is closed, the next open file would get that number, and our output would
 * go into that file. Such descriptors are opened the wrong way round, so that using them fails. */
static void keep_standard_streams(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        if (fcntl(descriptor, F_GETFD) == -1)
            (void)open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
    }
}

static void print_error(const char *message)
{
    fprintf(stderr, "sluice: %serror:%s %s\n", sluice_colour_begin(stderr, SLUICE_RED),
            sluice_colour_end(stderr), message);
}

/* With --json, errors are an object, too. A blown-up run has printed its own. */
static void print_json_error(const struct sluice_arguments *arguments, sluice_status status)
{
    const struct sluice_verb *verb = arguments->verb;
    struct sluice_json json = {.out = stdout};
    const int is_run = verb->run == sluice_verb_run || verb->run == sluice_verb_restart;
    if (!arguments->given[SLUICE_OPTION_JSON] || (is_run && status == SLUICE_BLOW_UP))
        return;
    sluice_json_begin(&json, NULL, '{');
    sluice_json_text(&json, "verb", verb->name);
    sluice_json_text(&json, "ended", "failed");
    sluice_json_int(&json, "exit", status);
    sluice_json_text(&json, "error", sluice_message()[0] ? sluice_message() : "see standard error");
    sluice_json_end(&json, '{');
}

/* Whether mpirun may have started several programs with these words. */
static int has_ranks(const struct sluice_arguments *arguments)
{
    return !arguments->verb || sluice_verb_option(arguments->verb, SLUICE_OPTION_RANKS).name;
}

static sluice_status run_verb(const struct sluice_arguments *arguments)
{
    if (arguments->given[SLUICE_OPTION_HELP]) {
        sluice_help_verb(stdout, arguments->verb);
        return SLUICE_OK;
    }
    const sluice_status status = arguments->verb->run(arguments);
    if (status != SLUICE_OK && status != SLUICE_STOPPED && status != SLUICE_FAILED_CHECK) {
        sluice_ranks_fail(status, 0);
        if (sluice_message()[0])
            print_error(sluice_message());
        print_json_error(arguments, status);
    }
    return status;
}

/* Whether standard output is a pipe whose reader has closed it, as `less` does when the user quits.
 */
static int reader_left(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* Lost output is an error (SLUICE_IO), unless `status` is a worse one. */
static sluice_status flush_output(sluice_status status)
{
    const int before = ferror(stdout);
    errno = 0;
    /* Some disks report only at the close that they are full. */
    const int arrived = fflush(stdout) == 0 && !before && fclose(stdout) == 0;
    if (arrived || (status != SLUICE_OK && status != SLUICE_FAILED_CHECK))
        return status;
    if (!reader_left()) {
        char message[256];
        snprintf(message, sizeof message, "standard output cannot be written%s%s",
                 errno ? ": " : "", errno ? strerror(errno) : "");
        print_error(message);
    }
    return SLUICE_IO;
}

int main(int argc, char **argv)
{
    struct sluice_arguments arguments;
    sluice_signals_begin();
    keep_standard_streams();
    if (argc < 2) {
        sluice_help_overview(stderr, sluice_verbs, sluice_verb_count);
        return SLUICE_BAD_INPUT;
    }
    if (strcmp(argv[1], "--complete") == 0) {
        sluice_complete(stdout, sluice_verbs, sluice_verb_count, argc - 2, argv + 2);
        return (int)flush_output(SLUICE_OK);
    }
    sluice_status status = sluice_arguments_parse(&arguments, sluice_verbs, sluice_verb_count, argc,
                                                  argv);
    if (status == SLUICE_OK) {
        status = run_verb(&arguments);
    } else {
        sluice_ranks_fail(status, has_ranks(&arguments));
        print_error(sluice_message());
    }
    const int first = sluice_world()->rank == 0;
    const sluice_status flushed = flush_output(status);
    sluice_ranks_leave(status, flushed);
    return first ? (int)flushed : 0; /* mpirun reports the first rank that fails */
}
