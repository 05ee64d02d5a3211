#include "domain/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/allocate.h"
#include "core/timer.h"
#include "core/version.h"
#include "domain/comm.h"

/* The seconds that rank 0 has to say what all ranks have found, before another one does. */
enum { GRACE = 2, MESSAGE = 4096 };

/* The streams of a rank that is silent. */
static int standard_output = STDOUT_FILENO, standard_error = STDERR_FILENO;

/* Where mpirun and srun say how many programs they started. */
static const char *const counts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};

/* How many; 0: they say nothing. */
static long programs(const char **variable)
{
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const char *count = getenv(counts[i]);
        *variable = counts[i];
        if (count && strtol(count, NULL, 10) > 0)
            return strtol(count, NULL, 10);
    }
    return 0;
}

static void silence(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0)
        return;
    fflush(stdout);
    standard_output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    standard_error = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

/* --- mpirun --- */

/* Whether mpirun is OpenMPI's, whose options and signals differ from those of others. */
static int find_openmpi(void)
{
    char line[256] = "", command[4096];
    snprintf(command, sizeof command, "%s --version 2>/dev/null", sluice_version.mpirun);
    FILE *out = popen(command, "re");
    if (!out)
        return 0;
    if (!fgets(line, sizeof line, out))
        line[0] = '\0';
    pclose(out);
    return strstr(line, "Open MPI") != NULL;
}

/* The words before the program's own. MPICH's mpirun needs no others. OpenMPI refuses more ranks
 * than processors, and root, unless an option allows it, and it binds each rank to one processor.
 */
static int mpirun_words(const char **word, const char *ranks, int is_openmpi)
{
    int n = 0;
    word[n++] = sluice_version.mpirun;
    word[n++] = "-n";
    word[n++] = ranks;
    if (!is_openmpi)
        return n;
    word[n++] = "--oversubscribe";
    word[n++] = "--bind-to";
    word[n++] = "none";
    if (geteuid() == 0)
        word[n++] = "--allow-run-as-root";
    return n;
}

/* Set where --ranks has started mpirun, so that no rank does so again: to the name of a file, into
 * which the first rank writes its exit status. MPICH's mpirun may exit with 0 instead, after it has
 * passed on a signal. */
#define STARTED "SLUICE_RANKS_STARTED"

/* `asks` is a signal that mpirun passes on to its ranks, and that asks them for a stop. OpenMPI
 * kills them after a SIGTERM, before they have written their checkpoint; MPICH's mpirun dies of a
 * SIGUSR2. */
static volatile sig_atomic_t mpirun_id, asks, asked, stops;

/* As for one program: a SIGHUP asks, the first SIGINT or SIGTERM does, too, and the second ends. */
static void pass_on(int number)
{
    if (number == SIGUSR1) {
        kill(mpirun_id, SIGUSR1);
    } else if (number != SIGHUP && stops++ > 0) {
        kill(mpirun_id, SIGTERM);
    } else if (!asked) {
        asked = 1;
        kill(mpirun_id, asks);
    }
}

static void become_mpirun(const char **word)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    setpgid(0, 0); /* Ctrl-C is for the program that passes it on */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    execvp(word[0], (char *const *)(void *)word);
    dprintf(STDERR_FILENO,
            "sluice: error: --ranks: %s cannot be started: %s; start the ranks by the mpirun of "
            "this build's MPI, without --ranks\n",
            word[0], strerror(errno));
    _exit(SLUICE_DEVICE);
}

/* mpirun's exit status, unless it is 0 and the first rank has written another one. */
static int read_code(const char *report, int ended)
{
    int code = WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended);
    FILE *file = fopen(report, "re");
    if (file) {
        if (code == 0)
            (void)!fscanf(file, "%d", &code);
        fclose(file);
        unlink(report);
    }
    return code;
}

