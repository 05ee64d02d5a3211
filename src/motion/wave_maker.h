/* Wave makers: where a paddle is at a time. In double, on the host. Times are from the run's start;
 * the paddle begins at rest at `start`, with a ramp s^3 (10 - 15 s + 6 s^2) on its path. */
#ifndef SLUICE_MOTION_WAVE_MAKER_H
#define SLUICE_MOTION_WAVE_MAKER_H
#include <stdint.h>

#include "config/config.h"
#include "core/status.h"
#include "motion/steady_wave.h"
#include "motion/wave_theory.h"

/* One component: at the paddle the surface is amplitude cos(omega (t - start) + phase) above the
 * water at rest, and the paddle's displacement at the surface is stroke sin(...). */
struct sluice_wave_component {
    double amplitude, stroke; /* m */
    double omega, k, phase;   /* 1/s, 1/m, rad */
};

struct sluice_wave_maker {
    const struct sluice_wave_settings *of; /* borrowed; NULL: no wave maker */
    int64_t count;
    struct sluice_wave_component *component; /* [count] */
    double second;                           /* of a piston: displacement in 2 omega, m */
    long long order;                         /* 1 or 2 */
    double ramp, stop;                       /* s; stop: infinity if it never does */
    double lever;                            /* of a flap: from its hinge to the surface, m */
    double period, kd;                       /* at the peak; 0 of a solitary wave */
    struct sluice_steady_wave steady;        /* of regular waves; k 0: there is none */
    struct sluice_solitary solitary;
};

/* Prepares the wave maker of motion m, whose settings are borrowed. Errors, which name the motion:
 * a wave that breaks, a theory beyond its range, a focus that the slowest waves do not reach in
 * time, gravity that does not point down the last axis. */
sluice_status sluice_wave_maker_create(struct sluice_wave_maker *w,
                                       const struct sluice_config *config,
                                       const struct sluice_motion *m);
void sluice_wave_maker_destroy(struct sluice_wave_maker *w);

/* Displacement at the surface of the water at rest, along the waves, m, with its derivatives. */
void sluice_wave_maker_at(const struct sluice_wave_maker *w, double t, double *x, double *v,
                          double *a);

/* The surface over that at rest, m, which theory has at a distance (m, along the waves) from the
 * paddle at rest: a steady wave of finite height, a solitary wave, or the sum of components, each
 * with the ramp that has come so far at its group velocity. Without the bound waves of a spectrum,
 * and without reflection. */
double sluice_wave_maker_elevation(const struct sluice_wave_maker *w, double distance, double t);

/* The height of its waves, m: Hs of a spectrum, twice the crest of a focused group; and the height
 * at which they break. */
double sluice_wave_maker_height(const struct sluice_wave_maker *w);
double sluice_wave_maker_breaking(const struct sluice_wave_maker *w);

/* The speed of its first waves, m/s; and when the crest of a solitary wave is at the paddle, s. */
double sluice_wave_maker_front(const struct sluice_wave_maker *w);
double sluice_wave_maker_crest(const struct sluice_wave_maker *w);

/* Into how many times a look at all of its path until `end` (s) should divide. */
int64_t sluice_wave_maker_samples(const struct sluice_wave_maker *w, double end);

/* The time after which the paddle is at rest, s; infinity: never. */
double sluice_wave_maker_end(const struct sluice_wave_maker *w);
#endif
