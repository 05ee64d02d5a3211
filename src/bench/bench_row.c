#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "backend/bench_ops.h"
#include "bench/bench.h"
#include "core/version.h"
#include "kernels/registry.h"

void sluice_bench_field(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text);
    for (char *c = out; *c; c++)
        *c = *c == ',' ? ' ' : *c;
}

/* The processor's name. */
static void find_device(char *device, size_t size)
{
    char line[256];
    snprintf(device, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon) {
            snprintf(device, size, "%s", colon + 2);
            break;
        }
    }
    if (file)
        fclose(file);
    device[strcspn(device, "\n")] = '\0';
}

void sluice_bench_device(const struct sluice_backend *b, char device[256])
{
    char text[256];
    if (strcmp(b->ops->name, "cpu") == 0)
        find_device(text, sizeof text);
    else
        snprintf(text, sizeof text, "%s", b->isa);
    sluice_bench_field(device, 256, text);
}

void sluice_bench_print_header(FILE *out)
{
    fprintf(out,
            "bench,case,revision,device,backend,isa,compiler,threads,precision,strategy,"
            "particles,fluid,h_over_dp,neighbours,repeats,"
            "median_s,min_s,max_s,cpu_s,pairs,pairs_per_s,ns_per_pair,particles_per_s,"
            "fluid_per_s,bytes_per_particle,issue_fraction,memory_fraction,part_drift,part_sort,"
            "part_predict,part_walls,part_pairs,part_kick,part_reduce\n");
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of seconds and a peak a second: the part of it, or nothing where one is not known. */
static void print_part(FILE *out, double amount, double seconds, double peak)
{
    if (peak > 0 && amount > 0)
        fprintf(out, ",%.4g", amount / seconds / peak);
    else
        fprintf(out, ",");
}

void sluice_bench_print_limits(FILE *out, const struct sluice_backend *b, double flops,
                               double bytes, double seconds)
{
    double peak_flops = 0, peak_bytes = 0;
    const struct sluice_bench_ops *ops = sluice_bench_ops_find(b);
    if (ops)
        ops->peak(b, &peak_flops, &peak_bytes);
    print_part(out, flops, seconds, peak_flops);
    print_part(out, bytes, seconds, peak_bytes);
}

/* The sections' parts of a step; what a step of a benchmark has none of is left out. */
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
        print_part(out, seconds[order[k]], 1, all);
}

void sluice_bench_print_row(FILE *out, struct sluice_bench_row *row)
{
    const struct sluice_sim *sim = row->sim;
    char device[256], isa[256], compiler[256];
    const int n = row->repeats;
    int64_t particles = 0;
    for (int type = 0; type <= SLUICE_WALL; type++)
        particles += sim->set[type].count;
    qsort(row->seconds, (size_t)n, sizeof *row->seconds, compare);
    const double median = 0.5 * (row->seconds[(n - 1) / 2] + row->seconds[n / 2]);
    const double fluid = (double)sim->set[SLUICE_FLUID].count;
    sluice_bench_device(&sim->backend, device);
    sluice_bench_field(isa, sizeof isa, sim->backend.isa);
    sluice_bench_field(compiler, sizeof compiler, sluice_version.compiler);
    fprintf(out,
            "%s,%s,%s,%s,%s,%s,%s,%lld,%s,%s,%" PRId64
            ",%.0f,%.3g,%.1f,%d,%.6g,%.6g,%.6g,%.6g,%.0f,%.4g,%.4g,%.4g,%.4g,%.1f",
            row->verb, row->name, sluice_version.revision, device, sim->backend.ops->name, isa,
            compiler, sim->config->backend.threads,
            sim->backend.real_bytes == 8 ? "double" : "float",
            sluice_strategies[sim->backend.strategy].name, particles, fluid,
            sim->config->kernel.h_over_dp, row->pairs / fluid, n, median, row->seconds[0],
            row->seconds[n - 1], row->cpu_seconds, row->pairs, row->pairs / median,
            1e9 * median / row->pairs, (double)particles / median, fluid / median,
            (double)sluice_sim_memory(sim) / (double)particles);
    sluice_bench_print_limits(out, &sim->backend, row->flops, row->moved, median);
    print_sections(out, row->section);
    fprintf(out, "\n");
    fflush(out);
}

