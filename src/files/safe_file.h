/* Files that have their name only when they are whole. A file is written under a temporary name,
 * synchronised, renamed, and the folder is synchronised. Until then an older file of the name stays
 * whole, whatever is killed and however full the disk is.
 *
 * The temporary name is new each time: no file of the user is written over, and no link followed.
 * A process that is killed leaves its temporary file behind; the next run or restart in the folder
 * removes it (files/run_files.h). */
#ifndef SLUICE_FILES_SAFE_FILE_H
#define SLUICE_FILES_SAFE_FILE_H
#include <stddef.h>
#include <sys/types.h>

#include "core/status.h"

/* Replaces a file by `bytes` bytes. Errors (SLUICE_IO) name the file, the system's reason, and how
 * many bytes were written. */
sluice_status sluice_safe_file_write(const char *path, const void *data, size_t bytes);

/* Creates PATH.xxxxxxxx.tmp (eight hexadecimal digits that nobody can foresee), open for reading
 * and writing; its name goes to `temporary`. Errors (SLUICE_IO): the path is too long, or the
 * system's reason. */
sluice_status sluice_safe_file_create(const char *path, char *temporary, size_t size, int *file);

/* Renames the synchronised temporary file to PATH and synchronises the folder. The temporary file
 * is removed when that fails. */
sluice_status sluice_safe_file_commit(const char *temporary, const char *path);

/* Letters of NAME in "NAME.xxxxxxxx.tmp"; 0: not a temporary name. */
size_t sluice_safe_file_final_length(const char *name);

/* Opens a regular file for reading: a device may never end, and a pipe waits for its writer.
 * Returns NULL, or why the file cannot be read. */
const char *sluice_safe_file_open(const char *path, int *file);

/* Reads a whole regular file; *data is malloc'ed, one 0 byte follows the content; the caller frees
 * it. `bytes` may be NULL. read_all reads an open file, and returns errno or 0. */
sluice_status sluice_safe_file_read(const char *path, char **data, size_t *bytes);
int sluice_safe_file_read_all(int file, char **data, size_t *bytes);

/* Reads at an offset until all or the end of the file is read, or the system refuses: returns errno
 * or 0. *done: bytes read. */
int sluice_safe_file_read_at(int file, void *data, size_t bytes, off_t offset, size_t *done);

/* Writes at an offset until all is written or the system refuses: returns errno or 0. *done: bytes
 * written. */
int sluice_safe_file_write_at(int file, const void *data, size_t bytes, off_t offset, size_t *done);
#endif
