/* A model is a list of passes over the particles that makes a physics. It owns no particles. It
 * says which fields its sets need, runs between a step's sort and its second kick, and gives the
 * largest stable time step. */
#ifndef SLUICE_MODEL_MODEL_H
#define SLUICE_MODEL_MODEL_H
#include "backend/backend.h"
#include "bodies/bodies.h"
#include "kernels/types/lj_params.h"
#include "kernels/types/scalar_energy.h"
#include "core/timer.h"
#include "model/physics.h"

/* What carries wall particles, in the backend's memory: motions, if there are more than parameters
 * hold, then bodies. */
struct sluice_carriers {
    int listed;                  /* motions */
    int turns;                   /* one of them turns */
    struct sluice_rigid *motion; /* [listed] on the host */
    struct sluice_rigid *table;  /* [listed + bodies.count] */
};

struct sluice_model {
    const struct sluice_model_ops *ops;
    const struct sluice_physics *physics;      /* borrowed */
    struct sluice_set *set[SLUICE_TYPE_COUNT]; /* borrowed; not all may exist */
    struct sluice_timers *timers;              /* borrowed */
    struct sluice_threads *team;               /* of the host; borrowed; NULL: the caller alone */
    int energy;                                /* the energy budget is kept */
    unsigned sums;      /* of the queued step: those that passes make, SLUICE_SUM_BIT(...) */
    int reacts;         /* of the running step: compute the fluid's force on walls (REACTION) */
    double reach;       /* of a gas on several ranks: how far it may reach, m; else 0 */
    int64_t step;       /* the running one */
    int64_t first_born; /* the first id of newcomers: the largest of the start, plus 1 */
    double time;        /* end of the running step, s: moving walls are placed for it */
    double dt, dt_old;  /* of the running step and of the one before, s; dt 0: the present state */
    double sum[SLUICE_SUM_COUNT];     /* of the last force evaluation collected, over all passes */
    double beside[SLUICE_SUM_COUNT];  /* of the last one: what effects have summed without a pass */
    int64_t out_of_range;             /* terms of these sums, which then are NaN */
    void *table[SLUICE_EFFECT_COUNT]; /* data of physics->table, in the backend's memory */
    struct scalar_energy_params scalar_energy; /* of water and a gas, for reduce() */
    struct lj_params lj; /* Lennard-Jones: the pair loop begins the acceleration if lj.begins */
    struct sluice_carriers carriers;
    struct sluice_bodies bodies;
    int central_count;
    struct sluice_central central[SLUICE_CENTRAL_MAX];
};

/* The passes of one force evaluation. Backends write their sums: keep them in place until then. */
struct sluice_passes {
    int count_pairs; /* 1: count the pairs, which is slower; 0 in steps */
    int count, most;
    struct sluice_pass *pass; /* [most] */
};

/* The bounds of the time step: the largest speed (m/s) and acceleration (m/s^2) of the fluid, and
 * in a gas the rate (1/s) and the length (m) in struct sluice_summary. Zeroed: a fluid at rest. */
struct sluice_limits {
    double speed, acceleration, rate, length;
};

struct sluice_model_ops {
    const char *name;
    int (*passes)(const struct sluice_physics *p); /* in a step, at most */
    /* SLUICE_BIT(...) of the fields that a set of this type needs. */
    sluice_fields (*fields)(const struct sluice_physics *p, enum sluice_type type);
    /* Queues accelerations, rates and powers at the present positions; fills `passes`. a(n) becomes
     * ACCELERATION_OLD if the model keeps it. */
    sluice_status (*forces)(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g, struct sluice_passes *passes);
    /* After the second kick. NULL: nothing to do. */
    sluice_status (*finish)(struct sluice_model *m, struct sluice_backend *b,
                            const struct sluice_grid *g);
    /* The largest stable time step, s. */
    double (*time_step)(const struct sluice_model *m, const struct sluice_limits *limits);
};

/* Fills `m`; physics, sets and timers are the caller's. Errors: a central force too far from the
 * domain. */
sluice_status sluice_model_create(struct sluice_model *m, const struct sluice_physics *physics,
                                  const struct sluice_grid *g,
                                  struct sluice_set sets[SLUICE_TYPE_COUNT],
                                  struct sluice_timers *timers);

/* Bytes of the tables of `physics`; 0: it has none. */
int64_t sluice_model_table_bytes(const struct sluice_physics *physics);

