#include "pair_trial.h"
#include "kernels/backends/backends.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void trial_note(struct trial *t, double got, double want, double tolerance, const char *what,
                int64_t i, const char *variant)
{
    const double error = got == want ? 0 : fabs(got - want) / tolerance;
    if (!(error <= t->error)) {
        t->error = isnan(error) ? INFINITY : error;
        snprintf(t->where, sizeof t->where, "%s of %lld: got %.9g, want %.9g (%s)", what,
                 (long long)i, got, want, variant);
    }
}

/* Particles are sorted in another order on each backend: found by their ids. */
static void compare(struct trial *t, const struct world *world, const struct sluice_pass *pass,
                    const char *variant)
{
    const struct reference *r = &t->reference;
    const double tolerance = t->tolerance;
    const struct sluice_set *set = &world->host[pass->target->type];
    const sluice_id *id = set->field[SLUICE_FIELD_ID];
    const sluice_fields writes = sluice_pairs[pass->pair].writes;
    const int adami = pass->pair == SLUICE_PAIR_adami_wendland ||
                      pass->pair == SLUICE_PAIR_adami_chosen;
    const int mdbc = pass->pair == SLUICE_PAIR_mdbc_wendland ||
                     pass->pair == SLUICE_PAIR_mdbc_chosen;
    const struct wcsph_params *p = pass->params; /* where the pair is one of water */
    const int water = strncmp(sluice_pairs[pass->pair].formulas, "wcsph_", 6) == 0,
              renormalised = water && p->renormalised;
    trial_note(t, (double)set->count, (double)r->n, 0.5, "particles", 0, variant);
    for (int64_t i = 0; i < r->n && i < set->count; i++) {
        const int known = (int64_t)id[i] < r->n;
        const int64_t n = known ? r->of_id[id[i]] : 0;
        const int64_t node = mdbc ? ((const uint32_t *)set->field[SLUICE_FIELD_NODE])[i] : 0;
        trial_note(t, (double)id[i], known ? (double)id[i] : NAN, 0.5, "id", i, variant);
        for (int c = 0; c < set->dimension && writes & SLUICE_BIT(ACCELERATION); c++)
            trial_note(t, field_at(set, SLUICE_FIELD_ACCELERATION, i, c), r->a[n][c],
                       tolerance * r->a_scale[n], "acceleration", i, variant);
        if (writes & SLUICE_BIT(RATE))
            trial_note(t, field_at(set, SLUICE_FIELD_RATE, i, 0), r->rate[n],
                       tolerance * r->rate_scale[n], "rate", i, variant);
        for (int c = 0; c < set->dimension && writes & SLUICE_BIT(SHIFT); c++)
            trial_note(t, field_at(set, SLUICE_FIELD_SHIFT, i, c), r->shift[n][c],
                       tolerance * r->shift_scale[n], "shift", i, variant);
        for (int c = 0;
             c < set->dimension * (set->dimension + 1) / 2 && water && wcsph_has_stress(p); c++)
            trial_note(t, field_at(set, SLUICE_FIELD_STRESS_NEXT, i, c), r->stress[n][c],
                       tolerance * r->stress_scale[n], "stress", i, variant);
        for (int c = 0; c < set->dimension && water && p->corrected_diffusion; c++)
            trial_note(t, field_at(set, SLUICE_FIELD_HEAD_GRADIENT_NEXT, i, c), r->slope[n][c],
                       tolerance * r->slope_scale[n], "gradient of the head", i, variant);
        for (int c = 0; c < set->dimension * (set->dimension + 1) / 2 && renormalised; c++)
            trial_note(t, field_at(set, SLUICE_FIELD_CORRECTION, i, c), r->correction[n][c],
                       tolerance * r->correction_scale[n], "correction", i, variant);
        if (renormalised)
            trial_note(t, field_at(set, SLUICE_FIELD_MEMORY, i, 0), r->memory[n],
                       tolerance * (r->rate_scale[n] + 1), "memory", i, variant);
        for (int c = 0; c < set->dimension && pass->pair == SLUICE_PAIR_reaction; c++)
            trial_note(t, field_at(set, SLUICE_FIELD_REACTION, i, c), r->v[n][c],
                       tolerance * (r->a_scale[n] + 1), "reaction", i, variant);
        for (int c = 0; c <= set->dimension && mdbc; c++)
            trial_note(t, field_at(set, SLUICE_FIELD_HEAD, node, c), r->head[n][c],
                       tolerance * r->head_scale[n][c], "head at a node", i, variant);
        for (int c = 0; c < set->dimension && mdbc && set->field[SLUICE_FIELD_PREDICTED]; c++)
            trial_note(t, field_at(set, SLUICE_FIELD_PREDICTED, node, c), r->v[n][c],
                       10 * tolerance, "velocity at a node", i, variant);
        if (adami) {
            const double s = field_at(set, SLUICE_FIELD_EOS, i, 1),
                         rho = ((const struct wcsph_params *)pass->params)->rho0 / s;
            trial_note(t, field_at(set, SLUICE_FIELD_EOS, i, 0) * rho * rho, r->p[n],
                       tolerance * (r->p_scale[n] + 1), "wall pressure", i, variant);
            for (int c = 0; c < set->dimension && set->field[SLUICE_FIELD_PREDICTED] &&
                            !((const struct wcsph_params *)pass->params)->slip;
                 c++)
                trial_note(t, field_at(set, SLUICE_FIELD_PREDICTED, i, c), r->v[n][c],
                           10 * tolerance, "wall velocity", i, variant);
        }
    }
    for (int k = 0; k < SLUICE_SUM_COUNT; k++) {
        if (!(pass->sums >> k & 1) && k != SLUICE_SUM_PAIRS)
            trial_note(t, pass->sum[k], 0, 0, "sum that is not wanted", k, variant);
        else if (k != SLUICE_SUM_IDENTITY && k != SLUICE_SUM_IDENTITY_ABS && k != SLUICE_SUM_PAIRS)
            trial_note(t, pass->sum[k], r->sum[k], tolerance * r->scale[k], "sum", k, variant);
    }
    if (pass->count_pairs)
        trial_note(t, pass->sum[SLUICE_SUM_PAIRS], r->sum[SLUICE_SUM_PAIRS],
                   r->close_pairs > 0 && set->real_bytes == 4 ? r->close_pairs : 0.5, "pairs", 0,
                   variant);
}

