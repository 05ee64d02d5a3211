/* An HDF5 file that all ranks write together. The first rank creates it, with groups, attributes,
 * small datasets, and a place for each row of the large ones. Each rank writes the bytes of its own
 * rows to their places, past HDF5, so no rank needs memory for all rows. The file gets its name
 * when every rank's bytes are on the disk. Internal to src/snapshots. */
#ifndef SLUICE_SNAPSHOTS_SHARED_FILE_H
#define SLUICE_SNAPSHOTS_SHARED_FILE_H
#include "core/threads.h"
#include "domain/comm.h"
#include "files/hdf5.h"
#include "files/safe_file_hdf5.h"

struct sluice_shared_file {
    struct sluice_comm *comm;
    struct sluice_safe_hdf5 of_rank;
    int64_t *turn;               /* places of chunks, of all ranks */
    struct sluice_threads *team; /* borrowed; shares conversions; NULL: the caller is alone */
};

/* All of these are collective. Each returns the same status and message on all ranks, unless one
 * has failed alone (comm.h). */

/* Errors (SLUICE_IO): as sluice_safe_hdf5_create; a rank does not see the file that the first rank
 * has created. */
sluice_status sluice_shared_create(struct sluice_shared_file *f, const char *path);

/* Creates a dataset and writes it. `rows`: those of this rank; the slices of all ranks follow one
 * another, and together are array->rows. Slices of a compressed dataset begin at a multiple of
 * SLUICE_CHUNK_ROWS. threads: that compress; 0: sluice_processors_most. */
sluice_status sluice_shared_write(struct sluice_shared_file *f,
                                  const struct sluice_hdf5_array *array,
                                  const struct sluice_hdf5_rows *rows, int threads);

/* Gives the file its name, if `outcome` is OK on all ranks; otherwise removes it, and returns the
 * first rank's outcome that is not. A rank that has failed alone gets its outcome back at once; the
 * file stays under its temporary name, unless that is the first rank. */
sluice_status sluice_shared_finish(struct sluice_shared_file *f, sluice_status outcome);

/* The open file, on the first rank alone; negative elsewhere. */
static inline hid_t sluice_shared_hdf5(const struct sluice_shared_file *f)
{
    return f->comm->rank == 0 ? f->of_rank.file : -1;
}
#endif
