/* Work on each particle alone: one kernel for each operation of the registry. */
#include "kernels/gpu/variant.h"
/* after variant.h */
#include "kernels/formulas/formulas.h"
#include "kernels/gpu/step/drift.h"
#include "kernels/gpu/step/point_records.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* Converts to a pointer to any operation's params, as void * does in C. */
struct host_params {
    const void *params;
    template <class T> operator const T *() const
    {
        return (const T *)params;
    }
};

/* Blocks on a multiprocessor: as many as it holds, since these kernels wait for memory. */
enum { POINT_BLOCKS = sizeof(real) == 4 ? 8 : 1 };

/* Operations as types: op_body_force::point is body_force_point, and so on (kernels/pointwise/). */
#define X(op, what)                                                                                \
    struct op_##op {                                                                               \
        static constexpr const char *name = #op;                                                   \
        typedef op##_constants constants;                                                          \
        static constexpr sluice_fields writes = op##_WRITES;                                       \
        static constants prepare(const void *params)                                               \
        {                                                                                          \
            return op##_prepare(host_params{params});                                              \
        }                                                                                          \
        HD void point(const constants &k, const struct sluice_view &v,                             \
                      const struct sluice_frames_view &frames, int64_t i, const int dim)           \
        {                                                                                          \
            op##_point(&k, &v, &frames, i, dim);                                                   \
        }                                                                                          \
    };
SLUICE_POINTWISE(X)
#define EFFECT_POINTWISE X
#include "physics/effects.def"
#undef X

template <class Op, int dim>
__global__ void __launch_bounds__(GPU_BLOCK, POINT_BLOCKS)
    point_kernel(const GPU_CONSTANT typename Op::constants k, const struct gpu_set set,
                 const struct sluice_frames_view frames, const struct point_records records)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x, alive = alive_in(set);
    if (i < alive)
        Op::point(k, set.v, frames, i, dim);
    if (records.to.out && i < alive)
        pack_point<dim>(records, i, ((const uint32_t *)set.v.field[SLUICE_FIELD_FRAME])[i],
                        &VIEW(&set.v, POSITION, i, dim + 1, 0),
                        records.carry == SLUICE_FIELD_EOS
                            ? VIEW(&set.v, EOS, i, 2, 0)
                            : VIEW(&set.v, POSITION, i, dim + 1, dim));
    if (records.to.out && i == alive)
        end_records(records.to, set, i, dim);
}

template <class Op>
static sluice_status run(struct gpu_backend *gpu, const struct sluice_grid *g,
                         const struct sluice_frames_view &frames, const struct sluice_point *point)
{
    const typename Op::constants k = Op::prepare(point->params);
    const struct point_records records = records_after(gpu, g, point->set, Op::writes);
    auto kernel = point->set->dimension == 3 ? point_kernel<Op, 3> : point_kernel<Op, 2>;
    GPU_LAUNCH_EACH(gpu, Op::name, kernel, point->set->count + 1, k, set_of(gpu, point->set),
                    frames, records);
    return SLUICE_OK;
}

/* --- The prediction of a fluid --- */

/* Does the work of wcsph_predict_point() block by block. Vectors are walked flat, so that each byte
 * is moved once, and reach their particle through shared memory. */

/* Acceleration and rate of the last step. */
template <int dim> struct predict_old {
    real a[dim], rate;
};

template <int dim>
static __device__ __forceinline__ void read_old(const struct gpu_set &set, int64_t first, int count,
                                                struct predict_old<dim> *old)
{
    const real *a = set.v.field[SLUICE_FIELD_ACCELERATION_OLD] + dim * first;
    const int t = (int)threadIdx.x;
#pragma unroll
    for (int c = 0; c < dim; c++)
        if (c * GPU_BLOCK + t < dim * count)
            old->a[c] = a[c * GPU_BLOCK + t];
    if (t < count)
        old->rate = set.v.field[SLUICE_FIELD_RATE_OLD][first + t];
}

/* `s` as the drift leaves it. All threads of the block have read `shared`. */
template <int dim>
static __device__ __forceinline__ void
predict_block(const struct wcsph_predict_constants &k, const struct gpu_set &set,
              const struct sluice_frames_view &frames, const struct point_records &records,
              const struct drift_state<dim> &s, const struct predict_old<dim> &old,
              struct drift_vectors<dim> *shared)
{
    const int64_t first = (int64_t)blockIdx.x * GPU_BLOCK, alive = alive_in(set);
    const int t = (int)threadIdx.x, count = block_count(alive, first);
    const int64_t i = first + t;
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const int n = c * GPU_BLOCK + t;
        if (n >= dim * count)
            continue;
        shared->v[n] = wcsph_predicted(&k, s.v[c].value, s.v[c].rate, old.a[c]);
    }
    __syncthreads();
    if (t < count) {
        real u[3] = {0, 0, 0};
        for (int c = 0; c < dim; c++)
            u[c] = shared->v[dim * t + c];
        const real r = wcsph_predicted(&k, s.density.value, s.density.rate, old.rate),
                   p = wcsph_predict_store(&k, &set.v, &frames, i, dim, s.slot, s.p.x, u, r);
        for (int c = 0; c < dim && k.starts; c++)
            VIEW(&set.v, ACCELERATION_OLD, i, dim, c) = body_force_at(&k.body, &set.v, &frames, i,
                                                                      dim, c);
        if (records.to.out)
            pack_point<dim>(records, i, s.slot, s.p.x, p);
    }
    if (records.to.out && i == alive)
        end_records(records.to, set, i, dim);
}

