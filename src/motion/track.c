#include "motion/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"

enum { COLUMNS = SLUICE_TRACK_COLUMNS };

void sluice_track_destroy(struct sluice_track *track)
{
    free(track->t);
    free(track->value);
    free(track->bend);
    free(track->line);
    memset(track, 0, sizeof *track);
}

sluice_status sluice_track_add(struct sluice_track *track, const struct sluice_rows *r,
                               const char *const *name, const double *value)
{
    const double t = value[COLUMNS];
    SLUICE_CHECK(track->count == 0 || t > track->t[track->count - 1], SLUICE_BAD_INPUT,
                 "%s:%lld: %s = %.9g is not after the row before, %s = %.9g; it must rise from row "
                 "to row",
                 r->path, r->line, name[COLUMNS], t, name[COLUMNS], track->t[track->count - 1]);
    for (int c = 0; c < COLUMNS; c++)
        SLUICE_CHECK(fabs(value[c]) <= SLUICE_FAR, SLUICE_BAD_INPUT,
                     "%s:%lld: column %s is %.9g; at most %.0g is allowed", r->path, r->line,
                     name[c], value[c], SLUICE_FAR);
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

void sluice_track_at(const struct sluice_track *s, double t, double value[COLUMNS],
                     double first[COLUMNS], double second[COLUMNS])
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
        const double m0 = s->bend[low][0][c], m1 = s->bend[low][1][c];
        value[c] = a * y0 + b * y1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * h * h / 6;
        first[c] = (y1 - y0) / h + ((3 * b * b - 1) * m1 - (3 * a * a - 1) * m0) * h / 6;
        second[c] = a * m0 + b * m1;
    }
}
