/* Lattices of particles: fcc and simple cubic in 3-D, square and hexagonal in 2-D.
 *
 * A lattice is a block of cells along the axes, each with the particles of its basis. The volume of
 * a particle is that of a cell over the number of them:
 *
 *   kind       particles a cell   edges of a cell of volume V a particle
 *   cubic      1                  V^(1/3)
 *   fcc        4                  (4 V)^(1/3)
 *   square     1                  V^(1/2)
 *   hexagonal  2                  a = (2 V/sqrt(3))^(1/2), and sqrt(3) a along y
 *
 * No particle stands on a face of a cell: those of fcc and hexagonal cells lie a quarter of an edge
 * from them, the others half. So lattices whose boxes touch do not share a particle.
 *
 * The crystal of a Lennard-Jones case fills its periodic box, which follows from the number of
 * cells and of particles a volume, as in LAMMPS (`lattice fcc 0.8442` in units "lj"). */
#ifndef SLUICE_GEOMETRY_LATTICE_H
#define SLUICE_GEOMETRY_LATTICE_H
#include <stdint.h>

#include "config/config.h"

struct sluice_lattice {
    int kind, dimension;    /* enum sluice_lattice_kind */
    int basis;              /* particles a cell */
    int64_t cells[3];       /* 1 on the missing axis */
    double edge[3];         /* of a cell, length */
    double low[3], high[3]; /* the block of cells */
    double count;           /* particles; a double, as it may exceed every integer */
};

/* The crystal of the config: its box begins at domain.min. */
void sluice_lattice_create(struct sluice_lattice *lattice, const struct sluice_config *config);

/* Sets kind, dimension, basis and the edges for a volume a particle (length^D). */
void sluice_lattice_set_cell(struct sluice_lattice *lattice, int kind, int dimension,
                             double volume);

/* Makes the block of cells from `low` on, once cells and edges are set. */
void sluice_lattice_set_block(struct sluice_lattice *lattice, const double low[3]);

/* The volume of a particle, length^D. */
double sluice_lattice_volume(const struct sluice_lattice *lattice);

/* Coordinates of particle i, 0 <= i < count; x runs fastest over the cells, the basis within a
 * cell. */
void sluice_lattice_site(const struct sluice_lattice *lattice, int64_t i, double x[3]);
#endif
