/* test: 0.2 s */
/* A simulation restored from a checkpoint, before its first step: it has its time, and the forces
 * of the present state (dt = 0, as for auto and the count of pairs) change no field that a step
 * reads of the one before. With a filter of the diffusion, whose mean begins at t = 0. */
#include "sim/output.h"
#include "sim/output_state.h"
#include "sim/run.h"
#include "support/run_fixture.h"
#include "support/tap.h"

enum { STEPS = 6 };

static const char water[] =
    "model = \"wcsph\"; dimension = 2; spacing = 0.05; gravity = [0.0, -9.81];\n"
    "fluid = { sound_speed = 30.0; diffusion = { filter = 0.5; }; };\n"
    "domain = { min = [0.0, 0.0]; max = [1.0, 1.0]; };\n"
    "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [0.5, 0.5]; },\n"
    "             { shape = \"walls\"; sides = [\"bottom\", \"left\", \"right\"]; } );\n"
    "time = { end = 1.0; max_steps = 6; }; output = { every = 0.0; };\n"
    "backend = { name = \"cpu\"; threads = 1; };\n";

static struct sluice_sim sim;
static struct sluice_output output;

/* The field on the host; the caller frees it. */
static void *get(enum sluice_field field, size_t *bytes)
{
    const struct sluice_set *set = &sim.set[SLUICE_FLUID];
    *bytes = (size_t)(set->count * sluice_set_field_bytes(set, field));
    void *memory = malloc(*bytes);
    if (sim.backend.ops->download(&sim.backend, memory, set->field[field], *bytes) != SLUICE_OK)
        diag("%s", sluice_message());
    return memory;
}

static void check_state(void)
{
    static const enum sluice_field fields[] = {SLUICE_FIELD_ID, SLUICE_FIELD_HEAD_MEAN,
                                               SLUICE_FIELD_HEAD_MEAN_LOW, SLUICE_FIELD_SCALAR};
    enum { FIELDS = sizeof fields / sizeof *fields };
    void *before[FIELDS];
    size_t bytes;
    double pairs;
    is_int(sim.step, STEPS, "restored at the last step");
    ok(sim.time > 0 && sim.model.time == sim.time, "the model is at t = %.9g, the simulation at %g",
       sim.model.time, sim.time);
    for (int f = 0; f < FIELDS; f++)
        before[f] = get(fields[f], &bytes);
    is_int(sluice_sim_count_pairs(&sim, &pairs, NULL), SLUICE_OK, "forces of the present state");
    ok(pairs > 0, "the forces of %.0f pairs", pairs);
    for (int f = 0; f < FIELDS; f++) {
        void *after = get(fields[f], &bytes);
        ok(bytes > 0 && same_bits(before[f], after, bytes), "%s keeps its bits",
           sluice_field_table[fields[f]].name);
        free(before[f]);
        free(after);
    }
}

static sluice_status restore(const char *folder, struct sluice_config *config,
                             struct sluice_case *setup)
{
    struct sluice_checkpoint *checkpoint;
    SLUICE_TRY(sluice_run_read_config(folder, NULL, 0, config, NULL));
    SLUICE_TRY(sluice_case_create(setup, config, NULL));
    SLUICE_TRY(sluice_sim_create(&sim, config, setup, NULL));
    SLUICE_TRY(sluice_output_create(&output, &sim));
    SLUICE_TRY(sluice_checkpoint_open_newest(&checkpoint, folder, NULL));
    const sluice_status status = sluice_state_restore(&output, &sim, checkpoint);
    sluice_checkpoint_close(&checkpoint);
    return status;
}

int main(void)
{
    static struct sluice_config config;
    static struct sluice_case setup;
    struct sluice_run_result result;
    const char *folder = fixture_folder();
    const struct sluice_run_options options = {.config = &config, .folder = folder};
    is_int(sluice_config_parse(&config, water, "water", NULL, 0, NULL), SLUICE_OK, "a config");
    is_int(sluice_run(&options, &result), SLUICE_OK, "a run leaves a checkpoint");
    sluice_config_destroy(&config);
    if (is_int(restore(folder, &config, &setup), SLUICE_OK, "the checkpoint is restored"))
        check_state();
    else
        diag("%s", sluice_message());
    (void)sluice_output_close(&output);
    sluice_sim_destroy(&sim);
    sluice_case_destroy(&setup);
    sluice_config_destroy(&config);
    fixture_remove(folder);
    return done_testing();
}
