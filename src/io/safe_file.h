/* Files that stand under their name only when they are whole: written as NAME.tmp, synchronised,
 * renamed, the folder synchronised. Whatever is killed when, and however full the disk is, what
 * stood under the name before stays whole until then. */
#ifndef SLUICE_IO_SAFE_FILE_H
#define SLUICE_IO_SAFE_FILE_H
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"

/* Replaces a file by `bytes` bytes. Errors (SLUICE_IO): the file, what the system says, bytes
 * written of how many. */
sluice_status sluice_safe_file_write(const char *path, const void *data, size_t bytes);

/* "PATH.tmp". Errors: too long. */
sluice_status sluice_safe_file_temporary(const char *path, char *out, size_t size);

/* Renames the synchronised PATH.tmp to PATH and synchronises the folder. PATH.tmp is removed when
 * that fails. */
sluice_status sluice_safe_file_commit(const char *path);

/* Reads a whole file; *data is malloc'ed, one 0 byte follows the content; the caller frees it.
 * `bytes` may be NULL. */
sluice_status sluice_safe_file_read(const char *path, char **data, size_t *bytes);
#endif
