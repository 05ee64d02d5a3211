/* Neighbours that face opposite ways.
 *
 * Two triangles that share an edge pass it in opposite directions if they agree which side is out.
 * A forest joins the triangles by such edges; each has a bit that says whether it must be turned to
 * agree with the root of its tree. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "solids/mesh/mesh_edges.h"

struct forest {
    struct sluice_mesh_edges *edges;
    const struct sluice_mesh *mesh;
    int32_t *parent;
    unsigned char *odd;     /* to be turned, to agree with the parent */
    unsigned char *twisted; /* at a root: some neighbours in this tree cannot agree */
    int64_t *size, *turned; /* at a root: triangles with an area, and those of them that are odd */
};

/* The root of a triangle's tree; `odd` gets whether the triangle has to be turned to agree. */
static int32_t root_of(struct forest *f, int32_t v, unsigned *odd)
{
    int32_t root = v;
    unsigned sum = 0;
    for (; f->parent[root] != root; root = f->parent[root])
        sum ^= f->odd[root];
    *odd = sum;
    while (f->parent[v] != root && v != root) { /* all on the path hang on the root next time */
        const int32_t next = f->parent[v];
        const unsigned own = f->odd[v];
        f->parent[v] = root;
        f->odd[v] = (unsigned char)sum;
        sum ^= own;
        v = next;
    }
    return root;
}

/* The pair of triangles at the edges first .. next - 1: two with an area, else any two. */
static int find_pair(const struct forest *f, int64_t first, int64_t next, int64_t pair[2])
{
    int64_t with_area = 0;
    for (int64_t i = first; i < next; i++)
        if (f->edges->edge[i].triangle < f->mesh->triangle_count && with_area++ < 2)
            pair[with_area - 1] = i;
    if (with_area == 2)
        return 1;
    pair[0] = first;
    pair[1] = first + 1;
    return next - first == 2;
}

static void join(struct forest *f, const struct sluice_mesh_edge *a,
                 const struct sluice_mesh_edge *b)
{
    unsigned odd_a, odd_b;
    const int32_t one = root_of(f, a->triangle, &odd_a), other = root_of(f, b->triangle, &odd_b);
    const unsigned opposed = (a->sense == b->sense) ^ odd_a ^ odd_b;
    const int32_t low = one < other ? one : other, high = one < other ? other : one;
    if (one == other) {
        f->twisted[one] |= opposed & 1u;
        return;
    }
    f->parent[high] = low;
    f->odd[high] = (unsigned char)opposed;
    f->twisted[low] |= f->twisted[high];
}

static void join_all(struct forest *f)
{
    int64_t pair[2];
    for (int64_t i = 0, next; i < f->edges->count; i = next) {
        next = sluice_mesh_edges_next(f->edges, i);
        if (find_pair(f, i, next, pair))
            join(f, &f->edges->edge[pair[0]], &f->edges->edge[pair[1]]);
    }
}

/* Whether a triangle is among the fewer ones of its part; of as many, the first one stays. */
static int must_turn(struct forest *f, int32_t v)
{
    unsigned odd;
    const int32_t root = root_of(f, v, &odd);
    if (f->twisted[root] || f->turned[root] == 0)
        return 0;
    return 2 * f->turned[root] <= f->size[root] ? odd == 1 : odd == 0;
}

/* Returns how many triangles with an area were turned; `place` is of the first one. */
static int64_t turn_all(struct forest *f, struct sluice_mesh *mesh, double place[3])
{
    const int64_t all = mesh->triangle_count + mesh->on_line;
    int64_t count = 0;
    unsigned odd;
    for (int32_t v = 0; v < mesh->triangle_count; v++) {
        const int32_t root = root_of(f, v, &odd);
        f->size[root]++;
        f->turned[root] += odd;
    }
    for (int64_t i = 0; i < f->edges->count; i++)
        if (must_turn(f, f->edges->edge[i].triangle))
            f->edges->edge[i].sense *= -1;
    for (int32_t v = 0; v < all; v++) {
        int32_t *t = mesh->triangle[v], swapped = t[0];
        if (!must_turn(f, v))
            continue;
        if (v < mesh->triangle_count && count++ == 0)
            memcpy(place, mesh->vertex[t[0]], 3 * sizeof *place);
        t[0] = t[1];
        t[1] = swapped;
    }
    return count;
}

sluice_status sluice_mesh_orient(const struct sluice_solid *solid, struct sluice_mesh *mesh,
                                 struct sluice_mesh_edges *edges, struct sluice_warnings *warnings)
{
    const size_t n = (size_t)(mesh->triangle_count + mesh->on_line);
    struct forest f = {.edges = edges, .mesh = mesh};
    int64_t turned = 0;
    double own[3] = {0, 0, 0}, x[3];
    f.parent = calloc(n, sizeof *f.parent);
    f.odd = calloc(n, 1);
    f.twisted = calloc(n, 1);
    f.size = calloc(n, sizeof *f.size);
    f.turned = calloc(n, sizeof *f.turned);
    const int memory = f.parent && f.odd && f.twisted && f.size && f.turned;
    if (memory) {
        for (size_t v = 0; v < n; v++)
            f.parent[v] = (int32_t)v;
        join_all(&f);
        turned = turn_all(&f, mesh, own);
    }
    free(f.parent);
    free(f.odd);
    free(f.twisted);
    free(f.size);
    free(f.turned);
    SLUICE_CHECK(memory, SLUICE_DEVICE, "no memory for the neighbours of %zu triangles", n);
    if (turned == 0)
        return SLUICE_OK;
    sluice_solid_place(solid, own, x);
    sluice_warn(warnings,
                "%s: %lld of %lld triangles faced the other way than their neighbours, one of them "
                "at (%.6g, %.6g, %.6g): they are turned round",
                solid->shape->surface, (long long)turned, (long long)mesh->triangle_count, x[0],
                x[1], x[2]);
    return SLUICE_OK;
}