/* `drifts`: makes a deferred drift first, so that the state is read once. */
template <int dim, int drifts>
__global__ void __launch_bounds__(GPU_BLOCK, sizeof(real) == 4 ? 5 : 3)
    predict_kernel(const struct kick_args kick, const struct drift_args drift,
                   const struct wcsph_predict_constants k, const struct gpu_set set,
                   const struct sluice_frames_view frames, const struct point_records records)
{
    gpu_begin();
    GPU_SHARED(struct drift_vectors<dim>, shared);
    const int64_t first = (int64_t)blockIdx.x * GPU_BLOCK;
    const int t = (int)threadIdx.x, count = block_count(alive_in(set), first);
    struct drift_state<dim> s;
    struct predict_old<dim> old;
    read_old<dim>(set, first, count, &old);
    if (drifts) {
        drift_block<dim, 0>(kick, drift, &shared, &s);
    } else {
        const struct kick_field velocity = field_from(kick.velocity, dim * first);
#pragma unroll
        for (int c = 0; c < dim; c++)
            if (c * GPU_BLOCK + t < dim * count)
                read_rate(velocity, c * GPU_BLOCK + t, &s.v[c]);
        if (t < count) {
            s.p = read_place<dim>(drift.position + (dim + 1) * (first + t));
            s.slot = drift.frame[first + t];
            read_rate(kick.density, first + t, &s.density);
        }
    }
    predict_block<dim>(k, set, frames, records, s, old, &shared);
}

static sluice_status run_predict(struct gpu_backend *gpu, const struct sluice_grid *g,
                                 const struct sluice_frames_view &view,
                                 const struct sluice_point *point)
{
    const struct sluice_set *set = point->set;
    const int drifts = gpu->drift.set == set, flat = set->dimension == 2;
    const struct wcsph_predict_constants k = wcsph_predict_prepare(
        (const struct wcsph_predict_params *)point->params);
    const struct point_records records = records_after(gpu, g, set, wcsph_predict_WRITES);
    const double dt = drifts ? gpu->drift.dt : 0;
    auto kernel = flat     ? drifts ? predict_kernel<2, 1> : predict_kernel<2, 0>
                      : drifts ? predict_kernel<3, 1>
                           : predict_kernel<3, 0>;
    gpu->drift.set = NULL;
    GPU_LAUNCH_EACH(gpu, "predict", kernel, set->count + 1, kick_args_of(gpu, set, dt),
                    drift_args_of(gpu, g, set, dt), k, set_of(gpu, set), view, records);
    return SLUICE_OK;
}

/* Gravity without central forces and without records to pack: writes each entry without reading its
 * particle. */
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
    GPU_LAUNCH_EACH(gpu, "gravity", kernel, point->set->count, k, set_of(gpu, point->set));
    return SLUICE_OK;
}

static int is_gravity_alone(const struct sluice_point *point)
{
    return point->op == SLUICE_POINTWISE_body_force &&
           ((const struct body_force_params *)point->params)->central_count == 0 &&
           !carries_after(point->set, body_force_WRITES);
}

static sluice_fields writes_of(int op)
{
    switch (op) {
#define X(op, what)                                                                                \
    case SLUICE_POINTWISE_##op:                                                                    \
        return op_##op::writes;
        SLUICE_POINTWISE(X)
#define EFFECT_POINTWISE X
#include "physics/effects.def"
#undef X
    }
    return 0;
}

/* Marks the records as out of date, if the operation writes what they hold: a place, and the field
 * of a pair. */
static void unpack_before(const struct sluice_point *point)
{
    const struct gpu_bins *bins = bins_of(point->set);
    sluice_fields held = SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) | SLUICE_BIT(FRAME);
    if (bins && bins->packed_as >= 0)
        held |= SLUICE_FIELD_BIT(bins->packed_as % SLUICE_FIELD_COUNT);
    if (writes_of(point->op) & held)
        gpu_unpack(point->set);
}

sluice_status pointwise(struct gpu_backend *gpu, const struct sluice_grid *g,
                        const struct sluice_point *point)
{
    struct sluice_frames_view frames = {};
    frames.index = gpu->frames.index;
    frames.neighbour = gpu->frames.neighbour;
    frames.wanted = gpu->frames.wanted;
    view_set_widths(&frames, g->width, g->wrap);
    if (point->set->count == 0)
        return SLUICE_OK;
    unpack_before(point);
    if (point->op == SLUICE_POINTWISE_wcsph_predict && point->set->moves == SLUICE_FREE &&
        point->set->field[SLUICE_FIELD_ACCELERATION_OLD])
        return run_predict(gpu, g, frames, point);
    if (is_gravity_alone(point))
        return run_gravity(gpu, point);
    switch (point->op) {
#define X(op, what)                                                                                \
    case SLUICE_POINTWISE_##op:                                                                    \
        return run<op_##op>(gpu, g, frames, point);
        SLUICE_POINTWISE(X)
#define EFFECT_POINTWISE X
#include "physics/effects.def"
#undef X
    }
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "pointwise: operation %d is not in the registry",
                       point->op);
}

} // namespace SLUICE_GPU::GPU_PRECISION
