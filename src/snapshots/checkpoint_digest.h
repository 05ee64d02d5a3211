/* Digests of datasets: they name the damaged dataset of a checkpoint. Internal to src/snapshots.
 *
 * Not cryptographic: they protect against broken disks and interrupted copies. They cover the bytes
 * in memory of little-endian machines. */
#ifndef SLUICE_SNAPSHOTS_CHECKPOINT_DIGEST_H
#define SLUICE_SNAPSHOTS_CHECKPOINT_DIGEST_H
#include <stddef.h>
#include <stdint.h>

#include "core/threads.h"

/* The digest of one dataset: of its path in the file, its shape and its bytes. */
uint64_t sluice_digest(const char *path, int64_t rows, int columns, const void *data, size_t bytes);

/* The same in parts: the digest of a path and shape, plus those of all rows. `first` of some rows
 * is a multiple of SLUICE_DIGEST_ROWS; a row has `bytes` bytes. team: shares the work; NULL: the
 * caller is alone. */
enum { SLUICE_DIGEST_ROWS = 65536 };
uint64_t sluice_digest_shape(const char *path, int64_t rows, int columns);
uint64_t sluice_digest_rows(struct sluice_threads *team, uint64_t shape, int64_t first,
                            int64_t rows, const void *data, size_t bytes);

/* The term that a dataset adds to the digest of all; their order does not matter. */
uint64_t sluice_digest_share(uint64_t digest);
#endif
