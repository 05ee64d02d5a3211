/* Most of the time of a compressed snapshot is gzip's, so threads deflate: HDF5 converts chunks to
 * the file's type, and one thread each shuffles and deflates one. */
#include "files/hdf5_chunks.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/processors.h"
#include "core/threads.h"

struct sluice_chunks {
    const struct sluice_hdf5_array *array;
    struct sluice_threads *team;
    int turn;                                 /* chunks at once: one for each thread */
    size_t elements;                          /* of a chunk */
    size_t bytes_file;                        /* of an element */
    size_t plain_bytes, packed_bytes;         /* bytes a chunk */
    unsigned char *plain, *shuffled, *packed; /* [turn] */
    uLongf size[SLUICE_CHUNKS_MOST];          /* bytes packed */
    int zlib[SLUICE_CHUNKS_MOST];             /* what zlib returned */
};

int64_t sluice_chunk_rows(const struct sluice_hdf5_array *array)
{
    return array->rows < SLUICE_CHUNK_ROWS ? array->rows : SLUICE_CHUNK_ROWS;
}

static int threads_for(int64_t chunks, int threads)
{
    int64_t most = threads > 0 ? threads : sluice_processors_most();
    most = most < SLUICE_CHUNKS_MOST ? most : SLUICE_CHUNKS_MOST;
    return (int)(most < chunks ? most : chunks);
}

static sluice_status allocate(struct sluice_chunks *c)
{
    const struct sluice_hdf5_array *array = c->array;
    const size_t columns = array->columns > 0 ? (size_t)array->columns : 1,
                 memory = H5Tget_size(array->memory_type);
    c->turn = sluice_threads_count(c->team);
    c->elements = (size_t)sluice_chunk_rows(array) * columns;
    c->bytes_file = H5Tget_size(array->file_type);
    c->plain_bytes = c->elements * (memory > c->bytes_file ? memory : c->bytes_file);
    c->packed_bytes = compressBound(c->elements * c->bytes_file);
    c->plain = malloc((size_t)c->turn * c->plain_bytes);
    c->shuffled = malloc((size_t)c->turn * c->plain_bytes);
    c->packed = malloc((size_t)c->turn * c->packed_bytes);
    SLUICE_CHECK(c->plain && c->shuffled && c->packed, SLUICE_DEVICE,
                 "no memory to compress dataset '%s': %zu bytes; output.compression = 0 needs none",
                 array->path, (size_t)c->turn * (2 * c->plain_bytes + c->packed_bytes));
    return SLUICE_OK;
}

sluice_status sluice_chunks_create(struct sluice_chunks **chunks,
                                   const struct sluice_hdf5_array *array, int64_t rows, int threads)
{
    const int64_t count = (rows + sluice_chunk_rows(array) - 1) / sluice_chunk_rows(array);
    struct sluice_chunks *c = *chunks = calloc(1, sizeof *c);
    SLUICE_CHECK(c, SLUICE_DEVICE, "no memory to compress dataset '%s'", array->path);
    c->array = array;
    SLUICE_TRY(sluice_threads_create(&c->team, threads_for(count > 0 ? count : 1, threads)));
    return allocate(c);
}

void sluice_chunks_destroy(struct sluice_chunks **chunks)
{
    struct sluice_chunks *c = *chunks;
    if (!c)
        return;
    sluice_threads_destroy(&c->team);
    free(c->plain);
    free(c->shuffled);
    free(c->packed);
    free(c);
    *chunks = NULL;
}

const void *sluice_chunks_packed(const struct sluice_chunks *c, int chunk, size_t *bytes)
{
    *bytes = c->size[chunk];
    return c->packed + (size_t)chunk * c->packed_bytes;
}

/* The first bytes of all elements, the second bytes, ... */
static void shuffle(unsigned char *to, const unsigned char *from, size_t elements, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++)
        for (size_t i = 0; i < elements; i++)
            to[b * elements + i] = from[i * bytes + b];
}

static void pack(struct sluice_chunks *c, int64_t t)
{
    unsigned char *shuffled = c->shuffled + (size_t)t * c->plain_bytes;
    shuffle(shuffled, c->plain + (size_t)t * c->plain_bytes, c->elements, c->bytes_file);
    c->size[t] = (uLongf)c->packed_bytes;
    c->zlib[t] = compress2(c->packed + (size_t)t * c->packed_bytes, &c->size[t], shuffled,
                           c->elements * c->bytes_file, c->array->compression);
}

static void pack_chunks(struct sluice_share *share, void *data)
{
    int64_t t;
    while (sluice_share_next(share, &t))
        pack(data, t);
}

/* One chunk of the file's type, zeros behind the last row. */
static sluice_status convert(struct sluice_chunks *c, const struct sluice_hdf5_rows *rows,
                             int64_t first, int64_t count, int t)
{
    unsigned char *plain = c->plain + (size_t)t * c->plain_bytes;
    const size_t bytes = (size_t)count * sluice_hdf5_row_bytes(c->array, c->array->file_type);
    SLUICE_TRY(sluice_hdf5_convert(c->team, c->array, rows, first, count, plain));
    memset(plain + bytes, 0, c->elements * c->bytes_file - bytes);
    return SLUICE_OK;
}

sluice_status sluice_chunks_pack(struct sluice_chunks *c, const struct sluice_hdf5_rows *rows,
                                 int64_t first, int *count)
{
    const int64_t chunk = sluice_chunk_rows(c->array), end = rows->first + rows->count;
    *count = 0;
    for (; *count < c->turn && first < end; first += chunk) {
        SLUICE_TRY(convert(c, rows, first, end - first < chunk ? end - first : chunk, *count));
        ++*count;
    }
    sluice_threads_run(c->team, *count, pack_chunks, c);
    for (int t = 0; t < *count; t++)
        SLUICE_CHECK(c->zlib[t] == Z_OK, SLUICE_DEVICE,
                     "dataset '%s' cannot be compressed: zlib says %s", c->array->path,
                     zError(c->zlib[t]));
    return SLUICE_OK;
}
