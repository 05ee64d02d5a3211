/* libFuzzer's mutations of snapshots and checkpoints. Bytes that change at random seldom give a
 * file that HDF5 opens, and no checkpoint with the right digests. So most changes are made through
 * HDF5 itself, and half of them put the digests right, as an attacker would. */
#include <hdf5.h>
#include <math.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "snapshots/checkpoint_digest.h"
#include "snapshots/snapshot_file.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { PATHS_MAX = 200, PATH_BYTES = 128, BYTES_MAX = 1 << 20 };

struct paths {
    char path[PATHS_MAX][PATH_BYTES];
    H5O_type_t type[PATHS_MAX];
    int count;
};

/* xorshift64* (Vigna 2016), from libFuzzer's seed. */
static uint64_t state;
static uint64_t below(uint64_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return n ? (state * 2685821657736338717u >> 11) % n : 0;
}

static herr_t add_path(hid_t object, const char *name, const H5O_info_t *info, void *data)
{
    struct paths *p = data;
    (void)object;
    if (p->count < PATHS_MAX && strlen(name) < PATH_BYTES) {
        strcpy(p->path[p->count], name);
        p->type[p->count++] = info->type;
    }
    return p->count == PATHS_MAX;
}

static hid_t open_image(const uint8_t *data, size_t size)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, 0);
    H5Pset_file_image(access, (void *)data, size);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    const hid_t file = H5Fopen("image", H5F_ACC_RDWR, access);
    H5Pclose(access);
    return file;
}

/* Numbers at the limits, and some that are wrong where a count, an id or a density belongs. */
static void fill_numbers(double value[], size_t n)
{
    static const double hostile[] = {
        0, -1, 1, 2, 1e300, -1e9, 0.5, 4294967296.0, 1099511627776.0, 9.3e18};
    for (size_t i = 0; i < n; i++)
        value[i] = hostile[below(sizeof hostile / sizeof hostile[0])];
    if (n && below(4) == 0)
        value[below(n)] = below(2) ? (double)INFINITY : (double)NAN;
}

static hid_t some_type(void)
{
    hid_t type;
    switch (below(7)) {
    case 0:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 1:
        return H5Tcopy(H5T_NATIVE_INT64);
    case 2:
        return H5Tcopy(H5T_NATIVE_UINT8);
    case 3:
        return H5Tcopy(H5T_NATIVE_FLOAT);
    case 4:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, below(2) ? H5T_VARIABLE : 1 + below(300));
        return type;
    case 5:
        type = H5Tcreate(H5T_COMPOUND, 16);
        H5Tinsert(type, "a", 0, H5T_NATIVE_DOUBLE);
        H5Tinsert(type, "b", 8, H5T_NATIVE_INT64);
        return type;
    default:
        return H5Tvlen_create(H5T_NATIVE_INT32);
    }
}

static hid_t some_space(void)
{
    static const hsize_t sizes[] = {0, 1, 2, 3, 4, 5, 32, 1000, 1u << 20, 1ull << 40, 1ull << 61};
    hsize_t shape[4];
    const int rank = (int)below(5);
    for (int i = 0; i < rank; i++)
        shape[i] = sizes[below(below(3) ? 6 : sizeof sizes / sizeof sizes[0])];
    return rank ? H5Screate_simple(rank, shape, NULL) : H5Screate(below(4) ? H5S_SCALAR : H5S_NULL);
}

/* One attribute of the object: its numbers, or its type and shape, or it goes. */
static void change_attribute(hid_t object)
{
    H5O_info_t info;
    char name[PATH_BYTES];
    if (H5Oget_info(object, &info) < 0 || info.num_attrs == 0 ||
        H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_NATIVE, below(info.num_attrs), name,
                           sizeof name, H5P_DEFAULT) <= 0)
        return;
    if (below(2)) {
        double value[16];
        const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
        const hid_t space = H5Aget_space(attribute);
        fill_numbers(value, 16);
        if (H5Sget_simple_extent_npoints(space) <= 16)
            H5Awrite(attribute, H5T_NATIVE_DOUBLE, value);
        H5Sclose(space);
        H5Aclose(attribute);
        return;
    }
    H5Adelete(object, name);
    const hid_t type = some_type(), space = some_space();
    if (below(3)) {
        const hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
        if (attribute >= 0)
            H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
}

