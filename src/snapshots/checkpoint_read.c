#include "snapshots/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/slices.h"
#include "files/hdf5.h"
#include "files/safe_file_hdf5.h"
#include "particles/id_order.h"
#include "snapshots/checkpoint_digest.h"
#include "snapshots/checkpoint_state.h"
#include "snapshots/snapshot_file.h"

struct sluice_checkpoint {
    char *path, *config;
    hid_t file;
    int real_bytes;
    int64_t count[SLUICE_TYPE_COUNT];
};

/* --- Verification --- */

/* A dataset: its stored digest, and that of what is there; at first of this rank's rows alone. */
struct digest {
    char path[SLUICE_STATE_PATH];
    int64_t stored, found;
};

struct verification {
    hid_t file;
    struct digest *of; /* [count] */
    int64_t count, capacity;
    sluice_status status;
};

/* At most so many rows are read at once, each of which may be wide in a damaged file. */
enum { ROWS_AT_ONCE = 16 * SLUICE_DIGEST_ROWS };

/* Adds the digest of this rank's rows; by the first rank that of the shape, too. */
static sluice_status add_rows(const struct sluice_hdf5_reader *r, uint64_t *digest)
{
    const struct sluice_comm *world = sluice_world();
    const uint64_t shape = sluice_digest_shape(r->path, r->rows, r->columns);
    const int64_t end = sluice_slice_first(world, r->rows, world->rank + 1);
    int64_t first = sluice_slice_first(world, r->rows, world->rank);
    const int64_t most = end - first < ROWS_AT_ONCE ? end - first : ROWS_AT_ONCE;
    char *rows;
    *digest = world->rank == 0 ? shape : 0;
    SLUICE_ALLOCATE(rows, (size_t)most * r->row_bytes, "bytes of a dataset");
    sluice_status status = SLUICE_OK;
    for (; first < end && status == SLUICE_OK; first += most) {
        const int64_t count = end - first < most ? end - first : most;
        status = sluice_hdf5_reader_rows(r, first, count, rows);
        if (status == SLUICE_OK)
            *digest += sluice_digest_rows(shape, first, count, rows, r->row_bytes);
    }
    free(rows);
    return status;
}

static sluice_status add_dataset(struct verification *v, const char *path)
{
    struct sluice_hdf5_reader reader;
    uint64_t digest = 0;
    SLUICE_GROW(v->of, v->count, v->capacity, "digests");
    struct digest *of = &v->of[v->count++];
    snprintf(of->path, sizeof of->path, "%s", path);
    sluice_status status = sluice_hdf5_reader_open(&reader, v->file, path);
    if (status == SLUICE_OK) {
        status = add_rows(&reader, &digest);
        sluice_hdf5_reader_close(&reader);
    }
    of->found = (int64_t)digest;
    if (status == SLUICE_IO)
        return SLUICE_FAIL(SLUICE_IO, "damaged: %s", sluice_message());
    SLUICE_TRY(status);
    return sluice_hdf5_read_numbers(v->file, path, "digest", H5T_NATIVE_INT64, &of->stored, 1);
}

static int is_state_group(const char *name)
{
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
        if (strcmp(name, sluice_type_names[type]) == 0)
            return 1;
    return strcmp(name, SLUICE_STATE_RUN) == 0;
}

/* `name` is a path from /State on: one of our groups, or a dataset in one. Nothing is nested deeper
 * in our files, and nothing is a link. */
static sluice_status add_link(struct verification *v, const char *name, const H5L_info_t *link)
{
    char path[SLUICE_STATE_PATH];
    SLUICE_CHECK(link->type == H5L_TYPE_HARD, SLUICE_IO, "damaged: /State/%.200s is a link", name);
    if (!strchr(name, '/')) {
        SLUICE_CHECK(is_state_group(name), SLUICE_IO,
                     "damaged: /State/%.200s is no group of a checkpoint", name);
        return SLUICE_OK;
    }
    const int length = snprintf(path, sizeof path, "/State/%s", name);
    SLUICE_CHECK(length > 0 && (size_t)length < sizeof path, SLUICE_IO,
                 "damaged: /State/%.200s has a name of %zu letters", name, strlen(name));
    return add_dataset(v, path);
}

static herr_t visit_link(hid_t state, const char *name, const H5L_info_t *link, void *data)
{
    struct verification *v = data;
    (void)state;
    v->status = add_link(v, name, link);
    return v->status == SLUICE_OK ? 0 : 1;
}

