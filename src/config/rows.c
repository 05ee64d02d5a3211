/* Rows of the tables: when they apply, their choices, and their values as numbers and texts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/tables.h"
#include "kernels/registry.h"

const char sluice_choices_of_pairs[] = "(pairs)";

int sluice_models_have(unsigned models, int model)
{
    return models == 0 || model < 0 || (models >> model & 1);
}

void sluice_models_text(unsigned models, int model, char *out, size_t size)
{
    static const struct sluice_param words = {.choices = SLUICE_MODELS(SLUICE_CHOICES)};
    char all[120], now[64];
    sluice_choices_text(&words, models, all, sizeof all);
    snprintf(out, size, "it belongs to model = %s, but that is \"%s\": remove one of the two", all,
             sluice_choice_word(&words, model, now));
}

static int holds(const struct sluice_row_when *w, const void *base)
{
    int value;
    memcpy(&value, (const char *)base + w->offset, sizeof value);
    return value >= 0 && value <= 31 && w->bits & 1u << value;
}

int sluice_row_applies(const struct sluice_row *row, int model, const void *base)
{
    int all = 1, any = 0;
    for (int i = 0; i < 2; i++) {
        all &= !row->when[i].bits || holds(&row->when[i], base);
        any |= row->also[i].bits && holds(&row->also[i], base);
    }
    return sluice_models_have(row->models, model) && (all || any);
}

const struct sluice_row *sluice_row_of_condition(const struct sluice_table *table,
                                                 const struct sluice_row_when *when)
{
    for (int i = 0; i < table->count; i++)
        if ((table->row[i].p.type == SLUICE_PARAM_CHOICE ||
             table->row[i].p.type == SLUICE_PARAM_BOOL) &&
            table->row[i].p.offset == when->offset)
            return &table->row[i];
    return NULL;
}

#define USED(member) offsetof(struct sluice_config, member)
const struct sluice_group_row sluice_config_groups[] = {
    {"bodies", SLUICE_TREE_LIST, 1u << SLUICE_MODEL_WCSPH, USED(moves_bodies)},
    {"lattice", SLUICE_TREE_GROUP, 1u << SLUICE_MODEL_LJ, USED(lattice.used)},
    {"thermal", SLUICE_TREE_GROUP, 1u << SLUICE_MODEL_LJ, USED(thermal.used)},
#define EFFECT_GROUP(name, path)                                                                   \
    {path, SLUICE_TREE_GROUP, 1u << SLUICE_MODEL_WCSPH, USED(name.used)},
#include "physics/effects.def"
    {0}};

const char *sluice_group_of_condition(const struct sluice_row_when *when)
{
    const struct sluice_group_row *g = sluice_config_groups;
    while (g->path && g->used != when->offset)
        g++;
    return g->path;
}

const struct sluice_param_info sluice_param_types[] = {
    [SLUICE_PARAM_REAL] = {"number", 1, SLUICE_MEMBER_DOUBLE},
    [SLUICE_PARAM_INT] = {"whole number", 1, SLUICE_MEMBER_LONG},
    [SLUICE_PARAM_SMALL] = {"whole number", 1, SLUICE_MEMBER_INT},
    [SLUICE_PARAM_BOOL] = {"true or false", 1, SLUICE_MEMBER_INT},
    [SLUICE_PARAM_CHOICE] = {"word", 1, SLUICE_MEMBER_INT},
    [SLUICE_PARAM_TEXT] = {"text", 0, SLUICE_MEMBER_INT},
    [SLUICE_PARAM_VECTOR] = {"vector", 3, SLUICE_MEMBER_DOUBLE},
    [SLUICE_PARAM_BOOLS] = {"array of true or false", 3, SLUICE_MEMBER_INT},
    [SLUICE_PARAM_INTS] = {"array of whole numbers", 3, SLUICE_MEMBER_INT},
    [SLUICE_PARAM_LONGS] = {"array of whole numbers", 3, SLUICE_MEMBER_LONG},
    [SLUICE_PARAM_MATRIX] = {"list of vectors", 9, SLUICE_MEMBER_DOUBLE},
    [SLUICE_PARAM_POINTS] = {"list of points", 0, SLUICE_MEMBER_DOUBLE},
    [SLUICE_PARAM_SIDES] = {"array of sides", 1, SLUICE_MEMBER_INT},
    [SLUICE_PARAM_WORDS] = {"array of words", 1, SLUICE_MEMBER_INT},
    [SLUICE_PARAM_FACE] = {"side", 1, SLUICE_MEMBER_INT}};

double sluice_param_get(const struct sluice_param *p, const void *base, int i)
{
    const void *at = (const char *)base + p->offset;
    switch (sluice_param_types[p->type].member) {
    case SLUICE_MEMBER_DOUBLE:
        return ((const double *)at)[i];
    case SLUICE_MEMBER_LONG:
        return (double)((const long long *)at)[i];
    default:
        return ((const int *)at)[i];
    }
}

void sluice_param_put(const struct sluice_param *p, void *base, int i, double value)
{
    void *at = (char *)base + p->offset;
    switch (sluice_param_types[p->type].member) {
    case SLUICE_MEMBER_DOUBLE:
        ((double *)at)[i] = value;
        break;
    case SLUICE_MEMBER_LONG:
        ((long long *)at)[i] = (long long)value;
        break;
    default:
        ((int *)at)[i] = (int)value;
    }
}

int sluice_choice(const struct sluice_param *p, int i, char word[64], int *value)
{
    *value = i;
    if (p->type == SLUICE_PARAM_BOOL) {
        snprintf(word, 64, "%s", i ? "true" : "false");
        return i < 2;
    }
    if (p->choices == sluice_choices_of_pairs) {
        for (int k = 0; k < SLUICE_PAIR_COUNT; k++)
            if (sluice_pairs[k].param_count > 0 && i-- == 0) {
                snprintf(word, 64, "%s", sluice_pairs[k].name);
                *value = k;
                return 1;
            }
        return 0;
    }
    const char *c = p->choices;
    for (int k = 0; k < i && c; k++) {
        c = strchr(c, '|');
        c = c && c[1] ? c + 1 : NULL; /* a last "|" only ends the last word */
    }
    if (!c)
        return 0;
    snprintf(word, 64, "%.*s", (int)strcspn(c, "|"), c);
    return 1;
}

