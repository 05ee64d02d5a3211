/* A model is a list of passes over the particles that makes a physics. It owns no particles: it says which fields its sets need, what
 * runs in a step between the sort and the second kick, and what the result means. */
#ifndef SLUICE_MODEL_MODEL_H
#define SLUICE_MODEL_MODEL_H
#include "backend/backend.h"
#include "io/case.h"

struct sluice_model {
    const struct sluice_model_ops *ops;
    const struct sluice_case *setup;             /* borrowed */
    struct sluice_set *set[SLUICE_TYPE_COUNT];   /* borrowed; an empty set has count 0 */
    int energy;                                  /* sum the powers */
    double dt, dt_old;                           /* of the running step, s */
    double sum[SLUICE_SUM_COUNT];                /* of the last force evaluation, over all passes */
    struct sluice_central central[SLUICE_CENTRAL_MAX];
    int central_count;
    int pair;                                    /* SLUICE_PAIR_... of the main loop */
    double wall_seconds, pair_seconds;           /* of the last force evaluation */
};

struct sluice_model_ops {
    const char *name;
    /* SLUICE_BIT(...) of the fields that a set of this type needs. */
    unsigned (*fields)(const struct sluice_model *m, enum sluice_type type);
    /* Accelerations, rates and powers at the present positions; dt = 0 at the very start. */
    sluice_status (*forces)(struct sluice_model *m, struct sluice_backend *b, const struct sluice_grid *g);
    /* After the second kick: clamps and the like. */
    sluice_status (*finish)(struct sluice_model *m, struct sluice_backend *b, const struct sluice_grid *g);
    /* What reduce needs for the elastic and potential energy of a set. */
    void (*describe)(const struct sluice_model *m, struct sluice_reduce *r);
    /* The largest stable time step, s, from the largest speed (m/s) and acceleration (m/s^2) of the fluid. */
    double (*time_step)(const struct sluice_model *m, double max_speed, double max_acceleration);
};

/* Fills `m` for the case's model. */
sluice_status sluice_model_create(struct sluice_model *m, const struct sluice_case *c, const struct sluice_grid *g);
#endif
