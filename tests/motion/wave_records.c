/* test: 1 s */
/* Wave makers that read a file: a record of the surface comes back as the paddle that makes it, a
 * spectrum with its m0, a record of a paddle; and the message for each error. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "motion/motion_table.h"
#include "support/tap.h"

static const double pi = 3.14159265358979323846, g = 9.81;
static char path[] = "/tmp/sluice-wave-records-XXXXXX.csv";
static char rows[1 << 22];
static size_t used;
static struct sluice_config config;
static struct sluice_motion motion;

static void begin(int kind)
{
    memset(&config, 0, sizeof config);
    memset(&motion, 0, sizeof motion);
    config.dimension = 2;
    config.gravity[1] = -g;
    config.time.end = 100;
    config.motions = &motion;
    config.motion_count = 1;
    strcpy(motion.name, "paddle");
    strcpy(motion.file, "test.cfg");
    strcpy(motion.table, path);
    motion.line = 7;
    motion.kind = SLUICE_MOTION_WAVE;
    motion.wave = (struct sluice_wave_settings){.kind = kind,
                                                .depth = 1,
                                                .gamma = 3.3,
                                                .band_low = INFINITY,
                                                .band_high = INFINITY,
                                                .components = 200,
                                                .seed = 1,
                                                .gain = 1};
}

static void header(const char *text)
{
    used = (size_t)snprintf(rows, sizeof rows, "%s\n", text);
}

static void row(double a, double b)
{
    used += (size_t)snprintf(rows + used, sizeof rows - used, "%.17g,%.17g\n", a, b);
}

static sluice_status read_motions(struct sluice_motions *motions, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        exit(1);
    return sluice_motions_read(motions, &config);
}

/* --- A record of the surface --- */

/* Three waves: periods, amplitudes, phases. */
static const double period[] = {3, 2, 1.4}, amplitude[] = {0.02, 0.03, 0.01},
                    phase[] = {0.3, -1, 2};

static double surface(double t)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += amplitude[i] * cos(2 * pi / period[i] * t + phase[i]);
    return sum;
}

/* The paddle that makes them `way` further on, by linear theory. */
static double paddle(double t, double way, double *v)
{
    double sum = 0;
    *v = 0;
    for (int i = 0; i < 3; i++) {
        const double omega = 2 * pi / period[i], kd = sluice_wave_number(omega, 1, g),
                     stroke = amplitude[i] / sluice_wave_of_piston(kd),
                     angle = omega * t + phase[i] + kd * way;
        sum += stroke * sin(angle);
        *v += stroke * omega * cos(angle);
    }
    return sum;
}

static void record(double step, double jitter, double mean)
{
    header("# a gauge\nt, eta");
    for (int i = 0; i * step <= 210 + 1e-9; i++) {
        const double t = step * (i + (i % 2 && i * step < 209 ? jitter : 0));
        row(t + 5, mean + surface(t));
    }
}

/* The paddle's path off theory's, over the largest stroke, from 70 to 140 s. */
static void compare(double way, double most, const char *what)
{
    struct sluice_motions motions;
    double worst = 0, faster = 0;
    motion.wave.record_at = way;
    motion.wave.ramp = 40;
    motion.wave.start = way > 0 ? 20 : 0;
    if (!ok(read_motions(&motions, rows) == SLUICE_OK, "%s%s%s", what, ": ", sluice_message()))
        return;
    for (double t = 70; t < 140; t += 0.0731) {
        double x, v, a, wanted_v;
        const double wanted = paddle(t, way, &wanted_v);
        sluice_wave_maker_at(&motions.maker[0], motion.wave.start + t, &x, &v, &a);
        worst = fmax(worst, fabs(x - wanted));
        faster = fmax(faster, fabs(v - wanted_v));
    }
    ok(worst < most && faster < 10 * most, "%s: path and speed off by %.2g m, %.2g m/s", what,
       worst, faster);
    sluice_motions_destroy(&motions);
}

