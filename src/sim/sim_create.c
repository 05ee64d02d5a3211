#include "sim/tune.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/backends/backends.h"
#include "core/hash.h"
#include "core/processors.h"
#include "core/threads.h"
#include "domain/comm.h"
#include "model/effect.h"
#include "sim/sim_internal.h"

/* Refuses ranks that use one device, unless the config allows them. */
static sluice_status compare_devices(struct sluice_sim *sim, struct sluice_comm *world)
{
    struct sluice_backend *b = &sim->backend;
    struct {
        int host;
        char id[sizeof b->device_id];
    } mine = {.host = world->host}, *all;
    char shared[sizeof b->device_id] = "";
    size_t bytes;
    void *gathered;
    memcpy(mine.id, b->device_id, sizeof mine.id);
    SLUICE_TRY(sluice_comm_gather(world, &mine, sizeof mine, 1, &gathered, &bytes));
    all = gathered;
    int first = -1, second = -1;
    for (int r = 1; r < world->size && second < 0; r++)
        for (int q = 0; q < r && second < 0; q++)
            if (all[q].id[0] && all[q].host == all[r].host && !strcmp(all[q].id, all[r].id)) {
                first = q;
                second = r;
                memcpy(shared, all[q].id, sizeof shared);
            }
    free(gathered);
    b->shares_device = second >= 0;
    SLUICE_CHECK(!b->shares_device || sim->config->backend.share_devices, SLUICE_BAD_INPUT,
                 "backend.device: ranks %d and %d would use the same GPU, \"%s\" of backend %s; "
                 "start one rank a GPU, or add --backend cpu; --share-devices allows it, for tests",
                 first, second, shared, b->ops->name);
    return SLUICE_OK;
}

static sluice_status divide(struct sluice_sim *sim, struct sluice_comm *world)
{
    struct sluice_backend *b = &sim->backend;
    SLUICE_CHECK(
        sluice_comm_same(world, sluice_hash(SLUICE_HASH_BEGIN, b->isa, strlen(b->isa))),
        SLUICE_BAD_INPUT,
        b->ops->on_host
            ? "backend.isa: the ranks run on processors with different instruction sets, this one "
              "with %s; give the least one (`sluice info` lists them), as in --set "
              "'backend.isa=\"x86-64-v3\"'"
            : "backend.device: the ranks run on different GPUs, this one on %s; start ranks on "
              "GPUs of one kind",
        b->isa);
    SLUICE_TRY(compare_devices(sim, world));
    SLUICE_TRY(sluice_domain_create(&b->domain, world, b->team, &sim->grid,
                                    b->ops->bin_as ? SLUICE_DRIFT_MOST * sim->grid.cutoff : 0));
    return b->ops->join ? b->ops->join(b) : SLUICE_OK;
}

/* Each particle of a gas has a support of its own; in other models one serves all. */
static sluice_status check_strategy(const struct sluice_sim *sim)
{
    const int is_gas = sim->config->model == SLUICE_MODEL_GAS,
              strategy = sim->backend.orders.strategy;
    const char *name = sluice_strategies[strategy].name;
    SLUICE_CHECK(!is_gas || sluice_strategy_has(strategy, 1), SLUICE_BAD_INPUT,
                 "backend.strategy: \"%s\" needs one support for all particles, but each particle "
                 "of a gas has its own: take \"window\" or \"bucket\", or leave the choice to auto",
                 name);
    SLUICE_CHECK(is_gas || sluice_strategy_has(strategy, 0), SLUICE_BAD_INPUT,
                 "backend.strategy: \"%s\" is for a gas, in which each particle has a support of "
                 "its own: take \"window\" or leave the choice to auto",
                 name);
    return SLUICE_OK;
}

/* The host's threads for contacts of bodies, and for particles that come and go: the backend's;
 * where a device computes the rest, some of their own, unless there is little to do. */
