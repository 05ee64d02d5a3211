/* test: 0.1 s */
/* Theory of waves and their paddles, and the paths of wave makers: their derivatives, their start
 * and end at rest, the spectrum's m0, a focus. */
#include "wave_fixture.h"

/* The integral over the depth that gives a flap's waves, by Simpson's rule. */
static double flap_by_quadrature(double kd, double hinge)
{
    enum { N = 2000 };
    const double from = fmax(hinge, 0), step = (1 - from) / N;
    double sum = 0;
    for (int i = 0; i <= N; i++) {
        const double s = from + i * step, f = (s - hinge) / (1 - hinge);
        sum += (i == 0 || i == N ? 1 : i % 2 ? 4 : 2) * f * cosh(kd * s) * kd;
    }
    return 4 * sinh(kd) / (sinh(2 * kd) + 2 * kd) * sum * step / 3;
}

/* Dean & Dalrymple 1991, chapter 6: H/S = k d of a piston in shallow water, k d/2 of a flap, 2 in
 * deep water. */
static void theory(void)
{
    is_close(sluice_wave_of_piston(1e-2), 1e-2, 1e-5, "a piston in shallow water");
    is_close(sluice_wave_of_flap(1e-2, 0), 5e-3, 1e-5, "a flap in shallow water");
    is_close(sluice_wave_of_piston(15), 2, 1e-9, "a piston in deep water");
    for (int i = 0; i < 4; i++) {
        const double hinge = (const double[]){0, 0.4, -0.5, 0.9}[i];
        is_close(sluice_wave_of_flap(1.3, hinge), flap_by_quadrature(1.3, hinge), 1e-10,
                 "a flap with its hinge at a share of the depth");
        is_close(sluice_wave_of_flap(19.999, hinge), sluice_wave_of_flap(20.001, hinge), 2e-4,
                 "the same in deep water");
    }
    const double kd = sluice_wave_number(pi, 1, g);
    is_close(kd * tanh(kd), pi * pi / g, 1e-12, "the dispersion of waves");
    const double d = 1e-6, omega = sqrt(g * kd * tanh(kd)),
                 above = sqrt(g * (kd + d) * tanh(kd + d));
    is_close(sluice_wave_group_share(kd), (above - omega) / d / (omega / kd), 1e-5,
             "the group velocity is d omega/d k");
    double m0 = 0;
    for (int i = 0; i < 100000; i++)
        m0 += sluice_wave_jonswap(1e-3 + i * 1e-4, 1, 1) * 1e-4;
    is_close(m0, 0.2, 1e-4, "Pierson and Moskowitz: the integral of f^-5 exp(-5/4 f^-4), peak 1");
    is_close(sluice_wave_jonswap(1, 1, 3.3) / sluice_wave_jonswap(1, 1, 1), 3.3, 1e-12,
             "gamma is the enhancement of the peak");
}

static const struct sluice_track none;

static void begin(int kind, double height)
{
    begin_waves(kind);
    motion.period = kind == SLUICE_WAVE_SOLITARY ? 0 : 2;
    motion.wave.height = height;
    motion.wave.band_low = 0.6;
    motion.wave.band_high = 2.5;
}

