/* test: 0.1 s */
/* Tables of motions in CSV: the values read, the path through the rows, and the message for each
 * error. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "motion/motion_table.h"
#include "support/tap.h"

static char path[] = "/tmp/sluice-motion-tables-XXXXXX.csv";

static int interpolation;
static double filter;

static sluice_status read_table(struct sluice_motions *motions, const char *text)
{
    static struct sluice_motion motion;
    static struct sluice_config config;
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file))
        exit(1);
    motion = (struct sluice_motion){.kind = SLUICE_MOTION_TABLE,
                                    .file = "case.cfg",
                                    .line = 3,
                                    .interpolation = interpolation,
                                    .filter = filter};
    strcpy(motion.table, path);
    config = (struct sluice_config){.dimension = 2, .motion_count = 1, .motions = &motion};
    config.time.end = 2;
    return sluice_motions_read(motions, &config);
}

static void good(void)
{
    struct sluice_motions motions;
    struct sluice_displacement d;
    const sluice_status status = read_table(&motions, "\xEF\xBB\xBF# measured\n\n t , x,angle\r\n"
                                                      "0,0,0\r\n  # half way\n1, 0.5,-1\n2,1,-2");
    if (!ok(status == SLUICE_OK, "a byte order mark, comments, blanks, no end of the last line%s%s",
            status == SLUICE_OK ? "" : ": ", status == SLUICE_OK ? "" : sluice_message()))
        return;
    sluice_motions_at(&motions, 0, 1.5, &d);
    is_close(d.x[0], 0.75, 1e-15, "a straight line is a straight line: x");
    is_close(d.x[1], 0, 0, "y, which the table does not have");
    is_close(d.angle, -1.5, 1e-15, "angle");
    is_close(d.velocity[0], 0.5, 1e-15, "velocity");
    sluice_motions_destroy(&motions);
    is_int(read_table(&motions, "time,x\n0,0\n2,1\n"), SLUICE_OK, "the time may be called time");
    sluice_motions_at(&motions, 0, 1.5, &d);
    is_close(d.x[0], 0.75, 1e-15, "and is one");
    sluice_motions_destroy(&motions);
}

/* A gate that waits, moves within 0.1 s, and stops: rows of corners. */
static void corners(void)
{
    static const char gate[] = "t,x\n0,0\n1,0\n1.1,0.5\n2.5,0.5\n";
    struct sluice_motions motions;
    struct sluice_displacement d;
    double rest = 0, most = 0, least = 0;
    interpolation = SLUICE_INTERPOLATION_SPLINE;
    const sluice_status status = read_table(&motions, gate);
    ok(status == SLUICE_BAD_INPUT && strstr(sluice_message(), ":4: ") &&
           strstr(sluice_message(), "by 1.72 m in column x") &&
           strstr(sluice_message(), "interpolation = "),
       "a spline that overshoots: the row, by how much, and the key: %s", sluice_message());
    for (interpolation = SLUICE_INTERPOLATION_MONOTONE;
         interpolation <= SLUICE_INTERPOLATION_LINEAR; interpolation++) {
        if (!ok(read_table(&motions, gate) == SLUICE_OK, "interpolation %d", interpolation))
            return;
        for (double t = 0; t <= 2; t += 1e-3) {
            sluice_motions_at(&motions, 0, t, &d);
            rest = fmax(rest, t < 1 ? fabs(d.x[0]) : t > 1.1 ? fabs(d.x[0] - 0.5) : 0);
            least = fmin(least, d.x[0]);
            most = fmax(most, d.x[0]);
        }
        is_close(rest, 0, 1e-12, "at rest to 1 s and from 1.1 s on");
        ok(least >= -1e-12 && most <= 0.5 + 1e-12, "within the rows: %g to %g", least, most);
        sluice_motions_at(&motions, 0, 1.05, &d);
        is_close(d.x[0], 0.25, 1e-12, "half way at half time");
        is_close(d.velocity[0], interpolation == SLUICE_INTERPOLATION_LINEAR ? 5 : 7.5, 1e-9,
                 "its speed");
        sluice_motions_destroy(&motions);
    }
    interpolation = SLUICE_INTERPOLATION_SPLINE;
}

static char rows[1 << 16];

/* A sine of 100 rows a period that begins at its trough, with noise of +-n and a known spectrum. */
static void write_sine(double noise)
{
    size_t used = (size_t)snprintf(rows, sizeof rows, "t,x\n");
    for (int i = 0; i <= 220; i++)
        used += (size_t)snprintf(rows + used, sizeof rows - used, "%.17g,%.17g\n", 0.01 * i,
                                 -cos(2 * M_PI * 0.01 * i) + (i % 2 ? noise : -noise));
}

