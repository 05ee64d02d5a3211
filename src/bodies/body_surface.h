/* The surfaces of a run's bodies at one time, as a VTKHDF UnstructuredGrid of triangles, read by
 * ParaView from 5.11 on. docs/snapshots.md has the layout.
 *
 * Like snapshots these files have their name only when they are whole; and they are written by one
 * thread at a time, for HDF5 need not be thread-safe. */
#ifndef SLUICE_BODIES_BODY_SURFACE_H
#define SLUICE_BODIES_BODY_SURFACE_H
#include <stddef.h>
#include <stdint.h>

#include "motion/pose.h"
#include "bodies/surface.h"
#include "core/status.h"
#include "files/run_files.h"
#include "snapshots/series.h"
#include "snapshots/snapshot.h"

/* A body, its surface at t = 0, and its pose at the time of the file; all borrowed. */
struct sluice_posed_body {
    const char *name;
    const struct sluice_body_surface *surface; /* config coordinates, m */
    double start[3];                           /* centre of mass at t = 0, m */
    const struct sluice_pose *pose;
};

/* "run_dir/bodies_000123.hdf". Errors: the path is too long. */
extern const struct sluice_numbered_files sluice_body_files;
sluice_status sluice_body_surfaces_path(char *path, size_t size, const char *run_dir,
                                        int64_t number);

/* bodies.hdf.series, the list of these files. */
extern const struct sluice_series_kind sluice_body_series;

/* Writes one file with all bodies, by the first rank alone; the others return at once. Time, step,
 * dimension, precision, compression and the program's version are taken from the header. Errors
 * (SLUICE_IO) name the file and the system's reason; an older file of the name stays whole. */
sluice_status sluice_body_surfaces_write(const char *path, const struct sluice_posed_body *body,
                                         int bodies, const struct sluice_snapshot_header *header);
#endif
