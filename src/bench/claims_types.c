/* bench claims sorted-types: one set of fluid and dynamic walls, SPHERIC test 2 at its start, by
 * the loop that looks at the types of both particles of a pair. Within a bin particles are sorted
 * by id. The ids are random numbers and a bit for the type: the lowest bit, so that types are mixed
 * within a bin, or the highest one, so that walls follow the fluid. Bins are the program's, which
 * are small, or cells as wide as the cutoff, as GPUSPH's are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "kernels/bench/branching_params.h"
#include "bench/claims.h"
#include "core/allocate.h"

enum way { MIXED, SORTED, MIXED_CELLS, SORTED_CELLS, WAYS };

static const char *const names[WAYS] = {"mixed", "sorted", "mixed-cells", "sorted-cells"};

static int is_mixed(int way)
{
    return way == MIXED || way == MIXED_CELLS;
}

struct types {
    struct sluice_bench *bench;
    struct sluice_sim sim[WAYS];
    struct sluice_branching_params params[WAYS];
    struct sluice_pass pass[WAYS];
    sluice_id *number; /* [count] of particle i of the setup: 0 to count - 1 in random order */
    int64_t count, fluid;
    sluice_id walls_bit; /* above all numbers */
};

static sluice_id id_of(const struct types *t, int way, int64_t i)
{
    const int wall = i >= t->fluid;
    return is_mixed(way) ? 2 * t->number[i] + (sluice_id)wall
                         : t->number[i] + (wall ? t->walls_bit : 0);
}

static sluice_status launch(void *data, int way)
{
    struct types *t = data;
    struct sluice_backend *b = &t->sim[way].backend;
    return sluice_bench_ops_find(b)->branching(b, &t->sim[way].grid, &t->pass[way]);
}

/* --- Checking: all have the same forces and rates ---- */

/* A field of all particles, in the order of their numbers. */
static sluice_status fetch(struct types *t, int way, enum sluice_field field, double *to)
{
    const struct sluice_claim_ids ids = {is_mixed(way),
                                         is_mixed(way) ? (sluice_id)-1 : t->walls_bit - 1};
    SLUICE_TRY(launch(t, way));
    SLUICE_TRY(t->sim[way].backend.ops->sync(&t->sim[way].backend));
    return sluice_claims_fetch(&t->sim[way], SLUICE_FLUID, field, ids, to);
}

/* A rate of fluid or of walls. Walls have no acceleration, which the loop leaves as it was. Sums
 * have another order: about a unit in the last place of the largest term, and terms may be a
 * hundred times their sum. */
static sluice_status compare(const struct types *t, int way, enum sluice_field field,
                             const double *want, const double *got)
{
    const double tolerance = t->sim[MIXED].backend.real_bytes == 4 ? 1e-4 : 1e-12;
    const int is_rate = field == SLUICE_FIELD_RATE, numbers = is_rate ? 1 : 3;
    const int64_t particles = is_rate ? t->count : t->fluid;
    double most = 0;
    for (int64_t i = 0; i < particles; i++)
        for (int c = 0; c < numbers; c++)
            most = fmax(most, fabs(want[numbers * (int64_t)t->number[i] + c]));
    for (int64_t i = 0; i < particles; i++)
        for (int c = 0; c < numbers; c++) {
            const int64_t at = numbers * (int64_t)t->number[i] + c;
            SLUICE_CHECK(most > 0 && fabs(want[at] - got[at]) <= tolerance * most,
                         SLUICE_FAILED_CHECK,
                         "bench claims sorted-types, %s: %s of particle %lld is %.9g, and %.9g "
                         "where types are mixed; that is a mistake of the program",
                         names[way], is_rate ? "the rate" : "an acceleration", (long long)i,
                         got[at], want[at]);
        }
    return SLUICE_OK;
}

static sluice_status check_field(struct types *t, enum sluice_field field, double *want,
                                 double *got)
{
    SLUICE_TRY(fetch(t, MIXED, field, want));
    for (int way = SORTED; way < WAYS; way++) {
        SLUICE_TRY(fetch(t, way, field, got));
        SLUICE_TRY(compare(t, way, field, want, got));
    }
    return SLUICE_OK;
}

static sluice_status check(struct types *t)
{
    double *numbers;
    SLUICE_ALLOCATE(numbers, 6 * t->count, "numbers");
    sluice_status status = check_field(t, SLUICE_FIELD_ACCELERATION, numbers,
                                       numbers + 3 * t->count);
    if (status == SLUICE_OK)
        status = check_field(t, SLUICE_FIELD_RATE, numbers, numbers + 3 * t->count);
    free(numbers);
    return status;
}

/* --- Running ---- */

/* The fraction of particles whose next one in memory has the other type. */
static sluice_status find_changes(struct types *t, int way, double *fraction)
{
    struct sluice_sim *sim = &t->sim[way];
    const sluice_id wall = is_mixed(way) ? 1 : t->walls_bit;
    sluice_id *id;
    int64_t changes = 0;
    SLUICE_ALLOCATE(id, t->count, "ids");
    const sluice_status status = sim->backend.ops->download(
        &sim->backend, id, sim->set[SLUICE_FLUID].field[SLUICE_FIELD_ID],
        (size_t)t->count * sizeof *id);
    for (int64_t i = 1; i < t->count; i++)
        changes += ((id[i] ^ id[i - 1]) & wall) != 0;
    free(id);
    *fraction = (double)changes / (double)t->count;
    return status;
}

