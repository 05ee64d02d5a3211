#include "snapshots/snapshot.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/allocate.h"
#include "files/hdf5.h"
#include "snapshots/checkpoint_digest.h"
#include "snapshots/shared_file.h"
#include "snapshots/snapshot_file.h"

enum { VTK_VERTEX = 1, TOPOLOGY_COMPRESSION = 1 };

/* --- Arrays --- */

static int is_lj(const struct sluice_snapshot_header *h)
{
    return h->units != NULL && strcmp(h->units, "lj") == 0;
}

/* The rows of a file, and those of this rank. */
struct extent {
    int64_t first, count, all;
    int64_t of_type[SLUICE_TYPE_COUNT]; /* in the file */
};

/* Collective: the slices of the ranks follow one another. */
static sluice_status find_extent(struct sluice_comm *comm, const struct sluice_host_particles *p,
                                 struct extent *e)
{
    int64_t *to;
    SLUICE_ALLOCATE(to, 2 * comm->size, "counts of messages");
    for (int r = 0; r < comm->size; r++)
        to[r] = p->count;
    sluice_status status = comm->ops->counts(comm, to, to + comm->size);
    *e = (struct extent){.count = p->count};
    for (int r = 0; r < comm->size; r++) {
        e->first += r < comm->rank ? to[comm->size + r] : 0;
        e->all += to[comm->size + r];
    }
    memcpy(e->of_type, p->type_count, sizeof e->of_type);
    if (status == SLUICE_OK)
        status = comm->ops->sum(comm, e->of_type, SLUICE_TYPE_COUNT);
    free(to);
    return status;
}

static sluice_status write_array(struct sluice_shared_file *f, int k,
                                 const struct sluice_host_particles *p, const struct extent *e,
                                 const struct sluice_snapshot_header *h)
{
    const struct sluice_snapshot_array a = sluice_snapshot_array(k);
    const hid_t real = h->precision == 8 ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
    const hid_t types[][2] = {{H5T_NATIVE_DOUBLE, real},
                              {H5T_NATIVE_UINT8, H5T_STD_U8LE},
                              {SLUICE_ID_HDF5, H5T_STD_U64LE},
                              {H5T_NATIVE_INT32, H5T_STD_I32LE}};
    const char *unit = p->dimension == 2 && strcmp(a.unit, "kg") == 0 ? "kg/m" : a.unit;
    const struct sluice_hdf5_array array = {.path = a.path,
                                            .memory_type = types[a.type][0],
                                            .file_type = types[a.type][1],
                                            .rows = e->all,
                                            .columns = a.columns,
                                            .compression = h->compression,
                                            .unit = is_lj(h) ? "1" : unit,
                                            .description = a.description};
    const struct sluice_hdf5_rows rows = {
        .first = e->first, .count = e->count, .data = sluice_snapshot_array_data(p, &a)};
    if (!rows.data || (a.presence == SLUICE_WITH_DENSITY && !p->has_density))
        return SLUICE_OK;
    return sluice_shared_write(f, &array, &rows, h->threads);
}

static void count_rows(void *rows, int64_t first, int64_t count)
{
    int64_t *number = rows;
    for (int64_t i = 0; i < count; i++)
        number[i] = first + i;
}

/* The same, of a file with fewer rows than INT_MAX. */
static void count_few_rows(void *rows, int64_t first, int64_t count)
{
    int32_t *number = rows;
    for (int64_t i = 0; i < count; i++)
        number[i] = (int32_t)(first + i);
}

static void fill_vertices(void *rows, int64_t first, int64_t count)
{
    (void)first;
    memset(rows, VTK_VERTEX, (size_t)count);
}

/* Connectivity, offsets and types: one vertex a particle. Offsets have one row more, in the last
 * slice that has rows. */
static sluice_status write_topology(struct sluice_shared_file *f, const struct extent *e,
                                    int threads)
{
    const int many = e->all >= INT_MAX;
    struct sluice_hdf5_array array = {.path = "VTKHDF/Connectivity",
                                      .memory_type = many ? H5T_NATIVE_INT64 : H5T_NATIVE_INT32,
                                      .file_type = many ? H5T_STD_I64LE : H5T_STD_I32LE,
                                      .rows = e->all,
                                      .compression = TOPOLOGY_COMPRESSION,
                                      .unit = "1",
                                      .description = "one vertex a particle"};
    struct sluice_hdf5_rows rows = {
        .first = e->first, .count = e->count, .fill = many ? count_rows : count_few_rows};
    SLUICE_TRY(sluice_shared_write(f, &array, &rows, threads));
    array.path = "VTKHDF/Offsets";
    array.rows++;
    rows.count += e->first + e->count == e->all && (e->count > 0 || f->comm->rank == 0);
    SLUICE_TRY(sluice_shared_write(f, &array, &rows, threads));
    array = (struct sluice_hdf5_array){.path = "VTKHDF/Types",
                                       .memory_type = H5T_NATIVE_UINT8,
                                       .file_type = H5T_STD_U8LE,
                                       .rows = e->all,
                                       .compression = TOPOLOGY_COMPRESSION,
                                       .unit = "1",
                                       .description = "one vertex a particle"};
    rows = (struct sluice_hdf5_rows){.first = e->first, .count = e->count, .fill = fill_vertices};
    return sluice_shared_write(f, &array, &rows, threads);
}

