/* test: 2 s */
/* The tables and the series of a run: as they are written, and cut back when a run restarts. */
#include "files/write_csv.h"
#include "files/run_files.h"
#include "files/safe_file.h"
#include "snapshots/series.h"
#include "support/run_fixture.h"
#include "support/tap.h"

static const char *folder;

static char *text_of(const char *path)
{
    char *text = NULL;
    if (sluice_safe_file_read(path, &text, NULL) != SLUICE_OK)
        diag("%s", sluice_message());
    return text;
}

static void check_rows(void)
{
    char path[1024];
    struct sluice_csv csv;
    const double first[2] = {1.0 / 3, NAN}, second[2] = {-1e-300, INFINITY};
    snprintf(path, sizeof path, "%s/energy.csv", folder);
    ok(sluice_csv_create(&csv, path, "kinetic,potential", 17) == SLUICE_OK, "begun");
    ok(sluice_csv_row(&csv, 0, 0, first) == SLUICE_OK &&
           sluice_csv_row(&csv, 1, 0.1, second) == SLUICE_OK,
       "two rows");
    char *text = text_of(path);
    is_str(text, "step,time,kinetic,potential\n", "rows are not written before the flush");
    free(text);
    ok(sluice_csv_sync(&csv) == SLUICE_OK, "synchronised");
    text = text_of(path);
    is_str(text,
           "step,time,kinetic,potential\n0,0,0.33333333333333331,nan\n1,0.10000000000000001,-1e-"
           "300,inf\n",
           "the rows");
    free(text);
    ok(sluice_csv_close(&csv) == SLUICE_OK && sluice_csv_close(&csv) == SLUICE_OK, "closed, twice");
}

/* A missing value is an empty field, at any place of a row, also after a restart. */
static void check_gaps(void)
{
    char path[1024];
    struct sluice_csv csv;
    const double rows[3][2] = {{NAN, 1}, {2, NAN}, {NAN, NAN}};
    snprintf(path, sizeof path, "%s/gaps.csv", folder);
    sluice_csv_create(&csv, path, "height,bed", 17);
    csv.has_gaps = 1;
    for (int k = 0; k < 3; k++)
        sluice_csv_row(&csv, k, 0.5 * k, rows[k]);
    ok(sluice_csv_close(&csv) == SLUICE_OK, "rows with gaps");
    char *text = text_of(path);
    is_str(text, "step,time,height,bed\n0,0,,1\n1,0.5,2,\n2,1,,\n", "empty fields");
    free(text);
    ok(sluice_csv_reopen(&csv, path, "height,bed", 17, 1) == SLUICE_OK, "reopened at step 1");
    csv.has_gaps = 1;
    sluice_csv_row(&csv, 2, 1, rows[2]);
    sluice_csv_close(&csv);
    text = text_of(path);
    is_str(text, "step,time,height,bed\n0,0,,1\n1,0.5,2,\n2,1,,\n", "the same rows again");
    free(text);
}

static void check_reopen(void)
{
    char path[1024];
    struct sluice_csv csv, twin;
    snprintf(path, sizeof path, "%s/probe.csv", folder);
    sluice_csv_create(&csv, path, "a", 9);
    for (int64_t k = 0; k < 20000; k++) { /* more than the buffer */
        const double value = (double)k / 7;
        sluice_csv_row(&csv, 3 * k, 0.001 * (double)k, &value);
    }
    ok(sluice_csv_close(&csv) == SLUICE_OK, "20000 rows");
    char *whole = text_of(path);

    FILE *f = fopen(path, "a");
    fputs("60000,20.0", f); /* as a crash leaves it */
    fclose(f);
    ok(sluice_csv_reopen(&csv, path, "a", 9, 30000) == SLUICE_OK, "reopened at step 30000");
    sluice_csv_close(&csv);
    char *cut = text_of(path);
    ok(strncmp(cut, whole, strlen(cut)) == 0 && strstr(cut, "\n30000,") && !strstr(cut, "\n30003,"),
       "rows up to and with the step stay");
    free(cut);

    sluice_csv_reopen(&twin, path, "a", 9, 30001);
    for (int64_t k = 10001; k < 20000; k++) {
        const double value = (double)k / 7;
        sluice_csv_row(&twin, 3 * k, 0.001 * (double)k, &value);
    }
    ok(sluice_csv_close(&twin) == SLUICE_OK, "the rest is written again");
    char *again = text_of(path);
    is_str(again, whole, "the table is that of the run that never stopped");
    free(again);
    free(whole);

    is_int(sluice_csv_reopen(&csv, path, "b", 9, 5), SLUICE_IO, "other columns are refused");
    ok(strstr(sluice_message(), path) != NULL, "and the message says so: %s", sluice_message());
    unlink(path);
    ok(sluice_csv_reopen(&csv, path, "a", 9, 5) == SLUICE_OK, "a missing table is begun");
    sluice_csv_close(&csv);
    f = fopen(path, "w");
    fputs("step,time,a\n12,0.5", f);
    fclose(f);
    sluice_csv_reopen(&csv, path, "a", 9, 100);
    sluice_csv_close(&csv);
    char *rest = text_of(path);
    is_str(rest, "step,time,a\n", "an unfinished only row goes");
    free(rest);
}

