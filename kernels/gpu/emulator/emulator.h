/* A GPU on the CPU, for tests: what platform.h maps to when SLUICE_EMULATED is defined. It is no test of
 * code generation, of memory order between blocks, or of speed.
 *
 * Each thread of a block is a fiber with a stack of its own. It runs until it meets a barrier, a
 * shuffle or a ballot; then the next one of its warp runs, and when all of a warp wait, the next
 * warp. So what a thread reads of another one without a barrier between, it reads too early in one
 * of the two orders:
 *
 *   SLUICE_EMULATED_WARP     lanes of a warp: 32, 64
 *   SLUICE_EMULATED_ORDER    forward (lane 0 first), reverse
 *   SLUICE_EMULATED_MEMORY   bytes of the device's memory (4 GiB)
 *   SLUICE_EMULATED_FAIL     device:CODE, launch:CODE or sync:CODE: what fails, with which error
 *
 * Shared memory and device memory hold garbage at first. Device memory has red zones, and under
 * AddressSanitizer the host cannot touch it but by copies. What is no kernel of CUDA's and HIP's
 * rules ends the program with a message: shuffles that not all lanes of a warp reach, barriers that
 * not all threads of a block meet, memory that is not what a copy says it is.
 *
 * Blocks run in parallel (OpenMP). Under ThreadSanitizer fibers are its threads, and barriers,
 * launches and the ends of kernels all that orders them. */
#ifndef SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_H
#define SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_H
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* --- The language ---- */
#define __global__
#define __device__
#define __host__
#define __constant__    static
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n)    __attribute__((aligned(n)))
#define __launch_bounds__(...)

struct uint3 {
    unsigned x, y, z;
};
struct dim3 : uint3 {
    dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : uint3{a, b, c}
    {
    }
};
#define GPU_EMULATED_VECTOR(type, name)                                                            \
    struct __align__(2 * sizeof(type)) name##2                                                     \
    {                                                                                              \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct __align__(4 * sizeof(type) < 16 ? 4 * sizeof(type) : 16) name##4                        \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    static inline name##2 make_##name##2(type x, type y)                                           \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    static inline name##3 make_##name##3(type x, type y, type z)                                   \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    static inline name##4 make_##name##4(type x, type y, type z, type w)                           \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
GPU_EMULATED_VECTOR(float, float)
GPU_EMULATED_VECTOR(double, double)
GPU_EMULATED_VECTOR(int, int)
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

/* --- The block that runs: emulator.cc ---- */
struct position {
    uint3 thread, block;
    dim3 threads, blocks;
};
extern thread_local position here;
extern const int warp; /* lanes */
int lane();

void barrier(int line);
/* Each lane gives 8 bytes and gets those of all lanes of its warp; of lanes that do not exist: 0.
 */
const uint64_t *exchange(uint64_t mine, const char *what);
/* Shared memory of this block under a key, made of garbage when first asked for. */
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
    const uint64_t *all = exchange(bits, "shuffle");
    if (from >= 0 && from < warp)
        memcpy(&value, &all[from], sizeof value);
    return value;
}

static inline uint64_t ballot(int predicate)
{
    const uint64_t *all = exchange(predicate != 0, "ballot");
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

/* Fills device memory with NaN, uncounted. */
void spoil(void *memory, size_t bytes);

} // namespace gpu_emulator

