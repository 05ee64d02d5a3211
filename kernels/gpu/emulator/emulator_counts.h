/* What the emulated GPU was asked to do since the program began: for a test of how many launches a
 * step takes, and how much comes back. A call of a library is one kernel here, whatever it is
 * elsewhere. C and C++. */
#ifndef SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_COUNTS_H
#define SLUICE_KERNELS_GPU_EMULATOR_EMULATOR_COUNTS_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct sluice_emulated_counts {
    int64_t kernels, fills, copies;
    int64_t downloaded; /* bytes */
};
extern struct sluice_emulated_counts sluice_emulated_counts;

#ifdef __cplusplus
}
#endif
#endif
