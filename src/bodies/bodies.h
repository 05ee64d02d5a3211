/* Rigid bodies: their state, their motion, and the energy that they have (docs/theory.md,
 * "Bodies").
 *
 * The particles of a body are wall particles, which its pose places (kernels/pointwise/
 * rigid_motion.h). The state is in double, on the host, the same on every rank. A step, in the
 * leapfrog of the fluid:
 *
 *   advance   v, l to n+1/2; x, q to n+1; v, l predicted for n+1, as those of the fluid
 *   solve     Adami's walls: the accelerations at n+1, together with the pressure at the walls
 *   collect   the force of the fluid on each body, with every term; from it a, t at n+1
 *   kick      v, l to n+1
 *
 * l is the angular momentum about the centre: the drift keeps it, so that of fluid and bodies
 * together is kept to rounding. */
#ifndef SLUICE_BODIES_BODIES_H
#define SLUICE_BODIES_BODIES_H
#include "backend/backend.h"
#include "bodies/mooring.h"
#include "motion/motion.h"
#include "motion/pose.h"
#include "bodies/rigid_body.h"
#include "contact/contact.h"
#include "core/log.h"
#include "core/warnings.h"
#include "config/config.h"
#include "kernels/types/body_system.h"
#include "snapshots/snapshot_bodies.h"

/* A wrench: force, N, and torque about the centre, N m. Bodies are moved by these. */
enum sluice_body_cause {
    SLUICE_BY_FLUID,
    SLUICE_BY_GRAVITY,
    SLUICE_BY_CONTACT,
    SLUICE_BY_MOORING,
    SLUICE_BODY_CAUSES
};

/* The numbers of a body that a checkpoint keeps; all double. */
struct sluice_body_state {
    double x[3], x_low[3]; /* displacement of the centre since t = 0, compensated, m */
    double q[4];           /* unit quaternion of the rotation since then */
    double turned;         /* in 2-D its angle, whole turns included, rad */
    double v[3], v_low[3]; /* of the centre, compensated, m/s */
    double l[3], l_low[3]; /* angular momentum about the centre, compensated, kg m^2/s */
    double a[3], a_old[3]; /* acceleration at n, and at n-1, m/s^2 */
    double t[3], t_old[3]; /* dl/dt likewise, N m */
    double solved[6];      /* (a, dw/dt) at n as solved with the pressure at the walls */
    double other[6];       /* the wrench of the fluid at n that this pressure does not give */
};
enum { SLUICE_BODY_STATE_REALS = sizeof(struct sluice_body_state) / sizeof(double) };

/* The present of a body. */
struct sluice_body_now {
    struct sluice_pose pose; /* at n+1; the predicted velocities, which its particles have */
    double inertia[3][3];    /* about the centre, world axes */
    double wrench[SLUICE_BODY_CAUSES][6];
    double pressure[6]; /* of the fluid, by the pressure at the walls that was solved for */
    double trial[6];    /* (a, dw/dt) that its particles have, solved for in this evaluation */
    int held;           /* before its release */
    int away;           /* its centre has left the domain, and a warning says so */
};

struct sluice_bodies {
    int count;
    const struct sluice_config *config;   /* borrowed */
    const struct sluice_motions *motions; /* borrowed */
    const struct sluice_rigid_body *body; /* [count] borrowed */
    struct sluice_body_state *state;      /* [count] */
    struct sluice_body_now *now;          /* [count] */
    struct sluice_rigid *rigid;           /* [count] on the host */
    struct sluice_rigid *table;           /* [count] in the backend's memory; borrowed */
    struct sluice_body_system *system;    /* [count] of the accelerations that are looked for */
    struct sluice_body_solution *solution;
    double *sum;              /* [terms][count] of the fluid's forces; work space of rounds */
    struct sluice_pose *pose; /* [count] of `now`, for contacts and moorings */
    double (*moored)[6];      /* [count] wrenches of these */
    struct sluice_moorings moorings;
    struct sluice_contacts *contacts;    /* NULL: none */
    struct sluice_snapshot_body *listed; /* [count] for snapshots */
    struct sluice_pose *moved;           /* [count] with the velocities at the end of the step */
    struct sluice_body_scales scales;
    double origin[3];               /* of the potential energy, m */
    double kinetic, potential;      /* J */
    double momentum[3], angular[3]; /* about the origin; kg m/s, kg m^2/s */
    double pull[3];                 /* of gravity and config->acceleration at n+1, m/s^2 */
    double driven_power;            /* of the pull without a potential, W */
    double fluid_power;             /* of the fluid on bodies at n+1, W */
    double elastic, dissipated;     /* of contacts and moorings at n+1: J; W, never negative */
    double shed, driven;            /* of contacts: J in this step, W; contact.h */
    struct sluice_contact_overlap deepest;  /* of all steps of this process */
    int warned_of_steps, warned_of_sinking; /* the log says so */
    int fresh;                              /* `rigid` has the accelerations that the state has */
    int64_t too_long;                       /* fixed steps that are longer than contacts bear */
    double least_step;                      /* the shortest step that those asked for, s */
    int64_t rounds, unsolved; /* solutions of all steps; steps whose last one still changed */
};