static sluice_status create_team(struct sluice_sim *sim)
{
    enum { FEW_BODIES = 16, FEW_BIRTHS = 1000, MOST = 16 };
    const int threads = sluice_config_threads(sim->config, sluice_world()->sharing),
              few = sim->model.bodies.count < FEW_BODIES &&
                    sluice_effects_births(&sim->setup->physics) < FEW_BIRTHS;
    if (!sim->backend.team && !few)
        SLUICE_TRY(sluice_threads_create(&sim->team, threads < MOST ? threads : MOST));
    sim->model.team = sim->backend.team ? sim->backend.team : sim->team;
    return SLUICE_OK;
}

sluice_status sluice_sim_create(struct sluice_sim *sim, const struct sluice_config *config,
                                const struct sluice_case *setup, struct sluice_log *log)
{
    struct sluice_comm *world = sluice_world();
    const int passes = sluice_model_passes(&setup->physics);
    const struct sluice_backend_choice choice = {
        .name = config->backend.name,
        .strategy = config->backend.strategy,
        .isa = config->backend.isa,
        .real_bytes = config->backend.precision ? 8 : 4,
        .device = (int)config->backend.device,
        .passes = passes + setup->more_passes,
        .number = world->local,
        .threads = world->size == 1 ? (int)config->backend.threads
                                    : sluice_config_threads(config, world->sharing)};
    memset(sim, 0, sizeof *sim);
    sim->config = config;
    sim->setup = setup;
    sim->log = log;
    sim->support = 2 * setup->physics.gas.support; /* the first sums may make it wider */
    sim->matter.water = config->model == SLUICE_MODEL_WCSPH ? &setup->physics.wcsph : NULL;
    sim->matter.gas = config->model == SLUICE_MODEL_GAS ? &setup->physics.gas : NULL;
    sim->reaction_time = sluice_config_probe_of(config, SLUICE_PROBE_FORCE) ? 0 : INFINITY;
    for (int slot = 0; slot < SLUICE_IN_FLIGHT; slot++)
        SLUICE_TRY(sluice_passes_create(&sim->flight[slot].passes, passes));
    SLUICE_TRY(sluice_backend_open(&sim->backend, &choice));
    sim->changes = sluice_effects_can_change(&setup->physics);
    sim->ahead = sim->backend.ops->wait && setup->physics.body_count == 0 && !sim->changes
                     ? SLUICE_IN_FLIGHT
                     : 1;
    SLUICE_TRY(sluice_grid_create(&sim->grid, &setup->grid));
    if (world->size > 1)
        SLUICE_TRY(divide(sim, world));
    SLUICE_TRY(check_strategy(sim));
    sluice_tune_create(sim);
    SLUICE_TRY(
        sluice_model_create(&sim->model, &setup->physics, &sim->grid, sim->set, &sim->timers));
    SLUICE_TRY(create_team(sim));
    return sluice_bodies_add_contacts(&sim->model.bodies, &setup->geometry,
                                      &setup->physics.motions);
}

const struct sluice_matter *sluice_sim_matter(const struct sluice_sim *sim)
{
    return sim->matter.water || sim->matter.gas ? &sim->matter : NULL;
}

/* Arrivals from other ranks at the next sorts must fit as well. */
static int64_t capacity_for(const struct sluice_sim *sim, int t, int64_t held)
{
    return sim->backend.domain && t != SLUICE_GHOST ? sluice_domain_capacity(held) : held;
}

