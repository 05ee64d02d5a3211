/* The formulas of all pairs and pointwise operations of kernels/registry.h, for the loops over
 * them.
 */
#ifndef SLUICE_KERNELS_FORMULAS_H
#define SLUICE_KERNELS_FORMULAS_H
#include "kernels/pair/pair_adami.h"
#include "kernels/pair/pair_dynamic.h"
#include "kernels/pair/pair_gas.h"
#include "kernels/pair/pair_gas_density.h"
#include "kernels/pair/pair_high.h"
#include "kernels/pair/pair_lj.h"
#include "kernels/pair/pair_low.h"
#include "kernels/pair/wcsph_combinations.h"

#include "kernels/pointwise/body_force.h"
#include "kernels/pointwise/gas_predict.h"
#include "kernels/pointwise/rigid_motion.h"
#include "kernels/pointwise/wcsph_predict.h"

#define EFFECT_FORMULAS
#include "physics/effects.def"
#endif
