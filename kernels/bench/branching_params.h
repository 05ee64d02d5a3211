/* The parameters of pair_branching.h. */
#ifndef SLUICE_BENCH_BRANCHING_PARAMS_H
#define SLUICE_BENCH_BRANCHING_PARAMS_H
#include "kernels/types/wcsph_params.h"
#include "particles/id.h"

struct sluice_branching_params {
    struct wcsph_params wcsph;
    sluice_id bits, walls_from; /* walls: (id & bits) >= walls_from */
};
#endif
