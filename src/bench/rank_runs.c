#define _GNU_SOURCE
#include "bench/rank_runs.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

sluice_status sluice_bench_folder_create(struct sluice_bench_folder *folder)
{
    const char *base = getenv("TMPDIR");
    const int length = snprintf(folder->path, sizeof folder->path, "%s/sluice-bench-XXXXXX",
                                base && *base ? base : "/tmp");
    SLUICE_CHECK(length < (int)sizeof folder->path && mkdtemp(folder->path), SLUICE_IO,
                 "bench: no folder can be made for its runs, %s: %s; TMPDIR names another place",
                 folder->path, strerror(errno));
    return SLUICE_OK;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *walk)
{
    (void)about, (void)type, (void)walk;
    return remove(path);
}

void sluice_bench_folder_remove(const struct sluice_bench_folder *folder)
{
    nftw(folder->path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* --- The report of a run --- */

/* The number of a key of JSON text, which has the key once; 0: it has none. */
static double number_of(const char *json, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(json, quoted);
    return at ? strtod(at + strlen(quoted), NULL) : 0;
}

static sluice_status read_result(const char *json, int ranks, struct sluice_bench_rank_run *run)
{
    const double steps = number_of(json, "steps");
    SLUICE_CHECK(steps > 0 && number_of(json, "ranks") == ranks, SLUICE_DEVICE,
                 "bench: the run on %d ranks made %.0f steps on %.0f", ranks, steps,
                 number_of(json, "ranks"));
    *run = (struct sluice_bench_rank_run){.seconds = number_of(json, "seconds") / steps,
                                          .particles = number_of(json, "particles"),
                                          .pairs = number_of(json, "pairs_at_start"),
                                          .busiest = number_of(json, "busiest_rank_over_mean")};
    return SLUICE_OK;
}

/* --- The program --- */

enum { WORDS = 24 };

struct command {
    char self[PATH_MAX], config[600], out[600], ranks[40], steps[64];
    const char *word[WORDS];
};

static void make_command(struct command *c, const struct sluice_bench_folder *folder, int ranks,
                         long long steps)
{
    const ssize_t length = readlink("/proc/self/exe", c->self, sizeof c->self - 1);
    int n = 0;
    c->self[length > 0 ? length : 0] = '\0';
    snprintf(c->config, sizeof c->config, "%s/case.cfg", folder->path);
    snprintf(c->out, sizeof c->out, "%s/out", folder->path);
    snprintf(c->ranks, sizeof c->ranks, "%d", ranks);
    snprintf(c->steps, sizeof c->steps, "time.max_steps=%lld", steps);
    const char *const words[] = {c->self,        "run",    c->config, "--ranks",          c->ranks,
                                 "--out",        c->out,   "--force", "--json",           "--quiet",
                                 "--set",        c->steps, "--set",   "output.every=0.0", "--set",
                                 "output.keep=0"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        c->word[n++] = words[k];
    c->word[n] = NULL;
}

static void become(const struct command *c, int out)
{
    dup2(out, STDOUT_FILENO);
    execv(c->self, (char *const *)(void *)c->word);
    dprintf(STDERR_FILENO, "sluice: error: bench: %s cannot be started: %s\n", c->self,
            strerror(errno));
    _exit(SLUICE_DEVICE);
}

/* The standard output of a command, which the caller frees. */
static sluice_status run_command(const struct command *c, char **said)
{
    int ends[2], ended = 0;
    size_t size;
    SLUICE_CHECK(pipe2(ends, O_CLOEXEC) == 0, SLUICE_DEVICE, "bench: no pipe: %s", strerror(errno));
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0)
        become(c, ends[1]);
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r"), *to = open_memstream(said, &size);
    for (int letter; from && to && (letter = getc(from)) != EOF;)
        putc(letter, to);
    if (to)
        fclose(to);
    if (from)
        fclose(from);
    SLUICE_CHECK(child > 0 && waitpid(child, &ended, 0) == child, SLUICE_DEVICE,
                 "bench: a run cannot be started: %s", strerror(errno));
    SLUICE_CHECK(from && to, SLUICE_DEVICE, "bench: no memory for the words of a run");
    /* 1: the energy was not conserved, which does not matter here. */
    SLUICE_CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) <= SLUICE_FAILED_CHECK, SLUICE_DEVICE,
                 "bench: the run on %s ranks has failed", c->ranks);
    return SLUICE_OK;
}

static sluice_status write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    SLUICE_CHECK(file, SLUICE_IO, "%s cannot be written: %s", path, strerror(errno));
    const int failed = fputs(text, file) < 0;
    SLUICE_CHECK(fclose(file) == 0 && !failed, SLUICE_IO, "%s could not be written in full", path);
    return SLUICE_OK;
}

sluice_status sluice_bench_run_ranks(const struct sluice_bench_folder *folder, const char *text,
                                     int ranks, long long steps, struct sluice_bench_rank_run *run)
{
    struct command c;
    char *said = NULL;
    make_command(&c, folder, ranks, steps);
    SLUICE_TRY(write_text(c.config, text));
    sluice_status status = run_command(&c, &said);
    if (status == SLUICE_OK)
        status = read_result(said, ranks, run);
    free(said);
    return status;
}
