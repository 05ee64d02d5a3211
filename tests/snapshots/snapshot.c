/* test: 0.7 s */
/* Snapshots: back to the same bits, laid out as ParaView's reader wants it, and files that are not
 * ours refused with a reason. */
#include "files/hdf5_chunks.h"
#include "support/run_fixture.h"
#include "support/tap.h"

static const char *folder;

static int same_reals(const double *written, const double *read, int64_t n, int precision)
{
    for (int64_t i = 0; i < n; i++)
        if (precision == 8 ? !same_bits(&written[i], &read[i], sizeof *read)
                           : (double)(float)written[i] != read[i])
            return 0;
    return 1;
}

static void check_round_trip(int dimension, int precision, int compression, int64_t n)
{
    char path[1024];
    struct sluice_host_particles p, back = {0};
    struct sluice_snapshot_header info;
    const struct sluice_snapshot_header header = fixture_header(dimension, precision, compression);
    fixture_particles(&p, n, dimension);
    diag("%d-D, f%d, compression %d, %lld particles", dimension, precision, compression,
         (long long)n);
    snprintf(path, sizeof path, "%s/snap_%06d.hdf", folder, dimension);
    if (!ok(sluice_snapshot_write(path, &p, &header) == SLUICE_OK, "written") ||
        !ok(sluice_snapshot_read(path, &back, &info) == SLUICE_OK, "read")) {
        diag("%s", sluice_message());
        return;
    }
    is_int(back.count, n, "as many particles");
    is_int(back.type_count[SLUICE_WALL], n / 4, "as many walls");
    ok(same_reals(*p.x, *back.x, 3 * n, precision), "positions: the same bits");
    ok(same_reals(*p.velocity, *back.velocity, 3 * n, precision), "velocities: the same bits");
    ok(same_reals(p.density, back.density, n, precision), "densities: the same bits");
    ok(same_reals(p.pressure, back.pressure, n, precision), "pressures: the same bits");
    ok(same_reals(p.mass, back.mass, n, precision), "masses: the same bits");
    ok(same_bits(p.id, back.id, (size_t)n * sizeof *p.id) &&
           same_bits(p.type, back.type, (size_t)n),
       "ids and types");
    ok(info.time == header.time && info.dt == header.dt && info.step == header.step,
       "time, time step and step");
    ok(info.dimension == dimension && info.periodic[0] == 1 && info.periodic[1] == 0 &&
           info.spacing == 0.01,
       "geometry");
    ok(info.low[0] == -1 && info.high[1] == 3 && info.rho0 == 1000, "domain and density");

    hid_t file = -1;
    struct sluice_hdf5_content config = {0};
    ok(sluice_hdf5_open(path, &file) == SLUICE_OK &&
           sluice_hdf5_load(file, "/Config", &config) == SLUICE_OK,
       "the configuration can be read");
    is_str(config.data ? config.data : "", header.config, "the configuration is what was given");
    free(config.data);
    if (file >= 0)
        H5Fclose(file);
    sluice_host_particles_destroy(&p);
    sluice_host_particles_destroy(&back);
}

static int has_type(hid_t file, const char *path, hid_t type, int rank, hsize_t rows)
{
    hsize_t shape[2] = {0, 0};
    const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    if (dataset < 0)
        return 0;
    const hid_t stored = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const int fits = H5Tequal(stored, type) > 0 && H5Sget_simple_extent_ndims(space) == rank &&
                     H5Sget_simple_extent_dims(space, shape, NULL) == rank && shape[0] == rows &&
                     H5Aexists(dataset, "units") > 0 &&
                     H5Aexists(dataset, "dimensions_kg_m_s_K") > 0 &&
                     H5Aexists(dataset, "description") > 0;
    H5Sclose(space);
    H5Tclose(stored);
    H5Dclose(dataset);
    return fits;
}

enum { LAYOUT_ROWS = 70001 }; /* more than a chunk */

