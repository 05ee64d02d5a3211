/* The sort: order, tables, frames that come and go, particles that leave, values that are no
 * numbers. */
#include "kernels/cpu/bins.h"
#include "pair_state.h"
#include "tap.h"

static const struct sluice_backend_choice choice = {.name = "cpu", .real_bytes = 4, .threads = 2};

static uint32_t id_at(const struct sluice_set *set, int64_t i)
{
    return ((const uint32_t *)set->field[SLUICE_FIELD_ID])[i];
}

static uint32_t slot_at(const struct sluice_set *set, int64_t i)
{
    return ((const uint32_t *)set->field[SLUICE_FIELD_FRAME])[i];
}

static sluice_status bin(struct world *w, struct sluice_removed *removed)
{
    struct sluice_set *sets[2] = {&w->set[0], &w->set[1]};
    SLUICE_TRY(w->backend.ops->bin(&w->backend, &w->grid, sets, 2, removed));
    return w->backend.ops->sync(&w->backend);
}

/* The offset's bin on an axis, by its definition. */
static int bin_on_axis(const struct world *w, const struct sluice_set *set, int64_t i, int c)
{
    const struct cpu_frame_bins *f = &set->bins->frame[slot_at(set, i)];
    const double t = (field_at(set, SLUICE_FIELD_POSITION, i, c) / w->grid.width[c] + 0.5) *
                     (1 << f->log2[c]);
    return t < 0 ? 0 : t >= (1 << f->log2[c]) ? (1 << f->log2[c]) - 1 : (int)t;
}

/* Every particle stands in its bin's range, by id within it, and the ranges of the frames are what
 * they hold. */
static void check_table(const struct world *w, const struct sluice_set *set, const char *what)
{
    const struct sluice_bins *b = set->bins;
    int64_t misplaced = 0, disordered = 0, counted = 0;
    for (int64_t i = 0; i < set->count; i++) {
        const struct cpu_frame_bins *f = &b->frame[slot_at(set, i)];
        int64_t k = 0;
        for (int c = set->dimension - 1; c >= 0; c--)
            k = (k << f->log2[c]) + bin_on_axis(w, set, i, c);
        const uint32_t *start = b->start + f->first_bin + k;
        misplaced += i < start[0] || i >= start[1];
        disordered += i > start[0] && id_at(set, i - 1) >= id_at(set, i);
    }
    for (int slot = 0; slot < b->frame_count; slot++)
        counted += b->frame[slot].count;
    ok(misplaced == 0 && disordered == 0, "%s: each particle in its bin, by id within it", what);
    ok(counted == set->count && b->start[b->bin_count] == set->count,
       "%s: the frames' counts add up", what);
    ok((int64_t)b->bin_count <= 4 * set->count + b->frame_count, "%s: at most 4 bins a particle",
       what);
}

