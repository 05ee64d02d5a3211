/* After this, reals are doubles. */
#define SLUICE_DOUBLE
#include "kernels/pair/pair_reaction.h"
/* after the pair */
#include "kernels/formulas/reaction_sum.h"

static struct sluice_view view_on(const struct sluice_reaction_side *side)
{
    struct sluice_view v = {.count = 1};
    for (int f = 0; f < SLUICE_FIELD_COUNT; f++)
        v.field[f] = side->field[f];
    v.field[SLUICE_FIELD_PHASE] = (double *)(void *)side->phase;
    return v;
}

void sluice_reaction_sum(const struct wcsph_reaction_params *params,
                         const struct sluice_reaction_side *walls, int64_t wall,
                         const struct sluice_reaction_side *fluid,
                         const struct sluice_reaction_partner *partner, int count, double force[3])
{
    const reaction_constants k = reaction_prepare(params, 0);
    const struct pair_loop loop = {.dim = params->wcsph.dimension, .kernel = PAIR_KERNEL_ALL};
    struct sluice_view of_wall = view_on(walls), of_fluid = view_on(fluid), out = {.count = 1};
    double none[SLUICE_SUM_COUNT] = {0}, one[3];
    const reaction_src i = reaction_load(
        &k, &of_wall, wall, loop.dim, SLUICE_TARGET,
        pair_packed(reaction_PACKS, &of_wall, wall, loop.dim, SLUICE_TARGET));
    out.field[SLUICE_FIELD_REACTION] = one;
    force[0] = force[1] = force[2] = 0;
    for (int n = 0; n < count; n++) {
        const double *d = partner[n].d;
        struct pair_distance at = {{d[0], d[1], d[2]}, d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 0};
        const reaction_src j = reaction_load(
            &k, &of_fluid, partner[n].particle, loop.dim, 0,
            pair_packed(reaction_PACKS, &of_fluid, partner[n].particle, loop.dim, 0));
        reaction_acc sum = {0, 0, 0, 0, 0, 0};
        at.r = sqrt(at.r2);
        reaction_eval(&k, loop, &at, &i, &j, &sum);
        reaction_store(&k, &out, 0, loop, &i, &sum, none);
        for (int c = 0; c < loop.dim; c++)
            force[c] += partner[n].fraction * one[c];
    }
}