/* Bodies in their places at t = 0, with the velocities of their entries or of a snapshot. Errors:
 * memory. */
sluice_status sluice_bodies_create(struct sluice_bodies *b, const struct sluice_motions *motions,
                                   const struct sluice_rigid_body *body, int count,
                                   const double origin[3]);
void sluice_bodies_destroy(struct sluice_bodies *b);

/* A step to `time`: poses, and predicted velocities; the forces that do not depend on the fluid. dt
 * 0: the present ones. The threads of `team` share the bodies (NULL: the caller alone). */
void sluice_bodies_advance(struct sluice_bodies *b, double time, double dt, double dt_old,
                           double beta, struct sluice_threads *team);
/* Fills `rigid` from the poses, with these accelerations, and uploads it. Errors: a body too far
 * from the domain. */
sluice_status sluice_bodies_upload(struct sluice_bodies *b, struct sluice_backend *backend,
                                   const struct sluice_grid *g);

/* touch.c. The contacts of bodies with each other and with walls; borrows the arguments. Errors:
 * memory. */
sluice_status sluice_bodies_contacts(const struct sluice_config *config,
                                     const struct sluice_rigid_body *body, int count,
                                     const struct sluice_geometry *g,
                                     const struct sluice_motions *motions,
                                     struct sluice_contacts **contacts);
/* The same for these bodies. */
sluice_status sluice_bodies_add_contacts(struct sluice_bodies *b, const struct sluice_geometry *g,
                                         const struct sluice_motions *motions);
/* The forces of contacts at the poses that `advance` has found; dt: of the step. The threads of
 * `team` share the work (NULL: the caller alone). Errors: those of sluice_contacts_find. */
sluice_status sluice_bodies_touch(struct sluice_bodies *b, double time, double dt,
                                  struct sluice_threads *team);

/* contact_report.c. Before a run: warns of a body that sinks by more than a spacing at rest. */
void sluice_bodies_warn_soft(const struct sluice_config *config,
                             const struct sluice_rigid_body *body,
                             const struct sluice_contact_rest *rest,
                             struct sluice_warnings *warnings);

/* Counts a fixed step of dt (s) that is longer than contacts and moorings bear. */
void sluice_bodies_note_step(struct sluice_bodies *b, double dt);
/* contact_report.c. After a step: says once that contacts take shorter steps than the fluid (s),
 * and once that a body has sunk by more than a spacing. */
void sluice_bodies_watch_contacts(struct sluice_bodies *b, int64_t step, double time, double fluid,
                                  struct sluice_log *log);
/* At the end of a run: warns of overlaps over a quarter of dp, of accelerations that were not
 * found, and of steps that were too long. */
void sluice_bodies_report(const struct sluice_bodies *b, struct sluice_log *log);

/* solve.c. Adami's walls, after their pass: finds the accelerations of the bodies together with the
 * pressure at their walls, and stores it. */
sluice_status sluice_bodies_solve(struct sluice_bodies *b, struct sluice_backend *backend,
                                  const struct sluice_grid *g, struct sluice_set *walls,
                                  const struct wcsph_params *wcsph,
                                  const struct rigid_motion_params *motions);
/* The force of the fluid, from REACTION of the walls; then the accelerations. */
sluice_status sluice_bodies_collect(struct sluice_bodies *b, struct sluice_backend *backend,
                                    const struct sluice_grid *g, struct sluice_set *walls,
                                    const struct wcsph_params *wcsph,
                                    const struct rigid_motion_params *motions);
/* v, l to the end of the step; energies and momenta. first: there is no step before. */
void sluice_bodies_kick(struct sluice_bodies *b, double dt, int first);

/* Upper bounds of the speed (m/s) and the acceleration (m/s^2) of the particles of bodies in a step
 * of dt (s). A body that is held counts with the motion that it gets at its release. */
void sluice_bodies_limits(const struct sluice_bodies *b, double dt, double *speed,
                          double *acceleration);
/* An upper bound of the speed of a body's particles at the end of the step, m/s; likewise. */
double sluice_body_speed(const struct sluice_bodies *b, int body);
/* The longest time step that contacts bear, s; INFINITY: any. *body and *other (-1: a wall): the
 * two that limit it. */
double sluice_bodies_contact_step(const struct sluice_bodies *b, int *body, int *other);
/* The longest time step that contacts and moorings bear, s; INFINITY: any. */
double sluice_bodies_longest_step(const struct sluice_bodies *b);
/* The angular velocity (1/s) and its rate (1/s^2) of a body at the end of the step. */
void sluice_body_spin(const struct sluice_bodies *b, int body, double spin[3], double rate[3]);
/* body_tables.c. The bodies as snapshots list them, at the end of the step; borrowed, until the
 * next call. */
const struct sluice_snapshot_body *sluice_bodies_list(const struct sluice_bodies *b, int *count);
/* Whether all numbers are finite; *number: the first body that has others. */
int sluice_bodies_are_finite(const struct sluice_bodies *b, int *number);
#endif