static void touch(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    fputs("x", f);
    fclose(f);
}

static int is_there(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* A snapshot of a few particles. */
static void write_snapshot(int64_t number, int64_t step, double time)
{
    char path[1024];
    struct sluice_host_particles p;
    struct sluice_snapshot_header header = fixture_header(2, 4, 0);
    header.step = step;
    header.time = time;
    fixture_particles(&p, 4, 2);
    if (sluice_snapshot_path(path, sizeof path, folder, number) != SLUICE_OK ||
        sluice_snapshot_write(path, &p, &header) != SLUICE_OK)
        diag("%s", sluice_message());
    sluice_host_particles_destroy(&p);
}

static char said[4096]; /* in the log */

static sluice_status rebuild(struct sluice_series *series, const struct sluice_series_from *from)
{
    memset(said, 0, sizeof said);
    struct sluice_log log = {.terminal = fmemopen(said, sizeof said, "w")};
    const sluice_status status = sluice_series_rebuild(series, &sluice_snapshot_series, folder,
                                                       from, &log);
    fclose(log.terminal);
    return status;
}

static void check_series(void)
{
    char path[1024];
    struct sluice_series series;
    const struct sluice_series_from from = {20, 3};
    snprintf(path, sizeof path, "%s/run.hdf.series", folder);
    ok(sluice_series_open(&series, &sluice_snapshot_series, folder) == SLUICE_OK &&
           series.count == 0,
       "no file: an empty series");
    for (int k = 0; k < 200; k++) { /* more than the first allocation */
        char name[32];
        snprintf(name, sizeof name, "snap_%06d.hdf", k);
        write_snapshot(k, 10 * k, 0.1 * k);
        if (sluice_series_append(&series, name, 0.1 * k) != SLUICE_OK)
            diag("%s", sluice_message());
    }
    sluice_series_close(&series);
    ok(sluice_series_open(&series, &sluice_snapshot_series, folder) == SLUICE_OK, "opened again");
    is_int(series.count, 200, "all entries are back");
    ok(series.entry[199].time == 0.1 * 199 && strcmp(series.entry[7].name, "snap_000007.hdf") == 0,
       "names, and times to the bit");

    sluice_series_close(&series);

    write_snapshot(900, 9000, 90);
    touch("snap_000003.hdf.0123abcd.tmp");
    touch("checkpoint_000000003.hdf.00000000.tmp");
    touch("snap_000003.hdf.tmp");
    touch("snap_mine.hdf.0123abcd.tmp");
    touch("snap_mine.hdf");
    touch("notes.txt");
    ok(sluice_run_files_remove_temporaries(folder) == SLUICE_OK, "temporary files are removed");
    is_int(rebuild(&series, &from), SLUICE_OK, "rebuilt at the step of an entry");
    is_int(series.count, 3, "it stays, later ones go");
    ok(strstr(said, "removed 198 snapshots (snap_000003.hdf, ") &&
           strstr(said, ", ... snap_000900"),
       "and a warning says so: %s", said);
    sluice_series_close(&series);
    char *text = text_of(path);
    is_str(text,
           "{\"file-series-version\" : \"1.0\", \"files\" : [\n{\"name\" : \"snap_000000.hdf\", "
           "\"time\" : 0},\n"
           "{\"name\" : \"snap_000001.hdf\", \"time\" : 0.10000000000000001},\n"
           "{\"name\" : \"snap_000002.hdf\", \"time\" : 0.20000000000000001}\n]}\n",
           "the file");
    free(text);
    ok(is_there("snap_000002.hdf") && !is_there("snap_000003.hdf") && !is_there("snap_000900.hdf"),
       "later snapshots are gone");
    ok(!is_there("snap_000003.hdf.0123abcd.tmp") &&
           !is_there("checkpoint_000000003.hdf.00000000.tmp"),
       "half-written files are gone");
    ok(is_there("snap_mine.hdf") && is_there("notes.txt") && is_there("snap_000003.hdf.tmp") &&
           is_there("snap_mine.hdf.0123abcd.tmp"),
       "files of others stay");

    touch("run.hdf.series");
    is_int(sluice_series_open(&series, &sluice_snapshot_series, folder), SLUICE_IO,
           "a file that is no series is refused");
    diag("%s", sluice_message());
}

static int unlink_in(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return unlink(path);
}

/* The headers of the snapshots make the list; nothing that belongs to the run is removed. */
static void check_rebuild(void)
{
    struct sluice_series series;
    const struct sluice_series_from from = {40, 5};
    unlink_in("run.hdf.series");
    for (int k = 0; k < 7; k++)
        write_snapshot(k, 10 * k, 0.1 * k);
    sluice_series_open(&series, &sluice_snapshot_series, folder);
    sluice_series_append(&series, "snap_000000.hdf", 0);
    sluice_series_append(&series, "snap_000004.hdf", 0.1 * 4);
    sluice_series_append(&series, "snap_000006.hdf", 0.1 * 6);
    sluice_series_close(&series);
    is_int(rebuild(&series, &from), SLUICE_OK, "a list that lacks snapshots");
    ok(series.count == 5 && series.entry[1].time == 0.1 && series.entry[4].time == 0.1 * 4,
       "has them again, with the times of their headers");
    ok(is_there("snap_000001.hdf") && is_there("snap_000003.hdf") && !is_there("snap_000005.hdf"),
       "and they are still there");
    ok(strstr(said,
              "warning: 3 snapshots (snap_000001.hdf, snap_000002.hdf, snap_000003.hdf) not ") &&
           strstr(said, "removed 2 snapshots (snap_000005.hdf, snap_000006.hdf) later than"),
       "said: %s", said);
    sluice_series_close(&series);

    unlink_in("snap_000002.hdf");
    touch("snap_000003.hdf");
    is_int(rebuild(&series, &from), SLUICE_OK, "one is gone and one is no snapshot");
    ok(series.count == 3 && is_there("snap_000003.hdf"), "it is left alone, and not in the list");
    ok(strstr(said, "1 snapshot (snap_000002.hdf) of run.hdf.series cannot be found") &&
           strstr(said, "snap_000003.hdf: is no HDF5 file; it is left as it is"),
       "said: %s", said);
    sluice_series_close(&series);

    touch("snap_000007.hdf");
    is_int(rebuild(&series, &from), SLUICE_IO, "a file that the run would write over");
    ok(strstr(sluice_message(), "snap_000007.hdf") && is_there("snap_000007.hdf"), "said: %s",
       sluice_message());
    unlink_in("snap_000007.hdf");

    char path[1024];
    snprintf(path, sizeof path, "%s/run.hdf.series", folder);
    FILE *f = fopen(path, "w");
    fputs("{\"file-series-version\" : \"1.0\", \"files\" : [\n{\"name\" : 3", f);
    fclose(f);
    is_int(rebuild(&series, &from), SLUICE_OK, "a damaged list");
    ok(series.count == 3 && strstr(said, "the list is made anew"), "said: %s", said);
    sluice_series_close(&series);
}

/* Another reader of JSON than our own. */
static void check_json(void)
{
    struct sluice_series series;
    char path[1024], command[2500];
    snprintf(path, sizeof path, "%s/run.hdf.series", folder);
    unlink(path);
    sluice_series_open(&series, &sluice_snapshot_series, folder);
    sluice_series_append(&series, "snap_000000.hdf", 1.0 / 3);
    sluice_series_append(&series, "snap_000001.hdf", 1e-9);
    sluice_series_close(&series);
    if (system("python3 -c 'import json' 2>/dev/null") != 0) {
        printf("ok %d # SKIP python3 is missing: the series is not read as JSON\n", ++tap_done);
        return;
    }
    snprintf(command, sizeof command,
             "python3 -c 'import json; d = json.load(open(\"%s\")); assert "
             "d[\"file-series-version\"] == \"1.0\"; "
             "assert [(f[\"name\"], f[\"time\"]) for f in d[\"files\"]] == "
             "[(\"snap_000000.hdf\", 1 / 3), (\"snap_000001.hdf\", 1e-9)]'",
             path);
    ok(system(command) == 0, "the series is JSON, with these names and times");
}

int main(void)
{
    folder = fixture_folder();
    check_rows();
    check_gaps();
    check_reopen();
    check_series();
    check_rebuild();
    check_json();
    fixture_remove(folder);
    return done_testing();
}
