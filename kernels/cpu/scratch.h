/* Memory that an operation of the CPU backend needs for a while: it grows, never shrinks, and is
 * kept between steps. */
#ifndef SLUICE_KERNELS_CPU_SCRATCH_H
#define SLUICE_KERNELS_CPU_SCRATCH_H
#include <stddef.h>

#include "core/status.h"

struct cpu_scratch {
    void *memory; /* free() it */
    size_t bytes;
};

/* At least `bytes` of 64-byte aligned memory at work->memory; growing loses the contents. */
sluice_status cpu_scratch_reserve(struct cpu_scratch *work, size_t bytes);
#endif
