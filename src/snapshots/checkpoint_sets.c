/* The sets of particles out of a checkpoint, to the same bits. */
#include <stdlib.h>
#include <string.h>

#include "snapshots/checkpoint.h"
#include "snapshots/checkpoint_state.h"
#include "snapshots/snapshot_layout.h"

static void dataset_path(const struct sluice_set *set, enum sluice_field field, char *path,
                         size_t size)
{
    char name[64];
    sluice_state_field_name(field, name, sizeof name);
    snprintf(path, size, "State/%s/%s", sluice_state_set_name(set->type), name);
}

/* The set must be made as the one that was written. */
static sluice_status check_set(const struct sluice_checkpoint *c, const struct sluice_set *set)
{
    const char *type = sluice_state_set_name(set->type), *file = sluice_checkpoint_name(c);
    const int64_t count = sluice_checkpoint_count(c, set->type);
    SLUICE_CHECK(set->real_bytes == sluice_checkpoint_real_bytes(c), SLUICE_IO,
                 "%s: was written with reals of %d bytes, the run has %d; backend.precision cannot "
                 "change at a restart",
                 file, sluice_checkpoint_real_bytes(c), set->real_bytes);
    SLUICE_CHECK(set->count == count, SLUICE_IO,
                 "internal: room for %lld %s particles, %s has %lld", (long long)set->count, type,
                 file, (long long)count);
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++) {
        char path[128];
        if (sluice_field_table[f].life != SLUICE_LIFE_STATE || count == 0)
            continue;
        dataset_path(set, (enum sluice_field)f, path, sizeof path);
        const int there = H5Lexists(sluice_checkpoint_file(c), path, H5P_DEFAULT) > 0,
                  wanted = set->field[f] != NULL;
        SLUICE_CHECK(there == wanted, SLUICE_IO,
                     "%s: field '%s' of the %s particles is %s, but this run %s it", file,
                     sluice_field_table[f].name, type, there ? "there" : "missing",
                     wanted ? "needs" : "does not have");
    }
    return SLUICE_OK;
}

static sluice_status read_field(const struct sluice_checkpoint *c, struct sluice_backend *b,
                                const struct sluice_set *set, enum sluice_field field)
{
    const int components = sluice_field_components(field, set->dimension);
    const size_t bytes = (size_t)(set->count * sluice_set_field_bytes(set, field));
    const hid_t type = sluice_state_type(field, set->real_bytes);
    char path[128];
    dataset_path(set, field, path, sizeof path);
    void *staging = malloc(bytes);
    SLUICE_CHECK(staging != NULL, SLUICE_DEVICE, "no memory to stage %zu bytes of a checkpoint",
                 bytes);
    sluice_status status = sluice_hdf5_read(sluice_checkpoint_file(c), path, type, set->count,
                                            components > 1 ? components : 0, staging);
    if (status == SLUICE_OK)
        status = b->ops->upload(b, set->field[field], staging, bytes);
    free(staging);
    return status;
}

/* Frame indices back to slots of this process's table. */
static sluice_status upload_slots(struct sluice_backend *b, const struct sluice_grid *g,
                                  const struct sluice_set *set, const int32_t (*index)[3])
{
    uint32_t *slot = malloc((size_t)set->count * sizeof *slot);
    SLUICE_CHECK(slot != NULL, SLUICE_DEVICE, "no memory for the frames of %lld particles",
                 (long long)set->count);
    for (int64_t i = 0; i < set->count; i++) {
        /* particles are sorted: most share the frame of the one before */
        if (i > 0 && memcmp(index[i], index[i - 1], sizeof index[i]) == 0)
            slot[i] = slot[i - 1];
        else
            slot[i] = (uint32_t)sluice_grid_find_frame(g, index[i]);
    }
    const sluice_status status = b->ops->upload(b, set->field[SLUICE_FIELD_FRAME], slot,
                                                (size_t)set->count * sizeof *slot);
    free(slot);
    return status;
}

/* The frames of all sets together make the table; then each set gets its slots. */
static sluice_status read_frames(const struct sluice_checkpoint *c, struct sluice_backend *b,
                                 struct sluice_grid *g, struct sluice_set *const *sets, int n)
{
    int64_t total = 0, at = 0;
    for (int s = 0; s < n; s++)
        total += sets[s]->count;
    int32_t(*index)[3] = malloc((size_t)(total > 0 ? total : 1) * sizeof *index);
    SLUICE_CHECK(index != NULL, SLUICE_DEVICE, "no memory for the frames of %lld particles",
                 (long long)total);
    sluice_status status = SLUICE_OK;
    for (int s = 0; s < n && status == SLUICE_OK; s++) {
        char path[128];
        dataset_path(sets[s], SLUICE_FIELD_FRAME, path, sizeof path);
        if (sets[s]->count > 0)
            status = sluice_hdf5_read(sluice_checkpoint_file(c), path, H5T_NATIVE_INT32,
                                      sets[s]->count, 3, index + at);
        at += sets[s]->count;
    }
    if (status == SLUICE_OK)
        status = sluice_grid_set_frames(g, (const int32_t(*)[3])index, total);
    at = 0;
    for (int s = 0; s < n && status == SLUICE_OK; s++) {
        if (sets[s]->count > 0)
            status = upload_slots(b, g, sets[s], (const int32_t(*)[3])(index + at));
        at += sets[s]->count;
    }
    free(index);
    return status;
}