static void check_order(int dim)
{
    const double low[3] = {0, 0, 0}, high[3] = {30, 20, 10};
    const struct sluice_grid_options o = {.dimension = dim,
                                          .cutoff = 1,
                                          .high = {30, 20, 10},
                                          .frame_cutoffs = 4,
                                          .bins_per_cutoff = {8, 2, 2}};
    struct cloud fluid, walls;
    struct world w, shuffled;
    struct sluice_removed removed = {0};
    cloud_random(&fluid, 5000, dim, low, high, 1);
    cloud_random(&walls, 700, dim, low, high, 2);
    if (world_open(&w, &choice, &o, &fluid, &walls, 0) != SLUICE_OK)
        diag("%s", sluice_message());
    check_table(&w, &w.set[SLUICE_FLUID], "fluid");
    check_table(&w, &w.set[SLUICE_WALL], "walls at rest");
    int64_t torn = 0;
    for (int64_t i = 0; i < w.set[0].count; i++)
        torn += field_at(&w.set[0], SLUICE_FIELD_VELOCITY, i, 0) !=
                (double)(float)fluid.v[fluid.n - 1 - id_at(&w.set[0], i)][0];
    is_int(torn, 0, "fields go with their particle");

    cloud_shuffle(&fluid, 77);
    world_open(&shuffled, &choice, &o, &fluid, &walls, 0);
    ok(memcmp(w.set[0].field[SLUICE_FIELD_ID], shuffled.set[0].field[SLUICE_FIELD_ID], 4 * 5000) ==
               0 &&
           memcmp(w.set[0].field[SLUICE_FIELD_POSITION],
                  shuffled.set[0].field[SLUICE_FIELD_POSITION], 4 * (size_t)(dim + 1) * 5000) == 0,
       "the order does not depend on the input's");
    const void *wall_ids = w.set[SLUICE_WALL].field[SLUICE_FIELD_ID];
    const int64_t version = w.grid.version;
    ok(bin(&w, &removed) == SLUICE_OK && removed.count == 0 &&
           memcmp(w.set[0].field[SLUICE_FIELD_ID], shuffled.set[0].field[SLUICE_FIELD_ID],
                  4 * 5000) == 0,
       "sorting again changes nothing");
    ok(wall_ids == w.set[SLUICE_WALL].field[SLUICE_FIELD_ID] && version == w.grid.version,
       "walls at rest are left alone, and the table of frames too");
    world_close(&w);
    world_close(&shuffled);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

/* A particle goes to a frame where none was, another leaves the domain, a third is not a number. */
static void check_moves(void)
{
    const double low[3] = {0, 0, 0}, high[3] = {7, 7, 7};
    const struct sluice_grid_options o = {.dimension = 3,
                                          .cutoff = 1,
                                          .high = {400, 7, 7},
                                          .frame_cutoffs = 8,
                                          .bins_per_cutoff = {8, 2, 2}};
    struct cloud fluid, walls;
    struct world w;
    struct sluice_removed removed = {0};
    cloud_random(&fluid, 300, 3, low, high, 3);
    cloud_random(&walls, 50, 3, low, high, 4);
    world_open(&w, &choice, &o, &fluid, &walls, 0);
    struct sluice_set *set = &w.set[SLUICE_FLUID];
    uint32_t *slot = set->field[SLUICE_FIELD_FRAME];
    const int64_t version = w.grid.version;
    const uint32_t traveller = id_at(set, 10), leaver = id_at(set, 20);
    const int32_t from[3] = {w.grid.frame[slot[10]][0], w.grid.frame[slot[10]][1],
                             w.grid.frame[slot[10]][2]};
    slot[10] = (uint32_t)w.grid.neighbour[slot[10]][14]; /* one frame to the right */
    field_put(set, SLUICE_FIELD_POSITION, 20, 1, 100);   /* far beyond y = 7, in no frame at all */
    field_put(set, SLUICE_FIELD_POSITION, 30, 0, NAN);
    ok(bin(&w, &removed) == SLUICE_OK, "a step with a traveller, a leaver and a NaN");
    ok(w.grid.version > version, "the table of frames is rebuilt");
    ok(removed.count == 1 && removed.particle[0].id == leaver && set->count == 299,
       "what left is listed and taken off");
    ok(removed.particle[0].place.offset[1] == 100 && removed.particle[0].mass > 0.8,
       "with its place and mass");
    int found = 0, numbers = 0;
    for (int64_t i = 0; i < set->count; i++) {
        const int32_t *frame = w.grid.frame[slot_at(set, i)];
        found += id_at(set, i) == traveller && frame[0] == from[0] + 1 && frame[1] == from[1] &&
                 frame[2] == from[2];
        numbers += isfinite(field_at(set, SLUICE_FIELD_POSITION, i, 0)) != 0;
    }
    ok(found == 1, "the traveller is in its new frame");
    is_int(numbers, 298, "what is no number is kept, for the reduction to report");
    check_table(&w, &w.set[SLUICE_WALL], "walls, renumbered");
    free(removed.particle);
    world_close(&w);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

/* Two clusters at the ends of an enormous domain take no more memory than near each other. */
static void check_memory(void)
{
    int64_t bytes[2];
    for (int k = 0; k < 2; k++) {
        const double far = k ? 1e7 : 100;
        const struct sluice_grid_options o = {.dimension = 3,
                                              .cutoff = 1,
                                              .high = {far, far, far},
                                              .frame_cutoffs = 8,
                                              .bins_per_cutoff = {8, 2, 2}};
        struct cloud fluid;
        struct world w;
        cloud_random(&fluid, 4000, 3, (const double[3]){0, 0, 0}, (const double[3]){8, 8, 8}, 9);
        for (int64_t i = 0; i < 2000; i++)
            for (int c = 0; c < 3; c++)
                fluid.x[i][c] += far - 9;
        world_open(&w, &choice, &o, &fluid, NULL, 0);
        bytes[k] = w.set[0].bins_bytes +
                   w.grid.frame_count * (int64_t)(sizeof *w.grid.frame + sizeof *w.grid.neighbour);
        world_close(&w);
        cloud_destroy(&fluid);
    }
    ok(bytes[1] <= bytes[0] + bytes[0] / 10,
       "a domain 1e5 times longer on each axis: %lld bytes instead of %lld", (long long)bytes[1],
       (long long)bytes[0]);
}

int main(void)
{
    check_order(2);
    check_order(3);
    check_moves();
    check_memory();
    return done_testing();
}
