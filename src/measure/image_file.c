#include "measure/image_file.h"

#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/version.h"
#include "files/hdf5.h"

/* Components in the file: of a vector three, in 2-D too. */
static int components_of(const struct sluice_layout_array *a)
{
    return a->components > 1 ? 3 : 1;
}

/* ParaView 5.11 breaks on images with one layer along an axis. So such a layer stands twice, this
 * part of the least spacing apart. */
static const double flat = 1e-3;

static int is_flat(const struct sluice_places *p, int axis)
{
    return p->n[axis] == 1;
}

/* The shape of a dataset: z, y, x, and components. */
static int shape_of(const struct sluice_image_file *image, const struct sluice_layout_array *a,
                    hsize_t shape[4])
{
    for (int k = 0; k < 3; k++)
        shape[k] = is_flat(image->places, 2 - k) ? 2 : (hsize_t)image->places->n[2 - k];
    shape[3] = 3;
    return components_of(a) > 1 ? 4 : 3;
}

static sluice_status create_dataset(struct sluice_image_file *image, int k)
{
    const struct sluice_layout_array *a = &image->layout->array[k];
    char path[80];
    hsize_t shape[4];
    const int rank = shape_of(image, a, shape);
    const hid_t space = H5Screate_simple(rank, shape, NULL), layout = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER); /* every element is written */
    H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY);
    snprintf(path, sizeof path, "VTKHDF/PointData/%s", a->name);
    image->dataset[k] = H5Dcreate2(image->file.file, path,
                                   a->is_byte ? H5T_STD_U8LE : H5T_IEEE_F32LE, space, H5P_DEFAULT,
                                   layout, H5P_DEFAULT);
    H5Pclose(layout);
    H5Sclose(space);
    SLUICE_CHECK(image->dataset[k] >= 0, SLUICE_IO, "dataset '%s' cannot be created: %s", path,
                 sluice_hdf5_reason());
    SLUICE_TRY(sluice_hdf5_write_text(image->file.file, path, "units", a->unit));
    return sluice_hdf5_write_text(image->file.file, path, "description", a->what);
}

/* The group that makes it an image, and the time. There is no FieldData: of images ParaView 5.11
 * reads it as if it were PointData, and fails. */
static sluice_status write_frame(const struct sluice_image_file *image, double time, int64_t step)
{
    const struct sluice_places *p = image->places;
    const hid_t file = image->file.file, integer = H5T_NATIVE_INT64, real = H5T_NATIVE_DOUBLE;
    const int64_t version[2] = {1, 0};
    int64_t extent[6] = {0};
    double spacing[3];
    const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int a = 0; a < 3; a++) {
        extent[2 * a + 1] = is_flat(p, a) ? 1 : p->n[a] - 1;
        spacing[a] = is_flat(p, a) ? flat * fmin(p->step[0], fmin(p->step[1], p->step[2]))
                                   : p->step[a];
    }
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF"));
    SLUICE_TRY(sluice_hdf5_write_text(file, "VTKHDF", "Type", "ImageData"));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "VTKHDF", "Version", integer, version, 2));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "VTKHDF", "WholeExtent", integer, extent, 6));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "VTKHDF", "Origin", real, p->origin, 3));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "VTKHDF", "Spacing", real, spacing, 3));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "VTKHDF", "Direction", real, direction, 9));
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF/PointData"));
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF/CellData"));
    SLUICE_TRY(sluice_hdf5_create_group(file, "Header"));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", "Time", real, &time, 1));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", "Step", integer, &step, 1));
    SLUICE_TRY(sluice_hdf5_write_text(file, "Header", "Program", "sluice"));
    return sluice_hdf5_write_text(file, "Header", "Version", sluice_version.version);
}

sluice_status sluice_image_file_create(struct sluice_image_file *image, const char *path,
                                       const struct sluice_places *places,
                                       const struct sluice_measure_layout *layout, double time,
                                       int64_t step)
{
    *image = (struct sluice_image_file){.places = places, .layout = layout};
    for (int k = 0; k < SLUICE_LAYOUT_ARRAYS; k++)
        image->dataset[k] = -1;
    SLUICE_TRY(sluice_safe_hdf5_create(&image->file, path));
    sluice_status status = write_frame(image, time, step);
    for (int k = 0; k < layout->arrays && status == SLUICE_OK; k++)
        status = create_dataset(image, k);
    return status == SLUICE_OK ? status : sluice_image_file_close(image, status);
}

