/* The CPU backend: memory, threads, and the choice of precision and instruction set at run time. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/processors.h"
#include "kernels/cpu/cpu_backend.h"

#define X(variant, text)                                                                           \
    extern const struct cpu_variant cpu_variant_f32_##variant, cpu_variant_f64_##variant;
CPU_VARIANTS(X)
#undef X

const struct cpu_variant *const cpu_variants[] = {
#define X(variant, text) &cpu_variant_f32_##variant, &cpu_variant_f64_##variant,
    CPU_VARIANTS(X)
#undef X
        NULL,
};

int cpu_variant_runs_here(const struct cpu_variant *variant)
{
#ifdef __x86_64__
    __builtin_cpu_init();
    if (strcmp(variant->isa, "x86-64-v4") == 0)
        return __builtin_cpu_supports("x86-64-v4") != 0;
    if (strcmp(variant->isa, "x86-64-v3") == 0)
        return __builtin_cpu_supports("x86-64-v3") != 0;
#endif
    (void)variant;
    return 1;
}

static sluice_status cpu_open(struct sluice_backend *b, int device, int threads, int real_bytes)
{
    struct cpu_backend *cpu = calloc(1, sizeof *cpu);
    SLUICE_CHECK(cpu, SLUICE_DEVICE, "cpu: no memory for the backend");
    (void)device;
    for (int i = 0; cpu_variants[i]; i++)
        if (cpu_variants[i]->real_bytes == real_bytes && cpu_variant_runs_here(cpu_variants[i]) &&
            (!b->isa || strcmp(b->isa, cpu_variants[i]->isa) == 0))
            cpu->variant = cpu_variants[i];
    if (!cpu->variant) {
        free(cpu);
        return SLUICE_FAIL(SLUICE_BAD_INPUT,
                           "backend.isa: \"%s\" is not one of this program's instruction sets, or "
                           "this machine does not have it; "
                           "`sluice info` lists them, \"\" takes the best",
                           b->isa);
    }
    const sluice_status status = sluice_threads_create(
        &cpu->team, threads > 0 ? threads : sluice_processors_most());
    if (status != SLUICE_OK) {
        free(cpu);
        return status;
    }
    b->isa = cpu->variant->isa;
    b->real_bytes = real_bytes;
    b->team = cpu->team;
    b->data = cpu;
    return SLUICE_OK;
}

static void cpu_close(struct sluice_backend *b)
{
    struct cpu_backend *cpu = b->data;
    if (!cpu)
        return;
    sluice_threads_destroy(&cpu->team);
    free(cpu->work.memory);
    free(cpu->sort.memory);
    free(cpu->asked.memory);
    free(cpu);
    b->data = NULL;
    b->team = NULL;
}

static sluice_status cpu_alloc(struct sluice_backend *b, size_t bytes, void **out)
{
    *out = aligned_alloc(64, (bytes + 63) / 64 * 64 + 64);
    SLUICE_CHECK(*out, SLUICE_DEVICE,
                 "cpu: no memory for an array of %zu bytes; a larger `spacing` needs less", bytes);
    sluice_threads_clear(b->team, *out, (bytes + 63) / 64 * 64 + 64);
    return SLUICE_OK;
}

static void cpu_free(struct sluice_backend *b, void *memory)
{
    (void)b;
    free(memory);
}

static sluice_status cpu_copy(struct sluice_backend *b, void *to, const void *from, size_t bytes)
{
    sluice_threads_copy(b->team, to, from, bytes);
    return SLUICE_OK;
}

static sluice_status cpu_kick_drift(struct sluice_backend *b, const struct sluice_grid *g,
                                    struct sluice_set *set, double dt)
{
    struct cpu_backend *cpu = b->data;
    cpu->variant->kick_drift(cpu->team, g, set, dt);
    return SLUICE_OK;
}

static sluice_status cpu_pointwise(struct sluice_backend *b, const struct sluice_grid *g,
                                   const struct sluice_point *point)
{
    struct cpu_backend *cpu = b->data;
    cpu->variant->pointwise(cpu->team, g, point);
    return SLUICE_OK;
}

struct asked_loop {
    const struct sluice_set *set;
    uint32_t least;
    uint8_t *asked;
};

static void mark_blocks(struct sluice_share *share, void *loop)
{
    const struct asked_loop *k = loop;
    const uint32_t *motion = k->set->field[SLUICE_FIELD_MOTION];
    const uint8_t *own = k->set->own;
    int64_t first, last;
    while (sluice_share_block(share, k->set->count, CPU_BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++)
            k->asked[i] = motion[i] >= k->least && (!own || own[i]);
}

/* Which targets a pass with a least motion computes. */
static sluice_status mark_asked(struct cpu_backend *cpu, struct sluice_pass *pass)
{
    const int64_t n = pass->target->count;
    SLUICE_TRY(cpu_scratch_reserve(&cpu->asked, (size_t)n + 1));
    struct asked_loop loop = {pass->target, pass->least_motion, cpu->asked.memory};
    sluice_threads_run(cpu->team, sluice_blocks(n, CPU_BLOCK), mark_blocks, &loop);
    pass->asked = loop.asked;
    return SLUICE_OK;
}

