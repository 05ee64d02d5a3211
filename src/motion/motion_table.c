#include "motion/motion_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/allocate.h"
#include "core/hash.h"
#include "files/read_csv.h"
#include "motion/motion_path.h"
#include "motion/wave_table.h"

enum { COLUMNS = SLUICE_TRACK_COLUMNS, TIME = COLUMNS, ALL_COLUMNS, Z = 2 };
static const char *const column_name[ALL_COLUMNS] = {"x", "y", "z", "angle", "t"};

/* The names of a table, for messages. */
struct table {
    const char *path, *key, *file; /* the key that names it, in this file, */
    int line;                      /* in this line; 0: not known */
    int turns;                     /* it may have a column angle */
    const char *what;
};

static sluice_status read_header(struct sluice_rows *rows, const struct table *of, int dimension)
{
    const unsigned time = 1u << TIME, angle = 1u << SLUICE_TRACK_ANGLE;
    rows->refused = (dimension == 3 ? 0 : 1u << Z) | (of->turns ? 0 : angle);
    SLUICE_TRY(sluice_rows_header(rows, column_name, ALL_COLUMNS, sluice_rows_name));
    SLUICE_CHECK(dimension == 3 || !(rows->has & 1u << Z), SLUICE_BAD_INPUT,
                 "%s:%lld: column 'z' in a case of dimension 2; remove it", rows->path, rows->line);
    SLUICE_CHECK(of->turns || !(rows->has & angle), SLUICE_BAD_INPUT,
                 "%s:%lld: column 'angle': an acceleration does not turn the water; turn the tank, "
                 "by motions of kind \"table\"",
                 rows->path, rows->line);
    SLUICE_CHECK(rows->has & time && rows->has & ~time, SLUICE_BAD_INPUT,
                 "%s:%lld: it needs a column t or time (s), and one or more of x, y%s%s",
                 rows->path, rows->line, dimension == 3 ? ", z" : "", of->turns ? ", angle" : "");
    return SLUICE_OK;
}

static sluice_status check_reach(const struct sluice_track *track, const struct table *of,
                                 double end)
{
    const int64_t n = track->count;
    SLUICE_CHECK(n >= 2, SLUICE_BAD_INPUT, "%s: has %lld rows, %s needs two or more", of->path,
                 (long long)n, of->what);
    SLUICE_CHECK(track->t[0] <= 0, SLUICE_BAD_INPUT,
                 "%s: begins at t = %.9g, the run at 0: add a row at t = 0", of->path, track->t[0]);
    SLUICE_CHECK(track->t[n - 1] >= end * (1 - 1e-12), SLUICE_BAD_INPUT,
                 "%s: ends at t = %.9g, before time.end = %.9g: add rows, or lower time.end",
                 of->path, track->t[n - 1], end);
    return SLUICE_OK;
}

static sluice_status read_rows(struct sluice_rows *rows, const struct table *of, int dimension,
                               struct sluice_track *track)
{
    SLUICE_TRY(read_header(rows, of, dimension));
    while (sluice_rows_next(rows)) {
        double value[ALL_COLUMNS] = {0};
        SLUICE_TRY(sluice_rows_numbers(rows, value));
        SLUICE_TRY(sluice_track_add(track, rows, column_name, value));
    }
    return sluice_rows_end(rows);
}

static sluice_status read_table(struct sluice_track *track, const struct sluice_config *config,
                                const struct table *of)
{
    struct sluice_rows rows;
    const char *why = sluice_rows_open(&rows, of->path);
    SLUICE_CHECK(!why || of->line == 0, SLUICE_BAD_INPUT, "%s:%d: %s: %s cannot be read: %s",
                 of->file, of->line, of->key, of->path, why);
    SLUICE_CHECK(!why, SLUICE_BAD_INPUT, "%s: %s cannot be read: %s", of->key, of->path, why);
    const sluice_status status = read_rows(&rows, of, config->dimension, track);
    sluice_rows_close(&rows);
    SLUICE_TRY(status);
    return check_reach(track, of, config->time.end);
}

static sluice_status read_motion(struct sluice_track *track, const struct sluice_config *config,
                                 const struct sluice_motion *m)
{
    const struct table of = {m->table, "motions: file", m->file, m->line, 1, "a motion"};
    SLUICE_TRY(read_table(track, config, &of));
    return sluice_track_prepare(track, m->filter, m->interpolation, m->table);
}

static sluice_status read_acceleration(struct sluice_track *track,
                                       const struct sluice_config *config)
{
    const struct table of = {
        .path = config->acceleration, .key = "acceleration", .what = "an acceleration"};
    if (!config->acceleration[0])
        return SLUICE_OK;
    SLUICE_TRY(read_table(track, config, &of));
    return sluice_track_make_path(track, SLUICE_INTERPOLATION_LINEAR);
}

sluice_status sluice_motions_read(struct sluice_motions *motions,
                                  const struct sluice_config *config)
{
    sluice_status status = SLUICE_OK;
    memset(motions, 0, sizeof *motions);
    motions->config = config;
    SLUICE_ALLOCATE(motions->track, config->motion_count, "motions");
    SLUICE_ALLOCATE(motions->maker, config->motion_count, "motions");
    motions->count = config->motion_count;
    for (int i = 0; i < motions->count && status == SLUICE_OK; i++) {
        const struct sluice_motion *m = &config->motions[i];
        if (m->kind == SLUICE_MOTION_TABLE)
            status = read_motion(&motions->track[i], config, m);
        if (m->kind == SLUICE_MOTION_WAVE && m->table[0])
            status = sluice_wave_table_read(&motions->track[i], m);
        if (m->kind == SLUICE_MOTION_WAVE && status == SLUICE_OK)
            status = sluice_wave_maker_create(&motions->maker[i], config, m, &motions->track[i]);
    }
    if (status == SLUICE_OK)
        status = read_acceleration(&motions->shaken, config);
    if (status != SLUICE_OK)
        sluice_motions_destroy(motions);
    return status;
}

static uint64_t hash_track(uint64_t hash, const struct sluice_track *track)
{
    const size_t n = (size_t)track->count;
    if (n == 0)
        return hash;
    hash = sluice_hash(hash, track->t, n * sizeof *track->t);
    return sluice_hash(hash, track->value, n * sizeof *track->value);
}

void sluice_motions_digest(const struct sluice_motions *motions, char text[SLUICE_MOTION_DIGEST])
{
    uint64_t hash = hash_track(SLUICE_HASH_BEGIN, &motions->shaken);
    for (int i = 0; i < motions->config->motion_count; i++) {
        const struct sluice_track *track = &motions->track[i];
        hash = sluice_hash(hash, &track->count, sizeof track->count);
        hash = hash_track(hash, track);
        /* A record that is not used whole depends on time.end. */
        const int64_t used = motions->maker[i].record.rows;
        if (used > 0 && used < track->count)
            hash = sluice_hash(hash, &used, sizeof used);
    }
    snprintf(text, SLUICE_MOTION_DIGEST, "%016" PRIx64, hash);
}
