/* The questions of a rank about its particles at a sort: ranks.h. */
#include "kernels/gpu/ranks.h"
/* after ranks.h */
#include "kernels/gpu/place_records.h"
#include "kernels/gpu/step/sort_grid.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* A particle at a sort. */
struct asked {
    struct sort_grid grid;
    struct gpu_set set;
    struct gpu_frames frames;
};

/* m from the centre of frame 0: the same number here and on the host, sluice_domain_place. */
static __device__ void find_place(const struct asked &a, int64_t i, uint32_t slot, double x[3])
{
    for (int c = 0; c < 3; c++)
        x[c] = c < a.grid.dim ? a.frames.index[slot][c] * a.grid.width[c] +
                                    (double)VIEW(&a.set.v, POSITION, i, a.grid.dim + 1, c)
                              : 0;
}

static __device__ int answer(const struct gpu_question_args &q, const struct asked &a, int64_t i)
{
    const uint32_t slot = ((const uint32_t *)a.set.v.field[SLUICE_FIELD_FRAME])[i];
    const int was_halo = !is_own(a.set, i);
    double x[3];
    if (q.what == GPU_IS_AT_BORDER && (was_halo || q.frame_inner[slot]))
        return was_halo;
    find_place(a, i, slot, x);
    if (q.what == GPU_IS_AT_BORDER)
        return !sluice_regions_is_inner(&q.regions, x);
    const int owner = sluice_regions_owner(&q.regions, x);
    if (q.what == GPU_IS_HALO_OF)
        return owner == q.rank;
    if (q.what == GPU_IS_OWN_FOR)
        return owner == q.self && !q.is_ghost && sluice_regions_is_near(&q.regions, q.rank, x);
    /* A particle that goes is sent to its owner alone. */
    const int retires = a.set.v.field[SLUICE_FIELD_RETIRES] &&
                        view_number(&a.set.v, SLUICE_FIELD_RETIRES, i),
              alone = q.is_ghost || retires ||
                      (q.leaves && a.frames.outside[slot] &&
                       left_domain(a.grid, a.frames.index[slot],
                                   &VIEW(&a.set.v, POSITION, i, a.grid.dim + 1, 0))),
              rank = q.what == GPU_IS_DROPPED ? q.self : q.rank,
              needs = owner == rank || (!alone && sluice_regions_is_near(&q.regions, rank, x));
    return q.what == GPU_IS_DROPPED ? was_halo || !needs : !was_halo && needs;
}

static __global__ void ask_kernel(const struct gpu_question_args q, const struct asked a)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k > q.n)
        return;
    uint32_t flag = 0;
    if (k < q.n && (!q.limit || k < *q.limit)) {
        const int64_t i = q.index ? q.index[k] : k;
        flag = i < alive_in(a.set) && answer(q, a, i);
    }
    q.flag[k] = flag;
}

/* As many bytes as a real has: gpu_shared.key. */
#ifdef SLUICE_DOUBLE
typedef uint64_t order_key;
#else
typedef uint32_t order_key;
#endif

static __global__ void key_kernel(const real *position, int width, int64_t n, order_key *key)
{
    gpu_begin();
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        key[i] = (order_key)ordinal(position[width * i]) ^ (order_key)1 << (8 * sizeof *key - 1);
}

static __global__ void refresh_kernel(const struct sluice_view v, const uint32_t *list, int64_t n,
                                      struct place_record *records)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        records[list[k]].packed = VIEW(&v, EOS, list[k], 2, 0);
}

sluice_status refresh_records(struct gpu_backend *gpu, struct sluice_set *set, const uint32_t *list,
                              int64_t n, gpuStream_t stream)
{
    if (!carries_eos(gpu, set)) {
        gpu_unpack(set);
    } else if (n > 0) {
        GPU_LAUNCH(refresh_kernel, gpu_blocks(n, GPU_BLOCK), GPU_BLOCK, 0, stream, view_of(set),
                   list, n, (struct place_record *)bins_of(set)->packed);
        GPU_LAUNCHED("refresh_records");
    }
    return SLUICE_OK;
}

sluice_status order_keys(struct gpu_backend *gpu, const struct sluice_set *set, void *key)
{
    if (set->count > 0)
        GPU_LAUNCH_EACH(gpu, "order_keys", key_kernel, set->count,
                        (const real *)set->field[SLUICE_FIELD_POSITION], set->dimension + 1,
                        set->count, (order_key *)key);
    return SLUICE_OK;
}

static __global__ void sample_kernel(const struct asked a, int64_t every, int64_t n, double *to)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        find_place(a, every * k, ((const uint32_t *)a.set.v.field[SLUICE_FIELD_FRAME])[every * k],
                   to + 3 * k);
}

sluice_status sample(struct gpu_backend *gpu, const struct sluice_grid *g,
                     const struct sluice_set *set, int64_t every, int64_t n, double *to)
{
    const struct asked a = {grid_of(g), set_of(gpu, set), gpu->frames};
    GPU_LAUNCH_EACH(gpu, "sample", sample_kernel, n, a, every, n, to);
    return SLUICE_OK;
}

sluice_status ask(struct gpu_backend *gpu, const struct sluice_grid *g,
                  const struct sluice_set *set, const struct gpu_question_args *q)
{
    const struct asked a = {grid_of(g), set_of(gpu, set), gpu->frames};
    GPU_LAUNCH_EACH(gpu, "ask", ask_kernel, q->n + 1, *q, a);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
