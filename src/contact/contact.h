/* Contact of rigid bodies with each other and with walls, on the host, in double.
 *
 * A contact is a point of one body's surface inside another solid, which is a body or a wall. The
 * law is that of Canelas, Crespo, Dominguez, Ferreira & Gomez-Gesteira 2016, "SPH-DCDEM model for
 * arbitrary geometries in free surface solid-fluid flows", Comput. Phys. Commun. 202, 131. For a
 * point at x, overlap d (m), normal n out of the other solid, velocity u at x of the
 * point against that solid, u_t = u - (u.n) n, and d' = -u.n:
 *
 *     F_n = k d^(3/2) - c u.n >= 0            k = 4/3 E sqrt(R)
 *     F_t = -(K s + 2/7 c u_t)                |F_t| <= mu F_n
 *     1/E = (1 - nu_1^2)/E_1 + (1 - nu_2^2)/E_2
 *
 * with Young's moduli E_i, Poisson's ratios nu_i and the mean friction mu and restitution e of the
 * two materials. Each point keeps the stretch s of its own tangential spring from step to step, so
 * that stacks do not creep. Differences from the paper, and their reasons:
 *
 * - Points against the exact signed distance of the other solid, instead of pairs of particles,
 *   whose spheres make flat faces bumpy. So R = dp/2: a sphere of that radius against a plane. In
 *   2-D a point stands for a row of points dp apart along z: k is that of a point over dp.
 * - A point has the shape of a ball of radius dp/10 inside its body, which touches the surface at
 *   the point. Faces are where they are, edges and corners are rounded by that much. Without it the
 *   points on the rims of two faces that lie flush would be at a side of the other solid, not
 *   beneath its face.
 * - Of two bodies both have points, which cover the faces twice: each counts with k/2.
 * - A contact is where the distance from a ball to the union of all walls, or of the other body's
 *   parts, has a local minimum: what another wall or part covers is no surface (contact_union.c).
 * - Sharp corners and edges of walls have points, too, tested against bodies (contact_sharp.c).
 * - Discs, spheres and cylinders touch as circles, where they are deepest (contact_round.c): with
 *   k sqrt(2 R/dp), R their radius.
 * - Where a point on a flat face meets an edge, n is askew, and a damper along n would brake what
 *   slides onto the edge. There the damper acts along the normal m of the face, -c (u.m) m. Between
 *   two edges it does so where |u.m| < |u.n|/5.
 * - The damper. The paper has c = gamma d^(1/4) for each pair of particles. Here the contacts of
 *   two solids together damp like one: with the energy W = sum 2/5 k d^(5/2) of all their points,
 *   c = 2 z sqrt(M/(2 W)) k d^(3/2). For one point this is gamma d^(1/4), gamma = sqrt(5) z
 *   sqrt(M k) (Antypov & Elliott 2011, EPL 94, 50004). The paper's sum over N points would
 *   damp sqrt(N) times too much. With M, z the damping ratio, any number of points rebounds as one:
 *   with x = sqrt(2 W) an impact is that of a linear spring.
 * - M is the mass that the resultant of the forces feels, with the moments of inertia: a box that
 *   falls on a corner feels lighter than one that falls on a face. It is never more than
 *   M_1 M_2/(M_1 + M_2), M_1 with a wall. A body has an infinite mass along a locked axis, and
 *   while it is held; where both have, there is no damper.
 * - z follows from e. Contacts do not pull, so that an impact ends when the force has gone, before
 *   the overlap has (Schwager & Poschel 2007, Granular Matter 9, 465). e below 0.05 counts
 *   as 0.05, which needs z = 2.
 * - The tangential spring. The paper's 2/7 k has not the unit of a stiffness. Here K = 2/7 k
 *   sqrt(D), with the largest overlap D of the contact so far. While D grows, the force K s is
 *   kept. So the spring never has more energy than was put in.
 * - Spring and damper together are in series with the slider of Coulomb's law. While it slides, s
 *   follows from K s + 2/7 c ds/dt = -F_t; else ds/dt = u_t. Their z is that of an e of at most
 *   0.99.
 * - s turns with the other solid, and into the plane of contact. It is lost where the normal jumps
 *   to another face.
 *
 * At each instant, with the energy of springs U = sum 2/5 k d^(5/2) + sum K s^2/2,
 *
 *     sum F.u = -dU/dt - D,   D >= 0
 *
 * holds to rounding for what sluice_contacts_find returns. From call to call the energy of bodies
 * changes by that of `driven` - `dissipated` over the time, less U and `shed`, to second order in
 * dt; to first order where contacts begin or start to slide.
 *
 * Sums are whole numbers (kernels/types/exact_sum.h): they depend neither on the number of threads
 * nor on the order of bodies and points. */
