/* bench claims split-lists: the neighbours of each particle in one list, whose loop looks at their
 * types; in a list for each type; and in one list that is filled from both ends. The particles are
 * random in a cube, sorted by cell, and every fourth is a wall, so that each list has both types in
 * no order. */
#include <math.h>
#include <stdlib.h>

#include "kernels/bench/bench_ops.h"
#include "kernels/bench/typed_lists.h"
#include "bench/claims.h"
#include "core/allocate.h"

enum { FILLING = 20, WALLS_OF = 4, SAMPLES = 200, PARTICLES = 1 << 16 };

struct study {
    struct sluice_backend *backend;
    const struct sluice_bench_ops *ops;
    int64_t count;
    int most, edge;   /* of a list; cells along the cube's edge, each as wide as the reach */
    double (*at)[4];  /* [count] position, 1: a wall */
    int64_t *start;   /* [edge^3 + 1] first particle of each cell */
    void *x, *force;  /* reals, as the loops want them */
    int32_t *list[4]; /* [count][most] as found, of fluid, of walls, from both ends */
};
enum { FOUND, FLUID, WALLS, SPLIT };

/* --- Particles, sorted by cell ---- */

static int64_t cell_of(const struct study *s, const double x[3])
{
    return ((int64_t)x[2] * s->edge + (int64_t)x[1]) * s->edge + (int64_t)x[0];
}

static sluice_status place(struct study *s)
{
    const int64_t cells = (int64_t)s->edge * s->edge * s->edge;
    double x[3];
    SLUICE_ALLOCATE(s->at, s->count, "positions");
    SLUICE_ALLOCATE(s->start, cells + 2, "cells");
    for (int64_t i = 0; i < s->count; i++) {
        sluice_bench_random_place(i, s->edge, x);
        s->start[cell_of(s, x) + 2]++;
    }
    for (int64_t k = 0; k < cells; k++)
        s->start[k + 2] += s->start[k + 1];
    for (int64_t i = 0; i < s->count; i++) {
        sluice_bench_random_place(i, s->edge, x);
        double *at = s->at[s->start[cell_of(s, x) + 1]++];
        for (int c = 0; c < 3; c++)
            at[c] = x[c];
        at[3] = i % WALLS_OF == 0;
    }
    return SLUICE_OK;
}

/* As the loops see them: in the backend's precision. */
static sluice_status put_reals(struct study *s)
{
    const int bytes = s->backend->real_bytes;
    char *x, *force;
    SLUICE_ALLOCATE(x, 4 * s->count * bytes, "bytes of positions");
    s->x = x;
    SLUICE_ALLOCATE(force, 3 * s->count * bytes, "bytes of forces");
    s->force = force;
    for (int64_t k = 0; k < 4 * s->count; k++) {
        sluice_put_real(s->x, bytes, k, s->at[k / 4][k % 4]);
        s->at[k / 4][k % 4] = sluice_real_at(s->x, bytes, k);
    }
    return SLUICE_OK;
}

/* --- Lists ---- */

/* The neighbours of particle i in the cells around; returns how many. found NULL: counts. */
static int find(const struct study *s, int64_t i, int32_t *found)
{
    const double *x = s->at[i];
    int low[3], high[3], count = 0;
    for (int c = 0; c < 3; c++) {
        low[c] = (int)fmax(x[c] - 1, 0);
        high[c] = (int)fmin(x[c] + 1, s->edge - 1);
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++) {
            const int64_t row = ((int64_t)z * s->edge + y) * s->edge;
            for (int64_t j = s->start[row + low[0]]; j < s->start[row + high[0] + 1]; j++) {
                const double *other = s->at[j];
                const double d[3] = {x[0] - other[0], x[1] - other[1], x[2] - other[2]};
                if (j == i || d[0] * d[0] + d[1] * d[1] + d[2] * d[2] >= 1)
                    continue;
                if (found)
                    found[count] = (int32_t)j;
                count++;
            }
        }
    return count;
}

/* Puts the neighbours of particle i, found in its first list, into the others. */
static void divide(struct study *s, int64_t i, int found)
{
    const int64_t first = i * s->most;
    int fluid = 0, walls = 0;
    s->list[FOUND][first + found] = SLUICE_NEIBS_END;
    for (int k = 0; k < found; k++) {
        const int32_t j = s->list[FOUND][first + k];
        if (s->at[j][3] > 0) {
            s->list[WALLS][first + walls] = j;
            s->list[SPLIT][first + s->most - 1 - walls++] = j;
        } else {
            s->list[FLUID][first + fluid] = j;
            s->list[SPLIT][first + fluid++] = j;
        }
    }
    s->list[FLUID][first + fluid] = s->list[WALLS][first + walls] = SLUICE_NEIBS_END;
    s->list[SPLIT][first + fluid] = s->list[SPLIT][first + s->most - 1 - walls] = SLUICE_NEIBS_END;
}

static sluice_status build(struct study *s)
{
    for (int64_t i = 0; i < s->count; i++) {
        const int found = find(s, i, NULL);
        s->most = found >= s->most ? found + 1 : s->most;
    }
    for (int k = 0; k < 4; k++)
        SLUICE_ALLOCATE(s->list[k], s->count * s->most, "neighbours");
    for (int64_t i = 0; i < s->count; i++)
        divide(s, i, find(s, i, s->list[FOUND] + i * s->most));
    return SLUICE_OK;
}

