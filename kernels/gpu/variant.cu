/* The table of functions of one precision. */
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU::GPU_PRECISION
{

#ifndef __HIP_DEVICE_COMPILE__ /* clang would put a constant table into device memory */
const struct gpu_variant variant = {
#define X(name, ...) name,
    GPU_VARIANT(X)
#undef X
        {
#define X(name, option, bins, what) interact_##name,
            SLUICE_STRATEGIES(X)
#undef X
        },
};
#endif

} // namespace SLUICE_GPU::GPU_PRECISION
