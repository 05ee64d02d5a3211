/* test: 0.5 s */
/* Wave makers that read a spectrum or a record of the paddle: the spectrum's m0, the path; and the
 * message for each error. */
#include "wave_file.h"

/* --- A spectrum --- */

static void spectrum(void)
{
    static const char table[] = "f,S\n# two straight parts\n0.2,0\n0.5,0.002\n1.5,0\n2,0\n";
    struct sluice_motions motions;
    begin(SLUICE_WAVE_IRREGULAR);
    motion.wave.spectrum = SLUICE_SPECTRUM_FILE;
    for (int i = 0; i < 3; i++) {
        motion.wave.height = i == 1 ? 0.08 : 0;
        motion.wave.band_high = i == 2 ? 2 : INFINITY;
        if (!ok(read_motions(&motions, table) == SLUICE_OK, "a spectrum: %s", sluice_message()))
            return;
        const struct sluice_wave_maker *w = &motions.maker[0];
        /* The triangle's area; up to 1 Hz a quarter of its right half is missing. */
        const double all = 0.5 * 1.3 * 0.002, missing = i == 2 ? 0.5 * 0.5 * 0.001 : 0,
                     wanted = i == 1 ? 0.08 * 0.08 / 16 : all - missing;
        double m0 = 0, low = INFINITY, high = 0;
        for (int64_t k = 0; k < w->count; k++) {
            m0 += 0.5 * w->component[k].amplitude * w->component[k].amplitude;
            low = fmin(low, w->component[k].omega / (2 * pi));
            high = fmax(high, w->component[k].omega / (2 * pi));
        }
        is_close(m0, wanted, 1e-15, "m0");
        is_close(sluice_wave_maker_height(w), 4 * sqrt(wanted), 1e-14, "Hs");
        is_close(w->period, 2, 1e-15, "the period of its peak");
        is_close(w->cut, missing / all, 1e-14, "what the band cuts");
        ok(low >= 0.2 && high <= (i == 2 ? 1 : 1.5), "its band: %g to %g Hz", low, high);
        /* S is linear: half of the amplitude's square at half of the density. */
        const struct sluice_wave_component *c = w->component;
        const double ratio = (c[20].omega / (2 * pi) - 0.2) / (c[10].omega / (2 * pi) - 0.2);
        is_close(c[20].amplitude * c[20].amplitude / (c[10].amplitude * c[10].amplitude), ratio,
                 1e-12, "S between its rows");
        sluice_motions_destroy(&motions);
    }
    motion.wave.band_high = INFINITY;
    motion.period = 1 / 0.7;
    is_int(read_motions(&motions, table), SLUICE_OK, "a period within the next row");
    sluice_motions_destroy(&motions);
    motion.wave.kind = SLUICE_WAVE_FOCUSED;
    motion.period = 0;
    motion.wave.height = 0.05;
    motion.wave.focus_at = 5;
    motion.wave.focus_time = 40;
    is_int(read_motions(&motions, table), SLUICE_OK, "a focused group of a file's spectrum");
    double sum = 0;
    for (int64_t k = 0; k < motions.maker[0].count; k++)
        sum += motions.maker[0].component[k].amplitude;
    is_close(sum, 0.05, 1e-15, "has its crest");
    sluice_motions_destroy(&motions);
}

/* --- A record of a paddle --- */

static void path_of(const char *column, int paddle, double unit, const char *what)
{
    struct sluice_motions motions;
    double worst = 0, x, v, a;
    char text[40];
    begin(SLUICE_WAVE_PADDLE);
    motion.wave.paddle = paddle;
    motion.wave.hinge = paddle == SLUICE_PADDLE_FLAP ? 0.2 : 0;
    motion.wave.start = 3;
    snprintf(text, sizeof text, "%s, t", column);
    header(text);
    for (int i = 0; i <= 1000; i++) { /* 10 periods of 2 s, from rest to rest */
        const double t = 0.02 * i;
        row(unit * (column[0] == 'v' ? 0.05 * pi * sin(pi * t) : 0.05 * (1 - cos(pi * t))), t - 7);
    }
    if (!ok(read_motions(&motions, rows) == SLUICE_OK, "%s: %s", what, sluice_message()))
        return;
    const struct sluice_wave_maker *w = &motions.maker[0];
    for (double t = 4; t < 22; t += 0.0173) {
        const double put = 0.05 * (1 - cos(pi * (t - 3)));
        sluice_wave_maker_at(w, t, &x, &v, &a);
        worst = fmax(worst,
                     fabs(x - (column[0] == 'v' || column[0] == 'x' ? put : 0.8 * tan(put))));
    }
    ok(worst < 1e-7, "%s: off by %.2g m", what, worst);
    sluice_wave_maker_at(w, 2.9, &x, &v, &a);
    ok(x == 0 && v == 0 && a == 0, "%s: at rest before its first row", what);
    sluice_wave_maker_at(w, 23.1, &x, &v, &a);
    ok(fabs(x) < 1e-6 && v == 0 && a == 0, "%s: and after its last", what);
    is_close(sluice_wave_maker_end(w), 23, 1e-12, "which is there");
    sluice_motions_destroy(&motions);
}

