/* The components of which a paddle makes its waves. */
#ifndef SLUICE_MOTION_WAVE_COMPONENTS_H
#define SLUICE_MOTION_WAVE_COMPONENTS_H
#include "config/config.h"

/* At the paddle the surface is amplitude cos(omega (t - start) + phase) above the water at rest,
 * and the paddle's displacement at the surface is stroke sin(...). */
struct sluice_wave_component {
    double amplitude, stroke; /* m */
    double omega, k, phase;   /* 1/s, 1/m, rad */
};

/* Gravity down the last axis of a case, m/s^2. */
double sluice_wave_gravity(const struct sluice_config *config);

/* The amplitude of the waves over that of the paddle's displacement at the surface, at this k d. */
double sluice_wave_gain(const struct sluice_wave_settings *s, double kd);

/* k d of waves of frequency f (Hz) in the water of the maker; gravity in m/s^2. */
double sluice_wave_kd(const struct sluice_wave_settings *s, double gravity, double f);

/* The component of these waves (m, 1/s, rad), whose stroke has the maker's gain. */
struct sluice_wave_component sluice_wave_component_of(const struct sluice_wave_settings *s,
                                                      double gravity, double amplitude,
                                                      double omega, double phase);

/* Its group velocity, m/s. */
double sluice_wave_component_speed(const struct sluice_wave_component *c, double depth);
#endif