static void check_path(const char *what)
{
    struct sluice_wave_maker w;
    double x, v, a, worst = 0, worst2 = 0, largest = 0, largest2 = 0;
    if (!is_int(sluice_wave_maker_create(&w, &config, &motion, &none), SLUICE_OK, what)) {
        diag("%s", sluice_message());
        return;
    }
    sluice_wave_maker_at(&w, motion.wave.start, &x, &v, &a);
    ok(fabs(x) < 1e-12, "%s: begins where the geometry has it", what);
    for (int i = -20; i < 400; i++) {
        const double t = motion.wave.start + 0.0731 * i, d = 1e-4;
        double low[3], high[3];
        sluice_wave_maker_at(&w, t, &x, &v, &a);
        sluice_wave_maker_at(&w, t - d, &low[0], &low[1], &low[2]);
        sluice_wave_maker_at(&w, t + d, &high[0], &high[1], &high[2]);
        worst = fmax(worst, fabs((high[0] - low[0]) / (2 * d) - v));
        worst2 = fmax(worst2, fabs((high[1] - low[1]) / (2 * d) - a));
        largest = fmax(largest, fabs(v));
        largest2 = fmax(largest2, fabs(a));
    }
    ok(worst < 1e-5 * largest && worst2 < 1e-4 * largest2,
       "%s: speed and acceleration are the path's: off by %.2g, %.2g", what, worst / largest,
       worst2 / largest2);
    for (int i = 0; i < 2; i++) {
        const double end = sluice_wave_maker_end(&w),
                     t = i == 0 ? motion.wave.start - 1e-9 : end + 1e-9;
        if (!isfinite(t))
            continue;
        sluice_wave_maker_at(&w, t, &x, &v, &a);
        ok(fabs(v) < 1e-4 * largest && fabs(a) < 1e-4 * largest2, "%s: at rest %s", what,
           i == 0 ? "before its start" : "at its end");
    }
    sluice_wave_maker_destroy(&w);
}

static void paths(void)
{
    begin(SLUICE_WAVE_REGULAR, 0.2);
    check_path("regular waves");
    motion.wave.start = 1.5;
    motion.wave.ramp = 1;
    motion.wave.stop = 20;
    motion.wave.order = 2;
    motion.phase = 0.7;
    motion.wave.gain = -1.5;
    check_path("regular waves of order 2 that stop");
    begin(SLUICE_WAVE_SOLITARY, 0.3);
    check_path("a solitary wave");
    motion.wave.theory = SLUICE_SOLITARY_BOUSSINESQ;
    motion.wave.start = 1;
    check_path("a solitary wave of Boussinesq");
    begin(SLUICE_WAVE_IRREGULAR, 0.1);
    check_path("irregular waves");
    motion.wave.paddle = SLUICE_PADDLE_FLAP;
    motion.wave.hinge = 0.3;
    check_path("irregular waves of a flap");
}

/* Where a motion carries a point of its paddle at the surface, beside the maker's own path. */
static void carried(int dimension, int paddle, int axis, double along_x, double along_y,
                    const char *what)
{
    struct sluice_motions motions;
    struct sluice_displacement d;
    const int up = dimension - 1;
    const double size = hypot(along_x, along_y), to[2] = {along_x / size, along_y / size};
    double x, v, a, point[3] = {2, 3, 0}, now[3];
    begin(SLUICE_WAVE_REGULAR, 0.2);
    config.dimension = dimension;
    config.gravity[1] = 0;
    config.gravity[up] = -g;
    motion.axis = axis;
    motion.wave.paddle = paddle;
    motion.wave.hinge = paddle == SLUICE_PADDLE_FLAP ? 0.2 : 0;
    motion.wave.direction[0] = along_x;
    motion.wave.direction[1] = along_y;
    memcpy(motion.centre, point, sizeof point);
    motion.centre[up] = 1.2; /* the floor is at 1, the surface at 2 */
    point[up] = 2;
    if (!is_int(sluice_motions_read(&motions, &config), SLUICE_OK, what))
        return;
    const double t = 5.3;
    sluice_wave_maker_at(&motions.maker[0], t, &x, &v, &a);
    sluice_motions_at(&motions, 0, t, &d);
    sluice_motions_carry(&motions, 0, &d, point, now);
    const double share = x / (paddle == SLUICE_PADDLE_FLAP ? 0.8 : 1e9),
                 wanted = x / sqrt(1 + share * share); /* a flap turns by atan(x/lever) */
    for (int c = 0; c < up; c++)
        is_close(now[c] - point[c], wanted * to[c], 1e-12, "its way along the waves");
    ok(fabs(x) > 1e-3, "and it moves, by %g m", x);
    sluice_motions_destroy(&motions);
}

