#include "snapshots/checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "snapshots/checkpoint_digest.h"
#include "snapshots/checkpoint_state.h"
#include "files/safe_file_hdf5.h"
#include "snapshots/snapshot_layout.h"

struct sluice_checkpoint {
    char *path, *config;
    hid_t file;
    int real_bytes;
    int64_t count[SLUICE_TYPE_COUNT];
};

/* What the verification carries from dataset to dataset. */
struct verification {
    const char *of; /* the group in /State */
    uint64_t digest;
    sluice_status status;
};

/* A dataset in memory, in its own type. */
static sluice_status load_dataset(hid_t dataset, const char *path, void **data, uint64_t *digest)
{
    int64_t rows;
    int columns;
    const sluice_status status = sluice_hdf5_shape_of(dataset, path, &rows, &columns);
    if (status != SLUICE_OK)
        return SLUICE_FAIL(status, "damaged: %s", sluice_message());
    const hid_t stored = H5Dget_type(dataset), type = H5Tget_native_type(stored, H5T_DIR_ASCEND);
    const size_t bytes = (size_t)rows * (size_t)(columns > 0 ? columns : 1) * H5Tget_size(type);
    *data = malloc(bytes > 0 ? bytes : 1);
    const int got = *data != NULL && type >= 0 && H5Tget_class(type) != H5T_STRING &&
                    (bytes == 0 ||
                     H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) >= 0);
    if (got)
        *digest = sluice_digest(path, rows, columns, *data, bytes);
    H5Tclose(type);
    H5Tclose(stored);
    SLUICE_CHECK(*data != NULL, SLUICE_DEVICE, "no memory for the %zu bytes of dataset %s", bytes,
                 path);
    SLUICE_CHECK(got, SLUICE_IO, "damaged: dataset %s cannot be read: %s", path,
                 sluice_hdf5_reason());
    return SLUICE_OK;
}

/* `group`/`name` is the dataset /State/`of`/`name`. */
static sluice_status verify_dataset(hid_t group, const char *of, const char *name,
                                    struct verification *v)
{
    char path[512];
    void *data = NULL;
    uint64_t digest = 0;
    int64_t stored = 0;
    const int length = snprintf(path, sizeof path, "/State/%s/%s", of, name);
    SLUICE_CHECK(length > 0 && (size_t)length < sizeof path, SLUICE_IO,
                 "damaged: /State/%s has a name of %zu letters", of, strlen(name));
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    SLUICE_CHECK(dataset >= 0, SLUICE_IO, "damaged: dataset %s cannot be opened: %s", path,
                 sluice_hdf5_reason());
    sluice_status status = load_dataset(dataset, path, &data, &digest);
    free(data);
    if (status == SLUICE_OK)
        status = sluice_hdf5_read_ints(dataset, "digest", &stored, 1);
    H5Dclose(dataset);
    SLUICE_TRY(status);
    SLUICE_CHECK((int64_t)digest == stored, SLUICE_IO,
                 "damaged: dataset %s is not what was written (its digest differs)", path);
    v->digest += sluice_digest_share(digest);
    return SLUICE_OK;
}

/* A link of /State/`v->of`: each leads to a dataset of the same file. */
static herr_t visit_dataset(hid_t group, const char *name, const H5L_info_t *link, void *data)
{
    struct verification *v = data;
    v->status = link->type == H5L_TYPE_HARD
                    ? verify_dataset(group, v->of, name, v)
                    : SLUICE_FAIL(SLUICE_IO, "damaged: /State/%s/%.200s is a link", v->of, name);
    return v->status == SLUICE_OK ? 0 : 1;
}

/* Whether a checkpoint has a group of that name in /State. */
static int is_group_of_ours(const char *name)
{
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++)
        if (strcmp(name, sluice_state_set_name((enum sluice_type)type)) == 0)
            return 1;
    return strcmp(name, SLUICE_STATE_RUN) == 0;
}

