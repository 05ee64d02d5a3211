/* bench claims kahan, kahan-cache: updates of positions by plain, compensated and double-float
 * sums. The arrays of kahan are larger than caches and each launch adds once, as a step does; those
 * of kahan-cache stay in the first cache for many updates, so that arithmetic counts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "kernels/bench/sums.h"
#include "kernels/types/compensated.h"
#include "bench/claims.h"
#include "core/allocate.h"

enum { DIMENSION = 3, CHECKED = 4096, CHECKED_UPDATES = 1000 };

/* The cases, and their number of particles unless --particles says another. */
static const struct kind {
    const char *name;
    int64_t particles;
    int updates; /* a launch */
} kinds[] = {{"kahan", 1 << 22, 1}, {"kahan-cache", 1 << 14, 64}};

struct study {
    struct sluice_backend *backend;
    const struct sluice_bench_ops *ops;
    const struct kind *kind;
    struct sluice_sums sums;
    float *start, *term; /* [count] */
    double error[SLUICE_SUM_WAY_COUNT];
};

/* Positions in [-2, 2) that move slowly, as in a run. Each fourth term is larger than its sum is at
 * first, the case that Kahan's sum lacks. */
static void fill(struct study *s)
{
    for (int64_t k = 0; k < s->sums.count; k++) {
        const double size = k % 4 == 3 ? 1000 : 1e-3;
        s->start[k] = (float)(4 * sluice_bench_random((uint64_t)(2 * k)));
        s->term[k] = (float)(size * sluice_bench_random((uint64_t)(2 * k + 1)));
    }
}

static sluice_status create(struct study *s, long long particles)
{
    struct sluice_sums *u = &s->sums;
    u->count = DIMENSION * (particles ? particles : s->kind->particles);
    u->updates = s->kind->updates;
    SLUICE_ALLOCATE(s->start, u->count, "positions");
    SLUICE_ALLOCATE(s->term, u->count, "terms");
    SLUICE_ALLOCATE(u->sum, u->count, "sums");
    SLUICE_ALLOCATE(u->low, u->count, "corrections");
    SLUICE_ALLOCATE(u->wide, u->count, "sums in double");
    SLUICE_ALLOCATE(u->kept, u->count, "stored corrections");
    u->term = s->term;
    fill(s);
    return SLUICE_OK;
}

static void destroy(struct study *s)
{
    free(s->start);
    free(s->term);
    free(s->sums.sum);
    free(s->sums.low);
    free(s->sums.wide);
    free(s->sums.kept);
}

static void begin(struct study *s)
{
    struct sluice_sums *u = &s->sums;
    for (int64_t k = 0; k < u->count; k++) {
        u->sum[k] = s->start[k];
        u->wide[k] = (double)s->start[k];
        u->low[k] = 0;
        u->kept[k] = 0;
    }
}

static sluice_status launch(void *data, int way)
{
    struct study *s = data;
    s->sums.way = (enum sluice_sum_way)way;
    return s->ops->sums(s->backend, &s->sums);
}

/* --- Checking: against sums in long double ---- */

static long double sum_of(const struct sluice_sums *u, int64_t k)
{
    switch (u->way) {
    case SLUICE_SUM_OF_FLOAT:
        return (long double)u->sum[k];
    case SLUICE_SUM_OF_DOUBLE:
        return (long double)u->wide[k];
    case SLUICE_SUM_OF_KAHAN:
        return (long double)u->sum[k] - (long double)u->low[k];
    case SLUICE_SUM_OF_TWO_SUM_16:
        return (long double)u->sum[k] + (long double)lost_unpack(u->sum[k], u->kept[k]);
    default:
        return (long double)u->sum[k] + (long double)u->low[k];
    }
}

/* The error of an element over the sum of the sizes of all that was added. */
static double error_at(const struct study *s, int64_t k)
{
    const long double start = (long double)s->start[k], term = (long double)s->term[k];
    long double sum = start;
    for (int n = 0; n < CHECKED_UPDATES; n++)
        sum += term;
    return (double)(fabsl(sum_of(&s->sums, k) - sum) /
                    (fabsl(start) + CHECKED_UPDATES * fabsl(term)));
}

/* The most that rounding can do: half a unit an update; of compensated sums twice a half unit
 * (Higham 2002, eq. 4.8); of double-float two half units of 2^-47 an update, since it drops what is
 * below the lower float. */
static double bound_of(enum sluice_sum_way way)
{
    switch (way) {
    case SLUICE_SUM_OF_FLOAT:
        return CHECKED_UPDATES * 0x1p-24;
    case SLUICE_SUM_OF_DOUBLE:
        return CHECKED_UPDATES * 0x1p-53;
    case SLUICE_SUM_OF_DOUBLE_FLOAT:
        return CHECKED_UPDATES * 0x1p-47;
    default:
        return 0x1p-23;
    }
}

