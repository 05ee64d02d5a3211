/* Times a loop, and prints CSV rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "bench/benchmark.h"
#include "core/vector.h"
#include "core/version.h"
#include "kernels/registry.h"

/* --- Timing ---- */

static sluice_status time_launches(struct sluice_backend *b, int launches,
                                   sluice_status (*work)(void *data), void *data, double *seconds)
{
    const double begun = sluice_seconds();
    for (int k = 0; k < launches; k++)
        SLUICE_TRY(work(data));
    SLUICE_TRY(b->ops->sync(b));
    *seconds = (sluice_seconds() - begun) / launches;
    return SLUICE_OK;
}

sluice_status sluice_bench_time(struct sluice_bench_times *times, struct sluice_backend *b,
                                const struct sluice_bench_limits *limits,
                                sluice_status (*work)(void *data), void *data)
{
    double once;
    SLUICE_TRY(time_launches(b, 1, work, data, &once));
    SLUICE_TRY(time_launches(b, 1, work, data, &once));
    times->launches = (int)fmax(1, fmin(limits->most, limits->budget / fmax(once, 1e-9)));
    for (int k = 0; k < times->repeats; k++)
        SLUICE_TRY(time_launches(b, times->launches, work, data, &times->seconds[k]));
    return SLUICE_OK;
}

sluice_status sluice_bench_count(struct sluice_backend *b, const struct sluice_grid *g,
                                 struct sluice_pass *pass, double *pairs)
{
    pass->count_pairs = 1;
    SLUICE_TRY(b->ops->interact(b, g, pass));
    SLUICE_TRY(b->ops->sync(b));
    pass->count_pairs = 0;
    *pairs = pass->sum[SLUICE_SUM_PAIRS];
    return SLUICE_OK;
}

/* The bytes of those of the fields that a set has. */
static double bytes_of(const struct sluice_set *set, sluice_fields fields)
{
    double bytes = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (fields >> f & 1 && set->field[f])
            bytes += (double)set->count * (double)sluice_set_field_bytes(set, (enum sluice_field)f);
    return bytes;
}

double sluice_bench_moved(const struct sluice_pass *pass)
{
    const sluice_fields reads = sluice_pairs[pass->pair].reads,
                        writes = sluice_pairs[pass->pair].writes;
    double bytes = bytes_of(pass->target, reads) + bytes_of(pass->target, writes);
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s] && pass->source[s] != pass->target)
            bytes += bytes_of(pass->source[s], reads);
    return bytes;
}

/* --- Columns that all rows have ---- */

void sluice_bench_csv_text(char out[256], const char *text)
{
    snprintf(out, 256, "%s", text);
    for (char *c = out; *c; c++)
        *c = *c == ',' ? ' ' : *c;
}

