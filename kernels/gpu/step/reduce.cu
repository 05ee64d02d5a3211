/* Energies, momenta and extremes of a set, from the compensated state: sums in double from each
 * value and its low part; extremes in the state's precision. A deferred half kick is made first, so
 * that the state is read once. Each block leaves one number of each kind, which gpu_fold folds
 * further. Compiled without fast math.
 *
 * The block walks arrays [n][dim] as flat arrays and hands the elements to their particles through
 * shared memory, as in drift.h. */
#include "kernels/gpu/fold.h"
#include "kernels/gpu/step/kick.h"
#include "kernels/pointwise/eos.h"
#include "kernels/types/potential.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* All blocks run at once (in double and in the general case, half of them). Each goes through
 * several stretches of the set and folds its numbers once. */
enum { BLOCKS_A_MULTIPROCESSOR = 4 };

struct reduce_args {
    struct gpu_set set;
    struct kick_args kick;     /* no fields: no kick was deferred */
    const int32_t (*frame)[3]; /* index of each slot */
    double width[3];
    double open[3],
        periodic[3]; /* gravity along open axes, which has a potential, and along periodic ones */
    double sound_speed, gamma, background, seventh; /* seventh: c0^2/7 */
    double least, opening;                          /* as in struct sluice_reduce */
    struct sluice_place origin;
    struct sluice_central central[SLUICE_CENTRAL_MAX];
    int central_count, eos, wall, two;
    int64_t stride; /* distance of a block's stretches of GPU_BLOCK particles. It does not depend on
                       the number of particles, nor does the grouping of the sums */
    decltype(sluice_reduce::second) second;
    int64_t blocks;
    double *of_block; /* [SUMMARY_COUNT][blocks] */
};

/* Sums over the particles, as in struct sluice_summary. */
struct reduce_sums {
    double mass, kinetic, elastic, potential, momentum[3], angular[3], gravity_power;
    real max_speed2, max_acceleration2, min_density, max_density;
    double not_finite, first_not_finite; /* set at the end */
};

/* The number of particles of a block that are not finite, and the smallest id of them. */
struct reduce_faults {
    uint32_t count, first;
};

/* The compiler knows the usual cases, so that unused terms take no registers: no central forces and
 * no equation of state, or Tait's with gamma = 7. */
enum { REDUCE_NO_EOS, REDUCE_SEVENTH, REDUCE_GENERAL };

/* Vectors of a block's particles, in shared memory. */
template <int dim> struct reduce_vectors {
    real v[dim * GPU_BLOCK], a[dim * GPU_BLOCK];
    real_low v_low[dim * GPU_BLOCK], x_low[dim * GPU_BLOCK];
};

/* Read by a thread: flat elements of the vectors, and the other fields of its own particle. */
template <int dim> struct reduce_read {
    real v[dim], a[dim];
    real_low v_low[dim], x_low[dim];
    struct four_reals x;
    real r, rate;
    real_low r_low;
    uint32_t slot;
};

/* Loads a thread's elements of a field, every GPU_BLOCK-th from `first` to `end`; 0 behind the end,
 * or if the set does not have the field. */
template <int dim, class number>
static __device__ __forceinline__ void read_flat(int has, const number *field, int64_t first,
                                                 int end, number *to)
{
    const int t = (int)threadIdx.x;
#pragma unroll
    for (int c = 0; c < dim; c++)
        to[c] = has && c * GPU_BLOCK + t < end ? field[first + c * GPU_BLOCK + t] : 0;
}

/* Loads all that a thread needs of `count` particles from `first` on, before any arithmetic. */
template <int dim>
static __device__ __forceinline__ void read_particles(const struct reduce_args &q, int64_t first,
                                                      int count, struct reduce_read<dim> *to)
{
    real *const *field = q.set.v.field;
    /* the same for all threads */
    const int moves = field[SLUICE_FIELD_VELOCITY] != NULL,
              sums = field[SLUICE_FIELD_VELOCITY_LOW] != NULL,
              dense = field[SLUICE_FIELD_DENSITY] != NULL, rated = kicks(q.kick.density);
    read_flat<dim>(moves, field[SLUICE_FIELD_VELOCITY], dim * first, dim * count, to->v);
    read_flat<dim>(sums, view_low(&q.set.v, SLUICE_FIELD_VELOCITY_LOW), dim * first, dim * count,
                   to->v_low);
    read_flat<dim>(moves, field[SLUICE_FIELD_ACCELERATION], dim * first, dim * count, to->a);
    read_flat<dim>(sums, view_low(&q.set.v, SLUICE_FIELD_POSITION_LOW), dim * first, dim * count,
                   to->x_low);
    read_flat<1>(dense, field[SLUICE_FIELD_DENSITY], first, count, &to->r);
    read_flat<1>(dense, view_low(&q.set.v, SLUICE_FIELD_DENSITY_LOW), first, count, &to->r_low);
    read_flat<1>(rated, q.kick.density.rate, first, count, &to->rate);
    if ((int)threadIdx.x >= count)
        return;
    const real *position = field[SLUICE_FIELD_POSITION] + (dim + 1) * (first + threadIdx.x);
    to->slot = ((const uint32_t *)field[SLUICE_FIELD_FRAME])[first + threadIdx.x];
    if (dim == 3)
        to->x = *(const struct four_reals *)position;
    for (int c = 0; dim == 2 && c <= dim; c++)
        to->x.x[c] = position[c];
}

