/* The constants of the law of contact, of the materials of two solids. */
#include <math.h>

#include "contact/contact_internal.h"
#include "core/vector.h"

/* e of a linear spring and damper of damping ratio z that do not pull (Schwager & Poschel 2007):
 * the force ends when the acceleration does. */
static double restitution_of(double z)
{
    if (z < 1 - 1e-9)
        return exp(-2 * z / sqrt(1 - z * z) * acos(z));
    if (z < 1 + 1e-9)
        return exp(-2);
    return exp(-2 * z / sqrt(z * z - 1) * acosh(z));
}

double sluice_contact_solve_damping(double restitution)
{
    double low = 0, high = 10;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (restitution_of(middle) > restitution)
            low = middle;
        else
            high = middle;
    }
    return restitution < 1 ? (low + high) / 2 : 0;
}

static double damping_of(const struct sluice_contacts *c, double restitution)
{
    const double least = SLUICE_CONTACT_LEAST_RESTITUTION_PERCENT / 100.0,
                 e = fmin(1, fmax(least, restitution)),
                 place = (e - least) / (1 - least) * SLUICE_CONTACT_DAMPINGS;
    const int i = place < SLUICE_CONTACT_DAMPINGS ? (int)place : SLUICE_CONTACT_DAMPINGS - 1;
    return c->damping[i] + (place - i) * (c->damping[i + 1] - c->damping[i]);
}

static const struct sluice_contact_material *material_of(const struct sluice_contacts *c, int other)
{
    return other >= 0 ? &c->solid[other].material : &c->material;
}

double sluice_contact_stiffness(const struct sluice_contacts *c, int a, int b)
{
    const struct sluice_contact_material *p = material_of(c, a), *q = material_of(c, b);
    const double soft = (1 - p->poisson * p->poisson) / p->young +
                        (1 - q->poisson * q->poisson) / q->young,
                 point = 4 / (3 * soft) * sqrt(c->spacing / 2);
    return point / (b >= 0 ? 2 : 1) / (c->dimension == 2 ? c->spacing : 1);
}

double sluice_contact_damping(const struct sluice_contacts *c, int a, int b, double most)
{
    const double e = (material_of(c, a)->restitution + material_of(c, b)->restitution) / 2;
    return damping_of(c, fmin(e, most));
}

double sluice_contact_friction(const struct sluice_contacts *c, int a, int b)
{
    return (material_of(c, a)->friction + material_of(c, b)->friction) / 2;
}

double sluice_contact_energy(const struct sluice_contacts *c, const struct sluice_contact_memory *m)
{
    const int a = m->owner >= 0 ? m->owner : m->other, b = m->owner >= 0 ? m->other : m->owner;
    return SLUICE_CONTACT_TANGENTIAL * sluice_contact_stiffness(c, a, b) *
           sluice_contact_weight(c, m->owner, m->point) * sqrt(m->largest) *
           sluice_dot(m->stretch, m->stretch) / 2;
}
