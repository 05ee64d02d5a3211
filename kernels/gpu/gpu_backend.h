/* The GPU backend's own data and the functions of its files. There is one source: the .cu files are
 * compiled as CUDA, as HIP, or for the emulator, in namespace sluice_cuda, sluice_hip or
 * sluice_emulated. Code that depends on the precision is compiled twice, in namespace f32 and f64
 * (variant.h).
 *
 *   host/      compiled once: the device, memory, copies, frames, results
 *   step/      the operations of a step: sort, kick, drift, pointwise operations, reduction
 *   window/    the window strategy
 *   bucket/    the bucket strategy: a tree
 *   cells/     the strategies of cells
 *   tiled.cu   all pairs
 *   emulator/  a GPU on the CPU, for tests
 *
 * All kernels of a step go to one stream, in order. A step allocates nothing and waits for nothing,
 * except in sync and when the table of frames must change. */
#ifndef SLUICE_KERNELS_GPU_GPU_BACKEND_H
#define SLUICE_KERNELS_GPU_GPU_BACKEND_H
#include <pthread.h>

#include "kernels/gpu/bins.h"
#include "kernels/gpu/c_headers.h"

namespace SLUICE_GPU
{

enum { GPU_BLOCK = 256 };

struct gpu_counts {
    uint32_t alive[SLUICE_TYPE_COUNT]; /* particles left in each set after bin() */
    uint32_t new_frames;               /* 1: particles are in or near a frame that has no bins */
};

/* The numbers of a pass: its sums, and the terms out of range. Those of a reduction: its sums, and
 * the particles that are not finite. */
enum { GPU_PASS_NUMBERS = SLUICE_SUM_COUNT + 1, GPU_SUMMARY_NUMBERS = SUMMARY_SUMS + 1 };

enum { GPU_COLLECT_BLOCKS = 64 };

/* The results of a step, in pinned host memory. Behind it: [backend->passes][GPU_PASS_NUMBERS]. */
struct gpu_results {
    exact_total summary[SLUICE_TYPE_COUNT][GPU_SUMMARY_NUMBERS];
    double extreme[SLUICE_TYPE_COUNT][7]; /* enum gpu_extreme */
    struct gpu_counts counts;
    uint32_t there[GPU_COLLECT_BLOCKS]; /* for each block of the kernel that writes results: the
                                           last post whose part it has written */
};

static inline __host__ __device__ exact_total *gpu_pass_results(struct gpu_results *results,
                                                                int pass)
{
    return (exact_total *)(results + 1) + pass * GPU_PASS_NUMBERS;
}

/* Steps may be queued ahead; sync uses one batch more. */
enum { GPU_BATCHES = SLUICE_IN_FLIGHT + 1, GPU_MARKS = 64 };

/* The times at which sections of a step began. */
struct gpu_marks {
    gpuEvent_t at[GPU_MARKS]; /* created when first used, then kept */
    int section[GPU_MARKS], count, made;
};

/* The work queued between two posts: where its results go. */
struct gpu_queue {
    struct sluice_pass **pass; /* [backend->passes] */
    int pass_count;
    struct sluice_reduce *reduce[SLUICE_TYPE_COUNT];
    struct sluice_particle_list *gone; /* NULL: no bin() is queued, or its list is complete */
    struct gpu_marks marks;
};

/* Work that was posted. */
struct gpu_batch {
    struct gpu_queue queue;
    struct gpu_results *results; /* pinned */
    uint32_t number;             /* of the post, 1 or more */
    int blocks;                  /* of the kernel that writes the results */
    int completed;               /* the device has done it, and what has gone is listed */
};

/* The particles that have gone in a step, listed before its end: gone.cu. */
struct gpu_gone_list { /* in pinned memory */
    int64_t alive;
    struct sluice_listed_particle particle[1]; /* [capacity] */
};
struct gpu_gone {
    struct gpu_gone_list *list;
    int64_t capacity, most; /* the most that have gone in a step */
    gpuEvent_t done;
    int queued; /* 1: the last bin() fills the list */
};

/* Copies between the device and pageable host memory, through two pinned buffers (copy.cu). */
struct gpu_copy {
    pthread_mutex_t lock;        /* one copy at a time */
    struct sluice_threads *team; /* host threads that copy */
    gpuStream_t stream;
    gpuEvent_t queued, done[2];
    char *piece[2];
};

/* Sums of labels that the host reads after a wait: label_rounds.cu. */
struct gpu_later_sums {
    gpuEvent_t summed, copied;
    struct gpu_scratch copy; /* pinned host memory */
    int under_way;
};

/* A deferred kick or drift: deferred.cu. */
struct gpu_later {
    struct sluice_set *set; /* NULL: none */
    const struct sluice_grid *grid;
    double dt;
};

struct gpu_backend {
    struct sluice_backend *backend; /* whose data this is */
    struct gpu_ranks *ranks;        /* ranks.h; NULL: this program is alone */
    const struct gpu_variant *variant;
    const char *strategy; /* of the last pass, for messages */
    int device;
    gpuStream_t stream;
    struct gpu_copy copy;
    char description[256]; /* the device, for the log */
    int multiprocessors, warp;
    size_t shared_most; /* bytes of shared memory that a block can have */

