#include "solids/height_checks.h"

#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/vector.h"

/* Rows of tables and grids from which on a jump can be distinguished from an intended corner. */
enum { LINE_LEAST = 12, GRID_LEAST = 9 };
/* A jump is so many times as high as half of the steps from row to row at most. */
#define JUMP 10

/* Values that programs write where they have no height: GIS files, Surfer, netCDF, floats. */
static const double no_data_values[] = {
    -999,  -9999, -99999, -32768,        32767,      -32767,      9999,       99999,      1e20,
    -1e20, 1e30,  -1e30,  9.96920997e36, 1.70141e38, -1.70141e38, 3.40282e38, -3.40282e38};

static double *height_of(const struct sluice_solid *solid, const struct sluice_place_table *table,
                         int64_t i)
{
    return &table->row[i].x[solid->dimension - 1];
}

static int is_near(double one, double other)
{
    return fabs(one - other) <= 1e-5 * fabs(other);
}

static int has_no_data(const struct sluice_solid *solid, double height)
{
    return isfinite(solid->shape->no_data) && is_near(height, solid->shape->no_data);
}

static int is_known_value(double height)
{
    for (size_t k = 0; k < sizeof no_data_values / sizeof *no_data_values; k++)
        if (is_near(height, no_data_values[k]))
            return 1;
    return 0;
}

/* --- Errors --- */

/* The range of the heights that are no known value for no data. */
static void find_range(const struct sluice_solid *solid, const struct sluice_place_table *table,
                       double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t i = 0; i < table->count; i++) {
        const double h = *height_of(solid, table, i);
        if (has_no_data(solid, h) || is_known_value(h))
            continue;
        *low = fmin(*low, h);
        *high = fmax(*high, h);
    }
}

/* A height of -9999 among others of -9998 and -10001 is one; alone it stands for no data. */
static sluice_status check_value(const struct sluice_solid *solid, double low, double high,
                                 const struct sluice_place_table *table, int64_t i)
{
    const double h = *height_of(solid, table, i), range = high - low;
    if (has_no_data(solid, h) || !is_known_value(h) || !(range >= 0) ||
        (h >= low - range && h <= high + range))
        return SLUICE_OK;
    return SLUICE_FAIL(
        SLUICE_BAD_INPUT,
        "%s:%lld: the height %.9g stands for a place without data, as the others lie "
        "from %.6g to %.6g: give it a height, or write no_data = %.9g in the shape: "
        "then it follows from its neighbours",
        solid->shape->surface, table->row[i].line, h, low, high, h);
}

/* Whether a height is farther outside the domain than this is long. */
static int is_far_out(const struct sluice_solid *solid, double height)
{
    const struct sluice_config *c = solid->config;
    const struct sluice_shape *s = solid->shape;
    const int up = solid->dimension - 1;
    const double at = s->scale * height + s->move[up];
    double size = 0;
    for (int a = 0; a < solid->dimension; a++)
        size = fmax(size, c->domain.max[a] - c->domain.min[a]);
    return s->rotation_degrees == 0 && !has_no_data(solid, height) &&
           (at < c->domain.min[up] - size || at > c->domain.max[up] + size);
}

static sluice_status refuse_place(const struct sluice_solid *solid,
                                  const struct sluice_place_table *table, int64_t i)
{
    const struct sluice_config *c = solid->config;
    const struct sluice_shape *s = solid->shape;
    const int up = solid->dimension - 1;
    const double h = *height_of(solid, table, i);
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "%s:%lld: the height %.9g lies at %c = %.6g m, farther outside the domain, "
                       "%.6g to %.6g m, than this is long, and most of the others do not: correct "
                       "it, or write no_data = %.9g in the shape, if it stands for a place without "
                       "data",
                       s->surface, table->row[i].line, h, "xyz"[up], s -> scale *h + s -> move[up],
                       c -> domain.min[up], c->domain.max[up], h);
}

sluice_status sluice_heights_check(const struct sluice_solid *solid,
                                   const struct sluice_place_table *table)
{
    double low, high;
    int64_t far_out = 0, first = 0;
    find_range(solid, table, &low, &high);
    for (int64_t i = 0; i < table->count; i++) {
        SLUICE_TRY(check_value(solid, low, high, table, i));
        if (is_far_out(solid, *height_of(solid, table, i)) && far_out++ == 0)
            first = i;
    }
    if (far_out > 0 && 2 * far_out < table->count) /* of more, the unit of length is wrong */
        return refuse_place(solid, table, first);
    return SLUICE_OK;
}

/* --- Rows without data --- */

/* The rows beside row i: before and after it, in a grid on both axes. */
static int list_neighbours(const struct sluice_place_table *table, int64_t columns, int64_t i,
                           int64_t beside[4])
{
    int n = 0;
    const int64_t row = columns > 0 ? columns : table->count, at = i % row;
    if (at > 0)
        beside[n++] = i - 1;
    if (at + 1 < row)
        beside[n++] = i + 1;
    if (i >= row)
        beside[n++] = i - row;
    if (i + row < table->count)
        beside[n++] = i + row;
    return n;
}

static void leave_out(const struct sluice_solid *solid, struct sluice_place_table *table)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < table->count; i++)
        if (!has_no_data(solid, *height_of(solid, table, i)))
            table->row[kept++] = table->row[i];
    table->count = kept;
}

/* Goes outwards from the known rows, one ring after the other: `ring` is that of a row, 0 a known
 * one, -1 one that was not reached. */
