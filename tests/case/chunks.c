/* test: 19 s, sanitize-slow */
/* Particles made chunk by chunk, at each request, are those of a case that holds them: the same
 * bits in the same order, for any number of threads. Their ids follow one walk over the cells. A
 * visit of a box gets all particles in it. */
#include <stdlib.h>
#include <string.h>

#include "case/case.h"
#include "geometry/lattice.h"
#include "support/part.h"
#include "support/tap.h"

enum { KEYS = 4 };

struct comparison {
    const struct sluice_start *held;
    int64_t next; /* particle */
    int chunks, same;
};

static int equal(const void *held, const void *chunk, size_t size, int64_t first, int64_t n)
{
    return chunk ? held && memcmp((const char *)held + (size_t)first * size, chunk,
                                  (size_t)n * size) == 0
                 : !held;
}

/* Compares the members, for places have padding. */
static int same_places(const struct sluice_place *a, const struct sluice_place *b, int64_t n)
{
    int same = 1;
    for (int64_t i = 0; i < n; i++)
        same &= memcmp(a[i].frame, b[i].frame, sizeof a[i].frame) == 0 &&
                memcmp(a[i].offset, b[i].offset, sizeof a[i].offset) == 0;
    return same;
}

static sluice_status compare(void *data, const struct sluice_start *s, int64_t first,
                             struct sluice_threads *team)
{
    struct comparison *c = data;
    const struct sluice_start *h = c->held;
    const int64_t n = s->count;
    (void)team;
    c->same &= first == c->next && first + n <= h->count &&
               same_places(h->place + first, s->place, n) &&
               equal(h->id, s->id, sizeof *s->id, first, n) &&
               equal(h->velocity, s->velocity, sizeof *s->velocity, first, n) &&
               equal(h->density, s->density, sizeof *s->density, first, n) &&
               equal(h->mass, s->mass, sizeof *s->mass, first, n) &&
               equal(h->energy, s->energy, sizeof *s->energy, first, n) &&
               equal(h->motion, s->motion, sizeof *s->motion, first, n) &&
               equal(h->offset, s->offset, sizeof *s->offset, first, n);
    c->next = first + n;
    c->chunks++;
    return c->same ? SLUICE_OK : SLUICE_FAILED_CHECK;
}

static void test_type(const struct sluice_case *held, const struct sluice_case *made, int type,
                      int least, const char *name)
{
    for (int visit = 0; visit < 2; visit++) {
        struct comparison c = {.held = &held->start[type], .same = 1};
        const sluice_status status = sluice_case_each(made, (enum sluice_type)type, compare, &c);
        ok(status == SLUICE_OK && c.next == held->start[type].count && c.chunks >= least,
           "%s: visit %d of the same %lld %s particles, in %d chunks", name, visit + 1,
           (long long)c.next, sluice_type_names[type], c.chunks);
    }
    ok(!made->start[type].id, "%s: none is held", name);
}

/* --- The order of ids --- */

/* Compares the held particles with those of a walk. */
struct walk {
    const struct sluice_case *held;
    const struct sluice_grid *grid;
    int type;
    int64_t next;
    int same;
};

static void meet(void *data, int shape, const double x[3])
{
    struct walk *w = data;
    const struct sluice_start *s = &w->held->start[w->type];
    const int64_t i = w->next++;
    if (i >= s->count) {
        w->same = 0;
        return;
    }
    const int group = (int)s->group[i];
    struct sluice_place place;
    char text[SLUICE_TEXT_MAX];
    const char *name = shape < 0 ? "lattice" : sluice_config_group(w->held->config, shape, text);
    memset(&place, 0, sizeof place);
    sluice_grid_place(w->grid, x, &place);
    const int64_t before = w->type == SLUICE_WALL ? w->held->start[SLUICE_FLUID].count : 0;
    w->same &= i < s->count && (int64_t)s->id[i] == before + i &&
               same_places(&s->place[i], &place, 1) &&
               strcmp(w->held->groups.group[group].name, name) == 0;
}

/* Particles have the order of the shapes in the config. The second fluid comes last, so only cases
 * of one fluid are checked. */
