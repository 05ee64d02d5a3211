/* The table of what is compiled for one precision. */
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

#ifndef __HIP_DEVICE_COMPILE__ /* clang would make device memory of a constant table */
const struct gpu_variant variant = {
    (int)sizeof(real),
    kick_drift,
    kick,
    pointwise,
    reduce,
    sort,
    count_frames,
    stand_records,
    sort_as,
    {
#define X(name, option, kind, what) interact_##name,
        SLUICE_STRATEGIES(X)
#undef X
    },
    fetch,
    foremost,
};
#endif

} /* namespace GPU_PRECISION */
} /* namespace SLUICE_GPU */
