/* test: 0.2 s */
/* Several steps under way at once, where the time step is fixed: the same bits as one at a time,
 * through a backend that returns no result before a wait; and the seconds by section of a backend
 * with a clock of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "support/tap.h"
#include "kernels/backends/backends.h"

enum { STEPS = 40, QUEUE = 256, BLOWN = 13 };

/* --- The CPU's operations, whose results come late --- */

/* One result: its destination and its value. */
struct late {
    void *to;
    size_t bytes;
    unsigned char value[sizeof(struct sluice_summary) + SLUICE_SUM_COUNT * sizeof(double)];
};

static struct late pending[SLUICE_IN_FLIGHT + 1][QUEUE]; /* the last: not posted yet */
static int pending_count[SLUICE_IN_FLIGHT + 1];
static int posted, waited, most_in_flight, reduced, blows_up, marks[SLUICE_SECTION_COUNT];

/* Hides a result until the wait; the number in its place would spoil any sum. */
static void keep(void *result, size_t bytes)
{
    const int n = pending_count[SLUICE_IN_FLIGHT]++;
    struct late *late = &pending[SLUICE_IN_FLIGHT][n];
    late->to = result;
    late->bytes = bytes;
    memcpy(late->value, result, bytes);
    memset(result, 0xff, bytes); /* NaN in every double */
}

static void deliver(int slot)
{
    for (int i = 0; i < pending_count[slot]; i++)
        memcpy(pending[slot][i].to, pending[slot][i].value, pending[slot][i].bytes);
    pending_count[slot] = 0;
}

static sluice_status late_interact(struct sluice_backend *b, const struct sluice_grid *g,
                                   struct sluice_pass *pass)
{
    SLUICE_TRY(sluice_cpu_ops.interact(b, g, pass));
    keep(pass->sum, sizeof pass->sum);
    return SLUICE_OK;
}

static sluice_status late_reduce(struct sluice_backend *b, const struct sluice_grid *g,
                                 struct sluice_reduce *r)
{
    SLUICE_TRY(sluice_cpu_ops.reduce(b, g, r));
    if (blows_up && reduced++ >= BLOWN) { /* the first is of the start */
        r->out.extremes.not_finite = 1;
        r->out.extremes.first_not_finite = 5;
    }
    keep(&r->out, sizeof r->out);
    return SLUICE_OK;
}

static sluice_status late_post(struct sluice_backend *b, int slot)
{
    (void)b;
    memcpy(pending[slot], pending[SLUICE_IN_FLIGHT], sizeof pending[slot]);
    pending_count[slot] = pending_count[SLUICE_IN_FLIGHT];
    pending_count[SLUICE_IN_FLIGHT] = 0;
    posted++;
    if (posted - waited > most_in_flight)
        most_in_flight = posted - waited;
    return SLUICE_OK;
}

static sluice_status late_wait(struct sluice_backend *b, int slot, int *early)
{
    (void)b;
    if (early) {
        *early = 0;
        return SLUICE_OK;
    }
    deliver(slot);
    waited++;
    return SLUICE_OK;
}

static sluice_status late_sync(struct sluice_backend *b)
{
    (void)b;
    for (int slot = 0; slot <= SLUICE_IN_FLIGHT; slot++)
        deliver(slot);
    return SLUICE_OK;
}

static void count_mark(struct sluice_backend *b, int section)
{
    (void)b;
    if (section >= 0)
        marks[section]++;
}

/* A second each for what was marked. */
static sluice_status read_clock(struct sluice_backend *b, double seconds[SLUICE_SECTION_COUNT])
{
    (void)b;
    for (int s = 0; s < SLUICE_SECTION_COUNT; s++) {
        seconds[s] += marks[s];
        marks[s] = 0;
    }
    return SLUICE_OK;
}

/* --- Runs --- */

static const char atoms[] = "model = \"lj\"; units = \"lj\"; dimension = 3;\n"
                            "lattice = { kind = \"fcc\"; cells = [4, 4, 4]; density = 0.8442; };\n"
                            "domain = { periodic = [true, true, true]; };\n"
                            "thermal = { temperature = 1.44; }; pair = { name = \"lj\"; };\n"
                            "time = { end = 10.0; step = 0.004; }; output = { every = 0.0; };\n"
                            "backend = { name = \"cpu\"; threads = 1; };\n";
/* Thrown out to the right, so that particles leave while steps are under way. */
static const char water[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];\n"
    "fluid = { sound_speed = 30.0; }; domain = { min = [0.0, 0.0]; max = [1.0, 2.0]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.95, 0.5]; },\n"
    "             { shape = \"walls\"; sides = [\"bottom\"]; } );\n"
    "initial = ( { field = \"velocity\"; kind = \"uniform\"; value = [5.0, 0.0]; } );\n"
    "time = { end = 10.0; step = 0.0004; }; output = { every = 0.0; };\n"
    "backend = { name = \"cpu\"; threads = 1; };\n";

static struct sluice_config config;
static struct sluice_case setup;
static struct sluice_sim sim;
static struct sluice_backend_ops late;

