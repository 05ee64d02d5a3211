/* sluice bench scaling --ranks: whole runs of one case on each number of ranks, alternating, beside
 * what the plan predicts. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/benchmark.h"
#include "bench/rank_runs.h"
#include "core/allocate.h"
#include "core/json.h"
#include "core/version.h"
#include "domain/comm.h"

enum { STEPS = 100 };

/* One number of ranks. */
struct row {
    int ranks;
    struct sluice_config config; /* of its case */
    double *seconds;             /* [repeats] a step */
    double particles, pairs;     /* of the case; a step */
    double busiest;              /* the largest of all runs; 0: not measured */
    double predicted;            /* s a step; 0: not predicted */
    double median, speedup;      /* after the runs; speedup over one rank */
    double least, most;
    double predicted_speedup;
};

struct scaling {
    const struct sluice_bench_settings *settings;
    const char *name, *machine; /* of the prediction */
    char device[256];
    struct sluice_bench_folder folder;
    struct row *row; /* [settings->rank_count] */
};

/* --- The cases --- */

/* The cube's start: particles must move, and there must be an energy to measure against. */
static const char vortex[] =
    "initial = ( { field = \"velocity\"; kind = \"taylor-green\"; amplitude = 1.0; } );\n";

static int is_file(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".cfg") == 0;
}

static sluice_status parse_named(const struct sluice_bench_settings *s, const char *name,
                                 struct sluice_config *config)
{
    struct sluice_bench_case c;
    memset(&c, 0, sizeof c);
    for (int k = 0; sluice_bench_find_config(k, &c) && strcmp(c.name, name) != 0; k++)
        ;
    SLUICE_CHECK(c.name, SLUICE_BAD_INPUT,
                 "bench scaling has no case '%s': give a config file (.cfg), or one of those of "
                 "`bench step`, as cube or spheric-2",
                 name);
    if (!c.config) {
        sluice_bench_make_cube(&c, sluice_bench_particles(s), "wendland-c2", 2.0);
        strncat(c.made_config, vortex, sizeof c.made_config - strlen(c.made_config) - 1);
    }
    return s->parse(s->parse_data, c.config, name, config);
}

static sluice_status parse_rows(struct scaling *b, struct sluice_config *config)
{
    const struct sluice_bench_settings *s = b->settings;
    SLUICE_TRY(is_file(b->name) ? s->parse(s->parse_data, NULL, b->name, config)
                                : parse_named(s, b->name, config));
    for (int k = 0; k < s->rank_count; k++) {
        b->row[k].ranks = s->ranks[k];
        SLUICE_ALLOCATE(b->row[k].seconds, s->repeats, "measurements");
        SLUICE_TRY(sluice_bench_stretch(config, s->weak ? s->ranks[k] : 1, &b->row[k].config));
    }
    return SLUICE_OK;
}

/* --- The prediction --- */

static sluice_status predict(struct scaling *b, struct row *row)
{
    struct sluice_log log = {0};
    struct sluice_case setup;
    struct sluice_sim sim;
    SLUICE_TRY(sluice_case_create_on(&setup, &row->config, NULL, NULL));
    sluice_status status = sluice_sim_create(&sim, &row->config, &setup, &log);
    if (status == SLUICE_OK) {
        snprintf(b->device, sizeof b->device, "%s", sim.backend.isa);
        status = b->settings->predict(&sim, row->ranks, &b->machine, &row->predicted);
    }
    sluice_sim_destroy(&sim);
    sluice_case_destroy(&setup);
    return status;
}

/* --- The runs --- */

static sluice_status measure(struct scaling *b, struct row *row, int repeat)
{
    struct sluice_bench_rank_run run;
    const long long steps = row->config.time.max_steps;
    SLUICE_TRY(sluice_bench_run_ranks(&b->folder, sluice_config_text(&row->config), row->ranks,
                                      steps > 0 ? steps : STEPS, &run));
    row->seconds[repeat] = run.seconds;
    row->particles = run.particles;
    row->pairs = run.pairs;
    row->busiest = fmax(row->busiest, run.busiest);
    return SLUICE_OK;
}

