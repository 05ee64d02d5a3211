#include "measure/places.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/allocate.h"
#include "solids/place_table.h"

static const double most_places = 1.1e12; /* 2^40 */

/* --- Making --- */

static sluice_status take_rows(struct sluice_places *p, const struct sluice_place_table *table,
                               const char *path)
{
    const unsigned needed = p->dimension == 3 ? 7 : 3;
    SLUICE_CHECK((table->has & needed) == needed, SLUICE_BAD_INPUT,
                 "%s: the first line must name the columns %s", path,
                 p->dimension == 3 ? "x,y,z" : "x,y");
    SLUICE_CHECK(table->count > 0, SLUICE_BAD_INPUT, "%s: has no points: give a row for each",
                 path);
    SLUICE_ALLOCATE(p->point, table->count, "places");
    for (; p->count < table->count; p->count++) {
        const struct sluice_place_row *row = &table->row[p->count];
        SLUICE_CHECK(p->dimension == 3 || row->x[2] == 0, SLUICE_BAD_INPUT,
                     "%s:%lld: z = %.9g, but the run is in 2-D: leave column z out", path,
                     row->line, row->x[2]);
        memcpy(p->point[p->count], row->x, sizeof row->x);
    }
    return SLUICE_OK;
}

sluice_status sluice_places_read(struct sluice_places *p, const char *path, int dimension)
{
    struct sluice_place_table table;
    *p = (struct sluice_places){.kind = SLUICE_PLACES_POINTS, .dimension = dimension};
    SLUICE_CHECK(access(path, R_OK) == 0, SLUICE_IO, "--points %s: cannot be read: %s", path,
                 strerror(errno));
    SLUICE_TRY(sluice_place_table_read(&table, path));
    const sluice_status status = take_rows(p, &table, path);
    sluice_place_table_destroy(&table);
    if (status != SLUICE_OK)
        sluice_places_destroy(p);
    return status;
}

void sluice_places_line(struct sluice_places *p, int dimension, const double from[3],
                        const double to[3], int64_t count)
{
    *p = (struct sluice_places){.kind = SLUICE_PLACES_LINE, .dimension = dimension, .count = count};
    memcpy(p->from, from, sizeof p->from);
    memcpy(p->to, to, sizeof p->to);
}

sluice_status sluice_places_fill(struct sluice_places *p, int dimension,
                                 const struct sluice_places_grid *g)
{
    double all = 1;
    *p = (struct sluice_places){.kind = SLUICE_PLACES_GRID, .dimension = dimension};
    for (int a = 0; a < 3; a++) {
        const double length = g->box.high[a] - g->box.low[a];
        double n = 1;
        p->origin[a] = a < dimension ? g->box.low[a] : 0;
        p->step[a] = g->spacing;
        if (a == g->axis) {
            p->origin[a] = g->at;
        } else if (a < dimension) {
            n = g->n[a] > 0 ? (double)g->n[a] : 1 + floor(length / g->spacing + 1e-6);
            if (g->n[a] > 1)
                p->step[a] = length / (n - 1);
            else if (g->n[a] == 1) /* in the middle */
                p->origin[a] += length / 2;
        }
        all *= n;
        SLUICE_CHECK(all <= most_places, SLUICE_BAD_INPUT,
                     "a grid of more than %.2g places: take a larger spacing or a smaller --box",
                     most_places);
        p->n[a] = (int64_t)n;
    }
    p->count = (int64_t)all;
    return SLUICE_OK;
}

void sluice_places_destroy(struct sluice_places *p)
{
    free(p->point);
    memset(p, 0, sizeof *p);
}

/* --- Asking --- */

void sluice_places_at(const struct sluice_places *p, int64_t i, double x[3])
{
    const double t = p->count > 1 ? (double)i / (double)(p->count - 1) : 0;
    switch (p->kind) {
    case SLUICE_PLACES_POINTS:
        memcpy(x, p->point[i], sizeof p->point[i]);
        break;
    case SLUICE_PLACES_LINE:
        for (int a = 0; a < 3; a++)
            x[a] = p->from[a] + t * (p->to[a] - p->from[a]);
        break;
    default:
        for (int a = 0; a < 3; a++, i /= p->n[a - 1])
            x[a] = p->origin[a] + (double)(i % p->n[a]) * p->step[a];
    }
}

void sluice_places_extent(const struct sluice_places *p, double low[3], double high[3])
{
    for (int a = 0; a < 3; a++) {
        low[a] = INFINITY;
        high[a] = -INFINITY;
    }
    /* The first and the last place of lines and grids are corners. */
    const int64_t step = p->kind == SLUICE_PLACES_POINTS || p->count < 2 ? 1 : p->count - 1;
    for (int64_t i = 0; i < p->count; i += step) {
        double x[3];
        sluice_places_at(p, i, x);
        for (int a = 0; a < 3; a++) {
            low[a] = fmin(low[a], x[a]);
            high[a] = fmax(high[a], x[a]);
        }
    }
}

static int is_within(const double x[3], const double low[3], const double high[3], int dimension)
{
    for (int a = 0; a < dimension; a++) {
        const double slack = 1e-9 * (high[a] - low[a]);
        if (x[a] < low[a] - slack || x[a] > high[a] + slack)
            return 0;
    }
    return 1;
}

int64_t sluice_places_outside(const struct sluice_places *p, const double low[3],
                              const double high[3])
{
    int64_t outside = 0;
    double corner[2][3];
    sluice_places_extent(p, corner[0], corner[1]);
    if (is_within(corner[0], low, high, p->dimension) &&
        is_within(corner[1], low, high, p->dimension))
        return 0;
    for (int64_t i = 0; i < p->count; i++) {
        double x[3];
        sluice_places_at(p, i, x);
        outside += !is_within(x, low, high, p->dimension);
    }
    return outside;
}
