/* What left the domain: it stands behind the particles that are still there, where bin() put it,
 * and is read from there once the results of its batch say how many are left. */
#include "kernels/gpu/bins.h"
#include "kernels/gpu/gpu_backend.h"
/* after those: hipcc knows a device's memcpy from them */
#include "kernels/compensated.h"

namespace SLUICE_GPU
{

/* Component k of entry i of a real field, downloaded; 0 where the set has no such field. */
static sluice_status read_real(struct gpu_backend *gpu, const struct sluice_set *set, int field,
                               int64_t k, double *out)
{
    float single = 0;
    *out = 0;
    if (!set->field[field])
        return SLUICE_OK;
    const char *at = (const char *)set->field[field] + k * set->real_bytes;
    if (set->real_bytes == 8)
        return gpu_download(gpu, out, at, sizeof *out);
    SLUICE_TRY(gpu_download(gpu, &single, at, sizeof single));
    *out = (double)single;
    return SLUICE_OK;
}

/* Value and compensation added. */
static sluice_status read_sum(struct gpu_backend *gpu, const struct sluice_set *set, int field,
                              int64_t k, int low_field, int64_t low_k, double *out)
{
    double low = 0;
    int16_t kept = 0;
    SLUICE_TRY(read_real(gpu, set, field, k, out));
    if (set->real_bytes == 8) {
        SLUICE_TRY(read_real(gpu, set, low_field, low_k, &low));
    } else if (set->field[low_field]) {
        SLUICE_TRY(
            gpu_download(gpu, &kept, (const int16_t *)set->field[low_field] + low_k, sizeof kept));
        low = (double)lost_or_nan((float)*out, kept);
    }
    *out += low;
    return SLUICE_OK;
}

static sluice_status read_gone(struct gpu_backend *gpu, const struct sluice_set *set, int64_t i,
                               struct sluice_removed::sluice_gone *p)
{
    const int dim = set->dimension;
    uint32_t slot;
    memset(p, 0, sizeof *p);
    SLUICE_TRY(
        gpu_download(gpu, &p->id, (const uint32_t *)set->field[SLUICE_FIELD_ID] + i, sizeof p->id));
    SLUICE_TRY(gpu_download(gpu, &slot, (const uint32_t *)set->field[SLUICE_FIELD_FRAME] + i,
                            sizeof slot));
    memcpy(p->place.frame, gpu->grid->frame[slot], sizeof p->place.frame);
    for (int c = 0; c < dim; c++) {
        SLUICE_TRY(read_sum(gpu, set, SLUICE_FIELD_POSITION, (dim + 1) * i + c,
                            SLUICE_FIELD_POSITION_LOW, dim * i + c, &p->place.offset[c]));
        SLUICE_TRY(read_sum(gpu, set, SLUICE_FIELD_VELOCITY, dim * i + c, SLUICE_FIELD_VELOCITY_LOW,
                            dim * i + c, &p->velocity[c]));
    }
    SLUICE_TRY(
        read_sum(gpu, set, SLUICE_FIELD_DENSITY, i, SLUICE_FIELD_DENSITY_LOW, i, &p->density));
    return read_real(gpu, set, SLUICE_FIELD_POSITION, (dim + 1) * i + dim, &p->mass);
}

static sluice_status grow_list(struct sluice_removed *removed, int64_t wanted)
{
    if (wanted <= removed->capacity)
        return SLUICE_OK;
    void *grown = realloc(removed->particle, (size_t)(2 * wanted) * sizeof *removed->particle);
    SLUICE_CHECK(grown, SLUICE_DEVICE, "no memory to list %lld particles that left the domain",
                 (long long)wanted);
    removed->particle = (struct sluice_removed::sluice_gone *)grown;
    removed->capacity = 2 * wanted;
    return SLUICE_OK;
}

sluice_status gpu_list_removed(struct gpu_backend *gpu, struct sluice_removed *removed)
{
    removed->count = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        struct sluice_set *set = gpu->set[t];
        const int64_t alive = set ? (int64_t)gpu->results_host->counts.alive[t] : 0;
        if (!set || alive >= set->count)
            continue;
        SLUICE_TRY(grow_list(removed, removed->count + set->count - alive));
        for (int64_t i = alive; i < set->count; i++)
            SLUICE_TRY(read_gone(gpu, set, i, &removed->particle[removed->count++]));
        set->count = alive;
    }
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
