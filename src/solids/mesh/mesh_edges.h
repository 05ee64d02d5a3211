/* The edges of a mesh's triangles: which triangles are neighbours, and what is mended by them. */
#ifndef SLUICE_SOLIDS_MESH_EDGES_H
#define SLUICE_SOLIDS_MESH_EDGES_H
#include "files/mesh_arrays.h"
#include "solids/solid.h"

/* An edge of a triangle, from the lower vertex to the upper one. */
struct sluice_mesh_edge {
    int32_t low, high;
    int32_t sense;    /* 1: its triangle goes that way; -1: the other way */
    int32_t triangle; /* those without an area follow the others */
};

struct sluice_mesh_edges {
    struct sluice_mesh_edge *edge; /* [count], those with the same ends one after the other */
    int64_t count, on_line;        /* triangles without an area: they may close a T-joint */
    int is_sheet;                  /* a warning said that the mesh is no solid */

    /* Set by mesh_checks.c, of each triangle: the tree of a forest that hangs together by edges of
     * two triangles; bits of its edges that have no neighbour, from corner k to the next one. */
    int32_t *parent;
    unsigned char *open;
};

/* Lists the edges of a mesh's triangles, those without an area too. Errors: memory. */
sluice_status sluice_mesh_edges_list(struct sluice_mesh_edges *edges,
                                     const struct sluice_mesh *mesh);
void sluice_mesh_edges_destroy(struct sluice_mesh_edges *edges);

/* One past the last edge with the same ends as edge i. */
int64_t sluice_mesh_edges_next(const struct sluice_mesh_edges *edges, int64_t i);

/* The root of a tree in a forest of parents; shortens the path there. */
int32_t sluice_mesh_root(int32_t *parent, int32_t v);

/* mesh_weld.c. Joins vertices of open edges that are within `distance` of each other; the first one
 * stays in its place. Closed surfaces do not change. Errors: memory. */
sluice_status sluice_mesh_weld(const struct sluice_solid *solid, struct sluice_mesh *mesh,
                               struct sluice_mesh_edges *edges, double distance,
                               struct sluice_warnings *warnings);

/* mesh_orient.c. Turns triangles so that neighbours agree which side is out: in each part those
 * that are fewer. Which side it is stays open. Parts where it cannot be, as a Moebius strip, are
 * left as they are. Errors: memory. */
sluice_status sluice_mesh_orient(const struct sluice_solid *solid, struct sluice_mesh *mesh,
                                 struct sluice_mesh_edges *edges, struct sluice_warnings *warnings);

/* mesh_sheet.c. Fills the ground beneath the sheets of a mesh down to the shape's `base`; without
 * that key warns of a mesh that is a sheet. Errors: memory; `base` of a mesh without a sheet, or
 * above one's lowest point. */
sluice_status sluice_mesh_fill_beneath(const struct sluice_solid *solid, struct sluice_mesh *mesh,
                                       struct sluice_mesh_edges *edges,
                                       struct sluice_warnings *warnings);
#endif
