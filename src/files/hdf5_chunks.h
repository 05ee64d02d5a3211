/* Rows of a compressed dataset as the chunks that HDF5's own filters make of them (shuffle, then
 * deflate; HDF5 File Format Specification 3.0, IV.A.2.l), whatever the number of threads. */
#ifndef SLUICE_FILES_HDF5_CHUNKS_H
#define SLUICE_FILES_HDF5_CHUNKS_H
#include "files/hdf5.h"

struct sluice_chunks;

enum { SLUICE_CHUNKS_MOST = 16 }; /* that one call packs, and threads: more would only wait */

/* Rows of a chunk, but for the last one. */
int64_t sluice_chunk_rows(const struct sluice_hdf5_array *array);

/* Memory and threads (0: sluice_processors_most) to pack up to `rows` rows of a dataset, which is
 * borrowed. Errors: memory, no thread. Destroy it also after an error. */
sluice_status sluice_chunks_create(struct sluice_chunks **chunks,
                                   const struct sluice_hdf5_array *array, int64_t rows,
                                   int threads);
void sluice_chunks_destroy(struct sluice_chunks **chunks);

/* Packs the next chunks of `rows` from row `first` on, a multiple of the rows of a chunk; *count:
 * how many. Errors: HDF5 or zlib fail. */
sluice_status sluice_chunks_pack(struct sluice_chunks *chunks, const struct sluice_hdf5_rows *rows,
                                 int64_t first, int *count);
/* One of the chunks that the last call packed. */
const void *sluice_chunks_packed(const struct sluice_chunks *chunks, int chunk, size_t *bytes);
#endif
