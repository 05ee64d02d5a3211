#include "domain/scatter.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/slices.h"
#include "particles/id_order.h"

sluice_status sluice_scatter_begin(struct sluice_scatter *s, struct sluice_comm *comm, int64_t rows)
{
    memset(s, 0, sizeof *s);
    s->comm = comm;
    s->first = sluice_slice_first(comm, rows, comm->rank);
    s->count = sluice_slice_first(comm, rows, comm->rank + 1) - s->first;
    s->held = comm->size == 1 ? s->count : 0;
    SLUICE_ALLOCATE(s->rank, comm->size, "lists of rows");
    return SLUICE_OK;
}

sluice_status sluice_scatter_add(struct sluice_scatter *s, int rank, int64_t row)
{
    struct sluice_scattered *to = &s->rank[rank];
    SLUICE_GROW(to->index, to->count, to->capacity, "rows of a file");
    to->index[to->count++] = (uint32_t)row;
    return SLUICE_OK;
}

sluice_status sluice_scatter_end(struct sluice_scatter *s)
{
    const int size = s->comm->size;
    int64_t *to;
    SLUICE_ALLOCATE(to, 2 * size, "counts of messages");
    for (int r = 0; r < size; r++)
        to[r] = s->rank[r].count;
    const sluice_status status = s->comm->ops->counts(s->comm, to, to + size);
    s->held = 0;
    for (int r = 0; r < size; r++)
        s->held += s->rank[r].arrive = to[size + r];
    free(to);
    return status;
}

/* Lays the rows for each rank one behind the other into `packed`. */
static sluice_status exchange(const struct sluice_scatter *s, size_t bytes, const char *from,
                              char *packed, char *to)
{
    const int size = s->comm->size;
    struct sluice_message *message;
    SLUICE_ALLOCATE(message, 2 * size, "messages");
    for (int r = 0; r < size; r++) {
        const struct sluice_scattered *with = &s->rank[r];
        message[r] = (struct sluice_message){r, packed, (size_t)with->count * bytes};
        message[size + r] = (struct sluice_message){r, to, (size_t)with->arrive * bytes};
        sluice_reorder(NULL, packed, from, with->index, with->count, bytes);
        packed += message[r].bytes;
        to += message[size + r].bytes;
    }
    const sluice_status status = s->comm->ops->exchange(s->comm, message, size, message + size,
                                                        size);
    free(message);
    return status;
}

sluice_status sluice_scatter_send(const struct sluice_scatter *s, size_t bytes, const void *from,
                                  void *to)
{
    int64_t sent = 0;
    char *packed;
    for (int r = 0; r < s->comm->size; r++)
        sent += s->rank[r].count;
    SLUICE_ALLOCATE(packed, (size_t)sent * bytes, "bytes of rows for other ranks");
    const sluice_status status = exchange(s, bytes, from, packed, to);
    free(packed);
    return status;
}

void sluice_scatter_destroy(struct sluice_scatter *s)
{
    for (int r = 0; s->rank && r < s->comm->size; r++)
        free(s->rank[r].index);
    free(s->rank);
    memset(s, 0, sizeof *s);
}