#ifndef SLUICE_CONTACT_CONTACT_H
#define SLUICE_CONTACT_CONTACT_H
#include <stdint.h>

#include "motion/pose.h"
#include "core/status.h"
#include "core/threads.h"
#include "geometry/geometry.h"
#include "motion/motion.h"

struct sluice_contact_material {
    double young;       /* Pa */
    double poisson;     /* 1 */
    double restitution; /* of an impact: speed after over speed before */
    double friction;    /* coefficient of Coulomb's law */
};

/* A body at t = 0. In 2-D mass and inertia are per metre of depth. */
struct sluice_contact_body {
    const int *shape; /* [shapes] of the config; the body is their union */
    int shapes;
    const double (*point)[3]; /* [points] of its surface, about dp apart, m, config coordinates */
    int64_t points;
    double centre[3];     /* of mass, m */
    double mass;          /* kg */
    double inertia[3][3]; /* about the centre, kg m^2; all 0: the damper takes the mass alone */
    unsigned locks; /* bits 0 to 2: x, y, z do not move; 3 to 5: it does not turn about them */
    double release; /* s; before it the body is held */
    struct sluice_contact_material material;
};

struct sluice_contact_setup {
    const struct sluice_geometry *geometry; /* borrowed */
    const struct sluice_motions *motions;   /* borrowed; NULL: no wall moves */
    const struct sluice_contact_body *body; /* [count] copied */
    int count;
    struct sluice_contact_material walls;
};

struct sluice_contacts;

/* Walls are all shapes of type wall but those of bodies. A side of the domain ends with the domain
 * where it meets no other side; behind its face it has no end. Where a later shape of the config
 * takes the place of a wall (fluid, void, a wall that moves otherwise), there is no wall. Errors: a
 * shape without an end, memory. */
sluice_status sluice_contacts_create(struct sluice_contacts **contacts,
                                     const struct sluice_contact_setup *setup);
void sluice_contacts_destroy(struct sluice_contacts **contacts);

/* Two solids that touch: body, and another body or a wall. */
struct sluice_contact_overlap {
    int body;        /* -1: none */
    int other;       /* body; -1: a wall */
    int shape;       /* of the wall; -1: a body */
    double depth;    /* of the deepest point, m */
    double place[3]; /* of that point, m */
    double energy;   /* of the impact over that of its springs; INFINITY: neither solid gives way */
};

/* Sums over all contacts at one instant. The arrays belong to the contacts and last until the next
 * call.
 */
struct sluice_contact_result {
    const double (*force)[3];  /* [count] on each body, N */
    const double (*torque)[3]; /* [count] about its centre, world axes, N m */
    double elastic;            /* energy of the springs, J */
    double dissipated;         /* power that dampers and sliding take, W; never negative */
    double shed; /* energy that left with springs of contacts that ended, or whose normal jumped to
                    another face, in this call, J; not in `dissipated` */
    double driven;  /* power of moving walls on bodies, W */
    int64_t points; /* in contact */
    struct sluice_contact_overlap deepest;
};

/* Finds the contacts of bodies at `pose` [count], with walls where they are at `time` (s). The
 * stretches advance by dt (s), the time since the last call. dt = 0 looks only: it leaves the
 * stretches as they are, and after a call with dt > 0 it gives the same bits again. The threads of
 * `team` share the points (NULL: the caller alone). Errors (SLUICE_BLOW_UP): a pose that is not
 * finite, a force that is not; memory. */
