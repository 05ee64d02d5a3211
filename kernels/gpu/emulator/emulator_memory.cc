/* The runtime of the emulated GPU: memory, copies, streams (every call is done when it returns),
 * events (the clock), and the library's scan and sort. */
#include "kernels/gpu/emulator/emulator_memory.h"

#include "kernels/gpu/emulator/emulator_counts.h"

#include <fcntl.h>
#include <map>
#include <mutex>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <sanitizer/asan_interface.h> /* its macros are empty without AddressSanitizer */

#ifdef SLUICE_EMULATED_TSAN
extern "C" {
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
}
#endif

struct sluice_emulated_counts sluice_emulated_counts;

struct gpu_emulated_event {
    double seconds;
};

namespace gpu_emulator
{

namespace
{

enum { RED = 256, GARBAGE = 0xfe, RED_FILL = 0xec };

/* Bytes of each allocation, by its first byte. A red zone lies on each side. */
std::mutex lock;
std::map<char *, size_t> allocations;
std::map<char *, int> peer_files; /* of those that other programs may map, or have */
size_t allocated;
int opened;
thread_local gpuError_t last_error;

size_t device_bytes()
{
    const char *text = getenv("SLUICE_EMULATED_MEMORY");
    return text ? strtoull(text, NULL, 10) : (size_t)4 << 30;
}

/* Whether it would be the second array of SLUICE_EMULATED_SINGLE bytes or more, and the device can
 * hold only one. */
bool is_second(size_t bytes)
{
    const char *text = getenv("SLUICE_EMULATED_SINGLE");
    const size_t least = text ? strtoull(text, NULL, 10) : 0;
    if (least == 0 || bytes < least)
        return false;
    for (const auto &a : allocations)
        if (a.second >= least)
            return true;
    return false;
}

/* An allocation with its red zones. */
size_t with_red(size_t bytes)
{
    return RED + (bytes + RED - 1) / RED * RED + RED;
}

/* The error that SLUICE_EMULATED_FAIL demands at this place. */
gpuError_t forced_error(const char *place)
{
    const char *text = getenv("SLUICE_EMULATED_FAIL");
    const size_t n = strlen(place);
    return text && strncmp(text, place, n) == 0 && text[n] == ':' ? (gpuError_t)atoi(text + n + 1)
                                                                  : gpuSuccess;
}

/* Without AddressSanitizer, which watches the red zones itself. */
void check_red([[maybe_unused]] const char *memory, [[maybe_unused]] size_t bytes,
               [[maybe_unused]] const char *who)
{
#ifndef __SANITIZE_ADDRESS__
    for (int i = 0; i < RED; i++)
        if ((unsigned char)memory[-1 - i] != RED_FILL ||
            (unsigned char)memory[bytes + i] != RED_FILL)
            die("%s wrote outside device memory of %zu bytes", who, bytes);
#endif
}

/* Bytes from `memory` to the end of its allocation; 0: it is not device memory. */
size_t bytes_from(const void *memory)
{
    std::lock_guard<std::mutex> guard(lock);
    char *at = (char *)memory;
    auto found = allocations.upper_bound(at);
    if (found == allocations.begin())
        return 0;
    --found;
    return at < found->first + found->second ? (size_t)(found->first + found->second - at) : 0;
}

void check_side(const void *memory, size_t bytes, bool device, const char *what)
{
    const size_t there = bytes_from(memory);
    if (device && there < bytes)
        die("%s: %zu bytes of device memory, of which only %zu are", what, bytes, there);
    if (!device && there)
        die("%s: device memory where the host's belongs", what);
}

} /* namespace */

void unseen_begin()
{
#ifdef SLUICE_EMULATED_TSAN
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
}

void unseen_end()
{
#ifdef SLUICE_EMULATED_TSAN
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
}

void *garbage_alloc(size_t bytes)
{
    unseen_begin();
    void *memory = aligned_alloc(16, (bytes + 15) / 16 * 16);
    if (!memory)
        die("no memory");
    memset(memory, GARBAGE, bytes);
    ASAN_POISON_MEMORY_REGION((char *)memory + bytes, (16 - bytes % 16) % 16);
    unseen_end();
    return memory;
}

void garbage_free(void *memory)
{
    unseen_begin();
    free(memory);
    unseen_end();
}

void device_memory_open()
{
    std::lock_guard<std::mutex> guard(lock);
    if (opened++ == 0)
        for (const auto &a : allocations)
            ASAN_UNPOISON_MEMORY_REGION(a.first, a.second);
}

void device_memory_close(const char *who)
{
    std::lock_guard<std::mutex> guard(lock);
    for (const auto &a : allocations)
        check_red(a.first, a.second, who);
    if (--opened == 0)
        for (const auto &a : allocations)
            ASAN_POISON_MEMORY_REGION(a.first, a.second);
}

void set_last_error(gpuError_t error)
{
    last_error = error;
}

} // namespace gpu_emulator

