#include "snapshots/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/slices.h"
#include "files/hdf5.h"
#include "snapshots/checkpoint_digest.h"
#include "snapshots/checkpoint_state.h"
#include "snapshots/shared_file.h"
#include "snapshots/snapshot_file.h"

struct state_writer {
    struct sluice_shared_file *file;
    uint64_t digest; /* of all datasets written so far, on the first rank */
    const struct sluice_checkpoint_state *state;
    struct sluice_slice_scratch scratch;
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
    if (type == SLUICE_TYPE_ID)
        return SLUICE_ID_HDF5;
    if (real_bytes == 8)
        return H5T_NATIVE_DOUBLE;
    return type == SLUICE_TYPE_LOW ? H5T_NATIVE_INT16 : H5T_NATIVE_FLOAT;
}

/* By the first rank: a dataset's digest, and its part of that of all. */
static sluice_status write_digest(struct state_writer *w, const char *path, uint64_t digest)
{
    const int64_t stored = (int64_t)digest;
    w->digest += sluice_digest_share(digest);
    return sluice_hdf5_write_numbers(sluice_shared_hdf5(w->file), path, "digest", H5T_NATIVE_INT64,
                                     &stored, 1);
}

/* Writes a dataset with its digest, to which each rank adds its rows. The type is the same in
 * memory and in the file. The state is not compressed: its low bits are rounding noise, so gzip
 * would save only a quarter and take ten times as long. A run keeps only its last checkpoints
 * anyway. */
static sluice_status write_dataset(struct state_writer *w, const struct sluice_hdf5_array *array,
                                   const struct sluice_hdf5_rows *rows)
{
    struct sluice_comm *comm = w->file->comm;
    const uint64_t shape = sluice_digest_shape(array->path, array->rows, array->columns);
    int64_t digest = (int64_t)sluice_digest_rows(w->file->team, shape, rows->first, rows->count,
                                                 rows->data,
                                                 sluice_hdf5_row_bytes(array, array->memory_type));
    SLUICE_TRY(sluice_shared_write(w->file, array, rows, 1));
    SLUICE_TRY(comm->ops->sum(comm, &digest, 1));
    return sluice_comm_first_failure(
        comm, comm->rank == 0 ? write_digest(w, array->path, shape + (uint64_t)digest) : SLUICE_OK);
}

/* A set, and this rank's slice of its particles. `staging` can hold any field of the set, `ordered`
 * any one of the slice. */
struct set_writer {
    struct state_writer *to;
    const struct sluice_set *set;
    int64_t count; /* particles of all ranks */
    struct sluice_slices slices;
    char *staging, *ordered;
};

static struct sluice_hdf5_rows rows_of(const struct set_writer *w, const void *data)
{
    return (struct sluice_hdf5_rows){
        .first = w->slices.first, .count = w->slices.count, .data = data};
}

/* Writes the index of each particle's frame. Another process may give the frame another slot. */
static sluice_status write_frames(const struct set_writer *w, const char *path)
{
    const struct sluice_grid *g = w->to->state->grid;
    const uint32_t *slot = (const uint32_t *)(void *)w->ordered;
    const int64_t n = w->slices.count;
    int32_t(*index)[3];
    int64_t i = 0;
    SLUICE_ALLOCATE(index, n, "frames of particles");
    for (; i < n && slot[i] < (uint32_t)g->frame_count; i++)
        memcpy(index[i], g->frame[slot[i]], sizeof index[i]);
    const struct sluice_hdf5_rows rows = rows_of(w, index);
    const sluice_status status =
        i < n ? SLUICE_FAIL(SLUICE_DEVICE, "internal: particle %lld lies in frame slot %u of %d",
                            (long long)i, slot[i], g->frame_count)
              : write_dataset(w->to,
                              &(struct sluice_hdf5_array){.path = path,
                                                          .memory_type = H5T_NATIVE_INT32,
                                                          .file_type = H5T_NATIVE_INT32,
                                                          .rows = w->count,
                                                          .columns = 3,
                                                          .unit = "1",
                                                          .description = "index of the frame"},
                              &rows);
    free(index);
    return status;
}

/* Puts a field into the order of the ids, in w->ordered. */
static sluice_status bring_field(const struct set_writer *w, enum sluice_field field)
{
    struct sluice_backend *b = w->to->state->backend;
    const int64_t bytes = sluice_set_field_bytes(w->set, field);
    if (w->set->count > 0)
        SLUICE_TRY(
            b->ops->download(b, w->staging, w->set->field[field], (size_t)(w->set->count * bytes)));
    return sluice_slices_bring(&w->slices, &w->to->scratch, (size_t)bytes, w->staging, w->ordered);
}

