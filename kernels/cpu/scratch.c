#include "kernels/cpu/scratch.h"

#include <stdlib.h>

sluice_status cpu_scratch_reserve(struct cpu_scratch *work, size_t bytes)
{
    if (bytes <= work->bytes)
        return SLUICE_OK;
    const size_t size = (bytes + bytes / 4 + 63) / 64 * 64;
    free(work->memory);
    work->memory = aligned_alloc(64, size);
    work->bytes = work->memory ? size : 0;
    SLUICE_CHECK(
        work->memory, SLUICE_DEVICE,
        "cpu: no memory for %zu bytes of scratch; close other programs or use fewer particles",
        size);
    return SLUICE_OK;
}
