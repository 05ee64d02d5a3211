/* One pair's work on a cluster and a list of candidates. The Makefile compiles this file for each
 * row of SLUICE_PAIRS, with the row in PAIR_NAME, PAIR_FORMULAS, PAIR_KERNEL and PAIR_SUPPORTS, and
 * the header of the formulas in PAIR_HEADER. */
#include "kernels/cpu/loops/pair_lanes.h"
#include PAIR_HEADER

#define DEFINE(name, formulas, kernel, supports)                                                   \
    DEFINE_PAIR(name, formulas, supports)                                                          \
    DEFINE_CASE(name, kernel, 2, 0)                                                                \
    DEFINE_CASE(name, kernel, 2, 1)                                                                \
    DEFINE_CASE(name, kernel, 3, 0)                                                                \
    DEFINE_CASE(name, kernel, 3, 1)                                                                \
    extern const struct cpu_lane_ops VARIANT(lane_ops_##name)[2][2];                               \
    const struct cpu_lane_ops VARIANT(lane_ops_##name)[2][2] = {                                   \
        {OPS(name, formulas, 2, 0, supports), OPS(name, formulas, 2, 1, supports)},                \
        {OPS(name, formulas, 3, 0, supports), OPS(name, formulas, 3, 1, supports)}};
#define DEFINE_ROW(name, formulas, kernel, supports) DEFINE(name, formulas, kernel, supports)
DEFINE_ROW(PAIR_NAME, PAIR_FORMULAS, PAIR_KERNEL, PAIR_SUPPORTS)