/* Makes the digests of everything below /State, and of /Config. */
static sluice_status make_digests(struct verification *v)
{
    const herr_t visited = H5Lvisit_by_name(v->file, "State", H5_INDEX_NAME, H5_ITER_NATIVE,
                                            visit_link, v, H5P_DEFAULT);
    SLUICE_TRY(v->status);
    SLUICE_CHECK(visited >= 0, SLUICE_IO, "damaged: /State cannot be walked through: %s",
                 sluice_hdf5_reason());
    return add_dataset(v, SLUICE_CONFIG_PATH);
}

/* By all: adds the parts of the ranks, and compares. `all`: the stored digest of /State. */
static sluice_status compare_digests(struct verification *v, int64_t all)
{
    struct sluice_comm *world = sluice_world();
    uint64_t sum = 0;
    for (int64_t k = 0; k < v->count; k++) {
        struct digest *of = &v->of[k];
        SLUICE_TRY(world->ops->sum(world, &of->found, 1));
        SLUICE_CHECK(of->found == of->stored, SLUICE_IO,
                     "damaged: dataset '%s' is not what was written (its digest differs)",
                     of->path);
        if (k < v->count - 1) /* the last one is /Config */
            sum += sluice_digest_share((uint64_t)of->found);
    }
    SLUICE_CHECK((int64_t)sum == all, SLUICE_IO,
                 "damaged: /State is not what was written (the digest of all differs)");
    return SLUICE_OK;
}

static sluice_status read_head(struct sluice_checkpoint *c, int64_t *digest)
{
    const hid_t integer = H5T_NATIVE_INT64;
    int64_t version, real_bytes;
    SLUICE_CHECK(H5Lexists(c->file, "State", H5P_DEFAULT) > 0, SLUICE_IO,
                 "is a snapshot without /State; a run restarts from a checkpoint_*.hdf");
    SLUICE_TRY(sluice_hdf5_read_numbers(c->file, "State", "Version", integer, &version, 1));
    SLUICE_CHECK(version == SLUICE_STATE_VERSION, SLUICE_IO,
                 "its state has version %lld, this program reads version %d; restart with the "
                 "program that wrote it",
                 (long long)version, SLUICE_STATE_VERSION);
    SLUICE_TRY(sluice_hdf5_read_numbers(c->file, "State", "RealBytes", integer, &real_bytes, 1));
    SLUICE_TRY(sluice_hdf5_read_numbers(c->file, "State", "Digest", integer, digest, 1));
    SLUICE_CHECK(real_bytes == 4 || real_bytes == 8, SLUICE_IO, "damaged: RealBytes is %lld",
                 (long long)real_bytes);
    c->real_bytes = (int)real_bytes;
    return SLUICE_OK;
}

/* By all: compares everything below /State, and /Config, with the digests. Each rank reads its
 * slices of rows. */
static sluice_status verify(struct sluice_checkpoint *c, sluice_status opened)
{
    struct verification v = {.file = c->file, .status = SLUICE_OK};
    struct sluice_comm *world = sluice_world();
    struct sluice_hdf5_content config = {0};
    int64_t all = 0;
    if (opened == SLUICE_OK)
        opened = read_head(c, &all);
    if (opened == SLUICE_OK)
        opened = make_digests(&v);
    sluice_status status = sluice_comm_first_failure(world, opened);
    if (status == SLUICE_OK)
        status = compare_digests(&v, all);
    free(v.of);
    SLUICE_TRY(status);
    status = sluice_hdf5_load(c->file, SLUICE_CONFIG_PATH, &config);
    c->config = config.data;
    return status;
}

/* The attribute Count has no digest, but the dataset of the ids has one. */
static sluice_status read_counts(struct sluice_checkpoint *c)
{
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++) {
        char group[64], ids[SLUICE_STATE_PATH];
        int64_t rows;
        int columns;
        const char *name = sluice_type_names[type];
        snprintf(group, sizeof group, "State/%s", name);
        if (H5Lexists(c->file, group, H5P_DEFAULT) <= 0)
            continue;
        SLUICE_TRY(sluice_hdf5_read_numbers(c->file, group, "Count", H5T_NATIVE_INT64,
                                            &c->count[type], 1));
        sluice_state_path(ids, name, "id");
        SLUICE_TRY(sluice_hdf5_shape(c->file, ids, &rows, &columns));
        SLUICE_CHECK(rows == c->count[type], SLUICE_IO,
                     "damaged: %lld particles, but %lld ids, in /State/%s",
                     (long long)c->count[type], (long long)rows, name);
    }
    return SLUICE_OK;
}

