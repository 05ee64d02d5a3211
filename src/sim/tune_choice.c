#include "sim/tune_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/safe_file.h"
#include "kernels/backends/backends.h"

void sluice_choice_text(const struct sluice_choice *c, const char *why,
                        char text[SLUICE_CHOICE_TEXT])
{
    snprintf(text, SLUICE_CHOICE_TEXT,
             "auto: from step %lld on %s, bins of a frame %d x %d x %d; cells hold %.3f in the "
             "mean, %lld at most (%s)",
             (long long)c->step, sluice_strategies[c->strategy].name, 1 << c->bins_log2[0],
             1 << c->bins_log2[1], 1 << c->bins_log2[2], c->mean, (long long)c->fullest, why);
}

static int log2_of(int bins, int *log2)
{
    for (*log2 = 0; *log2 < 31 && 1 << *log2 < bins;)
        ++*log2;
    return bins > 0 && 1 << *log2 == bins;
}

/* Parses a line of a log. Returns 0 if it is no choice or names an unknown strategy. */
static int parse(const char *line, struct sluice_choice *c)
{
    long long step, fullest;
    int bins[3];
    char name[64];
    const char *at = strstr(line, "auto: from step ");
    memset(c, 0, sizeof *c);
    if (!at || sscanf(at,
                      "auto: from step %lld on %63[^,], bins of a frame %d x %d x %d; cells hold "
                      "%lf in the mean, %lld at most (",
                      &step, name, &bins[0], &bins[1], &bins[2], &c->mean, &fullest) != 7)
        return 0;
    c->step = step;
    c->fullest = fullest;
    for (int a = 0; a < 3; a++)
        if (!log2_of(bins[a], &c->bins_log2[a]))
            return 0;
    return step >= 0 && strcmp(name, "auto") != 0 &&
           sluice_strategy_find(name, &c->strategy) == SLUICE_OK;
}

/* Inserts a choice by its step; it replaces one of the same step. Returns the new count. */
static int insert(struct sluice_choice *list, int count, const struct sluice_choice *c)
{
    int at = count;
    while (at > 0 && list[at - 1].step > c->step)
        at--;
    if (at > 0 && list[at - 1].step == c->step) {
        list[at - 1] = *c;
        return count;
    }
    memmove(list + at + 1, list + at, (size_t)(count - at) * sizeof *list);
    list[at] = *c;
    return count + 1;
}

/* The number of a line, from 1, where each line before it ends with \n or, once it is cut off, \0.
 */
static int number_of(const char *text, const char *line)
{
    int number = 1;
    for (; text < line; text++)
        number += *text == '\n' || *text == '\0';
    return number;
}

sluice_status sluice_choices_read(const char *path, struct sluice_choice **choices, int *count,
                                  int *unread)
{
    char *text, *rest;
    int lines = 0;
    *choices = NULL;
    *count = *unread = 0;
    SLUICE_TRY(sluice_safe_file_read(path, &text, NULL));
    for (const char *c = text; (c = strstr(c, "auto: from step ")); c++)
        lines++;
    if (lines > 0)
        *choices = malloc((size_t)lines * sizeof **choices);
    for (char *line = *choices ? strtok_r(text, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        struct sluice_choice c;
        if (parse(line, &c))
            *count = insert(*choices, *count, &c);
        else if (*unread == 0 && strstr(line, "auto: from step "))
            *unread = number_of(text, line);
    }
    free(text);
    SLUICE_CHECK(*choices || lines == 0, SLUICE_DEVICE, "no memory for %d choices of %s", lines,
                 path);
    return SLUICE_OK;
}
