/* Rows of a compressed dataset, deflated by threads: most of a snapshot's time is gzip's.
 *
 * A turn takes as many chunks as there are threads: HDF5 converts them to the file's type, one
 * thread each shuffles and deflates one, and they are written in their order. The bytes are those
 * that HDF5's own filters make (shuffle, then deflate; HDF5 File Format Specification 3.0,
 * IV.A.2.l), whatever the number of threads. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "core/processors.h"
#include "core/threads.h"
#include "files/safe_file_hdf5.h"
#include "files/hdf5.h"

enum { THREADS_MOST = 16 }; /* more only wait for the one that converts and writes */

struct deflater {
    const struct sluice_hdf5_array *array;
    hid_t dataset;
    struct sluice_threads *team;
    int chunks;                               /* of a turn: one for each thread */
    size_t elements;                          /* of a chunk */
    size_t bytes_memory, bytes_file;          /* of an element */
    size_t room_plain, room_packed;           /* bytes a chunk */
    unsigned char *plain, *shuffled, *packed; /* [chunks] */
    uLongf size[THREADS_MOST];                /* bytes packed */
    int zlib[THREADS_MOST];                   /* what zlib returned */
};

static int64_t chunk_rows(const struct sluice_hdf5_array *array)
{
    return array->rows < SLUICE_CHUNK_ROWS ? array->rows : SLUICE_CHUNK_ROWS;
}

static int threads_for(const struct sluice_hdf5_array *array, int64_t rows)
{
    const int64_t chunks = (rows + chunk_rows(array) - 1) / chunk_rows(array);
    int64_t threads = array->threads > 0 ? array->threads : sluice_processors_most();
    threads = threads < THREADS_MOST ? threads : THREADS_MOST;
    return (int)(threads < chunks ? threads : chunks);
}

static sluice_status create(struct deflater *d, hid_t dataset,
                            const struct sluice_hdf5_array *array, int64_t rows)
{
    const size_t columns = array->columns > 0 ? (size_t)array->columns : 1;
    memset(d, 0, sizeof *d);
    d->array = array;
    d->dataset = dataset;
    SLUICE_TRY(sluice_threads_create(&d->team, threads_for(array, rows)));
    d->chunks = sluice_threads_count(d->team);
    d->elements = (size_t)chunk_rows(array) * columns;
    d->bytes_memory = H5Tget_size(array->memory_type);
    d->bytes_file = H5Tget_size(array->file_type);
    const size_t wide = d->bytes_memory > d->bytes_file ? d->bytes_memory : d->bytes_file;
    d->room_plain = d->elements * wide;
    d->room_packed = compressBound(d->elements * d->bytes_file);
    d->plain = malloc((size_t)d->chunks * d->room_plain);
    d->shuffled = malloc((size_t)d->chunks * d->room_plain);
    d->packed = malloc((size_t)d->chunks * d->room_packed);
    SLUICE_CHECK(d->plain && d->shuffled && d->packed, SLUICE_DEVICE,
                 "no memory to compress dataset '%s': %zu bytes; output.compression = 0 needs none",
                 array->path, (size_t)d->chunks * (2 * d->room_plain + d->room_packed));
    return SLUICE_OK;
}

static void destroy(struct deflater *d)
{
    sluice_threads_destroy(&d->team);
    free(d->plain);
    free(d->shuffled);
    free(d->packed);
}

/* One chunk of the file's type, zeros behind the last row. */
static int convert(struct deflater *d, int t, const unsigned char *rows, size_t elements)
{
    unsigned char *plain = d->plain + (size_t)t * d->room_plain;
    memcpy(plain, rows, elements * d->bytes_memory);
    if (H5Tconvert(d->array->memory_type, d->array->file_type, elements, plain, NULL, H5P_DEFAULT) <
        0)
        return 0;
    memset(plain + elements * d->bytes_file, 0, (d->elements - elements) * d->bytes_file);
    return 1;
}

/* The first bytes of all elements, the second bytes, ... */
static void shuffle(unsigned char *to, const unsigned char *from, size_t elements, size_t bytes)
{
    for (size_t b = 0; b < bytes; b++)
        for (size_t i = 0; i < elements; i++)
            to[b * elements + i] = from[i * bytes + b];
}

static void pack(struct deflater *d, int64_t t)
{
    unsigned char *shuffled = d->shuffled + (size_t)t * d->room_plain;
    shuffle(shuffled, d->plain + (size_t)t * d->room_plain, d->elements, d->bytes_file);
    d->size[t] = (uLongf)d->room_packed;
    d->zlib[t] = compress2(d->packed + (size_t)t * d->room_packed, &d->size[t], shuffled,
                           d->elements * d->bytes_file, d->array->compression);
}

static void pack_chunks(struct sluice_share *share, void *data)
{
    int64_t t;
    while (sluice_share_next(share, &t))
        pack(data, t);
}

/* A chunk for each thread, or the rest. */
static sluice_status write_turn(struct deflater *d, int64_t first, int64_t rows, const void *data)
{
    const struct sluice_hdf5_array *array = d->array;
    const int64_t chunk = chunk_rows(array);
    const size_t row_elements = d->elements / (size_t)chunk;
    const int chunks = (int)((rows + chunk - 1) / chunk);
    int good = 1;
    for (int t = 0; t < chunks && good; t++) {
        const int64_t left = rows - t * chunk;
        good = convert(d, t,
                       (const unsigned char *)data +
                           (size_t)(t * chunk) * row_elements * d->bytes_memory,
                       (size_t)(left < chunk ? left : chunk) * row_elements);
    }
    SLUICE_CHECK(good, SLUICE_IO, "dataset '%s' cannot be converted: %s", array->path,
                 sluice_hdf5_reason());
    sluice_threads_run(d->team, chunks, pack_chunks, d);
    for (int t = 0; t < chunks; t++) {
        const hsize_t offset[2] = {(hsize_t)(first + t * chunk), 0};
        SLUICE_CHECK(d->zlib[t] == Z_OK, SLUICE_DEVICE,
                     "dataset '%s' cannot be compressed: zlib says %s", array->path,
                     zError(d->zlib[t]));
        SLUICE_CHECK(H5Dwrite_chunk(d->dataset, H5P_DEFAULT, 0, offset, d->size[t],
                                    d->packed + (size_t)t * d->room_packed) >= 0,
                     SLUICE_IO, "dataset '%s' cannot be written: %s", array->path,
                     sluice_hdf5_reason());
    }
    return SLUICE_OK;
}

sluice_status sluice_hdf5_write_chunks(hid_t dataset, const struct sluice_hdf5_array *array,
                                       int64_t first, int64_t rows, const void *data)
{
    struct deflater d;
    if (rows == 0)
        return SLUICE_OK;
    sluice_status status = create(&d, dataset, array, rows);
    const int64_t turn = d.chunks * chunk_rows(array);
    const size_t row_bytes = d.elements / (size_t)chunk_rows(array) * d.bytes_memory;
    for (int64_t done = 0; done < rows && status == SLUICE_OK; done += turn)
        status = write_turn(&d, first + done, rows - done < turn ? rows - done : turn,
                            (const unsigned char *)data + (size_t)done * row_bytes);
    destroy(&d);
    return status;
}
