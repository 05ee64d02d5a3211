/* Energies, momenta and limits of a set, from the compensated state: value plus what its rounding
 * lost, in double. Each block leaves one number of each kind, which gpu_fold folds further. */
#include "kernels/gpu/fold.h"
#include "kernels/gpu/leaf.h"
#include "kernels/pointwise/eos.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

/* Particles of a thread, one after the other: of sets whose blocks fill the device, several, so
 * that blocks leave fewer numbers. Emulated, of smaller sets too, so that tests have both. */
#ifdef SLUICE_EMULATED
enum { REDUCE_ROUNDS = 4, ROUNDS_FROM = 1 << 10 };
#else
enum { REDUCE_ROUNDS = 4, ROUNDS_FROM = 1 << 19 };
#endif

struct reduce_args {
    struct gpu_set set;
    const int32_t (*frame)[3]; /* index of each slot */
    double width[3], gravity[3], sound_speed, gamma, background;
    struct sluice_place origin;
    struct sluice_central central[SLUICE_CENTRAL_MAX];
    int central_count, periodic[3], eos, wall, rounds, two;
    decltype(sluice_reduce::second) second;
    int64_t blocks;
    double *of_block; /* [SUMMARY_COUNT][blocks] */
};

/* What is summed of the particles, as in struct sluice_summary; the index of the first one that is
 * not finite, infinity where all are. */
struct reduce_sums {
    double mass, kinetic, elastic, potential, momentum[3], angular[3], gravity_power, max_speed2,
        max_acceleration2, min_density, max_density, not_finite, first_not_finite;
};

/* The equation of state, known to the compiler: what is not used takes no registers. */
enum { REDUCE_EOS_NONE, REDUCE_EOS_SEVENTH, REDUCE_EOS_OTHER };

/* A particle as it is read: all of it before anything is reckoned. */
template <int dim> struct reduce_particle {
    real x[dim + 1], x_low[dim], v[dim], v_low[dim], a[dim], r, r_low;
    int32_t frame[dim];
};

/* One entry of a field, 0 where the field does not exist. */
template <int n>
static __device__ __forceinline__ void read_entry(const real *field, int64_t i, real *to)
{
#pragma unroll
    for (int c = 0; c < n; c++)
        to[c] = field ? field[n * i + c] : 0;
}

template <int dim>
static __device__ __forceinline__ void read_particle(const struct reduce_args &q, int64_t i,
                                                     struct reduce_particle<dim> *p)
{
    real *const *field = q.set.v.field;
    const uint32_t slot = ((const uint32_t *)field[SLUICE_FIELD_FRAME])[i];
    read_entry<dim + 1>(field[SLUICE_FIELD_POSITION], i, p->x);
    read_entry<dim>(field[SLUICE_FIELD_POSITION_LOW], i, p->x_low);
    read_entry<dim>(field[SLUICE_FIELD_VELOCITY], i, p->v);
    read_entry<dim>(field[SLUICE_FIELD_VELOCITY_LOW], i, p->v_low);
    read_entry<dim>(field[SLUICE_FIELD_ACCELERATION], i, p->a);
    read_entry<1>(field[SLUICE_FIELD_DENSITY], i, &p->r);
    read_entry<1>(field[SLUICE_FIELD_DENSITY_LOW], i, &p->r_low);
#pragma unroll
    for (int c = 0; c < dim; c++)
        p->frame[c] = q.frame[slot][c];
}

/* Potential energy of a unit mass at `x` from the potential's origin, J/kg. */
template <int dim>
static __device__ double potential_energy(const struct reduce_args &q, const int32_t *frame,
                                          const double *offset, const double *x)
{
    double phi = 0;
    for (int c = 0; c < dim; c++)
        if (!q.periodic[c])
            phi -= q.gravity[c] * x[c];
    for (int n = 0; n < q.central_count; n++) {
        double d2 = 0;
        for (int c = 0; c < dim; c++) {
            const double d = (double)(frame[c] - q.central[n].centre.frame[c]) * q.width[c] +
                             (offset[c] - q.central[n].centre.offset[c]);
            d2 += d * d;
        }
        phi += 0.5 * q.central[n].strength * q.central[n].strength * d2;
    }
    return phi;
}

/* All that has to do with motion; returns the sum of all components. */
template <int dim>
static __device__ __forceinline__ double
add_motion(const struct reduce_args &q, const struct reduce_particle<dim> &p, struct reduce_sums *s)
{
    const double m = (double)p.x[dim];
    double offset[3] = {0, 0, 0}, x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, v2 = 0, a2 = 0, power = 0,
           all = 0;
#pragma unroll
    for (int c = 0; c < dim; c++) {
        const double a = (double)p.a[c];
        offset[c] = (double)p.x[c] + (double)p.x_low[c];
        x[c] = (double)(p.frame[c] - q.origin.frame[c]) * q.width[c] +
               (offset[c] - q.origin.offset[c]);
        v[c] = (double)p.v[c] + (double)p.v_low[c];
        v2 += v[c] * v[c];
        a2 += a * a;
        power += q.periodic[c] ? q.gravity[c] * v[c] : 0;
        all += x[c] + v[c] + a;
    }
    s->mass += m;
    s->kinetic += 0.5 * m * v2;
    s->potential += m * potential_energy<dim>(q, p.frame, offset, x);
    s->gravity_power += m * power;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        const int j = (c + 1) % 3, k = (c + 2) % 3;
        s->momentum[c] += m * v[c];
        s->angular[c] += m * (x[j] * v[k] - x[k] * v[j]);
    }
    s->max_speed2 = fmax(s->max_speed2, v2);
    s->max_acceleration2 = fmax(s->max_acceleration2, a2);
    return all;
}

