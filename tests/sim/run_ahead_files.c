/* test: 3 s */
/* The files of a run do not depend on the number of steps under way at once: tables to the byte,
 * snapshots and checkpoints to the bit, also a checkpoint requested in between. A restart goes on
 * from either. */
#include "snapshots/checkpoint.h"
#include "files/safe_file.h"
#include "snapshots/snapshot.h"
#include "sim/run.h"
#include "support/run_fixture.h"
#include "support/tap.h"
#include "support/variants.h"
#include "kernels/backends/backends.h"

/* Particles leave to the right; the intervals are not multiples of each other. */
static const char water[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];\n"
    "fluid = { sound_speed = 30.0; }; domain = { min = [0.0, 0.0]; max = [1.0, 2.0]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.95, 0.5]; },\n"
    "             { shape = \"box\"; type = \"wall\"; min = [0.2, 0.0]; max = [0.5, 0.15];\n"
    "               motion = \"up\"; },\n"
    "             { shape = \"walls\"; sides = [\"bottom\"]; } );\n"
    "motions = ( { name = \"up\"; kind = \"linear\"; velocity = [0.0, 1.0]; } );\n"
    "initial = ( { field = \"velocity\"; kind = \"uniform\"; value = [5.0, 0.0]; } );\n"
    "probes = ( { name = \"front\"; kind = \"front\"; axis = \"x\"; above = 0.1; every = 0.0047; "
    "},\n"
    "           { name = \"none\"; kind = \"front\"; axis = \"x\"; above = 1.5; every = 0.0071; "
    "},\n"
    "           { name = \"level\"; kind = \"height\"; at = [0.3]; every = 0.0043; },\n"
    "           { name = \"slope\"; kind = \"runup\"; from = [0.5, 0.0]; to = [1.0, 0.2];\n"
    "             points = 40; every = 0.0049; },\n"
    "           { name = \"wet\"; kind = \"point\"; at = [0.5, 0.1]; quantity = \"pressure\";\n"
    "             every = 0.0061; } );\n"
    "time = { end = 0.0421; step = 0.0004; };\n"
    "output = { every = 0.0053; precision = \"double\"; keep = 100; };\n"
    "backend = { threads = 1; };\n";

static const char atoms[] = "model = \"lj\"; units = \"lj\"; dimension = 3;\n"
                            "lattice = { kind = \"fcc\"; cells = [3, 3, 3]; density = 0.8442; };\n"
                            "domain = { periodic = [true, true, true]; };\n"
                            "thermal = { temperature = 1.44; }; pair = { name = \"lj\"; };\n"
                            "energy = { every = 7; tolerance = 1.0; };\n"
                            "time = { end = 0.1; step = 0.001; }; output = { every = 0.0; };\n"
                            "backend = { threads = 1; };\n";

static const char *folder;
static const char *backend_name;
static int steps_seen, is_adaptive;

static void count_step(void *data, const struct sluice_sim *sim)
{
    (void)data, (void)sim;
    steps_seen++;
}

static int at_step_21(void *data)
{
    (void)data;
    return steps_seen == 21;
}

static int at_step_50(void *data)
{
    (void)data;
    return steps_seen >= 50;
}

static sluice_status make_folder(const char *name, char *path, size_t size)
{
    char command[1100];
    snprintf(path, size, "%s/%s", folder, name);
    snprintf(command, sizeof command, "mkdir -p '%s'", path);
    return system(command) == 0 ? SLUICE_OK : SLUICE_IO;
}

static sluice_status run(const char *name, int ahead, int stops, struct sluice_run_result *result)
{
    char backend[64];
    const char *const set[] = {backend, "time.step=0.0"};
    snprintf(backend, sizeof backend, "backend.name=\"%s\"", backend_name);
    struct sluice_config config;
    char path[1000];
    SLUICE_TRY(make_folder(name, path, sizeof path));
    SLUICE_TRY(sluice_config_parse(&config, water, "water", set, 1 + is_adaptive, NULL));
    steps_seen = 0;
    const struct sluice_run_options options = {
        .config = &config,
        .folder = path,
        .ahead = ahead,
        .hooks = {NULL, count_step, stops ? at_step_50 : NULL, stops ? NULL : at_step_21}};
    const sluice_status status = sluice_run(&options, result);
    sluice_config_destroy(&config);
    return status;
}

