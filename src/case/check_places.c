/* Whether two particles are in one place: a hash of coarse cells, each particle looked up in those
 * that it is near to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/builder.h"

struct entry {
    int64_t cell[3];
    double x[3];
    uint32_t id;
    int used;
};

struct table {
    struct entry *entry;
    uint64_t mask; /* size - 1 */
    double near;   /* closer than this is one place */
    int dimension;
};

static uint64_t hash_cell(const int64_t cell[3])
{
    uint64_t h = 0;
    for (int a = 0; a < 3; a++) { /* the finaliser of splitmix64 (Steele, Lea & Flood 2014) */
        h += (uint64_t)cell[a] + 0x9E3779B97F4A7C15u;
        h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
        h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
        h ^= h >> 31;
    }
    return h;
}

static void cell_of(const struct table *t, const double x[3], int64_t cell[3])
{
    for (int a = 0; a < 3; a++)
        cell[a] = a < t->dimension ? (int64_t)floor(x[a] / (64 * t->near)) : 0;
}

/* A particle of this cell that is near x, or NULL. */
static const struct entry *find_near(const struct table *t, const int64_t cell[3],
                                     const double x[3])
{
    for (uint64_t slot = hash_cell(cell) & t->mask; t->entry[slot].used;
         slot = (slot + 1) & t->mask) {
        const struct entry *e = &t->entry[slot];
        double d2 = 0;
        for (int a = 0; a < t->dimension; a++)
            d2 += (e->x[a] - x[a]) * (e->x[a] - x[a]);
        if (memcmp(e->cell, cell, sizeof e->cell) == 0 && d2 <= t->near * t->near)
            return e;
    }
    return NULL;
}

/* The cells within reach of x: one, but for the few particles that lie by a border. */
static const struct entry *find_around(const struct table *t, const double x[3])
{
    double corner[3] = {0};
    int64_t low[3], high[3], cell[3];
    for (int a = 0; a < 3; a++)
        corner[a] = x[a] - t->near;
    cell_of(t, corner, low);
    for (int a = 0; a < 3; a++)
        corner[a] = x[a] + t->near;
    cell_of(t, corner, high);
    for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++) {
                const struct entry *e = find_near(t, cell, x);
                if (e)
                    return e;
            }
    return NULL;
}

static void insert(struct table *t, const double x[3], uint32_t id)
{
    int64_t cell[3];
    cell_of(t, x, cell);
    uint64_t slot = hash_cell(cell) & t->mask;
    while (t->entry[slot].used)
        slot = (slot + 1) & t->mask;
    struct entry *e = &t->entry[slot];
    memcpy(e->cell, cell, sizeof e->cell);
    memcpy(e->x, x, sizeof e->x);
    e->id = id;
    e->used = 1;
}

/* The same among the images across periodic faces, for a particle that lies at one. */
static const struct entry *find_images(const struct sluice_case_builder *b, const struct table *t,
                                       const double x[3])
{
    const struct sluice_grid_options *grid = &b->c->grid;
    double image[3][2];
    int images[3];
    for (int a = 0; a < 3; a++) {
        const double length = grid->high[a] - grid->low[a];
        image[a][0] = image[a][1] = x[a];
        images[a] = 1;
        if (!grid->periodic[a] || fmin(x[a] - grid->low[a], grid->high[a] - x[a]) > t->near)
            continue;
        image[a][1] = x[a] - grid->low[a] <= t->near ? x[a] + length : x[a] - length;
        images[a] = 2;
    }
    for (int i = 0; i < images[0]; i++)
        for (int j = 0; j < images[1]; j++)
            for (int k = 0; k < images[2]; k++) {
                const double at[3] = {image[0][i], image[1][j], image[2][k]};
                const struct entry *e = find_around(t, at);
                if (e)
                    return e;
            }
    return NULL;
}

static sluice_status check_type(const struct sluice_case_builder *b, struct table *t,
                                const struct sluice_start *s)
{
    for (int64_t i = 0; i < s->count; i++) {
        double x[3];
        sluice_grid_coordinates(&b->grid, &s->place[i], x);
        const struct entry *e = find_images(b, t, x);
        SLUICE_CHECK(!e, SLUICE_BAD_INPUT,
                     "%s: particles %u and %u are in one place, (%.9g, %.9g, %.9g): move or remove "
                     "one of them",
                     b->config->particles, e->id, s->id[i], x[0], x[1], x[2]);
        insert(t, x, s->id[i]);
    }
    return SLUICE_OK;
}

sluice_status sluice_case_check_places(const struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    if (config->model == SLUICE_MODEL_LJ &&
        sluice_config_pair_number(config, "pair.softening", 0) > 0)
        return SLUICE_OK;
    struct table t = {.dimension = config->dimension};
    int64_t count = 0;
    uint64_t size = 64;
    for (int type = 0; type <= SLUICE_WALL; type++)
        count += b->c->start[type].count;
    while (size < 2 * (uint64_t)count)
        size *= 2;
    t.mask = size - 1;
    t.near = 1e-6 * (config->model == SLUICE_MODEL_WCSPH ? config->spacing : b->c->cutoff);
    t.entry = calloc(size, sizeof *t.entry);
    SLUICE_CHECK(t.entry, SLUICE_DEVICE, "no memory to look for particles in one place, of %lld",
                 (long long)count);
    sluice_status status = SLUICE_OK;
    for (int type = 0; type <= SLUICE_WALL && status == SLUICE_OK; type++)
        status = check_type(b, &t, &b->c->start[type]);
    free(t.entry);
    return status;
}
