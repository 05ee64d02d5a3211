/* A rigid body of a case. */
#ifndef SLUICE_BODIES_RIGID_BODY_H
#define SLUICE_BODIES_RIGID_BODY_H
#include "motion/pose.h"
#include "bodies/surface.h"
#include "config/config.h"

/* A body's constants. Bodies are numbered in the order of the config's shapes. */
struct sluice_rigid_body {
    char name[SLUICE_TEXT_MAX];
    const struct sluice_body *entry;    /* borrowed: its keys */
    double mass;                        /* kg; kg/m in 2-D */
    double centre[3], inertia[3][3];    /* of mass, and about it, at t = 0: m, kg m^2 */
    double volume, asked_volume;        /* of its shapes, and as asked, m^3; m^2 in 2-D */
    double reach;                       /* of its particles from the centre, m */
    unsigned locks;                     /* of its entry, and those that a plane has */
    int *shape, shapes;                 /* [shapes] of the config */
    struct sluice_body_surface surface; /* at t = 0 */
    /* Where it begins: where its shapes are, or where a snapshot has it. */
    struct sluice_pose start;
    int is_moved;        /* by a snapshot: the rest is known */
    double q[4], turned; /* quaternion of start.turn; in 2-D its angle, rad */
};
#endif
