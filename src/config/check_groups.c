/* Checks of groups: shapes that share a name, and the keys that name a group. */
#include <stdio.h>
#include <string.h>

#include "config/checks.h"
#include "core/nearest_word.h"

/* Names of groups to guess a misspelt one from, and to list in a message. */
enum { SUGGESTED = 64, LISTED = 8 };

int sluice_check_in_group(const struct sluice_config *config, int shape, const char *name)
{
    char group[SLUICE_TEXT_MAX];
    return strcmp(sluice_config_group(config, shape, group), name) == 0;
}

/* Collects the names of the groups, each once and at most SUGGESTED. Returns their number. */
static int names_of(const struct sluice_config *config, char name[SUGGESTED][SLUICE_TEXT_MAX],
                    const char *names[SUGGESTED])
{
    int count = 0;
    for (int s = 0; s < config->shape_count && count < SUGGESTED; s++) {
        int known = 0;
        for (int k = 0; k < count && !known; k++)
            known = sluice_check_in_group(config, s, name[k]);
        if (!known) {
            names[count] = sluice_config_group(config, s, name[count]);
            count++;
        }
    }
    return count;
}

int sluice_check_find_group(const struct sluice_entry *e, const char *key, const char *name)
{
    const struct sluice_config *c = e->r->config;
    char store[SUGGESTED][SLUICE_TEXT_MAX], list[400] = "";
    const char *names[SUGGESTED], *nearest;
    for (int s = 0; s < c->shape_count; s++)
        if (sluice_check_in_group(c, s, name))
            return s;
    if (c->particles[0]) /* the group may be in the particle file, which is read later */
        return -1;
    const int count = names_of(c, store, names);
    for (int k = 0; k < count && k < LISTED; k++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s\"%.40s\"", k == 0 ? "" : ", ",
                 names[k]);
    if (sluice_nearest_word(name, names, count, &nearest))
        sluice_entry_report(e, key, "no shape is named \"%.60s\": did you mean \"%s\"?", name,
                            nearest);
    else
        sluice_entry_report(e, key, "no shape is named \"%.60s\": there are %s%s", name,
                            count ? list : "none", count > LISTED ? " ..." : "");
    return -1;
}

void sluice_check_name(const struct sluice_entry *e)
{
    const struct sluice_config *c = e->r->config;
    const struct sluice_shape *s = e->base;
    if (!s->name[0] || s->type < 0 || s->type == SLUICE_SHAPE_VOID)
        return;
    for (int k = 0; k < e->i; k++) {
        const struct sluice_shape *other = &c->shapes[k];
        if (strcmp(other->name, s->name) != 0 || other->type == s->type || other->type < 0 ||
            other->type == SLUICE_SHAPE_VOID)
            continue;
        sluice_entry_report(e, "name",
                            "\"%s\" is the name of geometry.[%d] too, which is %s: shapes of one "
                            "name are one group, of fluid or of walls",
                            s->name, k,
                            other->type == SLUICE_SHAPE_FLUID  ? "fluid"
                            : other->type == SLUICE_SHAPE_PART ? "a part"
                                                               : "a wall");
        return;
    }
}

int sluice_check_carried(const struct sluice_entry *e)
{
    struct sluice_config *c = e->r->config;
    const struct sluice_motion *m = e->base;
    if (!m->carries[0])
        return 0;
    const int first = sluice_check_find_group(e, "carries", m->carries);
    for (int s = first < 0 ? c->shape_count : first; s < c->shape_count; s++) {
        struct sluice_shape *shape = &c->shapes[s];
        if (!sluice_check_in_group(c, s, m->carries) || shape->type == SLUICE_SHAPE_VOID ||
            shape->type == SLUICE_SHAPE_PART)
            continue;
        if (shape->type == SLUICE_SHAPE_FLUID) {
            sluice_entry_report(
                e, "carries", "\"%.60s\" is fluid: only walls are carried by a motion", m->carries);
            break;
        }
        if (shape->content == SLUICE_SHAPE_BODY) {
            sluice_entry_report(e, "carries",
                                "\"%.60s\" is a body, which forces move: a motion carries walls. "
                                "Of bodies see release, velocity and locked",
                                m->carries);
            break;
        }
        if (shape->motion[0] && strcmp(shape->motion, m->name) != 0) {
            sluice_entry_report(
                e, "carries",
                "\"%.60s\" (geometry.[%d]) is carried by \"%.60s\" too: choose one of the two",
                m->carries, s, shape->motion);
            break;
        }
        snprintf(shape->motion, sizeof shape->motion, "%s", m->name);
    }
    return 1;
}