/* The message of a run that blows up, to the first particle's id; it writes nothing before. */
static void blow_up(const char *name, int ahead, char *said, size_t size)
{
    const char *const set[] = {"time.step=0.002", "output.every=0.0", "time.end=1.0"};
    const char *probes = strstr(water, "probes = ("), *rest = strstr(water, "time = {");
    struct sluice_run_result result;
    struct sluice_config config;
    char path[1000], text[sizeof water];
    snprintf(text, sizeof text, "%.*s%s", (int)(probes - water), water, rest);
    said[0] = '\0';
    if (make_folder(name, path, sizeof path) != SLUICE_OK ||
        sluice_config_parse(&config, text, "water", set, 3, NULL) != SLUICE_OK)
        return;
    snprintf(config.backend.name, sizeof config.backend.name, "%s", backend_name);
    const struct sluice_run_options options = {.config = &config, .folder = path, .ahead = ahead};
    is_int(sluice_run(&options, &result), SLUICE_BLOW_UP, "a step that is too long");
    snprintf(said, size, "%.*s", (int)strcspn(sluice_message(), ";"), sluice_message());
    sluice_config_destroy(&config);
}

static sluice_status restart(const char *name, int ahead, struct sluice_run_result *result)
{
    struct sluice_config config;
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    SLUICE_TRY(sluice_run_read_config(path, NULL, 0, &config, NULL));
    const struct sluice_run_options options = {.config = &config, .folder = path, .ahead = ahead};
    const sluice_status status = sluice_run_restart(&options, result);
    sluice_config_destroy(&config);
    return status;
}

static int same_text(const char *a, const char *b, const char *file)
{
    char path[1100], *text[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s/%s", folder, k ? b : a, file);
        if (sluice_safe_file_read(path, &text[k], NULL) != SLUICE_OK)
            diag("%s", sluice_message());
    }
    const int same = text[0] && text[1] && strcmp(text[0], text[1]) == 0;
    free(text[0]);
    free(text[1]);
    return same;
}

static int same_particles(const char *a, const char *b, const char *file)
{
    struct sluice_host_particles p[2] = {{0}, {0}};
    struct sluice_snapshot_header info[2];
    char path[1100];
    int good = 1;
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "%s/%s/%s", folder, k ? b : a, file);
        good &= sluice_snapshot_read(path, &p[k], &info[k]) == SLUICE_OK;
    }
    const size_t n = (size_t)p[0].count;
    const int same = good && p[0].count == p[1].count && info[0].time == info[1].time &&
                     info[0].step == info[1].step &&
                     memcmp(p[0].x, p[1].x, n * sizeof *p[0].x) == 0 &&
                     memcmp(p[0].velocity, p[1].velocity, n * sizeof *p[0].velocity) == 0 &&
                     memcmp(p[0].density, p[1].density, n * sizeof *p[0].density) == 0 &&
                     memcmp(p[0].id, p[1].id, n * sizeof *p[0].id) == 0;
    sluice_host_particles_destroy(&p[0]);
    sluice_host_particles_destroy(&p[1]);
    return same;
}

static void check_same(const char *a, const char *b, int64_t last_step)
{
    static const char *const tables[] = {"energy.csv",      "probe_front.csv", "probe_none.csv",
                                         "probe_level.csv", "probe_slope.csv", "probe_wet.csv",
                                         "run.hdf.series"};
    char file[64];
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        ok(same_text(a, b, tables[t]), "%s and %s: the same %s", a, b, tables[t]);
    int same = 0;
    for (int n = 0; n < 8; n++) {
        snprintf(file, sizeof file, "snap_%06d.hdf", n);
        same += same_particles(a, b, file);
    }
    is_int(same, 8, "the same snapshots");
    snprintf(file, sizeof file, "checkpoint_%09lld.hdf", (long long)last_step);
    ok(same_particles(a, b, file), "the same %s", file);
}

static int has_checkpoint_between(const char *name, int first, int last)
{
    char path[1100];
    int found = 0;
    for (int step = first; step <= last; step++) {
        snprintf(path, sizeof path, "%s/%s/checkpoint_%09d.hdf", folder, name, step);
        found += access(path, F_OK) == 0;
    }
    return found == 1;
}