static void write_code(int code)
{
    const char *report = getenv(STARTED);
    const int file = report ? open(report, O_WRONLY | O_CLOEXEC) : -1;
    if (file < 0) /* another host, where mpirun's status must do */
        return;
    dprintf(file, "%d\n", code);
    close(file);
}

/* Runs mpirun, passes signals on to it, and exits as the ranks do. */
static sluice_status run_mpirun(const char **word, int is_openmpi)
{
    static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    char report[] = "/tmp/sluice-XXXXXX";
    int ended = 0;
    const int file = mkstemp(report);
    if (file >= 0)
        close(file);
    setenv(STARTED, report, 1);
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        become_mpirun(word);
    if (child < 0)
        unlink(report);
    SLUICE_CHECK(child > 0, SLUICE_DEVICE, "--ranks: %s cannot be started: %s", word[0],
                 strerror(errno));
    mpirun_id = child;
    asks = is_openmpi ? SIGUSR2 : SIGTERM;
    for (size_t k = 0; k < sizeof passed / sizeof *passed; k++)
        signal(passed[k], pass_on);
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
        ;
    exit(read_code(report, ended));
}

static sluice_status start_ranks(long long ranks, char *const *argv)
{
    enum { WORDS = 12 };
    char number[32], self[4096];
    const char **word;
    int words = 0;
    SLUICE_CHECK(sluice_comm_has_mpi(), SLUICE_BAD_INPUT,
                 "--ranks %lld: this build has no MPI, build it with `make MPI=1`", ranks);
    while (argv[words])
        words++;
    SLUICE_ALLOCATE(word, words + WORDS + 1, "words of a command");
    snprintf(number, sizeof number, "%lld", ranks);
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    const int is_openmpi = find_openmpi();
    int n = mpirun_words(word, number, is_openmpi);
    word[n++] = length > 0 ? self : argv[0];
    for (int k = 1; k < words; k++)
        word[n++] = argv[k];
    const sluice_status status = run_mpirun(word, is_openmpi);
    free(word);
    return status;
}

int sluice_ranks_started(void)
{
    const char *variable;
    return programs(&variable) > 1 || getenv(STARTED);
}

sluice_status sluice_ranks_join(long long ranks, char *const *argv)
{
    const char *variable;
    const long count = programs(&variable);
    SLUICE_CHECK(count > 0 || !getenv(STARTED), SLUICE_BAD_INPUT,
                 "--ranks: this mpirun does not say in the environment how many programs it starts "
                 "(%s, %s, %s): start them with another MPI's mpirun",
                 counts[0], counts[1], counts[2]);
    if (ranks > 1 && count < 2) /* a batch system's shell may be a step of one task */
        return start_ranks(ranks, argv);
    if (count < 2)
        return SLUICE_OK;
    SLUICE_CHECK(
        sluice_comm_has_mpi(), SLUICE_BAD_INPUT,
        "mpirun or srun started %ld programs (%s), and each would run the whole case, for this "
        "build has no MPI: build it with `make MPI=1`, or start one, by `srun -n 1`, `mpirun -n 1` "
        "or neither. To run several cases at once, unset %s, %s and %s",
        count, variable, counts[0], counts[1], counts[2]);
    setenv("NO_COLOR", "1", 1); /* OpenMPI gives ranks a terminal, even if the user has a file */
    SLUICE_TRY(sluice_comm_open());
    const struct sluice_comm *world = sluice_world();
    SLUICE_CHECK(
        world->size == count, SLUICE_BAD_INPUT,
        "mpirun or srun started %ld programs (%s), but this one's MPI knows of %d: start it "
        "with %s, or with `srun --mpi=pmix` (OpenMPI) or `srun --mpi=pmi2` (MPICH)",
        count, variable, world->size, sluice_version.mpirun);
    SLUICE_CHECK(ranks == 0 || ranks == count, SLUICE_BAD_INPUT,
                 "--ranks %lld: mpirun or srun started %ld programs (%s): give one number", ranks,
                 count, variable);
    if (world->rank > 0)
        silence();
    return SLUICE_OK;
}

