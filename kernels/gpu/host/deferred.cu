/* Deferred operations: a kick or drift waits for the next operation, whose kernel then does both
 * and reads the state once. The second half kick waits for the reduction of its set (reduce.cu);
 * the drift, in a step without a sort, for the prediction (pointwise.cu). If another operation
 * comes first, gpu_settle queues the deferred ones as they are. */
#include "kernels/gpu/variant.h"
#include "kernels/registry.h"

namespace SLUICE_GPU
{

sluice_status gpu_settle(struct gpu_backend *gpu)
{
    const struct gpu_later drift = gpu->drift;
    SLUICE_TRY(gpu_join(gpu));
    gpu->drift.set = NULL;
    if (drift.set)
        SLUICE_TRY(gpu->variant->kick_drift(gpu, drift.grid, drift.set, drift.dt));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const struct gpu_later kick = gpu->kick[t];
        gpu->kick[t].set = NULL;
        if (kick.set)
            SLUICE_TRY(gpu->variant->kick(gpu, kick.set, kick.dt));
    }
    return SLUICE_OK;
}

sluice_status gpu_kick_later(struct gpu_backend *gpu, struct sluice_set *set, double dt)
{
    struct gpu_later *kick = &gpu->kick[set->type];
    if (kick->set || gpu->drift.set)
        SLUICE_TRY(gpu_settle(gpu));
    *kick = gpu_later{set->count ? set : NULL, NULL, dt};
    return SLUICE_OK;
}

sluice_status gpu_reduce(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_reduce *r)
{
    const struct sluice_set *kicked = gpu->kick[r->set->type].set;
    if (gpu->drift.set || (kicked && kicked != r->set))
        SLUICE_TRY(gpu_settle(gpu));
    SLUICE_TRY(gpu_join(gpu));
    return gpu->variant->reduce(gpu, g, r);
}

sluice_status gpu_drift_later(struct gpu_backend *gpu, const struct sluice_grid *g,
                              struct sluice_set *set, double dt)
{
    SLUICE_TRY(gpu_settle(gpu));
    if (set->count == 0)
        return SLUICE_OK;
    if (!(gpu->drifted > 0 && set->moves == SLUICE_FREE && set->field[SLUICE_FIELD_PREDICTED]))
        return gpu->variant->kick_drift(gpu, g, set, dt);
    gpu_unpack(set);
    gpu->drift = gpu_later{set, g, dt};
    return SLUICE_OK;
}

sluice_status gpu_pointwise(struct gpu_backend *gpu, const struct sluice_grid *g,
                            const struct sluice_point *point)
{
    if (gpu->drift.set != point->set || point->op != SLUICE_POINTWISE_wcsph_predict)
        SLUICE_TRY(gpu_settle(gpu));
    SLUICE_TRY(gpu_join(gpu));
    return point->set->count ? gpu->variant->pointwise(gpu, g, point) : SLUICE_OK;
}

} // namespace SLUICE_GPU
