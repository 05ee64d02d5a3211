/* The drift, behind half a kick, compensated, by blocks: docs/theory.md, "The time step".
 * integrate.cu has it alone, pointwise.cu in front of the prediction. Compile without fast math.
 *
 * One thread a particle. Arrays [n][dim] are walked flat by the block, element by element, and meet
 * their particle in shared memory: every byte is moved once. All that a thread reads it reads
 * before it writes, so that the reads are under way together. */
#ifndef SLUICE_KERNELS_GPU_DRIFT_H
#define SLUICE_KERNELS_GPU_DRIFT_H
#include "kernels/gpu/kick.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

struct drift_args {
    real *position, *low;
    const real *velocity;
    uint32_t *frame;
    const int32_t (*neighbour)[27]; /* of the table of frames */
    uint32_t *wanted;
    const int32_t (*index)[3];
    int32_t seam_low, seam_high; /* frames in x whose border particles stay behind */
    real dt, half[3];            /* half of a frame's width */
    uint32_t *clear; /* [clear_count] for the sort that follows: here it costs no launch */
    int64_t clear_count;
};

static __device__ void want_frame(uint32_t *wanted, int32_t slot)
{
    if (slot >= 0 && GPU_LOAD_SAME(&wanted[slot]) == 0)
        GPU_STORE_SAME(&wanted[slot], 1u);
}

/* The frame of a particle, and those that it may soon be in: whose border is nearer than an eighth
 * of the width. */
template <int dim>
static __device__ void want_frames(const struct drift_args &args, uint32_t slot, const real *x)
{
    int step[3] = {0, 0, 0};
    const int stride[3] = {1, 3, 9};
    for (int c = 0; c < dim; c++) {
        const real near = args.half[c] * (real)0.75;
        step[c] = x[c] >= near ? stride[c] : x[c] < -near ? -stride[c] : 0;
    }
    want_frame(args.wanted, (int32_t)slot);
    for (int axes = 1; axes < 1 << dim; axes++) {
        int k = 13, all = 1;
        for (int c = 0; c < dim; c++)
            if (axes >> c & 1) {
                all &= step[c] != 0;
                k += step[c];
            }
        if (all)
            want_frame(args.wanted, args.neighbour[slot][k]);
    }
}

/* Puts a particle back into a frame: offsets lie in [-width/2, width/2). The subtraction is exact.
 * While the order of the last sort is kept, no particle passes the seam of a periodic x: others
 * look for it on the side where it was sorted. */
template <int dim>
static __device__ uint32_t reframe(const struct drift_args &args, uint32_t slot, real *x)
{
    const int stride[3] = {1, 3, 9};
    int k = 13; /* the frame itself among its neighbours */
    real moved[3] = {0, 0, 0};
    for (int c = 0; c < dim; c++) {
        int side = x[c] >= args.half[c] ? 1 : x[c] < -args.half[c] ? -1 : 0;
        if (c == 0 && side != 0 &&
            args.index[slot][0] == (side < 0 ? args.seam_low : args.seam_high))
            side = 0;
        moved[c] = x[c] - (real)side * (2 * args.half[c]);
        k += side * stride[c];
    }
    const int32_t other = k == 13 ? -1 : args.neighbour[slot][k];
    if (other < 0)
        return slot;
    for (int c = 0; c < dim; c++)
        x[c] = moved[c];
    return (uint32_t)other;
}

/* A particle as it is read. */
struct drift_particle {
    struct four_reals p;
    uint32_t slot;
    struct kick_element density;
};

template <int dim>
static __device__ __forceinline__ void read_particle(const struct kick_args &kick,
                                                     const struct drift_args &drift, int64_t i,
                                                     struct drift_particle *of)
{
    const real *position = drift.position + (dim + 1) * i;
    if (dim == 3)
        of->p = *(const struct four_reals *)position;
    for (int c = 0; dim == 2 && c < dim; c++)
        of->p.x[c] = position[c];
    of->slot = drift.frame[i];
    if (kicks(kick.density))
        read_element(kick.density, i, &of->density);
}

