#include "app/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Handlers may use only such variables. */
static volatile sig_atomic_t stop_asked, stop_received, checkpoint_asked, quietly, preparing;
static char new_file[4096]; /* written before `preparing` is set */

static void say(const char *text)
{
    if (!quietly) {
        const ssize_t written = write(STDERR_FILENO, text, strlen(text));
        (void)written; /* a failure cannot be reported here */
    }
}

/* Before the first step there is nothing to save. */
static void ask_to_stop(int signal_number)
{
    const int saved = errno; /* of the interrupted code */
    if (preparing) {
        if (new_file[0])
            unlink(new_file);
        say("\nsluice: stopped before the first step: nothing was computed\n");
        _exit(128 + signal_number);
    }
    if (!stop_asked)
        say("\nsluice: finishing the step and writing a checkpoint; once more ends at once\n");
    stop_asked = 1;
    errno = saved;
}

static void stop(int signal_number)
{
    if (stop_received)
        _exit(128 + signal_number);
    stop_received = 1;
    ask_to_stop(signal_number);
}

/* At the end of a session, the kernel, the shell and the session manager may each send a signal. So
 * a SIGHUP never ends the steps at once, and the first SIGTERM after it does not either. */
static void hang_up(int signal_number)
{
    ask_to_stop(signal_number);
}

static void checkpoint(int signal_number)
{
    (void)signal_number;
    checkpoint_asked = 1;
}

static void handle(int signal_number, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART; /* interrupted writes go on */
    action.sa_handler = handler;
    sigaction(signal_number, &action, NULL);
}

void sluice_signals_begin(void)
{
    handle(SIGUSR1, checkpoint);
    /* A pipe without a reader, or a file at its size limit, is a write error with a message, as a
     * full disk is. */
    handle(SIGPIPE, SIG_IGN);
    handle(SIGXFSZ, SIG_IGN);
}

void sluice_signals_catch(int quiet)
{
    struct sigaction before;
    quietly = quiet;
    handle(SIGINT, stop);
    handle(SIGTERM, stop);
    handle(SIGUSR2, hang_up); /* from mpirun, to all ranks */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup */
        handle(SIGHUP, hang_up);
}

void sluice_signals_prepare(const char *file)
{
    snprintf(new_file, sizeof new_file, "%s", file ? file : "");
    preparing = 1;
}

void sluice_signals_prepared(void *data)
{
    (void)data;
    preparing = 0;
}

int sluice_signals_stop(void *data)
{
    (void)data;
    return stop_asked;
}

int sluice_signals_checkpoint(void *data)
{
    (void)data;
    const int asked = checkpoint_asked;
    checkpoint_asked = 0;
    return asked;
}
