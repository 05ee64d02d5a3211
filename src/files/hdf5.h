/* Datasets and attributes of HDF5 files, each named by its path in the file: one way for snapshots
 * and checkpoints. Errors (SLUICE_IO) name the dataset or attribute, and HDF5's reason.
 *
 * The files are those of safe_file_hdf5.h: what an error leaves open is closed with its file. */
#ifndef SLUICE_FILES_HDF5_H
#define SLUICE_FILES_HDF5_H
#include <hdf5.h>
#include <stdint.h>

#include "core/status.h"

enum { SLUICE_CHUNK_ROWS = 65536 };

/* A dataset to be written: rows x columns (columns 0: rank 1), compressed by gzip `compression`
 * after a shuffle (0: contiguous). HDF5 converts from the type in memory to the one in the file. */
struct sluice_hdf5_array {
    const char *path; /* its group exists */
    hid_t memory_type, file_type;
    int64_t rows;
    int columns, compression;
    int threads;      /* that compress; 0: sluice_processors_most */
    const void *data; /* host; NULL: the dataset is created without data */
    const char *unit, *description;
};

sluice_status sluice_hdf5_create_group(hid_t file, const char *path);

/* Writes a dataset with the attributes units, dimensions_kg_m_s_K and description. */
sluice_status sluice_hdf5_write(hid_t file, const struct sluice_hdf5_array *array);

/* Writes `rows` rows from row `first` on, a multiple of SLUICE_CHUNK_ROWS, of a compressed dataset
 * that was written without data: hdf5_chunks.c. Errors: also SLUICE_DEVICE, no memory. */
sluice_status sluice_hdf5_write_chunks(hid_t dataset, const struct sluice_hdf5_array *array,
                                       int64_t first, int64_t rows, const void *data);

/* Attributes of a group or dataset. `type` is H5T_NATIVE_DOUBLE or H5T_NATIVE_INT64. A text has a
 * fixed length; NULL writes nothing. */
sluice_status sluice_hdf5_write_numbers(hid_t file, const char *object, const char *name,
                                        hid_t type, const void *values, int n);
sluice_status sluice_hdf5_write_text(hid_t file, const char *object, const char *name,
                                     const char *text);

/* Reads what these write. Errors: the attribute is missing, or does not have n values. A text is
 * cut to `size`. */
sluice_status sluice_hdf5_read_numbers(hid_t file, const char *object, const char *name, hid_t type,
                                       void *values, int n);
sluice_status sluice_hdf5_read_text(hid_t file, const char *object, const char *name, char *text,
                                    size_t size);

/* Rows and columns (0: rank 1) of a dataset. Errors: it is missing, has a higher rank, holds
 * neither numbers nor texts, takes them from another file, or claims more than the file can hold.
 */
sluice_status sluice_hdf5_shape(hid_t file, const char *path, int64_t *rows, int *columns);

/* Reads a dataset that must be rows x columns. */
sluice_status sluice_hdf5_read(hid_t file, const char *path, hid_t memory_type, int64_t rows,
                               int columns, void *out);

/* A dataset of numbers in the type that it has in the file. */
struct sluice_hdf5_content {
    int64_t rows;
    int columns;
    size_t bytes;
    void *data; /* malloc'ed, one 0 byte follows; the caller frees it */
};
sluice_status sluice_hdf5_load(hid_t file, const char *path, struct sluice_hdf5_content *content);

/* Whether an open file begins with HDF5's signature, which no text has. */
int sluice_hdf5_is_signed(int file);

/* Opens a file for reading. Errors: it is missing, not HDF5, or cut off. */
sluice_status sluice_hdf5_open(const char *path, hid_t *file);
#endif
