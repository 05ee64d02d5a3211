/* test: 4 s */
/* Whole files only: a process killed at any moment, and a disk that is full, leave nothing
 * half-written under a final name. */
#define _GNU_SOURCE /* unshare */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "files/write_csv.h"
#include "files/run_files.h"
#include "files/safe_file.h"
#include "snapshots/series.h"
#include "support/run_fixture.h"
#include "support/tap.h"

static const char *folder;

static sluice_status write_step(struct fixture_run *run, const struct sluice_host_particles *p,
                                int64_t step)
{
    static const struct sluice_value value = {"note", SLUICE_VALUE_TEXT, 0, "whole", "1"};
    const struct sluice_checkpoint_state state = {.backend = &run->backend,
                                                  .grid = &run->grid,
                                                  .sets = run->sets,
                                                  .set_count = 2,
                                                  .values = &value,
                                                  .value_count = 1};
    struct sluice_snapshot_header header = fixture_header(3, 4, 1);
    char path[1024];
    header.step = step;
    SLUICE_TRY(sluice_checkpoint_path(path, sizeof path, folder, step));
    return sluice_checkpoint_write(path, p, &header, &state);
}

/* Writes files as a run does, as fast as it can, until it is killed. */
__attribute__((noreturn)) static void write_for_ever(struct fixture_run *run,
                                                     const struct sluice_host_particles *p)
{
    struct sluice_series series;
    struct sluice_snapshot_header header = fixture_header(3, 4, 1);
    if (sluice_series_open(&series, &sluice_snapshot_series, folder) != SLUICE_OK)
        _exit(1);
    for (int64_t k = series.count;; k++) {
        char path[1024];
        header.step = k;
        if (sluice_snapshot_path(path, sizeof path, folder, k) != SLUICE_OK ||
            sluice_snapshot_write(path, p, &header) != SLUICE_OK ||
            sluice_series_append(&series, strrchr(path, '/') + 1, (double)k) != SLUICE_OK ||
            write_step(run, p, k) != SLUICE_OK ||
            sluice_checkpoint_prune(folder, k, 2, NULL) != SLUICE_OK)
            _exit(1);
    }
}

/* After a kill: the series parses, names snapshots that are whole, and every checkpoint is whole.
 */
static int all_is_whole(int64_t *snapshots, int64_t *checkpoints)
{
    struct sluice_series series;
    int whole = sluice_series_open(&series, &sluice_snapshot_series, folder) == SLUICE_OK;
    *snapshots = whole ? series.count : 0;
    for (int64_t k = 0; whole && k < series.count; k++) {
        char path[1024];
        struct sluice_host_particles p = {0};
        struct sluice_snapshot_header info;
        snprintf(path, sizeof path, "%s/%s", folder, series.entry[k].name);
        whole = sluice_snapshot_read(path, &p, &info) == SLUICE_OK;
        sluice_host_particles_destroy(&p);
    }
    sluice_series_close(&series);
    char command[1200], text[2048] = "";
    snprintf(command, sizeof command, "ls '%s' | grep -c 'checkpoint_.*hdf$'", folder);
    FILE *pipe = popen(command, "r");
    long long count = 0;
    if (fscanf(pipe, "%lld", &count) != 1)
        count = 0;
    pclose(pipe);
    *checkpoints = count;
    FILE *warnings = fmemopen(text, sizeof text, "w");
    struct sluice_checkpoint *newest = NULL;
    if (count > 0)
        whole = whole && sluice_checkpoint_open_newest(&newest, folder, warnings) == SLUICE_OK;
    sluice_checkpoint_close(&newest);
    fclose(warnings);
    if (!whole || text[0] != '\0')
        diag("%s %s", sluice_message(), text);
    return whole && text[0] == '\0';
}

