#include "files/hdf5.h"

#include <string.h>

#include "files/safe_file_hdf5.h"

enum { CONVERTED_BLOCK = 1 << 15 }; /* numbers that a thread converts at once */

/* Exponents of kg, m, s, K in a unit; zeros for pure numbers. */
static void find_dimensions(const char *unit, double exponents[4])
{
    static const struct {
        const char *unit;
        double exponents[4]; /* kg, m, s, K */
    } known[] = {
        {"kg", {1, 0, 0, 0}},   {"kg/m", {1, -1, 0, 0}},   {"m", {0, 1, 0, 0}},
        {"s", {0, 0, 1, 0}},    {"m/s", {0, 1, -1, 0}},    {"m/s^2", {0, 1, -2, 0}},
        {"1/s", {0, 0, -1, 0}}, {"kg/m^3", {1, -3, 0, 0}}, {"Pa", {1, -1, -2, 0}},
        {"J", {1, 2, -2, 0}},   {"J/m", {1, 1, -2, 0}},    {"W", {1, 2, -3, 0}},
        {"W/m", {1, 1, -3, 0}}, {"kg m/s", {1, 1, -1, 0}}, {"kg m^2/s", {1, 2, -1, 0}},
        {"K", {0, 0, 0, 1}},
    };
    memset(exponents, 0, 4 * sizeof *exponents);
    for (size_t i = 0; unit != NULL && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(unit, known[i].unit) == 0)
            memcpy(exponents, known[i].exponents, sizeof known[i].exponents);
}

static sluice_status write_attribute(hid_t file, const char *object, const char *name, hid_t type,
                                     hid_t space, const void *value)
{
    const hid_t attribute = H5Acreate_by_name(file, object, name, type, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT);
    const int written = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    SLUICE_CHECK(written, sluice_hdf5_error(), "attribute '%s' of '%s' cannot be written: %s", name,
                 object, sluice_hdf5_reason());
    return SLUICE_OK;
}

sluice_status sluice_hdf5_write_text(hid_t file, const char *object, const char *name,
                                     const char *text)
{
    if (text == NULL)
        return SLUICE_OK;
    const size_t length = strlen(text);
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, length > 0 ? length : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    const sluice_status status = write_attribute(file, object, name, type, space, text);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

sluice_status sluice_hdf5_write_numbers(hid_t file, const char *object, const char *name,
                                        hid_t type, const void *values, int n)
{
    const hsize_t size = (hsize_t)n;
    const hid_t space = n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, NULL);
    const sluice_status status = write_attribute(file, object, name, type, space, values);
    H5Sclose(space);
    return status;
}

static int is_compressed(const struct sluice_hdf5_array *array)
{
    return array->compression > 0 && array->rows > 0;
}

static hid_t layout_of(const struct sluice_hdf5_array *array)
{
    const hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    if (H5Tis_variable_str(array->file_type) <= 0)     /* these need a fill value */
        H5Pset_fill_time(layout, H5D_FILL_TIME_NEVER); /* every element is written */
    if (is_compressed(array)) {
        const hsize_t rows = (hsize_t)(array->rows < SLUICE_CHUNK_ROWS ? array->rows
                                                                       : SLUICE_CHUNK_ROWS);
        const hsize_t chunk[2] = {rows, (hsize_t)array->columns};
        H5Pset_chunk(layout, array->columns > 0 ? 2 : 1, chunk);
        H5Pset_shuffle(layout);
        H5Pset_deflate(layout, (unsigned)array->compression);
    } else {
        H5Pset_alloc_time(layout, H5D_ALLOC_TIME_EARLY);
    }
    return layout;
}

static sluice_status create_dataset(hid_t file, const struct sluice_hdf5_array *array,
                                    hid_t *dataset)
{
    const hsize_t shape[2] = {(hsize_t)array->rows, (hsize_t)array->columns};
    const hid_t space = H5Screate_simple(array->columns > 0 ? 2 : 1, shape, NULL),
                layout = layout_of(array);
    *dataset = H5Dcreate2(file, array->path, array->file_type, space, H5P_DEFAULT, layout,
                          H5P_DEFAULT);
    H5Pclose(layout);
    H5Sclose(space);
    SLUICE_CHECK(*dataset >= 0, sluice_hdf5_error(), "dataset '%s' cannot be created: %s",
                 array->path, sluice_hdf5_reason());
    return SLUICE_OK;
}

sluice_status sluice_hdf5_create(hid_t file, const struct sluice_hdf5_array *array, hid_t *dataset,
                                 int64_t *offset)
{
    double exponents[4];
    find_dimensions(array->unit, exponents);
    SLUICE_TRY(create_dataset(file, array, dataset));
    *offset = (int64_t)H5Dget_offset(*dataset);
    SLUICE_TRY(sluice_hdf5_write_text(file, array->path, "units", array->unit));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, array->path, "dimensions_kg_m_s_K",
                                         H5T_NATIVE_DOUBLE, exponents, 4));
    return sluice_hdf5_write_text(file, array->path, "description", array->description);
}

