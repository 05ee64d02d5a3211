/* test: 1 s, emulator, tsan-slow */
/* Energies, momenta and extremes of a set against plain sums, on every backend and instruction set,
 * in both precisions; the same bits however many threads, and again. */
#include <float.h>

#include "support/pair_state.h"
#include "support/tap.h"
#include "support/variants.h"
#include "kernels/backends/backends.h"
#include "kernels/types/scalar_energy.h"

static const struct sluice_central spring = {{{0, 0, 0}, {0.1, 0.2, 0.3}}, 2};

static double with_low(const struct sluice_set *set, int field, int low, int64_t i, int c)
{
    return field_at(set, (enum sluice_field)field, i, c) +
           field_at(set, (enum sluice_field)low, i, c);
}

/* A fraction of a unit in the last place of a field's value. */
static void put_lost(struct sluice_set *set, enum sluice_field f, enum sluice_field low, int64_t i,
                     int c, double part)
{
    const double value = field_at(set, f, i, c);
    field_put(set, low, i, c,
              part * exp2(ilogb(value == 0 ? 1 : value) - (set->real_bytes == 4 ? 23 : 52)));
}

/* Fills the rounding residues as a run would leave them. */
static void fill_low(struct world *w)
{
    struct sluice_set *set = &w->host[SLUICE_FLUID];
    for (int64_t i = 0; i < set->count; i++) {
        put_lost(set, SLUICE_FIELD_SCALAR, SLUICE_FIELD_SCALAR_LOW, i, 0, 0.3);
        for (int c = 0; c < set->dimension; c++) {
            put_lost(set, SLUICE_FIELD_POSITION, SLUICE_FIELD_POSITION_LOW, i, c, 0.4);
            put_lost(set, SLUICE_FIELD_VELOCITY, SLUICE_FIELD_VELOCITY_LOW, i, c, -0.4);
        }
    }
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_SCALAR_LOW);
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_POSITION_LOW);
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_VELOCITY_LOW);
}

/* Adds particle i to the sums. Below the fluid's `least` the energy grows with the given slope; on
 * a CPU the least r is the limit there. */
static void add(const struct world *w, const struct sluice_reduce *q, int64_t i, int is_cpu,
                struct sluice_summary *s)
{
    const struct sluice_set *set = &w->host[SLUICE_FLUID];
    const struct sluice_grid *g = &w->grid;
    const uint32_t *phase = set->field[SLUICE_FIELD_PHASE];
    const int second = q->energy->two && phase[i];
    const struct scalar_energy_fluid *fluid = &q->energy->fluid[second];
    const struct wcsph_params eos = {.rho0 = second ? 1 : 1000,
                                     .sound_speed = fluid->sound_speed,
                                     .gamma = fluid->gamma,
                                     .eos = q->energy->eos,
                                     .background = fluid->background};
    const int32_t *frame = g->frame[((const uint32_t *)set->field[SLUICE_FIELD_FRAME])[i]];
    const int up = set->dimension - 1;
    const double m = field_at(set, SLUICE_FIELD_POSITION, i, set->dimension),
                 r = with_low(set, SLUICE_FIELD_SCALAR, SLUICE_FIELD_SCALAR_LOW, i, 0),
                 bound = fmax(r, fluid->least);
    double x[3] = {0, 0, 0}, v[3] = {0, 0, 0}, v2 = 0, a2 = 0, d2 = 0;
    for (int c = 0; c < set->dimension; c++) {
        const double local = with_low(set, SLUICE_FIELD_POSITION, SLUICE_FIELD_POSITION_LOW, i, c);
        const double a = field_at(set, SLUICE_FIELD_ACCELERATION, i, c);
        v[c] = with_low(set, SLUICE_FIELD_VELOCITY, SLUICE_FIELD_VELOCITY_LOW, i, c);
        x[c] = (frame[c] - q->origin.frame[c]) * g->width[c] + local - q->origin.offset[c];
        const double d = (frame[c] - spring.centre.frame[c]) * g->width[c] + local -
                         spring.centre.offset[c];
        v2 += v[c] * v[c];
        a2 += a * a;
        d2 += d * d;
    }
    s->mass += m;
    s->kinetic += m * v2 / 2;
    s->elastic += m * (sluice_wcsph_elastic_energy(&eos, bound) + fluid->opening * (r - bound));
    s->potential += m * (-q->gravity[up] * x[up] +
                         q->central_count * spring.strength * spring.strength * d2 / 2);
    s->driven_power += m * q->driven[0] * v[0];
    s->momentum[1] += m * v[1];
    s->angular[2] += m * (x[0] * v[1] - x[1] * v[0]);
    s->extremes.max_speed2 = fmax(s->extremes.max_speed2, v2);
    s->extremes.max_acceleration2 = fmax(s->extremes.max_acceleration2, a2);
    s->extremes.min_scalar = fmin(s->extremes.min_scalar, is_cpu ? bound : r);
    s->extremes.max_scalar = fmax(s->extremes.max_scalar, r);
}

