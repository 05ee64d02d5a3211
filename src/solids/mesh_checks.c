#include "solids/mesh_checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

/* --- Edges --- */

/* An edge from the lower vertex to the upper one. `sense`: 1 if its triangle goes that way. */
struct edge {
    int32_t low, high, sense; /* sense 0: not open */
    int32_t triangle;
};

static int by_vertices(const void *a, const void *b)
{
    const struct edge *l = a, *r = b;
    return l->low != r->low ? (l->low < r->low ? -1 : 1)
                            : (l->high > r->high) - (l->high < r->high);
}

static int32_t root_of(int32_t *parent, int32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* A hole: the open edges that hang together. */
struct hole {
    int64_t edges;
    double low[3], high[3];
};

struct rims {
    int64_t open, crowded; /* edges that miss a neighbour; of more than two triangles */
    int64_t opposed;       /* open edges of two triangles that face opposite ways */
    int32_t *parent;       /* of the open edges' vertices: a forest */
    struct hole *hole;     /* at the root of each tree */
    double place[3];       /* of a crowded edge */
    struct sluice_mesh_edges *edges;
};

static void open_edge(const struct sluice_surface *mesh, struct rims *r, const struct edge *e)
{
    const int32_t low = root_of(r->parent, e->low), high = root_of(r->parent, e->high),
                  *corner = mesh->element[e->triangle], from = e->sense > 0 ? e->low : e->high;
    for (int k = 0; k < 3; k++)
        if (corner[k] == from)
            r->edges->open[e->triangle] |= (unsigned char)(1 << k);
    r->open++;
    r->parent[low > high ? low : high] = low > high ? high : low;
}

/* Keeps the edges of triangles without an area where they close a T-joint: one triangle has the
 * edge from a to b, others those from b to m and from m to a, with m on the line from a to b; the
 * flat triangle a, m, b joins them.
 *
 * Flat triangles that share edges are kept together, if then fewer edges are open; others are left
 * out. The edges are sorted; returns how many are kept. Errors: memory, -1. */
static int64_t keep_joints(const struct sluice_surface *mesh, struct edge *edge, int64_t count,
                           struct sluice_mesh_edges *edges)
{
    const int64_t first = mesh->element_count;
    int64_t kept = 0, *closed = calloc((size_t)edges->on_line + 1, sizeof *closed);
    if (!closed)
        return -1;
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0, next; i < count; i = next) {
            int32_t flat = -1;
            int64_t others = 0, all = 0;
            for (next = i; next < count && by_vertices(&edge[i], &edge[next]) == 0; next++) {
                const int32_t t = edge[next].triangle;
                all += edge[next].sense;
                others += t < first ? edge[next].sense : 0;
                if (t >= first && flat >= 0)
                    sluice_mesh_edges_join(edges, t, flat);
                flat = t >= first ? t : flat;
            }
            if (pass == 1 && flat >= 0)
                closed[root_of(edges->parent, flat) - first] += (others != 0) - (all != 0);
        }
    for (int64_t i = 0; i < count; i++) {
        const int32_t t = edge[i].triangle;
        if (t < first || closed[root_of(edges->parent, t) - first] > 0)
            edge[kept++] = edge[i];
    }
    free(closed);
    return kept;
}

/* Goes over edges with the same vertices together. Two triangles share an edge and pass it in
 * opposite directions. */
static void sort_edges(const struct sluice_surface *mesh, struct edge *edge, int64_t count,
                       struct rims *r)
{
    for (int64_t i = 0, next; i < count; i = next) {
        int64_t sense = 0;
        for (next = i; next < count && by_vertices(&edge[i], &edge[next]) == 0; next++)
            sense += edge[next].sense;
        if (next - i > 2 && r->crowded++ == 0)
            memcpy(r->place, mesh->vertex[edge[i].low], sizeof r->place);
        r->opposed += next - i == 2 && sense != 0;
        if (next - i == 2)
            sluice_mesh_edges_join(r->edges, edge[i].triangle, edge[i + 1].triangle);
        if (sense != 0)
            open_edge(mesh, r, &edge[i]);
        for (int64_t k = i + (sense != 0); k < next; k++)
            edge[k].sense = 0; /* closed, or counted */
    }
}

static void measure_holes(const struct sluice_surface *mesh, const struct edge *edge, int64_t count,
                          struct rims *r)
{
    for (int64_t i = 0; i < count; i++) {
        if (edge[i].sense == 0)
            continue;
        struct hole *h = &r->hole[root_of(r->parent, edge[i].low)];
        const int32_t end[2] = {edge[i].low, edge[i].high};
        for (int k = 0; k < 2; k++)
            for (int a = 0; a < 3; a++) {
                const double x = mesh->vertex[end[k]][a];
                h->low[a] = h->edges || k ? fmin(h->low[a], x) : x;
                h->high[a] = h->edges || k ? fmax(h->high[a], x) : x;
            }
        h->edges++;
    }
}

