/* Reads a config: text, tree, tables, checks. */
#include "config/config.h"

#include <stdlib.h>
#include <string.h>

#include "config/reader.h"

void sluice_config_destroy(struct sluice_config *config)
{
    free(config->shapes);
    free(config->initials);
    free(config->centrals);
    free(config->probes);
    free(config->openings);
    free(config->motions);
    free(config->bodies);
    free(config->moorings);
    if (config->source) {
        sluice_tree_destroy(&config->source->root);
        sluice_source_destroy(&config->source->text);
        free(config->source->effective);
        free(config->source);
    }
    memset(config, 0, sizeof *config);
}

/* Fills the config from its source's text. */
static sluice_status fill(struct sluice_config *config, const char *const *set, int set_count,
                          struct sluice_report *report)
{
    struct sluice_config_source *s = config->source;
    SLUICE_TRY(sluice_tree_read(&s->root, &s->text));
    struct sluice_reader r = {config, s->root, report, 0};
    SLUICE_TRY(sluice_reader_set(&r, set, set_count));
    SLUICE_TRY(sluice_reader_add_settings(&r));
    SLUICE_TRY(sluice_reader_read(&r));
    sluice_reader_check(&r);
    return SLUICE_OK;
}

sluice_status sluice_config_parse(struct sluice_config *config, const char *text, const char *name,
                                  const char *const *set, int set_count, FILE *errors)
{
    struct sluice_report report = {.name = name};
    memset(config, 0, sizeof *config);
    config->source = calloc(1, sizeof *config->source);
    SLUICE_CHECK(config->source, SLUICE_DEVICE, "%s", sluice_source_no_memory);
    sluice_status status = text ? sluice_source_take(&config->source->text, text, name)
                                : sluice_source_load(&config->source->text, name);
    if (status == SLUICE_OK)
        status = fill(config, set, set_count, &report);
    if (status != SLUICE_OK && errors)
        fprintf(errors, "%s\n", sluice_message());
    if (status == SLUICE_OK)
        status = sluice_report_finish(&report, errors);
    sluice_report_destroy(&report);
    if (status == SLUICE_OK) {
        config->source->effective = sluice_reader_text(config, config->source->root);
        if (!config->source->effective)
            status = SLUICE_FAIL(SLUICE_DEVICE,
                                 "out of memory while writing the effective configuration");
    }
    if (status != SLUICE_OK)
        sluice_config_destroy(config);
    return status;
}

sluice_status sluice_config_read(struct sluice_config *config, const char *path,
                                 const char *const *set, int set_count, FILE *errors)
{
    return sluice_config_parse(config, NULL, path, set, set_count, errors);
}

const char *sluice_config_text(const struct sluice_config *config)
{
    return config->source->effective;
}
