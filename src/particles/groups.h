/* A group is all particles of one name, from shapes of the geometry and rows of a particle file.
 * Motions and force probes refer to groups, and snapshots give each particle's.
 *
 * A particle's id tells its group, so no particle carries it. The table holds runs of ids.
 *
 *     run     first id   group
 *     0              0   0 "water"       ids 0 .. 159
 *     1            160   1 "beach"       ids 160 .. 244
 *     2            245   2 "walls 3"     ids 245 and up */
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

struct sluice_group_run {
    sluice_id first;
    int group;
};

/* A zeroed struct is a valid empty one. */
struct sluice_groups {
    struct sluice_group *group;   /* [count] */
    struct sluice_group_run *run; /* [run_count] first ids ascend */
    int *slot;                    /* [slots] a hash of the names: 1 + the group, 0: free */
    int count, capacity, slots;
    int64_t run_count, run_capacity;
};

/* Finds the group of this name, or adds one with this type. Errors: memory. */
sluice_status sluice_groups_add(struct sluice_groups *g, const char *name, enum sluice_type type,
                                int *group);
/* The group of this name; -1: none. */
int sluice_groups_find(const struct sluice_groups *g, const char *name);

/* Room for `more` runs. Errors: memory. */
sluice_status sluice_groups_reserve(struct sluice_groups *g, int64_t more);
/* Begins a run: particles from this id on are of the group. Ids must ascend from call to call. */
void sluice_groups_begin(struct sluice_groups *g, sluice_id id, int group);
/* The group of a particle; -1: the id is below the first. */
int sluice_groups_of(const struct sluice_groups *g, sluice_id id);
/* The same; *last: the last id of the run. */
int sluice_groups_run(const struct sluice_groups *g, sluice_id id, sluice_id *last);

/* A hash of names, numbers of particles and runs, not below 0. A restart compares it, to notice
 * another particle file. */
int64_t sluice_groups_digest(const struct sluice_groups *g);

/* Writes the names of a type's groups, as "tank", "piston"; at most a dozen. Returns `text`. */
const char *sluice_groups_list(const struct sluice_groups *g, enum sluice_type type, char *text,
                               size_t size);

void sluice_groups_destroy(struct sluice_groups *g);
#endif
