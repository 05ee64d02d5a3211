/* Bodies and their contacts (contact/contact.h): their start, and the forces of a step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/bodies.h"
#include "contact/contact.h"
#include "core/allocate.h"

/* The step follows from the speed of an impact: at least that of a fall by this part of dp. */
#define LEAST_FALL 0.01

static struct sluice_contact_material material_of(const struct sluice_material *m)
{
    return (struct sluice_contact_material){m->stiffness, m->poisson, m->restitution, m->friction};
}

sluice_status sluice_bodies_contacts(const struct sluice_config *config,
                                     const struct sluice_rigid_body *body, int count,
                                     const struct sluice_geometry *g,
                                     const struct sluice_motions *motions,
                                     struct sluice_contacts **contacts)
{
    struct sluice_contact_body *list;
    SLUICE_ALLOCATE(list, count, "bodies");
    for (int i = 0; i < count; i++) {
        list[i] = (struct sluice_contact_body){.shape = body[i].shape,
                                               .shapes = body[i].shapes,
                                               .point = (const double(*)[3])body[i].surface.contact,
                                               .points = body[i].surface.contacts,
                                               .mass = body[i].mass,
                                               .locks = body[i].locks,
                                               .release = body[i].entry->release,
                                               .material = material_of(&body[i].entry->material)};
        memcpy(list[i].centre, body[i].centre, sizeof list[i].centre);
        memcpy(list[i].inertia, body[i].inertia, sizeof list[i].inertia);
    }
    const struct sluice_contact_setup setup = {.geometry = g,
                                               .motions = motions,
                                               .body = list,
                                               .count = count,
                                               .walls = material_of(&config->contact.material)};
    const sluice_status status = sluice_contacts_create(contacts, &setup);
    free(list);
    return status;
}

sluice_status sluice_bodies_add_contacts(struct sluice_bodies *b, const struct sluice_geometry *g,
                                         const struct sluice_motions *motions)
{
    if (b->count == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_bodies_contacts(b->config, b->body, b->count, g, motions, &b->contacts));
    SLUICE_ALLOCATE(b->moved, b->count, "bodies");
    return SLUICE_OK;
}

sluice_status sluice_bodies_touch(struct sluice_bodies *b, double time, double dt,
                                  struct sluice_threads *team)
{
    struct sluice_contact_result r;
    if (!b->contacts)
        return SLUICE_OK;
    SLUICE_TRY(sluice_contacts_find(b->contacts, b->pose, time, dt, team, &r));
    for (int i = 0; i < b->count; i++)
        for (int c = 0; c < 3; c++) {
            b->now[i].wrench[SLUICE_BY_CONTACT][c] = r.force[i][c];
            b->now[i].wrench[SLUICE_BY_CONTACT][3 + c] = r.torque[i][c];
        }
    b->elastic += r.elastic;
    b->dissipated += r.dissipated;
    b->shed = r.shed;
    b->driven = r.driven;
    if (r.deepest.depth > b->deepest.depth)
        b->deepest = r.deepest;
    return SLUICE_OK;
}

double sluice_bodies_contact_step(const struct sluice_bodies *b, int *body, int *other)
{
    double g2 = 0, rate[3];
    *body = *other = -1;
    if (!b->contacts)
        return INFINITY;
    for (int i = 0; i < b->count; i++) {
        b->moved[i] = b->pose[i];
        memcpy(b->moved[i].velocity, b->state[i].v, sizeof b->state[i].v);
        sluice_body_spin(b, i, b->moved[i].spin, rate);
    }
    for (int c = 0; c < b->config->dimension; c++)
        g2 += b->config->gravity[c] * b->config->gravity[c];
    return sluice_contacts_step(b->contacts, b->moved,
                                sqrt(2 * sqrt(g2) * LEAST_FALL * b->config->spacing), body, other);
}

double sluice_bodies_longest_step(const struct sluice_bodies *b)
{
    int one, other;
    return fmin(b->moorings.count ? b->moorings.longest_step : INFINITY,
                sluice_bodies_contact_step(b, &one, &other));
}

void sluice_bodies_note_step(struct sluice_bodies *b, double dt)
{
    const double longest = b->count ? sluice_bodies_longest_step(b) : INFINITY;
    if (dt <= longest)
        return;
    b->least_step = b->too_long++ ? fmin(b->least_step, longest) : longest;
}
