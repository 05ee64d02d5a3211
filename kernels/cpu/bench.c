/* What the CPU backend does for `sluice bench` (backend/bench_ops.h). */
#include "backend/bench_ops.h"
#include "kernels/cpu/cpu_backend.h"

static sluice_status cpu_swarm(struct sluice_backend *b, const struct sluice_swarm *s)
{
    const struct cpu_backend *cpu = b->data;
    cpu->variant->swarm(cpu->team, s);
    return SLUICE_OK;
}

extern const struct sluice_bench_ops sluice_cpu_bench_ops;
const struct sluice_bench_ops sluice_cpu_bench_ops = {.name = "cpu", .swarm = cpu_swarm};
