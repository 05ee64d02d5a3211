/* sluice bench pair, step, machine, scaling, contrast: the WCSPH pair loop alone, and whole steps.
 */
#include <stdio.h>
#include <string.h>

#include "bench/benchmark.h"
#include "kernels/registry.h"

/* If sets stay sorted for several steps, a measurement is the mean of STEPS_A_REPEAT. The times of
 * a step's sections come from at most SECTION_SAMPLES timed steps. */
enum { STEPS_A_REPEAT = 16, STEPS_FOR_SECTIONS = 256, SECTION_SAMPLES = 8 };
static const double long_enough = 1; /* s: timed steps for the sections */

typedef sluice_status work_of(struct sluice_sim *sim);

struct sluice_pass sluice_bench_fluid_pass(struct sluice_sim *sim)
{
    struct sluice_pass pass = {.name = "pair loop",
                               .params = &sim->setup->physics.wcsph,
                               .target = &sim->set[SLUICE_FLUID],
                               .source = {&sim->set[SLUICE_FLUID], NULL},
                               .sums = sim->model.sums};
    pass.pair = sluice_wcsph_pair(pass.params, sluice_pass_mass(&pass));
    return pass;
}

static sluice_status run_pairs(struct sluice_sim *sim)
{
    struct sluice_pass pass = sluice_bench_fluid_pass(sim);
    SLUICE_TRY(sim->backend.ops->interact(&sim->backend, &sim->grid, &pass));
    return sim->backend.ops->sync(&sim->backend);
}

/* Repeats the work: first to warm up, then for the measurements. */
static sluice_status repeat(struct sluice_bench *bench, struct sluice_sim *sim, work_of *work,
                            double *cpu_seconds)
{
    const int repeats = bench->settings->repeats;
    for (int i = 0; i < bench->settings->warm_up; i++)
        SLUICE_TRY(work(sim));
    const int times = work == sluice_sim_step && sluice_sim_keeps_order(sim) ? STEPS_A_REPEAT : 1;
    const double cpu_begun = sluice_processor_seconds();
    for (int i = 0; i < repeats; i++) {
        const double begun = sluice_seconds();
        for (int k = 0; k < times; k++)
            SLUICE_TRY(work(sim));
        bench->seconds[i] = (sluice_seconds() - begun) / times;
    }
    *cpu_seconds = (sluice_processor_seconds() - cpu_begun) / (times * repeats);
    return SLUICE_OK;
}

/* Seconds by section. The host's clock has timed all steps. A device's clock times only some, so
 * more steps are made: until one was timed and a second has passed. */
static sluice_status find_sections(struct sluice_sim *sim, double section[SLUICE_SECTION_COUNT])
{
    const int64_t timed = sim->timed_steps;
    const int device = sim->backend.ops->elapsed != NULL;
    double before[SLUICE_SECTION_COUNT] = {0};
    if (device)
        memcpy(before, sim->device_seconds, sizeof before);
    const double begun = sluice_seconds();
    for (int k = 0;
         device && k < STEPS_FOR_SECTIONS && sim->timed_steps < timed + SECTION_SAMPLES &&
         (sim->timed_steps == timed || sluice_seconds() - begun < long_enough);
         k++)
        SLUICE_TRY(sluice_sim_step(sim));
    for (int s = 0; s < SLUICE_SECTION_COUNT; s++)
        section[s] = (device ? sim->device_seconds : sim->timers.seconds)[s] - before[s];
    return SLUICE_OK;
}

/* Measures the work on the case, its particles disordered if wanted. */
static sluice_status measure(struct sluice_bench *bench, const char *name, int disordered,
                             work_of *work)
{
    const char *strategy = bench->settings->backend.strategy;
    struct sluice_sim *sim = &bench->sim;
    struct sluice_bench_steps row = {.name = name, .sim = sim};
    if (disordered)
        SLUICE_TRY(sluice_bench_disorder(&bench->setup));
    SLUICE_TRY(sluice_bench_start(bench, strategy && strcmp(strategy, "auto") == 0));
    SLUICE_TRY(repeat(bench, sim, work, &row.cpu_seconds));
    if (work == run_pairs) {
        const struct sluice_pass pass = sluice_bench_fluid_pass(sim);
        row.moved = sluice_bench_moved(&pass);
    } else {
        SLUICE_TRY(find_sections(sim, row.section));
        row.moved = (double)sluice_sim_memory(sim); /* each byte once */
    }
    SLUICE_TRY(sluice_sim_count_pairs(sim, &row.pairs, &row.flops));
    return sluice_bench_print_steps(bench, &row);
}

