#include "bodies/body_surface.h"

#include <limits.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "domain/comm.h"
#include "files/hdf5.h"
#include "files/safe_file_hdf5.h"
#include "snapshots/snapshot_file.h"

enum { VTK_TRIANGLE = 5 };

const struct sluice_numbered_files sluice_body_files = {"bodies_", 6};

sluice_status sluice_body_surfaces_path(char *path, size_t size, const char *run_dir,
                                        int64_t number)
{
    return sluice_numbered_path(&sluice_body_files, run_dir, number, path, size);
}

/* All bodies, one after the other. */
struct all {
    const struct sluice_posed_body *body;
    int bodies;
    int64_t points, cells;
    const struct sluice_snapshot_header *header;
};

/* --- Arrays --- */

/* Places and velocities of a body's points: x = c + R (X - C), v = V + w x (x - c). */
static void place_points(const struct sluice_posed_body *b, double (*x)[3], double (*velocity)[3])
{
    const struct sluice_pose *p = b->pose;
    for (int64_t i = 0; i < b->surface->points; i++) {
        double from[3];
        for (int a = 0; a < 3; a++) {
            from[a] = 0;
            for (int k = 0; k < 3; k++)
                from[a] += p->turn[a][k] * (b->surface->point[i][k] - b->start[k]);
            x[i][a] = p->centre[a] + from[a];
        }
        for (int a = 0; a < 3; a++) {
            const int k = (a + 1) % 3, l = (a + 2) % 3;
            velocity[i][a] = p->velocity[a] + p->spin[k] * from[l] - p->spin[l] * from[k];
        }
    }
}

static sluice_status write_reals(hid_t file, const struct all *all, const char *path,
                                 const double (*x)[3], const char *unit, const char *description)
{
    const struct sluice_hdf5_array array = {
        .path = path,
        .memory_type = H5T_NATIVE_DOUBLE,
        .file_type = all->header->precision == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
        .rows = all->points,
        .columns = 3,
        .compression = all->header->compression,
        .unit = unit,
        .description = description};
    return sluice_hdf5_write(file, &array, x);
}

static sluice_status write_points(hid_t file, const struct all *all)
{
    double(*x)[3];
    SLUICE_ALLOCATE(x, 2 * all->points, "points of bodies");
    double(*velocity)[3] = x + all->points;
    int64_t first = 0;
    for (int b = 0; b < all->bodies; b++) {
        place_points(&all->body[b], x + first, velocity + first);
        first += all->body[b].surface->points;
    }
    sluice_status status = write_reals(file, all, "VTKHDF/Points", (const double(*)[3])x, "m",
                                       "position");
    if (status == SLUICE_OK)
        status = write_reals(file, all, "VTKHDF/PointData/Velocity", (const double(*)[3])velocity,
                             "m/s", "velocity of the body there");
    free(x);
    return status;
}

/* A dataset of whole numbers, all of which fit into `bits` in the file. */
static sluice_status write_whole(hid_t file, const struct all *all, const char *path,
                                 const int64_t *value, int64_t rows, int bits,
                                 const char *description)
{
    const struct sluice_hdf5_array array = {.path = path,
                                            .memory_type = H5T_NATIVE_INT64,
                                            .file_type = bits == 8    ? H5T_STD_U8LE
                                                         : bits == 32 ? H5T_STD_I32LE
                                                                      : H5T_STD_I64LE,
                                            .rows = rows,
                                            .compression = all->header->compression,
                                            .unit = "1",
                                            .description = description};
    return sluice_hdf5_write(file, &array, value);
}

/* The corners of the triangles; `value` can hold them. */
static sluice_status write_corners(hid_t file, const struct all *all, int64_t *value)
{
    int64_t first = 0, at = 0;
    for (int b = 0; b < all->bodies; b++) {
        const struct sluice_body_surface *s = all->body[b].surface;
        for (int64_t i = 0; i < 3 * s->triangles; i++)
            value[at++] = first + s->triangle[i / 3][i % 3];
        first += s->points;
    }
    return write_whole(file, all, "VTKHDF/Connectivity", value, 3 * all->cells,
                       all->points < INT_MAX ? 32 : 64, "the corners of the triangles");
}

static sluice_status write_cells(hid_t file, const struct all *all)
{
    int64_t *value, at = 0;
    SLUICE_ALLOCATE(value, 3 * all->cells + 1, "corners of triangles");
    sluice_status status = write_corners(file, all, value);
    for (int64_t i = 0; i <= all->cells; i++)
        value[i] = 3 * i;
    if (status == SLUICE_OK)
        status = write_whole(file, all, "VTKHDF/Offsets", value, all->cells + 1,
                             3 * all->cells < INT_MAX ? 32 : 64, "where each triangle begins");
    for (int64_t i = 0; i < all->cells; i++)
        value[i] = VTK_TRIANGLE;
    if (status == SLUICE_OK)
        status = write_whole(file, all, "VTKHDF/Types", value, all->cells, 8, "triangles");
    for (int b = 0; b < all->bodies; b++)
        for (int64_t i = 0; i < all->body[b].surface->triangles; i++)
            value[at++] = b;
    if (status == SLUICE_OK)
        status = write_whole(file, all, "VTKHDF/CellData/Body", value, all->cells, 32,
                             "number of the body");
    free(value);
    return status;
}

