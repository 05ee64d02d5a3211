#include "snapshots/snapshot_layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/safe_file_hdf5.h"

void sluice_hdf5_dimensions(const char *unit, double exponents[4])
{
    static const struct {
        const char *unit;
        double exponents[4]; /* kg, m, s, K */
    } known[] = {
        {"kg", {1, 0, 0, 0}},   {"kg/m", {1, -1, 0, 0}},   {"m", {0, 1, 0, 0}},
        {"s", {0, 0, 1, 0}},    {"m/s", {0, 1, -1, 0}},    {"m/s^2", {0, 1, -2, 0}},
        {"1/s", {0, 0, -1, 0}}, {"kg/m^3", {1, -3, 0, 0}}, {"Pa", {1, -1, -2, 0}},
        {"J", {1, 2, -2, 0}},   {"J/m", {1, 1, -2, 0}},    {"W", {1, 2, -3, 0}},
        {"W/m", {1, 1, -3, 0}}, {"kg m/s", {1, 1, -1, 0}}, {"kg m^2/s", {1, 2, -1, 0}},
        {"K", {0, 0, 0, 1}},
    };
    memset(exponents, 0, 4 * sizeof *exponents);
    for (size_t i = 0; unit != NULL && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(unit, known[i].unit) == 0)
            memcpy(exponents, known[i].exponents, sizeof known[i].exponents);
}

static sluice_status write_attribute(hid_t object, const char *name, hid_t type, hid_t space,
                                     const void *value)
{
    const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const int written = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    SLUICE_CHECK(written, SLUICE_IO, "attribute '%s' cannot be written: %s", name,
                 sluice_hdf5_reason());
    return SLUICE_OK;
}

sluice_status sluice_hdf5_attribute_text(hid_t object, const char *name, const char *text)
{
    if (text == NULL)
        return SLUICE_OK;
    const size_t length = strlen(text);
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, length > 0 ? length : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    const sluice_status status = write_attribute(object, name, type, space, text);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

static sluice_status write_numbers(hid_t object, const char *name, hid_t type, const void *values,
                                   int n)
{
    const hsize_t size = (hsize_t)n;
    const hid_t space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    const sluice_status status = write_attribute(object, name, type, space, values);
    H5Sclose(space);
    return status;
}

sluice_status sluice_hdf5_attribute_reals(hid_t object, const char *name, const double *values,
                                          int n)
{
    return write_numbers(object, name, H5T_NATIVE_DOUBLE, values, n);
}

sluice_status sluice_hdf5_attribute_ints(hid_t object, const char *name, const int64_t *values,
                                         int n)
{
    return write_numbers(object, name, H5T_NATIVE_INT64, values, n);
}

sluice_status sluice_hdf5_read_text(hid_t object, const char *name, char *text, size_t size)
{
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    SLUICE_CHECK(attribute >= 0, SLUICE_IO, "attribute '%s' is missing", name);
    const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const size_t length = H5Tget_size(type);
    char *value = NULL;
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
        H5Sget_simple_extent_npoints(space) == 1)
        value = calloc(1, length + 1);
    const int got = value != NULL && H5Aread(attribute, type, value) >= 0;
    if (got)
        snprintf(text, size, "%s", value);
    free(value);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    SLUICE_CHECK(got, SLUICE_IO, "attribute '%s' is no text", name);
    return SLUICE_OK;
}

static sluice_status read_numbers(hid_t object, const char *name, hid_t type, void *values, int n)
{
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    SLUICE_CHECK(attribute >= 0, SLUICE_IO, "attribute '%s' is missing", name);
    const hid_t space = H5Aget_space(attribute);
    const hssize_t there = H5Sget_simple_extent_npoints(space);
    const int got = there == n && H5Aread(attribute, type, values) >= 0;
    H5Sclose(space);
    H5Aclose(attribute);
    SLUICE_CHECK(there == n, SLUICE_IO, "attribute '%s' has %lld value%s, not %d", name,
                 (long long)there, there == 1 ? "" : "s", n);
    SLUICE_CHECK(
        got, SLUICE_IO,
        "attribute '%s' is no number or cannot be read: the file is damaged, or of another "
        "program",
        name);
    return SLUICE_OK;
}

sluice_status sluice_hdf5_read_reals(hid_t object, const char *name, double *values, int n)
{
    return read_numbers(object, name, H5T_NATIVE_DOUBLE, values, n);
}

sluice_status sluice_hdf5_read_ints(hid_t object, const char *name, int64_t *values, int n)
{
    return read_numbers(object, name, H5T_NATIVE_INT64, values, n);
}

static int is_compressed(const struct sluice_hdf5_array *array)
{
    return array->compression > 0 && array->rows > 0;
}

static hid_t layout_of(const struct sluice_hdf5_array *array)
{
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    if (H5Tis_variable_str(array->file_type) <= 0)     /* these need a fill value */
        H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER); /* every element is written */
    if (is_compressed(array)) {
        const hsize_t rows = (hsize_t)(array->rows < SLUICE_CHUNK_ROWS ? array->rows
                                                                       : SLUICE_CHUNK_ROWS);
        const hsize_t chunk[2] = {rows, (hsize_t)array->columns};
        H5Pset_chunk(layout, array->columns > 0 ? 2 : 1, chunk);
        H5Pset_shuffle(layout);
        H5Pset_deflate(layout, (unsigned)array->compression);
    }
    return layout;
}

