/* The list of all keys: for `sluice info`, and as docs/config.md. */
#include <math.h>
#include <stdio.h>
#include <stddef.h>
#include <string.h>

#include "config/reader.h"
#include "kernels/registry.h"
#include "particles/fields.h"

static const char *type_name(const struct sluice_row *row)
{
    if (row->p.type == SLUICE_PARAM_VECTOR && row->length != SLUICE_LENGTH_DIMENSION)
        return "number or vector";
    return row->p.choices && row->p.type != SLUICE_PARAM_WORDS
               ? "word"
               : sluice_param_types[row->p.type].name;
}

static void default_text(const struct sluice_param *p, char out[100])
{
    if (isnan(p->preset))
        strcpy(out, "required");
    else if (p->type == SLUICE_PARAM_TEXT)
        snprintf(out, 100, "\"%s\"", p->preset_text ? p->preset_text : "");
    else if (p->type == SLUICE_PARAM_POINTS || isinf(p->preset))
        strcpy(out, "none");
    else
        sluice_number_text(p, p->preset, out);
}

static void range_text(const struct sluice_param *p, char *out, size_t size)
{
    out[0] = 0;
    if (p->choices)
        sluice_choices_text(p, ~0u, out, size);
    else if (p->least < p->most && p->type != SLUICE_PARAM_BOOL && p->type != SLUICE_PARAM_BOOLS)
        sluice_range_text(p, out, size);
}

/* "with model wcsph|gas" */
static size_t models_text(unsigned models, char *out, size_t size)
{
    static const char *const word[] = {SLUICE_MODELS(SLUICE_CHOICE_WORD)};
    size_t used = (size_t)snprintf(out, size, "with model ");
    int any = 0;
    for (size_t k = 0; k < sizeof word / sizeof *word && used < size; k++)
        if (models >> k & 1)
            used += (size_t)snprintf(out + used, size - used, "%s%s", any++ ? "|" : "", word[k]);
    return used;
}

/* One word's condition: "shape box|disc". */
static size_t words_text(const struct sluice_row *cause, unsigned bits, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "%s ", cause->p.path);
    char word[64];
    int value, any = 0;
    for (int k = 0; sluice_choice(&cause->p, k, word, &value) && used < size; k++)
        if (value < 32 && bits & 1u << value)
            used += (size_t)snprintf(out + used, size - used, "%s%s", any++ ? "|" : "", word);
    return used;
}

/* The condition of a key, as "with shape box|disc"; "": it always applies. */
static void condition_text(const struct sluice_table *table, const struct sluice_row *row,
                           char *out, size_t size)
{
    size_t used = 0;
    out[0] = 0;
    if (row->models)
        used = models_text(row->models, out, size);
    for (int i = 0; i < 4 && used < size; i++) {
        const struct sluice_row_when *when = i < 2 ? &row->when[i] : &row->also[i - 2];
        const struct sluice_row *cause = when->bits ? sluice_row_of_condition(table, when) : NULL;
        const char *group = when->bits && !cause ? sluice_group_of_condition(when) : NULL;
        if (group && strncmp(row->p.path, group, strlen(group)) != 0)
            used += (size_t)snprintf(out + used, size - used, "%s%s %s", used ? ", " : "",
                                     when->bits & 1u ? "without" : "with", group);
        if (!cause || used >= size)
            continue;
        used += (size_t)snprintf(out + used, size - used, "%s",
                                 i >= 2 ? ", or "
                                 : used ? ", "
                                        : "with ");
        if (used < size)
            used += words_text(cause, when->bits, out + used, size - used);
    }
}

/* A | would end the cell of a table. */
static void cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
}

static void describe_row(FILE *out, const struct sluice_table *table, const struct sluice_row *row,
                         int markdown)
{
    char preset[100], range[420], condition[300];
    default_text(&row->p, preset);
    range_text(&row->p, range, sizeof range);
    condition_text(table, row, condition, sizeof condition);
    if (markdown) {
        fprintf(out, "| `%s` | %s | ", row->p.path, type_name(row));
        fprintf(out, isnan(row->p.preset) ? "%s | " : "`%s` | ", preset);
        cell(out, range);
        fprintf(out, " | ");
        cell(out, row->p.doc);
        fputs(*condition ? " (" : "", out);
        cell(out, condition);
        fputs(*condition ? ") |\n" : " |\n", out);
        return;
    }
    fprintf(out, "  %-26s %s%s%s\n", row->p.path, row->p.doc, *condition ? "; " : "", condition);
    fprintf(out, "  %-26s %s, %s%s%s%s\n", "", type_name(row),
            isnan(row->p.preset) ? "" : "default ", preset, *range ? ", " : "", range);
}

static void head(FILE *out, const char *title, const char *doc, int markdown)
{
    if (!markdown) {
        fprintf(out, "\n%s: %s\n", title, doc);
        return;
    }
    fprintf(
        out,
        "\n## %s\n\n%s.\n\n| key | type | default | range or choices | |\n|---|---|---|---|---|\n",
        title, doc);
}