/* The groups and the small datasets. */
static sluice_status write_vtkhdf(hid_t file, const struct sluice_host_particles *p, int64_t n,
                                  const struct sluice_snapshot_header *h)
{
    const int64_t version[2] = {1, 0};
    const hid_t integer = H5T_NATIVE_INT64;
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF"));
    SLUICE_TRY(sluice_hdf5_write_text(file, "VTKHDF", "Type", "UnstructuredGrid"));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "VTKHDF", "Version", integer, version, 2));
    SLUICE_TRY(sluice_hdf5_write_one(file, "VTKHDF/NumberOfPoints", integer, &n, "1"));
    SLUICE_TRY(sluice_hdf5_write_one(file, "VTKHDF/NumberOfCells", integer, &n, "1"));
    SLUICE_TRY(sluice_hdf5_write_one(file, "VTKHDF/NumberOfConnectivityIds", integer, &n, "1"));
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF/PointData"));
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF/CellData")); /* readers need it, empty */
    SLUICE_TRY(sluice_hdf5_create_group(file, "VTKHDF/FieldData"));
    SLUICE_TRY(sluice_hdf5_write_one(file, "VTKHDF/FieldData/TimeValue", H5T_NATIVE_DOUBLE,
                                     &h->time, "s"));
    SLUICE_TRY(sluice_hdf5_write_one(file, "VTKHDF/FieldData/Step", integer, &h->step, "1"));
    return p->shape ? sluice_snapshot_write_names(file, p->groups) : SLUICE_OK;
}

/* --- Header and configuration --- */

/* Which program wrote the file, where and when. */
static sluice_status write_origin(hid_t file, const struct sluice_snapshot_header *h)
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
        SLUICE_TRY(sluice_hdf5_write_text(file, "Header", texts[i].name, texts[i].text));
    return SLUICE_OK;
}

static sluice_status write_header(hid_t file, const int64_t of_type[SLUICE_TYPE_COUNT],
                                  const struct sluice_snapshot_header *h)
{
    const double size[3] = {h->high[0] - h->low[0], h->high[1] - h->low[1], h->high[2] - h->low[2]};
    SLUICE_TRY(sluice_hdf5_create_group(file, "Header"));
    for (const struct sluice_header_number *n = sluice_header_numbers;
         n < sluice_header_numbers + SLUICE_HEADER_NUMBERS; n++)
        SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", n->name, sluice_header_type(n),
                                             (const char *)h + n->member, n->count));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", "BoxSize", H5T_NATIVE_DOUBLE, size, 3));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", "FluidCount", H5T_NATIVE_INT64,
                                         &of_type[SLUICE_FLUID], 1));
    SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", "WallCount", H5T_NATIVE_INT64,
                                         &of_type[SLUICE_WALL], 1));
    for (int i = 0; i < h->energy_count; i++) {
        char name[128];
        snprintf(name, sizeof name, "Budget.%s", h->energies[i].name);
        SLUICE_TRY(sluice_hdf5_write_numbers(file, "Header", name, H5T_NATIVE_DOUBLE,
                                             &h->energies[i].value, 1));
    }
    return write_origin(file, h);
}

/* A restart reads its configuration from here, so it has a digest as the datasets of a state. */
static sluice_status write_config(hid_t file, const char *text)
{
    const int64_t bytes = (int64_t)strlen(text);
    const int64_t digest = (int64_t)sluice_digest(SLUICE_CONFIG_PATH, bytes, 0, text,
                                                  (size_t)bytes);
    const struct sluice_hdf5_array array = {.path = SLUICE_CONFIG_PATH,
                                            .memory_type = H5T_NATIVE_UINT8,
                                            .file_type = H5T_STD_U8LE,
                                            .rows = bytes,
                                            .unit = "1",
                                            .description = "the effective configuration, as text"};
    SLUICE_TRY(sluice_hdf5_write(file, &array, text));
    return sluice_hdf5_write_numbers(file, SLUICE_CONFIG_PATH, "digest", H5T_NATIVE_INT64, &digest,
                                     1);
}

/* By the first rank. */
static sluice_status write_frame(hid_t file, const struct sluice_host_particles *p,
                                 const struct extent *e, const struct sluice_snapshot_header *h)
{
    SLUICE_TRY(write_vtkhdf(file, p, e->all, h));
    SLUICE_TRY(write_header(file, e->of_type, h));
    SLUICE_TRY(sluice_snapshot_write_bodies(file, h->body, h->bodies));
    return write_config(file, h->config != NULL ? h->config : "");
}

sluice_status sluice_snapshot_write_visible(struct sluice_shared_file *f,
                                            const struct sluice_host_particles *p,
                                            const struct sluice_snapshot_header *h)
{
    struct extent e;
    const hid_t file = sluice_shared_hdf5(f);
    SLUICE_TRY(find_extent(f->comm, p, &e));
    SLUICE_TRY(
        sluice_comm_first_failure(f->comm, file >= 0 ? write_frame(file, p, &e, h) : SLUICE_OK));
    SLUICE_TRY(write_topology(f, &e, h->threads));
    for (int k = 0; k < SLUICE_SNAPSHOT_ARRAYS; k++)
        SLUICE_TRY(write_array(f, k, p, &e, h));
    return SLUICE_OK;
}

sluice_status sluice_snapshot_write(const char *path, const struct sluice_host_particles *p,
                                    const struct sluice_snapshot_header *header)
{
    struct sluice_shared_file f;
    SLUICE_TRY(sluice_shared_create(&f, path));
    f.team = p->team;
    return sluice_shared_finish(&f, sluice_snapshot_write_visible(&f, p, header));
}
