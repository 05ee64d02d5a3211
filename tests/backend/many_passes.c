/* test: 0.1 s, emulator */
/* A step may have as many passes as the run's model and effects declare: more than 5, 8 and 32. */
#include <string.h>

#include "domain/domain.h"
#include "kernels/types/lj_params.h"
#include "model/effect.h"
#include "support/pair_state.h"
#include "support/tap.h"
#include "support/variants.h"

enum { MANY = 40 };

static const struct sluice_grid_options options = {
    .dimension = 2, .cutoff = 0.25, .high = {2, 2}, .frame_cutoffs = 8, .bins_per_cutoff = {4, 2}};

static int open_world(struct world *w, const struct variant *on, int passes)
{
    const struct sluice_backend_choice choice = {
        .name = on->backend, .isa = on->isa, .real_bytes = 4, .threads = 1, .passes = passes};
    struct cloud cloud;
    cloud_random(&cloud, 200, 2, (const double[3]){0, 0}, (const double[3]){2, 2}, 7);
    const sluice_status status = world_open(w, &choice, &options, &cloud, NULL, 0);
    cloud_destroy(&cloud);
    return ok(status == SLUICE_OK, "%s: opened for %d passes", on->name, passes);
}

static struct sluice_pass pass_of(struct world *w, const struct lj_params *lj)
{
    return (struct sluice_pass){.name = "atoms",
                                .pair = SLUICE_PAIR_lj,
                                .params = lj,
                                .target = &w->set[SLUICE_FLUID],
                                .source = {&w->set[SLUICE_FLUID]},
                                .sums = SLUICE_ALL_SUMS};
}

/* Queues all passes of a model, and one more, which is an error. */
static void check_model(const struct variant *on)
{
    const struct lj_params lj = {.epsilon = 1, .sigma = 0.1, .mass = 1, .cutoff = 0.25};
    const struct sluice_physics physics = {0};
    struct sluice_model model = {.physics = &physics, .energy = 1, .sums = SLUICE_ALL_SUMS};
    struct sluice_passes passes;
    struct world w;
    int right = 0, filled = 0;
    if (!open_world(&w, on, MANY))
        return;
    if (!ok(sluice_passes_create(&passes, MANY) == SLUICE_OK, "memory for %d passes", MANY))
        return;
    const struct sluice_pass pass = pass_of(&w, &lj);
    for (int k = 0; k < MANY; k++)
        right += sluice_passes_interact(&passes, &model, &w.backend, &w.grid, pass) == SLUICE_OK;
    is_int(right, MANY, "all are queued");
    is_int(sluice_passes_interact(&passes, &model, &w.backend, &w.grid, pass), SLUICE_DEVICE,
           "one more than declared is an error");
    ok(world_read(&w) == SLUICE_OK, "waited");
    for (int k = 0; k < MANY; k++)
        filled += memcmp(passes.pass[k].sum, passes.pass[0].sum, sizeof pass.sum) == 0 &&
                  passes.pass[k].sum[SLUICE_SUM_PAIR_ENERGY] != 0;
    is_int(filled, MANY, "each has its sums");
    sluice_passes_destroy(&passes);
    world_close(&w);
}

/* A device keeps the results of a fixed number of passes between two waits: one more is refused. */
static void check_limit(const struct variant *on)
{
    const struct lj_params lj = {.epsilon = 1, .sigma = 0.1, .mass = 1, .cutoff = 0.25};
    struct world w;
    struct sluice_pass pass[3];
    sluice_status status[3];
    if (on->is_cpu || !open_world(&w, on, 2))
        return;
    for (int k = 0; k < 3; k++) {
        pass[k] = pass_of(&w, &lj);
        status[k] = w.backend.ops->interact(&w.backend, &w.grid, &pass[k]);
    }
    ok(status[0] == SLUICE_OK && status[1] == SLUICE_OK && status[2] == SLUICE_BAD_INPUT,
       "%s: a third of two is refused", on->name);
    world_close(&w);
}

/* Sums that wait for the other ranks: MANY steps of MANY passes each. */
static void check_ranks(void)
{
    struct sluice_backend b = {.passes = MANY};
    struct sluice_grid grid;
    struct sluice_pass pass[MANY] = {{.name = "pass"}};
    int kept = 0, filled = 0;
    if (!ok(sluice_grid_create(&grid, &options) == SLUICE_OK &&
                sluice_domain_create(&b.domain, sluice_world(), NULL, &grid, 0) == SLUICE_OK,
            "a division among one rank"))
        return;
    for (int step = 0; step < MANY; step++) {
        for (int k = 0; k < MANY; k++) {
            pass[k].count_pairs = 1;
            pass[k].total[SLUICE_SUM_PAIRS] = exact_count(k + step);
            pass[k].sum[SLUICE_SUM_PAIRS] = -1;
            kept += sluice_settle_pass(&b, &pass[k]) == SLUICE_OK;
        }
        kept += sluice_settle(&b) == SLUICE_OK;
        for (int k = 0; k < MANY; k++)
            filled += pass[k].sum[SLUICE_SUM_PAIRS] == k + step;
    }
    is_int(kept, MANY * (MANY + 1), "ranks: all are kept");
    is_int(filled, MANY * MANY, "and filled");
    sluice_settle_destroy(&b);
    sluice_domain_destroy(&b.domain);
    sluice_grid_destroy(&grid);
}

/* An effect with passes in a stage declares them. */
static void check_effects(void)
{
    int said = 0;
    for (int e = 0; e < SLUICE_EFFECT_COUNT; e++)
        said += sluice_effects[e]->passes;
    ok(said > 5, "all effects together have %d passes", said);
}

int main(void)
{
    struct variant list[VARIANTS_MOST];
    const int n = variants_here(list);
    for (int k = 0; k < n; k++) {
        check_model(&list[k]);
        check_limit(&list[k]);
    }
    check_ranks();
    check_effects();
    return done_testing();
}
