/* Energies, momenta and limits of a set, from the compensated state: value plus what its rounding
 * lost, in double. Each block leaves one number of each kind, which gpu_fold folds further. */
#include "kernels/gpu/fold.h"
#include "kernels/gpu/leaf.h"
#include "kernels/pointwise/eos.h"

namespace SLUICE_GPU
{
namespace GPU_PRECISION
{

enum { REDUCE_ROUNDS = 4, REDUCE_PARTICLES = REDUCE_ROUNDS * GPU_BLOCK }; /* of a block */

struct reduce_args {
    struct gpu_set set;
    const int32_t (*frame)[3]; /* index of each slot */
    double width[3], gravity[3], sound_speed, gamma;
    struct sluice_place origin;
    struct sluice_central central[SLUICE_CENTRAL_MAX];
    int central_count, periodic[3], eos, wall;
    int64_t blocks;
    double *of_block; /* [SUMMARY_COUNT][blocks] */
};

/* What is summed of the particles, as in struct sluice_summary; the index of the first one that is
 * not finite, infinity where all are. */
struct reduce_sums {
    double mass, kinetic, elastic, potential, momentum[3], angular[3], gravity_power, max_speed2,
        max_acceleration2, min_density, max_density, not_finite, first_not_finite;
};

/* Component c of particle i of a vector field with its compensation; 0 where the field does not
 * exist. */
static __device__ double value_of(const real *x, const real *lost, int64_t i, int stride,
                                  int low_stride, int c)
{
    return x ? (double)x[stride * i + c] + (lost ? (double)lost[low_stride * i + c] : 0) : 0;
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

/* Mass times velocity, squared speeds, place and potential; returns the sum of all components. */
template <int dim>
static __device__ double add_motion(const struct reduce_args &q, int64_t i, struct reduce_sums *s)
{
    real *const *field = q.set.v.field;
    const real *position = field[SLUICE_FIELD_POSITION];
    const double m = (double)position[(dim + 1) * i + dim];
    const int32_t *frame = q.frame[((const uint32_t *)field[SLUICE_FIELD_FRAME])[i]];
    double offset[3] = {0, 0, 0}, x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, v2 = 0, a2 = 0, power = 0,
           all = 0;
    for (int c = 0; c < dim; c++) {
        const double a = value_of(field[SLUICE_FIELD_ACCELERATION], NULL, i, dim, 0, c);
        offset[c] = value_of(position, field[SLUICE_FIELD_POSITION_LOW], i, dim + 1, dim, c);
        x[c] = (double)(frame[c] - q.origin.frame[c]) * q.width[c] +
               (offset[c] - q.origin.offset[c]);
        v[c] = value_of(field[SLUICE_FIELD_VELOCITY], field[SLUICE_FIELD_VELOCITY_LOW], i, dim, dim,
                        c);
        v2 += v[c] * v[c];
        a2 += a * a;
        power += q.periodic[c] ? q.gravity[c] * v[c] : 0;
        all += x[c] + v[c] + a;
    }
    s->mass += m;
    s->kinetic += 0.5 * m * v2;
    s->potential += m * potential_energy<dim>(q, frame, offset, x);
    s->gravity_power += m * power;
    for (int c = 0; c < 3; c++) {
        const int j = (c + 1) % 3, k = (c + 2) % 3;
        s->momentum[c] += m * v[c];
        s->angular[c] += m * (x[j] * v[k] - x[k] * v[j]);
    }
    s->max_speed2 = fmax(s->max_speed2, v2);
    s->max_acceleration2 = fmax(s->max_acceleration2, a2);
    return all;
}

template <int dim>
static __device__ void add_particle(const struct reduce_args &q, int64_t i, struct reduce_sums *s)
{
    real *const *field = q.set.v.field;
    double r = value_of(field[SLUICE_FIELD_DENSITY], field[SLUICE_FIELD_DENSITY_LOW], i, 1, 1, 0);
    const double all = add_motion<dim>(q, i, s) + r;
    if (q.wall && r < 0)
        r = 0;
    s->elastic += (double)VIEW(&q.set.v, POSITION, i, dim + 1, dim) *
                  eos_elastic_energy(q.eos, q.sound_speed, q.gamma, r);
    s->min_density = fmin(s->min_density, r);
    s->max_density = fmax(s->max_density, r);
    if (!isfinite(all)) {
        s->not_finite += 1;
        s->first_not_finite = fmin(s->first_not_finite, (double)i);
    }
}

template <int dim>
__global__ void __launch_bounds__(GPU_BLOCK) reduce_kernel(const struct reduce_args q)
{
    GPU_SHARED(double, part, [SUMMARY_COUNT][FOLD_WARPS_MOST]);
    struct reduce_sums s = {};
    s.min_density = s.first_not_finite = INFINITY;
    s.max_density = -INFINITY;
    const int64_t first = (int64_t)blockIdx.x * REDUCE_PARTICLES + threadIdx.x,
                  alive = alive_in(q.set);
    for (int round = 0; round < REDUCE_ROUNDS; round++)
        if (first + round * GPU_BLOCK < alive)
            add_particle<dim>(q, first + round * GPU_BLOCK, &s);
    int row = 0;
#define X(number, op) fold_lanes(op, s.number, part[row++]);
    SUMMARY_NUMBERS(X)
#undef X
    __syncthreads();
    row = 0;
#define X(number, op)                                                                              \
    if ((int)threadIdx.x == row++)                                                                 \
        q.of_block[(row - 1) * q.blocks + blockIdx.x] = fold_warps(op, part[row - 1]);
    SUMMARY_NUMBERS(X)
#undef X
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
    q.origin = r->origin;
    for (int n = 0; n < r->central_count; n++)
        q.central[n] = r->central[n];
    q.central_count = r->central_count;
    q.eos = r->eos;
    q.wall = type == SLUICE_WALL;
    q.blocks = gpu_blocks(r->set->count, REDUCE_PARTICLES);
    SLUICE_TRY(gpu_scratch_reserve(gpu, partial, (size_t)q.blocks * sizeof(struct reduce_sums)));
    q.of_block = (double *)partial->memory;
    gpu->reduce[type] = r;
    gpu->partial_blocks[type] = q.blocks;
    if (q.blocks == 0)
        return SLUICE_OK;
    auto kernel = r->set->dimension == 3 ? reduce_kernel<3> : reduce_kernel<2>;
    GPU_LAUNCH(kernel, (unsigned)q.blocks, GPU_BLOCK, 0, gpu->stream, q);
    GPU_LAUNCHED("reduce");
    return SLUICE_OK;
}

} /* namespace GPU_PRECISION */
} /* namespace SLUICE_GPU */
