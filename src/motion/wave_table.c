#include "motion/wave_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/read_csv.h"
#include "motion/motion_path.h"

enum { COLUMNS = SLUICE_TRACK_COLUMNS, ANGLE = SLUICE_TRACK_ANGLE, KINDS = 4 };
static const double pi = 3.14159265358979323846;
/* The largest angle of a flap from its first row, degrees. */
static const double most_turn = 80;

/* --- Columns --- */

/* Names of a track's columns, for messages; the last is that of t or f. */
struct names {
    const char *name[COLUMNS + 1];
};

/* Reads rows whose columns are `first`, and `value`, whose values go to column c of the track. */
static sluice_status read_rows(struct sluice_track *track, struct sluice_rows *rows, int first,
                               int value, int c, double unit, const struct names *names)
{
    double number[SLUICE_ROWS_COLUMNS];
    while (sluice_rows_next(rows)) {
        double row[COLUMNS + 1] = {0};
        SLUICE_TRY(sluice_rows_numbers(rows, number));
        row[COLUMNS] = number[first];
        row[c] = unit * number[value];
        SLUICE_TRY(sluice_track_add(track, rows, names->name, row));
    }
    return sluice_rows_end(rows);
}

/* --- A spectrum --- */

static sluice_status read_spectrum(struct sluice_track *track, struct sluice_rows *rows)
{
    static const char *const column[] = {"f", "S"};
    static const struct names names = {{"S", "", "", "", "f"}};
    SLUICE_TRY(sluice_rows_header(rows, column, 2, sluice_rows_name));
    SLUICE_CHECK(rows->has == 3, SLUICE_BAD_INPUT,
                 "%s:%lld: it needs the columns f (Hz) and S (m^2/Hz)", rows->path, rows->line);
    SLUICE_TRY(read_rows(track, rows, 0, 1, 0, 1, &names));
    for (int64_t i = 0; i < track->count; i++) {
        SLUICE_CHECK(track->value[i][0] >= 0, SLUICE_BAD_INPUT,
                     "%s:%lld: S = %.9g m^2/Hz: a spectrum is not below 0", rows->path,
                     (long long)track->line[i], track->value[i][0]);
        SLUICE_CHECK(i > 0 || track->t[i] >= 0, SLUICE_BAD_INPUT,
                     "%s:%lld: f = %.9g Hz: frequencies are not below 0", rows->path,
                     (long long)track->line[i], track->t[i]);
    }
    SLUICE_CHECK(track->count >= 3, SLUICE_BAD_INPUT,
                 "%s: has %lld rows, a spectrum needs three or more", rows->path,
                 (long long)track->count);
    return SLUICE_OK;
}

/* --- A record of the surface --- */

/* Cuts the names of all columns, which the caller does not know, off the first line. */
static sluice_status cut_names(struct sluice_rows *rows, char *name[SLUICE_ROWS_COLUMNS])
{
    const int any = sluice_rows_next(rows);
    SLUICE_TRY(sluice_rows_end(rows));
    SLUICE_CHECK(
        any, SLUICE_BAD_INPUT,
        "%s: is empty; a line with the names of the columns comes first, t or time and others",
        rows->path);
    char *rest = rows->text;
    rows->columns = 0;
    for (char *next; (next = sluice_rows_name(&rest));) {
        char *end;
        strtod(next, &end);
        SLUICE_CHECK(*end != 0, SLUICE_BAD_INPUT,
                     "%s:%lld: column '%.60s' is a number; the first line names the columns",
                     rows->path, rows->line, next);
        SLUICE_CHECK(rows->columns < SLUICE_ROWS_COLUMNS, SLUICE_BAD_INPUT,
                     "%s:%lld: has more than %d columns; remove some", rows->path, rows->line,
                     SLUICE_ROWS_COLUMNS);
        name[rows->columns] = next;
        rows->column[rows->columns] = rows->columns;
        rows->columns++;
    }
    return SLUICE_OK;
}

/* The column of a name, or of a number from 1; -1: none. */
static int find_column(char *const *name, int count, const char *wanted)
{
    char *end;
    for (int k = 0; k < count; k++)
        if (strcmp(name[k], wanted) == 0)
            return k;
    const long number = strtol(wanted, &end, 10);
    return *wanted && *end == 0 && number >= 1 && number <= count ? (int)number - 1 : -1;
}

