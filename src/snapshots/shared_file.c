#include "snapshots/shared_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/allocate.h"
#include "files/hdf5_chunks.h"

enum { PIECE_BYTES = 1 << 20 }; /* that a thread converts at once, in the cache */

/* Numbers of each rank in a turn of chunks: the row of its first chunk; the sizes of its chunks,
 * then their places. */
enum { TURN = 1 + SLUICE_CHUNKS_MOST };

static int is_first(const struct sluice_shared_file *f)
{
    return f->comm->rank == 0;
}

/* --- The file --- */

/* Sends the temporary name from the first rank to the others, which open the file. */
static sluice_status join(struct sluice_shared_file *f, const char *path)
{
    char host[256] = "";
    void *name;
    size_t bytes;
    struct sluice_safe_hdf5 *own = &f->of_rank;
    SLUICE_TRY(sluice_comm_gather(f->comm, own->temporary,
                                  is_first(f) ? strlen(own->temporary) + 1 : 0, 1, &name, &bytes));
    sluice_status status = SLUICE_OK;
    if (!is_first(f))
        status = sluice_safe_hdf5_join(own, path, name);
    free(name);
    gethostname(host, sizeof host - 1);
    return status == SLUICE_OK
               ? SLUICE_OK
               : SLUICE_FAIL(status,
                             "%s; the first rank has created it, and this one on host %s must "
                             "write its part: --out needs a folder that all hosts share",
                             sluice_message(), host);
}

/* Allocates what each rank needs, and creates the file. */
static sluice_status create(struct sluice_shared_file *f, const char *path)
{
    SLUICE_ALLOCATE(f->turn, f->comm->size * TURN, "places of chunks");
    return is_first(f) ? sluice_safe_hdf5_create(&f->of_rank, path) : SLUICE_OK;
}

sluice_status sluice_shared_create(struct sluice_shared_file *f, const char *path)
{
    memset(f, 0, sizeof *f);
    f->comm = sluice_output_world();
    f->comm->failed = 0;
    f->of_rank.direct = -1;
    const sluice_status created = create(f, path);
    sluice_status status = sluice_comm_first_failure(f->comm, created);
    if (status == SLUICE_OK && f->comm->size == 1)
        return SLUICE_OK;
    if (status == SLUICE_OK)
        status = sluice_comm_first_failure(f->comm, join(f, path));
    if (status == SLUICE_OK)
        return SLUICE_OK;
    free(f->turn);
    if (created != SLUICE_OK)
        return status;
    if (f->of_rank.direct >= 0)
        (void)sluice_safe_hdf5_close(&f->of_rank, SLUICE_OK);
    if (is_first(f))
        (void)sluice_safe_hdf5_settle(&f->of_rank, status);
    return status;
}

sluice_status sluice_shared_finish(struct sluice_shared_file *f, sluice_status outcome)
{
    const int alone = outcome != SLUICE_OK && !f->comm->failed;
    outcome = sluice_safe_hdf5_close(&f->of_rank, outcome);
    free(f->turn);
    if (alone)
        return is_first(f) ? sluice_safe_hdf5_settle(&f->of_rank, outcome) : outcome;
    outcome = sluice_comm_first_failure(f->comm, outcome);
    if (is_first(f))
        outcome = sluice_safe_hdf5_settle(&f->of_rank, outcome);
    return sluice_comm_first_failure(f->comm, outcome);
}

/* --- Contiguous rows --- */

static sluice_status write_pieces(struct sluice_shared_file *f,
                                  const struct sluice_hdf5_array *array,
                                  const struct sluice_hdf5_rows *rows, int64_t offset)
{
    const size_t memory = sluice_hdf5_row_bytes(array, array->memory_type),
                 file = sluice_hdf5_row_bytes(array, array->file_type),
                 wide = memory > file ? memory : file;
    const int64_t bytes = PIECE_BYTES * (int64_t)sluice_threads_used(f->team),
                  most = bytes / (int64_t)wide > 0 ? bytes / (int64_t)wide : 1;
    char *piece;
    if (rows->data && sluice_hdf5_is_verbatim(array)) {
        sluice_safe_hdf5_write_at(&f->of_rank, rows->data, (size_t)rows->count * file,
                                  offset + rows->first * (int64_t)file);
        return SLUICE_OK;
    }
    SLUICE_ALLOCATE(piece, (int64_t)wide * (most < rows->count ? most : rows->count),
                    "bytes of a file");
    sluice_status status = SLUICE_OK;
    for (int64_t done = 0; done < rows->count && status == SLUICE_OK; done += most) {
        const int64_t first = rows->first + done,
                      count = rows->count - done < most ? rows->count - done : most;
        status = sluice_hdf5_convert(f->team, array, rows, first, count, piece);
        if (status == SLUICE_OK)
            sluice_safe_hdf5_write_at(&f->of_rank, piece, (size_t)count * file,
                                      offset + first * (int64_t)file);
    }
    free(piece);
    return status;
}

/* --- Chunks --- */

