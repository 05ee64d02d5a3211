/* Names and types within /State, shared by its writer and its reader. Internal to src/snapshots. */
#ifndef SLUICE_SNAPSHOTS_CHECKPOINT_STATE_H
#define SLUICE_SNAPSHOTS_CHECKPOINT_STATE_H
#include <hdf5.h>

#include "domain/scatter.h"
#include "particles/particles.h"

enum { SLUICE_STATE_VERSION = 16, SLUICE_STATE_PATH = 512 };

/* The dataset of a moving set that is not sorted in every step: where the last sort put each
 * particle, the members of struct sluice_sorted. */
#define SLUICE_STATE_ORDER "order"
enum { SLUICE_STATE_ORDER_COLUMNS = 4 };

/* The group of the simulation's numbers, beside those of the sets. */
#define SLUICE_STATE_RUN "run"

/* "/State/GROUP/NAME", with '_' for each ' ' of the name, and the same of a set's field. */
void sluice_state_path(char path[SLUICE_STATE_PATH], const char *group, const char *name);
void sluice_state_field_path(char path[SLUICE_STATE_PATH], const struct sluice_set *set,
                             enum sluice_field field);

struct sluice_checkpoint {
    char *path, *config;
    hid_t file;
    int real_bytes;
    int64_t count[SLUICE_TYPE_COUNT];
    struct sluice_scatter scatter[SLUICE_TYPE_COUNT]; /* of each type's rows to the ranks */
};

/* A failure's message gets the checkpoint's path in front. */
sluice_status sluice_checkpoint_named(const struct sluice_checkpoint *c, sluice_status status);

/* HDF5's type of a field's numbers, in memory and file alike; a real has 4 or 8 bytes. */
hid_t sluice_state_type(enum sluice_field field, int real_bytes);
#endif
