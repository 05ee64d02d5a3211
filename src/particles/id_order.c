#include "particles/id_order.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/hash.h"

enum { BLOCK = 1 << 14 }; /* particles that a thread takes at once */

/* A bit for each id from the least one on, and the number of ids before each word of them. */
struct ranks {
    uint64_t *present;
    uint32_t *before;
    sluice_id least;
    int64_t words;
};

static uint32_t rank_of(const struct ranks *r, sluice_id id)
{
    id -= r->least;
    const uint64_t below = ((uint64_t)1 << id % 64) - 1;
    return r->before[id / 64] + (uint32_t)__builtin_popcountll(r->present[id / 64] & below);
}

static sluice_status mark_ids(const sluice_id *id, int64_t n, struct ranks *r)
{
    for (int64_t i = 0; i < n; i++) {
        const sluice_id number = id[i] - r->least;
        uint64_t *word = &r->present[number / 64];
        const uint64_t bit = (uint64_t)1 << number % 64;
        SLUICE_CHECK(!(*word & bit), SLUICE_DEVICE, "internal: two particles have the id %lld",
                     (long long)id[i]);
        *word |= bit;
    }
    uint32_t before = 0;
    for (int64_t w = 0; w < r->words; w++) {
        r->before[w] = before;
        before += (uint32_t)__builtin_popcountll(r->present[w]);
    }
    return SLUICE_OK;
}

static sluice_status allocate(struct ranks *r)
{
    SLUICE_ALLOCATE(r->present, r->words, "ids");
    SLUICE_ALLOCATE(r->before, r->words, "ids");
    return SLUICE_OK;
}

struct entry {
    sluice_id id;
    uint32_t index;
};

static int by_id(const void *a, const void *b)
{
    const sluice_id one = ((const struct entry *)a)->id, other = ((const struct entry *)b)->id;
    return (one > other) - (one < other);
}

/* Where ids are much farther apart than their number. */
static sluice_status order_sparse(const sluice_id *id, int64_t n, uint32_t **from)
{
    struct entry *entry;
    SLUICE_ALLOCATE(entry, n, "ids");
    for (int64_t i = 0; i < n; i++)
        entry[i] = (struct entry){id[i], (uint32_t)i};
    qsort(entry, (size_t)n, sizeof *entry, by_id);
    for (int64_t k = 0; k < n; k++)
        (*from)[k] = entry[k].index;
    int64_t k = 1;
    while (k < n && entry[k].id != entry[k - 1].id)
        k++;
    const sluice_id twice = k < n ? entry[k].id : 0;
    free(entry);
    SLUICE_CHECK(k >= n, SLUICE_DEVICE, "internal: two particles have the id %lld",
                 (long long)twice);
    return SLUICE_OK;
}

struct placing {
    const struct ranks *ranks;
    const sluice_id *id;
    int64_t n;
    uint32_t *from;
};

static void place_blocks(struct sluice_share *share, void *data)
{
    const struct placing *p = data;
    int64_t i, last;
    while (sluice_share_block(share, p->n, BLOCK, &i, &last))
        for (; i < last; i++)
            p->from[rank_of(p->ranks, p->id[i])] = (uint32_t)i;
}

static sluice_status order_dense(struct sluice_threads *team, const sluice_id *id, int64_t n,
                                 sluice_id least, int64_t words, uint32_t *from)
{
    struct ranks r = {.least = least, .words = words};
    struct placing p = {&r, id, n, from};
    sluice_status status = allocate(&r);
    if (status == SLUICE_OK)
        status = mark_ids(id, n, &r);
    if (status == SLUICE_OK)
        sluice_threads_run(team, sluice_blocks(n, BLOCK), place_blocks, &p);
    free(r.present);
    free(r.before);
    return status;
}

sluice_status sluice_order_by_id(struct sluice_threads *team, const sluice_id *id, int64_t n,
                                 uint32_t **from)
{
    sluice_id least = SLUICE_ID_MAX, most = 0;
    for (int64_t i = 0; i < n; i++) {
        least = id[i] < least ? id[i] : least;
        most = id[i] > most ? id[i] : most;
    }
    const int64_t words = n > 0 ? (int64_t)(most - least) / 64 + 1 : 0;
    SLUICE_ALLOCATE(*from, n, "places in the order of ids");
    const sluice_status status = words > n + 1024 ? order_sparse(id, n, from)
                                                  : order_dense(team, id, n, least, words, *from);
    if (status != SLUICE_OK) {
        free(*from);
        *from = NULL;
    }
    return status;
}

uint64_t sluice_digest_ids(const sluice_id *id, int64_t n)
{
    uint64_t digest = 0;
    for (int64_t i = 0; i < n; i++)
        digest += sluice_mix(id[i] + SLUICE_MIX_STEP);
    return digest;
}

struct reordering {
    char *to;
    const char *from;
    const uint32_t *order;
    int64_t n;
    size_t bytes;
};

#define REORDER(size)                                                                              \
    case size:                                                                                     \
        for (int64_t k = first; k < last; k++)                                                     \
            memcpy(out + (size)*k, in + (size) * (int64_t)r->order[k], (size));                    \
        break

static void reorder(const struct reordering *r, int64_t first, int64_t last)
{
    char *out = r->to;
    const char *in = r->from;
    switch (r->bytes) { /* known sizes are copied faster */
        REORDER(2);
        REORDER(4);
        REORDER(8);
        REORDER(12);
        REORDER(16);
        REORDER(24);
    default:
        for (int64_t k = first; k < last; k++)
            memcpy(out + (int64_t)r->bytes * k, in + (int64_t)r->bytes * (int64_t)r->order[k],
                   r->bytes);
    }
}

static void reorder_blocks(struct sluice_share *share, void *data)
{
    const struct reordering *r = data;
    int64_t first, last;
    while (sluice_share_block(share, r->n, BLOCK, &first, &last))
        reorder(r, first, last);
}

void sluice_reorder(struct sluice_threads *team, void *to, const void *from, const uint32_t *order,
                    int64_t n, size_t bytes)
{
    struct reordering r = {to, from, order, n, bytes};
    sluice_threads_run(team, sluice_blocks(n, BLOCK), reorder_blocks, &r);
}
