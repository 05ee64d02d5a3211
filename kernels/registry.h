/* The pairs, pointwise operations and strategies of the models. A new pair or operation is one
 * header, one line here, and one in kernels/formulas/formulas.h, which includes the header. Those
 * of an effect are in its own folder: who goes through these lists also includes
 * physics/effects.def, with EFFECT_PAIR or EFFECT_POINTWISE; such pairs are EVEN and RARE.
 *
 *   SLUICE_PAIRS(X):      X(name, formulas, kernel, what it is)
 *                         formulas: kernels/pair/pair_<formulas>.h; kernel: ALL, or one pair for
 *                         WENDLAND (C2, the default) and one for the OTHERS (enum pair_kernel).
 *                         EVEN pairs have one support for all particles, ADAPTIVE ones one for
 *                         each; strategies with CELLS have the EVEN ones only, those with a TREE
 *                         the ADAPTIVE ones only. On a GPU they and `tiled` have the COMMON pairs;
 *                         a pass of a RARE one is by `window`
 *   SLUICE_POINTWISE(X):  X(name, what it is)            header kernels/pointwise/<name>.h
 *   SLUICE_STRATEGIES(X): X(name, option, bins, what it is)
 *                         bins that it wants: FINE, several a cutoff; CELLS, of one cutoff; TREE:
 *                         as FINE, but it searches a tree of its own. Its code is in kernels/gpu,
 *                         PASS_STRATEGY(name), and kernels/cpu/loops, VARIANT(interact_name) */
#ifndef SLUICE_KERNELS_REGISTRY_H
#define SLUICE_KERNELS_REGISTRY_H
#include "core/param.h"
#include "particles/fields.h"

#define SLUICE_COMMON_PAIRS(X)                                                                     \
    X(lj, lj, ALL, "Lennard-Jones 12-6")                                                           \
    X(low, low, ALL, "synthetic: 5 operations a pair, for benchmarks")                             \
    X(high, high, ALL, "synthetic: 168 operations a pair, for benchmarks")                         \
    X(wcsph_wendland, wcsph_plain, WENDLAND,                                                       \
      "weakly compressible SPH, fluid from fluid and walls, Wendland C2")                          \
    X(wcsph_chosen, wcsph_plain, OTHERS,                                                           \
      "weakly compressible SPH, fluid from fluid and walls, other kernels")                        \
    X(adami_wendland, adami, WENDLAND,                                                             \
      "wall state extrapolated from the fluid (Adami et al. 2012), Wendland C2")                   \
    X(adami_chosen, adami, OTHERS,                                                                 \
      "wall state extrapolated from the fluid (Adami et al. 2012), other kernels")                 \
    X(dynamic_wendland, dynamic, WENDLAND,                                                         \
      "continuity of dynamic wall particles (Crespo et al. 2007), Wendland C2")                    \
    X(dynamic_chosen, dynamic, OTHERS,                                                             \
      "continuity of dynamic wall particles (Crespo et al. 2007), other kernels")

#define SLUICE_RARE_PAIRS(X)                                                                       \
    X(wcsph_laminar, wcsph_laminar, WENDLAND, "water with laminar viscosity, Wendland C2")         \
    X(wcsph_masses, wcsph_masses, WENDLAND, "water with masses that differ, Wendland C2")          \
    X(wcsph_shift, wcsph_shift, WENDLAND, "water with particle shifting, Wendland C2")             \
    X(wcsph_shift_laminar, wcsph_shift_laminar, WENDLAND,                                          \
      "water with particle shifting and laminar viscosity, Wendland C2")                           \
    X(wcsph_friction_wendland, wcsph_friction, WENDLAND,                                           \
      "water with friction of walls and limited tension, Wendland C2")                             \
    X(wcsph_friction_chosen, wcsph_friction, OTHERS,                                               \
      "water with friction of walls and limited tension, other kernels")                           \
    X(wcsph_viscous, wcsph_viscous, ALL,                                                           \
      "water with laminar viscosity or masses that differ, every kernel")                          \
    X(wcsph_walls, wcsph_walls, ALL,                                                               \
      "water with these, friction of walls, eddies and limited tension, every kernel")             \
    X(wcsph_slope, wcsph_slope, WENDLAND,                                                          \
      "water with the gradient of the head in its diffusion, Wendland C2")                         \
    X(wcsph_stress, wcsph_stress, WENDLAND,                                                        \
      "water with sub-particle stress and laminar viscosity, Wendland C2")                         \
    X(wcsph_gradients, wcsph_gradients, ALL,                                                       \
      "water with laminar viscosity, masses that differ and terms that need gradients, "           \
      "every kernel")                                                                              \
    X(wcsph_renormalised, wcsph_renormalised, WENDLAND,                                            \
      "water with renormalised gradients, Wendland C2")                                            \
    X(wcsph_renormalised_masses, wcsph_renormalised_masses, WENDLAND,                              \
      "water with renormalised gradients and masses that differ, Wendland C2")                     \
    X(wcsph_renormalised_all, wcsph_renormalised_all, ALL,                                         \
      "water with renormalised gradients and any term of one fluid, every kernel")                 \
    X(wcsph_two_fluids, wcsph_two_fluids, ALL,                                                     \
      "two fluids from each other and walls, every kernel")                                        \
    X(wcsph_general, wcsph_general, ALL,                                                           \
      "water with any of its terms but renormalised gradients, every kernel")