/* Moves particle i; v and low are its own, in shared memory. */
template <int dim>
static __device__ __forceinline__ void
move_particle(const struct kick_args &kick, const struct drift_args &drift, int64_t i,
              struct drift_particle *of, const real *v, real *low)
{
    real *position = drift.position + (dim + 1) * i;
    if (kicks(kick.density)) {
        compensated_add(&of->density.value, &of->density.low, kick.half * of->density.rate);
        write_element(kick.density, i, of->density);
    }
    for (int c = 0; c < dim; c++) {
        compensated_add(&of->p.x[c], &low[c], drift.dt * v[c]);
        /* More than a frame in a step, or no number: the run has blown up. The reduction finds it
         * by what was lost; until the host knows, there must be bins where particles are. */
        if (!(REAL_FABS(of->p.x[c]) < 3 * drift.half[c])) {
            of->p.x[c] = 0;
            low[c] = (real)NAN;
        }
    }
    const uint32_t slot = reframe<dim>(drift, of->slot, of->p.x);
    want_frames<dim>(drift, slot, of->p.x);
    if (slot != of->slot)
        drift.frame[i] = slot;
    if (dim == 3)
        *(struct four_reals *)position = of->p;
    for (int c = 0; dim == 2 && c < dim; c++)
        position[c] = of->p.x[c];
}

/* The particles of a block. Behind a barrier, what is left in memory is there for all of it. */
template <int dim>
static __device__ __forceinline__ void drift_block(const struct kick_args &kick,
                                                   const struct drift_args &drift)
{
    GPU_SHARED(real, v_of, [dim * GPU_BLOCK]);
    GPU_SHARED(real, low_of, [dim * GPU_BLOCK]);
    const int64_t alive = alive_of(kick), first = (int64_t)blockIdx.x * GPU_BLOCK;
    const int t = (int)threadIdx.x;
    struct kick_element v[dim];
    struct drift_particle particle;
    for (int64_t k = first + t; k < drift.clear_count; k += (int64_t)gridDim.x * GPU_BLOCK)
        drift.clear[k] = 0;
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const int n = c * GPU_BLOCK + t;
        if (dim * first + n >= dim * alive)
            continue;
        if (kicks(kick.velocity))
            read_element(kick.velocity, dim * first + n, &v[c]);
        else
            v[c].value = drift.velocity[dim * first + n];
        low_of[n] = drift.low[dim * first + n];
    }
    if (first + t < alive)
        read_particle<dim>(kick, drift, first + t, &particle);
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const int n = c * GPU_BLOCK + t;
        if (dim * first + n >= dim * alive)
            continue;
        if (kicks(kick.velocity)) {
            compensated_add(&v[c].value, &v[c].low, kick.half * v[c].rate);
            write_element(kick.velocity, dim * first + n, v[c]);
        }
        v_of[n] = v[c].value;
    }
    __syncthreads();
    if (first + t < alive)
        move_particle<dim>(kick, drift, first + t, &particle, v_of + dim * t, low_of + dim * t);
    __syncthreads();
#pragma unroll
    for (int n = t; n < dim * GPU_BLOCK; n += GPU_BLOCK)
        if (dim * first + n < dim * alive)
            drift.low[dim * first + n] = low_of[n];
}

/* What the drift of a set takes; where a sort follows it clears that set's table. */
static inline struct drift_args drift_args_of(struct gpu_backend *gpu, const struct sluice_grid *g,
                                              const struct sluice_set *set, double dt)
{
    struct drift_args drift = {(real *)set->field[SLUICE_FIELD_POSITION],
                               (real *)set->field[SLUICE_FIELD_POSITION_LOW],
                               (const real *)set->field[SLUICE_FIELD_VELOCITY],
                               (uint32_t *)set->field[SLUICE_FIELD_FRAME],
                               (const int32_t(*)[27])gpu->frames.neighbour,
                               gpu->frames.wanted,
                               (const int32_t(*)[3])gpu->frames.index,
                               INT32_MIN,
                               INT32_MIN,
                               (real)dt,
                               {0, 0, 0},
                               NULL,
                               0};
    struct gpu_bins *bins = bins_of(set);
    for (int c = 0; c < 3; c++)
        drift.half[c] = (real)g->width[c] / 2;
    if (gpu->drifted > 0 && g->periodic[0]) {
        drift.seam_low = g->first[0];
        drift.seam_high = g->first[0] + g->wrap[0] - 1;
    }
    if (bins && bins->start && gpu->drifted <= 0) {
        drift.clear = bins->start;
        drift.clear_count = (int64_t)bins->bin_count + 2;
        bins->cleared = 1;
    }
    return drift;
}

} /* namespace GPU_PRECISION */
} /* namespace SLUICE_GPU */
#endif
