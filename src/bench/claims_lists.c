/* bench claims lists-h1.2, lists-h1.5, lists-h2.0: the pair pass of WCSPH that searches just in
 * time against stored neighbour lists, on the periodic cube of `bench pair`.
 *
 * One list has no skin: it serves the pass that it was built for, and no other. The other serves
 * STEPS steps: none of its particles may move by more than half of the skin in them. The program's
 * own step is cfl h/c0, and WCSPH is for speeds up to a tenth of c0, so the skin is
 * 2 STEPS cfl h/10. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "bench/claims.h"
#include "core/allocate.h"
#include "kernels/registry.h"

enum { STEPS = 10 };             /* what GPUSPH takes by default */
static const double speed = 0.1; /* of c0 */

/* Without the last one on the CPU, which has no blocks of threads. */
enum way { SEARCH, LIST, LIST_FOR_STEPS, BUILD, BUILD_FOR_STEPS, SORT, LIST_BLOCK_CACHE, WAYS };

struct lists {
    struct sluice_bench *bench;
    struct sluice_backend *backend;
    const struct sluice_bench_ops *ops;
    struct sluice_pass pass;
    struct wcsph_params params;        /* of the pass, which begins the accelerations with 0 */
    struct sluice_stored_list list[2]; /* without skin, with it */
};

static int uses_skin(int way)
{
    return way == LIST_FOR_STEPS || way == BUILD_FOR_STEPS;
}

static sluice_status launch(void *data, int way)
{
    struct lists *l = data;
    struct sluice_backend *b = l->backend;
    struct sluice_grid *g = &l->bench->sim.grid;
    struct sluice_stored_list *list = &l->list[uses_skin(way)];
    struct sluice_set *const sets[] = {l->pass.target};
    struct sluice_particle_list gone = {0};
    switch (way) {
    case SEARCH:
        return b->ops->interact(b, g, &l->pass);
    case LIST:
    case LIST_FOR_STEPS:
    case LIST_BLOCK_CACHE:
        list->block_cache = way == LIST_BLOCK_CACHE;
        return l->ops->list_pass(b, g, &l->pass, list);
    case SORT:
        SLUICE_TRY(b->ops->bin(b, g, sets, 1, NULL, &gone));
        SLUICE_TRY(b->ops->sync(b));
        free(gone.particle);
        return SLUICE_OK;
    default:
        return l->ops->list_build(b, g, &l->pass, list);
    }
}

/* --- Checking ---- */

static sluice_status download(struct lists *l, char **to, size_t bytes)
{
    SLUICE_ALLOCATE(*to, bytes, "bytes of accelerations");
    return l->backend->ops->download(l->backend, *to,
                                     l->pass.target->field[SLUICE_FIELD_ACCELERATION], bytes);
}

/* On the CPU a list gives the search's bits. On GPUs the sums have another order: errors are about
 * a unit in the last place of the largest term, and terms may be a hundred times the sum. */
static sluice_status compare(const struct lists *l, const char *way, const char *want,
                             const char *got, int64_t reals)
{
    const int bytes = l->backend->real_bytes, exact = l->backend->ops->on_host;
    const double tolerance = bytes == 4 ? 1e-4 : 1e-12;
    double most = 0;
    for (int64_t k = 0; k < reals; k++)
        most = fmax(most, fabs(sluice_real_at(want, bytes, k)));
    for (int64_t k = 0; k < reals; k++) {
        const double a = sluice_real_at(want, bytes, k), b = sluice_real_at(got, bytes, k);
        SLUICE_CHECK(exact ? a == b : fabs(a - b) <= tolerance * most, SLUICE_FAILED_CHECK,
                     "bench claims, %s: acceleration %lld is %.9g, and %.9g by the search; that is "
                     "a mistake of the program",
                     way, (long long)k, b, a);
    }
    return SLUICE_OK;
}

static sluice_status check(struct lists *l, const struct sluice_claims *c)
{
    const int64_t reals = 3 * l->pass.target->count;
    const size_t bytes = (size_t)(reals * l->backend->real_bytes);
    char *want = NULL;
    sluice_status status = launch(l, SEARCH);
    if (status == SLUICE_OK)
        status = download(l, &want, bytes);
    for (int way = LIST; way < c->ways && status == SLUICE_OK; way++) {
        char *got = NULL;
        if (way >= BUILD && way <= SORT)
            continue;
        status = launch(l, way);
        if (status == SLUICE_OK)
            status = download(l, &got, bytes);
        if (status == SLUICE_OK)
            status = compare(l, c->way[way].name, want, got, reals);
        free(got);
    }
    free(want);
    return status;
}

