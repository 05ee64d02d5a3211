#include "app/config_from_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/shipped/shipped.h"
#include "core/colour.h"
#include "kernels/backends/backends.h"

/* Options that stand for a key of the config. */
static const struct {
    const char *path, *quote;
    enum sluice_option option;
} keys[SLUICE_KEY_OPTIONS] = {
    {"backend.name", "\"", SLUICE_OPTION_BACKEND},
    {"backend.strategy", "\"", SLUICE_OPTION_STRATEGY},
    {"backend.precision", "\"", SLUICE_OPTION_PRECISION},
    {"backend.threads", "", SLUICE_OPTION_THREADS},
    {"backend.share_devices", "", SLUICE_OPTION_SHARE_DEVICES},
};

sluice_status sluice_config_options_begin(struct sluice_config_options *options,
                                          const struct sluice_arguments *arguments)
{
    *options = (struct sluice_config_options){.quiet = arguments->given[SLUICE_OPTION_QUIET]};
    for (int i = 0; i < arguments->set_count; i++)
        options->set[options->count++] = arguments->set[i];
    for (int i = 0; i < SLUICE_KEY_OPTIONS; i++) {
        const int is_flag = !sluice_options[keys[i].option].argument,
                  given = arguments->given[keys[i].option];
        const char *value = is_flag && given ? "true" : arguments->value[keys[i].option];
        if (!value)
            continue;
        SLUICE_CHECK(strlen(value) < SLUICE_TEXT_MAX && !strpbrk(value, "\"\\\n"), SLUICE_BAD_INPUT,
                     "--%s '%.80s': a plain word of at most %d characters is needed",
                     sluice_options[keys[i].option].name, value, SLUICE_TEXT_MAX - 1);
        snprintf(options->option[i], sizeof options->option[i], "%s=%s%s%s", keys[i].path,
                 keys[i].quote, value, keys[i].quote);
        options->set[options->count++] = options->option[i];
    }
    options->messages = open_memstream(&options->text, &options->length);
    SLUICE_CHECK(options->messages, SLUICE_DEVICE, "no memory for messages: %s", strerror(errno));
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

sluice_status sluice_config_options_end(struct sluice_config_options *options, sluice_status status,
                                        const char *name, char **warnings)
{
    fclose(options->messages);
    char *text = options->text;
    size_t length = options->length;
    while (length > 0 && text[length - 1] == '\n')
        text[--length] = '\0';
    const int errors = length > 0 ? count_errors(text) : 0;
    if (errors > 0)
        status = report_errors(text, errors, name, status);
    else if (length > 0 && !options->quiet)
        print_warnings(text);
    const int keep = warnings && errors == 0 && length > 0;
    if (warnings)
        *warnings = keep ? text : NULL;
    if (!keep)
        free(text);
    return status;
}

/* A config that is not there may be one that comes with Sluice: adds its place to the message. */
static sluice_status name_shipped(const char *path, sluice_status status)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *const endings[] = {"", ".cfg"};
    char shipped[SLUICE_SHIPPED_PATH], found[SLUICE_SHIPPED_PATH], message[4096];
    if (access(path, F_OK) == 0 || errno != ENOENT || name[0] == '\0')
        return status;
    snprintf(message, sizeof message, "%s", sluice_message());
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(shipped, sizeof shipped, "configs/%s%s", name, endings[i]);
        if (sluice_shipped_find(shipped, found) == SLUICE_OK)
            return SLUICE_FAIL(status, "%s; Sluice comes with %s", message, found);
    }
    return SLUICE_FAIL(status, "%s", message);
}

sluice_status sluice_config_file_with_options(struct sluice_config *config, const char *path,
                                              const struct sluice_arguments *arguments,
                                              char **warnings)
{
    const struct sluice_backend_ops *ops;
    struct sluice_config_options o;
    SLUICE_TRY(sluice_config_options_begin(&o, arguments));
    sluice_status status = sluice_config_read(config, path, o.set, o.count, o.messages);
    status = sluice_config_options_end(&o, status, path, warnings);
    if (status != SLUICE_OK)
        return name_shipped(path, status);
    status = sluice_backend_find(NULL, config->backend.name, (int)config->backend.device, &ops,
                                 NULL, 0);
    if (status != SLUICE_OK)
        sluice_config_destroy(config);
    return status;
}