static sluice_status check_way(struct study *s, const struct sluice_claims *c, int way)
{
    const int64_t count = s->sums.count;
    s->sums.count = count < CHECKED ? count : CHECKED;
    s->sums.updates = CHECKED_UPDATES;
    begin(s);
    const sluice_status status = launch(s, way);
    for (int64_t k = 0; k < s->sums.count; k++)
        s->error[way] = fmax(s->error[way], error_at(s, k));
    s->sums.count = count;
    s->sums.updates = s->kind->updates;
    SLUICE_CHECK(status != SLUICE_OK || s->error[way] <= bound_of((enum sluice_sum_way)way),
                 SLUICE_FAILED_CHECK,
                 "bench claims %s, %s: sums are wrong by %.3g of their terms, and rounding can "
                 "make %.3g at most; that is a mistake of the program",
                 s->kind->name, c->way[way].name, s->error[way],
                 bound_of((enum sluice_sum_way)way));
    return status;
}

/* --- Ways and claims ---- */

#define X(name, text, bytes) [SLUICE_SUM_OF_##name] = {text, bytes},
static const struct {
    const char *name;
    int bytes; /* an element */
} shapes[] = {SLUICE_SUM_WAYS(X)};
#undef X

static void describe(struct sluice_claims *c)
{
    c->ways = SLUICE_SUM_WAY_COUNT;
    for (int way = 0; way < c->ways; way++)
        c->way[way] = (struct sluice_claim_way){
            .name = shapes[way].name,
            .bytes = DIMENSION * shapes[way].bytes,
            .claim = "compensation is up to 8 times as fast as double (consumer GPUs; 5.2)",
            .published = 8,
            .against = SLUICE_SUM_OF_DOUBLE,
            .launch = launch};
    c->way[SLUICE_SUM_OF_FLOAT].claim = NULL;
    c->way[SLUICE_SUM_OF_DOUBLE].claim = "double takes up to 32 times as long as float (GPUs; 5)";
    c->way[SLUICE_SUM_OF_DOUBLE].published = 1. / 32;
    c->way[SLUICE_SUM_OF_DOUBLE].against = SLUICE_SUM_OF_FLOAT;
    c->way[SLUICE_SUM_OF_DOUBLE_FLOAT].claim =
        "double-float takes two to four operations for one of float (5): twice as long at least";
    c->way[SLUICE_SUM_OF_DOUBLE_FLOAT].published = 1. / 2;
    c->way[SLUICE_SUM_OF_DOUBLE_FLOAT].against = SLUICE_SUM_OF_FLOAT;
}

static sluice_status print_errors(const struct study *s, const struct sluice_claims *c)
{
    for (int way = 0; way < c->ways; way++) {
        const struct sluice_claim_number n = {
            .way = way,
            .claim = "derived: the largest error of 1000 updates over the sizes of all terms",
            .unit = "of the terms",
            .published = NAN,
            .measured = s->error[way],
            .least = NAN,
            .most = NAN,
            .verdict = ""};
        SLUICE_TRY(sluice_claims_print_number(c, &n));
    }
    return SLUICE_OK;
}

static sluice_status measure(struct study *s, struct sluice_claims *c)
{
    SLUICE_TRY(create(s, c->bench->settings->particles));
    describe(c);
    for (int way = 0; way < c->ways; way++)
        SLUICE_TRY(check_way(s, c, way));
    begin(s);
    c->particles = (double)s->sums.count / DIMENSION;
    SLUICE_TRY(sluice_claims_measure(c));
    SLUICE_TRY(sluice_claims_print(c));
    SLUICE_TRY(sluice_claims_print_factor(
        c, SLUICE_SUM_OF_KBN_BRANCH, SLUICE_SUM_OF_DOUBLE, 1. / 2,
        "compensation takes twice as long as double where that has full speed "
        "(5.2)"));
    return print_errors(s, c);
}

sluice_status sluice_claims_sums(struct sluice_bench *bench, const char *name)
{
    struct sluice_backend *b = &bench->backend;
    struct study s = {.backend = b, .ops = sluice_bench_ops_find(b), .kind = kinds};
    struct sluice_claims c = {.bench = bench, .backend = b, .name = name, .data = &s};
    if (!s.ops->sums || b->real_bytes != sizeof(float)) {
        fprintf(stderr, "claims, %s: left out, it compares floats with doubles on the CPU\n", name);
        return SLUICE_OK;
    }
    while (strcmp(s.kind->name, name) != 0)
        s.kind++;
    const sluice_status status = measure(&s, &c);
    free(c.seconds);
    destroy(&s);
    return status;
}
