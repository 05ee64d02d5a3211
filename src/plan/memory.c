/* The memory of a planned rank. */
#include <math.h>
#include <string.h>

#include "particles/columns.h"
#include "plan/plan.h"

/* Sets have room for what may come at the next sorts; on the host also two marks a particle. */
static const double room = 1.125, message_room = 1.25;
enum { MARKS = 2, INDEX_BYTES = 4, FRAME_BYTES = 12 + 27 * 4 };

/* A device has three lists for each rank, with room for all particles at the border. */
enum { LISTS_A_RANK = 3 };

/* Of a set of so many particles, its search table with it. */
static double set_bytes(const struct sluice_plan *plan, const struct sluice_sim *sim,
                        enum sluice_type type, double particles)
{
    const struct sluice_backend *b = &sim->backend;
    struct sluice_set set = sim->set[type];
    const double with_room = type == SLUICE_GHOST ? particles : room * particles;
    if (set.whole == 0 || particles == 0)
        return 0;
    set.bins = NULL;
    sluice_set_plan(b, &set, set.fields, (int64_t)with_room);
    const double table = b->ops->needs ? (double)b->ops->needs(b, &sim->grid, &set, NULL)
                                       : (double)sim->set[type].bins_bytes * particles /
                                             (plan->scale[type] * (double)set.whole);
    return SLUICE_COLUMN_BYTES * (double)set.columns * (double)set.capacity + table;
}

/* Of a device. border: particles that other ranks have, too. */
static double list_room(const struct sluice_plan *plan, double border)
{
    return plan->ranks > 1
               ? LISTS_A_RANK * INDEX_BYTES * (double)plan->ranks * message_room * border
               : 0;
}

static struct sluice_plan_memory memory_of(const struct sluice_plan *plan,
                                           const struct sluice_sim *sim,
                                           const struct sluice_plan_rank *rank)
{
    double sets = 0, messages = 0, lists = 0;
    for (int t = 0; t < SLUICE_TYPE_COUNT; t++) {
        const double held = rank->own[t] + rank->copies[t], sends = rank->sends[t];
        sets += set_bytes(plan, sim, (enum sluice_type)t, held);
        lists += sim->backend.ops->on_host
                     ? INDEX_BYTES * (rank->copies[t] + sends) + MARKS * room * held
                     : list_room(plan, rank->copies[t] + sends);
        messages = fmax(messages, message_room *
                                      (plan->traffic.at_sort[t] + plan->traffic.after_pass[t]) *
                                      (rank->copies[t] + sends));
    }
    const double frames = FRAME_BYTES * plan->frames, device = sets + messages + lists + frames;
    return sim->backend.ops->on_host ? (struct sluice_plan_memory){.host = device}
                                     : (struct sluice_plan_memory){frames, device};
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