/* Sums to within e, extremes to within `rounded`: a GPU takes those in the state's precision. */
static void compare(const struct sluice_summary *got, const struct sluice_summary *want, double e,
                    double rounded)
{
    is_close(got->mass / want->mass, 1, e, "mass");
    is_close(got->kinetic / want->kinetic, 1, e, "kinetic energy, compensation included");
    is_close(got->elastic / want->elastic, 1, e, "elastic energy");
    is_close(got->potential / want->potential, 1, e,
             "potential energy in gravity and, in some cases, a central force");
    is_close(got->driven_power, want->driven_power, e * want->mass,
             "power of an acceleration without a potential");
    is_close(got->momentum[1], want->momentum[1], e * want->mass, "momentum");
    is_close(got->angular[2], want->angular[2], e * want->mass, "angular momentum");
    is_close(got->extremes.max_speed2, want->extremes.max_speed2,
             rounded * want->extremes.max_speed2, "largest speed");
    is_close(got->extremes.max_acceleration2, want->extremes.max_acceleration2,
             rounded * want->extremes.max_acceleration2, "largest acceleration");
    is_close(got->extremes.min_scalar, want->extremes.min_scalar,
             rounded * fabs(want->extremes.min_scalar), "least density");
    is_close(got->extremes.max_scalar, want->extremes.max_scalar,
             rounded * fabs(want->extremes.max_scalar), "greatest density");
    ok(got->extremes.not_finite == 0 && got->extremes.first_not_finite == -1, "all is finite");
}

static void reduce(struct world *w, struct sluice_reduce *q)
{
    memset(&q->out, 0, sizeof q->out);
    if (w->backend.ops->reduce(&w->backend, &w->grid, q) != SLUICE_OK || world_read(w) != SLUICE_OK)
        diag("%s", sluice_message());
}

static void open_world(struct world *w, const struct variant *on, int dim, int real_bytes,
                       int threads, int64_t n)
{
    const struct sluice_grid_options options = {.dimension = dim,
                                                .cutoff = 0.125,
                                                .high = {2, 2, 2},
                                                .periodic = {1, 0, 0},
                                                .frame_cutoffs = 8,
                                                .bins_per_cutoff = {8, 2, 2}};
    const struct sluice_backend_choice choice = {
        .name = on->backend, .isa = on->isa, .real_bytes = real_bytes, .threads = threads};
    struct cloud cloud;
    cloud_random(&cloud, n, dim, (const double[3]){0, 0, 0}, (const double[3]){2, 2, 2}, 42);
    if (world_open(w, &choice, &options, &cloud, NULL, 0) != SLUICE_OK)
        diag("%s", sluice_message());
    fill_low(w);
    cloud_destroy(&cloud);
}