static void directions(void)
{
    carried(2, SLUICE_PADDLE_PISTON, 2, 1, 0, "a piston in 2-D");
    carried(2, SLUICE_PADDLE_PISTON, 2, -2, 0, "towards -x");
    carried(3, SLUICE_PADDLE_PISTON, 2, 3, 4, "a piston askew in 3-D");
    carried(2, SLUICE_PADDLE_FLAP, 2, 1, 0, "a flap in 2-D");
    carried(2, SLUICE_PADDLE_FLAP, 2, -1, 0, "a flap towards -x");
    carried(3, SLUICE_PADDLE_FLAP, 1, 1, 0, "a flap about y");
    carried(3, SLUICE_PADDLE_FLAP, 1, -1, 0, "towards -x");
    carried(3, SLUICE_PADDLE_FLAP, 0, 0, 1, "a flap about x");
    carried(3, SLUICE_PADDLE_FLAP, 0, 0, -1, "towards -y");
}

/* The order that is chosen, and the displacement in twice the frequency. */
static void orders(void)
{
    struct sluice_wave_maker w;
    double second[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        const double height = (const double[]){0.1, 0.1, 0.3, 1e-4}[i];
        begin(SLUICE_WAVE_REGULAR, height);
        motion.period = (const double[]){2, 2, 8, 0.2}[i];
        motion.wave.paddle = i == 1 ? SLUICE_PADDLE_FLAP : SLUICE_PADDLE_PISTON;
        is_int(sluice_wave_maker_create(&w, &config, &motion, &none), SLUICE_OK, "regular waves");
        is_int(w.order, i < 2 ? 2 : 1, "its order where none is asked for");
        ok((hypot(w.second[0], w.second[1]) > 0) == (i < 2) && (w.free > 0) == (i < 3),
           "with a free second harmonic of %g", w.free);
        sluice_wave_maker_destroy(&w);
    }
    for (int i = 0; i < 2; i++) {
        begin(SLUICE_WAVE_REGULAR, 0.1);
        motion.wave.gain = i == 0 ? 1 : -2;
        is_int(sluice_wave_maker_create(&w, &config, &motion, &none), SLUICE_OK, "a gain");
        for (int c = 0; c < 2; c++)
            is_close(w.second[c], i == 0 ? w.second[c] : 4 * second[c], 1e-15,
                     "twice the waves turned round: four times the second order, in its phase");
        memcpy(second, w.second, sizeof second);
        sluice_wave_maker_destroy(&w);
    }
}

static void spectra(void)
{
    struct sluice_wave_maker w;
    double m0 = 0, crest = 0;
    begin(SLUICE_WAVE_IRREGULAR, 0.1);
    is_int(sluice_wave_maker_create(&w, &config, &motion, &none), SLUICE_OK, "a spectrum");
    int rising = 1;
    for (int64_t i = 0; i < w.count; i++) {
        m0 += 0.5 * w.component[i].amplitude * w.component[i].amplitude;
        rising &= i == 0 || w.component[i].omega > w.component[i - 1].omega;
    }
    is_close(m0, 0.01 / 16, 1e-15, "m0 is Hs^2/16");
    ok(rising && w.component[0].omega >= 0.6 * pi && w.component[w.count - 1].omega <= 2.5 * pi,
       "one frequency in each interval of the band");
    const double first = w.component[5].omega;
    sluice_wave_maker_destroy(&w);
    motion.wave.seed = 2;
    is_int(sluice_wave_maker_create(&w, &config, &motion, &none), SLUICE_OK, "another seed");
    ok(first != w.component[5].omega, "makes other waves");
    sluice_wave_maker_destroy(&w);
    begin(SLUICE_WAVE_FOCUSED, 0.05);
    motion.wave.focus_at = 10;
    motion.wave.focus_time = 30;
    is_int(sluice_wave_maker_create(&w, &config, &motion, &none), SLUICE_OK, "a focused group");
    double sum = 0;
    for (int i = 0; i < w.count; i++) {
        const struct sluice_wave_component *c = &w.component[i];
        crest += c->amplitude * cos(c->omega * 30 + c->phase - c->k * 10);
        sum += c->amplitude;
    }
    is_close(crest, 0.05, 1e-12, "its crests meet at the focus");
    is_close(sum, 0.05, 1e-12, "with the height asked for");
    sluice_wave_maker_destroy(&w);
    motion.wave.focus_time = 5;
    is_int(sluice_wave_maker_create(&w, &config, &motion, &none), SLUICE_BAD_INPUT,
           "a focus too early");
    ok(strstr(sluice_message(), "test.cfg:7: motions: 'paddle': focus_time: at 5 s") != NULL, "%s",
       sluice_message());
    sluice_wave_maker_destroy(&w);
}