/* A failure's message gets the checkpoint's path in front. */
static sluice_status named(const struct sluice_checkpoint *c, sluice_status status)
{
    return status == SLUICE_OK ? status : SLUICE_FAIL(status, "%s: %s", c->path, sluice_message());
}

sluice_status sluice_checkpoint_open(struct sluice_checkpoint **out, const char *path)
{
    *out = NULL;
    struct sluice_checkpoint *c = calloc(1, sizeof *c);
    SLUICE_CHECK(c != NULL, SLUICE_DEVICE, "%s: no memory to open it", path);
    c->path = strdup(path);
    const sluice_status opened = sluice_snapshot_open(path, &c->file);
    sluice_status status = verify(c, opened);
    if (status == SLUICE_OK)
        status = read_counts(c);
    if (opened == SLUICE_OK)
        status = named(c, status);
    if (status == SLUICE_OK)
        *out = c;
    else
        sluice_checkpoint_close(&c);
    return status;
}

void sluice_checkpoint_close(struct sluice_checkpoint **checkpoint)
{
    struct sluice_checkpoint *c = *checkpoint;
    if (c == NULL)
        return;
    if (c->file > 0)
        H5Fclose(c->file);
    free(c->path);
    free(c->config);
    free(c);
    *checkpoint = NULL;
}

const char *sluice_checkpoint_config(const struct sluice_checkpoint *c)
{
    return c->config;
}

int64_t sluice_checkpoint_count(const struct sluice_checkpoint *c, enum sluice_type type)
{
    return c->count[type];
}

int sluice_checkpoint_real_bytes(const struct sluice_checkpoint *c)
{
    return c->real_bytes;
}

/* --- The simulation's numbers --- */

int sluice_checkpoint_has(const struct sluice_checkpoint *c, const char *name)
{
    char path[SLUICE_STATE_PATH];
    sluice_state_path(path, SLUICE_STATE_RUN, name);
    return H5Lexists(c->file, path, H5P_DEFAULT) > 0;
}

/* Reads a value; `kind` is its dataset's description. */
static sluice_status read_value(const struct sluice_checkpoint *c, const char *name,
                                const char *kind, hid_t type, int64_t count, void *out)
{
    char path[SLUICE_STATE_PATH], found[16];
    sluice_state_path(path, SLUICE_STATE_RUN, name);
    SLUICE_CHECK(sluice_checkpoint_has(c, name), SLUICE_IO,
                 "%s: has no value '%s'; another version of the program wrote it", c->path, name);
    sluice_status status = sluice_hdf5_read_text(c->file, path, "description", found, sizeof found);
    if (status == SLUICE_OK && strcmp(found, kind) != 0)
        status = SLUICE_FAIL(SLUICE_IO, "value '%s' is %s, not %s", name, found, kind);
    if (status == SLUICE_OK)
        status = sluice_hdf5_read(c->file, path, type, count, 0, out);
    return named(c, status);
}

sluice_status sluice_checkpoint_reals(const struct sluice_checkpoint *c, const char *name,
                                      double *out, int64_t count)
{
    return read_value(c, name, "real", H5T_NATIVE_DOUBLE, count, out);
}

sluice_status sluice_checkpoint_ints(const struct sluice_checkpoint *c, const char *name,
                                     int64_t *out, int64_t count)
{
    return read_value(c, name, "integer", H5T_NATIVE_INT64, count, out);
}

sluice_status sluice_checkpoint_text(const struct sluice_checkpoint *c, const char *name, char *out,
                                     size_t size)
{
    char path[SLUICE_STATE_PATH];
    int64_t length = 0;
    int columns;
    sluice_state_path(path, SLUICE_STATE_RUN, name);
    if (sluice_checkpoint_has(c, name))
        SLUICE_TRY(sluice_hdf5_shape(c->file, path, &length, &columns));
    SLUICE_CHECK((size_t)length < size, SLUICE_IO, "%s: text '%s' has %lld bytes, more than %zu",
                 c->path, name, (long long)length, size - 1);
    memset(out, 0, size);
    return read_value(c, name, "text", H5T_NATIVE_UINT8, length, out);
}

