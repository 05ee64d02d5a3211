/* bench claims linearisation: the order of axes in the index of cells. Cells are numbered along x
 * first, then along y and z, in all of the box: it has one frame. So the same disordered particles
 * lie in a periodic box that is eight times as long as wide, along x, y or z: the axes are swapped,
 * not the program. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/claims.h"
#include "core/allocate.h"

enum { WAYS = 3, TIMES_AS_LONG = 8, ONE_FRAME = 4096 };

/* Axis c of the box along x is axis (c + way) % 3. */
struct axes {
    struct sluice_bench *bench;
    struct sluice_config config[WAYS];
    struct sluice_case setup[WAYS];
    struct sluice_sim sim[WAYS];
    struct wcsph_params params[WAYS];
    struct sluice_pass pass[WAYS];
};

static sluice_status launch(void *data, int way)
{
    struct axes *a = data;
    struct sluice_backend *b = &a->sim[way].backend;
    return b->ops->interact(b, &a->sim[way].grid, &a->pass[way]);
}

/* --- The box along each axis ---- */

static sluice_status parse_box(struct axes *a, int way)
{
    const struct sluice_bench_settings *settings = a->bench->settings;
    const double n = (double)sluice_bench_particles(settings),
                 width = fmax(8, rint(cbrt(n / TIMES_AS_LONG)));
    double edge[3] = {width, width, width};
    struct sluice_bench_case box;
    edge[way] = TIMES_AS_LONG * width;
    sluice_bench_make_box(&box, edge, "wendland-c2", 1.5);
    SLUICE_TRY(settings->parse(settings->parse_data, box.config, "linearisation", &a->config[way]));
    a->config[way].backend.frame_cutoffs = ONE_FRAME;
    return sluice_case_create(&a->setup[way], &a->config[way], NULL);
}

/* Places the particles of the box along x in another one. */
static sluice_status turn(struct axes *a, int way)
{
    const struct sluice_start *from = &a->setup[0].start[SLUICE_FLUID];
    struct sluice_start *to = &a->setup[way].start[SLUICE_FLUID];
    struct sluice_grid along_x, along = {0};
    SLUICE_TRY(sluice_grid_create(&along_x, &a->setup[0].grid));
    const sluice_status status = sluice_grid_create(&along, &a->setup[way].grid);
    for (int64_t i = 0; i < from->count && status == SLUICE_OK; i++) {
        double x[3], turned[3];
        sluice_grid_coordinates(&along_x, &from->place[i], x);
        for (int c = 0; c < 3; c++) {
            turned[(c + way) % 3] = x[c];
            to->velocity[i][(c + way) % 3] = from->velocity[i][c];
        }
        to->id[i] = from->id[i];
        to->density[i] = from->density[i];
        sluice_grid_place(&along, turned, &to->place[i]);
    }
    sluice_grid_destroy(&along_x);
    sluice_grid_destroy(&along);
    return status;
}

static sluice_status start(struct axes *a, int way)
{
    struct sluice_sim *sim = &a->sim[way];
    struct sluice_set *fluid = &sim->set[SLUICE_FLUID];
    SLUICE_TRY(parse_box(a, way));
    SLUICE_TRY(way == 0 ? sluice_bench_disorder(&a->setup[0]) : turn(a, way));
    SLUICE_TRY(sluice_sim_create(sim, &a->config[way], &a->setup[way], &a->bench->log));
    SLUICE_TRY(sluice_sim_start(sim));
    a->params[way] = a->setup[way].physics.wcsph;
    a->params[way].begins = 1;
    a->pass[way] = (struct sluice_pass){
        .name = "pair loop", .params = &a->params[way], .target = fluid, .source = {fluid, NULL}};
    a->pass[way].pair = sluice_wcsph_pair(&a->params[way], sluice_pass_mass(&a->pass[way]));
    return SLUICE_OK;
}

/* --- Checking: all have the same accelerations ---- */

/* Sums have another order: about a unit in the last place of the largest term, and terms may be a
 * hundred times their sum. */
