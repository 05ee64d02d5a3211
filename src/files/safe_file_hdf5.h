/* HDF5 files that have their name only when they are whole, as files/safe_file.h has it.
 *
 * They are written and read through a small HDF5 driver of our own. It remembers the first error of
 * the system (disk full, quota, a close that fails) and lets the library go on as if all were well:
 * HDF5 cannot close a file whose writes or whose close fail, and may crash at exit trying to. */
#ifndef SLUICE_FILES_SAFE_FILE_HDF5_H
#define SLUICE_FILES_SAFE_FILE_HDF5_H
#include <hdf5.h>

#include "core/status.h"

struct sluice_safe_hdf5 {
    const char *path; /* borrowed */
    char temporary[4096];
    int descriptor;    /* until the driver has it; then -1 */
    int direct;        /* the same file, for what is written past HDF5 */
    hid_t file;        /* write into it; negative: closed, or another program has it */
    int error;         /* errno of the first write that failed; 0: none */
    long long written; /* bytes that reached the file before it */
    long long started; /* those that the system was asked to bring to the disk */
    int places;        /* what is written of datasets is only given its place: `placed` */
    int64_t placed;    /* where it belongs */
};

/* Creates the temporary file of a path, open for writing, with the library bounds that every reader
 * of ours accepts (EARLIEST..V110). */
sluice_status sluice_safe_hdf5_create(struct sluice_safe_hdf5 *h, const char *path);

/* Opens the temporary file that another program has created, to write past HDF5. Errors
 * (SLUICE_IO): this program does not see it. */
sluice_status sluice_safe_hdf5_join(struct sluice_safe_hdf5 *h, const char *path,
                                    const char *temporary);

/* Gives a chunk of so many bytes, which begins at a row, its place in the file: *offset. */
sluice_status sluice_safe_hdf5_place(struct sluice_safe_hdf5 *h, hid_t dataset, int64_t row,
                                     size_t bytes, int64_t *offset);

/* Writes bytes at their place, past HDF5. Errors are kept as those of HDF5's own writes. */
void sluice_safe_hdf5_write_at(struct sluice_safe_hdf5 *h, const void *data, size_t bytes,
                               int64_t offset);

/* Closes and synchronises. Returns `outcome` (what writing returned) with the path in its message;
 * an error of the system goes first: its message names the file, the reason and the bytes written.
 */
sluice_status sluice_safe_hdf5_close(struct sluice_safe_hdf5 *h, sluice_status outcome);

/* Renames the closed file if `outcome` is OK; otherwise removes it, and returns the outcome. */
sluice_status sluice_safe_hdf5_settle(struct sluice_safe_hdf5 *h, sluice_status outcome);

/* Opens a file for reading; negative: sluice_hdf5_reason() says why not. Whatever is left open in
 * it is closed with it. */
hid_t sluice_safe_hdf5_read(const char *path);

/* Starts the library, if it has not, and makes it keep the reasons of its failures instead of
 * printing them, and do nothing at exit, where it complains of parts of damaged files that it
 * cannot close. Before the first call of the library in a thread; the first of all before other
 * threads start. Errors: memory, for the library does not check what it gets. */
sluice_status sluice_hdf5_begin(void);

/* Why the last call of the library that failed did so: the innermost cause. */
const char *sluice_hdf5_reason(void);

/* The status of that failure: SLUICE_DEVICE for memory, else SLUICE_IO. */
sluice_status sluice_hdf5_error(void);
#endif
