/* The particle swarm of `sluice bench claims` (kernels/bench/swarm.h): a thread for each particle,
 * which loads and stores as much of a chunk at once as the device can. */
#include "kernels/bench/gpu/bench_loops.h"
/* after bench_loops.h */
#include "kernels/bench/swarm.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* The swarm as a kernel sees it. */
struct swarm_args {
    int64_t count;
    real *x, *v, *best, *value, *lead;
    real dt, keep;
    uint64_t moment;
};

/* How a layout is read: `width` reals of a chunk at once. A particle whose components are not in
 * chunks is read one by one, as a structure without alignment is. */
template <int components_, int chunk_, int stride_, int whole_> struct swarm_layout {
    static constexpr int components = components_, chunk = chunk_, stride = stride_, whole = whole_,
                         structures = stride_ != chunk_,
                         aligned = (chunk_ & (chunk_ - 1)) == 0 && chunk_ <= 16 && !structures,
                         width = aligned ? chunk_ : 1, bytes = width * (int)sizeof(real),
                         alignment = bytes > 16 ? 16 : bytes;
    static_assert(components % width == 0, "whole loads");
    struct alignas(alignment) some {
        real e[width];
    };
    static __device__ __forceinline__ int64_t place(int64_t n, int64_t i, int c)
    {
        return swarm_place(chunk, stride, n, i, c);
    }
    static __device__ __forceinline__ struct some load(const real *array, int64_t place)
    {
        return *(const struct some *)(const void *)(array + place);
    }
    static __device__ __forceinline__ void store(real *array, int64_t place, const struct some &s)
    {
        *(struct some *)(void *)(array + place) = s;
    }
};

static __device__ __forceinline__ int64_t swarm_thread()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

template <class Layout>
static __global__ void __launch_bounds__(GPU_BLOCK) swarm_start_kernel(const struct swarm_args s)
{
    gpu_begin();
    const int64_t i = swarm_thread();
    if (i >= s.count)
        return;
    for (int c = 0; c < Layout::components; c++) {
        const int64_t at = Layout::place(s.count, i, c);
        swarm_start(i, c, &s.x[at], Layout::structures ? &s.x[at + 3] : &s.v[at]);
        if (s.best)
            s.best[at] = s.x[at];
    }
    if (s.best)
        s.value[i] = INFINITY;
}

/* The whole structure is read and written, or its velocity is only read. */
template <class Layout>
static __device__ __forceinline__ void drift_structure(const struct swarm_args &s, int64_t i)
{
    real *const at = s.x + Layout::stride * i;
    real p[6];
    for (int c = 0; c < 6; c++)
        p[c] = at[c];
    for (int c = 0; c < 3; c++) {
        at[c] = swarm_drift(p[c], p[3 + c], s.dt);
        if (Layout::whole)
            at[3 + c] = p[3 + c] * s.keep;
    }
}

template <class Layout>
static __device__ __forceinline__ void drift_chunks(const struct swarm_args &s, int64_t i)
{
    for (int c = 0; c < Layout::components; c += Layout::width) {
        const int64_t at = Layout::place(s.count, i, c);
        typename Layout::some x = Layout::load(s.x, at);
        const typename Layout::some v = Layout::load(s.v, at);
#pragma unroll
        for (int e = 0; e < Layout::width; e++)
            x.e[e] = swarm_drift(x.e[e], v.e[e], s.dt);
        Layout::store(s.x, at, x);
    }
}

template <class Layout>
static __global__ void __launch_bounds__(GPU_BLOCK) swarm_drift_kernel(const struct swarm_args s)
{
    gpu_begin();
    const int64_t i = swarm_thread();
    if (i >= s.count)
        return;
    if constexpr (Layout::structures)
        drift_structure<Layout>(s, i);
    else
        drift_chunks<Layout>(s, i);
}

