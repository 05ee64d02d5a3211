/* test: 0.2 s, emulator-slow, gpu */
/* backend.strategy = "auto", on every backend that runs here: a measurement changes no particle,
 * the log has the choices, and a replay of them gives the same bits; each strategy and set of bins
 * is used as chosen. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/registry.h"
#include "sim/sim.h"
#include "support/tap.h"
#include "support/variants.h"
#include "sim/tune.h"

enum { STEPS = 7, EVERY = 3, SETTINGS = 6 };

static const char atoms[] =
    "model = \"lj\"; units = \"lj\"; dimension = 2;\n"
    "lattice = { kind = \"square\"; cells = [7, 7]; density = 0.5; };\n"
    "domain = { periodic = [true, true]; }; thermal = { temperature = 1.44; };\n"
    "pair = { name = \"lj\"; }; time = { end = 10.0; step = 0.004; }; output = { every = 0.0; };\n";
/* Some leave to the right, while walls and shifting take part. */
static const char water[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.1; gravity = [0.0, -9.81];\n"
    "fluid = { sound_speed = 30.0; shifting = { kind = \"inside\"; }; };\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 2.0]; }; boundary = { kind = \"dynamic\"; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [1.0, 0.4]; },\n"
    "             { shape = \"walls\"; sides = [\"bottom\"]; } );\n"
    "initial = ( { field = \"velocity\"; kind = \"uniform\"; value = [9.0, 0.0]; } );\n"
    "time = { end = 10.0; }; output = { every = 0.0; };\n";
/* The running mean of the head is carried, and changes in each step. */
static const char filtered[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.1; gravity = [0.0, -9.81];\n"
    "fluid = { sound_speed = 30.0; diffusion = { filter = 0.5; }; };\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.5, 0.5]; },\n"
    "             { shape = \"walls\"; sides = [\"bottom\", \"left\", \"right\"]; } );\n"
    "time = { end = 10.0; }; output = { every = 0.0; };\n";

/* The tensor and the memory are of the step before. */
static const char renormalised[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.1; gravity = [0.0, -9.81];\n"
    "fluid = { sound_speed = 30.0; gradients = \"renormalised\"; };\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.5, 0.5]; },\n"
    "             { shape = \"walls\"; sides = [\"bottom\", \"left\", \"right\"]; } );\n"
    "time = { end = 10.0; }; output = { every = 0.0; };\n";

/* So are the stress and the gradient of the head. */
static const char gradients[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.1; gravity = [0.0, -9.81];\n"
    "fluid = { sound_speed = 30.0; diffusion = { kind = \"antuono\"; };\n"
    "          viscosity = { kind = \"sps\"; nu = 0.01; }; };\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.5, 0.5]; },\n"
    "             { shape = \"walls\"; sides = [\"bottom\", \"left\", \"right\"]; } );\n"
    "time = { end = 10.0; }; output = { every = 0.0; };\n";

/* The result of a run: every field that is carried, of every set. */
struct trace {
    char *bytes;
    size_t size;
    int64_t removed;
    int strategy, bins[3];
    struct sluice_choice *choices; /* of its log */
    int choice_count;
};

static void destroy(struct trace *t)
{
    free(t->bytes);
    free(t->choices);
}

static sluice_status keep_fields(struct sluice_sim *sim, struct trace *t)
{
    FILE *out = open_memstream(&t->bytes, &t->size);
    for (int s = 0; s < SLUICE_TYPE_COUNT; s++)
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
            const struct sluice_set *set = &sim->set[s];
            const size_t bytes = set->field[f]
                                     ? (size_t)(set->count *
                                                sluice_set_field_bytes(set, (enum sluice_field)f))
                                     : 0;
            if (bytes == 0 || sluice_field_table[f].life != SLUICE_LIFE_STATE)
                continue;
            void *memory = malloc(bytes);
            const sluice_status status = sim->backend.ops->download(&sim->backend, memory,
                                                                    set->field[f], bytes);
            fwrite(memory, 1, bytes, out);
            free(memory);
            if (status != SLUICE_OK) {
                fclose(out);
                return status;
            }
        }
    fclose(out);
    return SLUICE_OK;
}

/* Steps with measurements at the start and every third step, or with the choices of an earlier run.
 */
static sluice_status go(struct sluice_sim *sim, const struct trace *replay, struct trace *t)
{
    sluice_tune_begin(sim, 0);
    sim->tuning.every = EVERY;
    if (replay)
        SLUICE_TRY(sluice_tune_replay(sim, replay->choices, replay->choice_count, -1));
    SLUICE_TRY(sluice_sim_start(sim));
    sim->queue_limit = STEPS;
    while (sim->step < STEPS) {
        if (!replay)
            sim->tuning.last.mean = 1e-3; /* as if cells had become fuller */
        else if (sim->tuning.measures)
            sim->tuning.last.fullest = 1000000; /* the log's choices go before */
        SLUICE_TRY(sluice_sim_step(sim));
    }
    t->removed = sim->flow_particles[SLUICE_FLOW_REMOVED];
    t->strategy = sim->backend.orders.strategy;
    memcpy(t->bins, sim->grid.bins_log2, sizeof t->bins);
    return keep_fields(sim, t);
}

static int run(const struct variant *on, const char *text, const char *setting,
               const struct trace *replay, struct trace *t)
{
    static struct sluice_config config;
    static struct sluice_case setup;
    static struct sluice_sim sim;
    char backend[80], isa[80], path[] = "/tmp/sluice-auto-XXXXXX";
    int unread;
    const char *const set[SETTINGS] = {backend,
                                       isa,
                                       setting,
                                       "backend.threads=1",
                                       "backend.auto_cache=false",
                                       "time.max_steps=1000"};
    struct sluice_log log = {.file = fdopen(mkstemp(path), "w")};
    memset(&sim, 0, sizeof sim);
    memset(t, 0, sizeof *t);
    snprintf(backend, sizeof backend, "backend.name=\"%s\"", on->backend);
    snprintf(isa, sizeof isa, "backend.isa=\"%s\"", on->isa ? on->isa : "");
    sluice_status status = sluice_config_parse(&config, text, "case", set, SETTINGS, NULL);
    if (status == SLUICE_OK)
        status = sluice_case_create(&setup, &config, NULL);
    if (status == SLUICE_OK)
        status = sluice_sim_create(&sim, &config, &setup, &log);
    if (status == SLUICE_OK)
        status = go(&sim, replay, t);
    fclose(log.file);
    if (status == SLUICE_OK)
        status = sluice_choices_read(path, &t->choices, &t->choice_count, &unread);
    if (status != SLUICE_OK)
        diag("%s", sluice_message());
    unlink(path);
    sluice_sim_destroy(&sim);
    sluice_case_destroy(&setup);
    sluice_config_destroy(&config);
    return status == SLUICE_OK;
}

static int same(const struct trace *a, const struct trace *b)
{
    return a->size > 0 && a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0 &&
           a->removed == b->removed;
}

static void check_replay(const struct variant *on, const char *text, const char *name)
{
    struct trace first, again;
    const int made = run(on, text, "backend.auto_share=0.06", NULL, &first);
    ok(made && first.choice_count == 1 + STEPS / EVERY, "%s, %s: %d choices in the log", on->name,
       name, first.choice_count);
    ok(run(on, text, "backend.auto_share=0.06", &first, &again) && same(&first, &again),
       "%s, %s: replayed, without a look, the same bits", on->name, name);
    ok(again.choice_count == first.choice_count &&
           memcmp(again.choices, first.choices,
                  (size_t)first.choice_count * sizeof *first.choices) == 0,
       "%s, %s: and the same choices in the log", on->name, name);
    ok(strcmp(name, "water") != 0 || first.removed > 0, "%s: %lld particles left", name,
       (long long)first.removed);
    destroy(&first);
    destroy(&again);
}

/* Other strategies and bins during a run, as a log may have them. */
static void check_changes(const struct variant *on, const char *text, const char *name)
{
    struct sluice_choice choices[] = {{.step = 0, .strategy = SLUICE_STRATEGY_tiled},
                                      {.step = 3, .strategy = SLUICE_STRATEGY_window},
                                      {.step = 6, .strategy = SLUICE_STRATEGY_window}};
    const struct trace log = {.choices = choices, .choice_count = 3};
    struct trace rule, changed, again;
    ok(run(on, text, "backend.auto_share=0", NULL, &rule) && rule.choice_count == 1,
       "%s, %s: a fraction of 0 takes the rule", on->name, name);
    for (int k = 0; k < 3; k++)
        memcpy(choices[k].bins_log2, rule.bins, sizeof rule.bins);
    for (int c = 0; c < 2; c++)
        choices[1].bins_log2[c] = 3; /* about a cutoff */
    choices[1].strategy = SLUICE_STRATEGY_x_pencil;
    choices[2].bins_log2[1]--;
    ok(run(on, text, "backend.auto_share=0", &log, &changed) &&
           changed.strategy == SLUICE_STRATEGY_window && changed.choice_count == 3 &&
           changed.bins[1] == rule.bins[1] - 1,
       "%s, %s: choices that change during the run", on->name, name);
    ok(!same(&rule, &changed), "%s, %s: show in the bits", on->name, name);
    ok(run(on, text, "backend.auto_share=0", &changed, &again) && same(&changed, &again),
       "%s, %s: and repeat them", on->name, name);
    destroy(&rule);
    destroy(&changed);
    destroy(&again);
}

int main(void)
{
    struct variant list[VARIANTS_MOST];
    const int count = variants_here(list);
    for (int v = 0; v < count; v++) {
        if (list[v].is_cpu && v + 1 < count && list[v + 1].is_cpu)
            continue; /* one instruction set, the best */
        check_replay(&list[v], water, "water");
        check_replay(&list[v], filtered, "water with a filter");
        check_replay(&list[v], renormalised, "water with renormalised gradients");
        check_replay(&list[v], gradients, "water with stress and antuono");
        check_changes(&list[v], atoms, "atoms");
        if (!list[v].is_cpu)
            continue; /* emulated, all of it takes minutes */
        check_replay(&list[v], atoms, "atoms");
        check_changes(&list[v], water, "water");
    }
    return done_testing();
}
