/* Steady waves of finite height over a level floor, in water that as a whole does not move, as in a
 * flume: the mean flow through a section is zero. In double. */
#ifndef SLUICE_MOTION_STEADY_WAVE_H
#define SLUICE_MOTION_STEADY_WAVE_H

enum { SLUICE_STEADY_HARMONICS = 20 };

struct sluice_steady_wave {
    double k;                                      /* 1/m */
    double amplitude[1 + SLUICE_STEADY_HARMONICS]; /* m, of the surface's harmonics; [0]: 0 */
};

/* The wave of this height (m) and period (s), by a Fourier series of the stream function (Rienecker
 * & Fenton 1981, J. Fluid Mech. 104, 119-137). Returns 0 if there is none: it would break, or is so
 * long that its series does not end. */
int sluice_steady_wave_of(double height, double period, double depth, double gravity,
                          struct sluice_steady_wave *wave);

/* Its surface over that at rest, m, at k x - omega t = phase; a crest is at 0. */
double sluice_steady_wave_at(const struct sluice_steady_wave *wave, double phase);
#endif