static int open_sim(const char *text, int ahead)
{
    late = sluice_cpu_ops;
    late.interact = late_interact;
    late.reduce = late_reduce;
    late.sync = late_sync;
    late.post = late_post;
    late.wait = late_wait;
    late.mark = count_mark;
    late.elapsed = read_clock;
    posted = waited = most_in_flight = reduced = 0;
    memset(pending_count, 0, sizeof pending_count);
    memset(marks, 0, sizeof marks);
    memset(&sim, 0, sizeof sim);
    const int good = sluice_config_parse(&config, text, "case", NULL, 0, NULL) == SLUICE_OK &&
                     sluice_case_create(&setup, &config, NULL) == SLUICE_OK &&
                     sluice_sim_create(&sim, &config, &setup, NULL) == SLUICE_OK;
    if (good && ahead > 0) {
        sim.backend.ops = &late;
        sim.ahead = ahead;
    }
    return good && sluice_sim_start(&sim) == SLUICE_OK;
}

static void close_sim(void)
{
    sluice_sim_destroy(&sim);
    sluice_case_destroy(&setup);
    sluice_config_destroy(&config);
}

/* The budget after each step; particles are wanted at the last one. */
static int run(const char *text, int ahead, struct sluice_budget_row row[STEPS])
{
    int made = 0;
    if (!open_sim(text, ahead))
        diag("%s", sluice_message());
    else
        for (sim.queue_limit = STEPS; made < STEPS && sluice_sim_step(&sim) == SLUICE_OK; made++)
            row[made] = sim.now;
    if (made < STEPS)
        diag("%s", sluice_message());
    return made;
}

static void check_bits(const char *text, const char *name)
{
    static struct sluice_budget_row plain[STEPS], ahead[STEPS];
    is_int(run(text, 0, plain), STEPS, name);
    const int64_t lost = sim.flow_particles[SLUICE_FLOW_REMOVED];
    close_sim();
    for (int depth = 1; depth <= SLUICE_IN_FLIGHT; depth += SLUICE_IN_FLIGHT - 1) {
        is_int(run(text, depth, ahead), STEPS, name);
        ok(memcmp(plain, ahead, sizeof plain) == 0 &&
               sim.flow_particles[SLUICE_FLOW_REMOVED] == lost,
           "%s: %d under way, the same budgets to the bit", name, depth);
        is_int(most_in_flight, depth, "as many under way as may be");
        is_int(sim.queued, STEPS, "none beyond the step that is wanted");
        close_sim();
    }
    ok(strcmp(name, "water") != 0 || (lost > 0 && plain[STEPS - 1].particles > 0),
       "%s: %lld particles left", name, (long long)lost);
}

static void check_adaptive(void)
{
    char text[sizeof water];
    snprintf(text, sizeof text, "%s", water);
    strstr(text, "0.0004")[5] = '0';
    ok(open_sim(text, SLUICE_IN_FLIGHT), "an adaptive step");
    sim.queue_limit = STEPS;
    for (int i = 0; i < 5; i++)
        sluice_sim_step(&sim);
    is_int(most_in_flight, 1, "waits for each step's limits");
    close_sim();
}

static void check_blow_up(void)
{
    char right[80];
    blows_up = 1;
    ok(open_sim(atoms, SLUICE_IN_FLIGHT), "a blow-up that is found late");
    sim.queue_limit = STEPS;
    sluice_status status = SLUICE_OK;
    while (status == SLUICE_OK && sim.step < STEPS)
        status = sluice_sim_step(&sim);
    is_int(status, SLUICE_BLOW_UP, "ends the run");
    snprintf(right, sizeof right, "blew up at step %d, t = %.9g:", BLOWN, BLOWN * 0.004);
    ok(strstr(sluice_message(), right) != NULL, "the message names the step: %s", sluice_message());
    ok(strstr(sluice_message(), "7 steps later, particle") != NULL,
       "and says when the particle was looked at");
    close_sim();
    blows_up = 0;
}

static void check_clock(void)
{
    struct sluice_budget_row row[STEPS];
    double seconds[SLUICE_SECTION_COUNT];
    is_int(run(atoms, SLUICE_IN_FLIGHT, row), STEPS, "a backend with a clock of its own");
    ok(sim.timed_steps >= 2 && sim.timed_steps < STEPS, "%lld of %d steps are marked",
       (long long)sim.timed_steps, STEPS);
    sim.timers.seconds[SLUICE_SECTION_OUTPUT] = 0.125;
    sluice_sim_sections(&sim, seconds);
    is_close(seconds[SLUICE_SECTION_PAIRS], STEPS, 1e-12, "its seconds, scaled to all steps");
    is_close(seconds[SLUICE_SECTION_KICK], STEPS, 1e-12, "the seconds of each section");
    is_close(seconds[SLUICE_SECTION_WALLS], 0, 0, "a section that did not run has none");
    is_close(seconds[SLUICE_SECTION_OUTPUT], 0.125, 0, "output by the host's clock");
    close_sim();
}

int main(void)
{
    check_bits(atoms, "atoms");
    check_bits(water, "water");
    check_adaptive();
    check_blow_up();
    check_clock();
    return done_testing();
}
