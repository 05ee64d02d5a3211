/* Moorings of bodies: springs with dampers, ropes, and hinges, to a point or another body. The one
 * place where lines of another kind (catenaries, MoorDyn) would join.
 *
 *   spring   along the line between two points, l its length, e from the body:
 *            F = [k (l - l0) + c dl/dt] e;   slack: it pulls only, where l > l0
 *   hinge    holds two points together, d the way between them: F = k d + c dd/dt. In space it
 *            holds two pairs of points, `width` apart along its axis, with half of k and c each
 *
 * On periodic axes a link joins the images that are nearest to each other at t = 0, and keeps
 * them: a rope may be longer than a period, and gets no shorter as its body moves on. */
#ifndef SLUICE_BODIES_MOORING_H
#define SLUICE_BODIES_MOORING_H
#include "motion/pose.h"
#include "bodies/rigid_body.h"
#include "config/config.h"
#include "core/status.h"

/* Two points that a spring joins. */
struct sluice_mooring_link {
    int mooring;      /* its entry */
    int body[2];      /* the bodies; second -1: a point of space */
    double arm[2][3]; /* the points, from the bodies' centres at t = 0; of space: the point, m */
    double shift[3];  /* whole periods: displacement to the image of the second point, m */
    double stiffness, damping, length; /* N/m, N s/m, m; per metre of depth in 2-D */
    int slack, joint;                  /* joint: of a hinge */
    double end[2][3];                  /* m, at the last call of `pull`; the second at its image */
    double force[3], tension; /* on the first body, N; along the spring, below 0 it pushes */
};

struct sluice_moorings {
    int count;
    struct sluice_mooring_link *link; /* [count] */
    double elastic, dissipated;       /* of the last call: J, W; dissipated is never negative */
    double longest_step; /* s: a twentieth of the shortest period, or half of the shortest decay;
                            INFINITY without any */
    int stiffest;        /* the entry that sets it */
};

/* Errors: a name that is no body's, a spring without a direction (SLUICE_BAD_INPUT), memory. */
sluice_status sluice_moorings_create(struct sluice_moorings *m, const struct sluice_config *config,
                                     const struct sluice_rigid_body *body, int bodies);
void sluice_moorings_destroy(struct sluice_moorings *m);

/* Adds force and torque about the centre to wrench[body], of bodies at these poses. */
void sluice_moorings_pull(struct sluice_moorings *m, const struct sluice_pose *pose,
                          double (*wrench)[6]);
#endif
