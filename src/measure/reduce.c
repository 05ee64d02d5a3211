#include "measure/reduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

static const char *const words[] = {
#define X(id, word) word,
    SLUICE_REDUCTIONS(X)
#undef X
        "arrival"};
enum { WORDS = sizeof words / sizeof words[0] };

/* --- Choosing --- */

static sluice_status choose_above(struct sluice_reduction_choice *choice, const char *above,
                                  const struct sluice_measure_fields *fields)
{
    char name[64], *end;
    const char *equals = strchr(above, '=');
    SLUICE_CHECK(choice->reductions >> SLUICE_REDUCE_ARRIVAL & 1, SLUICE_BAD_INPUT,
                 "--above %s: it is for --reduce arrival; give that, too", above);
    SLUICE_CHECK(equals && equals - above < (int)sizeof name, SLUICE_BAD_INPUT,
                 "--above %s: give a column and a value, as pressure=1000", above);
    snprintf(name, sizeof name, "%.*s", (int)(equals - above), above);
    choice->column = sluice_measure_column(fields, name);
    choice->above = strtod(equals + 1, &end);
    SLUICE_CHECK(end != equals + 1 && *end == 0 && isfinite(choice->above), SLUICE_BAD_INPUT,
                 "--above %s: '%s' is no number", above, equals + 1);
    SLUICE_CHECK(choice->column >= 0, SLUICE_BAD_INPUT,
                 "--above %s: '%s' is no column that is measured, as pressure or vx: name its "
                 "field with --fields",
                 above, name);
    return SLUICE_OK;
}

sluice_status sluice_reduction_choose(struct sluice_reduction_choice *choice, const char *text,
                                      const char *above, const struct sluice_measure_fields *fields)
{
    *choice = (struct sluice_reduction_choice){.column = -1};
    for (const char *at = text; at && *at;) {
        const size_t length = strcspn(at, ",");
        int k = 0;
        while (k < WORDS && (strlen(words[k]) != length || strncmp(at, words[k], length) != 0))
            k++;
        SLUICE_CHECK(k < WORDS, SLUICE_BAD_INPUT,
                     "--reduce %s: '%.*s' is none of mean, rms, min, max, arrival", text,
                     (int)length, at);
        choice->reductions |= 1u << k;
        at += length + (at[length] == ',');
    }
    return above ? choose_above(choice, above, fields) : SLUICE_OK;
}

/* --- Layouts --- */

const struct sluice_column
    sluice_measure_weight[] = {{"weight", NULL, "1", "fraction of the kernel in fluid"},
                               {"valid", NULL, "1", "1 where there is enough fluid, else 0"},
                               {0}},
    sluice_measure_wet[] = {
        {"wet", NULL, "1", "fraction of the times at which the place is valid"},
        {"arrival", NULL, "s", "first time at which the place is valid, or a column above --above"},
        {0}};

static void add_array(struct sluice_measure_layout *l, const char *name, const char *unit,
                      const char *what, int components)
{
    struct sluice_layout_array *a = &l->array[l->arrays++];
    *a = (struct sluice_layout_array){
        .unit = unit, .what = what, .first = l->columns, .components = components};
    snprintf(a->name, sizeof a->name, "%s", name);
}

static void add_column(struct sluice_measure_layout *l, const char *name, const char *suffix)
{
    snprintf(l->column[l->columns++].name, sizeof l->column->name, "%s%s", name, suffix);
}

static void add_scalar(struct sluice_measure_layout *l, const char *array,
                       const struct sluice_column *column)
{
    add_array(l, array, column->unit, column->what, 1);
    add_column(l, column->name, "");
}

/* The fields, as they are or reduced. */
static void add_fields(struct sluice_measure_layout *l, const struct sluice_measure_fields *f,
                       const char *word)
{
    char suffix[16] = "", name[40];
    if (word)
        snprintf(suffix, sizeof suffix, "_%s", word);
    for (int k = 0; k < f->arrays; k++) {
        const struct sluice_measure_array *a = &f->array[k];
        snprintf(name, sizeof name, "%.20s%s", a->name, suffix);
        add_array(l, name, a->unit, a->what, a->components);
        for (int c = 0; c < a->components; c++)
            add_column(l, f->column[a->first + c], suffix);
    }
}

