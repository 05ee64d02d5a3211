/* Configs as the command line asks for them: with --set, and the options that stand for keys. */
#ifndef SLUICE_APP_CONFIG_FROM_OPTIONS_H
#define SLUICE_APP_CONFIG_FROM_OPTIONS_H
#include <stdio.h>

#include "app/command_line.h"
#include "config/config.h"

enum { SLUICE_KEY_OPTIONS = 5 }; /* options that stand for a key of the config */

/* The parts of the command line for a reader of a config. */
struct sluice_config_options {
    const char *set[SLUICE_SET_MAX + SLUICE_KEY_OPTIONS]; /* [count] "path=value" */
    int count;
    FILE *messages; /* for errors and warnings, one a line */
    int quiet;
    char option[SLUICE_KEY_OPTIONS][SLUICE_TEXT_MAX + 32]; /* texts of `set` */
    char *text;                                            /* of the messages */
    size_t length;
};

/* The overrides of the command line: every --set, then --backend, --strategy, --threads and
 * --precision. Errors (SLUICE_BAD_INPUT): an option's value is too long or has a quotation mark. */
sluice_status sluice_config_options_begin(struct sluice_config_options *options,
                                          const struct sluice_arguments *arguments);

/* Must follow every begin that succeeded. Takes the status of the reader, and returns it. The error
 * message has every error of the config, one a line; `name` stands for the config in it. Warnings
 * are printed, unless quiet; *warnings gets them too, for a log: lines that the caller frees, or
 * NULL (`warnings` may be NULL). */
sluice_status sluice_config_options_end(struct sluice_config_options *options, sluice_status status,
                                        const char *name, char **warnings);

/* Reads the config file `path` with these options; its backend must be one of this build. */
sluice_status sluice_config_file_with_options(struct sluice_config *config, const char *path,
                                              const struct sluice_arguments *arguments,
                                              char **warnings);
#endif
