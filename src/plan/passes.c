/* The fields that ranks send in a step. The model queues its passes on a backend that computes
 * nothing, so the list of passes is the model's own. */
#include "domain/pack.h"
#include "kernels/registry.h"
#include "plan/plan.h"

static sluice_status skip_pass(struct sluice_backend *b, const struct sluice_grid *g,
                               struct sluice_pass *pass)
{
    (void)b, (void)g, (void)pass;
    return SLUICE_OK;
}

static sluice_status skip_point(struct sluice_backend *b, const struct sluice_grid *g,
                                const struct sluice_point *point)
{
    (void)b, (void)g, (void)point;
    return SLUICE_OK;
}

static sluice_status skip_sums(struct sluice_backend *b, const struct sluice_grid *g,
                               struct sluice_label_sums *s)
{
    (void)b, (void)g, (void)s;
    return SLUICE_OK;
}

static sluice_status skip_upload(struct sluice_backend *b, void *to, const void *from, size_t bytes)
{
    (void)b, (void)to, (void)from, (void)bytes;
    return SLUICE_OK;
}

static const struct sluice_backend_ops no_work = {.name = "none",
                                                  .interact = skip_pass,
                                                  .pointwise = skip_point,
                                                  .sum_labels = skip_sums,
                                                  .upload = skip_upload};

static void add_pass(struct sluice_plan_traffic *traffic, const struct sluice_pass *pass,
                     int on_device)
{
    const double bytes = (double)sluice_pack_bytes(pass->target,
                                                   sluice_pass_refreshes(pass, !on_device));
    traffic->after_pass[pass->target->type] += bytes;
    traffic->passes += bytes > 0;
}

static void plan_sets(const struct sluice_sim *sim, struct sluice_backend *none,
                      struct sluice_set set[SLUICE_TYPE_COUNT])
{
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        set[t] = (struct sluice_set){.type = (enum sluice_type)t,
                                     .dimension = sim->config->dimension,
                                     .real_bytes = sim->backend.real_bytes,
                                     .moves = t == SLUICE_FLUID                ? SLUICE_FREE
                                              : sim->setup->physics.walls_move ? SLUICE_DRIVEN
                                                                               : SLUICE_AT_REST};
        if (sim->setup->start[t].count > 0)
            sluice_set_plan(none, &set[t], sluice_case_fields(sim->setup, (enum sluice_type)t),
                            sim->setup->start[t].count);
    }
}

sluice_status sluice_plan_find_traffic(struct sluice_plan_traffic *traffic,
                                       const struct sluice_sim *sim,
                                       const struct sluice_machine *machine)
{
    struct sluice_backend none = {.ops = &no_work, .real_bytes = sim->backend.real_bytes};
    struct sluice_set set[SLUICE_TYPE_COUNT];
    struct sluice_timers timers = {0};
    struct sluice_model model;
    struct sluice_passes passes;
    *traffic = (struct sluice_plan_traffic){0};
    plan_sets(sim, &none, set);
    SLUICE_TRY(sluice_passes_create(&passes, sluice_model_passes(&sim->setup->physics)));
    sluice_status status = sluice_model_create(&model, &sim->setup->physics, &sim->grid, set,
                                               &timers);
    if (status == SLUICE_OK) {
        sluice_bodies_advance(&model.bodies, 0, 0, 0, 0, NULL);
        status = model.ops->forces(&model, &none, &sim->grid, &passes);
    }
    sluice_bodies_destroy(&model.bodies);
    for (int p = 0; p < passes.count && status == SLUICE_OK; p++)
        add_pass(traffic, &passes.pass[p], machine->on_device);
    sluice_passes_destroy(&passes);
    SLUICE_TRY(status);
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        traffic->state[t] = (double)sluice_pack_bytes(&set[t], sluice_pack_state(&set[t]));
        if (sluice_set_exists(&set[t]) && set[t].moves != SLUICE_AT_REST && t != SLUICE_GHOST) {
            traffic->at_sort[t] = traffic->state[t];
            traffic->sorts++;
        }
    }
    return SLUICE_OK;
}
