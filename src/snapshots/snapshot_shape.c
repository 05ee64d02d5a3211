/* Shapes of datasets in files that anybody may have made: nothing that they declare is believed
 * before it fits the file. */
#include <limits.h>
#include <math.h>

#include "files/safe_file_hdf5.h"
#include "snapshots/snapshot_layout.h"

/* gzip makes 1032 bytes of one at most. */
enum { INFLATED_MOST = 1100 };

/* Bytes of the dataset in its own file; -1: it takes them from other files or datasets, which ours
 * never do, and which may be a device. */
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

sluice_status sluice_hdf5_shape_of(hid_t dataset, const char *name, int64_t *rows, int *columns)
{
    hsize_t shape[2] = {0, 1};
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (rank == 1 || rank == 2)
        H5Sget_simple_extent_dims(space, shape, NULL);
    H5Sclose(space);
    const size_t bytes = element_bytes(dataset);
    SLUICE_CHECK(rank == 1 || rank == 2, SLUICE_IO, "dataset '%s' has rank %d, not 1 or 2", name,
                 rank);
    SLUICE_CHECK(bytes > 0, SLUICE_IO, "dataset '%s' holds neither numbers nor texts", name);
    SLUICE_CHECK(shape[0] <= INT64_MAX && shape[1] >= 1 && shape[1] <= INT_MAX, SLUICE_IO,
                 "dataset '%s' has %llu rows of %llu", name, (unsigned long long)shape[0],
                 (unsigned long long)shape[1]);
    const double stored = stored_bytes(dataset),
                 declared = (double)shape[0] * (double)shape[1] * (double)bytes;
    SLUICE_CHECK(stored >= 0, SLUICE_IO, "dataset '%s' lies in another file; ours never do", name);
    SLUICE_CHECK(declared <= INFLATED_MOST * stored, SLUICE_IO,
                 "dataset '%s' claims %llu rows of %llu, more than the file can hold", name,
                 (unsigned long long)shape[0], (unsigned long long)shape[1]);
    *rows = (int64_t)shape[0];
    *columns = rank == 2 ? (int)shape[1] : 0;
    return SLUICE_OK;
}

sluice_status sluice_hdf5_shape(hid_t group, const char *name, int64_t *rows, int *columns)
{
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    SLUICE_CHECK(dataset >= 0, SLUICE_IO, "dataset '%s' is missing", name);
    const sluice_status status = sluice_hdf5_shape_of(dataset, name, rows, columns);
    H5Dclose(dataset);
    return status;
}

sluice_status sluice_hdf5_read(hid_t group, const char *name, hid_t memory_type, int64_t rows,
                               int columns, void *out)
{
    int64_t there = 0;
    int wide = 0, got = 0;
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    SLUICE_CHECK(dataset >= 0, SLUICE_IO, "dataset '%s' is missing", name);
    const sluice_status status = sluice_hdf5_shape_of(dataset, name, &there, &wide);
    const int fits = status == SLUICE_OK && there == rows && wide == columns;
    if (fits)
        got = rows == 0 || H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    H5Dclose(dataset);
    SLUICE_TRY(status);
    SLUICE_CHECK(fits, SLUICE_IO, "dataset '%s' has %lld rows of %d, not %lld of %d", name,
                 (long long)there, wide, (long long)rows, columns);
    SLUICE_CHECK(got, SLUICE_IO, "dataset '%s' cannot be read: %s", name, sluice_hdf5_reason());
    return SLUICE_OK;
}
