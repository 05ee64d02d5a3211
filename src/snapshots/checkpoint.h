/* Checkpoints: a snapshot with /State, which holds all that the integrator needs to continue to the
 * same bits.
 *
 * /State/<type>/ ("fluid", "wall", "ghost") holds every STATE field of the set (particles/fields.h)
 * in the run's own precision, in the order of the ids, the frame as index int32[N,3] instead of a
 * slot.
 * /State/run/ holds the simulation's numbers. Nothing in /State is compressed. Each dataset carries
 * a digest of its path, shape and bytes, /State one of all its digests, and /Config its own: a
 * damaged file is recognised, and two states can be compared. */
#ifndef SLUICE_SNAPSHOTS_CHECKPOINT_H
#define SLUICE_SNAPSHOTS_CHECKPOINT_H
#include <stdint.h>
#include <stdio.h>

#include "snapshots/snapshot.h"

enum sluice_value_type {
    SLUICE_VALUE_REAL,
    SLUICE_VALUE_INT,
    SLUICE_VALUE_TEXT
}; /* double[], int64_t[], char* */

/* One number, array or text of the simulation, by name. Borrowed. */
struct sluice_value {
    const char *name; /* of a dataset: no '/' */
    enum sluice_value_type type;
    int64_t count; /* numbers in `data`; ignored for a text */
    const void *data;
    const char *unit; /* "s", "J", "1" */
};

struct sluice_checkpoint_state {
    struct sluice_backend *backend;
    const struct sluice_grid *grid;
    struct sluice_set *const *sets; /* [set_count] in the order of the host particles */
    int set_count;
    const struct sluice_value *values; /* [value_count] time, step, dt, next outputs, energies,
                                          works, powers, strategy, ... */
    int value_count;
};

/* "run_dir/checkpoint_000000123.hdf", by step. */
sluice_status sluice_checkpoint_path(char *path, size_t size, const char *run_dir, int64_t step);

/* Writes a checkpoint. Collective; `p` is this one's slice. Errors: as sluice_snapshot_write. */
sluice_status sluice_checkpoint_write(const char *path, const struct sluice_host_particles *p,
                                      const struct sluice_snapshot_header *header,
                                      const struct sluice_checkpoint_state *state);

/* Keeps the checkpoint of `step` and the keep - 1 before it (keep < 1 counts as 1). Removes older
 * ones, and those of later steps, which are damaged or of a run that this one replaces; *later is
 * their number (NULL: not wanted). */
sluice_status sluice_checkpoint_prune(const char *run_dir, int64_t step, long long keep,
                                      int64_t *later);

struct sluice_domain;

/* An open checkpoint. */
struct sluice_checkpoint;

/* Opens and verifies; collective: each rank reads a part to verify it. Errors (SLUICE_IO): missing,
 * truncated, foreign, damaged (which dataset), or of another state version. */
sluice_status sluice_checkpoint_open(struct sluice_checkpoint **out, const char *path);
/* Collective: opens the newest checkpoint of a run that is whole. `warnings` (may be NULL) names
 * those passed over, with the reason. Errors (SLUICE_IO): none is whole. */
sluice_status sluice_checkpoint_open_newest(struct sluice_checkpoint **out, const char *run_dir,
                                            FILE *warnings);
void sluice_checkpoint_close(struct sluice_checkpoint **checkpoint);

/* The effective configuration of the run; it lives as long as the checkpoint. */
const char *sluice_checkpoint_config(const struct sluice_checkpoint *c);

/* Reads a value by name. Errors (SLUICE_IO): it is missing, of another type, does not have `count`
 * numbers, or the text does not fit. */
sluice_status sluice_checkpoint_reals(const struct sluice_checkpoint *c, const char *name,
                                      double *out, int64_t count);
sluice_status sluice_checkpoint_ints(const struct sluice_checkpoint *c, const char *name,
                                     int64_t *out, int64_t count);
sluice_status sluice_checkpoint_text(const struct sluice_checkpoint *c, const char *name, char *out,
                                     size_t size);
int sluice_checkpoint_has(const struct sluice_checkpoint *c, const char *name);

/* Particles of a type, 0 without such a set; bytes of a real (4 or 8). */
int64_t sluice_checkpoint_count(const struct sluice_checkpoint *c, enum sluice_type type);
int sluice_checkpoint_real_bytes(const struct sluice_checkpoint *c);

/* Collective, before the functions below: makes the grid's table of frames and, of several ranks
 * (`d`; one: NULL), the cuts between them, and finds the particles that each rank needs, held[type]
 * here. Each rank reads a slice of the rows, and sends each row to the ranks that need it. Ghost
 * nodes go to all. Errors: memory; SLUICE_IO. */
sluice_status sluice_checkpoint_divide(struct sluice_checkpoint *c, struct sluice_domain *d,
                                       struct sluice_grid *g, int64_t held[SLUICE_TYPE_COUNT]);

/* Collective: fills the n sets (created with their fields and held[type] particles) with what this
 * rank needs, to the same bits. order[type]: particle k of the set is number order[type][k] of
 * these by id; NULL: by id. Errors: a field or precision that differs from what was written, by
 * name. */
sluice_status sluice_checkpoint_read_sets(const struct sluice_checkpoint *c,
                                          struct sluice_backend *b, const struct sluice_grid *g,
                                          struct sluice_set *const *sets, int n,
                                          uint32_t *const order[SLUICE_TYPE_COUNT]);

/* Collective: an order-free digest of the ids of a type's particles. */
sluice_status sluice_checkpoint_digest_ids(const struct sluice_checkpoint *c, enum sluice_type type,
                                           uint64_t *digest);

/* Collective: reads where the last sort put the particles of a moving set that this rank needs,
 * which have drifted since: `sorted` and `order` become [set->count], in the order of that sort,
 * order[k] the number by id of particle k. `bits`: rows of a frame in y and z, as powers of two.
 * The caller frees both, also after an error. */
sluice_status sluice_checkpoint_read_order(const struct sluice_checkpoint *c,
                                           const struct sluice_set *set, const int bits[2],
                                           struct sluice_sorted **sorted, uint32_t **order);
#endif