using namespace gpu_emulator;

const char *gpuGetErrorName(gpuError_t error)
{
#define X(name, code)                                                                              \
    if (error == name)                                                                             \
        return #name;
    GPU_EMULATED_ERRORS(X)
#undef X
    return "an unknown error";
}

gpuError_t gpuGetLastError()
{
    const gpuError_t error = last_error;
    last_error = gpuSuccess;
    return error != gpuSuccess ? error : forced_error("launch");
}

gpuError_t gpuGetDeviceCount(int *count)
{
    const char *text = getenv("SLUICE_EMULATED_DEVICES");
    *count = forced_error("device") != gpuSuccess ? 0 : text ? atoi(text) : 1;
    return forced_error("device");
}

gpuError_t gpuGetDeviceProperties(gpuDeviceProp_t *properties, int device)
{
    if (gpuSetDevice(device) != gpuSuccess)
        return gpuErrorInvalidDevice;
    *properties = gpuDeviceProp_t();
    snprintf(properties->name, sizeof properties->name, "emulated GPU, warps of %d", warp);
    properties->multiProcessorCount = 2;
    properties->warpSize = warp;
    properties->totalGlobalMem = device_bytes();
    return gpuSuccess;
}

gpuError_t gpuMemGetInfo(size_t *available, size_t *total)
{
    std::lock_guard<std::mutex> guard(lock);
    *total = device_bytes();
    *available = *total > allocated ? *total - allocated : 0;
    return gpuSuccess;
}

gpuError_t gpuFuncSetAttribute(const void *kernel, int attribute, int value)
{
    (void)kernel, (void)attribute, (void)value;
    return gpuSuccess;
}

gpuError_t gpuMalloc(void **memory, size_t bytes)
{
    std::lock_guard<std::mutex> guard(lock);
    *memory = NULL;
    if (allocated + bytes > device_bytes() || is_second(bytes))
        return gpuErrorMemoryAllocation;
    char *whole = (char *)aligned_alloc(RED, with_red(bytes));
    if (!whole)
        return gpuErrorMemoryAllocation;
    memset(whole, RED_FILL, with_red(bytes));
    memset(whole + RED, GARBAGE, bytes);
    allocations[whole + RED] = bytes;
    allocated += bytes;
    ASAN_POISON_MEMORY_REGION(whole, with_red(bytes));
    if (opened)
        ASAN_UNPOISON_MEMORY_REGION(whole + RED, bytes);
    *memory = whole + RED;
    return gpuSuccess;
}

gpuError_t gpuFree(void *memory)
{
    if (!memory)
        return gpuSuccess;
    std::lock_guard<std::mutex> guard(lock);
    auto found = allocations.find((char *)memory);
    if (found == allocations.end())
        die("free of %p: no device memory begins there", memory);
    check_red(found->first, found->second, "something");
    ASAN_UNPOISON_MEMORY_REGION(found->first - RED, with_red(found->second));
    allocated -= found->second;
    const auto file = peer_files.find(found->first);
    if (file == peer_files.end()) {
        free(found->first - RED);
    } else {
        munmap(found->first - RED, with_red(found->second));
        close(file->second);
        peer_files.erase(file);
    }
    allocations.erase(found);
    return gpuSuccess;
}