static sluice_status measure_all(struct scaling *b)
{
    for (int repeat = 0; repeat < b->settings->repeats; repeat++)
        for (int k = 0; k < b->settings->rank_count; k++)
            SLUICE_TRY(measure(b, &b->row[k], repeat));
    return SLUICE_OK;
}

/* Speeds are those of particles, so that weak scaling has a speed-up, too. It counts from the first
 * row, as if its ranks were perfect. */
static void evaluate(struct scaling *b)
{
    const struct row *first = &b->row[0];
    const int n = b->settings->repeats;
    for (int k = 0; k < b->settings->rank_count; k++) {
        struct row *row = &b->row[k];
        row->median = sluice_bench_median(row->seconds, n, &row->least, &row->most);
        const double more = first->ranks * row->particles / first->particles;
        row->speedup = more * first->median / row->median;
        row->predicted_speedup = more * first->predicted / row->predicted;
    }
}

/* --- Output --- */

static void print_table(const struct scaling *b, FILE *out)
{
    fprintf(out, "%s, %s: %s\n", b->name,
            b->settings->weak ? "as many times as long as there are ranks" : "the same case",
            b->device);
    fprintf(out, "%6s %11s %6s %11s %23s %11s %11s %8s %6s %8s | %s: %8s %6s\n", "ranks",
            "particles", "h/dp", "ms a step", "least to most", "particles/s", "pairs/s", "speed-up",
            "effic.", "busiest", b->machine, "ms", "effic.");
    for (int k = 0; k < b->settings->rank_count; k++) {
        const struct row *row = &b->row[k];
        char busiest[16] = "-";
        if (row->busiest > 0)
            snprintf(busiest, sizeof busiest, "%.3f", row->busiest);
        fprintf(out, "%6d %11.0f %6.3g %11.5g %10.5g to %9.5g %11.4g %11.4g %8.3f %5.1f%% %8s |",
                row->ranks, row->particles, row->config.kernel.h_over_dp, 1e3 * row->median,
                1e3 * row->least, 1e3 * row->most, row->particles / row->median,
                row->pairs / row->median, row->speedup, 100 * row->speedup / row->ranks, busiest);
        fprintf(out, " %*s  %8.4g %5.1f%%\n", (int)strlen(b->machine), "", 1e3 * row->predicted,
                100 * row->predicted_speedup / row->ranks);
    }
}

static void print_csv(const struct scaling *b, FILE *out)
{
    fputs("bench,case,mode,revision,device,compiler,ranks,particles,h_over_dp,repeats,median_s,"
          "min_s,max_s,particles_per_s,pairs,pairs_per_s,speedup,efficiency,busiest_over_mean,"
          "machine,predicted_s,predicted_efficiency\n",
          out);
    for (int k = 0; k < b->settings->rank_count; k++) {
        const struct row *row = &b->row[k];
        char device[256], busiest[32] = "", compiler[256];
        sluice_bench_csv_text(device, b->device);
        sluice_bench_csv_text(compiler, sluice_version.compiler);
        if (row->busiest > 0)
            snprintf(busiest, sizeof busiest, "%.4f", row->busiest);
        fprintf(out, "scaling,%s,%s,%s,%s,%s,%d,%.0f,%.3g,%d,%.6g,%.6g,%.6g,", b->name,
                b->settings->weak ? "weak" : "strong", sluice_version.revision, device, compiler,
                row->ranks, row->particles, row->config.kernel.h_over_dp, b->settings->repeats,
                row->median, row->least, row->most);
        fprintf(out, "%.6g,%.0f,%.6g,%.4f,%.4f,%s,%s,%.6g,%.4f\n", row->particles / row->median,
                row->pairs, row->pairs / row->median, row->speedup, row->speedup / row->ranks,
                busiest, b->machine, row->predicted, row->predicted_speedup / row->ranks);
    }
}

