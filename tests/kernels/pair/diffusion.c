/* test: 0.2 s, emulator-slow, tsan-slow */
/* Density diffusion between particles at rest: it conserves sum m r, dissipates elastic energy
 * without gravity, and does nothing where the head has the slope g/c0^2. With different masses, and
 * with one mass, for which the pair loop has its own code. The same with a piezometric predicted
 * head. A filter removes the steady part of the head, in two fluids by each one's speed of sound.
 * On every backend. */
#include "support/pair_state.h"
#include "support/tap.h"
#include "support/tolerances.h"
#include "support/variants.h"
#include "kernels/backends/backends.h"

static const double high[3] = {5, 4, 3}, slope = 0.002; /* of the head, 1/m */

static struct wcsph_params water(int dim)
{
    const struct wcsph_params p = {.dimension = dim,
                                   .h = 0.5,
                                   .spacing = 0.3,
                                   .rho0 = 1.3,
                                   .sound_speed = 10,
                                   .gamma = 7,
                                   .delta = 0.1,
                                   .hydrostatic_diffusion = 1,
                                   .slip = 1};
    return p;
}

/* Random places, at rest. */
static void make_fluid(struct cloud *fluid, int dim, int equal, uint64_t seed)
{
    cloud_random(fluid, 700, dim, (const double[3]){0, 0, 0}, high, seed);
    for (int64_t i = 0; i < fluid->n; i++) {
        fluid->mass[i] = equal ? 0.93 : fluid->mass[i];
        memset(fluid->v[i], 0, sizeof fluid->v[i]);
    }
}

static int open_world(struct world *w, const struct variant *on, const struct cloud *fluid, int dim,
                      int real_bytes)
{
    const struct sluice_grid_options o = {.dimension = dim,
                                          .cutoff = 1,
                                          .high = {5, 4, 3},
                                          .frame_cutoffs = 2,
                                          .bins_per_cutoff = {8, 2, 2}};
    const struct sluice_backend_choice choice = {
        .name = on->backend, .isa = on->isa, .real_bytes = real_bytes, .threads = 1};
    const int opened = world_open(w, &choice, &o, fluid, NULL, 0) == SLUICE_OK;
    ok(opened, "%s, %d-D, %s: opened", on->name, dim, real_bytes == 4 ? "float" : "double");
    return opened;
}

static struct sluice_pass pass_of(struct world *w, const struct wcsph_params *p)
{
    struct sluice_set *set = &w->set[SLUICE_FLUID];
    const struct sluice_pass pass = {
        .name = "test", .params = p, .sums = SLUICE_ALL_SUMS, .target = set, .source = {set, NULL}};
    return pass;
}

/* Runs the pass; returns sum m R and, by pointer, sum |m R|. */
static double run(struct world *w, struct sluice_pass *pass, double *size)
{
    const struct sluice_set *set = &w->host[pass->target->type];
    double sum = 0;
    *size = 0;
    pass->pair = sluice_wcsph_pair(pass->params, sluice_pass_mass(pass));
    ok(w->backend.ops->interact(&w->backend, &w->grid, pass) == SLUICE_OK &&
           world_read(w) == SLUICE_OK,
       "interacts");
    for (int64_t i = 0; i < set->count; i++) {
        const double rate = field_at(set, SLUICE_FIELD_POSITION, i, set->dimension) *
                            field_at(set, SLUICE_FIELD_RATE, i, 0);
        sum += rate;
        *size += fabs(rate);
    }
    return sum;
}

