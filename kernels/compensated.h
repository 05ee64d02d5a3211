/* Sums that keep what rounding loses. Compile without -ffast-math: reassociation would remove them;
 * contraction does no harm.
 *
 * The exact sum of two numbers is s + e with s = fl(a + b) and
 *   e = (a - (s - b')) + (b - b'),  b' = s - a     (Knuth 1998, sec. 4.2.2, theorem B;
 *                                                       valid for any magnitudes)
 * as Neumaier (1974) has it, without his branch. What was lost, `low`, joins the next increment as
 * in Kahan (1965). */
#ifndef SLUICE_KERNELS_COMPENSATED_H
#define SLUICE_KERNELS_COMPENSATED_H
#include "kernels/real.h"

/* *value + *low += increment, with |*low| at most half a unit in the last place of *value. */
HD void compensated_add(real *value, real *low, real increment)
{
    const real a = *value, b = increment + *low;
    const real s = a + b;
    const real b_seen = s - a;
    *low = (a - (s - b_seen)) + (b - b_seen);
    *value = s;
}
#endif
