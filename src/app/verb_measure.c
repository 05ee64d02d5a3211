/* sluice measure: fields of a finished run at places, totals and flows. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/verbs.h"
#include "core/processors.h"
#include "measure/numbers.h"
#include "measure/report.h"

/* --- Places --- */

/* "x,y" or "x,y,z" for the message of a wrong place. */
static const char *place_text(int dimension)
{
    return dimension == 2 ? "x,y" : "x,y,z";
}

/* "A:B", places of the run's dimension. */
static sluice_status read_box(const char *name, const char *text, int dimension,
                              struct sluice_measure_box *box)
{
    const char *at = text;
    memset(box, 0, sizeof *box);
    SLUICE_CHECK(sluice_measure_numbers(&at, dimension, ':', box->low) &&
                     sluice_measure_numbers(&at, dimension, 0, box->high),
                 SLUICE_BAD_INPUT, "--%s %s: give two corners as %s:%s, in m", name, text,
                 place_text(dimension), place_text(dimension));
    return SLUICE_OK;
}

static sluice_status read_sides(const struct sluice_measure_request *r, const char *text,
                                struct sluice_measure_box *box)
{
    const int dimension = r->run.config.dimension;
    memcpy(box->low, r->run.low, sizeof box->low);
    memcpy(box->high, r->run.high, sizeof box->high);
    if (!text)
        return SLUICE_OK;
    SLUICE_TRY(read_box("box", text, dimension, box));
    for (int a = 0; a < dimension; a++) {
        SLUICE_CHECK(box->low[a] <= box->high[a], SLUICE_BAD_INPUT,
                     "--box %s: along %c it ends at %.9g, before it begins at %.9g", text, 'x' + a,
                     box->high[a], box->low[a]);
        SLUICE_CHECK(box->high[a] >= r->run.low[a] && box->low[a] <= r->run.high[a],
                     SLUICE_BAD_INPUT,
                     "--box %s: lies outside the domain, which along %c is %.9g to %.9g", text,
                     'x' + a, r->run.low[a], r->run.high[a]);
    }
    return SLUICE_OK;
}

/* --- Places --- */

static sluice_status read_line(struct sluice_measure_request *r, const char *text)
{
    const int dimension = r->run.config.dimension;
    double from[3] = {0}, to[3] = {0}, n = 0;
    const char *at = text;
    const int right = sluice_measure_numbers(&at, dimension, ':', from) &&
                      sluice_measure_numbers(&at, dimension, ':', to) &&
                      sluice_measure_numbers(&at, 1, 0, &n);
    SLUICE_CHECK(right && n == floor(n) && n >= 1 && n <= 1e9, SLUICE_BAD_INPUT,
                 "--line %s: give its ends and the number of places, as %s:%s:N", text,
                 place_text(dimension), place_text(dimension));
    const int is_a_place = from[0] == to[0] && from[1] == to[1] && from[2] == to[2];
    SLUICE_CHECK(n > 1 || is_a_place, SLUICE_BAD_INPUT,
                 "--line %s: one place is at one end alone: give a number of 2 or more", text);
    sluice_places_line(&r->places, dimension, from, to, (int64_t)n);
    return SLUICE_OK;
}

static sluice_status check_spacing(const char *option, const char *text, double spacing)
{
    SLUICE_CHECK(spacing > 0, SLUICE_BAD_INPUT,
                 "--%s %s: the distance of places is %.9g m: it must be above 0", option, text,
                 spacing);
    return SLUICE_OK;
}

static sluice_status read_plane(struct sluice_measure_request *r, const char *text,
                                struct sluice_places_grid *grid)
{
    const int axis = text[0] - 'x';
    const char *at = text + 2;
    const int is_axis = axis >= 0 && axis < 3 && text[1] == '=',
              has_spacing = is_axis && strchr(at, ':');
    SLUICE_CHECK(r->run.config.dimension == 3, SLUICE_BAD_INPUT,
                 "--plane %s: the run is in 2-D: use --grid for all of it, or --line", text);
    grid->spacing = r->run.config.spacing;
    SLUICE_CHECK(is_axis && sluice_measure_numbers(&at, 1, has_spacing ? ':' : 0, &grid->at) &&
                     (!has_spacing || sluice_measure_numbers(&at, 1, 0, &grid->spacing)),
                 SLUICE_BAD_INPUT,
                 "--plane %s: give an axis and a place, as y=0.5, or with the distance of places, "
                 "as y=0.5:0.01",
                 text);
    SLUICE_TRY(check_spacing("plane", text, grid->spacing));
    grid->axis = axis;
    return sluice_places_fill(&r->places, 3, grid);
}

