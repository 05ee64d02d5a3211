/* CUDA's side of platform.h. */
#ifndef SLUICE_KERNELS_GPU_PLATFORM_CUDA_H
#define SLUICE_KERNELS_GPU_PLATFORM_CUDA_H
#ifdef __CUDACC__
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>

#define SLUICE_GPU                    sluice_cuda
#define GPU_NAME                      "cuda"
#define GPU_DEBUGGER                  "compute-sanitizer build/sluice run ..."
#define GPU_ARCHS                     "CUDA_ARCHS"
#define GPU_VISIBLE                   "CUDA_VISIBLE_DEVICES"
#define GPU(name)                     cuda##name
#define gpuMallocHost(pointer, bytes) cudaMallocHost((pointer), (bytes))
#define gpuFreeHost(pointer)          cudaFreeHost(pointer)
/* Memory that another rank's GPU may map, and whether this was tried on such GPUs. */
#define GPU_PEERS                                  1
#define gpuMallocPeer(pointer, bytes)              cudaMalloc((pointer), (bytes))
#define gpuDevAttrKernelExecTimeout                cudaDevAttrKernelExecTimeout
#define gpuFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize
#define gpu_pause()                                __nanosleep(20)
#define GPU_CONSTANT                               __grid_constant__
#define GPU_WARP                                   32
#define GPU_WARP_MOST                              32
#define gpu_shuffle_down(v, d)                     __shfl_down_sync(0xffffffffu, (v), (d))
#define gpu_shuffle_up(v, d)                       __shfl_up_sync(0xffffffffu, (v), (d))
#define gpu_shuffle_xor(v, mask)                   __shfl_xor_sync(0xffffffffu, (v), (mask))
#define gpu_shuffle(v, lane)                       __shfl_sync(0xffffffffu, (v), (lane))
#define gpu_ballot(p)                              __ballot_sync(0xffffffffu, (p))
#define gpu_any(p)                                 __any_sync(__activemask(), (p))
#define gpu_load(pointer)                          __ldg(pointer)
typedef uint32_t gpu_lanes;
#define GPU_BLOCKS_LEAST(n) (n)
typedef cudaDeviceProp gpuDeviceProp_t;

/* Launches with more blocks than this do not overlap the launch before: they were 1% slower for it.
 * 0: the device cannot overlap launches. */
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

/* A program runs on one device, so it is asked once. */
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
#define GPU_LAUNCH_AS(early, kernel, blocks, threads, shared_bytes, stream, ...)                   \
    gpu_launch((early), (kernel), dim3(blocks), dim3((unsigned)(threads)), (size_t)(shared_bytes), \
               (stream), __VA_ARGS__)
#define GPU_LAUNCH(...)       GPU_LAUNCH_AS(0, __VA_ARGS__)
#define GPU_LAUNCH_EARLY(...) GPU_LAUNCH_AS(1, __VA_ARGS__)

static inline size_t gpu_shared_most(const gpuDeviceProp_t &p)
{
    return p.sharedMemPerBlockOptin;
}

static inline void gpu_describe(const gpuDeviceProp_t *p, int driver, char *text, size_t size)
{
    snprintf(text, size, "%s, sm_%d%d, %.0f GiB, driver for CUDA %d.%d", p->name, p->major,
             p->minor, (double)p->totalGlobalMem / 1073741824.0, driver / 1000, driver % 1000 / 10);
}

/* Each core does one multiply-add (two operations) a clock. */
static inline void gpu_peak(int device, int real_bytes, double *flops, double *bytes)
{
    static const struct {
        int architecture, cores, double_cores; /* of a multiprocessor */
    } known[] = {{75, 64, 2},  {80, 64, 32},  {86, 128, 2},   {87, 128, 2},
                 {89, 128, 2}, {90, 128, 64}, {100, 128, 64}, {120, 128, 2}};
    cudaDeviceProp properties;
    int clock = 0, memory_clock = 0, bus = 0; /* kHz, kHz, bits */
    *flops = *bytes = 0;
    if (cudaGetDeviceProperties(&properties, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&bus, cudaDevAttrGlobalMemoryBusWidth, device) != cudaSuccess) {
        cudaGetLastError();
        return;
    }
    *bytes = 2e3 * memory_clock * bus / 8; /* two transfers a clock */
    for (const auto &k : known)
        if (k.architecture == 10 * properties.major + properties.minor)
            *flops = 2e3 * clock * properties.multiProcessorCount *
                     (real_bytes == 8 ? k.double_cores : k.cores);
}
#endif
#endif
