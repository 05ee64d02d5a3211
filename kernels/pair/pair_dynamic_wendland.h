/* Continuity of dynamic walls, wendland kernel; the formulas are in dynamic.h. */
#ifndef SLUICE_PAIR_DYNAMIC_WENDLAND_H
#define SLUICE_PAIR_DYNAMIC_WENDLAND_H
#define SPH_NAME(part)   dynamic_wendland_##part
#define SPH_KERNEL(part) wendland_##part
#include "kernels/pair/dynamic.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define dynamic_wendland_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define dynamic_wendland_READS        DYNAMIC_READS
#define dynamic_wendland_WRITES       DYNAMIC_WRITES
#define dynamic_wendland_FLOPS        22
#define dynamic_wendland_MASKS_ITSELF 1
#define dynamic_wendland_USES_R       1
#define dynamic_wendland_PACKS        SLUICE_FIELD_POSITION
#define dynamic_wendland_SRC          DYNAMIC_SRC
#define dynamic_wendland_ACC          DYNAMIC_ACC
#endif
