/* One kernel source for CUDA, HIP, and the emulator on the CPU (tests only).
 *
 *   nvcc                       platform_cuda.h
 *   hipcc                      platform_hip.h
 *   g++ -DSLUICE_EMULATED      emulator/emulator.h
 *
 * Each of these headers defines the same names:
 *
 *   GPU_NAME, SLUICE_GPU       the backend's name, and the namespace of its code
 *   gpuMalloc, gpuError_t, ... the runtime, as CUDA and HIP have it but for the prefix
 *   GPU_LAUNCH                 launches a kernel
 *   GPU_WARP, GPU_WARP_MOST    lanes of a warp, and the most that any device of the platform has
 *   gpu_shuffle, gpu_ballot    exchange between the lanes of a warp
 *   gpu_lanes                  what gpu_ballot returns: a bit for each lane
 *   GPU_BLOCKS_LEAST(n)        second number of __launch_bounds__: blocks of a multiprocessor
 *   gpu_any(p)                 1 if p holds for any active lane of the warp; it may miss lanes, so
 *                              use it as a hint only
 *   gpu_load                   reads memory that no kernel writes during this launch
 *   GPU_CONSTANT               marks a kernel parameter that stays in constant memory
 *   gpu_describe               describes a device in words
 *   gpu_peak                   its highest rates of operations and of bytes a second; 0: unknown */
#ifndef SLUICE_KERNELS_GPU_PLATFORM_H
#define SLUICE_KERNELS_GPU_PLATFORM_H
#include <stddef.h>
#include <stdint.h>

#if defined(SLUICE_EMULATED)
#include "kernels/gpu/emulator/emulator.h"
#else
#ifdef __HIPCC__
#include "kernels/gpu/platform_hip.h"
#else
#include "kernels/gpu/platform_cuda.h"
#endif

/* Sizes that were measured on devices. The emulator's are small, so that small tests meet every
 * case. */
enum {
    GPU_EXTENT_BITS = 6,       /* a stretch of a row is 2^6 bins: window/row_extents.h */
    GPU_MASKS_WORTH = 1 << 17, /* targets from which near masks pay: window/near_masks.cu */
    GPU_SPLIT_LIGHT = 56,  /* warps of a multiprocessor up to which targets are split, for light */
    GPU_SPLIT_HEAVY = 128, /* and for other pairs: window/window.cu */
    GPU_SPLIT_GENERAL = 0, /* 1: only the general kernel can split targets */
    GPU_QUEUE = 96,        /* candidates that a warp meets at once, in float: bucket/bucket.cu */
    GPU_QUEUE_DOUBLE = 64, /* in double */
    GPU_CANDIDATES = 2500, /* candidates that a warp copies at most for several targets */
    GPU_ORDER_AT_ONCE = 1 << 22 /* particles whose order crosses to or from the host at once */
};

typedef GPU(Error_t) gpuError_t;
typedef GPU(Stream_t) gpuStream_t;
typedef GPU(Event_t) gpuEvent_t;
#define gpuSuccess                 GPU(Success)
/* The errors that error.cu explains. CUDA and HIP number them alike but name three differently. */
#define gpuErrorMemoryAllocation   GPU(ErrorMemoryAllocation)
#define gpuErrorNoDevice           GPU(ErrorNoDevice)
#define gpuErrorInsufficientDriver GPU(ErrorInsufficientDriver)
#define gpuErrorNoKernelImage                                                                      \
    ((gpuError_t)209) /* ErrorNoKernelImageForDevice, ErrorNoBinaryForGpu */
