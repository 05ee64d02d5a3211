/* Errors of a mesh that can be found without the rest of the case. */
#ifndef SLUICE_SOLIDS_MESH_CHECKS_H
#define SLUICE_SOLIDS_MESH_CHECKS_H
#include "files/mesh_arrays.h"
#include "solids/mesh/mesh_edges.h"
#include "solids/solid.h"
#include "surface/surface.h"

/* Warns of holes, of edges that more than two triangles share, and of neighbours that face opposite
 * ways; fills the arrays of `edges`, which the caller has allocated. Errors: memory. */
sluice_status sluice_mesh_check_edges(const struct sluice_solid *solid,
                                      const struct sluice_surface *mesh,
                                      struct sluice_mesh_edges *edges,
                                      struct sluice_warnings *warnings);

/* mesh_parts.c. Joins the parts of two triangles. Turns the parts of a mesh with a tree that are
 * inside out, sets its volume, and warns of both. Errors: memory. */
void sluice_mesh_edges_join(struct sluice_mesh_edges *edges, int32_t one, int32_t other);
sluice_status sluice_mesh_turn_parts(const struct sluice_solid *solid, struct sluice_surface *mesh,
                                     struct sluice_mesh_edges *edges, struct sluice_threads *team,
                                     struct sluice_warnings *warnings);

/* mesh_crossings.c, for mesh_checks.c: warns of triangles that cross others, or lie over them, and
 * returns whether there are any. */
int sluice_mesh_check_crossings(const struct sluice_solid *solid, const struct sluice_surface *mesh,
                                struct sluice_threads *team, struct sluice_warnings *warnings);

/* Warns of triangles without an area and of faces that are warped or cross themselves (both of the
 * file; its arrays are not used), of triangles that cross others, and of a size that has the
 * wrong unit; with numbers, and places in the config's coordinates. */
void sluice_mesh_check(struct sluice_solid *solid, const struct sluice_surface *mesh,
                       const struct sluice_mesh *file, struct sluice_threads *team,
                       struct sluice_warnings *warnings);
#endif
