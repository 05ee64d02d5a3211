/* Particles that come into the fluid, before the sort: behind the last one. They are made in pinned
 * host memory, field by field, and copied in the step's stream, so the host does not wait. */
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

/* Whether this rank needs a particle: its own, or a copy. */
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

/* Pinned memory for n particles of a set, as a set of its own. The copies from it are done before
 * the next births, since no step with births is queued ahead. */
static sluice_status open_staging(struct gpu_backend *gpu, const struct sluice_set *set, int64_t n,
                                  struct sluice_set *staged)
{
    *staged = *set;
    staged->count = n;
    staged->capacity = (n + 63) / 64 * 64 + 64;
    const size_t bytes = (size_t)(staged->capacity * set->columns * SLUICE_COLUMN_BYTES);
    if (bytes > gpu->born.bytes) {
        if (gpu->born.memory)
            gpuFreeHost(gpu->born.memory);
        gpu->born = gpu_scratch();
        SLUICE_TRY(gpu_check(gpuMallocHost(&gpu->born.memory, 2 * bytes),
                             "pinned host memory for particles that come"));
        gpu->born.bytes = 2 * bytes;
    }
    staged->memory = gpu->born.memory;
    sluice_columns_lay_out(staged);
    return SLUICE_OK;
}

static __global__ void add_alive(uint32_t *alive, uint32_t n)
{
    gpu_begin();
    *alive += n;
}

static sluice_status append(struct gpu_backend *gpu, struct sluice_set *set,
                            const struct sluice_set *staged)
{
    const int64_t n = staged->count;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const int64_t bytes = sluice_set_field_bytes(set, (enum sluice_field)f);
        if (set->field[f] && sluice_field_table[f].life == SLUICE_LIFE_STATE)
            SLUICE_TRY(gpu_check(gpuMemcpyAsync((char *)set->field[f] + set->count * bytes,
                                                staged->field[f], (size_t)(n * bytes),
                                                gpuMemcpyHostToDevice, gpu->stream),
                                 "copying particles that come"));
    }
    GPU_LAUNCH(add_alive, 1, 1, 0, gpu->stream, &gpu->counts->alive[set->type], (uint32_t)n);
    GPU_LAUNCHED("add_alive");
    set->count += n;
    gpu->uploads++;
    return SLUICE_OK;
}

sluice_status gpu_take_births(struct gpu_backend *gpu, struct sluice_grid *g,
                              struct sluice_set *const *sets, int n,
                              const struct sluice_particle_list *born, int *new_frames)
{
    struct sluice_set *fluid = NULL, staged;
    int64_t wanted = 0, at = 0;
    for (int s = 0; s < n; s++)
        if (sets[s]->type == SLUICE_FLUID)
            fluid = sets[s];
    if (!fluid || born->count == 0)
        return SLUICE_OK;
    SLUICE_TRY(gpu_complete_posted(gpu));
    SLUICE_TRY(add_frames(gpu, g, sets, n, born));
    const struct gpu_bins *bins = bins_of(fluid);
    for (int64_t k = 0; k < born->count; k++) {
        const struct sluice_place *place = &born->particle[k].place;
        if (!is_wanted(gpu, g, place))
            continue;
        wanted++;
        *new_frames |= bins->version != g->version ||
                       !bins->laid_out[sluice_grid_find_frame(g, place->frame)];
    }
    if (wanted == 0)
        return SLUICE_OK;
    SLUICE_TRY(gpu_set_grow(gpu, fluid, fluid->count + wanted));
    SLUICE_TRY(open_staging(gpu, fluid, wanted, &staged));
    for (int64_t k = 0; k < born->count; k++)
        if (is_wanted(gpu, g, &born->particle[k].place))
            sluice_particle_list_write(&born->particle[k], g, &staged, at++);
    if (gpu->ranks)
        gpu->ranks->set[SLUICE_FLUID].border_after += wanted;
    return append(gpu, fluid, &staged);
}

} // namespace SLUICE_GPU
