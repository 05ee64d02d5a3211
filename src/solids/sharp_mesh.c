#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "solids/sharp.h"

static const double most_cosine = 0.8660254037844387; /* of 30 degrees */

struct edge {
    int32_t low, high;
    int64_t element;
};

static int compare_edges(const void *a, const void *b)
{
    const struct edge *p = a, *q = b;
    return p->low != q->low     ? (p->low > q->low) - (p->low < q->low)
           : p->high != q->high ? (p->high > q->high) - (p->high < q->high)
                                : (p->element > q->element) - (p->element < q->element);
}

/* Whether the second triangle bends away from the first one's outer side. */
static int is_ridge(const struct sluice_surface *s, const struct edge *first,
                    const struct edge *second)
{
    double n[2][3], across[3], height = 0;
    sluice_surface_normal(s, first->element, n[0]);
    sluice_surface_normal(s, second->element, n[1]);
    const double size = sluice_norm(n[0]) * sluice_norm(n[1]);
    for (int k = 0; k < 3; k++) {
        const double *corner = sluice_surface_corner(s, second->element, k);
        for (int a = 0; a < 3; a++)
            across[a] = corner[a] - s->vertex[first->low][a];
        const double above = sluice_dot(across, n[0]);
        height = fabs(above) > fabs(height) ? above : height;
    }
    return size > 0 && height < 0 && sluice_dot(n[0], n[1]) < most_cosine * size;
}

/* Adds the points of a ridge, and its ends unless an earlier one had them. */
static sluice_status add_ridge(struct sluice_sharp *sharp, const struct sluice_surface *s,
                               const struct edge *e, char *is_done)
{
    const int32_t end[2] = {e->low, e->high};
    for (int k = 0; k < 2; k++) {
        if (is_done[end[k]])
            continue;
        is_done[end[k]] = 1;
        SLUICE_TRY(sluice_sharp_add_corner(sharp, s->vertex[end[k]]));
    }
    return sluice_sharp_add_edge(sharp, s->vertex[e->low], s->vertex[e->high]);
}

static sluice_status add_ridges(struct sluice_sharp *sharp, const struct sluice_surface *s,
                                struct edge *edge, char *is_done)
{
    const int64_t count = 3 * s->element_count;
    for (int64_t i = 0; i < s->element_count; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t a = s->element[i][k], b = s->element[i][(k + 1) % 3];
            edge[3 * i + k] = (struct edge){a < b ? a : b, a < b ? b : a, i};
        }
    qsort(edge, (size_t)count, sizeof *edge, compare_edges);
    for (int64_t i = 0; i + 1 < count; i++)
        if (edge[i].low == edge[i + 1].low && edge[i].high == edge[i + 1].high &&
            is_ridge(s, &edge[i], &edge[i + 1]))
            SLUICE_TRY(add_ridge(sharp, s, &edge[i], is_done));
    return SLUICE_OK;
}

sluice_status sluice_sharp_add_ridges(struct sluice_sharp *sharp,
                                      const struct sluice_surface *surface)
{
    struct edge *edge = calloc((size_t)surface->element_count, 3 * sizeof *edge);
    char *is_done = calloc((size_t)surface->vertex_count, sizeof *is_done);
    const sluice_status status = edge && is_done ? add_ridges(sharp, surface, edge, is_done)
                                                 : SLUICE_FAIL(SLUICE_DEVICE,
                                                               "no memory for the edges of a mesh");
    free(edge);
    free(is_done);
    return status;
}
