/* Surfaces from files: STL (binary and ASCII), OBJ and PLY (ASCII and binary).
 *
 * A file's faces become triangles; polygons are cut into fans, or concave ones along their outline.
 * Vertices at exactly the same place
 * are merged, so that triangles of an STL file share them. Triangles without an area are left out
 * and counted. Normals, colours and textures are skipped: the order of a triangle's vertices says
 * which side is out. */
#ifndef SLUICE_FILES_MESH_FILE_H
#define SLUICE_FILES_MESH_FILE_H
#include "core/status.h"
#include "files/mesh_arrays.h"

/* Reads a file by its contents and, where those do not decide, by its suffix. Errors
 * (SLUICE_BAD_INPUT, "PATH:LINE: ..." for text, "PATH: byte N: ..." for binary): it cannot be read,
 * is no such file, is truncated, is empty, claims more than it holds, has a number that is NaN or
 * infinite, an index without a vertex, or over 2^31 - 1 vertices. After an error `mesh` owns
 * nothing. */
sluice_status sluice_mesh_read(struct sluice_mesh *mesh, const char *path);

/* Puts triangles on a line behind the others, and leaves out those with a corner twice; `flat`
 * counts both. Errors: memory. */
sluice_status sluice_mesh_drop_flat(struct sluice_mesh *mesh);
void sluice_mesh_destroy(struct sluice_mesh *mesh);
#endif
