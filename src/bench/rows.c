/* Times a loop, and prints rows of loops, whole steps and strategies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "bench/benchmark.h"
#include "core/threads.h"
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

/* --- A row: CSV, JSON, or both ---- */

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
            snprintf(name, 256, "%s", colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
}

struct sluice_bench_row sluice_bench_row_begin(struct sluice_bench *bench)
{
    if (bench->settings->json)
        sluice_json_begin(&bench->json, NULL, '{');
    return (struct sluice_bench_row){.bench = bench};
}

static void append(struct sluice_bench_row *r, char *line, size_t most, size_t *used,
                   const char *text)
{
    *used += (size_t)snprintf(line + *used, most - *used, "%s%s", r->cells ? "," : "", text);
    if (*used >= most) {
        *used = most - 1; /* where the text is cut */
        r->is_cut = 1;
    }
}

static void add_cell(struct sluice_bench_row *r, const char *key, const char *text)
{
    append(r, r->head, sizeof r->head, &r->head_used, key);
    append(r, r->line, sizeof r->line, &r->line_used, text);
    r->cells++;
}

void sluice_bench_row_text(struct sluice_bench_row *r, const char *key, const char *text)
{
    char plain[256];
    sluice_bench_csv_text(plain, text);
    add_cell(r, key, plain);
    if (r->bench->settings->json)
        sluice_json_text(&r->bench->json, key, text);
}

void sluice_bench_row_number(struct sluice_bench_row *r, const char *key, double value, int digits)
{
    char text[32] = "";
    if (isfinite(value) && value == floor(value))
        snprintf(text, sizeof text, "%.0f", value);
    else if (isfinite(value))
        snprintf(text, sizeof text, "%.*g", digits, value);
    add_cell(r, key, text);
    if (r->bench->settings->json)
        sluice_json_real(&r->bench->json, key, value);
}

void sluice_bench_row_origin(struct sluice_bench_row *r, const struct sluice_backend *b)
{
    char device[256];
    snprintf(device, sizeof device, "%s", b->isa);
    if (b->team) /* threads of the host compute */
        find_processor(device);
    sluice_bench_row_text(r, "precision", b->real_bytes == 8 ? "double" : "float");
    sluice_bench_row_text(r, "backend", b->ops->name);
    sluice_bench_row_text(r, "revision", sluice_version.revision);
    sluice_bench_row_text(r, "device", device);
    sluice_bench_row_text(r, "isa", b->isa);
    sluice_bench_row_text(r, "compiler", sluice_version.compiler);
}

sluice_status sluice_bench_row_end(struct sluice_bench_row *r)
{
    struct sluice_bench *bench = r->bench;
    if (bench->settings->json)
        sluice_json_end(&bench->json, '{');
    SLUICE_CHECK(!r->is_cut, SLUICE_FAILED_CHECK,
                 "bench %s: a row is longer than %zu characters, or its head than %zu; that is "
                 "a mistake of the program",
                 bench->settings->benchmark, sizeof r->line - 1, sizeof r->head - 1);
    if (bench->out && bench->rows++ == 0)
        fprintf(bench->out, "%s\n", r->head);
    if (bench->out) {
        fprintf(bench->out, "%s\n", r->line);
        fflush(bench->out);
    }
    return SLUICE_OK;
}

/* --- Columns that several kinds of rows have ---- */

double sluice_bench_median(double *x, int n, double *least, double *most)
{
    qsort(x, (size_t)n, sizeof *x, sluice_by_real);
    *least = x[0];
    *most = x[n - 1];
    return 0.5 * (x[(n - 1) / 2] + x[n / 2]);
}

/* An amount over its limit; empty if one of them is unknown. */
static void add_fraction(struct sluice_bench_row *r, const char *key, double amount, double limit)
{
    sluice_bench_row_number(r, key, limit > 0 && amount > 0 ? amount / limit : (double)NAN, 4);
}

/* The fractions of the device's peak operations and memory bandwidth. */
static void add_limits(struct sluice_bench_row *r, const struct sluice_backend *b, double flops,
                       double bytes, double seconds)
{
    double peak_flops = 0, peak_bytes = 0;
    const struct sluice_bench_ops *ops = sluice_bench_ops_find(b);
    if (ops->peak)
        ops->peak(b, &peak_flops, &peak_bytes);
    add_fraction(r, "issue_fraction", flops / seconds, peak_flops);
    add_fraction(r, "memory_fraction", bytes / seconds, peak_bytes);
}

/* The median, the least and the most of n measurements, which it sorts; the median is returned. */
static double add_times(struct sluice_bench_row *r, double *seconds, int n)
{
    double least, most;
    const double median = sluice_bench_median(seconds, n, &least, &most);
    sluice_bench_row_number(r, "median_s", median, 6);
    sluice_bench_row_number(r, "min_s", least, 6);
    sluice_bench_row_number(r, "max_s", most, 6);
    return median;
}

/* What a loop was measured on, and its pairs. */
static void add_pairs(struct sluice_bench_row *r, const struct sluice_bench_loop *row,
                      double median)
{
    sluice_bench_row_number(r, "launches", row->times.launches, 6);
    sluice_bench_row_number(r, "repeats", row->times.repeats, 6);
    sluice_bench_row_number(r, "particles", row->particles, 6);
    sluice_bench_row_number(r, "neighbours", row->pairs / row->particles, 4);
    sluice_bench_row_number(r, "pairs", row->pairs, 6);
    sluice_bench_row_number(r, "pairs_per_s", row->pairs / median, 4);
}

