/* test: 0.1 s */
/* Steady waves of finite height: Stokes' expansion where they are low, a published length where
 * they are not, the conditions on their surface, and waves that do not exist. */
#include <math.h>

#include "motion/steady_wave.h"
#include "motion/wave_maker.h"

#include "support/tap.h"

static const double pi = 3.14159265358979323846, g = 9.81;

/* Stokes 1847: a2 = k a^2/4 cosh kd (2 + cosh 2 kd)/sinh^3 kd. */
static void low_waves(void)
{
    for (double kd = 0.4; kd < 4; kd *= 2) {
        struct sluice_steady_wave w;
        const double depth = 0.7, k = kd / depth, height = 2e-4 * depth,
                     period = 2 * pi / sqrt(g * k * tanh(kd)), s = sinh(kd);
        ok(sluice_steady_wave_of(height, period, depth, g, &w), "a low wave, kd %g", kd);
        is_close(w.k, k, 1e-6 * k, "its wavenumber");
        is_close(w.amplitude[1], height / 2, 1e-6 * height, "its first harmonic");
        is_close(w.amplitude[2],
                 k * height * height / 16 * cosh(kd) * (2 + cosh(2 * kd)) / (s * s * s),
                 1e-3 * w.amplitude[2], "its second harmonic");
        is_close(sluice_steady_wave_at(&w, 0) - sluice_steady_wave_at(&w, pi), height,
                 1e-9 * height, "crest to trough");
    }
}

/* kd 1 by small waves, H/d 0.25: a wave in a flume is 1.04% longer than a low one (the same by a
 * program of its own with 24 harmonics and derivatives by complex steps). */
static void a_flume(void)
{
    struct sluice_steady_wave w;
    ok(sluice_steady_wave_of(0.1, 1.45371, 0.4, g, &w), "a wave of a quarter of the depth");
    is_close(w.k, 2.474435316, 1e-8, "its wavenumber");
    is_close(w.amplitude[1], 0.04845186, 1e-7, "its first harmonic");
    is_close(w.amplitude[3], 0.00147612, 1e-7, "its third harmonic");
    double mean = 0;
    for (int i = 0; i < 64; i++)
        mean += sluice_steady_wave_at(&w, 2 * pi * i / 64) / 64;
    is_close(mean, 0, 1e-12, "it lies about the water at rest");
    ok(!sluice_steady_wave_of(0.36, 1.45371, 0.4, g, &w), "a wave that breaks is none");
    ok(!sluice_steady_wave_of(0.05, 60, 0.4, g, &w), "nor is a tide");
}

/* A solitary wave at its paddle is as fast as the paddle: v = c eta/(d + eta) (Goring 1978). */
static void solitary_at_paddle(const struct sluice_wave_maker *w)
{
    double worst = 0;
    for (int i = -20; i <= 20; i++) {
        const double t = sluice_wave_maker_crest(w) + 0.05 * i;
        double x, v, a;
        sluice_wave_maker_at(w, t, &x, &v, &a);
        const double eta = sluice_wave_maker_elevation(w, x, t);
        worst = fmax(worst, fabs(v - w->solitary.c * eta / (w->of->depth + eta)));
    }
    ok(worst < 1e-9, "the paddle is as fast as a solitary wave where it is: %g m/s", worst);
}

/* Theory at a gauge: regular waves with their ramp, a solitary crest, the sum of a spectrum. */
static void gauges(void)
{
    struct sluice_config config = {.dimension = 2, .gravity = {0, -g, 0}};
    struct sluice_motion m = {.name = "maker",
                              .file = "case",
                              .period = 1.45371,
                              .wave = {.depth = 0.4,
                                       .height = 0.1,
                                       .gain = 1,
                                       .components = 100,
                                       .gamma = 3.3,
                                       .band_low = 0.6,
                                       .band_high = 2.5,
                                       .seed = 1,
                                       .direction = {1, 0, 0}}};
    const struct sluice_track none = {0};
    struct sluice_wave_maker w;
    ok(sluice_wave_maker_create(&w, &config, &m, &none) == SLUICE_OK, "a maker of regular waves");
    const double at = 3 * 2 * pi / w.steady.k, late = 40 * w.period;
    is_close(sluice_wave_maker_elevation(&w, at, late), sluice_steady_wave_at(&w.steady, 0), 1e-9,
             "after whole periods and at whole lengths there is a crest");
    ok(sluice_wave_maker_elevation(&w, at, at / sluice_wave_maker_front(&w)) == 0,
       "nothing before the front");
    sluice_wave_maker_destroy(&w);
    m.wave.gain = -1;
    ok(sluice_wave_maker_create(&w, &config, &m, &none) == SLUICE_OK, "the paddle turned round");
    is_close(sluice_wave_maker_elevation(&w, at, late), sluice_steady_wave_at(&w.steady, pi), 1e-9,
             "makes troughs of crests");
    sluice_wave_maker_destroy(&w);
    m.wave.gain = 1;
    m.wave.kind = SLUICE_WAVE_IRREGULAR;
    ok(sluice_wave_maker_create(&w, &config, &m, &none) == SLUICE_OK, "a maker of a spectrum");
    double square = 0;
    enum { TIMES = 20000 };
    for (int i = 0; i < TIMES; i++) {
        const double eta = sluice_wave_maker_elevation(&w, 4, 100 + 0.1 * i);
        square += eta * eta / TIMES;
    }
    is_close(4 * sqrt(square), 0.1, 0.003, "its Hs at a gauge");
    sluice_wave_maker_destroy(&w);
    m.wave.kind = SLUICE_WAVE_SOLITARY;
    ok(sluice_wave_maker_create(&w, &config, &m, &none) == SLUICE_OK, "a maker of a solitary wave");
    is_close(sluice_wave_maker_elevation(&w, 5, sluice_wave_maker_crest(&w) + 5 / w.solitary.c),
             0.1, 1e-12, "its crest at a gauge");
    solitary_at_paddle(&w);
    sluice_wave_maker_destroy(&w);
}

int main(void)
{
    low_waves();
    a_flume();
    gauges();
    return done_testing();
}