/* --- The sets --- */

/* The set must have the fields, precision and size of the one that was written. */
static sluice_status check_set(const struct sluice_checkpoint *c, const struct sluice_set *set)
{
    const char *type = sluice_type_names[set->type];
    const int64_t count = c->count[set->type];
    SLUICE_CHECK(set->real_bytes == c->real_bytes, SLUICE_IO,
                 "%s: was written with reals of %d bytes, the run has %d; backend.precision cannot "
                 "change at a restart",
                 c->path, c->real_bytes, set->real_bytes);
    SLUICE_CHECK(set->count == count, SLUICE_IO,
                 "internal: room for %lld %s particles, %s has %lld", (long long)set->count, type,
                 c->path, (long long)count);
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        char path[SLUICE_STATE_PATH];
        if (sluice_field_table[f].life != SLUICE_LIFE_STATE || count == 0)
            continue;
        sluice_state_field_path(path, set, (enum sluice_field)f);
        const int stored = H5Lexists(c->file, path, H5P_DEFAULT) > 0,
                  wanted = set->field[f] != NULL;
        SLUICE_CHECK(stored == wanted, SLUICE_IO,
                     "%s: field '%s' of the %s particles is %s, but this run %s it", c->path,
                     sluice_field_table[f].name, type, stored ? "there" : "missing",
                     wanted ? "needs" : "does not have");
    }
    return SLUICE_OK;
}

/* The order for a set: `order` is that of the fluid. NULL: as in the file. */
static const uint32_t *order_for(const struct sluice_set *set, const uint32_t *order)
{
    return set->moves == SLUICE_FREE ? order : NULL;
}

static sluice_status read_field(const struct sluice_checkpoint *c, struct sluice_backend *b,
                                const struct sluice_set *set, enum sluice_field field,
                                const uint32_t *order)
{
    const int components = sluice_field_components(field, set->dimension);
    const size_t bytes = (size_t)(set->count * sluice_set_field_bytes(set, field));
    const hid_t type = sluice_state_type(field, set->real_bytes);
    char path[SLUICE_STATE_PATH];
    sluice_state_field_path(path, set, field);
    char *staging, *ordered;
    SLUICE_ALLOCATE(staging, order ? 2 * bytes : bytes, "bytes of a checkpoint");
    ordered = order ? staging + bytes : staging;
    sluice_status status = sluice_hdf5_read(c->file, path, type, set->count,
                                            components > 1 ? components : 0, staging);
    if (status == SLUICE_OK && order)
        sluice_reorder(ordered, staging, order, set->count,
                       (size_t)sluice_set_field_bytes(set, field));
    if (status == SLUICE_OK)
        status = b->ops->upload(b, set->field[field], ordered, bytes);
    free(staging);
    return status;
}

/* Converts frame indices to slots of this process's table. */
static sluice_status upload_slots(struct sluice_backend *b, const struct sluice_grid *g,
                                  const struct sluice_set *set, const int32_t (*index)[3],
                                  const uint32_t *order)
{
    uint32_t *slot;
    SLUICE_ALLOCATE(slot, set->count, "frames of particles");
    for (int64_t i = 0; i < set->count; i++)
        slot[i] = (uint32_t)sluice_grid_find_frame(g, index[order ? order[i] : i]);
    const sluice_status status = b->ops->upload(b, set->field[SLUICE_FIELD_FRAME], slot,
                                                (size_t)set->count * sizeof *slot);
    free(slot);
    return status;
}

/* The frames of all sets together make the table; then each set gets its slots. */
static sluice_status read_frames(const struct sluice_checkpoint *c, struct sluice_backend *b,
                                 struct sluice_grid *g, struct sluice_set *const *sets, int n,
                                 const uint32_t *order)
{
    int64_t total = 0, at = 0;
    for (int s = 0; s < n; s++)
        total += sets[s]->count;
    int32_t(*index)[3];
    SLUICE_ALLOCATE(index, total, "frames of particles");
    sluice_status status = SLUICE_OK;
    for (int s = 0; s < n && status == SLUICE_OK; s++) {
        char path[SLUICE_STATE_PATH];
        sluice_state_field_path(path, sets[s], SLUICE_FIELD_FRAME);
        if (sets[s]->count > 0)
            status = sluice_hdf5_read(c->file, path, H5T_NATIVE_INT32, sets[s]->count, 3,
                                      index + at);
        at += sets[s]->count;
    }
    if (status == SLUICE_OK)
        status = sluice_grid_set_frames(g, (const int32_t(*)[3])index, total);
    at = 0;
    for (int s = 0; s < n && status == SLUICE_OK; s++) {
        if (sets[s]->count > 0)
            status = upload_slots(b, g, sets[s], (const int32_t(*)[3])(index + at),
                                  order_for(sets[s], order));
        at += sets[s]->count;
    }
    free(index);
    return status;
}

