/* A set is all particles of one type. It is sorted on its own. It has one array a field, all in one
 * piece of the backend's memory (columns.h).
 *
 * A set has only the fields that its model asks for; field[f] is NULL for the others. Arrays are
 * padded: `capacity` entries are allocated, a multiple of 64 above `count`, so that a vector may
 * read past the end. */
#ifndef SLUICE_PARTICLES_PARTICLES_H
#define SLUICE_PARTICLES_PARTICLES_H
#include <stdint.h>

#include "particles/fields.h"
#include "particles/id.h"

struct sluice_bins;

/* How the particles of a set move. */
enum sluice_moves {
    SLUICE_AT_REST, /* sorted once, and never again */
    SLUICE_FREE,    /* by their accelerations */
    SLUICE_DRIVEN   /* some of them by prescribed motions: kernels/pointwise/rigid_motion.h */
};

/* A ghost node is a place in the fluid from which one wall particle takes its state. Walls of kind
 * "mdbc" have a node for each particle, with the same id. Only checkpoints hold nodes. */
enum sluice_type { SLUICE_FLUID = 0, SLUICE_WALL = 1, SLUICE_GHOST = 2, SLUICE_TYPE_COUNT };
extern const char *const sluice_type_names[SLUICE_TYPE_COUNT]; /* "fluid", "wall", "ghost" */

struct sluice_set {
    enum sluice_type type;
    int dimension;      /* 2 or 3 */
    int real_bytes;     /* 4 or 8: the run's precision */
    int moves;          /* enum sluice_moves */
    double mass;        /* of every particle, kg; 0: they differ */
    int64_t count;      /* particles alive */
    int64_t capacity;   /* entries allocated; 0: the case has no such particles */
    const uint8_t *own; /* [count] on one of several ranks: 1 where this rank computes the particle,
                           0 in its halo. NULL: it computes all */
    sluice_fields fields;            /* SLUICE_BIT(...) of the arrays that exist */
    void *field[SLUICE_FIELD_COUNT]; /* in `memory`; NULL: absent */
    void *memory;                    /* the backend's: the arrays */
    int columns, scratch;            /* columns of `memory`, the first of the scratch space */
    struct sluice_bins *bins; /* the backend's search table of this set; NULL until first binned */
    int64_t bins_bytes;       /* memory of `bins`; bin() keeps it up to date */
};

/* Whether the case has such particles; this rank may hold none of them. */
static inline int sluice_set_exists(const struct sluice_set *set)
{
    return set->capacity > 0;
}

/* Bytes of one particle in the set's array of a field. */
int64_t sluice_set_field_bytes(const struct sluice_set *set, enum sluice_field field);

/* Exchanges the arrays of two fields of the same kind. */
void sluice_set_swap(struct sluice_set *set, enum sluice_field a, enum sluice_field b);

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
#endif