/* The block of an array in the file's order of numbers. */
static void fill(struct sluice_image_file *image, const struct sluice_layout_array *a,
                 int64_t count, const double *values)
{
    const int components = components_of(a), columns = image->layout->columns;
    for (int64_t i = 0; i < count; i++)
        for (int c = 0; c < components; c++)
            image->block[i * components + c] = c < a->components
                                                   ? (float)values[i * columns + a->first + c]
                                               : isnan(values[i * columns + a->first]) ? NAN
                                                                                       : 0;
}

/* Where a block lies in a dataset: its first place, and how many there are along each axis. */
struct part {
    hsize_t from[4], size[4];
};

static struct part part_of(const struct sluice_places *p, int64_t first, int64_t count)
{
    const int64_t nx = p->n[0], ny = p->n[1], row = first / nx, rows = count / nx;
    return (struct part){.from = {(hsize_t)(row / ny), (hsize_t)(row % ny), 0, 0},
                         .size = {(hsize_t)(rows < ny ? 1 : rows / ny),
                                  (hsize_t)(rows < ny ? rows : ny), (hsize_t)nx, 3}};
}

/* Writes the block into a dataset. */
static sluice_status write_part(struct sluice_image_file *image, int k, const struct part *part)
{
    hsize_t shape[4];
    const int rank = shape_of(image, &image->layout->array[k], shape);
    const hid_t there = H5Dget_space(image->dataset[k]),
                here = H5Screate_simple(rank, part->size, NULL);
    const int written = H5Sselect_hyperslab(there, H5S_SELECT_SET, part->from, NULL, part->size,
                                            NULL) >= 0 &&
                        H5Dwrite(image->dataset[k], H5T_NATIVE_FLOAT, here, there, H5P_DEFAULT,
                                 image->block) >= 0;
    H5Sclose(here);
    H5Sclose(there);
    SLUICE_CHECK(written, SLUICE_IO, "array '%s' cannot be written: %s",
                 image->layout->array[k].name, sluice_hdf5_reason());
    return SLUICE_OK;
}

/* The same, and again for the second of a flat axis' layers. */
static sluice_status write_array(struct sluice_image_file *image, int k, int64_t first,
                                 int64_t count)
{
    const struct sluice_places *p = image->places;
    for (int copy = 0; copy < 8; copy++) {
        struct part part = part_of(p, first, count);
        int exists = 1;
        for (int a = 0; a < 3; a++) {
            const int second = copy >> a & 1;
            exists &= !second || is_flat(p, a);
            part.from[2 - a] += (hsize_t)second;
        }
        if (exists)
            SLUICE_TRY(write_part(image, k, &part));
    }
    return SLUICE_OK;
}

sluice_status sluice_image_file_block(struct sluice_image_file *image, int64_t first, int64_t count,
                                      const double *values)
{
    if (count > image->capacity) {
        free(image->block);
        image->capacity = 0;
        SLUICE_ALLOCATE(image->block, 3 * count, "numbers of a layer");
        image->capacity = count;
    }
    for (int k = 0; k < image->layout->arrays; k++) {
        fill(image, &image->layout->array[k], count, values);
        SLUICE_TRY(write_array(image, k, first, count));
    }
    return SLUICE_OK;
}

sluice_status sluice_image_file_close(struct sluice_image_file *image, sluice_status outcome)
{
    for (int k = 0; k < image->layout->arrays; k++)
        if (image->dataset[k] >= 0 && H5Dclose(image->dataset[k]) < 0 && outcome == SLUICE_OK)
            outcome = SLUICE_FAIL(SLUICE_IO, "array '%s' cannot be closed: %s",
                                  image->layout->array[k].name, sluice_hdf5_reason());
    free(image->block);
    image->block = NULL;
    image->capacity = 0;
    outcome = sluice_safe_hdf5_close(&image->file, outcome);
    return outcome == SLUICE_OK ? outcome : sluice_safe_hdf5_settle(&image->file, outcome);
}
