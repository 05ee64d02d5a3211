/* Hydrostatic pressure of two fluids that lie on each other in any way.
 *
 * The column is cut into rows of one spacing. In each row the pressure grows by the mean of what
 * either fluid alone would add, weighted by the share of each. Exact where layers are whole rows.
 */
#ifndef SLUICE_CASE_HYDROSTATIC_LAYERS_H
#define SLUICE_CASE_HYDROSTATIC_LAYERS_H
#include <stdint.h>

#include "kernels/types/wcsph_params.h"

struct sluice_layers {
    const struct wcsph_params *fluid[2]; /* borrowed */
    double gravity, thickness;           /* m/s^2; of a row, m */
    int64_t rows;                        /* from the top down */
    double *share;    /* [rows] of the first fluid; this and the next are freed by destroy */
    double *pressure; /* [rows] at the row's top, Pa */
};

/* Fills the pressures of rows whose shares are set. */
void sluice_layers_integrate(struct sluice_layers *l);
/* Pressure at a depth below the top, Pa. */
double sluice_layers_pressure(const struct sluice_layers *l, double depth);
void sluice_layers_destroy(struct sluice_layers *l);
#endif
