#include "measure/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/warnings.h"

/* Columns of a total that fit into a line; the file has all. */
static const enum sluice_total shown[] = {SLUICE_TOTAL_PARTICLES,   SLUICE_TOTAL_MASS,
                                          SLUICE_TOTAL_VOLUME,      SLUICE_TOTAL_KINETIC,
                                          SLUICE_TOTAL_POTENTIAL,   SLUICE_TOTAL_INTERNAL,
                                          SLUICE_TOTAL_VOLUME_FLOW, SLUICE_TOTAL_MASS_FLOW};
enum { SHOWN = sizeof shown / sizeof shown[0] };

static int is_si(const struct sluice_measure_report *r)
{
    return r->request->run.config.units == SLUICE_UNITS_SI;
}

static const char *kernel_word(const struct sluice_measure_report *r)
{
    static const char *const words[] = {SLUICE_SMOOTHING_KERNELS(SLUICE_CHOICE_WORD)};
    return words[r->request->run.kernel];
}

/* --- Text --- */

/* "fluid alone", "fluid and walls", "shape hull" */
static void print_choice(const struct sluice_measure_report *r)
{
    const struct sluice_measure_request *q = r->request;
    if (q->choice.shape)
        printf("shape %s", q->choice.shape);
    else
        printf("%s", q->choice.with_walls ? "fluid and walls" : "fluid alone");
}

static void print_places(const struct sluice_measure_report *r)
{
    const struct sluice_measure_request *q = r->request;
    const struct sluice_places *p = &q->places;
    const char *m = is_si(r) ? " m" : "";
    const double h = q->run.h;
    print_choice(r);
    printf(", kernel %s", kernel_word(r));
    if (h > 0)
        printf(", h = %.6g%s", h, m);
    printf("; valid from a weight of %.3g on\n", q->least_weight);
    if (p->kind == SLUICE_PLACES_GRID)
        printf("%s of %" PRId64 " x %" PRId64 " x %" PRId64
               " places from (%.6g, %.6g, %.6g), %.6g x %.6g x %.6g%s apart\n",
               q->what, p->n[0], p->n[1], p->n[2], p->origin[0], p->origin[1], p->origin[2],
               p->step[0], p->step[1], p->step[2], m);
    else
        printf("%" PRId64 " place%s\n", p->count, p->count == 1 ? "" : "s");
    if (q->reduction.reductions) {
        printf("%" PRId64 " times, from %.6g to %.6g%s\n", q->count,
               q->run.series.entry[q->number[0]].time,
               q->run.series.entry[q->number[q->count - 1]].time, is_si(r) ? " s" : "");
        return;
    }
    printf("\n%12s %12s", is_si(r) ? "time, s" : "time", "valid");
    for (int a = 0; a < q->fields.arrays; a++)
        for (int c = 0; c < q->fields.array[a].components; c++) {
            char text[64];
            const struct sluice_measure_array *array = &q->fields.array[a];
            snprintf(text, sizeof text, "%s%s%s", q->fields.column[array->first + c],
                     is_si(r) ? ", " : "", is_si(r) ? array->unit : "");
            printf("  %24s", text);
        }
    printf("\n");
}

/* "potential energy counts from y = -0.06 m, the outer face of the domain's wall layers" */
static void print_height(const struct sluice_measure_report *r)
{
    const struct sluice_totals *t = &r->request->totals;
    const char *before = "; potential energy counts from ";
    for (int a = 0; a < 3; a++) {
        if (!sluice_totals_has_height(t, a))
            continue;
        printf("%s%c = %.6g%s", before, 'x' + a, t->run->header.low[a], is_si(r) ? " m" : "");
        before = ", ";
    }
    if (*before == ',')
        printf(", the outer end of the domain with its wall layers");
}

static void print_totals(const struct sluice_measure_report *r)
{
    const struct sluice_totals *t = &r->request->totals;
    const int dimension = r->request->run.config.dimension;
    print_choice(r);
    print_height(r);
    printf("%s\n\n%12s", t->is_flow ? ", positive along the axis" : "",
           is_si(r) ? "time, s" : "time");
    for (int k = 0; k < SHOWN; k++)
        for (int c = 0; c < t->columns; c++)
            if (t->column[c] == (int)shown[k]) {
                char text[64];
                const int si = is_si(r) && shown[k] != SLUICE_TOTAL_PARTICLES;
                snprintf(text, sizeof text, "%s%s%s", sluice_total_name(t->column[c]),
                         si ? ", " : "", si ? sluice_total_unit(t->column[c], dimension) : "");
                printf("  %18s", text);
            }
    printf("\n");
}

