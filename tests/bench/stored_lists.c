/* test: 0.7 s, emulator-slow, tsan-slow */
/* Neighbour lists of `sluice bench claims`: WCSPH from a list against all pairs summed plainly in
 * double, on every backend and instruction set, in both precisions, also after particles have moved
 * by less than half of the skin; and on the CPU the same bits as from the search. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/bench/bench_ops.h"
#include "reference/pair_physics.h"
#include "support/pair_trial.h"
#include "support/tap.h"
#include "support/tolerances.h"

static const struct test_case {
    const char *name;
    int64_t fluid, walls;
    double high[3];
    int periodic[3];
    double frame_cutoffs, reach;
    int rows;
} cases[] = {
    {"no particles", 0, 0, {3, 3, 3}, {0, 0, 0}, 2, 1, 2},
    {"1 particle", 1, 1, {1, 1, 1}, {0, 0, 0}, 2, 1.2, 2},
    {"no skin", 700, 100, {7, 6, 5}, {0, 0, 0}, 2, 1, 2},
    {"a skin of 0.3", 700, 100, {7, 6, 5}, {0, 0, 0}, 2, 1.3, 2},
    {"lists run full", 1300, 60, {1.7, 1.7, 1.7}, {0, 0, 0}, 2, 1.5, 2},
    {"rows of a sixth", 300, 60, {7, 3, 4}, {0, 0, 0}, 2, 1.4, 6},
    {"periodic", 300, 40, {5, 4, 3}, {1, 1, 1}, 2, 1, 1},
    {"periodic, a skin", 300, 40, {4, 4, 4}, {1, 1, 1}, 2, 1.25, 1},
};

static struct sluice_stored_list list;

/* Replaces the backend's operation: builds a list, twice as the benchmark does, and uses it. */
static sluice_status interact(struct sluice_backend *b, const struct sluice_grid *g,
                              struct sluice_pass *pass)
{
    const struct sluice_bench_ops *ops = sluice_bench_ops_find(b);
    SLUICE_TRY(ops->list_build(b, g, pass, &list));
    SLUICE_TRY(ops->list_build(b, g, pass, &list));
    return ops->list_pass(b, g, pass, &list);
}

static sluice_status interact_by_list(struct sluice_backend *b, const struct sluice_grid *g,
                                      struct sluice_pass *pass)
{
    return sluice_bench_ops_find(b)->list_pass(b, g, pass, &list);
}

static void put_positions(struct world *w)
{
    if (world_write(w, SLUICE_FLUID, SLUICE_FIELD_POSITION) == SLUICE_OK)
        return;
    printf("Bail out! %s\n", sluice_message());
    exit(1);
}

/* Moves the fluid by at most 0.45 skins of `reach` - 1, by its ids, but does not sort it. */
static void move_fluid(struct world *w, double reach)
{
    struct sluice_set *host = &w->host[SLUICE_FLUID];
    const double most = 0.45 * (reach - 1) / sqrt(3);
    for (int64_t i = 0; i < host->count; i++) {
        const double id = (double)((const sluice_id *)host->field[SLUICE_FIELD_ID])[i];
        for (int c = 0; c < 3; c++)
            field_put(host, SLUICE_FIELD_POSITION, i, c,
                      field_at(host, SLUICE_FIELD_POSITION, i, c) + most * sin(7 * id + 2 * c));
    }
    put_positions(w);
}

static void free_list(struct sluice_backend *b)
{
    if (list.entries)
        b->ops->free(b, list.entries);
    if (list.index)
        b->ops->free(b, list.index);
    list = (struct sluice_stored_list){0};
}

static void *copy_of(const struct world *w, enum sluice_field field)
{
    const struct sluice_set *host = &w->host[SLUICE_FLUID];
    const size_t bytes = (size_t)(host->count * sluice_set_field_bytes(host, field));
    return memcpy(calloc(bytes + 1, 1), host->field[field], bytes);
}

/* Whether the fields are those of the search, to the bit. */
static int is_as_searched(struct world *w, const struct sluice_backend_ops *own,
                          struct sluice_pass *pass)
{
    static const enum sluice_field written[] = {SLUICE_FIELD_ACCELERATION, SLUICE_FIELD_RATE};
    int same = 1;
    void *kept[2] = {copy_of(w, written[0]), copy_of(w, written[1])};
    w->backend.ops = own;
    trial_run(w, pass);
    for (int f = 0; f < 2; f++) {
        const struct sluice_set *host = &w->host[SLUICE_FLUID];
        same &= memcmp(kept[f], host->field[written[f]],
                       (size_t)(host->count * sluice_set_field_bytes(host, written[f]))) == 0;
        free(kept[f]);
    }
    return same;
}

