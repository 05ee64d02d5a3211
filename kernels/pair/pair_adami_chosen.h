/* Wall state extrapolated from the fluid, kernel chosen at run time; the formulas are in adami.h.
 */
#ifndef SLUICE_PAIR_ADAMI_CHOSEN_H
#define SLUICE_PAIR_ADAMI_CHOSEN_H
#define SPH_NAME(part)   adami_chosen_##part
#define SPH_KERNEL(part) chosen_##part
#include "kernels/pair/adami.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define adami_chosen_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define adami_chosen_READS        ADAMI_READS
#define adami_chosen_WRITES       ADAMI_WRITES
#define adami_chosen_FLOPS        24
#define adami_chosen_MASKS_ITSELF 1
#define adami_chosen_USES_R       1
#define adami_chosen_PACKS        SLUICE_FIELD_EOS
#define adami_chosen_SRC          ADAMI_SRC
#define adami_chosen_ACC          ADAMI_ACC
#endif