template <int dim, int eos>
static __device__ __forceinline__ void add_particle(const struct reduce_args &q, int64_t i,
                                                    struct reduce_sums *s)
{
    struct reduce_particle<dim> p;
    read_particle<dim>(q, i, &p);
    double r = (double)p.r + (double)p.r_low;
    const double all = add_motion<dim>(q, p, s) + r;
    if (q.wall && r < 0)
        r = 0;
    if (eos == REDUCE_EOS_SEVENTH)
        s->elastic += (double)p.x[dim] *
                      eos_elastic_energy(SLUICE_EOS_TAIT, q.sound_speed, 7, 0, r);
    if (eos == REDUCE_EOS_OTHER) {
        const int second = q.two && q.set.v.id[i] >= q.second.from;
        s->elastic += (double)p.x[dim] *
                      eos_elastic_energy(q.eos, second ? q.second.sound_speed : q.sound_speed,
                                         second ? q.second.gamma : q.gamma,
                                         second ? q.second.background : q.background, r);
    }
    s->min_density = fmin(s->min_density, r);
    s->max_density = fmax(s->max_density, r);
    if (!isfinite(all)) {
        s->not_finite += 1;
        s->first_not_finite = fmin(s->first_not_finite, (double)i);
    }
}

/* What the warps of a block leave: the sums, and the extremes, minima as maxima of the negative. */
struct reduce_parts {
    double sum[16][FOLD_WARPS_MOST], most[8][FOLD_WARPS_MOST];
};

static __device__ __forceinline__ void leave_numbers(const struct reduce_sums &s,
                                                     struct reduce_parts *parts)
{
#define X(number, op) op == FOLD_MIN ? -s.number : s.number,
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

template <int dim, int eos>
__global__ void __launch_bounds__(GPU_BLOCK, sizeof(real) == 4 && eos != REDUCE_EOS_OTHER ? 3 : 2)
    reduce_kernel(const struct reduce_args q)
{
    gpu_begin();
    GPU_SHARED(struct reduce_parts, parts);
    struct reduce_sums s = {};
    s.min_density = s.first_not_finite = INFINITY;
    s.max_density = -INFINITY;
    const int64_t first = (int64_t)blockIdx.x * q.rounds * GPU_BLOCK + threadIdx.x,
                  alive = alive_in(q.set);
#pragma unroll 1
    for (int round = 0; round < q.rounds; round++)
        if (first + round * GPU_BLOCK < alive)
            add_particle<dim, eos>(q, first + round * GPU_BLOCK, &s);
    leave_numbers(s, &parts);
    __syncthreads();
    if (threadIdx.x < SUMMARY_COUNT)
        q.of_block[threadIdx.x * q.blocks + blockIdx.x] = number_of(parts, (int)threadIdx.x);
}

typedef void (*reduce_function)(const struct reduce_args);

template <int dim> static reduce_function kernel_of(const struct sluice_reduce *r)
{
    if (r->eos == SLUICE_EOS_NONE)
        return reduce_kernel<dim, REDUCE_EOS_NONE>;
    if (r->eos == SLUICE_EOS_TAIT && r->gamma == 7 && r->background == 0 && !r->two)
        return reduce_kernel<dim, REDUCE_EOS_SEVENTH>;
    return reduce_kernel<dim, REDUCE_EOS_OTHER>;
}

sluice_status reduce(struct gpu_backend *gpu, const struct sluice_grid *g, struct sluice_reduce *r)
{
    const int type = r->set->type;
    struct gpu_scratch *partial = &gpu->partial[type];
    struct reduce_args q = {};
    SLUICE_CHECK(r->central_count <= SLUICE_CENTRAL_MAX, SLUICE_BAD_INPUT,
                 "reduce: %d central forces, at most %d", r->central_count,
                 (int)SLUICE_CENTRAL_MAX);
    q.set = set_of(gpu, r->set);
    q.frame = (const int32_t(*)[3])gpu->frames.index;
    for (int c = 0; c < 3; c++) {
        q.width[c] = g->width[c];
        q.gravity[c] = r->gravity[c];
        q.periodic[c] = c < g->dimension && g->periodic[c];
    }
    q.sound_speed = r->sound_speed;
    q.gamma = r->gamma;
    q.background = r->background;
    q.two = r->two;
    q.second = r->second;
    q.origin = r->origin;
    for (int n = 0; n < r->central_count; n++)
        q.central[n] = r->central[n];
    q.central_count = r->central_count;
    q.eos = r->eos;
    q.wall = type == SLUICE_WALL;
    q.rounds = r->set->count < ROUNDS_FROM ? 1 : REDUCE_ROUNDS;
    q.blocks = gpu_blocks(r->set->count, q.rounds * GPU_BLOCK);
    SLUICE_TRY(gpu_scratch_reserve(gpu, partial, (size_t)q.blocks * sizeof(struct reduce_sums)));
    q.of_block = (double *)partial->memory;
    gpu->reduce[type] = r;
    gpu->partial_blocks[type] = q.blocks;
    if (q.blocks == 0)
        return SLUICE_OK;
    const reduce_function kernel = r->set->dimension == 3 ? kernel_of<3>(r) : kernel_of<2>(r);
    GPU_LAUNCH(kernel, (unsigned)q.blocks, GPU_BLOCK, 0, gpu->stream, q);
    GPU_LAUNCHED("reduce");
    return SLUICE_OK;
}

} /* namespace GPU_PRECISION */
} /* namespace SLUICE_GPU */