static sluice_status write_field(const struct set_writer *w, enum sluice_field field)
{
    const struct sluice_set *set = w->set;
    const int components = sluice_field_components(field, set->dimension);
    const hid_t type = sluice_state_type(field, set->real_bytes);
    const struct sluice_hdf5_rows rows = rows_of(w, w->ordered);
    char path[SLUICE_STATE_PATH];
    SLUICE_TRY(bring_field(w, field));
    sluice_state_field_path(path, set, field);
    if (field == SLUICE_FIELD_FRAME)
        return write_frames(w, path);
    return write_dataset(
        w->to,
        &(struct sluice_hdf5_array){.path = path,
                                    .memory_type = type,
                                    .file_type = type,
                                    .rows = w->count,
                                    .columns = components > 1 ? components : 0,
                                    .unit = sluice_field_table[field].unit,
                                    .description = sluice_field_table[field].description},
        &rows);
}

/* Writes where each particle was sorted, if particles have drifted since. Sums are added up in that
 * order until the next sort, so a restart needs it for the same bits. */
static sluice_status write_order(const struct set_writer *w)
{
    struct sluice_backend *b = w->to->state->backend;
    struct sluice_sorted *sorted = (struct sluice_sorted *)(void *)w->staging;
    const struct sluice_hdf5_rows rows = rows_of(w, w->ordered);
    char path[SLUICE_STATE_PATH];
    if (b->drifted <= 0 || !w->set->moves)
        return SLUICE_OK;
    sluice_state_path(path, sluice_type_names[w->set->type], SLUICE_STATE_ORDER);
    SLUICE_TRY(b->ops->order(b, w->to->state->grid, w->set, sorted));
    SLUICE_TRY(
        sluice_slices_bring(&w->slices, &w->to->scratch, sizeof *sorted, sorted, w->ordered));
    return write_dataset(
        w->to,
        &(struct sluice_hdf5_array){.path = path,
                                    .memory_type = H5T_NATIVE_INT32,
                                    .file_type = H5T_NATIVE_INT32,
                                    .rows = w->count,
                                    .columns = SLUICE_STATE_ORDER_COLUMNS,
                                    .unit = "1",
                                    .description = "at the last sort: frame in x, rows of bins in "
                                                   "y and z, place in this row of the frame"},
        &rows);
}

static int64_t count_own(const uint8_t *own, int64_t n)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        count += !own || own[i];
    return count;
}

/* Finds the slices of the set: w->staging has the ids. */
static sluice_status plan_slices(struct set_writer *w, const uint8_t *own)
{
    struct sluice_comm *comm = w->to->file->comm;
    int64_t *first;
    w->count = count_own(own, w->set->count);
    SLUICE_TRY(comm->ops->sum(comm, &w->count, 1));
    SLUICE_ALLOCATE(first, comm->size + 1, "slices of files");
    for (int r = 0; r <= comm->size; r++)
        first[r] = sluice_slice_first(comm, w->count, r);
    const sluice_status status = sluice_slices_create(&w->slices, comm, w->to->file->team,
                                                      (const sluice_id *)(void *)w->staging, own,
                                                      w->set->count, first);
    free(first);
    return status;
}

static sluice_status open_set(struct set_writer *w)
{
    const struct sluice_set *set = w->set;
    struct sluice_backend *b = w->to->state->backend;
    size_t widest = sizeof(struct sluice_sorted);
    uint8_t *own;
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        const size_t bytes = (size_t)sluice_set_field_bytes(set, (enum sluice_field)f);
        widest = bytes > widest ? bytes : widest;
    }
    SLUICE_ALLOCATE(w->staging, (int64_t)widest * set->count, "bytes of a checkpoint");
    if (set->count > 0)
        SLUICE_TRY(b->ops->download(b, w->staging, set->field[SLUICE_FIELD_ID],
                                    (size_t)set->count * sizeof(sluice_id)));
    SLUICE_TRY(sluice_own_to_host(b, set, &own));
    const sluice_status status = plan_slices(w, own);
    free(own);
    SLUICE_TRY(status);
    SLUICE_ALLOCATE(w->ordered, (int64_t)widest * w->slices.count, "bytes of a checkpoint");
    return SLUICE_OK;
}

