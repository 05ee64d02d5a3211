#include "solids/mesh/mesh_edges.h"

#include <stdlib.h>

#include "core/allocate.h"

static int by_ends(const void *a, const void *b)
{
    const struct sluice_mesh_edge *l = a, *r = b;
    if (l->low != r->low)
        return l->low < r->low ? -1 : 1;
    if (l->high != r->high)
        return l->high < r->high ? -1 : 1;
    return (l->triangle > r->triangle) - (l->triangle < r->triangle);
}

sluice_status sluice_mesh_edges_list(struct sluice_mesh_edges *edges,
                                     const struct sluice_mesh *mesh)
{
    free(edges->edge);
    edges->on_line = mesh->on_line;
    edges->count = 3 * (mesh->triangle_count + mesh->on_line);
    SLUICE_ALLOCATE(edges->edge, edges->count, "edges of a mesh");
    for (int64_t i = 0; i < edges->count; i++) {
        const int32_t *t = mesh->triangle[i / 3], a = t[i % 3], b = t[(i + 1) % 3];
        edges->edge[i] = (struct sluice_mesh_edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1,
                                                   (int32_t)(i / 3)};
    }
    qsort(edges->edge, (size_t)edges->count, sizeof *edges->edge, by_ends);
    return SLUICE_OK;
}

void sluice_mesh_edges_destroy(struct sluice_mesh_edges *edges)
{
    free(edges->edge);
    free(edges->parent);
    free(edges->open);
    *edges = (struct sluice_mesh_edges){0};
}

int64_t sluice_mesh_edges_next(const struct sluice_mesh_edges *edges, int64_t i)
{
    const struct sluice_mesh_edge *first = &edges->edge[i];
    while (++i < edges->count && edges->edge[i].low == first->low &&
           edges->edge[i].high == first->high)
        ;
    return i;
}

int32_t sluice_mesh_root(int32_t *parent, int32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}
