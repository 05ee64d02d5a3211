/* Cells of a lattice, drawn at random: kernels/pointwise/retire_cells.h. */
#ifndef SLUICE_KERNELS_TYPES_RETIRE_PARAMS_H
#define SLUICE_KERNELS_TYPES_RETIRE_PARAMS_H
#include <stdint.h>

struct retire_cells_params {
    uint64_t draw;   /* of the step */
    double fraction; /* of the cells */
    double per_m[3]; /* cells a metre, along each axis */
};
#endif
