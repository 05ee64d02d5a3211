#include "app/energy_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MAX = 64 };

/* Numbers of columns beside those of the budget. */
enum { OTHER = -1, TIME = SLUICE_BUDGET_COLUMNS, STEP_LENGTH };

static int find_column(const char *name)
{
    for (int c = 0; c < SLUICE_BUDGET_COLUMNS; c++)
        if (strcmp(name, sluice_budget_columns[c].name) == 0)
            return c;
    return strcmp(name, "time") == 0 ? TIME : strcmp(name, "dt") == 0 ? STEP_LENGTH : OTHER;
}

static double *number_of(struct sluice_budget_row *row, int column)
{
    return column == TIME          ? &row->time
           : column == STEP_LENGTH ? &row->dt
                                   : sluice_budget_at(row, column);
}

/* The columns of a file, in its order. */
struct layout {
    const char *path;
    int count, step; /* the number of columns; the step's index */
    int column[COLUMNS_MAX];
};

static sluice_status read_header(struct layout *layout, char *line)
{
    static const char *const needed[] = {"time", "total", "residual"};
    char *rest = NULL;
    for (char *name = strtok_r(line, ",\r\n", &rest); name; name = strtok_r(NULL, ",\r\n", &rest)) {
        SLUICE_CHECK(layout->count < COLUMNS_MAX, SLUICE_IO, "%s: more than %d columns",
                     layout->path, COLUMNS_MAX);
        layout->column[layout->count] = find_column(name);
        if (strcmp(name, "step") == 0)
            layout->step = layout->count;
        layout->count++;
    }
    for (size_t n = 0; n < sizeof needed / sizeof needed[0]; n++) {
        int found = 0;
        for (int i = 0; i < layout->count; i++)
            found |= layout->column[i] == find_column(needed[n]);
        SLUICE_CHECK(found, SLUICE_IO,
                     "%s has no column '%s' in its first line: is it the table of a run?",
                     layout->path, needed[n]);
    }
    return SLUICE_OK;
}

static sluice_status read_row(const struct layout *layout, const char *line, long number,
                              struct sluice_budget_row *row)
{
    const char *at = line;
    memset(row, 0, sizeof *row);
    for (int i = 0; i < layout->count; i++) {
        char *end;
        const double value = strtod(at, &end);
        const char wanted = i + 1 < layout->count ? ',' : '\n';
        SLUICE_CHECK(end != at && (*end == wanted || *end == '\r'), SLUICE_IO,
                     "%s:%ld: column %d is not a number, or columns are missing", layout->path,
                     number, i + 1);
        if (i == layout->step)
            row->step = (int64_t)value;
        if (layout->column[i] != OTHER)
            *number_of(row, layout->column[i]) = value;
        at = end + 1;
    }
    return SLUICE_OK;
}

static void add_row(struct sluice_energy_table *table, const struct sluice_budget_row *row)
{
    const double residual = isfinite(row->residual) ? fabs(row->residual) : INFINITY;
    if (table->rows++ == 0)
        table->first = *row;
    table->last = *row;
    if (residual > table->max_residual) {
        table->max_residual = residual;
        table->max_residual_time = row->time;
    }
    if (fabs(row->identity) > table->max_identity)
        table->max_identity = fabs(row->identity);
}

sluice_status sluice_energy_table_read(struct sluice_energy_table *table, const char *path)
{
    struct layout layout = {.path = path, .step = -1};
    char *line = NULL;
    size_t size = 0;
    long number = 0;
    sluice_status status = SLUICE_OK;
    memset(table, 0, sizeof *table);
    FILE *file = fopen(path, "re");
    SLUICE_CHECK(file, SLUICE_IO, "%s: %s: is this the folder of a run?", path, strerror(errno));
    for (ssize_t length; status == SLUICE_OK && (length = getline(&line, &size, file)) > 0;) {
        struct sluice_budget_row row;
        number++;
        if (line[0] == '#' || line[length - 1] != '\n')
            continue;
        if (layout.count == 0) {
            status = read_header(&layout, line);
        } else if ((status = read_row(&layout, line, number, &row)) == SLUICE_OK) {
            add_row(table, &row);
        }
    }
    free(line);
    fclose(file);
    SLUICE_TRY(status);
    SLUICE_CHECK(table->rows > 0, SLUICE_IO, "%s has no rows yet: nothing to judge", path);
    return SLUICE_OK;
}
