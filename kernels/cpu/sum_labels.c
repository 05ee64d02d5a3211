/* The operation `sum_labels` of backend.h: sums of this rank's particles, added up over all ranks.
 */
#include <math.h>
#include <string.h>

#include "kernels/cpu/cpu_backend.h"

static sluice_status sum_once(struct sluice_backend *b, const struct sluice_grid *g,
                              const struct sluice_label_sums *s)
{
    struct cpu_backend *cpu = b->data;
    const int64_t of_label = exact_pieces_of(s->terms), n = s->labels * of_label;
    SLUICE_TRY(cpu_scratch_reserve(&cpu->work, (size_t)n * sizeof(uint64_t)));
    uint64_t *pieces = cpu->work.memory;
    memset(pieces, 0, (size_t)n * sizeof *pieces);
    cpu->variant->sum_labels(cpu->team, g, s, pieces);
    if (b->domain)
        SLUICE_TRY(b->domain->comm->ops->sum(b->domain->comm, (int64_t *)pieces, n));
    for (int i = 0; i < s->labels; i++)
        for (int k = 0; k < s->terms; k++) {
            const int64_t at = s->rounds ? (int64_t)i * s->terms + k : (int64_t)k * s->labels + i;
            s->out[at] = exact_joined_value(pieces + i * of_label, s->terms, k, s->scale[k]);
        }
    return SLUICE_OK;
}

sluice_status cpu_sum_labels(struct sluice_backend *b, const struct sluice_grid *g,
                             struct sluice_label_sums *s)
{
    struct sluice_label_rounds *r = s->rounds;
    double change = INFINITY;
    if (!r)
        return sum_once(b, g, s);
    for (r->count = 0; r->count < SLUICE_LABEL_ROUNDS && change > r->tolerance; r->count++) {
        SLUICE_TRY(sum_once(b, g, s));
        change = 0;
        for (size_t i = 0; i < (size_t)s->labels; i++)
            change = fmax(change,
                          r->round(s->set->dimension, (const char *)r->given + i * r->given_bytes,
                                   s->out + i * (size_t)s->terms,
                                   (char *)r->state + i * r->state_bytes,
                                   (char *)r->result + i * r->result_bytes));
        memcpy(r->table, r->state, (size_t)s->labels * r->state_bytes);
    }
    r->count += change > r->tolerance;
    return SLUICE_OK;
}