template <int dim>
static __device__ __forceinline__ void kick_particles(const struct kick_args &kick, int64_t first,
                                                      int count, struct reduce_read<dim> *p)
{
    const int t = (int)threadIdx.x;
#pragma unroll
    for (int c = 0; c < dim; c++)
        if (kicks(kick.velocity) && c * GPU_BLOCK + t < dim * count) {
            compensated_add(&p->v[c], &p->v_low[c], kick.half * p->a[c]);
            kick.velocity.value[dim * first + c * GPU_BLOCK + t] = p->v[c];
            kick.velocity.low[dim * first + c * GPU_BLOCK + t] = p->v_low[c];
        }
    if (kicks(kick.density) && t < count) {
        compensated_add(&p->r, &p->r_low, kick.half * p->rate);
        kick.density.value[first + t] = p->r;
        kick.density.low[first + t] = p->r_low;
    }
}

template <int dim>
static __device__ __forceinline__ void share_vectors(const struct reduce_read<dim> &read,
                                                     struct reduce_vectors<dim> *to)
{
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const int n = c * GPU_BLOCK + (int)threadIdx.x;
        to->v[n] = read.v[c];
        to->v_low[n] = read.v_low[c];
        to->a[n] = read.a[c];
        to->x_low[n] = read.x_low[c];
    }
}

/* 1/d to 1e-14: one Newton step from a guess in float, a quarter of the cost of a division. */
static __device__ __forceinline__ double inverse_of(double d)
{
    const double guess = (double)__fdividef(1, (float)d);
    return guess + guess * (1 - d * guess);
}

/* Potential energy of a unit mass in the central forces, J/kg. */
template <int dim>
static __device__ double central_energy(const struct reduce_args &q,
                                        const struct reduce_read<dim> &p, const real_low *x_low)
{
    double phi = 0;
#pragma unroll 1
    for (int n = 0; n < q.central_count; n++) {
        const struct sluice_place *centre = &q.central[n].centre;
        double d[3] = {0, 0, 0};
        for (int c = 0; c < dim; c++)
            d[c] = (double)(q.frame[p.slot][c] - centre->frame[c]) * q.width[c] +
                   ((double)p.x.x[c] + (double)lost_of(p.x.x[c], x_low[c]) - centre->offset[c]);
        phi += central_potential(dim, q.central[n].strength, d);
    }
    return phi;
}

/* Adds the terms of mass, position and motion; returns the sum of all components, to test for
 * NaN. */
template <int dim, int usual>
static __device__ __forceinline__ real add_motion(const struct reduce_args &q,
                                                  const struct reduce_read<dim> &p,
                                                  const struct reduce_vectors<dim> &of,
                                                  struct reduce_sums *s)
{
    const int32_t *frame = q.frame[p.slot];
    const int first = dim * (int)threadIdx.x;
    const double m = (double)p.x.x[dim];
    double x[3], mv[3], v2 = 0;
    real speed2 = 0, a2 = 0, all = 0;
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const real v = of.v[first + c], v_low = lost_of(v, of.v_low[first + c]),
                   a = of.a[first + c], x_low = lost_or_nan(p.x.x[c], of.x_low[first + c]);
        const double both = (double)v + (double)v_low;
        x[c] = (double)(frame[c] - q.origin.frame[c]) * q.width[c] +
               ((double)p.x.x[c] + (double)x_low - q.origin.offset[c]);
        mv[c] = m * both;
        v2 += both * both;
        s->momentum[c] += mv[c];
        speed2 += (v + v_low) * (v + v_low);
        a2 += a * a;
        all += p.x.x[c] + x_low + (v + v_low) + a;
    }
    s->mass += m;
    s->kinetic += 0.5 * m * v2;
    s->potential += m * gravity_potential(dim, q.open, x);
