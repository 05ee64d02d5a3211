/* Configs as the command line asks for them: with --set, and the options that stand for keys. */
#ifndef SLUICE_APP_CONFIG_FROM_OPTIONS_H
#define SLUICE_APP_CONFIG_FROM_OPTIONS_H
#include <stdio.h>

#include "app/command_line.h"
#include "config/config.h"

/* A reader of a config; it writes errors and warnings to `errors`, one a line. sluice_config_read,
 * sluice_config_parse and sluice_run_read_config fit behind it. */
typedef sluice_status sluice_config_reader(const void *source, const char *const *set,
                                           int set_count, struct sluice_config *config,
                                           FILE *errors);

/* Calls the reader with the overrides of the command line: every --set, then --backend, --strategy,
 * --threads and --precision as "path=value". The error message has every error of the config, one a
 * line; `name` stands for the config in it. Warnings are printed, unless quiet; *warnings gets them
 * too, for a log: lines that the caller frees, or NULL (`warnings` may be NULL). Errors
 * (SLUICE_BAD_INPUT): also an option's value that is too long or has a quotation mark. */
sluice_status sluice_config_with_options(struct sluice_config *config,
                                         const struct sluice_arguments *arguments,
                                         sluice_config_reader *reader, const void *source,
                                         const char *name, char **warnings);

/* The same for the config file `path`; its backend must be one of this build. */
sluice_status sluice_config_file_with_options(struct sluice_config *config, const char *path,
                                              const struct sluice_arguments *arguments,
                                              char **warnings);
#endif
