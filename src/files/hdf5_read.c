#include "files/hdf5.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/safe_file.h"
#include "files/safe_file_hdf5.h"

/* Anybody may have made a file, so a dataset's shape is checked against the file's size. gzip makes
 * at most 1032 bytes of one. */
enum { INFLATED_MOST = 1100 };

/* Bytes of the dataset in its own file; -1: its bytes are in other files or datasets. Ours never
 * are, and another file may be a device. */
static double stored_bytes(hid_t dataset)
{
    const hid_t made = H5Dget_create_plist(dataset), file = H5Iget_file_id(dataset);
    const int is_own = H5Pget_external_count(made) == 0 && H5Pget_layout(made) != H5D_VIRTUAL;
    hsize_t whole = 0;
    H5Fget_filesize(file, &whole);
    H5Fclose(file);
    H5Pclose(made);
    return is_own ? fmin((double)H5Dget_storage_size(dataset), (double)whole) : -1;
}

/* Bytes of a number, or of the reference to a text; 0: it holds neither. */
static size_t element_bytes(hid_t dataset)
{
    const hid_t type = H5Dget_type(dataset);
    const H5T_class_t kind = H5Tget_class(type);
    const int is_plain = kind == H5T_INTEGER || kind == H5T_FLOAT || H5Tis_variable_str(type) > 0;
    const size_t bytes = is_plain ? H5Tget_size(type) : 0;
    H5Tclose(type);
    return bytes;
}

static sluice_status check_shape(hid_t dataset, const char *path, int64_t *rows, int *columns)
{
    hsize_t shape[2] = {0, 1};
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank == 1 || rank == 2)
        H5Sget_simple_extent_dims(space, shape, NULL);
    H5Sclose(space);
    const size_t bytes = element_bytes(dataset);
    SLUICE_CHECK(rank == 1 || rank == 2, SLUICE_IO, "dataset '%s' has rank %d, not 1 or 2", path,
                 rank);
    SLUICE_CHECK(bytes > 0, SLUICE_IO, "dataset '%s' holds neither numbers nor texts", path);
    SLUICE_CHECK(shape[0] <= INT64_MAX && shape[1] >= 1 && shape[1] <= INT_MAX, SLUICE_IO,
                 "dataset '%s' has %llu rows of %llu", path, (unsigned long long)shape[0],
                 (unsigned long long)shape[1]);
    const double stored = stored_bytes(dataset),
                 declared = (double)shape[0] * (double)shape[1] * (double)bytes;
    SLUICE_CHECK(stored >= 0, SLUICE_IO, "dataset '%s' lies in another file; ours never do", path);
    SLUICE_CHECK(declared <= INFLATED_MOST * stored, SLUICE_IO,
                 "dataset '%s' claims %llu rows of %llu, more than the file can hold", path,
                 (unsigned long long)shape[0], (unsigned long long)shape[1]);
    *rows = (int64_t)shape[0];
    *columns = rank == 2 ? (int)shape[1] : 0;
    return SLUICE_OK;
}

static sluice_status open_dataset(hid_t file, const char *path, hid_t *dataset, int64_t *rows,
                                  int *columns)
{
    *dataset = H5Dopen2(file, path, H5P_DEFAULT);
    SLUICE_CHECK(*dataset >= 0, SLUICE_IO, "dataset '%s' is missing", path);
    const sluice_status status = check_shape(*dataset, path, rows, columns);
    if (status != SLUICE_OK)
        H5Dclose(*dataset);
    return status;
}

sluice_status sluice_hdf5_shape(hid_t file, const char *path, int64_t *rows, int *columns)
{
    hid_t dataset;
    SLUICE_TRY(open_dataset(file, path, &dataset, rows, columns));
    H5Dclose(dataset);
    return SLUICE_OK;
}

