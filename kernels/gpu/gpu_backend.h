/* The GPU backend's own data and the functions of its files. One source: the .cu files here are
 * compiled as CUDA, as HIP, or emulated, in namespace sluice_cuda, sluice_hip or sluice_emulated;
 * what depends on the precision a second time in namespace f32 or f64 in it (variant.h).
 *
 *   backend.cu   open, close, memory, the table of operations
 *   copy.cu      uploads and downloads
 *   error.cu     what the runtime's errors mean
 *   results.cu   what comes back of a step; the clock of its sections
 *   fold_results.cu      its sums, from those of the blocks
 *   deferred.cu     kicks and drifts that wait for what can do them in passing
 *   frames.cu    which frames have bins; the host's table of frames, mirrored
 *   bin_layout.cu    how many, and where; what that takes
 *   read_order.cu     where particles stood when they were sorted; reuse_order.cu: places since
 * then removed.cu   what left the domain list_boxes.cu     which cells hold particles, for
 * strategies that give a block one sort.cu            bins, ranks, the order, reordering near_masks.cu,
 * row_extents.cu   where a set's particles are, in outline: what windows need not look into
 *   integrate.cu, pointwise.cu, reduce.cu
 *   fetch.cu          some of the particles, for probes
 *   bench.cu, bench_loops.cu   operations for `sluice bench` alone
 *   and a file for each strategy of kernels/registry.h
 *
 * All kernels of a step go to one stream, in order. Nothing is allocated and nothing waited for in
 * a step, but in sync, and where the table of frames must change. */
#ifndef SLUICE_KERNELS_GPU_GPU_BACKEND_H
#define SLUICE_KERNELS_GPU_GPU_BACKEND_H
#include <pthread.h>

#include "kernels/gpu/bins.h"
#include "kernels/gpu/c_headers.h"

namespace SLUICE_GPU
{

enum { GPU_PASSES = 8, GPU_BLOCK = 256 };

struct gpu_counts {
    uint32_t alive[SLUICE_TYPE_COUNT]; /* particles left in the set after bin() */
    uint32_t new_frames;               /* frames that hold or nearly hold particles, without bins */
};

/* What a step brings back, in pinned host memory. */
struct gpu_results {
    double sum[GPU_PASSES][SLUICE_SUM_COUNT];
    struct sluice_summary summary[SLUICE_TYPE_COUNT];
    struct gpu_counts counts;
};

/* Steps may be queued ahead; one more batch for what sync ends. */
enum { GPU_BATCHES = SLUICE_IN_FLIGHT + 1, GPU_MARKS = 64 };

/* When sections began. */
struct gpu_marks {
    gpuEvent_t at[GPU_MARKS]; /* made when first used, kept */
    int section[GPU_MARKS], count, made;
};

/* What was queued between two posts: where its results go. */
struct gpu_batch {
    struct sluice_pass *pass[GPU_PASSES];
    int pass_count;
    struct sluice_reduce *reduce[SLUICE_TYPE_COUNT];
    struct sluice_removed *removed; /* NULL: no bin() in it */
    struct gpu_results *results;    /* pinned */
    gpuEvent_t done;
    struct gpu_marks marks;
};

/* Copies between the device and ordinary memory, through two pinned pieces (copy.cu). */
struct gpu_copy {
    pthread_mutex_t lock;        /* one copy at a time */
    struct sluice_threads *team; /* of the host, that copies */
    gpuStream_t stream;
    gpuEvent_t queued, done[2];
    char *piece[2];
};

/* A kick or drift that was asked for and waits: deferred.cu. */
struct gpu_later {
    struct sluice_set *set; /* NULL: none */
    const struct sluice_grid *grid;
    double dt;
};

struct gpu_backend {
    const struct gpu_variant *variant;
    int device;
    gpuStream_t stream;
    struct gpu_copy copy;
    char description[256]; /* device, architecture: for the log */
    int multiprocessors, warp;