static struct sluice_reduce question(struct world *w)
{
    static const struct scalar_energy_params energies[] = {
        {.fluid = {{30, 7, 0, 0, -1}}},
        {.two = 1, .fluid = {{30, 7, 0, 0, -1}, {90, 1.4, 2, 0, -1}}}};
    static struct scalar_energy_params energy;
    struct sluice_reduce q = {.set = &w->set[SLUICE_FLUID],
                              .sums = 1,
                              .energy = &energy,
                              .driven = {3, 0, 0},
                              .central_count = w->set[SLUICE_FLUID].count % 5 != 0,
                              .central = &spring};
    q.gravity[w->grid.dimension - 1] = -9.81;
    energy = energies[q.set->count % 2]; /* two fluids in every other case */
    if (q.set->count % 256 < 2) {
        energy.fluid[0].least = energy.fluid[1].least = -0.002;
        energy.fluid[0].opening = -1.5;
        if (energy.two) /* the first of them bears no tension at all */
            energy.fluid[0].least = energy.fluid[0].opening = 0;
        energy.fluid[1].opening = -70;
    }
    sluice_grid_place(&w->grid, (double[3]){0, 0, 0}, &q.origin);
    return q;
}

static void check(const struct variant *on, int dim, int real_bytes, int64_t n)
{
    struct world w;
    struct sluice_summary want = {
        .extremes = {.min_scalar = INFINITY, .max_scalar = -INFINITY, .first_not_finite = -1}};
    open_world(&w, on, dim, real_bytes, 1, n);
    struct sluice_reduce q = question(&w);
    for (int64_t i = 0; i < w.host[SLUICE_FLUID].count; i++)
        add(&w, &q, i, on->is_cpu, &want);
    reduce(&w, &q);
    const struct sluice_summary got = q.out;
    diag("%s, %d-D, %d bytes, %lld particles", on->name, dim, real_bytes, (long long)n);
    /* Sums of 5000 terms in double, in another order; squares of three floats. */
    compare(&got, &want, 1e-12, real_bytes == 4 && !on->is_cpu ? 4 * FLT_EPSILON : 1e-12);
    q.sums = 0;
    reduce(&w, &q);
    ok(memcmp(&q.out.extremes, &got.extremes, sizeof got.extremes) == 0 && q.out.mass == 0,
       "the same extremes without sums");
    world_close(&w);
    for (int threads = 1; threads <= (on->is_cpu ? 3 : 1); threads++) {
        open_world(&w, on, dim, real_bytes, threads, n);
        struct sluice_reduce again = question(&w);
        reduce(&w, &again);
        ok(memcmp(&again.out, &got, sizeof got) == 0, "the same bits again, %d threads", threads);
        world_close(&w);
    }
}

/* A world whose particles were kicked, and what reduce made of it: at once, or one after the other.
 */
static struct sluice_summary kicked(struct world *w, const struct variant *on, int dim,
                                    int real_bytes, int64_t n, int at_once)
{
    open_world(w, on, dim, real_bytes, 1, n);
    struct sluice_set *set = &w->host[SLUICE_FLUID];
    struct sluice_reduce q = question(w);
    for (int64_t i = 0; i < n; i++)
        field_put(set, SLUICE_FIELD_RATE, i, 0, 1 + (double)i / (double)n);
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_RATE);
    if (w->backend.ops->kick(&w->backend, &w->set[SLUICE_FLUID], 1e-3) != SLUICE_OK ||
        (!at_once && w->backend.ops->sync(&w->backend) != SLUICE_OK))
        diag("%s", sluice_message());
    reduce(w, &q);
    return q.out;
}

/* A kick in front of the reduction changes the same particles by the same bits, once, and the
 * reduction sees it. */
