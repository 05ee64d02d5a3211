/* Waves that are lower than a few spacings, which the lattice stiffens. */
#ifndef SLUICE_MODEL_WAVES_H
#define SLUICE_MODEL_WAVES_H
#include "core/warnings.h"
#include "geometry/geometry.h"
#include "motion/motion.h"

/* Water at the start, with gravity down the last axis. */
struct sluice_waves_setup {
    const struct sluice_geometry *g;
    const struct sluice_motions *motions;
    double low, high, gravity; /* m, m, m/s^2 */
};

/* Warns of initial gravity waves, and of paddles whose waves are lower than 4 spacings: with the
 * error of the period to expect. */
void sluice_waves_warn(const struct sluice_waves_setup *setup, struct sluice_warnings *warnings);

/* The height of the waves of a paddle over its stroke at the surface, in water with the product k d
 * of wave number and depth: a piston, or a flap that is hinged on the floor (Dean & Dalrymple 1991,
 * Water Wave Mechanics for Engineers and Scientists, chapter 6). */
double sluice_waves_of_paddle(double kd, int is_flap);

/* k d of waves of this period (s) in this depth (m). */
double sluice_waves_number(double period, double depth, double gravity);
#endif
