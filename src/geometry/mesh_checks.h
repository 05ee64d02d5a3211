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

/* Warns of triangles without an area, of a mesh that was inside out, of holes, of edges that more
 * than two triangles share, of triangles that cross others, and of a size that has the wrong unit;
 * with numbers, and places in the config's coordinates. Errors: memory. */
sluice_status sluice_mesh_check(const struct sluice_solid *solid, const struct sluice_surface *mesh,
                                const struct sluice_mesh_facts *facts,
                                struct sluice_warnings *warnings);
#endif