/* --- pair: 58, 113 and 267 neighbours within 2 h ---- */

static const struct {
    const char *name;
    double h_over_dp;
} pairs[] = {{"h1.2", 1.2}, {"h1.5", 1.5}, {"h2.0", 2.0}};

static int find_pair(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    if (k == sizeof pairs / sizeof pairs[0])
        return 0;
    found->name = pairs[k].name;
    sluice_bench_make_cube(found, sluice_bench_particles(settings), "wendland-c2",
                           pairs[k].h_over_dp);
    return 1;
}

static sluice_status run_pair(struct sluice_bench *bench, int k, const char *name)
{
    (void)k;
    return measure(bench, name, 1, run_pairs);
}

/* --- step: the configs, and the cube of `pair` ---- */

static int find_step(const struct sluice_bench_settings *settings, int k,
                     struct sluice_bench_case *found)
{
    const int exists = sluice_bench_find_config(k, found);
    if (!found->config)
        sluice_bench_make_cube(found, sluice_bench_particles(settings), "wendland-c2", 2.0);
    return exists;
}

static sluice_status run_step(struct sluice_bench *bench, int k, const char *name)
{
    return measure(bench, name, !sluice_bench_configs[k].text, sluice_sim_step);
}

/* --- machine: the cases of `pair` and of `step`, to compare machines ---- */

enum { PAIR_CASES = sizeof pairs / sizeof pairs[0] };

static int find_machine(const struct sluice_bench_settings *settings, int k,
                        struct sluice_bench_case *found)
{
    return k < PAIR_CASES ? find_pair(settings, k, found)
                          : find_step(settings, k - PAIR_CASES, found);
}

static sluice_status run_machine(struct sluice_bench *bench, int k, const char *name)
{
    return k < PAIR_CASES ? run_pair(bench, k, name) : run_step(bench, k - PAIR_CASES, name);
}

/* --- scaling: the cube with 4,000 particles, then four times as many each ---- */

static int find_scaling(const struct sluice_bench_settings *settings, int k,
                        struct sluice_bench_case *found)
{
    const long long particles = 4000LL << 2 * k, most = sluice_bench_particles(settings);
    found->name = found->made_name;
    snprintf(found->made_name, sizeof found->made_name, "n%lld", particles);
    sluice_bench_make_cube(found, particles, "wendland-c2", 2.0);
    return particles <= most + most / 4;
}

static sluice_status run_scaling(struct sluice_bench *bench, int k, const char *name)
{
    (void)k;
    return measure(bench, name, 1, sluice_sim_step);
}

/* --- contrast: a gas of two spacings, by each strategy that searches ---- */

static const struct {
    const char *name;
    int times;
} contrasts[] = {{"c1", 1}, {"c2", 2}, {"c4", 4}, {"c8", 8}, {"c16", 16}, {"c32", 32}, {"c64", 64}};

static int find_contrast(const struct sluice_bench_settings *settings, int k,
                         struct sluice_bench_case *found)
{
    if (k == sizeof contrasts / sizeof contrasts[0])
        return 0;
    found->name = contrasts[k].name;
    sluice_bench_make_contrast(found, sluice_bench_particles(settings), contrasts[k].times);
    return 1;
}

static sluice_status run_contrast(struct sluice_bench *bench, int k, const char *name)
{
    static const int strategies[] = {SLUICE_STRATEGY_window, SLUICE_STRATEGY_bucket};
    const char *only = bench->settings->backend.strategy;
    (void)k;
    if (only)
        return measure(bench, name, 0, sluice_sim_step);
    for (size_t s = 0; s < sizeof strategies / sizeof *strategies; s++) {
        snprintf(bench->config.backend.strategy, sizeof bench->config.backend.strategy, "%s",
                 sluice_strategies[strategies[s]].name);
        SLUICE_TRY(measure(bench, name, 0, sluice_sim_step));
    }
    return SLUICE_OK;
}

const struct sluice_benchmark sluice_bench_pair = {"pair", find_pair, run_pair},
                              sluice_bench_step = {"step", find_step, run_step},
                              sluice_bench_machine = {"machine", find_machine, run_machine},
                              sluice_bench_scaling = {"scaling", find_scaling, run_scaling},
                              sluice_bench_contrast = {"contrast", find_contrast, run_contrast};
