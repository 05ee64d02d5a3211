/* The physics of a case, as the models need it: the config's choices and the numbers derived from
 * them. src/case fills it. SI units, double, host memory. */
#ifndef SLUICE_MODEL_PHYSICS_H
#define SLUICE_MODEL_PHYSICS_H
#include "kernels/types/wcsph_params.h"
#include "config/config.h"
#include "model/motion.h"

struct sluice_physics {
    const struct sluice_config *config; /* borrowed */
    struct wcsph_params wcsph;          /* model wcsph: everything derived (h, sound speed, ...) */
    struct wcsph_params second;        /* of a second fluid; wcsph.second points here, or is NULL */
    double viscous_rate;               /* the fastest decay by viscosity, 1/s; 0 without */
    double eddy_rate;                  /* the same by eddies of nu_t = 1 m^2/s */
    struct mixing_length_table mixing; /* host memory; no table without a mixing length */
    struct sluice_motions motions;
    double motion_reach[SLUICE_CONFIG_MOTIONS]; /* of each motion's particles from its axis, m */
    int walls_move;                             /* 1: a motion carries some wall particle */
    uint32_t first_wall_id;                     /* wall particles with ghost nodes: lowest id */
};

/* Upper bound of the speed of the particles of a motion at time t, m/s. */
double sluice_physics_motion_speed(const struct sluice_physics *p, int motion, double t);
#endif