static void check_kill(void)
{
    enum { KILLS = 25 };
    struct fixture_run run;
    struct sluice_host_particles p;
    int good = 0, in_the_middle = 0;
    int64_t snapshots = 0, checkpoints = 0;
    fixture_run_create(&run, 3, 4, 4000, 500, 0);
    fixture_run_fill(&run, 8);
    fixture_particles(&p, 4500, 3);
    for (int k = 0; k < KILLS; k++) {
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0)
            write_for_ever(&run, &p);
        usleep(20000u + 3731u * (unsigned)k);
        kill(child, SIGKILL);
        int status;
        waitpid(child, &status, 0);
        if (!WIFSIGNALED(status))
            break; /* an error of its own */
        good += all_is_whole(&snapshots, &checkpoints);
        char command[1100];
        snprintf(command, sizeof command, "ls '%s' | grep -q 'tmp$'", folder);
        in_the_middle += system(command) == 0;
    }
    is_int(good, KILLS,
           "killed 25 times while writing: series, snapshots and checkpoints are whole each time");
    ok(in_the_middle > 0, "%d of the kills came in the middle of a file", in_the_middle);
    ok(snapshots > 0 && checkpoints >= 1 && checkpoints <= 3,
       "%lld snapshots, %lld checkpoints were written", (long long)snapshots,
       (long long)checkpoints);

    struct sluice_series series = {0};
    const struct sluice_series_from start = {0, 1};
    ok(sluice_run_files_remove_temporaries(folder) == SLUICE_OK &&
           sluice_series_rebuild(&series, &sluice_snapshot_series, folder, &start, NULL) ==
               SLUICE_OK,
       "cut back to the start");
    is_int(series.count, 1, "one entry is left");
    sluice_series_close(&series);
    char command[1100];
    snprintf(command, sizeof command, "ls '%s' | grep -q -e 'tmp$' -e snap_000001", folder);
    ok(system(command) != 0, "no half-written file and no later snapshot is left");
    fixture_run_destroy(&run);
    sluice_host_particles_destroy(&p);
}

/* Writing fails: the message names file, reason and bytes; the older file is the same; the process
 * goes on, and can close. */
static void check_full(const char *what, struct fixture_run *run,
                       const struct sluice_host_particles *p, int reason)
{
    char path[1024], before[1100], command[3500];
    sluice_checkpoint_path(path, sizeof path, folder, 77);
    snprintf(before, sizeof before, "%s.before", path);
    for (int k = 0; k < 3; k++) {
        is_int(write_step(run, p, 77), SLUICE_IO, what);
        ok(strstr(sluice_message(), path) && strstr(sluice_message(), strerror(reason)) &&
               strstr(sluice_message(), " bytes"),
           "%s: %s", what, sluice_message());
    }
    snprintf(command, sizeof command, "ls '%s' | grep -q 'tmp$'", folder);
    ok(system(command) != 0, "%s: nothing half-written is left", what);
    snprintf(command, sizeof command, "cmp -s '%s' '%s'", path, before);
    ok(system(command) == 0, "%s: the older file is whole", what);
}

static void keep_copy(void)
{
    char path[1024], command[2500];
    sluice_checkpoint_path(path, sizeof path, folder, 77);
    snprintf(command, sizeof command, "cp '%s' '%s.before'", path, path);
    if (system(command) != 0)
        abort();
}

/* A table of 100 rows, begun while there is space on the disk. */
static void begin_table(struct sluice_csv *csv)
{
    char path[1024];
    const double value = 1.0 / 3;
    snprintf(path, sizeof path, "%s/probe_p.csv", folder);
    sluice_status status = sluice_csv_create(csv, path, "pressure", 17);
    for (int64_t k = 0; status == SLUICE_OK && k < 100; k++)
        status = sluice_csv_row(csv, k, (double)k, &value);
    if (status != SLUICE_OK || sluice_csv_flush(csv) != SLUICE_OK)
        abort();
}