static sluice_status read_grid(struct sluice_measure_request *r, const char *text,
                               struct sluice_places_grid *grid)
{
    const int dimension = r->run.config.dimension;
    double n[3] = {0, 0, 0};
    const char *at = text;
    if (strchr(text, ',')) {
        int right = sluice_measure_numbers(&at, dimension, 0, n);
        for (int a = 0; a < 3 && a < dimension && right; a++) {
            right = n[a] == floor(n[a]) && n[a] >= 1 && n[a] <= 1e9;
            grid->n[a] = right ? (int64_t)n[a] : 1;
        }
        SLUICE_CHECK(right, SLUICE_BAD_INPUT,
                     "--grid %s: give the numbers of places as %s, or their distance as one number",
                     text, dimension == 2 ? "NX,NY" : "NX,NY,NZ");
        grid->spacing = r->run.config.spacing; /* across an axis with one place */
    } else {
        SLUICE_CHECK(sluice_measure_numbers(&at, 1, 0, &grid->spacing), SLUICE_BAD_INPUT,
                     "--grid %s: is no distance in m, such as 0.01", text);
        SLUICE_TRY(check_spacing("grid", text, grid->spacing));
    }
    return sluice_places_fill(&r->places, dimension, grid);
}

static sluice_status check_places(struct sluice_measure_request *r)
{
    double low[3], high[3];
    r->outside = sluice_places_outside(&r->places, r->run.low, r->run.high);
    sluice_places_extent(&r->places, low, high);
    SLUICE_CHECK(r->outside < r->places.count, SLUICE_BAD_INPUT,
                 "--%s: all %lld places lie outside the domain: they are at x = %.6g to %.6g, "
                 "y = %.6g to %.6g, z = %.6g to %.6g, the domain at x = %.6g to %.6g, y = %.6g to "
                 "%.6g, z = %.6g to %.6g",
                 r->what, (long long)r->places.count, low[0], high[0], low[1], high[1], low[2],
                 high[2], r->run.low[0], r->run.high[0], r->run.low[1], r->run.high[1],
                 r->run.low[2], r->run.high[2]);
    return SLUICE_OK;
}

/* --- Which kind of measurement --- */

static const enum sluice_option wheres[] = {SLUICE_OPTION_POINTS, SLUICE_OPTION_LINE,
                                            SLUICE_OPTION_PLANE,  SLUICE_OPTION_GRID,
                                            SLUICE_OPTION_TOTAL,  SLUICE_OPTION_FLUX};
enum { WHERES = sizeof wheres / sizeof wheres[0] };

static sluice_status find_where(const struct sluice_arguments *arguments, enum sluice_option *where)
{
    int given = 0;
    for (int k = 0; k < WHERES; k++)
        if (arguments->given[wheres[k]]) {
            SLUICE_CHECK(++given == 1, SLUICE_BAD_INPUT,
                         "--%s and --%s: measure one at a time, in two calls",
                         sluice_options[*where].name, sluice_options[wheres[k]].name);
            *where = wheres[k];
        }
    SLUICE_CHECK(given == 1, SLUICE_BAD_INPUT,
                 "say where to measure: --points, --line, --plane, --grid, --total or --flux; "
                 "'sluice measure --help' has examples");
    return SLUICE_OK;
}

/* Refuses options that would be without effect. */
static sluice_status check_fitting(const struct sluice_arguments *arguments,
                                   enum sluice_option where)
{
    static const enum sluice_option of_fields[] = {SLUICE_OPTION_FIELDS, SLUICE_OPTION_REDUCE,
                                                   SLUICE_OPTION_ABOVE, SLUICE_OPTION_MIN_WEIGHT};
    const int sums = where == SLUICE_OPTION_TOTAL || where == SLUICE_OPTION_FLUX,
              boxes = where == SLUICE_OPTION_PLANE || where == SLUICE_OPTION_GRID ||
                      where == SLUICE_OPTION_TOTAL;
    SLUICE_CHECK(boxes || !arguments->given[SLUICE_OPTION_BOX], SLUICE_BAD_INPUT,
                 "--box is for --plane, --grid and --total, not for --%s",
                 sluice_options[where].name);
    for (size_t k = 0; k < sizeof of_fields / sizeof of_fields[0] && sums; k++)
        SLUICE_CHECK(!arguments->given[of_fields[k]], SLUICE_BAD_INPUT,
                     "--%s is for fields at places, not for --%s",
                     sluice_options[of_fields[k]].name, sluice_options[where].name);
    return SLUICE_OK;
}

