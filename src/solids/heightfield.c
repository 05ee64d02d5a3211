/* Heightfields: the ground beneath heights from a table.
 *
 *      columns           ground beneath
 *      x, y in 2-D       the line through the rows, in order of x
 *      x, z in 3-D       that line, along the whole y axis
 *      x, y, z           two triangles between each four neighbours of a grid
 *
 * Beyond the table the ground goes on level, and it has no lower end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "solids/height_checks.h"
#include "solids/place_table.h"
#include "solids/prism.h"

struct ground {
    int is_grid;
    struct sluice_prism prism;     /* of a line of heights */
    struct sluice_surface surface; /* of a grid */
};

/* How far the ground goes on, in its own unit: far beyond all that the domain has. */
static double beyond(const struct sluice_solid *solid, const struct sluice_place_table *table)
{
    const struct sluice_config *c = solid->config;
    double sum = 1;
    for (int a = 0; a < 3; a++) {
        sum += (fabs(c->domain.min[a]) + fabs(c->domain.max[a]) + fabs(solid->shape->move[a]) +
                100 * c->spacing) /
               solid->shape->scale;
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = 0; i < table->count; i++) {
            low = fmin(low, table->row[i].x[a]);
            high = fmax(high, table->row[i].x[a]);
        }
        sum += fabs(low) + fabs(high);
    }
    return 2 * sum;
}

static double lowest(const struct sluice_place_table *table, int up)
{
    double low = INFINITY;
    for (int64_t i = 0; i < table->count; i++)
        low = fmin(low, table->row[i].x[up]);
    return low;
}

/* --- A line of heights --- */

static sluice_status create_line(struct ground *g, struct sluice_solid *solid,
                                 struct sluice_place_table *table, struct sluice_warnings *warnings)
{
    SLUICE_TRY(sluice_heights_mend(solid, table, 0, warnings));
    const int up = solid->dimension - 1, along = solid->dimension == 3 ? 1 : -1;
    const int64_t n = table->count;
    const double far = beyond(solid, table), bottom = lowest(table, up) - far;
    double(*corner)[2];
    for (int64_t i = 1; i < n; i++)
        SLUICE_CHECK(table->row[i].x[0] > table->row[i - 1].x[0], SLUICE_BAD_INPUT,
                     "%s:%lld: x = %.9g is not above that of the row before, %.9g: the places of a "
                     "line of heights must rise",
                     solid->shape->surface, table->row[i].line, table->row[i].x[0],
                     table->row[i - 1].x[0]);
    SLUICE_ALLOCATE(corner, n + 4, "heights");
    corner[0][0] = table->row[0].x[0] - far;
    corner[n + 1][0] = table->row[n - 1].x[0] + far;
    corner[0][1] = table->row[0].x[up];
    corner[n + 1][1] = table->row[n - 1].x[up];
    for (int64_t i = 0; i < n; i++) {
        corner[1 + i][0] = table->row[i].x[0];
        corner[1 + i][1] = table->row[i].x[up];
    }
    corner[n + 2][0] = corner[n + 1][0];
    corner[n + 3][0] = corner[0][0];
    corner[n + 2][1] = corner[n + 3][1] = bottom;
    const sluice_status status = sluice_prism_create(&g->prism, solid, (const double(*)[2])corner,
                                                     n + 4, along, -INFINITY, INFINITY);
    free(corner);
    return status;
}

/* --- A grid of heights --- */

static int by_place(const void *a, const void *b)
{
    const struct sluice_place_row *l = a, *r = b;
    for (int k = 1; k >= 0; k--)
        if (l->x[k] != r->x[k])
            return l->x[k] < r->x[k] ? -1 : 1;
    return (l->line > r->line) - (l->line < r->line);
}

/* Sorts the rows by y, then x, and checks that they are a whole grid of nx columns. */
static sluice_status find_grid(const struct sluice_place_table *t, const char *path, int64_t *nx)
{
    qsort(t->row, (size_t)t->count, sizeof *t->row, by_place);
    int64_t n = 1;
    while (n < t->count && t->row[n].x[1] == t->row[0].x[1])
        n++;
    *nx = n;
    for (int64_t i = 0; i < t->count; i++) {
        const struct sluice_place_row *row = &t->row[i];
        const int64_t first = i / n * n;
        SLUICE_CHECK(i % n == 0 || row->x[0] != row[-1].x[0] || row->x[1] != row[-1].x[1],
                     SLUICE_BAD_INPUT, "%s:%lld: x = %.9g, y = %.9g appears twice: remove a row",
                     path, row->line, row->x[0], row->x[1]);
        SLUICE_CHECK(row->x[0] == t->row[i % n].x[0] && row->x[1] == t->row[first].x[1],
                     SLUICE_BAD_INPUT,
                     "%s:%lld: the heights are no grid: at y = %.9g a row of x = %.9g is missing "
                     "or is one too many; give a height for each x at each y",
                     path, row->line, t->row[first].x[1], t->row[i % n].x[0]);
    }
    SLUICE_CHECK(n >= 2 && t->count >= 2 * n && t->count % n == 0, SLUICE_BAD_INPUT,
                 "%s: %lld rows with %lld places along x are no grid: it has two or more along x "
                 "and y, and a height for each x at each y",
                 path, (long long)t->count, (long long)n);
    return SLUICE_OK;
}