void sluice_bench_print_loop_header(FILE *out)
{
    fprintf(out, "bench,case,variant,median_s,min_s,max_s,launches,repeats,particles,neighbours,"
                 "pairs,pairs_per_s,held_bytes,moved_bytes,issue_fraction,memory_fraction,"
                 "precision,strategy,backend,revision,device,isa,compiler\n");
}

void sluice_bench_print_loop(FILE *out, struct sluice_bench_loop *row)
{
    const struct sluice_backend *b = row->backend;
    const int n = row->repeats;
    char device[256], isa[256], compiler[256];
    qsort(row->seconds, (size_t)n, sizeof *row->seconds, compare);
    const double median = 0.5 * (row->seconds[(n - 1) / 2] + row->seconds[n / 2]);
    sluice_bench_device(b, device);
    sluice_bench_field(isa, sizeof isa, b->isa);
    sluice_bench_field(compiler, sizeof compiler, sluice_version.compiler);
    fprintf(out, "%s,%s,%s,%.5g,%.5g,%.5g,%d,%d,%.0f,%.4g,%.0f,%.4g,%.4g,%.4g", row->bench,
            row->name, row->variant, median, row->seconds[0], row->seconds[n - 1], row->launches, n,
            row->particles, row->pairs / row->particles, row->pairs, row->pairs / median, row->held,
            row->moved);
    sluice_bench_print_limits(out, b, row->flops * row->pairs, row->moved * row->particles, median);
    fprintf(out, ",%s,%s,%s,%s,%s,%s,%s\n", b->real_bytes == 8 ? "double" : "float",
            sluice_strategies[b->strategy].name, b->ops->name, sluice_version.revision, device, isa,
            compiler);
    fflush(out);
}

double sluice_bench_moved(const struct sluice_pass *pass)
{
    const unsigned reads = sluice_pairs[pass->pair].reads, writes = sluice_pairs[pass->pair].writes;
    double bytes = 0;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int times = (reads >> f & 1) + (writes >> f & 1);
        if (pass->target->field[f])
            bytes += times * (double)pass->target->count *
                     (double)sluice_set_field_bytes(pass->target, (enum sluice_field)f);
        for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
            if (pass->source[s] && pass->source[s] != pass->target && reads >> f & 1 &&
                pass->source[s]->field[f])
                bytes += (double)pass->source[s]->count *
                         (double)sluice_set_field_bytes(pass->source[s], (enum sluice_field)f);
    }
    return bytes;
}

static sluice_status count(struct sluice_sim *sim, int pair, enum sluice_type target,
                           struct sluice_set *const source[2], double *pairs, double *flops)
{
    const int lj = sim->config->model == SLUICE_MODEL_LJ;
    struct sluice_pass pass = {.name = "count",
                               .pair = pair,
                               .params = lj ? (const void *)sim->config->pair.params.bytes
                                            : &sim->setup->physics.wcsph,
                               .target = &sim->set[target],
                               .source = {source[0], source[1]},
                               .count_pairs = 1};
    SLUICE_TRY(sim->backend.ops->interact(&sim->backend, &sim->grid, &pass));
    SLUICE_TRY(sim->backend.ops->sync(&sim->backend));
    *pairs += pass.sum[SLUICE_SUM_PAIRS];
    *flops += pass.sum[SLUICE_SUM_PAIRS] * sluice_pairs[pair].flops;
    return SLUICE_OK;
}

sluice_status sluice_bench_count_pairs(struct sluice_sim *sim, double *pairs, double *flops)
{
    const int kernel = sim->config->kernel.name;
    struct sluice_set *const fluid = &sim->set[SLUICE_FLUID];
    struct sluice_set *const wall = sim->set[SLUICE_WALL].count > 0 ? &sim->set[SLUICE_WALL] : NULL;
    *pairs = *flops = 0.0;
    if (sim->config->model == SLUICE_MODEL_LJ)
        return count(sim, sim->config->pair.index, SLUICE_FLUID,
                     (struct sluice_set *const[]){fluid, NULL}, pairs, flops);
    SLUICE_TRY(count(sim, sluice_pair_with_kernel(SLUICE_PAIR_wcsph_wendland, kernel), SLUICE_FLUID,
                     (struct sluice_set *const[]){fluid, wall}, pairs, flops));
    if (!wall)
        return SLUICE_OK;
    return count(sim, sluice_pair_with_kernel(SLUICE_PAIR_adami_wendland, kernel), SLUICE_WALL,
                 (struct sluice_set *const[]){fluid, NULL}, pairs, flops);
}