static sluice_status read_fields(struct sluice_measure_request *r,
                                 const struct sluice_arguments *arguments)
{
    const char *weight = arguments->value[SLUICE_OPTION_MIN_WEIGHT], *at = weight;
    SLUICE_TRY(sluice_measure_fields_choose(&r->fields, arguments->value[SLUICE_OPTION_FIELDS],
                                            &r->run.config));
    SLUICE_TRY(sluice_reduction_choose(&r->reduction, arguments->value[SLUICE_OPTION_REDUCE],
                                       arguments->value[SLUICE_OPTION_ABOVE], &r->fields));
    r->choice.reads |= r->fields.reads;
    r->least_weight = SLUICE_MEASURE_LEAST_WEIGHT;
    SLUICE_CHECK(!weight || (sluice_measure_numbers(&at, 1, 0, &r->least_weight) &&
                             r->least_weight >= 0 && r->least_weight <= 1),
                 SLUICE_BAD_INPUT, "--min-weight %s: a number from 0 to 1 is needed", weight);
    return SLUICE_OK;
}

/* The corners agree on one axis, and the section lies in the domain. */
static sluice_status check_section(const struct sluice_measure_request *r, const char *text)
{
    const struct sluice_measure_box *b = &r->totals.box;
    const int dimension = r->run.config.dimension;
    int same = 0;
    for (int a = 0; a < dimension; a++) {
        const double low = fmin(b->low[a], b->high[a]), high = fmax(b->low[a], b->high[a]);
        same += low == high;
        SLUICE_CHECK(high >= r->run.low[a] && low <= r->run.high[a], SLUICE_BAD_INPUT,
                     "--flux %s: lies outside the domain, which along %c is %.9g to %.9g", text,
                     'x' + a, r->run.low[a], r->run.high[a]);
    }
    SLUICE_CHECK(same == 1, SLUICE_BAD_INPUT,
                 "--flux %s: its corners agree on %d axes; a section is flat across one axis: give "
                 "corners that agree on that one alone",
                 text, same);
    return SLUICE_OK;
}

static sluice_status read_sum(struct sluice_measure_request *r,
                              const struct sluice_arguments *arguments)
{
    const char *flux = arguments->value[SLUICE_OPTION_FLUX],
               *box = arguments->value[SLUICE_OPTION_BOX];
    r->is_sum = 1;
    r->totals = (struct sluice_totals){
        .run = &r->run, .is_flow = flux != NULL, .has_box = box != NULL};
    if (flux) {
        SLUICE_TRY(read_box("flux", flux, r->run.config.dimension, &r->totals.box));
        SLUICE_TRY(check_section(r, flux));
    } else {
        SLUICE_TRY(read_sides(r, box, &r->totals.box));
    }
    r->totals.choice = r->choice;
    sluice_totals_begin(&r->totals);
    return SLUICE_OK;
}

static sluice_status read_places(struct sluice_measure_request *r,
                                 const struct sluice_arguments *arguments, enum sluice_option where)
{
    const char *text = arguments->value[where];
    struct sluice_places_grid grid = {.axis = -1};
    SLUICE_TRY(read_sides(r, arguments->value[SLUICE_OPTION_BOX], &grid.box));
    SLUICE_TRY(where == SLUICE_OPTION_POINTS
                   ? sluice_places_read(&r->places, text, r->run.config.dimension)
               : where == SLUICE_OPTION_LINE  ? read_line(r, text)
               : where == SLUICE_OPTION_PLANE ? read_plane(r, text, &grid)
                                              : read_grid(r, text, &grid));
    SLUICE_TRY(check_places(r));
    return read_fields(r, arguments);
}

