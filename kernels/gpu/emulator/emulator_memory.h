/* Memory of the emulated GPU, as its parts see it. */
#ifndef SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_MEMORY_H
#define SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_MEMORY_H
#include <stddef.h>

#include "kernels/gpu/emulator/emulator.h"

namespace gpu_emulator
{

/* Memory full of garbage that no thread has touched, as ThreadSanitizer sees it. */
void *garbage_alloc(size_t bytes);
void garbage_free(void *memory);

/* What this thread does between the two is not seen by ThreadSanitizer. */
void unseen_begin();
void unseen_end();

/* Only between these two may device memory be touched; close looks whether red zones still are as
 * they were. */
void device_memory_open();
void device_memory_close(const char *who);

void set_last_error(gpuError_t error);

} // namespace gpu_emulator
#endif
