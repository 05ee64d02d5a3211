/* A model is a list of passes over the particles that makes a physics. It owns no particles: it
 * says which fields its sets need, what runs in a step between the sort and the second kick, and
 * what the result means. */
#ifndef SLUICE_MODEL_MODEL_H
#define SLUICE_MODEL_MODEL_H
#include "backend/backend.h"
#include "kernels/types/lj_params.h"
#include "core/timer.h"
#include "model/physics.h"

struct sluice_model {
    const struct sluice_model_ops *ops;
    const struct sluice_physics *physics;      /* borrowed */
    struct sluice_set *set[SLUICE_TYPE_COUNT]; /* borrowed; count 0: no such particles */
    struct sluice_timers *timers;              /* borrowed */
    int energy;                                /* sum the powers */
    int pair_energy;   /* of the step that is queued: sum the energy of pairs. It follows from where
                          they are; unlike powers nobody needs it of every step */
    int reacts;        /* the running step: what the fluid does to walls is wanted (REACTION) */
    double time;       /* of the running step's end, s: where the moving walls are */
    double dt, dt_old; /* of the running step and of the one before, s; dt 0: the present state */
    double sum[SLUICE_SUM_COUNT]; /* of the last force evaluation collected, over all passes */
    struct lj_params lj; /* of a Lennard-Jones fluid: begins the acceleration where it can */
    int central_count;
    struct sluice_central central[SLUICE_CENTRAL_MAX];
};

/* The passes of one force evaluation. They stay where they are until their sums have come back. */
enum { SLUICE_PASSES_MAX = 5 };
struct sluice_passes {
    int count_pairs; /* each counts its pairs, which is slower; 0 in steps */
    int count;
    struct sluice_pass pass[SLUICE_PASSES_MAX];
};

struct sluice_model_ops {
    const char *name;
    /* SLUICE_BIT(...) of the fields that a set of this type needs. */
    unsigned (*fields)(const struct sluice_model *m, enum sluice_type type);
    /* Queues accelerations, rates and powers at the present positions; fills `passes`. a(n) becomes
     * ACCELERATION_OLD where the model keeps it. */
    sluice_status (*forces)(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_passes *passes);
    /* After the second kick. NULL: nothing to do. */
    sluice_status (*finish)(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g);
    /* The largest stable time step, s, from the largest speed (m/s) and acceleration (m/s^2) of the
     * fluid. */
    double (*time_step)(const struct sluice_model *m, double max_speed, double max_acceleration);
};

/* Fills `m`; physics, sets and timers are the caller's. Errors: more central forces than
 * SLUICE_CENTRAL_MAX. */
sluice_status sluice_model_create(struct sluice_model *m, const struct sluice_physics *physics,
                                  const struct sluice_grid *g,
                                  struct sluice_set sets[SLUICE_TYPE_COUNT],
                                  struct sluice_timers *timers);

/* After the sync (or wait) of a force evaluation: adds up its passes in m->sum. */
void sluice_model_collect(struct sluice_model *m, const struct sluice_passes *passes);

/* The motions at m->time; count 0: no wall moves. Errors: a body that is farther away than places
 * reach. */
struct rigid_motion_params;
sluice_status sluice_model_motions(const struct sluice_model *m, const struct sluice_grid *g,
                                   struct rigid_motion_params *params);

/* Puts the walls that move, and their ghost nodes, where their motions have them at m->time; place
 * 0: only their velocities and accelerations. Errors: as above. */
sluice_status sluice_model_move_walls(const struct sluice_model *m, struct sluice_backend *b,
                                      const struct sluice_grid *g, int place);

/* Upper bounds of the speed (m/s) and acceleration (m/s^2) of the walls that move, at time t; 0
 * where none does. */
void sluice_model_wall_limits(const struct sluice_model *m, double t, double *speed,
                              double *acceleration);

/* For the models' own use: queues a pass and keeps it. */
sluice_status sluice_passes_interact(struct sluice_passes *passes, struct sluice_backend *b,
                                     const struct sluice_grid *g, const struct sluice_pass *pass);

/* What reduce() needs to know of the model for one of its sets; `r->origin` is the domain's corner.
 */
void sluice_model_describe(const struct sluice_model *m, const struct sluice_grid *g,
                           enum sluice_type type, struct sluice_reduce *r);

/* Lennard-Jones: the long-range corrections beyond the cutoff, energy a particle and pressure, at a
 * number density; 0 unless asked for by pair.tail (Allen & Tildesley 2017, eq. 2.144 and 2.145; in
 * 2-D the same integrals). */
void sluice_lj_tail(const struct sluice_config *config, double density, double *energy,
                    double *pressure);

extern const struct sluice_model_ops sluice_model_wcsph, sluice_model_lj;

/* The body forces of the case, and what starts ACCELERATION of the fluid with them, first of a
 * model's passes. Water starts with its prediction, or with its pair loop. */
struct body_force_params sluice_model_body_forces(const struct sluice_model *m);
sluice_status sluice_model_body_force(struct sluice_model *m, struct sluice_backend *b,
                                      const struct sluice_grid *g);
#endif
