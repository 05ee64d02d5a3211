/* The carriers of wall particles at one time, motions or bodies: parameters of
 * kernels/pointwise/rigid_motion.h. */
#ifndef SLUICE_KERNELS_TYPES_RIGID_MOTION_PARAMS_H
#define SLUICE_KERNELS_TYPES_RIGID_MOTION_PARAMS_H
#include "grid/grid.h"

/* So many motions are parameters of a kernel; more are a table in the backend's memory. */
enum { SLUICE_MOTIONS_HELD = 8 };

/* A rigid motion at one time: the centre moves, and all turns about it. Double. */
struct sluice_rigid {
    struct sluice_place centre;
    double velocity[3], acceleration[3]; /* of the centre, m/s, m/s^2 */
    double turn[3][3];                   /* the rotation since the start */
    double spin[3], spin_rate[3];        /* 1/s, 1/s^2 */
    double inward[3][3];                 /* y -> spin x (spin x y): spin spin^T - |spin|^2, 1/s^2 */
};

struct rigid_motion_params {
    int count;  /* motions held here; their particles have MOTION 1 .. count */
    int listed; /* motions in the table; theirs follow */
    int bodies; /* and theirs follow those */
    int turns;  /* a listed motion turns */
    int place;  /* 0: velocities and accelerations alone; the particles stay where they are */
    struct sluice_rigid motion[SLUICE_MOTIONS_HELD];
    const struct sluice_rigid *table; /* [listed + bodies] in the backend's memory */
};

/* Sets `inward` from `spin`. */
static inline void sluice_rigid_set_inward(struct sluice_rigid *r)
{
    double spin2 = 0;
    for (int a = 0; a < 3; a++)
        spin2 += r->spin[a] * r->spin[a];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            r->inward[a][b] = r->spin[a] * r->spin[b] - (a == b ? spin2 : 0);
}

/* Whether any wall turns, or may as a body does; m NULL: none. */
static inline int rigid_motion_turns(const struct rigid_motion_params *m)
{
    int turns = m && (m->bodies > 0 || m->turns);
    for (int i = 0; m && i < m->count; i++)
        for (int c = 0; c < 3; c++)
            turns |= m->motion[i].spin[c] != 0;
    return turns;
}
#endif
