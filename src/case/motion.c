#include "case/motion.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/read_csv.h"

/* Columns of a table after t: x, y, z, angle. */
enum { COLUMNS = 4, ANGLE = 3 };
static const char *const column_name[COLUMNS] = {"x", "y", "z", "angle"};

/* Rows of a table; the second derivatives of the spline through them. */
struct track {
    int64_t count, capacity;
    double *t;                 /* [count] ascending */
    double (*value)[COLUMNS];  /* m, rad */
    double (*second)[COLUMNS]; /* m/s^2, rad/s^2 */
};

struct sluice_motions {
    const struct sluice_config *config;
    struct track *track; /* [motion_count]; empty where the motion has no table */
};

/* --- Tables --- */

struct table_reader {
    struct sluice_rows rows;
    int dimension;
    int column[COLUMNS + 1], columns; /* what stands in each place: -1 t, or its number */
};

static sluice_status read_header(struct table_reader *r)
{
    unsigned seen = 0;
    int time = 0;
    const int any = sluice_rows_next(&r->rows);
    SLUICE_TRY(sluice_rows_end(&r->rows));
    SLUICE_CHECK(any, SLUICE_BAD_INPUT,
                 "%s: is empty; a line with the names of the columns comes first, as t,x",
                 r->rows.path);
    for (char *rest, *name = strtok_r(r->rows.text, ", \t\r\n", &rest); name;
         name = strtok_r(NULL, ", \t\r\n", &rest)) {
        int c = strcmp(name, "t") == 0 ? -1 : 0;
        while (c >= 0 && c < COLUMNS && strcmp(name, column_name[c]) != 0)
            c++;
        SLUICE_CHECK(c < COLUMNS, SLUICE_BAD_INPUT,
                     "%s:%lld: column '%.60s' is unknown; there are t, x, y, z, angle",
                     r->rows.path, r->rows.line, name);
        SLUICE_CHECK(c != 2 || r->dimension == 3, SLUICE_BAD_INPUT,
                     "%s:%lld: column 'z' in a case of dimension 2; remove it", r->rows.path,
                     r->rows.line);
        SLUICE_CHECK(c < 0 ? !time : !(seen & 1u << c), SLUICE_BAD_INPUT,
                     "%s:%lld: column '%s' appears twice", r->rows.path, r->rows.line, name);
        time |= c < 0;
        seen |= c < 0 ? 0 : 1u << c;
        r->column[r->columns++] = c;
    }
    SLUICE_CHECK(time && seen, SLUICE_BAD_INPUT,
                 "%s:%lld: it needs a column t and one or more of x, y, z, angle", r->rows.path,
                 r->rows.line);
    return SLUICE_OK;
}

static sluice_status read_row(struct table_reader *r, double *t, double value[COLUMNS])
{
    char *rest = r->rows.text;
    for (int k = 0; k < r->columns; k++) {
        char *end;
        const double x = strtod(rest, &end);
        SLUICE_CHECK(end != rest && isfinite(x), SLUICE_BAD_INPUT,
                     "%s:%lld: number %d of the row is missing or is none; the header names %d "
                     "columns",
                     r->rows.path, r->rows.line, k + 1, r->columns);
        if (r->column[k] < 0)
            *t = x;
        else
            value[r->column[k]] = x;
        rest = end;
        while (isspace((unsigned char)*rest))
            rest++;
        rest += *rest == ',';
    }
    SLUICE_CHECK(*rest == 0, SLUICE_BAD_INPUT,
                 "%s:%lld: '%.40s' after the last of %d columns; remove it", r->rows.path,
                 r->rows.line, rest, r->columns);
    return SLUICE_OK;
}

