#include "snapshots/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "snapshots/checkpoint_digest.h"
#include "snapshots/checkpoint_state.h"
#include "files/safe_file_hdf5.h"
#include "snapshots/snapshot_layout.h"

/* What the writing of one /State carries along. */
struct state_writer {
    hid_t group;     /* of the datasets that follow */
    char path[256];  /* of that group */
    uint64_t digest; /* of all datasets so far */
    const struct sluice_checkpoint_state *state;
};

const char *sluice_state_set_name(enum sluice_type type)
{
    static const char *const names[SLUICE_TYPE_COUNT] = {"fluid", "wall", "ghost"};
    return names[type];
}

void sluice_state_field_name(enum sluice_field field, char *name, size_t size)
{
    const char *text = sluice_field_table[field].name;
    size_t i = 0;
    for (; text[i] != '\0' && i + 1 < size; i++)
        name[i] = text[i] == ' ' ? '_' : text[i];
    name[i] = '\0';
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

/* One dataset with its digest. The type is the same in memory and in the file. Never compressed:
 * the state is mostly rounding, which gzip makes a quarter smaller in ten times the time, and a run
 * keeps only its last checkpoints. */
static sluice_status write_dataset(struct state_writer *w, const struct sluice_hdf5_array *array)
{
    char path[512];
    const size_t bytes = (size_t)array->rows * (size_t)(array->columns > 0 ? array->columns : 1) *
                         H5Tget_size(array->memory_type);
    snprintf(path, sizeof path, "%s/%s", w->path, array->name);
    const uint64_t digest = sluice_digest(path, array->rows, array->columns, array->data, bytes);
    w->digest += sluice_digest_share(digest);

    hid_t dataset;
    SLUICE_TRY(sluice_hdf5_create(w->group, array, &dataset));
    const int64_t stored = (int64_t)digest;
    const sluice_status status = sluice_hdf5_attribute_ints(dataset, "digest", &stored, 1);
    H5Dclose(dataset);
    return status;
}

/* The frame of each particle as an index: slots are this process's own. */
static sluice_status expand_frames(const struct sluice_grid *g, const uint32_t *slot, int64_t n,
                                   int32_t (*index)[3])
{
    for (int64_t i = 0; i < n; i++) {
        SLUICE_CHECK(slot[i] < (uint32_t)g->frame_count, SLUICE_DEVICE,
                     "internal: particle %lld lies in frame slot %u of %d", (long long)i, slot[i],
                     g->frame_count);
        memcpy(index[i], g->frame[slot[i]], sizeof index[i]);
    }
    return SLUICE_OK;
}

static sluice_status write_frames(struct state_writer *w, const struct sluice_set *set,
                                  const uint32_t *slot)
{
    int32_t(*index)[3] = malloc((size_t)(set->count > 0 ? set->count : 1) * sizeof *index);
    SLUICE_CHECK(index != NULL, SLUICE_DEVICE, "no memory for the frames of %lld particles",
                 (long long)set->count);
    sluice_status status = expand_frames(w->state->grid, slot, set->count, index);
    const struct sluice_hdf5_array array = {.name = "frame",
                                            .memory_type = H5T_NATIVE_INT32,
                                            .file_type = H5T_NATIVE_INT32,
                                            .rows = set->count,
                                            .columns = 3,
                                            .data = index,
                                            .unit = "1",
                                            .description = "index of the frame"};
    if (status == SLUICE_OK)
        status = write_dataset(w, &array);
    free(index);
    return status;
}

static sluice_status write_field(struct state_writer *w, const struct sluice_set *set,
                                 enum sluice_field field, void *staging)
{
    struct sluice_backend *b = w->state->backend;
    const struct sluice_field_info *info = &sluice_field_table[field];
    const int components = sluice_field_components(field, set->dimension);
    char name[64];
    if (set->count > 0)
        SLUICE_TRY(b->ops->download(b, staging, set->field[field],
                                    (size_t)(set->count * sluice_set_field_bytes(set, field))));
    if (field == SLUICE_FIELD_FRAME)
        return write_frames(w, set, staging);

    sluice_state_field_name(field, name, sizeof name);
    const hid_t type = sluice_state_type(field, set->real_bytes);
    const struct sluice_hdf5_array array = {.name = name,
                                            .memory_type = type,
                                            .file_type = type,
                                            .rows = set->count,
                                            .columns = components > 1 ? components : 0,
                                            .data = staging,
                                            .unit = info->unit,
                                            .description = info->description};
    return write_dataset(w, &array);
}

static sluice_status write_fields(struct state_writer *w, const struct sluice_set *set)
{
    size_t widest = 1;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const size_t bytes = (size_t)(set->count *
                                      sluice_set_field_bytes(set, (enum sluice_field)f));
        widest = bytes > widest ? bytes : widest;
    }
    void *staging = malloc(widest);
    SLUICE_CHECK(staging != NULL, SLUICE_DEVICE, "no memory to stage %zu bytes for a checkpoint",
                 widest);
    sluice_status status = SLUICE_OK;
    for (int f = 0; f < SLUICE_FIELD_COUNT && status == SLUICE_OK; f++)
        if (set->field[f] != NULL && sluice_field_table[f].life == SLUICE_LIFE_STATE)
            status = write_field(w, set, (enum sluice_field)f, staging);
    free(staging);
    return status;
}

