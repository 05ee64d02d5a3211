/* The tables behind registry.h, made from its lists and the headers that they name; and the host's
 * equations of state. In double. */
#define SLUICE_DOUBLE
#include "kernels/formulas/formulas.h"
#include "kernels/registry.h"
#include "kernels/types/scalar_energy.h"

#include <string.h>

#define WATER_NU 1e-6 /* m^2/s */

/* A row of a pair's parameters. */
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
#define NO_ROW                                                                                     \
    {                                                                                              \
        NULL, SLUICE_PARAM_REAL, 0, 0, NULL, NULL, 0, 0, NULL, NULL                                \
    }
#define X(name, formulas, kernel, what)                                                            \
    static const struct sluice_param name##_rows[] = {formulas##_PARAMS(ROW) NO_ROW};              \
    static double name##_support(const void *params)                                               \
    {                                                                                              \
        return formulas##_prepare((const formulas##_params *)params, 0).support;                   \
    }
SLUICE_PAIRS(X)
#define EFFECT_PAIR X
#include "physics/effects.def"
#undef X

const struct sluice_pair_info sluice_pairs[SLUICE_PAIR_COUNT] = {
#define X(pair, common, loops, text)                                                               \
    {.name = #pair,                                                                                \
     .what = text,                                                                                 \
     .formulas = #common,                                                                          \
     .kernel = PAIR_KERNEL_##loops,                                                                \
     .params = pair##_rows,                                                                        \
     .param_count = (int)(sizeof pair##_rows / sizeof pair##_rows[0]) - 1,                         \
     .reads = common##_READS,                                                                      \
     .writes = common##_WRITES,                                                                    \
     .sums = common##_SUMS,                                                                        \
     .flops = common##_FLOPS(PAIR_KERNEL_##loops),                                                 \
     .numbers = (int)((sizeof(common##_src) + sizeof(common##_acc)) / sizeof(real)),               \
     .support = pair##_support},
    SLUICE_PAIRS(X)
#define EFFECT_PAIR X
#include "physics/effects.def"
#undef X
};

const struct sluice_name_info sluice_pointwise_ops[SLUICE_POINTWISE_COUNT] = {
#define X(name, what) {#name, what},
    SLUICE_POINTWISE(X)
#define EFFECT_POINTWISE X
#include "physics/effects.def"
#undef X
};

const struct sluice_strategy_info sluice_strategies[SLUICE_STRATEGY_COUNT] = {
#define X(name, option, bins, what) {option, what, SLUICE_##bins},
    SLUICE_STRATEGIES(X)
#undef X
};

int sluice_pair_is_rare(int pair)
{
    switch (pair) {
#define X(name, formulas, kernel, what) case SLUICE_PAIR_##name:
        SLUICE_RARE_PAIRS(X)
#define EFFECT_PAIR X
#include "physics/effects.def"
#undef X
        return 1;
    }
    return 0;
}

int sluice_strategy_has(int strategy, int adaptive)
{
    const enum sluice_strategy_bins bins = sluice_strategies[strategy].bins;
    return bins == SLUICE_FINE || bins == (adaptive ? SLUICE_TREE : SLUICE_CELLS);
}

double sluice_wcsph_pressure(const struct wcsph_params *p, double r)
{
    const struct eos_constants k = eos_prepare(p);
    return eos_pressure(&k, (real)fmax(r, wcsph_least(p)));
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

double sluice_wcsph_density_of_head(const struct wcsph_params *p, double head)
{
    return eos_density_of_head_exact(p->eos, p->gamma, head);
}

double sluice_wcsph_elastic_energy(const struct wcsph_params *p, double r)
{
    const double bound = fmax(r, wcsph_least(p));
    return eos_elastic_energy(p->eos, p->sound_speed, p->gamma, p->background / p->rho0, bound) +
           sluice_wcsph_opening(p) * (r - bound);
}

double sluice_wcsph_opening(const struct wcsph_params *p)
{
    const struct eos_constants k = eos_prepare(p);
    const real least = (real)wcsph_least(p);
    real record[2];
    if (!p->limits_tension)
        return 0;
    eos_record(&k, least, eos_pressure(&k, least), record);
    return record[0] * p->rho0;
}

int sluice_wcsph_pair(const struct wcsph_params *p, double mass)
{
    unsigned terms = wcsph_terms_of(p, mass);
    const int loops = p->kernel == SLUICE_KERNEL_WENDLAND_C2 ? PAIR_KERNEL_WENDLAND
                                                             : PAIR_KERNEL_OTHERS;
    static const struct {
        const char *formulas;
        unsigned must, may;
    } combinations[] = {
#define X(name) {#name, name##_MUST, name##_MAY},
        WCSPH_COMBINATIONS(X)
#undef X
    };
    enum { COUNT = sizeof combinations / sizeof *combinations };
    for (int apart = 0; apart < 2; apart++, terms &= ~(unsigned)WCSPH_SHIFT)
        for (int c = 0; c < COUNT; c++) {
            if ((combinations[c].must & ~terms) || (terms & ~combinations[c].may))
                continue;
            for (int k = 0; k < SLUICE_PAIR_COUNT; k++)
                if ((sluice_pairs[k].kernel == loops ||
                     sluice_pairs[k].kernel == PAIR_KERNEL_ALL) &&
                    strcmp(sluice_pairs[k].formulas, combinations[c].formulas) == 0)
                    return k;
        }
    return SLUICE_PAIR_wcsph_general;
}

int sluice_pair_with_kernel(int pair, int kernel)
{
    const int loops = kernel == SLUICE_KERNEL_WENDLAND_C2 ? PAIR_KERNEL_WENDLAND
                                                          : PAIR_KERNEL_OTHERS;
    for (int p = 0; p < SLUICE_PAIR_COUNT; p++)
        if (sluice_pairs[p].kernel == loops &&
            strcmp(sluice_pairs[p].formulas, sluice_pairs[pair].formulas) == 0)
            return p;
    return pair;
}

double sluice_kernel_support(int kernel)
{
    return sph_kernel_prepare(kernel, 1, 2).support;
}

double sluice_kernel_w(int kernel, int dimension, double h, double r)
{
    const struct sph_kernel k = sph_kernel_prepare(kernel, h, dimension);
    return k.w * sph_w_shape(&k, PAIR_KERNEL_ALL, r);
}

double sluice_wcsph_w(const struct wcsph_params *p, double r)
{
    return sluice_kernel_w(p->kernel, p->dimension, p->h, r);
}

/* The shape of F of a pair at the distance r, times r^power. */
static double weight_of(const struct sph_kernel *k, double r, int power)
{
    return sph_f_shape(k, PAIR_KERNEL_ALL, r) * pow(r, power);
}

static double lattice_sum(const struct wcsph_params *p, const struct sph_kernel *k, int power)
{
    const int reach = (int)(k->support / p->spacing), deep = p->dimension == 3 ? reach : 0;
    double sum = 0;
    for (int z = -deep; z <= deep; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++)
                sum += weight_of(k, p->spacing * sqrt(x * x + y * y + z * z), power);
    return sum;
}

double sluice_wcsph_viscous_rate(const struct wcsph_params *p)
{
    enum { STEPS = 1000 };
    const struct sph_kernel k = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    const double unit = 2 * p->nu * pow(p->spacing, p->dimension) * fabs(k.f),
                 central = wcsph_central_of(p);
    double most = 0;
    if (central == 0) /* the one in the same place; its own is in the lattice's */
        return unit * (weight_of(&k, 0, 0) + lattice_sum(p, &k, 0));
    for (int n = 0; n <= STEPS; n++)
        most = fmax(most, weight_of(&k, k.support * n / STEPS, 2));
    return unit * central * (2 * lattice_sum(p, &k, 2) / p->dimension + most);
}

/* The mean distance, by their F, of the particles of a plane wall from a fluid particle in the row
 * `row` of the same lattice: y = (row + 1/2) dp. */
static double mean_distance(const struct wcsph_params *p, int row)
{
    const struct sph_kernel k = sph_kernel_prepare(p->kernel, p->h, p->dimension);
    const int reach = (int)(k.support / p->spacing), deep = p->dimension == 3 ? reach : 0;
    double sum = 0, moment = 0;
    for (int z = row + 1; z <= reach + 1; z++)
        for (int y = -deep; y <= deep; y++)
            for (int x = -reach; x <= reach; x++) {
                const double r = p->spacing * sqrt(x * x + y * y + z * z),
                             f = sph_f_shape(&k, PAIR_KERNEL_ALL, r);
                sum += f;
                moment += f * z * p->spacing;
            }
    return sum > 0 ? moment / sum : (row + 1) * p->spacing;
}

/* The parabola through the three lowest rows of fluid. */
void sluice_wcsph_wall_law(struct wcsph_params *p, double nu, double roughness)
{
    const double dp = p->spacing,
                 m[3] = {mean_distance(p, 0), mean_distance(p, 1), mean_distance(p, 2)};
    const double near = dp / (m[1] - m[0]), far = dp / (m[2] - m[1]),
                 curve = (far - near) / (m[2] - m[0]);
    p->wall_law.used = 1;
    p->wall_law.nu = nu > 0 ? nu : p->nu > 0 ? p->nu : WATER_NU;
    p->wall_law.roughness = roughness;
    p->wall_law.y[0] = 0.5 * dp - near * m[0] + curve * m[0] * m[1];
    p->wall_law.y[1] = near - curve * (m[0] + m[1]);
    p->wall_law.y[2] = curve;
}

double sluice_wcsph_wall_law_rate(const struct wcsph_params *p)
{
    const double least = WALL_LAW_LEAST * p->spacing, share = 1 / p->spacing;
    return p->wall_law.used ? sqrt(p->dimension) * share * p->wall_law.nu / least : 0;
}
