/* test: 2 s */
/* A case divided among 1 to 8 ranks, which are threads here. After each sort every particle has one
 * owner, a rank has all neighbours of its own particles, and halo particles get their owners'
 * values. The planes divide the particles evenly, or are drawn anew each time. Slices of files have
 * all rows once, and sums are those of one rank. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "domain/domain.h"
#include "domain/slices.h"
#include "support/tap.h"
#include "support/thread_ranks.h"

enum { PARTICLES = 1000, SORTS = 4, ROOM = 4 * PARTICLES, MOST_RANKS = 8 };
static const double cutoff = 0.08, drift = 0.01;

/* Faults of each rank, and how many particles it owns after the first sort. */
struct found {
    int owners, neighbours, copies, order, slices, sums, own;
};

struct trial {
    struct sluice_grid grid;
    int dimension, periodic;
    struct found found[MOST_RANKS];
};

/* Where a particle is at a sort: it moves by less than `drift` in between. The domain is 1 m wide,
 * and most particles are in its lower half. */
static void coordinates(const struct trial *t, uint32_t number, int sort, double x[3])
{
    for (int c = 0; c < 3; c++) {
        const uint64_t draw = (uint64_t)(number * 8 + (uint32_t)c) * SLUICE_MIX_STEP;
        const double at = sluice_mix_unit(draw),
                     speed = 0.5 * drift * (sluice_mix_unit(draw + 1) - 0.5);
        x[c] = c < t->dimension ? 0.01 + 0.98 * at * at + sort * speed : 0;
        x[c] -= t->periodic ? floor(x[c]) : 0;
    }
}

static double distance2(const struct trial *t, const double a[3], const double b[3])
{
    double sum = 0;
    for (int c = 0; c < t->dimension; c++) {
        double d = fabs(a[c] - b[c]);
        d = t->periodic && d > 0.5 ? 1 - d : d;
        sum += d * d;
    }
    return sum;
}

/* --- A rank's particles --- */

/* The particles have the largest ids that there are. */
static const sluice_id first_id = SLUICE_ID_MAX - PARTICLES + 1;

static const sluice_id *ids(const struct sluice_set *set)
{
    return set->field[SLUICE_FIELD_ID];
}

static uint32_t number_of(const struct sluice_set *set, int64_t i)
{
    return (uint32_t)(ids(set)[i] - first_id);
}

static void put_particle(const struct trial *t, struct sluice_set *set, int64_t i, uint32_t number,
                         int sort)
{
    struct sluice_place place;
    double x[3];
    coordinates(t, number, sort, x);
    sluice_grid_place(&t->grid, x, &place);
    for (int c = 0; c < set->dimension; c++)
        sluice_put_real(set->field[SLUICE_FIELD_POSITION], 8, (set->dimension + 1) * i + c,
                        place.offset[c]);
    ((uint32_t *)set->field[SLUICE_FIELD_FRAME])[i] = (uint32_t)sluice_grid_find_frame(&t->grid,
                                                                                       place.frame);
    ((sluice_id *)set->field[SLUICE_FIELD_ID])[i] = first_id + number;
}

static void open_set(const struct trial *t, struct sluice_set *set)
{
    *set = (struct sluice_set){.dimension = t->dimension,
                               .real_bytes = 8,
                               .moves = SLUICE_FREE,
                               .count = PARTICLES,
                               .capacity = ROOM};
    set->fields = SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) | SLUICE_BIT(SCALAR);
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (set->fields >> f & 1)
            set->field[f] = calloc(ROOM, (size_t)sluice_set_field_bytes(set, (enum sluice_field)f));
    for (int64_t i = 0; i < PARTICLES; i++)
        put_particle(t, set, i, (uint32_t)i, 0);
}

static void close_set(struct sluice_set *set)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        free(set->field[f]);
}

static sluice_status grow(void *data, struct sluice_set *set, int64_t count)
{
    (void)data;
    return count <= set->capacity ? SLUICE_OK
                                  : SLUICE_FAIL(SLUICE_DEVICE, "more particles than there are");
}

static sluice_status sample(void *data, const struct sluice_grid *g, const struct sluice_set *set,
                            int64_t every, int64_t n, double (*x)[3])
{
    (void)data;
    memset(x, 0, (size_t)n * sizeof *x);
    for (int64_t k = 0; k < n; k++)
        sluice_domain_place(g, set, k * every, x[k]);
    return SLUICE_OK;
}

/* --- What must hold after a sort --- */

/* Every particle has one owner: the sums of the own particles' numbers, and of their squares, are
 * those of all particles. */
