/* Checkpoints: a snapshot with /State, everything that the integrator needs to go on to the same
 * bits.
 *
 * /State/<type>/ ("fluid", "wall", "ghost") holds every STATE field of the set (particles/fields.h)
 * in the run's own precision and order, the frame as index int32[N,3] instead of a slot;
 * /State/run/ the numbers that the simulation gives; nothing of it is compressed. Each dataset
 * carries a digest of its path, shape and bytes, /State one of all its digests, /Config its own: a
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

/* Writes one, as sluice_snapshot_write does. */
sluice_status sluice_checkpoint_write(const char *path, const struct sluice_host_particles *p,
                                      const struct sluice_snapshot_header *header,
                                      const struct sluice_checkpoint_state *state);

/* Keeps the checkpoint of `step` and the keep - 1 before it; removes older ones and those of later
 * steps, which belong to a history that this run has left (or are damaged); *later (NULL: not
 * wanted) is how many those were. keep < 1 counts as 1. */
sluice_status sluice_checkpoint_prune(const char *run_dir, int64_t step, long long keep,
                                      int64_t *later);

/* An open checkpoint. */
struct sluice_checkpoint;

/* Opens and verifies. Errors (SLUICE_IO): missing, truncated, foreign, damaged (which dataset), or
 * of another state version. */
sluice_status sluice_checkpoint_open(struct sluice_checkpoint **out, const char *path);
/* The same of the newest checkpoint of a run that is whole. Those passed over are named, with the
 * reason, in `warnings` (NULL: nowhere). Errors (SLUICE_IO): there is none. */
sluice_status sluice_checkpoint_open_newest(struct sluice_checkpoint **out, const char *run_dir,
                                            FILE *warnings);
void sluice_checkpoint_close(struct sluice_checkpoint **checkpoint);

/* The effective configuration of the run; lives as long as the checkpoint. */
const char *sluice_checkpoint_config(const struct sluice_checkpoint *c);

/* Numbers by name; exactly `count` of them, or it is an error that says how many there are. Texts
 * are cut off never: an error. */
sluice_status sluice_checkpoint_reals(const struct sluice_checkpoint *c, const char *name,
                                      double *out, int64_t count);
sluice_status sluice_checkpoint_ints(const struct sluice_checkpoint *c, const char *name,
                                     int64_t *out, int64_t count);
sluice_status sluice_checkpoint_text(const struct sluice_checkpoint *c, const char *name, char *out,
                                     size_t size);
int sluice_checkpoint_has(const struct sluice_checkpoint *c, const char *name);

/* Particles of a type, 0 when the set was not there; bytes of a real (4 or 8). */
int64_t sluice_checkpoint_count(const struct sluice_checkpoint *c, enum sluice_type type);
int sluice_checkpoint_real_bytes(const struct sluice_checkpoint *c);

/* Fills the n sets (created with their fields and as many particles as the checkpoint has) and the
 * grid's table of frames, to the same bits. Errors: a field or precision that differs from what was
 * written, by name. */
sluice_status sluice_checkpoint_read_sets(const struct sluice_checkpoint *c,
                                          struct sluice_backend *b, struct sluice_grid *g,
                                          struct sluice_set *const *sets, int n);

/* Whether the wall particles and ghost nodes are those of the case, by number and ids. Errors
 * (SLUICE_IO): they are not. */
sluice_status sluice_checkpoint_check_walls(const struct sluice_checkpoint *c,
                                            const struct sluice_case *setup);

/* Of a free set whose particles had drifted since they were sorted: *bin, [count][3], as
 * sluice_backend_ops.order gives it, which the caller frees, also after an error. */
sluice_status sluice_checkpoint_read_order(const struct sluice_checkpoint *c,
                                           const struct sluice_set *set, int32_t (**bin)[3]);
#endif
