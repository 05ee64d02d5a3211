/* The loops over lists of two types of `sluice bench claims` (kernels/bench/typed_lists.h). */
#include "kernels/bench/cpu/bench_variant.h"
#include "kernels/bench/typed_lists.h"

enum { PARTICLES_AT_ONCE = 256 };

HD void add_neighbour(const real *x, int64_t i, int32_t j, int is_wall, real sum[3])
{
    const real d[3] = {x[4 * i] - x[4 * j], x[4 * i + 1] - x[4 * j + 1],
                       x[4 * i + 2] - x[4 * j + 2]};
    typed_add(is_wall, d, sum);
}

HD void sum_branching(const struct sluice_typed_lists *l, const real *x, int64_t i, real sum[3])
{
    const int32_t *list = l->entries + i * l->most;
    for (int k = 0; k < l->most && list[k] != SLUICE_NEIBS_END; k++)
        if (x[4 * list[k] + 3] > 0)
            add_neighbour(x, i, list[k], 1, sum);
        else
            add_neighbour(x, i, list[k], 0, sum);
}

HD void sum_forwards(const int32_t *list, int most, const real *x, int64_t i, int is_wall,
                     real sum[3])
{
    for (int k = 0; k < most && list[k] != SLUICE_NEIBS_END; k++)
        add_neighbour(x, i, list[k], is_wall, sum);
}

/* Listing 4 of Bilotta, Zago & Herault 2018, right. */
HD void sum_backwards(const int32_t *list, int most, const real *x, int64_t i, real sum[3])
{
    for (int k = most - 1; k >= 0 && list[k] != SLUICE_NEIBS_END; k--)
        add_neighbour(x, i, list[k], 1, sum);
}

static void sum_particles(struct sluice_share *share, void *data)
{
    const struct sluice_typed_lists *l = data;
    const real *x = l->x;
    int64_t i, last;
    while (sluice_share_block(share, l->count, PARTICLES_AT_ONCE, &i, &last))
        for (; i < last; i++) {
            real sum[3] = {0, 0, 0};
            if (l->way == SLUICE_TYPED_BRANCH)
                sum_branching(l, x, i, sum);
            else
                sum_forwards(l->entries + i * l->most, l->most, x, i, 0, sum);
            if (l->way == SLUICE_TYPED_TWO)
                sum_forwards(l->walls + i * l->most, l->most, x, i, 1, sum);
            else if (l->way == SLUICE_TYPED_SPLIT)
                sum_backwards(l->entries + i * l->most, l->most, x, i, sum);
            for (int c = 0; c < 3; c++)
                ((real *)l->force)[3 * i + c] = sum[c];
        }
}

void VARIANT(typed_lists)(struct sluice_threads *team, const struct sluice_typed_lists *l)
{
    struct sluice_typed_lists lists = *l;
    sluice_threads_run(team, sluice_blocks(l->count, PARTICLES_AT_ONCE), sum_particles, &lists);
}
