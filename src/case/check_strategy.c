/* Whether the strategy that the user has named is far slower than the default's. */
#include <string.h>

#include "case/builder.h"
#include "kernels/backends.h"

enum { SLOWER_MOST = 10 };

/* Of a step: fluid is acted on by fluid and walls, walls by fluid. */
static double tests_of(const struct sluice_case *c, int strategy)
{
    const double fluid = (double)c->start[SLUICE_FLUID].count,
                 wall = (double)c->start[SLUICE_WALL].count;
    return sluice_strategy_tests(strategy, c->config->dimension, c->neighbours, fluid,
                                 fluid + wall) +
           sluice_strategy_tests(strategy, c->config->dimension, c->neighbours, wall, fluid);
}

sluice_status sluice_case_check_strategy(struct sluice_case_builder *b)
{
    const char *name = b->config->backend.strategy;
    const struct sluice_backend_ops *ops;
    int strategy;
    if (!*name || strcmp(name, "auto") == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_strategy_find(name, &strategy));
    SLUICE_TRY(sluice_backend_find(NULL, b->config->backend.name, (int)b->config->backend.device,
                                   &ops, NULL, 0));
    const double tests = tests_of(b->c, strategy), least = tests_of(b->c, SLUICE_STRATEGY_window);
    if (tests > SLOWER_MOST * least && tests > ops->tiled_most)
        sluice_case_warn(
            b,
            "backend.strategy: \"%s\" tests about %.2g pairs a step, \"%s\", the "
            "default, about %.2g, %.0f times fewer: leave backend.strategy (--strategy) "
            "out unless you want to compare",
            name, tests, sluice_strategies[SLUICE_STRATEGY_window].name, least, tests / least);
    return SLUICE_OK;
}
