/* The tensor L - 1 of renormalised gradients (correction.h), from the places that the main loop
 * will see: fluid from fluid and walls, before that loop. d, F as in pair_wcsph.h. */
#ifndef SLUICE_PAIR_TENSOR_H
#define SLUICE_PAIR_TENSOR_H
#include "kernels/pair/correction.h"
#include "kernels/pair/sph_kernel.h"

#define tensor_PARAMS(X)     /* derived by the model: kernels/types/wcsph_params.h */
#define tensor_READS         SLUICE_BIT(POSITION)
#define tensor_WRITES        SLUICE_BIT(CORRECTION)
#define tensor_PACKS         SLUICE_FIELD_POSITION
#define tensor_SUMS          0
#define tensor_FLOPS(kernel) 35
#define tensor_MASKS_ITSELF  1
#define tensor_USES_R        1
#define tensor_SRC(X)        X(mass)
#define tensor_ACC(X)        X(xx) X(xy) X(yy) X(xz) X(yz) X(zz) /* sums of m F d (x) d */
PAIR_STRUCT(tensor_src, tensor_SRC)
PAIR_STRUCT(tensor_acc, tensor_ACC)

typedef struct wcsph_params tensor_params;
typedef struct {
    struct sph_kernel kernel;
    real support, scale; /* -1/rho0 times the kernel's constant */
} tensor_constants;

static inline tensor_constants tensor_prepare(const struct wcsph_params *p, double mass)
{
    tensor_constants k;
    (void)mass;
    k.kernel = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    k.support = k.kernel.support;
    k.scale = -k.kernel.f / (real)p->rho0;
    return k;
}
PAIR_ALWAYS_USUAL(tensor)

HD tensor_src tensor_load(const tensor_constants *k, const struct sluice_view *v, int64_t i,
                          const int dim, const int source, real packed)
{
    const tensor_src s = {packed};
    (void)k, (void)v, (void)i, (void)dim, (void)source;
    return s;
}

HD void tensor_eval(const tensor_constants *k, const struct pair_loop loop,
                    const struct pair_distance *at, const tensor_src_lanes *i, const tensor_src *j,
                    tensor_acc_lanes *sum)
{
    const lane mf = j->mass * sph_f_shape(&k->kernel, loop.kernel, at->r), x = mf * at->d[0],
               y = mf * at->d[1];
    (void)i;
    sum->xx += x * at->d[0];
    sum->xy += x * at->d[1];
    sum->yy += y * at->d[1];
    if (loop.dim == 3) {
        const lane z = mf * at->d[2];
        sum->xz += x * at->d[2];
        sum->yz += y * at->d[2];
        sum->zz += z * at->d[2];
    }
}

HD void tensor_store(const tensor_constants *k, const struct sluice_view *v, int64_t n,
                     const struct pair_loop loop, const tensor_src *i, const tensor_acc *sum,
                     double out[SLUICE_SUM_COUNT])
{
    const int three = loop.dim == 3, parts = loop.dim * (loop.dim + 1) / 2;
    const real matrix[6] = {k->scale * sum->xx,
                            k->scale * sum->xy,
                            k->scale * sum->yy,
                            three ? k->scale * sum->xz : 0,
                            three ? k->scale * sum->yz : 0,
                            three ? k->scale * sum->zz : 1};
    real l[6];
    (void)i, (void)out;
    correction_of(loop.dim, matrix, l);
    for (int c = 0; c < parts; c++)
        VIEW(v, CORRECTION, n, parts, c) = l[c];
}
#endif