void sluice_measure_layout_make(struct sluice_measure_layout *l,
                                const struct sluice_measure_fields *fields,
                                const struct sluice_reduction_choice *choice)
{
    memset(l, 0, sizeof *l);
    if (choice->reductions == 0) {
        add_fields(l, fields, NULL);
        add_scalar(l, "Weight", &sluice_measure_weight[0]);
        add_scalar(l, "Valid", &sluice_measure_weight[1]);
        l->array[l->arrays - 1].is_byte = 1;
        return;
    }
    add_scalar(l, "Wet", &sluice_measure_wet[0]);
    if (choice->reductions >> SLUICE_REDUCE_ARRIVAL & 1)
        add_scalar(l, "Arrival", &sluice_measure_wet[1]);
    for (int k = 0; k < SLUICE_REDUCTION_COUNT; k++)
        if (choice->reductions >> k & 1)
            add_fields(l, fields, words[k]);
}

/* --- Reducing: valid times, arrival, and of each chosen reduction a number a column --- */

sluice_status sluice_reduction_create(struct sluice_reduction *r,
                                      const struct sluice_measure_fields *fields,
                                      const struct sluice_reduction_choice *choice, int64_t places)
{
    *r = (struct sluice_reduction){
        .fields = fields, .choice = *choice, .places = places, .numbers = 2};
    for (int k = 0; k < SLUICE_REDUCTION_COUNT; k++)
        r->numbers += choice->reductions >> k & 1 ? fields->columns : 0;
    SLUICE_ALLOCATE(r->sum, (double)places * r->numbers, "numbers of places to be reduced");
    for (int64_t i = 0; i < places; i++)
        r->sum[i * r->numbers + 1] = NAN;
    return SLUICE_OK;
}

void sluice_reduction_destroy(struct sluice_reduction *r)
{
    free(r->sum);
    memset(r, 0, sizeof *r);
}

static double reduce(int reduction, int is_first, double before, double value)
{
    switch (reduction) {
    case SLUICE_REDUCE_MEAN:
        return before + value;
    case SLUICE_REDUCE_RMS:
        return before + value * value;
    case SLUICE_REDUCE_MIN:
        return is_first ? value : fmin(before, value);
    default:
        return is_first ? value : fmax(before, value);
    }
}

void sluice_reduction_add(struct sluice_reduction *r, int64_t place, double time, const double *row)
{
    const int columns = r->fields->columns, valid = row[columns + 1] > 0;
    double *sum = r->sum + place * r->numbers, *at = sum + 2;
    const int arrives = valid && (r->choice.column < 0 || row[r->choice.column] > r->choice.above);
    if (arrives && isnan(sum[1]))
        sum[1] = time;
    if (!valid)
        return;
    for (int k = 0; k < SLUICE_REDUCTION_COUNT; k++)
        if (r->choice.reductions >> k & 1)
            for (int c = 0; c < columns; c++, at++)
                *at = reduce(k, sum[0] == 0, *at, row[c]);
    sum[0]++;
}

void sluice_reduction_row(const struct sluice_reduction *r, int64_t place, double *row)
{
    const int columns = r->fields->columns;
    const double *sum = r->sum + place * r->numbers, *at = sum + 2, valid = sum[0];
    *row++ = r->times > 0 ? valid / (double)r->times : 0;
    if (r->choice.reductions >> SLUICE_REDUCE_ARRIVAL & 1)
        *row++ = sum[1];
    for (int k = 0; k < SLUICE_REDUCTION_COUNT; k++)
        if (r->choice.reductions >> k & 1)
            for (int c = 0; c < columns; c++, at++)
                *row++ = valid == 0                ? NAN
                         : k == SLUICE_REDUCE_MEAN ? *at / valid
                         : k == SLUICE_REDUCE_RMS  ? sqrt(*at / valid)
                                                   : *at;
}