sluice_status sluice_contacts_find(struct sluice_contacts *contacts, const struct sluice_pose *pose,
                                   double time, double dt, struct sluice_threads *team,
                                   struct sluice_contact_result *result);

/* --- The state that a checkpoint keeps --- */

/* A contact's numbers: owner, other (a body, or -1 - (6 shape + side) of a wall; side 2 axis +
 * (high side) of a walls shape, else 0), point (its number in the owner); its stretch (m) and the
 * velocity u_t of the last call (m/s), in the axes that the other solid has at t = 0; its largest
 * overlap (m). In the order of owner, other, point. */
enum { SLUICE_CONTACT_NUMBERS = 10 };

/* How many contacts have a stretch; fills `number` [contacts][SLUICE_CONTACT_NUMBERS] unless NULL.
 */
int64_t sluice_contacts_history(const struct sluice_contacts *contacts,
                                double (*number)[SLUICE_CONTACT_NUMBERS]);
/* Errors (SLUICE_BAD_INPUT): a number that cannot be; memory. */
sluice_status sluice_contacts_restore(struct sluice_contacts *contacts,
                                      const double (*number)[SLUICE_CONTACT_NUMBERS],
                                      int64_t count);

/* --- Before a run --- */

/* Steps of an impact without a damper. The program DualSPHysics has 40 of one pair of particles.
 * With 50 a leapfrog closes the energy of an impact to 0.1%. */
enum { SLUICE_CONTACT_STEPS = 50 };

/* The largest time step (s): the shortest impact of two solids that meet at `speed` (m/s, above 0)
 * over SLUICE_CONTACT_STEPS (1 + z). Hertz's impact takes 2.94 d/v, with the largest overlap d = (5
 * M v^2/(4 N k))^(2/5) (Landau & Lifshitz, Theory of Elasticity, section 9). N is the number of
 * points on the largest flat side of a body, across the axes at t = 0; of both bodies, as k is
 * halved. Infinite without contacts. *body and *other (-1: a wall): the two. */
double sluice_contacts_limit(const struct sluice_contacts *contacts, double speed, int *body,
                             int *other);

/* A body that lies on another or on a wall, and how deep it sinks into it, m. */
struct sluice_contact_rest {
    int body;       /* -1: none */
    int other;      /* body; -1: a wall */
    double at_rest; /* if half of its points bear it */
    double let_go;  /* at most, if it begins to sink there, and its largest flat side bears it */
};

/* The deepest of all bodies, each on a wall and on each other. Body i presses with load[i] (N; in
 * 2-D N/m; 0: on nothing). At rest N points that bear it sink by d with N k d^(3/2) = load. A body
 * that is let go without an overlap sinks until load d = (2/5) N k d^(5/2). N is at most half of
 * its points, if it is thicker than it sinks: the normals of a closed surface add up to nothing, so
 * all that point against the load come to half of it at most. Between two bodies, the one that
 * sinks less lies on the other. */
struct sluice_contact_rest sluice_contacts_rest(const struct sluice_contacts *contacts,
                                                const double *load);

/* The largest time step (s) after a call of sluice_contacts_find: that of an impact of two solids
 * that were a quarter of dp apart or less. Its speed v is that of all their energy:
 *
 *     v^2 = u^2 + 2 U/M
 *
 * with the energy U of their springs, and u the largest speed at which their surfaces may meet, by
 * the velocities of `pose` [count] and of the walls; at least `least` (m/s). Where a gap is left, a
 * step may last until half of it is crossed. INFINITY: none is near. */
double sluice_contacts_step(const struct sluice_contacts *contacts, const struct sluice_pose *pose,
                            double least, int *body, int *other);

/* Refuses bodies that overlap each other or walls by more than `tolerance` (m) at `pose`, time 0:
 * the message names the deepest overlaps. Errors: SLUICE_BAD_INPUT; those of
 * sluice_contacts_find. */
sluice_status sluice_contacts_check(struct sluice_contacts *contacts,
                                    const struct sluice_pose *pose, double tolerance,
                                    struct sluice_threads *team);
#endif