template <class Layout>
static __global__ void __launch_bounds__(GPU_BLOCK) swarm_move_kernel(const struct swarm_args s)
{
    gpu_begin();
    const int64_t i = swarm_thread();
    if (i >= s.count)
        return;
    real value = 0;
    for (int c = 0; c < Layout::components; c += Layout::width) {
        const int64_t at = Layout::place(s.count, i, c);
        typename Layout::some x = Layout::load(s.x, at), v = Layout::load(s.v, at);
        const typename Layout::some best = Layout::load(s.best, at);
#pragma unroll
        for (int e = 0; e < Layout::width; e++)
            value = swarm_move(s.moment, i, c + e, best.e[e], s.lead[c + e], &x.e[e], &v.e[e],
                               value);
        Layout::store(s.x, at, x);
        Layout::store(s.v, at, v);
    }
    if (!(value < s.value[i]))
        return;
    s.value[i] = value;
    for (int c = 0; c < Layout::components; c += Layout::width) {
        const int64_t at = Layout::place(s.count, i, c);
        Layout::store(s.best, at, Layout::load(s.x, at));
    }
}

/* The particle of the least value, the first of equal ones, by one block. */
template <class Layout>
static __global__ void __launch_bounds__(GPU_BLOCK) swarm_lead_kernel(const struct swarm_args s)
{
    gpu_begin();
    GPU_SHARED(int64_t, least, [GPU_BLOCK]);
    const int t = (int)threadIdx.x;
    int64_t own = 0;
    for (int64_t i = t; i < s.count; i += GPU_BLOCK)
        own = s.value[i] < s.value[own] || (s.value[i] == s.value[own] && i < own) ? i : own;
    least[t] = own;
    for (int half = GPU_BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            const int64_t a = least[t], b = least[t + half];
            least[t] = s.value[b] < s.value[a] || (s.value[b] == s.value[a] && b < a) ? b : a;
        }
    }
    __syncthreads();
    for (int c = t; c < Layout::components; c += GPU_BLOCK)
        s.lead[c] = s.best[Layout::place(s.count, least[0], c)];
    if (t == 0)
        s.lead[Layout::components] = s.value[least[0]];
}

typedef void (*swarm_kernel)(const struct swarm_args);

template <int components, int chunk, int stride, int whole>
static swarm_kernel kernel_of(enum sluice_swarm_work work)
{
    typedef struct swarm_layout<components, chunk, stride, whole> layout;
    if (work == SLUICE_SWARM_START)
        return swarm_start_kernel<layout>;
    if (work == SLUICE_SWARM_DRIFT)
        return swarm_drift_kernel<layout>;
    if constexpr (components == SLUICE_SWARM_COMPONENTS)
        return work == SLUICE_SWARM_MOVE ? swarm_move_kernel<layout> : swarm_lead_kernel<layout>;
    return NULL;
}

sluice_status launch_swarm(struct gpu_backend *gpu, const struct sluice_swarm *s)
{
    const struct swarm_args args = {s->count,        (real *)s->x,     (real *)s->v,
                                    (real *)s->best, (real *)s->value, (real *)s->lead,
                                    (real)s->dt,     (real)s->keep,    s->moment};
    swarm_kernel kernel = NULL;
    switch (s->layout) {
#define X(name, text, components, chunk, stride, whole)                                            \
    case SLUICE_SWARM_##name:                                                                      \
        kernel = kernel_of<components, chunk, stride, whole>(s->work);                             \
        break;
        SLUICE_SWARM_LAYOUTS(X)
#undef X
    case SLUICE_SWARM_LAYOUT_COUNT:
        break;
    }
    const unsigned blocks = s->work == SLUICE_SWARM_LEAD ? 1 : gpu_blocks(s->count, GPU_BLOCK);
    GPU_LAUNCH(kernel, blocks, GPU_BLOCK, 0, gpu->stream, args);
    GPU_LAUNCHED("bench");
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
