#define _GNU_SOURCE /* sync_file_range */
#include "files/safe_file_hdf5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/safe_file.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

enum { WRITTEN_BLOCK = 1 << 24 }; /* bytes written before the disk is asked to begin */

/* An open file of the driver. HDF5 asks for the struct's first member. */
struct driver_file {
    H5FD_t base;
    int descriptor;
    haddr_t eoa, eof; /* end of what is allocated, and of what was written (or would have been) */
    struct sluice_safe_hdf5 *record; /* of what is written; NULL: the file is only read */
};

static void note_error(struct driver_file *f, int error)
{
    if (f->record != NULL && f->record->error == 0)
        f->record->error = error;
}

/* Takes the descriptor that the record has, or opens the file for reading. */
static int open_descriptor(struct driver_file *f, const char *name)
{
    struct stat about;
    if (f->record != NULL) {
        f->descriptor = f->record->descriptor;
        f->record->descriptor = -1;
        return f->descriptor >= 0;
    }
    f->descriptor = open(name, O_RDONLY | O_CLOEXEC);
    if (f->descriptor < 0)
        return 0;
    f->eof = fstat(f->descriptor, &about) == 0 ? (haddr_t)about.st_size : 0;
    return 1;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr)
{
    struct sluice_safe_hdf5 *const *record = H5Pget_driver_info(fapl);
    (void)flags, (void)maxaddr; /* the record says whether it is to be written */
    struct driver_file *f = calloc(1, sizeof *f);
    if (f == NULL)
        return NULL;
    f->record = record != NULL ? *record : NULL;
    if (open_descriptor(f, name))
        return &f->base;
    free(f);
    return NULL;
}

/* Never fails for HDF5: it would keep the file half open, and crash at exit. Written data count
 * only when it is closed without an error; read data do not depend on it. */
static herr_t driver_close(H5FD_t *file)
{
    struct driver_file *f = (struct driver_file *)file;
    if (f->record != NULL && f->record->error == 0 && fsync(f->descriptor) != 0)
        note_error(f, errno);
    if (close(f->descriptor) != 0)
        note_error(f, errno);
    free(f);
    return 0;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct driver_file *)file)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((struct driver_file *)file)->eoa = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const struct driver_file *)file)->eof;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, void *buffer)
{
    struct driver_file *f = (struct driver_file *)file;
    size_t done;
    (void)type, (void)transfer;
    const int error = sluice_safe_file_read_at(f->descriptor, buffer, size, (off_t)address, &done);
    if (error != 0 && f->record == NULL) {
        H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_IO, H5E_READERROR,
                 "%s", strerror(error));
        return -1;
    }
    if (error != 0)
        note_error(f, error);
    memset((char *)buffer + done, 0, size - done); /* beyond what was written */
    return 0;
}

/* After the first error nothing more is written. */
static void write_to(struct sluice_safe_hdf5 *h, int descriptor, const void *data, size_t bytes,
                     off_t offset)
{
    size_t done;
    if (h->error != 0)
        return;
    h->error = sluice_safe_file_write_at(descriptor, data, bytes, offset, &done);
    h->written += (long long)done;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                           size_t size, const void *buffer)
{
    struct driver_file *f = (struct driver_file *)file;
    (void)transfer;
    if (f->record == NULL)
        return -1;
    if (address + size > f->eof)
        f->eof = address + size;
    if (f->record->places && type == H5FD_MEM_DRAW)
        f->record->placed = (int64_t)address;
    else
        write_to(f->record, f->descriptor, buffer, size, (off_t)address);
    return 0;
}

static herr_t driver_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    struct driver_file *f = (struct driver_file *)file;
    (void)transfer, (void)closing;
    if (f->record == NULL)
        return 0;
    if (f->eoa != f->eof && f->record->error == 0 && ftruncate(f->descriptor, (off_t)f->eoa) != 0)
        note_error(f, errno);
    f->eof = f->eoa;
    return 0;
}

static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)601, /* above what HDF5 reserves; never written to a file */
#endif
    .name = "sluice_safe_file",
    .maxaddr = ((haddr_t)1 << 62),
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(struct sluice_safe_hdf5 *),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* The innermost cause of the last call of the library that failed, and whether it was memory. */
static _Thread_local char reason[256] = "no reason given";
static _Thread_local int lacks_memory;