/* By the first rank. */
static sluice_status write_group(const struct set_writer *w)
{
    char group[64];
    const hid_t file = sluice_shared_hdf5(w->to->file);
    snprintf(group, sizeof group, "State/%s", sluice_type_names[w->set->type]);
    SLUICE_TRY(sluice_hdf5_create_group(file, group));
    return sluice_hdf5_write_numbers(file, group, "Count", H5T_NATIVE_INT64, &w->count, 1);
}

static sluice_status write_fields(const struct set_writer *w)
{
    struct sluice_comm *comm = w->to->file->comm;
    SLUICE_TRY(sluice_comm_first_failure(comm, comm->rank == 0 ? write_group(w) : SLUICE_OK));
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        if (w->set->field[f] != NULL && sluice_field_table[f].life == SLUICE_LIFE_STATE)
            SLUICE_TRY(write_field(w, (enum sluice_field)f));
    return write_order(w);
}

static sluice_status write_set(struct state_writer *to, const struct sluice_set *set)
{
    struct set_writer w = {.to = to, .set = set};
    sluice_status status = open_set(&w);
    if (status == SLUICE_OK)
        status = write_fields(&w);
    sluice_slices_destroy(&w.slices);
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
    const int is_text = value->type == SLUICE_VALUE_TEXT;
    const struct sluice_hdf5_array array = {.path = path,
                                            .memory_type = types[value->type],
                                            .file_type = types[value->type],
                                            .rows = is_text ? (int64_t)strlen(value->data)
                                                            : value->count,
                                            .unit = value->unit,
                                            .description = kinds[value->type]};
    SLUICE_TRY(sluice_hdf5_write(sluice_shared_hdf5(w->file), &array, value->data));
    return write_digest(w, path,
                        sluice_digest(path, array.rows, 0, value->data,
                                      (size_t)array.rows * H5Tget_size(array.memory_type)));
}

/* By the first rank. */
static sluice_status begin_state(const struct state_writer *w)
{
    const hid_t integer = H5T_NATIVE_INT64, file = sluice_shared_hdf5(w->file);
    const struct sluice_checkpoint_state *state = w->state;
    const int64_t version = SLUICE_STATE_VERSION,
                  real_bytes = state->set_count > 0 ? state->sets[0]->real_bytes : 8;
    SLUICE_TRY(sluice_hdf5_create_group(file, "State"));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "State", "Version", integer, &version, 1));
    return sluice_hdf5_write_numbers(file, "State", "RealBytes", integer, &real_bytes, 1);
}

/* By the first rank. Writes the digest of all datasets last, so an incomplete state has none. */
static sluice_status end_state(struct state_writer *w)
{
    const hid_t file = sluice_shared_hdf5(w->file);
    SLUICE_TRY(sluice_hdf5_create_group(file, "State/" SLUICE_STATE_RUN));
    for (int i = 0; i < w->state->value_count; i++)
        SLUICE_TRY(write_value(w, &w->state->values[i]));
    const int64_t total = (int64_t)w->digest;
    return sluice_hdf5_write_numbers(file, "State", "Digest", H5T_NATIVE_INT64, &total, 1);
}

static sluice_status write_parts(struct state_writer *w)
{
    struct sluice_comm *comm = w->file->comm;
    struct sluice_backend *b = w->state->backend;
    SLUICE_TRY(sluice_comm_first_failure(comm, comm->rank == 0 ? begin_state(w) : SLUICE_OK));
    SLUICE_TRY(b->ops->sync(b));
    for (int s = 0; s < w->state->set_count; s++)
        SLUICE_TRY(write_set(w, w->state->sets[s]));
    return sluice_comm_first_failure(comm, comm->rank == 0 ? end_state(w) : SLUICE_OK);
}

static sluice_status write_state(struct sluice_shared_file *f,
                                 const struct sluice_checkpoint_state *state)
{
    struct state_writer w = {.file = f, .state = state};
    const sluice_status status = write_parts(&w);
    sluice_slice_scratch_destroy(&w.scratch);
    return status;
}

sluice_status sluice_checkpoint_write(const char *path, const struct sluice_host_particles *p,
                                      const struct sluice_snapshot_header *header,
                                      const struct sluice_checkpoint_state *state)
{
    struct sluice_shared_file f;
    SLUICE_TRY(sluice_shared_create(&f, path));
    f.team = p->team;
    sluice_status status = sluice_snapshot_write_visible(&f, p, header);
    if (status == SLUICE_OK)
        status = write_state(&f, state);
    return sluice_shared_finish(&f, status);
}
