#include "geometry/lattice.h"

#include <math.h>
#include <string.h>

static const double fcc_basis[4][3] = {{0.25, 0.25, 0.25},
                                       {0.75, 0.75, 0.25},
                                       {0.75, 0.25, 0.75},
                                       {0.25, 0.75, 0.75}},
                    hexagonal_basis[2][3] = {{0.25, 0.25, 0}, {0.75, 0.75, 0}},
                    centre[1][3] = {{0.5, 0.5, 0.5}};

void sluice_lattice_set_cell(struct sluice_lattice *l, int kind, int dimension, double volume)
{
    memset(l, 0, sizeof *l);
    l->kind = kind;
    l->dimension = dimension;
    l->basis = kind == SLUICE_LATTICE_FCC ? 4 : kind == SLUICE_LATTICE_HEXAGONAL ? 2 : 1;
    for (int a = 0; a < 3; a++) {
        l->edge[a] = a < dimension ? pow(l->basis * volume, 1.0 / dimension) : 0;
        l->cells[a] = 1;
    }
    if (kind == SLUICE_LATTICE_HEXAGONAL) {
        l->edge[0] = sqrt(2 * volume / sqrt(3));
        l->edge[1] = sqrt(3) * l->edge[0];
    }
}

void sluice_lattice_set_block(struct sluice_lattice *l, const double low[3])
{
    l->count = l->basis;
    for (int a = 0; a < l->dimension; a++) {
        l->low[a] = low[a];
        l->high[a] = low[a] + (double)l->cells[a] * l->edge[a];
        l->count *= (double)l->cells[a];
    }
}

void sluice_lattice_create(struct sluice_lattice *l, const struct sluice_config *c)
{
    sluice_lattice_set_cell(l, c->lattice.kind, c->dimension, 1 / c->lattice.density);
    for (int a = 0; a < c->dimension; a++)
        l->cells[a] = c->lattice.cells[a];
    sluice_lattice_set_block(l, c->domain.min);
}

double sluice_lattice_volume(const struct sluice_lattice *l)
{
    double volume = 1.0 / l->basis;
    for (int a = 0; a < l->dimension; a++)
        volume *= l->edge[a];
    return volume;
}

void sluice_lattice_site(const struct sluice_lattice *l, int64_t i, double x[3])
{
    const double(*basis)[3] = l->kind == SLUICE_LATTICE_FCC         ? fcc_basis
                              : l->kind == SLUICE_LATTICE_HEXAGONAL ? hexagonal_basis
                                                                    : centre;
    const double *at = basis[i % l->basis];
    int64_t cell = i / l->basis;
    for (int a = 0; a < 3; a++) {
        x[a] = a < l->dimension ? l->low[a] + ((double)(cell % l->cells[a]) + at[a]) * l->edge[a]
                                : 0;
        cell /= l->cells[a];
    }
}