static void elevation(void)
{
    struct sluice_motions motions;
    begin(SLUICE_WAVE_ELEVATION);
    record(0.05, 0, 0);
    compare(0, 1e-6, "a record at the paddle");
    compare(5, 1e-6, "a record 5 m on");
    record(0.05, 0, 0.2);
    compare(5, 1e-6, "with a mean");
    is_int(read_motions(&motions, rows), SLUICE_OK, "its facts");
    const struct sluice_wave_record *r = &motions.maker[0].record;
    /* Of whole periods: 210 s are 70, 105 and 150. */
    is_close(r->mean, 0.2 + surface(0) / (double)r->rows, 1e-12, "the mean");
    is_close(r->height, 4 * sqrt(0.5 * (4 + 9 + 1) * 1e-4), 2e-4, "Hm0 is 4 sqrt(m0)");
    is_close(r->period, 2, 0.01, "Tp is the largest wave's");
    is_close(r->slow, 1 / 1.4, 0.02, "the slowest waves are the shortest");
    ok(r->cut < 1e-6, "nothing is cut: %.2g", r->cut);
    is_close(r->duration, 210, 1e-9, "duration");
    sluice_motions_destroy(&motions);
    /* The spline through rows at other times: (omega step)^4/720 of the shortest waves. */
    record(0.05, 0.3, 0);
    compare(5, 1e-5, "rows that are not as far apart");
    record(0.05, 0, 0);
    motion.wave.gain = -2;
    motion.wave.paddle = SLUICE_PADDLE_FLAP;
    motion.wave.hinge = 0.2;
    is_int(read_motions(&motions, rows), SLUICE_OK, "a flap");
    double x, v, a, wanted = 0;
    for (int i = 0; i < 3; i++) {
        const double omega = 2 * pi / period[i], kd = sluice_wave_number(omega, 1, g);
        wanted -= 2 * amplitude[i] / sluice_wave_of_flap(kd, 0.2) *
                  sin(omega * 100 + phase[i] + kd * motion.wave.record_at);
    }
    sluice_wave_maker_at(&motions.maker[0], motion.wave.start + 100, &x, &v, &a);
    is_close(x, wanted, 1e-6, "its displacement at the surface");
    sluice_motions_destroy(&motions);
}

/* The path is C2: its derivatives, at rest before the start and after the end. */
static void elevation_path(void)
{
    struct sluice_motions motions;
    double worst = 0, worst2 = 0, rest = 0;
    begin(SLUICE_WAVE_ELEVATION);
    record(0.05, 0, 0);
    motion.wave.start = 20;
    motion.wave.record_at = 5;
    if (!ok(read_motions(&motions, rows) == SLUICE_OK, "a record: %s", sluice_message()))
        return;
    const struct sluice_wave_maker *w = &motions.maker[0];
    for (int i = 0; i < 2500; i++) {
        const double t = 0.1003 * i, d = 1e-4;
        double x, v, a, low[3], high[3];
        sluice_wave_maker_at(w, t, &x, &v, &a);
        sluice_wave_maker_at(w, t - d, &low[0], &low[1], &low[2]);
        sluice_wave_maker_at(w, t + d, &high[0], &high[1], &high[2]);
        worst = fmax(worst, fabs((high[0] - low[0]) / (2 * d) - v));
        worst2 = fmax(worst2, fabs((high[1] - low[1]) / (2 * d) - a));
        if (t < w->start || t > sluice_wave_maker_end(w))
            rest = fmax(rest, fabs(x) + fabs(v) + fabs(a));
    }
    ok(worst < 1e-6 && worst2 < 1e-5, "speed and acceleration are the path's: off by %.2g, %.2g",
       worst, worst2);
    is_close(rest, 0, 0, "at rest before and after");
    ok(w->start > 10 && w->start < 20, "it begins %g s before the record", 20 - w->start);
    const double front = sluice_wave_maker_front(w);
    is_close(sluice_wave_maker_end(w), 20 + 210 - 5 / front, 1e-9, "and ends with its waves");
    sluice_motions_destroy(&motions);
}

