/* test: 8 s */
/* Files of bodies' surfaces: where a pose puts them, their series, and other programs' readers. */
#include <stdio.h>
#include <unistd.h>

#include "bodies/mass.h"
#include "bodies/surface.h"
#include "bodies/body_surface.h"
#include "support/case_config.h"

enum { WALL = SLUICE_SHAPE_WALL, BODIES = 2, SAID = 1 << 16 };
static char folder[512];
static struct test_config t;
static struct sluice_geometry g;
static struct sluice_body_surface surface[BODIES];
static struct sluice_body_mass mass[BODIES];
static struct sluice_pose pose[BODIES];
static struct sluice_posed_body body[BODIES];

/* A box of 1 x 0.5 x 0.8 and a sphere. */
static void make_bodies(void)
{
    static const char *const name[BODIES] = {"raft", "buoy \"2\""};
    struct sluice_warnings warnings = {0};
    test_wcsph(&t, 3, 0.05);
    test_domain(&t, 4, 4, 4);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_SPHERE, WALL);
    s->centre[0] = s->centre[1] = s->centre[2] = 3;
    s->radius = 0.3;
    if (sluice_geometry_create(&g, &t.config, 4, &warnings) != SLUICE_OK)
        exit(1);
    for (int b = 0; b < BODIES; b++) {
        if (sluice_body_surface_create(&surface[b], &g, &b, 1, 1) != SLUICE_OK ||
            sluice_body_mass(&g, &b, 1, &mass[b]) != SLUICE_OK)
            exit(1);
        pose[b] = (struct sluice_pose){.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        body[b] = (struct sluice_posed_body){
            .name = name[b], .surface = &surface[b], .pose = &pose[b]};
        memcpy(pose[b].centre, mass[b].centre, sizeof pose[b].centre);
        memcpy(body[b].start, mass[b].centre, sizeof body[b].start);
    }
}

