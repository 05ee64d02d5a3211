/* Work on each particle alone: one kernel for every operation of the registry. */
#define SLUICE_REGISTRY_HEADERS
#include "kernels/gpu/leaf.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* An operation's own struct, in C++ too. */
struct host_params {
    const void *params;
    template <class T> operator const T *() const
    {
        return (const T *)params;
    }
};

#define X(op, what)                                                                                \
    template <int dim>                                                                             \
    __global__ void __launch_bounds__(GPU_BLOCK)                                                   \
        op##_kernel(const struct op##_constants k, const struct gpu_set set,                       \
                    const struct sluice_frames_view frames)                                        \
    {                                                                                              \
        const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x;                           \
        if (i < alive_in(set))                                                                     \
            op##_point(&k, &set.v, &frames, i, dim);                                               \
    }                                                                                              \
    static sluice_status run_##op(struct gpu_backend *gpu, const struct sluice_frames_view &view,  \
                                  const struct sluice_point *point)                                \
    {                                                                                              \
        const struct op##_constants k = op##_prepare(host_params{point->params});                  \
        const unsigned blocks = gpu_blocks(point->set->count, GPU_BLOCK);                          \
        auto kernel = point->set->dimension == 3 ? op##_kernel<3> : op##_kernel<2>;                \
        GPU_LAUNCH(kernel, blocks, GPU_BLOCK, 0, gpu->stream, k, set_of(gpu, point->set), view);   \
        GPU_LAUNCHED(#op);                                                                         \
        return SLUICE_OK;                                                                          \
    }
SLUICE_POINTWISE(X)
#undef X

/* Without central forces every entry is written without looking at its particle: flat. */
template <int dim>
__global__ void __launch_bounds__(GPU_BLOCK)
    gravity_kernel(const struct body_force_constants k, const struct gpu_set set)
{
    const int64_t alive = alive_in(set), first = (int64_t)blockIdx.x * GPU_BLOCK;
    real *acceleration = set.v.field[SLUICE_FIELD_ACCELERATION] + dim * first;
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const int n = c * GPU_BLOCK + (int)threadIdx.x;
        if (dim * first + n < dim * alive)
            acceleration[n] = k.gravity[n % dim];
    }
}

static sluice_status run_gravity(struct gpu_backend *gpu, const struct sluice_point *point)
{
    const struct body_force_constants k = body_force_prepare(
        (const struct body_force_params *)point->params);
    auto kernel = point->set->dimension == 3 ? gravity_kernel<3> : gravity_kernel<2>;
    GPU_LAUNCH(kernel, gpu_blocks(point->set->count, GPU_BLOCK), GPU_BLOCK, 0, gpu->stream, k,
               set_of(gpu, point->set));
    GPU_LAUNCHED("gravity");
    return SLUICE_OK;
}

static int is_gravity_alone(const struct sluice_point *point)
{
    return point->op == SLUICE_POINTWISE_body_force &&
           ((const struct body_force_params *)point->params)->central_count == 0;
}

sluice_status pointwise(struct gpu_backend *gpu, const struct sluice_grid *g,
                        const struct sluice_point *point)
{
    struct sluice_frames_view frames = {};
    frames.index = (const int32_t(*)[3])gpu->frames.index;
    frames.neighbour = (const int32_t(*)[27])gpu->frames.neighbour;
    frames.wanted = gpu->frames.wanted;
    view_set_widths(&frames, g->width, g->wrap);
    if (point->set->count == 0)
        return SLUICE_OK;
    gpu_unpack(point->set);
    if (is_gravity_alone(point))
        return run_gravity(gpu, point);
    switch (point->op) {
#define X(op, what)                                                                                \
    case SLUICE_POINTWISE_##op:                                                                    \
        return run_##op(gpu, frames, point);
        SLUICE_POINTWISE(X)
#undef X
    }
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "pointwise: operation %d is not in the registry",
                       point->op);
}

} /* namespace GPU_PRECISION */
} /* namespace SLUICE_GPU */
