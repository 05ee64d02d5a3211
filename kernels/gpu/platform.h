/* The thin map from one kernel source to CUDA, HIP, or the emulator on the CPU (tests only).
 *
 *   nvcc                       CUDA
 *   hipcc                      HIP
 *   g++ -DSLUICE_EMULATED      kernels/gpu/emulator/emulator.h
 *
 * Names that both runtimes share but for their prefix are written GPU(Name). Kernels are launched
 * with GPU_LAUNCH; what differs between the compilers in device code has a name here, gpu_... */
#ifndef SLUICE_KERNELS_GPU_PLATFORM_H
#define SLUICE_KERNELS_GPU_PLATFORM_H
#include <stddef.h>
#include <stdint.h>

#if defined(SLUICE_EMULATED)

#include "kernels/gpu/emulator/emulator.h"
#define SLUICE_GPU    sluice_emulated
#define GPU_WARP_MOST 64
#define GPU_CONSTANT
#define gpu_any(p) (p)
#define GPU_NAME   "emulated"

#elif defined(__HIPCC__)

#include <hip/hip_runtime.h>
#define SLUICE_GPU sluice_hip
#define GPU_CONSTANT
#define GPU_NAME                      "hip"
#define GPU(name)                     hip##name
#define gpuMallocHost(pointer, bytes) hipHostMalloc((pointer), (bytes), 0)
#define gpuFreeHost(pointer)          hipHostFree(pointer)
/* Lanes of a warp, in device code only: gfx9 has 64. The host asks the device's properties. */
#define GPU_WARP                      ((int)warpSize)
#define GPU_WARP_MOST                 64
#define gpu_shuffle_down(v, d)        __shfl_down((v), (d))
#define gpu_shuffle_up(v, d)          __shfl_up((v), (d))
#define gpu_shuffle_xor(v, mask)      __shfl_xor((v), (mask))
#define gpu_shuffle(v, lane)          __shfl((v), (lane))
#define gpu_ballot(p)                 ((uint64_t)__ballot(p))
#define gpu_any(p)                    __any(p)
#define gpu_load(pointer)             (*(pointer))

#else

#include <cuda_runtime.h>
#define SLUICE_GPU                    sluice_cuda
#define GPU_CONSTANT                  __grid_constant__ /* a parameter that stays where it is */
#define GPU_NAME                      "cuda"
#define GPU(name)                     cuda##name
#define gpuMallocHost(pointer, bytes) cudaMallocHost((pointer), (bytes))
#define gpuFreeHost(pointer)          cudaFreeHost(pointer)
#define GPU_WARP                      32
#define GPU_WARP_MOST                 32
#define gpu_shuffle_down(v, d)        __shfl_down_sync(0xffffffffu, (v), (d))
#define gpu_shuffle_up(v, d)          __shfl_up_sync(0xffffffffu, (v), (d))
#define gpu_shuffle_xor(v, mask)      __shfl_xor_sync(0xffffffffu, (v), (mask))
#define gpu_shuffle(v, lane)          __shfl_sync(0xffffffffu, (v), (lane))
#define gpu_ballot(p)                 ((uint64_t)__ballot_sync(0xffffffffu, (p)))
/* Whether p holds for any of the lanes that are here together: a hint, which may miss some. */
#define gpu_any(p)                    __any_sync(__activemask(), (p))
#define gpu_load(pointer)             __ldg(pointer) /* memory that no kernel of this launch writes */

#endif

/* A C symbol with this runtime's prefix: GPU_SYMBOL(ops) is sluice_cuda_ops. */
#define GPU_PASTE(prefix, name)          prefix##_##name
#define GPU_PASTE_EXPANDED(prefix, name) GPU_PASTE(prefix, name)
#define GPU_SYMBOL(name)                 GPU_PASTE_EXPANDED(SLUICE_GPU, name)

#ifndef SLUICE_EMULATED
typedef GPU(Error_t) gpuError_t;
typedef GPU(Stream_t) gpuStream_t;
typedef GPU(Event_t) gpuEvent_t;
#ifdef __HIPCC__
typedef hipDeviceProp_t gpuDeviceProp_t;
#else
typedef cudaDeviceProp gpuDeviceProp_t;
#endif
#define gpuSuccess GPU(Success)
/* Errors that error.cu explains; what has other names in HIP has the same number. */
#define gpuErrorMemoryAllocation   GPU(ErrorMemoryAllocation)
#define gpuErrorNoDevice           GPU(ErrorNoDevice)
#define gpuErrorInsufficientDriver GPU(ErrorInsufficientDriver)
#define gpuErrorNoKernelImage                                                                      \
    ((gpuError_t)209) /* ErrorNoKernelImageForDevice, ErrorNoBinaryForGpu */
