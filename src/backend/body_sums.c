/* Sums over the particles of bodies, from the totals of all ranks. */
#include <math.h>

#include "backend/backend.h"
#include "domain/domain.h"
#include "kernels/types/body_params.h"

static int terms_of(const struct sluice_body_sums *s)
{
    return sluice_body_terms(s->set->dimension, s->params->solves);
}

int64_t sluice_body_sums_pieces(const struct sluice_body_sums *s)
{
    return (int64_t)s->params->motions->bodies * (terms_of(s) + 1) * EXACT_PIECES;
}

sluice_status sluice_body_sums_fill(struct sluice_backend *b, const struct sluice_body_sums *s,
                                    uint64_t *pieces)
{
    const int terms = terms_of(s);
    if (b->domain)
        SLUICE_TRY(b->domain->comm->ops->sum(b->domain->comm, (int64_t *)pieces,
                                             sluice_body_sums_pieces(s)));
    for (int i = 0; i < s->params->motions->bodies; i++) {
        const uint64_t *of_body = pieces + (int64_t)i * (terms + 1) * EXACT_PIECES;
        const int out_of_range = of_body[(int64_t)terms * EXACT_PIECES] > 0;
        for (int k = 0; k < terms; k++, of_body += EXACT_PIECES)
            s->out[(int64_t)i * terms + k] =
                out_of_range
                    ? NAN
                    : exact_value(sluice_body_scale(&s->params->scales, s->set->dimension, k),
                                  exact_joined(of_body[0], of_body[1], of_body[2]));
    }
    return SLUICE_OK;
}