static void check(const struct variant *on, int dim, int real_bytes, int equal)
{
    const double tolerance = real_bytes == 4 ? TOLERANCE_PAIR_FLOAT : TOLERANCE_PAIR_DOUBLE;
    struct wcsph_params p = water(dim);
    struct cloud fluid;
    struct world w;
    double size, still;
    make_fluid(&fluid, dim, equal, 5);
    if (open_world(&w, on, &fluid, dim, real_bytes)) {
        struct sluice_pass pass = pass_of(&w, &p);
        is_int(sluice_pass_mass(&pass) > 0, equal, "whether the pass has one mass");
        const double sum = run(&w, &pass, &size);
        is_close(sum / size, 0, tolerance, "sum m r is conserved");
        ok(pass.sum[SLUICE_SUM_DIFFUSION] < 0, "without gravity it takes elastic energy");

        p.gravity[dim - 1] = -slope * p.sound_speed * p.sound_speed;
        struct sluice_set *host = &w.host[SLUICE_FLUID];
        for (int64_t i = 0; i < host->count; i++) {
            const int64_t id = (int64_t)((const sluice_id *)host->field[SLUICE_FIELD_ID])[i];
            field_put(host, SLUICE_FIELD_PREDICTED, i, dim,
                      slope * (high[dim - 1] - fluid.x[fluid.n - 1 - id][dim - 1]));
        }
        world_write(&w, SLUICE_FLUID, SLUICE_FIELD_PREDICTED);
        run(&w, &pass, &still);
        is_close(still / size, 0, tolerance, "none where the head falls as it does at rest");
        world_close(&w);
    }
    cloud_destroy(&fluid);
}

/* Predicts the fluid's head as it is. */
static void predict(struct world *w, const struct wcsph_params *p)
{
    struct sluice_set *set = &w->set[SLUICE_FLUID];
    struct wcsph_predict_params params = {.wcsph = *p};
    const struct sluice_point point = {"test", SLUICE_POINTWISE_wcsph_predict, &params, set};
    sluice_grid_place(&w->grid, high, &params.origin);
    set->field[SLUICE_FIELD_RATE_OLD] = set->field[SLUICE_FIELD_RATE]; /* dt = 0: not used */
    ok(w->backend.ops->pointwise(&w->backend, &w->grid, &point) == SLUICE_OK, "predicts");
    set->field[SLUICE_FIELD_RATE_OLD] = NULL;
}

/* The same, and runs the pass. */
static void run_predicted(struct world *w, struct sluice_pass *pass, double *size)
{
    predict(w, pass->params);
    run(w, pass, size);
}

/* sum |m (R - rate)|. */
static double difference_of(const struct world *w, const double *rate)
{
    const struct sluice_set *set = &w->host[SLUICE_FLUID];
    double sum = 0;
    for (int64_t i = 0; i < set->count; i++)
        sum += field_at(set, SLUICE_FIELD_POSITION, i, set->dimension) *
               fabs(field_at(set, SLUICE_FIELD_RATE, i, 0) - rate[i]);
    return sum;
}

/* A piezometric head in place of the term of gravity, along any axis: the same rates. */
static void check_piezometric(const struct variant *on, int dim, int real_bytes, int equal)
{
    const double tolerance = real_bytes == 4 ? TOLERANCE_PAIR_FLOAT : TOLERANCE_PAIR_DOUBLE;
    struct wcsph_params p = water(dim);
    struct cloud fluid;
    struct world w;
    double size, *rate = calloc(700, sizeof *rate);
    make_fluid(&fluid, dim, equal, 6);
    if (open_world(&w, on, &fluid, dim, real_bytes)) {
        const struct sluice_set *host = &w.host[SLUICE_FLUID];
        struct sluice_pass pass = pass_of(&w, &p);
        memcpy(p.gravity, (const double[3]){0.1, -0.2, -0.3}, sizeof p.gravity);
        run_predicted(&w, &pass, &size);
        for (int64_t i = 0; i < host->count; i++)
            rate[i] = field_at(host, SLUICE_FIELD_RATE, i, 0);
        p.piezometric = 1;
        run_predicted(&w, &pass, &size);
        is_close(difference_of(&w, rate) / size, 0, tolerance, "the same with a piezometric head");
        p.gravity[dim - 1] += 0.1;
        run_predicted(&w, &pass, &size);
        ok(difference_of(&w, rate) / size > 1e-3, "and gravity is in it");
        world_close(&w);
    }
    free(rate);
    cloud_destroy(&fluid);
}

/* Predicts and filters; dt < 0: the mean begins. Returns the largest |head - wanted.(x - high)|,
 * and by pointer the largest |wanted.(x - high)|, wanted being that of the first fluid. */
