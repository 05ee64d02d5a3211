/* The host memory of fetched particles: one piece, field after field. */
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "domain/domain.h"

size_t sluice_fetch_lay_out(struct sluice_fetch *fetch, int64_t count)
{
    size_t at = 0;
    fetch->count = count;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int wanted = (fetch->fields & fetch->set->fields & SLUICE_FIELD_BIT(f)) != 0;
        const size_t bytes = (size_t)count *
                             (size_t)sluice_set_field_bytes(fetch->set, (enum sluice_field)f);
        fetch->field[f] = wanted && fetch->memory ? (char *)fetch->memory + at : NULL;
        at += wanted ? (bytes + 63) / 64 * 64 : 0;
    }
    return at;
}

sluice_status sluice_fetch_reserve(struct sluice_fetch *fetch, int64_t count)
{
    const size_t bytes = sluice_fetch_lay_out(fetch, count);
    if (bytes > fetch->bytes) {
        free(fetch->memory);
        fetch->bytes = (bytes + bytes / 4 + 63) / 64 * 64;
        fetch->memory = aligned_alloc(64, fetch->bytes);
        if (!fetch->memory)
            fetch->bytes = 0;
        SLUICE_CHECK(fetch->memory, SLUICE_DEVICE, "no memory for %.1f MB of particles on the host",
                     1e-6 * (double)bytes);
        sluice_fetch_lay_out(fetch, count);
    }
    return SLUICE_OK;
}

sluice_status sluice_fetch_from_ranks(struct sluice_backend *b, struct sluice_fetch *fetch,
                                      const struct sluice_set *host, const uint32_t *index,
                                      int64_t n)
{
    const struct sluice_set *set = fetch->set;
    int64_t all;
    void *array[SLUICE_FIELD_COUNT], *memory;
    SLUICE_TRY(sluice_domain_gather(b->domain, host, fetch->fields & set->fields, index, n, &all,
                                    array, &memory));
    const sluice_status status = sluice_fetch_reserve(fetch, all);
    for (int f = 0; f < SLUICE_FIELD_COUNT && status == SLUICE_OK; f++)
        if (fetch->field[f] && all > 0)
            memcpy(fetch->field[f], array[f],
                   (size_t)(all * sluice_set_field_bytes(set, (enum sluice_field)f)));
    free(memory);
    return status;
}

/* Brings the set, in its order, without regard to ranks. */
static sluice_status download_all(struct sluice_backend *b, struct sluice_fetch *fetch)
{
    const struct sluice_set *set = fetch->set;
    SLUICE_TRY(sluice_fetch_reserve(fetch, set->count));
    for (int f = 0; f < SLUICE_FIELD_COUNT && set->count > 0; f++)
        if (fetch->field[f])
            SLUICE_TRY(b->ops->download(
                b, fetch->field[f], set->field[f],
                (size_t)(set->count * sluice_set_field_bytes(set, (enum sluice_field)f))));
    return SLUICE_OK;
}

/* Takes the halo particles out of an array in host memory: moves runs of own ones together. Returns
 * their number. */
static int64_t keep_own(char *array, size_t bytes, const uint8_t *own, int64_t n)
{
    int64_t kept = 0;
    for (int64_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && own[end] == own[i];)
            end++;
        if (!own[i])
            continue;
        memmove(array + bytes * (size_t)kept, array + bytes * (size_t)i, bytes * (size_t)(end - i));
        kept += end - i;
    }
    return kept;
}

sluice_status sluice_own_to_host(struct sluice_backend *b, const struct sluice_set *set,
                                 uint8_t **own)
{
    *own = NULL;
    if (!set->own)
        return SLUICE_OK;
    *own = malloc((size_t)set->count + 1);
    SLUICE_CHECK(*own, SLUICE_DEVICE, "no memory for %lld particles on the host",
                 (long long)set->count);
    const sluice_status status = b->ops->download(b, *own, set->own, (size_t)set->count);
    if (status != SLUICE_OK) {
        free(*own);
        *own = NULL;
    }
    return status;
}

sluice_status sluice_fetch_own(struct sluice_backend *b, struct sluice_fetch *fetch)
{
    uint8_t *own;
    SLUICE_TRY(download_all(b, fetch));
    const sluice_status status = sluice_own_to_host(b, fetch->set, &own);
    int64_t count = fetch->count;
    for (int f = 0; f < SLUICE_FIELD_COUNT && own && status == SLUICE_OK; f++)
        if (fetch->field[f])
            count = keep_own(fetch->field[f],
                             (size_t)sluice_set_field_bytes(fetch->set, (enum sluice_field)f), own,
                             fetch->count);
    fetch->count = count;
    free(own);
    return status;
}

void sluice_fetch_destroy(struct sluice_fetch *fetch)
{
    free(fetch->memory);
    memset(fetch, 0, sizeof *fetch);
}