static sluice_status print_changes(struct types *t, const struct sluice_claims *c)
{
    for (int way = 0; way < WAYS; way++) {
        struct sluice_claim_number n = {
            .way = way,
            .claim = "derived: particles whose next one in memory has the other type",
            .unit = "of the particles",
            .published = NAN,
            .least = NAN,
            .most = NAN,
            .verdict = ""};
        SLUICE_TRY(find_changes(t, way, &n.measured));
        SLUICE_TRY(sluice_claims_print_number(c, &n));
    }
    return SLUICE_OK;
}

/* Random numbers for all particles (Fisher & Yates). */
static sluice_status number_particles(struct types *t)
{
    SLUICE_ALLOCATE(t->number, t->count, "numbers of particles");
    for (int64_t i = 0; i < t->count; i++)
        t->number[i] = (sluice_id)i;
    for (int64_t i = t->count - 1; i > 0; i--) {
        const double random = sluice_bench_random((uint64_t)i) + 0.5;
        const int64_t k = (int64_t)(random * (double)(i + 1));
        const sluice_id swap = t->number[i];
        t->number[i] = t->number[k];
        t->number[k] = swap;
    }
    t->walls_bit = 1;
    while (t->walls_bit < (sluice_id)t->count)
        t->walls_bit *= 2;
    return SLUICE_OK;
}

/* Makes bins as wide as the cutoff. Frames are whole numbers of bins, so places change. */
static sluice_status widen_bins(struct sluice_case *setup)
{
    struct sluice_start *all = &setup->start[SLUICE_FLUID];
    struct sluice_grid fine, wide = {0};
    SLUICE_TRY(sluice_grid_create(&fine, &setup->grid));
    for (int axis = 0; axis < 3; axis++)
        setup->grid.bins_per_cutoff[axis] = 1;
    const sluice_status status = sluice_grid_create(&wide, &setup->grid);
    for (int64_t i = 0; i < all->count && status == SLUICE_OK; i++) {
        double x[3];
        sluice_grid_coordinates(&fine, &all->place[i], x);
        sluice_grid_place(&wide, x, &all->place[i]);
    }
    sluice_grid_destroy(&fine);
    sluice_grid_destroy(&wide);
    return status;
}

static sluice_status start_way(struct types *t, int way)
{
    struct sluice_bench *bench = t->bench;
    struct sluice_start *all = &bench->setup.start[SLUICE_FLUID];
    struct sluice_set *set = &t->sim[way].set[SLUICE_FLUID];
    struct wcsph_params begins = bench->setup.physics.wcsph;
    for (int64_t i = 0; i < t->count; i++)
        all->id[i] = id_of(t, way, i);
    if (way == MIXED_CELLS)
        SLUICE_TRY(widen_bins(&bench->setup));
    SLUICE_TRY(sluice_sim_create(&t->sim[way], &bench->config, &bench->setup, &bench->log));
    SLUICE_TRY(sluice_sim_start(&t->sim[way]));
    begins.begins = 1;
    memset(begins.body, 0, sizeof begins.body);
    t->params[way] = is_mixed(way)
                         ? (struct sluice_branching_params){begins, 1, 1}
                         : (struct sluice_branching_params){begins, (sluice_id)-1, t->walls_bit};
    t->pass[way] = (struct sluice_pass){.name = "pair loop",
                                        .pair = SLUICE_PAIR_wcsph_wendland,
                                        .params = &t->params[way],
                                        .target = set,
                                        .source = {set, NULL}};
    return SLUICE_OK;
}

static sluice_status measure(struct types *t, struct sluice_claims *c)
{
    struct sluice_case *setup = &t->bench->setup;
    t->fluid = setup->start[SLUICE_FLUID].count;
    sluice_claims_stir(&setup->start[SLUICE_FLUID]);
    SLUICE_TRY(sluice_bench_make_one_set(setup));
    t->count = setup->start[SLUICE_FLUID].count;
    SLUICE_TRY(number_particles(t));
    for (int way = 0; way < WAYS; way++) {
        SLUICE_TRY(start_way(t, way));
        if (!t->sim[way].backend.ops->on_host) {
            fprintf(stderr, "claims, %s: left out, it is for the CPU\n", c->name);
            return SLUICE_OK;
        }
    }
    SLUICE_TRY(check(t));
    c->backend = &t->sim[MIXED].backend;
    c->particles = (double)t->count;
    for (int way = 0; way < WAYS; way++) {
        c->way[way] = (struct sluice_claim_way){.name = names[way],
                                                .bytes = (double)sluice_sim_memory(&t->sim[way]) /
                                                         c->particles,
                                                .launch = launch,
                                                .backend = &t->sim[way].backend};
        if (is_mixed(way))
            continue;
        c->way[way].claim = way == SORTED ? "sorting by type within cells makes the pair loop 1.02 "
                                            "times as fast (4.4): in bins"
                                          : "sorting by type within cells makes the pair loop 1.02 "
                                            "times as fast (4.4): in cells as wide as the cutoff";
        c->way[way].published = 1.02;
        c->way[way].against = way - 1;
    }
    SLUICE_TRY(sluice_claims_measure(c));
    SLUICE_TRY(sluice_claims_print(c));
    return print_changes(t, c);
}

sluice_status sluice_claims_types(struct sluice_bench *bench, const char *name)
{
    struct types t = {.bench = bench};
    struct sluice_claims c = {.bench = bench, .name = name, .data = &t, .ways = WAYS};
    SLUICE_TRY(sluice_claims_check_tank(bench, name));
    const sluice_status status = measure(&t, &c);
    for (int way = 0; way < WAYS; way++)
        sluice_sim_destroy(&t.sim[way]);
    free(t.number);
    free(c.seconds);
    return status;
}