static herr_t keep_innermost(unsigned n, const H5E_error2_t *error, void *data)
{
    (void)n, (void)data;
    lacks_memory |= error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC;
    if (error->desc != NULL &&
        error->desc[0] != '\0') /* walked downwards: the last one seen is the innermost */
        snprintf(reason, sizeof reason, "%s", error->desc);
    return 0;
}

/* Called by the library in place of its printing, when a call fails: later the stack is gone. */
static herr_t record_reason(hid_t stack, void *data)
{
    (void)data;
    lacks_memory = 0;
    return H5Ewalk2(stack, H5E_WALK_DOWNWARD, keep_innermost, NULL);
}

const char *sluice_hdf5_reason(void)
{
    return reason;
}

sluice_status sluice_hdf5_error(void)
{
    return lacks_memory ? SLUICE_DEVICE : SLUICE_IO;
}

/* The library does not check everywhere that it gets memory, and ends the program where it gets
 * none. A file takes less than this, bytes. */
enum { NEEDED = 16 << 20 };

static int has_memory(size_t bytes)
{
    volatile char *probe = malloc(bytes);
    const int got = probe != NULL;
    free((void *)probe);
    return got;
}

/* The system enlarges the stack when it is used, and ends the program where there is no memory for
 * it. STACK bytes of it are used once while there is memory: steps take a third of them. */
enum { STACK = 512 << 10, STACK_PAGE = 4096 };

static __attribute__((noinline)) void use_stack(void)
{
    volatile char stack[STACK];
    for (size_t at = 0; at < sizeof stack; at += STACK_PAGE)
        stack[at] = 0;
}

