/* A GPU on the CPU, for tests: the platform when SLUICE_EMULATED is defined. It does not test code
 * generation, memory order between blocks, or speed.
 *
 * Each thread of a block is a fiber with its own stack. It runs until it meets a barrier, a shuffle
 * or a ballot; then the next thread of its warp runs, and when all threads of the warp wait, the
 * next warp. A thread that reads another thread's data without a barrier between therefore reads
 * them too early in one of the two orders:
 *
 *   SLUICE_EMULATED_WARP     lanes of a warp: 32, 64
 *   SLUICE_EMULATED_ORDER    forward (lane 0 first), reverse
 *   SLUICE_EMULATED_DEVICES  how many there are (1); ranks on different ones share memory
 *   SLUICE_EMULATED_MEMORY   bytes of the device's memory (4 GiB)
 *   SLUICE_EMULATED_SINGLE   bytes: only one array of so many or more can be allocated at a time
 *   SLUICE_EMULATED_FAIL     device:CODE, launch:CODE or sync:CODE: makes that call fail with CODE
 *
 * Shared memory and device memory begin as garbage. Device memory has red zones, and under
 * AddressSanitizer the host can touch it only by copies. The program ends with a message when a
 * kernel breaks the rules of CUDA and HIP: a shuffle that not all lanes of a warp reach, a barrier
 * that not all threads of a block reach, a copy between the wrong kinds of memory.
 *
 * Blocks run in parallel (OpenMP). ThreadSanitizer sees fibers as threads, ordered only by
 * barriers, launches and the ends of kernels. */
#ifndef SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_H
#define SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_H
#include "kernels/types/device.h"
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* --- The language ---- */
#define __global__
#define __device__
#define __host__
#define __forceinline__ INLINED
#define __align__(n)    __attribute__((aligned(n)))
#define __launch_bounds__(...)

/* --- The names of platform.h ---- */
#define SLUICE_GPU    sluice_emulated
#define GPU_NAME      "emulated"
#define GPU_DEBUGGER  "compute-sanitizer build/sluice run ..."
#define GPU_ARCHS     "CUDA_ARCHS"
#define GPU_VISIBLE   "CUDA_VISIBLE_DEVICES"
#define GPU_WARP_MOST 64
#define GPU_CONSTANT

/* Small, so that small tests meet every case. */
enum {
    GPU_EXTENT_BITS = 2,
    GPU_MASKS_WORTH = 1 << 8,
    GPU_SPLIT_LIGHT = 4,
    GPU_SPLIT_HEAVY = 4,
    GPU_SPLIT_GENERAL = 1,
    GPU_QUEUE = 64,
    GPU_QUEUE_DOUBLE = 64,
    GPU_CANDIDATES = 200,
    GPU_ORDER_AT_ONCE = 1000
};

struct uint3 {
    unsigned x, y, z;
};
struct dim3 : uint3 {
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : uint3{a, b, c}
    {
    }
};
struct __align__(8) uint2
{
    unsigned x, y;
};
struct __align__(16) uint4
{
    unsigned x, y, z, w;
};
static inline uint2 make_uint2(unsigned x, unsigned y)
{
    return {x, y};
}
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w)
{
    return {x, y, z, w};
}

