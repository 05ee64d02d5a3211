/* Waves of small amplitude over a level floor, and the paddles that make them. Lengths in any unit,
 * in double. d: depth of the water at rest. */
#ifndef SLUICE_MOTION_WAVE_THEORY_H
#define SLUICE_MOTION_WAVE_THEORY_H

/* k d of waves of this angular frequency (1/s): omega^2 = g k tanh(k d). */
double sluice_wave_number(double omega, double depth, double gravity);

/* Group velocity over celerity. */
double sluice_wave_group_share(double kd);

/* The amplitude of the waves of a piston or a flap over the amplitude of its horizontal
 * displacement at the surface (Biesel 1951; Dean & Dalrymple 1991, Water Wave Mechanics for
 * Engineers and Scientists, chapter 6). hinge: of a flap, its height above the floor over d, less
 * than 1; below the floor it is negative. */
double sluice_wave_of_piston(double kd);
double sluice_wave_of_flap(double kd, double hinge);

/* How much the second order of Stokes adds to the crest of waves of amplitude a, over d; a: over d.
 * At most a: of long waves it has no sense. */
double sluice_wave_second_crest(double kd, double a);
/* The height over d above which waves break: of regular waves of this k d (Miche 1944), and of
 * solitary ones (McCowan 1894). */
double sluice_wave_miche(double kd);
#define SLUICE_WAVE_MCCOWAN 0.78

/* H L^2/d^3, 8 pi^2/3, up to which waves are near sines: above it the bound second harmonic of long
 * waves makes a second crest (Madsen 1971, J. Geophys. Res. 76, 8672). */
#define SLUICE_WAVE_SPLIT 26.319

/* A spectrum over the frequency f (Hz) with its peak at `peak`, but for a factor: JONSWAP
 * (Hasselmann et al. 1973); gamma 1: Pierson & Moskowitz (1964). */
double sluice_wave_jonswap(double f, double peak, double gamma);

/* A solitary wave of height H and its paddle (Goring 1978; with Rayleigh's wave Guizien &
 * Barthelemy 2002). */
struct sluice_solitary {
    double height, depth; /* m */
    double beta, c;       /* 1/m, m/s */
};
struct sluice_solitary sluice_solitary_of(double height, double depth, double gravity,
                                          int boussinesq);

/* Its paddle moves while |beta c t| is less: all but 1e-5 of its stroke. */
#define SLUICE_SOLITARY_REACH 6.0

/* Place (m), velocity and acceleration of its paddle at beta c t = phase, which is 0 as the crest
 * passes; from -stroke/2 to stroke/2. */
void sluice_solitary_paddle(const struct sluice_solitary *s, double phase, double *x, double *v,
                            double *a);
double sluice_solitary_stroke(const struct sluice_solitary *s);
#endif
