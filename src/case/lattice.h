/* Crystals that fill a periodic box: fcc and simple cubic in 3-D, square in 2-D.
 *
 * The box follows from the number of cells and of particles a volume, as in LAMMPS (`lattice fcc
 * 0.8442` in units "lj"): the edge of a cell with b particles is a = (b/density)^(1/D), the box is
 * cells * a. Particles lie a quarter (fcc) or half (cubic, square) of a cell from the box's faces,
 * so that none stands on one. */
#ifndef SLUICE_CASE_LATTICE_H
#define SLUICE_CASE_LATTICE_H
#include <stdint.h>

#include "config/config.h"

struct sluice_lattice {
    int kind, dimension;    /* enum sluice_lattice_kind */
    int basis;              /* particles a cell */
    int64_t cells[3];       /* 1 on the missing axis */
    double edge;            /* of a cell, length */
    double low[3], high[3]; /* the box: from domain.min, length */
    double count;           /* particles; a double, as it may exceed every integer */
};

void sluice_lattice_create(struct sluice_lattice *lattice, const struct sluice_config *config);

/* Coordinates of particle i, 0 <= i < count; x runs fastest over the cells, the basis within a
 * cell. */
void sluice_lattice_site(const struct sluice_lattice *lattice, int64_t i, double x[3]);
#endif