const char *sluice_choice_word(const struct sluice_param *p, int value, char word[64])
{
    word[0] = 0;
    for (int i = 0, v; sluice_choice(p, i, word, &v) && v != value; i++)
        ;
    return word;
}

void sluice_choices_text(const struct sluice_param *p, unsigned bits, char *out, size_t size)
{
    char word[64], last[80] = "";
    size_t used = 0;
    out[0] = 0;
    for (int i = 0, value; sluice_choice(p, i, word, &value) && (i == 0 || word[0]); i++) {
        if (value > 31 || !(bits & 1u << value))
            continue;
        if (last[0] && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", last);
        snprintf(last, sizeof last, p->type == SLUICE_PARAM_BOOL ? "%s" : "\"%s\"", word);
    }
    if (used < size)
        snprintf(out + used, size - used, "%s%s", used ? " or " : "", last);
}

void sluice_real_text(double value, char out[40])
{
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, 40, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    if (strchr(out, 'e') && fabs(value) >= 1 && fabs(value) < 1e15 && value == rint(value))
        snprintf(out, 40, "%.1f", value);
    if (!strpbrk(out, ".eEn"))
        strcat(out, ".0");
}

/* Six digits if they give the value exactly. */
static const char *bound(double value, char out[32])
{
    snprintf(out, 32, "%g", value);
    if (strtod(out, NULL) != value)
        snprintf(out, 32, "%.16g", value);
    return out;
}

void sluice_range_text(const struct sluice_param *p, char *out, size_t size)
{
    const char *unit = strcmp(p->unit, "1") == 0 ? "" : p->unit;
    const char *space = *unit ? " " : "";
    char least[32], most[32];
    if (p->most >= 1e300)
        snprintf(out, size, "at least %s%s%s", bound(p->least, least), space, unit);
    else
        snprintf(out, size, "from %s to %s%s%s", bound(p->least, least), bound(p->most, most),
                 space, unit);
}

void sluice_number_text(const struct sluice_param *p, double value, char out[80])
{
    char word[64];
    if (sluice_param_types[p->type].member == SLUICE_MEMBER_DOUBLE)
        sluice_real_text(value, out);
    else if (p->type == SLUICE_PARAM_BOOL || p->type == SLUICE_PARAM_BOOLS)
        strcpy(out, value != 0 ? "true" : "false");
    else if (p->type == SLUICE_PARAM_CHOICE)
        snprintf(out, 80, "\"%s\"", sluice_choice_word(p, (int)value, word));
    else if (p->type == SLUICE_PARAM_WORDS && value == 0)
        strcpy(out, "[]");
    else if (p->type == SLUICE_PARAM_FACE && value < 0)
        strcpy(out, "none");
    else if (p->type == SLUICE_PARAM_FACE)
        snprintf(out, 80, "\"%c%c\"", "xyz"[(int)value / 2], "-+"[(int)value % 2]);
    else
        snprintf(out, 80, "%.0f", value);
}
