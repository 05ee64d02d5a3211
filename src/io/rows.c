#include "io/rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int sluice_rows_open(struct sluice_rows *rows, const char *path)
{
    *rows = (struct sluice_rows){.path = path, .stream = fopen(path, "re")};
    return rows->stream != NULL;
}

int sluice_rows_next(struct sluice_rows *rows)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    while (getline(&rows->memory, &rows->size, rows->stream) >= 0) {
        rows->text = rows->memory;
        if (rows->line++ == 0 && strncmp(rows->text, byte_order_mark, 3) == 0)
            rows->text += 3;
        const char *first = rows->text;
        while (isspace((unsigned char)*first))
            first++;
        if (*first && *first != '#')
            return 1;
    }
    return 0;
}

void sluice_rows_close(struct sluice_rows *rows)
{
    fclose(rows->stream);
    free(rows->memory);
    *rows = (struct sluice_rows){0};
}