#define SLUICE_EVEN_PAIRS(X) SLUICE_COMMON_PAIRS(X) SLUICE_RARE_PAIRS(X)

#define SLUICE_ADAPTIVE_PAIRS(X)                                                                   \
    X(gas_density_wendland, gas_density, WENDLAND,                                                 \
      "density and smoothing length of a gas, Wendland C2")                                        \
    X(gas_density_chosen, gas_density, OTHERS,                                                     \
      "density and smoothing length of a gas, other kernels")                                      \
    X(gas_wendland, gas, WENDLAND, "gas with a smoothing length a particle, Wendland C2")          \
    X(gas_chosen, gas, OTHERS, "gas with a smoothing length a particle, other kernels")

#define SLUICE_PAIRS(X) SLUICE_EVEN_PAIRS(X) SLUICE_ADAPTIVE_PAIRS(X)

#define SLUICE_POINTWISE(X)                                                                        \
    X(body_force, "starts the acceleration with gravity and central forces")                       \
    X(wcsph_predict, "predicts velocity and density, evaluates the equation of state")             \
    X(gas_predict, "predicts velocity and internal energy of a gas, guesses its smoothing length") \
    X(rigid_motion, "puts moving walls where their motions and bodies have them")

/* Formulas of sums over the particles of each label (kernels/pointwise): a body is a label, or a
 * gauge in front of an opening. */
#define SLUICE_LABELLED(X)                                                                         \
    X(body_sums, "forces on bodies, and what they change by")                                      \
    X(openings_sums, "the water in front of openings, and what holds their buffers")

#define SLUICE_STRATEGIES(X)                                                                       \
    X(window, "window", FINE,                                                                      \
      "rows of fine bins, exact windows; on the CPU clusters of a vector's width")                 \
    X(bucket, "bucket", TREE,                                                                      \
      "a tree of boxes over runs of neighbouring particles: for supports that differ much")        \
    X(tiled, "tiled", FINE, "all pairs without a search: small systems, and the reference")        \
    X(par_part_noloop, "par-part-noloop", CELLS, "a thread a particle, over the 27 cells around")  \
    X(par_part_loop, "par-part-loop", CELLS,                                                       \
      "the same with as many threads as the device holds, one particle after another")             \
    X(par_cell, "par-cell", CELLS, "a block a cell, a thread a particle of it")                    \
    X(par_cell_sm, "par-cell-sm", CELLS,                                                           \
      "the same, the cells around through shared memory, at most 512 particles at a time")         \
    X(x_pencil, "x-pencil", CELLS,                                                                 \
      "a block some cells along x, the pencils around it through shared memory")                   \
    X(x_pencil_reg, "x-pencil-reg", CELLS,                                                         \
      "the same with a box of cells, whose own particles come from registers")                     \
    X(all_in_sm, "all-in-sm", CELLS, "a block a box of cells, with all around it in shared memory")

#define SLUICE_STRATEGY_WORD(name, option, bins, what) "|" option

/* The words of backend.strategy. */
#define SLUICE_STRATEGY_WORDS "auto" SLUICE_STRATEGIES(SLUICE_STRATEGY_WORD)