/* Copies the tables of `physics` to the backend's memory, before the first forces; release frees
 * them. Errors: memory. */
sluice_status sluice_model_place_tables(struct sluice_model *m, struct sluice_backend *b);
void sluice_model_release_tables(struct sluice_model *m, struct sluice_backend *b);

/* The most passes of a step. */
int sluice_model_passes(const struct sluice_physics *physics);
/* Memory for `most` passes. */
sluice_status sluice_passes_create(struct sluice_passes *passes, int most);
void sluice_passes_destroy(struct sluice_passes *passes);

/* After the sync (or wait) of a force evaluation: adds up its passes in m->sum. */
void sluice_model_collect(struct sluice_model *m, const struct sluice_passes *passes);

/* moving_walls.c: the scales of the sums over the particles of bodies. */
void sluice_model_set_body_scales(struct sluice_model *m);

/* moving_walls.c: memory for the table of carriers, and the host's part of it. Errors: memory. */
sluice_status sluice_model_place_carriers(struct sluice_model *m, struct sluice_backend *b);
void sluice_model_release_carriers(struct sluice_model *m, struct sluice_backend *b);

/* The motions at m->time, and the table of carriers, which has those of the last
 * sluice_model_move_walls; without both no wall moves. Errors: a centre too far from the domain. */
struct rigid_motion_params;
sluice_status sluice_model_motions(const struct sluice_model *m, const struct sluice_grid *g,
                                   struct rigid_motion_params *params);

/* Moves the driven walls and their ghost nodes to m->time: bodies by a step of m->dt. With place 0,
 * sets only their velocities and accelerations. Errors: as above. */
sluice_status sluice_model_move_walls(struct sluice_model *m, struct sluice_backend *b,
                                      const struct sluice_grid *g, int place);

/* An upper bound of the distance that a particle of the moving walls goes in the step of dt from t,
 * m; 0 without any. */
double sluice_model_wall_distance(const struct sluice_model *m, double t, double dt);

/* Upper bounds of the speed (m/s) and acceleration (m/s^2) of the moving walls at time t, of bodies
 * in a step of dt from then; 0 without any. */
void sluice_model_wall_limits(const struct sluice_model *m, double t, double dt, double *speed,
                              double *acceleration);

/* Fills what reduce() needs for one of the model's sets; `r->origin` is the domain's corner. */
void sluice_model_describe(const struct sluice_model *m, const struct sluice_grid *g,
                           enum sluice_type type, struct sluice_reduce *r);

/* A gas: the widest support whose particles the search finds, m. It looks into the frames around,
 * at one image behind each wall, and as far as other ranks have sent particles. */
double sluice_gas_widest_support(const struct sluice_model *m, const struct sluice_grid *g);

/* The energy (J) and the momentum of a particle that comes or goes in a step of dt. The terms serve
 * all particles of the step. */
struct sluice_energy_terms {
    const struct sluice_model *model;
    int dimension;
    double dt, width[3], gravity[3]; /* s; m, of frames; m/s^2, 0 along periodic axes */
    struct sluice_place origin;
};
struct sluice_energy_terms sluice_model_energy_terms(const struct sluice_model *m,
                                                     const struct sluice_grid *g, double dt);
double sluice_model_energy_of(const struct sluice_energy_terms *c,
                              const struct sluice_listed_particle *p, double momentum[3]);

/* Lennard-Jones: the long-range corrections beyond the cutoff, energy a particle and pressure, at a
 * number density; 0 without pair.tail (Allen & Tildesley 2017, eq. 2.144 and 2.145; in 2-D the same
 * integrals). */
void sluice_lj_tail(const struct sluice_config *config, double density, double *energy,
                    double *pressure);

/* The sums that a step needs: powers, which are integrated; with energies, for a row, also those of
 * an instant. Without an energy budget only what is counted for the user. */
unsigned sluice_model_sums(const struct sluice_model *m, int energies);

/* For the models' own files. Queues a pass and keeps it; params NULL: those of WCSPH. */
sluice_status sluice_passes_interact(struct sluice_passes *passes, struct sluice_model *m,
                                     struct sluice_backend *b, const struct sluice_grid *g,
                                     struct sluice_pass pass);
struct body_force_params sluice_model_body_forces(const struct sluice_model *m);
/* The model of an enum sluice_model_name. */
const struct sluice_model_ops *sluice_model_ops_of(int model);
extern const struct sluice_model_ops sluice_model_wcsph, sluice_model_lj, sluice_model_gas;
#endif