static void test_order(const struct sluice_case *held, const struct sluice_config *config)
{
    struct sluice_grid grid;
    if (!ok(sluice_grid_create(&grid, &held->grid) == SLUICE_OK, "a grid"))
        return;
    for (int type = 0; type < SLUICE_GHOST; type++) {
        struct walk w = {.held = held, .grid = &grid, .type = type, .same = 1};
        if (config->lattice.used && type == SLUICE_FLUID) {
            struct sluice_lattice lattice;
            sluice_lattice_create(&lattice, config);
            for (int64_t i = 0; i < (int64_t)lattice.count; i++) {
                double x[3];
                sluice_lattice_site(&lattice, i, x);
                meet(&w, -1, x);
            }
        }
        if (config->shape_count > 0)
            sluice_geometry_visit(&held->geometry,
                                  type == SLUICE_FLUID ? SLUICE_SHAPE_FLUID : SLUICE_SHAPE_WALL,
                                  meet, &w);
        ok(w.same && w.next == held->start[type].count, "%lld %s particles have the ids of a walk",
           (long long)w.next, sluice_type_names[type]);
    }
    sluice_grid_destroy(&grid);
}

/* --- A box --- */

struct box {
    const struct sluice_grid *grid;
    double low[3], high[3];
    unsigned char *seen; /* [particles of the type] how often a chunk had it */
    int64_t made, wrong;
    sluice_id first_id;
    const struct sluice_start *held;
};

static int overlaps(const void *data, const double low[3], const double high[3])
{
    const struct box *b = data;
    int yes = 1;
    for (int a = 0; a < b->grid->dimension; a++)
        yes &= low[a] <= b->high[a] && high[a] >= b->low[a];
    return yes;
}

static sluice_status take(void *data, const struct sluice_start *s, int64_t first,
                          struct sluice_threads *team)
{
    struct box *b = data;
    (void)team;
    b->wrong += (int64_t)(s->id[0] - b->first_id) != first;
    for (int64_t i = 0; i < s->count; i++) {
        const int64_t k = (int64_t)(s->id[i] - b->first_id);
        b->seen[k]++;
        b->wrong += !same_places(&b->held->place[k], &s->place[i], 1);
    }
    b->made += s->count;
    return SLUICE_OK;
}

/* The ids of a type follow one another. */
static void test_box(const struct sluice_case *held, const struct sluice_case *made, int type)
{
    const struct sluice_start *all = &held->start[type];
    struct sluice_grid grid;
    struct box b = {.grid = &grid, .first_id = all->id[0], .held = all};
    const struct sluice_case_visit visit = {.work = take, .data = &b, .wants = overlaps};
    int64_t inside = 0, missing = 0;
    if (!ok(sluice_grid_create(&grid, &held->grid) == SLUICE_OK, "a grid"))
        return;
    for (int a = 0; a < 3; a++) {
        const double size = grid.high[a] - grid.low[a];
        b.low[a] = grid.low[a] + (type == SLUICE_WALL ? 0 : 0.11) * size;
        b.high[a] = grid.low[a] + 0.43 * size;
    }
    b.seen = calloc((size_t)all->count, 1);
    const sluice_status status = sluice_case_visit(made, (enum sluice_type)type, &visit);
    for (int64_t i = 0; i < all->count; i++) {
        double x[3];
        int in = 1;
        sluice_grid_coordinates(&grid, &all->place[i], x);
        for (int a = 0; a < grid.dimension; a++)
            in &= x[a] >= b.low[a] && x[a] <= b.high[a];
        inside += in;
        missing += in && b.seen[i] != 1;
        b.wrong += b.seen[i] > 1;
    }
    ok(status == SLUICE_OK && missing == 0 && b.wrong == 0 && b.made < all->count / 2,
       "a box of %lld of %lld %s particles: %lld are made, %lld are missing, %lld are wrong",
       (long long)inside, (long long)all->count, sluice_type_names[type], (long long)b.made,
       (long long)missing, (long long)b.wrong);
    free(b.seen);
    sluice_grid_destroy(&grid);
}

/* --- A case --- */

