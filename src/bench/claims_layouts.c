/* bench claims layouts, chunks, swarm: one update of positions in several layouts of memory, of 3
 * components and of 128; and whole iterations of a particle swarm in the latter. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "kernels/bench/swarm.h"
#include "bench/claims.h"
#include "core/allocate.h"
#include "core/hash.h"

enum { ARRAYS = 5, SAMPLES = 24, CHECKED_STEPS = 3 };
static const double dt = 1e-3;

const struct sluice_swarm_shape sluice_swarm_shapes[SLUICE_SWARM_LAYOUT_COUNT] = {
#define X(name, text, components, chunk, stride, whole) {text, components, chunk, stride},
    SLUICE_SWARM_LAYOUTS(X)
#undef X
};

/* The cases: their layouts, and the number of particles unless --particles says another. */
static const struct kind {
    const char *name;
    enum sluice_swarm_layout first;
    int count, moves; /* layouts; 1: whole iterations */
    int64_t particles;
} kinds[] = {
    {"layouts", SLUICE_SWARM_STRUCTURES, 4, 0, 1 << 24},
    {"chunks", SLUICE_SWARM_NAIVE, 6, 0, 1 << 20},
    {"swarm", SLUICE_SWARM_NAIVE, 6, 1, 1 << 18},
};

/* Table 1, on a GeForce GT 750M: 98, 73, 25 and 13 ms. */
static const struct {
    const char *claim;
    double published;
    int against;
} flat[] = {
    {NULL, 0, 0},
    {"writing the position alone is 1.3 times as fast as whole structures (table 1)", 98. / 73, 0},
    {"arrays of 3 components are 2.9 times as fast as selective structures (table 1)", 73. / 25, 1},
    {"arrays padded to 4 components are 1.9 times as fast as arrays of 3 (table 1)", 25. / 13, 2}};

/* Table 2, ms: a GeForce GT 750M, and a Core i7-4712HQ (OpenCL). 0: not legible in our copy. */
static const double wide[2][6] = {{476, 41, 39, 38, 48, 71}, {120, 568, 294, 0, 0, 41}};
static const int wide_best[2] = {SLUICE_SWARM_CHUNKS_4, SLUICE_SWARM_CHUNKS_16};

struct update {
    struct sluice_backend *backend;
    const struct sluice_bench_ops *ops;
    const struct kind *kind;
    struct sluice_swarm swarm;
    void *memory[ARRAYS];
    int memories;
};

/* --- Memory: as much as the largest layout of the case needs, for all of them ---- */

static sluice_status take(struct update *u, int64_t reals, void **out)
{
    SLUICE_TRY(u->backend->ops->alloc(u->backend, (size_t)(reals * u->backend->real_bytes), out));
    u->memory[u->memories++] = *out;
    return SLUICE_OK;
}

static sluice_status create(struct update *u, long long particles)
{
    const int flat_case = u->kind->first < SLUICE_SWARM_NAIVE;
    const int64_t wanted = particles ? particles : u->kind->particles,
                  n = (wanted + SLUICE_SWARM_GROUP - 1) / SLUICE_SWARM_GROUP * SLUICE_SWARM_GROUP,
                  components = flat_case ? 6 : SLUICE_SWARM_COMPONENTS;
    struct sluice_swarm *s = &u->swarm;
    s->count = n;
    s->dt = dt;
    s->keep = 1;
    SLUICE_TRY(take(u, n * components, &s->x));
    SLUICE_TRY(take(u, n * components, &s->v));
    if (!u->kind->moves)
        return SLUICE_OK;
    SLUICE_TRY(take(u, n * components, &s->best));
    SLUICE_TRY(take(u, n, &s->value));
    return take(u, components + 1, &s->lead);
}

static void destroy(struct update *u)
{
    while (u->memories > 0)
        u->backend->ops->free(u->backend, u->memory[--u->memories]);
}

/* --- Work ---- */