static sluice_status add_row(struct track *track, const struct table_reader *r, double t,
                             const double value[COLUMNS])
{
    SLUICE_CHECK(track->count == 0 || t > track->t[track->count - 1], SLUICE_BAD_INPUT,
                 "%s:%lld: t = %.9g is not after the row before, t = %.9g; the times must rise",
                 r->rows.path, r->rows.line, t, track->t[track->count - 1]);
    if (track->count == track->capacity) {
        const size_t room = (size_t)(track->capacity ? 2 * track->capacity : 256);
        double *times = realloc(track->t, room * sizeof *times);
        track->t = times ? times : track->t;
        double(*values)[COLUMNS] = realloc(track->value, room * sizeof *values);
        track->value = values ? values : track->value;
        SLUICE_CHECK(times && values, SLUICE_DEVICE, "%s: no memory for %zu rows", r->rows.path,
                     room);
        track->capacity = (int64_t)room;
    }
    track->t[track->count] = t;
    memcpy(track->value[track->count++], value, COLUMNS * sizeof *value);
    return SLUICE_OK;
}

/* Second derivatives of the natural cubic spline: a tridiagonal system (Press et al. 2007, section
 * 3.3), for every column. */
static sluice_status make_spline(struct track *s)
{
    const int64_t n = s->count;
    double *above = calloc((size_t)n, sizeof *above);
    s->second = calloc((size_t)n, sizeof *s->second);
    if (!above || !s->second) {
        free(above);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for a spline through %lld rows", (long long)n);
    }
    for (int64_t i = 1; i < n - 1; i++) {
        const double left = s->t[i] - s->t[i - 1], right = s->t[i + 1] - s->t[i];
        const double pivot = 2 * (left + right) - left * above[i - 1];
        above[i] = right / pivot;
        for (int c = 0; c < COLUMNS; c++) {
            const double bend = (s->value[i + 1][c] - s->value[i][c]) / right -
                                (s->value[i][c] - s->value[i - 1][c]) / left;
            s->second[i][c] = (6 * bend - left * s->second[i - 1][c]) / pivot;
        }
    }
    for (int64_t i = n - 2; i > 0; i--)
        for (int c = 0; c < COLUMNS; c++)
            s->second[i][c] -= above[i] * s->second[i + 1][c];
    free(above);
    return SLUICE_OK;
}

static sluice_status check_reach(const struct track *track, const struct sluice_motion *m,
                                 double end)
{
    const int64_t n = track->count;
    SLUICE_CHECK(n >= 2, SLUICE_BAD_INPUT, "%s: has %lld rows, a motion needs two or more",
                 m->table, (long long)n);
    SLUICE_CHECK(track->t[0] <= 0, SLUICE_BAD_INPUT,
                 "%s: begins at t = %.9g, the run at 0: add a row at t = 0", m->table, track->t[0]);
    SLUICE_CHECK(track->t[n - 1] >= end * (1 - 1e-12), SLUICE_BAD_INPUT,
                 "%s: ends at t = %.9g, before time.end = %.9g: add rows, or lower time.end",
                 m->table, track->t[n - 1], end);
    return SLUICE_OK;
}

static sluice_status read_rows(struct table_reader *r, struct track *track)
{
    SLUICE_TRY(read_header(r));
    while (sluice_rows_next(&r->rows)) {
        double t = 0, value[COLUMNS] = {0};
        SLUICE_TRY(read_row(r, &t, value));
        SLUICE_TRY(add_row(track, r, t, value));
    }
    return sluice_rows_end(&r->rows);
}

static sluice_status read_table(struct track *track, const struct sluice_config *config,
                                const struct sluice_motion *m)
{
    struct table_reader r = {.dimension = config->dimension};
    const char *why = sluice_rows_open(&r.rows, m->table);
    SLUICE_CHECK(!why, SLUICE_BAD_INPUT, "%s:%d: motions: file: %s cannot be read: %s", m->file,
                 m->line, m->table, why);
    const sluice_status status = read_rows(&r, track);
    sluice_rows_close(&r.rows);
    SLUICE_TRY(status);
    SLUICE_TRY(check_reach(track, m, config->time.end));
    return make_spline(track);
}

/* --- Life --- */

