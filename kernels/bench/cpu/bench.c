/* The CPU backend's operations for `sluice bench` (kernels/bench/bench_ops.h). */
#include "kernels/bench/cpu/bench_variant.h"
#include "kernels/cpu/cpu_backend.h"

#define X(variant, text)                                                                           \
    extern const struct cpu_bench cpu_bench_f32_##variant, cpu_bench_f64_##variant;
CPU_VARIANTS(X)
#undef X

/* The loops of the backend's variant. */
static const struct cpu_bench *bench_of(const struct cpu_backend *cpu)
{
    static const struct cpu_bench *const of[] = {
#define X(variant, text) &cpu_bench_f32_##variant, &cpu_bench_f64_##variant,
        CPU_VARIANTS(X)
#undef X
    };
    int k = 0;
    while (cpu_variants[k] != cpu->variant)
        k++;
    return of[k];
}

static sluice_status cpu_swarm(struct sluice_backend *b, const struct sluice_swarm *s)
{
    const struct cpu_backend *cpu = b->data;
    bench_of(cpu)->swarm(cpu->team, s);
    return SLUICE_OK;
}

static sluice_status cpu_sums(struct sluice_backend *b, const struct sluice_sums *s)
{
    const struct cpu_backend *cpu = b->data;
    bench_of(cpu)->sums(cpu->team, s);
    return SLUICE_OK;
}

static sluice_status cpu_typed_lists(struct sluice_backend *b, const struct sluice_typed_lists *l)
{
    const struct cpu_backend *cpu = b->data;
    bench_of(cpu)->typed_lists(cpu->team, l);
    return SLUICE_OK;
}

static sluice_status cpu_list_build(struct sluice_backend *b, const struct sluice_grid *g,
                                    struct sluice_pass *pass, struct sluice_stored_list *list)
{
    struct cpu_backend *cpu = b->data;
    SLUICE_TRY(bench_of(cpu)->list_build(cpu->team, g, pass, list, &cpu->work));
    if (list->entries)
        return SLUICE_OK;
    SLUICE_TRY(b->ops->alloc(b, (size_t)list->entry_bytes, &list->entries));
    SLUICE_TRY(b->ops->alloc(b, (size_t)list->index_bytes, &list->index));
    return bench_of(cpu)->list_build(cpu->team, g, pass, list, &cpu->work);
}

static sluice_status cpu_list_pass(struct sluice_backend *b, const struct sluice_grid *g,
                                   struct sluice_pass *pass, const struct sluice_stored_list *list)
{
    struct cpu_backend *cpu = b->data;
    (void)g;
    bench_of(cpu)->list_pass(cpu->team, pass, list);
    return sluice_settle_pass(b, pass);
}

static sluice_status cpu_branching(struct sluice_backend *b, const struct sluice_grid *g,
                                   struct sluice_pass *pass)
{
    struct cpu_backend *cpu = b->data;
    SLUICE_TRY(bench_of(cpu)->branching(cpu->team, g, pass, &cpu->work));
    return sluice_settle_pass(b, pass);
}

extern const struct sluice_bench_ops sluice_cpu_bench_ops;
const struct sluice_bench_ops sluice_cpu_bench_ops = {.name = "cpu",
                                                      .swarm = cpu_swarm,
                                                      .sums = cpu_sums,
                                                      .typed_lists = cpu_typed_lists,
                                                      .list_build = cpu_list_build,
                                                      .list_pass = cpu_list_pass,
                                                      .branching = cpu_branching};