static void check_backend(const struct sluice_backend_ops *ops)
{
    struct sluice_run_result one, eight, cut;
    diag("backend %s", ops->name);
    backend_name = ops->name;
    is_adaptive = 0;
    folder = fixture_folder();
    is_int(run("one", 1, 0, &one), SLUICE_OK, "one step at a time");
    is_int(run("eight", SLUICE_IN_FLIGHT, 0, &eight), SLUICE_OK, "eight under way");
    ok(one.steps == eight.steps && one.particles == eight.particles && one.removed > 0 &&
           one.removed == eight.removed && one.max_residual == eight.max_residual,
       "both end alike, %lld particles having left", (long long)one.removed);
    check_same("one", "eight", one.steps);
    ok(has_checkpoint_between("one", 21, 22), "a checkpoint is asked for at step 21");
    ok(has_checkpoint_between("eight", 21, 21 + SLUICE_IN_FLIGHT),
       "and written when no step is under way, and energies are known");

    is_int(run("cut", SLUICE_IN_FLIGHT, 1, &cut), SLUICE_STOPPED, "stopped after step 50");
    ok(cut.steps >= 50 && cut.steps <= 50 + SLUICE_IN_FLIGHT, "at step %lld", (long long)cut.steps);
    ok(has_checkpoint_between("cut", (int)cut.steps, (int)cut.steps), "with its checkpoint");
    is_int(restart("cut", 3, &cut), SLUICE_OK, "restarted, three under way");
    check_same("one", "cut", one.steps);

    is_adaptive = 1;
    is_int(run("a_one", 1, 0, &one), SLUICE_OK, "adaptive steps");
    is_int(run("a_two", SLUICE_IN_FLIGHT, 0, &eight), SLUICE_OK,
           "the next one under way while rows are written");
    check_same("a_one", "a_two", one.steps);
    ok(has_checkpoint_between("a_two", 21, 23), "a checkpoint in between");
    is_int(run("a_cut", SLUICE_IN_FLIGHT, 1, &cut), SLUICE_STOPPED, "stopped after step 50");
    ok(cut.steps >= 50 && cut.steps <= 52, "at step %lld", (long long)cut.steps);
    is_int(restart("a_cut", SLUICE_IN_FLIGHT, &cut), SLUICE_OK, "restarted");
    check_same("a_one", "a_cut", one.steps);

    if (ops->wait) { /* it must bear what comes after a blow-up, before the host knows */
        char first[1000], later[1000];
        blow_up("b_one", 1, first, sizeof first);
        blow_up("b_eight", SLUICE_IN_FLIGHT, later, sizeof later);
        is_str(later, first, "found late, the message names the same step");
        ok(strstr(sluice_message(), "7 steps later") != NULL, "and says so");
    }
    fixture_remove(folder);
}

static sluice_status run_atoms(const char *name, int ahead, struct sluice_run_result *result)
{
    struct sluice_config config;
    char path[1000];
    SLUICE_TRY(make_folder(name, path, sizeof path));
    SLUICE_TRY(sluice_config_parse(&config, atoms, "atoms", NULL, 0, NULL));
    snprintf(config.backend.name, sizeof config.backend.name, "%s", backend_name);
    const struct sluice_run_options options = {.config = &config, .folder = path, .ahead = ahead};
    const sluice_status status = sluice_run(&options, result);
    sluice_config_destroy(&config);
    return status;
}

/* The energy of pairs is summed in steps that have a row, however many steps are under way, so the
 * same steps have a residual. */
static void check_atoms(const struct sluice_backend_ops *ops)
{
    struct sluice_run_result one = {0}, eight = {0};
    backend_name = ops->name;
    folder = fixture_folder();
    is_int(run_atoms("atoms_one", 1, &one), SLUICE_OK, "atoms, one step at a time");
    is_int(run_atoms("atoms_eight", SLUICE_IN_FLIGHT, &eight), SLUICE_OK, "eight under way");
    ok(same_text("atoms_one", "atoms_eight", "energy.csv"), "the same energy.csv");
    ok(one.max_residual > 0 && one.max_residual == eight.max_residual,
       "the same largest residual: %.17g and %.17g", one.max_residual, eight.max_residual);
    fixture_remove(folder);
}

/* Every backend of this build that has a device here. */
int main(void)
{
    for (int i = 0; sluice_backend_at(i); i++)
        if (backend_runs_here(sluice_backend_at(i))) {
            check_backend(sluice_backend_at(i));
            check_atoms(sluice_backend_at(i));
        }
    return done_testing();
}