static sluice_status work(struct update *u, int way, enum sluice_swarm_work what)
{
    u->swarm.layout = (enum sluice_swarm_layout)((int)u->kind->first + way);
    u->swarm.work = what;
    return u->ops->swarm(u->backend, &u->swarm);
}

static sluice_status launch(void *data, int way)
{
    struct update *u = data;
    if (!u->kind->moves)
        return work(u, way, SLUICE_SWARM_DRIFT);
    SLUICE_TRY(work(u, way, SLUICE_SWARM_MOVE));
    u->swarm.moment++;
    return work(u, way, SLUICE_SWARM_LEAD);
}

/* --- Checking: all layouts have the same positions, those of plain arithmetic in double ---- */

static sluice_status place_of(struct update *u, int way, int64_t i, int c, char *value)
{
    const struct sluice_swarm_shape *l = &sluice_swarm_shapes[(int)u->kind->first + way];
    const int64_t at = swarm_place(l->chunk, l->stride, u->swarm.count, i, c);
    const size_t bytes = (size_t)u->backend->real_bytes;
    return u->backend->ops->download(u->backend, value,
                                     (const char *)u->swarm.x + (size_t)at * bytes, bytes);
}

static double plain_place(int64_t i, int c)
{
    double random[2];
    const uint64_t z = UINT64_C(0xffffff) << 40 ^ ((uint64_t)i << 8 | (uint64_t)c);
    const uint64_t bits = sluice_mix(z + SLUICE_MIX_STEP);
    random[0] = (double)(bits >> 40) * 0x1p-24;
    random[1] = (double)(bits >> 16 & 0xffffff) * 0x1p-24;
    return 4 * random[0] - 2 + CHECKED_STEPS * dt * (random[1] - 0.5);
}

/* Starts, makes some steps, and compares a few particles with those of the first way, `kept`. */
static sluice_status check_way(struct update *u, int way, char *kept)
{
    const int bytes = u->backend->real_bytes, way_components = u->kind->moves ? 128 : 3;
    const char *name = sluice_swarm_shapes[(int)u->kind->first + way].name;
    char value[sizeof(double)];
    u->swarm.moment = 0;
    SLUICE_TRY(work(u, way, SLUICE_SWARM_START));
    if (u->kind->moves)
        SLUICE_TRY(work(u, way, SLUICE_SWARM_LEAD));
    for (int k = 0; k < CHECKED_STEPS; k++)
        SLUICE_TRY(launch(u, way));
    for (int k = 0; k < SAMPLES; k++)
        for (int c = 0; c < way_components; c++) {
            const int64_t i = k * (u->swarm.count - 1) / (SAMPLES - 1);
            char *first = kept + (k * way_components + c) * bytes;
            SLUICE_TRY(place_of(u, way, i, c, way == 0 ? first : value));
            const double x = sluice_real_at(way == 0 ? first : value, bytes, 0);
            SLUICE_CHECK(way == 0 || memcmp(first, value, (size_t)bytes) == 0, SLUICE_FAILED_CHECK,
                         "bench claims %s, %s: particle %lld has another place %d than in %s; that "
                         "is a mistake of the program",
                         u->kind->name, name, (long long)i, c,
                         sluice_swarm_shapes[u->kind->first].name);
            SLUICE_CHECK(u->kind->moves || fabs(x - plain_place(i, c)) < 1e-6, SLUICE_FAILED_CHECK,
                         "bench claims %s, %s: particle %lld is at %.9g along axis %d, not %.9g; "
                         "that is a mistake of the program",
                         u->kind->name, name, (long long)i, x, c, plain_place(i, c));
        }
    return SLUICE_OK;
}

static sluice_status check(struct update *u)
{
    char *kept;
    sluice_status status = SLUICE_OK;
    SLUICE_ALLOCATE(kept, (size_t)(SAMPLES * SLUICE_SWARM_COMPONENTS * u->backend->real_bytes),
                    "bytes of places");
    for (int way = 0; way < u->kind->count && status == SLUICE_OK; way++)
        status = check_way(u, way, kept);
    free(kept);
    return status;
}