    struct sluice_grid *grid; /* of the last bin(), borrowed */
    struct gpu_frames frames; /* copy of the grid's table in device memory */
    int64_t uploads;          /* uploads so far: an upload makes records out of date */
    int64_t births;           /* of these, those of newcomers: of the fluid alone */
    int bins_made;            /* bin() calls since the frames were laid out */
    double drifted;           /* as in struct sluice_backend */
    int marks_hold; /* 1: frames->wanted is valid: it was written since the frames were laid out */
    int clears_marks; /* the type of the set whose sort first clears counts->new_frames; -1: none */
    struct gpu_counts *counts;        /* device memory */
    struct gpu_results *results_host; /* results of the batch last waited for */
    struct gpu_batch batch[GPU_BATCHES];
    int posted[GPU_BATCHES], posted_count;     /* batches not yet waited for, in order */
    uint32_t posts;                            /* so far */
    int waited;                                /* the batch last waited for; -1: none */
    struct gpu_queue queue;                    /* since the last post: the next batch */
    struct sluice_pass **pass_lists;           /* of all batches and the queue */
    struct sluice_set *set[SLUICE_TYPE_COUNT]; /* the sets of the last bin() */
    struct gpu_later kick[SLUICE_TYPE_COUNT], drift;
    struct gpu_totals *totals; /* totals.h, device memory */
    struct gpu_scratch scan;
    struct gpu_scratch wanted; /* fetch.cu */
    struct gpu_scratch labels; /* label_rounds.cu */
    struct gpu_later_sums later_sums;
    struct gpu_scratch born;         /* births.cu: pinned host memory */
    struct gpu_scratch list_scratch; /* births.cu, gone.cu: their lists on the device */
    struct gpu_gone gone;
    struct gpu_scratch asked; /* sluice_pass.asked */
    int label_rounds;         /* that the last ones took */
    /* window/adaptive.cu: tables of supports, one a source; lists of targets, one a launch */
    struct gpu_scratch supports[SLUICE_PASS_SOURCES], again[2];
    struct {
        const struct sluice_set *target;
        int early;      /* 1: it did not wait for the launch before it */
        int64_t queued; /* gpu_queued_so_far() after its launch */
    } window;           /* the last pass of window.cu */
};

/* device.cu: the operations `device`, `open` and `close` of backend.h. */
int gpu_lists_device(int number, char *text, size_t size);
sluice_status gpu_open(struct sluice_backend *b, int device, int threads, int real_bytes);
void gpu_close(struct sluice_backend *b);

/* backend.cu. Zeroed device memory, 256-byte aligned. On an error *out is NULL. */
sluice_status gpu_allocate(struct gpu_backend *gpu, size_t bytes, void **out);
/* Follows an allocation: backend->free_least. */
void gpu_note_free(struct gpu_backend *gpu);
void gpu_release(struct gpu_backend *gpu, void *memory);
/* gpu_allocate for an array of `count` elements. */
template <class T> sluice_status gpu_allocate_array(struct gpu_backend *gpu, int64_t count, T **out)
{
    return gpu_allocate(gpu, (size_t)count * sizeof **out, (void **)out);
}

/* An array of n elements in host memory, freed at the end of its scope. `at` is NULL only if memory
 * is short. */
template <class T> struct gpu_host_array {
    T *const at;
    gpu_host_array(const gpu_host_array &) = delete;
    explicit gpu_host_array(size_t n) : at((T *)malloc((n + 1) * sizeof(T)))
    {
    }
    ~gpu_host_array()
    {
        free(at);
    }
};
/* An array in device memory, freed at the end of its scope; gpu_allocate_array allocates it. */
template <class T> struct gpu_device_array {
    T *at = NULL;
    gpu_device_array() = default;
    gpu_device_array(const gpu_device_array &) = delete;
    ~gpu_device_array()
    {
        if (at)
            gpuFree(at);
    }
};
/* Takes 1/GPU_SPARE_PART more, so that slow growth is seldom seen; small memory a quarter. */
enum { GPU_SPARE_PART = 32 };
sluice_status gpu_scratch_reserve(struct gpu_backend *gpu, struct gpu_scratch *work, size_t bytes);

/* copy.cu. Copies run after all work queued before and before what is queued later. A download is
 * done when the call returns, and with ranks an upload. The host's memory is free again. */
sluice_status gpu_upload(struct gpu_backend *gpu, void *to, const void *from_host, size_t bytes);
/* An upload to memory that belongs to no set: no record gets out of date. */
sluice_status gpu_send(struct gpu_backend *gpu, void *to, const void *from_host, size_t bytes);
sluice_status gpu_download(struct gpu_backend *gpu, void *to_host, const void *from, size_t bytes);
sluice_status gpu_copy_create(struct gpu_copy *copy);
void gpu_copy_destroy(struct gpu_copy *copy);

/* error.cu. Fails with SLUICE_DEVICE and says what was done, what the error means and what to do;
 * if memory is short, how much is needed and free. */
sluice_status gpu_check(gpuError_t error, const char *what);
sluice_status gpu_check_memory(gpuError_t error, size_t bytes, const char *what);
/* The number of devices; if 0, text says why. */
int gpu_count_devices(char *text, size_t size);
/* Records the name of the last launch, for errors that show later; `what` is not copied. */
void gpu_queued(const char *what);
/* The number of launches that this thread has queued. */
int64_t gpu_queued_so_far(void);
/* Follows a launch: fails with SLUICE_DEVICE and the kernel's name if it could not start. The name
 * is not copied. */
#define GPU_LAUNCHED(kernel) SLUICE_TRY(gpu_launched(kernel))
sluice_status gpu_launched(const char *kernel);

/* scan.cu. inout[i] becomes inout[0] + ... + inout[i - 1], modulo 2^32. The library's work space is
 * gpu->scan: the first scan of a length may allocate. */
sluice_status gpu_scan_exclusive(struct gpu_backend *gpu, uint32_t *inout, int64_t n);
/* Sorts pairs by the lowest bits of their keys; equal keys keep their order. Both arrays may be
 * swapped with their second ones: *last is 1 if the result is there. Work space as for a scan. */
sluice_status gpu_sort_pairs(struct gpu_backend *gpu, uint64_t *const key[2],
                             uint32_t *const value[2], int64_t n, int bits, int *last);

/* Queues `kernel` with one thread for each of n elements, in blocks of GPU_BLOCK. */
#define GPU_LAUNCH_EACH(gpu, name, kernel, n, ...)                                                 \
    do {                                                                                           \
        GPU_LAUNCH(kernel, gpu_blocks((n), GPU_BLOCK), GPU_BLOCK, 0, (gpu)->stream, __VA_ARGS__);  \
        GPU_LAUNCHED(name);                                                                        \
    } while (0)

static inline unsigned gpu_blocks(int64_t n, int threads)
{
    return (unsigned)((n + threads - 1) / threads);
}

/* Queues the clearing of device memory. */
static inline sluice_status gpu_clear(struct gpu_backend *gpu, void *memory, size_t bytes)
{
    return gpu_check(gpuMemsetAsync(memory, 0, bytes, gpu->stream), "clearing device memory");
}

/* results.cu: the backend's operations of these names. */
sluice_status gpu_results_create(struct gpu_backend *gpu);
void gpu_results_destroy(struct gpu_backend *gpu);
sluice_status gpu_post(struct gpu_backend *gpu, int slot);
sluice_status gpu_wait(struct gpu_backend *gpu, int slot, int *early);
sluice_status gpu_sync(struct gpu_backend *gpu);
/* Waits for all posted batches, so that the numbers of particles are known. Fills no sums. */
sluice_status gpu_complete_posted(struct gpu_backend *gpu);
void gpu_mark(struct gpu_backend *gpu, int section);
sluice_status gpu_elapsed(struct gpu_backend *gpu, double seconds[SLUICE_SECTION_COUNT]);

/* label_rounds.cu: the operation `sum_labels` of backend.h. */
sluice_status gpu_sum_labels(struct gpu_backend *gpu, const struct sluice_grid *g,
                             struct sluice_label_sums *s);
/* Waits for the sums that are under way, if there are any. */
sluice_status gpu_finish_sums(struct gpu_backend *gpu);
void gpu_sums_destroy(struct gpu_backend *gpu);

/* deferred.cu. gpu_settle queues what was deferred. Call it before any operation that touches
 * particles; the others here are operations of the backend and call it themselves. */
sluice_status gpu_settle(struct gpu_backend *gpu);
sluice_status gpu_kick_later(struct gpu_backend *gpu, struct sluice_set *set, double dt);
sluice_status gpu_reduce(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_reduce *r);
sluice_status gpu_drift_later(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_set *set, double dt);
sluice_status gpu_pointwise(struct gpu_backend *gpu, const struct sluice_grid *g,
                            const struct sluice_point *point);

/* ranks.cu. The step's stream waits for messages of other ranks that still travel. Part of
 * gpu_settle; needed before any other work with the particles. */
sluice_status gpu_join(struct gpu_backend *gpu);
/* The targets of a pass, in one launch, or on several ranks in two: those at the edge, whose
 * results travel while the inner ones, which need no other rank, are computed. Call it when all
 * else that the launches need is queued. *launches: how many there are, 1 or 2. */
struct gpu_targets {
    const uint32_t *list, *count; /* in device memory; list NULL: all of the set */
    int64_t most;                 /* at most so many */
    gpuStream_t stream;
};
sluice_status gpu_divide_targets(struct gpu_backend *gpu, const struct sluice_set *set,
                                 struct gpu_targets targets[2], int *launches);

/* frames.cu. Sorts the sets that move; all sets the first time, and when the table of frames
 * changes. */
sluice_status gpu_bin(struct gpu_backend *gpu, struct sluice_grid *g,
                      struct sluice_set *const *sets, int n,
                      const struct sluice_particle_list *born);
/* Gives the particles of the sets new slots: new_slot[old slot], [count]. */
sluice_status gpu_renumber_sets(struct gpu_backend *gpu, struct sluice_set *const *sets, int n,
                                const int32_t *new_slot, int count);
/* births.cu. Puts those that this rank needs behind the last particle of the fluid. *new_frames
 * becomes 1 if they are in frames without bins. */
sluice_status gpu_take_births(struct gpu_backend *gpu, struct sluice_grid *g,
                              struct sluice_set *const *sets, int n,
                              const struct sluice_particle_list *born, int *new_frames);
/* share.cu. Makes a set large enough for n particles. One that is too small gets memory for half as
 * many more if there is any. */
sluice_status gpu_set_grow(struct gpu_backend *gpu, struct sluice_set *set, int64_t n);
/* read_order.cu, frames.cu: the backend's operations order and bin_as. */
sluice_status gpu_order(struct gpu_backend *gpu, const struct sluice_grid *g,
                        const struct sluice_set *set, struct sluice_sorted *bin);
sluice_status gpu_bin_as(struct gpu_backend *gpu, struct sluice_grid *g,
                         struct sluice_set *const *sets, int n,
                         struct sluice_sorted *const bin[SLUICE_TYPE_COUNT]);
/* gone.cu. After the sort: queues the list of the particles that have gone, where it can be made
 * before the step's end. gpu_take_gone: for `wait`; whether the list is complete. gpu_list_gone:
 * when the results of a batch are in results_host, lists what has gone. The last two lower the
 * counts. */
sluice_status gpu_queue_gone(struct gpu_backend *gpu, const struct sluice_set *fluid);
int gpu_take_gone(struct gpu_backend *gpu, int slot);
sluice_status gpu_list_gone(struct gpu_backend *gpu, struct gpu_batch *batch);
void gpu_gone_destroy(struct gpu_backend *gpu);
/* Downloads the wanted fields of particles `first` and later of fetch->set; the caller frees them
 * with sluice_fetch_destroy. */
sluice_status gpu_download_fields(struct gpu_backend *gpu, struct sluice_fetch *fetch,
                                  int64_t first);
/* The device copy of the table of frames. */
sluice_status gpu_mirror_frames(struct gpu_backend *gpu, const struct sluice_grid *g);
void gpu_frames_destroy(struct gpu_backend *gpu);

/* bin_layout.cu. Lays out the bins of a set with count[slot] particles in each frame. Frames with
 * wanted[slot] get bins even if they are empty. */
sluice_status gpu_lay_out(struct gpu_backend *gpu, const struct sluice_grid *g,
                          struct sluice_set *set, const uint32_t *count, const uint32_t *wanted);
int64_t gpu_needs(const struct gpu_backend *gpu, const struct sluice_grid *g,
                  const struct sluice_set *set, const uint32_t *count);
/* rank_memory.cu. The additional memory of one of several ranks: an estimate, and the bytes
 * taken. */
int64_t gpu_rank_needs(const struct gpu_backend *gpu, const struct sluice_set *set,
                       const struct sluice_halo *halo);
int64_t gpu_rank_bytes(const struct gpu_backend *gpu);
void gpu_bins_destroy(struct sluice_bins **bins); /* NULL is allowed */

static inline struct gpu_backend *gpu_of(const struct sluice_backend *b)
{
    return (struct gpu_backend *)b->data;
}

/* The capacity, in frames, of a table of `count` frames. */
static inline int64_t gpu_frames_capacity(int count)
{
    return (int64_t)count + count / 4 + 64;
}

/* Arrays of near masks of a set that has any: a fluid has a second one for work. */
static inline int gpu_masks(const struct sluice_set *set)
{
    return set->moves == SLUICE_FREE ? 2 : 1;
}

/* Marks the position records of a set as out of date. */
static inline void gpu_unpack(const struct sluice_set *set)
{
    struct gpu_bins *bins = bins_of(set);
    if (!bins)
        return;
    if (bins->packed_as >= 0)
        bins->packed_before = bins->packed_as;
    bins->packed_as = -1;
}

} // namespace SLUICE_GPU
#endif
