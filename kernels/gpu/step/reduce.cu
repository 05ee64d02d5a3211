/* Energies, momenta and extremes of a set, from the compensated state: exact sums of terms in
 * double, from each value and its low part; extremes in the state's precision. A deferred half kick
 * is made first, so that the state is read once. Compiled without fast math.
 *
 * The block walks arrays [n][dim] as flat arrays and hands the elements to their particles through
 * shared memory, as in drift.h. */
#include "kernels/gpu/totals.h"
#include "kernels/gpu/step/kick.h"
#include "kernels/types/lanes.h"
#include "kernels/types/potential.h"
#include "kernels/types/scalar_energy.h"

namespace SLUICE_GPU::GPU_PRECISION
{

/* All blocks run at once (in double, in the general case and for a gas, two thirds of them). Each
 * goes through several stretches of the set and adds to the totals once. */
enum { BLOCKS_A_MULTIPROCESSOR = 3, BLOCKS_OF_EXTREMES = sizeof(real) == 4 ? 5 : 3 };

struct reduce_args {
    struct gpu_set set;
    struct kick_args kick;     /* no fields: no kick was deferred */
    const int32_t (*frame)[3]; /* index of each slot */
    double width[3];
    double gravity[3]; /* which has a potential, m/s^2 */
    struct scalar_energy_params energy;
    double seventh; /* c0^2/7 */
    struct sluice_place origin;
    struct sluice_central central[SLUICE_CENTRAL_MAX];
    int central_count, has_energy, wall;
    struct sluice_scales scales;
    struct gpu_total *totals;    /* [GPU_SUMMARY_NUMBERS] */
    unsigned long long *extreme; /* [GPU_EXTREMES][GPU_COPIES] */
};

/* A thread's sums and extremes. */
struct reduce_sums {
    struct exact_term sum[SUMMARY_SUMS];
    real max_speed2, max_acceleration2, min_scalar, max_scalar, max_rate, max_length;
};

/* The compiler knows the usual cases, so that unused terms take no registers: extremes alone, which
 * need no positions; no central forces and no equation of state, or Tait's with gamma = 7. A gas
 * alone has rates of time steps, and always sums. */
enum { REDUCE_EXTREMES, REDUCE_NO_EOS, REDUCE_SEVENTH, REDUCE_GENERAL, REDUCE_GAS };

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
template <int dim, int usual>
static __device__ __forceinline__ void read_particles(const struct reduce_args &q, int64_t first,
                                                      int count, struct reduce_read<dim> *to)
{
    real *const *field = q.set.v.field;
    /* the same for all threads */
    const int moves = field[SLUICE_FIELD_VELOCITY] != NULL,
              sums = field[SLUICE_FIELD_VELOCITY_LOW] != NULL,
              dense = field[SLUICE_FIELD_SCALAR] != NULL, rated = kicks(q.kick.density);
    read_flat<dim>(moves, field[SLUICE_FIELD_VELOCITY], dim * first, dim * count, to->v);
    read_flat<dim>(sums, view_low(&q.set.v, SLUICE_FIELD_VELOCITY_LOW), dim * first, dim * count,
                   to->v_low);
    read_flat<dim>(moves, field[SLUICE_FIELD_ACCELERATION], dim * first, dim * count, to->a);
    if (usual != REDUCE_EXTREMES)
        read_flat<dim>(sums, view_low(&q.set.v, SLUICE_FIELD_POSITION_LOW), dim * first,
                       dim * count, to->x_low);
    read_flat<1>(dense, field[SLUICE_FIELD_SCALAR], first, count, &to->r);
    read_flat<1>(dense, view_low(&q.set.v, SLUICE_FIELD_SCALAR_LOW), first, count, &to->r_low);
    read_flat<1>(rated, q.kick.density.rate, first, count, &to->rate);
    if (usual == REDUCE_EXTREMES || (int)threadIdx.x >= count)
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

template <int dim, int usual>
static __device__ __forceinline__ void share_vectors(const struct reduce_read<dim> &read,
                                                     struct reduce_vectors<dim> *to)
{
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const int n = c * GPU_BLOCK + (int)threadIdx.x;
        to->v[n] = read.v[c];
        to->v_low[n] = read.v_low[c];
        to->a[n] = read.a[c];
        if (usual != REDUCE_EXTREMES)
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

/* Adds a term, and returns whether it is in range. */
static __device__ __forceinline__ int add_term(const struct sluice_scales &scales, int sum,
                                               double x, struct reduce_sums *s)
{
    const int scale = sluice_summary_scale(&scales, sum), holds = exact_holds(scale, x);
    const struct exact_term term = exact_term_of(scale, holds ? x : 0);
    s->sum[sum].high += term.high;
    s->sum[sum].low += term.low;
    return holds;
}

/* The extremes of motion; returns whether it is finite. */
template <int dim>
static __device__ __forceinline__ int raise_motion(const struct reduce_vectors<dim> &of,
                                                   struct reduce_sums *s)
{
    const int first = dim * (int)threadIdx.x;
    real speed2 = 0, a2 = 0, all = 0;
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const real v = of.v[first + c], a = of.a[first + c],
                   both = v + lost_of(v, of.v_low[first + c]);
        speed2 = lane_fma(both, both, speed2); /* the same bits in all kernels */
        a2 = lane_fma(a, a, a2);
        all += both + a;
    }
    s->max_speed2 = real_max(s->max_speed2, speed2);
    s->max_acceleration2 = real_max(s->max_acceleration2, a2);
    return (int)isfinite(all);
}

/* Adds the terms of mass, position and motion; returns whether all are finite and in range. */
template <int dim, int usual>
static __device__ __forceinline__ int
add_motion(const struct reduce_args &q, const struct reduce_read<dim> &p,
           const struct reduce_vectors<dim> &of, struct reduce_sums *s)
{
    const int32_t *frame = q.frame[p.slot];
    const int first = dim * (int)threadIdx.x;
    const double m = (double)p.x.x[dim],
                 moved = q.wall ? 0 : m; /* walls: no terms of their motion */
    double x[3], mv[3], v2 = 0;
    real all = 0;
    int holds = raise_motion<dim>(of, s);
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const real v = of.v[first + c], v_low = lost_of(v, of.v_low[first + c]),
                   x_low = lost_or_nan(p.x.x[c], of.x_low[first + c]);
        const double both = (double)v + (double)v_low;
        x[c] = (double)(frame[c] - q.origin.frame[c]) * q.width[c] +
               ((double)p.x.x[c] + (double)x_low - q.origin.offset[c]);
        mv[c] = moved * both;
        v2 += both * both;
        holds &= add_term(q.scales, SUMMARY_MOMENTUM + c, mv[c], s);
        all += p.x.x[c] + x_low;
    }
    double phi = gravity_potential(dim, q.gravity, x);
    if (usual >= REDUCE_GENERAL)
        phi += central_energy<dim>(q, p, of.x_low + first);
    holds &= add_term(q.scales, SUMMARY_MASS, m, s) &
             add_term(q.scales, SUMMARY_KINETIC, 0.5 * moved * v2, s) &
             add_term(q.scales, SUMMARY_POTENTIAL, moved * phi, s);
#pragma unroll
    for (int c = dim == 3 ? 0 : 2; c < 3; c++) {
        const int j = (c + 1) % 3, k = (c + 2) % 3;
        holds &= add_term(q.scales, SUMMARY_ANGULAR + c, x[j] * mv[k] - x[k] * mv[j], s);
    }
    return holds & (int)isfinite(all);
}

/* Adds particle i; returns whether it is finite and in range. */
template <int dim, int usual>
static __device__ __forceinline__ int
add_particle(const struct reduce_args &q, const struct reduce_read<dim> &p,
             const struct reduce_vectors<dim> &of, int64_t i, struct reduce_sums *s)
{
    const real r_low = lost_of(p.r, p.r_low);
    double r = (double)p.r + (double)r_low;
    const real rounded = p.r + r_low, limited = q.wall && rounded < 0 ? 0 : rounded;
    s->min_scalar = real_min(s->min_scalar, limited);
    s->max_scalar = real_max(s->max_scalar, limited);
    if (usual == REDUCE_EXTREMES)
        return (int)isfinite(rounded) & raise_motion<dim>(of, s);
    double elastic = 0;
    if (usual == REDUCE_GAS) {
        elastic = r;
        s->max_rate = real_max(s->max_rate, VIEW(&q.set.v, SMOOTHING, i, 4, 3));
        s->max_length = real_max(s->max_length, VIEW(&q.set.v, SMOOTHING, i, 4, 0));
    }
    if (usual == REDUCE_SEVENTH) {
        r = q.wall && r < 0 ? 0 : r;
        elastic = q.seventh * eos_elastic_seventh(r, inverse_of(1 + r));
    }
    if (usual == REDUCE_GENERAL && q.has_energy)
        elastic = scalar_energy_of(&q.energy, q.wall,
                                   q.energy.two && !q.wall ? view_phase(&q.set.v, i) : 0, &r);
    int holds = (int)isfinite(rounded);
    if (usual != REDUCE_NO_EOS)
        holds &= add_term(q.scales, SUMMARY_ELASTIC, (double)p.x.x[dim] * elastic, s);
    return holds & add_motion<dim, usual>(q, p, of, s);
}

/* The extremes of each warp of a block, in shared memory: a warp has 32 lanes or more. */
struct reduce_extremes {
    real of_warp[GPU_BLOCK / 32][8];
};

/* Raises the extremes of the set to those of a block. Warps do not raise them one by one: the
 * extremes are a few lines of memory, where atomic operations wait for each other. All threads call
 * it. */
template <int usual>
static __device__ __forceinline__ void raise_extremes(const struct reduce_args &q,
                                                      const struct reduce_sums &s,
                                                      struct reduce_extremes *shared)
{
    constexpr int numbers = usual == REDUCE_GAS ? 8 : 4;
    const int t = (int)threadIdx.x;
    real most[numbers];
    most[GPU_SPEED2] = s.max_speed2;
    most[GPU_ACCELERATION2] = s.max_acceleration2;
    most[GPU_MINUS_DENSITY] = -s.min_scalar;
    most[GPU_DENSITY] = s.max_scalar;
    if constexpr (usual == REDUCE_GAS) {
        most[GPU_RATE] = s.max_rate;
        most[GPU_LENGTH] = most[6] = most[7] = s.max_length;
    }
    const int extreme = fold_lanes(fold_most(), most);
    if (extreme >= 0)
        shared->of_warp[t / GPU_WARP][extreme] = most[0];
    __syncthreads();
    if (t < numbers && t <= GPU_LENGTH) {
        real of_block = shared->of_warp[0][t];
        for (int w = 1; w < GPU_BLOCK / GPU_WARP; w++)
            of_block = fold_most()(of_block, shared->of_warp[w][t]);
        gpu_extreme_raise(q.extreme + t * GPU_COPIES, (int)blockIdx.x % GPU_COPIES,
                          (double)of_block);
    }
}

/* Adds a warp's sums to the totals, and empties them. */
static __device__ __forceinline__ void add_to_totals(const struct reduce_args &q,
                                                     struct reduce_sums *s)
{
    long long v[16] = {};
#pragma unroll
    for (int k = 0; k < SUMMARY_SUMS; k++)
        v[k] = exact_carried(s->sum[k]).high;
    fold_lanes<16>(fold_sum(), v);
    const long long high = v[0];
#pragma unroll
    for (int k = 0; k < 16; k++)
        v[k] = k < SUMMARY_SUMS ? exact_carried(s->sum[k]).low : 0;
#pragma unroll
    for (int k = 0; k < SUMMARY_SUMS; k++)
        s->sum[k] = {0, 0};
    const int slot = fold_lanes<16>(fold_sum(), v);
    if (slot >= 0 && slot < SUMMARY_SUMS)
        gpu_total_add(&q.totals[slot], gpu_copy_of_warp(), exact_total_of({high, v[0]}));
}

template <int dim, int usual>
__global__ void __launch_bounds__(GPU_BLOCK, sizeof(real) == 8          ? 2
                                             : usual == REDUCE_EXTREMES ? BLOCKS_OF_EXTREMES
                                             : usual < REDUCE_GENERAL   ? BLOCKS_A_MULTIPROCESSOR
                                                                        : 2)
    reduce_kernel(const struct reduce_args q)
{
    gpu_begin();
    GPU_SHARED(struct reduce_vectors<dim>, vectors);
    GPU_SHARED(struct reduce_extremes, extremes);
    struct reduce_sums s = {};
    s.min_scalar = (real)INFINITY;
    s.max_scalar = -(real)INFINITY;
    const int64_t alive = alive_in(q.set);
    int terms = 0;
#pragma unroll 1
    for (int64_t first = (int64_t)blockIdx.x * GPU_BLOCK; first < q.set.v.count;
         first += (int64_t)gridDim.x * GPU_BLOCK) {
        struct reduce_read<dim> read;
        /* Particles are read before the number of the living, which is not larger, is known. */
        read_particles<dim, usual>(q, first, block_count(q.set.v.count, first), &read);
        const int count = block_count(alive, first);
        kick_particles<dim>(q.kick, first, count, &read);
        share_vectors<dim, usual>(read, &vectors);
        __syncthreads();
        if ((int)threadIdx.x < count && is_own(q.set, first + threadIdx.x) &&
            !add_particle<dim, usual>(q, read, vectors, first + threadIdx.x, &s)) {
            gpu_total_add(&q.totals[SUMMARY_SUMS], gpu_copy_of_warp(), 1);
            gpu_extreme_raise(q.extreme + GPU_MINUS_FAULTY_ID * GPU_COPIES, gpu_copy_of_warp(),
                              -(double)q.set.v.id[first + threadIdx.x]);
        }
        __syncthreads();
        if (usual != REDUCE_EXTREMES && ++terms == EXACT_TERMS) { /* seldom; in all threads */
            add_to_totals(q, &s);
            terms = 0;
        }
    }
    if (usual != REDUCE_EXTREMES)
        add_to_totals(q, &s);
    raise_extremes<usual>(q, s, &extremes);
}

typedef void (*reduce_function)(const struct reduce_args);

static int is_gas(const struct sluice_reduce *r)
{
    return r->energy && r->energy->eos == SLUICE_EOS_IDEAL;
}

template <int dim> static reduce_function kernel_of(const struct sluice_reduce *r)
{
    if (is_gas(r))
        return reduce_kernel<dim, REDUCE_GAS>;
    if (!r->sums)
        return reduce_kernel<dim, REDUCE_EXTREMES>;
    if (r->central_count > 0)
        return reduce_kernel<dim, REDUCE_GENERAL>;
    if (!r->energy)
        return reduce_kernel<dim, REDUCE_NO_EOS>;
    if (scalar_energy_is_seventh(r->energy))
        return reduce_kernel<dim, REDUCE_SEVENTH>;
    return reduce_kernel<dim, REDUCE_GENERAL>;
}

sluice_status reduce(struct gpu_backend *gpu, const struct sluice_grid *g, struct sluice_reduce *r)
{
    const int type = r->set->type;
    const int64_t at_once = (int64_t)gpu->multiprocessors *
                            (r->sums || is_gas(r) ? BLOCKS_A_MULTIPROCESSOR : BLOCKS_OF_EXTREMES),
                  stretches = gpu_blocks(r->set->count, GPU_BLOCK),
                  blocks = stretches < at_once ? stretches : at_once;
    struct gpu_totals *totals = gpu->totals;
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
        q.gravity[c] = c < g->dimension ? r->gravity[c] : 0;
    }
    if (r->energy) {
        const double c0 = r->energy->fluid[0].sound_speed;
        q.has_energy = 1;
        q.energy = *r->energy;
        q.seventh = c0 * c0 / 7;
    }
    q.origin = r->origin;
    for (int n = 0; n < r->central_count; n++)
        q.central[n] = r->central[n];
    q.central_count = r->central_count;
    q.wall = type == SLUICE_WALL;
    q.scales = r->scales;
    q.totals = totals->summary[type];
    q.extreme = totals->extreme[type][0];
    gpu->kick[type].set = NULL;
    if (gpu->queue.reduce[type]) { /* queued again: it starts anew */
        SLUICE_TRY(gpu_clear(gpu, totals->summary[type], sizeof totals->summary[type]));
        SLUICE_TRY(gpu_clear(gpu, totals->extreme[type], sizeof totals->extreme[type]));
    }
    gpu->queue.reduce[type] = r;
    if (blocks == 0)
        return SLUICE_OK;
    const reduce_function kernel = r->set->dimension == 3 ? kernel_of<3>(r) : kernel_of<2>(r);
    GPU_LAUNCH(kernel, (unsigned)blocks, GPU_BLOCK, 0, gpu->stream, q);
    GPU_LAUNCHED("reduce");
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
