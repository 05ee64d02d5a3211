/* What openings are given in time: keys, or the rows of a table, between which it is linear. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "files/read_csv.h"
#include "physics/openings/openings.h"

struct opening_steps {
    int count, capacity;
    unsigned has; /* bits of the columns */
    double (*row)[1 + OPENING_QUANTITIES];
};

static const char *const names[1 + OPENING_QUANTITIES] = {"t", "velocity", "discharge", "level",
                                                          "pressure"};

static sluice_status read_rows(struct sluice_rows *rows, struct opening_steps *steps)
{
    SLUICE_TRY(sluice_rows_header(rows, names, 1 + OPENING_QUANTITIES, sluice_rows_field));
    steps->has = rows->has;
    SLUICE_CHECK(rows->has & 1u && rows->has > 1u, SLUICE_BAD_INPUT,
                 "%s:%lld: it needs the column t, and any of velocity, discharge, level, pressure",
                 rows->path, rows->line);
    while (sluice_rows_next(rows)) {
        SLUICE_GROW(steps->row, steps->count, steps->capacity, "rows of an opening's table");
        double *row = steps->row[steps->count];
        SLUICE_TRY(sluice_rows_numbers(rows, row));
        SLUICE_CHECK(steps->count == 0 || row[0] > steps->row[steps->count - 1][0],
                     SLUICE_BAD_INPUT, "%s:%lld: t = %.9g s does not come after %.9g s", rows->path,
                     rows->line, row[0], steps->row[steps->count - 1][0]);
        steps->count++;
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
    if (of->steps)
        free(of->steps->row);
    free(of->steps);
    of->steps = NULL;
}

static int in_table(const struct opening *of, enum opening_quantity q)
{
    return of->steps && of->steps->has >> (1 + q) & 1u;
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

double opening_given(const struct opening *of, enum opening_quantity q, double time)
{
    const struct opening_steps *s = of->steps;
    int low = 0, high;
    if (!in_table(of, q))
        return key_of(of, q);
    high = s->count - 1;
    if (time <= s->row[0][0] || high == 0)
        return s->row[0][1 + q];
    if (time >= s->row[high][0])
        return s->row[high][1 + q];
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (s->row[middle][0] <= time)
            low = middle;
        else
            high = middle;
    }
    const double part = (time - s->row[low][0]) / (s->row[high][0] - s->row[low][0]);
    return s->row[low][1 + q] + part * (s->row[high][1 + q] - s->row[low][1 + q]);
}

double opening_most(const struct opening *of, enum opening_quantity q, int sign)
{
    double most = -INFINITY;
    if (!in_table(of, q))
        return sign * key_of(of, q);
    for (int k = 0; k < of->steps->count; k++)
        most = fmax(most, sign * of->steps->row[k][1 + q]);
    return most;
}
