#include "snapshots/snapshot.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "snapshots/checkpoint_digest.h"
#include "files/safe_file_hdf5.h"
#include "snapshots/snapshot_layout.h"

enum { VTK_VERTEX = 1, TOPOLOGY_COMPRESSION = 1, SLAB_ROWS = 16 * SLUICE_CHUNK_ROWS };

sluice_status sluice_snapshot_path(char *path, size_t size, const char *run_dir, int64_t number)
{
    const int length = snprintf(path, size, "%s/snap_%06lld.hdf", run_dir, (long long)number);
    SLUICE_CHECK(length >= 0 && (size_t)length < size, SLUICE_IO,
                 "%s: the path is too long; use a shorter one", run_dir);
    return SLUICE_OK;
}

void sluice_snapshot_describe(struct sluice_snapshot_header *h, const struct sluice_case *c,
                              const struct sluice_grid *g)
{
    static const char *const kernels[] = {SLUICE_SMOOTHING_KERNELS(SLUICE_CHOICE_WORD)},
                             *const equations[] = {SLUICE_EQUATIONS_OF_STATE(SLUICE_CHOICE_WORD)},
                             *const units[] = {SLUICE_UNIT_SYSTEMS(SLUICE_CHOICE_WORD)};
    const struct sluice_config *config = c->config;
    const int wcsph = config->model == SLUICE_MODEL_WCSPH;

    memset(h, 0, sizeof *h);
    h->dimension = config->dimension;
    for (int axis = 0; axis < 3; axis++) {
        h->low[axis] = g->low[axis];
        h->high[axis] = g->high[axis];
        h->periodic[axis] = g->periodic[axis];
        h->frame_width[axis] = g->width[axis];
        h->gravity[axis] = config->gravity[axis];
    }
    h->spacing = config->spacing;
    h->units = units[config->units];
    if (wcsph) {
        h->smoothing_length = c->physics.wcsph.h;
        h->rho0 = c->physics.wcsph.rho0;
        h->sound_speed = c->physics.wcsph.sound_speed;
        h->kernel = kernels[config->kernel.name];
        h->eos = equations[c->physics.wcsph.eos];
    }
    h->seed = config->thermal.used ? (uint64_t)config->thermal.seed : 0;
    h->ranks = 1;
    h->precision = config->output.precision == SLUICE_OUTPUT_DOUBLE ? 8 : 4;
    h->compression = (int)config->output.compression;
}

/* 0, 1, 2, ... (or a constant) in slabs, so that the topology needs no memory that grows with the
 * particles. */
static sluice_status write_slabs(hid_t dataset, const struct sluice_hdf5_array *array,
                                 int64_t constant)
{
    const int64_t most = array->rows < SLAB_ROWS ? array->rows : SLAB_ROWS;
    int64_t *slab = malloc((size_t)(most + 1) * sizeof *slab);
    SLUICE_CHECK(slab, SLUICE_DEVICE, "no memory to write dataset '%s'", array->name);
    sluice_status status = SLUICE_OK;
    for (int64_t first = 0; first < array->rows && status == SLUICE_OK; first += most) {
        const int64_t rows = array->rows - first < most ? array->rows - first : most;
        for (int64_t i = 0; i < rows; i++)
            slab[i] = constant >= 0 ? constant : first + i;
        status = sluice_hdf5_write_chunks(dataset, array, first, rows, slab);
    }
    free(slab);
    return status;
}

static sluice_status write_topology(hid_t group, const char *name, int64_t rows, hid_t type,
                                    int64_t constant, int threads)
{
    const struct sluice_hdf5_array array = {.name = name,
                                            .memory_type = H5T_NATIVE_INT64,
                                            .file_type = type,
                                            .rows = rows,
                                            .compression = TOPOLOGY_COMPRESSION,
                                            .unit = "1",
                                            .description = "one vertex a particle",
                                            .threads = threads};
    hid_t dataset;
    SLUICE_TRY(sluice_hdf5_create(group, &array, &dataset));
    const sluice_status status = write_slabs(dataset, &array, constant);
    H5Dclose(dataset);
    return status;
}

static sluice_status write_one(hid_t group, const char *name, hid_t type, const void *value,
                               const char *unit)
{
    const struct sluice_hdf5_array array = {.name = name,
                                            .memory_type = type,
                                            .file_type = type,
                                            .rows = 1,
                                            .data = value,
                                            .unit = unit,
                                            .description = name};
    return sluice_hdf5_write(group, &array);
}

