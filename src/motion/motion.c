#include "motion/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = SLUICE_TRACK_COLUMNS, ANGLE = SLUICE_TRACK_ANGLE };

void sluice_motions_destroy(struct sluice_motions *motions)
{
    for (int i = 0; i < motions->count; i++) {
        sluice_track_destroy(&motions->track[i]);
        sluice_wave_maker_destroy(&motions->maker[i]);
    }
    sluice_track_destroy(&motions->shaken);
    free(motions->track);
    free(motions->maker);
    memset(motions, 0, sizeof *motions);
}

int sluice_motions_find(const struct sluice_config *config, const char *name)
{
    for (int i = 0; i < config->motion_count && name[0]; i++)
        if (strcmp(config->motions[i].name, name) == 0)
            return i;
    return -1;
}

/* --- At a time --- */

void sluice_motions_pull(const struct sluice_motions *motions, double t, double a[3])
{
    double now[COLUMNS], first[COLUMNS], second[COLUMNS];
    memcpy(a, motions->config->gravity, 3 * sizeof *a);
    if (motions->shaken.count == 0)
        return;
    sluice_track_at(&motions->shaken, t, now, first, second);
    for (int c = 0; c < motions->config->dimension; c++)
        a[c] += now[c];
}

void sluice_motions_largest_pull(const struct sluice_motions *motions, double most[3])
{
    const double end = motions->config->time.end;
    double a[3];
    sluice_motions_pull(motions, 0, most);
    for (int c = 0; c < 3; c++)
        most[c] = fabs(most[c]);
    for (int64_t k = 0; k < motions->shaken.count; k++) { /* it is straight between rows */
        sluice_motions_pull(motions, fmin(fmax(motions->shaken.t[k], 0), end), a);
        for (int c = 0; c < 3; c++)
            most[c] = fmax(most[c], fabs(a[c]));
    }
}

static void table_at(const struct sluice_track *track, double t, struct sluice_displacement *d)
{
    double value[COLUMNS], first[COLUMNS], second[COLUMNS], start[COLUMNS], unused[COLUMNS];
    sluice_track_at(track, 0, start, unused, unused);
    sluice_track_at(track, t, value, first, second);
    for (int c = 0; c < 3; c++) {
        d->x[c] = value[c] - start[c];
        d->velocity[c] = first[c];
        d->acceleration[c] = second[c];
    }
    d->angle = value[ANGLE] - start[ANGLE];
    d->spin = first[ANGLE];
    d->spin_rate = second[ANGLE];
}

static void sine_at(const struct sluice_motion *m, double t, struct sluice_displacement *d)
{
    const double omega = 2 * 3.14159265358979323846 / m->period, phase = omega * t + m->phase;
    const double value = sin(phase) - sin(m->phase), first = omega * cos(phase),
                 second = -omega * omega * sin(phase);
    for (int c = 0; c < 3; c++) {
        d->x[c] = m->amplitude[c] * value;
        d->velocity[c] = m->amplitude[c] * first;
        d->acceleration[c] = m->amplitude[c] * second;
    }
    d->angle = m->angle * value;
    d->spin = m->angle * first;
    d->spin_rate = m->angle * second;
}

void sluice_motions_wave_direction(const struct sluice_motions *motions, int i, double to[2])
{
    const struct sluice_motion *m = &motions->config->motions[i];
    const double *along = m->wave.direction, size = hypot(along[0], along[1]);
    const int y = motions->config->dimension == 3 && m->wave.paddle == SLUICE_PADDLE_FLAP &&
                  m->axis == 0;
    to[0] = size > 0 ? along[0] / size : !y;
    to[1] = size > 0 ? along[1] / size : y;
}

/* A flap turns about the axis that its waves are normal to, so that its displacement at the surface
 * is the maker's. */
static void wave_at(const struct sluice_motions *motions, int i, double t,
                    struct sluice_displacement *d)
{
    const struct sluice_motion *m = &motions->config->motions[i];
    const struct sluice_wave_maker *w = &motions->maker[i];
    double to[2], x, v, a;
    sluice_motions_wave_direction(motions, i, to);
    sluice_wave_maker_at(w, t, &x, &v, &a);
    if (m->wave.paddle == SLUICE_PADDLE_PISTON) {
        for (int c = 0; c < 2; c++) {
            d->x[c] = to[c] * x;
            d->velocity[c] = to[c] * v;
            d->acceleration[c] = to[c] * a;
        }
        return;
    }
    /* Anticlockwise about z (2-D) or x the top goes to -x or -y, about y to +x. */
    const int about_y = motions->config->dimension == 3 && m->axis == 1;
    const double sign = (to[0] + to[1]) * (about_y ? 1 : -1), u = x / w->lever, u1 = v / w->lever,
                 u2 = a / w->lever, below = 1 + u * u;
    d->angle = sign * atan(u);
    d->spin = sign * u1 / below;
    d->spin_rate = sign * (u2 / below - 2 * u * u1 * u1 / (below * below));
}