/* A link of /State: each leads to a group of ours, and nothing is nested deeper. */
static herr_t visit_group(hid_t state, const char *name, const H5L_info_t *link, void *data)
{
    struct verification *v = data;
    const hid_t group = link->type == H5L_TYPE_HARD && is_group_of_ours(name)
                            ? H5Gopen2(state, name, H5P_DEFAULT)
                            : -1;
    if (group < 0) {
        v->status = SLUICE_FAIL(SLUICE_IO, "damaged: /State/%.200s is no group of a checkpoint",
                                name);
        return 1;
    }
    v->of = name;
    const herr_t visited = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_dataset, v);
    H5Gclose(group);
    if (visited < 0 && v->status == SLUICE_OK)
        v->status = SLUICE_FAIL(SLUICE_IO, "damaged: /State/%s cannot be walked through: %s", name,
                                sluice_hdf5_reason());
    return v->status == SLUICE_OK ? 0 : 1;
}

static sluice_status verify_config(const struct sluice_checkpoint *c)
{
    const size_t bytes = strlen(c->config);
    const uint64_t digest = sluice_digest(SLUICE_CONFIG_PATH, (int64_t)bytes, 0, c->config, bytes);
    int64_t stored = 0;
    const hid_t dataset = H5Dopen2(c->file, SLUICE_CONFIG_PATH, H5P_DEFAULT);
    const sluice_status status = sluice_hdf5_read_ints(dataset, "digest", &stored, 1);
    H5Dclose(dataset);
    SLUICE_TRY(status);
    SLUICE_CHECK((int64_t)digest == stored, SLUICE_IO,
                 "damaged: dataset " SLUICE_CONFIG_PATH " is not what was written");
    return SLUICE_OK;
}

/* Everything below /State and /Config against what was written. */
static sluice_status verify(struct sluice_checkpoint *c, hid_t state)
{
    struct verification v = {.status = SLUICE_OK};
    int64_t version, real_bytes, stored;
    SLUICE_TRY(sluice_hdf5_read_ints(state, "Version", &version, 1));
    SLUICE_CHECK(version == SLUICE_STATE_VERSION, SLUICE_IO,
                 "its state has version %lld, this program reads version %d; restart with the "
                 "program that wrote it",
                 (long long)version, SLUICE_STATE_VERSION);
    SLUICE_TRY(sluice_hdf5_read_ints(state, "RealBytes", &real_bytes, 1));
    SLUICE_TRY(sluice_hdf5_read_ints(state, "Digest", &stored, 1));
    SLUICE_CHECK(real_bytes == 4 || real_bytes == 8, SLUICE_IO, "damaged: RealBytes is %lld",
                 (long long)real_bytes);
    c->real_bytes = (int)real_bytes;

    const herr_t visited = H5Literate(state, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, visit_group, &v);
    SLUICE_TRY(v.status);
    SLUICE_CHECK(visited >= 0, SLUICE_IO, "damaged: /State cannot be walked through: %s",
                 sluice_hdf5_reason());
    SLUICE_CHECK((int64_t)v.digest == stored, SLUICE_IO,
                 "damaged: /State is not what was written (the digest of all differs)");
    return verify_config(c);
}

static sluice_status read_counts(struct sluice_checkpoint *c, hid_t state)
{
    for (int type = 0; type < SLUICE_TYPE_COUNT; type++) {
        const char *name = sluice_state_set_name((enum sluice_type)type);
        hid_t group;
        c->count[type] = 0;
        if (H5Lexists(state, name, H5P_DEFAULT) <= 0)
            continue;
        SLUICE_TRY(sluice_hdf5_open_group(state, name, &group));
        const sluice_status status = sluice_hdf5_read_ints(group, "Count", &c->count[type], 1);
        H5Gclose(group);
        SLUICE_TRY(status);
        /* The attribute has no digest of its own; the ids have. */
        char path[64];
        int64_t rows;
        int columns;
        snprintf(path, sizeof path, "%s/id", name);
        SLUICE_TRY(sluice_hdf5_shape(state, path, &rows, &columns));
        SLUICE_CHECK(rows == c->count[type], SLUICE_IO,
                     "damaged: %lld particles, but %lld ids, in /State/%s",
                     (long long)c->count[type], (long long)rows, name);
    }
    return SLUICE_OK;
}

