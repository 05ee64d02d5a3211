/* The energy that the residual of the budget is judged by (docs/theory.md, "The energy budget"). */
#include <math.h>

#include "case/builder.h"
#include "core/vector.h"

/* The extent along gravity of a body's shapes and the fluid together, m. */
static double common_depth(const struct sluice_case_builder *b,
                           const struct sluice_rigid_body *body)
{
    const struct sluice_initial_frame *f = &b->frame;
    double top = f->top, bottom = f->top - b->c->fluid_depth;
    for (int k = 0; k < body->shapes; k++) {
        const struct sluice_solid *solid = &b->c->geometry.solid[body->shape[k]];
        double high = 0, low = 0;
        for (int a = 0; a < b->config->dimension; a++) {
            const double up = -f->pull[a] / f->gravity, one = up * solid->low[a],
                         other = up * solid->high[a];
            high += fmax(one, other);
            low += fmin(one, other);
        }
        top = fmax(top, high);
        bottom = fmin(bottom, low);
    }
    return top - bottom;
}

/* Its weight times that extent, and its kinetic energy at the start or its release, J. Gravity does
 * no work along locked axes. */
static double energy_of(const struct sluice_case_builder *b, const struct sluice_rigid_body *body)
{
    const double *v = body->entry->velocity, *spin = body->entry->spin;
    const int flat = b->config->dimension == 2;
    double pull[3], kinetic = body->mass * sluice_dot(v, v);
    for (int a = 0; a < 3; a++)
        pull[a] = body->locks & 1u << a ? 0 : b->frame.pull[a];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3 && !flat; k++)
            kinetic += spin[i] * body->inertia[i][k] * spin[k];
    kinetic += flat ? body->inertia[2][2] * spin[0] * spin[0] : 0;
    return body->mass * sluice_norm(pull) * common_depth(b, body) + 0.5 * kinetic;
}

double sluice_case_reference_energy(const struct sluice_case_builder *b)
{
    const struct sluice_config *config = b->config;
    double energy = b->start_mass * b->frame.gravity * b->c->fluid_depth;
    if (config->energy.reference > 0)
        return config->energy.reference;
    if (config->model == SLUICE_MODEL_GAS || !(b->frame.gravity > 0))
        return 0;
    for (int i = 0; i < b->c->physics.body_count; i++)
        energy += energy_of(b, &b->c->physics.bodies[i]);
    return energy;
}
