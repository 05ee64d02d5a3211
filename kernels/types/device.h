/* The macros INLINED and HD; HD is for functions that gcc, nvcc and hipcc share. */
#ifndef SLUICE_KERNELS_TYPES_DEVICE_H
#define SLUICE_KERNELS_TYPES_DEVICE_H
/* 1 where a GPU's own code is made, 0 on the host. */
#if defined(__CUDA_ARCH__) || (defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__)
#define SLUICE_ON_DEVICE 1
#else
#define SLUICE_ON_DEVICE 0
#endif

/* For functions that are worth a copy in every case of a loop. Under gcc's sanitizers and without
 * optimisation, where copies would only take minutes to compile, all cases call one function. nvcc
 * says nothing of optimisation. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
    (!defined(__OPTIMIZE__) && !defined(__CUDACC__))
#define INLINED inline
#else
#define INLINED inline __attribute__((always_inline))
#endif

#if defined(__CUDACC__) || defined(__HIPCC__)
#define HD static __host__ __device__ INLINED
#else
#define HD static INLINED
#endif
#endif