#pragma unroll
    for (int c = dim == 3 ? 0 : 2; c < 3; c++) {
        const int j = (c + 1) % 3, k = (c + 2) % 3;
        s->angular[c] += x[j] * mv[k] - x[k] * mv[j];
    }
    s->max_speed2 = real_max(s->max_speed2, speed2);
    s->max_acceleration2 = real_max(s->max_acceleration2, a2);
    if (usual == REDUCE_GENERAL)
        s->potential += m * central_energy<dim>(q, p, of.x_low + first);
    return all;
}

/* Adds particle i; returns whether it is finite. */
template <int dim, int usual>
static __device__ __forceinline__ int
add_particle(const struct reduce_args &q, const struct reduce_read<dim> &p,
             const struct reduce_vectors<dim> &of, int64_t i, struct reduce_sums *s)
{
    const real r_low = lost_of(p.r, p.r_low);
    const double r_both = (double)p.r + (double)r_low,
                 least = usual == REDUCE_GENERAL ? q.least : 0,
                 r = (q.wall || usual == REDUCE_GENERAL) && r_both < least ? least : r_both;
    const real rounded = p.r + r_low, limited = q.wall && rounded < 0 ? 0 : rounded;
    s->min_density = real_min(s->min_density, limited);
    s->max_density = real_max(s->max_density, limited);
    if (usual == REDUCE_SEVENTH)
        s->elastic += (double)p.x.x[dim] * eos_elastic_seventh(r, inverse_of(1 + r));
    if (usual == REDUCE_GENERAL) {
        const int second = q.two && q.set.v.id[i] >= q.second.from;
        s->elastic += (double)p.x.x[dim] *
                          eos_elastic_energy(q.eos, second ? q.second.sound_speed : q.sound_speed,
                                             second ? q.second.gamma : q.gamma,
                                             second ? q.second.background : q.background, r) +
                      (double)p.x.x[dim] * q.opening * (r_both < least ? r_both - least : 0);
    }
    return isfinite(add_motion<dim, usual>(q, p, of, s) + rounded);
}

/* The numbers of the block's warps: sums, and maxima; a minimum is the maximum of the negative. */
struct reduce_parts {
    double sum[16][FOLD_WARPS_MOST], most[8][FOLD_WARPS_MOST];
};

static __device__ __forceinline__ void leave_numbers(const struct reduce_sums &s,
                                                     struct reduce_parts *parts)
{
#define X(number, op) op == FOLD_MIN ? -(double)s.number : (double)s.number,
    const double all[SUMMARY_COUNT] = {SUMMARY_NUMBERS(X)};
#undef X
    double sum[16], most[8];
#pragma unroll
    for (int k = 0; k < 16; k++)
        sum[k] = k < SUMMARY_SUMS ? all[k] : 0;
#pragma unroll
    for (int k = 0; k < 8; k++)
        most[k] = k < SUMMARY_COUNT - SUMMARY_SUMS ? all[SUMMARY_SUMS + k] : -INFINITY;
    fold_lanes_of<16>(FOLD_SUM, sum, parts->sum);
    fold_lanes_of<8>(FOLD_MAX, most, parts->most);
}

/* A number of the block, after a barrier. */
static __device__ double number_of(const struct reduce_parts &parts, int number)
{
    if (number < SUMMARY_SUMS)
        return fold_warps(FOLD_SUM, parts.sum[number]);
    const double most = fold_warps(FOLD_MAX, parts.most[number - SUMMARY_SUMS]);
    return fold_of_number(number) == FOLD_MIN ? -most : most;
}

/* Applies the factors that a thread's particles have in common. */
template <int usual>
static __device__ __forceinline__ void finish_sums(const struct reduce_args &q,
                                                   struct reduce_sums *s)
{
    if (usual == REDUCE_SEVENTH)
        s->elastic *= q.seventh;
    for (int c = 0; c < 3; c++)
        s->gravity_power += q.periodic[c] * s->momentum[c];
}

