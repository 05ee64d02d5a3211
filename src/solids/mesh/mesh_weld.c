/* Corners that a program has written with errors of rounding: vertices of open edges that nearly
 * agree are joined, with all others near them.
 *
 * A hash table of cubes, wider than the distance, holds the vertices that stay. A vertex looks into
 * the few cubes within the distance for the nearest of them; only where there is none, it stays
 * itself. So chains of close vertices do not shrink to a point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/hash.h"
#include "files/mesh_file.h"
#include "solids/mesh/mesh_edges.h"

struct weld {
    const struct sluice_mesh *mesh;
    double distance;
    size_t slots;
    int32_t *first; /* [slots] 1 + the last vertex that stays in the cubes of a slot */
    int32_t *other; /* [vertices] 1 + the one before it */
    int32_t *to;    /* [vertices] -1: not near an open edge; else the vertex that it becomes */
    int64_t joined;
    double farthest;
    double place[3]; /* of the farthest */
};

static size_t slot_of(const struct weld *w, const double cube[3])
{
    uint64_t h = 0;
    for (int a = 0; a < 3; a++) {
        const double c = cube[a] + 0.0; /* no -0 */
        uint64_t bits;
        memcpy(&bits, &c, sizeof bits);
        h = sluice_mix((h ^ bits) + SLUICE_MIX_STEP);
    }
    return h & (w->slots - 1);
}

/* The width of a cube in distances: most vertices then look into one or two. */
#define WIDTH 4

/* The cube of the place that lies `aside` from a vertex along each axis. */
static void cube_of(const struct weld *w, int32_t v, double aside, double cube[3])
{
    for (int a = 0; a < 3; a++)
        cube[a] = floor((w->mesh->vertex[v][a] + aside) / (WIDTH * w->distance));
}

static double between(const struct sluice_mesh *m, int32_t v, int32_t u)
{
    double sum = 0;
    for (int a = 0; a < 3; a++)
        sum += (m->vertex[v][a] - m->vertex[u][a]) * (m->vertex[v][a] - m->vertex[u][a]);
    return sqrt(sum);
}

/* The nearest vertex of a cube that stays, if it is nearer than `least`; of as near ones the first.
 */
static void look_into(const struct weld *w, int32_t v, const double cube[3], double *least,
                      int32_t *nearest)
{
    for (int32_t u = w->first[slot_of(w, cube)]; u > 0; u = w->other[u - 1]) {
        const double d = between(w->mesh, v, u - 1);
        if (d < *least || (d <= *least && u - 1 < *nearest)) {
            *least = d;
            *nearest = u - 1;
        }
    }
}

/* The nearest vertex that stays, within the distance; v: there is none. */
static int32_t find_nearest(const struct weld *w, int32_t v)
{
    double least = w->distance, low[3], high[3];
    int64_t count[3];
    int32_t nearest = v;
    cube_of(w, v, -least * (1 + 1e-9), low);
    cube_of(w, v, least * (1 + 1e-9), high);
    for (int a = 0; a < 3; a++)
        count[a] = (int64_t)(high[a] - low[a]) + 1;
    for (int64_t k = 0; k < count[0] * count[1] * count[2]; k++) {
        const int64_t step[3] = {k % count[0], k / count[0] % count[1], k / count[0] / count[1]};
        const double cube[3] = {low[0] + (double)step[0], low[1] + (double)step[1],
                                low[2] + (double)step[2]};
        look_into(w, v, cube, &least, &nearest);
    }
    return nearest;
}

static void add(struct weld *w, int32_t v)
{
    double cube[3];
    cube_of(w, v, 0, cube);
    const size_t slot = slot_of(w, cube);
    w->other[v] = w->first[slot];
    w->first[slot] = v + 1;
}

static void join(struct weld *w, int32_t v)
{
    const int32_t u = find_nearest(w, v);
    w->to[v] = u;
    if (u == v) {
        add(w, v);
        return;
    }
    const double d = between(w->mesh, v, u);
    w->joined++;
    if (d >= w->farthest) {
        w->farthest = d;
        memcpy(w->place, w->mesh->vertex[v], sizeof w->place);
    }
}