/* Reads `count` rows of an open dataset, from row `first` on. */
static int read_rows(hid_t dataset, hid_t memory_type, int columns, int64_t first, int64_t count,
                     void *out)
{
    const hsize_t from[2] = {(hsize_t)first, 0},
                  shape[2] = {(hsize_t)count, (hsize_t)(columns > 0 ? columns : 1)};
    if (count == 0)
        return 1;
    const hid_t there = H5Dget_space(dataset),
                here = H5Screate_simple(columns > 0 ? 2 : 1, shape, NULL);
    const int got = H5Sselect_hyperslab(there, H5S_SELECT_SET, from, NULL, shape, NULL) >= 0 &&
                    H5Dread(dataset, memory_type, here, there, H5P_DEFAULT, out) >= 0;
    H5Sclose(here);
    H5Sclose(there);
    return got;
}

sluice_status sluice_hdf5_read_rows(hid_t file, const char *path, hid_t memory_type, int64_t rows,
                                    int columns, int64_t first, int64_t count, void *out)
{
    int64_t found_rows;
    int found_columns;
    hid_t dataset;
    SLUICE_TRY(open_dataset(file, path, &dataset, &found_rows, &found_columns));
    const int matches = found_rows == rows && found_columns == columns,
              got = matches && read_rows(dataset, memory_type, columns, first, count, out);
    H5Dclose(dataset);
    SLUICE_CHECK(matches, SLUICE_IO, "dataset '%s' has %lld rows of %d, not %lld of %d", path,
                 (long long)found_rows, found_columns, (long long)rows, columns);
    SLUICE_CHECK(got, SLUICE_IO, "dataset '%s' cannot be read: %s", path, sluice_hdf5_reason());
    return SLUICE_OK;
}

sluice_status sluice_hdf5_read(hid_t file, const char *path, hid_t memory_type, int64_t rows,
                               int columns, void *out)
{
    return sluice_hdf5_read_rows(file, path, memory_type, rows, columns, 0, rows, out);
}

sluice_status sluice_hdf5_reader_open(struct sluice_hdf5_reader *r, hid_t file, const char *path)
{
    *r = (struct sluice_hdf5_reader){.path = path, .dataset = -1, .type = -1};
    SLUICE_TRY(open_dataset(file, path, &r->dataset, &r->rows, &r->columns));
    const hid_t stored = H5Dget_type(r->dataset);
    const int is_text = H5Tget_class(stored) == H5T_STRING;
    r->type = is_text ? -1 : H5Tget_native_type(stored, H5T_DIR_ASCEND);
    H5Tclose(stored);
    if (r->type >= 0) {
        r->row_bytes = (size_t)(r->columns > 0 ? r->columns : 1) * H5Tget_size(r->type);
        return SLUICE_OK;
    }
    H5Dclose(r->dataset);
    return SLUICE_FAIL(SLUICE_IO, "dataset '%s' cannot be read: %s", path,
                       is_text ? "it holds texts" : sluice_hdf5_reason());
}

sluice_status sluice_hdf5_reader_rows(const struct sluice_hdf5_reader *r, int64_t first,
                                      int64_t count, void *out)
{
    const int got = read_rows(r->dataset, r->type, r->columns, first, count, out);
    SLUICE_CHECK(got, SLUICE_IO, "dataset '%s' cannot be read: %s", r->path, sluice_hdf5_reason());
    return SLUICE_OK;
}

void sluice_hdf5_reader_close(struct sluice_hdf5_reader *r)
{
    H5Tclose(r->type);
    H5Dclose(r->dataset);
}

sluice_status sluice_hdf5_load(hid_t file, const char *path, struct sluice_hdf5_content *c)
{
    struct sluice_hdf5_reader r;
    memset(c, 0, sizeof *c);
    SLUICE_TRY(sluice_hdf5_reader_open(&r, file, path));
    c->rows = r.rows;
    c->columns = r.columns;
    c->bytes = (size_t)r.rows * r.row_bytes;
    c->data = malloc(c->bytes + 1);
    if (!c->data) {
        sluice_hdf5_reader_close(&r);
        return SLUICE_FAIL(SLUICE_DEVICE, "no memory for the %zu bytes of dataset '%s'", c->bytes,
                           path);
    }
    ((char *)c->data)[c->bytes] = 0;
    const sluice_status status = sluice_hdf5_reader_rows(&r, 0, r.rows, c->data);
    sluice_hdf5_reader_close(&r);
    if (status == SLUICE_OK)
        return SLUICE_OK;
    free(c->data);
    c->data = NULL;
    return status;
}

