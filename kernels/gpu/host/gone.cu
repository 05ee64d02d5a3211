/* Lists the particles that have gone. bin() puts them behind the others; they are read from
 * there when the results of the batch tell how many are left. */
#include "kernels/gpu/bins.h"
#include "kernels/gpu/gpu_backend.h"

namespace SLUICE_GPU
{

enum {
    LISTED = SLUICE_BIT(ID) | SLUICE_BIT(FRAME) | SLUICE_BIT(POSITION) | SLUICE_BIT(POSITION_LOW) |
             SLUICE_BIT(VELOCITY) | SLUICE_BIT(VELOCITY_LOW) | SLUICE_BIT(SCALAR) |
             SLUICE_BIT(SCALAR_LOW) | SLUICE_BIT(PHASE) | SLUICE_BIT(GROUP) | SLUICE_BIT(RETIRES)
};

sluice_status gpu_download_fields(struct gpu_backend *gpu, struct sluice_fetch *fetch,
                                  int64_t first)
{
    const struct sluice_set *set = fetch->set;
    SLUICE_TRY(sluice_fetch_reserve(fetch, set->count - first));
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int64_t bytes = sluice_set_field_bytes(set, (enum sluice_field)f);
        if (fetch->field[f])
            SLUICE_TRY(gpu_download(gpu, fetch->field[f],
                                    (const char *)set->field[f] + first * bytes,
                                    (size_t)(fetch->count * bytes)));
    }
    return SLUICE_OK;
}

static sluice_status list_one_set(struct gpu_backend *gpu, struct sluice_set *set, int64_t first,
                                  struct sluice_particle_list *gone)
{
    struct sluice_fetch fetch = {};
    struct sluice_set host = *set;
    fetch.set = set;
    fetch.fields = LISTED;
    sluice_status status = gpu_download_fields(gpu, &fetch, first);
    memcpy(host.field, fetch.field, sizeof host.field);
    if (status == SLUICE_OK)
        status = sluice_particle_list_read(gone, gpu->grid, &host, 0, fetch.count);
    sluice_fetch_destroy(&fetch);
    return status;
}

sluice_status gpu_list_gone(struct gpu_backend *gpu, struct sluice_particle_list *gone)
{
    gone->count = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        struct sluice_set *set = gpu->set[t];
        const int64_t alive = set ? (int64_t)gpu->results_host->counts.alive[t] : 0;
        if (!set || alive >= set->count)
            continue;
        SLUICE_TRY(list_one_set(gpu, set, alive, gone));
        set->count = alive;
    }
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
