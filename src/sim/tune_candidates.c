/* The candidates that auto measures, beside finer and coarser bins. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"
#include "sim/tune.h"
#include "sim/sim.h"

/* Bins that are a cutoff wide or a little more. */
static void cells_log2(const struct sluice_grid *g, int log2[3])
{
    for (int c = 0; c < 3; c++) {
        log2[c] = 0;
        while (c < g->dimension && g->width[c] / (2 << log2[c]) >= g->cutoff * (1 - 1e-6))
            log2[c]++;
    }
}

void sluice_tune_use(struct sluice_sim *sim, const struct sluice_choice *choice)
{
    sim->backend.orders.strategy = choice->strategy;
    if (memcmp(choice->bins_log2, sim->grid.bins_log2, sizeof choice->bins_log2) != 0)
        sluice_grid_set_bins(&sim->grid, choice->bins_log2);
}

/* Whether backend.bins are set: then only strategies are chosen. */
static int bins_are_given(const struct sluice_sim *sim)
{
    const long long *bins = sim->config->backend.bins;
    return bins[0] > 0 || bins[1] > 0 || bins[2] > 0;
}

int sluice_tune_refine(const struct sluice_sim *sim, struct sluice_choice *choice, int x, int yz)
{
    int *log2 = choice->bins_log2;
    log2[0] += x;
    log2[1] += yz;
    log2[2] += sim->grid.dimension == 3 ? yz : 0;
    return !bins_are_given(sim) && log2[0] >= 0 && log2[1] >= 0 && log2[2] >= 0;
}

static double tests_of_all_pairs(const struct sluice_sim *sim)
{
    const double all = (double)(sim->count[SLUICE_FLUID] + sim->count[SLUICE_WALL]);
    return all * all;
}

/* Whether the strategy wants bins of a cutoff. */
static int is_of_cells(int strategy)
{
    return sluice_strategies[strategy].bins == SLUICE_CELLS;
}

_Static_assert((int)SLUICE_STRATEGY_COUNT <= (int)SLUICE_TUNE_CHOICES,
               "a strategy may be listed once");

static void add(struct sluice_choice *choice, int *count, int strategy, const int log2[3])
{
    for (int k = 0; k < *count; k++)
        if (choice[k].strategy == strategy)
            return;
    choice[(*count)++] = (struct sluice_choice){.strategy = strategy,
                                                .bins_log2 = {log2[0], log2[1], log2[2]}};
}

int sluice_tune_choices(const struct sluice_sim *sim, struct sluice_choice *choice)
{
    /* The often fastest ones come first, because time may run out. */
    static const int first[] = {SLUICE_STRATEGY_x_pencil, SLUICE_STRATEGY_par_part_noloop,
                                SLUICE_STRATEGY_x_pencil_reg, SLUICE_STRATEGY_par_cell_sm};
    enum { FIRST = sizeof first / sizeof *first };
    const int *rule = sim->tuning.rule_log2;
    int cells[3], count = 0;
    add(choice, &count, sim->tuning.rule_strategy, rule);
    add(choice, &count, SLUICE_STRATEGY_window, rule);
    cells_log2(&sim->grid, cells);
    if (tests_of_all_pairs(sim) <= sim->backend.ops->tiled_most)
        add(choice, &count, SLUICE_STRATEGY_tiled, rule);
    for (int k = 0; k < FIRST + SLUICE_STRATEGY_COUNT; k++) {
        const int strategy = k < FIRST ? first[k] : k - FIRST;
        if (!sluice_strategy_has(strategy, sim->config->model == SLUICE_MODEL_GAS))
            continue;
        if (!is_of_cells(strategy) && strategy != SLUICE_STRATEGY_tiled)
            add(choice, &count, strategy, rule);
        else if (is_of_cells(strategy) && sim->backend.ops->tries_cells)
            add(choice, &count, strategy, bins_are_given(sim) ? rule : cells);
    }
    return count;
}

int sluice_tune_is_possible(const struct sluice_sim *sim, const struct sluice_choice *c)
{
    const int *rule = sim->tuning.rule_log2;
    int cells[3], near = 1;
    cells_log2(&sim->grid, cells);
    for (int a = 0; a < 3; a++)
        near &= abs(c->bins_log2[a] - rule[a]) <= 1;
    return near || (is_of_cells(c->strategy) && memcmp(c->bins_log2, cells, sizeof cells) == 0);
}