static sluice_status check_owners(struct sluice_comm *comm, const struct sluice_set *set,
                                  struct found *found)
{
    int64_t sum[3] = {0};
    for (int64_t i = 0; i < set->count; i++)
        if (set->own[i]) {
            const int64_t number = number_of(set, i);
            sum[0] += 1;
            sum[1] += number;
            sum[2] += number * number;
        }
    found->own = found->own ? found->own : (int)sum[0];
    SLUICE_TRY(comm->ops->sum(comm, sum, 3));
    const int64_t n = PARTICLES - 1;
    found->owners += sum[0] != n + 1 || sum[1] != n * (n + 1) / 2 ||
                     sum[2] != n * (n + 1) * (2 * n + 1) / 6;
    return SLUICE_OK;
}

/* Every particle within the cutoff of an own one is here, and none is here twice. */
static void check_neighbours(const struct trial *t, const struct sluice_set *set, int sort,
                             struct found *found)
{
    int here[PARTICLES] = {0};
    double x[PARTICLES][3];
    for (int64_t i = 0; i < set->count; i++)
        found->neighbours += here[number_of(set, i)]++;
    for (uint32_t j = 0; j < PARTICLES; j++)
        coordinates(t, j, sort, x[j]);
    for (int64_t i = 0; i < set->count; i++)
        for (int j = 0; j < PARTICLES && set->own[i]; j++)
            found->neighbours += !here[j] &&
                                 distance2(t, x[number_of(set, i)], x[j]) < cutoff * cutoff;
}

static double value_of(uint32_t number, int sort)
{
    return sluice_mix_unit(number + (uint64_t)sort * SLUICE_MIX_STEP);
}

/* After a sort all ranks have the same order, here by ids. */
static int by_id(const void *a, const void *b)
{
    const sluice_id x = *(const sluice_id *)a, y = *(const sluice_id *)b;
    return (x > y) - (x < y);
}

/* Sorts the particles of a rank; marks[number] is 1 for its own. */
static void sort_set(const struct trial *t, struct sluice_set *set, uint8_t *own, int sort)
{
    uint8_t marks[PARTICLES] = {0};
    for (int64_t i = 0; i < set->count; i++)
        marks[number_of(set, i)] = own[i];
    qsort(set->field[SLUICE_FIELD_ID], (size_t)set->count, sizeof(sluice_id), by_id);
    for (int64_t i = 0; i < set->count; i++) {
        put_particle(t, set, i, number_of(set, i), sort);
        own[i] = marks[number_of(set, i)];
    }
}

static void check_lists(const struct sluice_lists *lists, struct found *found)
{
    for (int k = 0; k < lists->count; k++)
        for (int64_t i = 1; i < sluice_list_count(lists, k); i++)
            found->order += sluice_list(lists, k)[i] <= sluice_list(lists, k)[i - 1];
}

static sluice_status check_copies(const struct trial *t, struct sluice_domain *d,
                                  struct sluice_set *set, int sort, struct found *found)
{
    double *density = set->field[SLUICE_FIELD_SCALAR];
    for (int64_t i = 0; i < set->count; i++)
        density[i] = set->own[i] ? value_of(number_of(set, i), sort) : -1;
    SLUICE_TRY(sluice_domain_refresh(d, &t->grid, set, SLUICE_BIT(SCALAR)));
    for (int64_t i = 0; i < set->count; i++)
        found->copies += density[i] != value_of(number_of(set, i), sort);
    check_lists(&d->set[set->type].lists, found);
    return SLUICE_OK;
}

/* Slices of any length, also of no rows. */
static sluice_status check_slices(struct sluice_comm *comm, const struct sluice_set *set,
                                  struct found *found)
{
    struct sluice_slices s = {0};
    struct sluice_slice_scratch room = {0};
    int64_t first[MOST_RANKS + 1];
    sluice_id id[PARTICLES];
    for (int r = 0; r <= comm->size; r++)
        first[r] = r == comm->size ? PARTICLES : (int64_t)r * r * PARTICLES / 100;
    SLUICE_TRY(sluice_slices_create(&s, comm, NULL, ids(set), set->own, set->count, first));
    SLUICE_TRY(sluice_slices_bring(&s, &room, sizeof *id, ids(set), id));
    found->slices += s.first != first[comm->rank] ||
                     s.count != first[comm->rank + 1] - first[comm->rank];
    for (int64_t k = 0; k < s.count; k++)
        found->slices += id[k] != first_id + (sluice_id)(s.first + k);
    sluice_slices_destroy(&s);
    sluice_slice_scratch_destroy(&room);
    return SLUICE_OK;
}

