#include "app/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* A handler can reach nothing but these. */
static volatile sig_atomic_t stop_asked, stop_received, checkpoint_asked, quietly;

static void ask_to_stop(void)
{
    static const char said[] =
        "\nsluice: finishing the step and writing a checkpoint; once more ends at once\n";
    const int saved = errno; /* of what the signal interrupts */
    if (!stop_asked && !quietly) {
        const ssize_t written = write(STDERR_FILENO, said, sizeof said - 1);
        (void)written; /* nothing can be done about it here */
    }
    stop_asked = 1;
    errno = saved;
}

static void stop(int signal_number)
{
    if (stop_received)
        _exit(128 + signal_number);
    stop_received = 1;
    ask_to_stop();
}

/* Where a session ends, the kernel, the shell and the session's manager may each send a signal: a
 * SIGHUP never ends the run, and neither does a SIGTERM after it. */
static void hang_up(int signal_number)
{
    (void)signal_number;
    ask_to_stop();
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
    action.sa_flags = SA_RESTART; /* half-written files are finished */
    action.sa_handler = handler;
    sigaction(signal_number, &action, NULL);
}

void sluice_signals_begin(void)
{
    handle(SIGUSR1, checkpoint);
    /* A reader that went away is an error of writing, not the end of a run. A file that reaches the
     * limit on its size is an error with a message, as a full disk is. */
    handle(SIGPIPE, SIG_IGN);
    handle(SIGXFSZ, SIG_IGN);
}

void sluice_signals_catch(int quiet)
{
    struct sigaction before;
    quietly = quiet;
    handle(SIGINT, stop);
    handle(SIGTERM, stop);
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) /* nohup */
        handle(SIGHUP, hang_up);
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
