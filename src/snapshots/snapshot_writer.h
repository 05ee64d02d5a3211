/* Snapshots written beside the run: the step loop takes a copy of the particles and goes on, a
 * thread makes the file of it and names it in the series.
 *
 *     step loop   | copy | steps ..... | copy | steps ... | (waits) copy | ...
 *     writer             | file, series .........| file, series ......| ...
 *
 * There are two copies at most, and the second only where the first is still being written; the
 * loop waits only when both are. HDF5 may not be made for threads: while the writer has work,
 * nobody else calls the library (sluice_snapshot_writer_drain). */
#ifndef SLUICE_SNAPSHOTS_SNAPSHOT_WRITER_H
#define SLUICE_SNAPSHOTS_SNAPSHOT_WRITER_H
#include "snapshots/particle_copy.h"
#include "snapshots/series.h"
#include "snapshots/snapshot.h"

struct sluice_snapshot_writer;

/* Starts the thread. Borrowed until the writer is destroyed, and its own while it has work: the
 * series, `host` (the particles in double, made of a copy) and `params` (NULL: no densities).
 * Errors: memory, no thread. */
sluice_status sluice_snapshot_writer_create(struct sluice_snapshot_writer **writer,
                                            struct sluice_series *series,
                                            struct sluice_host_particles *host,
                                            const struct wcsph_params *params);

/* All of these return the first error of an earlier snapshot, with its message; after one nothing
 * more is written. */

/* Where the next copy goes; waits while both are in use. */
sluice_status sluice_snapshot_writer_room(struct sluice_snapshot_writer *writer,
                                          struct sluice_particle_copy **copy);
/* Hands over the copy that room() gave. The header is copied, with its energies; its texts are
 * borrowed. */
sluice_status sluice_snapshot_writer_queue(struct sluice_snapshot_writer *writer, const char *path,
                                           const struct sluice_snapshot_header *header);
/* Waits for nothing. */
sluice_status sluice_snapshot_writer_check(struct sluice_snapshot_writer *writer);
/* Waits until all is written: `host` and HDF5 are the caller's until the next queue(). */
sluice_status sluice_snapshot_writer_drain(struct sluice_snapshot_writer *writer);

/* Seconds that room() has waited in all, the disk being slower than the data. */
double sluice_snapshot_writer_waited(const struct sluice_snapshot_writer *writer);

/* Drains it, ends the thread, frees the copies; NULL inside is allowed. */
sluice_status sluice_snapshot_writer_destroy(struct sluice_snapshot_writer **writer);
#endif
