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
static char rows[1 << 21];
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
    begin(SLUICE_WAVE_ELEVATION);
    record(0.05, 0, 0);
    compare(0, 1e-6, "a record at the paddle");
    compare(5, 1e-6, "a record 5 m on");
}

int main(void)
{
    const int file = mkstemps(path, 4);
    if (file < 0)
        return 1;
    close(file);
    elevation();
    unlink(path);
    return done_testing();
}
