/* Sheets: surfaces with one face, as a terrain, which enclose nothing.
 *
 * The areas of a closed surface add up to 0 as vectors. If the vectors of a part with open edges
 * add up to most of its area, its triangles look one way: it is a sheet, unless it is a scrap, as a
 * loose triangle.
 *
 *      ___/\__   the sheet
 *     |       |  sides: from the part's widest rim straight down
 *     |_______|  its shadow on the base
 *
 * Other rims of the part are holes, as in any mesh. */
#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "solids/mesh/mesh_edges.h"

/* Sums of vectors over the area: from here on a part is a sheet; with `base`, seen from above. */
#define ONE_WAY 0.8
#define UPWARDS 0.2
/* A part with less of the mesh's area is a scrap. */
#define SCRAP 0.02

struct part {
    double vector[3], area;
    double width; /* of its widest rim */
    int32_t rim;  /* that rim; -1: it is closed */
    int lies;     /* it is a sheet above a base */
};

struct rim {
    int64_t vertices;
    double low[3], high[3];
};

struct sheets {
    const struct sluice_solid *solid;
    struct sluice_mesh *mesh;
    struct sluice_mesh_edges *edges;
    int32_t *of;         /* [triangles] the part of a triangle */
    int32_t *rim_of;     /* [vertices] the rim of a vertex */
    int64_t parts, open; /* open: edges of one triangle */
    struct part *part;   /* [parts] */
    struct rim *rim;     /* [vertices] */
    double up[3];        /* the config's z axis in the solid's own coordinates */
    int32_t *beneath;    /* [vertices] the vertex on the base; -1: none */
};

/* --- Parts and their rims --- */

static int is_open(const struct sheets *s, int64_t first, int64_t next)
{
    return next - first == 1 && s->edges->edge[first].triangle < s->mesh->triangle_count;
}

static void join(int32_t *parent, int32_t one, int32_t other)
{
    const int32_t a = sluice_mesh_root(parent, one), b = sluice_mesh_root(parent, other);
    parent[a > b ? a : b] = a > b ? b : a;
}

/* Turns a forest into numbers of its trees, in the order of their first members. */
static int64_t number_trees(int32_t *parent, int64_t n)
{
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        parent[i] = sluice_mesh_root(parent, i); /* never after i */
    for (int32_t i = 0; i < n; i++)
        parent[i] = parent[i] == i ? -1 - count++ : parent[parent[i]];
    for (int32_t i = 0; i < n; i++)
        parent[i] = -1 - parent[i];
    return count;
}

static void find_parts(struct sheets *s)
{
    const struct sluice_mesh_edge *edge = s->edges->edge;
    for (int64_t i = 0, next; i < s->edges->count; i = next) {
        next = sluice_mesh_edges_next(s->edges, i);
        for (int64_t k = i + 1; k < next; k++)
            join(s->of, edge[i].triangle, edge[k].triangle);
        if (!is_open(s, i, next))
            continue;
        join(s->rim_of, edge[i].low, edge[i].high);
        s->open++;
    }
    s->parts = number_trees(s->of, s->mesh->triangle_count + s->mesh->on_line);
    number_trees(s->rim_of, s->mesh->vertex_count);
}

static void area_of(const struct sluice_mesh *m, const int32_t *t, double vector[3])
{
    double u[3], v[3];
    for (int a = 0; a < 3; a++) {
        u[a] = (m->vertex[t[1]][a] - m->vertex[t[0]][a]) / 2;
        v[a] = m->vertex[t[2]][a] - m->vertex[t[0]][a];
    }
    sluice_cross(u, v, vector);
}

static void measure_areas(struct sheets *s)
{
    for (int64_t i = 0; i < s->mesh->triangle_count; i++) {
        struct part *p = &s->part[s->of[i]];
        double vector[3];
        area_of(s->mesh, s->mesh->triangle[i], vector);
        for (int a = 0; a < 3; a++)
            p->vector[a] += vector[a];
        p->area += sluice_norm(vector);
    }
}

static void widen(struct rim *r, const double x[3])
{
    for (int a = 0; a < 3; a++) {
        r->low[a] = r->vertices ? fmin(r->low[a], x[a]) : x[a];
        r->high[a] = r->vertices ? fmax(r->high[a], x[a]) : x[a];
    }
    r->vertices++;
}

/* Finds the widest rim of each part. */
static void measure_rims(struct sheets *s)
{
    const struct sluice_mesh_edge *edge = s->edges->edge;
    for (int64_t k = 0; k < s->parts; k++)
        s->part[k].rim = -1;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0, next; i < s->edges->count; i = next) {
            next = sluice_mesh_edges_next(s->edges, i);
            if (!is_open(s, i, next))
                continue;
            const int32_t rim = s->rim_of[edge[i].low];
            struct rim *r = &s->rim[rim];
            struct part *p = &s->part[s->of[edge[i].triangle]];
            if (pass == 0) {
                widen(r, s->mesh->vertex[edge[i].low]);
                widen(r, s->mesh->vertex[edge[i].high]);
                continue;
            }
            const double way[3] = {r->high[0] - r->low[0], r->high[1] - r->low[1],
                                   r->high[2] - r->low[2]};
            if (p->rim < 0 || sluice_norm(way) > p->width) {
                p->width = sluice_norm(way);
                p->rim = rim;
            }
        }
}

