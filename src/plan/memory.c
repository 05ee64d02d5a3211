/* The memory of a planned rank. */
#include <math.h>

#include "domain/domain.h"
#include "particles/columns.h"
#include "plan/plan.h"

/* On the host: messages are allocated larger than needed, and sets have two marks a particle. */
static const double message_reserve = 1.25;
enum { MARKS = 2, INDEX_BYTES = 4, FRAME_BYTES = 12 + 27 * 4 };

static double capacity_for(const struct sluice_plan *plan, enum sluice_type type, double particles)
{
    return type == SLUICE_GHOST || plan->ranks == 1
               ? particles
               : (double)sluice_domain_capacity((int64_t)particles);
}

/* Bytes of a set with its search table; on a device also of its lists for other ranks. */
static double set_bytes(const struct sluice_plan *plan, const struct sluice_sim *sim,
                        enum sluice_type type, const struct sluice_plan_rank *rank)
{
    const struct sluice_backend *b = &sim->backend;
    const double particles = rank->own[type] + rank->halo[type];
    const struct sluice_halo halo = {plan->ranks, (int64_t)rank->halo[type],
                                     (int64_t)rank->sends[type]};
    struct sluice_set set = sim->set[type];
    if (!sluice_set_exists(&set) || particles == 0)
        return 0;
    const double table = (double)set.bins_bytes * particles / (double)sim->count[type];
    set.bins = NULL;
    sluice_set_plan(b, &set, set.fields, (int64_t)capacity_for(plan, type, particles));
    set.count = (int64_t)particles;
    const int64_t shared = b->ops->needs && plan->ranks > 1
                               ? b->ops->needs(b, &sim->grid, &set, NULL, &halo) -
                                     b->ops->needs(b, &sim->grid, &set, NULL, NULL)
                               : 0;
    return SLUICE_COLUMN_BYTES * (double)set.columns * (double)set.capacity + table +
           (double)shared;
}

/* On the host. */
static double shared_bytes(const struct sluice_plan *plan, const struct sluice_plan_rank *rank)
{
    double messages = 0, lists = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const double shared = rank->halo[t] + rank->sends[t];
        lists += INDEX_BYTES * shared +
                 MARKS * capacity_for(plan, (enum sluice_type)t, rank->own[t] + rank->halo[t]);
        messages = fmax(messages, message_reserve * shared *
                                      (plan->traffic.at_sort[t] + plan->traffic.after_pass[t]));
    }
    return messages + lists;
}

static struct sluice_plan_memory memory_of(const struct sluice_plan *plan,
                                           const struct sluice_sim *sim,
                                           const struct sluice_plan_rank *rank)
{
    const double frames = FRAME_BYTES * plan->frames;
    double sets = frames;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++)
        sets += set_bytes(plan, sim, (enum sluice_type)t, rank);
    return sim->backend.ops->on_host
               ? (struct sluice_plan_memory){.host = sets + shared_bytes(plan, rank)}
               : (struct sluice_plan_memory){frames, sets};
}

struct sluice_plan_memory sluice_plan_memory(const struct sluice_plan *plan,
                                             const struct sluice_sim *sim)
{
    struct sluice_plan_memory most = {0, 0};
    for (int r = 0; r < plan->ranks; r++) {
        const struct sluice_plan_memory m = memory_of(plan, sim, &plan->rank[r]);
        most.host = fmax(most.host, m.host);
        most.device = fmax(most.device, m.device);
    }
    return most;
}
