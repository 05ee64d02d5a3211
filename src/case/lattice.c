#include "case/lattice.h"

#include <math.h>
#include <string.h>

static const char *const kind_name[] = {SLUICE_LATTICES(SLUICE_CHOICE_WORD)};
static const double fcc_basis[4][3] = {
    {0.25, 0.25, 0.25}, {0.75, 0.75, 0.25}, {0.75, 0.25, 0.75}, {0.25, 0.75, 0.75}};

sluice_status sluice_lattice_create(struct sluice_lattice *l, const struct sluice_config *c)
{
    memset(l, 0, sizeof *l);
    l->kind = c->lattice.kind;
    l->dimension = c->dimension;
    l->basis = l->kind == SLUICE_LATTICE_FCC ? 4 : 1;
    const int wanted = l->kind == SLUICE_LATTICE_SQUARE ? 2 : 3;
    SLUICE_CHECK(c->dimension == wanted, SLUICE_BAD_INPUT,
                 "lattice.kind: \"%s\" is a lattice in %d-D, dimension is %d; use %s",
                 kind_name[l->kind], wanted, c->dimension,
                 c->dimension == 2 ? "\"square\"" : "\"fcc\" or \"cubic\"");
    SLUICE_CHECK(c->lattice.density > 0, SLUICE_BAD_INPUT,
                 "lattice.density: %.9g; it must be above 0", c->lattice.density);
    l->edge = pow(l->basis / c->lattice.density, 1.0 / c->dimension);
    l->count = l->basis;
    for (int a = 0; a < 3; a++) {
        l->cells[a] = 1;
        if (a >= c->dimension)
            continue;
        SLUICE_CHECK(c->lattice.cells[a] >= 1, SLUICE_BAD_INPUT,
                     "lattice.cells: %lld along %c; at least 1 is needed", c->lattice.cells[a],
                     "xyz"[a]);
        l->cells[a] = c->lattice.cells[a];
        l->low[a] = c->domain.min[a];
        l->high[a] = l->low[a] + (double)l->cells[a] * l->edge;
        l->count *= (double)l->cells[a];
    }
    return SLUICE_OK;
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