/* The vertices: the grid with a ring of far places around it, and four below. */
static void set_vertices(struct sluice_surface *s, const struct sluice_place_table *t, int64_t nx,
                         int64_t ny, double far)
{
    const double bottom = lowest(t, 2) - far;
    for (int64_t k = -1; k <= ny; k++)
        for (int64_t i = -1; i <= nx; i++) {
            const int64_t at_x = i < 0     ? 0
                                 : i >= nx ? nx - 1
                                           : i,
                          at_y = k < 0     ? 0
                                 : k >= ny ? ny - 1
                                           : k;
            double *x = s->vertex[(k + 1) * (nx + 2) + i + 1];
            memcpy(x, t->row[at_y * nx + at_x].x, 3 * sizeof *x);
            x[0] += i < 0 ? -far : i >= nx ? far : 0;
            x[1] += k < 0 ? -far : k >= ny ? far : 0;
        }
    for (int c = 0; c < 4; c++) {
        double *x = s->vertex[(nx + 2) * (ny + 2) + c];
        memcpy(x, s->vertex[(c >> 1) * (ny + 1) * (nx + 2) + (c & 1) * (nx + 1)], 3 * sizeof *x);
        x[2] = bottom;
    }
}

static void add_triangle(struct sluice_surface *s, int64_t a, int64_t b, int64_t c)
{
    int32_t *t = s->element[s->element_count++];
    t[0] = (int32_t)a;
    t[1] = (int32_t)b;
    t[2] = (int32_t)c;
}

/* A side of the block beneath the ground: a fan from its lower corners to the ground's edge, whose
 * n vertices go anticlockwise seen from above. */
static void add_side(struct sluice_surface *s, int64_t from, int64_t step, int64_t n, int64_t low,
                     int64_t next_low)
{
    for (int64_t i = 0; i + 1 < n; i++)
        add_triangle(s, low, from + (i + 1) * step, from + i * step);
    add_triangle(s, low, next_low, from + (n - 1) * step);
}

static sluice_status create_grid(struct ground *g, struct sluice_solid *solid,
                                 struct sluice_place_table *t, struct sluice_warnings *warnings)
{
    struct sluice_surface *s = &g->surface;
    int64_t nx;
    SLUICE_TRY(find_grid(t, solid->shape->surface, &nx));
    SLUICE_TRY(sluice_heights_mend(solid, t, nx, warnings));
    const int64_t ny = t->count / nx, wide = nx + 2, deep = ny + 2, all = wide * deep;
    SLUICE_CHECK(all < INT32_MAX - 4, SLUICE_BAD_INPUT,
                 "%s: %lld heights are too many: at most 2^31 fit", solid->shape->surface,
                 (long long)t->count);
    s->dimension = 3;
    s->vertex_count = all + 4;
    SLUICE_ALLOCATE(s->vertex, all + 4, "vertices of the ground");
    SLUICE_ALLOCATE(s->element, 2 * all + 2 * (wide + deep) + 8, "triangles of the ground");
    set_vertices(s, t, nx, ny, beyond(solid, t));
    for (int64_t k = 0; k + 1 < deep; k++)
        for (int64_t i = 0; i + 1 < wide; i++) {
            const int64_t at = k * wide + i;
            add_triangle(s, at, at + 1, at + wide + 1);
            add_triangle(s, at, at + wide + 1, at + wide);
        }
    add_side(s, 0, 1, wide, all, all + 1);
    add_side(s, wide - 1, wide, deep, all + 1, all + 3);
    add_side(s, all - 1, -1, wide, all + 3, all + 2);
    add_side(s, all - wide, -wide, deep, all + 2, all);
    add_triangle(s, all, all + 2, all + 3);
    add_triangle(s, all, all + 3, all + 1);
    SLUICE_TRY(sluice_surface_build(s, NULL));
    solid->high[2] = s->high[2];
    return SLUICE_OK;
}

/* --- Both --- */

