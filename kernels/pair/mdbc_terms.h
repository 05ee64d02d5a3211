/* What the interpolation at ghost nodes has in common for every kernel: docs/theory.md, "Walls". */
#ifndef SLUICE_PAIR_MDBC_TERMS_H
#define SLUICE_PAIR_MDBC_TERMS_H
#include "kernels/pair/sph_kernel.h"
#include "kernels/types/view.h"
#include "kernels/types/wcsph_params.h"

#define MDBC_READS  (SLUICE_BIT(POSITION) | SLUICE_BIT(ID) | SLUICE_BIT(VELOCITY))
#define MDBC_WRITES (SLUICE_BIT(HEAD) | SLUICE_BIT(PREDICTED))

/* predicted velocity and head; V rho0 */
#define MDBC_SRC(X) X(vx) X(vy) X(vz) X(e) X(volume)
/* Sums over the fluid of V times: W; W d; F d; F d d; e W; e F d; v W */
/* clang-format off */
#define MDBC_ACC(X)                                                                                \
    X(w) X(wx) X(wy) X(wz) X(fx) X(fy) X(fz) X(fxx) X(fyy) X(fzz) X(fxy) X(fxz) X(fyz)              \
    X(ew) X(ex) X(ey) X(ez) X(vx) X(vy) X(vz)
/* clang-format on */

#define MDBC_DETERMINANT 1e-3 /* below it the system is not solved (English et al. 2022) */

#define MDBC_DRY (-1.0) /* the head where no fluid is near: no wall's density is that low */

struct mdbc_constants {
    struct sph_kernel kernel;
    real support, inverse_rho0;
    real tiny; /* 1e-6 of a particle's share at the kernel's peak: below it there is no fluid */
    uint32_t first_id; /* of the walls */
    int no_slip;
};
struct mdbc_src {
#define X(name) real name;
    MDBC_SRC(X)
#undef X
};
struct mdbc_acc {
#define X(name) real name;
    MDBC_ACC(X)
#undef X
};
LANES_DEFINE(mdbc_src, MDBC_SRC)
LANES_DEFINE(mdbc_acc, MDBC_ACC)

static inline struct mdbc_constants mdbc_constants_of(const struct wcsph_mdbc_params *q)
{
    const struct wcsph_params *p = &q->wcsph;
    const double share = p->rho0 * pow(p->spacing, p->dimension);
    struct mdbc_constants k;
    k.kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    k.support = k.kernel.support;
    k.tiny = (real)(1e-6 * share) * k.kernel.peak;
    k.inverse_rho0 = (real)(1 / p->rho0);
    k.first_id = q->first_id;
    k.no_slip = !p->slip && p->nu > 0;
    return k;
}

/* Solves the n equations a x = b by elimination with row pivots; returns the determinant, x in b.
 * With one below MDBC_DETERMINANT x is of no use. */
HD double mdbc_solve(double a[4][4], double b[4], const int n)
{
    double determinant = 1;
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            best = fabs(a[r][c]) > fabs(a[best][c]) ? r : best;
        for (int m = 0; m < n; m++) {
            const double swap = a[c][m];
            a[c][m] = a[best][m];
            a[best][m] = swap;
        }
        const double swap = b[c];
        b[c] = b[best];
        b[best] = swap;
        determinant *= best == c ? a[c][c] : -a[c][c];
        for (int r = c + 1; r < n; r++) {
            const double part = a[c][c] != 0 ? a[r][c] / a[c][c] : 0;
            for (int m = c; m < n; m++)
                a[r][m] -= part * a[c][m];
            b[r] -= part * b[c];
        }
    }
    for (int c = n - 1; c >= 0; c--) {
        for (int m = c + 1; m < n; m++)
            b[c] -= a[c][m] * b[m];
        b[c] = a[c][c] != 0 ? b[c] / a[c][c] : 0;
    }
    return determinant;
}
#endif
