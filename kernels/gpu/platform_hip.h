/* HIP's side of platform.h. */
#ifndef SLUICE_KERNELS_GPU_PLATFORM_HIP_H
#define SLUICE_KERNELS_GPU_PLATFORM_HIP_H
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#include <stdint.h>
#include <stdio.h>

#define SLUICE_GPU                    sluice_hip
#define GPU_NAME                      "hip"
#define GPU_DEBUGGER                  "rocgdb --args build/sluice run ..."
#define GPU_ARCHS                     "HIP_ARCHS"
#define GPU_VISIBLE                   "HIP_VISIBLE_DEVICES"
#define GPU(name)                     hip##name
#define gpuMallocHost(pointer, bytes) hipHostMalloc((pointer), (bytes), 0)
#define gpuFreeHost(pointer)          hipHostFree(pointer)
#define GPU_PEERS                     0 /* waiting for another GPU's number was never tried */
#define gpuMallocPeer(pointer, bytes)                                                              \
    hipExtMallocWithFlags((pointer), (bytes), hipDeviceMallocFinegrained)
#define gpuDevAttrKernelExecTimeout                hipDeviceAttributeKernelExecTimeout
#define gpuFuncAttributeMaxDynamicSharedMemorySize hipFuncAttributeMaxDynamicSharedMemorySize
#define gpu_pause()                                __builtin_amdgcn_s_sleep(1)
#define GPU_CONSTANT
/* GPU_WARP may be used in device code only, where gfx9 devices have 64. On the host, read the warp
 * size from the device's properties. */
#define GPU_WARP                 ((int)warpSize)
#define GPU_WARP_MOST            64
#define gpu_shuffle_down(v, d)   __shfl_down((v), (d))
#define gpu_shuffle_up(v, d)     __shfl_up((v), (d))
#define gpu_shuffle_xor(v, mask) __shfl_xor((v), (mask))
#define gpu_shuffle(v, lane)     __shfl((v), (lane))
#define gpu_ballot(p)            ((uint64_t)__ballot(p))
#define gpu_any(p)               __any(p)
#define gpu_load(pointer)        (*(pointer))
#define GPU_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...)                             \
    kernel<<<(blocks), (threads), (shared_bytes), (stream)>>>(__VA_ARGS__)
#define GPU_LAUNCH_EARLY GPU_LAUNCH
typedef uint64_t gpu_lanes;
#define GPU_BLOCKS_LEAST(n) 1 /* __launch_bounds__ counts warps of a unit there */
typedef hipDeviceProp_t gpuDeviceProp_t;

static inline int gpu_overlaps()
{
    return 0;
}

static inline size_t gpu_shared_most(const gpuDeviceProp_t &p)
{
    return p.sharedMemPerBlock;
}

static inline void gpu_describe(const gpuDeviceProp_t *p, int driver, char *text, size_t size)
{
    snprintf(text, size, "%s, %s, %.0f GiB, driver %d.%d", p->name, p->gcnArchName,
             (double)p->totalGlobalMem / 1073741824.0, driver / 10000000, driver / 100000 % 100);
}

static inline void gpu_peak(int device, int real_bytes, double *flops, double *bytes)
{
    (void)device, (void)real_bytes;
    *flops = *bytes = 0; /* no table of AMD's devices here: 0 means unknown */
}
#endif
#endif