/* --- Claims ---- */

static const struct sluice_claim_way ways[WAYS] = {
    [SEARCH] = {"just-in-time", 0, NULL, 0, 0, 0, launch},
    [LIST] = {"list", 0, "a pass without a list takes over 1.5 times as long (4.3.2)", 1.5, 1,
              SEARCH, launch},
    [LIST_FOR_STEPS] = {"list-skin", 0,
                        "a pass without a list takes over 1.5 times as long as with one that "
                        "serves 10 steps (4.3.2)",
                        1.5, 1, SEARCH, launch},
    [BUILD] = {"build", 0, NULL, 0, 0, 0, launch},
    [BUILD_FOR_STEPS] = {"build-skin", 0, NULL, 0, 0, 0, launch},
    [SORT] = {"sort", 0, NULL, 0, 0, 0, launch, .apart = 1},
    [LIST_BLOCK_CACHE] = {"list-block-cache", 0,
                          "particles of the own block come from shared memory and others from "
                          "global memory (McFarlane 2018; algorithm 1; after Winkler et al. 2017)",
                          0, 0, LIST, launch},
};

static double seconds_of(const struct sluice_claims *c, int way, int repeat)
{
    return c->seconds[way * c->bench->settings->repeats + repeat];
}

/* The median of the numbers of the repeats, which are in bench->seconds. */
static void sum_up(const struct sluice_claims *c, struct sluice_claim_number *number)
{
    number->measured = sluice_bench_median(c->bench->seconds, c->bench->settings->repeats,
                                           &number->least, &number->most);
}

/* Sort and build are the list's cost, a pass and a sort the search's: the list pays after so many
 * passes, or never, unless it saves time in three of four repeats. Both sort; on a GPU the search
 * sorts less often, which this leaves out. */
static sluice_status print_break_even(const struct sluice_claims *c)
{
    const int repeats = c->bench->settings->repeats;
    struct sluice_claim_number number = {
        .way = LIST_FOR_STEPS,
        .claim = "derived: steps that a list must serve to be faster than a search in each",
        .unit = "steps",
        .published = NAN,
        .verdict = ""};
    int pays = 0;
    for (int r = 0; r < repeats; r++) {
        const double sort = seconds_of(c, SORT, r), build = seconds_of(c, BUILD_FOR_STEPS, r),
                     saved = sort + seconds_of(c, SEARCH, r) - seconds_of(c, LIST_FOR_STEPS, r);
        c->bench->seconds[r] = saved > 0 ? (sort + build) / saved : (double)INFINITY;
        pays += saved > 0;
    }
    sum_up(c, &number);
    if (4 * pays < 3 * repeats)
        number.measured = number.least = number.most = NAN;
    return sluice_claims_print_number(c, &number);
}

/* The fraction of the time for sorting and building a list, of `steps` steps with one pass each. No
 * verdict: a step of GPUSPH has several passes, whose number decides. */
static sluice_status print_fraction(const struct sluice_claims *c, int steps, double published,
                                    const char *claim)
{
    const int list = steps > 1 ? LIST_FOR_STEPS : LIST, build = steps > 1 ? BUILD_FOR_STEPS : BUILD;
    struct sluice_claim_number number = {
        .way = build, .claim = claim, .unit = "of the time", .published = published, .verdict = ""};
    for (int r = 0; r < c->bench->settings->repeats; r++) {
        const double once = seconds_of(c, SORT, r) + seconds_of(c, build, r);
        c->bench->seconds[r] = once / (once + steps * seconds_of(c, list, r));
    }
    sum_up(c, &number);
    return sluice_claims_print_number(c, &number);
}

/* All that a particle has, of which 512 bytes are 1.7 to 5.1 times as much there. */
static sluice_status print_memory(const struct sluice_claims *c)
{
    const struct sluice_bench *bench = c->bench;
    const double own = (double)sluice_sim_memory(&bench->sim) / c->particles,
                 times = c->way[LIST_FOR_STEPS].bytes / own;
    const struct sluice_claim_number number = {
        .way = LIST_FOR_STEPS,
        .claim = "a list takes more memory than all else of a particle (4.3.2)",
        .unit = "times the bytes of all else",
        .published = 512. / 300,
        .measured = times,
        .least = NAN,
        .most = NAN,
        .verdict = sluice_claims_verdict(512. / 300, times, 0, 1)};
    return sluice_claims_print_number(c, &number);
}