static sluice_status choose_columns(const struct sluice_rows *rows, char *const *name,
                                    const struct sluice_motion *m, int *time, int *value)
{
    const char *wanted = m->wave.column;
    *time = find_column(name, rows->columns, "t");
    if (*time < 0)
        *time = find_column(name, rows->columns, "time");
    if (!wanted[0] && find_column(name, rows->columns, "elevation") >= 0)
        wanted = "elevation"; /* as height probes write it */
    SLUICE_CHECK(*time >= 0, SLUICE_BAD_INPUT,
                 "%s:%lld: it needs a column t or time (s), and one of the surface's elevation (m)",
                 rows->path, rows->line);
    SLUICE_CHECK(rows->columns > 1, SLUICE_BAD_INPUT,
                 "%s:%lld: it has no column but %s: the surface's elevation (m) is missing",
                 rows->path, rows->line, name[0]);
    SLUICE_CHECK(wanted[0] || rows->columns == 2, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': column: missing: %s has %d columns: name the one of the "
                 "surface's elevation, as column = \"%s\"",
                 m->file, m->line, m->name, rows->path, rows->columns, name[*time == 0]);
    *value = wanted[0] ? find_column(name, rows->columns, wanted) : *time == 0;
    SLUICE_CHECK(
        *value >= 0, SLUICE_BAD_INPUT,
        "%s:%d: motions: '%s': column: %s has no column \"%.60s\": there are %d, the first "
        "is %s",
        m->file, m->line, m->name, rows->path, wanted, rows->columns, name[0]);
    SLUICE_CHECK(*value != *time, SLUICE_BAD_INPUT,
                 "%s:%d: motions: '%s': column: \"%.60s\" is the time: name that of the elevation",
                 m->file, m->line, m->name, wanted);
    return SLUICE_OK;
}

/* Reads time and value of a row; the other cells need not be numbers. Cells end at commas, or at
 * blanks in a row without commas. */
static sluice_status read_cells(const struct sluice_rows *rows, int time, int value,
                                double number[2])
{
    char *(*next)(char **) = strchr(rows->text, ',') ? sluice_rows_field : sluice_rows_name;
    char *rest = rows->text, *cell;
    int count = 0;
    for (; (cell = next(&rest)) != NULL; count++) {
        if (count == rows->columns && *cell == 0 && !rest)
            break; /* a comma ends the row */
        SLUICE_CHECK(count < rows->columns, SLUICE_BAD_INPUT,
                     "%s:%lld: '%.40s' after the last of %d columns; remove it", rows->path,
                     rows->line, cell, rows->columns);
        if (count != time && count != value)
            continue;
        char *end;
        const double x = strtod(cell, &end);
        SLUICE_CHECK(end != cell && *end == 0 && isfinite(x), SLUICE_BAD_INPUT,
                     "%s:%lld: number %d of the row is missing or is none: '%.40s'; the header "
                     "names %d columns",
                     rows->path, rows->line, count + 1, cell, rows->columns);
        number[count == value] = x;
    }
    SLUICE_CHECK(count == rows->columns, SLUICE_BAD_INPUT,
                 "%s:%lld: the row has %d cells, the header names %d columns: complete the row",
                 rows->path, rows->line, count, rows->columns);
    return SLUICE_OK;
}

static sluice_status read_record(struct sluice_track *track, struct sluice_rows *rows, int time,
                                 int value, const char *column, const char *time_column)
{
    const char *const names[] = {column, "", "", "", time_column};
    while (sluice_rows_next(rows)) {
        double row[COLUMNS + 1] = {0}, number[2];
        SLUICE_TRY(read_cells(rows, time, value, number));
        row[COLUMNS] = number[0];
        row[0] = number[1];
        SLUICE_TRY(sluice_track_add(track, rows, names, row));
    }
    return sluice_rows_end(rows);
}

/* Rows that are missing would become a straight surface. */
static sluice_status check_gaps(const struct sluice_track *s, const char *path)
{
    const double mean = (s->t[s->count - 1] - s->t[0]) / (double)(s->count - 1);
    for (int64_t i = 1; i < s->count; i++)
        SLUICE_CHECK(s->t[i] - s->t[i - 1] <= 5 * mean, SLUICE_BAD_INPUT,
                     "%s:%lld: %.4g s after the row before, the others are %.4g s apart: rows are "
                     "missing; fill the gap",
                     path, (long long)s->line[i], s->t[i] - s->t[i - 1], mean);
    return SLUICE_OK;
}

static double rise_of(const struct sluice_track *s, int64_t i)
{
    return i > 0 && i < s->count ? fabs(s->value[i][0] - s->value[i - 1][0]) : 0;
}

/* A gauge that fails reads a spike, or another level from a row on: a quarter of the record's range
 * between two rows, six times what its neighbours but one change. Waves of four rows a period or
 * more do not jump so. */
static sluice_status check_jumps(const struct sluice_track *s, const char *path)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < s->count; i++) {
        low = fmin(low, s->value[i][0]);
        high = fmax(high, s->value[i][0]);
    }
    for (int64_t i = 1; i < s->count; i++) {
        double around = 0;
        for (int64_t k = 2; k <= 3; k++)
            around = fmax(around, fmax(rise_of(s, i - k), rise_of(s, i + k)));
        SLUICE_CHECK(rise_of(s, i) <= fmax(0.25 * (high - low), 6 * around), SLUICE_BAD_INPUT,
                     "%s:%lld: the surface jumps from %.6g to %.6g m, and by %.3g m at most in the "
                     "rows around: no wave does; mend the row, or leave it out",
                     path, (long long)s->line[i], s->value[i - 1][0], s->value[i][0], around);
    }
    return SLUICE_OK;
}

