#include "app/read_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends.h"
#include "core/colour.h"

sluice_status sluice_overrides_make(struct sluice_overrides *overrides,
                                    const struct sluice_arguments *arguments)
{
    static const struct {
        const char *path;
        enum sluice_option option;
        int is_word;
    } stands_for[] = {
        {"backend.name", SLUICE_OPTION_BACKEND, 1},
        {"backend.strategy", SLUICE_OPTION_STRATEGY, 1},
        {"backend.precision", SLUICE_OPTION_PRECISION, 1},
        {"backend.threads", SLUICE_OPTION_THREADS, 0},
    };
    overrides->count = 0;
    for (int i = 0; i < arguments->set_count; i++)
        overrides->set[overrides->count++] = arguments->set[i];
    for (size_t i = 0; i < sizeof stands_for / sizeof stands_for[0]; i++) {
        const char *value = arguments->value[stands_for[i].option],
                   *quote = stands_for[i].is_word ? "\"" : "";
        if (!value)
            continue;
        SLUICE_CHECK(strlen(value) < SLUICE_TEXT_MAX && !strpbrk(value, "\"\\\n"), SLUICE_BAD_INPUT,
                     "--%s '%.80s': a plain word of at most %d characters is wanted",
                     sluice_options[stands_for[i].option].name, value, SLUICE_TEXT_MAX - 1);
        snprintf(overrides->own[i], sizeof overrides->own[i], "%s=%s%s%s", stands_for[i].path,
                 quote, value, quote);
        overrides->set[overrides->count++] = overrides->own[i];
    }
    return SLUICE_OK;
}

sluice_status sluice_error_text_open(struct sluice_error_text *errors,
                                     const struct sluice_arguments *arguments)
{
    *errors = (struct sluice_error_text){.quiet = arguments->given[SLUICE_OPTION_QUIET]};
    errors->stream = open_memstream(&errors->text, &errors->length);
    SLUICE_CHECK(errors->stream, SLUICE_DEVICE, "no memory for messages: %s", strerror(errno));
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

sluice_status sluice_error_text_close(struct sluice_error_text *errors, const char *path,
                                      sluice_status status, char **warnings)
{
    enum { FITS = 3800 }; /* a message holds 4095 characters */
    fclose(errors->stream);
    if (warnings)
        *warnings = NULL;
    size_t length = errors->text ? strlen(errors->text) : 0;
    while (length > 0 && errors->text[length - 1] == '\n')
        errors->text[--length] = '\0';
    int lines = 0;
    for (const char *line = errors->text; length > 0 && line; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *warning = strstr(line, ": warning: "), *end = strchr(line, '\n');
        lines += !(warning && (!end || warning < end));
    }

    if (length > 0 && lines == 0) {
        if (!errors->quiet)
            print_warnings(errors->text);
        if (warnings) {
            *warnings = errors->text;
            errors->text = NULL;
        }
    } else if (length > FITS) {
        fprintf(stderr, "%s\n", errors->text);
        status = SLUICE_FAIL(status, "%s has %d errors, all of them above; nothing was done", path,
                             lines);
    } else if (lines > 1) {
        status = SLUICE_FAIL(status, "%s has %d errors; nothing was done\n%s", path, lines,
                             errors->text);
    } else if (length > 0) {
        status = SLUICE_FAIL(status, "%s", errors->text);
    }
    free(errors->text);
    errors->text = NULL;
    return status;
}

sluice_status sluice_app_read_config(struct sluice_config *config, const char *path,
                                     const struct sluice_arguments *arguments, char **warnings)
{
    struct sluice_overrides overrides;
    struct sluice_error_text errors;
    SLUICE_TRY(sluice_overrides_make(&overrides, arguments));
    SLUICE_TRY(sluice_error_text_open(&errors, arguments));
    sluice_status status = sluice_config_read(config, path, overrides.set, overrides.count,
                                              errors.stream);
    SLUICE_TRY(sluice_error_text_close(&errors, path, status, warnings));
    /* Before anything is made: whether this build has it. */
    const struct sluice_backend_ops *ops;
    status = sluice_backend_find(NULL, config->backend.name, (int)config->backend.device, &ops,
                                 NULL, 0);
    if (status != SLUICE_OK)
        sluice_config_destroy(config);
    return status;
}