static void check_kicked(const struct variant *on, int dim, int real_bytes, int64_t n)
{
    static const enum sluice_field fields[] = {SLUICE_FIELD_VELOCITY, SLUICE_FIELD_VELOCITY_LOW,
                                               SLUICE_FIELD_SCALAR, SLUICE_FIELD_SCALAR_LOW};
    struct world before, apart, together;
    open_world(&before, on, dim, real_bytes, 1, n);
    const struct sluice_summary want = kicked(&apart, on, dim, real_bytes, n, 0),
                                got = kicked(&together, on, dim, real_bytes, n, 1);
    int64_t differ = 0, still = 0;
    for (int64_t i = 0; i < n; i++)
        for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
            const double a = field_at(&apart.host[SLUICE_FLUID], fields[f], i, 0);
            differ += a != field_at(&together.host[SLUICE_FLUID], fields[f], i, 0);
            still += f % 2 == 0 && a == field_at(&before.host[SLUICE_FLUID], fields[f], i, 0);
        }
    ok(differ == 0 && still == 0 && memcmp(&got, &want, sizeof got) == 0,
       "%s, %d-D, %d bytes: %lld particles kicked and reduced at once", on->name, dim, real_bytes,
       (long long)n);
    world_close(&before);
    world_close(&apart);
    world_close(&together);
}

static void check_not_finite(const struct variant *on, int real_bytes)
{
    struct world w;
    open_world(&w, on, 3, real_bytes, 1, 5000);
    struct sluice_set *set = &w.host[SLUICE_FLUID];
    const sluice_id *id = set->field[SLUICE_FIELD_ID];
    struct sluice_reduce q = question(&w);
    const sluice_id least = id[4321] < id[4999] ? id[4321] : id[4999];
    field_put(set, SLUICE_FIELD_VELOCITY, 4321, 1, NAN);
    field_put(set, SLUICE_FIELD_SCALAR, 4999, 0, INFINITY);
    world_write(&w, SLUICE_FLUID, SLUICE_FIELD_VELOCITY);
    world_write(&w, SLUICE_FLUID, SLUICE_FIELD_SCALAR);
    for (int sums = 0; sums < 2; sums++) {
        q.sums = sums;
        reduce(&w, &q);
        ok(q.out.extremes.not_finite == 2 && q.out.extremes.first_not_finite == (int64_t)least,
           "%s: particles that are not finite are counted, the smallest id is named%s", on->name,
           sums ? "" : ", without sums");
    }
    int marked = 77;
    while (id[marked] > least)
        marked++;
    field_put(set, SLUICE_FIELD_POSITION_LOW, marked, 2, NAN);
    world_write(&w, SLUICE_FLUID, SLUICE_FIELD_POSITION_LOW);
    reduce(&w, &q);
    ok(q.out.extremes.not_finite == 3 && q.out.extremes.first_not_finite == (int64_t)id[marked],
       "and those of which only a mark is left in the place of what was lost");
    world_close(&w);
}

static void check_nothing(const struct variant *on, int real_bytes)
{
    struct world w;
    open_world(&w, on, 2, real_bytes, 1, 0);
    struct sluice_reduce q = question(&w);
    reduce(&w, &q);
    ok(q.out.mass == 0 && q.out.kinetic == 0 && q.out.extremes.not_finite == 0 &&
           q.out.extremes.first_not_finite == -1 && q.out.extremes.min_scalar == INFINITY,
       "%s: no particle", on->name);
    world_close(&w);
}

int main(void)
{
    static const int64_t counts[] = {1, 255, 256, 257, 1023, 1025, 5000};
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    for (int k = 0; k < n; k++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4) {
            for (int dim = 2; dim <= 3; dim++)
                for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                    if (dim == 3 || counts[c] == 5000) {
                        check(&variants[k], dim, real_bytes, counts[c]);
                        check_kicked(&variants[k], dim, real_bytes, counts[c]);
                    }
            check_not_finite(&variants[k], real_bytes);
            check_nothing(&variants[k], real_bytes);
        }
    return done_testing();
}
