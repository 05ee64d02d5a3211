/* The common mass of a pass's particles, and an estimate of the pairs that it tests. */
#include <math.h>

#include "backend/backend.h"
#include "kernels/registry.h"

double sluice_strategy_tests(int strategy, int dimension, double neighbours, double targets,
                             double sources)
{
    /* Exact windows in rows have about one miss for each hit (docs/design.md). The cells around a
     * particle take 3^D cutoffs^D; its neighbours lie in a ball of one cutoff. */
    const double ball = dimension == 2 ? 3.14159265358979 : 4.18879020478639,
                 cells = pow(3, dimension) / ball;
    const double tests = sluice_strategies[strategy].kind == SLUICE_CELLS ? cells * neighbours
                                                                          : 2 * neighbours;
    return targets * (strategy == SLUICE_STRATEGY_tiled ? sources : fmin(tests, sources));
}

double sluice_pass_mass(const struct sluice_pass *pass)
{
    double mass = pass->target->mass;
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s] && pass->source[s]->count > 0 && pass->source[s]->mass != mass)
            mass = 0;
    return mass;
}
