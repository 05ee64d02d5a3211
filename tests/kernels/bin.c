/* test: 0.5 s, emulator, tsan-slow */
/* The sort: order, tables, frames that come and go, particles that leave, NaN; on every backend,
 * and on the CPU the table itself. */
#include "kernels/cpu/bins.h"
#include "support/pair_state.h"
#include "support/tap.h"
#include "support/variants.h"

#include "core/timer.h"
#include "kernels/backends/backends.h"

static struct sluice_backend_choice choice_of(const struct variant *on)
{
    return (struct sluice_backend_choice){
        .name = on->backend, .isa = on->isa, .real_bytes = 4, .threads = 2};
}

static sluice_id id_at(const struct sluice_set *set, int64_t i)
{
    return ((const sluice_id *)set->field[SLUICE_FIELD_ID])[i];
}

static uint32_t slot_at(const struct sluice_set *set, int64_t i)
{
    return ((const uint32_t *)set->field[SLUICE_FIELD_FRAME])[i];
}

/* Sorts, waits and reads back. */
static sluice_status bin(struct world *w, struct sluice_particle_list *removed)
{
    struct sluice_set *sets[2] = {&w->set[0], &w->set[1]};
    SLUICE_TRY(w->backend.ops->bin(&w->backend, &w->grid, sets, 2, NULL, removed));
    return world_read(w);
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
    /* on the CPU the set itself is host memory */
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

/* One array of two worlds' fluids, byte by byte. */
static int same(const struct world *a, const struct world *b, enum sluice_field f)
{
    const struct sluice_set *of_a = &a->host[SLUICE_FLUID], *of_b = &b->host[SLUICE_FLUID];
    return of_a->count == of_b->count &&
           memcmp(of_a->field[f], of_b->field[f],
                  (size_t)(of_a->count * sluice_set_field_bytes(of_a, f))) == 0;
}

static void open_world(struct world *w, const struct variant *on,
                       const struct sluice_grid_options *o, const struct cloud *fluid,
                       const struct cloud *walls)
{
    const struct sluice_backend_choice choice = choice_of(on);
    if (world_open(w, &choice, o, fluid, walls, 0) == SLUICE_OK)
        return;
    printf("Bail out! %s: %s\n", on->name, sluice_message());
    exit(1);
}

static void check_order(const struct variant *on, int dim)
{
    const double low[3] = {0, 0, 0}, high[3] = {30, 20, 10};
    const struct sluice_grid_options o = {.dimension = dim,
                                          .cutoff = 1,
                                          .high = {30, 20, 10},
                                          .frame_cutoffs = 4,
                                          .bins_per_cutoff = {8, 2, 2}};
    struct cloud fluid, walls;
    struct world w, shuffled;
    struct sluice_particle_list removed = {0};
    cloud_random(&fluid, 5000, dim, low, high, 1);
    cloud_random(&walls, 700, dim, low, high, 2);
    diag("%s, %d-D", on->name, dim);
    open_world(&w, on, &o, &fluid, &walls);
    if (on->is_cpu) {
        check_table(&w, &w.set[SLUICE_FLUID], "fluid");
        check_table(&w, &w.set[SLUICE_WALL], "walls at rest");
    }
    int64_t torn = 0;
    for (int64_t i = 0; i < w.host[0].count; i++)
        torn += field_at(&w.host[0], SLUICE_FIELD_VELOCITY, i, 0) !=
                (double)(float)fluid.v[fluid.n - 1 - (int64_t)id_at(&w.host[0], i)][0];
    is_int(torn, 0, "fields go with their particle");

    cloud_shuffle(&fluid, 77);
    open_world(&shuffled, on, &o, &fluid, &walls);
    ok(same(&w, &shuffled, SLUICE_FIELD_ID) && same(&w, &shuffled, SLUICE_FIELD_POSITION),
       "the order does not depend on the input's");
    const void *wall_ids = w.set[SLUICE_WALL].field[SLUICE_FIELD_ID];
    const int64_t version = w.grid.version;
    ok(bin(&w, &removed) == SLUICE_OK && removed.count == 0 &&
           same(&w, &shuffled, SLUICE_FIELD_ID) && same(&w, &shuffled, SLUICE_FIELD_VELOCITY),
       "sorting again changes nothing");
    ok(wall_ids == w.set[SLUICE_WALL].field[SLUICE_FIELD_ID] && version == w.grid.version,
       "walls at rest are left alone, and the table of frames too");
    free(removed.particle);
    world_close(&w);
    world_close(&shuffled);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

/* Where the particle of this id is, -1: nowhere. */
static int64_t find_id(const struct sluice_set *set, sluice_id id)
{
    for (int64_t i = 0; i < set->count; i++)
        if (id_at(set, i) == id)
            return i;
    return -1;
}

/* Three of 300 particles act: one moves two frames on, where no frame was, one leaves the domain,
 * one becomes NaN. All others rest. */
enum { TRAVELLER = 10, LEAVER = 20, NUMBERLESS = 30 };

static void start_moves(struct world *w, double speed)
{
    struct sluice_set *set = &w->host[SLUICE_FLUID];
    for (int64_t i = 0; i < set->count; i++)
        for (int c = 0; c < 3; c++) {
            field_put(set, SLUICE_FIELD_VELOCITY, i, c, 0);
            field_put(set, SLUICE_FIELD_ACCELERATION, i, c, 0);
        }
    field_put(set, SLUICE_FIELD_VELOCITY, find_id(set, TRAVELLER), 0, speed);
    field_put(set, SLUICE_FIELD_VELOCITY, find_id(set, LEAVER), 1, 7.5);
    field_put(set, SLUICE_FIELD_POSITION, find_id(set, NUMBERLESS), 0, NAN);
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_VELOCITY);
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_ACCELERATION);
    world_write(w, SLUICE_FLUID, SLUICE_FIELD_POSITION);
}

