/* Weakly compressible SPH with a kernel chosen at run time; the formulas are in wcsph.h. */
#ifndef SLUICE_PAIR_WCSPH_CHOSEN_H
#define SLUICE_PAIR_WCSPH_CHOSEN_H
#define SPH_NAME(part)   wcsph_chosen_##part
#define SPH_KERNEL(part) chosen_##part
#include "kernels/pair/wcsph.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define wcsph_chosen_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define wcsph_chosen_READS        WCSPH_READS
#define wcsph_chosen_WRITES       WCSPH_WRITES
#define wcsph_chosen_FLOPS        65
#define wcsph_chosen_MASKS_ITSELF 1
#define wcsph_chosen_USES_R       1
#define wcsph_chosen_PACKS        SLUICE_FIELD_EOS
#define wcsph_chosen_SRC          WCSPH_SRC
#define wcsph_chosen_ACC          WCSPH_ACC
#endif