enum sluice_pair {
#define X(name, formulas, kernel, what) SLUICE_PAIR_##name,
    SLUICE_PAIRS(X)
#define EFFECT_PAIR X
#include "physics/effects.def"
#undef X
        SLUICE_PAIR_COUNT
};
enum sluice_pointwise {
#define X(name, what) SLUICE_POINTWISE_##name,
    SLUICE_POINTWISE(X)
#define EFFECT_POINTWISE X
#include "physics/effects.def"
#undef X
        SLUICE_POINTWISE_COUNT
};
enum sluice_labelled {
#define X(name, what) SLUICE_LABELLED_##name,
    SLUICE_LABELLED(X)
#undef X
        SLUICE_LABELLED_COUNT
};
enum sluice_strategy {
#define X(name, option, bins, what) SLUICE_STRATEGY_##name,
    SLUICE_STRATEGIES(X)
#undef X
        SLUICE_STRATEGY_COUNT
};

/* The host's description of a pair. `params` lists the keys of the pair's own struct; none where a
 * model derives it. */
struct sluice_pair_info {
    const char *name, *what, *formulas;
    int kernel;                        /* enum pair_kernel: of its loops */
    const struct sluice_param *params; /* [param_count] */
    int param_count;
    sluice_fields reads, writes;           /* SLUICE_BIT(...) of the target's fields */
    unsigned sums;                         /* SLUICE_SUM_BIT(...) of the pass's */
    int flops;                             /* of one pair within the cutoff, energy off */
    int numbers;                           /* members of its src and acc: loaded and summed */
    double (*support)(const void *params); /* the largest cutoff, m */
};
extern const struct sluice_pair_info sluice_pairs[SLUICE_PAIR_COUNT];

/* A pair with this many numbers or fewer is light: it costs hardly more to evaluate than to test,
 * so on a GPU in 3-D it has no lists of candidates (kernels/gpu/window/window_lists.h). */
enum { SLUICE_LIGHT_NUMBERS = 8 };

struct sluice_name_info {
    const char *name, *what;
};
extern const struct sluice_name_info sluice_pointwise_ops[SLUICE_POINTWISE_COUNT];
enum sluice_strategy_bins { SLUICE_FINE, SLUICE_CELLS, SLUICE_TREE };
struct sluice_strategy_info {
    const char *name, *what;
    enum sluice_strategy_bins bins;
};
extern const struct sluice_strategy_info sluice_strategies[SLUICE_STRATEGY_COUNT];

/* Whether GPUs have a pair in the window strategy alone. */
int sluice_pair_is_rare(int pair);

/* Whether a strategy has the pairs of a kind: the adaptive ones, or the even ones. */
int sluice_strategy_has(int strategy, int adaptive);

/* The equations of state and the kernels for the host, in double. */
struct wcsph_params;
double sluice_wcsph_pressure(const struct wcsph_params *p, double r);
double sluice_wcsph_relative_density(const struct wcsph_params *p, double pressure);
double sluice_wcsph_head(const struct wcsph_params *p, double r);
double sluice_wcsph_density_of_head(const struct wcsph_params *p, double head); /* its inverse */
double sluice_wcsph_elastic_energy(const struct wcsph_params *p, double r);     /* J/kg */
double
sluice_wcsph_opening(const struct wcsph_params *p); /* its slope below the limit on tension */
double sluice_wcsph_w(const struct wcsph_params *p, double r);         /* W(r), 1/m^D */
double sluice_kernel_w(int kernel, int dimension, double h, double r); /* W(r; h), 1/m^D */

/* The fastest viscous decay rate to expect, 1/s: of a particle in the place of another one on the
 * lattice (docs/theory.md, "The viscous limit"). */
double sluice_wcsph_viscous_rate(const struct wcsph_params *p);

/* The fastest decay rate by the laminar law of the wall, 1/s: 2 |n| nu/y of a particle at the least
 * y, where 2 |n| dp is 1, in a corner of as many walls as there are dimensions. */
double sluice_wcsph_wall_law_rate(const struct wcsph_params *p);

/* Sets p->wall_law for a kinematic viscosity in the law (m^2/s; 0: that of the fluid, or water's
 * where it has none) and walls of this grain (m). */
void sluice_wcsph_wall_law(struct wcsph_params *p, double nu, double roughness);

double sluice_kernel_support(int kernel); /* in h, of an enum sluice_kernel */

/* The pair of a case of water, whose pass has particles of this mass, kg; 0: various. */
int sluice_wcsph_pair(const struct wcsph_params *p, double mass);

/* The pair with the same formulas as `pair` for a kernel, an enum sluice_kernel. */
int sluice_pair_with_kernel(int pair, int kernel);
#endif
