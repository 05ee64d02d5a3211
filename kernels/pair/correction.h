/* The tensor that makes a particle's sums over its neighbours exact for linear fields (Randles &
 * Libersky 1996; Bonet & Lok 1999):
 *
 *   L = (1 - t) 1 + t N^-1,   N = -1/rho0 sum m_j F d (x) d over fluid and walls
 *
 * t rises from 0 to 1 where the harmonic mean of N's eigenvalues, dim/tr N^-1, rises from
 * CORRECTION_PLAIN_BELOW to CORRECTION_FULL_ABOVE: it is 0 at a free surface. Symmetric matrices
 * are xx, xy, yy, xz, yz, zz; in 2-D zz = 1, and xz = yz = 0.
 *
 * What it adds to the density of a particle, s, is forgotten over a time T: wcsph_renormalised.h.
 */
#ifndef SLUICE_PAIR_CORRECTION_H
#define SLUICE_PAIR_CORRECTION_H
#include "kernels/types/view.h"
#include "kernels/types/wcsph_params.h"

#define CORRECTION_PLAIN_BELOW 0.7
#define CORRECTION_FULL_ABOVE  0.9
#define CORRECTION_SINGULAR    1e-3 /* of the trace's square: rows of neighbours, and rounding */

/* The adjugate of n; returns its determinant. */
HD real correction_adjugate(const real n[6], real a[6])
{
    const real xx = n[0], xy = n[1], yy = n[2], xz = n[3], yz = n[4], zz = n[5];
    a[0] = yy * zz - yz * yz;
    a[1] = xz * yz - xy * zz;
    a[2] = xx * zz - xz * xz;
    a[3] = xy * yz - xz * yy;
    a[4] = xy * xz - xx * yz;
    a[5] = xx * yy - xy * xy;
    return xx * a[0] + xy * a[1] + xz * a[3];
}

/* L - 1 of n, the matrix N. Where t > 0, N^-1 is at most dim/CORRECTION_PLAIN_BELOW. */
HD void correction_of(const int dim, const real n[6], real l[6])
{
    real a[6];
    const real determinant = correction_adjugate(n, a), sum = n[0] + n[2] + (dim == 3 ? n[5] : 0),
               below = dim == 3 ? a[0] + a[2] + a[5] : sum,
               least = dim == 3 ? (real)CORRECTION_SINGULAR * sum * sum : 0,
               q = below > least ? (real)dim * determinant / below : 0,
               part = (q - (real)CORRECTION_PLAIN_BELOW) /
                      (real)(CORRECTION_FULL_ABOVE - CORRECTION_PLAIN_BELOW),
               t0 = part < 0   ? 0
                    : part > 1 ? 1
                               : part,
               t = t0 * t0 * (3 - 2 * t0), scale = t > 0 ? t / determinant : 0;
    for (int c = 0; c < 6; c++)
        l[c] = scale * a[c] - (c == 0 || c == 2 || c == 5 ? t : 0);
}

/* The constants of s. */
struct correction_memory {
    real dt, per_time, kept; /* s; 1/T; 1/(1 + dt/T) */
};

static inline struct correction_memory correction_memory_of(const struct wcsph_params *p)
{
    const double per_time = p->renormalised ? 1 / p->memory : 0;
    const struct correction_memory k = {(real)p->dt, (real)per_time,
                                        (real)(1 / (1 + p->dt * per_time))};
    return k;
}

/* Stores s at the end of the step, by the backward Euler method, and returns -s/T. added: ds/dt
 * without it. */
HD real correction_forget(const struct correction_memory *k, const struct sluice_view *v, int64_t n,
                          const real added)
{
    const real s = k->kept * (VIEW(v, MEMORY_OLD, n, 1, 0) + k->dt * added);
    VIEW(v, MEMORY, n, 1, 0) = s;
    return -k->per_time * s;
}
#endif
