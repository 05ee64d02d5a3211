/* Digests of datasets: they tell which dataset of a checkpoint is damaged. Internal to
 * src/snapshots.
 *
 * Not cryptographic: they protect against broken disks and interrupted copies. They cover the bytes
 * in memory of little-endian machines. */
#ifndef SLUICE_SNAPSHOTS_CHECKPOINT_DIGEST_H
#define SLUICE_SNAPSHOTS_CHECKPOINT_DIGEST_H
#include <stddef.h>
#include <stdint.h>

/* The digest of one dataset: of its path in the file, its shape and its bytes. */
uint64_t sluice_digest(const char *path, int64_t rows, int columns, const void *data, size_t bytes);

/* The term that a dataset adds to the digest of all; their order does not matter. */
uint64_t sluice_digest_share(uint64_t digest);
#endif
