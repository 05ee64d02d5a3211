/* Sets of particles: all of one type, sorted on their own, in the backend's memory, one array a
 * field, all of them in one piece (columns.h).
 *
 * A set has only the fields that its model asks for; field[f] is NULL for the others. Arrays are
 * padded: `capacity` entries are allocated, a multiple of 64 above `count`, so that a vector may
 * read past the end. */
#ifndef SLUICE_PARTICLES_PARTICLES_H
#define SLUICE_PARTICLES_PARTICLES_H
#include <stdint.h>

#include "particles/fields.h"

struct sluice_bins;

/* How the particles of a set come to other places. */
enum sluice_moves {
    SLUICE_AT_REST, /* sorted once, and never again */
    SLUICE_FREE,    /* by their accelerations */
    SLUICE_DRIVEN   /* some of them by prescribed motions: kernels/pointwise/rigid_motion.h */
};

/* A ghost node is where the fluid is asked for the state of one wall particle: the wall of kind
 * "mdbc" has one for each particle, of the same id. It is in no file but a checkpoint. */
enum sluice_type { SLUICE_FLUID = 0, SLUICE_WALL = 1, SLUICE_GHOST = 2, SLUICE_TYPE_COUNT };

struct sluice_set {
    enum sluice_type type;
    int dimension;                   /* 2 or 3 */
    int real_bytes;                  /* 4 or 8: the run's precision */
    int moves;                       /* enum sluice_moves */
    double mass;                     /* of every particle, kg; 0: they differ */
    int64_t count;                   /* particles alive */
    int64_t capacity;                /* entries allocated */
    unsigned fields;                 /* SLUICE_BIT(...) of the arrays that exist */
    void *field[SLUICE_FIELD_COUNT]; /* in `memory`; NULL: absent */
    void *memory;                    /* the backend's: the arrays */
    int columns, room;        /* of its memory, and which of them begins the room: columns.h */
    struct sluice_bins *bins; /* the backend's search table of this set; NULL until first binned */
    int64_t bins_bytes;       /* what it takes, kept up to date by bin() */
};

/* Bytes of one particle in the set's array of a field. */
int64_t sluice_set_field_bytes(const struct sluice_set *set, enum sluice_field field);

/* Number i of an array of reals in host memory: read and written. */
static inline double sluice_real_at(const void *array, int real_bytes, int64_t i)
{
    return real_bytes == 4 ? (double)((const float *)array)[i] : ((const double *)array)[i];
}
static inline void sluice_put_real(void *array, int real_bytes, int64_t i, double value)
{
    if (real_bytes == 4)
        ((float *)array)[i] = (float)value;
    else
        ((double *)array)[i] = value;
}

/* The mass of all n particles whose POSITION array is given (host memory, the run's precision), kg;
 * 0 where any two differ or n = 0. */
double sluice_common_mass(const void *position, int64_t n, int dimension, int real_bytes);
#endif
