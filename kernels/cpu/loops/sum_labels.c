/* Sums over the particles of each label. They are exact (exact_sum.h): neither threads nor the
 * order of the particles change a bit. A run of particles of one label is added up before it is
 * added to the totals, which all threads share. */
#include "kernels/cpu/variant.h"
#include "kernels/pointwise/body_sums.h"
#include "kernels/pointwise/openings.h"

enum { RUN_MOST = EXACT_TERMS / 2 };

struct label_loop {
    const void *constants; /* of the formula */
    const struct sluice_frames_view *frames;
    struct sluice_view view;
    const uint8_t *own; /* as in struct sluice_set */
    int dim, terms;
    const int *scale;
    uint64_t *pieces; /* [labels][exact_pieces_of(terms)] */
};

/* A run of particles of one label. */
struct label_run {
    int label, particles; /* label -1: none */
    uint64_t out_of_range;
    struct exact_term sum[SLUICE_LABEL_TERMS_MOST];
};

static void end_run(const struct label_loop *loop, struct label_run *run)
{
    uint64_t *to = loop->pieces + run->label * exact_pieces_of(loop->terms);
    for (int k = 0; k < loop->terms && run->label >= 0; k++, to += EXACT_PIECES) {
        const exact_total total = exact_total_of(run->sum[k]);
        for (int n = 0; n < EXACT_PIECES; n++)
            __atomic_fetch_add(&to[n], exact_piece(total, n), __ATOMIC_RELAXED);
    }
    if (run->label >= 0)
        __atomic_fetch_add(to, run->out_of_range, __ATOMIC_RELAXED);
    *run = (struct label_run){.label = -1};
}

static inline void add_term(const struct label_loop *loop, struct label_run *run, int k,
                            double term)
{
    if (!exact_holds(loop->scale[k], term)) {
        run->out_of_range++;
        return;
    }
    const struct exact_term t = exact_term_of(loop->scale[k], term);
    run->sum[k].high += t.high;
    run->sum[k].low += t.low;
}

/* The loop of each formula. */
#define X(formula, what)                                                                           \
    static inline __attribute__((always_inline)) void formula##_add(                               \
        const struct label_loop *loop, struct label_run *run, int64_t i, const int dim)            \
    {                                                                                              \
        struct formula##_parts parts;                                                              \
        const int label = formula##_parts_of(loop->constants, &loop->view, loop->frames, i, dim,   \
                                             &parts);                                              \
        if (label < 0 || (loop->own && !loop->own[i]))                                             \
            return;                                                                                \
        if (label != run->label || run->particles == RUN_MOST)                                     \
            end_run(loop, run);                                                                    \
        run->label = label;                                                                        \
        run->particles++;                                                                          \
        for (int k = 0; k < loop->terms; k++)                                                      \
            add_term(loop, run, k, formula##_term(&parts, dim, k));                                \
    }                                                                                              \
    static void formula##_blocks(struct sluice_share *share, void *data)                           \
    {                                                                                              \
        const struct label_loop *loop = data;                                                      \
        struct label_run run = {.label = -1};                                                      \
        int64_t first, last;                                                                       \
        while (sluice_share_block(share, loop->view.count, CPU_BLOCK, &first, &last))              \
            for (int64_t i = first; i < last; i++) {                                               \
                if (loop->dim == 3)                                                                \
                    formula##_add(loop, &run, i, 3);                                               \
                else                                                                               \
                    formula##_add(loop, &run, i, 2);                                               \
            }                                                                                      \
        end_run(loop, &run);                                                                       \
    }
SLUICE_LABELLED(X)
#undef X

void VARIANT(sum_labels)(struct sluice_threads *team, const struct sluice_grid *g,
                         const struct sluice_label_sums *s, uint64_t *pieces)
{
    const struct sluice_frames_view frames = cpu_frames_of(g);
    struct label_loop loop = {.frames = &frames,
                              .view = view_of(s->set),
                              .own = s->set->own,
                              .dim = s->set->dimension,
                              .terms = s->terms,
                              .scale = s->scale,
                              .pieces = pieces};
    switch (s->formula) {
#define X(formula, what)                                                                           \
    case SLUICE_LABELLED_##formula: {                                                              \
        const struct formula##_constants constants = formula##_prepare(s->params);                 \
        loop.constants = &constants;                                                               \
        sluice_threads_run(team, sluice_blocks(loop.view.count, CPU_BLOCK), formula##_blocks,      \
                           &loop);                                                                 \
        break;                                                                                     \
    }
        SLUICE_LABELLED(X)
#undef X
    }
}