template <class T> struct gpu_same {
    typedef T type;
};
template <class T> T atomicAdd(T *where, typename gpu_same<T>::type v)
{
    return gpu_emulator::atomically(where, [v](T old) { return (T)(old + v); });
}
template <class T> T atomicSub(T *where, typename gpu_same<T>::type v)
{
    return gpu_emulator::atomically(where, [v](T old) { return (T)(old - v); });
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
template <class T> T atomicAnd(T *where, typename gpu_same<T>::type v)
{
    return gpu_emulator::atomically(where, [v](T old) { return (T)(old & v); });
}
template <class T> T atomicExch(T *where, typename gpu_same<T>::type v)
{
    return gpu_emulator::atomically(where, [v](T) { return v; });
}
template <class T>
T atomicCAS(T *where, typename gpu_same<T>::type expected, typename gpu_same<T>::type v)
{
    return gpu_emulator::atomically(where, [=](T old) { return old == expected ? v : old; });
}

#define threadIdx                      (gpu_emulator::here.thread)
#define blockIdx                       (gpu_emulator::here.block)
#define blockDim                       (gpu_emulator::here.threads)
#define gridDim                        (gpu_emulator::here.blocks)
#define GPU_WARP                       gpu_emulator::warp
#define __syncthreads()                gpu_emulator::barrier(__LINE__)
#define __syncwarp()                   ((void)gpu_emulator::exchange(0, "__syncwarp"))
#define __threadfence()                __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define gpu_shuffle(v, from)           gpu_emulator::shuffle((v), (from))
#define gpu_shuffle_down(v, d)         gpu_emulator::shuffle((v), gpu_emulator::lane() + (d))
#define gpu_shuffle_up(v, d)           gpu_emulator::shuffle((v), gpu_emulator::lane() - (d))
#define gpu_shuffle_xor(v, mask)       gpu_emulator::shuffle((v), gpu_emulator::lane() ^ (mask))
#define gpu_ballot(p)                  gpu_emulator::ballot(p)
#define gpu_load(pointer)              (*(pointer))
#define __ldg(pointer)                 (*(pointer))
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
static inline uint32_t gpu_draw(uint32_t *from)
{
    return __atomic_fetch_add(from, 1u, __ATOMIC_ACQ_REL);
}
/* Arguments are evaluated once, and copied for every thread. */
#define GPU_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                             \
    ((void)(stream), [&](auto... arguments) {                                                      \
        gpu_emulator::launch_kernel(#kernel, (blocks), (threads), (shared_bytes),                  \
                                    [=] { (kernel)(arguments...); });                              \
    }(__VA_ARGS__))

/* --- Intrinsic functions ---- */
static inline float __saturatef(float v)
{
    return v > 0 ? v < 1 ? v : 1 : 0; /* NaN: 0 */
}
static inline float rsqrtf(float v)
{
    return 1 / sqrtf(v);
}
static inline double rsqrt(double v)
{
    return 1 / sqrt(v);
}
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
static inline int __clz(int v)
{
    return v ? __builtin_clz((unsigned)v) : 32;
}
static inline int __ffs(int v)
{
    return __builtin_ffs(v);
}
static inline int __ffsll(long long v)
{
    return __builtin_ffsll(v);
}
#define GPU_EMULATED_CAST(name, to, from)                                                          \
    static inline to name(from value)                                                              \
    {                                                                                              \
        to result;                                                                                 \
        memcpy(&result, &value, sizeof result);                                                    \
        return result;                                                                             \
    }
GPU_EMULATED_CAST(__float_as_int, int, float)
GPU_EMULATED_CAST(__float_as_uint, unsigned, float)
GPU_EMULATED_CAST(__int_as_float, float, int)
GPU_EMULATED_CAST(__uint_as_float, float, unsigned)
GPU_EMULATED_CAST(__double_as_longlong, long long, double)
GPU_EMULATED_CAST(__longlong_as_double, double, long long)
template <class T> static inline T min(T a, typename gpu_same<T>::type b)
{
    return b < a ? b : a;
}
template <class T> static inline T max(T a, typename gpu_same<T>::type b)
{
    return b > a ? b : a;
}

/* --- The runtime: emulator.cc ---- */
enum gpuError_t {
    gpuSuccess,
    gpuErrorInvalidValue,
    gpuErrorMemoryAllocation,
    gpuErrorInvalidConfiguration = 9,
    gpuErrorInsufficientDriver = 35,
    gpuErrorNoDevice = 100,
    gpuErrorInvalidDevice = 101,
    gpuErrorNoKernelImage = 209,
    gpuErrorEcc = 214,
    gpuErrorUnsupportedPtx = 222,
    gpuErrorIllegalAddress = 700,
    gpuErrorLaunchFailure = 719
};
enum gpuMemcpyKind { gpuMemcpyHostToDevice = 1, gpuMemcpyDeviceToHost, gpuMemcpyDeviceToDevice };
typedef struct gpu_emulated_stream *gpuStream_t;
typedef struct gpu_emulated_event *gpuEvent_t;
struct gpuDeviceProp_t {
    char name[256];
    int major, minor, multiProcessorCount, warpSize;
    size_t totalGlobalMem, sharedMemPerBlock;
};
const char *gpuGetErrorName(gpuError_t error);
const char *gpuGetErrorString(gpuError_t error);
gpuError_t gpuGetLastError();
gpuError_t gpuGetDeviceCount(int *count);
gpuError_t gpuGetDeviceProperties(gpuDeviceProp_t *properties, int device);
gpuError_t gpuDriverGetVersion(int *version);
gpuError_t gpuRuntimeGetVersion(int *version);
gpuError_t gpuSetDevice(int device);
gpuError_t gpuMemGetInfo(size_t *available, size_t *total);
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
gpuError_t gpuMemcpyAsync(void *to, const void *from, size_t bytes, gpuMemcpyKind kind,
                          gpuStream_t stream);
gpuError_t gpuMemsetAsync(void *memory, int value, size_t bytes, gpuStream_t stream);
gpuError_t gpuStreamCreate(gpuStream_t *stream);
gpuError_t gpuStreamDestroy(gpuStream_t stream);
gpuError_t gpuStreamSynchronize(gpuStream_t stream);
gpuError_t gpuStreamWaitEvent(gpuStream_t stream, gpuEvent_t event, unsigned flags);
gpuError_t gpuEventCreate(gpuEvent_t *event);
#define gpuEventCreateUntimed(event) gpuEventCreate(event)
gpuError_t gpuEventRecord(gpuEvent_t event, gpuStream_t stream);
gpuError_t gpuEventQuery(gpuEvent_t event);
gpuError_t gpuEventSynchronize(gpuEvent_t event);
gpuError_t gpuEventElapsedTime(float *milliseconds, gpuEvent_t from, gpuEvent_t to);
gpuError_t gpuEventDestroy(gpuEvent_t event);
#endif
