/* Particles that come into the fluid, before the sort: behind the last one. They go by pinned host
 * memory in one copy to the device, where a kernel divides them among the set's arrays. */
#include "kernels/gpu/ranks.h"
#include "kernels/gpu/variant.h"

namespace SLUICE_GPU
{

/* Adds the frames of the newcomers to the table. */
static sluice_status add_frames(struct gpu_backend *gpu, struct sluice_grid *g,
                                struct sluice_set *const *sets, int n,
                                const struct sluice_particle_list *born)
{
    const int before = g->frame_count;
    int32_t *new_slot;
    sluice_status status = sluice_particle_list_add_frames(born, g, &new_slot);
    if (status == SLUICE_OK && new_slot)
        status = gpu_renumber_sets(gpu, sets, n, new_slot, before);
    free(new_slot);
    return status == SLUICE_OK ? gpu_mirror_frames(gpu, g) : status;
}

/* Whether this rank needs a particle: its own, or for its halo. */
static int is_wanted(const struct gpu_backend *gpu, const struct sluice_grid *g,
                     const struct sluice_place *place)
{
    double x[3];
    if (!gpu->ranks)
        return 1;
    const struct sluice_domain *d = gpu->ranks->domain;
    sluice_domain_place_of(g, place, x);
    return sluice_regions_is_near(&d->regions, d->comm->rank, x);
}

/* Pinned memory for n particles. Earlier reads of it are done: no step with births is queued
 * ahead. */
static sluice_status open_staging(struct gpu_backend *gpu, int64_t n,
                                  struct sluice_listed_particle **staged)
{
    const size_t bytes = (size_t)n * sizeof **staged;
    if (bytes > gpu->born.bytes) {
        if (gpu->born.memory)
            gpuFreeHost(gpu->born.memory);
        gpu->born = gpu_scratch();
        SLUICE_TRY(gpu_check(gpuMallocHost(&gpu->born.memory, 2 * bytes),
                             "pinned host memory for particles that come"));
        gpu->born.bytes = 2 * bytes;
    }
    *staged = (struct sluice_listed_particle *)gpu->born.memory;
    return SLUICE_OK;
}

static __global__ void take_born(const struct listed_arrays arrays,
                                 const struct sluice_listed_particle *staged, int64_t first,
                                 int64_t n, uint32_t *alive)
{
    gpu_begin();
    const int64_t k = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (k == 0)
        *alive += (uint32_t)n;
    if (k < n)
        listed_write(&arrays, &staged[k], staged[k].slot, first + k);
}

sluice_status gpu_take_births(struct gpu_backend *gpu, struct sluice_grid *g,
                              struct sluice_set *const *sets, int n,
                              const struct sluice_particle_list *born, int *new_frames)
{
    struct sluice_set *fluid = NULL;
    struct sluice_listed_particle *staged;
    int64_t wanted = 0;
    for (int s = 0; s < n; s++)
        if (sets[s]->type == SLUICE_FLUID)
            fluid = sets[s];
    if (!fluid || born->count == 0)
        return SLUICE_OK;
    SLUICE_TRY(gpu_complete_posted(gpu));
    SLUICE_TRY(add_frames(gpu, g, sets, n, born));
    SLUICE_TRY(open_staging(gpu, born->count, &staged));
    const struct gpu_bins *bins = bins_of(fluid);
    for (int64_t k = 0; k < born->count; k++) {
        const struct sluice_listed_particle *p = &born->particle[k];
        if (!is_wanted(gpu, g, &p->place))
            continue;
        const int32_t slot = sluice_particle_list_slot(g, p);
        staged[wanted] = *p;
        staged[wanted++].slot = slot;
        *new_frames |= bins->version != g->version || !bins->laid_out[slot];
    }
    if (wanted == 0)
        return SLUICE_OK;
    const size_t bytes = (size_t)wanted * sizeof *staged;
    SLUICE_TRY(gpu_set_grow(gpu, fluid, fluid->count + wanted));
    SLUICE_TRY(gpu_scratch_reserve(gpu, &gpu->list_scratch, bytes));
    SLUICE_TRY(gpu_check(
        gpuMemcpyAsync(gpu->list_scratch.memory, staged, bytes, gpuMemcpyHostToDevice, gpu->stream),
        "copying particles that come"));
    GPU_LAUNCH_EACH(gpu, "take_born", take_born, wanted, listed_arrays_of(fluid),
                    (const struct sluice_listed_particle *)gpu->list_scratch.memory, fluid->count,
                    wanted, &gpu->counts->alive[SLUICE_FLUID]);
    fluid->count += wanted;
    gpu->uploads++;
    gpu->births++;
    if (gpu->ranks)
        gpu->ranks->set[SLUICE_FLUID].border_after += wanted;
    return SLUICE_OK;
}

} // namespace SLUICE_GPU
