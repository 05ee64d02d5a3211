/* Lists of particles that a rank has a question about: ranks.h. */
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

/* list[] = the numbers with a flag, the first `capacity` of them; offset[] is the scan of the
 * flags. */
static __global__ void compact(const uint32_t *index, const uint32_t *offset, int64_t n,
                               int64_t capacity, uint32_t *list, uint32_t *count)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k == 0)
        *count = offset[n];
    if (k < n && offset[k + 1] != offset[k] && offset[k] < capacity)
        list[offset[k]] = index ? index[k] : (uint32_t)k;
}

static sluice_status add_flagged(struct gpu_listing *l, const uint32_t *index, int64_t n,
                                 int64_t capacity, struct gpu_list *list)
{
    struct gpu_backend *gpu = l->gpu;
    SLUICE_TRY(gpu_scratch_reserve(gpu, &list->memory, (size_t)capacity * sizeof(uint32_t)));
    SLUICE_TRY(gpu_scan_exclusive(gpu, l->question.flag, n + 1));
    /* One thread at least, for the number. */
    GPU_LAUNCH_EACH(gpu, "compact", compact, n + 1, index, l->question.flag, n, capacity,
                    numbers_of(*list), l->counts + l->count);
    l->made[l->count++] = list;
    return SLUICE_OK;
}

static sluice_status add_list(struct gpu_listing *l, enum gpu_question what, int rank,
                              int64_t capacity, struct gpu_list *list)
{
    l->question.what = what;
    l->question.rank = rank;
    SLUICE_TRY(l->gpu->variant->ask(l->gpu, l->g, l->set, &l->question));
    return add_flagged(l, l->question.index, l->question.n, capacity, list);
}

sluice_status gpu_listing_add(struct gpu_listing *l, enum gpu_question what, int rank,
                              struct gpu_list *list)
{
    return add_list(l, what, rank, l->question.n, list);
}

static __global__ void flag_marked(const uint8_t *mark, enum gpu_whose whose, const uint32_t *index,
                                   int64_t n, const uint32_t *limit, const uint32_t *alive,
                                   uint32_t *flag)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k > n)
        return;
    const int64_t i = k == n || (index && k >= *limit) ? *alive : index ? index[k] : k;
    flag[k] = i < *alive && mark[i] == whose;
}

/* Particles at the edge are at the border, too. */
sluice_status gpu_listing_add_marked(struct gpu_listing *l, enum gpu_whose whose,
                                     struct gpu_list *list)
{
    const uint32_t *index = whose == GPU_EDGE ? l->question.index : NULL;
    const int64_t n = index ? l->question.n : l->set->count;
    GPU_LAUNCH_EACH(l->gpu, "flag_marked", flag_marked, n + 1, l->set->own, whose, index, n,
                    l->question.limit, &l->gpu->counts->alive[l->set->type], l->question.flag);
    return add_flagged(l, index, n, n, list);
}

sluice_status gpu_listing_end(struct gpu_listing *l)
{
    const struct gpu_host_array<uint32_t> count((size_t)l->count);
    SLUICE_CHECK(count.at, SLUICE_DEVICE, GPU_NAME ": no memory for counts of lists");
    SLUICE_TRY(gpu_download(l->gpu, count.at, l->counts, (size_t)l->count * sizeof(uint32_t)));
    for (int k = 0; k < l->count; k++)
        l->made[k]->count = count.at[k];
    return SLUICE_OK;
}

sluice_status gpu_listing_open(struct gpu_backend *gpu, const struct sluice_grid *g,
                               const struct sluice_set *set, int64_t most, struct gpu_listing *l)
{
    struct gpu_ranks *ranks = gpu->ranks;
    struct gpu_shared *shared = &ranks->set[set->type];
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
    SLUICE_TRY(gpu_scratch_reserve(gpu, &shared->counts,
                                   (3 + 2 * (size_t)ranks->size) * sizeof(uint32_t)));
    l->counts = (uint32_t *)shared->counts.memory;
    SLUICE_TRY(add_list(l, GPU_IS_AT_BORDER, 0, most, &ranks->border));
    l->question.index = numbers_of(ranks->border);
    l->question.n = most;
    l->question.limit = l->counts;
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