static sluice_status open_state(struct sluice_checkpoint *c)
{
    hid_t state;
    SLUICE_CHECK(H5Lexists(c->file, "State", H5P_DEFAULT) > 0, SLUICE_IO,
                 "is a snapshot without /State; a run restarts from a checkpoint_*.hdf");
    SLUICE_TRY(sluice_hdf5_open_group(c->file, "State", &state));
    sluice_status status = verify(c, state);
    if (status == SLUICE_OK)
        status = read_counts(c, state);
    H5Gclose(state);
    return status;
}

sluice_status sluice_checkpoint_open(struct sluice_checkpoint **out, const char *path)
{
    *out = NULL;
    struct sluice_checkpoint *c = calloc(1, sizeof *c);
    SLUICE_CHECK(c != NULL, SLUICE_DEVICE, "%s: no memory to open it", path);
    c->file = -1;
    c->path = strdup(path);
    sluice_status status = sluice_snapshot_read_config(path, &c->config);
    if (status == SLUICE_OK)
        status = sluice_hdf5_open(path, &c->file);
    if (status == SLUICE_OK) {
        status = open_state(c);
        if (status != SLUICE_OK)
            status = SLUICE_FAIL(status, "%s: %s", path, sluice_message());
    }
    if (status != SLUICE_OK) {
        sluice_checkpoint_close(&c);
        return status;
    }
    *out = c;
    return SLUICE_OK;
}

void sluice_checkpoint_close(struct sluice_checkpoint **checkpoint)
{
    struct sluice_checkpoint *c = *checkpoint;
    if (c == NULL)
        return;
    if (c->file >= 0)
        H5Fclose(c->file);
    free(c->path);
    free(c->config);
    free(c);
    *checkpoint = NULL;
}

hid_t sluice_checkpoint_file(const struct sluice_checkpoint *c)
{
    return c->file;
}

const char *sluice_checkpoint_name(const struct sluice_checkpoint *c)
{
    return c->path;
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

int sluice_checkpoint_has(const struct sluice_checkpoint *c, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "State/" SLUICE_STATE_RUN "/%s", name);
    return H5Lexists(c->file, path, H5P_DEFAULT) > 0;
}

/* A value of /State/run; `kind` is its description. */
static sluice_status read_value(const struct sluice_checkpoint *c, const char *name,
                                const char *kind, hid_t type, int64_t count, void *out)
{
    char path[256], found[16];
    snprintf(path, sizeof path, "State/" SLUICE_STATE_RUN "/%s", name);
    SLUICE_CHECK(sluice_checkpoint_has(c, name), SLUICE_IO,
                 "%s: has no value '%s'; another version of the program wrote it", c->path, name);
    const hid_t dataset = H5Dopen2(c->file, path, H5P_DEFAULT);
    sluice_status status = sluice_hdf5_read_text(dataset, "description", found, sizeof found);
    H5Dclose(dataset);
    if (status == SLUICE_OK && strcmp(found, kind) != 0)
        status = SLUICE_FAIL(SLUICE_IO, "value '%s' is %s, not %s", name, found, kind);
    if (status == SLUICE_OK)
        status = sluice_hdf5_read(c->file, path, type, count, 0, out);
    return status == SLUICE_OK ? status : SLUICE_FAIL(status, "%s: %s", c->path, sluice_message());
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
    char path[256];
    int64_t length = 0;
    int columns;
    snprintf(path, sizeof path, "State/" SLUICE_STATE_RUN "/%s", name);
    if (sluice_checkpoint_has(c, name))
        SLUICE_TRY(sluice_hdf5_shape(c->file, path, &length, &columns));
    SLUICE_CHECK((size_t)length < size, SLUICE_IO, "%s: text '%s' has %lld bytes, more than %zu",
                 c->path, name, (long long)length, size - 1);
    memset(out, 0, size);
    return read_value(c, name, "text", H5T_NATIVE_UINT8, length, out);
}