sluice_status sluice_hdf5_write(hid_t file, const struct sluice_hdf5_array *array, const void *data)
{
    hid_t dataset;
    int64_t offset;
    SLUICE_TRY(sluice_hdf5_create(file, array, &dataset, &offset));
    SLUICE_CHECK(array->rows == 0 || H5Dwrite(dataset, array->memory_type, H5S_ALL, H5S_ALL,
                                              H5P_DEFAULT, data) >= 0,
                 sluice_hdf5_error(), "dataset '%s' cannot be written: %s", array->path,
                 sluice_hdf5_reason());
    SLUICE_CHECK(H5Dclose(dataset) >= 0, sluice_hdf5_error(), "dataset '%s' cannot be closed: %s",
                 array->path, sluice_hdf5_reason());
    return SLUICE_OK;
}

sluice_status sluice_hdf5_write_one(hid_t file, const char *path, hid_t type, const void *value,
                                    const char *unit)
{
    const struct sluice_hdf5_array array = {.path = path,
                                            .memory_type = type,
                                            .file_type = type,
                                            .rows = 1,
                                            .unit = unit,
                                            .description = strrchr(path, '/') + 1};
    return sluice_hdf5_write(file, &array, value);
}

size_t sluice_hdf5_row_bytes(const struct sluice_hdf5_array *array, hid_t type)
{
    return (size_t)(array->columns > 0 ? array->columns : 1) * H5Tget_size(type);
}

int sluice_hdf5_is_verbatim(const struct sluice_hdf5_array *array)
{
    return H5Tequal(array->memory_type, array->file_type) > 0;
}

/* The conversions of snapshots, which take HDF5 several times as long. */
struct conversion {
    const void *from;
    void *to;
    int64_t n;
};

static void to_floats(struct sluice_share *share, void *data)
{
    const struct conversion *c = data;
    const double *in = c->from;
    float *out = c->to;
    int64_t i, last;
    while (sluice_share_block(share, c->n, CONVERTED_BLOCK, &i, &last))
        for (; i < last; i++)
            out[i] = (float)in[i];
}

static void to_long_ids(struct sluice_share *share, void *data)
{
    const struct conversion *c = data;
    const uint32_t *in = c->from;
    uint64_t *out = c->to;
    int64_t i, last;
    while (sluice_share_block(share, c->n, CONVERTED_BLOCK, &i, &last))
        for (; i < last; i++)
            out[i] = in[i];
}

/* Returns 0 for other conversions. */
static int convert_known(struct sluice_threads *team, const struct sluice_hdf5_array *array,
                         const void *from, size_t n, void *to)
{
    struct conversion c = {from, to, (int64_t)n};
    sluice_loop *convert = NULL;
    if (H5Tequal(array->memory_type, H5T_NATIVE_DOUBLE) > 0 &&
        H5Tequal(array->file_type, H5T_NATIVE_FLOAT) > 0)
        convert = to_floats;
    if (H5Tequal(array->memory_type, H5T_NATIVE_UINT32) > 0 &&
        H5Tequal(array->file_type, H5T_NATIVE_UINT64) > 0)
        convert = to_long_ids;
    if (convert)
        sluice_threads_run(team, sluice_blocks(c.n, CONVERTED_BLOCK), convert, &c);
    return convert != NULL;
}

sluice_status sluice_hdf5_convert(struct sluice_threads *team,
                                  const struct sluice_hdf5_array *array,
                                  const struct sluice_hdf5_rows *rows, int64_t first, int64_t count,
                                  void *to)
{
    const size_t row = sluice_hdf5_row_bytes(array, array->memory_type),
                 elements = (size_t)count * (size_t)(array->columns > 0 ? array->columns : 1);
    const char *from = rows->data ? (const char *)rows->data + (size_t)(first - rows->first) * row
                                  : NULL;
    if (!from)
        rows->fill(to, first, count);
    else if (convert_known(team, array, from, elements, to))
        return SLUICE_OK;
    else
        memcpy(to, from, (size_t)count * row);
    SLUICE_CHECK(
        H5Tconvert(array->memory_type, array->file_type, elements, to, NULL, H5P_DEFAULT) >= 0,
        sluice_hdf5_error(), "dataset '%s' cannot be converted: %s", array->path,
        sluice_hdf5_reason());
    return SLUICE_OK;
}

sluice_status sluice_hdf5_create_group(hid_t file, const char *path)
{
    const hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    SLUICE_CHECK(group >= 0, sluice_hdf5_error(), "group '%s' cannot be created: %s", path,
                 sluice_hdf5_reason());
    H5Gclose(group);
    return SLUICE_OK;
}