static void check_group(hid_t file)
{
    char text[17] = "";
    int64_t version[2] = {0, 0};
    const hid_t group = H5Gopen2(file, "VTKHDF", H5P_DEFAULT);
    const hid_t attribute = H5Aopen(group, "Type", H5P_DEFAULT), type = H5Aget_type(attribute);
    is_int(H5Tget_size(type), 16, "Type has length 16");
    ok(H5Tget_strpad(type) == H5T_STR_NULLPAD && H5Tget_cset(type) == H5T_CSET_ASCII,
       "Type is padded ASCII");
    H5Aread(attribute, type, text);
    is_str(text, "UnstructuredGrid", "Type");
    H5Tclose(type);
    H5Aclose(attribute);
    const hid_t version_attribute = H5Aopen(group, "Version", H5P_DEFAULT);
    H5Aread(version_attribute, H5T_NATIVE_INT64, version);
    ok(version[0] == 1 && version[1] == 0, "Version is 1, 0");
    H5Aclose(version_attribute);
    ok(sluice_hdf5_read_numbers(file, "VTKHDF", "Type", H5T_NATIVE_INT64, version, 1) ==
               SLUICE_IO &&
           strstr(sluice_message(), "'Type' is no number or cannot be read"),
       "a text is no number: %s", sluice_message());
    ok(sluice_hdf5_read_numbers(file, "VTKHDF", "Version", H5T_NATIVE_INT64, version, 1) ==
               SLUICE_IO &&
           strstr(sluice_message(), "'Version' has 2 values, not 1"),
       "two numbers are not one: %s", sluice_message());
    ok(H5Lexists(group, "CellData", H5P_DEFAULT) > 0, "CellData is there");
    H5Gclose(group);
}

static void check_offsets(hid_t file)
{
    int32_t *offsets = malloc((LAYOUT_ROWS + 1) * sizeof *offsets);
    const hid_t dataset = H5Dopen2(file, "VTKHDF/Offsets", H5P_DEFAULT);
    H5Dread(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, offsets);
    int64_t wrong = 0;
    for (int32_t i = 0; i <= LAYOUT_ROWS; i++)
        wrong += offsets[i] != i;
    is_int(wrong, 0, "Offsets count up from 0 to N");
    H5Dclose(dataset);
    free(offsets);
}

static void check_dimensions(hid_t file)
{
    double exponents[4];
    const hid_t density = H5Dopen2(file, "VTKHDF/PointData/Density", H5P_DEFAULT);
    const hid_t dimensions = H5Aopen(density, "dimensions_kg_m_s_K", H5P_DEFAULT);
    H5Aread(dimensions, H5T_NATIVE_DOUBLE, exponents);
    ok(exponents[0] == 1 && exponents[1] == -3 && exponents[2] == 0 && exponents[3] == 0,
       "the density is kg m^-3");
    H5Aclose(dimensions);
    H5Dclose(density);
}

/* The layout with HDF5's own calls, as VTK's reader has it. */
static void check_layout(void)
{
    const hsize_t n = LAYOUT_ROWS;
    const struct {
        const char *path;
        hid_t type;
        int rank;
        hsize_t rows;
    } datasets[] = {
        {"VTKHDF/NumberOfPoints", H5T_STD_I64LE, 1, 1},
        {"VTKHDF/NumberOfCells", H5T_STD_I64LE, 1, 1},
        {"VTKHDF/NumberOfConnectivityIds", H5T_STD_I64LE, 1, 1},
        {"VTKHDF/Points", H5T_IEEE_F32LE, 2, n},
        {"VTKHDF/Connectivity", H5T_STD_I32LE, 1, n},
        {"VTKHDF/Offsets", H5T_STD_I32LE, 1, n + 1},
        {"VTKHDF/Types", H5T_STD_U8LE, 1, n},
        {"VTKHDF/PointData/Id", H5T_STD_U64LE, 1, n},
        {"VTKHDF/PointData/Velocity", H5T_IEEE_F32LE, 2, n},
        {"VTKHDF/PointData/ParticleType", H5T_STD_U8LE, 1, n},
        {"VTKHDF/FieldData/TimeValue", H5T_IEEE_F64LE, 1, 1}, /* never a scalar */
        {"VTKHDF/FieldData/Step", H5T_STD_I64LE, 1, 1},
    };
    char path[1024];
    struct sluice_host_particles p;
    const struct sluice_snapshot_header header = fixture_header(3, 4, 1);
    fixture_particles(&p, LAYOUT_ROWS, 3);
    snprintf(path, sizeof path, "%s/layout.hdf", folder);
    ok(sluice_snapshot_write(path, &p, &header) == SLUICE_OK, "a snapshot of more than one chunk");
    sluice_host_particles_destroy(&p);

    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    check_group(file);
    for (size_t k = 0; k < sizeof datasets / sizeof datasets[0]; k++)
        ok(has_type(file, datasets[k].path, datasets[k].type, datasets[k].rank, datasets[k].rows),
           "%s: type, rank, rows and attributes", datasets[k].path);
    check_offsets(file);
    check_dimensions(file);
    H5Fclose(file);
}

