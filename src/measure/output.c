#include "measure/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/allocate.h"
#include "files/run_files.h"
#include "files/safe_file.h"
#include "snapshots/snapshot.h"

enum { DIGITS = 9, IMAGE_DIGITS = 6 }; /* a float has 9 at most */

/* --- What is there already --- */

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* Whether a regular file begins as a measurement of this ending does. */
static int begins_so(const char *path)
{
    static const char *const endings[] = {".csv", ".hdf", ".hdf.series"};
    char like[32];
    int file, same = 0;
    if (sluice_safe_file_open(path, &file))
        return 0;
    for (size_t k = 0; k < sizeof endings / sizeof endings[0]; k++) {
        snprintf(like, sizeof like, "measure_x%s", endings[k]);
        same |= ends_with(path, endings[k]) && sluice_run_file_begins_so(file, like);
    }
    close(file);
    return same;
}

sluice_status sluice_measure_may_write(const char *path)
{
    const enum sluice_run_file kind = sluice_run_file_kind(name_in(path));
    SLUICE_CHECK(kind == SLUICE_RUN_FILE_NONE || kind == SLUICE_RUN_FILE_MEASURED, SLUICE_BAD_INPUT,
                 "--out: a run's own files have names as %s: choose another one", path);
    SLUICE_CHECK(access(path, F_OK) != 0 || begins_so(path), SLUICE_BAD_INPUT,
                 "%s: is there already, and is no measurement: move it away, or choose another "
                 "name with --out",
                 path);
    return SLUICE_OK;
}

/* --- Opening --- */

/* "point,x,y,pressure,..." */
static sluice_status open_table(struct sluice_measure_output *out)
{
    const struct sluice_measure_layout *l = out->layout;
    const int dimension = out->places->dimension;
    char header[64 + 41 * SLUICE_LAYOUT_COLUMNS];
    size_t used = (size_t)snprintf(header, sizeof header, "point,x,y%s",
                                   dimension == 3 ? ",z" : "");
    for (int c = 0; c < l->columns; c++)
        used += (size_t)snprintf(header + used, sizeof header - used, ",%s", l->column[c].name);
    SLUICE_TRY(sluice_measure_may_write(out->path));
    SLUICE_ALLOCATE(out->row, 1 + dimension + l->columns, "columns");
    SLUICE_TRY(sluice_csv_create(&out->csv, out->path, header, DIGITS));
    out->csv.has_gaps = 1;
    return SLUICE_OK;
}

/* Splits "FOLDER/NAME.hdf". */
static sluice_status set_names(struct sluice_measure_output *out, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = name_in(path);
    const int letters = (int)strlen(name) - 4;
    SLUICE_CHECK(letters > 0 && letters < 40 && !strpbrk(name, "\"\\"), SLUICE_BAD_INPUT,
                 "--out %s: give a name of 1 to 39 letters before .hdf, without quotes", path);
    snprintf(out->folder, sizeof out->folder, "%.*s", slash ? (int)(slash - path) : 1,
             slash ? path : ".");
    if (slash == path)
        snprintf(out->folder, sizeof out->folder, "/");
    snprintf(out->name, sizeof out->name, "%.*s", letters, name);
    snprintf(out->prefix, sizeof out->prefix, "%.*s_", letters, name);
    snprintf(out->list, sizeof out->list, "%s.series", name);
    out->numbered = (struct sluice_numbered_files){out->prefix, IMAGE_DIGITS};
    out->kind = (struct sluice_series_kind){out->list, &out->numbered, "image", "images",
                                            sluice_snapshot_series.read_header};
    return SLUICE_OK;
}

static sluice_status remove_file(const char *folder, const char *name)
{
    char path[SLUICE_MEASURE_PATH];
    SLUICE_TRY(sluice_run_file_path(folder, name, path, sizeof path));
    SLUICE_CHECK(unlink(path) == 0 || errno == ENOENT, SLUICE_IO, "%s: cannot be removed: %s", path,
                 strerror(errno));
    return SLUICE_OK;
}

/* Whether this is NAME_000012.hdf. */
static int is_image(const struct sluice_measure_output *out, const char *name)
{
    const size_t n = strlen(out->prefix);
    return strncmp(name, out->prefix, n) == 0 &&
           strspn(name + n, "0123456789") + strlen(".hdf") == strlen(name + n) &&
           ends_with(name, ".hdf");
}

/* Refuses names that would replace files of another kind. */
static sluice_status check_names(const struct sluice_measure_output *out, const char *path)
{
    char list[SLUICE_MEASURE_PATH + 16], first[SLUICE_MEASURE_PATH];
    if (out->is_reduced)
        return sluice_measure_may_write(path);
    snprintf(list, sizeof list, "%s.series", path);
    SLUICE_TRY(sluice_numbered_path(&out->numbered, out->folder, 0, first, sizeof first));
    const enum sluice_run_file kind = sluice_run_file_kind(name_in(first));
    SLUICE_CHECK(kind == SLUICE_RUN_FILE_NONE || kind == SLUICE_RUN_FILE_MEASURED, SLUICE_BAD_INPUT,
                 "--out %s: its images would have the names of a run's own files: choose another "
                 "name",
                 path);
    return sluice_measure_may_write(list);
}

