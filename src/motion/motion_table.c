#include "motion/motion_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "files/read_csv.h"
#include "motion/motion_path.h"

enum { COLUMNS = SLUICE_TRACK_COLUMNS, TIME = COLUMNS, ALL_COLUMNS, Z = 2 };
static const char *const column_name[ALL_COLUMNS] = {"x", "y", "z", "angle", "t"};

static sluice_status read_header(struct sluice_rows *rows, int dimension)
{
    const unsigned time = 1u << TIME;
    SLUICE_TRY(sluice_rows_header(rows, column_name, ALL_COLUMNS, sluice_rows_name));
    SLUICE_CHECK(dimension == 3 || !(rows->has & 1u << Z), SLUICE_BAD_INPUT,
                 "%s:%lld: column 'z' in a case of dimension 2; remove it", rows->path, rows->line);
    SLUICE_CHECK(rows->has & time && rows->has & ~time, SLUICE_BAD_INPUT,
                 "%s:%lld: it needs a column t and one or more of x, y, z, angle", rows->path,
                 rows->line);
    return SLUICE_OK;
}

static sluice_status add_row(struct sluice_track *track, const struct sluice_rows *r,
                             const double value[ALL_COLUMNS])
{
    const double t = value[TIME];
    SLUICE_CHECK(track->count == 0 || t > track->t[track->count - 1], SLUICE_BAD_INPUT,
                 "%s:%lld: t = %.9g is not after the row before, t = %.9g; the times must rise",
                 r->path, r->line, t, track->t[track->count - 1]);
    for (int c = 0; c < COLUMNS; c++)
        SLUICE_CHECK(fabs(value[c]) <= SLUICE_FAR, SLUICE_BAD_INPUT,
                     "%s:%lld: column %s is %.9g; at most %.0g is allowed", r->path, r->line,
                     column_name[c], value[c], SLUICE_FAR);
    if (track->count == track->capacity) {
        const size_t larger = (size_t)(track->capacity ? 2 * track->capacity : 256);
        double *times = realloc(track->t, larger * sizeof *times);
        track->t = times ? times : track->t;
        double(*values)[COLUMNS] = realloc(track->value, larger * sizeof *values);
        track->value = values ? values : track->value;
        int64_t *lines = realloc(track->line, larger * sizeof *lines);
        track->line = lines ? lines : track->line;
        SLUICE_CHECK(times && values && lines, SLUICE_DEVICE, "%s: no memory for %zu rows", r->path,
                     larger);
        track->capacity = (int64_t)larger;
    }
    track->t[track->count] = t;
    track->line[track->count] = r->line;
    memcpy(track->value[track->count++], value, COLUMNS * sizeof *value);
    return SLUICE_OK;
}

static sluice_status check_reach(const struct sluice_track *track, const struct sluice_motion *m,
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

static sluice_status read_rows(struct sluice_rows *rows, int dimension, struct sluice_track *track)
{
    SLUICE_TRY(read_header(rows, dimension));
    while (sluice_rows_next(rows)) {
        double value[ALL_COLUMNS] = {0};
        SLUICE_TRY(sluice_rows_numbers(rows, value));
        SLUICE_TRY(add_row(track, rows, value));
    }
    return sluice_rows_end(rows);
}

static sluice_status read_table(struct sluice_track *track, const struct sluice_config *config,
                                const struct sluice_motion *m)
{
    struct sluice_rows rows;
    const char *why = sluice_rows_open(&rows, m->table);
    SLUICE_CHECK(!why, SLUICE_BAD_INPUT, "%s:%d: motions: file: %s cannot be read: %s", m->file,
                 m->line, m->table, why);
    const sluice_status status = read_rows(&rows, config->dimension, track);
    sluice_rows_close(&rows);
    SLUICE_TRY(status);
    SLUICE_TRY(check_reach(track, m, config->time.end));
    if (m->filter > 0)
        SLUICE_TRY(sluice_track_filter(track, m->filter));
    SLUICE_TRY(sluice_track_make_path(track, m->interpolation));
    return sluice_track_check_overshoot(track, m->table);
}

sluice_status sluice_motions_read(struct sluice_motions *motions,
                                  const struct sluice_config *config)
{
    sluice_status status = SLUICE_OK;
    memset(motions, 0, sizeof *motions);
    motions->config = config;
    for (int i = 0; i < config->motion_count && status == SLUICE_OK; i++) {
        const struct sluice_motion *m = &config->motions[i];
        if (m->kind == SLUICE_MOTION_TABLE)
            status = read_table(&motions->track[i], config, m);
        if (m->kind == SLUICE_MOTION_WAVE)
            status = sluice_wave_maker_create(&motions->maker[i], config, m);
    }
    if (status != SLUICE_OK)
        sluice_motions_destroy(motions);
    return status;
}

void sluice_motions_digest(const struct sluice_motions *motions, char text[SLUICE_MOTION_DIGEST])
{
    uint64_t hash = SLUICE_HASH_BEGIN;
    for (int i = 0; i < motions->config->motion_count; i++) {
        const struct sluice_track *track = &motions->track[i];
        const size_t n = (size_t)track->count;
        hash = sluice_hash(hash, &track->count, sizeof track->count);
        if (n > 0) {
            hash = sluice_hash(hash, track->t, n * sizeof *track->t);
            hash = sluice_hash(hash, track->value, n * sizeof *track->value);
        }
    }
    snprintf(text, SLUICE_MOTION_DIGEST, "%016" PRIx64, hash);
}