/* x of the traveller. */
static double traveller_x(const struct world *w)
{
    const struct sluice_set *set = &w->host[SLUICE_FLUID];
    const int64_t i = find_id(set, TRAVELLER);
    double x[3] = {NAN, 0, 0};
    if (i < 0)
        return NAN;
    struct sluice_place place = {.offset = {field_at(set, SLUICE_FIELD_POSITION, i, 0)}};
    memcpy(place.frame, w->grid.frame[slot_at(set, i)], sizeof place.frame);
    sluice_grid_coordinates(&w->grid, &place, x);
    return x[0];
}

static void check_leaver(const struct sluice_particle_list *removed, const struct sluice_grid *g)
{
    const struct sluice_listed_particle *p = removed->particle;
    double x[3];
    if (!ok(removed->count == 1 && p && p->id == LEAVER, "a particle that left is listed") || !p)
        return;
    sluice_grid_coordinates(g, &p->place, x);
    ok(x[1] > 7.5 && x[1] < 14.5 && p->mass > 0.8 && p->velocity[1] == 7.5,
       "with its place, mass and velocity");
}

/* A step; with `ahead` also the drift of the next one, before the results are waited for: it must
 * not move particles that have left. */
static sluice_status step(struct world *w, int ahead, struct sluice_particle_list *removed)
{
    const struct sluice_backend_ops *ops = w->backend.ops;
    struct sluice_set *sets[2] = {&w->set[0], &w->set[1]};
    SLUICE_TRY(ops->kick_drift(&w->backend, &w->grid, sets[0], 1));
    SLUICE_TRY(ops->bin(&w->backend, &w->grid, sets, 2, NULL, removed));
    if (ahead)
        SLUICE_TRY(ops->kick_drift(&w->backend, &w->grid, sets[0], 1));
    return world_read(w);
}

