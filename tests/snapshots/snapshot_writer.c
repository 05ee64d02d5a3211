/* test: 4 s */
/* Snapshots written by a thread: they hold the particles as they were handed over, whatever these
 * do meanwhile; a snapshot is in the series when it is whole; errors reach the caller with their
 * message. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "snapshots/snapshot_writer.h"
#include "support/run_fixture.h"
#include "support/tap.h"

enum { FLUID = 20000, WALLS = 3000, FILES = 6 };

static const char *folder;
static const struct wcsph_params params = {
    .dimension = 3, .rho0 = 1000, .sound_speed = 10, .eos = SLUICE_EOS_LINEAR, .gamma = 7};
static const struct sluice_matter matter = {.water = &params};

static sluice_status hand_over(struct sluice_snapshot_writer *w, struct fixture_run *run,
                               int64_t number, int compression)
{
    struct sluice_snapshot_header header = fixture_header(3, 8, compression);
    struct sluice_named_real energy = {"kinetic", "J", (double)number};
    struct sluice_particle_copy *copy;
    char path[1024];
    header.step = number;
    header.time = (double)number;
    header.energies = &energy;
    header.energy_count = 1;
    SLUICE_TRY(sluice_snapshot_path(path, sizeof path, folder, number));
    SLUICE_TRY(sluice_snapshot_writer_buffer(w, &copy));
    SLUICE_TRY(sluice_particle_copy_take(copy, &run->backend, &run->grid, run->sets, 2, 1));
    if (number == 1) /* the thread ends what it writes just before */
        SLUICE_TRY(sluice_snapshot_writer_drain(w));
    SLUICE_TRY(sluice_snapshot_writer_queue(w, path, &header));
    energy.value = -1; /* the writer has its own */
    return SLUICE_OK;
}

static void set_densities(struct fixture_run *run, double value)
{
    for (int64_t i = 0; i < run->set[SLUICE_FLUID].count; i++)
        fixture_put_real(&run->set[SLUICE_FLUID], SLUICE_FIELD_SCALAR, i, value);
}

/* Each file holds the densities of its own moment, and the rest as it was. */
static int is_right(int64_t number, const struct sluice_host_particles *want)
{
    struct sluice_host_particles p = {0};
    struct sluice_snapshot_header info;
    char path[1024];
    sluice_snapshot_path(path, sizeof path, folder, number);
    int right = sluice_snapshot_read(path, &p, &info) == SLUICE_OK && info.step == number &&
                p.count == FLUID + WALLS &&
                memcmp(p.x, want->x, (FLUID + WALLS) * sizeof *p.x) == 0 &&
                memcmp(p.velocity, want->velocity, (FLUID + WALLS) * sizeof *p.velocity) == 0 &&
                memcmp(p.id, want->id, (FLUID + WALLS) * sizeof *p.id) == 0;
    for (int64_t i = 0; right && i < FLUID; i++)
        right = p.density[i] == 1000 * (1 + (double)number / 64);
    sluice_host_particles_destroy(&p);
    return right;
}

static void check_files(struct fixture_run *run)
{
    struct sluice_snapshot_writer *w;
    struct sluice_series series, again;
    struct sluice_host_particles host = {0}, want = {0};
    int right = 0, named = 1;
    sluice_series_open(&series, &sluice_snapshot_series, folder);
    ok(sluice_snapshot_writer_create(&w, &series, &host, &matter) == SLUICE_OK, "a writer");
    sluice_status status = SLUICE_OK;
    for (int64_t n = 0; n < FILES && status == SLUICE_OK; n++) {
        set_densities(run, (double)n / 64);
        status = hand_over(w, run, n, 9);
    }
    set_densities(run, NAN);
    is_int(status, SLUICE_OK, "snapshots are handed over");
    ok(sluice_snapshot_writer_waited(w) > 0, "faster than they are written: %.3g s waited",
       sluice_snapshot_writer_waited(w));
    is_int(sluice_snapshot_writer_drain(w), SLUICE_OK, "drained");
    is_int(sluice_series_open(&again, &sluice_snapshot_series, folder), SLUICE_OK,
           "the series is there before the end");
    is_int(again.count, FILES, "with all files");
    for (int64_t n = 0; n < again.count; n++)
        named &= again.entry[n].time == (double)n;
    ok(named, "in their order");
    sluice_series_close(&again);

    sluice_host_particles_collect(&want, &run->backend, &run->grid, run->sets, 2, &matter);
    for (int64_t n = 0; n < FILES; n++)
        right += is_right(n, &want);
    is_int(right, FILES, "each as the particles were when it was handed over");
    is_int(sluice_snapshot_writer_destroy(&w), SLUICE_OK, "ended");
    is_int(sluice_snapshot_writer_destroy(&w), SLUICE_OK, "once is enough");
    sluice_host_particles_destroy(&host);
    sluice_host_particles_destroy(&want);
    sluice_series_close(&series);
}

/* A limit on the size of a file, as of a full disk: after the first failure no other file is tried.
 */
static void check_error(struct fixture_run *run)
{
    struct sluice_snapshot_writer *w;
    struct sluice_series series;
    struct sluice_host_particles host = {0};
    struct rlimit old, limit;
    struct stat file;
    char path[1024], command[1100];
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old);
    limit = old;
    limit.rlim_cur = 100000;
    sluice_series_open(&series, &sluice_snapshot_series, folder);
    sluice_snapshot_writer_create(&w, &series, &host, &matter);
    setrlimit(RLIMIT_FSIZE, &limit);
    is_int(hand_over(w, run, FILES, 0), SLUICE_OK, "handed over to a full disk");
    is_int(sluice_snapshot_writer_drain(w), SLUICE_IO, "fails");
    setrlimit(RLIMIT_FSIZE, &old);
    sluice_snapshot_path(path, sizeof path, folder, FILES);
    snprintf(command, sizeof command, "ls '%s' | grep -q 'tmp$'", folder);
    ok(strstr(sluice_message(), path) && strstr(sluice_message(), strerror(EFBIG)), "%s",
       sluice_message());
    ok(stat(path, &file) != 0 && system(command) != 0, "nothing partial is left");
    is_int(series.count, FILES, "the series names no partial file");
    is_int(sluice_snapshot_writer_check(w), SLUICE_IO, "the error stays");
    is_int(hand_over(w, run, FILES + 1, 0), SLUICE_IO, "and nothing more is taken");
    is_int(sluice_snapshot_writer_destroy(&w), SLUICE_IO, "to the end");
    ok(strstr(sluice_message(), path) != NULL, "with the first message");
    sluice_host_particles_destroy(&host);
    sluice_series_close(&series);
}

int main(void)
{
    struct fixture_run run;
    folder = fixture_folder();
    fixture_run_create(&run, 3, 4, FLUID, WALLS, 0);
    fixture_run_fill(&run, 5);
    check_files(&run);
    check_error(&run);
    fixture_run_destroy(&run);
    fixture_remove(folder);
    return done_testing();
}