/* What the paddle or the rows cannot have is cut: a wave of 0.4 s among rows of 0.15 s. */
static void cut(void)
{
    struct sluice_motions motions;
    begin(SLUICE_WAVE_ELEVATION);
    motion.wave.ramp = 10;
    header("t eta");
    for (int i = 0; i <= 1400; i++)
        row(0.15 * i, 0.03 * cos(pi * 0.15 * i) + 0.01 * cos(2 * pi / 0.4 * 0.15 * i));
    is_int(read_motions(&motions, rows), SLUICE_OK, "a record with short waves");
    is_close(motions.maker[0].cut, 0.1, 2e-3, "the fraction of m0 that is cut: 1 of 10");
    is_close(motions.maker[0].high, 1 / 0.6, 1e-9, "above waves of four rows");
    sluice_motions_destroy(&motions);
    config.spacing = 0.2; /* eight of them are a wave of 1.6 m */
    is_int(read_motions(&motions, rows), SLUICE_OK, "coarse particles");
    is_close(motions.maker[0].high, sqrt(g * 2 * pi / 1.6 * tanh(2 * pi / 1.6)) / (2 * pi), 1e-9,
             "above waves of eight spacings");
    sluice_motions_destroy(&motions);
    motion.wave.band_low = 0.9;
    motion.wave.band_high = 1.2;
    is_int(read_motions(&motions, rows), SLUICE_OK, "a band");
    is_close(motions.maker[0].high, 0.6, 5e-3, "over the peak");
    sluice_motions_destroy(&motions);
}

/* A long record is used as far as the run needs it: to its end, and two ramps. */
static void long_record(void)
{
    struct sluice_motions motions;
    char one[SLUICE_MOTION_DIGEST], other[SLUICE_MOTION_DIGEST];
    double most = 0;
    begin(SLUICE_WAVE_ELEVATION);
    header("t,eta");
    for (int i = 0; i < 70000; i++)
        row(0.01 * i, surface(0.01 * i));
    motion.wave.record_at = 5;
    motion.wave.start = 20;
    motion.wave.ramp = 10;
    config.time.end = 60;
    if (!ok(read_motions(&motions, rows) == SLUICE_OK, "a long record: %s", sluice_message()))
        return;
    sluice_motions_digest(&motions, one);
    is_int(motions.maker[0].record.rows, 8001, "60 s, and two ramps of 10 s");
    for (double t = 35, x, v, a; t < 60; t += 0.173) {
        sluice_wave_maker_at(&motions.maker[0], t, &x, &v, &a);
        most = fmax(most, fabs(x - paddle(t - 20, 5, &v)));
    }
    /* A ramp of 10 s spreads waves over 0.1 Hz: a thousandth of the stroke of 0.06 m. */
    ok(most < 1e-4, "moves until the run's end as theory has it, off by %.2g m", most);
    sluice_motions_destroy(&motions);
    config.time.end = 70;
    is_int(read_motions(&motions, rows), SLUICE_OK, "a longer run");
    sluice_motions_digest(&motions, other);
    ok(strcmp(one, other) != 0, "has another path, and another digest");
    sluice_motions_destroy(&motions);
}

/* A height probe's file: other columns may be empty. */
static void probe_file(void)
{
    struct sluice_motions motions;
    begin(SLUICE_WAVE_ELEVATION);
    header("# a probe\nstep,time,height,elevation");
    for (int i = 0; i <= 400; i++)
        used += (size_t)snprintf(rows + used, sizeof rows - used, "%d,%.17g,%s,%.17g\n", i,
                                 0.05 * i, i % 3 ? "" : "nan", surface(0.05 * i));
    motion.wave.ramp = 4;
    is_int(read_motions(&motions, rows), SLUICE_OK, "time and elevation");
    is_close(motions.maker[0].record.duration, 20, 1e-12, "the time is that of the column time");
    is_close(motions.maker[0].record.period, 2, 0.1, "the waves those of elevation");
    sluice_motions_destroy(&motions);
}

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

/* --- Errors --- */

static void refused(const char *text, const char *message)
{
    struct sluice_motions motions;
    const sluice_status status = read_motions(&motions, text);
    const int said = status == SLUICE_BAD_INPUT && strstr(sluice_message(), message) != NULL;
    if (!ok(said && !motions.config, "%s", message))
        diag("said: %s", status == SLUICE_OK ? "nothing" : sluice_message());
    sluice_motions_destroy(&motions);
}

/* A record of 16 s, with one row of another value, or without some. */
static const char *damaged(int at, double value, int missing)
{
    header("t,eta");
    for (int i = 0; i <= 320; i++)
        if (i < at || i >= at + missing)
            row(0.05 * i, i == at ? value : 0.02 * sin(pi * 0.05 * i));
    return rows;
}

