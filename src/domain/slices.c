#include "domain/slices.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "particles/id_order.h"

int64_t sluice_slice_first(const struct sluice_comm *comm, int64_t rows, int rank)
{
    const int64_t pieces = (rows + SLUICE_SLICE_ROWS - 1) / SLUICE_SLICE_ROWS,
                  first = (pieces * rank + comm->size - 1) / comm->size * SLUICE_SLICE_ROWS;
    return first < rows ? first : rows;
}

/* Lists the own particles by id. */
static sluice_status order_own(struct sluice_slices *s, const sluice_id *id, const uint8_t *own,
                               int64_t n)
{
    sluice_id *own_id;
    uint32_t *index;
    s->sent = n;
    if (!own)
        return sluice_order_by_id(s->team, id, n, &s->order);
    SLUICE_ALLOCATE(own_id, n, "particles of a rank");
    index = malloc((size_t)(n + 1) * sizeof *index);
    s->sent = 0;
    for (int64_t i = 0; i < n && index; i++)
        if (own[i]) {
            index[s->sent] = (uint32_t)i;
            own_id[s->sent++] = id[i];
        }
    const sluice_status status = index ? sluice_order_by_id(s->team, own_id, s->sent, &s->order)
                                       : SLUICE_FAIL(SLUICE_DEVICE,
                                                     "no memory for %lld particles of a rank",
                                                     (long long)n);
    for (int64_t k = 0; k < s->sent && status == SLUICE_OK; k++)
        s->order[k] = index[s->order[k]];
    free(own_id);
    free(index);
    return status;
}