static sluice_status check_sums(struct sluice_comm *comm, struct found *found)
{
    int64_t sum[2] = {1, comm->rank};
    double most = -comm->rank;
    char mine[MOST_RANKS];
    void *all;
    size_t total;
    memset(mine, 'a' + comm->rank, sizeof mine);
    SLUICE_TRY(comm->ops->sum(comm, sum, 2));
    SLUICE_TRY(comm->ops->max(comm, &most, 1));
    SLUICE_TRY(sluice_comm_gather(comm, mine, (size_t)comm->rank, 1, &all, &total));
    const int n = comm->size, pairs = n * (n - 1) / 2;
    found->sums += sum[0] != n || sum[1] != pairs || most != 0 || total != (size_t)pairs;
    for (int r = 0, at = 0; r < n; at += r++)
        for (int k = 0; k < r && total == (size_t)pairs; k++)
            found->sums += ((const char *)all)[at + k] != 'a' + r;
    free(all);
    found->sums += !sluice_comm_same(comm, 7) || (n > 1 && sluice_comm_same(comm, mine[0] == 'a'));
    return SLUICE_OK;
}

/* --- A rank --- */

static sluice_status compute(struct sluice_comm *comm, void *data)
{
    struct trial *t = data;
    struct found *found = &t->found[comm->rank];
    static const uint32_t key[ROOM];
    struct sluice_domain *d;
    struct sluice_set set, *sets[] = {&set};
    open_set(t, &set);
    SLUICE_TRY(sluice_domain_create(&d, comm, NULL, &t->grid, drift));
    for (int sort = 0; sort < SORTS; sort++) {
        for (int64_t i = 0; i < set.count; i++)
            put_particle(t, &set, i, number_of(&set, i), sort);
        SLUICE_TRY(sluice_domain_divide(d, &t->grid, sets, 1, 1 + comm->rank, sample, NULL));
        SLUICE_TRY(sluice_domain_find_inner(d, &t->grid));
        SLUICE_TRY(sluice_domain_share(d, &t->grid, &set, key, grow, NULL));
        sort_set(t, &set, d->set[set.type].own, sort);
        SLUICE_TRY(check_owners(comm, &set, found));
        check_neighbours(t, &set, sort, found);
        SLUICE_TRY(check_copies(t, d, &set, sort, found));
        SLUICE_TRY(check_slices(comm, &set, found));
    }
    sluice_domain_destroy(&d);
    close_set(&set);
    return check_sums(comm, found);
}

/* A table of all frames of the domain. */
static void open_grid(struct trial *t)
{
    struct sluice_grid_options options = {.dimension = t->dimension,
                                          .cutoff = cutoff,
                                          .high = {1, 1, 1},
                                          .frame_cutoffs = 2,
                                          .bins_per_cutoff = {4, 1, 1}};
    int32_t occupied[PARTICLES][3];
    for (int c = 0; c < t->dimension; c++)
        options.periodic[c] = t->periodic;
    if (sluice_grid_create(&t->grid, &options) != SLUICE_OK)
        abort();
    for (uint32_t j = 0; j < PARTICLES; j++) {
        struct sluice_place place;
        double x[3];
        coordinates(t, j, 0, x);
        sluice_grid_place(&t->grid, x, &place);
        memcpy(occupied[j], place.frame, sizeof occupied[j]);
    }
    if (sluice_grid_set_frames(&t->grid, (const int32_t(*)[3])occupied, PARTICLES) != SLUICE_OK)
        abort();
}

static void test_division(int dimension, int periodic, int size, int seed)
{
    struct trial t = {.dimension = dimension, .periodic = periodic};
    struct found all = {0};
    char number[16];
    int most = 0;
    snprintf(number, sizeof number, "%d", seed);
    setenv("SLUICE_TEST_PLANES", number, 1);
    open_grid(&t);
    run_ranks(size, compute, &t);
    sluice_grid_destroy(&t.grid);
    for (int r = 0; r < size; r++) {
        const struct found *f = &t.found[r];
        all.owners += f->owners;
        all.neighbours += f->neighbours;
        all.copies += f->copies;
        all.order += f->order;
        all.slices += f->slices;
        all.sums += f->sums;
        most = f->own > most ? f->own : most;
    }
    ok(!all.owners && !all.neighbours && !all.copies && !all.order && !all.slices && !all.sums,
       "%d-D%s, %d ranks, seed %d: faults: %d owners, %d neighbours, %d halos, %d in the order of "
       "lists, %d slices, %d sums",
       dimension, periodic ? ", periodic" : "", size, seed, all.owners, all.neighbours, all.copies,
       all.order, all.slices, all.sums);
    if (seed == 0)
        ok(most <= (PARTICLES + size - 1) / size + 3, "the planes divide evenly: at most %d of %d",
           most, PARTICLES);
}

int main(void)
{
    static const int sizes[] = {1, 2, 3, 5, MOST_RANKS};
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int periodic = 0; periodic < 2; periodic++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
                test_division(dimension, periodic, sizes[k], 0);
                test_division(dimension, periodic, sizes[k], 40 + sizes[k]);
            }
    unsetenv("SLUICE_TEST_PLANES");
    return done_testing();
}
