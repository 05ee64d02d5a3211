/* Calls of the emulated GPU since the program began: a test checks how many launches a step takes,
 * and how many bytes come back. A library's call counts as one kernel, whatever it is on a device.
 * C and C++. */
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