/* Removes the images that an earlier list names, and the list; begins a new one. */
static sluice_status renew_list(struct sluice_measure_output *out)
{
    SLUICE_TRY(sluice_series_open(&out->series, &out->kind, out->folder));
    sluice_status status = SLUICE_OK;
    for (int64_t k = 0; k < out->series.count && status == SLUICE_OK; k++)
        if (is_image(out, out->series.entry[k].name))
            status = remove_file(out->folder, out->series.entry[k].name);
    sluice_series_close(&out->series);
    SLUICE_TRY(status);
    SLUICE_TRY(remove_file(out->folder, out->list));
    return out->is_reduced ? SLUICE_OK : sluice_series_open(&out->series, &out->kind, out->folder);
}

sluice_status sluice_measure_output_open(struct sluice_measure_output *out, const char *path)
{
    const int length = snprintf(out->path, sizeof out->path, "%s", path);
    out->csv.file = -1;
    out->is_image = ends_with(path, ".hdf");
    SLUICE_CHECK(length < (int)sizeof out->path - 16, SLUICE_BAD_INPUT,
                 "--out %.80s...: the path is too long", path);
    SLUICE_CHECK(out->is_image || ends_with(path, ".csv"), SLUICE_BAD_INPUT,
                 "--out %s: a name that ends with .csv (a table) or .hdf (an image) is needed",
                 path);
    if (!out->is_image)
        return open_table(out);
    SLUICE_CHECK(out->places->kind == SLUICE_PLACES_GRID, SLUICE_BAD_INPUT,
                 "--out %s: only planes and grids are images: give a name that ends with .csv",
                 path);
    SLUICE_TRY(set_names(out, path));
    SLUICE_TRY(check_names(out, path));
    if (out->is_reduced)
        return SLUICE_OK;
    snprintf(out->path, sizeof out->path, "%s.series", path);
    return renew_list(out);
}

/* --- Writing --- */

sluice_status sluice_measure_output_begin(struct sluice_measure_output *out,
                                          const struct sluice_measure_moment *moment)
{
    if (!out->is_image)
        return SLUICE_OK;
    if (out->is_reduced)
        snprintf(out->image_path, sizeof out->image_path, "%s", out->path);
    else
        SLUICE_TRY(sluice_numbered_path(&out->numbered, out->folder, moment->number,
                                        out->image_path, sizeof out->image_path));
    /* Those of an earlier measurement are gone by now. */
    SLUICE_CHECK(out->is_reduced || access(out->image_path, F_OK) != 0, SLUICE_BAD_INPUT,
                 "%s: is there already, and %s does not list it: move it away, or choose another "
                 "name with --out",
                 out->image_path, out->list);
    return sluice_image_file_create(&out->image, out->image_path, out->places, out->layout,
                                    moment->time, moment->step);
}

sluice_status sluice_measure_output_block(struct sluice_measure_output *out,
                                          const struct sluice_measure_moment *moment, int64_t first,
                                          int64_t count, const double *values)
{
    const int dimension = out->places->dimension, columns = out->layout->columns;
    if (out->is_image)
        return sluice_image_file_block(&out->image, first, count, values);
    for (int64_t i = 0; i < count; i++) {
        double x[3];
        sluice_places_at(out->places, first + i, x);
        out->row[0] = (double)(first + i);
        memcpy(out->row + 1, x, (size_t)dimension * sizeof *x);
        memcpy(out->row + 1 + dimension, values + i * columns, (size_t)columns * sizeof *values);
        SLUICE_TRY(sluice_csv_row(&out->csv, moment->step, moment->time, out->row));
    }
    return SLUICE_OK;
}

sluice_status sluice_measure_output_end(struct sluice_measure_output *out,
                                        const struct sluice_measure_moment *moment,
                                        sluice_status status)
{
    if (!out->is_image)
        return status;
    SLUICE_TRY(sluice_image_file_close(&out->image, status));
    out->files++;
    return out->is_reduced ? SLUICE_OK
                           : sluice_series_append(&out->series, strrchr(out->image_path, '/') + 1,
                                                  moment->time);
}

sluice_status sluice_measure_output_close(struct sluice_measure_output *out, sluice_status status)
{
    free(out->row);
    out->row = NULL;
    sluice_series_close(&out->series);
    if (out->csv.path) {
        const sluice_status closed = sluice_csv_close(&out->csv);
        status = status == SLUICE_OK ? closed : status;
    }
    return status;
}