/* The dataset's numbers in memory, in their own type; NULL: too many. */
static void *read_whole(hid_t dataset, hid_t *type, size_t *bytes, hsize_t shape[2])
{
    const hid_t space = H5Dget_space(dataset), stored = H5Dget_type(dataset);
    const int rank = H5Sget_simple_extent_ndims(space);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    void *data = NULL;
    *type = H5Tget_native_type(stored, H5T_DIR_ASCEND);
    shape[0] = shape[1] = 0;
    if (rank == 1 || rank == 2)
        H5Sget_simple_extent_dims(space, shape, NULL);
    if (count >= 0 && count < BYTES_MAX && *type >= 0 && H5Tget_size(*type) <= 8 &&
        H5Tget_class(*type) <= H5T_FLOAT) {
        *bytes = (size_t)count * H5Tget_size(*type);
        data = calloc(1, *bytes + 1);
        if (data && *bytes && H5Dread(dataset, *type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
            free(data);
            data = NULL;
        }
    }
    H5Tclose(stored);
    H5Sclose(space);
    return data;
}

/* Some bytes of its numbers, or one of them hostile. */
static void change_numbers(hid_t dataset)
{
    hid_t type;
    hsize_t shape[2];
    size_t bytes = 0;
    uint8_t *data = read_whole(dataset, &type, &bytes, shape);
    if (data && bytes > 0) {
        const size_t wide = H5Tget_size(type), n = bytes / wide;
        double value;
        if (below(2)) {
            LLVMFuzzerMutate(data, bytes, bytes);
        } else {
            uint8_t number[8];
            fill_numbers(&value, 1);
            memcpy(number, &value, 8);
            H5Tconvert(H5T_NATIVE_DOUBLE, type, 1, number, NULL, H5P_DEFAULT);
            for (size_t i = below(n), end = below(4) ? i + 1 : n; i < end; i++)
                memcpy(data + i * wide, number, wide);
        }
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    }
    if (type >= 0)
        H5Tclose(type);
    free(data);
}

/* Something else under the name of an object. */
static void replace(hid_t file, const char *path)
{
    static const char *const target[] = {"/", "/State", "/VTKHDF/PointData", "/nowhere"};
    const char *other = target[below(4)];
    H5Ldelete(file, path, H5P_DEFAULT);
    switch (below(6)) {
    case 0:
        H5Lcreate_soft(below(2) ? path : other, file, path, H5P_DEFAULT, H5P_DEFAULT);
        return;
    case 1:
        H5Lcreate_hard(file, other, file, path, H5P_DEFAULT, H5P_DEFAULT);
        return;
    case 2:
        H5Lcreate_external(below(2) ? "/dev/null" : "image", other, file, path, H5P_DEFAULT,
                           H5P_DEFAULT);
        return;
    case 3: {
        const hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0)
            H5Gclose(group);
        return;
    }
    default:
        break;
    }
    const hid_t type = some_type(), space = some_space(), plist = H5Pcreate(H5P_DATASET_CREATE);
    if (below(4) == 0)
        H5Pset_external(plist, "/dev/zero", 0, H5F_UNLIMITED);
    else if (below(2)) {
        const hsize_t chunk[4] = {1 + below(64), 1 + below(3), 1, 1};
        const int rank = H5Sget_simple_extent_ndims(space);
        if (rank > 0)
            H5Pset_chunk(plist, rank, chunk);
    }
    const hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    if (dataset >= 0)
        H5Dclose(dataset);
    H5Pclose(plist);
    H5Sclose(space);
    H5Tclose(type);
}

