/* Properties of all particles of a pass, the pairs that it tests, and its sums. */
#include <math.h>

#include "backend/backend.h"
#include "domain/pack.h"
#include "kernels/registry.h"

double sluice_strategy_tests(int strategy, int dimension, double neighbours, double targets,
                             double sources)
{
    /* Exact windows in rows have about one miss for each hit (docs/design.md). The cells around a
     * particle take 3^D cutoffs^D; its neighbours lie in a ball of one cutoff. */
    const double ball = dimension == 2 ? 3.14159265358979 : 4.18879020478639,
                 cells = pow(3, dimension) / ball;
    const double tests = sluice_strategies[strategy].bins == SLUICE_CELLS ? cells * neighbours
                                                                          : 2 * neighbours;
    return targets * (strategy == SLUICE_STRATEGY_tiled ? sources : fmin(tests, sources));
}

double sluice_pass_mass(const struct sluice_pass *pass)
{
    double mass = pass->target->mass;
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s] && sluice_set_exists(pass->source[s]) && pass->source[s]->mass != mass)
            mass = 0;
    return mass;
}

sluice_fields sluice_pass_refreshes(const struct sluice_pass *pass, int on_host)
{
    const struct sluice_set *set = pass->target;
    sluice_fields fields = sluice_pairs[pass->pair].writes & set->fields &
                           ~(SLUICE_BIT(REACTION) |
                             SLUICE_BIT(SHARE)); /* of forces on the particle */
    if (on_host)
        fields &= ~(SLUICE_BIT(SHIFT) | SLUICE_LATE_FIELDS);
    if (on_host && set->moves == SLUICE_FREE) /* on a GPU one sort serves several steps */
        fields &= ~sluice_pack_state(set);    /* the next sort brings them */
    return fields;
}

void sluice_pass_fill(struct sluice_pass *pass, const exact_total total[SLUICE_SUM_COUNT],
                      int64_t out_of_range)
{
    const unsigned wanted = pass->sums | (pass->count_pairs ? SLUICE_SUM_BIT(PAIRS) : 0);
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        pass->sum[k] = !(wanted >> k & 1) ? 0
                       : out_of_range && !sluice_sum_counts(k)
                           ? NAN
                           : exact_value(sluice_sum_scale(&pass->scales, k), total[k]);
    pass->out_of_range = out_of_range;
}

void sluice_summary_fill(struct sluice_reduce *r, const exact_total total[SUMMARY_SUMS],
                         const struct sluice_extremes *extremes)
{
    struct sluice_summary *s = &r->out;
    double sum[SUMMARY_SUMS];
    s->extremes = *extremes;
    if (!extremes->not_finite)
        s->extremes.first_not_finite = -1;
    if (!r->sums)
        return;
    for (int k = 0; k < SUMMARY_SUMS; k++)
        sum[k] = extremes->not_finite ? NAN
                                      : exact_value(sluice_summary_scale(&r->scales, k), total[k]);
    s->mass = sum[SUMMARY_MASS];
    s->kinetic = sum[SUMMARY_KINETIC];
    s->elastic = sum[SUMMARY_ELASTIC];
    s->potential = sum[SUMMARY_POTENTIAL];
    s->driven_power = 0;
    for (int c = 0; c < 3; c++) {
        s->momentum[c] = sum[SUMMARY_MOMENTUM + c];
        s->angular[c] = sum[SUMMARY_ANGULAR + c];
        s->driven_power += r->driven[c] * s->momentum[c];
    }
}
