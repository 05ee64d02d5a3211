/* Datasets and attributes of HDF5 files, each named by its path in the file: one way for snapshots
 * and checkpoints. Errors (SLUICE_IO) name the dataset or attribute, and HDF5's reason.
 *
 * The files are those of safe_file_hdf5.h: objects that an error leaves open are closed with their
 * file. */
#ifndef SLUICE_FILES_HDF5_H
#define SLUICE_FILES_HDF5_H
#include <hdf5.h>
#include <stdint.h>

#include "core/status.h"
#include "core/threads.h"

enum { SLUICE_CHUNK_ROWS = 65536 };

/* A dataset to be written: rows x columns (columns 0: rank 1), compressed by gzip `compression`
 * after a shuffle (0: contiguous). HDF5 converts from the type in memory to the one in the file. */
struct sluice_hdf5_array {
    const char *path; /* its group exists */
    hid_t memory_type, file_type;
    int64_t rows;
    int columns, compression;
    const char *unit, *description;
};

/* Consecutive rows of a dataset: their content, in the type in memory. */
struct sluice_hdf5_rows {
    int64_t first, count;
    const void *data;                                       /* host; NULL: `fill` makes it */
    void (*fill)(void *rows, int64_t first, int64_t count); /* of the rows from `first` on */
};

sluice_status sluice_hdf5_create_group(hid_t file, const char *path);

/* Creates a dataset with the attributes units, dimensions_kg_m_s_K and description. A contiguous
 * one has its place in the file at once: *offset, in bytes. The caller closes it. */
sluice_status sluice_hdf5_create(hid_t file, const struct sluice_hdf5_array *array, hid_t *dataset,
                                 int64_t *offset);

/* Creates a contiguous dataset, and writes all of its rows. */
sluice_status sluice_hdf5_write(hid_t file, const struct sluice_hdf5_array *array,
                                const void *data);

/* Creates a dataset of one value, and writes it. Its description is the last name of the path. */
sluice_status sluice_hdf5_write_one(hid_t file, const char *path, hid_t type, const void *value,
                                    const char *unit);

/* Bytes of a row in memory and in the file. */
size_t sluice_hdf5_row_bytes(const struct sluice_hdf5_array *array, hid_t type);

/* Whether the types in memory and in the file are the same. */
int sluice_hdf5_is_verbatim(const struct sluice_hdf5_array *array);

/* Makes `count` rows from row `first` on, which are among `rows`, in the file's type; `to` can hold
 * either type. team: shares the work; NULL: the caller is alone. Errors: HDF5 cannot convert.
 */
sluice_status sluice_hdf5_convert(struct sluice_threads *team,
                                  const struct sluice_hdf5_array *array,
                                  const struct sluice_hdf5_rows *rows, int64_t first, int64_t count,
                                  void *to);

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

/* Reads `count` rows of it, from row `first` on. */
sluice_status sluice_hdf5_read_rows(hid_t file, const char *path, hid_t memory_type, int64_t rows,
                                    int columns, int64_t first, int64_t count, void *out);

/* An open dataset of numbers, to be read in pieces, in the type that it has in the file. */
struct sluice_hdf5_reader {
    const char *path; /* borrowed */
    hid_t dataset, type;
    int64_t rows;
    int columns;
    size_t row_bytes;
};
sluice_status sluice_hdf5_reader_open(struct sluice_hdf5_reader *reader, hid_t file,
                                      const char *path);
/* `count` rows from row `first` on; `out` can hold them. */
sluice_status sluice_hdf5_reader_rows(const struct sluice_hdf5_reader *reader, int64_t first,
                                      int64_t count, void *out);
void sluice_hdf5_reader_close(struct sluice_hdf5_reader *reader);

/* A whole dataset of numbers. */
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