sluice_status sluice_sim_create_sets(struct sluice_sim *sim, const int64_t count[SLUICE_TYPE_COUNT],
                                     const int64_t held[SLUICE_TYPE_COUNT])
{
    int64_t capacity[SLUICE_TYPE_COUNT];
    struct sluice_orders *orders = &sim->backend.orders;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        struct sluice_set *set = &sim->set[t];
        if (sim->step == 0) /* a checkpoint has its own */
            orders->particles[t] = count[t];
        sim->count[t] = count[t];
        capacity[t] = capacity_for(sim, t, held[t]);
        set->type = (enum sluice_type)t;
        set->dimension = sim->config->dimension;
        set->real_bytes = sim->backend.real_bytes;
        set->moves = t == SLUICE_FLUID                ? SLUICE_FREE
                     : sim->setup->physics.walls_move ? SLUICE_DRIVEN
                                                      : SLUICE_AT_REST;
    }
    SLUICE_TRY(sluice_sim_check_memory(sim, capacity, held));
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        if (sim->setup->start[t].count == 0)
            continue;
        SLUICE_TRY(sluice_set_create(&sim->backend, &sim->set[t],
                                     sluice_case_fields(sim->setup, (enum sluice_type)t),
                                     capacity[t]));
        sim->set[t].count = held[t];
    }
    if (sim->changes)
        SLUICE_TRY(sluice_sim_check_births(sim));
    return sluice_model_place_tables(&sim->model, &sim->backend);
}

void sluice_sim_destroy(struct sluice_sim *sim)
{
    for (int t = 0; sim->backend.ops && t < SLUICE_TYPE_COUNT; t++)
        sluice_set_destroy(&sim->backend, &sim->set[t]);
    sluice_model_release_tables(&sim->model, &sim->backend);
    for (int slot = 0; slot < SLUICE_IN_FLIGHT; slot++) {
        sluice_passes_destroy(&sim->flight[slot].passes);
        free(sim->flight[slot].born.particle);
        free(sim->flight[slot].gone.particle);
        memset(&sim->flight[slot].born, 0, sizeof sim->flight[slot].born);
        memset(&sim->flight[slot].gone, 0, sizeof sim->flight[slot].gone);
    }
    sluice_threads_destroy(&sim->team);
    sluice_frame_counts_destroy(&sim->start_frames);
    sluice_domain_destroy(&sim->backend.domain);
    free(sim->tuning.replay);
    sim->tuning.replay = NULL;
    sluice_grid_destroy(&sim->grid);
    sluice_backend_close(&sim->backend);
}

void sluice_sim_sections(const struct sluice_sim *sim, double seconds[SLUICE_SECTION_COUNT])
{
    const double all = sim->timed_steps > 0 ? (double)sim->steps / (double)sim->timed_steps : 0;
    for (int s = 0; s < SLUICE_SECTION_COUNT; s++)
        seconds[s] = sim->backend.ops && sim->backend.ops->elapsed && s != SLUICE_SECTION_OUTPUT
                         ? sim->device_seconds[s] * all
                         : sim->timers.seconds[s];
}

int sluice_time_reached(double now, double time)
{
    return now >= time * (1 - 1e-14);
}

int sluice_sim_finished(const struct sluice_sim *sim)
{
    const long long most = sim->config->time.max_steps;
    return sluice_time_reached(sim->time, sim->config->time.end) || (most > 0 && sim->step >= most);
}

/* --- Threads --- */

void sluice_sim_choose_threads(struct sluice_sim *sim)
{
    const int most = sluice_threads_count(sim->backend.team);
    const int64_t particles = sim->count[SLUICE_FLUID] + sim->count[SLUICE_WALL];
    if (most == 1 || sim->backend.domain || sim->config->backend.threads > 0 ||
        sluice_processors_asked() > 0)
        return;
    sluice_thread_count_begin(&sim->thread_count, most, particles);
    sluice_threads_use(sim->backend.team, sim->thread_count.used);
}

/* The log gets a line for the first choice, and for each change. */
void sluice_sim_count_threads(struct sluice_sim *sim, double seconds)
{
    struct sluice_thread_count *c = &sim->thread_count;
    char text[SLUICE_THREAD_TEXT];
    const int ended = sluice_thread_count_step(c, seconds);
    sluice_threads_use(sim->backend.team, c->used);
    if (!ended || c->used == sim->threads_logged)
        return;
    sim->threads_logged = c->used;
    sluice_thread_count_text(c, text);
    sluice_log_line(sim->log, "threads: %s", text);
}