/* " at `a`, `b` walls", the kinds that lack a property. Returns how many. */
static int walls_without(unsigned property, char *out, size_t size)
{
    size_t used = 0;
    int count = 0;
    for (int k = 0; k < SLUICE_BOUNDARY_COUNT && used < size; k++)
        if (!(sluice_boundaries[k].has & property))
            used += (size_t)snprintf(out + used, size - used, "%s`%s`", count++ ? ", " : " at ",
                                     sluice_boundaries[k].word);
    if (count && used < size)
        snprintf(out + used, size - used, " walls");
    return count;
}

/* What effects exclude, and why. */
static void describe_refusals(FILE *out, int markdown)
{
    static const struct {
        unsigned without; /* a property of walls; 0: none */
        const char *what, *reason, *remedy;
    } rows[] = {
#define EFFECT_EXCLUDES(holds, key, what, reason, remedy) {0, what, reason, remedy},
#define EFFECT_NEEDS_WALLS(holds, property, key, what, reason, remedy)                             \
    {property, what, reason, remedy},
#include "physics/effects.def"
    };
    fputs(markdown ? "\n## Refused together\n\nPhysics forbids these settings of water together.\n"
                     "\n| what | why not | instead |\n|---|---|---|\n"
                   : "\nRefused together, with model wcsph:\n",
          out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char walls[200] = "";
        if (rows[i].without && !walls_without(rows[i].without, walls, sizeof walls))
            continue;
        fprintf(out, markdown ? "| %s%s | %s%s | %s |\n" : "  %s%s: %s%s; %s\n", rows[i].what,
                walls, rows[i].without ? "they " : "", rows[i].reason, rows[i].remedy);
    }
}

/* The fields of effects that snapshots and probes can have. */
static void describe_outputs(FILE *out, int markdown)
{
    static const struct {
        const char *word, *array, *sentence, *key, *value;
    } rows[] = {
#define EFFECT_OUTPUT(NAME, array, word, sentence, holds, key, value)                              \
    {word, array, sentence, key, value},
#include "physics/effects.def"
    };
    fputs(markdown
              ? "\n## Fields of effects\n\nThe words of `output.fields` and of a probe's "
                "`quantity`, the arrays of [snapshots](snapshots.md#fields-of-effects), and the "
                "key that a field comes with.\n\n"
                "| word | array | unit | field | comes with |\n|---|---|---|---|---|\n"
              : "\nFields of effects, for output.fields and probes:\n",
          out);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *unit = sluice_field_table[sluice_effect_outputs[i].field].unit;
        fprintf(out,
                markdown ? "| `%s` | `%s` | %s | %s | `%s` %s |\n"
                         : "  %-26s %s, %s; %s; with %s %s\n",
                rows[i].word, rows[i].array, unit, rows[i].sentence, rows[i].key, rows[i].value);
    }
}

void sluice_config_describe(FILE *out, int markdown)
{
    if (markdown)
        fputs("# The keys of a config\n\n"
              "Made from the parameter tables by `sluice info --markdown`: do not edit. The files "
              "are in the syntax of\nlibconfig: `key = value;`, groups `{ }`, arrays `[ ]` of "
              "numbers, words\nor `true` and `false`, lists `( )`, comments `#`, `@include "
              "\"file\"`. "
              "A key `a.b` is `b` in the group `a`. A vector\nhas as many components as the case "
              "has dimensions. Units are SI, or the reduced ones of Lennard-Jones with\n`units = "
              "\"lj\"`.\n",
              out);
    head(out, "Keys", "Those outside lists", markdown);
    for (int i = 0; i < sluice_config_keys.count; i++)
        describe_row(out, &sluice_config_keys, &sluice_config_keys.row[i], markdown);
    for (int k = 0; k < SLUICE_PAIR_COUNT; k++) {
        char title[100];
        if (sluice_pairs[k].param_count == 0)
            continue;
        snprintf(title, sizeof title, "pair.name = \"%s\"", sluice_pairs[k].name);
        head(out, title, sluice_pairs[k].what, markdown);
        for (int i = 0; i < sluice_pairs[k].param_count; i++) {
            const struct sluice_row row = {.p = sluice_pairs[k].params[i]};
            describe_row(out, &sluice_config_keys, &row, markdown);
        }
    }
    for (int i = 0; i < SLUICE_TABLE_COUNT; i++) {
        char title[100];
        snprintf(title, sizeof title, "%s = ( { ... }, ... )", sluice_config_lists[i].path);
        head(out, title, sluice_config_lists[i].doc, markdown);
        for (int k = 0; k < sluice_config_lists[i].count; k++)
            describe_row(out, &sluice_config_lists[i], &sluice_config_lists[i].row[k], markdown);
    }
    describe_outputs(out, markdown);
    describe_refusals(out, markdown);
}
