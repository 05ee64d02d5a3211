/* Weakly compressible SPH with the cubic spline kernel; the formulas are in wcsph.h. */
#ifndef SLUICE_PAIR_WCSPH_CUBIC_H
#define SLUICE_PAIR_WCSPH_CUBIC_H
#define SPH_NAME(part)   wcsph_cubic_##part
#define SPH_KERNEL(part) cubic_##part
#include "kernels/pair/wcsph.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define wcsph_cubic_PARAMS(X)    /* derived by the model: backend/wcsph_params.h */
#define wcsph_cubic_READS        WCSPH_READS
#define wcsph_cubic_WRITES       WCSPH_WRITES
#define wcsph_cubic_FLOPS        64
#define wcsph_cubic_MASKS_ITSELF 1
#define wcsph_cubic_USES_R       1
#define wcsph_cubic_PACKS        SLUICE_FIELD_EOS
#define wcsph_cubic_SRC          WCSPH_SRC
#define wcsph_cubic_ACC          WCSPH_ACC
#endif