static void find_processor(char name[256])
{
    char line[256];
    snprintf(name, 256, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            line[strcspn(line, "\n")] = '\0';
            sluice_bench_csv_text(name, colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

struct sluice_bench_origin sluice_bench_find_origin(const struct sluice_backend *b)
{
    struct sluice_bench_origin o = {.precision = b->real_bytes == 8 ? "double" : "float"};
    sluice_bench_csv_text(o.device, b->isa);
    sluice_bench_csv_text(o.isa, b->isa);
    sluice_bench_csv_text(o.compiler, sluice_version.compiler);
    if (b->team) /* threads of the host compute */
        find_processor(o.device);
    return o;
}

double sluice_bench_median(double *x, int n, double *least, double *most)
{
    qsort(x, (size_t)n, sizeof *x, sluice_by_real);
    *least = x[0];
    *most = x[n - 1];
    return 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

/* An amount over its limit; empty if one of them is unknown. */
static void print_fraction(FILE *out, double amount, double limit)
{
    if (limit > 0 && amount > 0)
        fprintf(out, ",%.4g", amount / limit);
    else
        fprintf(out, ",");
}

/* The fractions of the device's peak operations and memory bandwidth. */
static void print_limits(FILE *out, const struct sluice_backend *b, double flops, double bytes,
                         double seconds)
{
    double peak_flops = 0, peak_bytes = 0;
    const struct sluice_bench_ops *ops = sluice_bench_ops_find(b);
    if (ops->peak)
        ops->peak(b, &peak_flops, &peak_bytes);
    print_fraction(out, flops / seconds, peak_flops);
    print_fraction(out, bytes / seconds, peak_bytes);
}

static void begin_row(struct sluice_bench *bench, const char *header)
{
    if (bench->rows++ == 0)
        fputs(header, bench->out);
}

/* --- Rows ---- */

static const char steps_header[] =
    "bench,case,revision,device,backend,isa,compiler,threads,precision,strategy,"
    "particles,fluid,h_over_dp,neighbours,repeats,"
    "median_s,min_s,max_s,cpu_s,pairs,pairs_per_s,ns_per_pair,particles_per_s,"
    "fluid_per_s,bytes_per_particle,issue_fraction,memory_fraction,part_drift,part_sort,"
    "part_predict,part_walls,part_pairs,part_kick,part_reduce\n";

/* The fractions of a step's sections, in the header's order. */
static void print_sections(FILE *out, const double seconds[SLUICE_SECTION_COUNT])
{
    static const int order[] = {SLUICE_SECTION_KICK_DRIFT, SLUICE_SECTION_BIN,
                                SLUICE_SECTION_POINTWISE,  SLUICE_SECTION_WALLS,
                                SLUICE_SECTION_PAIRS,      SLUICE_SECTION_KICK,
                                SLUICE_SECTION_REDUCE};
    double all = 0;
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        all += seconds[order[k]];
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        print_fraction(out, seconds[order[k]], all);
}

void sluice_bench_print_steps(struct sluice_bench *bench, const struct sluice_bench_steps *row)
{
    const struct sluice_sim *sim = row->sim;
    const struct sluice_backend *b = &sim->backend;
    const struct sluice_bench_origin o = sluice_bench_find_origin(b);
    const int n = bench->settings->repeats;
    double least, most;
    const double median = sluice_bench_median(bench->seconds, n, &least, &most);
    const double fluid = (double)sim->set[SLUICE_FLUID].count,
                 particles = fluid + (double)sim->set[SLUICE_WALL].count;
    FILE *out = bench->out;
    begin_row(bench, steps_header);
    fprintf(out, "%s,%s,%s,%s,%s,%s,%s,%lld,%s,%s,%.0f,%.0f,%.3g,%.1f,%d",
            bench->settings->benchmark, row->name, sluice_version.revision, o.device, b->ops->name,
            o.isa, o.compiler, sim->config->backend.threads, o.precision,
            sluice_strategies[b->orders.strategy].name, particles, fluid,
            sim->config->kernel.h_over_dp, row->pairs / fluid, n);
    fprintf(out, ",%.6g,%.6g,%.6g,%.6g,%.0f,%.4g,%.4g,%.4g,%.4g,%.1f", median, least, most,
            row->cpu_seconds, row->pairs, row->pairs / median, 1e9 * median / row->pairs,
            particles / median, fluid / median, (double)sluice_sim_memory(sim) / particles);
    print_limits(out, b, row->flops, row->moved, median);
    print_sections(out, row->section);
    fputc('\n', out);
    fflush(out);
}

static const char loop_header[] =
    "bench,case,variant,median_s,min_s,max_s,launches,repeats,particles,neighbours,"
    "pairs,pairs_per_s,held_bytes,moved_bytes,issue_fraction,memory_fraction,"
    "precision,strategy,backend,revision,device,isa,compiler\n";

void sluice_bench_print_loop(struct sluice_bench *bench, struct sluice_bench_loop *row)
{
    const struct sluice_backend *b = row->backend;
    const struct sluice_bench_origin o = sluice_bench_find_origin(b);
    const int n = row->times.repeats;
    double least, most;
    const double median = sluice_bench_median(row->times.seconds, n, &least, &most);
    FILE *out = bench->out;
    begin_row(bench, loop_header);
    fprintf(out, "%s,%s,%s,%.5g,%.5g,%.5g,%d,%d,%.0f,%.4g,%.0f,%.4g,%.4g,%.4g",
            bench->settings->benchmark, row->name, row->variant, median, least, most,
            row->times.launches, n, row->particles, row->pairs / row->particles, row->pairs,
            row->pairs / median, row->held, row->moved);
    print_limits(out, b, row->flops * row->pairs, row->moved * row->particles, median);
    fprintf(out, ",%s,%s,%s,%s,%s,%s,%s\n", o.precision, sluice_strategies[b->orders.strategy].name,
            b->ops->name, sluice_version.revision, o.device, o.isa, o.compiler);
    fflush(out);
}

static const char strategy_header[] =
    "strategy,pair,candidates,shared_kib,box,per_cell,median_s,min_s,max_s,mean_s,launches,repeats,"
    "particles,neighbours,pairs,pairs_per_s,flops_per_s,issue_fraction,"
    "memory_fraction,precision,backend,revision,device,isa,compiler\n";

void sluice_bench_print_strategy(struct sluice_bench *bench, struct sluice_bench_loop *row,
                                 const struct sluice_bench_cube *cube)
{
    const struct sluice_backend *b = row->backend;
    const struct sluice_bench_origin o = sluice_bench_find_origin(b);
    const int n = row->times.repeats;
    double mean = 0, least, most;
    const double median = sluice_bench_median(row->times.seconds, n, &least, &most),
                 flops = row->flops * row->pairs;
    for (int k = 0; k < n; k++)
        mean += row->times.seconds[k] / n;
    FILE *out = bench->out;
    char shared[16] = "all";
    static const char *const met[] = {"near", "all", "all-ghost-threads"};
    if (b->shared_kib >= 0)
        snprintf(shared, sizeof shared, "%d", b->shared_kib);
    begin_row(bench, strategy_header);
    fprintf(out, "%s,%s,%s,%s,%d,%d,%.4g,%.4g,%.4g,%.4g,%d,%d,%.0f,%.4g,%.0f,%.4g,%.4g",
            sluice_strategies[b->orders.strategy].name, row->variant, met[b->published], shared,
            cube->edge, cube->filling, median, least, most, mean, row->times.launches, n,
            row->particles, row->pairs / row->particles, row->pairs, row->pairs / median,
            flops / median);
    print_limits(out, b, flops, row->moved * row->particles, median);
    fprintf(out, ",%s,%s,%s,%s,%s,%s\n", o.precision, b->ops->name, sluice_version.revision,
            o.device, o.isa, o.compiler);
    fflush(out);
}
