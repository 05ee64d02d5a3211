/* test: 4 s */
/* Checkpoints: every bit of the state comes back; damaged, cut-off and foreign files are recognised
 * and passed over; old ones go. */
#include <sys/wait.h>
#include <time.h>

#include "files/safe_file.h"
#include "snapshots/checkpoint.h"
#include "support/run_fixture.h"
#include "support/tap.h"

static const char *folder;
static const double reals[3] = {1.0 / 3, -0.0, 1e-300};
static const int64_t ints[2] = {INT64_MIN, 9007199254740993}; /* one more than a double holds */
static const struct sluice_value values[] = {
    {"time", SLUICE_VALUE_REAL, 1, &reals[0], "s"},
    {"powers", SLUICE_VALUE_REAL, 3, reals, "W"},
    {"counters", SLUICE_VALUE_INT, 2, ints, "1"},
    {"strategy", SLUICE_VALUE_TEXT, 0, "window", "1"},
    {"empty", SLUICE_VALUE_TEXT, 0, "", "1"},
};

static sluice_status write_step(struct fixture_run *run, int64_t step, int compression)
{
    char path[1024];
    struct sluice_host_particles p = {0};
    struct sluice_snapshot_header header = fixture_header(run->grid.dimension, 4, compression);
    const struct wcsph_params params = {.dimension = run->grid.dimension,
                                        .rho0 = 1000,
                                        .sound_speed = 10,
                                        .eos = SLUICE_EOS_LINEAR,
                                        .gamma = 7};
    const struct sluice_matter matter = {.water = &params};
    const struct sluice_checkpoint_state state = {.backend = &run->backend,
                                                  .grid = &run->grid,
                                                  .sets = run->sets,
                                                  .set_count = 2,
                                                  .values = values,
                                                  .value_count = 5};
    header.step = step;
    sluice_status status = sluice_host_particles_collect(&p, &run->backend, &run->grid, run->sets,
                                                         2, &matter);
    if (status == SLUICE_OK)
        status = sluice_checkpoint_path(path, sizeof path, folder, step);
    if (status == SLUICE_OK)
        status = sluice_checkpoint_write(path, &p, &header, &state);
    sluice_host_particles_destroy(&p);
    return status;
}

/* Every state field the same bits, frames compared by index. */
static int same_set(const struct fixture_run *a, const struct fixture_run *b, int type)
{
    const struct sluice_set *x = &a->set[type], *y = &b->set[type];
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (x->field[f] == NULL || f == SLUICE_FIELD_FRAME ||
            sluice_field_table[f].life != SLUICE_LIFE_STATE)
            continue;
        if (!same_bits(x->field[f], y->field[f],
                       (size_t)(x->count * sluice_set_field_bytes(x, (enum sluice_field)f)))) {
            diag("field '%s' differs", sluice_field_table[f].name);
            return 0;
        }
    }
    const uint32_t *p = x->field[SLUICE_FIELD_FRAME], *q = y->field[SLUICE_FIELD_FRAME];
    for (int64_t i = 0; i < x->count; i++)
        if (!same_bits(a->grid.frame[p[i]], b->grid.frame[q[i]], sizeof a->grid.frame[0]))
            return 0;
    return 1;
}

static void check_values(const struct sluice_checkpoint *c)
{
    double got[3];
    int64_t whole[2];
    char text[16];
    ok(sluice_checkpoint_reals(c, "powers", got, 3) == SLUICE_OK &&
           same_bits(got, reals, sizeof got),
       "reals: the same bits");
    ok(sluice_checkpoint_ints(c, "counters", whole, 2) == SLUICE_OK &&
           same_bits(whole, ints, sizeof whole),
       "integers");
    ok(sluice_checkpoint_text(c, "strategy", text, sizeof text) == SLUICE_OK &&
           strcmp(text, "window") == 0,
       "text");
    ok(sluice_checkpoint_text(c, "empty", text, sizeof text) == SLUICE_OK && text[0] == '\0',
       "an empty text");
    is_int(sluice_checkpoint_text(c, "strategy", text, 6), SLUICE_IO,
           "a text that does not fit is not cut");
    is_int(sluice_checkpoint_reals(c, "powers", got, 2), SLUICE_IO, "another count is refused");
    is_int(sluice_checkpoint_reals(c, "counters", got, 2), SLUICE_IO, "another type is refused");
    is_int(sluice_checkpoint_reals(c, "missing", got, 1), SLUICE_IO, "a missing value is refused");
    ok(strstr(sluice_message(), "'missing'") != NULL, "and named: %s", sluice_message());
    ok(sluice_checkpoint_has(c, "time") && !sluice_checkpoint_has(c, "missing"), "has");
}