sluice_status sluice_checkpoint_read_sets(const struct sluice_checkpoint *c,
                                          struct sluice_backend *b, struct sluice_grid *g,
                                          struct sluice_set *const *sets, int n,
                                          const uint32_t *order)
{
    for (int s = 0; s < n; s++)
        SLUICE_TRY(check_set(c, sets[s]));
    SLUICE_TRY(named(c, read_frames(c, b, g, sets, n, order)));
    for (int s = 0; s < n; s++)
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
            if (sets[s]->count > 0 && sets[s]->field[f] != NULL && f != SLUICE_FIELD_FRAME &&
                sluice_field_table[f].life == SLUICE_LIFE_STATE)
                SLUICE_TRY(
                    read_field(c, b, sets[s], (enum sluice_field)f, order_for(sets[s], order)));
    return SLUICE_OK;
}

sluice_status sluice_checkpoint_read_ids(const struct sluice_checkpoint *c, enum sluice_type type,
                                         uint32_t *id)
{
    char path[SLUICE_STATE_PATH];
    sluice_state_path(path, sluice_type_names[type], "id");
    return named(c, sluice_hdf5_read(c->file, path, H5T_NATIVE_UINT32, c->count[type], 0, id));
}

/* A particle, and where the last sort put it. */
struct entry {
    struct sluice_sorted sorted;
    int32_t frame[2]; /* in y and z */
    uint32_t number;  /* by id */
};

/* Frames go by z, then y; rows of a frame by z, then y; then x. */
static int by_sort(const void *a, const void *b)
{
    const struct entry *p = a, *q = b;
    const int32_t less[6] = {p->frame[1],     p->frame[0],       p->sorted.row_z,
                             p->sorted.row_y, p->sorted.frame_x, p->sorted.place},
                  more[6] = {q->frame[1],     q->frame[0],       q->sorted.row_z,
                             q->sorted.row_y, q->sorted.frame_x, q->sorted.place};
    for (int k = 0; k < 6; k++)
        if (less[k] != more[k])
            return less[k] < more[k] ? -1 : 1;
    return 0;
}

sluice_status sluice_checkpoint_read_order(const struct sluice_checkpoint *c,
                                           const struct sluice_set *set, const int bits[2],
                                           struct sluice_sorted **sorted, uint32_t **order)
{
    struct entry *entry;
    char path[SLUICE_STATE_PATH];
    sluice_state_path(path, sluice_type_names[set->type], SLUICE_STATE_ORDER);
    SLUICE_ALLOCATE(*sorted, set->count, "places of the last sort");
    SLUICE_ALLOCATE(*order, set->count, "the order of the last sort");
    SLUICE_CHECK(H5Lexists(c->file, path, H5P_DEFAULT) > 0, SLUICE_IO,
                 "%s: has no %s, though its particles have drifted since they were sorted", c->path,
                 path);
    _Static_assert(sizeof **sorted == SLUICE_STATE_ORDER_COLUMNS * sizeof(int32_t), "one each");
    SLUICE_TRY(named(c, sluice_hdf5_read(c->file, path, H5T_NATIVE_INT32, set->count,
                                         SLUICE_STATE_ORDER_COLUMNS, *sorted)));
    SLUICE_ALLOCATE(entry, set->count, "the order of the last sort");
    for (int64_t k = 0; k < set->count; k++)
        entry[k] = (struct entry){(*sorted)[k],
                                  {(*sorted)[k].row_y >> bits[0], (*sorted)[k].row_z >> bits[1]},
                                  (uint32_t)k};
    qsort(entry, (size_t)set->count, sizeof *entry, by_sort);
    for (int64_t k = 0; k < set->count; k++) {
        (*sorted)[k] = entry[k].sorted;
        (*order)[k] = entry[k].number;
    }
    free(entry);
    return SLUICE_OK;
}