/* --- Running ---- */

static sluice_status build(struct lists *l, struct sluice_claims *c)
{
    const struct sluice_grid *g = &l->bench->sim.grid;
    const struct sluice_config *config = &l->bench->config;
    const double skin = 2 * STEPS * config->time.cfl * speed * l->params.h;
    const double n = (double)l->pass.target->count;
    for (int k = 0; k < 2; k++) {
        const int way = k ? LIST_FOR_STEPS : LIST;
        l->list[k].reach = g->cutoff + k * skin;
        for (int axis = 0; axis < 3; axis++)
            SLUICE_CHECK(l->list[k].reach <= g->width[axis], SLUICE_BAD_INPUT,
                         "bench claims: a list's reach of %g m is longer than a frame, %g m; "
                         "a larger backend.frame_cutoffs is needed",
                         l->list[k].reach, g->width[axis]);
        SLUICE_TRY(launch(l, k ? BUILD_FOR_STEPS : BUILD));
        c->way[way].bytes = (double)(l->list[k].entry_bytes + l->list[k].index_bytes) / n;
        c->way[k ? BUILD_FOR_STEPS : BUILD].bytes = c->way[way].bytes;
    }
    c->way[LIST_BLOCK_CACHE].bytes = c->way[LIST].bytes;
    return SLUICE_OK;
}

static sluice_status measure(struct lists *l, struct sluice_claims *c)
{
    SLUICE_TRY(build(l, c));
    SLUICE_TRY(check(l, c));
    SLUICE_TRY(sluice_claims_measure(c));
    SLUICE_TRY(sluice_claims_print(c));
    SLUICE_TRY(print_break_even(c));
    SLUICE_TRY(
        print_fraction(c, 1, 0.3,
                       "sort and list of each step take at most 0.3 of it (4.3.2); here of one "
                       "pass; GPUSPH's step has several"));
    SLUICE_TRY(print_fraction(c, STEPS, 0.05,
                              "sort and list for 10 steps take about 0.05 of them (4.3.2); here of "
                              "one pass each; GPUSPH's step has several"));
    return print_memory(c);
}

static sluice_status open_pass(struct lists *l)
{
    struct sluice_sim *sim = &l->bench->sim;
    l->backend = &sim->backend;
    l->ops = sluice_bench_ops_find(l->backend);
    l->params = sim->setup->physics.wcsph;
    l->params.begins = 1;
    memset(l->params.body, 0, sizeof l->params.body);
    l->pass = (struct sluice_pass){.name = "pair loop",
                                   .params = &l->params,
                                   .target = &sim->set[SLUICE_FLUID],
                                   .source = {&sim->set[SLUICE_FLUID], NULL}};
    l->pass.pair = sluice_wcsph_pair(&l->params, sluice_pass_mass(&l->pass));
    SLUICE_CHECK(l->pass.pair == SLUICE_PAIR_wcsph_wendland && sim->set[SLUICE_WALL].count == 0,
                 SLUICE_BAD_INPUT,
                 "bench claims: its lists are of fluid of one mass without walls and laminar "
                 "viscosity, with kernel \"wendland-c2\"");
    return SLUICE_OK;
}

sluice_status sluice_claims_lists(struct sluice_bench *bench, const char *name)
{
    struct lists l = {.bench = bench};
    struct sluice_claims c = {.bench = bench, .name = name, .data = &l, .ways = WAYS};
    SLUICE_TRY(sluice_bench_disorder(&bench->setup));
    SLUICE_TRY(sluice_bench_start(bench, 0));
    SLUICE_TRY(open_pass(&l));
    c.backend = l.backend;
    c.particles = (double)l.pass.target->count;
    memcpy(c.way, ways, sizeof ways);
    c.ways -= l.backend->ops->on_host;
    const sluice_status status = measure(&l, &c);
    for (int k = 0; k < 2; k++) {
        void *const memory[] = {l.list[k].entries, l.list[k].index};
        for (int m = 0; m < 2; m++)
            if (memory[m])
                l.backend->ops->free(l.backend, memory[m]);
    }
    free(c.seconds);
    return status;
}