#define gpuErrorEcc                     ((gpuError_t)214) /* ECC: uncorrectable */
#define gpuErrorUnsupportedPtx          ((gpuError_t)222)
#define gpuErrorIllegalAddress          GPU(ErrorIllegalAddress)
#define gpuErrorLaunchFailure           GPU(ErrorLaunchFailure)
#define gpuGetErrorName                 GPU(GetErrorName)
#define gpuGetErrorString               GPU(GetErrorString)
#define gpuGetLastError                 GPU(GetLastError)
#define gpuGetDeviceCount               GPU(GetDeviceCount)
#define gpuGetDeviceProperties          GPU(GetDeviceProperties)
#define gpuDriverGetVersion             GPU(DriverGetVersion)
#define gpuRuntimeGetVersion            GPU(RuntimeGetVersion)
#define gpuSetDevice                    GPU(SetDevice)
#define gpuDeviceGetPCIBusId            GPU(DeviceGetPCIBusId)
#define gpuMemGetInfo                   GPU(MemGetInfo)
#define gpuFuncSetAttribute             GPU(FuncSetAttribute)
#define gpuDeviceGetAttribute           GPU(DeviceGetAttribute)
/* Device memory of one rank, from gpuMallocPeer, in another rank's program on the same host. */
#define gpuIpcMemHandle_t               GPU(IpcMemHandle_t)
#define gpuIpcGetMemHandle              GPU(IpcGetMemHandle)
#define gpuIpcOpenMemHandle             GPU(IpcOpenMemHandle)
#define gpuIpcCloseMemHandle            GPU(IpcCloseMemHandle)
#define gpuIpcMemLazyEnablePeerAccess   GPU(IpcMemLazyEnablePeerAccess)
#define gpu_fence_system()              __threadfence_system()
#define gpuMalloc                       GPU(Malloc)
#define gpuFree                         GPU(Free)
#define gpuMemcpyAsync                  GPU(MemcpyAsync)
#define gpuMemsetAsync                  GPU(MemsetAsync)
#define gpuMemcpyHostToDevice           GPU(MemcpyHostToDevice)
#define gpuMemcpyDeviceToHost           GPU(MemcpyDeviceToHost)
#define gpuStreamCreate                 GPU(StreamCreate)
#define gpuStreamCreateWithPriority     GPU(StreamCreateWithPriority)
#define gpuStreamDestroy                GPU(StreamDestroy)
#define gpuStreamSynchronize            GPU(StreamSynchronize)
#define gpuStreamQuery                  GPU(StreamQuery)
#define gpuErrorNotReady                GPU(ErrorNotReady)
#define gpuStreamWaitEvent              GPU(StreamWaitEvent)
#define gpuEventCreate                  GPU(EventCreate)
/* An event without a time is cheaper. */
#define gpuEventCreateUntimed(event)    GPU(EventCreateWithFlags)((event), GPU(EventDisableTiming))
#define gpuEventRecord                  GPU(EventRecord)
#define gpuDeviceGetStreamPriorityRange GPU(DeviceGetStreamPriorityRange)
#define gpuEventSynchronize             GPU(EventSynchronize)
#define gpuEventElapsedTime             GPU(EventElapsedTime)
#define gpuEventDestroy                 GPU(EventDestroy)

/* The first line of a kernel: waits for all launches before this one. A device that can (CUDA's
 * programmatic dependent launch) places the next launch while this one still runs, which saves a
 * microsecond between short kernels. */
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

/* A launch by GPU_LAUNCH_EARLY begins with gpu_begin(1) and then runs beside the end of the
 * previous launch (those before that one have ended). Call gpu_await before touching data that the
 * previous launch uses, even through gpu_load: no such line is cached earlier, and the compiler
 * moves no load up across the wait. */
static __device__ __forceinline__ void gpu_await()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/* For a word into which several threads store the same value, and which others may read. */
#define GPU_STORE_SAME(pointer, value) (*(pointer) = (value))
#define GPU_LOAD_SAME(pointer)         (*(pointer))

/* Declares a variable in shared memory, one for each block: GPU_SHARED(double, sums, [4][256]). It
 * is not initialised. */
#define GPU_SHARED(type, name, ...)    __shared__ type name __VA_ARGS__
/* Declares an array in shared memory whose size the launch gives. */
#define GPU_DYNAMIC_SHARED(type, name)                                                             \
    extern __shared__ __align__(16) unsigned char gpu_dynamic_shared_[];                           \
    type *name = (type *)gpu_dynamic_shared_

/* gpu_any for a choice between two ways that give the same result. */
#define gpu_any_or_seam(p) gpu_any(p)
#endif

/* The first lane of some, and how many they are. */
static __device__ __forceinline__ int gpu_first_lane(gpu_lanes lanes)
{
    return (sizeof lanes == 4 ? __ffs((int)lanes) : __ffsll((long long)lanes)) - 1;
}
static __device__ __forceinline__ int gpu_count_lanes(gpu_lanes lanes)
{
    return sizeof lanes == 4 ? __popc((unsigned)lanes) : __popcll(lanes);
}
/* Those before this one. */
static __device__ __forceinline__ gpu_lanes gpu_lanes_before(int lane)
{
    return ((gpu_lanes)1 << lane) - 1;
}

/* GPU_SYMBOL(ops) is sluice_cuda_ops and so on: a name that C code knows. */
#define GPU_PASTE(first, second)  first##_##second
#define GPU_PASTED(first, second) GPU_PASTE(first, second)
#define GPU_SYMBOL(name)          GPU_PASTED(SLUICE_GPU, name)
#endif
