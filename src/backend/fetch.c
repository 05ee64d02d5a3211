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
        const int wanted = (fetch->fields & 1u << f) && fetch->set->field[f];
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
                                      const uint32_t *index, int64_t n, int everywhere)
{
    const struct sluice_set *set = fetch->set;
    int64_t all;
    void *array[SLUICE_FIELD_COUNT], *memory;
    SLUICE_TRY(sluice_domain_gather(b->domain, set, fetch->fields & set->fields, index, n,
                                    everywhere, &all, array, &memory));
    const sluice_status status = sluice_fetch_reserve(fetch, all);
    for (int f = 0; f < SLUICE_FIELD_COUNT && status == SLUICE_OK; f++)
        if (fetch->field[f] && all > 0)
            memcpy(fetch->field[f], array[f],
                   (size_t)(all * sluice_set_field_bytes(set, (enum sluice_field)f)));
    free(memory);
    return status;
}

sluice_status sluice_fetch_all(struct sluice_backend *b, struct sluice_fetch *fetch)
{
    const struct sluice_set *set = fetch->set;
    if (b->domain)
        return sluice_fetch_from_ranks(b, fetch, NULL, 0, 0);
    SLUICE_TRY(sluice_fetch_reserve(fetch, set->count));
    for (int f = 0; f < SLUICE_FIELD_COUNT && set->count > 0; f++)
        if (fetch->field[f])
            SLUICE_TRY(b->ops->download(
                b, fetch->field[f], set->field[f],
                (size_t)(set->count * sluice_set_field_bytes(set, (enum sluice_field)f))));
    return SLUICE_OK;
}

void sluice_fetch_destroy(struct sluice_fetch *fetch)
{
    free(fetch->memory);
    memset(fetch, 0, sizeof *fetch);
}
