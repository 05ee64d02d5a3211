/* The key of a choice in the cache of auto. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/version.h"
#include "domain/comm.h"
#include "kernels/registry.h"
#include "sim/sim.h"
#include "sim/tune.h"

/* A number on a logarithmic scale, in steps of a quarter. */
static int class_of(double x)
{
    return x > 0 ? (int)rint(log(x) / log(1.25)) : 0;
}

void sluice_tune_key(const struct sluice_sim *sim, const struct sluice_passes *passes,
                     const struct sluice_choice *cells, char key[SLUICE_CACHE_KEY])
{
    size_t used = 0;
    const char *separator = "";
    double frame[3]; /* in cutoffs */
    for (int c = 0; c < 3; c++)
        frame[c] = c < sim->grid.dimension ? sim->grid.width[c] / sim->grid.cutoff : 0;
    used += (size_t)snprintf(key, SLUICE_CACHE_KEY, "%s, %s, sluice %s %s, threads %lld, ",
                             sim->backend.ops->name, sim->backend.isa, sluice_version.version,
                             sluice_version.revision, sim->config->backend.threads);
    for (int p = 0; p < passes->count && used < SLUICE_CACHE_KEY / 2; p++) {
        const struct sluice_pass *pass = &passes->pass[p];
        used += (size_t)snprintf(key + used, SLUICE_CACHE_KEY - used, "%s%s%s", separator,
                                 sluice_pairs[pass->pair].name, pass->energy ? " E" : "");
        separator = "+";
    }
    snprintf(key + used, SLUICE_CACHE_KEY - used,
             ", %d-D, %d bytes, frames %.3g %.3g %.3g, bins %lld %lld %lld, particles %d %d, cells "
             "%d %d",
             sim->config->dimension, sim->backend.real_bytes, frame[0], frame[1], frame[2],
             sim->config->backend.bins[0], sim->config->backend.bins[1],
             sim->config->backend.bins[2], class_of((double)sim->count[SLUICE_FLUID]),
             class_of((double)sim->count[SLUICE_WALL]), class_of(cells->mean),
             class_of((double)cells->fullest));
    used = strlen(key);
    if (sluice_world()->size > 1)
        snprintf(key + used, SLUICE_CACHE_KEY - used, ", ranks %d", sluice_world()->size);
    for (char *c = key; *c; c++)
        *c = *c == '\t' || *c == '\n' ? ' ' : *c;
}
