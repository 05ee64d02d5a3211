/* What openings are given in time: keys, or the rows of a table, between which it is linear. A
 * table with heights has for each time the velocity at several of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "files/read_csv.h"
#include "physics/openings/openings.h"

enum { TIME, HEIGHT = 1 + OPENING_QUANTITIES, COLUMNS };

/* Of a time: its quantities, and which points it has. */
struct step {
    double time, value[OPENING_QUANTITIES];
    int first, end;
};

struct opening_steps {
    int count, capacity, points, points_capacity;
    unsigned has; /* bits of the columns */
    struct step *step;
    double (*point)[2]; /* [points] height over the lower edge, m; velocity, m/s */
};

static const char *const names[COLUMNS] = {"t",     "velocity", "discharge",
                                           "level", "pressure", "height"};

static int has(const struct opening_steps *steps, int column)
{
    return (int)(steps->has >> column & 1u);
}

static sluice_status check_columns(const struct sluice_rows *rows, struct opening_steps *steps)
{
    const unsigned profile = 1u << HEIGHT | 1u << (1 + OPENING_VELOCITY);
    steps->has = rows->has;
    if (has(steps, HEIGHT)) {
        SLUICE_CHECK((rows->has | 1u) == (profile | 1u), SLUICE_BAD_INPUT,
                     "%s:%lld: with heights it takes the columns height, velocity and, if they "
                     "change, t or time: give the rest as keys of the opening",
                     rows->path, rows->line);
        return SLUICE_OK;
    }
    SLUICE_CHECK(
        rows->has & 1u && rows->has > 1u, SLUICE_BAD_INPUT,
        "%s:%lld: it needs the column t or time, and any of velocity, discharge, level, pressure; "
        "or height and velocity",
        rows->path, rows->line);
    return SLUICE_OK;
}

/* Adds a line's numbers to the running time, or to a new one. */
static sluice_status add_line(struct opening_steps *s, const struct sluice_rows *rows,
                              const double value[COLUMNS])
{
    const struct step *last = s->count > 0 ? &s->step[s->count - 1] : NULL;
    const int heights = has(s, HEIGHT), goes_on = heights && last && value[TIME] == last->time;
    SLUICE_CHECK(!last || goes_on || value[TIME] > last->time, SLUICE_BAD_INPUT,
                 "%s:%lld: t = %.9g s does not come after %.9g s", rows->path, rows->line,
                 value[TIME], last->time);
    if (!goes_on) {
        SLUICE_GROW(s->step, s->count, s->capacity, "rows of an opening's table");
        s->step[s->count] = (struct step){.time = value[TIME], .first = s->points};
        memcpy(s->step[s->count].value, value + 1, sizeof s->step[s->count].value);
        s->count++;
    }
    if (!heights)
        return SLUICE_OK;
    SLUICE_CHECK(!goes_on || value[HEIGHT] > s->point[s->points - 1][0], SLUICE_BAD_INPUT,
                 "%s:%lld: height = %.9g m does not come after %.9g m", rows->path, rows->line,
                 value[HEIGHT], s->point[s->points - 1][0]);
    SLUICE_GROW(s->point, s->points, s->points_capacity, "heights of an opening's table");
    s->point[s->points][0] = value[HEIGHT];
    s->point[s->points][1] = value[1 + OPENING_VELOCITY];
    s->step[s->count - 1].end = ++s->points;
    return SLUICE_OK;
}

static sluice_status read_rows(struct sluice_rows *rows, struct opening_steps *steps)
{
    double value[COLUMNS] = {0};
    SLUICE_TRY(sluice_rows_header(rows, names, COLUMNS, sluice_rows_field));
    SLUICE_TRY(check_columns(rows, steps));
    while (sluice_rows_next(rows)) {
        SLUICE_TRY(sluice_rows_numbers(rows, value));
        SLUICE_TRY(add_line(steps, rows, value));
    }
    SLUICE_TRY(sluice_rows_end(rows));
    SLUICE_CHECK(steps->count > 0, SLUICE_BAD_INPUT, "%s: it has no row", rows->path);
    return SLUICE_OK;
}

sluice_status opening_steps_read(struct opening *of)
{
    struct sluice_rows rows;
    if (!of->keys->table[0])
        return SLUICE_OK;
    SLUICE_ALLOCATE(of->steps, 1, "tables of openings");
    const char *why = sluice_rows_open(&rows, of->keys->table);
    SLUICE_CHECK(!why, SLUICE_IO, OPENING_NAME "cannot read %s: %s", OPENING_NAME_OF(of->keys),
                 of->keys->table, why);
    const sluice_status status = read_rows(&rows, of->steps);
    sluice_rows_close(&rows);
    return status;
}

