/* The GPU backend's operations for `sluice bench` (kernels/bench/bench_ops.h): runs its loops in
 * float or double, and gives the device's peak rates. */
#include "kernels/bench/gpu/bench_loops.h"

namespace SLUICE_GPU
{

/* Queues a loop in the backend's precision, once what was deferred is queued. */
template <auto single, auto twice> struct loop;
template <class... Arguments, sluice_status (*single)(struct gpu_backend *, Arguments...),
          sluice_status (*twice)(struct gpu_backend *, Arguments...)>
struct loop<single, twice> {
    static sluice_status queue(struct sluice_backend *b, Arguments... arguments)
    {
        SLUICE_TRY(gpu_settle(gpu_of(b)));
        return (b->real_bytes == 8 ? twice : single)(gpu_of(b), arguments...);
    }
};
#ifndef SLUICE_FLOAT_ALONE
#define QUEUE(name)                                                                                \
    SLUICE_GPU::loop<SLUICE_GPU::f32::launch_##name, SLUICE_GPU::f64::launch_##name>::queue
#else
#define QUEUE(name)                                                                                \
    SLUICE_GPU::loop<SLUICE_GPU::f32::launch_##name, SLUICE_GPU::f32::launch_##name>::queue
#endif

/* Allocates the memory of a list whose lengths are counted. */
static sluice_status reserve(struct sluice_backend *b, int64_t n, struct sluice_stored_list *list)
{
    const gpu_host_array<uint32_t> length((size_t)n);
    SLUICE_CHECK(length.at, SLUICE_DEVICE, "no memory for %lld lengths", (long long)n);
    SLUICE_TRY(gpu_download(gpu_of(b), length.at, list->index, (size_t)n * sizeof *length.at));
    list->listed = list->longest = 0;
    for (int64_t i = 0; i < n; i++) {
        list->listed += length.at[i];
        list->longest = (int)length.at[i] > list->longest ? (int)length.at[i] : list->longest;
    }
    list->entry_bytes = (int64_t)sizeof(uint32_t) * n * list->longest;
    return b->ops->alloc(b, (size_t)list->entry_bytes, &list->entries);
}

static sluice_status op_list_build(struct sluice_backend *b, const struct sluice_grid *g,
                                   struct sluice_pass *pass, struct sluice_stored_list *list)
{
    const int64_t n = pass->target->count;
    if (n == 0)
        return SLUICE_OK;
    if (!list->index) {
        list->index_bytes = n * (int64_t)sizeof(uint32_t);
        list->longest = 0;
        SLUICE_TRY(b->ops->alloc(b, (size_t)list->index_bytes, &list->index));
        SLUICE_TRY(QUEUE(list_build)(b, g, pass, list));
        SLUICE_TRY(reserve(b, n, list));
    }
    return QUEUE(list_build)(b, g, pass, list);
}

static sluice_status op_list_pass(struct sluice_backend *b, const struct sluice_grid *g,
                                  struct sluice_pass *pass, const struct sluice_stored_list *list)
{
    return pass->target->count ? QUEUE(list_pass)(b, g, pass, list) : SLUICE_OK;
}

static void op_peak(const struct sluice_backend *b, double *flops, double *bytes)
{
    gpu_peak(gpu_of(b)->device, b->real_bytes, flops, bytes);
}

} // namespace SLUICE_GPU

#ifndef __HIP_DEVICE_COMPILE__ /* clang would put a constant table into device memory */
extern "C" const struct sluice_bench_ops GPU_SYMBOL(bench_ops) = {
    GPU_NAME,         QUEUE(swarm), SLUICE_GPU::op_list_build, SLUICE_GPU::op_list_pass,
    QUEUE(branching), QUEUE(trial), SLUICE_GPU::op_peak,
};
#endif
