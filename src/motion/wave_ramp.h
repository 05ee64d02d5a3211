/* The ramp with which paddles begin and end. */
#ifndef SLUICE_MOTION_WAVE_RAMP_H
#define SLUICE_MOTION_WAVE_RAMP_H

/* From 0 at s = 0 to 1 at s = 1, without a jump of the second derivative. */
static inline double sluice_wave_rise(double s)
{
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return s * s * s * (10 - 15 * s + 6 * s * s);
}
#endif
