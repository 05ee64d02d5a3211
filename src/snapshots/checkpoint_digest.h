/* Digests of datasets, so that a checkpoint whose bits have changed is recognised, and by name.
 * Internal to src/io.
 *
 * Not cryptographic: against broken disks and interrupted copies. Over the bytes in memory,
 * little-endian machines. */
#ifndef SLUICE_SNAPSHOTS_CHECKPOINT_DIGEST_H
#define SLUICE_SNAPSHOTS_CHECKPOINT_DIGEST_H
#include <stddef.h>
#include <stdint.h>

#define SLUICE_CONFIG_PATH "/Config"

/* Of one dataset: its path in the file, its shape, its bytes. */
uint64_t sluice_digest(const char *path, int64_t rows, int columns, const void *data, size_t bytes);

/* What a dataset adds to the digest of all; their order does not matter. */
uint64_t sluice_digest_share(uint64_t digest);
#endif
