/* sluice bench pair, step, scaling: the WCSPH pair loop alone, and whole steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench/benchmark.h"
#include "kernels/registry.h"
#include "sim/tune.h"

/* If sets stay sorted for several steps, a measurement is the mean of STEPS_A_REPEAT. The times of
 * a step's sections come from at most SECTION_SAMPLES timed steps. */
enum { STEPS_A_REPEAT = 16, STEPS_FOR_SECTIONS = 256, SECTION_SAMPLES = 8 };
static const double long_enough = 1; /* s: timed steps for the sections */

typedef sluice_status work_of(struct sluice_sim *sim);

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The force of the fluid alone, as in a step, energies included. */
static struct sluice_pass fluid_pass(struct sluice_sim *sim)
{
    const struct sluice_pass pass = {.name = "pair loop",
                                     .pair = SLUICE_PAIR_wcsph_wendland,
                                     .params = &sim->setup->physics.wcsph,
                                     .target = &sim->set[SLUICE_FLUID],
                                     .source = {&sim->set[SLUICE_FLUID], NULL},
                                     .energy = sim->model.energy};
    return pass;
}

static sluice_status run_pairs(struct sluice_sim *sim)
{
    struct sluice_pass pass = fluid_pass(sim);
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
    const double cpu_begun = processor_seconds();
    for (int i = 0; i < repeats; i++) {
        const double begun = sluice_seconds();
        for (int k = 0; k < times; k++)
            SLUICE_TRY(work(sim));
        bench->seconds[i] = (sluice_seconds() - begun) / times;
    }
    *cpu_seconds = (processor_seconds() - cpu_begun) / (times * repeats);
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

static sluice_status measure_sim(struct sluice_bench *bench, struct sluice_sim *sim,
                                 const char *name, work_of *work)
{
    struct sluice_bench_steps row = {.name = name, .sim = sim};
    SLUICE_TRY(sluice_sim_start(sim));
    SLUICE_TRY(repeat(bench, sim, work, &row.cpu_seconds));
    if (work == run_pairs) {
        const struct sluice_pass pass = fluid_pass(sim);
        row.moved = sluice_bench_moved(&pass);
    } else {
        SLUICE_TRY(find_sections(sim, row.section));
        row.moved = (double)sluice_sim_memory(sim); /* each byte once */
    }
    SLUICE_TRY(sluice_sim_count_pairs(sim, &row.pairs, &row.flops));
    sluice_bench_print_steps(bench, &row);
    return SLUICE_OK;
}

/* Measures the work on the case of a config text, its particles disordered if wanted. */
static sluice_status measure(struct sluice_bench *bench, const char *text, const char *name,
                             int disordered, work_of *work)
{
    const char *strategy = bench->settings->backend.strategy;
    struct sluice_log log = {.terminal = stderr};
    struct sluice_bench_case c;
    struct sluice_sim sim;
    SLUICE_TRY(sluice_bench_case_create(&c, bench, text, name));
    sluice_status status = disordered ? sluice_bench_disorder(&c.setup) : SLUICE_OK;
    if (status == SLUICE_OK) {
        status = sluice_sim_create(&sim, &c.config, &c.setup, &log);
        if (status == SLUICE_OK && strategy && strcmp(strategy, "auto") == 0)
            sluice_tune_begin(&sim, 1);
        if (status == SLUICE_OK)
            status = measure_sim(bench, &sim, name, work);
        sluice_sim_destroy(&sim);
    }
    sluice_bench_case_destroy(&c);
    return status;
}

/* --- pair: 58, 113 and 267 neighbours within 2 h ---- */

static const struct {
    const char *name;
    double h_over_dp;
} pairs[] = {{"h1.2", 1.2}, {"h1.5", 1.5}, {"h2.0", 2.0}};

static const char *pair_name(const struct sluice_bench_settings *settings, int k, char name[32],
                             int *large)
{
    (void)settings, (void)name, (void)large;
    return k < (int)(sizeof pairs / sizeof pairs[0]) ? pairs[k].name : NULL;
}

static long long particles_of(const struct sluice_bench_settings *settings)
{
    return settings->particles ? settings->particles : SLUICE_BENCH_PARTICLES;
}

static sluice_status run_pair(struct sluice_bench *bench, int k, const char *name)
{
    char text[SLUICE_BENCH_TEXT];
    sluice_bench_cube_text(text, particles_of(bench->settings), pairs[k].h_over_dp);
    return measure(bench, text, name, 1, run_pairs);
}

/* --- step: the configs, and the cube of `pair` ---- */

static const char *step_name(const struct sluice_bench_settings *settings, int k, char name[32],
                             int *large)
{
    (void)settings, (void)name;
    int configs = 0;
    while (sluice_bench_configs[configs].name)
        configs++;
    *large = k == configs || sluice_bench_configs[k].large;
    return k < configs ? sluice_bench_configs[k].name : k == configs ? "cube" : NULL;
}

static sluice_status run_disordered(struct sluice_bench *bench, long long n, const char *name)
{
    char text[SLUICE_BENCH_TEXT];
    sluice_bench_cube_text(text, n, 2.0);
    return measure(bench, text, name, 1, sluice_sim_step);
}

static sluice_status run_step(struct sluice_bench *bench, int k, const char *name)
{
    const char *text = sluice_bench_configs[k].text;
    return text ? measure(bench, text, name, 0, sluice_sim_step)
                : run_disordered(bench, particles_of(bench->settings), name);
}

/* --- scaling: the cube with 4,000 particles, then four times as many each ---- */

static long long scaled(int k)
{
    return 4000LL << 2 * k;
}

static const char *scaling_name(const struct sluice_bench_settings *settings, int k, char name[32],
                                int *large)
{
    (void)large;
    snprintf(name, 32, "n%lld", scaled(k));
    const long long most = particles_of(settings);
    return scaled(k) <= most + most / 4 ? name : NULL;
}

static sluice_status run_scaling(struct sluice_bench *bench, int k, const char *name)
{
    return run_disordered(bench, scaled(k), name);
}

const struct sluice_benchmark sluice_bench_pair = {"pair", 1, pair_name, run_pair},
                              sluice_bench_step = {"step", 1, step_name, run_step},
                              sluice_bench_scaling = {"scaling", 1, scaling_name, run_scaling};