void trial_open(struct world *w, const struct variant *v, int strategy, int real_bytes,
                const struct sluice_grid_options *o, const struct cloud *fluid,
                const struct cloud *walls, sluice_fields wall_fields)
{
    const struct sluice_backend_choice choice = {.name = v->backend,
                                                 .strategy = sluice_strategies[strategy].name,
                                                 .isa = v->isa,
                                                 .real_bytes = real_bytes,
                                                 .threads = 1}; /* threads: kernels/same_bits.c */
    if (world_open(w, &choice, o, fluid, walls, wall_fields) == SLUICE_OK)
        return;
    printf("Bail out! %s: %s\n", v->name, sluice_message());
    exit(1);
}

void trial_run(struct world *w, struct sluice_pass *pass)
{
    const sluice_status status = w->backend.ops->interact(&w->backend, &w->grid, pass);
    if (status == SLUICE_OK && world_read(w) == SLUICE_OK)
        return;
    printf("Bail out! %s\n", sluice_message());
    exit(1);
}

struct sluice_pass trial_pass(struct world *w, int pair, const void *params, unsigned sums,
                              int count)
{
    struct sluice_set *fluid = &w->set[SLUICE_FLUID], *wall = &w->set[SLUICE_WALL];
    const int main_loop = strncmp(sluice_pairs[pair].formulas, "wcsph_", 6) == 0 ||
                          pair == SLUICE_PAIR_shift;
    const int repulsive = pair == SLUICE_PAIR_repulsive;
    const int on_fluid = main_loop || repulsive || pair == SLUICE_PAIR_lj ||
                         pair == SLUICE_PAIR_low || pair == SLUICE_PAIR_high;
    const struct sluice_pass pass = {.name = "test",
                                     .pair = pair,
                                     .params = params,
                                     .sums = sums,
                                     .count_pairs = count,
                                     .target = on_fluid ? fluid : wall,
                                     .source = {repulsive ? wall : fluid, main_loop ? wall : NULL}};
    return pass;
}

/* The scales of a pass, from the magnitudes that its sums should have. */
static struct sluice_scales scales_for(const struct reference *r)
{
    double most = 1;
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        most = k == SLUICE_SUM_PAIRS ? most : fmax(most, r->scale[k]);
    return (struct sluice_scales){.energy = ilogb(most), .power = ilogb(most)};
}

void trial_compare(struct trial *t, struct world *w, struct sluice_pass *pass, int strategy,
                   const char *on)
{
    char variant[96];
    w->backend.orders.strategy = strategy;
    if (!t->have++)
        reference_run(&t->reference, w, pass);
    pass->scales = scales_for(&t->reference);
    trial_run(w, pass);
    snprintf(variant, sizeof variant, "%s %.63s sums %x count %d", sluice_strategies[strategy].name,
             on, pass->sums, pass->count_pairs);
    compare(t, w, pass, variant);
}
