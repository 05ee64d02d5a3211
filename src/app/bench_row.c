#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/bench.h"
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
    fprintf(out, "bench,case,revision,device,backend,isa,compiler,threads,precision,strategy,"
                 "particles,fluid,h_over_dp,neighbours,repeats,"
                 "median_s,min_s,max_s,cpu_s,pairs,pairs_per_s,ns_per_pair,particles_per_s\n");
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sluice_bench_print_row(FILE *out, struct sluice_bench_row *row)
{
    const struct sluice_sim *sim = row->sim;
    char device[256], isa[256], compiler[256];
    const int n = row->repeats;
    int64_t particles = 0;
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
        particles += sim->set[type].count;
    qsort(row->seconds, (size_t)n, sizeof *row->seconds, compare);
    const double median = 0.5 * (row->seconds[(n - 1) / 2] + row->seconds[n / 2]);
    const double fluid = (double)sim->set[SLUICE_FLUID].count;
    sluice_bench_device(&sim->backend, device);
    sluice_bench_field(isa, sizeof isa, sim->backend.isa);
    sluice_bench_field(compiler, sizeof compiler, sluice_version.compiler);
    fprintf(out,
            "%s,%s,%s,%s,%s,%s,%s,%lld,%s,%s,%" PRId64
            ",%.0f,%.3g,%.1f,%d,%.6g,%.6g,%.6g,%.6g,%.0f,%.4g,%.4g,%.4g\n",
            row->verb, row->name, sluice_version.revision, device, sim->backend.ops->name, isa,
            compiler, sim->config->backend.threads,
            sim->backend.real_bytes == 8 ? "double" : "float",
            sluice_strategies[sim->backend.strategy].name, particles, fluid,
            sim->config->kernel.h_over_dp, row->pairs / fluid, n, median, row->seconds[0],
            row->seconds[n - 1], row->cpu_seconds, row->pairs, row->pairs / median,
            1e9 * median / row->pairs, (double)particles / median);
    fflush(out);
}

static sluice_status count(struct sluice_sim *sim, int pair, enum sluice_type target,
                           struct sluice_set *const source[2], double *pairs)
{
    const int lj = sim->config->model == SLUICE_MODEL_LJ;
    struct sluice_pass pass = {.name = "count",
                               .pair = pair,
                               .params = lj ? (const void *)sim->config->pair.params.bytes
                                            : &sim->setup->wcsph,
                               .target = &sim->set[target],
                               .source = {source[0], source[1]},
                               .count_pairs = 1};
    SLUICE_TRY(sim->backend.ops->interact(&sim->backend, &sim->grid, &pass));
    SLUICE_TRY(sim->backend.ops->sync(&sim->backend));
    *pairs += pass.sum[SLUICE_SUM_PAIRS];
    return SLUICE_OK;
}

sluice_status sluice_bench_count_pairs(struct sluice_sim *sim, double *pairs)
{
    const int kernel = sim->config->kernel.name;
    struct sluice_set *const fluid = &sim->set[SLUICE_FLUID];
    struct sluice_set *const wall = sim->set[SLUICE_WALL].count > 0 ? &sim->set[SLUICE_WALL] : NULL;
    *pairs = 0.0;
    if (sim->config->model == SLUICE_MODEL_LJ)
        return count(sim, sim->config->pair.index, SLUICE_FLUID,
                     (struct sluice_set *const[]){fluid, NULL}, pairs);
    SLUICE_TRY(count(sim, sluice_pair_with_kernel(SLUICE_PAIR_wcsph_wendland, kernel), SLUICE_FLUID,
                     (struct sluice_set *const[]){fluid, wall}, pairs));
    if (!wall)
        return SLUICE_OK;
    return count(sim, sluice_pair_with_kernel(SLUICE_PAIR_adami_wendland, kernel), SLUICE_WALL,
                 (struct sluice_set *const[]){fluid, NULL}, pairs);
}