/* Once, for later the C library may hold on to memory that it was given back. */
static int has_stack(void)
{
    static int has;
    struct rlimit limit;
    if (has || getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur < 2 * STACK)
        return 1;
    void *pages = mmap(NULL, 2 * STACK, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return 0;
    munmap(pages, 2 * STACK);
    use_stack();
    has = 1;
    return 1;
}

sluice_status sluice_hdf5_begin(void)
{
    SLUICE_CHECK(
        has_memory(NEEDED) && has_stack(), SLUICE_DEVICE,
        "no memory for the HDF5 library, %d MiB: `ulimit -v` shows the limit; free memory, "
        "or raise it",
        NEEDED >> 20);
    H5dont_atexit(); /* it has an effect before the library begins, and none later */
    SLUICE_CHECK(H5open() >= 0, SLUICE_DEVICE, "the HDF5 library does not start: no memory?");
    H5Eset_auto2(H5E_DEFAULT, record_reason, NULL);
    return SLUICE_OK;
}

/* The driver's id. It is never unregistered: HDF5 1.10 frees a driver's class with the last
 * reference to it, before it calls the class's own close. Only one thread at a time calls the
 * library. */
static hid_t registered_driver(void)
{
    static hid_t driver = -1;
    if (driver < 0 || H5Iget_type(driver) != H5I_VFL) /* H5close takes it away */
        driver = H5FDregister(&driver_class);
    return driver;
}

/* Access through our driver: to the file of a record, or (NULL) to one that is read. */
static hid_t access_through_driver(struct sluice_safe_hdf5 *record)
{
    const hid_t driver = registered_driver();
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (driver >= 0 && access >= 0 && H5Pset_driver(access, driver, &record) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0) /* what is left open goes with it */
        return access;
    H5Pclose(access);
    return -1;
}

hid_t sluice_safe_hdf5_read(const char *path)
{
    if (sluice_hdf5_begin() != SLUICE_OK) {
        snprintf(reason, sizeof reason, "no memory for the HDF5 library");
        return -1;
    }
    const hid_t access = access_through_driver(NULL);
    const hid_t file = access >= 0 ? H5Fopen(path, H5F_ACC_RDONLY, access) : -1;
    H5Pclose(access);
    return file;
}

sluice_status sluice_safe_hdf5_create(struct sluice_safe_hdf5 *h, const char *path)
{
    memset(h, 0, sizeof *h);
    h->path = path;
    h->file = h->descriptor = h->direct = -1;
    SLUICE_TRY(sluice_hdf5_begin());
    SLUICE_TRY(sluice_safe_file_create(path, h->temporary, sizeof h->temporary, &h->descriptor));

    const hid_t access = access_through_driver(h);
    h->direct = fcntl(h->descriptor, F_DUPFD_CLOEXEC, 0);
    if (access >= 0 && h->direct >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110) >= 0)
        h->file = H5Fcreate(h->temporary, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (h->file >= 0)
        return SLUICE_OK;
    if (h->descriptor >= 0)
        close(h->descriptor);
    if (h->direct >= 0)
        close(h->direct);
    unlink(h->temporary);
    return SLUICE_FAIL(SLUICE_IO, "%s: cannot be created: %s", path,
                       h->error != 0 ? strerror(h->error) : sluice_hdf5_reason());
}

sluice_status sluice_safe_hdf5_join(struct sluice_safe_hdf5 *h, const char *path,
                                    const char *temporary)
{
    memset(h, 0, sizeof *h);
    h->path = path;
    h->file = h->descriptor = h->direct = -1;
    snprintf(h->temporary, sizeof h->temporary, "%s", temporary);
    SLUICE_TRY(sluice_hdf5_begin());
    h->direct = open(temporary, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
    SLUICE_CHECK(h->direct >= 0, SLUICE_IO, "%s: cannot be opened: %s", temporary, strerror(errno));
    return SLUICE_OK;
}

sluice_status sluice_safe_hdf5_place(struct sluice_safe_hdf5 *h, hid_t dataset, int64_t row,
                                     size_t bytes, int64_t *offset)
{
    const hsize_t first[2] = {(hsize_t)row, 0};
    void *zeros = calloc(1, bytes); /* HDF5 hands it on to the driver, which does not write it */
    SLUICE_CHECK(zeros, SLUICE_DEVICE, "no memory for a chunk of %zu bytes", bytes);
    h->places = 1;
    const herr_t placed = H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, first, bytes, zeros);
    h->places = 0;
    free(zeros);
    *offset = h->placed;
    SLUICE_CHECK(placed >= 0, SLUICE_IO, "a chunk cannot be placed: %s", sluice_hdf5_reason());
    return SLUICE_OK;
}

/* Has the system begin to write to the disk what the file got since the last time: else a system
 * with much memory keeps all of it until the file is synchronised, and the disk idles. A file
 * system that cannot do this changes nothing. */
static void start_writing(struct sluice_safe_hdf5 *h)
{
#ifdef SYNC_FILE_RANGE_WRITE
    if (h->written - h->started < WRITTEN_BLOCK)
        return;
    h->started = h->written;
    if (sync_file_range(h->direct, 0, 0, SYNC_FILE_RANGE_WRITE) != 0 && h->error == 0 &&
        (errno == EIO || errno == ENOSPC || errno == EDQUOT))
        h->error = errno;
#else
    (void)h;
#endif
}

void sluice_safe_hdf5_write_at(struct sluice_safe_hdf5 *h, const void *data, size_t bytes,
                               int64_t offset)
{
    for (size_t done = 0; done < bytes; done += WRITTEN_BLOCK) {
        const size_t more = bytes - done < WRITTEN_BLOCK ? bytes - done : WRITTEN_BLOCK;
        write_to(h, h->direct, (const char *)data + done, more, (off_t)offset + (off_t)done);
        start_writing(h);
    }
}

sluice_status sluice_safe_hdf5_close(struct sluice_safe_hdf5 *h, sluice_status outcome)
{
    const int joined = h->file < 0;
    if (!joined && H5Fclose(h->file) < 0 && outcome == SLUICE_OK)
        outcome = SLUICE_FAIL(SLUICE_IO, "HDF5 cannot close the file: %s", sluice_hdf5_reason());
    h->file = -1;
    if (joined && h->error == 0 && fsync(h->direct) != 0)
        h->error = errno;
    if (close(h->direct) != 0 && h->error == 0)
        h->error = errno;
    if (h->error != 0)
        return SLUICE_FAIL(
            SLUICE_IO,
            "%s: cannot be written: %s after %lld bytes; files written before are unchanged",
            h->path, strerror(h->error), h->written);
    return outcome == SLUICE_OK ? SLUICE_OK
                                : SLUICE_FAIL(outcome, "%s: %s", h->path, sluice_message());
}

sluice_status sluice_safe_hdf5_settle(struct sluice_safe_hdf5 *h, sluice_status outcome)
{
    if (outcome == SLUICE_OK)
        return sluice_safe_file_commit(h->temporary, h->path);
    unlink(h->temporary);
    return outcome;
}