/* Compares the pass from the existing list, after the particles have moved. */
static void check_moved(struct trial *trial, struct world *w, struct sluice_pass *pass,
                        const struct variant *on)
{
    const struct sluice_set *host = &w->host[SLUICE_FLUID];
    void *kept = copy_of(w, SLUICE_FIELD_POSITION);
    move_fluid(w, list.reach);
    trial_compare(trial, w, pass, SLUICE_STRATEGY_window, on->name);
    memcpy(host->field[SLUICE_FIELD_POSITION], kept,
           (size_t)(host->count * sluice_set_field_bytes(host, SLUICE_FIELD_POSITION)));
    put_positions(w);
    free(kept);
}

/* trial[1]: after the particles have moved. */
static void check_variant(struct trial trial[2], const struct test_case *t,
                          const struct variant *on, int real_bytes,
                          const struct sluice_grid_options *o, const struct cloud *fluid,
                          const struct cloud *walls)
{
    struct wcsph_params p = physics[0].p;
    struct world w;
    trial_open(&w, on, 0, real_bytes, o, fluid, walls, physics[0].wall_fields);
    const struct sluice_backend_ops *own = w.backend.ops;
    struct sluice_backend_ops with_list = *own;
    with_list.interact = interact;
    p.dimension = 3;
    p.spacing = 0.3;
    p.h = 0.5; /* a cutoff of 1 */
    p.eos = SLUICE_EOS_TAIT;
    for (int energy = 0; energy < 2; energy++) {
        struct sluice_pass pass = trial_pass(&w, SLUICE_PAIR_wcsph_wendland, &p,
                                             energy ? SLUICE_ALL_SUMS : 0, 0);
        pass.source[1] = NULL; /* GPUs have no list of two sources */
        list.reach = t->reach;
        w.backend.ops = &with_list;
        trial_compare(&trial[0], &w, &pass, SLUICE_STRATEGY_window, on->name);
        if (on->is_cpu)
            ok(is_as_searched(&w, own, &pass), "%s, %s, %d bytes, energy %d: the search's bits",
               t->name, on->name, real_bytes, energy);
        if (t->reach > 1 && t->fluid > 1) {
            with_list.interact = interact_by_list;
            w.backend.ops = &with_list;
            check_moved(&trial[1], &w, &pass, on);
            with_list.interact = interact;
        }
        w.backend.ops = own;
        if (t->reach == 1 && t->fluid > 1 && !on->is_cpu) {
            pass.count_pairs = 1;
            trial_run(&w, &pass);
            ok(pass.sum[SLUICE_SUM_PAIRS] == (double)list.listed, "%s, %s: %lld neighbours, all",
               t->name, on->name, (long long)list.listed);
        }
        free_list(&w.backend);
    }
    world_close(&w);
}

static void check_case(const struct test_case *t, const struct variant *variants, int count,
                       int real_bytes)
{
    const double low[3] = {0, 0, 0};
    struct sluice_grid_options o = {.dimension = 3,
                                    .cutoff = 1,
                                    .frame_cutoffs = t->frame_cutoffs,
                                    .bins_per_cutoff = {8, t->rows, t->rows}};
    const double tolerance = real_bytes == 4 ? TOLERANCE_PAIR_FLOAT : TOLERANCE_PAIR_DOUBLE;
    struct trial trial[2] = {{.tolerance = tolerance}, {.tolerance = tolerance}};
    struct cloud fluid, walls;
    memcpy(o.high, t->high, sizeof o.high);
    memcpy(o.periodic, t->periodic, sizeof o.periodic);
    cloud_random(&fluid, t->fluid, 3, low, t->high, 11);
    cloud_random(&walls, t->walls, 3, low, t->high, 12);
    for (int64_t i = 0; i < t->fluid; i++)
        fluid.mass[i] = 0.93;
    for (int k = 0; k < count; k++)
        check_variant(trial, t, &variants[k], real_bytes, &o, &fluid, &walls);
    for (int moved = 0; moved < (t->reach > 1 && t->fluid > 1 ? 2 : 1); moved++) {
        ok(trial[moved].error <= 1, "%s, %d bytes%s: worst %.2g tolerances", t->name, real_bytes,
           moved ? ", moved" : "", trial[moved].error);
        if (trial[moved].error > 1)
            diag("%s", trial[moved].where);
        reference_free(&trial[moved].reference);
    }
    cloud_destroy(&fluid);
    cloud_destroy(&walls);
}

int main(void)
{
    struct variant variants[VARIANTS_MOST];
    const int count = variants_here(variants);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int real_bytes = 4; real_bytes <= 8; real_bytes += 4)
            check_case(&cases[k], variants, count, real_bytes);
    return done_testing();
}
