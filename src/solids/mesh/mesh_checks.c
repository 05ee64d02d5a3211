#include "solids/mesh/mesh_checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

/* --- Edges --- */

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

static void open_edge(const struct sluice_surface *mesh, struct rims *r,
                      const struct sluice_mesh_edge *e)
{
    const int32_t low = sluice_mesh_root(r->parent, e->low),
                  high = sluice_mesh_root(r->parent, e->high), *corner = mesh->element[e->triangle],
                  from = e->sense > 0 ? e->low : e->high;
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
 * out. Errors: memory. */
static sluice_status keep_joints(const struct sluice_surface *mesh, struct sluice_mesh_edges *edges)
{
    const int64_t first = mesh->element_count;
    struct sluice_mesh_edge *edge = edges->edge;
    int64_t kept = 0, *closed;
    SLUICE_ALLOCATE(closed, edges->on_line, "flat triangles of a mesh");
    for (int pass = 0; pass < 2; pass++)
        for (int64_t i = 0, next; i < edges->count; i = next) {
            int32_t flat = -1;
            int64_t others = 0, all = 0;
            next = sluice_mesh_edges_next(edges, i);
            for (int64_t k = i; k < next; k++) {
                const int32_t t = edge[k].triangle;
                all += edge[k].sense;
                others += t < first ? edge[k].sense : 0;
                if (t >= first && flat >= 0)
                    sluice_mesh_edges_join(edges, t, flat);
                flat = t >= first ? t : flat;
            }
            if (pass == 1 && flat >= 0)
                closed[sluice_mesh_root(edges->parent, flat) - first] += (others != 0) - (all != 0);
        }
    for (int64_t i = 0; i < edges->count; i++) {
        const int32_t t = edge[i].triangle;
        if (t < first || closed[sluice_mesh_root(edges->parent, t) - first] > 0)
            edge[kept++] = edge[i];
    }
    edges->count = kept;
    free(closed);
    return SLUICE_OK;
}

/* Goes over edges with the same vertices together. Two triangles share an edge and pass it in
 * opposite directions. */
static void sort_edges(const struct sluice_surface *mesh, struct rims *r)
{
    struct sluice_mesh_edge *edge = r->edges->edge;
    for (int64_t i = 0, next; i < r->edges->count; i = next) {
        int64_t sense = 0;
        next = sluice_mesh_edges_next(r->edges, i);
        for (int64_t k = i; k < next; k++)
            sense += edge[k].sense;
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

static void measure_holes(const struct sluice_surface *mesh, struct rims *r)
{
    const struct sluice_mesh_edge *edge = r->edges->edge;
    for (int64_t i = 0; i < r->edges->count; i++) {
        if (edge[i].sense == 0)
            continue;
        struct hole *h = &r->hole[sluice_mesh_root(r->parent, edge[i].low)];
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
    if (holes && !r->edges->is_sheet) {
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
    struct rims r = {.edges = edges};
    sluice_status status = SLUICE_OK;
    for (int64_t i = 0; i < mesh->element_count + edges->on_line; i++)
        edges->parent[i] = (int32_t)i;
    r.parent = calloc((size_t)mesh->vertex_count, sizeof *r.parent);
    r.hole = calloc((size_t)mesh->vertex_count, sizeof *r.hole);
    if (!r.parent || !r.hole) {
        (void)SLUICE_FAIL(SLUICE_DEVICE, "no memory for the edges of %lld triangles of %s",
                          (long long)mesh->element_count, solid->shape->surface);
        status = SLUICE_DEVICE;
    }
    for (int64_t v = 0; status == SLUICE_OK && v < mesh->vertex_count; v++)
        r.parent[v] = (int32_t)v;
    if (status == SLUICE_OK && edges->on_line > 0)
        status = keep_joints(mesh, edges);
    if (status == SLUICE_OK) {
        sort_edges(mesh, &r);
        measure_holes(mesh, &r);
        warn_of_holes(solid, mesh, &r, warnings);
    }
    free(r.parent);
    free(r.hole);
    return status;
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

/* Numbers of a file that are farther apart than a tenth of the spacing move its vertices. */
static void check_precision(const struct sluice_solid *solid, const struct sluice_mesh *file,
                            struct sluice_warnings *warnings)
{
    const double scale = solid->shape->scale, step = file->precision * scale,
                 spacing = solid->config->spacing;
    if (step > 0.1 * spacing)
        sluice_warn(warnings,
                    "%s: its coordinates reach %.6g, where the file's %s are %.3g m apart, %.3g "
                    "spacings: vertices are off by up to half of that; subtract an offset before "
                    "the file is written, and give it as move%s",
                    solid->shape->surface, file->farthest, file->digits ? "digits" : "floats", step,
                    step / spacing, file->digits ? ", or write more digits" : "");
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
                    "%s: %lld bytes after the last triangle that the file claims are not read",
                    solid->shape->surface, (long long)file->unread);
    if (file->flat)
        sluice_warn(warnings, "%s: %lld triangles have no area and are left out",
                    solid->shape->surface, (long long)file->flat);
    check_faces(solid, file, warnings);
    solid->counts_twice = sluice_mesh_check_crossings(solid, mesh, team, warnings);
    check_unit(solid, mesh, warnings);
    check_precision(solid, file, warnings);
}
