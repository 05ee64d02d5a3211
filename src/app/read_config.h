/* Reading a config as the command line asks: --set, and the options that stand for a key. */
#ifndef SLUICE_APP_READ_CONFIG_H
#define SLUICE_APP_READ_CONFIG_H
#include <stdio.h>

#include "app/verbs.h"
#include "config/config.h"

/* Overrides "path=value" of a command line: every --set, then what --backend, --strategy, --threads
 * and --precision stand for. */
struct sluice_overrides {
    const char *set[SLUICE_SET_MAX + 8];
    int count;
    char own[8][512];
};

/* Errors (SLUICE_BAD_INPUT): a value that is too long or has a quotation mark in it. */
sluice_status sluice_overrides_make(struct sluice_overrides *overrides,
                                    const struct sluice_arguments *arguments);

/* Reads and checks the config file `path`. When it is wrong the message has every error, one a
 * line. Warnings are printed, unless quiet. `warnings`, where not NULL, takes them too, for a
 * log: lines that the caller frees, or NULL. */
sluice_status sluice_app_read_config(struct sluice_config *config, const char *path,
                                     const struct sluice_arguments *arguments, char **warnings);

/* Runs a reader that writes its errors to a stream, and makes of them the message: one line as it
 * is, several under a headline that names `path`. */
struct sluice_error_text {
    int quiet; /* no warnings */
    FILE *stream;
    char *text;
    size_t length;
};
sluice_status sluice_error_text_open(struct sluice_error_text *errors,
                                     const struct sluice_arguments *arguments);
sluice_status sluice_error_text_close(struct sluice_error_text *errors, const char *path,
                                      sluice_status status, char **warnings);
#endif