static sluice_status compare(struct axes *a, int way, const double *want, const double *got)
{
    const int64_t count = a->sim[0].set[SLUICE_FLUID].count;
    const double tolerance = a->sim[0].backend.real_bytes == 4 ? 1e-4 : 1e-12;
    double most = 0;
    for (int64_t k = 0; k < 3 * count; k++)
        most = fmax(most, fabs(want[k]));
    for (int64_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++) {
            const double here = got[3 * i + (c + way) % 3];
            SLUICE_CHECK(most > 0 && fabs(here - want[3 * i + c]) <= tolerance * most,
                         SLUICE_FAILED_CHECK,
                         "bench claims linearisation, long-%c: an acceleration of particle %lld is "
                         "%.9g, and %.9g in the box along x; that is a mistake of the program",
                         "xyz"[way], (long long)i, here, want[3 * i + c]);
        }
    return SLUICE_OK;
}

static sluice_status fetch(struct axes *a, int way, double *to)
{
    SLUICE_TRY(launch(a, way));
    SLUICE_TRY(a->sim[way].backend.ops->sync(&a->sim[way].backend));
    return sluice_claims_fetch(&a->sim[way], SLUICE_FLUID, SLUICE_FIELD_ACCELERATION,
                               sluice_claim_all_ids, to);
}

static sluice_status check(struct axes *a)
{
    const int64_t count = a->sim[0].set[SLUICE_FLUID].count;
    double *numbers;
    SLUICE_ALLOCATE(numbers, 6 * count, "accelerations");
    sluice_status status = fetch(a, 0, numbers);
    for (int way = 1; way < WAYS && status == SLUICE_OK; way++) {
        status = fetch(a, way, numbers + 3 * count);
        if (status == SLUICE_OK)
            status = compare(a, way, numbers, numbers + 3 * count);
    }
    free(numbers);
    return status;
}

/* --- Running ---- */

static double median_of(const struct sluice_claims *c, int way)
{
    const int repeats = c->bench->settings->repeats;
    double least, most;
    memcpy(c->bench->seconds, c->seconds + way * repeats, (size_t)repeats * sizeof(double));
    return sluice_bench_median(c->bench->seconds, repeats, &least, &most);
}

/* The fastest order against the slowest one, by their medians. */
static sluice_status print_gain(struct sluice_claims *c)
{
    int best = 0, worst = 0;
    for (int way = 1; way < WAYS; way++) {
        best = median_of(c, way) < median_of(c, best) ? way : best;
        worst = median_of(c, way) > median_of(c, worst) ? way : worst;
    }
    return sluice_claims_print_factor(
        c, best, worst, 1.3,
        "the order of axes makes up to 1.3 times as fast (GPUSPH on several GPUs; 4.5.3): the "
        "fastest one against the slowest");
}

static sluice_status measure(struct axes *a, struct sluice_claims *c)
{
    static const char *const names[WAYS] = {"long-x", "long-y", "long-z"};
    for (int way = 0; way < WAYS; way++) {
        SLUICE_TRY(start(a, way));
        if (!a->sim[way].backend.ops->on_host) {
            fprintf(stderr, "claims, %s: left out, it is for the CPU\n", c->name);
            return SLUICE_OK;
        }
    }
    SLUICE_TRY(check(a));
    c->backend = &a->sim[0].backend;
    c->particles = (double)a->sim[0].set[SLUICE_FLUID].count;
    for (int way = 0; way < WAYS; way++)
        c->way[way] = (struct sluice_claim_way){
            .name = names[way],
            .bytes = (double)sluice_sim_memory(&a->sim[way]) / c->particles,
            .claim = way == 0 ? NULL : "against the same box along x",
            .launch = launch,
            .backend = &a->sim[way].backend};
    SLUICE_TRY(sluice_claims_measure(c));
    SLUICE_TRY(sluice_claims_print(c));
    return print_gain(c);
}

sluice_status sluice_claims_axes(struct sluice_bench *bench, const char *name)
{
    struct axes a = {.bench = bench};
    struct sluice_claims c = {.bench = bench, .name = name, .data = &a, .ways = WAYS};
    const sluice_status status = measure(&a, &c);
    for (int way = 0; way < WAYS; way++) {
        sluice_sim_destroy(&a.sim[way]);
        sluice_case_destroy(&a.setup[way]);
        sluice_config_destroy(&a.config[way]);
    }
    free(c.seconds);
    return status;
}
