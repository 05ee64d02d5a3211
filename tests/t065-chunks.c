/* Particles that are made chunk by chunk, each time that they are asked for, are those of a case
 * that holds them: the same bits in the same order. */
#include <stdlib.h>
#include <string.h>

#include "case/case.h"
#include "tap.h"

enum { KEYS = 2 };

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

/* Places have padding. */
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

/* chunks: the least number of the fluid's. */
static void test_case(const char *path, const char *const key[KEYS], int chunks)
{
    struct sluice_config config;
    struct sluice_case held, made;
    int keys = 0;
    while (keys < KEYS && key[keys])
        keys++;
    if (!ok(sluice_config_read(&config, path, key, keys, stderr) == SLUICE_OK, "%s: reads", path))
        return;
    if (ok(sluice_case_create(&held, &config, NULL) == SLUICE_OK, "%s: held", path)) {
        if (ok(sluice_case_create_on(&made, &config, NULL, NULL) == SLUICE_OK, "%s: made", path)) {
            for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
                if (held.start[type].count > 0)
                    test_type(&held, &made, type, type == SLUICE_FLUID ? chunks : 1, path);
            sluice_case_destroy(&made);
        }
        sluice_case_destroy(&held);
    }
    sluice_config_destroy(&config);
}

int main(void)
{
    test_case("configs/lennard_jones.cfg", (const char *[KEYS]){"lattice.cells=[42,42,42]"}, 2);
    test_case("configs/two_layers.cfg", (const char *[KEYS]){"spacing=0.0015625"}, 2);
    test_case("configs/dam_break_3d.cfg",
              (const char *[KEYS]){"boundary.kind=\"mdbc\"", "spacing=0.04"}, 1);
    test_case("configs/still_water.cfg", (const char *[KEYS]){"boundary.kind=\"dynamic\""}, 1);
    test_case("configs/sloshing.cfg", (const char *[KEYS]){NULL}, 1);
    test_case("configs/hull.cfg", (const char *[KEYS]){"spacing=0.05"}, 1);
    return done_testing();
}