static void write_row(struct sluice_json *json, const struct row *row)
{
    sluice_json_begin(json, NULL, '{');
    sluice_json_int(json, "ranks", row->ranks);
    sluice_json_real(json, "particles", row->particles);
    sluice_json_real(json, "h_over_dp", row->config.kernel.h_over_dp);
    sluice_json_real(json, "median_seconds", row->median);
    sluice_json_real(json, "least_seconds", row->least);
    sluice_json_real(json, "most_seconds", row->most);
    sluice_json_real(json, "particles_per_second", row->particles / row->median);
    sluice_json_real(json, "pairs", row->pairs);
    sluice_json_real(json, "pairs_per_second", row->pairs / row->median);
    sluice_json_real(json, "speedup", row->speedup);
    sluice_json_real(json, "efficiency", row->speedup / row->ranks);
    if (row->busiest > 0)
        sluice_json_real(json, "busiest_rank_over_mean", row->busiest);
    sluice_json_real(json, "predicted_seconds", row->predicted);
    sluice_json_real(json, "predicted_efficiency", row->predicted_speedup / row->ranks);
    sluice_json_end(json, '{');
}

static void print_json(const struct scaling *b, FILE *out)
{
    struct sluice_json json = {.out = out};
    sluice_json_begin(&json, NULL, '{');
    sluice_json_text(&json, "verb", "bench");
    sluice_json_text(&json, "bench", "scaling");
    sluice_json_text(&json, "case", b->name);
    sluice_json_text(&json, "mode", b->settings->weak ? "weak" : "strong");
    sluice_json_text(&json, "device", b->device);
    sluice_json_text(&json, "machine", b->machine);
    sluice_json_int(&json, "repeats", b->settings->repeats);
    sluice_json_begin(&json, "rows", '[');
    for (int k = 0; k < b->settings->rank_count; k++)
        write_row(&json, &b->row[k]);
    sluice_json_end(&json, '[');
    sluice_json_end(&json, '{');
}

static sluice_status print_all(const struct scaling *b)
{
    const char *csv = b->settings->csv;
    if (b->settings->json)
        print_json(b, stdout);
    else
        print_table(b, stdout);
    if (!csv)
        return SLUICE_OK;
    FILE *out = fopen(csv, "we");
    SLUICE_CHECK(out, SLUICE_IO, "%s cannot be written: %s", csv, strerror(errno));
    print_csv(b, out);
    const int failed = ferror(out);
    SLUICE_CHECK(fclose(out) == 0 && !failed, SLUICE_IO, "%s could not be written in full", csv);
    return SLUICE_OK;
}

/* --- All --- */

static sluice_status run(struct scaling *b)
{
    for (int k = 0; k < b->settings->rank_count; k++)
        SLUICE_TRY(predict(b, &b->row[k]));
    SLUICE_TRY(sluice_bench_folder_create(&b->folder));
    const sluice_status status = measure_all(b);
    sluice_bench_folder_remove(&b->folder);
    SLUICE_TRY(status);
    evaluate(b);
    return print_all(b);
}

/* Before anything takes time. */
static sluice_status check_ranks(const struct sluice_bench_settings *settings)
{
    for (int k = 0; k < settings->rank_count; k++)
        SLUICE_CHECK(settings->ranks[k] == 1 || sluice_comm_has_mpi(), SLUICE_BAD_INPUT,
                     "--ranks %d: this build has no MPI, build it with `make MPI=1`",
                     settings->ranks[k]);
    return SLUICE_OK;
}

sluice_status sluice_bench_run_scaling(const struct sluice_bench_settings *settings)
{
    struct scaling b = {.settings = settings, .name = settings->only ? settings->only : "cube"};
    struct sluice_config config = {0};
    SLUICE_TRY(check_ranks(settings));
    SLUICE_ALLOCATE(b.row, settings->rank_count, "rows");
    sluice_status status = parse_rows(&b, &config);
    if (status == SLUICE_OK)
        status = run(&b);
    for (int k = 0; k < settings->rank_count; k++) {
        sluice_config_destroy(&b.row[k].config);
        free(b.row[k].seconds);
    }
    sluice_config_destroy(&config);
    free(b.row);
    return status;
}
