/* A group is all particles of one name, from shapes of the geometry and rows of a particle file.
 * Motions and force probes refer to groups, and snapshots give each particle's.
 *
 * Where the particles of a type are of several groups, each has the number of its own (the field
 * GROUP). */
#ifndef SLUICE_PARTICLES_GROUPS_H
#define SLUICE_PARTICLES_GROUPS_H
#include <stddef.h>
#include <stdint.h>

#include "core/status.h"
#include "particles/particles.h"

struct sluice_group {
    char *name;
    enum sluice_type type; /* of all its particles */
    int shapes;            /* of the geometry */
    int64_t rows;          /* of the particle file */
    int64_t particles;     /* of a case, at its start */
    double mass;           /* of these, kg; kg/m in 2-D */
};

/* A zeroed struct is a valid empty one. */
struct sluice_groups {
    struct sluice_group *group; /* [count] */
    int *slot;                  /* [slots] a hash of the names: 1 + the group, 0: free */
    int count, capacity, slots;
    uint64_t rows; /* a hash of the rows of a particle file that begin another group */
};

/* Finds the group of this name, or adds one with this type. Errors: memory. */
sluice_status sluice_groups_add(struct sluice_groups *g, const char *name, enum sluice_type type,
                                int *group);
/* The group of this name; -1: none. */
int sluice_groups_find(const struct sluice_groups *g, const char *name);

/* The number of a type's groups that have particles, and the first of them, -1: none. */
int sluice_groups_count(const struct sluice_groups *g, enum sluice_type type);
int sluice_groups_first(const struct sluice_groups *g, enum sluice_type type);

/* Adds a row of a particle file, where another group begins, to the digest. */
void sluice_groups_add_row(struct sluice_groups *g, sluice_id id, int group);
/* A hash of names, numbers of particles and rows, not below 0. A restart compares it, to notice
 * another particle file. */
int64_t sluice_groups_digest(const struct sluice_groups *g);

/* Writes the names of a type's groups, as "tank", "piston"; at most a dozen. Returns `text`. */
const char *sluice_groups_list(const struct sluice_groups *g, enum sluice_type type, char *text,
                               size_t size);

void sluice_groups_destroy(struct sluice_groups *g);
#endif