/* Maps memory of `bytes` bytes and its red zones, which a file without a name holds. */
static gpuError_t map_peer(int file, size_t bytes, void **memory)
{
    void *whole = file < 0
                      ? MAP_FAILED
                      : mmap(NULL, with_red(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (whole == MAP_FAILED) {
        if (file >= 0)
            close(file);
        return gpuErrorMemoryAllocation;
    }
    char *at = (char *)whole + RED;
    std::lock_guard<std::mutex> guard(lock);
    allocations[at] = bytes;
    peer_files[at] = file;
    allocated += bytes;
    *memory = at;
    return gpuSuccess;
}

gpuError_t gpuMallocPeer(void **memory, size_t bytes)
{
    const int file = memfd_create("device memory", MFD_CLOEXEC);
    *memory = NULL;
    if (file < 0)
        return gpuErrorMemoryAllocation;
    if (ftruncate(file, (off_t)with_red(bytes)) != 0) {
        close(file);
        return gpuErrorMemoryAllocation;
    }
    if (map_peer(file, bytes, memory) != gpuSuccess)
        return gpuErrorMemoryAllocation;
    char *whole = (char *)*memory - RED;
    memset(whole, RED_FILL, with_red(bytes));
    memset(whole + RED, GARBAGE, bytes);
    ASAN_POISON_MEMORY_REGION(whole, with_red(bytes));
    return gpuSuccess;
}

gpuError_t gpuIpcGetMemHandle(gpuIpcMemHandle_t *handle, void *memory)
{
    std::lock_guard<std::mutex> guard(lock);
    const auto found = peer_files.find((char *)memory);
    if (found == peer_files.end())
        die("no peer memory begins at %p", memory);
    *handle = {(int)getpid(), found->second, allocations[found->first]};
    return gpuSuccess;
}

gpuError_t gpuIpcOpenMemHandle(void **memory, gpuIpcMemHandle_t handle, unsigned)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", handle.program, handle.file);
    const gpuError_t error = map_peer(open(path, O_RDWR | O_CLOEXEC), handle.bytes, memory);
    if (error != gpuSuccess)
        return error;
    ASAN_POISON_MEMORY_REGION((char *)*memory - RED, with_red(handle.bytes));
    std::lock_guard<std::mutex> guard(lock);
    allocated -= handle.bytes; /* it is the other device's */
    return gpuSuccess;
}

gpuError_t gpuIpcCloseMemHandle(void *memory)
{
    {
        std::lock_guard<std::mutex> guard(lock);
        allocated += allocations[(char *)memory];
    }
    return gpuFree(memory);
}

gpuError_t gpuMallocHost(void **memory, size_t bytes)
{
    *memory = malloc(bytes ? bytes : 1);
    return *memory ? gpuSuccess : gpuErrorMemoryAllocation;
}

gpuError_t gpuFreeHost(void *memory)
{
    free(memory);
    return gpuSuccess;
}

gpuError_t gpuMemcpyAsync(void *to, const void *from, size_t bytes, gpuMemcpyKind kind, gpuStream_t)
{
    if (bytes == 0)
        return gpuSuccess;
    sluice_emulated_counts.copies++;
    sluice_emulated_counts.downloaded += kind == gpuMemcpyDeviceToHost ? (int64_t)bytes : 0;
    check_side(to, bytes, kind != gpuMemcpyDeviceToHost, "copy to");
    check_side(from, bytes, kind != gpuMemcpyHostToDevice, "copy from");
    device_memory_open();
    memmove(to, from, bytes);
    device_memory_close("a copy");
    return gpuSuccess;
}

gpuError_t gpuMemsetAsync(void *memory, int value, size_t bytes, gpuStream_t)
{
    if (bytes == 0)
        return gpuSuccess;
    sluice_emulated_counts.fills++;
    check_side(memory, bytes, true, "memset");
    device_memory_open();
    memset(memory, value, bytes);
    device_memory_close("memset");
    return gpuSuccess;
}

gpuError_t gpuStreamSynchronize(gpuStream_t)
{
    return forced_error("sync");
}

/* All work is done at once. */
gpuError_t gpuStreamQuery(gpuStream_t)
{
    return forced_error("sync");
}

gpuError_t gpuEventCreate(gpuEvent_t *event)
{
    *event = (gpuEvent_t)calloc(1, sizeof **event);
    return *event ? gpuSuccess : gpuErrorMemoryAllocation;
}

gpuError_t gpuEventRecord(gpuEvent_t event, gpuStream_t)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    event->seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    return gpuSuccess;
}

gpuError_t gpuEventSynchronize(gpuEvent_t)
{
    return forced_error("sync");
}

gpuError_t gpuEventElapsedTime(float *milliseconds, gpuEvent_t from, gpuEvent_t to)
{
    *milliseconds = (float)(1e3 * (to->seconds - from->seconds));
    return gpuSuccess;
}

gpuError_t gpuEventDestroy(gpuEvent_t event)
{
    free(event);
    return gpuSuccess;
}