static int read_config(struct sluice_config *config, const char *path,
                       const char *const given[KEYS], int threads)
{
    const char *key[KEYS + 1];
    char text[40];
    int keys = 0;
    for (; keys < KEYS && given[keys]; keys++)
        key[keys] = given[keys];
    snprintf(text, sizeof text, "backend.threads=%d", threads);
    key[keys++] = text;
    return ok(sluice_config_read(config, path, key, keys, stderr) == SLUICE_OK,
              "%s: reads, %d threads", path, threads);
}

static void test_made(const struct sluice_case *held, const char *path, const char *const key[KEYS],
                      int threads, int chunks, int boxes)
{
    struct sluice_config config;
    struct sluice_case made;
    if (!read_config(&config, path, key, threads))
        return;
    if (ok(sluice_case_create_on(&made, &config, NULL, NULL) == SLUICE_OK, "%s: made", path)) {
        for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
            if (held->start[type].count > 0)
                test_type(held, &made, type, type == SLUICE_FLUID ? chunks : 1, path);
        ok(sluice_groups_digest(&held->groups) == sluice_groups_digest(&made.groups) &&
               memcmp(held->fluid_mass, made.fluid_mass, sizeof made.fluid_mass) == 0 &&
               memcmp(&held->physics.scales, &made.physics.scales, sizeof made.physics.scales) == 0,
           "%s: the same groups, masses and scales", path);
        for (int type = 0; type < boxes; type++)
            test_box(held, &made, type);
        sluice_case_destroy(&made);
    }
    sluice_config_destroy(&config);
}

/* chunks: the fluid has at least this many. walks: the order is that of a plain walk. boxes: the
 * number of types with particles both in and beside the box of test_box. */
static void test_case(const char *path, const char *const key[KEYS], int chunks, int walks,
                      int boxes)
{
    static int cases;
    struct sluice_config config;
    struct sluice_case held;
    if (!read_config(&config, path, key, 1))
        return;
    if (ok(sluice_case_create(&held, &config, NULL) == SLUICE_OK, "%s: held", path)) {
        if (walks)
            test_order(&held, &config);
        for (int k = 0; k < 3; k++)
            if (part_has(cases + k, 3))
                test_made(&held, path, key, 1 + 2 * k, chunks, boxes);
        cases++;
        sluice_case_destroy(&held);
    }
    sluice_config_destroy(&config);
}

int main(void)
{
    test_case("configs/lennard_jones.cfg", (const char *[KEYS]){"lattice.cells=[42,42,42]"}, 2, 1,
              1);
    test_case("configs/lennard_jones.cfg",
              (const char *[KEYS]){"lattice.kind=\"cubic\"", "lattice.cells=[150,31,30]"}, 1, 1, 1);
    test_case("configs/two_layers.cfg", (const char *[KEYS]){"spacing=0.0015625"}, 2, 0, 1);
    test_case("configs/dam_break_3d.cfg",
              (const char *[KEYS]){"boundary.kind=\"mdbc\"", "spacing=0.04"}, 1, 1, 0);
    test_case("configs/dam_break_3d.cfg", (const char *[KEYS]){"spacing=0.01"}, 2, 1, 2);
    test_case("configs/still_water.cfg", (const char *[KEYS]){"boundary.kind=\"dynamic\""}, 1, 1,
              0);
    test_case("configs/sloshing.cfg", (const char *[KEYS]){NULL}, 1, 1, 0);
    test_case("configs/hull.cfg", (const char *[KEYS]){"spacing=0.05"}, 1, 0, 0);
    test_case("configs/sod.cfg", (const char *[KEYS]){"geometry.[1].spacing=0.0012303915"}, 2, 0,
              1);
    test_case("configs/sedov.cfg",
              (const char *[KEYS]){"geometry.[0].shape=\"sphere\"", "geometry.[0].radius=0.4",
                                   "geometry.[0].centre=[0,0,0]", "spacing=0.012"},
              1, 0, 1);
    test_case("configs/kelvin_helmholtz.cfg",
              (const char *[KEYS]){"geometry.[0].lattice=\"hexagonal\"", "spacing=0.0019"}, 2, 0,
              1);
    return done_testing();
}
