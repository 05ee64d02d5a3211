/* The split of a force where one wall stands on another.
 *
 *        o f                      A force belongs to the surface that the water touches, not to the
 *          \    /|                particle that carries it. Near the toe of a slope fluid pushes
 *     ______\__/ | wall B         particles of the floor through the thin wedge: the way from f to
 *      x   x \x  |                w meets the surface of B first, so this part of the force on w
 *      x   x  w                   is B's. The rest stays with the group of w.
 *
 * The sum over all groups is that of all wall particles. Bodies and walls of a particle file keep
 * the forces of their own particles. */
#ifndef SLUICE_PROBES_SPLIT_FORCE_H
#define SLUICE_PROBES_SPLIT_FORCE_H
#include "core/threads.h"
#include "kernels/formulas/reaction_sum.h"
#include "probes/probe_near.h"
#include "probes/wall_surfaces.h"

/* A part of the force on a wall particle. */
struct sluice_force_part {
    int64_t wall; /* its number at the start */
    int group;    /* the owner; the particle's own group has its loss, negative */
    double force[3];
};

/* A wall particle that fluid may push through the surface of another group. */
struct sluice_mixed_wall {
    int64_t wall, fetched; /* its number at the start, and among the fetched */
    int group;
    double x[3];
    int buffer; /* where its parts are */
    int64_t first, parts;
};

/* The results of one thread: the fluid of a wall particle, and the parts of all its wall
 * particles. */
struct sluice_split_buffer {
    struct sluice_reaction_partner *partner;
    int *whose; /* [partner_capacity] the partners' groups; -1: done */
    int partner_capacity;
    struct sluice_force_part *part;
    int64_t parts, capacity;
};

struct sluice_force_split {
    const struct sluice_case *setup; /* borrowed */
    int used;                        /* 0: no wall is near one of another group */
    int moves;                       /* some walls move */
    struct sluice_wall_surfaces surfaces;
    unsigned char *mixed; /* [wall particles] at rest, as above */
    unsigned char *fixed; /* [groups] forces stay: of bodies and files */
    /* [1 + motions] m, at t = 0: of mixed walls at rest; of each motion's walls */
    double (*box)[2][3];
    struct sluice_near_image image[SLUICE_NEAR_IMAGES];
    int image_count;
    struct sluice_mixed_wall *list;
    int64_t count, capacity; /* of the list */
    struct sluice_fetch fluid;
    double *memory;                           /* of the two sides */
    struct sluice_reaction_side walls, water; /* of the list; of the fetched fluid */
    struct sluice_near near;                  /* the fluid and its images, by x */
    struct sluice_wall_near *ahead;           /* [near.capacity] the walls near each */
    int64_t ahead_capacity;
    struct sluice_split_buffer *buffer; /* [buffers] of the threads */
    int buffers;
    struct sluice_force_part *part;
    int64_t parts, part_capacity;
};

/* For a case (borrowed). Errors: memory. Always destroy. */
sluice_status sluice_force_split_create(struct sluice_force_split *s, const struct sluice_case *c);
void sluice_force_split_destroy(struct sluice_force_split *s);

/* Whether fluid may push a wall particle of a group at x (m) through the surface of another one.
 * Several threads may ask. */
int sluice_force_split_mixes(const struct sluice_force_split *s, int group, const double x[3]);

/* Notes wall particle k at the start, at x (m), and 1 + its motion; of one at rest whether it
 * mixes. */
void sluice_force_split_note(struct sluice_force_split *s, int64_t k, uint32_t motion, int mixes,
                             const double x[3]);

/* Puts moving walls where they are at this time, s. */
void sluice_force_split_move(struct sluice_force_split *s, double time);

/* Boxes that hold the wall particles whose forces are split: at most
 * 1 + motions. Returns how many. */
int sluice_force_split_boxes(const struct sluice_force_split *s, struct sluice_box *box);

/* In split_parts.c. Finds the parts of the listed walls, in their order. Errors: memory. */
sluice_status sluice_force_split_sum(struct sluice_force_split *s, struct sluice_threads *team);
void sluice_force_split_destroy_buffers(struct sluice_force_split *s);

/* The group of wall particle n of a fetch. */
static inline int sluice_force_group(const struct sluice_case *c, const struct sluice_fetch *walls,
                                     int64_t n)
{
    const uint32_t *group = walls->field[SLUICE_FIELD_GROUP];
    return group ? (int)group[n] : sluice_groups_first(&c->groups, SLUICE_WALL);
}

/* Finds the parts from fetched wall particles (SLUICE_SPLIT_FIELDS); index[k]: 1 + where the k-th
 * of the start is among them, 0: nowhere. Parts are in the order of the walls. Errors: memory,
 * device. */
#define SLUICE_SPLIT_FIELDS                                                                        \
    (SLUICE_BIT(POSITION) | SLUICE_BIT(FRAME) | SLUICE_BIT(ID) | SLUICE_BIT(PHASE) |               \
     SLUICE_BIT(PREDICTED) | SLUICE_BIT(EOS) | SLUICE_BIT(PUSH) | SLUICE_BIT(STRESS) |             \
     SLUICE_BIT(FRICTION) | SLUICE_BIT(VELOCITY) | SLUICE_BIT(HAS_FRICTION))
sluice_status sluice_force_split_measure(struct sluice_force_split *s, struct sluice_backend *b,
                                         struct sluice_threads *team, const struct sluice_grid *g,
                                         struct sluice_set *fluid, const struct sluice_fetch *walls,
                                         const sluice_id *index);
#endif
