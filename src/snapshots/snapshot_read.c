/* Reads snapshots, and whole ones or parts of them. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "files/hdf5.h"
#include "snapshots/snapshot.h"
#include "snapshots/snapshot_file.h"

const struct sluice_header_number sluice_header_numbers[SLUICE_HEADER_NUMBERS] = {
#define MEMBER(name) offsetof(struct sluice_snapshot_header, name)
    {"Time", MEMBER(time), 1, 0, 1},
    {"TimeStep", MEMBER(dt), 1, 0, 1},
    {"Origin", MEMBER(low), 3, 0, 1},
    {"FrameWidth", MEMBER(frame_width), 3, 0, 0},
    {"Spacing", MEMBER(spacing), 1, 0, 1},
    {"SmoothingLength", MEMBER(smoothing_length), 1, 0, 0},
    {"Rho0", MEMBER(rho0), 1, 0, 1},
    {"C0", MEMBER(sound_speed), 1, 0, 0},
    {"Gravity", MEMBER(gravity), 3, 0, 0},
    {"Step", MEMBER(step), 1, 1, 1},
    {"Dimension", MEMBER(dimension), 1, 1, 1},
    {"Periodic", MEMBER(periodic), 3, 1, 1},
    {"Ranks", MEMBER(ranks), 1, 1, 0},
    {"Seed", MEMBER(seed), 1, 1, 0},
#undef MEMBER
};

const struct sluice_numbered_files sluice_snapshot_files = {"snap_", 6};

sluice_status sluice_snapshot_path(char *path, size_t size, const char *run_dir, int64_t number)
{
    return sluice_numbered_path(&sluice_snapshot_files, run_dir, number, path, size);
}

static sluice_status read_header(hid_t file, struct sluice_snapshot_header *h)
{
    double size[3];
    char units[8];
    memset(h, 0, sizeof *h);
    for (const struct sluice_header_number *n = sluice_header_numbers;
         n < sluice_header_numbers + SLUICE_HEADER_NUMBERS; n++)
        if (n->is_read)
            SLUICE_TRY(sluice_hdf5_read_numbers(file, "Header", n->name, sluice_header_type(n),
                                                (char *)h + n->member, n->count));
    SLUICE_TRY(sluice_hdf5_read_numbers(file, "Header", "BoxSize", H5T_NATIVE_DOUBLE, size, 3));
    SLUICE_TRY(sluice_hdf5_read_text(file, "Header", "Units", units, sizeof units));
    SLUICE_CHECK(h->dimension == 2 || h->dimension == 3, SLUICE_IO,
                 "attribute 'Dimension' is %lld, not 2 or 3", (long long)h->dimension);
    h->units = strcmp(units, "lj") == 0 ? "lj" : "si";
    for (int axis = 0; axis < 3; axis++)
        h->high[axis] = h->low[axis] + size[axis];
    return SLUICE_OK;
}

/* The first n of the `rows` of a dataset of whole numbers from 0 to `most` into `out`: bytes, or
 * ids. HDF5 itself would cut those off that do not fit. */
static sluice_status read_whole(hid_t file, const struct sluice_snapshot_array *a, int64_t rows,
                                int64_t n, void *out)
{
    const int are_ids = a->type == SLUICE_ARRAY_ID;
    const int64_t most = are_ids ? (int64_t)SLUICE_ID_MAX : a->most;
    const char *path = a->path;
    int64_t *value;
    SLUICE_ALLOCATE(value, n, "numbers");
    sluice_status status = sluice_hdf5_read_rows(file, path, H5T_NATIVE_INT64, rows, 0, 0, n,
                                                 value);
    for (int64_t i = 0; i < n && status == SLUICE_OK; i++) {
        if (value[i] < 0 || value[i] > most)
            status = SLUICE_FAIL(SLUICE_IO,
                                 "dataset '%s': %lld of particle %lld of the file is not a whole "
                                 "number from 0 to %lld%s",
                                 path, (long long)value[i], (long long)i, (long long)most,
                                 are_ids ? SLUICE_ID_REMEDY : "");
        else if (are_ids)
            ((sluice_id *)out)[i] = (sluice_id)value[i];
        else
            ((uint8_t *)out)[i] = (uint8_t)value[i];
    }
    free(value);
    return status;
}

/* The first n of the file's `rows`. */
static sluice_status read_array(hid_t file, const struct sluice_snapshot_array *a,
                                struct sluice_host_particles *p, int64_t rows, int64_t n)
{
    void *data = sluice_snapshot_array_data(p, a);
    if (a->type == SLUICE_ARRAY_BYTE || a->type == SLUICE_ARRAY_ID)
        return read_whole(file, a, rows, n, data);
    const hid_t type = a->type == SLUICE_ARRAY_INT ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
    return sluice_hdf5_read_rows(file, a->path, type, rows, a->columns, 0, n, data);
}

/* Reads the first n of a file's `rows` particles: the arrays of these bits. */
static sluice_status read_arrays(hid_t file, struct sluice_host_particles *p, int64_t rows,
                                 int64_t n, unsigned arrays)
{
    sluice_groups_destroy(&p->read);
    p->groups = NULL;
    SLUICE_TRY(sluice_host_particles_reserve(p, n));
    p->has_density = H5Lexists(file, "VTKHDF/PointData/Density", H5P_DEFAULT) > 0;
    for (int k = 0; k < SLUICE_SNAPSHOT_ARRAYS; k++) {
        const struct sluice_snapshot_array a = sluice_snapshot_array(k);
        if (!(arrays >> k & 1) || (a.presence == SLUICE_WITH_DENSITY && !p->has_density) ||
            (a.presence == SLUICE_OPTIONAL && H5Lexists(file, a.path, H5P_DEFAULT) <= 0))
            continue;
        SLUICE_TRY(sluice_snapshot_array_reserve(p, &a));
        SLUICE_TRY(read_array(file, &a, p, rows, n));
    }
    p->count = n;
    return SLUICE_OK;
}

