#include "solids/place_table.h"

#include <string.h>

#include "core/allocate.h"
#include "files/read_csv.h"

static sluice_status read_rows(struct sluice_place_table *table, struct sluice_rows *rows)
{
    static const char *const name[3] = {"x", "y", "z"};
    SLUICE_TRY(sluice_rows_header(rows, name, 3, sluice_rows_name));
    table->has = rows->has;
    SLUICE_CHECK(rows->columns >= 2, SLUICE_BAD_INPUT,
                 "%s:%lld: one column makes no places: name two or three of x, y and z", rows->path,
                 rows->line);
    while (sluice_rows_next(rows)) {
        SLUICE_GROW(table->row, table->count, table->capacity, "rows of a table");
        struct sluice_place_row *row = &table->row[table->count++];
        *row = (struct sluice_place_row){.line = rows->line};
        SLUICE_TRY(sluice_rows_numbers(rows, row->x));
    }
    return sluice_rows_end(rows);
}

sluice_status sluice_place_table_read(struct sluice_place_table *table, const char *path)
{
    struct sluice_rows rows;
    *table = (struct sluice_place_table){0};
    const char *why = sluice_rows_open(&rows, path);
    SLUICE_CHECK(!why, SLUICE_BAD_INPUT, "%s cannot be read: %s", path, why);
    const sluice_status status = read_rows(table, &rows);
    sluice_rows_close(&rows);
    if (status != SLUICE_OK)
        sluice_place_table_destroy(table);
    return status;
}

void sluice_place_table_destroy(struct sluice_place_table *table)
{
    free(table->row);
    *table = (struct sluice_place_table){0};
}
