#include "case/lattice.h"

#include <math.h>
#include <string.h>

static const double fcc_basis[4][3] = {
    {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};

void sluice_lattice_create(struct sluice_lattice *l, const struct sluice_config *c)
{
    memset(l, 0, sizeof *l);
    l->kind = c->lattice.kind;
    l->dimension = c->dimension;
    l->basis = l->kind == SLUICE_LATTICE_FCC ? 4 : 1;
    l->edge = pow(l->basis / c->lattice.density, 1.0 / c->dimension);
    l->count = l->basis;
    for (int a = 0; a < 3; a++) {
        l->cells[a] = 1;
        if (a >= c->dimension)
            continue;
        l->cells[a] = c->lattice.cells[a];
        l->low[a] = c->domain.min[a];
        l->high[a] = l->low[a] + (double)l->cells[a] * l->edge;
        l->count *= (double)l->cells[a];
    }
}

void sluice_lattice_site(const struct sluice_lattice *l, int64_t i, double x[3])
{
    static const double centre[3] = {0.5, 0.5, 0.5};
    const double *basis = l->kind == SLUICE_LATTICE_FCC ? fcc_basis[i % l->basis] : centre;
    int64_t cell = i / l->basis;
    for (int a = 0; a < 3; a++) {
        x[a] = a < l->dimension ? l->low[a] + ((double)(cell % l->cells[a]) + basis[a]) * l->edge
                                : 0;
        cell /= l->cells[a];
    }
}
