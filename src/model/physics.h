/* The physics of a case, as the models need it: the config's choices and the numbers derived from
 * them. src/case fills it. SI units, double, host memory. */
#ifndef SLUICE_MODEL_PHYSICS_H
#define SLUICE_MODEL_PHYSICS_H
#include "kernels/types/gas_params.h"
#include "kernels/types/wcsph_params.h"
#include "bodies/rigid_body.h"
#include "config/config.h"
#include "motion/motion.h"

/* The effects of water, physics/effects.def. */
enum sluice_effect_id {
#define EFFECT(name, title) SLUICE_EFFECT_##name,
#include "physics/effects.def"
    SLUICE_EFFECT_COUNT
};

/* The data of an effect for a case: a head of its own type, and an array that the model copies to
 * the backend's memory. The case frees both. NULL: none. */
struct sluice_effect_table {
    void *head, *data;
    size_t bytes;                /* of data */
    void (*destroy)(void *head); /* NULL: free */
};

struct sluice_physics {
    const struct sluice_config *config; /* borrowed */
    struct wcsph_params wcsph;          /* model wcsph: everything derived (h, sound speed, ...) */
    struct gas_params gas;              /* model gas: likewise */
    struct wcsph_params second; /* of a second fluid; wcsph.second points here, or is NULL */
    double decay;               /* sum of the effects' fastest decays, 1/s; 0: none */
    struct sluice_effect_table table[SLUICE_EFFECT_COUNT];
    struct sluice_scales scales; /* of sums over the particles */
    struct sluice_motions motions;
    double *motion_reach; /* of each motion's particles from its axis, m */
    int walls_move;       /* 1: a motion carries some wall particle, or a body does */
    int body_count;
    struct sluice_rigid_body *bodies; /* [body_count] */
};

/* Whether the forces of the fluid on wall particles are asked for: by probes, or by bodies. */
static inline int sluice_physics_needs_forces(const struct sluice_physics *p)
{
    return p->body_count > 0 || sluice_config_probe_of(p->config, SLUICE_PROBE_FORCE) != NULL;
}

/* Upper bound of the speed of the particles of a motion at time t, m/s. */
double sluice_physics_motion_speed(const struct sluice_physics *p, int motion, double t);
/* The same of their acceleration, m/s^2. */
double sluice_physics_motion_acceleration(const struct sluice_physics *p, int motion, double t);
#endif
