/* How arrays and attributes stand in our HDF5 files: one way for snapshots and checkpoints.
 * Internal to src/io. */
#ifndef SLUICE_SNAPSHOTS_SNAPSHOT_LAYOUT_H
#define SLUICE_SNAPSHOTS_SNAPSHOT_LAYOUT_H
#include <hdf5.h>
#include <stdint.h>

#include "core/status.h"

enum { SLUICE_CHUNK_ROWS = 65536 };

/* A dataset to be written: rows x columns (columns 0: rank 1), compressed by gzip `compression`
 * after a shuffle (0: contiguous). HDF5 converts from the type in memory to the one in the file. */
struct sluice_hdf5_array {
    const char *name;
    hid_t memory_type, file_type;
    int64_t rows;
    int columns, compression;
    int threads;      /* that compress; 0: sluice_processors_most */
    const void *data; /* host; NULL: only created */
    const char *unit, *description;
};

/* Writes it, with the attributes units, dimensions_kg_m_s_K and description. Errors (SLUICE_IO)
 * name dataset and reason. */
sluice_status sluice_hdf5_write(hid_t group, const struct sluice_hdf5_array *array);

/* The same, open for more; the caller closes *out with H5Dclose. */
sluice_status sluice_hdf5_create(hid_t group, const struct sluice_hdf5_array *array, hid_t *out);

/* `rows` rows from row `first` on, a multiple of SLUICE_CHUNK_ROWS, of a compressed dataset that
 * was created without data: snapshot_chunks.c. Errors: SLUICE_IO as above, SLUICE_DEVICE: no
 * memory. */
sluice_status sluice_hdf5_write_chunks(hid_t dataset, const struct sluice_hdf5_array *array,
                                       int64_t first, int64_t rows, const void *data);

/* Exponents of kg, m, s, K in a unit of ours ("kg/m^3", "J", "m/s^2", ...); zeros for pure numbers.
 */
void sluice_hdf5_dimensions(const char *unit, double exponents[4]);

/* Attributes of `object`. A text has a fixed length; NULL is left out. */
sluice_status sluice_hdf5_attribute_text(hid_t object, const char *name, const char *text);
sluice_status sluice_hdf5_attribute_reals(hid_t object, const char *name, const double *values,
                                          int n);
sluice_status sluice_hdf5_attribute_ints(hid_t object, const char *name, const int64_t *values,
                                         int n);

/* The other way; n must be what is there. The text is cut to `size`. Errors: missing, or of another
 * size. */
sluice_status sluice_hdf5_read_text(hid_t object, const char *name, char *text, size_t size);
sluice_status sluice_hdf5_read_reals(hid_t object, const char *name, double *values, int n);
sluice_status sluice_hdf5_read_ints(hid_t object, const char *name, int64_t *values, int n);

/* Rows (and columns, 0 for rank 1) of a dataset: snapshot_shape.c. Errors: it is missing, of higher
 * rank, holds neither numbers nor texts, takes them from another file, or declares more than the
 * file can hold. */
sluice_status sluice_hdf5_shape_of(hid_t dataset, const char *name, int64_t *rows, int *columns);
sluice_status sluice_hdf5_shape(hid_t group, const char *name, int64_t *rows, int *columns);

/* Reads a dataset that must be rows x columns. */
sluice_status sluice_hdf5_read(hid_t group, const char *name, hid_t memory_type, int64_t rows,
                               int columns, void *out);

/* A group, created or opened; the caller closes it with H5Gclose. */
sluice_status sluice_hdf5_create_group(hid_t parent, const char *name, hid_t *out);
sluice_status sluice_hdf5_open_group(hid_t parent, const char *name, hid_t *out);

/* Opens a file of ours for reading. Errors (SLUICE_IO): missing, not HDF5 (or cut off), HDF5 of
 * somebody else. */
sluice_status sluice_hdf5_open(const char *path, hid_t *file);

struct sluice_groups;
struct sluice_host_particles;
struct sluice_snapshot_header;

/* FieldData/ShapeNames. */
sluice_status sluice_snapshot_write_names(hid_t field_data, const struct sluice_groups *groups);
/* PointData/Shape of n particles whose ids were read, and the names; without them p->shape stays
 * NULL. Errors: a number without a name, a name twice, too long or empty. */
sluice_status sluice_snapshot_read_groups(hid_t file, struct sluice_host_particles *p, int64_t n);

/* /VTKHDF, /Header and /Config of an open file. */
sluice_status sluice_snapshot_write_visible(hid_t file, const struct sluice_host_particles *p,
                                            const struct sluice_snapshot_header *header);
#endif
