/* Snapshots are written by a thread of their own: the step loop takes a copy of the particles and
 * goes on, the thread writes the file and adds it to the series.
 *
 *     step loop   | copy | steps ..... | copy | steps ... | (waits) copy | ...
 *     writer             | file, series .........| file, series ......| ...
 *
 * There are two copies at most: the second is taken while the first is being written, and the loop
 * waits while both are in use. Each of several ranks has such a thread, and these write a file
 * together (sluice_output_world). HDF5 may not be thread-safe: while the writer has work, nobody
 * else calls the library (sluice_snapshot_writer_drain). */
#ifndef SLUICE_SNAPSHOTS_SNAPSHOT_WRITER_H
#define SLUICE_SNAPSHOTS_SNAPSHOT_WRITER_H
#include "snapshots/particle_copy.h"
#include "snapshots/series.h"
#include "snapshots/snapshot.h"

struct sluice_snapshot_writer;

/* Starts the thread. It borrows the series (NULL on all ranks but the first), `host` (the
 * particles, converted from a copy) and `matter` (NULL: no densities) until it is destroyed; nobody
 * else uses them while it has work. Errors: memory, no thread. */
sluice_status sluice_snapshot_writer_create(struct sluice_snapshot_writer **writer,
                                            struct sluice_series *series,
                                            struct sluice_host_particles *host,
                                            const struct sluice_matter *matter);

/* Each of these returns the first error of an earlier snapshot, with its message. After an error
 * nothing more is written. */

/* Memory for the next copy; waits while both copies are in use. */
sluice_status sluice_snapshot_writer_buffer(struct sluice_snapshot_writer *writer,
                                            struct sluice_particle_copy **copy);
/* Hands over the copy that buffer() gave. The header is copied, with its energies; its texts are
 * borrowed. */
sluice_status sluice_snapshot_writer_queue(struct sluice_snapshot_writer *writer, const char *path,
                                           const struct sluice_snapshot_header *header);
/* Returns at once. */
sluice_status sluice_snapshot_writer_check(struct sluice_snapshot_writer *writer);
/* Waits until all is written: the caller may use `host` and HDF5 until the next queue(). */
sluice_status sluice_snapshot_writer_drain(struct sluice_snapshot_writer *writer);

/* Seconds that buffer() has waited in all, because the disk was too slow. */
double sluice_snapshot_writer_waited(const struct sluice_snapshot_writer *writer);

/* Drains the writer, ends the thread and frees the copies; *writer may be NULL. */
sluice_status sluice_snapshot_writer_destroy(struct sluice_snapshot_writer **writer);
#endif
