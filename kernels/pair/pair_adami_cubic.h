/* Wall state extrapolated from the fluid, cubic kernel; the formulas are in adami.h. */
#ifndef SLUICE_PAIR_ADAMI_CUBIC_H
#define SLUICE_PAIR_ADAMI_CUBIC_H
#define SPH_NAME(part)   adami_cubic_##part
#define SPH_KERNEL(part) cubic_##part
#include "kernels/pair/adami.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define adami_cubic_PARAMS(X)    /* derived by the model: backend/wcsph_params.h */
#define adami_cubic_READS        ADAMI_READS
#define adami_cubic_WRITES       ADAMI_WRITES
#define adami_cubic_FLOPS        24
#define adami_cubic_MASKS_ITSELF 1
#define adami_cubic_USES_R       1
#define adami_cubic_PACKS        SLUICE_FIELD_EOS
#define adami_cubic_SRC          ADAMI_SRC
#define adami_cubic_ACC          ADAMI_ACC
#endif