/* --- Rows ---- */

/* The fractions of a step's sections. */
static void add_sections(struct sluice_bench_row *r, const double seconds[SLUICE_SECTION_COUNT])
{
    static const struct {
        const char *key;
        int section;
    } parts[] = {{"part_drift", SLUICE_SECTION_KICK_DRIFT},  {"part_sort", SLUICE_SECTION_BIN},
                 {"part_predict", SLUICE_SECTION_POINTWISE}, {"part_walls", SLUICE_SECTION_WALLS},
                 {"part_pairs", SLUICE_SECTION_PAIRS},       {"part_kick", SLUICE_SECTION_KICK},
                 {"part_reduce", SLUICE_SECTION_REDUCE}};
    double all = 0;
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        all += seconds[parts[k].section];
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        add_fraction(r, parts[k].key, seconds[parts[k].section], all);
}

sluice_status sluice_bench_print_steps(struct sluice_bench *bench,
                                       const struct sluice_bench_steps *row)
{
    const struct sluice_sim *sim = row->sim;
    const struct sluice_backend *b = &sim->backend;
    const double fluid = (double)sim->set[SLUICE_FLUID].count,
                 particles = fluid + (double)sim->set[SLUICE_WALL].count;
    struct sluice_bench_row r = sluice_bench_row_begin(bench);
    sluice_bench_row_text(&r, "bench", bench->settings->benchmark);
    sluice_bench_row_text(&r, "case", row->name);
    sluice_bench_row_origin(&r, b);
    sluice_bench_row_number(&r, "threads", b->team ? sluice_threads_count(b->team) : 0, 6);
    sluice_bench_row_text(&r, "strategy", sluice_strategies[b->orders.strategy].name);
    sluice_bench_row_number(&r, "particles", particles, 6);
    sluice_bench_row_number(&r, "fluid", fluid, 6);
    sluice_bench_row_number(&r, "h_over_dp", sim->config->kernel.h_over_dp, 3);
    sluice_bench_row_number(&r, "neighbours", row->pairs / fluid, 4);
    sluice_bench_row_number(&r, "repeats", bench->settings->repeats, 6);
    const double median = add_times(&r, bench->seconds, bench->settings->repeats);
    sluice_bench_row_number(&r, "cpu_s", row->cpu_seconds, 6);
    sluice_bench_row_number(&r, "pairs", row->pairs, 6);
    sluice_bench_row_number(&r, "pairs_per_s", row->pairs / median, 4);
    sluice_bench_row_number(&r, "ns_per_pair", 1e9 * median / row->pairs, 4);
    sluice_bench_row_number(&r, "particles_per_s", particles / median, 4);
    sluice_bench_row_number(&r, "fluid_per_s", fluid / median, 4);
    sluice_bench_row_number(&r, "bytes_per_particle", (double)sluice_sim_memory(sim) / particles,
                            4);
    add_limits(&r, b, row->flops, row->moved, median);
    add_sections(&r, row->section);
    return sluice_bench_row_end(&r);
}

sluice_status sluice_bench_print_loop(struct sluice_bench *bench, struct sluice_bench_loop *row)
{
    const struct sluice_backend *b = row->backend;
    struct sluice_bench_row r = sluice_bench_row_begin(bench);
    sluice_bench_row_text(&r, "bench", bench->settings->benchmark);
    sluice_bench_row_text(&r, "case", row->name);
    sluice_bench_row_text(&r, "variant", row->variant);
    const double median = add_times(&r, row->times.seconds, row->times.repeats);
    add_pairs(&r, row, median);
    sluice_bench_row_number(&r, "held_bytes", row->held, 4);
    sluice_bench_row_number(&r, "moved_bytes", row->moved, 4);
    add_limits(&r, b, row->flops * row->pairs, row->moved * row->particles, median);
    sluice_bench_row_text(&r, "strategy", sluice_strategies[b->orders.strategy].name);
    sluice_bench_row_origin(&r, b);
    return sluice_bench_row_end(&r);
}

sluice_status sluice_bench_print_strategy(struct sluice_bench *bench, struct sluice_bench_loop *row,
                                          const struct sluice_bench_cube *cube)
{
    static const char *const met[] = {"near", "all", "all-ghost-threads"};
    const struct sluice_backend *b = row->backend;
    const double flops = row->flops * row->pairs;
    double mean = 0;
    for (int k = 0; k < row->times.repeats; k++)
        mean += row->times.seconds[k] / row->times.repeats;
    char shared[16] = "all";
    if (b->shared_kib >= 0)
        snprintf(shared, sizeof shared, "%d", b->shared_kib);
    struct sluice_bench_row r = sluice_bench_row_begin(bench);
    sluice_bench_row_text(&r, "strategy", sluice_strategies[b->orders.strategy].name);
    sluice_bench_row_text(&r, "pair", row->variant);
    sluice_bench_row_text(&r, "candidates", met[b->published]);
    sluice_bench_row_text(&r, "shared_kib", shared);
    sluice_bench_row_number(&r, "box", cube->edge, 6);
    sluice_bench_row_number(&r, "per_cell", cube->filling, 6);
    const double median = add_times(&r, row->times.seconds, row->times.repeats);
    sluice_bench_row_number(&r, "mean_s", mean, 4);
    add_pairs(&r, row, median);
    sluice_bench_row_number(&r, "flops_per_s", flops / median, 4);
    add_limits(&r, b, flops, row->moved * row->particles, median);
    sluice_bench_row_origin(&r, b);
    return sluice_bench_row_end(&r);
}
