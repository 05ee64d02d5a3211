#include "config/report.h"

#include <stdlib.h>
#include <string.h>

#include "config/syntax/tree.h"
#include "core/escape.h"

enum { ORDER_OF_SET = 1 << 30 };

void sluice_report_add_va(struct sluice_report *r, const struct sluice_tree_node *node,
                          const char *key, const char *format, va_list arguments)
{
    struct sluice_report_line *line;
    char place[600], message[800];
    vsnprintf(message, sizeof message, format, arguments);
    const int warning = strncmp(message, "warning: ", 9) == 0;
    r->errors += !warning;
    if (!r->line)
        r->line = malloc(SLUICE_REPORT_LINES * sizeof *r->line);
    if (!r->line || r->count == SLUICE_REPORT_LINES)
        return; /* it is only counted */
    line = &r->line[r->count++];
    line->warning = warning;
    line->order = node && node->set ? ORDER_OF_SET : node ? node->order : 0;
    if (node && node->set)
        snprintf(place, sizeof place, "--set %s", node->set);
    else
        snprintf(place, sizeof place, "%s:%d", node && node->file ? node->file : r->name,
                 node ? node->line : 1);
    char text[sizeof line->text];
    snprintf(text, sizeof text, "%s: %.150s: %s", place, key, message);
    sluice_escape(text, line->text, sizeof line->text);
}

void sluice_report_add(struct sluice_report *r, const struct sluice_tree_node *node,
                       const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    sluice_report_add_va(r, node, key, format, arguments);
    va_end(arguments);
}

/* Stable: messages about one line keep their order. */
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
    int said = 0, written = 0;
    sort_lines(r);
    for (int i = 0; i < r->count; i++) {
        const char *text = r->line[i].text;
        if (out)
            fprintf(out, "%s\n", text);
        if (r->line[i].warning)
            continue;
        written++;
        if (used + strlen(text) + 40 < sizeof message) {
            used += (size_t)sprintf(message + used, "%s%s", used ? "\n" : "", text);
            said++;
        }
    }
    if (out && written < r->errors)
        fprintf(out, "and %d more\n", r->errors - written);
    if (said < r->errors)
        sprintf(message + used, "\nand %d more", r->errors - said);
    SLUICE_CHECK(r->errors == 0, SLUICE_BAD_INPUT, "%s", message);
    return SLUICE_OK;
}

void sluice_report_destroy(struct sluice_report *r)
{
    free(r->line);
    *r = (struct sluice_report){0};
}
