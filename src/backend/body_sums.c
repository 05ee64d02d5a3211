/* Sums over the particles of bodies, from the totals of all ranks. */
#include <math.h>
#include <string.h>

#include "backend/backend.h"
#include "domain/domain.h"
#include "kernels/types/body_system.h"

static int terms_of(const struct sluice_body_sums *s)
{
    return sluice_body_terms(s->set->dimension, s->params->solves);
}

int64_t sluice_body_sums_pieces(const struct sluice_body_sums *s)
{
    return s->params->motions->bodies * sluice_body_pieces(terms_of(s));
}

sluice_status sluice_body_sums_fill(struct sluice_backend *b, const struct sluice_body_sums *s,
                                    uint64_t *pieces)
{
    const int terms = terms_of(s);
    if (b->domain)
        SLUICE_TRY(b->domain->comm->ops->sum(b->domain->comm, (int64_t *)pieces,
                                             sluice_body_sums_pieces(s)));
    for (int i = 0; i < s->params->motions->bodies; i++)
        for (int k = 0; k < terms; k++)
            s->out[(int64_t)i * terms + k] = sluice_body_sum(
                pieces + i * sluice_body_pieces(terms), terms, k,
                sluice_body_scale(&s->params->scales, s->set->dimension, k));
    return SLUICE_OK;
}

void sluice_body_solve_keep(struct sluice_body_solve *s)
{
    for (int i = 0; i < s->sums->params->motions->bodies; i++) {
        memcpy(s->rigid[i].acceleration, s->solution[i].rate, sizeof s->rigid[i].acceleration);
        memcpy(s->rigid[i].spin_rate, s->solution[i].rate + 3, sizeof s->rigid[i].spin_rate);
    }
}

sluice_status sluice_body_sums_solve(struct sluice_backend *b, const struct sluice_grid *g,
                                     struct sluice_body_solve *s)
{
    const int bodies = s->sums->params->motions->bodies, terms = terms_of(s->sums);
    double change = INFINITY;
    for (int i = 0; i < bodies; i++) {
        memcpy(s->solution[i].rate, s->rigid[i].acceleration, sizeof s->rigid[i].acceleration);
        memcpy(s->solution[i].rate + 3, s->rigid[i].spin_rate, sizeof s->rigid[i].spin_rate);
    }
    for (s->rounds = 0; s->rounds < SLUICE_BODY_ROUNDS && change > s->tolerance; s->rounds++) {
        change = 0;
        SLUICE_TRY(b->ops->sum_bodies(b, g, s->sums));
        for (int i = 0; i < bodies; i++)
            change = fmax(change,
                          body_system_step(&s->system[i], s->sums->set->dimension,
                                           s->sums->out + (int64_t)i * terms, &s->solution[i]));
        sluice_body_solve_keep(s);
        SLUICE_TRY(b->ops->upload(b, s->table, s->rigid, (size_t)bodies * sizeof *s->rigid));
    }
    s->rounds += change > s->tolerance;
    return SLUICE_OK;
}