template <int dim, int usual>
__global__ void __launch_bounds__(GPU_BLOCK, sizeof(real) == 4 && usual != REDUCE_GENERAL ? 4 : 2)
    reduce_kernel(const struct reduce_args q)
{
    gpu_begin();
    GPU_SHARED(struct reduce_parts, parts);
    GPU_SHARED(struct reduce_vectors<dim>, vectors);
    GPU_SHARED(struct reduce_faults, faults);
    struct reduce_sums s = {};
    if (threadIdx.x == 0)
        faults = {0, UINT32_MAX};
    s.min_density = (real)INFINITY;
    s.max_density = -(real)INFINITY;
    const int64_t begin = (int64_t)blockIdx.x * GPU_BLOCK, alive = alive_in(q.set);
#pragma unroll 1
    for (int round = 0; begin + round * q.stride < alive; round++) {
        const int64_t first = begin + round * q.stride;
        const int count = block_count(alive, first);
        struct reduce_read<dim> read;
        read_particles<dim>(q, first, count, &read);
        kick_particles<dim>(q.kick, first, count, &read);
        share_vectors<dim>(read, &vectors);
        __syncthreads();
        if ((int)threadIdx.x < count &&
            !add_particle<dim, usual>(q, read, vectors, first + threadIdx.x, &s)) {
            atomicAdd(&faults.count, 1u);
            atomicMin(&faults.first, q.set.v.id[first + threadIdx.x]);
        }
        __syncthreads();
    }
    finish_sums<usual>(q, &s);
    s.first_not_finite = INFINITY;
    if (threadIdx.x == 0 && faults.count > 0) {
        s.not_finite = faults.count;
        s.first_not_finite = faults.first;
    }
    leave_numbers(s, &parts);
    __syncthreads();
    if (threadIdx.x < SUMMARY_COUNT)
        q.of_block[threadIdx.x * q.blocks + blockIdx.x] = number_of(parts, (int)threadIdx.x);
}

typedef void (*reduce_function)(const struct reduce_args);

template <int dim> static reduce_function kernel_of(const struct sluice_reduce *r)
{
    if (r->central_count > 0)
        return reduce_kernel<dim, REDUCE_GENERAL>;
    if (r->eos == SLUICE_EOS_NONE)
        return reduce_kernel<dim, REDUCE_NO_EOS>;
    if (r->eos == SLUICE_EOS_TAIT && r->gamma == 7 && r->background == 0 && !r->two &&
        r->opening == 0)
        return reduce_kernel<dim, REDUCE_SEVENTH>;
    return reduce_kernel<dim, REDUCE_GENERAL>;
}

sluice_status reduce(struct gpu_backend *gpu, const struct sluice_grid *g, struct sluice_reduce *r)
{
    const int type = r->set->type;
    const int64_t at_once = (int64_t)gpu->multiprocessors * BLOCKS_A_MULTIPROCESSOR;
    struct gpu_scratch *partial = &gpu->partial[type];
    struct reduce_args q = {};
    SLUICE_CHECK(r->central_count <= SLUICE_CENTRAL_MAX, SLUICE_BAD_INPUT,
                 "reduce: %d central forces, at most %d", r->central_count,
                 (int)SLUICE_CENTRAL_MAX);
    q.set = set_of(gpu, r->set);
    if (gpu->kick[type].set)
        q.kick = kick_args_of(gpu, r->set, gpu->kick[type].dt);
    q.frame = gpu->frames.index;
    for (int c = 0; c < 3; c++) {
        q.width[c] = g->width[c];
        (g->periodic[c] ? q.periodic : q.open)[c] = c < g->dimension ? r->gravity[c] : 0;
    }
    q.sound_speed = r->sound_speed;
    q.seventh = r->sound_speed * r->sound_speed / 7;
    q.gamma = r->gamma;
    q.background = r->background;
    q.least = type == SLUICE_WALL ? 0 : r->opening != 0 ? r->least : -1;
    q.opening = type == SLUICE_WALL ? 0 : r->opening;
    q.two = r->two;
    q.second = r->second;
    q.origin = r->origin;
    for (int n = 0; n < r->central_count; n++)
        q.central[n] = r->central[n];
    q.central_count = r->central_count;
    q.eos = r->eos;
    q.wall = type == SLUICE_WALL;
    q.blocks = gpu_blocks(r->set->count, GPU_BLOCK);
    if (q.blocks > at_once)
        q.blocks = at_once;
    q.stride = at_once * GPU_BLOCK;
    SLUICE_TRY(
        gpu_scratch_reserve(gpu, partial, (size_t)q.blocks * SUMMARY_COUNT * sizeof(double)));
    q.of_block = (double *)partial->memory;
    gpu->kick[type].set = NULL;
    gpu->queue.reduce[type] = r;
    gpu->partial_blocks[type] = q.blocks;
    if (q.blocks == 0)
        return SLUICE_OK;
    const reduce_function kernel = r->set->dimension == 3 ? kernel_of<3>(r) : kernel_of<2>(r);
    GPU_LAUNCH(kernel, (unsigned)q.blocks, GPU_BLOCK, 0, gpu->stream, q);
    GPU_LAUNCHED("reduce");
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
