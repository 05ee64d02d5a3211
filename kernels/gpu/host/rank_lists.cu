/* Lists of particles that a rank has a question about: ranks.h. */
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

/* list[] = the numbers with a flag; offset[] is the scan of the flags. */
static __global__ void compact(const uint32_t *index, const uint32_t *offset, int64_t n,
                               uint32_t *list, uint32_t *count)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k == 0)
        *count = offset[n];
    if (k < n && offset[k + 1] != offset[k])
        list[offset[k]] = index ? index[k] : (uint32_t)k;
}

sluice_status gpu_listing_add(struct gpu_listing *l, enum gpu_question what, int rank,
                              struct gpu_list *list)
{
    struct gpu_backend *gpu = l->gpu;
    const int64_t n = l->question.n;
    list->count = 0;
    if (n == 0)
        return SLUICE_OK;
    l->question.what = what;
    l->question.rank = rank;
    SLUICE_TRY(gpu_scratch_reserve(gpu, &list->memory, (size_t)n * sizeof(uint32_t)));
    SLUICE_TRY(gpu->variant->ask(gpu, l->g, l->set, &l->question));
    SLUICE_TRY(gpu_scan_exclusive(gpu, l->question.flag, n + 1));
    GPU_LAUNCH_EACH(gpu, "compact", compact, n, l->question.index, l->question.flag, n,
                    numbers_of(*list), (uint32_t *)gpu->ranks->counts.memory + l->count);
    l->made[l->count++] = list;
    return SLUICE_OK;
}

sluice_status gpu_listing_end(struct gpu_listing *l)
{
    const struct gpu_host_array<uint32_t> count((size_t)l->count);
    SLUICE_CHECK(count.at, SLUICE_DEVICE, GPU_NAME ": no memory for counts of lists");
    SLUICE_TRY(gpu_download(l->gpu, count.at, l->gpu->ranks->counts.memory,
                            (size_t)l->count * sizeof(uint32_t)));
    for (int k = 0; k < l->count; k++)
        l->made[k]->count = count.at[k];
    l->count = 0;
    return SLUICE_OK;
}

sluice_status gpu_listing_open(struct gpu_backend *gpu, const struct sluice_grid *g,
                               const struct sluice_set *set, struct gpu_listing *l)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct sluice_domain *d = ranks->domain;
    *l = {};
    l->gpu = gpu;
    l->g = g;
    l->set = set;
    l->made = ranks->made;
    l->question.self = d->comm->rank;
    l->question.is_ghost = set->type == SLUICE_GHOST;
    l->question.leaves = set->type == SLUICE_FLUID;
    l->question.regions = d->regions;
    l->question.regions.cut = (struct sluice_cut *)ranks->cut.memory;
    l->question.regions.region = (struct sluice_region *)ranks->region.memory;
    l->question.frame_inner = (const uint8_t *)ranks->frame_inner.memory;
    l->question.n = set->count;
    l->question.flag = gpu_flags_of(set);
    SLUICE_TRY(
        gpu_scratch_reserve(gpu, &ranks->counts, 2 * (size_t)d->comm->size * sizeof(uint32_t)));
    SLUICE_TRY(gpu_listing_add(l, GPU_IS_AT_BORDER, 0, &ranks->border));
    SLUICE_TRY(gpu_listing_end(l));
    l->question.index = numbers_of(ranks->border);
    l->question.n = ranks->border.count;
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
