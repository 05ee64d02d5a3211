#include "motion/steady_wave.h"

#include <math.h>
#include <string.h>

#include "motion/wave_theory.h"

enum {
    N = SLUICE_STEADY_HARMONICS,
    SURFACE = 0,        /* heights of the surface from crest to trough, [N + 1] */
    STREAM = N + 1,     /* coefficients of the stream function, [N] */
    SPEED = STREAM + N, /* of the frame that moves with the wave, against the water */
    FLOW,               /* through a section, in that frame */
    HEAD,               /* of the surface */
    NUMBER,             /* k d */
    UNKNOWNS,
    STEPS = 4, /* of the height, from a low wave */
    ITERATIONS = 40
};
static const double pi = 3.14159265358979323846;
/* A series has ended where its last harmonic is less than this fraction of the first. */
static const double ended = 1e-3;

/* sinh and cosh of a y over cosh a, with their derivatives by y and by a. */
struct shape {
    double s, c, s_by_a, c_by_a;
};

static struct shape shape_at(double a, double y)
{
    const double up = exp(a * (y - 1)), down = exp(-a * (y + 1)), over = 1 + exp(-2 * a),
                 s = (up - down) / over, c = (up + down) / over, t = tanh(a);
    const struct shape f = {s, c, y * c - t * s, y * s - t * c};
    return f;
}

/* Row m of the conditions on the surface, in units of depth and gravity: a streamline, and the same
 * head. error[2], and its derivatives. */
static void surface_rows(const double u[UNKNOWNS], int m, double error[2],
                         double slope[2][UNKNOWNS])
{
    const double y = u[SURFACE + m], kd = u[NUMBER], angle = m * pi / N;
    double stream = 0, along = -u[SPEED], upward = 0, along_y = 0, upward_y = 0, stream_k = 0,
           along_k = 0, upward_k = 0, by[2][N];
    memset(slope, 0, 2 * sizeof *slope);
    for (int j = 1; j <= N; j++) {
        const struct shape f = shape_at(j * kd, y);
        const double b = u[STREAM + j - 1], cosine = cos(j * angle), sine = sin(j * angle),
                     jk = j * kd;
        stream += b * f.s * cosine;
        along += jk * b * f.c * cosine;
        upward += jk * b * f.s * sine;
        along_y += jk * jk * b * f.s * cosine;
        upward_y += jk * jk * b * f.c * sine;
        stream_k += j * b * f.s_by_a * cosine;
        along_k += j * b * (f.c + jk * f.c_by_a) * cosine;
        upward_k += j * b * (f.s + jk * f.s_by_a) * sine;
        slope[0][STREAM + j - 1] = f.s * cosine;
        by[0][j - 1] = jk * f.c * cosine;
        by[1][j - 1] = jk * f.s * sine;
    }
    error[0] = stream - u[SPEED] * y + u[FLOW];
    error[1] = 0.5 * (along * along + upward * upward) + y - u[HEAD];
    slope[0][SURFACE + m] = along;
    slope[0][SPEED] = -y;
    slope[0][FLOW] = 1;
    slope[0][NUMBER] = stream_k;
    for (int j = 0; j < N; j++)
        slope[1][STREAM + j] = along * by[0][j] + upward * by[1][j];
    slope[1][SURFACE + m] = along * along_y + upward * upward_y + 1;
    slope[1][SPEED] = -along;
    slope[1][HEAD] = -1;
    slope[1][NUMBER] = along * along_k + upward * upward_k;
}

/* All conditions; the last: at fixed places the water passes with omega = flow times k, as in the
 * wave's frame all of it moves at the mean by its flow. */
