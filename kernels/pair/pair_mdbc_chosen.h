/* Wall state by interpolation at ghost nodes, kernel chosen at run time; the formulas are in
 * mdbc.h. */
#ifndef SLUICE_PAIR_MDBC_CHOSEN_H
#define SLUICE_PAIR_MDBC_CHOSEN_H
#define SPH_NAME(part)   mdbc_chosen_##part
#define SPH_KERNEL(part) chosen_##part
#include "kernels/pair/mdbc.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define mdbc_chosen_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define mdbc_chosen_READS        MDBC_READS
#define mdbc_chosen_WRITES       MDBC_WRITES
#define mdbc_chosen_FLOPS        50
#define mdbc_chosen_MASKS_ITSELF 1
#define mdbc_chosen_USES_R       1
#define mdbc_chosen_PACKS        SLUICE_FIELD_POSITION
#define mdbc_chosen_SRC          MDBC_SRC
#define mdbc_chosen_ACC          MDBC_ACC
#endif
