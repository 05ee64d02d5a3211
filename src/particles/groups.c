#include "particles/groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"

enum { FIRST_CAPACITY = 16, LISTED = 12 };

/* The slot of a name, or the free one where it would stand. slots is a power of two. */
static int *find_slot(const struct sluice_groups *g, const char *name)
{
    const uint64_t last = (uint64_t)g->slots - 1;
    uint64_t at = sluice_hash(SLUICE_HASH_BEGIN, name, strlen(name)) & last;
    while (g->slot[at] && strcmp(g->group[g->slot[at] - 1].name, name) != 0)
        at = (at + 1) & last;
    return &g->slot[at];
}

int sluice_groups_find(const struct sluice_groups *g, const char *name)
{
    return g->slots ? *find_slot(g, name) - 1 : -1;
}

/* Doubles the table; half of the slots stay free. */
static sluice_status grow(struct sluice_groups *g)
{
    const int capacity = g->capacity ? 2 * g->capacity : FIRST_CAPACITY;
    struct sluice_group *group = realloc(g->group, (size_t)capacity * sizeof *group);
    g->group = group ? group : g->group;
    int *slot = calloc(2 * (size_t)capacity, sizeof *slot);
    if (!group || !slot) {
        free(slot);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for %d names of shapes", capacity);
    }
    free(g->slot);
    g->slot = slot;
    g->capacity = capacity;
    g->slots = 2 * capacity;
    for (int k = 0; k < g->count; k++)
        *find_slot(g, g->group[k].name) = k + 1;
    return SLUICE_OK;
}

sluice_status sluice_groups_add(struct sluice_groups *g, const char *name, enum sluice_type type,
                                int *group)
{
    *group = sluice_groups_find(g, name);
    if (*group >= 0)
        return SLUICE_OK;
    if (g->count == g->capacity)
        SLUICE_TRY(grow(g));
    char *copy = strdup(name);
    SLUICE_CHECK(copy, SLUICE_DEVICE, "no memory for the name of a shape");
    g->group[g->count] = (struct sluice_group){.name = copy, .type = type};
    *find_slot(g, copy) = g->count + 1;
    *group = g->count++;
    return SLUICE_OK;
}

int sluice_groups_count(const struct sluice_groups *g, enum sluice_type type)
{
    int count = 0;
    for (int k = 0; k < g->count; k++)
        count += g->group[k].type == type && g->group[k].particles > 0;
    return count;
}

int sluice_groups_first(const struct sluice_groups *g, enum sluice_type type)
{
    for (int k = 0; k < g->count; k++)
        if (g->group[k].type == type && g->group[k].particles > 0)
            return k;
    return -1;
}

void sluice_groups_add_row(struct sluice_groups *g, sluice_id id, int group)
{
    const uint64_t row[2] = {id, (uint64_t)group}; /* the same bytes in programs with longer ids */
    g->rows = sluice_hash(g->rows ? g->rows : SLUICE_HASH_BEGIN, row, sizeof row);
}

int64_t sluice_groups_digest(const struct sluice_groups *g)
{
    uint64_t hash = SLUICE_HASH_BEGIN;
    for (int k = 0; k < g->count; k++) {
        const struct sluice_group *of = &g->group[k];
        hash = sluice_hash(hash, of->name, strlen(of->name) + 1);
        hash = sluice_hash(hash, &of->particles, sizeof of->particles);
    }
    hash = sluice_hash(hash, &g->rows, sizeof g->rows);
    return (int64_t)(hash >> 1);
}

const char *sluice_groups_list(const struct sluice_groups *g, enum sluice_type type, char *text,
                               size_t size)
{
    int listed = 0;
    size_t used = 0;
    snprintf(text, size, "none");
    for (int k = 0; k < g->count && used + 64 < size; k++) {
        if (g->group[k].type != type)
            continue;
        if (listed == LISTED) {
            snprintf(text + used, size - used, " ...");
            break;
        }
        used += (size_t)snprintf(text + used, size - used, "%s\"%.40s\"", listed ? ", " : "",
                                 g->group[k].name);
        listed++;
    }
    return text;
}

void sluice_groups_destroy(struct sluice_groups *g)
{
    for (int k = 0; k < g->count; k++)
        free(g->group[k].name);
    free(g->group);
    free(g->slot);
    *g = (struct sluice_groups){0};
}