static sluice_status read_elevation(struct sluice_track *track, struct sluice_rows *rows,
                                    const struct sluice_motion *m)
{
    char *name[SLUICE_ROWS_COLUMNS], chosen[64], chosen_time[8];
    int time, value;
    SLUICE_TRY(cut_names(rows, name));
    SLUICE_TRY(choose_columns(rows, name, m, &time, &value));
    snprintf(chosen, sizeof chosen, "%s", name[value]); /* the next line takes its place */
    snprintf(chosen_time, sizeof chosen_time, "%s", name[time]);
    SLUICE_TRY(read_record(track, rows, time, value, chosen, chosen_time));
    SLUICE_CHECK(track->count >= 16, SLUICE_BAD_INPUT,
                 "%s: has %lld rows, a record of waves needs 16 or more", rows->path,
                 (long long)track->count);
    SLUICE_TRY(check_gaps(track, rows->path));
    SLUICE_TRY(check_jumps(track, rows->path));
    return sluice_track_make_path(track, SLUICE_INTERPOLATION_SPLINE);
}

/* --- A record of a paddle --- */

/* Velocities become displacements: the integral of the path through them, cubic by cubic. */
static sluice_status integrate(struct sluice_track *s, int interpolation)
{
    double sum = 0;
    SLUICE_TRY(sluice_track_make_path(s, interpolation));
    for (int64_t i = 0; i < s->count; i++) {
        const double next = i + 1 < s->count ? s->value[i + 1][0] : 0, v = s->value[i][0],
                     h = i + 1 < s->count ? s->t[i + 1] - s->t[i] : 0;
        s->value[i][0] = sum;
        sum += 0.5 * h * (v + next) - h * h * h / 24 * (s->bend[i][0][0] + s->bend[i][1][0]);
    }
    free(s->bend);
    s->bend = NULL;
    return SLUICE_OK;
}

/* A flap that lies has no displacement at the surface, lever tan(angle). */
static sluice_status check_angles(const struct sluice_track *s, const char *path)
{
    for (int64_t i = 1; i < s->count; i++) {
        const double turn = 180 / pi * (s->value[i][ANGLE] - s->value[0][ANGLE]);
        SLUICE_CHECK(fabs(turn) <= most_turn, SLUICE_BAD_INPUT,
                     "%s:%lld: the flap is %.4g degrees from its first row's angle: at most %g; is "
                     "the angle in the unit that its column names?",
                     path, (long long)s->line[i], turn, most_turn);
    }
    return SLUICE_OK;
}

static sluice_status read_paddle(struct sluice_track *track, struct sluice_rows *rows,
                                 const struct sluice_motion *m)
{
    enum { X, V, TURN, DEGREES, TIME };
    static const char *const column[] = {"x", "v", "angle", "degrees", "t"};
    int value = 0;
    SLUICE_TRY(sluice_rows_header(rows, column, KINDS + 1, sluice_rows_name));
    while (value < KINDS && !(rows->has & 1u << value))
        value++;
    SLUICE_CHECK(
        rows->columns == 2 && rows->has & 1u << TIME, SLUICE_BAD_INPUT,
        "%s:%lld: it needs a column t or time (s), and one of x (m), v (m/s), angle (rad) and "
        "degrees",
        rows->path, rows->line);
    const int turns = value >= TURN;
    SLUICE_CHECK(!turns || m->wave.paddle == SLUICE_PADDLE_FLAP, SLUICE_BAD_INPUT,
                 "%s:%lld: column '%s': a piston does not turn: it has x (m) or v (m/s), or write "
                 "paddle = \"flap\"",
                 rows->path, rows->line, column[value]);
    struct names names = {{"x", "y", "z", "angle", "t"}};
    names.name[turns ? ANGLE : 0] = column[value];
    SLUICE_TRY(read_rows(track, rows, TIME, value, turns ? ANGLE : 0,
                         value == DEGREES ? pi / 180 : 1, &names));
    SLUICE_CHECK(track->count >= 2, SLUICE_BAD_INPUT,
                 "%s: has %lld rows, a motion needs two or more", rows->path,
                 (long long)track->count);
    SLUICE_TRY(check_angles(track, rows->path));
    if (value == V)
        SLUICE_TRY(integrate(track, m->interpolation));
    return sluice_track_prepare(track, m->filter, m->interpolation, rows->path);
}

sluice_status sluice_wave_table_read(struct sluice_track *track, const struct sluice_motion *m)
{
    struct sluice_rows rows;
    const char *why = sluice_rows_open(&rows, m->table);
    SLUICE_CHECK(!why, SLUICE_BAD_INPUT, "%s:%d: motions: '%s': file: %s cannot be read: %s",
                 m->file, m->line, m->name, m->table, why);
    const sluice_status status = m->wave.kind == SLUICE_WAVE_ELEVATION
                                     ? read_elevation(track, &rows, m)
                                 : m->wave.kind == SLUICE_WAVE_PADDLE ? read_paddle(track, &rows, m)
                                                                      : read_spectrum(track, &rows);
    sluice_rows_close(&rows);
    return status;
}