/* The box turns by 90 degrees about z, moves up by 1, and spins about z; the sphere falls. */
static void move_bodies(void)
{
    const double turn[3][3] = {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    memcpy(pose[0].turn, turn, sizeof turn);
    pose[0].centre[2] += 1;
    pose[0].velocity[0] = 0.25;
    pose[0].spin[2] = 2;
    pose[1].centre[2] -= 0.5;
    pose[1].velocity[2] = -3;
}

static sluice_status write_file(int64_t number, int64_t step, double time, int precision,
                                int compression)
{
    char path[1024];
    const struct sluice_snapshot_header header = {.time = time,
                                                  .step = step,
                                                  .dimension = 3,
                                                  .precision = precision,
                                                  .compression = compression,
                                                  .version = "test"};
    SLUICE_TRY(sluice_body_surfaces_path(path, sizeof path, folder, number));
    return sluice_body_surfaces_write(path, body, BODIES, &header);
}

/* The output of a reader for a file; NULL: the reader is missing. */
static char *read_with(const char *reader, const char *name)
{
    static char said[SAID];
    char command[2048];
    const int is_h5py = strcmp(reader, "h5py") == 0;
    const char *python = is_h5py ? "$(tools/find-python.sh numpy h5py)" : "pvpython";
    if (system(is_h5py ? "tools/find-python.sh numpy h5py >/dev/null"
                       : "command -v pvpython >/dev/null") != 0)
        return NULL;
    snprintf(command, sizeof command, "timeout 120 %s tests/support/read_bodies.py %s '%s/%s' 2>&1",
             python, reader, folder, name);
    FILE *pipe = popen(command, "r");
    const size_t used = pipe ? fread(said, 1, sizeof said - 1, pipe) : 0;
    said[used] = 0;
    if (pipe && pclose(pipe) != 0)
        diag("%s", said);
    return said;
}

static void skip_one(const char *what, const char *tool)
{
    printf("ok %d # SKIP %s is missing: %s\n", ++tap_done, tool, what);
}

/* Whether a line of `said` holds a name and these numbers. */
static int has_numbers(const char *said, const char *name, const double *value, int count,
                       double tolerance)
{
    const char *at = strstr(said, name);
    at = at ? at + strlen(name) : NULL;
    for (int i = 0; i < count && at; i++) {
        char *end;
        const double got = strtod(at, &end);
        if (end == at || fabs(got - value[i]) > tolerance) {
            diag("%s: %.9g, not %.9g", name, got, value[i]);
            return 0;
        }
        at = end;
    }
    return at != NULL;
}

/* --- Contents --- */

static void check_start(const char *said)
{
    char counts[128];
    const double low[3] = {1, 1, 1}, high[3] = {2, 1.5, 1.8}, none[3] = {0, 0, 0};
    const double box = 0.4, ball = 4 * acos(-1) / 3 * 0.027;
    const long long points = surface[0].points + surface[1].points,
                    triangles = surface[0].triangles + surface[1].triangles;
    snprintf(counts, sizeof counts, "counts %lld %lld", points, triangles);
    ok(strstr(said, "kind UnstructuredGrid 1 0") && strstr(said, counts), "%s", counts);
    ok(strstr(said, "types float64 int32 uint8 int32"), "types of the arrays");
    ok(strstr(said, "cells {5} True"), "triangles of three corners");
    ok(strstr(said, "names raft buoy \"2\"\n"), "the names of the bodies");
    ok(strstr(said, "time 0 0\n") && strstr(said, "step 0 0\n"), "time and step");
    ok(has_numbers(said, "volume 0", &box, 1, 1e-8) &&
           has_numbers(said, "volume 1", &ball, 1, 0.02 * ball),
       "closed triangles, outwards, of the volumes of box and sphere");
    ok(has_numbers(said, "low 0", low, 3, 1e-8) && has_numbers(said, "high 0", high, 3, 1e-8),
       "the box where it begins");
    ok(has_numbers(said, "fastest 0", none, 3, 0) && has_numbers(said, "fastest 1", none, 3, 0),
       "at rest");
}

/* The box is 0.5 x 1 x 0.8 now, about (1.5, 1.25, 2.4). Its corners are (0.25, 0.5) from the axis,
 * so they move at 0.25 -+ 2 x 0.5 along x and 2 x 0.25 along y. */
static void check_later(const char *said)
{
    const double low[3] = {1.25, 0.75, 2}, high[3] = {1.75, 1.75, 2.8}, fast[3] = {1.25, 0.5, 0},
                 fall[3] = {0, 0, 3}, box = 0.4;
    ok(strstr(said, "types float32 int32 uint8 int32"), "floats, if asked for");
    ok(has_numbers(said, "volume 0", &box, 1, 1e-6), "the same volume");
    ok(has_numbers(said, "low 0", low, 3, 1e-6) && has_numbers(said, "high 0", high, 3, 1e-6),
       "the box after a quarter of a turn");
    ok(has_numbers(said, "fastest 0", fast, 3, 1e-6), "its corners' velocities");
    const double bottom[3] = {2.7, 2.7, 2.2};
    ok(has_numbers(said, "low 1", bottom, 3, 0.01) && has_numbers(said, "fastest 1", fall, 3, 1e-6),
       "the sphere falls");
}

static void contents(void)
{
    is_int(write_file(0, 0, 0, 8, 0), SLUICE_OK, "the start is written");
    const char *said = read_with("h5py", "bodies_000000.hdf");
    if (said)
        check_start(said);
    else
        skip_one("the file of the start", "h5py");
    move_bodies();
    is_int(write_file(1, 30, 0.125, 4, 3), SLUICE_OK, "a later time is written, compressed");
    said = read_with("h5py", "bodies_000001.hdf");
    if (said)
        check_later(said);
    else
        skip_one("the later file", "h5py");
    const struct sluice_snapshot_header header = {.dimension = 3, .precision = 8};
    is_int(sluice_body_surfaces_write("/nowhere/bodies_000000.hdf", body, BODIES, &header),
           SLUICE_IO, "a folder that is missing is refused");
    ok(strstr(sluice_message(), "/nowhere/bodies_000000.hdf"), "by its name: %s", sluice_message());
}

/* --- The series --- */

static int is_there(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static sluice_status rebuild(struct sluice_series *series, const struct sluice_series_from *from,
                             char said[4096])
{
    memset(said, 0, 4096);
    struct sluice_log log = {.terminal = fmemopen(said, 4096, "w")};
    const sluice_status status = sluice_series_rebuild(series, &sluice_body_series, folder, from,
                                                       &log);
    fclose(log.terminal);
    return status;
}

static void lists(void)
{
    const struct sluice_series_from from = {30, 2};
    struct sluice_series series;
    char said[4096];
    is_int(sluice_series_open(&series, &sluice_body_series, folder), SLUICE_OK, "a new series");
    ok(sluice_series_append(&series, "bodies_000000.hdf", 0) == SLUICE_OK &&
           sluice_series_append(&series, "bodies_000001.hdf", 0.125) == SLUICE_OK,
       "two files are listed");
    sluice_series_close(&series);
    ok(is_there("bodies.hdf.series") && !is_there("run.hdf.series"), "in bodies.hdf.series");
    ok(write_file(2, 60, 0.25, 4, 0) == SLUICE_OK && write_file(3, 90, 0.375, 4, 0) == SLUICE_OK,
       "two later files");
    is_int(rebuild(&series, &from, said), SLUICE_OK, "a restart makes the list again");
    ok(series.count == 2 && series.entry[1].time == 0.125, "by the headers");
    ok(strstr(said, "removed 2 files of bodies (bodies_000002.hdf, bodies_000003.hdf) later than"),
       "said: %s", said);
    ok(is_there("bodies_000001.hdf") && !is_there("bodies_000002.hdf"), "later files are gone");
    sluice_series_close(&series);
    is_int(sluice_run_file_kind("bodies_000001.hdf"), SLUICE_RUN_FILE_NUMBERED,
           "a later run may remove such files");
    ok(sluice_run_file_kind("bodies.hdf.series") == SLUICE_RUN_FILE_FIXED &&
           sluice_run_file_is_ours(folder, "bodies.hdf.series") &&
           sluice_run_file_is_ours(folder, "bodies_000000.hdf"),
       "and their series");
}

static void paraview(void)
{
    const char *said = read_with("paraview", "bodies.hdf.series");
    char cells[128];
    const double bounds[6] = {1.25, 3.3, 0.75, 3.3, 2, 2.8};
    if (!said) {
        skip_one("it opens the series", "paraview");
        return;
    }
    const long long triangles = surface[0].triangles + surface[1].triangles;
    snprintf(cells, sizeof cells, "cells %lld 0 1", triangles);
    ok(strstr(said, "times 0 0.125\n"), "ParaView opens bodies.hdf.series with its times");
    ok(strstr(said, cells), "all cells, of bodies 0 and 1");
    ok(strstr(said, "names raft buoy \"2\"\n") && strstr(said, "velocity 3\n"),
       "names and velocities");
    const char *first = strstr(said, "bounds"), *later = first ? strstr(first + 1, "bounds") : NULL;
    ok(later && has_numbers(later, "bounds", bounds, 6, 0.01), "places at the later time");
}

/* In 2-D the triangles fill the body. */
static void flat(void)
{
    struct sluice_warnings warnings = {0};
    struct sluice_body_surface one;
    const int shape = 0;
    char path[1024];
    const struct sluice_snapshot_header header = {.dimension = 2, .precision = 8};
    const struct sluice_pose still = {.centre = {1.5, 1.25, 0},
                                      .turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    test_wcsph(&t, 2, 0.05);
    test_domain(&t, 4, 4, 0);
    test_box(&t, WALL, 1, 1, 0, 2, 1.5, 0);
    if (sluice_geometry_create(&g, &t.config, 4, &warnings) != SLUICE_OK ||
        sluice_body_surface_create(&one, &g, &shape, 1, 1) != SLUICE_OK ||
        sluice_body_surfaces_path(path, sizeof path, folder, 7) != SLUICE_OK)
        exit(1);
    const struct sluice_posed_body flat_body = {
        .name = "raft", .surface = &one, .start = {1.5, 1.25, 0}, .pose = &still};
    is_int(sluice_body_surfaces_write(path, &flat_body, 1, &header), SLUICE_OK, "a body in 2-D");
    const char *said = read_with("h5py", "bodies_000007.hdf");
    const double low[3] = {1, 1, 0}, high[3] = {2, 1.5, 0};
    if (said)
        ok(has_numbers(said, "low 0", low, 3, 1e-9) && has_numbers(said, "high 0", high, 3, 1e-9),
           "in the plane z = 0");
    else
        skip_one("a body in 2-D", "h5py");
    sluice_body_surface_destroy(&one);
    sluice_geometry_destroy(&g);
}

int main(void)
{
    const char *tmp = getenv("TMPDIR");
    char command[1024];
    snprintf(folder, sizeof folder, "%s/sluice-bodies-XXXXXX", tmp ? tmp : "/tmp");
    if (!mkdtemp(folder))
        return 1;
    make_bodies();
    contents();
    lists();
    paraview();
    for (int b = 0; b < BODIES; b++)
        sluice_body_surface_destroy(&surface[b]);
    sluice_geometry_destroy(&g);
    flat();
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    ok(system(command) == 0, "the folder is removed");
    return done_testing();
}