static void warn_of_ends(const struct sluice_solid *solid, const struct sluice_place_table *table,
                         struct sluice_warnings *warnings)
{
    const struct sluice_config *c = solid->config;
    if (solid->shape->rotation_degrees != 0)
        return;
    for (int a = 0; a < solid->dimension - 1; a++) {
        double low = INFINITY, high = -INFINITY;
        if (!(table->has >> a & 1))
            continue;
        for (int64_t i = 0; i < table->count; i++) {
            const double x = solid->shape->scale * table->row[i].x[a] + solid->shape->move[a];
            low = fmin(low, x);
            high = fmax(high, x);
        }
        const double domain = c->domain.max[a] - c->domain.min[a];
        if (high - low > 20 * domain)
            sluice_warn(warnings,
                        "%s: the heights lie from %c = %.6g to %.6g, the domain from %.6g to "
                        "%.6g: does scale = %.6g fit the file's unit of length? For one in m it is "
                        "1, in mm 0.001",
                        solid->shape->surface, "xyz"[a], low, high, c -> domain.min[a],
                        c->domain.max[a], solid->shape->scale);
        if (low > c->domain.min[a] + c->spacing || high < c->domain.max[a] - c->spacing)
            sluice_warn(warnings,
                        "%s: the heights lie from %c = %.6g to %.6g, the domain from %.6g to "
                        "%.6g: beyond the table the ground goes on level",
                        solid->shape->surface, "xyz"[a], low, high, c -> domain.min[a],
                        c->domain.max[a]);
    }
}

static sluice_status create_ground(struct ground *g, struct sluice_solid *solid,
                                   struct sluice_place_table *table,
                                   struct sluice_warnings *warnings)
{
    const int dimension = solid->dimension;
    const unsigned line = dimension == 2 ? 3u : 5u;
    const char *path = solid->shape->surface;
    SLUICE_CHECK(table->has == line || (dimension == 3 && table->has == 7u), SLUICE_BAD_INPUT,
                 "%s: heights in %d-D have the columns %s", path, dimension,
                 dimension == 2 ? "x and y" : "x and z, or x, y and z");
    SLUICE_CHECK(table->count >= 2, SLUICE_BAD_INPUT, "%s: it has %lld height(s), give two or more",
                 path, (long long)table->count);
    SLUICE_TRY(sluice_heights_check(solid, table));
    for (int a = 0; a < 3; a++) {
        solid->low[a] = -INFINITY;
        solid->high[a] = INFINITY;
    }
    g->is_grid = table->has == 7u;
    if (g->is_grid)
        return create_grid(g, solid, table, warnings);
    SLUICE_TRY(create_line(g, solid, table, warnings));
    solid->low[0] = -INFINITY;
    solid->high[0] = INFINITY;
    return SLUICE_OK;
}

static void destroy(void *data)
{
    struct ground *g = data;
    if (!g)
        return;
    sluice_prism_destroy(&g->prism);
    sluice_surface_destroy(&g->surface);
    free(g);
}

static sluice_status create(struct sluice_solid *solid, struct sluice_warnings *warnings)
{
    struct sluice_place_table table;
    struct ground *g;
    SLUICE_ALLOCATE(g, 1, "ground");
    sluice_status status = sluice_place_table_read(&table, solid->shape->surface);
    if (status == SLUICE_OK) {
        status = create_ground(g, solid, &table, warnings);
        if (status == SLUICE_OK)
            warn_of_ends(solid, &table, warnings);
        sluice_place_table_destroy(&table);
    }
    solid->volume = 0;
    solid->low[solid->dimension - 1] = -INFINITY;
    solid->data = g;
    if (status != SLUICE_OK) {
        destroy(g);
        solid->data = NULL;
    }
    return status;
}

static double distance(const struct sluice_solid *solid, const double x[3], double way[3])
{
    const struct ground *g = solid->data;
    return g->is_grid ? sluice_surface_distance(&g->surface, x, way)
                      : sluice_prism_distance(&g->prism, x, way);
}

static sluice_status sharp(const struct sluice_solid *solid, struct sluice_sharp *list)
{
    const struct ground *g = solid->data;
    return g->is_grid ? sluice_sharp_add_ridges(list, &g->surface)
                      : sluice_prism_sharp(&g->prism, list);
}

static sluice_status triangles(const struct sluice_solid *solid, struct sluice_facets *facets)
{
    const struct ground *g = solid->data;
    return g->is_grid ? sluice_facets_add_surface(facets, &g->surface)
                      : sluice_prism_triangles(&g->prism, facets);
}

const struct sluice_solid_kind sluice_solid_heightfield = {.create = create,
                                                           .destroy = destroy,
                                                           .distance = distance,
                                                           .sharp = sharp,
                                                           .triangles = triangles};
