/* test: 1 s */
/* A close that fails, as it does when a quota or a network's disk is full. After writing it means
 * lost bytes: the verb ends with an error. After reading it means nothing.
 *
 * The close and fclose of this program replace those of the C library, also for HDF5. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "app/verbs.h"
#include "support/run_fixture.h"
#include "support/tap.h"

enum failing { NONE, ONE_WRITTEN, ALL_READ };

static enum failing failing;
static int target;        /* which close of a written file fails, from 1 */
static atomic_int closes; /* of the kind that may fail, so far */
static char victim[256];  /* the file whose close failed */

/* Whether this close of a descriptor has to fail. */
static int fails(int descriptor)
{
    struct stat about;
    char link[64], name[200] = "";
    const int saved = errno, flags = fcntl(descriptor, F_GETFL);
    int answer = 0;
    if (failing != NONE && flags >= 0 && fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode)) {
        const int written = (flags & O_ACCMODE) != O_RDONLY;
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        if (readlink(link, name, sizeof name - 1) < 0 || strstr(name, "/.lock") ||
            written != (failing == ONE_WRITTEN)) /* a lock's content is no result */
            answer = 0;
        else
            answer = ++closes == target || failing == ALL_READ;
    }
    if (answer)
        snprintf(victim, sizeof victim, "%s", name);
    errno = saved;
    return answer;
}

int close(int descriptor)
{
    const int failed = fails(descriptor);
    const int result = (int)syscall(SYS_close, descriptor);
    if (failed)
        errno = EIO;
    return failed ? -1 : result;
}

int fclose(FILE *stream)
{
    static int (*real)(FILE *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "fclose");
    const int descriptor = fileno(stream);
    const int failed = descriptor >= 0 && fails(descriptor);
    const int result = real(stream);
    if (failed)
        errno = EIO;
    return failed ? EOF : result;
}

static const char *folder;

static const char config[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.02; gravity = [0.0, -9.81];\n"
    "domain = { min = [0.0, 0.0]; max = [0.4, 0.3]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.1, 0.2]; },\n"
    "             { shape = \"walls\"; sides = [\"x-\", \"x+\", \"y-\"]; } );\n"
    "probes = ( { name = \"front\"; kind = \"front\"; axis = \"x\"; above = 0.01; every = 0.001; } "
    ");\n"
    "time = { end = 1.0; max_steps = 3; }; output = { every = 0.001; };\n"
    "energy = { tolerance = 1.0; };\n"
    "backend = { name = \"cpu\"; strategy = \"window\"; threads = 1; };\n";

static void in_folder(const char *format)
{
    char command[3000];
    snprintf(command, sizeof command, format, folder, folder, folder);
    if (system(command) != 0)
        abort();
}

/* Runs a verb on folder/out. */
static sluice_status run_verb(char *verb, char *first, char *second, char *third)
{
    char *argv[] = {"sluice", verb, first, second, third, "--quiet", "--force"};
    struct sluice_arguments arguments;
    const int is_run = strcmp(verb, "run") == 0;
    atomic_store(&closes, 0);
    victim[0] = '\0';
    if (sluice_arguments_parse(&arguments, sluice_verbs, sluice_verb_count, is_run ? 7 : 6, argv) !=
        SLUICE_OK)
        return SLUICE_BAD_INPUT;
    return arguments.verb->run(&arguments);
}

static sluice_status new_run(void)
{
    char from[600], to[600];
    snprintf(from, sizeof from, "%s/dam.cfg", folder);
    snprintf(to, sizeof to, "%s/out", folder);
    in_folder("rm -rf '%s/out'");
    return run_verb("run", from, "--out", to);
}

static sluice_status new_restart(void)
{
    char path[600];
    snprintf(path, sizeof path, "%s/out", folder);
    in_folder("rm -rf '%s/out' && cp -r '%s/begun' '%s/out'");
    return run_verb("restart", path, "--set", "time.max_steps=6");
}

/* Every close of a written file fails once. */
static void check_written(const char *name, sluice_status (*verb)(void))
{
    int noticed = 0;
    failing = ONE_WRITTEN;
    target = 0;
    is_int(verb(), SLUICE_OK, name);
    const int all = closes;
    ok(all >= 6, "%s closes %d files that it has written", name, all);
    for (target = 1; target <= all; target++) {
        const sluice_status status = verb();
        noticed += status == SLUICE_IO && strstr(sluice_message(), strrchr(folder, '/'));
        if (status != SLUICE_IO)
            diag("%s: the close of %s went unnoticed: %d", name, victim, (int)status);
    }
    failing = NONE;
    is_int(noticed, all, "each that fails is an error that names the file");
}

static void check_read(const char *name, sluice_status (*verb)(void))
{
    failing = ALL_READ;
    const sluice_status status = verb();
    failing = NONE;
    is_int(status, SLUICE_OK, name);
    ok(closes > 0, "though %d closes of files that were read fail", closes);
}

int main(void)
{
    char path[600];
    folder = fixture_folder();
    snprintf(path, sizeof path, "%s/dam.cfg", folder);
    FILE *file = fopen(path, "w");
    fputs(config, file);
    fclose(file);
    is_int(new_run(), SLUICE_OK, "a run");
    in_folder("cp -r '%s/out' '%s/begun'");
    check_written("run", new_run);
    check_written("restart", new_restart);
    check_read("run", new_run);
    check_read("restart", new_restart);
    in_folder("rm -f '%s/out'/.lock");
    fixture_remove(folder);
    return done_testing();
}