static void check_round_trip(int dimension, int real_bytes, int compression, int32_t shift)
{
    enum { FLUID = 70000, WALLS = 500 }; /* more than a chunk */
    struct fixture_run run, back;
    struct sluice_checkpoint *c;
    char path[1024];
    diag("%d-D, %d-byte reals, compression %d, shift %d", dimension, real_bytes, compression,
         (int)shift);
    fixture_run_create(&run, dimension, real_bytes, FLUID, WALLS, shift);
    fixture_run_fill(&run, 77);
    ok(write_step(&run, 5, compression) == SLUICE_OK, "written");
    sluice_checkpoint_path(path, sizeof path, folder, 5);
    if (!ok(sluice_checkpoint_open(&c, path) == SLUICE_OK, "opened")) {
        diag("%s", sluice_message());
        return;
    }
    is_int(sluice_checkpoint_count(c, SLUICE_FLUID), FLUID, "fluid particles");
    is_int(sluice_checkpoint_real_bytes(c), real_bytes, "precision of the run");
    is_str(sluice_checkpoint_config(c), fixture_header(3, 4, 1).config, "configuration");
    check_values(c);
    fixture_run_create(&back, dimension, real_bytes, FLUID, WALLS, shift);
    int64_t held[SLUICE_TYPE_COUNT];
    ok(sluice_checkpoint_divide(c, NULL, &back.grid, held) == SLUICE_OK &&
           held[SLUICE_FLUID] == FLUID && held[SLUICE_WALL] == WALLS,
       "one rank needs all particles");
    ok(sluice_checkpoint_read_sets(c, &back.backend, &back.grid, back.sets, 2, NULL) == SLUICE_OK,
       "sets are read");
    ok(same_set(&run, &back, 0), "fluid: every state field to the same bits");
    ok(same_set(&run, &back, 1), "walls: every state field to the same bits");
    ok(back.grid.frame_count == run.grid.frame_count, "the same table of frames");

    struct fixture_run other;
    fixture_run_create(&other, dimension, 12 - real_bytes, FLUID, WALLS, shift);
    is_int(sluice_checkpoint_read_sets(c, &other.backend, &other.grid, other.sets, 2, NULL),
           SLUICE_IO, "another precision is refused");
    fixture_run_destroy(&other);
    sluice_checkpoint_close(&c);

    struct sluice_host_particles p = {0};
    struct sluice_snapshot_header info;
    ok(sluice_snapshot_read(path, &p, &info) == SLUICE_OK && p.count == FLUID + WALLS &&
           info.step == 5,
       "it is a snapshot too");
    sluice_host_particles_destroy(&p);
    fixture_run_destroy(&run);
    fixture_run_destroy(&back);
}

static void copy_file(const char *from, const char *to)
{
    char command[2200];
    snprintf(command, sizeof command, "cp '%s' '%s'", from, to);
    if (system(command) != 0)
        abort();
}

static long size_of(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 ? (long)s.st_size : -1;
}

static int is_refused(const char *path, const char *reason)
{
    struct sluice_checkpoint *c;
    return sluice_checkpoint_open(&c, path) == SLUICE_IO &&
           strstr(sluice_message(), path) != NULL && strstr(sluice_message(), reason) != NULL;
}

static void check_cut_off(const char *good, const char *bad)
{
    int recognised = 0;
    for (int k = 0; k < 20; k++) {
        copy_file(good, bad);
        if (truncate(bad, size_of(good) * k / 20) != 0)
            abort();
        recognised += is_refused(bad, "");
    }
    is_int(recognised, 20, "cut off at 20 lengths: recognised at each");
}

static void check_changed_bits(const char *good, const char *bad)
{
    const hid_t file = H5Fopen(good, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "State/fluid/velocity", H5P_DEFAULT);
    const haddr_t offset = H5Dget_offset(dataset);
    int recognised = 0;
    H5Dclose(dataset);
    H5Fclose(file);
    for (int k = 0; k < 20; k++) {
        copy_file(good, bad);
        FILE *f = fopen(bad, "r+");
        fseek(f, (long)offset + 1777 * k, SEEK_SET);
        const int byte = fgetc(f);
        fseek(f, -1, SEEK_CUR);
        fputc(byte ^ (1 << k % 8), f);
        fclose(f);
        recognised += is_refused(bad, "/State/fluid/velocity");
    }
    is_int(recognised, 20, "one bit changed at 20 places: recognised, and the dataset named");
    diag("%s", sluice_message());
}