enum { CHUNKS_ROWS = 3 * SLUICE_CHUNK_ROWS + 7, CHUNKS_THREADS = 3 };

/* Chunks compressed by threads are those of HDF5's own filters, to the byte. */
static void check_chunks(int columns, hid_t type)
{
    const int64_t values = (int64_t)CHUNKS_ROWS * (columns > 0 ? columns : 1);
    double *data = malloc((size_t)values * sizeof *data);
    uint64_t seed = 5;
    for (int64_t i = 0; i < values; i++)
        data[i] = (double)(i / 100) + fixture_random(&seed) / 64;
    char path[1024];
    snprintf(path, sizeof path, "%s/chunks.hdf", folder);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const struct sluice_hdf5_array array = {.path = "theirs",
                                            .memory_type = H5T_NATIVE_DOUBLE,
                                            .file_type = type,
                                            .rows = CHUNKS_ROWS,
                                            .columns = columns,
                                            .compression = 4};
    const struct sluice_hdf5_rows rows = {.count = CHUNKS_ROWS, .data = data};
    hid_t dataset;
    int64_t offset;
    int count;
    struct sluice_chunks *chunks;
    is_int(sluice_hdf5_create(file, &array, &dataset, &offset), SLUICE_OK, "created");
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    is_int(sluice_chunks_create(&chunks, &array, CHUNKS_ROWS, CHUNKS_THREADS), SLUICE_OK,
           "threads to pack");
    const size_t room = 2 * SLUICE_CHUNK_ROWS * 3 * sizeof *data;
    unsigned char *theirs = malloc(room);
    for (hsize_t first = 0; first < CHUNKS_ROWS;) {
        is_int(sluice_chunks_pack(chunks, &rows, (int64_t)first, &count), SLUICE_OK, "packed");
        ok(count > 0 && count <= CHUNKS_THREADS, "%d chunks at once", count);
        for (int t = 0; t < count; t++, first += SLUICE_CHUNK_ROWS) {
            const hsize_t at[2] = {first, 0};
            hsize_t size = 0;
            size_t bytes;
            uint32_t mask = 9;
            const void *ours = sluice_chunks_packed(chunks, t, &bytes);
            if (H5Dget_chunk_storage_size(dataset, at, &size) >= 0 && size <= room)
                H5Dread_chunk(dataset, H5P_DEFAULT, at, &mask, theirs);
            ok(size > 0 && size == bytes && mask == 0 && memcmp(ours, theirs, size) == 0,
               "the chunk from row %lld on is HDF5's own, %lld bytes", (long long)first,
               (long long)size);
        }
        if (count == 0)
            break;
    }
    sluice_chunks_destroy(&chunks);
    free(theirs);
    H5Dclose(dataset);
    H5Fclose(file);
    free(data);
}

static void check_refused(const char *path, const char *reason)
{
    struct sluice_host_particles p = {0};
    struct sluice_snapshot_header info;
    is_int(sluice_snapshot_read(path, &p, &info), SLUICE_IO, reason);
    ok(strstr(sluice_message(), path) != NULL && strstr(sluice_message(), reason) != NULL,
       "says so: %s", sluice_message());
    sluice_host_particles_destroy(&p);
}