namespace gpu_emulator
{

/* --- The block that runs: emulator_launch.cc ---- */
struct position {
    uint3 thread, block;
    dim3 threads, blocks;
};
extern thread_local position here;
extern const int warp; /* lanes */
int lane();

void barrier(int line);
/* Each lane gives 8 bytes and gets the bytes of all lanes of its warp; 0 for lanes that do not
 * exist.
 */
const uint64_t *exchange(uint64_t mine);
/* This block's shared memory under a key; the first call allocates it, filled with garbage. */
void *shared(const void *key, size_t bytes);
void *dynamic_shared();
[[noreturn]] void die(const char *format, ...) __attribute__((format(printf, 1, 2)));

void launch(const char *name, dim3 blocks, dim3 threads, size_t shared_bytes,
            void (*call)(const void *), const void *data);

template <class Kernel>
void launch_kernel(const char *name, dim3 blocks, dim3 threads, size_t shared_bytes, Kernel kernel)
{
    launch(
        name, blocks, threads, shared_bytes, [](const void *data) { (*(const Kernel *)data)(); },
        &kernel);
}

/* --- Shuffles ---- */
template <class T> T shuffle(T value, int from)
{
    static_assert(sizeof(T) <= 8, "a shuffle moves 4 or 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    const uint64_t *all = exchange(bits);
    if (from >= 0 && from < warp)
        memcpy(&value, &all[from], sizeof value);
    return value;
}

static inline uint64_t ballot(int predicate)
{
    const uint64_t *all = exchange(predicate != 0);
    uint64_t mask = 0;
    for (int i = 0; i < warp; i++)
        mask |= all[i] << i;
    return mask;
}

/* --- Atomics: the old value ---- */
template <class T, class Change> T atomically(T *where, Change change)
{
    T old, wanted;
    __atomic_load(where, &old, __ATOMIC_RELAXED);
    do
        wanted = change(old);
    while (!__atomic_compare_exchange(where, &old, &wanted, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED));
    return old;
}

} // namespace gpu_emulator

template <class T> struct gpu_same {
    typedef T type;
};
template <class T> T atomicAdd(T *where, typename gpu_same<T>::type v)
{
    return gpu_emulator::atomically(where, [v](T old) { return (T)(old + v); });
}
template <class T> T atomicMax(T *where, typename gpu_same<T>::type v)
{
    return gpu_emulator::atomically(where, [v](T old) { return old > v ? old : v; });
}
template <class T> T atomicMin(T *where, typename gpu_same<T>::type v)
{
    return gpu_emulator::atomically(where, [v](T old) { return old < v ? old : v; });
}
template <class T> T atomicOr(T *where, typename gpu_same<T>::type v)
{
    return gpu_emulator::atomically(where, [v](T old) { return (T)(old | v); });
}
#define threadIdx                (gpu_emulator::here.thread)
#define blockIdx                 (gpu_emulator::here.block)
#define blockDim                 (gpu_emulator::here.threads)
#define gridDim                  (gpu_emulator::here.blocks)
#define GPU_WARP                 gpu_emulator::warp
#define __syncthreads()          gpu_emulator::barrier(__LINE__)
#define gpu_shuffle(v, from)     gpu_emulator::shuffle((v), (from))
#define gpu_shuffle_down(v, d)   gpu_emulator::shuffle((v), gpu_emulator::lane() + (d))
#define gpu_shuffle_up(v, d)     gpu_emulator::shuffle((v), gpu_emulator::lane() - (d))
#define gpu_shuffle_xor(v, mask) gpu_emulator::shuffle((v), gpu_emulator::lane() ^ (mask))
#define gpu_ballot(p)            gpu_emulator::ballot(p)
typedef uint64_t gpu_lanes;
/* A lane cannot ask the others: odd blocks answer yes, which forces the seam path. */
#define gpu_any(p)                     (p)
#define gpu_any_or_seam(p)             ((p) || blockIdx.x % 2)
#define gpu_load(pointer)              (*(pointer))
#define GPU_STORE_SAME(pointer, value) __atomic_store_n((pointer), (value), __ATOMIC_RELAXED)
#define GPU_LOAD_SAME(pointer)         __atomic_load_n((pointer), __ATOMIC_RELAXED)
#define GPU_SHARED(type, name, ...)                                                                \
    typedef type name##_in_shared __VA_ARGS__;                                                     \
    static const char name##_key = 0;                                                              \
    name##_in_shared &name = *(name##_in_shared *)gpu_emulator::shared(&name##_key, sizeof name)
#define GPU_DYNAMIC_SHARED(type, name) type *name = (type *)gpu_emulator::dynamic_shared()
static inline void gpu_begin(int early = 0)
{
    (void)early;
}
static inline void gpu_await()
{
}
static inline int gpu_overlaps()
{
    return 1;
}
#define GPU_LAUNCH_EARLY GPU_LAUNCH
/* Arguments are evaluated once, and copied for every thread. */
#define GPU_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                             \
    ((void)(stream), [&](auto... arguments) {                                                      \
        gpu_emulator::launch_kernel(#kernel, (blocks), (threads), (shared_bytes),                  \
                                    [=] { (kernel)(arguments...); });                              \
    }(__VA_ARGS__))

/* --- Intrinsic functions ---- */
static inline float __fdividef(float a, float b)
{
    return a / b;
}
static inline int __popc(unsigned v)
{
    return __builtin_popcount(v);
}
static inline int __popcll(unsigned long long v)
{
    return __builtin_popcountll(v);
}
static inline int __ffs(int v)
{
    return __builtin_ffs(v);
}
static inline int __ffsll(long long v)
{
    return __builtin_ffsll(v);
}
static inline long long __double_as_longlong(double value)
{
    long long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
template <class T> static inline T min(T a, typename gpu_same<T>::type b)
{
    return b < a ? b : a;
}
template <class T> static inline T max(T a, typename gpu_same<T>::type b)
{
    return b > a ? b : a;
}

/* --- The runtime: emulator_memory.cc ---- */
#define GPU_EMULATED_ERRORS(X)                                                                     \
    X(gpuSuccess, 0)                                                                               \
    X(gpuErrorMemoryAllocation, 2)                                                                 \
    X(gpuErrorInvalidConfiguration, 9)                                                             \
    X(gpuErrorInsufficientDriver, 35)                                                              \
    X(gpuErrorNoDevice, 100)                                                                       \
    X(gpuErrorInvalidDevice, 101)                                                                  \
    X(gpuErrorNoKernelImage, 209)                                                                  \
    X(gpuErrorEcc, 214)                                                                            \
    X(gpuErrorUnsupportedPtx, 222)                                                                 \
    X(gpuErrorNotReady, 600)                                                                       \
    X(gpuErrorIllegalAddress, 700)                                                                 \
    X(gpuErrorLaunchFailure, 719)
#define GPU_EMULATED_ERROR(name, code) name = code,
enum gpuError_t { GPU_EMULATED_ERRORS(GPU_EMULATED_ERROR) };
enum gpuMemcpyKind { gpuMemcpyHostToDevice = 1, gpuMemcpyDeviceToHost };
typedef struct gpu_emulated_stream *gpuStream_t;
typedef struct gpu_emulated_event *gpuEvent_t;
struct gpuDeviceProp_t {
    char name[256];
    int multiProcessorCount, warpSize;
    size_t totalGlobalMem;
};
const char *gpuGetErrorName(gpuError_t error);
static inline const char *gpuGetErrorString(gpuError_t error)
{
    return gpuGetErrorName(error);
}
gpuError_t gpuGetLastError();
gpuError_t gpuGetDeviceCount(int *count);
gpuError_t gpuGetDeviceProperties(gpuDeviceProp_t *properties, int device);
static inline gpuError_t gpuDriverGetVersion(int *version)
{
    *version = 0;
    return gpuSuccess;
}
static inline gpuError_t gpuDeviceGetPCIBusId(char *id, int size, int device)
{
    snprintf(id, (size_t)size, "emulated %d", device);
    return gpuSuccess;
}
static inline gpuError_t gpuRuntimeGetVersion(int *version)
{
    *version = 13000;
    return gpuSuccess;
}
static inline gpuError_t gpuSetDevice(int device)
{
    int count;
    return gpuGetDeviceCount(&count) == gpuSuccess && device < count ? gpuSuccess
                                                                     : gpuErrorInvalidDevice;
}
enum { gpuDevAttrKernelExecTimeout, gpuFuncAttributeMaxDynamicSharedMemorySize };
static inline gpuError_t gpuDeviceGetAttribute(int *value, int, int)
{
    *value = 0;
    return gpuSuccess;
}
gpuError_t gpuMemGetInfo(size_t *available, size_t *total);
gpuError_t gpuFuncSetAttribute(const void *kernel, int attribute, int value); /* as it likes */
gpuError_t gpuMalloc(void **memory, size_t bytes);
gpuError_t gpuFree(void *memory);
gpuError_t gpuMallocHost(void **memory, size_t bytes);
gpuError_t gpuFreeHost(void *memory);
template <class T> gpuError_t gpuMalloc(T **memory, size_t bytes)
{
    return gpuMalloc((void **)memory, bytes);
}
template <class T> gpuError_t gpuMallocHost(T **memory, size_t bytes)
{
    return gpuMallocHost((void **)memory, bytes);
}
/* Memory that the programs of several ranks share. */
#define GPU_PEERS 1
struct gpuIpcMemHandle_t {
    int program, file;
    size_t bytes;
};
enum { gpuIpcMemLazyEnablePeerAccess = 1 };
gpuError_t gpuMallocPeer(void **memory, size_t bytes);
gpuError_t gpuIpcGetMemHandle(gpuIpcMemHandle_t *handle, void *memory);
gpuError_t gpuIpcOpenMemHandle(void **memory, gpuIpcMemHandle_t handle, unsigned flags);
gpuError_t gpuIpcCloseMemHandle(void *memory);
#define gpu_fence_system() __sync_synchronize()
#define gpu_pause()        sched_yield()
gpuError_t gpuMemcpyAsync(void *to, const void *from, size_t bytes, gpuMemcpyKind kind,
                          gpuStream_t stream);
gpuError_t gpuMemsetAsync(void *memory, int value, size_t bytes, gpuStream_t stream);
static inline gpuError_t gpuStreamCreate(gpuStream_t *stream)
{
    *stream = NULL;
    return gpuSuccess;
}
static inline gpuError_t gpuStreamCreateWithPriority(gpuStream_t *stream, unsigned, int)
{
    return gpuStreamCreate(stream);
}
static inline gpuError_t gpuDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = *greatest = 0;
    return gpuSuccess;
}
static inline gpuError_t gpuStreamDestroy(gpuStream_t)
{
    return gpuSuccess;
}
gpuError_t gpuStreamSynchronize(gpuStream_t stream);
gpuError_t gpuStreamQuery(gpuStream_t stream);
static inline gpuError_t gpuStreamWaitEvent(gpuStream_t, gpuEvent_t, unsigned)
{
    return gpuSuccess;
}
gpuError_t gpuEventCreate(gpuEvent_t *event);
#define gpuEventCreateUntimed(event) gpuEventCreate(event)
gpuError_t gpuEventRecord(gpuEvent_t event, gpuStream_t stream);
gpuError_t gpuEventSynchronize(gpuEvent_t event);
gpuError_t gpuEventElapsedTime(float *milliseconds, gpuEvent_t from, gpuEvent_t to);
gpuError_t gpuEventDestroy(gpuEvent_t event);

/* Exclusive prefix sums and a sort as CUB's and rocPRIM's: each counted as one kernel. */
gpuError_t gpu_scan_call(void *temporary, size_t *bytes, uint32_t *inout, int64_t n, gpuStream_t);
gpuError_t gpu_sort_call(void *temporary, size_t *bytes, uint64_t *const key[2],
                         uint32_t *const value[2], int64_t n, int bits, int *last, gpuStream_t);

static inline size_t gpu_shared_most(const gpuDeviceProp_t &)
{
    return 48 * 1024;
}

static inline void gpu_describe(const gpuDeviceProp_t *p, int, char *text, size_t size)
{
    snprintf(text, size, "%s, %.0f GiB", p->name, (double)p->totalGlobalMem / 1073741824.0);
}

static inline void gpu_peak(int, int, double *flops, double *bytes)
{
    *flops = *bytes = 0;
}
#endif
