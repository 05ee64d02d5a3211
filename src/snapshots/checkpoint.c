#include "snapshots/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "files/hdf5.h"
#include "files/safe_file_hdf5.h"
#include "particles/id_order.h"
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

/* A set, and the order of its particles by id. `staging` and `ordered` have room for any field. */
struct set_writer {
    struct state_writer *to;
    const struct sluice_set *set;
    uint32_t *order;
    char *staging, *ordered;
};

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

/* Brings a field into w->staging. */
static sluice_status read_field(const struct set_writer *w, enum sluice_field field)
{
    const struct sluice_checkpoint_state *state = w->to->state;
    const void *from = w->set->field[field];
    const size_t bytes = (size_t)(w->set->count * sluice_set_field_bytes(w->set, field));
    if (!state->on_host)
        return state->backend->ops->download(state->backend, w->staging, from, bytes);
    memcpy(w->staging, from, bytes);
    return SLUICE_OK;
}

/* Puts a field into the order of the ids, in w->ordered. */
static sluice_status bring_field(const struct set_writer *w, enum sluice_field field)
{
    const struct sluice_set *set = w->set;
    const int64_t bytes = sluice_set_field_bytes(set, field);
    if (set->count == 0)
        return SLUICE_OK;
    SLUICE_TRY(read_field(w, field));
    sluice_reorder(w->ordered, w->staging, w->order, set->count, (size_t)bytes);
    return SLUICE_OK;
}

static sluice_status write_field(const struct set_writer *w, enum sluice_field field)
{
    const struct sluice_set *set = w->set;
    const int components = sluice_field_components(field, set->dimension);
    char path[SLUICE_STATE_PATH];
    SLUICE_TRY(bring_field(w, field));
    sluice_state_field_path(path, set, field);
    if (field == SLUICE_FIELD_FRAME)
        return write_frames(w->to, set, path, (const uint32_t *)(void *)w->ordered);
    return write_dataset(
        w->to, path, sluice_state_type(field, set->real_bytes),
        &(struct sluice_hdf5_array){.rows = set->count,
                                    .columns = components > 1 ? components : 0,
                                    .data = w->ordered,
                                    .unit = sluice_field_table[field].unit,
                                    .description = sluice_field_table[field].description});
}

/* Writes where each particle was sorted, if particles have drifted since. Sums are added up in that
 * order until the next sort, so a restart needs it for the same bits. */
static sluice_status write_order(const struct set_writer *w)
{
    const struct sluice_checkpoint_state *state = w->to->state;
    struct sluice_backend *b = state->backend;
    struct sluice_sorted *sorted = (struct sluice_sorted *)(void *)w->staging;
    char path[SLUICE_STATE_PATH];
    if (b->drifted <= 0 || w->set->moves != SLUICE_FREE)
        return SLUICE_OK;
    sluice_state_path(path, sluice_type_names[w->set->type], SLUICE_STATE_ORDER);
    if (state->on_host)
        memcpy(sorted, state->sorted, (size_t)w->set->count * sizeof *sorted);
    else
        SLUICE_TRY(b->ops->order(b, state->grid, w->set, sorted));
    sluice_reorder(w->ordered, w->staging, w->order, w->set->count, sizeof(struct sluice_sorted));
    return write_dataset(
        w->to, path, H5T_NATIVE_INT32,
        &(struct sluice_hdf5_array){.rows = w->set->count,
                                    .columns = SLUICE_STATE_ORDER_COLUMNS,
                                    .data = w->ordered,
                                    .unit = "1",
                                    .description = "at the last sort: frame in x, rows of bins in "
                                                   "y and z, place in this row of the frame"});
}

static sluice_status open_set(struct set_writer *w)
{
    const struct sluice_set *set = w->set;
    size_t widest = sizeof(struct sluice_sorted);
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
        widest = bytes > widest ? bytes : widest;
    }
    SLUICE_ALLOCATE(w->staging, (int64_t)widest * set->count, "bytes of a checkpoint");
    SLUICE_ALLOCATE(w->ordered, (int64_t)widest * set->count, "bytes of a checkpoint");
    if (set->count > 0)
        SLUICE_TRY(read_field(w, SLUICE_FIELD_ID));
    return sluice_order_by_id((const uint32_t *)(void *)w->staging, set->count, &w->order);
}

static sluice_status write_fields(const struct set_writer *w)
{
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (w->set->field[f] != NULL && sluice_field_table[f].life == SLUICE_LIFE_STATE)
            SLUICE_TRY(write_field(w, (enum sluice_field)f));
    return write_order(w);
}

static sluice_status write_set(struct state_writer *to, const struct sluice_set *set)
{
    struct set_writer w = {.to = to, .set = set};
    char group[64];
    snprintf(group, sizeof group, "State/%s", sluice_type_names[set->type]);
    SLUICE_TRY(sluice_hdf5_create_group(to->file, group));
    SLUICE_TRY(
        sluice_hdf5_write_numbers(to->file, group, "Count", H5T_NATIVE_INT64, &set->count, 1));
    sluice_status status = open_set(&w);
    if (status == SLUICE_OK)
        status = write_fields(&w);
    free(w.order);
    free(w.staging);
    free(w.ordered);
    return status;
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
