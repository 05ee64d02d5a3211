/* Energies, momenta and limits of a set against plain sums, for every precision and instruction
 * set, and any number of threads. */
#include "tap.h"

#include <omp.h>

#include "kernels/cpu/cpu_backend.h"
#include "kernels/registry.h"
#include "backend/wcsph_params.h"

enum { N = 5000, DIM = 3 };

/* Arrays of doubles that are valid as arrays of floats too. */
static double position[N * 4], position_low[N * 3], velocity[N * 3], velocity_low[N * 3],
    acceleration[N * 3], density[N], density_low[N];
static uint32_t frame[N];

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

static double put(const struct cpu_leaf *leaf, double *to, int k, double value)
{
    if (leaf->real_bytes == 8)
        return to[k] = value;
    ((float *)to)[k] = (float)value;
    return (double)(float)value;
}

static const struct sluice_central spring = {{{0, 0, 0}, {0.1, 0.2, 0.3}}, 2};

/* Fills the arrays and returns the sums that they should give. */
static struct sluice_summary fill(const struct cpu_leaf *leaf, const struct sluice_grid *g,
                                  const struct sluice_reduce *q)
{
    const struct wcsph_params eos = {
        .rho0 = 1000, .sound_speed = q->sound_speed, .gamma = q->gamma, .eos = q->eos};
    struct sluice_summary s = {
        .min_density = INFINITY, .max_density = -INFINITY, .first_not_finite = -1};
    uint64_t state = 42;
    for (int i = 0; i < N; i++) {
        double x[3], local[3], v[3], v2 = 0, a2 = 0, d2 = 0;
        frame[i] = (uint32_t)(uniform(&state) * g->frame_count);
        const double m = put(leaf, position, 4 * i + 3, 1 + uniform(&state));
        const double r = put(leaf, density, i, 0.02 * uniform(&state) - 0.01) +
                         put(leaf, density_low, i, 1e-9);
        for (int c = 0; c < 3; c++) {
            local[c] = put(leaf, position, 4 * i + c, uniform(&state) - 0.5) +
                       put(leaf, position_low, 3 * i + c, 1e-8);
            v[c] = put(leaf, velocity, 3 * i + c, uniform(&state) - 0.5) +
                   put(leaf, velocity_low, 3 * i + c, -1e-8);
            const double a = put(leaf, acceleration, 3 * i + c, uniform(&state));
            x[c] = (g->frame[frame[i]][c] - q->origin.frame[c]) * g->width[c] + local[c] -
                   q->origin.offset[c];
            const double d = (g->frame[frame[i]][c] - spring.centre.frame[c]) * g->width[c] +
                             local[c] - spring.centre.offset[c];
            v2 += v[c] * v[c];
            a2 += a * a;
            d2 += d * d;
        }
        s.mass += m;
        s.kinetic += m * v2 / 2;
        s.elastic += m * sluice_wcsph_elastic_energy(&eos, r);
        s.potential += m * (-q->gravity[2] * x[2] + spring.strength * spring.strength * d2 / 2);
        s.gravity_power += m * q->gravity[0] * v[0];
        s.momentum[1] += m * v[1];
        s.angular[2] += m * (x[0] * v[1] - x[1] * v[0]);
        s.max_speed2 = fmax(s.max_speed2, v2);
        s.max_acceleration2 = fmax(s.max_acceleration2, a2);
        s.min_density = fmin(s.min_density, r);
        s.max_density = fmax(s.max_density, r);
    }
    return s;
}

static void variant(const struct cpu_leaf *leaf)
{
    const struct sluice_grid_options options = {.dimension = 3,
                                                .cutoff = 0.125,
                                                .high = {2, 2, 2},
                                                .periodic = {1, 0, 0},
                                                .frame_cutoffs = 8,
                                                .bins_per_cutoff = {8, 2, 2}};
    struct sluice_grid g;
    struct cpu_scratch work = {NULL, 0};
    struct sluice_set set = {.type = SLUICE_FLUID,
                             .dimension = DIM,
                             .real_bytes = leaf->real_bytes,
                             .moves = 1,
                             .count = N};
    set.field[SLUICE_FIELD_POSITION] = position;
    set.field[SLUICE_FIELD_POSITION_LOW] = position_low;
    set.field[SLUICE_FIELD_VELOCITY] = velocity;
    set.field[SLUICE_FIELD_VELOCITY_LOW] = velocity_low;
    set.field[SLUICE_FIELD_ACCELERATION] = acceleration;
    set.field[SLUICE_FIELD_DENSITY] = density;
    set.field[SLUICE_FIELD_DENSITY_LOW] = density_low;
    set.field[SLUICE_FIELD_FRAME] = frame;
    sluice_grid_create(&g, &options);
    sluice_grid_set_frames(&g, (const int32_t[2][3]){{0, 0, 0}, {1, 1, 1}}, 2);
    struct sluice_reduce q = {.set = &set,
                              .eos = SLUICE_EOS_TAIT,
                              .sound_speed = 30,
                              .gamma = 7,
                              .gravity = {3, 0, -9.81},
                              .central_count = 1,
                              .central = &spring};
    sluice_grid_place(&g, (double[3]){0, 0, 0}, &q.origin);

    const struct sluice_summary want = fill(leaf, &g, &q);
    omp_set_num_threads(1);
    ok(leaf->reduce(&g, &q, &work) == SLUICE_OK, "%s, %d bytes", leaf->isa, leaf->real_bytes);
    const struct sluice_summary got = q.out;
    const double e = 1e-12; /* sums of 5000 terms in double, in another order */
    is_close(got.mass / want.mass, 1, e, "mass");
    is_close(got.kinetic / want.kinetic, 1, e, "kinetic energy, compensation included");
    is_close(got.elastic / want.elastic, 1, e, "elastic energy");
    is_close(got.potential / want.potential, 1, e,
             "potential energy in gravity and a central force");
    is_close(got.gravity_power, want.gravity_power, e * want.mass,
             "power of gravity along the periodic axis");
    is_close(got.momentum[1], want.momentum[1], e * want.mass, "momentum");
    is_close(got.angular[2], want.angular[2], e * want.mass, "angular momentum");
    is_close(got.max_speed2, want.max_speed2, e, "largest speed");
    is_close(got.max_acceleration2, want.max_acceleration2, e * want.max_acceleration2,
             "largest acceleration");
    ok(got.min_density == want.min_density && got.max_density == want.max_density,
       "range of densities");
    ok(got.not_finite == 0 && got.first_not_finite == -1, "all is finite");
    for (int threads = 2; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        leaf->reduce(&g, &q, &work);
        ok(memcmp(&q.out, &got, sizeof got) == 0, "the same bits with %d threads", threads);
    }
    put(leaf, velocity, 3 * 4321 + 1, NAN);
    put(leaf, density, 4999, INFINITY);
    leaf->reduce(&g, &q, &work);
    ok(q.out.not_finite == 2 && q.out.first_not_finite == 4321,
       "particles that are not finite are counted, the first is named");
    free(work.memory);
    sluice_grid_destroy(&g);
}

int main(void)
{
    for (int i = 0; cpu_leaves[i]; i++)
        if (cpu_leaf_runs_here(cpu_leaves[i]))
            variant(cpu_leaves[i]);
    return done_testing();
}