static void check_changed_contents(const char *good, const char *bad)
{
    const hsize_t start = 3, one = 1;
    copy_file(good, bad);
    const hid_t less = H5Fopen(bad, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(less, "State/run/powers", H5P_DEFAULT);
    H5Fclose(less);
    ok(is_refused(bad, "digest of all"), "a dataset taken away: %s", sluice_message());

    copy_file(good, bad);
    const hid_t changed = H5Fopen(bad, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t config = H5Dopen2(changed, "Config", H5P_DEFAULT);
    const hid_t memory = H5Screate_simple(1, &one, NULL), space = H5Dget_space(config);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &one, NULL);
    H5Dwrite(config, H5T_NATIVE_UINT8, memory, space, H5P_DEFAULT, "x");
    H5Sclose(space);
    H5Sclose(memory);
    H5Dclose(config);
    H5Fclose(changed);
    ok(is_refused(bad, "/Config"), "another configuration: %s", sluice_message());
}

/* Everything below /State is a dataset in a group of ours: no link is followed further. HDF5 takes
 * minutes for thousands of nested groups. */
static void check_foreign_contents(const char *good, const char *bad)
{
    copy_file(good, bad);
    const hid_t nested = H5Fopen(bad, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t group = H5Gopen2(nested, "State/run", H5P_DEFAULT);
    for (int k = 0; k < 5000; k++) {
        const hid_t inner = H5Gcreate2(group, "a", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        H5Gclose(group);
        group = inner;
    }
    H5Gclose(group);
    H5Fclose(nested);
    const clock_t begun = clock();
    ok(is_refused(bad, "/State/run/a"), "5000 groups in each other: %s", sluice_message());
    const double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    ok(seconds < 5, "and not walked through, which takes minutes: %.2g s", seconds);

    copy_file(good, bad);
    const hid_t linked = H5Fopen(bad, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lmove(linked, "State/run/powers", linked, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_soft("/elsewhere", linked, "State/run/powers", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(linked);
    ok(is_refused(bad, "is a link"), "a link: %s", sluice_message());

    copy_file(good, bad);
    const hid_t more = H5Fopen(bad, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(more, "State/mine", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(more);
    ok(is_refused(bad, "/State/mine is no group of a checkpoint"), "a group: %s", sluice_message());
}

/* Replaces a dataset by one of a huge shape, whose chunks were never written. */
static void claim(const char *bad, const char *name)
{
    const hsize_t rows = (hsize_t)1 << 40, chunk = 1024;
    const hid_t file = H5Fopen(bad, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &rows, NULL), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(layout, 1, &chunk);
    H5Ldelete(file, name, H5P_DEFAULT);
    H5Dclose(H5Dcreate2(file, name, H5T_NATIVE_UINT8, space, H5P_DEFAULT, layout, H5P_DEFAULT));
    H5Pclose(layout);
    H5Sclose(space);
    H5Fclose(file);
}

static void check_claims(const char *good, const char *bad)
{
    copy_file(good, bad);
    claim(bad, "State/run/powers");
    ok(is_refused(bad, "'/State/run/powers' claims 1099511627776 rows"), "2^40 rows: %s",
       sluice_message());
    copy_file(good, bad);
    claim(bad, "Config");
    ok(is_refused(bad, "'/Config' claims 1099511627776 rows"), "a configuration of 2^40 bytes: %s",
       sluice_message());
}

/* Whether a process that opens a file ends, and HDF5 says nothing. A leak of HDF5's own, which a
 * sanitizer reports, is none of ours. */
static int ends_quietly(const char *path, const char *log)
{
    char command[1200];
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        struct sluice_checkpoint *c;
        if (freopen(log, "w", stdout) == NULL || freopen(log, "w", stderr) == NULL)
            _exit(9);
        if (sluice_checkpoint_open(&c, path) == SLUICE_OK)
            sluice_checkpoint_close(&c);
        exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    snprintf(command, sizeof command, "grep -q 'closing library' '%s'", log);
    return WIFEXITED(status) && system(command) != 0;
}

/* HDF5 keeps parts of some damaged files open, and complained of them at exit. */
static void check_quiet(const char *good, const char *bad)
{
    char log[1100];
    int tried = 0, quiet = 0;
    const long size = size_of(good);
    char *bytes = malloc((size_t)size);
    FILE *f = fopen(good, "r");
    if (bytes == NULL || f == NULL || fread(bytes, 1, (size_t)size, f) != (size_t)size)
        abort();
    fclose(f);
    snprintf(log, sizeof log, "%s/log", folder);
    for (long at = 0; at + 60 < size; at++) {
        if (memcmp(bytes + at, "units", 6) != 0)
            continue;
        char *damaged = bytes + at + 50; /* within the attribute of the unit */
        const char before = *damaged;
        *damaged = (char)0xff;
        if (sluice_safe_file_write(bad, bytes, (size_t)size) != SLUICE_OK)
            abort();
        *damaged = before;
        tried++;
        quiet += ends_quietly(bad, log);
    }
    free(bytes);
    unlink(log);
    ok(tried > 10 && quiet == tried, "%d damaged units: nothing is printed after %d", tried, quiet);
}

/* A file that is cut anywhere, or of which a bit has changed, never passes for whole. */
static void check_damage(void)
{
    struct fixture_run run;
    char good[1024], bad[1024];
    fixture_run_create(&run, 3, 4, 3000, 100, 0);
    fixture_run_fill(&run, 3);
    write_step(&run, 6, 0);
    fixture_run_destroy(&run);
    sluice_checkpoint_path(good, sizeof good, folder, 6);
    snprintf(bad, sizeof bad, "%s/bad.hdf", folder);
    check_cut_off(good, bad);
    check_changed_bits(good, bad);
    check_changed_contents(good, bad);
    check_foreign_contents(good, bad);
    check_claims(good, bad);
    check_quiet(good, bad);
    unlink(bad);
}

/* The newest good one: newer ones that are cut off, empty or foreign are passed over, with the
 * reason. */
static void check_newest(void)
{
    double number;
    struct sluice_checkpoint *c;
    char path[1024], text[4096] = "", want[1024];
    struct fixture_run run;
    fixture_run_create(&run, 2, 8, 300, 20, 0);
    fixture_run_fill(&run, 4);
    for (int step = 10; step <= 40; step += 10)
        ok(write_step(&run, step, 1) == SLUICE_OK, "checkpoint of step %d", step);
    fixture_run_destroy(&run);
    sluice_checkpoint_path(path, sizeof path, folder, 40);
    if (truncate(path, size_of(path) - 1000) != 0)
        abort();
    sluice_checkpoint_path(path, sizeof path, folder, 30);
    if (truncate(path, 0) != 0)
        abort();
    snprintf(path, sizeof path, "%s/checkpoint_000000050.hdf", folder);
    H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    snprintf(path, sizeof path, "%s/checkpoint_000000060.hdf.tmp", folder);
    fclose(fopen(path, "w"));

    FILE *warnings = fmemopen(text, sizeof text, "w");
    const sluice_status status = sluice_checkpoint_open_newest(&c, folder, warnings);
    fclose(warnings);
    sluice_checkpoint_path(want, sizeof want, folder, 20);
    if (ok(status == SLUICE_OK, "a good one is found"))
        ok(sluice_checkpoint_reals(c, "nothing", &number, 1) == SLUICE_IO &&
               strncmp(sluice_message(), want, strlen(want)) == 0,
           "the newest that is whole");
    sluice_checkpoint_close(&c);
    ok(strstr(text, "000000050") && strstr(text, "000000040") && strstr(text, "000000030") &&
           !strstr(text, "000000020"),
       "the others are named with reasons");
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
        diag("%s", line);

    int64_t later;
    ok(sluice_checkpoint_prune(folder, 20, 2, &later) == SLUICE_OK, "pruned");
    is_int(later, 3, "three were of later steps");
    sluice_checkpoint_path(path, sizeof path, folder, 10);
    ok(access(path, F_OK) == 0, "the one before the last stays");
    sluice_checkpoint_path(path, sizeof path, folder, 40);
    ok(access(path, F_OK) != 0, "one of a step that this run has not reached goes");
    sluice_checkpoint_path(path, sizeof path, folder, 6);
    ok(access(path, F_OK) != 0, "an old one goes");
    for (int step = 10; step <= 20; step += 10) {
        sluice_checkpoint_path(path, sizeof path, folder, step);
        unlink(path);
    }
    is_int(sluice_checkpoint_open_newest(&c, folder, NULL), SLUICE_IO, "none is an error");
    diag("%s", sluice_message());
}

int main(void)
{
    folder = fixture_folder();
    check_round_trip(2, 4, 1, 0);
    check_round_trip(2, 8, 0, 1000000);
    check_round_trip(3, 4, 0, -12345);
    check_round_trip(3, 8, 1, 0);
    check_damage();
    check_newest();
    fixture_remove(folder);
    return done_testing();
}
