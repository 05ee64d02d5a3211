/* Fields of particles for the checks of `sluice bench claims`. */
#include <stdlib.h>

#include "bench/claims.h"

static sluice_status download(struct sluice_sim *sim, enum sluice_type type,
                              enum sluice_field field, void *to, size_t bytes)
{
    return sim->backend.ops->download(&sim->backend, to, sim->set[type].field[field], bytes);
}

sluice_status sluice_claims_fetch(struct sluice_sim *sim, enum sluice_type type,
                                  enum sluice_field field, struct sluice_claim_ids ids, double *to)
{
    struct sluice_set *set = &sim->set[type];
    const int bytes = sim->backend.real_bytes,
              numbers = (int)(sluice_set_field_bytes(set, field) / bytes);
    const size_t all = (size_t)(set->count * numbers * bytes);
    char *values = calloc(all + 1, 1);
    sluice_id *id = calloc((size_t)set->count + 1, sizeof *id);
    const int there = values && id;
    sluice_status status = there ? SLUICE_OK
                                 : SLUICE_FAIL(SLUICE_DEVICE,
                                               "no memory for a field of %lld particles",
                                               (long long)set->count);
    if (status == SLUICE_OK)
        status = download(sim, type, field, values, all);
    if (status == SLUICE_OK)
        status = download(sim, type, SLUICE_FIELD_ID, id, (size_t)set->count * sizeof *id);
    for (int64_t i = 0; there && i < set->count && status == SLUICE_OK; i++)
        for (int c = 0; c < numbers; c++)
            to[numbers * (int64_t)(id[i] >> ids.shift & ids.bits) + c] = sluice_real_at(
                values, bytes, numbers * i + c);
    free(values);
    free(id);
    return status;
}