static void check_moves(const struct variant *on)
{
    const double low[3] = {0, 0, 0}, high[3] = {7, 7, 7}, speed = 0.75;
    const struct sluice_grid_options o = {.dimension = 3,
                                          .cutoff = 1,
                                          .high = {400, 7, 7},
                                          .frame_cutoffs = 8,
                                          .bins_per_cutoff = {8, 2, 2}};
    enum { STEPS = 25 };
    struct cloud fluid, walls;
    struct world w;
    cloud_random(&fluid, 300, 3, low, high, 3);
    cloud_random(&walls, 50, 3, low, high, 4);
    open_world(&w, on, &o, &fluid, &walls);
    const int64_t version = w.grid.version;
    const double from = traveller_x(&w);
    int64_t removed_later = 0;
    start_moves(&w, speed);
    for (int n = 0; n < STEPS; n++) {
        struct sluice_particle_list removed = {0};
        ok(step(&w, n == 0, &removed) == SLUICE_OK,
           "%s: step %d with a traveller, a leaver and a NaN", on->name, n);
        if (n == 0)
            check_leaver(&removed, &w.grid);
        else
            removed_later += removed.count;
        free(removed.particle);
    }
    const struct sluice_set *set = &w.host[SLUICE_FLUID];
    ok(removed_later == 0 && set->count == 299, "a particle that left is taken off, once");
    ok(w.grid.version > version, "the table of frames is rebuilt");
    is_close(traveller_x(&w), from + (STEPS + 1) * speed, 1e-5, "the traveller is where it went");
    int64_t numbers = 0, disordered = 0;
    for (int64_t i = 0; i < set->count; i++) {
        const int64_t n = find_id(set, id_at(set, i));
        numbers += isfinite(field_at(set, SLUICE_FIELD_POSITION, i, 0) +
                            field_at(set, SLUICE_FIELD_POSITION_LOW, i, 0)) != 0;
        disordered += n != i;
    }
    is_int(numbers, 298, "a particle at NaN is kept, for the reduction to report");
    is_int(disordered, 0, "every particle is there once");
    if (on->is_cpu) {
        check_table(&w, &w.set[SLUICE_WALL], "walls, renumbered");
    }
    world_close(&w);
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

/* Numbers of particles around the size of a block, spread or all in one bin. */
static void check_sizes(const struct variant *on)
{
    static const int64_t counts[] = {0, 1, 255, 256, 257, 1300};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int crowd = 0; crowd < 2; crowd++) {
            const double wide = crowd ? 0.05 : 6;
            const struct sluice_grid_options o = {.dimension = 3,
                                                  .cutoff = 1,
                                                  .high = {7, 7, 7},
                                                  .frame_cutoffs = 2,
                                                  .bins_per_cutoff = {8, 2, 2}};
            struct cloud fluid;
            struct world w;
            cloud_random(&fluid, counts[k], 3, (const double[3]){0.51, 0.51, 0.51},
                         (const double[3]){0.51 + wide, 0.51 + wide, 0.51 + wide}, 17);
            open_world(&w, on, &o, &fluid, NULL);
            int64_t lost = 0;
            for (int64_t i = 0; i < counts[k]; i++)
                lost += find_id(&w.host[SLUICE_FLUID], fluid.id[i]) < 0;
            ok(lost == 0 && w.set[SLUICE_FLUID].count == counts[k], "%s: %lld particles%s",
               on->name, (long long)counts[k], crowd ? " in one bin" : "");
            world_close(&w);
            cloud_destroy(&fluid);
        }
}

/* All particles in one place: on the CPU the time of their sort by id must not grow with the square
 * of their number. */
static void check_crowd(const struct variant *on)
{
    enum { CROWD = 100000 };
    const struct sluice_grid_options o = {.dimension = 3,
                                          .cutoff = 1,
                                          .high = {7, 7, 7},
                                          .frame_cutoffs = 2,
                                          .bins_per_cutoff = {8, 2, 2}};
    const double place[3] = {0.51, 0.52, 0.53};
    struct cloud fluid;
    struct world w;
    cloud_random(&fluid, CROWD, 3, place, place, 18);
    cloud_shuffle(&fluid, 19);
    const double began = sluice_seconds();
    open_world(&w, on, &o, &fluid, NULL);
    int64_t disordered = 0;
    for (int64_t i = 1; i < CROWD; i++)
        disordered += id_at(&w.host[SLUICE_FLUID], i) <= id_at(&w.host[SLUICE_FLUID], i - 1);
    diag("%.3f s", sluice_seconds() - began);
    ok(w.set[SLUICE_FLUID].count == CROWD && disordered == 0, "%s: %d particles at one place",
       on->name, CROWD);
    world_close(&w);
    cloud_destroy(&fluid);
}

/* Two clusters at the ends of an enormous domain take no more memory than near each other. */
static void check_memory(const struct variant *on)
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
        open_world(&w, on, &o, &fluid, NULL);
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
    struct variant variants[VARIANTS_MOST];
    const int n = variants_here(variants);
    for (int k = 0; k < n; k++) {
        check_order(&variants[k], 2);
        check_order(&variants[k], 3);
        check_moves(&variants[k]);
        check_sizes(&variants[k]);
        check_memory(&variants[k]);
        if (variants[k].is_cpu)
            check_crowd(&variants[k]);
    }
    return done_testing();
}