static double height_of(const struct sheets *s, int32_t v)
{
    double x[3];
    sluice_solid_place(s->solid, s->mesh->vertex[v], x);
    return x[2];
}

/* --- The ground beneath --- */

/* Finds the sheets over the base. Returns how many there are. */
static int64_t find_sheets(struct sheets *s)
{
    int64_t count = 0;
    for (int64_t k = 0; k < s->parts; k++) {
        struct part *p = &s->part[k];
        p->lies = p->rim >= 0 && fabs(sluice_dot(p->vector, s->up)) > UPWARDS * p->area;
        count += p->lies;
    }
    return count;
}

static int lies(const struct sheets *s, int64_t triangle)
{
    return s->part[s->of[triangle]].lies;
}

static sluice_status check_base(const struct sheets *s)
{
    const double base = s->solid->shape->base;
    for (int64_t i = 0; i < s->mesh->triangle_count + s->mesh->on_line; i++)
        for (int k = 0; k < 3 && lies(s, i); k++) {
            const int32_t v = s->mesh->triangle[i][k];
            double x[3];
            sluice_solid_place(s->solid, s->mesh->vertex[v], x);
            SLUICE_CHECK(x[2] > base, SLUICE_BAD_INPUT,
                         "%s: base = %.6g m is not below all of the sheet: at (%.6g, %.6g) it lies "
                         "at %.6g m; take a lower base",
                         s->solid->shape->surface, base, x[0], x[1], x[2]);
        }
    return SLUICE_OK;
}

/* Gives the vertices of sheets a vertex on the base. */
static sluice_status add_vertices(struct sheets *s)
{
    struct sluice_mesh *m = s->mesh;
    const double base = s->solid->shape->base, scale = s->solid->shape->scale;
    SLUICE_CHECK(m->vertex_count < INT32_MAX / 2, SLUICE_BAD_INPUT,
                 "%s: %lld vertices are too many for a base: at most 2^30 fit",
                 s->solid->shape->surface, (long long)m->vertex_count);
    double(*all)[3] = realloc(m->vertex, 2 * (size_t)m->vertex_count * sizeof *all);
    SLUICE_CHECK(all, SLUICE_DEVICE, "no memory for the vertices of a base");
    m->vertex = all;
    for (int64_t v = 0; v < m->vertex_count; v++)
        s->beneath[v] = -1;
    int64_t count = m->vertex_count;
    for (int64_t i = 0; i < m->triangle_count + m->on_line; i++)
        for (int k = 0; k < 3 && lies(s, i); k++) {
            const int32_t v = m->triangle[i][k];
            if (s->beneath[v] >= 0)
                continue;
            const double down = (height_of(s, v) - base) / scale;
            for (int a = 0; a < 3; a++)
                all[count][a] = all[v][a] - down * s->up[a];
            s->beneath[v] = (int32_t)count++;
        }
    m->vertex_count = count;
    return SLUICE_OK;
}

