#include "measure/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

/* Places that are in memory at once, unless one row of a grid has more; and those that a thread
 * takes at once. */
enum { BLOCK = 1 << 19, ITEM = 256 };

/* --- A block of places --- */

static void fill_places(struct sluice_share *share, void *data)
{
    const struct sluice_measure_block *b = data;
    const int columns = b->fields->columns;
    int64_t i, end;
    while (sluice_share_block(share, b->count, ITEM, &i, &end))
        for (; i < end; i++) {
            double x[3], sums[SLUICE_MEASURE_COLUMNS], weight[2],
                *row = b->values + i * (columns + 2);
            sluice_places_at(b->places, b->first + i, x);
            sluice_search_sum(b->search, x, sums, weight);
            const int valid = weight[1] > 0 && weight[1] >= b->least_weight;
            if (valid)
                sluice_measure_columns_from(b->fields, sums, weight, b->number, row);
            for (int c = 0; c < columns && !valid; c++)
                row[c] = NAN;
            row[columns] = weight[1];
            row[columns + 1] = valid;
        }
}

void sluice_measure_fill(const struct sluice_measure_block *block, struct sluice_threads *team)
{
    struct sluice_measure_block b = *block;
    sluice_threads_run(team, sluice_blocks(b.count, ITEM), fill_places, &b);
}

/* Places of the next block: whole layers of a grid, or whole rows of one layer. */
static int64_t block_at(const struct sluice_places *p, int64_t first)
{
    int64_t size = BLOCK;
    if (p->kind == SLUICE_PLACES_GRID) {
        const int64_t row = p->n[0], layer = row * p->n[1];
        if (layer <= BLOCK) {
            size = BLOCK / layer * layer;
        } else {
            const int64_t rows = row < BLOCK ? BLOCK / row : 1, rest = layer - first % layer;
            size = rows * row < rest ? rows * row : rest;
        }
    }
    return size < p->count - first ? size : p->count - first;
}

/* The most places of a block. */
static int64_t largest_block(const struct sluice_places *p)
{
    const int64_t row = p->kind == SLUICE_PLACES_GRID ? p->n[0] : 1;
    const int64_t most = row > BLOCK ? row : BLOCK;
    return p->count < most ? p->count : most;
}

/* --- A snapshot --- */

/* A measurement that goes on. */
struct work {
    const struct sluice_measurement *m;
    struct sluice_measure_filter filter;
    struct sluice_search search;
    struct sluice_reduction reduced;
    double low[3], high[3]; /* of the places */
    double *values;         /* of a block */
    struct sluice_measure_found found;
};

static void begin_ranges(struct sluice_measure_range *range, int columns)
{
    for (int c = 0; c < columns; c++)
        range[c] = (struct sluice_measure_range){.least = NAN, .mean = NAN, .most = NAN};
}

/* Adds a place. */
static void add_to_ranges(struct sluice_measure_range *range, const double *row, int columns)
{
    for (int c = 0; c < columns; c++) {
        struct sluice_measure_range *r = &range[c];
        if (isnan(row[c]))
            continue;
        r->least = fmin(r->least, row[c]); /* of NAN and a number the number */
        r->most = fmax(r->most, row[c]);
        r->mean = r->count++ == 0 ? row[c] : r->mean + (row[c] - r->mean) / (double)r->count;
    }
}

/* The number in the name of a snapshot's file. */
static int64_t file_number(const struct sluice_finished_run *run, int64_t number)
{
    const char *digits = strpbrk(run->series.entry[number].name, "0123456789");
    return digits ? strtoll(digits, NULL, 10) : 0;
}

static void begin_found(struct work *w, int64_t number)
{
    const struct sluice_finished_run *run = w->m->run;
    w->found = (struct sluice_measure_found){
        .moment = {file_number(run, number), run->header.step, run->header.time}};
    begin_ranges(w->found.range, SLUICE_MEASURE_COLUMNS);
}

