/* Continuity of dynamic walls, kernel chosen at run time; the formulas are in dynamic.h. */
#ifndef SLUICE_PAIR_DYNAMIC_CHOSEN_H
#define SLUICE_PAIR_DYNAMIC_CHOSEN_H
#define SPH_NAME(part)   dynamic_chosen_##part
#define SPH_KERNEL(part) chosen_##part
#include "kernels/pair/dynamic.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define dynamic_chosen_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define dynamic_chosen_READS        DYNAMIC_READS
#define dynamic_chosen_WRITES       DYNAMIC_WRITES
#define dynamic_chosen_FLOPS        22
#define dynamic_chosen_MASKS_ITSELF 1
#define dynamic_chosen_USES_R       1
#define dynamic_chosen_PACKS        SLUICE_FIELD_POSITION
#define dynamic_chosen_SRC          DYNAMIC_SRC
#define dynamic_chosen_ACC          DYNAMIC_ACC
#endif