static void add_triangle(int32_t (*list)[3], int64_t *count, int32_t a, int32_t b, int32_t c)
{
    int32_t *t = list[(*count)++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

/* The sides beneath the widest rims: two triangles for each open edge. */
static void add_sides(const struct sheets *s, int32_t (*list)[3], int64_t *count)
{
    for (int64_t i = 0, next; i < s->edges->count; i = next) {
        const struct sluice_mesh_edge *e = &s->edges->edge[i];
        next = sluice_mesh_edges_next(s->edges, i);
        if (!is_open(s, i, next) || !lies(s, e->triangle))
            continue;
        const struct part *p = &s->part[s->of[e->triangle]];
        if (s->rim_of[e->low] != p->rim)
            continue;
        const int up = (e->sense > 0) == (sluice_dot(p->vector, s->up) > 0);
        const int32_t from = up ? e->low : e->high, to = up ? e->high : e->low;
        add_triangle(list, count, to, from, s->beneath[from]);
        add_triangle(list, count, to, s->beneath[from], s->beneath[to]);
    }
}

/* Rewrites the triangles: sheets upwards, their shadows downwards, the sides, then those without an
 * area. */
static sluice_status add_triangles(struct sheets *s)
{
    struct sluice_mesh *m = s->mesh;
    const int64_t all = m->triangle_count + m->on_line;
    int32_t(*list)[3];
    int64_t count = 0, with_area = 0;
    SLUICE_CHECK(2 * all + 2 * s->open < INT32_MAX / 3, SLUICE_BAD_INPUT,
                 "%s: %lld triangles are too many for a base", s->solid->shape->surface,
                 (long long)m->triangle_count);
    SLUICE_ALLOCATE(list, 2 * all + 2 * s->open, "triangles of a base");
    add_sides(s, list, &count);
    for (int64_t i = 0; i < all; i++) {
        const int32_t *t = m->triangle[i], *b = s->beneath;
        const int down = sluice_dot(s->part[s->of[i]].vector, s->up) < 0,
                  turned = down && lies(s, i);
        add_triangle(list, &count, t[turned], t[!turned], t[2]);
        if (lies(s, i))
            add_triangle(list, &count, b[t[!turned]], b[t[turned]], b[t[2]]);
        if (i + 1 == m->triangle_count)
            with_area = count;
    }
    m->triangle_count = with_area;
    m->on_line = count - with_area;
    free(m->triangle);
    m->triangle = list;
    return SLUICE_OK;
}

static sluice_status fill(struct sheets *s)
{
    const struct sluice_shape *shape = s->solid->shape;
    SLUICE_CHECK(s->open > 0, SLUICE_BAD_INPUT,
                 "%s: base = %.6g fills the ground beneath a sheet, but this surface is closed: "
                 "leave base out",
                 shape->surface, shape->base);
    SLUICE_CHECK(find_sheets(s) > 0, SLUICE_BAD_INPUT,
                 "%s: base = %.6g fills the ground beneath a sheet, but seen from above the faces "
                 "of this surface cover each other: leave base out, or close it in the file",
                 shape->surface, shape->base);
    SLUICE_TRY(check_base(s));
    SLUICE_TRY(add_vertices(s));
    SLUICE_TRY(add_triangles(s));
    return sluice_mesh_edges_list(s->edges, s->mesh);
}

/* --- Without a base --- */

/* A height that is a good base: the domain's floor, or some spacings below the sheet. */
static double propose_base(const struct sheets *s)
{
    const struct sluice_config *c = s->solid->config;
    double low = INFINITY;
    for (int32_t v = 0; v < s->mesh->vertex_count; v++)
        low = fmin(low, height_of(s, v));
    return fmin(c->domain.min[2], low - 4 * c->spacing);
}

static void warn(struct sheets *s, struct sluice_warnings *warnings)
{
    const double scale = s->solid->shape->scale;
    double one_way = 0, all = 0, width = 0;
    for (int64_t k = 0; k < s->parts; k++)
        all += s->part[k].area;
    for (int64_t k = 0; k < s->parts; k++) {
        const struct part *p = &s->part[k];
        if (p->rim < 0 || p->area < SCRAP * all || sluice_norm(p->vector) < ONE_WAY * p->area)
            continue;
        one_way += p->area;
        width = fmax(width, p->width);
    }
    s->edges->is_sheet = one_way > all / 2;
    if (!s->edges->is_sheet)
        return;
    sluice_warn(warnings,
                "%s: this is a sheet, not a solid: nearly all of its triangles look one way, and "
                "its rim of open edges is %.4g m wide; what it encloses is a thin lens at best. If "
                "it is the ground, add this line to the shape, and all beneath it is filled down "
                "to that height: base = %.6g; or give its heights as a table with shape = "
                "\"heightfield\". If it is a hull, close it in the file",
                s->solid->shape->surface, width * scale, propose_base(s));
}

/* --- Both --- */

static sluice_status make_forests(struct sheets *s)
{
    const int64_t triangles = s->mesh->triangle_count + s->mesh->on_line;
    SLUICE_ALLOCATE(s->of, triangles, "parts of a mesh");
    SLUICE_ALLOCATE(s->rim_of, s->mesh->vertex_count, "rims of a mesh");
    for (int64_t i = 0; i < triangles; i++)
        s->of[i] = (int32_t)i;
    for (int64_t v = 0; v < s->mesh->vertex_count; v++)
        s->rim_of[v] = (int32_t)v;
    for (int a = 0; a < 3; a++)
        s->up[a] = s->solid->rotation[2][a];
    return SLUICE_OK;
}

static sluice_status find_and_fill(struct sheets *s, struct sluice_warnings *warnings)
{
    const int has_base = isfinite(s->solid->shape->base);
    SLUICE_TRY(make_forests(s));
    find_parts(s);
    if (s->open == 0 && !has_base)
        return SLUICE_OK;
    SLUICE_ALLOCATE(s->part, s->parts, "parts of a mesh");
    SLUICE_ALLOCATE(s->rim, s->mesh->vertex_count, "rims of a mesh");
    SLUICE_ALLOCATE(s->beneath, s->mesh->vertex_count, "vertices of a base");
    measure_areas(s);
    measure_rims(s);
    if (has_base)
        return fill(s);
    warn(s, warnings);
    return SLUICE_OK;
}

sluice_status sluice_mesh_fill_beneath(const struct sluice_solid *solid, struct sluice_mesh *mesh,
                                       struct sluice_mesh_edges *edges,
                                       struct sluice_warnings *warnings)
{
    struct sheets s = {.solid = solid, .mesh = mesh, .edges = edges};
    const sluice_status status = find_and_fill(&s, warnings);
    free(s.of);
    free(s.part);
    free(s.rim_of);
    free(s.rim);
    free(s.beneath);
    return status;
}
