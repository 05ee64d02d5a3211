/* Parts of a snapshot's file that checkpoints share, and the table of its arrays. Internal to
 * src/snapshots. */
#ifndef SLUICE_SNAPSHOTS_SNAPSHOT_FILE_H
#define SLUICE_SNAPSHOTS_SNAPSHOT_FILE_H
#include <hdf5.h>
#include <stdint.h>

#include "core/status.h"

struct sluice_groups;
struct sluice_host_particles;
struct sluice_shared_file;
struct sluice_snapshot_header;

#define SLUICE_CONFIG_PATH "/Config"

enum sluice_array_type {
    SLUICE_ARRAY_REAL, /* double in memory; float or double in the file, by output.precision */
    SLUICE_ARRAY_BYTE, /* uint8_t */
    SLUICE_ARRAY_ID,   /* sluice_id in memory, uint64_t in the file */
    SLUICE_ARRAY_INT   /* int32_t */
};

/* Whether a snapshot has the array: always; with densities (has_density); where memory was reserved
 * for it. */
enum sluice_array_presence { SLUICE_ALWAYS, SLUICE_WITH_DENSITY, SLUICE_OPTIONAL };

/* One array of the particles: its memory in struct sluice_host_particles and its dataset. */
struct sluice_snapshot_array {
    const char *path;
    size_t member; /* offset of the pointer in struct sluice_host_particles */
    enum sluice_array_type type;
    enum sluice_array_presence presence;
    int columns;      /* 0: one number a particle */
    int most;         /* of a BYTE: the largest valid value */
    const char *unit; /* SI, 3-D */
    const char *description;
};
/* Array k < SLUICE_SNAPSHOT_ARRAYS: as in enum sluice_snapshot_array_number. */
struct sluice_snapshot_array sluice_snapshot_array(int k);

/* The array's memory; NULL: none is reserved. */
void *sluice_snapshot_array_data(const struct sluice_host_particles *p,
                                 const struct sluice_snapshot_array *array);
/* Reserves memory for p->capacity particles, unless there is some. */
sluice_status sluice_snapshot_array_reserve(struct sluice_host_particles *p,
                                            const struct sluice_snapshot_array *array);

/* Opens a snapshot or checkpoint for reading. Errors: those of sluice_hdf5_open; another program
 * wrote the file. */
sluice_status sluice_snapshot_open(const char *path, hid_t *file);

/* Collective: /VTKHDF, /Header and /Config of an open file. */
sluice_status sluice_snapshot_write_visible(struct sluice_shared_file *f,
                                            const struct sluice_host_particles *p,
                                            const struct sluice_snapshot_header *header);

/* A dataset of texts, as ParaView reads them. */
sluice_status sluice_snapshot_write_texts(hid_t file, const char *path, const char *const *text,
                                          int count, const char *description);
/* Reads n of them, and hands them to `take`; they are gone afterwards. */
sluice_status sluice_snapshot_read_texts(hid_t file, const char *path, int64_t n,
                                         sluice_status (*take)(void *data, char *const *text,
                                                               int64_t n),
                                         void *data);

/* VTKHDF/FieldData/ShapeNames: the names of the groups that p->shape counts. Reading checks
 * p->shape, too. Errors: a number without a name; a name that stands twice, is too long or empty.
 */
sluice_status sluice_snapshot_write_names(hid_t file, const struct sluice_groups *groups);
sluice_status sluice_snapshot_read_names(hid_t file, struct sluice_host_particles *p, int64_t n);

/* --- The header: the table stands in snapshot_read.c --- */

/* Numbers of /Header, beside BoxSize, the counts and the budget. */
struct sluice_header_number {
    const char *name;
    size_t member; /* of struct sluice_snapshot_header: a double or int64_t, or an array of them */
    int count, is_integer, is_read;
};
enum { SLUICE_HEADER_NUMBERS = 14 };
extern const struct sluice_header_number sluice_header_numbers[SLUICE_HEADER_NUMBERS];

static inline hid_t sluice_header_type(const struct sluice_header_number *n)
{
    return n->is_integer ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
}
#endif
