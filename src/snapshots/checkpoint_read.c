#include "snapshots/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "domain/slices.h"
#include "files/hdf5.h"
#include "files/safe_file_hdf5.h"
#include "snapshots/checkpoint_digest.h"
#include "snapshots/checkpoint_state.h"
#include "snapshots/snapshot_file.h"

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
            *digest += sluice_digest_rows(NULL, shape, first, count, rows, r->row_bytes);
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

/* Collective: adds the parts of the ranks, and compares. `all`: the stored digest of /State. */
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

/* Collective: compares everything below /State, and /Config, with the digests. Each rank reads its
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

sluice_status sluice_checkpoint_named(const struct sluice_checkpoint *c, sluice_status status)
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
        status = sluice_checkpoint_named(c, status);
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
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        sluice_scatter_destroy(&c->scatter[t]);
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
    return sluice_checkpoint_named(c, status);
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
