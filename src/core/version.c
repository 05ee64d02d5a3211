#include "core/version.h"

#if !defined SLUICE_REVISION || !defined SLUICE_COMPILER || !defined SLUICE_FLAGS
#error "SLUICE_REVISION, SLUICE_COMPILER and SLUICE_FLAGS come from the Makefile"
#endif

const struct sluice_version sluice_version = {
    .version = "0.2.0",
    .revision = SLUICE_REVISION,
    .compiler = SLUICE_COMPILER,
    .flags = SLUICE_FLAGS,
    .configuration = SLUICE_CONFIG,
    .isas = SLUICE_ISAS,
    .mpirun = SLUICE_MPIRUN,
};
