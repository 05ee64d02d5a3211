/* Wall state extrapolated from the fluid, wendland kernel; the formulas are in adami.h. */
#ifndef SLUICE_PAIR_ADAMI_WENDLAND_H
#define SLUICE_PAIR_ADAMI_WENDLAND_H
#define SPH_NAME(part)   adami_wendland_##part
#define SPH_KERNEL(part) wendland_##part
#include "kernels/pair/adami.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define adami_wendland_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define adami_wendland_READS        ADAMI_READS
#define adami_wendland_WRITES       ADAMI_WRITES
#define adami_wendland_FLOPS        24
#define adami_wendland_MASKS_ITSELF 1
#define adami_wendland_USES_R       1
#define adami_wendland_PACKS        SLUICE_FIELD_EOS
#define adami_wendland_SRC          ADAMI_SRC
#define adami_wendland_ACC          ADAMI_ACC
#endif