/* The spline's second derivative is that of the sine to (2 pi/100)^2/12 = 3.3e-4 of its amplitude;
 * the first interval, of which the rows do not tell the end's, to half a row's change. */
static void sine(void)
{
    const double omega = 2 * M_PI;
    struct sluice_motions motions;
    struct sluice_displacement d;
    double worst = 0, start = 0;
    write_sine(0);
    if (!ok(read_table(&motions, rows) == SLUICE_OK, "a sine as table: %s", sluice_message()))
        return;
    for (double t = 0; t <= 2; t += 1e-3) {
        sluice_motions_at(&motions, 0, t, &d);
        const double off = fabs(d.acceleration[0] / (omega * omega) - cos(omega * t));
        worst = t > 0.05 ? fmax(worst, off) : worst;
        start = fmax(start, off);
    }
    ok(worst < 8e-4, "its acceleration is the sine's: %.2g off", worst);
    ok(start < 4e-3, "and at the start, the trough: %.2g off", start);
    sluice_motions_destroy(&motions);
}

/* 1/(1 + (f/f_c)^4) of an oscillation, away from the ends. The noise has f = 50 Hz. */
static void low_pass(void)
{
    struct sluice_motions motions;
    struct sluice_displacement d;
    double kept = 0, noise = 0;
    write_sine(0.01);
    filter = 2;
    if (!ok(read_table(&motions, rows) == SLUICE_OK, "a filter: %s", sluice_message()))
        return;
    const struct sluice_track *track = &motions.track[0];
    for (int i = 60; i <= 160; i++) {
        const double mean = 0.25 * (track->value[i - 1][0] + 2 * track->value[i][0] +
                                    track->value[i + 1][0]);
        kept = fmax(kept, fabs(mean));
        noise = fmax(noise, fabs(track->value[i][0] - mean));
    }
    is_close(kept, 1 / (1 + pow(1 / filter, 4)), 2e-3,
             "the part of 1 Hz that a filter of 2 Hz keeps");
    ok(noise < 2e-3, "the noise of 0.01 is gone: %.2g left, a sine's own bend", noise);
    double moved = 0; /* to 1.6 s: the end of the table counts as straight */
    for (int i = 0; i <= 160; i++)
        moved = fmax(moved, fabs(track->value[i][0] + cos(2 * M_PI * 0.01 * i)));
    ok(moved > 0.05 && moved < 0.065, "the start, a trough, is not cut off: moved by %.3g", moved);
    ok(track->moved[0] >= moved - 0.01, "the farthest that a row moved: %.3g", track->moved[0]);
    sluice_motions_at(&motions, 0, 1, &d);
    ok(fabs(d.acceleration[0]) < 45, "no acceleration by noise: %.3g", d.acceleration[0]);
    sluice_motions_destroy(&motions);
    filter = 0;
}

static void wrong(void)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "is empty"},
        {"# nothing\n\n", "is empty"},
        {"t,x,w\n", ":1: column 'w' is unknown; there are x, y, angle, t or time"},
        {"t,x,time\n", ":1: column 'time' appears twice, as t or time"},
        {"t,x,z\n", ":1: column 'z' in a case of dimension 2"},
        {"t,x,x\n", ":1: column 'x' appears twice"},
        {"t\n0\n", ":1: it needs a column t or time (s), and one or more of"},
        {"t,x\n0,0\n1\n", ":3: number 2 of the row is missing"},
        {"t,x\n0,0\n1,nan\n", ":3: number 2 of the row is missing or is none"},
        {"t,x\n# a\n0,0\n1,2,3\n", ":4: '3"},
        {"t,x\n0,0\n2,1\n2,1\n", ":4: t = 2 is not after"},
        {"t,x\n0,0\n1,1e308\n2,0\n", ":3: column x is 1e+308; at most 1e+09"},
        {"t,x\n0,0\n", "has 1 rows, a motion needs two"},
        {"t,x\n1,0\n2,0\n", "begins at t = 1"},
        {"t,x\n0,0\n1,0\n", "ends at t = 1, before time.end = 2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct sluice_motions motions;
        const sluice_status status = read_table(&motions, wrong[i].text);
        const int said = strstr(sluice_message(), wrong[i].message) != NULL;
        ok(status == SLUICE_BAD_INPUT && said && !motions.config, "%s", wrong[i].message);
        if (!said)
            diag("said: %s", sluice_message());
        sluice_motions_destroy(&motions);
    }
}

int main(void)
{
    const int file = mkstemps(path, 4);
    if (file < 0)
        return 1;
    close(file);
    good();
    corners();
    sine();
    low_pass();
    wrong();
    unlink(path);
    return done_testing();
}