static sluice_status write_point_data(hid_t group, const struct sluice_host_particles *p,
                                      const struct sluice_snapshot_header *h)
{
    const hid_t real = h->precision == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
                memory = H5T_NATIVE_DOUBLE;
    const int64_t n = p->count;
    const int lj = h->units != NULL && strcmp(h->units, "lj") == 0, level = h->compression,
              threads = h->threads;
    const char *mass = lj ? "1" : p->dimension == 2 ? "kg/m" : "kg";
    const struct sluice_hdf5_array arrays[] = {
        {"Velocity", memory, real, n, 3, level, threads, p->velocity, lj ? "1" : "m/s", "velocity"},
        {"Mass", memory, real, n, 0, level, threads, p->mass, mass,
         "mass (of a metre of depth in 2-D)"},
        {"ParticleType", H5T_NATIVE_UINT8, H5T_STD_U8LE, n, 0, level, threads, p->type, "1",
         "0 fluid, 1 wall"},
        {"Id", H5T_NATIVE_UINT32, H5T_STD_U64LE, n, 0, level, threads, p->id, "1",
         "identity, for life"},
        {"Density", memory, real, n, 0, level, threads, p->density, "kg/m^3", "density"},
        {"Pressure", memory, real, n, 0, level, threads, p->pressure, "Pa",
         "pressure, from the equation of state"},
        {"Phase", H5T_NATIVE_UINT8, H5T_STD_U8LE, n, 0, level, threads, p->phase, "1",
         "of fluid: 1 the first, 2 the second; 0 walls"},
        {"Shape", H5T_NATIVE_INT32, H5T_STD_I32LE, n, 0, level, threads, p->shape, "1",
         "number of the group of shapes; FieldData/ShapeNames has the names"},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        const void *data = arrays[i].data;
        if (data && (p->has_density || (data != p->density && data != p->pressure)))
            SLUICE_TRY(sluice_hdf5_write(group, &arrays[i]));
    }
    return SLUICE_OK;
}

static sluice_status write_vtkhdf(hid_t group, const struct sluice_host_particles *p,
                                  const struct sluice_snapshot_header *h)
{
    const int64_t n = p->count, version[2] = {1, 0};
    const hid_t index = n >= INT_MAX ? H5T_STD_I64LE : H5T_STD_I32LE;
    const struct sluice_hdf5_array points = {"Points",
                                             H5T_NATIVE_DOUBLE,
                                             h->precision == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE,
                                             n,
                                             3,
                                             h->compression,
                                             h->threads,
                                             p->x,
                                             h->units != NULL && strcmp(h->units, "lj") == 0 ? "1"
                                                                                             : "m",
                                             "position, without domain.frame_shift"};
    SLUICE_TRY(sluice_hdf5_attribute_text(group, "Type", "UnstructuredGrid"));
    SLUICE_TRY(sluice_hdf5_attribute_ints(group, "Version", version, 2));
    SLUICE_TRY(write_one(group, "NumberOfPoints", H5T_NATIVE_INT64, &n, "1"));
    SLUICE_TRY(write_one(group, "NumberOfCells", H5T_NATIVE_INT64, &n, "1"));
    SLUICE_TRY(write_one(group, "NumberOfConnectivityIds", H5T_NATIVE_INT64, &n, "1"));
    SLUICE_TRY(sluice_hdf5_write(group, &points));
    SLUICE_TRY(write_topology(group, "Connectivity", n, index, -1, h->threads));
    SLUICE_TRY(write_topology(group, "Offsets", n + 1, index, -1, h->threads));
    SLUICE_TRY(write_topology(group, "Types", n, H5T_STD_U8LE, VTK_VERTEX, h->threads));

    hid_t child;
    SLUICE_TRY(sluice_hdf5_create_group(group, "PointData", &child));
    sluice_status status = write_point_data(child, p, h);
    H5Gclose(child);
    SLUICE_TRY(status);
    SLUICE_TRY(sluice_hdf5_create_group(group, "CellData", &child)); /* readers want it, empty */
    H5Gclose(child);
    SLUICE_TRY(sluice_hdf5_create_group(group, "FieldData", &child));
    status = write_one(child, "TimeValue", H5T_NATIVE_DOUBLE, &h->time, "s");
    if (status == SLUICE_OK)
        status = write_one(child, "Step", H5T_NATIVE_INT64, &h->step, "1");
    if (status == SLUICE_OK && p->shape)
        status = sluice_snapshot_write_names(child, p->groups);
    H5Gclose(child);
    return status;
}

