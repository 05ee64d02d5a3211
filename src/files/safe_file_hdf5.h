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
    hid_t file;        /* write into it; negative: closed */
    int error;         /* errno of the first write that failed; 0: none */
    long long written; /* bytes that reached the file before it */
};

/* Creates the temporary file of a path, open for writing, with the library bounds that every reader
 * of ours accepts (EARLIEST..V110). */
sluice_status sluice_safe_hdf5_create(struct sluice_safe_hdf5 *h, const char *path);

/* Closes, synchronises and renames when `outcome` (what writing returned) is OK; otherwise closes,
 * removes the temporary file and returns it. An error of the system goes first: its message names
 * the file, the reason and the bytes written. */
sluice_status sluice_safe_hdf5_finish(struct sluice_safe_hdf5 *h, sluice_status outcome);

/* Opens a file for reading; negative: sluice_hdf5_reason() says why not. Whatever is left open in
 * it is closed with it. */
hid_t sluice_safe_hdf5_read(const char *path);

/* Makes HDF5 keep the reasons of its failures instead of printing them, and do nothing at exit,
 * where it complains of parts of damaged files that it cannot close. Before the first call of the
 * library. */
void sluice_hdf5_quiet(void);

/* Why the last call of the library that failed did so: the innermost cause. */
const char *sluice_hdf5_reason(void);
#endif