/* Marks the ends of edges that one or three triangles have. Returns whether there are any. */
static int mark_open(struct weld *w, const struct sluice_mesh_edges *edges)
{
    int any = 0;
    for (int64_t i = 0, next; i < edges->count; i = next) {
        next = sluice_mesh_edges_next(edges, i);
        if ((next - i) % 2 == 0)
            continue;
        any = 1;
        w->to[edges->edge[i].low] = 0;
        w->to[edges->edge[i].high] = 0;
    }
    return any;
}

/* Marks the vertices near those at open edges, too: a pole may be many vertices, of which few are
 * at an open edge. */
static void mark_near(struct weld *w)
{
    const int32_t n = (int32_t)w->mesh->vertex_count;
    for (int32_t v = 0; v < n; v++)
        if (w->to[v] >= 0)
            add(w, v);
    for (int32_t v = 0; v < n; v++)
        if (w->to[v] < 0 && find_nearest(w, v) != v)
            w->to[v] = 0;
    memset(w->first, 0, w->slots * sizeof *w->first);
}

static sluice_status join_all(struct weld *w, const struct sluice_mesh_edges *edges)
{
    const int64_t n = w->mesh->vertex_count;
    SLUICE_ALLOCATE(w->to, n, "vertices of a mesh");
    for (int64_t v = 0; v < n; v++)
        w->to[v] = -1;
    if (!mark_open(w, edges))
        return SLUICE_OK;
    for (w->slots = 64; w->slots < 2 * (size_t)n;)
        w->slots *= 2;
    SLUICE_ALLOCATE(w->first, w->slots, "vertices of a mesh");
    SLUICE_ALLOCATE(w->other, n, "vertices of a mesh");
    mark_near(w);
    for (int32_t v = 0; v < n; v++)
        if (w->to[v] >= 0)
            join(w, v);
    return SLUICE_OK;
}

/* Gives the vertices that stay new numbers, and the triangles these. */
static void number_again(const struct weld *w, struct sluice_mesh *mesh)
{
    int32_t kept = 0;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        if (w->to[v] >= 0 && w->to[v] != v) {
            w->to[v] = w->to[w->to[v]]; /* a lower one, which has its new number */
            continue;
        }
        memmove(mesh->vertex[kept], mesh->vertex[v], sizeof *mesh->vertex);
        w->to[v] = kept++;
    }
    mesh->vertex_count = kept;
    for (int64_t i = 0; i < mesh->triangle_count + mesh->on_line; i++)
        for (int k = 0; k < 3; k++)
            mesh->triangle[i][k] = w->to[mesh->triangle[i][k]];
}

static void warn(const struct weld *w, const struct sluice_solid *solid,
                 struct sluice_warnings *warnings)
{
    const double unit = solid->shape->scale;
    double x[3];
    sluice_solid_place(solid, w->place, x);
    sluice_warn(warnings,
                "%s: %lld vertices at open edges lay within %.4g m of others, a thousandth of the "
                "spacing, the farthest %.3g m at (%.6g, %.6g, %.6g): they are joined",
                solid->shape->surface, (long long)w->joined, w->distance * unit, w->farthest * unit,
                x[0], x[1], x[2]);
}

sluice_status sluice_mesh_weld(const struct sluice_solid *solid, struct sluice_mesh *mesh,
                               struct sluice_mesh_edges *edges, double distance,
                               struct sluice_warnings *warnings)
{
    struct weld w = {.mesh = mesh, .distance = distance};
    sluice_status status = join_all(&w, edges);
    if (status == SLUICE_OK && w.joined > 0) {
        warn(&w, solid, warnings);
        number_again(&w, mesh);
        status = sluice_mesh_drop_flat(mesh);
        if (status == SLUICE_OK)
            status = sluice_mesh_edges_list(edges, mesh);
    }
    free(w.to);
    free(w.first);
    free(w.other);
    return status;
}