static void paddles(void)
{
    struct sluice_motions motions;
    struct sluice_displacement d;
    path_of("x", SLUICE_PADDLE_PISTON, 1, "positions");
    path_of("v", SLUICE_PADDLE_PISTON, 1, "velocities");
    path_of("angle", SLUICE_PADDLE_FLAP, 1, "angles");
    path_of("degrees", SLUICE_PADDLE_FLAP, 180 / pi, "degrees");
    is_int(read_motions(&motions, rows), SLUICE_OK, "a flap's angle");
    sluice_motions_at(&motions, 0, 4, &d);
    is_close(d.angle, -0.1, 1e-6, "forwards is clockwise towards +x");
    char one[SLUICE_MOTION_DIGEST], other[SLUICE_MOTION_DIGEST];
    sluice_motions_digest(&motions, one);
    sluice_motions_destroy(&motions);
    path_of("x", SLUICE_PADDLE_PISTON, 1, "positions");
    is_int(read_motions(&motions, rows), SLUICE_OK, "another record");
    sluice_motions_digest(&motions, other);
    ok(strcmp(one, other) != 0, "has another digest: %s, %s", one, other);
    sluice_motions_destroy(&motions);
}

static void wrong_tables(void)
{
    begin(SLUICE_WAVE_IRREGULAR);
    motion.wave.spectrum = SLUICE_SPECTRUM_FILE;
    refused("f,s\n", ":1: column 's' is unknown; there are f, S");
    refused("f\n", ":1: it needs the columns f (Hz) and S");
    refused("f,S\n0.1,1\n0.2,-1\n0.3,0\n", ":3: S = -1 m^2/Hz");
    refused("f,S\n0.1,1\n0.1,1\n", ":3: f = 0.1 is not after");
    refused("f,S\n0.1,0\n0.2,0\n0.3,0\n", "column S is 0 in all rows");
    refused("f,S\n0.1,0\n0.2,0\n", "has 2 rows");
    refused("f,S\n0.0001,0.001\n0.5,0.002\n1,0\n", "band_low: the waves of");
    refused("f,S\n0.3,0\n0.5,9\n1,0\n", "file: waves of ");
    refused("f,S\n0,0.01\n0.5,0.002\n1,0\n", ":2: S is largest at f = 0 Hz");
    motion.period = 1;
    refused("f,S\n0.3,0\n0.5,0.002\n0.8,0\n",
            "period: the peak would be at 1 Hz, but that of /tmp/");
    begin(SLUICE_WAVE_PADDLE);
    motion.wave.paddle = SLUICE_PADDLE_FLAP;
    refused("t,degrees\n0,-5\n1,76\n2,0\n", ":3: the flap is 81 degrees from its first row");
    refused("t,angle\n0,0\n1,0.5\n2,30\n", "at most 80; is the angle in the unit that its");
    begin(SLUICE_WAVE_PADDLE);
    refused("t,x,v\n", ":1: it needs a column t or time (s), and one of x");
    refused("t,angle\n", ":1: column 'angle': a piston does not turn");
    refused("t,y\n", ":1: column 'y' is unknown; there are x, v, angle, degrees, t or time");
    refused("t,x\n0,0\n", "has 1 rows");
    refused("t,x\n0,0\n1,1\n2,2\n", ":2: the paddle begins at 1 m/s, of 1 m/s at most");
    motion.wave.ramp = 0.5;
    refused("t,x\n0,0\n1,1\n2,2\n", ":4: the paddle ends at 1 m/s, of 1 m/s at most: add rows");
    motion.wave.stop = 0.7;
    refused("t,x\n0,0\n1,1\n2,2\n", "stop: 0.7 s leaves no time for two ramps of 0.5 s");
    motion.wave.stop = 2;
    struct sluice_motions motions;
    is_int(read_motions(&motions, "t,x\n0,0\n1,1\n2,2\n"), SLUICE_OK, "a ramp and a stop");
    sluice_motions_destroy(&motions);
    strcpy(motion.table, "/tmp/none.csv");
    is_int(sluice_motions_read(&motions, &config), SLUICE_BAD_INPUT, "no file");
    ok(strstr(sluice_message(), "test.cfg:7: motions: 'paddle': file: /tmp/none.csv cannot be "),
       "%s", sluice_message());
}

int main(void)
{
    if (!open_file())
        return 1;
    spectrum();
    paddles();
    wrong_tables();
    unlink(path);
    return done_testing();
}