sluice_status sluice_motions_create(struct sluice_motions **out, const struct sluice_config *config)
{
    *out = NULL;
    if (config->motion_count == 0)
        return SLUICE_OK;
    struct sluice_motions *m = calloc(1, sizeof *m);
    if (m)
        m->track = calloc((size_t)config->motion_count, sizeof *m->track);
    if (!m || !m->track) {
        free(m);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for %d motions", config->motion_count);
    }
    m->config = config;
    *out = m;
    for (int i = 0; i < config->motion_count; i++)
        if (config->motions[i].kind == SLUICE_MOTION_TABLE) {
            const sluice_status status = read_table(&m->track[i], config, &config->motions[i]);
            if (status != SLUICE_OK)
                sluice_motions_destroy(out);
            SLUICE_TRY(status);
        }
    return SLUICE_OK;
}

void sluice_motions_destroy(struct sluice_motions **motions)
{
    struct sluice_motions *m = *motions;
    if (!m)
        return;
    for (int i = 0; i < m->config->motion_count; i++) {
        free(m->track[i].t);
        free(m->track[i].value);
        free(m->track[i].second);
    }
    free(m->track);
    free(m);
    *motions = NULL;
}

int sluice_motions_find(const struct sluice_config *config, const char *name)
{
    for (int i = 0; i < config->motion_count && name[0]; i++)
        if (strcmp(config->motions[i].name, name) == 0)
            return i;
    return -1;
}

/* --- At a time --- */

/* Value and derivatives of every column; beyond the ends the last polynomial goes on. */
static void spline_at(const struct track *s, double t, double value[COLUMNS], double first[COLUMNS],
                      double second[COLUMNS])
{
    int64_t low = 0, high = s->count - 1;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (s->t[middle] > t)
            high = middle;
        else
            low = middle;
    }
    const double h = s->t[high] - s->t[low], a = (s->t[high] - t) / h, b = (t - s->t[low]) / h;
    for (int c = 0; c < COLUMNS; c++) {
        const double y0 = s->value[low][c], y1 = s->value[high][c];
        const double m0 = s->second[low][c], m1 = s->second[high][c];
        value[c] = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6;
        first[c] = (y1 - y0) / h + ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * h / 6;
        second[c] = a * m0 + b * m1;
    }
}

static void table_at(const struct track *track, double t, struct sluice_displacement *d)
{
    double value[COLUMNS], first[COLUMNS], second[COLUMNS], start[COLUMNS], unused[COLUMNS];
    spline_at(track, 0, start, unused, unused);
    spline_at(track, t, value, first, second);
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
    default:
        table_at(&motions->track[i], t, d);
    }
}

int sluice_motions_span(const struct sluice_motions *motions, int i, double *from, double *to)
{
    const struct sluice_motion *m = &motions->config->motions[i];
    const struct track *track = &motions->track[i];
    *from = m->kind == SLUICE_MOTION_TABLE ? track->t[0] : 0;
    *to = m->kind == SLUICE_MOTION_TABLE  ? track->t[track->count - 1]
          : m->kind == SLUICE_MOTION_SINE ? m->period
          : m->rate != 0                  ? fabs(2 * 3.14159265358979323846 / m->rate)
                                          : 0;
    return m->kind != SLUICE_MOTION_LINEAR;
}

/* Turns y about the axis of a motion. */
static void turn(const struct sluice_motions *motions, int i, double angle, double y[3])
{
    const int axis = motions->config->dimension == 2 ? 2 : motions->config->motions[i].axis;
    const int p = (axis + 1) % 3, q = (axis + 2) % 3;
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

/* FNV-1a (Fowler, Noll & Vo), 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    return hash;
}

void sluice_motions_digest(const struct sluice_motions *motions, char text[SLUICE_MOTION_DIGEST])
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < motions->config->motion_count; i++) {
        const struct track *track = &motions->track[i];
        const size_t n = (size_t)track->count;
        hash = hash_bytes(hash, &track->count, sizeof track->count);
        if (n > 0) {
            hash = hash_bytes(hash, track->t, n * sizeof *track->t);
            hash = hash_bytes(hash, track->value, n * sizeof *track->value);
        }
    }
    snprintf(text, SLUICE_MOTION_DIGEST, "%016" PRIx64, hash);
}
