/* Kick and drift as operations of their own (kick.h, drift.h). Compiled without fast math. */
#include "kernels/gpu/step/drift.h"
/* after drift.h */
#include "kernels/gpu/step/point_records.h"

namespace SLUICE_GPU::GPU_PRECISION
{

template <int dim>
__global__ void __launch_bounds__(GPU_BLOCK) kick_kernel(const struct kick_args args)
{
    gpu_begin();
    const int64_t alive = alive_of(args), first = (int64_t)blockIdx.x * GPU_BLOCK;
    const int t = (int)threadIdx.x;
    struct kick_element v[dim], r;
#pragma unroll
    for (int c = 0; c < dim; c++)
        if (kicks(args.velocity) && dim * first + c * GPU_BLOCK + t < dim * alive)
            read_element(args.velocity, dim * first + c * GPU_BLOCK + t, &v[c]);
    const int here = kicks(args.density) && first + t < alive;
    if (here)
        read_element(args.density, first + t, &r);
#pragma unroll
    for (int c = 0; c < dim; c++)
        if (kicks(args.velocity) && dim * first + c * GPU_BLOCK + t < dim * alive) {
            compensated_add(&v[c].value, &v[c].low, args.half * v[c].rate);
            write_element(args.velocity, dim * first + c * GPU_BLOCK + t, v[c]);
        }
    if (here) {
        compensated_add(&r.value, &r.low, args.half * r.rate);
        write_element(args.density, first + t, r);
    }
}

sluice_status kick(struct gpu_backend *gpu, struct sluice_set *set, double dt)
{
    const struct kick_args args = kick_args_of(gpu, set, dt);
    if (set->count == 0 || !(kicks(args.velocity) || kicks(args.density)))
        return SLUICE_OK;
    auto kernel = set->dimension == 3 ? kick_kernel<3> : kick_kernel<2>;
    GPU_LAUNCH_EACH(gpu, "kick", kernel, set->count, args);
    return SLUICE_OK;
}

/* Without a sort it also packs the pair loop's records, if they carry masses and nothing is
 * predicted. */
template <int dim, int sorts>
__global__ void __launch_bounds__(GPU_BLOCK, sizeof(real) == 4 ? 6 : 4)
    kick_drift_kernel(const struct kick_args kick, const struct drift_args drift,
                      const struct gpu_set set, const struct point_records records)
{
    gpu_begin();
    GPU_SHARED(struct drift_vectors<dim>, vectors);
    struct drift_state<dim> state;
    drift_block<dim, sorts>(kick, drift, &vectors, &state);
    if (sorts || !records.to.out)
        return;
    const int64_t i = (int64_t)blockIdx.x * GPU_BLOCK + threadIdx.x, alive = alive_of(kick);
    if (i < alive)
        pack_point<dim>(records, i, state.slot, state.p.x, state.p.x[dim]);
    if (i == alive)
        end_records(records.to, set, i, dim);
}

sluice_status kick_drift(struct gpu_backend *gpu, const struct sluice_grid *g,
                         struct sluice_set *set, double dt)
{
    if (set->moves != SLUICE_FREE)
        return kick(gpu, set, dt);
    if (set->count == 0)
        return SLUICE_OK;
    gpu_unpack(set);
    const int sorts = gpu->drifted <= 0;
    struct drift_args drift = drift_args_of(gpu, g, set, dt);
    struct point_records records = {};
    if (!sorts && !set->field[SLUICE_FIELD_PREDICTED])
        records = records_after(gpu, g, set, SLUICE_BIT(POSITION));
    struct gpu_bins *bins = bins_of(set);
    if (bins && bins->start && sorts) {
        drift.clear = bins->start;
        drift.clear_count = (int64_t)bins->bin_count + 2;
        bins->cleared = 1;
    }
    auto kernel = set->dimension == 3 ? sorts ? kick_drift_kernel<3, 1> : kick_drift_kernel<3, 0>
                  : sorts ? kick_drift_kernel<2, 1>
                                      : kick_drift_kernel<2, 0>;
    GPU_LAUNCH_EACH(gpu, "kick_drift", kernel, set->count + 1, kick_args_of(gpu, set, dt), drift,
                    set_of(gpu, set), records);
    return SLUICE_OK;
}

} // namespace SLUICE_GPU::GPU_PRECISION