static void fill_rings(const struct sluice_solid *solid, struct sluice_place_table *table,
                       int64_t columns, int64_t *queue, int64_t *ring)
{
    int64_t first = 0, end = 0, beside[4];
    for (int64_t i = 0; i < table->count; i++) {
        ring[i] = has_no_data(solid, *height_of(solid, table, i)) ? -1 : 0;
        if (ring[i] == 0)
            queue[end++] = i;
    }
    for (; first < end; first++) {
        const int64_t at = queue[first];
        int n = list_neighbours(table, columns, at, beside), known = 0;
        double sum = 0;
        for (int k = 0; k < n; k++) {
            if (ring[beside[k]] < 0) {
                ring[beside[k]] = ring[at] + 1;
                queue[end++] = beside[k];
            }
            if (ring[beside[k]] >= ring[at])
                continue;
            sum += *height_of(solid, table, beside[k]);
            known++;
        }
        if (ring[at] > 0)
            *height_of(solid, table, at) = sum / known;
    }
}

static sluice_status fill_grid(const struct sluice_solid *solid, struct sluice_place_table *table,
                               int64_t columns)
{
    int64_t *queue = calloc((size_t)table->count, sizeof *queue),
            *ring = calloc((size_t)table->count, sizeof *ring);
    const int memory = queue && ring;
    if (memory)
        fill_rings(solid, table, columns, queue, ring);
    free(queue);
    free(ring);
    SLUICE_CHECK(memory, SLUICE_DEVICE, "no memory for %lld heights", (long long)table->count);
    return SLUICE_OK;
}

static sluice_status fill(const struct sluice_solid *solid, struct sluice_place_table *table,
                          int64_t columns, struct sluice_warnings *warnings)
{
    int64_t missing = 0, all = table->count;
    long long line = 0;
    for (int64_t i = 0; i < all; i++)
        if (has_no_data(solid, *height_of(solid, table, i)) && missing++ == 0)
            line = table->row[i].line;
    if (missing == 0)
        return SLUICE_OK;
    SLUICE_CHECK(missing < all, SLUICE_BAD_INPUT, "%s: all %lld heights are no_data = %.9g",
                 solid->shape->surface, (long long)all, solid->shape->no_data);
    if (columns > 0)
        SLUICE_TRY(fill_grid(solid, table, columns));
    else
        leave_out(solid, table);
    sluice_warn(warnings, "%s: %lld of %lld heights are no_data = %.9g, the first on line %lld: %s",
                solid->shape->surface, (long long)missing, (long long)all, solid->shape->no_data,
                line,
                columns > 0 ? "each gets the mean of its neighbours"
                            : "the ground is straight between the rows around them");
    return SLUICE_OK;
}

/* --- Jumps --- */

/* The middle one of all steps from row to row. Errors: memory, -1. */
static double median_step(const struct sluice_solid *solid, const struct sluice_place_table *table,
                          int64_t columns)
{
    double *step = calloc(2 * (size_t)table->count, sizeof *step);
    int64_t count = 0, beside[4];
    if (!step)
        return -1;
    for (int64_t i = 0; i < table->count; i++)
        for (int n = list_neighbours(table, columns, i, beside), k = 0; k < n; k++)
            if (beside[k] > i)
                step[count++] = fabs(*height_of(solid, table, i) -
                                     *height_of(solid, table, beside[k]));
    qsort(step, (size_t)count, sizeof *step, sluice_by_real);
    const double median = step[count / 2];
    free(step);
    return median;
}

/* By how much a height is above all its neighbours, or below them; 0: it is not, or is at the end
 * of a line. */
static double jump_of(const struct sluice_solid *solid, const struct sluice_place_table *table,
                      int64_t columns, int64_t i)
{
    int64_t beside[4];
    double low = INFINITY, high = -INFINITY;
    const int n = list_neighbours(table, columns, i, beside);
    for (int k = 0; k < n; k++) {
        const double step = *height_of(solid, table, i) - *height_of(solid, table, beside[k]);
        low = fmin(low, step);
        high = fmax(high, step);
    }
    return n < 2 ? 0 : fmax(0, fmax(low, -high));
}

static sluice_status warn_of_jumps(const struct sluice_solid *solid,
                                   const struct sluice_place_table *table, int64_t columns,
                                   struct sluice_warnings *warnings)
{
    const double scale = solid->shape->scale, spacing = solid->config->spacing;
    int64_t count = 0, worst = 0;
    double highest = 0;
    if (table->count < (columns > 0 ? GRID_LEAST : LINE_LEAST))
        return SLUICE_OK;
    const double median = median_step(solid, table, columns),
                 least = fmax(JUMP * median, 2 * spacing / scale);
    SLUICE_CHECK(median >= 0, SLUICE_DEVICE, "no memory for %lld heights", (long long)table->count);
    for (int64_t i = 0; i < table->count; i++) {
        const double jump = jump_of(solid, table, columns, i);
        count += jump > least;
        worst = jump > highest ? i : worst;
        highest = fmax(highest, jump);
    }
    if (count > 0)
        sluice_warn(warnings,
                    "%s:%lld: the height %.6g jumps by %.4g m against all its neighbours, half of "
                    "the steps are below %.3g m%s: is it a wrong value?",
                    solid->shape->surface, table->row[worst].line, *height_of(solid, table, worst),
                    highest * scale, median * scale, count > 1 ? "; others do, too" : "");
    return SLUICE_OK;
}

sluice_status sluice_heights_mend(const struct sluice_solid *solid,
                                  struct sluice_place_table *table, int64_t columns,
                                  struct sluice_warnings *warnings)
{
    SLUICE_TRY(fill(solid, table, columns, warnings));
    return warn_of_jumps(solid, table, columns, warnings);
}