static sluice_status read_all(hid_t file, struct sluice_host_particles *p)
{
    int64_t n;
    int columns;
    SLUICE_TRY(sluice_hdf5_shape(file, "VTKHDF/Points", &n, &columns));
    SLUICE_TRY(read_arrays(file, p, n, n, SLUICE_ARRAY_BIT(FORCE) - 1));
    if (p->shape)
        SLUICE_TRY(sluice_snapshot_read_names(file, p, n));
    memset(p->type_count, 0, sizeof p->type_count);
    for (int64_t i = 0; i < n; i++)
        p->type_count[p->type[i]]++;
    return SLUICE_OK;
}

sluice_status sluice_snapshot_open(const char *path, hid_t *file)
{
    SLUICE_TRY(sluice_hdf5_open(path, file));
    if (H5Lexists(*file, "VTKHDF", H5P_DEFAULT) > 0 && H5Lexists(*file, "Header", H5P_DEFAULT) > 0)
        return SLUICE_OK;
    H5Fclose(*file);
    *file = -1;
    return SLUICE_FAIL(
        SLUICE_IO, "%s: is HDF5, but no snapshot of Sluice: /VTKHDF or /Header is missing", path);
}

/* Closes the file. A failure's message gets the path in front. */
static sluice_status close_file(hid_t file, const char *path, sluice_status status)
{
    H5Fclose(file);
    return status == SLUICE_OK ? status : SLUICE_FAIL(status, "%s: %s", path, sluice_message());
}

sluice_status sluice_snapshot_read(const char *path, struct sluice_host_particles *p,
                                   struct sluice_snapshot_header *header)
{
    hid_t file;
    SLUICE_TRY(sluice_snapshot_open(path, &file));
    sluice_status status = read_header(file, header);
    if (status == SLUICE_OK)
        status = read_all(file, p);
    p->dimension = (int)header->dimension;
    return close_file(file, path, status);
}

static sluice_status read_part(hid_t file, const struct sluice_snapshot_part *part,
                               struct sluice_host_particles *p, struct sluice_snapshot_header *h)
{
    int64_t rows, fluid;
    int columns;
    SLUICE_TRY(read_header(file, h));
    SLUICE_TRY(
        sluice_hdf5_read_numbers(file, "Header", "C0", H5T_NATIVE_DOUBLE, &h->sound_speed, 1));
    SLUICE_TRY(sluice_hdf5_read_numbers(file, "Header", "FluidCount", H5T_NATIVE_INT64, &fluid, 1));
    SLUICE_TRY(sluice_hdf5_shape(file, "VTKHDF/Points", &rows, &columns));
    SLUICE_CHECK(fluid >= 0 && fluid <= rows, SLUICE_IO,
                 "attribute 'FluidCount' is %lld, of %lld particles", (long long)fluid,
                 (long long)rows);
    p->dimension = (int)h->dimension;
    p->type_count[SLUICE_FLUID] = fluid;
    p->type_count[SLUICE_WALL] = part->fluid_only ? 0 : rows - fluid;
    const int64_t n = part->fluid_only ? fluid : rows;
    const int by_shape = (part->arrays & SLUICE_ARRAY_BIT(SHAPE)) != 0; /* errors name the id */
    SLUICE_TRY(read_arrays(file, p, rows, n,
                           part->arrays | (by_shape ? SLUICE_ARRAY_BIT(PARTICLE_ID) : 0)));
    return by_shape && p->shape ? sluice_snapshot_read_names(file, p, n) : SLUICE_OK;
}

sluice_status sluice_snapshot_read_part(const char *path, const struct sluice_snapshot_part *part,
                                        struct sluice_host_particles *p,
                                        struct sluice_snapshot_header *header)
{
    hid_t file;
    SLUICE_TRY(sluice_snapshot_open(path, &file));
    return close_file(file, path, read_part(file, part, p, header));
}

sluice_status sluice_snapshot_read_config(const char *path, char **text)
{
    hid_t file;
    struct sluice_hdf5_content config;
    *text = NULL;
    SLUICE_TRY(sluice_snapshot_open(path, &file));
    sluice_status status = sluice_hdf5_load(file, SLUICE_CONFIG_PATH, &config);
    if (status == SLUICE_OK)
        *text = config.data;
    return close_file(file, path, status);
}

sluice_status sluice_snapshot_read_bodies(const char *path, struct sluice_snapshot_body **body,
                                          int *count)
{
    hid_t file;
    SLUICE_TRY(sluice_snapshot_open(path, &file));
    return close_file(file, path, sluice_snapshot_take_bodies(file, body, count));
}

sluice_status sluice_snapshot_read_header(const char *path, struct sluice_snapshot_header *header)
{
    hid_t file;
    SLUICE_TRY(sluice_snapshot_open(path, &file));
    return close_file(file, path, read_header(file, header));
}

static sluice_status read_series_header(const char *path, int64_t *step, double *time)
{
    struct sluice_snapshot_header header;
    SLUICE_TRY(sluice_snapshot_read_header(path, &header));
    *step = header.step;
    *time = header.time;
    return SLUICE_OK;
}

const struct sluice_series_kind sluice_snapshot_series = {.name = "run.hdf.series",
                                                          .files = &sluice_snapshot_files,
                                                          .one = "snapshot",
                                                          .several = "snapshots",
                                                          .read_header = read_series_header};
