/* The GPU backend's own data and the functions of its files. One source: the .cu files here are
 * compiled as CUDA, as HIP, or emulated, in namespace sluice_cuda, sluice_hip or sluice_emulated;
 * what depends on the precision a second time in namespace f32 or f64 in it (leaf.h).
 *
 *   once_backend.cu   open, close, memory, copies, errors, marks, the table of operations
 *   once_results.cu   what comes back of a step, in one small copy
 *   once_fold.cu      its sums, from those of the blocks
 *   once_frames.cu    which frames have bins; the host's table of frames, mirrored
 *   bin.cu            bins, ranks, the order, reordering
 *   integrate.cu, pointwise.cu, reduce.cu, pack.cu
 *   window.cu, tiled.cu: the strategies
 *
 * All kernels of a step go to one stream, in order. Nothing is allocated and nothing waited for in
 * a step, but in sync, and where the table of frames must change. */
#ifndef SLUICE_KERNELS_GPU_BACKEND_H
#define SLUICE_KERNELS_GPU_BACKEND_H
#include "kernels/gpu/bins.h"
#include "kernels/gpu/host.h"

namespace SLUICE_GPU
{

/* Device memory that grows with need and is kept; what it held is lost when it grows. */
struct gpu_scratch {
    void *memory;
    size_t bytes;
};

enum { GPU_PASSES = 8, GPU_BLOCK = 256 };

/* What a step brings back, in device memory and, after sync, in pinned host memory. */
struct gpu_results {
    double sum[GPU_PASSES][SLUICE_SUM_COUNT];
    struct sluice_summary summary[SLUICE_TYPE_COUNT];
    uint32_t alive[SLUICE_TYPE_COUNT]; /* particles left in the set after bin() */
    uint32_t new_frames;               /* frames that hold or nearly hold particles, without bins */
};

struct gpu_backend {
    const struct gpu_leaf *leaf;
    int device;
    gpuStream_t stream;
    char description[256]; /* device, architecture: for the log */
    int multiprocessors, warp;
    size_t allocated; /* bytes in use by this backend */

    struct sluice_grid *grid; /* of the last bin(), borrowed */
    struct gpu_frames frames; /* mirror of the grid's table */
    int bins_made;            /* bin() calls since the frames were laid out */
    struct gpu_results *results, *results_host;
    struct sluice_pass
        *pass[GPU_PASSES]; /* queued since the last sync: their sums are to be filled */
    int pass_count;
    struct sluice_reduce *reduce[SLUICE_TYPE_COUNT];
    struct sluice_set *set[SLUICE_TYPE_COUNT]; /* last binned */
    /* What gpu_fold makes the results from: number k of block b at [k * blocks + b], doubles. */
    struct gpu_scratch sums[GPU_PASSES], partial[SLUICE_TYPE_COUNT];   /* of a pass; of reduce */
    int64_t sum_blocks[GPU_PASSES], partial_blocks[SLUICE_TYPE_COUNT]; /* 0: no sums, all zero */
    struct gpu_scratch scan;
    struct sluice_removed removed; /* what the last sync found to have left */
    int64_t removed_capacity;
};

/* once_backend.cu. Device memory, zeroed, 256-byte aligned; counted in gpu->allocated. */
sluice_status gpu_allocate(struct gpu_backend *gpu, size_t bytes, void **out);
void gpu_release(struct gpu_backend *gpu, void *memory);
/* Copies that are done when they return. */
sluice_status gpu_upload(struct gpu_backend *gpu, void *to, const void *from_host, size_t bytes);
sluice_status gpu_download(struct gpu_backend *gpu, void *to_host, const void *from, size_t bytes);
/* Errors name what was done, and where memory is short what is needed and there. */
sluice_status gpu_check(gpuError_t error, const char *what);
sluice_status gpu_scratch_reserve(struct gpu_backend *gpu, struct gpu_scratch *work, size_t bytes);
/* After a launch: SLUICE_DEVICE with the kernel's name if it could not start. */
#define GPU_LAUNCHED(name) SLUICE_TRY(gpu_check(gpuGetLastError(), "launch of " name))

/* once_frames.cu. Sorts what moves (all the first time, and where the table of frames changes). */
sluice_status gpu_bin(struct gpu_backend *gpu, struct sluice_grid *g,
                      struct sluice_set *const *sets, int n);
/* In sync, after the results have come: lists what left the domain (gpu->removed) and lowers the
 * counts. */
sluice_status gpu_list_removed(struct gpu_backend *gpu);
void gpu_bins_destroy(struct sluice_bins **bins); /* NULL is allowed */

static inline unsigned gpu_blocks(int64_t n, int threads)
{
    return (unsigned)((n + threads - 1) / threads);
}

} // namespace SLUICE_GPU
#endif
