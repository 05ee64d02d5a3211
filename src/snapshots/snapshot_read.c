#include <stdlib.h>
#include <string.h>

#include "files/safe_file_hdf5.h"
#include "snapshots/snapshot.h"
#include "snapshots/snapshot_layout.h"

static sluice_status read_attributes(hid_t group, struct sluice_snapshot_info *info)
{
    int64_t dimension, periodic[3];
    double size[3];
    memset(info, 0, sizeof *info);
    SLUICE_TRY(sluice_hdf5_read_reals(group, "Time", &info->time, 1));
    SLUICE_TRY(sluice_hdf5_read_reals(group, "TimeStep", &info->dt, 1));
    SLUICE_TRY(sluice_hdf5_read_ints(group, "Step", &info->step, 1));
    SLUICE_TRY(sluice_hdf5_read_ints(group, "Dimension", &dimension, 1));
    SLUICE_TRY(sluice_hdf5_read_ints(group, "Periodic", periodic, 3));
    SLUICE_TRY(sluice_hdf5_read_reals(group, "Origin", info->low, 3));
    SLUICE_TRY(sluice_hdf5_read_reals(group, "BoxSize", size, 3));
    SLUICE_TRY(sluice_hdf5_read_reals(group, "Spacing", &info->spacing, 1));
    SLUICE_TRY(sluice_hdf5_read_reals(group, "Rho0", &info->rho0, 1));
    SLUICE_TRY(sluice_hdf5_read_text(group, "Units", info->units, sizeof info->units));
    SLUICE_CHECK(dimension == 2 || dimension == 3, SLUICE_IO,
                 "attribute 'Dimension' is %lld, not 2 or 3", (long long)dimension);
    info->dimension = (int)dimension;
    for (int axis = 0; axis < 3; axis++) {
        info->high[axis] = info->low[axis] + size[axis];
        info->periodic[axis] = periodic[axis] != 0;
    }
    return SLUICE_OK;
}

static sluice_status read_header(hid_t file, struct sluice_snapshot_info *info)
{
    hid_t group;
    SLUICE_TRY(sluice_hdf5_open_group(file, "Header", &group));
    const sluice_status status = read_attributes(group, info);
    H5Gclose(group);
    return status;
}

/* Whole numbers from `least` to `most` into `out`, of 1 or 4 bytes each. HDF5 itself would cut
 * those off that do not fit. */
static sluice_status read_whole(hid_t file, const char *path, int64_t n, int64_t least,
                                int64_t most, void *out, size_t bytes)
{
    int64_t *value = malloc(((size_t)n + 1) * sizeof *value);
    SLUICE_CHECK(value, SLUICE_DEVICE, "no memory for %lld numbers", (long long)n);
    sluice_status status = sluice_hdf5_read(file, path, H5T_NATIVE_INT64, n, 0, value);
    for (int64_t i = 0; i < n && status == SLUICE_OK; i++) {
        if (value[i] < least || value[i] > most)
            status = SLUICE_FAIL(SLUICE_IO,
                                 "dataset '%s': %lld of particle %lld of the file is not a whole "
                                 "number from %lld to %lld",
                                 path, (long long)value[i], (long long)i, (long long)least,
                                 (long long)most);
        else if (bytes == 1)
            ((uint8_t *)out)[i] = (uint8_t)value[i];
        else
            ((uint32_t *)out)[i] = (uint32_t)value[i];
    }
    free(value);
    return status;
}

static sluice_status read_arrays(hid_t file, struct sluice_host_particles *p)
{
    int64_t n;
    int columns;
    SLUICE_TRY(sluice_hdf5_shape(file, "VTKHDF/Points", &n, &columns));
    SLUICE_TRY(sluice_host_particles_reserve(p, n));
    p->has_density = H5Lexists(file, "VTKHDF/PointData/Density", H5P_DEFAULT) > 0;
    SLUICE_TRY(sluice_hdf5_read(file, "VTKHDF/Points", H5T_NATIVE_DOUBLE, n, 3, p->x));
    SLUICE_TRY(
        sluice_hdf5_read(file, "VTKHDF/PointData/Velocity", H5T_NATIVE_DOUBLE, n, 3, p->velocity));
    SLUICE_TRY(sluice_hdf5_read(file, "VTKHDF/PointData/Mass", H5T_NATIVE_DOUBLE, n, 0, p->mass));
    SLUICE_TRY(read_whole(file, "VTKHDF/PointData/ParticleType", n, SLUICE_FLUID, SLUICE_WALL,
                          p->type, 1));
    SLUICE_TRY(read_whole(file, "VTKHDF/PointData/Id", n, 0, UINT32_MAX, p->id, 4));
    if (p->has_density) {
        SLUICE_TRY(sluice_hdf5_read(file, "VTKHDF/PointData/Density", H5T_NATIVE_DOUBLE, n, 0,
                                    p->density));
        SLUICE_TRY(sluice_hdf5_read(file, "VTKHDF/PointData/Pressure", H5T_NATIVE_DOUBLE, n, 0,
                                    p->pressure));
    }
    if (H5Lexists(file, "VTKHDF/PointData/Phase", H5P_DEFAULT) > 0) {
        SLUICE_TRY(sluice_host_particles_reserve_phase(p));
        SLUICE_TRY(read_whole(file, "VTKHDF/PointData/Phase", n, 0, 2, p->phase, 1));
    }
    SLUICE_TRY(sluice_snapshot_read_groups(file, p, n));
    p->count = n;
    memset(p->type_count, 0, sizeof p->type_count);
    for (int64_t i = 0; i < n; i++)
        p->type_count[p->type[i]]++;
    return SLUICE_OK;
}

/* The message of a failure inside a file, with the file's name before it. */
static sluice_status named(const char *path, sluice_status status)
{
    return status == SLUICE_OK ? status : SLUICE_FAIL(status, "%s: %s", path, sluice_message());
}

sluice_status sluice_snapshot_read(const char *path, struct sluice_host_particles *p,
                                   struct sluice_snapshot_info *info)
{
    hid_t file;
    SLUICE_TRY(sluice_hdf5_open(path, &file));
    sluice_status status = read_header(file, info);
    if (status == SLUICE_OK)
        status = read_arrays(file, p);
    if (status == SLUICE_OK)
        p->dimension = info->dimension;
    H5Fclose(file);
    return named(path, status);
}

sluice_status sluice_snapshot_read_info(const char *path, struct sluice_snapshot_info *info)
{
    hid_t file;
    SLUICE_TRY(sluice_hdf5_open(path, &file));
    const sluice_status status = read_header(file, info);
    H5Fclose(file);
    return named(path, status);
}

static sluice_status read_text(hid_t file, char **text)
{
    int64_t bytes;
    int columns;
    SLUICE_TRY(sluice_hdf5_shape(file, "Config", &bytes, &columns));
    *text = calloc(1, (size_t)bytes + 1);
    SLUICE_CHECK(*text != NULL, SLUICE_DEVICE, "no memory for %lld bytes of configuration",
                 (long long)bytes);
    const sluice_status status = sluice_hdf5_read(file, "Config", H5T_NATIVE_UINT8, bytes, 0,
                                                  *text);
    if (status != SLUICE_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

sluice_status sluice_snapshot_read_config(const char *path, char **text)
{
    hid_t file;
    *text = NULL;
    SLUICE_TRY(sluice_hdf5_open(path, &file));
    const sluice_status status = read_text(file, text);
    H5Fclose(file);
    return named(path, status);
}
