/* Kicks and drift, compensated: docs/theory.md, "The time step". Compiled without fast math.
 *
 * One thread a particle. Arrays [n][dim] are walked flat by the block, element by element, and meet
 * their particle in shared memory: every byte is moved once. */
#include "kernels/compensated.h"
#include "kernels/gpu/leaf.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* value += dt rate, compensated; nothing where one of them does not exist. */
struct kick_field {
    real *value, *low;
    const real *rate;
};

struct kick_args {
    struct kick_field velocity, density;
    int64_t count;
    const uint32_t *alive;
    real half; /* dt/2 */
};

struct drift_args {
    real *position, *low;
    const real *velocity;
    uint32_t *frame;
    const int32_t (*neighbour)[27]; /* of the table of frames */
    uint32_t *wanted;
    real dt, half[3]; /* half of a frame's width */
};

/* A position record of 3-D, moved at once. */
struct alignas(16) four_reals {
    real x[4];
};

static __device__ int64_t alive_of(const struct kick_args &args)
{
    const int64_t alive = args.alive ? (int64_t)*args.alive : args.count;
    return alive < args.count ? alive : args.count;
}

static __device__ void kick_element(const struct kick_field &field, int64_t e, real dt)
{
    if (field.value && field.rate)
        compensated_add(&field.value[e], &field.low[e], dt * field.rate[e]);
}

template <int dim>
__global__ void __launch_bounds__(GPU_BLOCK) kick_kernel(const struct kick_args args)
{
    const int64_t alive = alive_of(args), first = (int64_t)blockIdx.x * GPU_BLOCK;
    for (int c = 0; c < dim; c++) {
        const int64_t e = dim * first + c * GPU_BLOCK + threadIdx.x;
        if (e < dim * alive)
            kick_element(args.velocity, e, args.half);
    }
    if (first + threadIdx.x < alive)
        kick_element(args.density, first + threadIdx.x, args.half);
}

static __device__ void want_frame(uint32_t *wanted, int32_t slot)
{
    if (slot >= 0 && wanted[slot] == 0)
        wanted[slot] = 1;
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
 */
template <int dim>
static __device__ uint32_t reframe(const struct drift_args &args, uint32_t slot, real *x)
{
    const int stride[3] = {1, 3, 9};
    int k = 13; /* the frame itself among its neighbours */
    real moved[3] = {0, 0, 0};
    for (int c = 0; c < dim; c++) {
        const int side = x[c] >= args.half[c] ? 1 : x[c] < -args.half[c] ? -1 : 0;
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

/* Moves particle i; v and low are its own, in shared memory. */
template <int dim>
static __device__ void drift_particle(const struct drift_args &args, int64_t i, const real *v,
                                      real *low)
{
    real *position = args.position + (dim + 1) * i;
    struct four_reals p;
    if (dim == 3)
        p = *(const struct four_reals *)position;
    for (int c = 0; c < dim; c++) {
        if (dim == 2)
            p.x[c] = position[c];
        compensated_add(&p.x[c], &low[c], args.dt * v[c]);
        /* More than a frame, or no number: the run has blown up before, and the host, which is
         * steps behind, will say so. Until then there must be bins where particles are. */
        if (!(REAL_FABS(p.x[c]) < 3 * args.half[c]))
            p.x[c] = 0;
    }
    const uint32_t before = args.frame[i], slot = reframe<dim>(args, before, p.x);
    want_frames<dim>(args, slot, p.x);
    if (slot != before)
        args.frame[i] = slot;
    if (dim == 3)
        *(struct four_reals *)position = p;
    for (int c = 0; dim == 2 && c < dim; c++)
        position[c] = p.x[c];
}

template <int dim>
__global__ void __launch_bounds__(GPU_BLOCK)
    kick_drift_kernel(const struct kick_args kick, const struct drift_args drift)
{
    GPU_SHARED(real, v, [dim * GPU_BLOCK]);
    GPU_SHARED(real, low, [dim * GPU_BLOCK]);
    const int64_t alive = alive_of(kick), first = (int64_t)blockIdx.x * GPU_BLOCK;
    const int t = (int)threadIdx.x;
    for (int n = t; n < dim * GPU_BLOCK; n += GPU_BLOCK) {
        const int64_t e = dim * first + n;
        if (e < dim * alive) {
            kick_element(kick.velocity, e, kick.half);
            v[n] = drift.velocity[e];
            low[n] = drift.low[e];
        }
    }
    __syncthreads();
    if (first + t < alive) {
        kick_element(kick.density, first + t, kick.half);
        drift_particle<dim>(drift, first + t, v + dim * t, low + dim * t);
    }
    __syncthreads();
    for (int n = t; n < dim * GPU_BLOCK; n += GPU_BLOCK)
        if (dim * first + n < dim * alive)
            drift.low[dim * first + n] = low[n];
}

static struct kick_args kick_args_of(struct gpu_backend *gpu, const struct sluice_set *set,
                                     double dt)
{
    const struct gpu_set s = set_of(gpu, set);
    real *const *field = s.v.field;
    struct kick_args args = {
        {NULL, NULL, NULL},
        {field[SLUICE_FIELD_DENSITY], field[SLUICE_FIELD_DENSITY_LOW], field[SLUICE_FIELD_RATE]},
        set->count,
        s.alive,
        (real)(dt / 2)};
    if (set->moves)
        args.velocity = kick_field{field[SLUICE_FIELD_VELOCITY], field[SLUICE_FIELD_VELOCITY_LOW],
                                   field[SLUICE_FIELD_ACCELERATION]};
    return args;
}

sluice_status kick(struct gpu_backend *gpu, struct sluice_set *set, double dt)
{
    const struct kick_args args = kick_args_of(gpu, set, dt);
    const int idle = !(args.velocity.value && args.velocity.rate) &&
                     !(args.density.value && args.density.rate);
    if (set->count == 0 || idle)
        return SLUICE_OK;
    auto kernel = set->dimension == 3 ? kick_kernel<3> : kick_kernel<2>;
    GPU_LAUNCH(kernel, gpu_blocks(set->count, GPU_BLOCK), GPU_BLOCK, 0, gpu->stream, args);
    GPU_LAUNCHED("kick");
    return SLUICE_OK;
}

sluice_status kick_drift(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_set *set, double dt)
{
    if (!set->moves)
        return kick(gpu, set, dt);
    if (set->count == 0)
        return SLUICE_OK;
    const struct kick_args args = kick_args_of(gpu, set, dt);
    struct drift_args drift = {(real *)set->field[SLUICE_FIELD_POSITION],
                               (real *)set->field[SLUICE_FIELD_POSITION_LOW],
                               (const real *)set->field[SLUICE_FIELD_VELOCITY],
                               (uint32_t *)set->field[SLUICE_FIELD_FRAME],
                               (const int32_t(*)[27])gpu->frames.neighbour,
                               gpu->frames.wanted,
                               (real)dt,
                               {0, 0, 0}};
    for (int c = 0; c < 3; c++)
        drift.half[c] = (real)g->width[c] / 2;
    auto kernel = set->dimension == 3 ? kick_drift_kernel<3> : kick_drift_kernel<2>;
    GPU_LAUNCH(kernel, gpu_blocks(set->count, GPU_BLOCK), GPU_BLOCK, 0, gpu->stream, args, drift);
    GPU_LAUNCHED("kick_drift");
    return SLUICE_OK;
}

} /* namespace GPU_PRECISION */
} /* namespace SLUICE_GPU */