struct chunk_writer {
    struct sluice_shared_file *file;
    const struct sluice_hdf5_array *array;
    hid_t dataset; /* on the first rank */
    struct sluice_chunks *chunks;
};

static int64_t *turn_of(const struct chunk_writer *w, int rank)
{
    return w->file->turn + (int64_t)rank * TURN;
}

/* Packs the next chunks of this rank, and sends all ranks their sizes. *more: any rank has some. */
static sluice_status pack_turn(struct chunk_writer *w, const struct sluice_hdf5_rows *rows,
                               int64_t first, sluice_status *outcome, int *count, int *more)
{
    struct sluice_comm *comm = w->file->comm;
    int64_t *mine = turn_of(w, comm->rank);
    memset(turn_of(w, 0), 0, (size_t)(comm->size * TURN) * sizeof *mine);
    if (*outcome == SLUICE_OK)
        *outcome = sluice_chunks_pack(w->chunks, rows, first, count);
    *count = *outcome == SLUICE_OK ? *count : 0;
    mine[0] = first;
    for (int t = 0; t < *count; t++) {
        size_t bytes;
        (void)sluice_chunks_packed(w->chunks, t, &bytes);
        mine[1 + t] = (int64_t)bytes;
    }
    SLUICE_TRY(comm->ops->sum(comm, turn_of(w, 0), comm->size * TURN));
    *more = 0;
    for (int r = 0; r < comm->size; r++)
        *more |= turn_of(w, r)[1] > 0;
    return SLUICE_OK;
}

/* The first rank gives each chunk its place, and sends it to all. */
static sluice_status place_turn(struct chunk_writer *w)
{
    struct sluice_comm *comm = w->file->comm;
    sluice_status status = SLUICE_OK;
    for (int r = 0; r < comm->size; r++) {
        int64_t *turn = turn_of(w, r), row = turn[0];
        for (int t = 0; t < SLUICE_CHUNKS_MOST; t++, row += sluice_chunk_rows(w->array))
            if (!is_first(w->file))
                turn[1 + t] = 0;
            else if (turn[1 + t] > 0 && status == SLUICE_OK)
                status = sluice_safe_hdf5_place(&w->file->of_rank, w->dataset, row,
                                                (size_t)turn[1 + t], &turn[1 + t]);
        turn[0] = 0;
    }
    SLUICE_TRY(comm->ops->sum(comm, turn_of(w, 0), comm->size * TURN));
    return sluice_comm_first_failure(comm, status);
}

static sluice_status write_turns(struct chunk_writer *w, const struct sluice_hdf5_rows *rows,
                                 sluice_status outcome)
{
    const int64_t *place = turn_of(w, w->file->comm->rank) + 1;
    int64_t first = rows->first;
    int count = 0, more = 1;
    for (;;) {
        SLUICE_TRY(pack_turn(w, rows, first, &outcome, &count, &more));
        if (!more)
            return outcome;
        const sluice_status placed = place_turn(w);
        outcome = outcome == SLUICE_OK ? placed : outcome;
        for (int t = 0; t < count && placed == SLUICE_OK; t++) {
            size_t bytes;
            const void *packed = sluice_chunks_packed(w->chunks, t, &bytes);
            sluice_safe_hdf5_write_at(&w->file->of_rank, packed, bytes, place[t]);
        }
        first += count * sluice_chunk_rows(w->array);
    }
}

static sluice_status write_chunks(struct sluice_shared_file *f,
                                  const struct sluice_hdf5_array *array,
                                  const struct sluice_hdf5_rows *rows, hid_t dataset, int threads)
{
    struct chunk_writer w = {.file = f, .array = array, .dataset = dataset};
    const sluice_status created = sluice_chunks_create(&w.chunks, array, rows->count, threads),
                        status = write_turns(&w, rows, created);
    sluice_chunks_destroy(&w.chunks);
    return status;
}

sluice_status sluice_shared_write(struct sluice_shared_file *f,
                                  const struct sluice_hdf5_array *array,
                                  const struct sluice_hdf5_rows *rows, int threads)
{
    const int chunked = array->compression > 0 && array->rows > 0;
    hid_t dataset = -1;
    int64_t offset = 0;
    sluice_status status = SLUICE_OK;
    if (is_first(f))
        status = sluice_hdf5_create(f->of_rank.file, array, &dataset, &offset);
    SLUICE_TRY(sluice_comm_first_failure(f->comm, status));
    if (chunked) {
        status = write_chunks(f, array, rows, dataset, threads);
    } else {
        SLUICE_TRY(f->comm->ops->sum(f->comm, &offset, 1));
        status = write_pieces(f, array, rows, offset);
    }
    if (is_first(f) && H5Dclose(dataset) < 0 && status == SLUICE_OK)
        status = SLUICE_FAIL(SLUICE_IO, "dataset '%s' cannot be closed: %s", array->path,
                             sluice_hdf5_reason());
    return sluice_comm_first_failure(f->comm, status);
}