static void change(hid_t file, const struct paths *p)
{
    const uint64_t i = below((uint64_t)p->count);
    const uint64_t kind = below(8);
    if (kind == 0) {
        replace(file, p->path[i]);
        return;
    }
    const hid_t object = H5Oopen(file, p->path[i], H5P_DEFAULT);
    if (object < 0)
        return;
    if (kind <= 3 || p->type[i] != H5O_TYPE_DATASET)
        change_attribute(object);
    else
        change_numbers(object);
    H5Oclose(object);
}

static void write_digest(hid_t object, const char *name, uint64_t digest)
{
    const int64_t stored = (int64_t)digest;
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return;
    const hid_t space = H5Aget_space(attribute);
    if (H5Sget_simple_extent_npoints(space) == 1)
        H5Awrite(attribute, H5T_NATIVE_INT64, &stored);
    H5Sclose(space);
    H5Aclose(attribute);
}

/* The digests of a checkpoint, for what it holds now. */
static void mend_digests(hid_t file, const struct paths *p)
{
    uint64_t all = 0;
    for (int i = 0; i < p->count; i++) {
        char path[PATH_BYTES + 1];
        hid_t type;
        hsize_t shape[2];
        size_t bytes = 0;
        snprintf(path, sizeof path, "/%s", p->path[i]);
        if (p->type[i] != H5O_TYPE_DATASET ||
            (strncmp(path, "/State/", 7) != 0 && strcmp(path, SLUICE_CONFIG_PATH) != 0))
            continue;
        const hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
        if (dataset < 0)
            continue;
        void *data = read_whole(dataset, &type, &bytes, shape);
        if (data) {
            const uint64_t digest = sluice_digest(path, (int64_t)shape[0], (int)shape[1], data,
                                                  bytes);
            write_digest(dataset, "digest", digest);
            if (path[1] == 'S')
                all += sluice_digest_share(digest);
        }
        free(data);
        if (type >= 0)
            H5Tclose(type);
        H5Dclose(dataset);
    }
    const hid_t group = H5Gopen2(file, "State", H5P_DEFAULT);
    if (group < 0)
        return;
    write_digest(group, "Digest", all);
    H5Gclose(group);
}

/* The changed file in place of the old one; its size. 0: HDF5 cannot open the old one. */
static size_t change_file(uint8_t *data, size_t size, size_t max_size)
{
    static struct paths p;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = open_image(data, size);
    if (file < 0)
        return 0;
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, add_path, &p);
    for (uint64_t i = 0, times = 1 + below(3); i < times && p.count > 0; i++)
        change(file, &p);
    if (below(2))
        mend_digests(file, &p);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    const ssize_t length = H5Fget_file_image(file, NULL, 0);
    return length > 0 && (size_t)length <= max_size
               ? (size_t)H5Fget_file_image(file, data, (size_t)length)
               : 0;
}

/* In a process of its own: HDF5 may crash where it writes into a file that is broken already. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static struct shared {
        size_t size;
        uint8_t data[BYTES_MAX];
    } * shared;
    if (!shared)
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                      0);
    state = 88172645463325252u ^ (uint64_t)seed << 16;
    if (shared == MAP_FAILED || max_size > BYTES_MAX || size < 8 ||
        memcmp(data, "\x89HDF\r\n\x1a\n", 8) != 0 || (getenv("FUZZ_BYTES") && below(5) == 0))
        return LLVMFuzzerMutate(data, size, max_size);
    memcpy(shared->data, data, size);
    shared->size = 0;
    const pid_t child = fork();
    if (child == 0) {
        for (int number = 1; number < 32; number++)
            signal(number, SIG_DFL);
        __sanitizer_set_death_callback(NULL);
        close(STDERR_FILENO);
        alarm(2);
        const size_t changed = change_file(shared->data, size, max_size);
        shared->size = changed;
        _exit(0);
    }
    if (child > 0)
        waitpid(child, NULL, 0);
    if (shared->size == 0)
        return size;
    memcpy(data, shared->data, shared->size);
    return shared->size;
}