#define gpuErrorEcc             ((gpuError_t)214) /* ErrorECCUncorrectable, ErrorECCNotCorrectable */
#define gpuErrorUnsupportedPtx  ((gpuError_t)222)
#define gpuErrorIllegalAddress  GPU(ErrorIllegalAddress)
#define gpuErrorLaunchFailure   GPU(ErrorLaunchFailure)
#define gpuGetErrorName         GPU(GetErrorName)
#define gpuGetErrorString       GPU(GetErrorString)
#define gpuGetLastError         GPU(GetLastError)
#define gpuGetDeviceCount       GPU(GetDeviceCount)
#define gpuGetDeviceProperties  GPU(GetDeviceProperties)
#define gpuDriverGetVersion     GPU(DriverGetVersion)
#define gpuRuntimeGetVersion    GPU(RuntimeGetVersion)
#define gpuSetDevice            GPU(SetDevice)
#define gpuMemGetInfo           GPU(MemGetInfo)
#define gpuMalloc               GPU(Malloc)
#define gpuFree                 GPU(Free)
#define gpuMemcpyAsync          GPU(MemcpyAsync)
#define gpuMemsetAsync          GPU(MemsetAsync)
#define gpuMemcpyHostToDevice   GPU(MemcpyHostToDevice)
#define gpuMemcpyDeviceToHost   GPU(MemcpyDeviceToHost)
#define gpuMemcpyDeviceToDevice GPU(MemcpyDeviceToDevice)
#define gpuStreamCreate         GPU(StreamCreate)
#define gpuStreamDestroy        GPU(StreamDestroy)
#define gpuStreamSynchronize    GPU(StreamSynchronize)
#define gpuStreamWaitEvent      GPU(StreamWaitEvent)
#define gpuEventCreate          GPU(EventCreate)
/* An event that is waited for, and whose time nobody asks for: cheaper. */
#define gpuEventCreateUntimed(event) GPU(EventCreateWithFlags)((event), GPU(EventDisableTiming))
#define gpuEventRecord               GPU(EventRecord)
#define gpuEventQuery                GPU(EventQuery)
#define gpuEventSynchronize          GPU(EventSynchronize)
#define gpuEventElapsedTime          GPU(EventElapsedTime)
#define gpuEventDestroy              GPU(EventDestroy)
/* A kernel's first line. On devices that can, a launch lets the one after it be placed while it
 * still runs (CUDA's programmatic dependent launch): what follows here waits for what it needs,
 * all launches before. Between two short kernels that saves a microsecond. */
static __device__ __forceinline__ void gpu_begin(int early = 0)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    if (!early)
        cudaGridDependencySynchronize();
    cudaTriggerProgrammaticLaunchCompletion();
#else
    (void)early;
#endif
}
/* early, of a launch made with GPU_LAUNCH_EARLY: what follows gpu_begin runs beside the end of the
 * launch before, but not of those before that one; from gpu_await on all are done. Who reads what
 * that launch writes, or stores what it may read or write, waits first: also with gpu_load, for no
 * such line is in a cache before, and no load moves out of the branches behind the wait. */
static __device__ __forceinline__ void gpu_await()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}
#ifdef __HIPCC__
#define GPU_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                             \
    kernel<<<(blocks), (threads), (shared_bytes), (stream)>>>(__VA_ARGS__)
#define GPU_LAUNCH_EARLY GPU_LAUNCH
static inline int gpu_overlaps()
{
    return 0;
}
#else
/* Blocks of a launch up to which it may be placed early: larger ones were 1% slower for it. 0: the
 * device cannot. */
static inline unsigned gpu_overlap_most()
{
    int device = 0, major = 0, multiprocessors = 0;
    const int known = cudaGetDevice(&device) == cudaSuccess &&
                      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) ==
                          cudaSuccess &&
                      cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                                             device) == cudaSuccess;
    return known && major >= 9 ? 64u * (unsigned)multiprocessors : 0;
}

/* Whether a launch may be placed before the one before it has ended. A program runs on one device.
 */
static inline unsigned gpu_overlaps()
{
    static const unsigned most = gpu_overlap_most();
    return most;
}

template <class... Parameters, class... Arguments>
static inline void gpu_launch(int early, void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                              size_t shared_bytes, cudaStream_t stream, Arguments &&...arguments)
{
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = early || blocks.x * blocks.y <= gpu_overlaps() ? 1 : 0;
    cudaLaunchKernelEx(&config, kernel, static_cast<Arguments &&>(arguments)...);
}
#define GPU_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                             \
    gpu_launch(0, (kernel), dim3(blocks), dim3((unsigned)(threads)), (size_t)(shared_bytes),       \
               (stream), __VA_ARGS__)
#define GPU_LAUNCH_EARLY(kernel, blocks, threads, shared_bytes, stream, ...)                       \
    gpu_launch(1, (kernel), dim3(blocks), dim3((unsigned)(threads)), (size_t)(shared_bytes),       \
               (stream), __VA_ARGS__)
#endif
/* Of a place where several threads store, all the same; others may look whether one has. */
#define GPU_STORE_SAME(pointer, value) (*(pointer) = (value))
#define GPU_LOAD_SAME(pointer)         (*(pointer))
/* Draws a number from a place: 0, 1, ... Who draws sees what those before it had stored. */
static __device__ __forceinline__ uint32_t gpu_draw(uint32_t *from)
{
    __threadfence();
    const uint32_t number = atomicAdd(from, 1u);
    __threadfence();
    return number;
}
/* A variable in shared memory, one a block: GPU_SHARED(double, sums, [4][256]), GPU_SHARED(int, n).
 * What it holds at first is garbage. */
#define GPU_SHARED(type, name, ...) __shared__ type name __VA_ARGS__
/* An array in shared memory whose size the launch gives. */
#define GPU_DYNAMIC_SHARED(type, name)                                                             \
    extern __shared__ __align__(16) unsigned char gpu_dynamic_shared_[];                           \
    type *name = (type *)gpu_dynamic_shared_
#endif
#endif
