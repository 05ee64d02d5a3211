/* Sums over the particles of each label, of which bodies are the only kind. They are exact
 * (exact_sum.h): neither threads nor the order of the particles change a bit. A run of particles of
 * one body is added up before it is added to the totals, which all threads share. */
#include "kernels/cpu/variant.h"
#include "kernels/pointwise/body_sums.h"

enum { RUN_MOST = EXACT_TERMS / 2 };

struct body_loop {
    struct body_sums_constants constants;
    struct sluice_view view;
    const uint8_t *own; /* as in struct sluice_set */
    int dim, terms;
    const int *scale;
    uint64_t *pieces; /* [bodies][exact_pieces_of(terms)] */
};

/* A run of particles of one body. */
struct body_run {
    int body, particles; /* body -1: none */
    uint64_t out_of_range;
    struct exact_term sum[SLUICE_LABEL_TERMS_MOST];
};

static void end_run(const struct body_loop *loop, struct body_run *run)
{
    uint64_t *to = loop->pieces + run->body * exact_pieces_of(loop->terms);
    for (int k = 0; k < loop->terms && run->body >= 0; k++, to += EXACT_PIECES) {
        const exact_total total = exact_total_of(run->sum[k]);
        for (int n = 0; n < EXACT_PIECES; n++)
            __atomic_fetch_add(&to[n], exact_piece(total, n), __ATOMIC_RELAXED);
    }
    if (run->body >= 0)
        __atomic_fetch_add(to, run->out_of_range, __ATOMIC_RELAXED);
    *run = (struct body_run){.body = -1};
}

static inline __attribute__((always_inline)) void
add_particle(const struct body_loop *loop, struct body_run *run, int64_t i, const int dim)
{
    struct body_sums_parts parts;
    const int body = body_sums_parts_of(&loop->constants, &loop->view, i, dim, &parts);
    if (body < 0 || (loop->own && !loop->own[i]))
        return;
    if (body != run->body || run->particles == RUN_MOST)
        end_run(loop, run);
    run->body = body;
    run->particles++;
    for (int k = 0; k < loop->terms; k++) {
        const double term = body_sums_term(&parts, dim, k);
        if (!exact_holds(loop->scale[k], term)) {
            run->out_of_range++;
            continue;
        }
        const struct exact_term t = exact_term_of(loop->scale[k], term);
        run->sum[k].high += t.high;
        run->sum[k].low += t.low;
    }
}

static void body_blocks(struct sluice_share *share, void *data)
{
    const struct body_loop *loop = data;
    struct body_run run = {.body = -1};
    int64_t first, last;
    while (sluice_share_block(share, loop->view.count, CPU_BLOCK, &first, &last))
        for (int64_t i = first; i < last; i++) {
            if (loop->dim == 3)
                add_particle(loop, &run, i, 3);
            else
                add_particle(loop, &run, i, 2);
        }
    end_run(loop, &run);
}

static void run_body_sums(struct sluice_threads *team, const struct sluice_label_sums *s,
                          uint64_t *pieces)
{
    struct body_loop loop = {.constants = body_sums_prepare(s->params),
                             .view = view_of(s->set),
                             .own = s->set->own,
                             .dim = s->set->dimension,
                             .terms = s->terms,
                             .scale = s->scale,
                             .pieces = pieces};
    sluice_threads_run(team, sluice_blocks(loop.view.count, CPU_BLOCK), body_blocks, &loop);
}

void VARIANT(sum_labels)(struct sluice_threads *team, const struct sluice_label_sums *s,
                         uint64_t *pieces)
{
    switch (s->formula) {
#define X(formula, what)                                                                           \
    case SLUICE_LABELLED_##formula:                                                                \
        run_##formula(team, s, pieces);                                                            \
        break;
        SLUICE_LABELLED(X)
#undef X
    }
}