void sluice_motions_at(const struct sluice_motions *motions, int i, double t,
                       struct sluice_displacement *d)
{
    const struct sluice_motion *m = &motions->config->motions[i];
    memset(d, 0, sizeof *d);
    switch (m->kind) {
    case SLUICE_MOTION_LINEAR:
        for (int c = 0; c < 3; c++) {
            d->x[c] = t * (m->velocity[c] + 0.5 * t * m->acceleration[c]);
            d->velocity[c] = m->velocity[c] + t * m->acceleration[c];
            d->acceleration[c] = m->acceleration[c];
        }
        break;
    case SLUICE_MOTION_SINE:
        sine_at(m, t, d);
        break;
    case SLUICE_MOTION_ROTATION:
        d->angle = m->rate * t;
        d->spin = m->rate;
        break;
    case SLUICE_MOTION_WAVE:
        wave_at(motions, i, t, d);
        break;
    default:
        table_at(&motions->track[i], t, d);
    }
}

int sluice_motions_span(const struct sluice_motions *motions, int i, double *from, double *to)
{
    const struct sluice_motion *m = &motions->config->motions[i];
    const struct sluice_track *track = &motions->track[i];
    *from = m->kind == SLUICE_MOTION_TABLE ? track->t[0] : 0;
    *to = m->kind == SLUICE_MOTION_TABLE  ? track->t[track->count - 1]
          : m->kind == SLUICE_MOTION_SINE ? m->period
          : m->rate != 0                  ? fabs(2 * 3.14159265358979323846 / m->rate)
                                          : 0;
    return m->kind != SLUICE_MOTION_LINEAR && m->kind != SLUICE_MOTION_WAVE;
}

static int axis_of(const struct sluice_motions *motions, int i)
{
    return motions->config->dimension == 2 ? 2 : motions->config->motions[i].axis;
}

/* Turns y about the axis of a motion. */
static void turn(const struct sluice_motions *motions, int i, double angle, double y[3])
{
    const int axis = axis_of(motions, i), p = (axis + 1) % 3, q = (axis + 2) % 3;
    const double yp = y[p], yq = y[q];
    y[p] = cos(angle) * yp - sin(angle) * yq;
    y[q] = sin(angle) * yp + cos(angle) * yq;
}

void sluice_motions_carry(const struct sluice_motions *motions, int i,
                          const struct sluice_displacement *d, const double x[3], double out[3])
{
    const double *centre = motions->config->motions[i].centre;
    double y[3];
    for (int c = 0; c < 3; c++)
        y[c] = x[c] - centre[c];
    turn(motions, i, d->angle, y);
    for (int c = 0; c < 3; c++)
        out[c] = centre[c] + d->x[c] + y[c];
}

void sluice_motions_carry_back(const struct sluice_motions *motions, int i,
                               const struct sluice_displacement *d, const double x[3],
                               double out[3])
{
    const double *centre = motions->config->motions[i].centre;
    double y[3];
    for (int c = 0; c < 3; c++)
        y[c] = x[c] - centre[c] - d->x[c];
    turn(motions, i, -d->angle, y);
    for (int c = 0; c < 3; c++)
        out[c] = centre[c] + y[c];
}

void sluice_motions_acceleration(const struct sluice_motions *motions, int i,
                                 const struct sluice_displacement *d, const double x[3],
                                 double out[3])
{
    const struct sluice_motion *m = &motions->config->motions[i];
    const int axis = axis_of(motions, i), p = (axis + 1) % 3, q = (axis + 2) % 3;
    const double yp = x[p] - m->centre[p] - d->x[p], yq = x[q] - m->centre[q] - d->x[q];
    memcpy(out, d->acceleration, 3 * sizeof *out);
    out[p] -= d->spin * d->spin * yp + d->spin_rate * yq;
    out[q] -= d->spin * d->spin * yq - d->spin_rate * yp;
}

void sluice_motions_carry_box(const struct sluice_motions *motions, int i,
                              const struct sluice_displacement *d, double box[2][3],
                              double out[2][3])
{
    const int dimension = motions->config->dimension;
    for (int corner = 0; corner < 1 << dimension; corner++) {
        double x[3] = {0, 0, 0}, now[3];
        for (int a = 0; a < dimension; a++)
            x[a] = box[corner >> a & 1][a];
        sluice_motions_carry(motions, i, d, x, now);
        for (int a = 0; a < 3; a++) {
            out[0][a] = corner ? fmin(out[0][a], now[a]) : now[a];
            out[1][a] = corner ? fmax(out[1][a], now[a]) : now[a];
        }
    }
}
