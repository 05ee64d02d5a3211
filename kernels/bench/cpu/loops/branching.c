/* The loop of pair_branching.h for `sluice bench claims`, with the search of window.c. */
#include "kernels/cpu/loops/pair_lanes.h"
/* after pair_lanes.h, which makes lanes vectors */
#include "kernels/bench/cpu/bench_variant.h"
#include "kernels/bench/pair_branching.h"

DEFINE_PAIR(branching, branching, EVEN)
DEFINE_CASE(branching, WENDLAND, 3, 0)

sluice_status VARIANT(branching)(struct sluice_threads *team, const struct sluice_grid *g,
                                 struct sluice_pass *pass, struct cpu_scratch *work)
{
    static const struct cpu_lane_ops ops = OPS(branching, branching, 3, 0, EVEN);
    struct cpu_call call;
    struct shared_sums sums;
    VARIANT(call_open)(&call, pass, &sums);
    call.ops = &ops;
    call.cutoff = ops.prepare(call.constants, pass->params, sluice_pass_mass(pass));
    if (pass->target->count > 0)
        SLUICE_TRY(VARIANT(run_window)(team, g, &call, work));
    VARIANT(call_close)(&call, pass);
    return SLUICE_OK;
}
