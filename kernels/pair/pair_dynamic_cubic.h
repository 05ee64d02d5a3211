/* Continuity of dynamic walls, cubic kernel; the formulas are in dynamic.h. */
#ifndef SLUICE_PAIR_DYNAMIC_CUBIC_H
#define SLUICE_PAIR_DYNAMIC_CUBIC_H
#define SPH_NAME(part)   dynamic_cubic_##part
#define SPH_KERNEL(part) cubic_##part
#include "kernels/pair/dynamic.h"
#undef SPH_NAME
#undef SPH_KERNEL

#define dynamic_cubic_PARAMS(X)    /* derived by the model: backend/wcsph_params.h */
#define dynamic_cubic_READS        DYNAMIC_READS
#define dynamic_cubic_WRITES       DYNAMIC_WRITES
#define dynamic_cubic_FLOPS        22
#define dynamic_cubic_MASKS_ITSELF 1
#define dynamic_cubic_USES_R       1
#define dynamic_cubic_PACKS        SLUICE_FIELD_POSITION
#define dynamic_cubic_SRC          DYNAMIC_SRC
#define dynamic_cubic_ACC          DYNAMIC_ACC
#endif
