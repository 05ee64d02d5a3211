#include "files/columns.h"

#include <assert.h>
#include <string.h>

static const char *const axes[] = {"x", "y", "z"};
/* Of a symmetric tensor, in VTK's order. */
static const char *const pairs[2][6] = {{"xx", "yy", "xy"}, {"xx", "yy", "zz", "xy", "yz", "xz"}};

int sluice_column_name(const struct sluice_column *column, int dimension, int k,
                       char name[SLUICE_COLUMN_NAME])
{
    const int space = dimension == 3;
    const char *at = space && column->space ? column->space : column->name;
    for (;;) {
        const size_t length = strcspn(at, ","), head = strcspn(at, "*,"),
                     stars = strspn(at + head, "*");
        const int count = stars == 0 ? 1 : stars == 1 ? dimension : space ? 6 : 3;
        if (k < count) {
            snprintf(name, SLUICE_COLUMN_NAME, "%.*s%s%.*s", (int)head, at,
                     stars == 0   ? ""
                     : stars == 1 ? axes[k]
                                  : pairs[space][k],
                     (int)(length - head - stars), at + head + stars);
            return 1;
        }
        if (!at[length])
            return 0;
        k -= count;
        at += length + 1;
    }
}

char *sluice_columns_header(const struct sluice_column *columns, int dimension, char *header,
                            size_t size)
{
    char name[SLUICE_COLUMN_NAME];
    size_t used = strlen(header);
    for (; columns->name; columns++)
        for (int k = 0; sluice_column_name(columns, dimension, k, name); k++) {
            used += (size_t)snprintf(header + used, size - used, "%s%s", used ? "," : "", name);
            assert(used < size);
        }
    return header;
}

/* Appends "`roll`, `pitch`, `yaw`", or of a vector "`force_x`, ..."; `quote`: the mark at both
 * sides of a name. */
static void add_names(const struct sluice_column *column, int dimension, const char *quote,
                      char *text, size_t size)
{
    const char *pattern = dimension == 3 && column->space ? column->space : column->name;
    char name[SLUICE_COLUMN_NAME];
    size_t used = strlen(text);
    for (int k = 0; used < size && sluice_column_name(column, dimension, k, name); k++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s", k ? ", " : "", quote, name,
                                 quote);
        if (!strchr(pattern, '*'))
            continue;
        snprintf(text + used, size - used, ", ...");
        return;
    }
}

void sluice_columns_print(FILE *out, const struct sluice_column *columns, int markdown)
{
    for (; columns->name; columns++) {
        char names[200] = "";
        add_names(columns, 2, markdown ? "`" : "", names, sizeof names);
        if (columns->space) {
            strcat(names, "; in 3-D ");
            add_names(columns, 3, markdown ? "`" : "", names, sizeof names);
        }
        fprintf(out, markdown ? "| %s | %s | %s |\n" : "  %-36s %-12s %s\n", names, columns->unit,
                columns->what);
    }
}