    struct sluice_grid *grid;         /* of the last bin(), borrowed */
    struct gpu_frames frames;         /* mirror of the grid's table */
    int64_t uploads;                  /* so far: records packed before one may be out of date */
    int bins_made;                    /* bin() calls since the frames were laid out */
    double drifted;                   /* sluice_backend's */
    int marks_hold;                   /* frames were marked since they were laid out */
    int clears_marks;                 /* the type whose sort begins with counts->new_frames = 0 */
    struct gpu_counts *counts;        /* device memory */
    struct gpu_results *results_host; /* of the batch last waited for */
    struct gpu_batch batch[GPU_BATCHES];
    int posted[GPU_BATCHES], posted_count; /* and not waited for, in order */
    int waited;                            /* the batch last waited for; -1: none */
    /* Queued since the last post: their sums and summaries are to be filled. */
    struct sluice_pass *pass[GPU_PASSES];
    int pass_count;
    struct sluice_reduce *reduce[SLUICE_TYPE_COUNT];
    struct sluice_removed *removed;
    struct gpu_marks marks;
    struct sluice_set *set[SLUICE_TYPE_COUNT]; /* last binned */
    struct gpu_later kick[SLUICE_TYPE_COUNT], drift;
    /* What gpu_fold makes the results from: number k of block b at [k * blocks + b], doubles;
     * a pass's blocks are warps. */
    struct gpu_scratch sums[GPU_PASSES], partial[SLUICE_TYPE_COUNT];   /* of a pass; of reduce */
    int64_t sum_blocks[GPU_PASSES], partial_blocks[SLUICE_TYPE_COUNT]; /* 0: no sums, all zero */
    struct gpu_fold_parts *between;                                    /* fold.h; device memory */
    struct gpu_scratch scan;
    struct gpu_scratch box_counts; /* list_boxes.cu */
    struct gpu_scratch wanted;     /* fetch.cu */
    struct {
        const struct sluice_set *target;
        int early;      /* it did not wait for the launch before */
        int64_t queued; /* gpu_queued_so_far() behind it */
    } window;           /* the last pass of window.cu */
};

/* backend.cu. Device memory, zeroed, 256-byte aligned; counted in gpu->allocated. */
sluice_status gpu_allocate(struct gpu_backend *gpu, size_t bytes, void **out);
void gpu_release(struct gpu_backend *gpu, void *memory);
sluice_status gpu_scratch_reserve(struct gpu_backend *gpu, struct gpu_scratch *work, size_t bytes);

/* copy.cu. Copies of what was queued before, done when they return. */
sluice_status gpu_upload(struct gpu_backend *gpu, void *to, const void *from_host, size_t bytes);
/* An upload to memory that no set has: nothing that was packed is out of date. */
sluice_status gpu_send(struct gpu_backend *gpu, void *to, const void *from_host, size_t bytes);
sluice_status gpu_download(struct gpu_backend *gpu, void *to_host, const void *from, size_t bytes);
sluice_status gpu_copy_create(struct gpu_copy *copy);
void gpu_copy_destroy(struct gpu_copy *copy);

/* error.cu. SLUICE_DEVICE with what was done, what the error means, and what to do; where
 * memory is short, what is needed and there. */
sluice_status gpu_check(gpuError_t error, const char *what);
sluice_status gpu_check_memory(gpuError_t error, size_t bytes, const char *what);
/* How many devices there are; where none, text says why. */
int gpu_count_devices(char *text, size_t size);
/* What was queued last, for errors that come to light later; `what` is not copied. */
void gpu_queued(const char *what);
/* How many launches this thread has queued. */
int64_t gpu_queued_so_far(void);
/* After a launch: SLUICE_DEVICE with the kernel's name if it could not start. */
#define GPU_LAUNCHED(name)                                                                         \
    do {                                                                                           \
        gpu_queued(name);                                                                          \
        SLUICE_TRY(gpu_check(gpuGetLastError(), "launch of " name));                               \
    } while (0)

/* results.cu: the backend's operations of these names. */
sluice_status gpu_results_create(struct gpu_backend *gpu);
void gpu_results_destroy(struct gpu_backend *gpu);
sluice_status gpu_post(struct gpu_backend *gpu, int slot);
sluice_status gpu_wait(struct gpu_backend *gpu, int slot);
sluice_status gpu_sync(struct gpu_backend *gpu);
void gpu_mark(struct gpu_backend *gpu, int section);
sluice_status gpu_elapsed(struct gpu_backend *gpu, double seconds[SLUICE_SECTION_COUNT]);

/* deferred.cu. settle: queues what waits; in front of all that has to do with particles, but what
 * is here, the backend's operations. */
sluice_status gpu_settle(struct gpu_backend *gpu);
sluice_status gpu_kick_later(struct gpu_backend *gpu, struct sluice_set *set, double dt);
sluice_status gpu_reduce(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_reduce *r);
sluice_status gpu_drift_later(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_set *set, double dt);
sluice_status gpu_pointwise(struct gpu_backend *gpu, const struct sluice_grid *g,
                            const struct sluice_point *point);

/* frames.cu. Sorts what moves (all the first time, and where the table of frames changes). */
sluice_status gpu_bin(struct gpu_backend *gpu, struct sluice_grid *g,
                      struct sluice_set *const *sets, int n);
/* Particles whose order is brought to the host, or back, at once: so much memory more serves sets
 * of any size. Emulated few, so that small cases have several pieces. */
#ifdef SLUICE_EMULATED
enum { GPU_ORDER_AT_ONCE = 1000 };
#else
enum { GPU_ORDER_AT_ONCE = 1 << 22 };
#endif
/* read_order.cu: the backend's operations of these names. */
sluice_status gpu_order(struct gpu_backend *gpu, const struct sluice_grid *g,
                        const struct sluice_set *set, int32_t (*bin)[3]);
sluice_status gpu_bin_as(struct gpu_backend *gpu, struct sluice_grid *g,
                         struct sluice_set *const *sets, int n, const int32_t (*bin)[3]);
/* removed.cu. After a batch's results have come (results_host): lists what left the domain and
 * lowers the counts. */
sluice_status gpu_list_removed(struct gpu_backend *gpu, struct sluice_removed *removed);
void gpu_frames_destroy(struct gpu_backend *gpu); /* the mirror of the table of frames */

/* bin_layout.cu. The bins of a set, count[slot] particles in each frame; wanted[slot]: frames that
 * need bins though they may hold none. */
sluice_status gpu_lay_out(struct gpu_backend *gpu, const struct sluice_grid *g,
                          struct sluice_set *set, const uint32_t *count, const uint32_t *wanted);
int64_t gpu_needs(const struct gpu_backend *gpu, const struct sluice_grid *g,
                  const struct sluice_set *set, const uint32_t *count);
void gpu_bins_destroy(struct sluice_bins **bins); /* NULL is allowed */

static inline struct gpu_backend *gpu_of(const struct sluice_backend *b)
{
    return (struct gpu_backend *)b->data;
}

/* Of a table of so many frames: those there is room for. */
static inline int64_t gpu_frames_capacity(int count)
{
    return (int64_t)count + count / 4 + 64;
}

/* Masks of near_masks.h that a set has room for, where it has any. */
static inline int gpu_masks(const struct sluice_set *set)
{
    return set->moves ? 2 : 1;
}

/* What the window strategy has packed of a set is out of date. */
static inline void gpu_unpack(const struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    if (!bins)
        return;
    if (bins->packed_as >= 0)
        bins->packed_before = bins->packed_as;
    bins->packed_as = -1;
}

static inline unsigned gpu_blocks(int64_t n, int threads)
{
    return (unsigned)((n + threads - 1) / threads);
}

} // namespace SLUICE_GPU
#endif