/* --- Ways and claims ---- */

static void describe(const struct update *u, struct sluice_claims *c)
{
    const int host = u->backend->ops->on_host;
    c->ways = u->kind->count;
    for (int k = 0; k < c->ways; k++) {
        const struct sluice_swarm_shape *l = &sluice_swarm_shapes[(int)u->kind->first + k];
        struct sluice_claim_way *w = &c->way[k];
        const int arrays = u->kind->moves         ? 3
                           : l->stride > l->chunk ? 1
                                                  : 2,
                  reals = l->stride > l->chunk ? l->stride : l->components;
        *w = (struct sluice_claim_way){.name = l->name, .launch = launch};
        w->bytes = arrays * reals * u->backend->real_bytes;
        if (l->components < SLUICE_SWARM_COMPONENTS) {
            w->claim = flat[k].claim;
            w->published = flat[k].published;
            w->against = flat[k].against;
        } else if (k > 0) {
            w->claim = u->kind->moves ? "the naive layout's time over this one's"
                                      : "the naive layout's time over this one's (table 2)";
            w->published = u->kind->moves || wide[host][k] == 0 ? 0 : wide[host][0] / wide[host][k];
        }
    }
}

/* Whether the way is faster than all others, or another is faster than it. */
static const char *judge_fastest(const struct sluice_claims *c, int way)
{
    int faster = 0;
    for (int k = 0; k < c->ways; k++) {
        if (sluice_claims_is_faster(c, k, way))
            return "does not hold";
        faster += sluice_claims_is_faster(c, way, k);
    }
    return faster == c->ways - 1 ? "holds" : "a tie";
}

/* Which chunks are fastest, by the median. */
static sluice_status print_best(const struct update *u, const struct sluice_claims *c)
{
    const int host = u->backend->ops->on_host, repeats = c->bench->settings->repeats;
    double median[SLUICE_CLAIM_WAYS], least, most;
    int best = 0;
    for (int k = 0; k < c->ways; k++) {
        memcpy(c->bench->seconds, c->seconds + k * repeats, (size_t)repeats * sizeof(double));
        median[k] = sluice_bench_median(c->bench->seconds, repeats, &least, &most);
        best = median[k] < median[best] ? k : best;
    }
    const struct sluice_claim_number number = {
        .way = best,
        .claim = host ? "on a CPU chunks of 16 components are the fastest (table 2)"
                      : "on a GPU chunks of 4 components are the fastest (table 2)",
        .unit = "components in a chunk",
        .published = sluice_swarm_shapes[wide_best[host]].chunk,
        .measured = sluice_swarm_shapes[(int)u->kind->first + best].chunk,
        .least = NAN,
        .most = NAN,
        .verdict = judge_fastest(c, wide_best[host] - SLUICE_SWARM_NAIVE)};
    return sluice_claims_print_number(c, &number);
}

static sluice_status measure(struct update *u, struct sluice_claims *c)
{
    SLUICE_TRY(create(u, c->bench->settings->particles));
    SLUICE_TRY(check(u));
    c->particles = (double)u->swarm.count;
    describe(u, c);
    SLUICE_TRY(sluice_claims_measure(c));
    SLUICE_TRY(sluice_claims_print(c));
    if (u->kind->first == SLUICE_SWARM_NAIVE && !u->kind->moves)
        return print_best(u, c);
    return SLUICE_OK;
}

sluice_status sluice_claims_layouts(struct sluice_bench *bench, const char *name)
{
    struct sluice_backend *b = &bench->backend;
    struct update u = {.backend = b, .ops = sluice_bench_ops_find(b), .kind = kinds};
    struct sluice_claims c = {.bench = bench, .backend = b, .name = name, .data = &u};
    while (strcmp(u.kind->name, name) != 0)
        u.kind++;
    const sluice_status status = measure(&u, &c);
    free(c.seconds);
    destroy(&u);
    return status;
}