static void wrong_records(void)
{
    begin(SLUICE_WAVE_ELEVATION);
    refused("", "is empty");
    refused("0,0\n1,0\n", ":1: column '0' is a number; the first line names the columns");
    refused("a,b\n", ":1: it needs a column t or time (s), and one of the surface");
    refused("t\n", ":1: it has no column but t");
    refused("t,near,far\n", "test.cfg:7: motions: 'paddle': column: missing: /tmp/");
    strcpy(motion.wave.column, "nera");
    refused("t,near,far\n", "has no column \"nera\": there are 3, the first is t");
    strcpy(motion.wave.column, "1");
    refused("t,near,far\n", "column: \"1\" is the time");
    strcpy(motion.wave.column, "");
    refused("t,eta\n0,0\n0.1,0\n0.1,0\n", ":4: t = 0.1 is not after the row before, t = 0.1");
    refused("t,eta\n0,0\n0.1,x\n", ":3: number 2 of the row is missing");
    refused("t,eta\n0,0\n0.1,\n", ":3: number 2 of the row is missing");
    refused("t,eta\n0,0\n0.1\n", ":3: the row has 1 cells, the header names 2 columns");
    refused("t eta\n0 0,\n0.1 0\n", ":2: number 1 of the row is missing or is none: '0 0'");
    refused("t,eta\n0,0,1\n", ":2: '1' after the last of 2 columns");
    refused("step,time,elevation\n0,0,0\n1,0,0\n", ":3: time = 0 is not after the row before");
    refused("t,eta\n0,0\n1,0\n", "has 2 rows, a record of waves needs 16");
    refused(damaged(200, 0.3, 0), ":202: the surface jumps from -0.00312869 to 0.3 m");
    refused(damaged(200, 0, 20), ":202: 1.05 s after the row before, the others are 0.05");
    refused(damaged(0, 0, 290), "no room for two ramps");
    motion.wave.record_at = 30;
    refused(damaged(-1, 0, 0), "motions: 'paddle': start: waves of ");
    motion.wave.record_at = 0;
    motion.wave.band_low = 0.005;
    refused(damaged(-1, 0, 0), "band_low: the waves of");
    motion.wave.band_low = INFINITY;
    motion.wave.band_low = 1.5;
    refused(damaged(-1, 0, 0), "band_low: 100% of the energy of /tmp/");
    motion.wave.band_low = INFINITY;
    motion.wave.paddle = SLUICE_PADDLE_FLAP;
    motion.wave.hinge = 0.8; /* the deviation is below the lever, the highest is not */
    refused(damaged(-1, 0, 0), "hinge: the flap would sway by ");
    motion.wave.paddle = SLUICE_PADDLE_PISTON;
    motion.wave.depth = 0.04;
    refused(damaged(-1, 0, 0), "file: waves of 0.05");
    motion.wave.depth = 1;
    header("t,eta");
    for (int i = 0; i < 400; i++)
        row(20 * i, 0.02 * sin(pi * 0.11 * i));
    refused(rows, "file: the rows of");
    header("t,eta");
    for (int i = 0; i < 40; i++)
        row(i, 0.3);
    refused(rows, "the surface does not move");
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
    refused("t,x,v\n", ":1: it needs a column t (s), and one of x");
    refused("t,angle\n", ":1: column 'angle': a piston does not turn");
    refused("t,y\n", ":1: column 'y' is unknown; there are x, v, angle, degrees, t");
    refused("t,x\n0,0\n", "has 1 rows");
    refused("t,x\n0,0\n1,1\n2,2\n", ":2: the paddle begins at 1 m/s, of 1 m/s at most");
    motion.wave.ramp = 0.5;
    refused("t,x\n0,0\n1,1\n2,2\n", ":4: the paddle ends at 1 m/s, of 1 m/s at most: add rows");
    motion.wave.stop = 0.7;
    refused("t,x\n0,0\n1,1\n2,2\n", "stop: 0.7 s leaves no room for two ramps of 0.5 s");
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
    const int file = mkstemps(path, 4);
    if (file < 0)
        return 1;
    close(file);
    elevation();
    elevation_path();
    cut();
    long_record();
    probe_file();
    spectrum();
    paddles();
    wrong_records();
    wrong_tables();
    unlink(path);
    return done_testing();
}
