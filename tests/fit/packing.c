/* test: 2 s */
/* Packing: lists of neighbours against all pairs, and the same bits from any number of threads. */
#include "support/tap.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "fit/pack.h"

static struct sluice_grid_options grid;

static double number(uint64_t *state)
{
    return sluice_mix_unit(*state += SLUICE_MIX_STEP);
}

/* Free points: each step is taken as it is. */
static void hold(const void *data, struct sluice_pack_point *point, const double step[3])
{
    (void)data;
    for (int a = 0; a < 3; a++)
        point->x[a] += step[a];
}

/* `count` random points in a box of these lengths, in this many layers, every fifth one fixed. */
static void fill(struct sluice_pack *p, int dimension, const double length[3], int count,
                 int layers, uint64_t seed)
{
    grid.dimension = dimension;
    for (int a = 0; a < 3; a++)
        grid.high[a] = length[a];
    *p = (struct sluice_pack){.manifold = layers > 1 ? dimension - 1 : dimension,
                              .spacing = 1,
                              .reach = 2.5,
                              .pace = 0.5,
                              .momentum = 0.5,
                              .grid = &grid,
                              .what = "points",
                              .hold = hold};
    for (int i = 0; i < count; i++) {
        struct sluice_pack_point point = {.layer = (int32_t)(number(&seed) * layers), .tag = i};
        for (int a = 0; a < dimension; a++)
            point.x[a] = number(&seed) * length[a];
        if (sluice_pack_add(p, &point) != SLUICE_OK)
            exit(1);
        p->fixed = i < count / 5 ? p->count : p->fixed;
    }
}

static double distance(const struct sluice_pack *p, int64_t i, int64_t j)
{
    double sum = 0;
    for (int a = 0; a < grid.dimension; a++) {
        double d = p->point[i].x[a] - p->point[j].x[a];
        if (grid.periodic[a])
            d -= grid.high[a] * rint(d / grid.high[a]);
        sum += d * d;
    }
    return sqrt(sum);
}

static int is_listed(const struct sluice_pack *p, int64_t i, int64_t j)
{
    int found = 0;
    for (uint32_t k = 0; k < p->near[i - p->fixed]; k++)
        found += p->other[p->first[i - p->fixed] + k] == j;
    return found;
}

/* Pairs of a layer within the reach are listed once; others of a layer at most once; pairs of two
 * layers never. Returns how many pairs are wrong; *within: those within the reach. */
static int64_t wrong_pairs(const struct sluice_pack *p, int64_t *within)
{
    int64_t wrong = 0;
    *within = 0;
    for (int64_t i = p->fixed; i < p->count; i++)
        for (int64_t j = 0; j < p->count; j++) {
            const int listed = is_listed(p, i, j),
                      same = p->point[i].layer == p->point[j].layer && i != j,
                      near = same && distance(p, i, j) < p->reach;
            wrong += listed > same || (near && !listed);
            *within += near;
        }
    return wrong;
}

static void lists(int dimension, double x, double y, double z, int layers, const char *what)
{
    const double length[3] = {x, y, z};
    struct sluice_pack p;
    int64_t within;
    fill(&p, dimension, length, 700, layers, 7);
    is_int(sluice_pack_list(&p), SLUICE_OK, what);
    is_int(wrong_pairs(&p, &within), 0, "the lists have all pairs, each once");
    /* More than one pair a point, so the lists are not empty. */
    ok(within > 700, "%lld pairs", (long long)within);
    /* The sweeps use the lists, outgrow them and build new ones. */
    for (int round = 0; round < 12; round++) {
        int64_t change[1] = {round % 2 ? -20 : 20}, wrong;
        if (sluice_pack_relax(&p, 1 + round % 3, 0) != SLUICE_OK ||
            (round % 4 == 3 && sluice_pack_adjust(&p, 1, change) != SLUICE_OK) ||
            sluice_pack_relax(&p, 1, 0) != SLUICE_OK)
            exit(1);
        /* The lists belong to the places before the last sweep: its displacements are the steps. */
        for (int64_t i = p.fixed; i < p.count; i++)
            for (int a = 0; a < 3; a++)
                p.point[i].x[a] -= p.step[i - p.fixed][a];
        wrong = wrong_pairs(&p, &within);
        for (int64_t i = p.fixed; i < p.count; i++)
            memcpy(p.point[i].x, p.x[i], sizeof p.point[i].x);
        if (wrong)
            is_int(wrong, 0, "the lists have all pairs after some sweeps");
    }
    sluice_pack_destroy(&p);
}

static uint64_t bits_with(int threads)
{
    const double length[3] = {12, 12, 12};
    struct sluice_pack p;
    uint64_t hash = SLUICE_HASH_BEGIN;
    int64_t change[1] = {40};
    fill(&p, 3, length, 3000, 1, 3);
    if (sluice_threads_create(&p.team, threads) != SLUICE_OK ||
        sluice_pack_relax(&p, 20, 0) != SLUICE_OK ||
        sluice_pack_adjust(&p, 1, change) != SLUICE_OK || sluice_pack_relax(&p, 20, 0) != SLUICE_OK)
        exit(1);
    for (int64_t i = 0; i < p.count; i++)
        hash = sluice_hash(hash, p.point[i].x, sizeof p.point[i].x);
    ok(p.count == 3040, "40 points were added");
    sluice_threads_destroy(&p.team);
    sluice_pack_destroy(&p);
    return hash;
}

int main(void)
{
    lists(2, 30, 22, 0, 1, "2-D");
    lists(3, 9, 8, 10, 1, "3-D");
    lists(3, 7, 6, 5, 4, "3-D, four layers");
    grid.periodic[0] = grid.periodic[2] = 1;
    lists(3, 9, 8, 10, 1, "3-D with periods");
    lists(3, 6, 40, 6.1, 3, "3-D with short periods, in layers");
    lists(3, 30, 9, 3.5, 1, "a period of two cells");
    memset(grid.periodic, 0, sizeof grid.periodic);
    ok(bits_with(1) == bits_with(4), "1 and 4 threads give the same bits");
    return done_testing();
}
