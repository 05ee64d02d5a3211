/* Fields of the particles of all ranks, and totals. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/domain.h"
#include "domain/pack.h"

/* Turns the ranks' messages of whole fields into fields of all particles. */
static sluice_status join(const struct sluice_set *set, sluice_fields fields, const int64_t *count,
                          int size, const char *from, int64_t all, void *array[SLUICE_FIELD_COUNT],
                          void **memory)
{
    char *to, *at;
    SLUICE_ALLOCATE(to, sluice_pack_bytes(set, fields) * (size_t)all + 64 * SLUICE_FIELD_COUNT,
                    "bytes of particles");
    *memory = at = to;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        if (!(fields >> f & 1))
            continue;
        array[f] = at;
        at += ((size_t)sluice_set_field_bytes(set, (enum sluice_field)f) * (size_t)all + 63) / 64 *
              64;
    }
    int64_t before = 0;
    for (int r = 0; r < size; before += count[r++])
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
            if (!(fields >> f & 1))
                continue;
            const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
            memcpy((char *)array[f] + bytes * (size_t)before, from, bytes * (size_t)count[r]);
            from += bytes * (size_t)count[r];
        }
    return SLUICE_OK;
}

static sluice_status gather_listed(struct sluice_domain *d, const struct sluice_set *set,
                                   sluice_fields fields, const uint32_t *index, int64_t n,
                                   int64_t *count, void *array[SLUICE_FIELD_COUNT], void **memory)
{
    const size_t bytes = sluice_pack_bytes(set, fields);
    int64_t *own, *of_rank;
    char *mine;
    void *all = NULL;
    size_t total = 0;
    *count = 0;
    *memory = NULL;
    memset(array, 0, SLUICE_FIELD_COUNT * sizeof *array);
    SLUICE_ALLOCATE(own, 2 * d->comm->size, "counts of messages");
    of_rank = own + d->comm->size;
    mine = malloc(bytes * (size_t)n + 1);
    for (int r = 0; r < d->comm->size; r++)
        own[r] = n;
    sluice_status status = mine ? d->comm->ops->counts(d->comm, own, of_rank)
                                : SLUICE_FAIL(SLUICE_DEVICE, "no memory for particles of a rank");
    if (mine)
        sluice_pack(d->team, set, fields, index, n, mine);
    if (status == SLUICE_OK)
        status = sluice_comm_gather(d->comm, mine, bytes * (size_t)n, 1, &all, &total);
    if (status == SLUICE_OK) {
        *count = (int64_t)(bytes ? total / bytes : 0);
        status = join(set, fields, of_rank, d->comm->size, all, *count, array, memory);
    }
    free(all);
    free(mine);
    free(own);
    return status;
}

static sluice_status list_own(const struct sluice_set *set, uint32_t **index, int64_t *n)
{
    SLUICE_ALLOCATE(*index, set->count, "particles of a rank");
    *n = 0;
    for (int64_t i = 0; i < set->count; i++)
        if (!set->own || set->own[i])
            (*index)[(*n)++] = (uint32_t)i;
    return SLUICE_OK;
}

sluice_status sluice_domain_gather(struct sluice_domain *d, const struct sluice_set *set,
                                   sluice_fields fields, const uint32_t *index, int64_t n,
                                   int64_t *count, void *array[SLUICE_FIELD_COUNT], void **memory)
{
    uint32_t *own = NULL;
    if (index)
        return gather_listed(d, set, fields, index, n, count, array, memory);
    SLUICE_TRY(list_own(set, &own, &n));
    const sluice_status status = gather_listed(d, set, fields, own, n, count, array, memory);
    free(own);
    return status;
}

/* A total as four numbers of 32 bits, the last one signed: they add up without a carry. */
enum { LIMBS = 4 };

sluice_status sluice_domain_add(struct sluice_domain *d, exact_total *total, int n)
{
    int64_t *limb;
    SLUICE_ALLOCATE(limb, LIMBS * n, "totals");
    for (int k = 0; k < n; k++)
        for (int l = 0; l < LIMBS; l++) {
            const int64_t part = (int64_t)(total[k] >> 32 * l);
            limb[LIMBS * k + l] = l < LIMBS - 1 ? part & 0xffffffff : part;
        }
    const sluice_status status = d->comm->ops->sum(d->comm, limb, LIMBS * n);
    for (int k = 0; k < n; k++) {
        total[k] = 0;
        for (int l = LIMBS - 1; l >= 0; l--)
            total[k] = total[k] * ((exact_total)1 << 32) + limb[LIMBS * k + l];
    }
    free(limb);
    return status;
}
