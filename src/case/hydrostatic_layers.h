/* Hydrostatic pressure in a column of two fluids, whatever the order of their layers.
 *
 * The column is cut into rows of one particle spacing. The first fluid fills a fraction of each
 * row, the second fluid the rest. From the pressure at the top of a row each fluid alone would give
 * a pressure at its bottom. The mean of the two, weighted by the fractions, is used. It is exact if
 * every row holds one fluid only. */
#ifndef SLUICE_CASE_HYDROSTATIC_LAYERS_H
#define SLUICE_CASE_HYDROSTATIC_LAYERS_H
#include <stdint.h>

#include "kernels/types/wcsph_params.h"

struct sluice_layers {
    const struct wcsph_params *fluid[2]; /* borrowed */
    double gravity, thickness;           /* m/s^2; thickness of a row, m */
    int64_t rows;                        /* counted from the top down */
    double *fraction; /* [rows] of the first fluid, 0 to 1; destroy frees it and pressure */
    double *pressure; /* [rows] at the top of the row, Pa */
};

/* Fills `pressure` from `fraction`, which the caller has set. */
void sluice_layers_integrate(struct sluice_layers *l);
/* Pressure at a depth below the top, Pa. */
double sluice_layers_pressure(const struct sluice_layers *l, double depth);
void sluice_layers_destroy(struct sluice_layers *l);
#endif