static void warn_of_holes(const struct sluice_solid *solid, const struct sluice_surface *mesh,
                          const struct rims *r, struct sluice_warnings *warnings)
{
    int64_t holes = 0;
    double widest = -1, middle[3] = {0, 0, 0}, x[3];
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const struct hole *h = &r->hole[v];
        double width = 0;
        if (h->edges == 0)
            continue;
        holes++;
        for (int a = 0; a < 3; a++)
            width = fmax(width, h->high[a] - h->low[a]);
        if (width <= widest)
            continue;
        widest = width;
        for (int a = 0; a < 3; a++)
            middle[a] = (h->low[a] + h->high[a]) / 2;
    }
    if (holes) {
        sluice_solid_place(solid, middle, x);
        sluice_warn(warnings,
                    "%s: the surface has %lld hole%s of %lld open edges; the widest, %.4g m, is at "
                    "(%.6g, %.6g, %.6g): each is closed with a smooth lid, whose form follows from "
                    "the triangles around it; mend the file where the lid matters",
                    solid->shape->surface, (long long)holes, holes == 1 ? "" : "s",
                    (long long)r->open, widest * solid->shape->scale, x[0], x[1], x[2]);
    }
    if (r->opposed)
        sluice_warn(warnings,
                    "%s: at %lld of the open edges two triangles meet that face opposite ways: "
                    "inside and outside are wrong near them; turn one of the two in the file",
                    solid->shape->surface, (long long)r->opposed);
    if (r->crowded) {
        sluice_solid_place(solid, r->place, x);
        sluice_warn(warnings,
                    "%s: %lld edges belong to more than two triangles, the first at (%.6g, %.6g, "
                    "%.6g): inside and outside may not be what was meant there",
                    solid->shape->surface, (long long)r->crowded, x[0], x[1], x[2]);
    }
}

sluice_status sluice_mesh_check_edges(const struct sluice_solid *solid,
                                      const struct sluice_surface *mesh,
                                      struct sluice_mesh_edges *edges,
                                      struct sluice_warnings *warnings)
{
    const int64_t triangles = mesh->element_count + edges->on_line;
    int64_t count = 3 * triangles;
    struct rims r = {.edges = edges};
    for (int64_t i = 0; i < triangles; i++)
        edges->parent[i] = (int32_t)i;
    struct edge *edge = calloc((size_t)count, sizeof *edge);
    r.parent = calloc((size_t)mesh->vertex_count, sizeof *r.parent);
    r.hole = calloc((size_t)mesh->vertex_count, sizeof *r.hole);
    int memory = edge && r.parent && r.hole;
    for (int64_t v = 0; memory && v < mesh->vertex_count; v++)
        r.parent[v] = (int32_t)v;
    for (int64_t i = 0; memory && i < count; i++) {
        const int32_t a = mesh->element[i / 3][i % 3], b = mesh->element[i / 3][(i + 1) % 3];
        edge[i] = (struct edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1, (int32_t)(i / 3)};
    }
    if (memory)
        qsort(edge, (size_t)count, sizeof *edge, by_vertices);
    if (memory && edges->on_line > 0) {
        count = keep_joints(mesh, edge, count, edges);
        memory = count >= 0;
    }
    if (memory) {
        sort_edges(mesh, edge, count, &r);
        measure_holes(mesh, edge, count, &r);
        warn_of_holes(solid, mesh, &r, warnings);
    }
    free(edge);
    free(r.parent);
    free(r.hole);
    SLUICE_CHECK(memory, SLUICE_DEVICE, "no memory for the edges of %lld triangles of %s",
                 (long long)triangles, solid->shape->surface);
    return SLUICE_OK;
}

/* --- All --- */

/* Faces of four corners or more, which the reader has cut into triangles. */
static void check_faces(const struct sluice_solid *solid, const struct sluice_mesh *file,
                        struct sluice_warnings *warnings)
{
    double x[3];
    if (file->warped) {
        sluice_solid_place(solid, file->warped_at, x);
        sluice_warn(warnings,
                    "%s: %lld faces of four corners or more are not flat, by up to %.4g m at "
                    "(%.6g, %.6g, %.6g): they are cut into triangles from the first corner on",
                    solid->shape->surface, (long long)file->warped,
                    file->warped_by * solid->shape->scale, x[0], x[1], x[2]);
    }
    if (file->crossed) {
        sluice_solid_place(solid, file->crossed_at, x);
        sluice_warn(warnings,
                    "%s: %lld faces cross themselves, or have too many corners to tell, the first "
                    "at (%.6g, %.6g, %.6g): distances near them may be wrong; give triangles there",
                    solid->shape->surface, (long long)file->crossed, x[0], x[1], x[2]);
    }
}

/* A file in millimetres is a thousand times too large. */
static void check_unit(const struct sluice_solid *solid, const struct sluice_surface *mesh,
                       struct sluice_warnings *warnings)
{
    const struct sluice_config *c = solid->config;
    double size = 0, domain = 0;
    for (int a = 0; a < 3; a++) {
        size = fmax(size, solid->shape->scale * (mesh->high[a] - mesh->low[a]));
        domain = fmax(domain, c->domain.max[a] - c->domain.min[a]);
    }
    if (size > 20 * domain || size < 2 * c->spacing)
        sluice_warn(
            warnings,
            "%s: the mesh is %.4g m long, the domain %.4g m, the spacing %.4g m: does scale "
            "= %.6g fit the file's unit of length? For one in m it is 1, in mm 0.001",
            solid->shape->surface, size, domain, c->spacing, solid->shape->scale);
}

void sluice_mesh_check(struct sluice_solid *solid, const struct sluice_surface *mesh,
                       const struct sluice_mesh *file, struct sluice_threads *team,
                       struct sluice_warnings *warnings)
{
    if (file->unread)
        sluice_warn(warnings,
                    "%s: %lld bytes after the %lld triangles that the file claims are not read",
                    solid->shape->surface, (long long)file->unread,
                    (long long)file->triangle_count + file->flat);
    if (file->flat)
        sluice_warn(warnings, "%s: %lld triangles have no area and are left out",
                    solid->shape->surface, (long long)file->flat);
    check_faces(solid, file, warnings);
    solid->counts_twice = sluice_mesh_check_crossings(solid, mesh, team, warnings);
    check_unit(solid, mesh, warnings);
}
