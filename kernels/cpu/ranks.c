/* The CPU backend as one of several ranks (src/domain): all its memory is the host's, so particles
 * travel from and to the arrays of a set. */
#include "core/allocate.h"
#include "core/timer.h"
#include "domain/pack.h"
#include "kernels/cpu/sort.h"

/* --- Before the sort --- */

static sluice_status grow(void *data, struct sluice_set *set, int64_t count)
{
    /* After new cuts a rank may need far less memory than it has. */
    const int fits = count + 64 <= set->capacity, wastes = 2 * count + 4096 < set->capacity;
    if (fits && !(wastes && set->type != SLUICE_GHOST))
        return SLUICE_OK;
    SLUICE_TRY(sluice_set_check(set, count));
    return sluice_set_resize(data, set, sluice_domain_capacity(count));
}

static sluice_status share(struct sluice_backend *b, const struct sluice_grid *g,
                           struct sluice_set *set)
{
    struct cpu_backend *cpu = b->data;
    SLUICE_TRY(cpu_scratch_reserve(&cpu->sort, (size_t)(set->count + 1) * sizeof(uint32_t)));
    if (set->count > 0)
        cpu->variant->locate(cpu->team, g, set, cpu->sort.memory);
    return sluice_domain_share(b->domain, g, set, cpu->sort.memory, grow, b);
}

static sluice_status take_samples(void *data, const struct sluice_grid *g,
                                  const struct sluice_set *set, int64_t every, int64_t n,
                                  double (*x)[3])
{
    (void)data;
    for (int64_t k = 0; k < n; k++)
        sluice_domain_place(g, set, every * k, x[k]);
    return SLUICE_OK;
}

static double worked(const struct sluice_backend *b)
{
    return sluice_processor_seconds() - b->domain->comm->idle;
}

void cpu_clock_begins(struct sluice_backend *b)
{
    struct cpu_backend *cpu = b->data;
    cpu->begun = worked(b);
}

void cpu_clock_ends(struct sluice_backend *b)
{
    struct cpu_backend *cpu = b->data;
    const double now = worked(b);
    cpu->seconds += (now - cpu->begun) / sluice_threads_used(cpu->team);
    cpu->begun = now; /* each set has a reduction */
}

/* Makes the cuts, the first time or when the work of some ranks takes longer than others'. */
static sluice_status divide(struct sluice_backend *b, const struct sluice_grid *g,
                            struct sluice_set *const *sets, int n)
{
    struct cpu_backend *cpu = b->data;
    const int64_t check_at = b->domain->check_at;
    SLUICE_TRY(sluice_domain_divide(b->domain, g, sets, n, (int64_t)(1e9 * cpu->seconds),
                                    take_samples, NULL));
    if (b->domain->check_at != check_at)
        cpu->seconds = 0;
    return SLUICE_OK;
}

sluice_status cpu_share(struct sluice_backend *b, const struct sluice_grid *g,
                        struct sluice_set *const *sets, int n)
{
    cpu_clock_begins(b);
    SLUICE_TRY(divide(b, g, sets, n));
    SLUICE_TRY(sluice_domain_find_inner(b->domain, g));
    for (int s = 0; s < n; s++) {
        struct sluice_set *set = sets[s];
        if (!set->moves && !b->domain->moved && b->domain->set[set->type].divided)
            continue;
        SLUICE_TRY(share(b, g, set));
        if (!set->moves) /* to be sorted again */
            cpu_bins_destroy(&set->bins);
    }
    return SLUICE_OK;
}

sluice_status cpu_add_frames(struct sluice_domain *d, const struct sluice_grid *g,
                             const struct bin_job *job, int n, uint8_t *used)
{
    const int64_t frames = g->frame_count;
    int64_t *count;
    SLUICE_ALLOCATE(count, (n + 1) * frames, "counts of frames");
    for (int64_t slot = 0; slot < frames; slot++)
        count[slot] = used[slot];
    for (int s = 0; s < n; s++)
        for (int64_t slot = 0; job[s].sorts && slot < frames; slot++)
            count[(s + 1) * frames + slot] = job[s].set->bins->frame[slot].global;
    const sluice_status status = d->comm->ops->sum(d->comm, count, (n + 1) * frames);
    for (int64_t slot = 0; slot < frames; slot++)
        used[slot] = count[slot] > 0;
    for (int s = 0; s < n; s++)
        for (int64_t slot = 0; job[s].sorts && slot < frames; slot++)
            job[s].set->bins->frame[slot].global = (uint32_t)count[(s + 1) * frames + slot];
    free(count);
    return status;
}

/* --- Before and after a pass --- */

static sluice_status refresh(struct sluice_backend *b, const struct sluice_grid *g,
                             const struct sluice_set *set, sluice_fields fields)
{
    return fields & set->fields ? sluice_domain_refresh(b->domain, g, set, fields & set->fields)
                                : SLUICE_OK;
}

sluice_status cpu_refresh_sources(struct sluice_backend *b, const struct sluice_grid *g,
                                  const struct sluice_pass *pass)
{
    for (int s = 0; s < SLUICE_PASS_SOURCES; s++)
        if (pass->source[s])
            SLUICE_TRY(refresh(b, g, pass->source[s],
                               sluice_pairs[pass->pair].reads & SLUICE_LATE_FIELDS));
    return SLUICE_OK;
}

sluice_status cpu_refresh(struct sluice_backend *b, const struct sluice_grid *g,
                          const struct sluice_pass *pass)
{
    return refresh(b, g, pass->target, sluice_pass_refreshes(pass, 1));
}
