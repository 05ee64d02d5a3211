/* Cells of the lattice: their centres, and the one at a place. */
#include <math.h>

#include "geometry/geometry.h"

double sluice_geometry_centre(const struct sluice_geometry *g, int axis, int64_t cell)
{
    return axis < g->dimension ? g->origin[axis] + ((double)cell + 0.5) * g->step[axis] : 0;
}

void sluice_geometry_centre_of(const struct sluice_geometry *g, const int64_t cell[3], double x[3])
{
    for (int a = 0; a < 3; a++)
        x[a] = sluice_geometry_centre(g, a, cell[a]);
}

void sluice_geometry_cell_at(const struct sluice_geometry *g, const double x[3], int64_t cell[3])
{
    for (int a = 0; a < 3; a++)
        cell[a] = a < g->dimension ? (int64_t)floor((x[a] - g->origin[a]) / g->step[a]) : 0;
}

void sluice_geometry_wrap(const struct sluice_geometry *g, int64_t cell[3])
{
    for (int a = 0; a < g->dimension; a++)
        if (g->periodic[a])
            cell[a] = (cell[a] % g->n[a] + g->n[a]) % g->n[a];
}
