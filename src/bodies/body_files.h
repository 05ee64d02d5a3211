/* bodies_NNNNNN.hdf and bodies.hdf.series: the surfaces of a run's bodies, at the times of the
 * snapshots (bodies/body_surface.h); walls.hdf: those of its walls at t = 0. */
#ifndef SLUICE_BODIES_BODY_FILES_H
#define SLUICE_BODIES_BODY_FILES_H
#include "bodies/bodies.h"
#include "bodies/body_surface.h"

/* Opens the series; after a restart (`from`; NULL: none) it is made again from the files. By the
 * first rank. Errors: those of sluice_series_open and _rebuild. */
sluice_status sluice_body_files_open(struct sluice_series *series, const char *folder,
                                     const struct sluice_series_from *from, struct sluice_log *log);

/* Writes the file of this number, and lists it. No other thread may write HDF5 meanwhile. By the
 * first rank. Errors: those of sluice_body_surfaces_write. */
sluice_status sluice_body_files_write(struct sluice_series *series, const struct sluice_bodies *b,
                                      const char *folder, int64_t number,
                                      const struct sluice_snapshot_header *header);

/* Writes walls.hdf, laid out like a file of bodies: the surfaces of the groups of walls that
 * sluice_wall_surface_create gives; no file where it gives none. By the first rank. Errors: those
 * of sluice_body_surfaces_write. */
sluice_status sluice_wall_file_write(const char *folder, const struct sluice_geometry *g,
                                     const struct sluice_snapshot_header *header);
#endif
