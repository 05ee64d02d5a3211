/* Weakly compressible SPH with the Wendland C2 kernel; the formulas are in wcsph.h. */
#ifndef SLUICE_PAIR_WCSPH_WENDLAND_H
#define SLUICE_PAIR_WCSPH_WENDLAND_H
#define SPH_NAME(part)   wcsph_wendland_##part
#define SPH_KERNEL(part) wendland_##part
#include "kernels/pair/wcsph.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define wcsph_wendland_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define wcsph_wendland_READS        WCSPH_READS
#define wcsph_wendland_WRITES       WCSPH_WRITES
#define wcsph_wendland_FLOPS        60
#define wcsph_wendland_MASKS_ITSELF 1
#define wcsph_wendland_USES_R       1
#define wcsph_wendland_PACKS        SLUICE_FIELD_EOS
#define wcsph_wendland_SRC          WCSPH_SRC
#define wcsph_wendland_ACC          WCSPH_ACC
#endif
