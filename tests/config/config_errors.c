/* test: 0.1 s */
/* Wrong configs and the exact message of each: tests/data/config-errors/NAME.cfg gives
 * NAME.expected. The lines of NAME.set, if there are any, are given as --set.
 *
 * SLUICE_REWRITE=1 in the environment rewrites the expected messages: look at the difference before
 * you commit it. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "support/tap.h"

#define FOLDER "tests/data/config-errors"

enum { SETS_MAX = 20, NAMES_MAX = 200, PATH_BYTES = 512 };

/* The whole file, allocated; NULL: there is none. */
static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (!f)
        return NULL;
    FILE *out = open_memstream(&text, &size);
    for (int c; (c = fgetc(f)) != EOF;)
        fputc(c, out);
    fclose(f);
    fclose(out);
    return text;
}

static void spill(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    if (f) {
        fputs(text, f);
        fclose(f);
    }
}

/* The reader's message for one config, allocated, and its status. */
static char *messages(const char *name, sluice_status *status)
{
    char path[PATH_BYTES], *text = NULL;
    const char *set[SETS_MAX];
    size_t size = 0;
    int count = 0;
    struct sluice_config config;
    snprintf(path, sizeof path, FOLDER "/%s.set", name);
    char *sets = slurp(path);
    for (char *line = sets ? strtok(sets, "\n") : NULL; line && count < SETS_MAX;
         line = strtok(NULL, "\n"))
        set[count++] = line;
    snprintf(path, sizeof path, FOLDER "/%s.cfg", name);
    FILE *errors = open_memstream(&text, &size);
    *status = sluice_config_read(&config, path, set, count, errors);
    fclose(errors);
    if (*status == SLUICE_OK)
        sluice_config_destroy(&config);
    free(sets);
    return text;
}

/* Lines that are no warnings. */
static int error_lines(const char *text)
{
    int n = 0;
    for (const char *p = text; *p;) {
        const char *end = strchr(p, '\n'), *warning = strstr(p, ": warning: ");
        n += !warning || warning > end;
        p = end ? end + 1 : p + strlen(p);
    }
    return n;
}

static void check_one(const char *name, int rewrite)
{
    char path[PATH_BYTES];
    sluice_status status;
    char *text = messages(name, &status);
    snprintf(path, sizeof path, FOLDER "/%s.expected", name);
    if (rewrite)
        spill(path, text);
    char *expected = slurp(path);
    is_str(text, expected, name);
    is_int(status, error_lines(text) > 0 ? SLUICE_BAD_INPUT : SLUICE_OK, "its status");
    ok(*text != 0, "there is a message");
    if (status != SLUICE_OK && error_lines(text) == 1 && !strstr(text, ": warning: "))
        ok(strncmp(sluice_message(), text, strlen(sluice_message())) == 0 &&
               strlen(text) == strlen(sluice_message()) + 1,
           "the message is the same");
    free(expected);
    free(text);
}

static int is_config(const struct dirent *entry)
{
    const size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".cfg") == 0;
}

int main(void)
{
    struct dirent **entry;
    const int rewrite = getenv("SLUICE_REWRITE") != NULL;
    const int count = scandir(FOLDER, &entry, is_config, alphasort);
    ok(count >= 30, "%d wrong configs", count);
    for (int i = 0; i < count; i++) {
        entry[i]->d_name[strlen(entry[i]->d_name) - 4] = 0;
        check_one(entry[i]->d_name, rewrite);
        free(entry[i]);
    }
    free(entry);
    return done_testing();
}
