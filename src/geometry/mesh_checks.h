/* What is wrong with a mesh, and can be told without the rest of the case. */
#ifndef SLUICE_GEOMETRY_MESH_CHECKS_H
#define SLUICE_GEOMETRY_MESH_CHECKS_H
#include "geometry/solid.h"
#include "geometry/surface.h"

/* Known before the tree was built. */
struct sluice_mesh_facts {
    int64_t flat;   /* triangles of the file without an area */
    int inside_out; /* the triangles showed their inner side, and were turned */
};

/* Warns of holes, of edges that more than two triangles share, and of neighbours that face opposite
 * ways; before the tree is built. `from` is a point to measure the volume from: the middle of the
 * rims, or any vertex of a closed mesh. Errors: memory. */
sluice_status sluice_mesh_check_edges(const struct sluice_solid *solid,
                                      const struct sluice_surface *mesh, double from[3],
                                      struct sluice_warnings *warnings);

/* Warns of triangles without an area, of a mesh that was inside out, of triangles that cross
 * others, and of a size that has the wrong unit; with numbers, and places in the config's
 * coordinates. */
void sluice_mesh_check(const struct sluice_solid *solid, const struct sluice_surface *mesh,
                       const struct sluice_mesh_facts *facts, struct sluice_warnings *warnings);
#endif