static sluice_status write_data(hid_t dataset, const struct sluice_hdf5_array *array)
{
    if (is_compressed(array))
        return sluice_hdf5_write_chunks(dataset, array, 0, array->rows, array->data);
    SLUICE_CHECK(
        H5Dwrite(dataset, array->memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->data) >= 0,
        SLUICE_IO, "dataset '%s' cannot be written: %s", array->name, sluice_hdf5_reason());
    return SLUICE_OK;
}

sluice_status sluice_hdf5_create(hid_t group, const struct sluice_hdf5_array *array, hid_t *out)
{
    const hsize_t shape[2] = {(hsize_t)array->rows, (hsize_t)array->columns};
    const hid_t space = H5Screate_simple(array->columns > 0 ? 2 : 1, shape, NULL),
                layout = layout_of(array);
    const hid_t dataset = H5Dcreate2(group, array->name, array->file_type, space, H5P_DEFAULT,
                                     layout, H5P_DEFAULT);
    H5Pclose(layout);
    H5Sclose(space);
    *out = dataset;
    SLUICE_CHECK(dataset >= 0, SLUICE_IO, "dataset '%s' cannot be created: %s", array->name,
                 sluice_hdf5_reason());

    double exponents[4];
    sluice_hdf5_dimensions(array->unit, exponents);
    sluice_status status = sluice_hdf5_attribute_text(dataset, "units", array->unit);
    if (status == SLUICE_OK)
        status = sluice_hdf5_attribute_reals(dataset, "dimensions_kg_m_s_K", exponents, 4);
    if (status == SLUICE_OK)
        status = sluice_hdf5_attribute_text(dataset, "description", array->description);
    if (status == SLUICE_OK && array->data != NULL && array->rows > 0)
        status = write_data(dataset, array);
    if (status != SLUICE_OK)
        H5Dclose(dataset);
    return status;
}

sluice_status sluice_hdf5_write(hid_t group, const struct sluice_hdf5_array *array)
{
    hid_t dataset;
    SLUICE_TRY(sluice_hdf5_create(group, array, &dataset));
    SLUICE_CHECK(H5Dclose(dataset) >= 0, SLUICE_IO, "dataset '%s' cannot be closed: %s",
                 array->name, sluice_hdf5_reason());
    return SLUICE_OK;
}

sluice_status sluice_hdf5_create_group(hid_t parent, const char *name, hid_t *out)
{
    *out = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    SLUICE_CHECK(*out >= 0, SLUICE_IO, "group '%s' cannot be created: %s", name,
                 sluice_hdf5_reason());
    return SLUICE_OK;
}

sluice_status sluice_hdf5_open_group(hid_t parent, const char *name, hid_t *out)
{
    *out = H5Gopen2(parent, name, H5P_DEFAULT);
    SLUICE_CHECK(*out >= 0, SLUICE_IO, "group '%s' is missing", name);
    return SLUICE_OK;
}

/* A regular file that begins as HDF5's do; HDF5 would also look further behind, where ours never
 * begin. */
static sluice_status check_signature(const char *path)
{
    static const char signature[8] = {(char)0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    char first[sizeof signature] = "";
    struct stat about;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    SLUICE_CHECK(file >= 0, SLUICE_IO, "%s: cannot be opened: %s", path, strerror(errno));
    const int is_regular = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
    const ssize_t got = is_regular ? pread(file, first, sizeof first, 0) : 0;
    const int error = got < 0 ? errno : 0;
    close(file);
    SLUICE_CHECK(error == 0, SLUICE_IO, "%s: cannot be read: %s", path, strerror(error));
    SLUICE_CHECK(got == sizeof first && memcmp(first, signature, sizeof first) == 0, SLUICE_IO,
                 "%s: is no HDF5 file", path);
    return SLUICE_OK;
}

sluice_status sluice_hdf5_open(const char *path, hid_t *file)
{
    *file = -1;
    SLUICE_TRY(check_signature(path));
    sluice_hdf5_quiet();
    /* Links to other files, which ours never have, may lead to a device, and HDF5 would wait. */
    if (H5Lis_registered(H5L_TYPE_EXTERNAL) > 0)
        H5Lunregister(H5L_TYPE_EXTERNAL);
    *file = sluice_safe_hdf5_read(path);
    SLUICE_CHECK(*file >= 0, SLUICE_IO, "%s: HDF5 cannot open it (is it cut off?): %s", path,
                 sluice_hdf5_reason());
    if (H5Lexists(*file, "VTKHDF", H5P_DEFAULT) > 0 && H5Lexists(*file, "Header", H5P_DEFAULT) > 0)
        return SLUICE_OK;
    H5Fclose(*file);
    *file = -1;
    return SLUICE_FAIL(
        SLUICE_IO, "%s: is HDF5, but no snapshot of Sluice: /VTKHDF or /Header is missing", path);
}