/* --- A rank that does not answer --- */

#define TICK 0.2 /* s */

static double patience;

/* The wait of one thread for other ranks. */
struct wait {
    const struct sluice_comm *comm;
    double since, waited; /* in ticks: a suspended job waits for nobody */
};

static void tick(struct wait *wait)
{
    const double waiting = sluice_comm_waiting(wait->comm);
    wait->waited = waiting > 0 && waiting == wait->since ? wait->waited + TICK : 0;
    wait->since = waiting;
}

static void *watch(void *data)
{
    const struct sluice_comm *world = data;
    struct wait steps = {.comm = world}, output = {.comm = sluice_output_world()};
    for (;;) {
        tick(&steps);
        tick(&output);
        if (steps.waited > patience || output.waited > patience) {
            dprintf(
                standard_error,
                "sluice: rank %d: error: it has waited %.0f s for other ranks, one of which makes "
                "no progress; backend.patience is the limit. The last checkpoint is good\n",
                world->rank, patience);
            _exit(SLUICE_DEVICE); /* mpirun ends the others */
        }
        usleep((useconds_t)(1e6 * TICK));
    }
    return NULL;
}

sluice_status sluice_ranks_watch(double seconds)
{
    pthread_t thread;
    if (sluice_world()->size == 1 || seconds <= 0)
        return SLUICE_OK;
    patience = seconds;
    SLUICE_CHECK(pthread_create(&thread, NULL, watch, sluice_world()) == 0, SLUICE_DEVICE,
                 "a thread that watches the other ranks cannot be started");
    pthread_detach(thread);
    return SLUICE_OK;
}

/* Signals do not shorten it: mpirun sends some to the ranks that it ends. */
static void wait_for_first(int seconds)
{
    const double until = sluice_seconds() + seconds;
    while (sluice_seconds() < until)
        usleep(10000);
}

sluice_status sluice_ranks_agree(sluice_status status, uint64_t number, const char *what)
{
    struct sluice_comm *world = sluice_world();
    const int failed = sluice_comm_any(world, status != SLUICE_OK);
    SLUICE_TRY(status);
    if (failed) { /* it says why */
        wait_for_first(2 * GRACE);
        return SLUICE_FAIL(SLUICE_DEVICE, "another rank has failed");
    }
    SLUICE_CHECK(sluice_comm_same(world, number), SLUICE_BAD_INPUT,
                 "the ranks do not have the same %s", what);
    return SLUICE_OK;
}

int sluice_ranks_end(sluice_status status)
{
    return sluice_world()->size > 1 && status != SLUICE_OK && status != SLUICE_STOPPED &&
           status != SLUICE_FAILED_CHECK && status != SLUICE_BLOW_UP;
}

/* Gives this rank's streams back. */
static void end_silence(void)
{
    fflush(stdout);
    dup2(standard_output, STDOUT_FILENO);
    dup2(standard_error, STDERR_FILENO);
}

void sluice_ranks_fail(sluice_status status, int joins)
{
    const char *variable;
    char message[MESSAGE];
    const struct sluice_comm *world = sluice_world();
    snprintf(message, sizeof message, "%s", sluice_message());
    if (joins && world->size == 1 && programs(&variable) > 1 && sluice_comm_has_mpi())
        (void)sluice_comm_open();
    if (world->rank > 0 && sluice_ranks_end(status)) {
        wait_for_first(GRACE);
        end_silence();
        (void)SLUICE_FAIL(status, "rank %d: %s", world->rank, message);
    } else {
        (void)SLUICE_FAIL(status, "%s", message);
    }
}

void sluice_ranks_leave(sluice_status status, int code)
{
    struct sluice_comm *world = sluice_world();
    if (sluice_ranks_end(status))
        world->ops->end_all(world, status);
    if (world->size > 1 && world->rank == 0)
        write_code(code);
    sluice_comm_close();
}