/* Where the particles stood when they were sorted, if they have drifted since: the sums of the
 * steps until the next sort are added up in that order. */
static sluice_status write_order(struct state_writer *w, const struct sluice_set *set)
{
    const struct sluice_backend *b = w->state->backend;
    if (b->drifted <= 0 || set->moves != SLUICE_FREE)
        return SLUICE_OK;
    int32_t(*bin)[3] = malloc((size_t)(set->count > 0 ? set->count : 1) * sizeof *bin);
    SLUICE_CHECK(bin != NULL, SLUICE_DEVICE, "no memory for the order of %lld particles",
                 (long long)set->count);
    sluice_status status = b->ops->order(w->state->backend, w->state->grid, set, bin);
    const struct sluice_hdf5_array array = {
        .name = SLUICE_STATE_ORDER,
        .memory_type = H5T_NATIVE_INT32,
        .file_type = H5T_NATIVE_INT32,
        .rows = set->count,
        .columns = 3,
        .data = bin,
        .unit = "1",
        .description = "frame in x, and rows of bins in y and z, at the last sort"};
    if (status == SLUICE_OK)
        status = write_dataset(w, &array);
    free(bin);
    return status;
}

static sluice_status write_set(struct state_writer *w, hid_t state, const struct sluice_set *set)
{
    const char *name = sluice_state_set_name(set->type);
    SLUICE_TRY(sluice_hdf5_create_group(state, name, &w->group));
    snprintf(w->path, sizeof w->path, "/State/%s", name);
    sluice_status status = sluice_hdf5_attribute_ints(w->group, "Count", &set->count, 1);
    if (status == SLUICE_OK)
        status = write_fields(w, set);
    if (status == SLUICE_OK)
        status = write_order(w, set);
    H5Gclose(w->group);
    return status;
}

static sluice_status write_value(struct state_writer *w, const struct sluice_value *value)
{
    static const char *const kinds[] = {"real", "integer", "text"};
    const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT64, H5T_NATIVE_UINT8};
    const hid_t type = types[value->type];
    const int64_t rows = value->type == SLUICE_VALUE_TEXT ? (int64_t)strlen(value->data)
                                                          : value->count;
    const struct sluice_hdf5_array array = {.name = value->name,
                                            .memory_type = type,
                                            .file_type = type,
                                            .rows = rows,
                                            .data = value->data,
                                            .unit = value->unit,
                                            .description = kinds[value->type]};
    return write_dataset(w, &array);
}

static sluice_status write_values(struct state_writer *w, hid_t state)
{
    SLUICE_TRY(sluice_hdf5_create_group(state, SLUICE_STATE_RUN, &w->group));
    snprintf(w->path, sizeof w->path, "/State/" SLUICE_STATE_RUN);
    sluice_status status = SLUICE_OK;
    for (int i = 0; i < w->state->value_count && status == SLUICE_OK; i++)
        status = write_value(w, &w->state->values[i]);
    H5Gclose(w->group);
    return status;
}

/* The digest of all is written last: a state without it is not whole. */
static sluice_status write_state(hid_t group, const struct sluice_checkpoint_state *state)
{
    struct state_writer w = {.state = state};
    const int64_t version = SLUICE_STATE_VERSION;
    const int64_t real_bytes = state->set_count > 0 ? state->sets[0]->real_bytes : 8;
    SLUICE_TRY(sluice_hdf5_attribute_ints(group, "Version", &version, 1));
    SLUICE_TRY(sluice_hdf5_attribute_ints(group, "RealBytes", &real_bytes, 1));
    SLUICE_TRY(state->backend->ops->sync(state->backend));
    for (int s = 0; s < state->set_count; s++)
        SLUICE_TRY(write_set(&w, group, state->sets[s]));
    SLUICE_TRY(write_values(&w, group));
    const int64_t total = (int64_t)w.digest;
    return sluice_hdf5_attribute_ints(group, "Digest", &total, 1);
}

static sluice_status write_checkpoint(hid_t file, const struct sluice_host_particles *p,
                                      const struct sluice_snapshot_header *header,
                                      const struct sluice_checkpoint_state *state)
{
    hid_t group;
    SLUICE_TRY(sluice_snapshot_write_visible(file, p, header));
    SLUICE_TRY(sluice_hdf5_create_group(file, "State", &group));
    const sluice_status status = write_state(group, state);
    H5Gclose(group);
    return status;
}

sluice_status sluice_checkpoint_write(const char *path, const struct sluice_host_particles *p,
                                      const struct sluice_snapshot_header *header,
                                      const struct sluice_checkpoint_state *state)
{
    struct sluice_safe_hdf5 h;
    SLUICE_TRY(sluice_safe_hdf5_create(&h, path));
    return sluice_safe_hdf5_finish(&h, write_checkpoint(h.file, p, header, state));
}