void opening_steps_free(struct opening *of)
{
    if (of->steps) {
        free(of->steps->step);
        free(of->steps->point);
    }
    free(of->steps);
    of->steps = NULL;
}

static int in_table(const struct opening *of, enum opening_quantity q)
{
    return of->steps && has(of->steps, 1 + (int)q);
}

static double key_of(const struct opening *of, enum opening_quantity q)
{
    const struct sluice_opening *k = of->keys;
    return q == OPENING_VELOCITY    ? k->velocity
           : q == OPENING_DISCHARGE ? k->discharge
           : q == OPENING_LEVEL     ? k->level
                                    : k->pressure;
}

int opening_gives(const struct opening *of, enum opening_quantity q)
{
    return in_table(of, q) || isfinite(key_of(of, q));
}

/* --- Values --- */

/* Between two steps: the one before a time, and how far it is to the next, 0 to 1. */
struct between {
    const struct step *before, *after;
    double part;
};

static struct between find_step(const struct opening_steps *s, double time)
{
    int low = 0, high = s->count - 1;
    if (time <= s->step[0].time)
        return (struct between){&s->step[0], &s->step[0], 0};
    if (time >= s->step[high].time)
        return (struct between){&s->step[high], &s->step[high], 0};
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (s->step[middle].time <= time)
            low = middle;
        else
            high = middle;
    }
    return (struct between){&s->step[low], &s->step[high],
                            (time - s->step[low].time) / (s->step[high].time - s->step[low].time)};
}

static double mixed(double before, double after, double part)
{
    return before + part * (after - before);
}

double opening_given(const struct opening *of, enum opening_quantity q, double time)
{
    if (!in_table(of, q))
        return key_of(of, q);
    const struct between at = find_step(of->steps, time);
    return mixed(at.before->value[q], at.after->value[q], at.part);
}

int opening_has_heights(const struct opening *of)
{
    return of->steps && has(of->steps, HEIGHT);
}

void opening_heights(const struct opening *of, double *first, double *last)
{
    *first = -INFINITY;
    *last = INFINITY;
    for (int k = 0; k < of->steps->count; k++) {
        *first = fmax(*first, of->steps->point[of->steps->step[k].first][0]);
        *last = fmin(*last, of->steps->point[of->steps->step[k].end - 1][0]);
    }
}

/* The velocity at a height at the time of a step. */
static double at_height(const struct opening_steps *s, const struct step *step, double height)
{
    const double(*point)[2] = (const double(*)[2])s->point;
    int k = step->first;
    while (k < step->end && point[k][0] < height)
        k++;
    if (k == step->first || k == step->end)
        return point[k == step->end ? k - 1 : k][1];
    return mixed(point[k - 1][1], point[k][1],
                 (height - point[k - 1][0]) / (point[k][0] - point[k - 1][0]));
}

double opening_velocity_at(const struct opening *of, double time, double height)
{
    const struct between at = find_step(of->steps, time);
    return mixed(at_height(of->steps, at.before, height), at_height(of->steps, at.after, height),
                 at.part);
}

double opening_fastest(const struct opening *of, int sign)
{
    double most = -INFINITY;
    if (!opening_has_heights(of))
        return opening_most(of, OPENING_VELOCITY, sign);
    for (int k = 0; k < of->steps->points; k++)
        most = fmax(most, sign * of->steps->point[k][1]);
    return most;
}

double opening_set_means(struct opening *of, const double *height, int n)
{
    double fastest = 0, time = 0;
    for (int k = 0; k < of->steps->count; k++) {
        struct step *step = &of->steps->step[k];
        double sum = 0;
        for (int c = 0; c < n; c++) {
            const double velocity = at_height(of->steps, step, height[c]);
            sum += velocity;
            if (fabs(velocity) > fastest) {
                fastest = fabs(velocity);
                time = step->time;
            }
        }
        step->value[OPENING_VELOCITY] = n > 0 ? sum / n : 0;
    }
    return time;
}

double opening_most(const struct opening *of, enum opening_quantity q, int sign)
{
    double most = -INFINITY;
    if (!in_table(of, q))
        return sign * key_of(of, q);
    for (int k = 0; k < of->steps->count; k++)
        most = fmax(most, sign * of->steps->step[k].value[q]);
    return most;
}
