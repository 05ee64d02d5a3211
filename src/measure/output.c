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

/* --- Existing files --- */

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

/* Whether a table or an image may be written at a path: nothing is there, or a file that begins as
 * one does, and no file of a run has such a name. */
static sluice_status may_write(const char *path)
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

/* --- Tables --- */

sluice_status sluice_measure_table_open(struct sluice_measure_table *t, const char *path,
                                        const char *header, int digits)
{
    int file;
    SLUICE_TRY(may_write(path));
    snprintf(t->path, sizeof t->path, "%s", path);
    SLUICE_TRY(sluice_safe_file_create(path, t->temporary, sizeof t->temporary, &file));
    close(file);
    const sluice_status status = sluice_csv_create(&t->csv, t->temporary, header, digits);
    t->csv.has_gaps = 1;
    return status == SLUICE_OK ? status : sluice_measure_table_close(t, status);
}

sluice_status sluice_measure_table_close(struct sluice_measure_table *t, sluice_status status)
{
    if (status == SLUICE_OK)
        status = sluice_csv_sync(&t->csv);
    const sluice_status closed = sluice_csv_close(&t->csv);
    status = status == SLUICE_OK ? closed : status;
    if (status == SLUICE_OK)
        return sluice_safe_file_commit(t->temporary, t->path);
    unlink(t->temporary);
    return status;
}

/* --- Opening --- */

const struct sluice_column sluice_place_columns[] = {
    {"point", NULL, "1", "number of the place, from 0"}, {"*", NULL, "m", "the place"}, {0}};

/* "point,x,y,pressure,..." */
static sluice_status open_table(struct sluice_measure_output *out)
{
    const struct sluice_measure_layout *l = out->layout;
    const int dimension = out->places->dimension;
    char header[64 + (SLUICE_COLUMN_NAME + 1) * SLUICE_LAYOUT_COLUMNS] = "";
    size_t used = strlen(
        sluice_columns_header(sluice_place_columns, dimension, header, sizeof header));
    for (int c = 0; c < l->columns; c++)
        used += (size_t)snprintf(header + used, sizeof header - used, ",%s", l->column[c].name);
    SLUICE_ALLOCATE(out->row, 1 + dimension + l->columns, "columns");
    return sluice_measure_table_open(&out->table, out->path, header, DIGITS);
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
        return may_write(path);
    snprintf(list, sizeof list, "%s.series", path);
    SLUICE_TRY(sluice_numbered_path(&out->numbered, out->folder, 0, first, sizeof first));
    const enum sluice_run_file kind = sluice_run_file_kind(name_in(first));
    SLUICE_CHECK(kind == SLUICE_RUN_FILE_NONE || kind == SLUICE_RUN_FILE_MEASURED, SLUICE_BAD_INPUT,
                 "--out %s: its images would have the names of a run's own files: choose another "
                 "name",
                 path);
    return may_write(list);
}

sluice_status sluice_measure_output_open(struct sluice_measure_output *out, const char *path)
{
    const int length = snprintf(out->path, sizeof out->path, "%s", path);
    out->is_image = ends_with(path, ".hdf");
    SLUICE_CHECK(length < (int)sizeof out->path - 16, SLUICE_BAD_INPUT,
                 "--out %.80s...: the path is too long", path);
    SLUICE_CHECK(
        out->is_image || ends_with(path, ".csv"), SLUICE_BAD_INPUT,
        "--out %s: a name that ends with .csv (a table) or .hdf (an image for ParaView) is "
        "needed; 'sluice plot' draws pictures, of a plane with --slice",
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
    return sluice_series_open(&out->earlier, &out->kind, out->folder);
}

sluice_status sluice_measure_output_allows(const struct sluice_measure_output *out, int64_t number)
{
    char path[SLUICE_MEASURE_PATH];
    if (!out->is_image || out->is_reduced)
        return SLUICE_OK;
    SLUICE_TRY(sluice_numbered_path(&out->numbered, out->folder, number, path, sizeof path));
    int listed = 0;
    for (int64_t k = 0; k < out->earlier.count; k++)
        listed |= strcmp(out->earlier.entry[k].name, name_in(path)) == 0;
    SLUICE_CHECK(listed || access(path, F_OK) != 0, SLUICE_BAD_INPUT,
                 "%s: is there already, and %s does not list it: move it away, or choose another "
                 "name with --out",
                 path, out->list);
    return SLUICE_OK;
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
        SLUICE_TRY(sluice_csv_row(&out->table.csv, moment->step, moment->time, out->row));
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
    SLUICE_GROW(out->new_image, out->images, out->capacity, "images");
    struct sluice_new_image *image = &out->new_image[out->images++];
    image->number = moment->number;
    image->time = moment->time;
    memcpy(image->temporary, out->image.file.temporary, sizeof image->temporary);
    return SLUICE_OK;
}

/* --- Closing --- */

/* Removes the images that the earlier list names, and the list. */
static sluice_status remove_earlier(const struct sluice_measure_output *out)
{
    for (int64_t k = 0; k < out->earlier.count; k++)
        if (is_image(out, out->earlier.entry[k].name))
            SLUICE_TRY(remove_file(out->folder, out->earlier.entry[k].name));
    return remove_file(out->folder, out->list);
}

static sluice_status place_images(struct sluice_measure_output *out)
{
    struct sluice_series list;
    sluice_status status = SLUICE_OK;
    if (out->is_reduced)
        return sluice_safe_file_commit(out->new_image[0].temporary, out->path);
    SLUICE_TRY(remove_earlier(out));
    SLUICE_TRY(sluice_series_open(&list, &out->kind, out->folder));
    for (int64_t k = 0; k < out->images && status == SLUICE_OK; k++) {
        const struct sluice_new_image *image = &out->new_image[k];
        char path[SLUICE_MEASURE_PATH];
        status = sluice_numbered_path(&out->numbered, out->folder, image->number, path,
                                      sizeof path);
        if (status == SLUICE_OK)
            status = sluice_safe_file_commit(image->temporary, path);
        if (status == SLUICE_OK)
            status = sluice_series_append(&list, name_in(path), image->time);
    }
    sluice_series_close(&list);
    return status;
}

sluice_status sluice_measure_output_close(struct sluice_measure_output *out, sluice_status status)
{
    free(out->row);
    out->row = NULL;
    if (out->table.csv.path)
        return sluice_measure_table_close(&out->table, status);
    if (out->images > 0 && status == SLUICE_OK)
        status = place_images(out);
    for (int64_t k = 0; k < out->images; k++)
        unlink(out->new_image[k].temporary); /* those that are not in place */
    free(out->new_image);
    sluice_series_close(&out->earlier);
    return status;
}
