#include "snapshots/snapshot_bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "files/hdf5.h"
#include "snapshots/snapshot_file.h"

#define GROUP  "Bodies"
#define NAMES  GROUP "/Names"
#define STATES GROUP "/States"

/* The numbers of a row of STATES, those of the struct after its name. */
enum { REALS = 17, BODIES_MAX = 1000000 };

static void copy_row(const struct sluice_snapshot_body *b, double row[REALS])
{
    memcpy(row, b->start, sizeof b->start);
    memcpy(row + 3, b->centre, sizeof b->centre);
    memcpy(row + 6, b->q, sizeof b->q);
    row[10] = b->turned;
    memcpy(row + 11, b->velocity, sizeof b->velocity);
    memcpy(row + 14, b->spin, sizeof b->spin);
}

static void take_row(const double row[REALS], struct sluice_snapshot_body *b)
{
    memcpy(b->start, row, sizeof b->start);
    memcpy(b->centre, row + 3, sizeof b->centre);
    memcpy(b->q, row + 6, sizeof b->q);
    b->turned = row[10];
    memcpy(b->velocity, row + 11, sizeof b->velocity);
    memcpy(b->spin, row + 14, sizeof b->spin);
}

static sluice_status write_states(hid_t file, const struct sluice_snapshot_body *body, int count,
                                  double (*row)[REALS], const char **name)
{
    for (int i = 0; i < count; i++) {
        copy_row(&body[i], row[i]);
        name[i] = body[i].name;
    }
    const struct sluice_hdf5_array array = {
        .path = STATES,
        .memory_type = H5T_NATIVE_DOUBLE,
        .file_type = H5T_IEEE_F64LE,
        .rows = count,
        .columns = REALS,
        .unit = "mixed",
        .description = "of each body: centre where its shapes lie (3), centre (3), quaternion (4), "
                       "angle in 2-D, velocity (3), spin (3)"};
    SLUICE_TRY(sluice_hdf5_create_group(file, GROUP));
    SLUICE_TRY(sluice_hdf5_write(file, &array, row));
    return sluice_snapshot_write_texts(file, NAMES, name, count, "the names of the bodies");
}

sluice_status sluice_snapshot_write_bodies(hid_t file, const struct sluice_snapshot_body *body,
                                           int count)
{
    double(*row)[REALS];
    if (count == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(row, count, "bodies of a snapshot");
    const char **name = calloc((size_t)count, sizeof *name);
    const sluice_status status = name
                                     ? write_states(file, body, count, row, name)
                                     : SLUICE_FAIL(SLUICE_DEVICE, "no memory for %d bodies", count);
    free(name);
    free(row);
    return status;
}

/* --- Reading --- */

static sluice_status read_states(hid_t file, struct sluice_snapshot_body *body, int count)
{
    double(*row)[REALS];
    SLUICE_ALLOCATE(row, count, "bodies of a snapshot");
    sluice_status status = sluice_hdf5_read(file, STATES, H5T_NATIVE_DOUBLE, count, REALS, row);
    for (int i = 0; i < count && status == SLUICE_OK; i++) {
        double length2 = 0;
        for (int k = 0; k < REALS; k++) {
            length2 += k >= 6 && k < 10 ? row[i][k] * row[i][k] : 0;
            if (!isfinite(row[i][k]))
                length2 = NAN;
        }
        take_row(row[i], &body[i]);
        if (!(fabs(length2 - 1) < 1e-6))
            status = SLUICE_FAIL(SLUICE_IO, "dataset '%s': row %d has numbers that cannot be",
                                 STATES, i);
    }
    free(row);
    return status;
}

static sluice_status take_names(void *data, char *const *name, int64_t n)
{
    struct sluice_snapshot_body *body = data;
    for (int64_t i = 0; i < n; i++) {
        SLUICE_CHECK(name[i] && strlen(name[i]) < sizeof body[i].name, SLUICE_IO,
                     "dataset '%s': text %lld is missing or too long", NAMES, (long long)i);
        snprintf(body[i].name, sizeof body[i].name, "%s", name[i]);
    }
    return SLUICE_OK;
}

static sluice_status read_all(hid_t file, struct sluice_snapshot_body **body, int *count)
{
    int64_t rows;
    int columns;
    SLUICE_TRY(sluice_hdf5_shape(file, STATES, &rows, &columns));
    SLUICE_CHECK(rows > 0 && rows <= BODIES_MAX && columns == REALS, SLUICE_IO,
                 "dataset '%s' is %lld x %d numbers, not up to %d x %d", STATES, (long long)rows,
                 columns, BODIES_MAX, REALS);
    SLUICE_ALLOCATE(*body, rows, "bodies of a snapshot");
    *count = (int)rows;
    SLUICE_TRY(read_states(file, *body, *count));
    return sluice_snapshot_read_texts(file, NAMES, rows, take_names, *body);
}

sluice_status sluice_snapshot_take_bodies(hid_t file, struct sluice_snapshot_body **body,
                                          int *count)
{
    *body = NULL;
    *count = -1;
    if (H5Lexists(file, GROUP, H5P_DEFAULT) <= 0)
        return SLUICE_OK;
    const sluice_status status = read_all(file, body, count);
    if (status != SLUICE_OK) {
        free(*body);
        *body = NULL;
    }
    return status;
}
