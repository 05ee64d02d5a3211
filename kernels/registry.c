/* The tables behind registry.h, made from its lists and the headers that they name; and the host's
 * equations of state. In double. */
#define SLUICE_DOUBLE
#define SLUICE_REGISTRY_HEADERS
#include "kernels/registry.h"

#define ROW(type, member, path, kind, preset, unit, least, most, choices, doc)                     \
    {path,                                                                                         \
     SLUICE_PARAM_##kind,                                                                          \
     offsetof(struct type, member),                                                                \
     preset,                                                                                       \
     NULL,                                                                                         \
     unit,                                                                                         \
     least,                                                                                        \
     most,                                                                                         \
     choices,                                                                                      \
     doc},
#define X(name, what)                                                                              \
    static const struct sluice_param name##_rows[] = {                                             \
        name##_PARAMS(ROW){NULL, SLUICE_PARAM_REAL, 0, 0, NULL, NULL, 0, 0, NULL, NULL}};          \
    static double name##_support_of(const void *params)                                            \
    {                                                                                              \
        const name##_constants k = name##_prepare((const name##_params *)params, 0);               \
        return name##_support(&k);                                                                 \
    }
SLUICE_PAIRS(X)
#undef X

const struct sluice_pair_info sluice_pairs[SLUICE_PAIR_COUNT] = {
#define X(name, what)                                                                              \
    {#name,                                                                                        \
     what,                                                                                         \
     name##_rows,                                                                                  \
     (int)(sizeof name##_rows / sizeof name##_rows[0]) - 1,                                        \
     name##_READS,                                                                                 \
     name##_WRITES,                                                                                \
     name##_FLOPS,                                                                                 \
     (int)((sizeof(name##_src) + sizeof(name##_acc)) / sizeof(real)),                              \
     name##_support_of},
    SLUICE_PAIRS(X)
#undef X
};

const struct sluice_name_info sluice_pointwise_ops[SLUICE_POINTWISE_COUNT] = {
#define X(name, what) {#name, what},
    SLUICE_POINTWISE(X)
#undef X
};

const struct sluice_strategy_info sluice_strategies[SLUICE_STRATEGY_COUNT] = {
#define X(name, option, kind, what) {option, what, SLUICE_##kind},
    SLUICE_STRATEGIES(X)
#undef X
};

double sluice_wcsph_pressure(const struct wcsph_params *p, double r)
{
    const struct eos_constants k = eos_prepare(p);
    return eos_pressure(&k, r);
}

double sluice_wcsph_relative_density(const struct wcsph_params *p, double pressure)
{
    const struct eos_constants k = eos_prepare(p);
    return eos_relative_density(&k, pressure);
}

double sluice_wcsph_head(const struct wcsph_params *p, double r)
{
    const struct eos_constants k = eos_prepare(p);
    return eos_head(&k, r);
}

double sluice_wcsph_elastic_energy(const struct wcsph_params *p, double r)
{
    return eos_elastic_energy(p->eos, p->sound_speed, p->gamma, p->background / p->rho0, r);
}

int sluice_pair_with_kernel(int wendland_pair, int kernel)
{
    return wendland_pair + (kernel != SLUICE_KERNEL_WENDLAND_C2);
}

double sluice_kernel_support(int kernel)
{
    return sph_kernel_prepare(kernel, 1, 2).support;
}

double sluice_wcsph_w(const struct wcsph_params *p, double r)
{
    const struct sph_kernel k = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    return p->kernel == SLUICE_KERNEL_WENDLAND_C2 ? wendland_w(&k, r) : chosen_w(&k, r);
}

double sluice_wcsph_viscous_rate(const struct wcsph_params *p)
{
    const struct sph_kernel k = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    const int reach = (int)(k.support / p->spacing), deep = p->dimension == 3 ? reach : 0;
    double sum = any_f_shape(&k, 0); /* of the one in the same place; its own is in the lattice's */
    for (int z = -deep; z <= deep; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++)
                sum += any_f_shape(&k, p->spacing * sqrt(x * x + y * y + z * z));
    return 2 * p->nu * pow(p->spacing, p->dimension) * fabs(k.f) * sum;
}