/* --- The file --- */

static sluice_status write_fields(hid_t file, const struct all *all)
{
    const char **name;
    SLUICE_TRY(sluice_hdf5_write_one(file, "VTKHDF/FieldData/TimeValue", H5T_NATIVE_DOUBLE,
                                     &all->header->time, "s"));
    SLUICE_TRY(sluice_hdf5_write_one(file, "VTKHDF/FieldData/Step", H5T_NATIVE_INT64,
                                     &all->header->step, "1"));
    if (all->bodies == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(name, all->bodies, "names of bodies");
    for (int b = 0; b < all->bodies; b++)
        name[b] = all->body[b].name;
    const sluice_status status = sluice_snapshot_write_texts(
        file, "VTKHDF/FieldData/BodyNames", name, all->bodies, "the names that Body counts from 0");
    free(name);
    return status;
}

static sluice_status write_header(hid_t file, const struct all *all)
{
    const struct sluice_snapshot_header *h = all->header;
    const int64_t bodies = all->bodies;
    const hid_t integer = H5T_NATIVE_INT64;
    SLUICE_TRY(sluice_hdf5_create_group(file, "Header"));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", "Time", H5T_NATIVE_DOUBLE, &h->time, 1));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", "Step", integer, &h->step, 1));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", "Dimension", integer, &h->dimension, 1));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", "Bodies", integer, &bodies, 1));
    SLUICE_TRY(sluice_hdf5_write_text(file, "Header", "Program", "sluice"));
    SLUICE_TRY(sluice_hdf5_write_text(file, "Header", "Version", h->version));
    return sluice_hdf5_write_text(file, "Header", "GitRevision", h->revision);
}

static sluice_status write_all(hid_t file, const struct all *all)
{
    const int64_t version[2] = {1, 0}, corners = 3 * all->cells;
    const hid_t integer = H5T_NATIVE_INT64;
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF"));
    SLUICE_TRY(sluice_hdf5_write_text(file, "VTKHDF", "Type", "UnstructuredGrid"));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "VTKHDF", "Version", integer, version, 2));
    SLUICE_TRY(sluice_hdf5_write_one(file, "VTKHDF/NumberOfPoints", integer, &all->points, "1"));
    SLUICE_TRY(sluice_hdf5_write_one(file, "VTKHDF/NumberOfCells", integer, &all->cells, "1"));
    SLUICE_TRY(
        sluice_hdf5_write_one(file, "VTKHDF/NumberOfConnectivityIds", integer, &corners, "1"));
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF/PointData"));
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF/CellData"));
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF/FieldData"));
    SLUICE_TRY(write_fields(file, all));
    SLUICE_TRY(write_points(file, all));
    SLUICE_TRY(write_cells(file, all));
    return write_header(file, all);
}

sluice_status sluice_body_surfaces_write(const char *path, const struct sluice_posed_body *body,
                                         int bodies, const struct sluice_snapshot_header *header)
{
    struct all all = {.body = body, .bodies = bodies, .header = header};
    struct sluice_safe_hdf5 h;
    if (sluice_world()->rank != 0)
        return SLUICE_OK;
    for (int b = 0; b < bodies; b++) {
        all.points += body[b].surface->points;
        all.cells += body[b].surface->triangles;
    }
    SLUICE_TRY(sluice_safe_hdf5_create(&h, path));
    const sluice_status status = sluice_safe_hdf5_close(&h, write_all(h.file, &all));
    return sluice_safe_hdf5_settle(&h, status);
}

/* --- The series --- */

static sluice_status read_numbers(hid_t file, int64_t *step, double *time)
{
    SLUICE_TRY(sluice_hdf5_read_numbers(file, "Header", "Step", H5T_NATIVE_INT64, step, 1));
    return sluice_hdf5_read_numbers(file, "Header", "Time", H5T_NATIVE_DOUBLE, time, 1);
}

static sluice_status read_header(const char *path, int64_t *step, double *time)
{
    hid_t file;
    SLUICE_TRY(sluice_hdf5_open(path, &file));
    const int is_ours = H5Lexists(file, "VTKHDF", H5P_DEFAULT) > 0 &&
                        H5Lexists(file, "Header", H5P_DEFAULT) > 0;
    const sluice_status status = is_ours ? read_numbers(file, step, time) : SLUICE_IO;
    H5Fclose(file);
    SLUICE_CHECK(is_ours, SLUICE_IO,
                 "%s: is HDF5, but no surfaces of Sluice: /VTKHDF or /Header is missing", path);
    return status == SLUICE_OK ? status : SLUICE_FAIL(status, "%s: %s", path, sluice_message());
}

const struct sluice_series_kind sluice_body_series = {.name = "bodies.hdf.series",
                                                      .files = &sluice_body_files,
                                                      .one = "file of bodies",
                                                      .several = "files of bodies",
                                                      .read_header = read_header};
