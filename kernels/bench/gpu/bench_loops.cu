/* The trial loops of `sluice bench` (kernels/bench/bench_ops.h): blocks, layouts, lists, prefix
 * sums. */
#include "kernels/bench/gpu/bench_loops.h"
/* after bench_loops.h */
#include "kernels/bench/gpu/scans.h"
#include "kernels/pair/pair_lj.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* A trial as a kernel sees it. */
struct trial_args {
    struct lj_constants lj;
    int64_t count;
    int box, capacity;
    real inverse_width, cutoff2, reach2, inverse_cutoff2; /* of a cell; squares of lengths */
    const real *at;
    const uint32_t *start;
    uint32_t *list, *length;
    real *out;
};

static __device__ __forceinline__ int64_t trial_thread()
{
    return (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ void trial_store(const struct trial_args &args, int64_t i, real x,
                                                   real y, real z)
{
    args.out[3 * i] = x;
    args.out[3 * i + 1] = y;
    args.out[3 * i + 2] = z;
}

/* Lennard-Jones of two particles, which are not the same one. */
static __device__ __forceinline__ void
trial_lj(const struct trial_args &args, const struct real4 &i, const struct real4 &j, lj_acc *sum)
{
    const real d[3] = {i.x - j.x, i.y - j.y, i.z - j.z},
               r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    const struct pair_loop loop = {0, 3, 0, PAIR_KERNEL_ALL};
    const struct pair_distance at = {{d[0], d[1], d[2]}, r2, 0};
    const lj_src own = {i.w}, other = {j.w};
    if (r2 < args.cutoff2)
        lj_eval(&args.lj, loop, &at, &own, &other, sum);
}

static __device__ __forceinline__ void trial_store_lj(const struct trial_args &args, int64_t i,
                                                      const lj_acc &sum)
{
    const real unit = lj_unit(&args.lj);
    trial_store(args, i, unit * sum.ax, unit * sum.ay, unit * sum.az);
}

/* --- Blocks ---- */

enum { TRIAL_THREADS_MOST = 1024 };

static __global__ void __launch_bounds__(TRIAL_THREADS_MOST)
    trial_tiled_kernel(const struct trial_args args)
{
    gpu_begin();
    GPU_DYNAMIC_SHARED(struct real4, tile);
    const int64_t i = trial_thread(), last = args.count - 1;
    const struct real4 own = view_load4(args.at + 4 * (i < last ? i : last));
    lj_acc sum = {};
    for (int64_t first = 0; first < args.count; first += blockDim.x) {
        const int64_t left = args.count - first;
        const int filled = left < (int64_t)blockDim.x ? (int)left : (int)blockDim.x;
        if ((int)threadIdx.x < filled)
            tile[threadIdx.x] = view_load4(args.at + 4 * (first + threadIdx.x));
        __syncthreads();
        for (int t = 0; t < filled; t++)
            if (first + t != i)
                trial_lj(args, own, tile[t], &sum);
        __syncthreads();
    }
    if (i < args.count)
        trial_store_lj(args, i, sum);
}

/* --- Rows of cells ---- */

/* The cells around a place, as ranges of particles: f(j) for each of them. */
template <class F>
static __device__ __forceinline__ void trial_around(const struct trial_args &args,
                                                    const struct real4 &at, F f)
{
    const int most = args.box - 1, x = min((int)(at.x * args.inverse_width), most),
              y = min((int)(at.y * args.inverse_width), most),
              z = min((int)(at.z * args.inverse_width), most);
    for (int w = max(z - 1, 0); w <= min(z + 1, most); w++)
        for (int v = max(y - 1, 0); v <= min(y + 1, most); v++) {
            const int64_t row = ((int64_t)w * args.box + v) * args.box;
            const uint32_t end = gpu_load(args.start + (row + min(x + 1, most) + 1));
            for (uint32_t j = gpu_load(args.start + (row + max(x - 1, 0))); j < end; j++)
                f(j);
        }
}

/* --- Layouts: members of a particle that are loaded before and after the distance ----- */

/* Number c of particle i, by one load. */
template <int layout>
static __device__ __forceinline__ real layout_load(const real *at, int64_t n, int64_t i, int c)
{
    constexpr int64_t chunk = layout < SLUICE_LAYOUT_CHUNKS_2
                                  ? 1
                                  : (int64_t)2 << (layout - SLUICE_LAYOUT_CHUNKS_2);
    if (layout == SLUICE_LAYOUT_STRUCTURES)
        return gpu_load(at + (i * SLUICE_LAYOUT_NUMBERS + c));
    if (layout == SLUICE_LAYOUT_PADDED)
        return gpu_load(at + (i * SLUICE_LAYOUT_WIDEST + c));
    if (layout == SLUICE_LAYOUT_ARRAYS)
        return gpu_load(at + (c * n + i));
    return gpu_load(at + ((i / chunk * SLUICE_LAYOUT_NUMBERS + c) * chunk + i % chunk));
}

template <int layout>
static __device__ __forceinline__ struct real4 layout_place(const real *at, int64_t n, int64_t i)
{
    if (layout == SLUICE_LAYOUT_PACKED)
        return view_load4(at + i * SLUICE_LAYOUT_WIDEST);
    return {layout_load<layout>(at, n, i, 0), layout_load<layout>(at, n, i, 1),
            layout_load<layout>(at, n, i, 2), 0};
}

/* Velocity and mass, which may have come with the place. */
template <int layout>
static __device__ __forceinline__ struct real4 layout_rest(const real *at, int64_t n, int64_t i,
                                                           const struct real4 &place)
{
    if (layout == SLUICE_LAYOUT_PACKED) {
        struct real4 q = view_load4(at + i * SLUICE_LAYOUT_WIDEST + 4);
        q.w = place.w;
        return q;
    }
    return {layout_load<layout>(at, n, i, 3), layout_load<layout>(at, n, i, 4),
            layout_load<layout>(at, n, i, 5), layout_load<layout>(at, n, i, 6)};
}

/* a += m_j (1 - r^2/rc^2) (d - (v_i - v_j)): as few operations as use all numbers. */
template <int layout>
static __global__ void __launch_bounds__(GPU_BLOCK)
    trial_layout_kernel(const struct trial_args args)
{
    gpu_begin();
    const int64_t i = trial_thread(), n = args.count;
    if (i >= n)
        return;
    const struct real4 own = layout_place<layout>(args.at, n, i),
                       rest = layout_rest<layout>(args.at, n, i, own);
    real x = 0, y = 0, z = 0;
    trial_around(args, own, [&](uint32_t j) {
        const struct real4 p = layout_place<layout>(args.at, n, j);
        const real d[3] = {own.x - p.x, own.y - p.y, own.z - p.z},
                   r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        if (r2 < args.cutoff2) {
            const struct real4 q = layout_rest<layout>(args.at, n, j, p);
            const real w = q.w * (1 - r2 * args.inverse_cutoff2);
            x += w * (d[0] - (rest.x - q.x));
            y += w * (d[1] - (rest.y - q.y));
            z += w * (d[2] - (rest.z - q.z));
        }
    });
    trial_store(args, i, x, y, z);
}

/* --- Lists ---- */

static __global__ void __launch_bounds__(GPU_BLOCK) trial_build_kernel(const struct trial_args args)
{
    gpu_begin();
    const int64_t i = trial_thread();
    if (i >= args.count)
        return;
    const struct real4 own = view_load4(args.at + 4 * i);
    int length = 0;
    trial_around(args, own, [&](uint32_t j) {
        const struct real4 p = view_load4(args.at + 4 * (int64_t)j);
        const real d[3] = {own.x - p.x, own.y - p.y, own.z - p.z};
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < args.reach2 && j != (uint32_t)i) {
            if (length < args.capacity)
                args.list[(int64_t)length * args.count + i] = j;
            length++;
        }
    });
    args.length[i] = (uint32_t)length;
}

static __global__ void __launch_bounds__(GPU_BLOCK) trial_force_kernel(const struct trial_args args)
{
    gpu_begin();
    const int64_t i = trial_thread();
    if (i >= args.count)
        return;
    const struct real4 own = view_load4(args.at + 4 * i);
    const int length = min((int)args.length[i], args.capacity);
    lj_acc sum = {};
    for (int k = 0; k < length; k++) {
        const uint32_t j = gpu_load(args.list + ((int64_t)k * args.count + i));
        trial_lj(args, own, view_load4(args.at + 4 * (int64_t)j), &sum);
    }
    trial_store_lj(args, i, sum);
}

/* --- Prefix sums ---- */

/* A sum of each block is stored, so that the compiler keeps all of them. Sums are modulo 2^32. */
template <int kind>
static __global__ void __launch_bounds__(TRIAL_THREADS_MOST)
    trial_scan_kernel(const struct trial_args args)
{
    gpu_begin();
    GPU_SHARED(uint32_t, sum, [SLUICE_TRIAL_SCAN_MOST + 1]);
    for (int i = (int)threadIdx.x; i <= args.capacity; i += (int)blockDim.x)
        sum[i] = (uint32_t)i + blockIdx.x;
    for (int k = 0; k < SLUICE_TRIAL_SCANS; k++)
        if (kind == SLUICE_SCAN_WARPS)
            block_prefix(sum, args.capacity);
        else if (kind == SLUICE_SCAN_BLELLOCH)
            scan_blelloch(sum, args.capacity);
        else
            scan_algis(sum, args.capacity, (enum sluice_scan)kind, NULL);
    if (threadIdx.x == 0)
        args.length[blockIdx.x] = sum[args.capacity - 1];
}

/* --- Launches ---- */

typedef void (*trial_kernel)(const struct trial_args);

static trial_kernel kernel_of(const struct sluice_trial *t)
{
    static const trial_kernel layouts[SLUICE_LAYOUT_COUNT] = {
        trial_layout_kernel<SLUICE_LAYOUT_STRUCTURES>, trial_layout_kernel<SLUICE_LAYOUT_PADDED>,
        trial_layout_kernel<SLUICE_LAYOUT_PACKED>,     trial_layout_kernel<SLUICE_LAYOUT_ARRAYS>,
        trial_layout_kernel<SLUICE_LAYOUT_CHUNKS_2>,   trial_layout_kernel<SLUICE_LAYOUT_CHUNKS_4>,
        trial_layout_kernel<SLUICE_LAYOUT_CHUNKS_8>,   trial_layout_kernel<SLUICE_LAYOUT_CHUNKS_16>,
    };
    static const trial_kernel scans[SLUICE_SCAN_COUNT] = {
        trial_scan_kernel<SLUICE_SCAN_WARPS>, trial_scan_kernel<SLUICE_SCAN_CODE>,
        trial_scan_kernel<SLUICE_SCAN_PRINTED>, trial_scan_kernel<SLUICE_SCAN_BLELLOCH>};
    return t->kind == SLUICE_TRIAL_TILED        ? trial_tiled_kernel
           : t->kind == SLUICE_TRIAL_SCAN       ? scans[t->scan]
           : t->kind == SLUICE_TRIAL_LAYOUT     ? layouts[t->layout]
           : t->kind == SLUICE_TRIAL_LIST_BUILD ? trial_build_kernel
                                                : trial_force_kernel;
}

sluice_status launch_trial(struct gpu_backend *gpu, const struct sluice_trial *t)
{
    const struct lj_params *params = (const struct lj_params *)t->params;
    const int scans = t->kind == SLUICE_TRIAL_SCAN,
              threads = t->kind == SLUICE_TRIAL_TILED || scans ? t->threads : GPU_BLOCK;
    const double cutoff2 = params->cutoff * params->cutoff;
    const struct trial_args args = {lj_prepare(params, 0),
                                    t->count,
                                    t->box,
                                    t->capacity,
                                    (real)(1 / t->reach),
                                    (real)cutoff2,
                                    (real)(t->reach * t->reach),
                                    (real)(1 / cutoff2),
                                    (const real *)t->at,
                                    t->start,
                                    t->list,
                                    t->length,
                                    (real *)t->out};
    if (t->count == 0)
        return SLUICE_OK;
    const trial_kernel kernel = kernel_of(t);
    GPU_LAUNCH(kernel, scans ? (unsigned)t->count : gpu_blocks(t->count, threads), threads,
               t->kind == SLUICE_TRIAL_TILED ? (size_t)threads * sizeof(struct real4) : 0,
               gpu->stream, args);
    GPU_LAUNCHED("bench");
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