/* Measures all places, block by block. */
static sluice_status fill_blocks(struct work *w, double number)
{
    const struct sluice_measurement *m = w->m;
    const int columns = m->fields->columns;
    int64_t count;
    for (int64_t first = 0; first < m->places->count; first += count) {
        count = block_at(m->places, first);
        const struct sluice_measure_block block = {.search = &w->search,
                                                   .places = m->places,
                                                   .fields = m->fields,
                                                   .least_weight = m->least_weight,
                                                   .number = number,
                                                   .first = first,
                                                   .count = count,
                                                   .values = w->values};
        sluice_measure_fill(&block, m->team);
        for (int64_t i = 0; i < count; i++) {
            const double *row = w->values + i * (columns + 2);
            w->found.valid += row[columns + 1] > 0;
            add_to_ranges(w->found.range, row, columns);
            if (w->reduced.sum)
                sluice_reduction_add(&w->reduced, first + i, w->found.moment.time, row);
        }
        if (!w->reduced.sum)
            SLUICE_TRY(
                sluice_measure_output_block(m->output, &w->found.moment, first, count, w->values));
    }
    return SLUICE_OK;
}

static sluice_status measure_snapshot(struct work *w, int64_t number)
{
    const struct sluice_measurement *m = w->m;
    double atoms;
    SLUICE_TRY(sluice_finished_run_read(m->run, number, &m->choice));
    SLUICE_TRY(sluice_measure_filter_make(&w->filter, m->run, &m->choice));
    begin_found(w, number);
    SLUICE_TRY(sluice_finished_run_list(m->run, &w->filter, m->fields, w->low, w->high, &w->search,
                                        &atoms, &w->found.lost));
    if (w->reduced.sum) {
        SLUICE_TRY(fill_blocks(w, atoms));
        w->reduced.times++;
    } else {
        SLUICE_TRY(sluice_measure_output_begin(m->output, &w->found.moment));
        SLUICE_TRY(sluice_measure_output_end(m->output, &w->found.moment, fill_blocks(w, atoms)));
    }
    return m->report ? m->report(m->report_data, &w->found) : SLUICE_OK;
}

/* --- All --- */

static sluice_status reduced_blocks(struct work *w, const struct sluice_measure_moment *moment)
{
    const struct sluice_measurement *m = w->m;
    const int columns = m->output->layout->columns;
    int64_t count;
    begin_ranges(m->reduced, columns);
    for (int64_t first = 0; first < m->places->count; first += count) {
        count = block_at(m->places, first);
        for (int64_t i = 0; i < count; i++) {
            sluice_reduction_row(&w->reduced, first + i, w->values + i * columns);
            add_to_ranges(m->reduced, w->values + i * columns, columns);
        }
        SLUICE_TRY(sluice_measure_output_block(m->output, moment, first, count, w->values));
    }
    return SLUICE_OK;
}

/* Writes the reductions, as of the last time. */
static sluice_status write_reduced(struct work *w)
{
    const struct sluice_measurement *m = w->m;
    const struct sluice_measure_moment *moment = &w->found.moment;
    SLUICE_TRY(sluice_measure_output_begin(m->output, moment));
    return sluice_measure_output_end(m->output, moment, reduced_blocks(w, moment));
}

static sluice_status measure_all(struct work *w, const int64_t *number, int64_t count)
{
    const struct sluice_measurement *m = w->m;
    const int columns = m->output->layout->columns, own = m->fields->columns + 2;
    SLUICE_ALLOCATE(w->values, largest_block(m->places) * (columns > own ? columns : own),
                    "numbers of places");
    if (m->reduction.reductions)
        SLUICE_TRY(
            sluice_reduction_create(&w->reduced, m->fields, &m->reduction, m->places->count));
    for (int64_t k = 0; k < count; k++)
        SLUICE_TRY(sluice_measure_output_allows(m->output, file_number(m->run, number[k])));
    for (int64_t k = 0; k < count; k++)
        SLUICE_TRY(measure_snapshot(w, number[k]));
    return w->reduced.sum ? write_reduced(w) : SLUICE_OK;
}

sluice_status sluice_measure(const struct sluice_measurement *m, const int64_t *number,
                             int64_t count)
{
    struct work w = {.m = m};
    sluice_places_extent(m->places, w.low, w.high);
    const sluice_status status = measure_all(&w, number, count);
    sluice_search_empty(&w.search);
    sluice_reduction_destroy(&w.reduced);
    free(w.values);
    return status;
}
