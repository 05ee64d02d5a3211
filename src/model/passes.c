/* The common part of every model's passes: queueing them, adding up their sums, body forces. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "kernels/registry.h"
#include "model/model.h"

sluice_status sluice_passes_create(struct sluice_passes *passes, int most)
{
    *passes = (struct sluice_passes){.most = most};
    SLUICE_ALLOCATE(passes->pass, most, "passes of a step");
    return SLUICE_OK;
}

void sluice_passes_destroy(struct sluice_passes *passes)
{
    free(passes->pass);
    *passes = (struct sluice_passes){0};
}

unsigned sluice_model_sums(const struct sluice_model *m, int energies)
{
    unsigned counts = 0;
    for (int k = 0; k < SLUICE_SUM_COUNT; k++)
        counts |= (unsigned)sluice_sum_counts(k) << k;
    return !m->energy ? counts
           : energies ? SLUICE_ALL_SUMS
                      : SLUICE_ALL_SUMS & ~SLUICE_INSTANT_SUMS;
}

sluice_status sluice_passes_interact(struct sluice_passes *passes, struct sluice_model *m,
                                     struct sluice_backend *b, const struct sluice_grid *g,
                                     struct sluice_pass pass)
{
    SLUICE_CHECK(passes->count < passes->most, SLUICE_DEVICE,
                 "internal: pass '%s' is one more than the %d that the model and its effects say",
                 pass.name, passes->most);
    struct sluice_pass *kept = &passes->pass[passes->count++];
    *kept = pass;
    kept->params = pass.params ? pass.params : &m->physics->wcsph;
    kept->scales = m->physics->scales;
    kept->sums = m->sums & sluice_pairs[pass.pair].sums;
    kept->count_pairs = passes->count_pairs;
    return b->ops->interact(b, g, kept);
}

void sluice_model_collect(struct sluice_model *m, const struct sluice_passes *passes)
{
    memcpy(m->sum, m->beside, sizeof m->sum);
    m->out_of_range = 0;
    for (int p = 0; p < passes->count; p++) {
        m->out_of_range += passes->pass[p].out_of_range;
        for (int s = 0; s < SLUICE_SUM_COUNT; s++)
            m->sum[s] += passes->pass[p].sum[s];
    }
    if (m->bodies.count == 0)
        return;
    /* The work of bodies on the fluid is minus that of the fluid on them. If nothing else moves,
     * the rest is rounding. */
    m->sum[SLUICE_SUM_BODY] += m->bodies.fluid_power + m->bodies.driven;
    if (m->physics->config->motion_count == 0)
        m->sum[SLUICE_SUM_IDENTITY] += m->sum[SLUICE_SUM_BODY];
}

struct body_force_params sluice_model_body_forces(const struct sluice_model *m)
{
    struct body_force_params params = {.central_count = m->central_count, .central = m->central};
    sluice_motions_pull(&m->physics->motions, m->time, params.gravity);
    return params;
}
