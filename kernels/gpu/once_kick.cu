/* The second half kick waits for what comes next: the reduction of its set does both and reads the
 * state once (reduce.cu). Before anything else that has to do with particles it is queued as it
 * is. */
#include "kernels/gpu/leaf.h"

namespace SLUICE_GPU
{

sluice_status gpu_settle(struct gpu_backend *gpu)
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const struct gpu_kick kick = gpu->kick[t];
        gpu->kick[t].set = NULL;
        if (kick.set)
            SLUICE_TRY(gpu->leaf->kick(gpu, kick.set, kick.dt));
    }
    return SLUICE_OK;
}

sluice_status gpu_kick_later(struct gpu_backend *gpu, struct sluice_set *set, double dt)
{
    struct gpu_kick *kick = &gpu->kick[set->type];
    if (kick->set)
        SLUICE_TRY(gpu_settle(gpu));
    *kick = gpu_kick{set->count ? set : NULL, dt};
    return SLUICE_OK;
}

sluice_status gpu_reduce(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_reduce *r)
{
    const struct sluice_set *kicked = gpu->kick[r->set->type].set;
    if (kicked && kicked != r->set)
        SLUICE_TRY(gpu_settle(gpu));
    return gpu->leaf->reduce(gpu, g, r);
}

} // namespace SLUICE_GPU
