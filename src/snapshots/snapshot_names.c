/* The names of the groups in a snapshot, which the array Shape counts. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/param.h"
#include "files/hdf5.h"
#include "snapshots/snapshot_file.h"
#include "snapshots/snapshot_particles.h"

static const char names_path[] = "VTKHDF/FieldData/ShapeNames",
                  shape_path[] = "VTKHDF/PointData/Shape";
enum { NAMES_MAX = 1000000 };

/* VTK reads only texts of variable length that are marked as ASCII. */
static hid_t text_type(void)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    return type;
}

sluice_status sluice_snapshot_write_texts(hid_t file, const char *path, const char *const *text,
                                          int count, const char *description)
{
    const hid_t type = text_type();
    const struct sluice_hdf5_array array = {.path = path,
                                            .memory_type = type,
                                            .file_type = type,
                                            .rows = count,
                                            .unit = "1",
                                            .description = description};
    const sluice_status status = sluice_hdf5_write(file, &array, text);
    H5Tclose(type);
    return status;
}

sluice_status sluice_snapshot_read_texts(hid_t file, const char *path, int64_t n,
                                         sluice_status (*take)(void *data, char *const *text,
                                                               int64_t n),
                                         void *data)
{
    char **text;
    SLUICE_ALLOCATE(text, n, "texts of a snapshot");
    const hsize_t rows = (hsize_t)n;
    const hid_t type = text_type(), space = H5Screate_simple(1, &rows, NULL);
    sluice_status status = sluice_hdf5_read(file, path, type, n, 0, text);
    if (status == SLUICE_OK) {
        status = take(data, text, n);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, text);
    }
    H5Sclose(space);
    H5Tclose(type);
    free(text);
    return status;
}

sluice_status sluice_snapshot_write_names(hid_t file, const struct sluice_groups *g)
{
    const char **name;
    SLUICE_ALLOCATE(name, g->count, "names of shapes");
    for (int k = 0; k < g->count; k++)
        name[k] = g->group[k].name;
    const sluice_status status = sluice_snapshot_write_texts(file, names_path, name, g->count,
                                                             "the names that Shape counts from 0");
    free(name);
    return status;
}

static sluice_status take_names(void *data, char *const *name, int64_t n)
{
    struct sluice_groups *g = data;
    for (int64_t k = 0; k < n; k++) {
        int group;
        const size_t length = name[k] ? strlen(name[k]) : 0;
        SLUICE_CHECK(length > 0 && length < SLUICE_TEXT_MAX, SLUICE_IO,
                     "dataset '%s': text %lld has %zu bytes, not 1 to %d", names_path, (long long)k,
                     length, SLUICE_TEXT_MAX - 1);
        SLUICE_TRY(sluice_groups_add(g, name[k], SLUICE_FLUID, &group));
        SLUICE_CHECK(group == k, SLUICE_IO, "dataset '%s': '%.60s' stands there twice", names_path,
                     name[k]);
    }
    return SLUICE_OK;
}

static sluice_status read_names(hid_t file, struct sluice_groups *g)
{
    int64_t n;
    int columns;
    SLUICE_TRY(sluice_hdf5_shape(file, names_path, &n, &columns));
    SLUICE_CHECK(n <= NAMES_MAX && columns == 0, SLUICE_IO,
                 "dataset '%s' has %lld texts, at most %d are allowed", names_path, (long long)n,
                 NAMES_MAX);
    return sluice_snapshot_read_texts(file, names_path, n, take_names, g);
}

sluice_status sluice_snapshot_read_names(hid_t file, struct sluice_host_particles *p, int64_t n)
{
    SLUICE_TRY(read_names(file, &p->read));
    for (int64_t i = 0; i < n; i++)
        SLUICE_CHECK(p->shape[i] >= 0 && p->shape[i] < p->read.count, SLUICE_IO,
                     "dataset '%s': particle %lld is of shape %d, there are %d names", shape_path,
                     (long long)p->id[i], (int)p->shape[i], p->read.count);
    p->groups = &p->read;
    return SLUICE_OK;
}