/* How many of n ascending ids are below one. */
static int64_t count_below(const sluice_id *id, int64_t n, int64_t limit)
{
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if ((int64_t)id[middle] < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Finds cut[1..size - 1]: so many ids of all ranks are below cut[r] as rows are before slice r.
 * `cut` is found bit by bit, one more than ids have, for the end of the last slice; below[r] is 0
 * for all. */
static sluice_status find_cuts(const struct sluice_slices *s, const sluice_id *id,
                               const int64_t *first, int64_t *cut, int64_t *below)
{
    const int size = s->comm->size;
    for (int bit = SLUICE_ID_BITS; bit >= 0; bit--) {
        for (int r = 1; r < size; r++)
            below[r] = count_below(id, s->sent, cut[r] + ((int64_t)1 << bit));
        SLUICE_TRY(s->comm->ops->sum(s->comm, below, size));
        for (int r = 1; r < size; r++)
            cut[r] += below[r] <= first[r] ? (int64_t)1 << bit : 0;
    }
    return SLUICE_OK;
}

static sluice_status count_messages(struct sluice_slices *s, const sluice_id *id,
                                    const int64_t *first)
{
    const int size = s->comm->size;
    int64_t *cut;
    SLUICE_ALLOCATE(cut, 2 * size + 1, "slices of files");
    sluice_status status = find_cuts(s, id, first, cut, cut + size);
    int64_t before = 0;
    for (int r = 0; r < size; r++) {
        const int64_t end = r + 1 < size ? count_below(id, s->sent, cut[r + 1]) : s->sent;
        s->to[r] = end - before;
        before = end;
    }
    free(cut);
    if (status == SLUICE_OK)
        status = s->comm->ops->counts(s->comm, s->to, s->from);
    return status;
}

static int64_t total(const int64_t *count, int size)
{
    int64_t sum = 0;
    for (int r = 0; r < size; r++)
        sum += count[r];
    return sum;
}

/* Lists messages of so many particles each, one after the other in memory. */
static void list(struct sluice_message *message, int size, const int64_t *count, size_t bytes,
                 char *memory)
{
    for (int r = 0; r < size; r++) {
        message[r] = (struct sluice_message){r, memory, (size_t)count[r] * bytes};
        memory += message[r].bytes;
    }
}

/* Sends entries in the order of the ids. `arrived` can hold those that come. */
static sluice_status send_sorted(const struct sluice_slices *s, size_t bytes, char *ordered,
                                 char *arrived)
{
    const int size = s->comm->size;
    struct sluice_message *message;
    SLUICE_ALLOCATE(message, 2 * size, "messages");
    list(message, size, s->to, bytes, ordered);
    list(message + size, size, s->from, bytes, arrived);
    const sluice_status status = s->comm->ops->exchange(s->comm, message, size, message + size,
                                                        size);
    free(message);
    return status;
}

/* Sends the sorted ids, and finds the order of those that come. */
static sluice_status find_places(struct sluice_slices *s, sluice_id *sorted)
{
    sluice_id *arrived;
    SLUICE_ALLOCATE(arrived, s->count, "ids of particles");
    sluice_status status = send_sorted(s, sizeof *sorted, (char *)sorted, (char *)arrived);
    if (status == SLUICE_OK)
        status = sluice_order_by_id(s->team, arrived, s->count, &s->place);
    free(arrived);
    return status;
}

/* The plan of several ranks, with the own particles listed by id: `sorted` are their ids. */
static sluice_status plan(struct sluice_slices *s, sluice_id *sorted, const int64_t *first)
{
    const int size = s->comm->size;
    SLUICE_ALLOCATE(s->to, size, "counts of messages");
    SLUICE_ALLOCATE(s->from, size, "counts of messages");
    SLUICE_TRY(count_messages(s, sorted, first));
    SLUICE_CHECK(total(s->from, size) == s->count, SLUICE_DEVICE,
                 "internal: %lld particles come for %lld rows of a file",
                 (long long)total(s->from, size), (long long)s->count);
    return find_places(s, sorted);
}

sluice_status sluice_slices_create(struct sluice_slices *s, struct sluice_comm *comm,
                                   struct sluice_threads *team, const sluice_id *id,
                                   const uint8_t *own, int64_t n, const int64_t *first)
{
    sluice_id *sorted;
    memset(s, 0, sizeof *s);
    s->comm = comm;
    s->team = team;
    s->first = first[comm->rank];
    s->count = first[comm->rank + 1] - first[comm->rank];
    SLUICE_TRY(order_own(s, id, own, n));
    if (comm->size == 1)
        return SLUICE_OK;
    SLUICE_ALLOCATE(sorted, s->sent, "ids of particles");
    sluice_reorder(team, sorted, id, s->order, s->sent, sizeof *id);
    const sluice_status status = plan(s, sorted, first);
    free(sorted);
    return status;
}

static sluice_status reserve(struct sluice_slice_scratch *scratch, size_t bytes)
{
    if (bytes <= scratch->bytes)
        return SLUICE_OK;
    free(scratch->memory);
    scratch->memory = malloc(bytes);
    scratch->bytes = scratch->memory ? bytes : 0;
    SLUICE_CHECK(scratch->memory, SLUICE_DEVICE, "no memory for %.1f MB of a file's slice",
                 1e-6 * (double)bytes);
    return SLUICE_OK;
}

void sluice_slice_scratch_destroy(struct sluice_slice_scratch *scratch)
{
    free(scratch->memory);
    memset(scratch, 0, sizeof *scratch);
}

sluice_status sluice_slices_bring(const struct sluice_slices *s,
                                  struct sluice_slice_scratch *scratch, size_t bytes,
                                  const void *from, void *to)
{
    const size_t sent = (size_t)s->sent * bytes;
    if (s->comm->size == 1) {
        sluice_reorder(s->team, to, from, s->order, s->sent, bytes);
        return SLUICE_OK;
    }
    SLUICE_TRY(reserve(scratch, sent + (size_t)s->count * bytes + 1));
    sluice_reorder(s->team, scratch->memory, from, s->order, s->sent, bytes);
    SLUICE_TRY(send_sorted(s, bytes, scratch->memory, scratch->memory + sent));
    sluice_reorder(s->team, to, scratch->memory + sent, s->place, s->count, bytes);
    return SLUICE_OK;
}

void sluice_slices_destroy(struct sluice_slices *s)
{
    free(s->order);
    free(s->to);
    free(s->from);
    free(s->place);
    memset(s, 0, sizeof *s);
}