/* Writes one number over the first of PointData/Shape. */
static void set_first_shape(const char *path, int32_t value)
{
    const hsize_t one = 1, first = 0;
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT),
                dataset = H5Dopen2(file, "VTKHDF/PointData/Shape", H5P_DEFAULT),
                there = H5Dget_space(dataset), here = H5Screate_simple(1, &one, NULL);
    H5Sselect_hyperslab(there, H5S_SELECT_SET, &first, NULL, &one, NULL);
    H5Dwrite(dataset, H5T_NATIVE_INT32, here, there, H5P_DEFAULT, &value);
    H5Sclose(here);
    H5Sclose(there);
    H5Dclose(dataset);
    H5Fclose(file);
}

/* Names and numbers of groups come back; a number without a name and names that are missing are
 * refused. */
static void check_groups(void)
{
    enum { N = 40 };
    static const char *const name[] = {"water", "sl\xC3\xB6pe 1", "piston"};
    char path[1024];
    struct sluice_host_particles p, back = {0};
    struct sluice_snapshot_header info;
    struct sluice_groups groups = {0};
    const struct sluice_snapshot_header header = fixture_header(2, 4, 1);
    int group, wrong = 0;
    fixture_particles(&p, N, 2);
    for (int k = 0; k < 3; k++)
        if (sluice_groups_add(&groups, name[k], SLUICE_WALL, &group) != SLUICE_OK)
            abort();
    p.groups = &groups;
    p.shape = malloc(N * sizeof *p.shape);
    for (int i = 0; i < N; i++)
        p.shape[i] = i % 3;
    snprintf(path, sizeof path, "%s/groups.hdf", folder);
    is_int(sluice_snapshot_write(path, &p, &header), SLUICE_OK, "groups are written");
    if (!is_int(sluice_snapshot_read(path, &back, &info), SLUICE_OK, "and read"))
        diag("%s", sluice_message());
    ok(same_bits(p.shape, back.shape, N * sizeof *p.shape), "the same numbers");
    is_int(back.groups ? back.groups->count : 0, 3, "as many names");
    for (int k = 0; k < 3 && back.groups; k++)
        wrong += strcmp(back.groups->group[k].name, name[k]) != 0;
    is_int(wrong, 0, "the same names");
    sluice_host_particles_destroy(&back);

    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    ok(has_type(file, "VTKHDF/PointData/Shape", H5T_STD_I32LE, 1, N), "Shape is i4");
    const hid_t names = H5Dopen2(file, "VTKHDF/FieldData/ShapeNames", H5P_DEFAULT),
                type = H5Dget_type(names);
    ok(H5Tis_variable_str(type) > 0 && H5Tget_cset(type) == H5T_CSET_ASCII,
       "names are of variable length and ASCII, or VTK does not read them");
    H5Tclose(type);
    H5Dclose(names);
    H5Fclose(file);

    set_first_shape(path, 3);
    check_refused(path, "is of shape 3, there are 3 names");
    set_first_shape(path, -1);
    check_refused(path, "is of shape -1, there are 3 names");
    const hid_t open = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(open, "VTKHDF/FieldData/ShapeNames", H5P_DEFAULT);
    H5Fclose(open);
    check_refused(path, "'VTKHDF/FieldData/ShapeNames' is missing");
    sluice_groups_destroy(&groups);
    sluice_host_particles_destroy(&p);
}

static void check_foreign(void)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/missing.hdf", folder);
    check_refused(path, "No such file");

    snprintf(path, sizeof path, "%s/text.hdf", folder);
    FILE *out = fopen(path, "w");
    fputs("x,y,z\n", out);
    fclose(out);
    check_refused(path, "is no HDF5 file");

    snprintf(path, sizeof path, "%s/other.hdf", folder);
    H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    check_refused(path, "is HDF5, but no snapshot of Sluice");

    snprintf(path, sizeof path, "%s/snap_000002.hdf", folder);
    if (truncate(path, 3000) != 0)
        diag("cannot truncate %s", path);
    check_refused(path, "cut off");

    snprintf(path, sizeof path, "%s/layout.hdf", folder);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "VTKHDF/PointData/Velocity", H5P_DEFAULT);
    H5Fclose(file);
    check_refused(path, "Velocity' is missing");
}