static sluice_status write_origin(hid_t group, const struct sluice_snapshot_header *h)
{
    char host[256] = "", created[32] = "", library[32];
    unsigned major = 0, minor = 0, release = 0;
    const time_t now = time(NULL);
    struct tm utc;
    H5get_libversion(&major, &minor, &release);
    snprintf(library, sizeof library, "%u.%u.%u", major, minor, release);
    gethostname(host, sizeof host - 1);
    if (gmtime_r(&now, &utc) != NULL)
        strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
    const struct {
        const char *name, *text;
    } texts[] = {{"Program", "sluice"},     {"Version", h->version},  {"GitRevision", h->revision},
                 {"Compiler", h->compiler}, {"HDF5Version", library}, {"Backend", h->backend},
                 {"Device", h->device},     {"Host", host},           {"CreatedUTC", created},
                 {"Units", h->units},       {"Kernel", h->kernel},    {"EOS", h->eos}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        SLUICE_TRY(sluice_hdf5_attribute_text(group, texts[i].name, texts[i].text));
    return SLUICE_OK;
}

static sluice_status write_header(hid_t group, const struct sluice_host_particles *p,
                                  const struct sluice_snapshot_header *h)
{
    const double size[3] = {h->high[0] - h->low[0], h->high[1] - h->low[1], h->high[2] - h->low[2]};
    const struct {
        const char *name;
        const double *values;
        int n;
    } reals[] = {{"Time", &h->time, 1},
                 {"TimeStep", &h->dt, 1},
                 {"Origin", h->low, 3},
                 {"BoxSize", size, 3},
                 {"FrameWidth", h->frame_width, 3},
                 {"Spacing", &h->spacing, 1},
                 {"SmoothingLength", &h->smoothing_length, 1},
                 {"Rho0", &h->rho0, 1},
                 {"C0", &h->sound_speed, 1},
                 {"Gravity", h->gravity, 3}};
    const int64_t dimension = h->dimension, ranks = h->ranks, seed = (int64_t)h->seed;
    const int64_t periodic[3] = {h->periodic[0], h->periodic[1], h->periodic[2]};
    const struct {
        const char *name;
        const int64_t *values;
        int n;
    } ints[] = {{"Step", &h->step, 1},
                {"Dimension", &dimension, 1},
                {"Periodic", periodic, 3},
                {"Ranks", &ranks, 1},
                {"Seed", &seed, 1},
                {"FluidCount", &p->type_count[SLUICE_FLUID], 1},
                {"WallCount", &p->type_count[SLUICE_WALL], 1}};
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        SLUICE_TRY(sluice_hdf5_attribute_reals(group, reals[i].name, reals[i].values, reals[i].n));
    for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++)
        SLUICE_TRY(sluice_hdf5_attribute_ints(group, ints[i].name, ints[i].values, ints[i].n));
    for (int i = 0; i < h->energy_count; i++) {
        char name[128];
        snprintf(name, sizeof name, "Budget.%s", h->energies[i].name);
        SLUICE_TRY(sluice_hdf5_attribute_reals(group, name, &h->energies[i].value, 1));
    }
    return write_origin(group, h);
}

/* With a digest, as every dataset of a state has it: a restart reads its configuration from here.
 */
static sluice_status write_config(hid_t file, const char *text)
{
    const int64_t bytes = (int64_t)strlen(text);
    const int64_t digest = (int64_t)sluice_digest(SLUICE_CONFIG_PATH, bytes, 0, text,
                                                  (size_t)bytes);
    const struct sluice_hdf5_array array = {.name = SLUICE_CONFIG_PATH + 1,
                                            .memory_type = H5T_NATIVE_UINT8,
                                            .file_type = H5T_STD_U8LE,
                                            .rows = bytes,
                                            .data = text,
                                            .unit = "1",
                                            .description = "the effective configuration, as text"};
    hid_t dataset;
    SLUICE_TRY(sluice_hdf5_create(file, &array, &dataset));
    const sluice_status status = sluice_hdf5_attribute_ints(dataset, "digest", &digest, 1);
    H5Dclose(dataset);
    return status;
}

sluice_status sluice_snapshot_write_visible(hid_t file, const struct sluice_host_particles *p,
                                            const struct sluice_snapshot_header *h)
{
    hid_t group;
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF", &group));
    sluice_status status = write_vtkhdf(group, p, h);
    H5Gclose(group);
    SLUICE_TRY(status);
    SLUICE_TRY(sluice_hdf5_create_group(file, "Header", &group));
    status = write_header(group, p, h);
    H5Gclose(group);
    SLUICE_TRY(status);

    return write_config(file, h->config != NULL ? h->config : "");
}

sluice_status sluice_snapshot_write(const char *path, const struct sluice_host_particles *p,
                                    const struct sluice_snapshot_header *header)
{
    struct sluice_safe_hdf5 h;
    SLUICE_TRY(sluice_safe_hdf5_create(&h, path));
    return sluice_safe_hdf5_finish(&h, sluice_snapshot_write_visible(h.file, p, header));
}
