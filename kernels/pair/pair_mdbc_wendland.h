/* Wall state by interpolation at ghost nodes, Wendland C2; the formulas are in mdbc.h. */
#ifndef SLUICE_PAIR_MDBC_WENDLAND_H
#define SLUICE_PAIR_MDBC_WENDLAND_H
#define SPH_NAME(part)   mdbc_wendland_##part
#define SPH_KERNEL(part) wendland_##part
#include "kernels/pair/mdbc.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define mdbc_wendland_PARAMS(X)    /* derived by the model: kernels/types/wcsph_params.h */
#define mdbc_wendland_READS        MDBC_READS
#define mdbc_wendland_WRITES       MDBC_WRITES
#define mdbc_wendland_FLOPS        50
#define mdbc_wendland_MASKS_ITSELF 1
#define mdbc_wendland_USES_R       1
#define mdbc_wendland_PACKS        SLUICE_FIELD_POSITION
#define mdbc_wendland_SRC          MDBC_SRC
#define mdbc_wendland_ACC          MDBC_ACC
#endif
