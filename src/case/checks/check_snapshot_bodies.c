/* A snapshot has a body's particles, but neither its shape nor its mass: those are the config's. */
#include <stdlib.h>
#include <string.h>

#include "case/builder.h"
#include "core/allocate.h"
#include "snapshots/snapshot.h"

/* The rows of a snapshot that belong to a body of its run, NAME or NAME_1, NAME_2, ... */
static int64_t count_rows(const struct sluice_case_builder *b, const struct sluice_body *body)
{
    const size_t length = strlen(body->name);
    int64_t rows = 0;
    for (int k = 0; k < b->file.groups.count; k++) {
        const struct sluice_group *group = &b->file.groups.group[k];
        const int is_one = strcmp(group->name, body->name) == 0,
                  is_each = body->each && strncmp(group->name, body->name, length) == 0 &&
                            group->name[length] == '_';
        if (group->type == SLUICE_WALL && (is_one || is_each))
            rows += group->rows;
    }
    return rows;
}

static sluice_status compare(const struct sluice_case_builder *b, const struct sluice_config *old)
{
    for (int k = 0; k < old->body_count; k++) {
        const struct sluice_body *body = &old->bodies[k];
        const int64_t rows = count_rows(b, body);
        int known = 0;
        for (int i = 0; i < b->config->body_count; i++)
            known |= strcmp(b->config->bodies[i].name, body->name) == 0;
        SLUICE_CHECK(known || rows == 0, SLUICE_BAD_INPUT,
                     "particles: %lld wall particles of the snapshot %s are of the body '%.60s', "
                     "which this case does not have: they would be a fixed wall; add the body and "
                     "its shapes, as the run had them, or go on with `sluice restart`",
                     (long long)rows, b->config->particles, body->name);
    }
    return SLUICE_OK;
}

sluice_status sluice_case_check_snapshot_bodies(const struct sluice_case_builder *b)
{
    struct sluice_config *old;
    char *text = NULL;
    sluice_status status = SLUICE_OK;
    if (!b->file.is_snapshot || !b->file.has_groups ||
        sluice_snapshot_read_config(b->config->particles, &text) != SLUICE_OK)
        return SLUICE_OK; /* without its config the bodies are unknown */
    old = calloc(1, sizeof *old);
    if (!old)
        status = SLUICE_FAIL(SLUICE_DEVICE, "no memory for the config of a snapshot");
    else if (sluice_config_parse(old, text, b->config->particles, NULL, 0, NULL) == SLUICE_OK) {
        status = compare(b, old);
        sluice_config_destroy(old);
    }
    free(old);
    free(text);
    return status;
}
