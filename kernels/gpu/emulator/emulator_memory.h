/* Memory of the emulated GPU, as its parts see it. */
#ifndef SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_MEMORY_H
#define SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_MEMORY_H
#include <stddef.h>

#include "kernels/gpu/emulator/emulator.h"

namespace gpu_emulator
{

/* Memory filled with garbage; ThreadSanitizer does not count that as an access. */
void *garbage_alloc(size_t bytes);
void garbage_free(void *memory);

/* Hide this thread's accesses between the two calls from ThreadSanitizer. */
void unseen_begin();
void unseen_end();

/* Device memory may be touched only between these two calls; close checks that the red zones are
 * intact. */
void device_memory_open();
void device_memory_close(const char *who);

void set_last_error(gpuError_t error);

} // namespace gpu_emulator
#endif