static void refused(const char *text)
{
    struct sluice_wave_maker w;
    is_int(sluice_wave_maker_create(&w, &config, &motion, &none), SLUICE_BAD_INPUT, "refused");
    ok(strstr(sluice_message(), text) != NULL, "%s", sluice_message());
    sluice_wave_maker_destroy(&w);
}

static void refusals(void)
{
    begin(SLUICE_WAVE_REGULAR, 0.9);
    refused("height: waves of 0.9 m in 1 m of water break at the paddle: at most 0.6185 m (Miche");
    begin(SLUICE_WAVE_SOLITARY, 0.8);
    refused("at most 0.78 m (McCowan 1894)");
    begin(SLUICE_WAVE_SOLITARY, 0.3);
    motion.wave.gain = 2;
    refused("gain: 2: a solitary wave of 2 times the height is longer or shorter too");
    begin(SLUICE_WAVE_REGULAR, 0.3);
    motion.period = 8;
    motion.wave.order = 2;
    refused("is beyond the second order");
    begin(SLUICE_WAVE_REGULAR, 1e-4);
    motion.period = 0.2;
    motion.wave.order = 2;
    refused("order: k d = 100.6 is beyond the second order, which reaches to 50");
    begin(SLUICE_WAVE_REGULAR, 0.1);
    motion.wave.order = 1;
    motion.wave.paddle = SLUICE_PADDLE_FLAP;
    motion.wave.hinge = 0.95;
    refused("hinge: the flap would sway by 1.212 m at the surface, 0.05 m above its hinge");
    for (int i = 0; i < 2; i++) {
        begin(i ? SLUICE_WAVE_FOCUSED : SLUICE_WAVE_IRREGULAR, i ? 0.15 : 0.2);
        motion.wave.paddle = SLUICE_PADDLE_FLAP;
        motion.wave.hinge = i ? 0.7 : 0.6; /* its deviation is below the lever */
        motion.wave.focus_time = 30;
        refused("hinge: the flap would sway by ");
    }
    begin(SLUICE_WAVE_IRREGULAR, 0.3);
    motion.period = 0.5;
    refused("break at the paddle");
    begin(SLUICE_WAVE_REGULAR, 0.001);
    motion.period = 1e6;
    refused("times as long as the water is deep");
    begin(SLUICE_WAVE_REGULAR, 0.1);
    motion.wave.stop = 3;
    refused("stop: 3 s leaves no time for two ramps of 4 s after start");
    begin(SLUICE_WAVE_REGULAR, 0.1);
    config.gravity[0] = 1;
    refused("kind: a wave needs gravity along -y alone");
}

/* Of waves of finite height (Rienecker & Fenton 1981) it is right to the third order. */
static void crests(void)
{
    struct sluice_steady_wave wave;
    is_close(sluice_wave_second_crest(8, 0.01), 0.5 * 8 * 1e-4, 1e-6, "the crest in deep water");
    is_close(sluice_wave_second_crest(0.1, 0.2), 0.2, 0, "of long waves at most their amplitude");
    ok(sluice_steady_wave_of(0.02, 1.2, 0.4, 9.81, &wave), "a steady wave");
    const double kd = sluice_wave_number(2 * acos(-1) / 1.2, 0.4, 9.81),
                 second = 0.4 * sluice_wave_second_crest(kd, 0.01 / 0.4);
    is_close(sluice_steady_wave_at(&wave, 0) - 0.01, second, 0.1 * second,
             "above its amplitude as the second order has it");
}

int main(void)
{
    theory();
    crests();
    paths();
    directions();
    orders();
    spectra();
    refusals();
    return done_testing();
}
