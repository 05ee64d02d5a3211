#include "snapshots/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "files/hdf5.h"
#include "files/safe_file_hdf5.h"
#include "snapshots/checkpoint_digest.h"
#include "snapshots/checkpoint_state.h"
#include "snapshots/snapshot_file.h"

struct state_writer {
    hid_t file;
    uint64_t digest; /* of all datasets written so far */
    const struct sluice_checkpoint_state *state;
};

void sluice_state_path(char path[SLUICE_STATE_PATH], const char *group, const char *name)
{
    snprintf(path, SLUICE_STATE_PATH, "/State/%s/%s", group, name);
    for (char *c = path; *c; c++)
        *c = *c == ' ' ? '_' : *c;
}

void sluice_state_field_path(char path[SLUICE_STATE_PATH], const struct sluice_set *set,
                             enum sluice_field field)
{
    sluice_state_path(path, sluice_type_names[set->type], sluice_field_table[field].name);
}

hid_t sluice_state_type(enum sluice_field field, int real_bytes)
{
    const enum sluice_field_type type = sluice_field_table[field].type;
    if (type == SLUICE_TYPE_U32)
        return H5T_NATIVE_UINT32;
    if (real_bytes == 8)
        return H5T_NATIVE_DOUBLE;
    return type == SLUICE_TYPE_LOW ? H5T_NATIVE_INT16 : H5T_NATIVE_FLOAT;
}

/* Writes a dataset with its digest. The type is the same in memory and in the file. The state is
 * not compressed: its low bits are rounding noise, so gzip would save only a quarter and take ten
 * times as long. A run keeps only its last checkpoints anyway. */
static sluice_status write_dataset(struct state_writer *w, const char *path, hid_t type,
                                   const struct sluice_hdf5_array *content)
{
    struct sluice_hdf5_array array = *content;
    array.path = path;
    array.memory_type = array.file_type = type;
    const size_t bytes = (size_t)array.rows * (size_t)(array.columns > 0 ? array.columns : 1) *
                         H5Tget_size(type);
    const uint64_t digest = sluice_digest(path, array.rows, array.columns, array.data, bytes);
    const int64_t stored = (int64_t)digest;
    w->digest += sluice_digest_share(digest);
    SLUICE_TRY(sluice_hdf5_write(w->file, &array));
    return sluice_hdf5_write_numbers(w->file, path, "digest", H5T_NATIVE_INT64, &stored, 1);
}

/* Writes the index of each particle's frame. Another process may give the frame another slot. */
static sluice_status write_frames(struct state_writer *w, const struct sluice_set *set,
                                  const char *path, const uint32_t *slot)
{
    const struct sluice_grid *g = w->state->grid;
    int32_t(*index)[3];
    int64_t i = 0;
    SLUICE_ALLOCATE(index, set->count, "frames of particles");
    for (; i < set->count && slot[i] < (uint32_t)g->frame_count; i++)
        memcpy(index[i], g->frame[slot[i]], sizeof index[i]);
    const sluice_status status =
        i < set->count
            ? SLUICE_FAIL(SLUICE_DEVICE, "internal: particle %lld lies in frame slot %u of %d",
                          (long long)i, slot[i], g->frame_count)
            : write_dataset(w, path, H5T_NATIVE_INT32,
                            &(struct sluice_hdf5_array){.rows = set->count,
                                                        .columns = 3,
                                                        .data = index,
                                                        .unit = "1",
                                                        .description = "index of the frame"});
    free(index);
    return status;
}

static sluice_status write_field(struct state_writer *w, const struct sluice_set *set,
                                 enum sluice_field field, void *staging)
{
    struct sluice_backend *b = w->state->backend;
    const int components = sluice_field_components(field, set->dimension);
    char path[SLUICE_STATE_PATH];
    if (set->count > 0)
        SLUICE_TRY(b->ops->download(b, staging, set->field[field],
                                    (size_t)(set->count * sluice_set_field_bytes(set, field))));
    sluice_state_field_path(path, set, field);
    if (field == SLUICE_FIELD_FRAME)
        return write_frames(w, set, path, staging);
    return write_dataset(
        w, path, sluice_state_type(field, set->real_bytes),
        &(struct sluice_hdf5_array){.rows = set->count,
                                    .columns = components > 1 ? components : 0,
                                    .data = staging,
                                    .unit = sluice_field_table[field].unit,
                                    .description = sluice_field_table[field].description});
}

