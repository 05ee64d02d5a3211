/* What the GPU backend does for `sluice bench` (kernels/bench/bench_ops.h): runs its loops in float
 * or double, and gives the device's peak rates. */
#include "kernels/bench/gpu/bench_loops.h"

namespace SLUICE_GPU
{

/* name(gpu, ...) of the backend's precision, once what was deferred is queued. */
#ifndef SLUICE_FLOAT_ALONE
#define LAUNCH(name, b, ...)                                                                       \
    SLUICE_TRY(gpu_settle(gpu_of(b)));                                                             \
    return (b)->real_bytes == 8 ? f64::name(gpu_of(b), __VA_ARGS__)                                \
                                : f32::name(gpu_of(b), __VA_ARGS__)
#else
#define LAUNCH(name, b, ...)                                                                       \
    SLUICE_TRY(gpu_settle(gpu_of(b)));                                                             \
    return f32::name(gpu_of(b), __VA_ARGS__)
#endif

static sluice_status op_trial(struct sluice_backend *b, const struct sluice_trial *trial)
{
    LAUNCH(launch_trial, b, trial);
}

static sluice_status op_swarm(struct sluice_backend *b, const struct sluice_swarm *s)
{
    LAUNCH(launch_swarm, b, s);
}

/* Takes the room that a list needs whose lengths are counted. */
static sluice_status make_room(struct sluice_backend *b, int64_t n, struct sluice_stored_list *list)
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

static sluice_status build_list(struct sluice_backend *b, const struct sluice_grid *g,
                                struct sluice_pass *pass, const struct sluice_stored_list *list)
{
    LAUNCH(launch_list_build, b, g, pass, list);
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
        SLUICE_TRY(build_list(b, g, pass, list));
        SLUICE_TRY(make_room(b, n, list));
    }
    return build_list(b, g, pass, list);
}

static sluice_status op_list_pass(struct sluice_backend *b, const struct sluice_grid *g,
                                  struct sluice_pass *pass, const struct sluice_stored_list *list)
{
    if (pass->target->count == 0)
        return SLUICE_OK;
    LAUNCH(launch_list_pass, b, g, pass, list);
}

static sluice_status op_branching(struct sluice_backend *b, const struct sluice_grid *g,
                                  struct sluice_pass *pass)
{
    LAUNCH(launch_branching, b, g, pass);
}

static void op_peak(const struct sluice_backend *b, double *flops, double *bytes)
{
    gpu_peak(gpu_of(b)->device, b->real_bytes, flops, bytes);
}

} // namespace SLUICE_GPU

#ifndef __HIP_DEVICE_COMPILE__ /* clang would put a constant table into device memory */
extern "C" const struct sluice_bench_ops GPU_SYMBOL(bench_ops) = {
    GPU_NAME,
    SLUICE_GPU::op_swarm,
    SLUICE_GPU::op_list_build,
    SLUICE_GPU::op_list_pass,
    SLUICE_GPU::op_branching,
    SLUICE_GPU::op_trial,
    SLUICE_GPU::op_peak,
};
#endif