static double run_filter(struct world *w, const struct cloud *fluid, const struct wcsph_params *p,
                         double dt, const double wanted[3], double *size)
{
    struct sluice_set *set = &w->set[SLUICE_FLUID], *host = &w->host[SLUICE_FLUID];
    struct wcsph_filter_params params = {.wcsph = *p, .dt = dt, .starts = dt < 0};
    const struct sluice_point point = {"test", SLUICE_POINTWISE_filter_head, &params, set};
    double most = 0;
    *size = 0;
    sluice_grid_place(&w->grid, high, &params.origin);
    predict(w, p);
    ok(w->backend.ops->pointwise(&w->backend, &w->grid, &point) == SLUICE_OK &&
           world_read(w) == SLUICE_OK,
       "filters");
    for (int64_t i = 0; i < host->count; i++) {
        const int64_t id = (int64_t)((const sluice_id *)host->field[SLUICE_FIELD_ID])[i];
        double head = 0;
        for (int c = 0; c < p->dimension; c++)
            head += wanted[c] * (fluid->x[fluid->n - 1 - id][c] - high[c]);
        const double speed = p->sound_speed / wcsph_of(p, cloud_phase((sluice_id)id))->sound_speed;
        head *= speed * speed;
        *size = fmax(*size, fabs(head));
        most = fmax(most, fabs(field_at(host, SLUICE_FIELD_PREDICTED, i, p->dimension) - head));
    }
    return most;
}

/* The filtered head is 0 at the start. After a change of g.x/c0^2 it is the part of the change that
 * the mean has not followed yet. */
static void check_filter(const struct variant *on, int dim, int real_bytes, int two)
{
    const double tolerance = real_bytes == 4 ? 1e-6 : 1e-14, none[3] = {0, 0, 0};
    struct wcsph_params p = water(dim), second = p;
    struct cloud fluid;
    struct world w;
    double size, change[3];
    make_fluid(&fluid, dim, 1, 8);
    second.rho0 = 0.4;
    second.sound_speed = 17;
    p.second = two ? &second : NULL;
    if (open_world(&w, on, &fluid, dim, real_bytes)) {
        memcpy(p.gravity, (const double[3]){0.1, -0.2, -0.3}, sizeof p.gravity);
        p.filter = 8;
        ok(run_filter(&w, &fluid, &p, -1, none, &size) == 0, "no head at the start");
        for (int c = 0; c < dim; c++) {
            change[c] = -0.75 * 0.5 / (p.sound_speed * p.sound_speed);
            p.gravity[c] += 0.5;
        }
        const double after = run_filter(&w, &fluid, &p, 2, change, &size);
        is_close(after / size, 0, tolerance,
                 "a quarter of the filter's time later: 3/4 of a change");
        for (int c = 0; c < dim; c++)
            change[c] *= 0.75;
        const double later = run_filter(&w, &fluid, &p, 2, change, &size);
        is_close(later / size, 0, tolerance, "and after another quarter 9/16");
        ok(run_filter(&w, &fluid, &p, 100, none, &size) <= tolerance * 0.02,
           "none after a step that is longer than the filter");
        world_close(&w);
    }
    cloud_destroy(&fluid);
}

/* The mass that a pass's particles share. */
static void check_masses(void)
{
    struct sluice_set fluid = {.capacity = 2, .mass = 0.1}, wall = {.capacity = 2, .mass = 0.1};
    const struct sluice_pass pass = {.target = &fluid, .source = {&fluid, &wall}};
    ok(sluice_pass_mass(&pass) == 0.1, "a pass of one mass");
    wall.mass = 0.2;
    ok(sluice_pass_mass(&pass) == 0, "of two");
    wall.capacity = 0;
    ok(sluice_pass_mass(&pass) == 0.1, "the second without a particle");
    fluid.mass = 0;
    ok(sluice_pass_mass(&pass) == 0, "of many");
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    check_masses();
    for (int k = 0; k < n; k++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            for (int dim = 2; dim <= 3; dim++) {
                check_filter(&variants[k], dim, real_bytes, 0);
                check_filter(&variants[k], dim, real_bytes, 1);
                for (int equal = 0; equal < 2; equal++) {
                    check(&variants[k], dim, real_bytes, equal);
                    check_piezometric(&variants[k], dim, real_bytes, equal);
                }
            }
    return done_testing();
}