static sluice_status write_fields(struct state_writer *w, const struct sluice_set *set)
{
    size_t widest = 1;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const size_t bytes = (size_t)(set->count *
                                      sluice_set_field_bytes(set, (enum sluice_field)f));
        widest = bytes > widest ? bytes : widest;
    }
    char *staging;
    SLUICE_ALLOCATE(staging, widest, "bytes of a checkpoint");
    sluice_status status = SLUICE_OK;
    for (int f = 0; f < SLUICE_FIELD_COUNT && status == SLUICE_OK; f++)
        if (set->field[f] != NULL && sluice_field_table[f].life == SLUICE_LIFE_STATE)
            status = write_field(w, set, (enum sluice_field)f, staging);
    free(staging);
    return status;
}

/* Writes where each particle was sorted, if particles have drifted since. Sums are added up in that
 * order until the next sort, so a restart needs it for the same bits. */
static sluice_status write_order(struct state_writer *w, const struct sluice_set *set)
{
    const struct sluice_backend *b = w->state->backend;
    char path[SLUICE_STATE_PATH];
    if (b->drifted <= 0 || set->moves != SLUICE_FREE)
        return SLUICE_OK;
    int32_t(*bin)[3];
    SLUICE_ALLOCATE(bin, set->count, "places of the last sort");
    sluice_state_path(path, sluice_type_names[set->type], SLUICE_STATE_ORDER);
    sluice_status status = b->ops->order(w->state->backend, w->state->grid, set, bin);
    if (status == SLUICE_OK)
        status = write_dataset(
            w, path, H5T_NATIVE_INT32,
            &(struct sluice_hdf5_array){
                .rows = set->count,
                .columns = 3,
                .data = bin,
                .unit = "1",
                .description = "frame in x, and rows of bins in y and z, at the last sort"});
    free(bin);
    return status;
}

static sluice_status write_set(struct state_writer *w, const struct sluice_set *set)
{
    char group[64];
    snprintf(group, sizeof group, "State/%s", sluice_type_names[set->type]);
    SLUICE_TRY(sluice_hdf5_create_group(w->file, group));
    SLUICE_TRY(
        sluice_hdf5_write_numbers(w->file, group, "Count", H5T_NATIVE_INT64, &set->count, 1));
    SLUICE_TRY(write_fields(w, set));
    return write_order(w, set);
}

static sluice_status write_value(struct state_writer *w, const struct sluice_value *value)
{
    static const char *const kinds[] = {"real", "integer", "text"};
    const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT64, H5T_NATIVE_UINT8};
    char path[SLUICE_STATE_PATH];
    sluice_state_path(path, SLUICE_STATE_RUN, value->name);
    return write_dataset(w, path, types[value->type],
                         &(struct sluice_hdf5_array){.rows = value->type == SLUICE_VALUE_TEXT
                                                                 ? (int64_t)strlen(value->data)
                                                                 : value->count,
                                                     .data = value->data,
                                                     .unit = value->unit,
                                                     .description = kinds[value->type]});
}

/* Writes the digest of all datasets last, so an incomplete state has none. */
static sluice_status write_state(hid_t file, const struct sluice_checkpoint_state *state)
{
    struct state_writer w = {.file = file, .state = state};
    const hid_t integer = H5T_NATIVE_INT64;
    const int64_t version = SLUICE_STATE_VERSION,
                  real_bytes = state->set_count > 0 ? state->sets[0]->real_bytes : 8;
    SLUICE_TRY(sluice_hdf5_create_group(file, "State"));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "State", "Version", integer, &version, 1));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "State", "RealBytes", integer, &real_bytes, 1));
    SLUICE_TRY(state->backend->ops->sync(state->backend));
    for (int s = 0; s < state->set_count; s++)
        SLUICE_TRY(write_set(&w, state->sets[s]));
    SLUICE_TRY(sluice_hdf5_create_group(file, "State/" SLUICE_STATE_RUN));
    for (int i = 0; i < state->value_count; i++)
        SLUICE_TRY(write_value(&w, &state->values[i]));
    const int64_t total = (int64_t)w.digest;
    return sluice_hdf5_write_numbers(file, "State", "Digest", integer, &total, 1);
}

sluice_status sluice_checkpoint_write(const char *path, const struct sluice_host_particles *p,
                                      const struct sluice_snapshot_header *header,
                                      const struct sluice_checkpoint_state *state)
{
    struct sluice_safe_hdf5 h;
    SLUICE_TRY(sluice_safe_hdf5_create(&h, path));
    sluice_status status = sluice_snapshot_write_visible(h.file, p, header);
    if (status == SLUICE_OK)
        status = write_state(h.file, state);
    return sluice_safe_hdf5_finish(&h, status);
}