static sluice_status launch(void *data, int way)
{
    struct study *s = data;
    const struct sluice_typed_lists lists = {.way = (enum sluice_typed_way)way,
                                             .count = s->count,
                                             .most = s->most,
                                             .entries = s->list[way == SLUICE_TYPED_BRANCH ? FOUND
                                                                : way == SLUICE_TYPED_TWO  ? FLUID
                                                                                           : SPLIT],
                                             .walls = s->list[WALLS],
                                             .x = s->x,
                                             .force = s->force};
    return s->ops->typed_lists(s->backend, &lists);
}

/* --- Checking: against sums over all particles in double ---- */

/* The formulas of typed_add. `most`: the largest term. */
static void sum_all(const struct study *s, int64_t i, double sum[3], double *most)
{
    for (int64_t j = 0; j < s->count; j++) {
        double d[3], r2 = 0;
        for (int c = 0; c < 3; c++) {
            d[c] = s->at[i][c] - s->at[j][c];
            r2 += d[c] * d[c];
        }
        if (j == i || r2 >= 1)
            continue;
        const double q = 1 - sqrt(r2), f = s->at[j][3] > 0 ? q * q / (r2 + 0.01) : 20 * q * q * q;
        *most = fmax(*most, f * sqrt(r2));
        for (int c = 0; c < 3; c++)
            sum[c] += f * d[c];
    }
}

/* A term has an error of a few units in its last place; there are some hundred terms. */
static sluice_status check_way(struct study *s, int way, const char *name)
{
    const int bytes = s->backend->real_bytes;
    const double tolerance = bytes == 4 ? 1e-4 : 1e-12;
    SLUICE_TRY(launch(s, way));
    for (int k = 0; k < SAMPLES; k++) {
        const int64_t i = k * (s->count - 1) / (SAMPLES - 1);
        double sum[3] = {0, 0, 0}, most = 0;
        sum_all(s, i, sum, &most);
        for (int c = 0; c < 3; c++) {
            const double force = sluice_real_at(s->force, bytes, 3 * i + c);
            SLUICE_CHECK(fabs(force - sum[c]) <= tolerance * most, SLUICE_FAILED_CHECK,
                         "bench claims split-lists, %s: a force on particle %lld is %.9g, not "
                         "%.9g; that is a mistake of the program",
                         name, (long long)i, force, sum[c]);
        }
    }
    return SLUICE_OK;
}

/* --- Claims ---- */

static const struct sluice_claim_way ways[SLUICE_TYPED_WAYS] = {
    [SLUICE_TYPED_BRANCH] = {"one-list", 0, NULL, 0, 0, 0, launch},
    [SLUICE_TYPED_TWO] = {"two-lists", 0,
                          "a list for each type is faster than one whose loop branches (4.4.1)", 1,
                          0, SLUICE_TYPED_BRANCH, launch},
    [SLUICE_TYPED_SPLIT] = {"split-list", 0,
                            "a list filled from both ends is faster than one whose loop branches "
                            "(4.4.1; listing 4)",
                            1, 0, SLUICE_TYPED_BRANCH, launch},
};

/* It holds unless two lists are faster. */
static sluice_status print_loss(const struct sluice_claims *c)
{
    const int repeats = c->bench->settings->repeats;
    const double *two = c->seconds + SLUICE_TYPED_TWO * repeats,
                 *split = c->seconds + SLUICE_TYPED_SPLIT * repeats;
    struct sluice_claim_number n = {
        .way = SLUICE_TYPED_SPLIT,
        .claim = "filled from both ends: half the memory of two lists without loss (4.4.1)",
        .unit = "times as fast",
        .published = 1,
        .verdict = sluice_claims_is_faster(c, SLUICE_TYPED_TWO, SLUICE_TYPED_SPLIT)
                       ? "does not hold"
                       : "holds"};
    for (int r = 0; r < repeats; r++)
        c->bench->seconds[r] = two[r] / split[r];
    n.measured = sluice_bench_median(c->bench->seconds, repeats, &n.least, &n.most);
    return sluice_claims_print_number(c, &n);
}

static sluice_status measure(struct study *s, struct sluice_claims *c)
{
    const long long wanted = c->bench->settings->particles;
    s->count = wanted ? wanted : PARTICLES;
    s->edge = (int)fmax(2, rint(cbrt((double)s->count / FILLING)));
    SLUICE_TRY(place(s));
    SLUICE_TRY(put_reals(s));
    SLUICE_TRY(build(s));
    c->particles = (double)s->count;
    for (int way = 0; way < c->ways; way++) {
        c->way[way] = ways[way];
        c->way[way].bytes = (way == SLUICE_TYPED_TWO ? 2. : 1.) * s->most * sizeof(int32_t);
        SLUICE_TRY(check_way(s, way, ways[way].name));
    }
    SLUICE_TRY(sluice_claims_measure(c));
    SLUICE_TRY(sluice_claims_print(c));
    return print_loss(c);
}

sluice_status sluice_claims_typed_lists(struct sluice_bench *bench, const char *name)
{
    struct sluice_backend *b = &bench->backend;
    struct study s = {.backend = b, .ops = sluice_bench_ops_find(b), .most = 1};
    struct sluice_claims c = {
        .bench = bench, .backend = b, .name = name, .data = &s, .ways = SLUICE_TYPED_WAYS};
    if (!s.ops->typed_lists) {
        fprintf(stderr, "claims, %s: left out, it is for the CPU\n", name);
        return SLUICE_OK;
    }
    const sluice_status status = measure(&s, &c);
    free(s.at);
    free(s.start);
    free(s.x);
    free(s.force);
    for (int k = 0; k < 4; k++)
        free(s.list[k]);
    free(c.seconds);
    return status;
}
