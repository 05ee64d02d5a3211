#include "contour/contour.h"

#include <stdlib.h>

#include "core/allocate.h"

/* --- Faces --- */

/* Whether the middle of a face is inside. */
static int has_middle_inside(const struct sluice_surface_grid *g, int64_t node, int axis)
{
    double y[3], way[3];
    sluice_surface_grid_place(g, node, y);
    for (int a = 0; a < g->dimension; a++)
        y[a] += a == axis ? 0 : g->step[a] / 2;
    return sluice_solid_union_distance(g->u, y, way) < 0;
}

static unsigned corners_inside(const struct sluice_surface_grid *g, int64_t node)
{
    unsigned inside = 0;
    for (int k = 0; k < 1 << g->dimension; k++) {
        const int64_t corner = node + (k & 1) * g->stride[0] + (k >> 1 & 1) * g->stride[1] +
                               (k >> 2) * g->stride[2];
        inside |= (unsigned)sluice_surface_grid_is_inside(g, corner) << k;
    }
    return inside;
}

/* Adds the lower faces of a cell that alternate: an upper face is the lower one of another cell. */
static sluice_status add_faces(struct sluice_contour *c, const struct sluice_contour_cell *cell)
{
    for (int a = 0; a < 3; a++) {
        if (!sluice_cell_alternates(3, cell->inside, 2 * a))
            continue;
        SLUICE_GROW(c->face, c->faces, c->face_capacity, "faces of cells");
        c->face[c->faces++] = (struct sluice_contour_face){
            .key = 3 * cell->node + a,
            .is_first_inside = (int)(cell->inside & 1),
            .is_joined = has_middle_inside(c->grid, cell->node, a)};
    }
    return SLUICE_OK;
}

const struct sluice_contour_face *sluice_contour_find_face(const struct sluice_contour *c,
                                                           int64_t node, int axis)
{
    const int64_t key = 3 * node + axis;
    int64_t low = 0, high = c->faces;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (c->face[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->faces && c->face[low].key == key ? &c->face[low] : NULL;
}

/* --- Cells --- */

static int is_cell(const struct sluice_surface_grid *g, int64_t node)
{
    for (int a = 0; a < g->dimension; a++)
        if (node / g->stride[a] % g->nodes[a] == g->nodes[a] - 1)
            return 0;
    return 1;
}

static sluice_status find_cells(struct sluice_contour *c)
{
    const struct sluice_surface_grid *g = c->grid;
    const unsigned all = g->dimension == 2 ? 0xfu : 0xffu;
    for (int64_t node = 0; node < g->all; node++) {
        const unsigned inside = is_cell(g, node) ? corners_inside(g, node) : 0;
        if (inside == 0 || inside == all)
            continue;
        SLUICE_GROW(c->cell, c->cells, c->cell_capacity, "cells across a surface");
        struct sluice_contour_cell *cell = &c->cell[c->cells++];
        *cell = (struct sluice_contour_cell){.node = node, .inside = inside};
        if (g->dimension == 3)
            SLUICE_TRY(add_faces(c, cell));
    }
    return SLUICE_OK;
}

const struct sluice_contour_cell *sluice_contour_find_cell(const struct sluice_contour *c,
                                                           int64_t node)
{
    int64_t low = 0, high = c->cells;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (c->cell[middle].node < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->cells && c->cell[low].node == node ? &c->cell[low] : NULL;
}

/* Bit f: the corners inside of face f, which alternate, are joined. */
static unsigned faces_joined(const struct sluice_contour *c, const struct sluice_contour_cell *cell)
{
    const struct sluice_surface_grid *g = c->grid;
    unsigned joined = 0;
    if (g->dimension == 2)
        return sluice_cell_alternates(2, cell->inside, 0) && has_middle_inside(g, cell->node, 2);
    for (int f = 0; f < 6; f++)
        if (sluice_cell_alternates(3, cell->inside, f)) {
            const int64_t node = cell->node + (f % 2) * g->stride[f / 2];
            const struct sluice_contour_face *face = sluice_contour_find_face(c, node, f / 2);
            joined |= (unsigned)(face && face->is_joined) << f;
        }
    return joined;
}

/* --- Points --- */

static sluice_status add_point(struct sluice_contour *c)
{
    SLUICE_GROW(c->point, c->points, c->point_capacity, "points of a surface");
    c->point[c->points++] = (struct sluice_contour_point){.rank = 1};
    return SLUICE_OK;
}

static sluice_status add_points(struct sluice_contour *c)
{
    for (int64_t k = 0; k < c->cells; k++) {
        struct sluice_contour_cell *cell = &c->cell[k];
        cell->arcs = sluice_cell_arcs(c->grid->dimension, cell->inside, faces_joined(c, cell),
                                      cell->arc);
        cell->first = (int32_t)c->points;
        for (int arc = 0; arc < cell->arcs; arc++)
            SLUICE_TRY(add_point(c));
    }
    for (int64_t k = 0; k < c->faces; k++)
        for (int line = 0; line < 2; line++) {
            c->face[k].point[line] = (int32_t)c->points;
            SLUICE_TRY(add_point(c));
        }
    SLUICE_CHECK(c->points < INT32_MAX / 8, SLUICE_DEVICE,
                 "the surface of a body has %lld points, too many: make the factor of its points "
                 "larger",
                 (long long)c->points);
    return SLUICE_OK;
}

sluice_status sluice_contour_create(struct sluice_contour *c,
                                    const struct sluice_surface_grid *grid)
{
    *c = (struct sluice_contour){.grid = grid};
    sluice_status status = find_cells(c);
    if (status == SLUICE_OK)
        status = add_points(c);
    if (status != SLUICE_OK)
        sluice_contour_destroy(c);
    return status;
}

void sluice_contour_destroy(struct sluice_contour *c)
{
    free(c->cell);
    free(c->face);
    free(c->point);
    *c = (struct sluice_contour){0};
}
