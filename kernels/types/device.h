/* The macro HD for inline functions that gcc, nvcc and hipcc share. */
#ifndef SLUICE_KERNELS_TYPES_DEVICE_H
#define SLUICE_KERNELS_TYPES_DEVICE_H
/* 1 where a GPU's own code is made, 0 on the host. */
#if defined(__CUDA_ARCH__) || (defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__)
#define SLUICE_ON_DEVICE 1
#else
#define SLUICE_ON_DEVICE 0
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define HD static __host__ __device__ inline __attribute__((always_inline))
#else
#define HD static inline __attribute__((always_inline))
#endif
#endif
