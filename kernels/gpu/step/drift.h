/* The drift after half a kick, compensated, block by block: docs/theory.md, "The time step".
 * integrate.cu uses it alone, pointwise.cu before the prediction. Compile without fast math.
 *
 * One thread for each particle. The block walks arrays [n][dim] as flat arrays, element by element,
 * and hands the elements to their particles through shared memory, so that each byte is moved once.
 * A thread reads everything before it writes anything, so that its loads overlap. */
#ifndef SLUICE_KERNELS_GPU_STEP_DRIFT_H
#define SLUICE_KERNELS_GPU_STEP_DRIFT_H
#include "kernels/gpu/step/kick.h"
#include "kernels/types/reframe.h"

namespace SLUICE_GPU::GPU_PRECISION
{

struct drift_args {
    real *position;
    real_low *low;
    const real *velocity;
    uint32_t *frame;
    const int32_t (*neighbour)[27]; /* of the table of frames */
    uint32_t *wanted;               /* [slot] set to 1 before a sort: the frame needs bins */
    const int32_t (*index)[3];
    int32_t seam_low, seam_high; /* frames at the seam in x: their particles do not cross it */
    real dt, half[3];            /* half a frame's width */
    uint32_t *clear; /* [clear_count] the sort's counters: clearing them here saves a launch */
    int64_t clear_count;
};

static __device__ void want_frame(uint32_t *wanted, int32_t slot)
{
    if (slot >= 0 && GPU_LOAD_SAME(&wanted[slot]) == 0)
        GPU_STORE_SAME(&wanted[slot], 1u);
}

/* Marks the particle's frame, and the neighbours whose border is nearer than an eighth of the
 * width. */
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

/* Moves a particle into the frame that it is in. While the order of the last sort is kept, no
 * particle crosses the seam of a periodic x, since neighbours look for it on the side where it was
 * sorted. */
template <int dim>
static __device__ void cross_border(const struct drift_args &args, uint32_t *slot, real *x,
                                    real *low)
{
    int side[3] = {0, 0, 0};
    for (int c = 0; c < dim; c++)
        side[c] = frame_side(x[c], args.half[c]);
    if (side[0] != 0 && args.index[*slot][0] == (side[0] < 0 ? args.seam_low : args.seam_high))
        side[0] = 0;
    reframe(args.neighbour, slot, side, args.half, x, low, dim);
}

/* Slow path: the particle is at a frame's border, or not finite. If it moved more than a frame in a
 * step or is no number, the run has blown up: a mark in place of its low part stays and tells the
 * reduction. Until the host knows, the particle must be in a frame with bins. */
template <int dim>
static __device__ uint32_t leave_frame(const struct drift_args &drift, uint32_t slot, real *x,
                                       real *low, real_low *kept)
{
    int lost[dim];
    for (int c = 0; c < dim; c++) {
        lost[c] = !(REAL_FABS(x[c]) < 3 * drift.half[c]) || is_marked(kept[c]);
        if (lost[c])
            x[c] = low[c] = 0;
    }
    cross_border<dim>(drift, &slot, x, low);
    for (int c = 0; c < dim; c++)
        kept[c] = lost[c] ? KEPT_MARK : kept_of(x[c], low[c]);
    return slot;
}

/* The part of a block's particles that a thread holds: flat elements of the velocity, and the other
 * fields of its own particle. p is the position with the mass. */
template <int dim> struct drift_state {
    struct kick_element v[dim], density;
    struct four_reals p;
    uint32_t slot;
};

/* Vectors of a block's particles, in shared memory. */
template <int dim> struct drift_vectors {
    real v[dim * GPU_BLOCK];
    real_low low[dim * GPU_BLOCK];
};

template <int dim> static __device__ __forceinline__ struct four_reals read_place(const real *at)
{
    if (dim == 3)
        return *(const struct four_reals *)at;
    return four_reals{{at[0], at[1], at[2], 0}};
}

/* Moves particle i; v and kept are its entries in shared memory. */
template <int dim, int sorts>
static __device__ __forceinline__ void
move_particle(const struct kick_args &kick, const struct drift_args &drift, int64_t i,
              struct drift_state<dim> *of, const real *v, real_low *kept)
{
    real *position = drift.position + (dim + 1) * i;
    real low[dim];
    int within = 1;
    if (kicks(kick.density)) {
        compensated_add(&of->density.value, &of->density.low, kick.half * of->density.rate);
        write_element(kick.density, i, of->density);
    }
    for (int c = 0; c < dim; c++) {
        low[c] = lost_of(of->p.x[c], kept[c]);
        compensated_sum(&of->p.x[c], &low[c], drift.dt * v[c]);
        within &= REAL_FABS(of->p.x[c]) < drift.half[c] && !is_marked(kept[c]);
    }
    if (within) {
        for (int c = 0; c < dim; c++)
            kept[c] = kept_of(of->p.x[c], low[c]);
    } else {
        of->slot = leave_frame<dim>(drift, of->slot, of->p.x, low, kept);
        drift.frame[i] = of->slot;
    }
    if (sorts)
        want_frames<dim>(drift, of->slot, of->p.x);
    if (dim == 3)
        *(struct four_reals *)position = of->p;
    for (int c = 0; dim == 2 && c < dim; c++)
        position[c] = of->p.x[c];
}

/* Kicks and moves the particles of a block; `sorts`: a sort follows. */
template <int dim, int sorts>
static __device__ __forceinline__ void
drift_block(const struct kick_args &kick, const struct drift_args &drift,
            struct drift_vectors<dim> *shared, struct drift_state<dim> *s)
{
    const int64_t first = (int64_t)blockIdx.x * GPU_BLOCK;
    /* `held` particles are read before the number of the living is known. */
    const int t = (int)threadIdx.x, held = block_count(kick.count, first),
              count = block_count(alive_of(kick), first);
    const struct kick_field velocity = field_from(kick.velocity, dim * first);
    real_low *low = drift.low + dim * first;
    if (sorts)
#pragma unroll 1
        for (int64_t k = first + t; k < drift.clear_count; k += (int64_t)gridDim.x * GPU_BLOCK)
            drift.clear[k] = 0;
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const int n = c * GPU_BLOCK + t;
        if (n >= dim * held)
            continue;
        if (kicks(kick.velocity))
            read_element(velocity, n, &s->v[c]);
        else
            s->v[c].value = drift.velocity[dim * first + n];
        shared->low[n] = low[n];
    }
    if (t < held) {
        s->p = read_place<dim>(drift.position + (dim + 1) * (first + t));
        s->slot = drift.frame[first + t];
        if (kicks(kick.density))
            read_element(kick.density, first + t, &s->density);
    }
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const int n = c * GPU_BLOCK + t;
        if (n >= dim * count)
            continue;
        if (kicks(kick.velocity)) {
            compensated_add(&s->v[c].value, &s->v[c].low, kick.half * s->v[c].rate);
            write_element(velocity, n, s->v[c]);
        }
        shared->v[n] = s->v[c].value;
    }
    __syncthreads();
    if (t < count)
        move_particle<dim, sorts>(kick, drift, first + t, s, shared->v + dim * t,
                                  shared->low + dim * t);
    __syncthreads();
