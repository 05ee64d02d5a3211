#include "config/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "config/tree.h"

enum { LINE_MAX_BYTES = 1200, ORDER_OF_SET = 1 << 30 };

static void add(struct sluice_report *r, const struct sluice_tree_node *node, const char *key,
                int warning, const char *format, va_list arguments)
{
    char text[LINE_MAX_BYTES];
    int used, order = node ? node->order : 0;
    if (node && node->set) {
        used = snprintf(text, sizeof text / 2, "--set %s: ", node->set);
        order = ORDER_OF_SET;
    } else {
        used = snprintf(text, sizeof text / 2, "%s:%d: ", node && node->file ? node->file : r->name,
                        node ? node->line : 1);
    }
    used = used < (int)sizeof text / 2 ? used : (int)sizeof text / 2 - 1;
    used += snprintf(text + used, 200, "%.150s: %s", key, warning ? "warning: " : "");
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);

    if (r->count == r->capacity) {
        const int capacity = r->capacity ? 2 * r->capacity : 16;
        struct sluice_report_line *line = realloc(r->line, (size_t)capacity * sizeof *line);
        if (!line) {
            r->errors += !warning; /* counted, though its text is lost */
            return;
        }
        r->line = line;
        r->capacity = capacity;
    }
    r->line[r->count++] = (struct sluice_report_line){order, warning, strdup(text)};
    r->errors += !warning;
}

void sluice_report_error(struct sluice_report *r, const struct sluice_tree_node *node,
                         const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(r, node, key, 0, format, arguments);
    va_end(arguments);
}

void sluice_report_warning(struct sluice_report *r, const struct sluice_tree_node *node,
                           const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(r, node, key, 1, format, arguments);
    va_end(arguments);
}

/* Stable: messages of one line stay in the order in which they were found. */
static void sort_lines(struct sluice_report *r)
{
    for (int i = 1; i < r->count; i++) {
        const struct sluice_report_line line = r->line[i];
        int j = i;
        for (; j > 0 && r->line[j - 1].order > line.order; j--)
            r->line[j] = r->line[j - 1];
        r->line[j] = line;
    }
}

sluice_status sluice_report_finish(struct sluice_report *r, FILE *out)
{
    char message[4000] = "";
    size_t used = 0;
    int left_out = 0;
    sort_lines(r);
    for (int i = 0; i < r->count; i++) {
        const char *text = r->line[i].text ? r->line[i].text : "out of memory";
        if (out)
            fprintf(out, "%s\n", text);
        if (r->line[i].warning)
            continue;
        if (used + strlen(text) + 40 < sizeof message)
            used += (size_t)sprintf(message + used, "%s%s", used ? "\n" : "", text);
        else
            left_out++;
    }
    if (left_out)
        sprintf(message + used, "\nand %d more", left_out);
    SLUICE_CHECK(r->errors == 0, SLUICE_BAD_INPUT, "%s", message);
    return SLUICE_OK;
}

void sluice_report_destroy(struct sluice_report *r)
{
    for (int i = 0; i < r->count; i++)
        free(r->line[i].text);
    free(r->line);
    *r = (struct sluice_report){0};
}