/* Without density there is no pressure either, and none is invented. */
static void check_without_density(void)
{
    char path[1024];
    struct sluice_host_particles p, back = {0};
    struct sluice_snapshot_header info;
    struct sluice_snapshot_header header = fixture_header(3, 8, 0);
    header.units = "lj";
    header.kernel = header.eos = NULL;
    fixture_particles(&p, 10, 3);
    p.has_density = 0;
    snprintf(path, sizeof path, "%s/lj.hdf", folder);
    ok(sluice_snapshot_write(path, &p, &header) == SLUICE_OK, "a snapshot without densities");
    ok(sluice_snapshot_read(path, &back, &info) == SLUICE_OK && back.has_density == 0,
       "is read without densities");
    is_str(info.units, "lj", "units");
    sluice_host_particles_destroy(&p);
    sluice_host_particles_destroy(&back);
}

/* The collector: frame and offset to coordinates, without the shift; wall densities from the record
 * EOS. */
static void check_collect(int dimension, int real_bytes)
{
    struct fixture_run plain, shifted;
    struct sluice_host_particles a = {0}, b = {0};
    const struct wcsph_params params = {.dimension = dimension,
                                        .rho0 = 1000,
                                        .sound_speed = 10,
                                        .eos = SLUICE_EOS_LINEAR,
                                        .gamma = 7};
    const struct sluice_matter matter = {.water = &params};
    fixture_run_create(&plain, dimension, real_bytes, 500, 100, 0);
    fixture_run_create(&shifted, dimension, real_bytes, 500, 100, 1000000);
    fixture_run_fill(&plain, 9);
    fixture_run_fill(&shifted, 9);
    ok(sluice_host_particles_collect(&a, &plain.backend, &plain.grid, plain.sets, 2, &matter) ==
           SLUICE_OK,
       "collected");
    ok(sluice_host_particles_collect(&b, &shifted.backend, &shifted.grid, shifted.sets, 2,
                                     &matter) == SLUICE_OK,
       "collected from shifted frames");
    ok(same_bits(a.x, b.x, 600 * sizeof *a.x),
       "a shift of the frames changes no bit of a coordinate");
    uint64_t seed = 9;
    double worst = 0;
    for (int64_t i = 0; i < 600; i++) {
        const double x[3] = {-1 + 3 * fixture_random(&seed), 3 * fixture_random(&seed),
                             0.5 + 4 * fixture_random(&seed)};
        for (int c = 0; c < dimension; c++)
            worst = fmax(worst, fabs(a.x[i][c] - x[c]));
    }
    is_close(worst, 0, real_bytes == 4 ? 1e-7 : 1e-15,
             "coordinates are those that were placed"); /* rounding of an offset */
    const double r = real_bytes == 4 ? (double)((float *)plain.set[0].field[SLUICE_FIELD_SCALAR])[7]
                                     : ((double *)plain.set[0].field[SLUICE_FIELD_SCALAR])[7];
    is_close(a.density[7], 1000 * (1 + r), 1e-12 * 2000, "density of the fluid");
    is_close(a.pressure[7], 1e5 * r, 1e-9, "pressure of the fluid");
    ok(a.type[499] == SLUICE_FLUID && a.type[500] == SLUICE_WALL && a.velocity[550][0] == 0,
       "walls follow, at rest");
    sluice_host_particles_destroy(&a);
    sluice_host_particles_destroy(&b);
    fixture_run_destroy(&plain);
    fixture_run_destroy(&shifted);
}

int main(void)
{
    folder = fixture_folder();
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int precision = 4; precision <= 8; precision += 4)
            for (int compression = 0; compression <= 1; compression++)
                check_round_trip(dimension, precision, compression, 1001);
    check_round_trip(3, 4, 1, 0);
    check_round_trip(2, 8, 9, 1);
    check_layout();
    check_chunks(3, H5T_IEEE_F32LE);
    check_chunks(0, H5T_IEEE_F64LE);
    check_groups();
    check_foreign();
    check_without_density();
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            check_collect(dimension, real_bytes);
    fixture_remove(folder);
    return done_testing();
}
