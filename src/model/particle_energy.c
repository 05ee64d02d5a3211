/* What a particle that comes or goes brings or takes along. */
#include <string.h>

#include "kernels/registry.h"
#include "kernels/types/potential.h"
#include "model/model.h"

/* It comes or goes between the two halves of a step's kick, at its place after the drift. Pairs act
 * on it in one half, which the powers have. Gravity and central forces have a potential, which
 * counts at that place, so their part of the other half is added here. */
double sluice_model_energy_of(const struct sluice_model *m, const struct sluice_grid *g, double dt,
                              const struct sluice_listed_particle *p, double momentum[3])
{
    const struct sluice_config *config = m->physics->config;
    struct sluice_place origin;
    double a[3] = {0, 0, 0}, d[3] = {0, 0, 0}, x[3] = {0, 0, 0}, v2 = 0;
    sluice_grid_place(g, g->low, &origin);
    for (int c = 0; c < g->dimension; c++) {
        x[c] = (double)(p->place.frame[c] - origin.frame[c]) * g->width[c] + p->place.offset[c] -
               origin.offset[c];
        a[c] = g->periodic[c] ? 0 : config->gravity[c];
    }
    double phi = gravity_potential(g->dimension, a, x);
    for (int n = 0; n < m->central_count; n++) {
        const struct sluice_place *centre = &m->central[n].centre;
        const double strength = m->central[n].strength;
        for (int c = 0; c < g->dimension; c++) {
            d[c] = (double)(p->place.frame[c] - centre->frame[c]) * g->width[c] +
                   (p->place.offset[c] - centre->offset[c]);
            a[c] -= strength * strength * d[c];
        }
        phi += central_potential(g->dimension, strength, d);
    }
    memset(momentum, 0, 3 * sizeof *momentum);
    for (int c = 0; c < g->dimension; c++) {
        const double v = p->velocity[c] + dt / 2 * a[c];
        momentum[c] = p->mass * v;
        v2 += v * v;
    }
    const double elastic = config->model == SLUICE_MODEL_GAS ? p->scalar
                           : config->model == SLUICE_MODEL_WCSPH
                               ? sluice_wcsph_elastic_energy(wcsph_of(&m->physics->wcsph, p->phase),
                                                             p->scalar)
                               : 0;
    return p->mass * (0.5 * v2 + elastic + phi);
}
