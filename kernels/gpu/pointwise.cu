/* Work on each particle alone: one kernel for every operation of the registry. */
#define SLUICE_REGISTRY_HEADERS
#include "kernels/gpu/leaf.h"
/* after leaf.h */
#include "kernels/gpu/drift.h"
#include "kernels/gpu/place_records.h"

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

/* What the pair loop's records carry is known after the operation that makes it; a pass that wanted
 * them in the last step spares itself the packing when the operation does it too. */
struct point_records {
    struct place_packer to; /* `out` NULL: none */
    struct row_place rows;
    int carry; /* the field that rides with them: EOS or POSITION */
    int kind;  /* of the records: that of frame_place or of row_place */
};

template <int dim>
static __device__ __forceinline__ void pack_point(const struct point_records &r,
                                                  const struct gpu_set &set, int64_t i)
{
    const real packed = r.carry == SLUICE_FIELD_EOS ? VIEW(&set.v, EOS, i, 2, 0)
                                                    : VIEW(&set.v, POSITION, i, dim + 1, dim);
    if (r.kind == row_place::kind)
        put_record<dim>(r.to, r.rows, set, i, packed);
    else
        put_record<dim>(r.to, frame_place(), set, i, packed);
}

/* After an operation that writes the equation of state, if that rides along; masses ride along
 * where accelerations are begun, which is last before the passes. */
static int carries_after(const struct sluice_set *set, unsigned writes)
{
    const int wants = set->bins ? bins_of(set)->packed_before : -1,
              field = wants % SLUICE_FIELD_COUNT;
    return wants >= 0 && ((field == SLUICE_FIELD_EOS && writes & SLUICE_BIT(EOS)) ||
                          (field == SLUICE_FIELD_POSITION && writes & SLUICE_BIT(ACCELERATION)));
}

static struct point_records records_after(const struct gpu_backend *gpu,
                                          const struct sluice_grid *g, const struct sluice_set *set,
                                          unsigned writes)
{
    struct point_records r = {};
    if (!carries_after(set, writes))
        return r;
    struct gpu_bins *bins = bins_of(set);
    r.to = packer_of(gpu, g, set);
    r.rows = row_place_of(g);
    r.carry = bins->packed_before % SLUICE_FIELD_COUNT;
    r.kind = bins->packed_before / SLUICE_FIELD_COUNT;
    bins->packed_as = bins->packed_before;
    bins->packed_at = gpu->uploads;
    bins->rows_known = r.kind == (int)row_place::kind;
    return r;
}

/* Blocks that a multiprocessor shall hold: all that it can, for these wait for memory. */
enum { POINT_BLOCKS = sizeof(real) == 4 ? 8 : 1 };

#define X(op, what)                                                                                \
    template <int dim>                                                                             \
    static __device__ __forceinline__ void op##_block(                                             \
        const struct op##_constants &k, const struct gpu_set &set,                                 \
        const struct sluice_frames_view &frames, const struct point_records &records)              \
    {                                                                                              \
        const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x, alive = alive_in(set);    \
        if (i < alive)                                                                             \
            op##_point(&k, &set.v, &frames, i, dim);                                               \
        if (records.to.out && i < alive)                                                           \
            pack_point<dim>(records, set, i);                                                      \
        if (records.to.out && i == alive)                                                          \
            end_records(records.to, set, i, dim);                                                  \
    }                                                                                              \
    template <int dim>                                                                             \
    __global__ void __launch_bounds__(GPU_BLOCK, POINT_BLOCKS)                                     \
        op##_kernel(const struct op##_constants k, const struct gpu_set set,                       \
                    const struct sluice_frames_view frames, const struct point_records records)    \
    {                                                                                              \
        gpu_begin();                                                                               \
        op##_block<dim>(k, set, frames, records);                                                  \
    }                                                                                              \
    static sluice_status run_##op(struct gpu_backend *gpu, const struct sluice_grid *g,            \
                                  const struct sluice_frames_view &view,                           \
                                  const struct sluice_point *point)                                \
    {                                                                                              \
        const struct op##_constants k = op##_prepare(host_params{point->params});                  \
        const struct point_records records = records_after(gpu, g, point->set, op##_WRITES);       \
        const unsigned blocks = gpu_blocks(point->set->count + 1, GPU_BLOCK);                      \
        auto kernel = point->set->dimension == 3 ? op##_kernel<3> : op##_kernel<2>;                \
        GPU_LAUNCH(kernel, blocks, GPU_BLOCK, 0, gpu->stream, k, set_of(gpu, point->set), view,    \
                   records);                                                                       \
        GPU_LAUNCHED(#op);                                                                         \
        return SLUICE_OK;                                                                          \
    }
SLUICE_POINTWISE(X)
#undef X

/* The prediction behind a drift that was left for it: the state is read once. */
template <int dim>
__global__ void __launch_bounds__(GPU_BLOCK, sizeof(real) == 4 ? 5 : 3)
    drift_predict_kernel(const struct kick_args kick, const struct drift_args drift,
                         const struct wcsph_predict_constants k, const struct gpu_set set,
                         const struct sluice_frames_view frames, const struct point_records records)
{
    gpu_begin();
    drift_block<dim>(kick, drift);
    __syncthreads();
    wcsph_predict_block<dim>(k, set, frames, records);
}

static sluice_status run_drift_predict(struct gpu_backend *gpu, const struct sluice_grid *g,
                                       const struct sluice_frames_view &view,
                                       const struct sluice_point *point)
{
    const struct sluice_set *set = point->set;
    const double dt = gpu->drift.dt;
    const struct wcsph_predict_constants k = wcsph_predict_prepare(
        (const struct wcsph_predict_params *)point->params);
    const struct point_records records = records_after(gpu, g, set, wcsph_predict_WRITES);
    auto kernel = set->dimension == 3 ? drift_predict_kernel<3> : drift_predict_kernel<2>;
    gpu->drift.set = NULL;
    GPU_LAUNCH(kernel, gpu_blocks(set->count + 1, GPU_BLOCK), GPU_BLOCK, 0, gpu->stream,
               kick_args_of(gpu, set, dt), drift_args_of(gpu, g, set, dt), k, set_of(gpu, set),
               view, records);
    GPU_LAUNCHED("drift_predict");
    return SLUICE_OK;
}

/* Without central forces, and records to pack, every entry is written without looking at its
 * particle: flat. */
template <int dim>
__global__ void __launch_bounds__(GPU_BLOCK)
    gravity_kernel(const struct body_force_constants k, const struct gpu_set set)
{
    gpu_begin();
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
           ((const struct body_force_params *)point->params)->central_count == 0 &&
           !carries_after(point->set, body_force_WRITES);
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
    if (gpu->drift.set == point->set)
        return run_drift_predict(gpu, g, frames, point);
    if (is_gravity_alone(point))
        return run_gravity(gpu, point);
    switch (point->op) {
#define X(op, what)                                                                                \
    case SLUICE_POINTWISE_##op:                                                                    \
        return run_##op(gpu, g, frames, point);
        SLUICE_POINTWISE(X)
#undef X
    }
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "pointwise: operation %d is not in the registry",
                       point->op);
}

} /* namespace GPU_PRECISION */
} /* namespace SLUICE_GPU */