/* --- Attributes --- */

static sluice_status open_attribute(hid_t file, const char *object, const char *name,
                                    hid_t *attribute)
{
    *attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT);
    SLUICE_CHECK(*attribute >= 0, SLUICE_IO, "attribute '%s' of '%s' is missing", name, object);
    return SLUICE_OK;
}

static hssize_t count_values(hid_t attribute)
{
    const hid_t space = H5Aget_space(attribute);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return count;
}

sluice_status sluice_hdf5_read_text(hid_t file, const char *object, const char *name, char *text,
                                    size_t size)
{
    hid_t attribute;
    SLUICE_TRY(open_attribute(file, object, name, &attribute));
    const hid_t type = H5Aget_type(attribute);
    const int is_text = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                        count_values(attribute) == 1;
    char *value = is_text ? calloc(1, H5Tget_size(type) + 1) : NULL;
    const int got = value && H5Aread(attribute, type, value) >= 0;
    if (got)
        snprintf(text, size, "%s", value);
    free(value);
    H5Tclose(type);
    H5Aclose(attribute);
    SLUICE_CHECK(got, SLUICE_IO, "attribute '%s' of '%s' is no text", name, object);
    return SLUICE_OK;
}

sluice_status sluice_hdf5_read_numbers(hid_t file, const char *object, const char *name, hid_t type,
                                       void *values, int n)
{
    hid_t attribute;
    SLUICE_TRY(open_attribute(file, object, name, &attribute));
    const hssize_t found = count_values(attribute);
    const int got = found == n && H5Aread(attribute, type, values) >= 0;
    H5Aclose(attribute);
    SLUICE_CHECK(found == n, SLUICE_IO, "attribute '%s' has %lld value%s, not %d", name,
                 (long long)found, found == 1 ? "" : "s", n);
    SLUICE_CHECK(got, SLUICE_IO,
                 "attribute '%s' is no number or cannot be read: the file is damaged, or of "
                 "another program",
                 name);
    return SLUICE_OK;
}

/* --- Files --- */

int sluice_hdf5_is_signed(int file)
{
    static const char signature[8] = {(char)0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    char first[sizeof signature];
    return pread(file, first, sizeof first, 0) == sizeof first &&
           memcmp(first, signature, sizeof first) == 0;
}

/* HDF5 itself would look for the signature further on, too, where our files never have it. */
static sluice_status check_signature(const char *path)
{
    int file;
    const char *why = sluice_safe_file_open(path, &file);
    SLUICE_CHECK(!why, SLUICE_IO, "%s: cannot be read: %s", path, why);
    const int is_signed = sluice_hdf5_is_signed(file);
    close(file);
    SLUICE_CHECK(is_signed, SLUICE_IO, "%s: is no HDF5 file", path);
    return SLUICE_OK;
}

sluice_status sluice_hdf5_open(const char *path, hid_t *file)
{
    *file = -1;
    SLUICE_TRY(check_signature(path));
    SLUICE_TRY(sluice_hdf5_begin());
    /* Our files have no links to other files. Such a link may lead to a device, which HDF5 would
     * wait for. */
    if (H5Lis_registered(H5L_TYPE_EXTERNAL) > 0)
        H5Lunregister(H5L_TYPE_EXTERNAL);
    *file = sluice_safe_hdf5_read(path);
    SLUICE_CHECK(*file >= 0, SLUICE_IO, "%s: HDF5 cannot open it (is it cut off?): %s", path,
                 sluice_hdf5_reason());
    return SLUICE_OK;
}