static void print_found(const struct sluice_measure_report *r,
                        const struct sluice_measure_found *found)
{
    printf("%12.6g %12" PRId64, found->moment.time, found->valid);
    for (int c = 0; c < r->request->fields.columns; c++) {
        const struct sluice_measure_range *range = &found->range[c];
        char text[64] = "-";
        if (range->least == range->most)
            snprintf(text, sizeof text, "%.5g", range->most);
        else if (range->count > 0)
            snprintf(text, sizeof text, "%.5g .. %.5g", range->least, range->most);
        printf("  %24s", text);
    }
    printf("\n");
    fflush(stdout);
}

/* A line for each column of the reductions, over the places that have a number in it. */
static void print_reduced(const struct sluice_measure_report *r)
{
    const struct sluice_measure_layout *l = &r->request->layout;
    printf("\n%-32s %12s %12s %12s %12s\n", "over the places", "least", "mean", "largest",
           "places");
    for (int a = 0; a < l->arrays; a++)
        for (int c = l->array[a].first; c < l->array[a].first + l->array[a].components; c++) {
            const struct sluice_measure_range *range = &r->reduced[c];
            char text[64];
            snprintf(text, sizeof text, "%s%s%s", l->column[c].name, is_si(r) ? ", " : "",
                     is_si(r) ? l->array[a].unit : "");
            printf("%-32s", text);
            if (range->count > 0)
                printf(" %12.6g %12.6g %12.6g", range->least, range->mean, range->most);
            else
                printf(" %12s %12s %12s", "-", "-", "-");
            printf(" %12" PRId64 "\n", range->count);
        }
}

static void print_row(const struct sluice_measure_report *r, const struct sluice_totals_row *row)
{
    const struct sluice_totals *t = &r->request->totals;
    printf("%12.6g", row->time);
    for (int k = 0; k < SHOWN; k++)
        for (int c = 0; c < t->columns; c++)
            if (t->column[c] == (int)shown[k])
                printf("  %18.8g", row->value[c]);
    printf("\n");
    fflush(stdout);
}

/* --- JSON --- */

static sluice_status begin_json(struct sluice_measure_report *r)
{
    const struct sluice_measure_request *q = r->request;
    struct sluice_json *json = &r->json;
    *json = (struct sluice_json){.out = open_memstream(&r->text, &r->bytes)};
    SLUICE_CHECK(json->out, SLUICE_DEVICE, "no memory for the report");
    sluice_json_begin(json, NULL, '{');
    sluice_json_text(json, "verb", "measure");
    sluice_json_int(json, "exit", 0);
    sluice_json_text(json, "folder", q->run.folder);
    sluice_json_text(json, "file", q->path);
    sluice_json_bool(json, "replaced", q->replaces);
    sluice_json_text(json, "kernel", kernel_word(r));
    sluice_json_real(json, "smoothing_length", q->run.h > 0 ? q->run.h : NAN);
    sluice_json_bool(json, "with_walls", q->choice.with_walls);
    if (q->choice.shape)
        sluice_json_text(json, "shape", q->choice.shape);
    if (q->is_sum && !q->totals.is_flow) {
        sluice_json_begin(json, "potential_from", '[');
        for (int a = 0; a < q->run.config.dimension; a++)
            sluice_json_real(json, NULL,
                             sluice_totals_has_height(&q->totals, a) ? q->run.header.low[a] : NAN);
        sluice_json_end(json, '[');
    }
    if (!q->is_sum) {
        sluice_json_real(json, "min_weight", q->least_weight);
        sluice_json_int(json, "places", q->places.count);
        sluice_json_int(json, "outside", q->outside);
    }
    sluice_json_begin(json, "times", '[');
    return SLUICE_OK;
}

static void write_range(struct sluice_json *json, const char *name,
                        const struct sluice_measure_range *range)
{
    sluice_json_begin(json, name, '{');
    sluice_json_real(json, "min", range->least);
    sluice_json_real(json, "mean", range->mean);
    sluice_json_real(json, "max", range->most);
    sluice_json_end(json, '{');
}

static void write_found(struct sluice_measure_report *r, const struct sluice_measure_found *found)
{
    const struct sluice_measure_fields *f = &r->request->fields;
    struct sluice_json *json = &r->json;
    sluice_json_begin(json, NULL, '{');
    sluice_json_int(json, "step", found->moment.step);
    sluice_json_real(json, "time", found->moment.time);
    sluice_json_int(json, "valid", found->valid);
    for (int c = 0; c < f->columns; c++)
        write_range(json, f->column[c], &found->range[c]);
    sluice_json_end(json, '{');
}

