/* What the CPU backend does for `sluice bench` (backend/bench_ops.h). */
#include "backend/bench_ops.h"
#include "kernels/cpu/cpu_backend.h"

static sluice_status cpu_swarm(struct sluice_backend *b, const struct sluice_swarm *s)
{
    const struct cpu_backend *cpu = b->data;
    cpu->variant->swarm(cpu->team, s);
    return SLUICE_OK;
}

static sluice_status cpu_list_build(struct sluice_backend *b, const struct sluice_grid *g,
                                    struct sluice_pass *pass, struct sluice_stored_list *list)
{
    struct cpu_backend *cpu = b->data;
    SLUICE_TRY(cpu->variant->list_build(cpu->team, g, pass, list, &cpu->work));
    if (list->entries)
        return SLUICE_OK;
    SLUICE_TRY(b->ops->alloc(b, (size_t)list->entry_bytes, &list->entries));
    SLUICE_TRY(b->ops->alloc(b, (size_t)list->index_bytes, &list->index));
    return cpu->variant->list_build(cpu->team, g, pass, list, &cpu->work);
}

static sluice_status cpu_list_pass(struct sluice_backend *b, const struct sluice_grid *g,
                                   struct sluice_pass *pass, const struct sluice_stored_list *list)
{
    struct cpu_backend *cpu = b->data;
    (void)g;
    cpu->variant->list_pass(cpu->team, pass, list);
    return sluice_settle_pass(b, pass);
}

static sluice_status cpu_branching(struct sluice_backend *b, const struct sluice_grid *g,
                                   struct sluice_pass *pass)
{
    struct cpu_backend *cpu = b->data;
    SLUICE_TRY(cpu->variant->branching(cpu->team, g, pass, &cpu->work));
    return sluice_settle_pass(b, pass);
}

extern const struct sluice_bench_ops sluice_cpu_bench_ops;
const struct sluice_bench_ops sluice_cpu_bench_ops = {.name = "cpu",
                                                      .swarm = cpu_swarm,
                                                      .list_build = cpu_list_build,
                                                      .list_pass = cpu_list_pass,
                                                      .branching = cpu_branching};
