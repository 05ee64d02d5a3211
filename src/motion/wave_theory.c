#include "motion/wave_theory.h"

#include <math.h>

/* Above this k d, exponentials of -2 k d are below rounding. */
static const double deep = 20;

double sluice_wave_number(double omega, double depth, double gravity)
{
    const double still = omega * omega * depth / gravity;
    double low = 0, high = fmax(still, sqrt(still)) + 1;
    for (int i = 0; i < 200; i++) {
        const double middle = (low + high) / 2;
        if (middle * tanh(middle) < still)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double sluice_wave_group_share(double kd)
{
    return kd > deep ? 0.5 : 0.5 * (1 + 2 * kd / sinh(2 * kd));
}

double sluice_wave_of_piston(double kd)
{
    const double s = sinh(kd);
    return kd > deep ? 2 : 4 * s * s / (sinh(2 * kd) + 2 * kd);
}

/* 4 sinh(k d)/(sinh 2 k d + 2 k d) times the integral of k f(s) cosh(k s) over the heights s above
 * the floor, f from 0 at the hinge to 1 at the surface. */
double sluice_wave_of_flap(double kd, double hinge)
{
    const double from = fmax(hinge, 0), lever = kd * (1 - hinge);
    if (kd > deep)
        return 2 * (1 - (1 - exp(kd * (from - 1))) / lever);
    return 4 * sinh(kd) / (sinh(2 * kd) + 2 * kd) *
           (sinh(kd) - (cosh(kd) - cosh(kd * from)) / lever);
}

double sluice_wave_second_crest(double kd, double a)
{
    const double c = 1 / tanh(kd);
    return fmin(a, 0.25 * kd * a * a * c * (3 * c * c - 1));
}

double sluice_wave_miche(double kd)
{
    return 0.142 * tanh(kd) * 2 * 3.14159265358979323846 / kd;
}

double sluice_wave_jonswap(double f, double peak, double gamma)
{
    const double ratio = peak / f, width = f > peak ? 0.09 : 0.07, off = (f / peak - 1) / width;
    return pow(ratio, 5) * exp(-1.25 * pow(ratio, 4)) * pow(gamma, exp(-0.5 * off * off));
}

struct sluice_solitary sluice_solitary_of(double height, double depth, double gravity,
                                          int boussinesq)
{
    const struct sluice_solitary s = {
        height, depth,
        sqrt(0.75 * height / (depth * depth * (boussinesq ? depth : depth + height))),
        sqrt(gravity * (depth + height))};
    return s;
}

double sluice_solitary_stroke(const struct sluice_solitary *s)
{
    return 2 * s->height / (s->beta * s->depth);
}

/* The water at the paddle moves as fast as the paddle, u = c eta/(d + eta). In theta = beta (c t -
 * x) that is dx/dtheta = eta/(beta d), so x = stroke/2 tanh(theta), and theta + H/d tanh(theta) =
 * beta c t. */
void sluice_solitary_paddle(const struct sluice_solitary *s, double phase, double *x, double *v,
                            double *a)
{
    const double steep = s->height / s->depth;
    double theta = phase / (1 + steep);
    for (int i = 0; i < 100; i++) {
        const double slope = 1 / (cosh(theta) * cosh(theta)),
                     step = (theta + steep * tanh(theta) - phase) / (1 + steep * slope);
        theta -= step;
        if (fabs(step) < 1e-15 * (1 + fabs(theta)))
            break;
    }
    const double eta = s->height / (cosh(theta) * cosh(theta)), full = s->depth + eta,
                 rate = s->beta * s->c * s->depth / full; /* of theta */
    *x = 0.5 * sluice_solitary_stroke(s) * tanh(theta);
    *v = s->c * eta / full;
    *a = s->c * s->depth / (full * full) * -2 * eta * tanh(theta) * rate;
}
