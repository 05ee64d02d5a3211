#include "app/config_from_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/colour.h"
#include "kernels/backends.h"

/* Options that stand for a key of the config. */
static const struct {
    const char *path, *quote;
    enum sluice_option option;
} keys[] = {
    {"backend.name", "\"", SLUICE_OPTION_BACKEND},
    {"backend.strategy", "\"", SLUICE_OPTION_STRATEGY},
    {"backend.precision", "\"", SLUICE_OPTION_PRECISION},
    {"backend.threads", "", SLUICE_OPTION_THREADS},
};
enum { KEYS = sizeof keys / sizeof keys[0] };

struct overrides {
    const char *set[SLUICE_SET_MAX + KEYS];
    int count;
    char text[KEYS][SLUICE_TEXT_MAX + 32]; /* of the options above */
};

static sluice_status make_overrides(struct overrides *overrides,
                                    const struct sluice_arguments *arguments)
{
    overrides->count = 0;
    for (int i = 0; i < arguments->set_count; i++)
        overrides->set[overrides->count++] = arguments->set[i];
    for (int i = 0; i < KEYS; i++) {
        const char *value = arguments->value[keys[i].option];
        if (!value)
            continue;
        SLUICE_CHECK(strlen(value) < SLUICE_TEXT_MAX && !strpbrk(value, "\"\\\n"), SLUICE_BAD_INPUT,
                     "--%s '%.80s': a plain word of at most %d characters is needed",
                     sluice_options[keys[i].option].name, value, SLUICE_TEXT_MAX - 1);
        snprintf(overrides->text[i], sizeof overrides->text[i], "%s=%s%s%s", keys[i].path,
                 keys[i].quote, value, keys[i].quote);
        overrides->set[overrides->count++] = overrides->text[i];
    }
    return SLUICE_OK;
}

/* The text with each "warning:" in colour. */
static void print_warnings(const char *text)
{
    static const char word[] = ": warning:";
    const char *begin = text;
    for (const char *at; (at = strstr(begin, word)); begin = at + sizeof word - 1)
        fprintf(stderr, "%.*s: %swarning:%s", (int)(at - begin), begin,
                sluice_colour_begin(stderr, SLUICE_YELLOW), sluice_colour_end(stderr));
    fprintf(stderr, "%s\n", begin);
}

/* Lines that are no warnings. */
static int count_errors(const char *text)
{
    int errors = 0;
    for (const char *line = text; *text && line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *warning = strstr(line, ": warning: "), *end = strchr(line, '\n');
        errors += !(warning && (!end || warning < end));
    }
    return errors;
}

/* Makes the errors the message of `status`: one line as it is, several under a headline. */
static sluice_status report_errors(const char *text, int errors, const char *name,
                                   sluice_status status)
{
    enum { FITS = 3800 }; /* a message holds 4095 characters */
    if (strlen(text) > FITS) {
        fprintf(stderr, "%s\n", text);
        return SLUICE_FAIL(status, "%s has %d errors, all of them above; nothing was done", name,
                           errors);
    }
    if (errors > 1)
        return SLUICE_FAIL(status, "%s has %d errors; nothing was done\n%s", name, errors, text);
    return SLUICE_FAIL(status, "%s", text);
}

sluice_status sluice_config_with_options(struct sluice_config *config,
                                         const struct sluice_arguments *arguments,
                                         sluice_config_reader *reader, const void *source,
                                         const char *name, char **warnings)
{
    struct overrides overrides;
    char *text = NULL;
    size_t length = 0;
    if (warnings)
        *warnings = NULL;
    SLUICE_TRY(make_overrides(&overrides, arguments));
    FILE *stream = open_memstream(&text, &length);
    SLUICE_CHECK(stream, SLUICE_DEVICE, "no memory for messages: %s", strerror(errno));
    sluice_status status = reader(source, overrides.set, overrides.count, config, stream);
    fclose(stream);
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    const int errors = length > 0 ? count_errors(text) : 0;
    if (errors > 0)
        status = report_errors(text, errors, name, status);
    else if (length > 0 && !arguments->given[SLUICE_OPTION_QUIET])
        print_warnings(text);
    if (warnings && errors == 0 && length > 0)
        *warnings = text;
    else
        free(text);
    return status;
}

static sluice_status read_file(const void *path, const char *const *set, int set_count,
                               struct sluice_config *config, FILE *errors)
{
    return sluice_config_read(config, path, set, set_count, errors);
}

sluice_status sluice_config_file_with_options(struct sluice_config *config, const char *path,
                                              const struct sluice_arguments *arguments,
                                              char **warnings)
{
    const struct sluice_backend_ops *ops;
    SLUICE_TRY(sluice_config_with_options(config, arguments, read_file, path, path, warnings));
    const sluice_status status = sluice_backend_find(NULL, config->backend.name,
                                                     (int)config->backend.device, &ops, NULL, 0);
    if (status != SLUICE_OK)
        sluice_config_destroy(config);
    return status;
}