static void conditions(const double u[UNKNOWNS], double height, double omega,
                       double error[UNKNOWNS], double slope[UNKNOWNS][UNKNOWNS])
{
    enum { MEAN = 2 * (N + 1) };
    double mean = -1;
    for (int m = 0; m <= N; m++)
        surface_rows(u, m, &error[2 * m], &slope[2 * m]);
    memset(slope[MEAN], 0, 3 * sizeof *slope);
    for (int m = 0; m <= N; m++) {
        const double weight = (m == 0 || m == N ? 0.5 : 1.0) / N;
        mean += weight * u[SURFACE + m];
        slope[MEAN][SURFACE + m] = weight;
    }
    error[MEAN] = mean;
    error[MEAN + 1] = u[SURFACE] - u[SURFACE + N] - height;
    slope[MEAN + 1][SURFACE] = 1;
    slope[MEAN + 1][SURFACE + N] = -1;
    error[MEAN + 2] = u[FLOW] * u[NUMBER] - omega;
    slope[MEAN + 2][FLOW] = u[NUMBER];
    slope[MEAN + 2][NUMBER] = u[FLOW];
}

/* Solves a x = b by elimination with partial pivoting; a and b are lost. Returns 0 if a is
 * singular. */
static int solve(double a[UNKNOWNS][UNKNOWNS], double b[UNKNOWNS], double x[UNKNOWNS])
{
    for (int k = 0; k < UNKNOWNS; k++) {
        int pivot = k;
        for (int i = k + 1; i < UNKNOWNS; i++)
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        if (!(fabs(a[pivot][k]) > 0))
            return 0;
        for (int j = k; j < UNKNOWNS; j++) {
            const double swapped = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swapped;
        }
        const double swapped = b[k];
        b[k] = b[pivot];
        b[pivot] = swapped;
        for (int i = k + 1; i < UNKNOWNS; i++) {
            const double factor = a[i][k] / a[k][k];
            for (int j = k; j < UNKNOWNS; j++)
                a[i][j] -= factor * a[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = UNKNOWNS - 1; k >= 0; k--) {
        x[k] = b[k];
        for (int j = k + 1; j < UNKNOWNS; j++)
            x[k] -= a[k][j] * x[j];
        x[k] /= a[k][k];
    }
    return 1;
}

/* Newton's method. */
static int refine(double u[UNKNOWNS], double height, double omega)
{
    double error[UNKNOWNS], slope[UNKNOWNS][UNKNOWNS], change[UNKNOWNS];
    for (int i = 0; i < ITERATIONS; i++) {
        double most = 0;
        conditions(u, height, omega, error, slope);
        if (!solve(slope, error, change))
            return 0;
        for (int k = 0; k < UNKNOWNS; k++) {
            u[k] -= change[k];
            most = fmax(most, fabs(change[k]));
        }
        if (!isfinite(most))
            return 0;
        if (most < 1e-12)
            return u[NUMBER] > 0;
    }
    return 0;
}

int sluice_steady_wave_of(double height, double period, double depth, double gravity,
                          struct sluice_steady_wave *wave)
{
    const double omega = 2 * pi / period, own = omega * sqrt(depth / gravity),
                 kd = sluice_wave_number(omega, depth, gravity), first = height / depth / STEPS,
                 speed = own / kd;
    double u[UNKNOWNS] = {0};
    for (int m = 0; m <= N; m++)
        u[SURFACE + m] = 1 + 0.5 * first * cos(m * pi / N);
    u[STREAM] = 0.5 * first / sqrt(kd * tanh(kd));
    u[SPEED] = u[FLOW] = speed;
    u[HEAD] = 1 + 0.5 * speed * speed;
    u[NUMBER] = kd;
    for (int part = 1; part <= STEPS; part++)
        if (!refine(u, first * part, own))
            return 0;
    for (int j = 0; j <= N; j++) {
        double sum = 0;
        for (int m = 0; m <= N; m++)
            sum += (m == 0 || m == N ? 0.5 : 1) * u[SURFACE + m] * cos(m * j * pi / N);
        wave->amplitude[j] = depth * sum * (j == 0 || j == N ? 1.0 : 2.0) / N;
    }
    wave->amplitude[0] = 0;
    wave->k = u[NUMBER] / depth;
    return fabs(wave->amplitude[N]) < ended * fabs(wave->amplitude[1]);
}

double sluice_steady_wave_at(const struct sluice_steady_wave *wave, double phase)
{
    double sum = 0;
    for (int j = 1; j <= SLUICE_STEADY_HARMONICS; j++)
        sum += wave->amplitude[j] * cos(j * phase);
    return sum;
}