/* Planes and grids are large: of these the last snapshot alone, unless times are given. */
static sluice_status choose(struct sluice_measure_request *r,
                            const struct sluice_arguments *arguments, enum sluice_option where)
{
    const int large = where == SLUICE_OPTION_PLANE || where == SLUICE_OPTION_GRID;
    const char *times = arguments->value[SLUICE_OPTION_TIMES],
               *out = arguments->value[SLUICE_OPTION_OUT];
    if (!times)
        times = large && !arguments->given[SLUICE_OPTION_REDUCE] ? "last" : "all";
    SLUICE_TRY(sluice_finished_run_choose(&r->run, times, &r->number, &r->count));
    const int length = out ? snprintf(r->path, sizeof r->path, "%s", out)
                           : snprintf(r->path, sizeof r->path, "%s/measure_%s%s%s.%s",
                                      r->run.folder, r->what, r->suffix,
                                      r->reduction.reductions ? "_reduced" : "",
                                      large ? "hdf" : "csv");
    SLUICE_CHECK(length < (int)sizeof r->path, SLUICE_BAD_INPUT, "--out: the path is too long");
    return SLUICE_OK;
}

/* Opens the run, and reads all options. */
static sluice_status read_request(struct sluice_measure_request *r,
                                  const struct sluice_arguments *arguments, const char *suffix)
{
    enum sluice_option where = SLUICE_OPTION_COUNT;
    memset(r, 0, sizeof *r);
    snprintf(r->suffix, sizeof r->suffix, "%s", suffix);
    SLUICE_TRY(find_where(arguments, &where));
    SLUICE_TRY(check_fitting(arguments, where));
    SLUICE_TRY(sluice_finished_run_open(&r->run, arguments->positional[0]));
    r->what = sluice_options[where].name;
    r->choice.with_walls = arguments->given[SLUICE_OPTION_WITH_WALLS];
    r->choice.shape = arguments->value[SLUICE_OPTION_SHAPE];
    SLUICE_CHECK(!r->choice.with_walls || !r->choice.shape, SLUICE_BAD_INPUT,
                 "--with-walls and --shape %s: a shape's particles count whatever they are; leave "
                 "--with-walls out",
                 r->choice.shape);
    SLUICE_TRY(where == SLUICE_OPTION_TOTAL || where == SLUICE_OPTION_FLUX
                   ? read_sum(r, arguments)
                   : read_places(r, arguments, where));
    return choose(r, arguments, where);
}

static void destroy_request(struct sluice_measure_request *r)
{
    free(r->number);
    sluice_places_destroy(&r->places);
    sluice_finished_run_close(&r->run);
}

/* --- Measuring --- */

static sluice_status make_team(const struct sluice_arguments *arguments,
                               struct sluice_threads **team)
{
    long long threads;
    SLUICE_TRY(sluice_arguments_int(arguments, SLUICE_OPTION_THREADS, 0, 0, &threads));
    SLUICE_CHECK(threads <= 4096, SLUICE_BAD_INPUT, "--threads %lld: at most 4096", threads);
    return sluice_threads_create(team, threads > 0 ? (int)threads : sluice_processors_most());
}

static sluice_status measure_places(const struct sluice_arguments *arguments,
                                    struct sluice_measure_request *q,
                                    struct sluice_measure_report *report)
{
    struct sluice_measure_output output = {
        .places = &q->places, .layout = &q->layout, .is_reduced = q->reduction.reductions != 0};
    struct sluice_measurement m = {.run = &q->run,
                                   .places = &q->places,
                                   .fields = &q->fields,
                                   .choice = q->choice,
                                   .reduction = q->reduction,
                                   .least_weight = q->least_weight,
                                   .output = &output,
                                   .report = sluice_measure_report_found,
                                   .report_data = report,
                                   .reduced = report->reduced};
    sluice_measure_layout_make(&q->layout, &q->fields, &q->reduction);
    SLUICE_TRY(make_team(arguments, &m.team));
    sluice_status status = sluice_measure_output_open(&output, q->path);
    snprintf(q->path, sizeof q->path, "%s", output.path);
    q->replaces = access(q->path, F_OK) == 0;
    if (status == SLUICE_OK)
        status = sluice_measure(&m, q->number, q->count);
    status = sluice_measure_output_close(&output, status);
    sluice_threads_destroy(&m.team);
    return status;
}

