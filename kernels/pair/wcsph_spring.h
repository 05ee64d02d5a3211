/* The spring against penetration of walls (docs/theory.md, "Walls"): it acts where phi, the walls'
 * fraction of a particle's volume as a kernel of hs = 0.8 dp sees it, is above 0.3. */
#ifndef SLUICE_PAIR_WCSPH_SPRING_H
#define SLUICE_PAIR_WCSPH_SPRING_H
#include "kernels/pair/sph_kernel.h"
#include "kernels/types/wcsph_params.h"

#define WCSPH_SPRING_H_OVER_DP 0.8
#define WCSPH_SPRING_THRESHOLD 0.3

/* Its kernel: Wendland C2 of 0.8 dp, W and F times dp^D. */
static inline struct sph_kernel wcsph_spring_of(const struct wcsph_params *p)
{
    const double volume = p->dimension == 2 ? p->spacing * p->spacing
                                            : p->spacing * p->spacing * p->spacing;
    struct sph_kernel k = sph_kernel_prepare(SLUICE_KERNEL_WENDLAND_C2,
                                             WCSPH_SPRING_H_OVER_DP * p->spacing, p->dimension);
    k.w *= (real)volume;
    k.f *= (real)volume;
    return k;
}
#endif
