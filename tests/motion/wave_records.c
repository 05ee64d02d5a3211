/* test: 1 s */
/* Wave makers that read a record of the surface: it comes back as the paddle that makes it; and the
 * message for each error. */
#include "wave_file.h"

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

/* The paddle that makes them `distance` further on, by linear theory. */
static double paddle(double t, double distance, double *v)
{
    double sum = 0;
    *v = 0;
    for (int i = 0; i < 3; i++) {
        const double omega = 2 * pi / period[i], kd = sluice_wave_number(omega, 1, g),
                     stroke = amplitude[i] / sluice_wave_of_piston(kd),
                     angle = omega * t + phase[i] + kd * distance;
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
static void compare(double distance, double most, const char *what)
{
    struct sluice_motions motions;
    double worst = 0, faster = 0;
    motion.wave.record_at = distance;
    motion.wave.ramp = 40;
    motion.wave.start = distance > 0 ? 20 : 0;
    if (!ok(read_motions(&motions, rows) == SLUICE_OK, "%s%s%s", what, ": ", sluice_message()))
        return;
    for (double t = 70; t < 140; t += 0.0731) {
        double x, v, a, wanted_v;
        const double wanted = paddle(t, distance, &wanted_v);
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
    refused(damaged(0, 0, 290), "no time for two ramps");
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

int main(void)
{
    if (!open_file())
        return 1;
    elevation();
    elevation_path();
    cut();
    long_record();
    probe_file();
    wrong_records();
    unlink(path);
    return done_testing();
}
