#include "case/hydrostatic_layers.h"

#include <math.h>
#include <stdlib.h>

#include "kernels/registry.h"

/* Pressure `depth` below a place of pressure p, in a row with this fraction of the first fluid. */
static double pressure_below(const struct sluice_layers *l, double fraction, double p, double depth)
{
    double below = 0;
    for (int n = 0; n < 2; n++) {
        const struct wcsph_params *f = l->fluid[n];
        const double part = n ? 1 - fraction : fraction;
        if (part == 0)
            continue;
        const double head = sluice_wcsph_head(f, sluice_wcsph_relative_density(f, p)) +
                            l->gravity * depth / (f->sound_speed * f->sound_speed);
        below += part * sluice_wcsph_pressure(f, sluice_wcsph_density_of_head(f, head));
    }
    return below;
}

void sluice_layers_integrate(struct sluice_layers *l)
{
    double p = 0;
    for (int64_t k = 0; k < l->rows; k++) {
        l->pressure[k] = p;
        p = pressure_below(l, l->fraction[k], p, l->thickness);
    }
}

double sluice_layers_pressure(const struct sluice_layers *l, double depth)
{
    int64_t k = (int64_t)floor(depth / l->thickness);
    k = k < 0 ? 0 : k >= l->rows ? l->rows - 1 : k;
    return pressure_below(l, l->fraction[k], l->pressure[k], depth - (double)k * l->thickness);
}

void sluice_layers_destroy(struct sluice_layers *l)
{
    free(l->fraction);
    free(l->pressure);
    l->fraction = l->pressure = NULL;
}