static sluice_status measure_sums(struct sluice_measure_request *q,
                                  struct sluice_measure_report *report)
{
    struct sluice_measure_table table;
    struct sluice_totals_row row;
    SLUICE_TRY(sluice_totals_open(&q->totals, q->path, &table));
    sluice_status status = SLUICE_OK;
    q->replaces = access(q->path, F_OK) == 0;
    for (int64_t k = 0; k < q->count && status == SLUICE_OK; k++) {
        status = sluice_totals_at(&q->totals, q->number[k], &row);
        if (status == SLUICE_OK)
            status = sluice_csv_row(&table.csv, row.step, row.time, row.value);
        if (status == SLUICE_OK)
            status = sluice_measure_report_row(report, &row);
    }
    return sluice_measure_table_close(&table, status);
}

static sluice_status measure_one(const struct sluice_arguments *arguments, const char *suffix,
                                 FILE *json)
{
    struct sluice_measure_request request;
    struct sluice_measure_report report = {.request = &request,
                                           .quiet = arguments->given[SLUICE_OPTION_QUIET],
                                           .is_json = arguments->given[SLUICE_OPTION_JSON],
                                           .out = json};
    sluice_status status = read_request(&request, arguments, suffix);
    if (status == SLUICE_OK)
        status = request.is_sum ? measure_sums(&request, &report)
                                : measure_places(arguments, &request, &report);
    status = sluice_measure_report_end(&report, status);
    destroy_request(&request);
    return status;
}

/* --- Several lines and planes --- */

/* The arguments with the k-th of the lines and planes alone, and its number among its kind, from 1:
 * a suffix of its file's name, if there are more of it. */
static struct sluice_arguments only(const struct sluice_arguments *all, int k, char suffix[16])
{
    struct sluice_arguments one = *all;
    const enum sluice_option option = all->place[k].option;
    int number = 0;
    for (int i = 0; i <= k; i++)
        number += all->place[i].option == option;
    suffix[0] = 0;
    if (all->given[option] > 1)
        snprintf(suffix, 16, "_%d", number);
    one.given[SLUICE_OPTION_LINE] = one.given[SLUICE_OPTION_PLANE] = 0;
    one.given[option] = 1;
    one.value[option] = all->place[k].value;
    return one;
}

/* All are checked before the first is measured. */
static sluice_status check_all(const struct sluice_arguments *arguments)
{
    char suffix[16];
    SLUICE_CHECK(!arguments->given[SLUICE_OPTION_OUT], SLUICE_BAD_INPUT,
                 "--out names one file, and there are %d lines and planes: leave it out; they are "
                 "numbered, as measure_line_1.csv",
                 arguments->place_count);
    for (int k = 0; k < arguments->place_count; k++) {
        struct sluice_measure_request request;
        const struct sluice_arguments one = only(arguments, k, suffix);
        const sluice_status status = read_request(&request, &one, suffix);
        destroy_request(&request);
        SLUICE_TRY(status);
    }
    return SLUICE_OK;
}

static sluice_status measure_all(const struct sluice_arguments *arguments, FILE *json)
{
    const int quiet = arguments->given[SLUICE_OPTION_QUIET] || arguments->given[SLUICE_OPTION_JSON];
    char suffix[16];
    SLUICE_TRY(check_all(arguments));
    fputs("{\"verb\": \"measure\", \"exit\": 0, \"measurements\": [\n", json);
    for (int k = 0; k < arguments->place_count; k++) {
        const struct sluice_arguments one = only(arguments, k, suffix);
        if (k > 0)
            fputs(",\n", json);
        if (k > 0 && !quiet)
            putchar('\n');
        SLUICE_TRY(measure_one(&one, suffix, json));
    }
    fputs("]}\n", json);
    return SLUICE_OK;
}

sluice_status sluice_verb_measure(const struct sluice_arguments *arguments)
{
    char *text = NULL;
    size_t bytes;
    if (arguments->place_count < 2)
        return measure_one(arguments, "", stdout);
    FILE *json = open_memstream(&text, &bytes);
    SLUICE_CHECK(json, SLUICE_DEVICE, "no memory for the report");
    const sluice_status status = measure_all(arguments, json);
    const int whole = fclose(json) == 0;
    if (status == SLUICE_OK && whole && arguments->given[SLUICE_OPTION_JSON])
        fwrite(text, 1, bytes, stdout); /* main finds out whether it arrived */
    free(text);
    SLUICE_TRY(status);
    SLUICE_CHECK(whole, SLUICE_DEVICE, "no memory for the report");
    return SLUICE_OK;
}
