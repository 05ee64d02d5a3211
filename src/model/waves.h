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
#endif
