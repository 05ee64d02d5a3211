/* What a particle that comes or goes brings or takes along. */
#include <string.h>

#include "kernels/registry.h"
#include "kernels/types/potential.h"
#include "model/model.h"

struct sluice_energy_terms sluice_model_energy_terms(const struct sluice_model *m,
                                                     const struct sluice_grid *g, double dt)
{
    struct sluice_energy_terms c = {.model = m, .dimension = g->dimension, .dt = dt};
    sluice_grid_place(g, g->low, &c.origin);
    for (int a = 0; a < g->dimension; a++) {
        c.width[a] = g->width[a];
        c.gravity[a] = g->periodic[a] ? 0 : m->physics->config->gravity[a];
    }
    return c;
}

/* Of one place from another, m. */
static void displacement(const struct sluice_energy_terms *c, const struct sluice_place *from,
                         const struct sluice_place *to, double d[3])
{
    for (int a = 0; a < 3; a++)
        d[a] = a < c->dimension ? (double)(to->frame[a] - from->frame[a]) * c->width[a] +
                                      (to->offset[a] - from->offset[a])
                                : 0;
}

/* It comes or goes between the two halves of a step's kick, at its place after the drift. Pairs act
 * on it in one half, which the powers have. Gravity and central forces have a potential, which
 * counts at that place, so their part of the other half is added here. */
double sluice_model_energy_of(const struct sluice_energy_terms *c,
                              const struct sluice_listed_particle *p, double momentum[3])
{
    const struct sluice_model *m = c->model;
    const struct sluice_config *config = m->physics->config;
    double a[3], d[3], v2 = 0;
    memcpy(a, c->gravity, sizeof a);
    displacement(c, &c->origin, &p->place, d);
    double phi = gravity_potential(c->dimension, a, d);
    for (int n = 0; n < m->central_count; n++) {
        const double strength = m->central[n].strength;
        displacement(c, &m->central[n].centre, &p->place, d);
        for (int k = 0; k < c->dimension; k++)
            a[k] -= strength * strength * d[k];
        phi += central_potential(c->dimension, strength, d);
    }
    for (int k = 0; k < 3; k++) {
        const double v = k < c->dimension ? p->velocity[k] + c->dt / 2 * a[k] : 0;
        momentum[k] = p->mass * v;
        v2 += v * v;
    }
    const double elastic = config->model == SLUICE_MODEL_GAS ? p->scalar
                           : config->model == SLUICE_MODEL_WCSPH
                               ? sluice_wcsph_elastic_energy(wcsph_of(&m->physics->wcsph, p->phase),
                                                             p->scalar)
                               : 0;
    return p->mass * (0.5 * v2 + elastic + phi);
}