static void write_reduced(struct sluice_measure_report *r)
{
    const struct sluice_measure_layout *l = &r->request->layout;
    sluice_json_begin(&r->json, "reduced", '{');
    for (int c = 0; c < l->columns; c++)
        write_range(&r->json, l->column[c].name, &r->reduced[c]);
    sluice_json_end(&r->json, '{');
}

static void write_row(struct sluice_measure_report *r, const struct sluice_totals_row *row)
{
    const struct sluice_totals *t = &r->request->totals;
    sluice_json_begin(&r->json, NULL, '{');
    sluice_json_int(&r->json, "step", row->step);
    sluice_json_real(&r->json, "time", row->time);
    for (int c = 0; c < t->columns; c++)
        sluice_json_real(&r->json, sluice_total_name(t->column[c]), row->value[c]);
    sluice_json_end(&r->json, '{');
}

/* --- Both --- */

/* Counts a time, and begins with the first one. */
static sluice_status count_time(struct sluice_measure_report *r)
{
    if (r->times++ > 0)
        return SLUICE_OK;
    if (r->is_json)
        return begin_json(r);
    if (!r->quiet && r->request->is_sum)
        print_totals(r);
    else if (!r->quiet)
        print_places(r);
    return SLUICE_OK;
}

sluice_status sluice_measure_report_found(void *data, const struct sluice_measure_found *found)
{
    struct sluice_measure_report *r = data;
    SLUICE_TRY(count_time(r));
    r->lost += found->lost;
    r->most_valid = found->valid > r->most_valid ? found->valid : r->most_valid;
    if (r->is_json)
        write_found(r, found);
    else if (!r->quiet && !r->request->reduction.reductions)
        print_found(r, found);
    return SLUICE_OK;
}

sluice_status sluice_measure_report_row(struct sluice_measure_report *r,
                                        const struct sluice_totals_row *row)
{
    SLUICE_TRY(count_time(r));
    r->lost += row->lost;
    if (r->is_json)
        write_row(r, row);
    else if (!r->quiet)
        print_row(r, row);
    return SLUICE_OK;
}

static void warn(struct sluice_measure_report *r)
{
    const struct sluice_measure_request *q = r->request;
    struct sluice_warnings warnings = {.out = stderr};
    char where[64]; /* as "--line", or "--line number 2" */
    snprintf(where, sizeof where, "--%s%s%s", q->what, q->suffix[0] ? " number " : "",
             q->suffix[0] ? q->suffix + 1 : "");
    if (q->outside > 0)
        sluice_warn(&warnings,
                    "%s: %" PRId64 " of %" PRId64
                    " places lie outside the domain, where no fluid is",
                    where, q->outside, q->places.count);
    if (!q->is_sum && r->most_valid == 0)
        sluice_warn(&warnings,
                    "%s: none of %" PRId64 " places has fluid near it at any of %" PRId64
                    " times: all fields are empty",
                    where, q->places.count, r->times);
    if (r->lost > 0)
        sluice_warn(&warnings,
                    "%" PRId64 " particles, of all times together, were left out, since a number "
                    "of theirs is not finite",
                    r->lost);
}

/* Ends the text, and prints it. */
static sluice_status end_json(struct sluice_measure_report *r, sluice_status status)
{
    if (!r->json.out)
        return status;
    if (status == SLUICE_OK) {
        sluice_json_end(&r->json, '[');
        if (r->request->reduction.reductions)
            write_reduced(r);
        sluice_json_end(&r->json, '{');
    }
    const int whole = fclose(r->json.out) == 0;
    if (status == SLUICE_OK && whole)
        fwrite(r->text, 1, r->bytes, r->out); /* main finds out whether it arrived */
    free(r->text);
    SLUICE_TRY(status);
    SLUICE_CHECK(whole, SLUICE_DEVICE, "no memory for the report");
    return SLUICE_OK;
}

sluice_status sluice_measure_report_end(struct sluice_measure_report *r, sluice_status status)
{
    SLUICE_TRY(end_json(r, status));
    if (!r->quiet && !r->is_json && r->request->reduction.reductions)
        print_reduced(r);
    if (!r->quiet && !r->is_json)
        printf("\n%s%s\n", r->request->path,
               r->request->replaces ? " (replaces an earlier measurement)" : "");
    warn(r);
    return SLUICE_OK;
}