#pragma unroll
    for (int c = 0; c < dim; c++)
        if (c * GPU_BLOCK + t < dim * count)
            low[c * GPU_BLOCK + t] = shared->low[c * GPU_BLOCK + t];
}

/* The arguments of the drift of a set. */
static inline struct drift_args drift_args_of(struct gpu_backend *gpu, const struct sluice_grid *g,
                                              const struct sluice_set *set, double dt)
{
    struct drift_args drift = {};
    drift.position = (real *)set->field[SLUICE_FIELD_POSITION];
    drift.low = (real_low *)set->field[SLUICE_FIELD_POSITION_LOW];
    drift.velocity = (const real *)set->field[SLUICE_FIELD_VELOCITY];
    drift.frame = (uint32_t *)set->field[SLUICE_FIELD_FRAME];
    drift.neighbour = gpu->frames.neighbour;
    drift.wanted = gpu->frames.wanted;
    drift.index = gpu->frames.index;
    drift.seam_low = drift.seam_high = INT32_MIN;
    drift.dt = (real)dt;
    for (int c = 0; c < 3; c++)
        drift.half[c] = (real)g->width[c] / 2;
    if (gpu->drifted > 0 && g->periodic[0]) {
        drift.seam_low = g->first[0];
        drift.seam_high = g->first[0] + g->wrap[0] - 1;
    }
    return drift;
}

} // namespace SLUICE_GPU::GPU_PRECISION
#endif
