/* The last level of the fold: one launch turns the numbers of all blocks of passes and
 * reductions into a batch's results. It writes them into pinned host memory, since a copy would
 * take longer. */
#include "kernels/gpu/fold.h"

namespace SLUICE_GPU
{

/* The numbers that a pass or a reduction left: number k of block b is at [k * blocks + b]. `parts`
 * blocks fold each number; those of number k begin with block first + k * parts. */
struct fold_input {
    const double *of_block;
    int64_t blocks;
    int parts, first, pass, type; /* pass: -1 for a reduction, of particles of that type */
};

struct fold_job {
    struct fold_input input[GPU_PASSES + SLUICE_TYPE_COUNT];
    int inputs;
    struct gpu_fold_parts *between;
    const struct gpu_counts *counts;
    struct gpu_results *results; /* pinned */
};

static __device__ void put_number(struct sluice_summary *s, int number, double v)
{
    int n = 0;
#define X(name, op)                                                                                \
    if (number == n++)                                                                             \
        s->name = (decltype(s->name + 0))v;
    SUMMARY_NUMBERS(X)
#undef X
    if (number == SUMMARY_COUNT - 1 && v == INFINITY)
        s->first_not_finite = -1;
}

/* A thread loads this many numbers before it folds them, so that the loads overlap. */
enum { FOLD_AT_ONCE = 16 };

/* A thread's share of the numbers: those of every parts-th stretch. As long as there are no more
 * stretches than GPU_FOLD_PARTS, each part has one. The result then does not depend on the number
 * of blocks behind those with particles, which differs while the host does not know how many
 * particles have left. */
static __device__ double fold_stretch(enum fold_op op, const double *of_block, int64_t blocks,
                                      int part, int parts)
{
    double v = fold_nothing(op);
    for (int64_t begin = (int64_t)part * GPU_FOLD_PART; begin < blocks;
         begin += (int64_t)parts * GPU_FOLD_PART) {
        const int64_t left = blocks - begin, end = left < GPU_FOLD_PART ? left : GPU_FOLD_PART;
        double some[FOLD_AT_ONCE];
#pragma unroll
        for (int n = 0; n < FOLD_AT_ONCE; n++) {
            const int b = n * GPU_FOLD_BLOCK + (int)threadIdx.x;
            some[n] = b < end ? of_block[begin + b] : fold_nothing(op);
        }
#pragma unroll
        for (int n = 0; n < FOLD_AT_ONCE; n++)
            v = fold_two(op, v, some[n]);
    }
    return v;
}

/* The block's value. All threads call it; the first one uses the result. */
static __device__ double fold_block(enum fold_op op, double v, double *part)
{
    fold_lanes(op, v, part);
    __syncthreads();
    return fold_warps(op, part);
}

/* The last block of a number to end folds the parts of all its blocks, in their order. */
__global__ void __launch_bounds__(GPU_FOLD_BLOCK) fold_kernel(const struct fold_job job)
{
    gpu_begin();
    GPU_SHARED(double, part, [GPU_FOLD_BLOCK / 32]);
    GPU_SHARED(int, is_last);
    const int block = (int)blockIdx.x;
    const struct fold_input *from = &job.input[0];
    for (int n = 1; n < job.inputs && block >= job.input[n].first; n++)
        from = &job.input[n];
    const int parts = from->parts, k = (block - from->first) / parts,
              number = from->first + k * parts;
    const enum fold_op op = from->pass >= 0 ? FOLD_SUM : fold_of_number(k);
    double v = fold_stretch(op, from->of_block + k * from->blocks, from->blocks, block - number,
                            parts);
    v = fold_block(op, v, part);
    if (parts > 1) {
        if (threadIdx.x == 0) {
            job.between->part[block] = v;
            is_last = gpu_draw(&job.between->done[number]) == (uint32_t)parts - 1;
        }
        __syncthreads();
        if (!is_last)
            return;
        v = (int)threadIdx.x < parts ? job.between->part[number + threadIdx.x] : fold_nothing(op);
        v = fold_block(op, v, part);
    }
    if (threadIdx.x != 0)
        return;
    if (parts > 1)
        job.between->done[number] = 0; /* for the next launch */
    if (number == 0)
        job.results->counts = *job.counts;
    if (from->pass >= 0)
        job.results->sum[from->pass][k] = v;
    else
        put_number(&job.results->summary[from->type], k, v);
}

/* Adds an input to the job; returns the number of blocks so far. */
static int add_input(struct fold_job *job, int first, const struct gpu_scratch *work,
                     int64_t blocks, int pass, int type)
{
    const int64_t parts = (blocks + GPU_FOLD_PART - 1) / GPU_FOLD_PART;
    const int used = parts < 1 ? 1 : parts < GPU_FOLD_PARTS ? (int)parts : (int)GPU_FOLD_PARTS;
    job->input[job->inputs++] = {(const double *)work->memory, blocks, used, first, pass, type};
    return first + used * (pass >= 0 ? (int)SLUICE_SUM_COUNT : (int)SUMMARY_COUNT);
}

sluice_status gpu_fold(struct gpu_backend *gpu, struct gpu_results *results)
{
    struct fold_job job = {};
    int blocks = 0;
    for (int k = 0; k < gpu->queue.pass_count; k++)
        blocks = add_input(&job, blocks, &gpu->sums[k], gpu->sum_blocks[k], k, -1);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        blocks = add_input(&job, blocks, &gpu->partial[t],
                           gpu->queue.reduce[t] ? gpu->partial_blocks[t] : 0, -1, t);
    job.between = gpu->between;
    job.counts = gpu->counts;
    job.results = results;
    GPU_LAUNCH(fold_kernel, (unsigned)blocks, GPU_FOLD_BLOCK, 0, gpu->stream, job);
    GPU_LAUNCHED("fold");
    return SLUICE_OK;
}

int gpu_pass_place(struct gpu_backend *gpu, struct sluice_pass *pass)
{
    struct gpu_queue *queue = &gpu->queue;
    for (int k = 0; k < queue->pass_count; k++)
        if (queue->pass[k] == pass)
            return k;
    if (queue->pass_count == GPU_PASSES)
        return -1;
    queue->pass[queue->pass_count] = pass;
    return queue->pass_count++;
}

} // namespace SLUICE_GPU