static sluice_status cpu_interact(struct sluice_backend *b, const struct sluice_grid *g,
                                  struct sluice_pass *pass)
{
    struct cpu_backend *cpu = b->data;
    if (pass->least_motion > 0)
        SLUICE_TRY(mark_asked(cpu, pass));
    if (b->domain)
        SLUICE_TRY(cpu_refresh_sources(b, g, pass));
    SLUICE_TRY(cpu->variant->interact[b->orders.strategy](b, g, pass, &cpu->work));
    if (b->domain)
        SLUICE_TRY(cpu_refresh(b, g, pass));
    return sluice_settle_pass(b, pass);
}

static sluice_status cpu_kick(struct sluice_backend *b, struct sluice_set *set, double dt)
{
    struct cpu_backend *cpu = b->data;
    cpu->variant->kick(cpu->team, set, dt);
    return SLUICE_OK;
}

static sluice_status cpu_reduce(struct sluice_backend *b, const struct sluice_grid *g,
                                struct sluice_reduce *r)
{
    struct cpu_backend *cpu = b->data;
    SLUICE_TRY(cpu->variant->reduce(cpu->team, g, r, &cpu->work));
    if (b->domain)
        cpu_clock_ends(b);
    return sluice_settle_reduce(b, r);
}

static int cpu_device(int number, char *text, size_t size)
{
    const char *best = "";
    for (int i = 0; cpu_variants[i]; i++)
        if (cpu_variant_runs_here(cpu_variants[i]))
            best = cpu_variants[i]->isa;
    snprintf(text, size, "%s", number == 0 ? best : "the processors are device 0, all of them");
    return number == 0;
}

/* Fine bins in x; rows 2 particles thick in 3-D and 3 in 2-D. So the consecutive particles of a row
 * that a vector holds fill a cube or a square, and see nearly the same neighbours. */
static void cpu_bins(int strategy, int pair, int dimension, double reach, double bins_per_cutoff[3])
{
    const int cells = sluice_strategies[strategy].bins == SLUICE_CELLS;
    (void)pair;
    bins_per_cutoff[0] = cells ? 1 : 8;
    bins_per_cutoff[1] = bins_per_cutoff[2] = cells ? 1 : reach / (dimension == 3 ? 2 : 3);
}

const struct sluice_backend_ops sluice_cpu_ops = {
    .name = "cpu",
    .on_host = 1,
    .tunes_x = 1,
    .timing_noise = 0.05,
    .device = cpu_device,
    .bins = cpu_bins,
    .open = cpu_open,
    .close = cpu_close,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .scratch_columns = cpu_scratch_columns,
    .upload = cpu_copy,
    .download = cpu_copy,
    .kick_drift = cpu_kick_drift,
    .bin = cpu_bin,
    .pointwise = cpu_pointwise,
    .sum_labels = cpu_sum_labels,
    .interact = cpu_interact,
    .kick = cpu_kick,
    .reduce = cpu_reduce,
    .bins_free = cpu_bins_destroy,
    .sync = sluice_settle,
    .occupancy = cpu_occupancy,
    .fetch = cpu_fetch,
    .foremost = cpu_foremost,
};