static void check_tables_full(const char *what, struct sluice_csv *csv, int reason)
{
    char path[1024], big[40000], command[1200];
    const double value = 1.0 / 3;
    memset(big, 'x', sizeof big);
    snprintf(path, sizeof path, "%s/text", folder);
    sluice_status status = sluice_safe_file_write(path, big, sizeof big);
    ok(status == SLUICE_IO && strstr(sluice_message(), strerror(reason)) && access(path, F_OK) != 0,
       "%s: %s", what, sluice_message());

    status = SLUICE_OK;
    for (int64_t k = 100; status == SLUICE_OK && k < 100000; k++)
        status = sluice_csv_row(csv, k, (double)k, &value);
    is_int(status, SLUICE_IO, what);
    ok(strstr(sluice_message(), csv->path) && strstr(sluice_message(), strerror(reason)), "%s: %s",
       what, sluice_message());
    snprintf(command, sizeof command,
             "tail -c 1 '%s' | od -c | grep -q '\\\\n' && grep -q ^99, '%s'", csv->path, csv->path);
    ok(system(command) == 0, "%s: the table ends with a whole row", what);
    csv->used = 0;
    sluice_csv_close(csv);
}

/* A limit on the size of a file, as a quota has it. */
static void check_limit(struct fixture_run *run, const struct sluice_host_particles *p)
{
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit, old;
    struct sluice_csv csv;
    getrlimit(RLIMIT_FSIZE, &old);
    if (write_step(run, p, 77) != SLUICE_OK)
        abort();
    keep_copy();
    begin_table(&csv);
    limit = old;
    limit.rlim_cur = 30000;
    setrlimit(RLIMIT_FSIZE, &limit);
    check_full("file size limit", run, p, EFBIG);
    check_tables_full("file size limit", &csv, EFBIG);
    setrlimit(RLIMIT_FSIZE, &old);
    ok(write_step(run, p, 77) == SLUICE_OK, "with space again, it is written");
}

/* A disk that is full: a file system of its own, in a process of its own. */
static int mount_small(void)
{
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", folder, "tmpfs", 0, "size=1200k") == 0;
}

static void check_disk(struct fixture_run *run, const struct sluice_host_particles *p)
{
    if (!mount_small()) {
        printf("ok %d # SKIP full-disk: a file system cannot be mounted here (%s)\n", ++tap_done,
               strerror(errno));
        return;
    }
    char filler[1100], block[4096] = "";
    struct sluice_csv csv;
    if (write_step(run, p, 77) != SLUICE_OK)
        diag("%s", sluice_message());
    keep_copy();
    begin_table(&csv);
    snprintf(filler, sizeof filler, "%s/filler", folder);
    FILE *f = fopen(filler, "w");
    setvbuf(f, NULL, _IONBF, 0);
    while (fwrite(block, 1, sizeof block, f) == sizeof block)
        continue;
    fclose(f);
    if (truncate(filler, 300 * 1024) != 0) /* leaves some space, not enough */
        abort();
    f = fopen(filler, "a");
    setvbuf(f, NULL, _IONBF, 0);
    struct sluice_host_particles many;
    fixture_particles(&many, 20000, 3);
    check_full("full disk", run, &many, ENOSPC);
    while (fwrite(block, 1, sizeof block, f) == sizeof block)
        continue;
    fclose(f);
    check_tables_full("full disk", &csv, ENOSPC);
    unlink(filler);
    ok(write_step(run, p, 77) == SLUICE_OK, "with space again, it is written");
    sluice_host_particles_destroy(&many);
    if (umount(folder) != 0)
        diag("umount: %s", strerror(errno));
}

int main(void)
{
    struct fixture_run run;
    struct sluice_host_particles p;
    folder = fixture_folder();
    check_kill();
    fixture_run_create(&run, 3, 4, 1500, 500, 0);
    fixture_run_fill(&run, 8);
    fixture_particles(&p, 2000, 3);
    check_limit(&run, &p);
    check_disk(&run, &p);
    fixture_run_destroy(&run);
    sluice_host_particles_destroy(&p);
    fixture_remove(folder);
    return done_testing();
}
