/* Names within /State, shared by its writer and its reader. Internal to src/io. */
#ifndef SLUICE_SNAPSHOTS_CHECKPOINT_STATE_H
#define SLUICE_SNAPSHOTS_CHECKPOINT_STATE_H
#include <hdf5.h>

#include "particles/particles.h"

enum { SLUICE_STATE_VERSION = 5 };

/* Of a free set that is not sorted in every step: where its particles stood when it was. */
#define SLUICE_STATE_ORDER "order"

/* The group of the simulation's numbers, beside those of the sets. */
#define SLUICE_STATE_RUN "run"

/* "fluid", "wall", "ghost". */
const char *sluice_state_set_name(enum sluice_type type);

/* The field's name with '_' for ' '. */
void sluice_state_field_name(enum sluice_field field, char *name, size_t size);

/* HDF5's type of a field's numbers, in memory and file alike; a real has 4 or 8 bytes. */
hid_t sluice_state_type(enum sluice_field field, int real_bytes);

struct sluice_checkpoint;

/* The open file, and its path for messages. */
hid_t sluice_checkpoint_file(const struct sluice_checkpoint *c);
const char *sluice_checkpoint_name(const struct sluice_checkpoint *c);
#endif