sluice_status sluice_checkpoint_read_sets(const struct sluice_checkpoint *c,
                                          struct sluice_backend *b, struct sluice_grid *g,
                                          struct sluice_set *const *sets, int n)
{
    for (int s = 0; s < n; s++)
        SLUICE_TRY(check_set(c, sets[s]));
    const sluice_status status = read_frames(c, b, g, sets, n);
    if (status != SLUICE_OK)
        return SLUICE_FAIL(status, "%s: %s", sluice_checkpoint_name(c), sluice_message());
    for (int s = 0; s < n; s++)
        for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
            if (sets[s]->count > 0 && sets[s]->field[f] != NULL && f != SLUICE_FIELD_FRAME &&
                sluice_field_table[f].life == SLUICE_LIFE_STATE)
                SLUICE_TRY(read_field(c, b, sets[s], (enum sluice_field)f));
    return SLUICE_OK;
}

/* --- Walls: the case knows them --- */

static int compare_ids(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Arrays of the case have a place for each wall particle, by id. */
static sluice_status compare_wall_ids(const struct sluice_checkpoint *c, const char *type,
                                      const struct sluice_start *start, uint32_t *id)
{
    const size_t n = (size_t)start->count;
    uint32_t *of_case = id + n;
    char path[64];
    snprintf(path, sizeof path, "State/%s/id", type);
    SLUICE_TRY(
        sluice_hdf5_read(sluice_checkpoint_file(c), path, H5T_NATIVE_UINT32, start->count, 0, id));
    memcpy(of_case, start->id, n * sizeof *id);
    qsort(id, n, sizeof *id, compare_ids);
    qsort(of_case, n, sizeof *id, compare_ids);
    for (size_t i = 0; i < n; i++)
        SLUICE_CHECK(id[i] == of_case[i], SLUICE_IO,
                     "%s: the %s particles have other ids than those of its own configuration: %u "
                     "where %u belongs",
                     sluice_checkpoint_name(c), type, id[i], of_case[i]);
    return SLUICE_OK;
}

sluice_status sluice_checkpoint_check_walls(const struct sluice_checkpoint *c,
                                            const struct sluice_case *setup)
{
    for (int t = SLUICE_WALL; t <= SLUICE_GHOST; t++) {
        const struct sluice_start *start = &setup->start[t];
        const int64_t count = sluice_checkpoint_count(c, (enum sluice_type)t);
        const char *type = sluice_state_set_name((enum sluice_type)t);
        SLUICE_CHECK(count == start->count, SLUICE_IO,
                     "%s: has %lld %s particles, its own configuration makes %lld",
                     sluice_checkpoint_name(c), (long long)count, type, (long long)start->count);
        if (count == 0)
            continue;
        uint32_t *ids = malloc(2 * (size_t)count * sizeof *ids);
        SLUICE_CHECK(ids, SLUICE_DEVICE, "no memory for the ids of %lld particles",
                     (long long)count);
        const sluice_status status = compare_wall_ids(c, type, start, ids);
        free(ids);
        SLUICE_TRY(status);
    }
    return SLUICE_OK;
}

sluice_status sluice_checkpoint_read_order(const struct sluice_checkpoint *c,
                                           const struct sluice_set *set, int32_t (**bin)[3])
{
    char path[128];
    snprintf(path, sizeof path, "State/%s/" SLUICE_STATE_ORDER, sluice_state_set_name(set->type));
    *bin = malloc((size_t)(set->count > 0 ? set->count : 1) * sizeof **bin);
    SLUICE_CHECK(*bin != NULL, SLUICE_DEVICE, "no memory for the order of %lld particles",
                 (long long)set->count);
    SLUICE_CHECK(H5Lexists(sluice_checkpoint_file(c), path, H5P_DEFAULT) > 0, SLUICE_IO,
                 "%s: has no /%s, though its particles have drifted since they were sorted",
                 sluice_checkpoint_name(c), path);
    return sluice_hdf5_read(sluice_checkpoint_file(c), path, H5T_NATIVE_INT32, set->count, 3, *bin);
}
