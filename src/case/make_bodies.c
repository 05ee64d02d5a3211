/* The bodies of a case: their masses, centres and inertia, from the keys and the shapes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/bodies.h"
#include "bodies/mass.h"
#include "bodies/surface.h"
#include "case/builder.h"
#include "core/allocate.h"
#include "core/vector.h"

/* The shapes of a body, as a list that the caller frees. */
static sluice_status list_shapes(const struct sluice_config *config, int number, int **list,
                                 int *count)
{
    *count = 0;
    SLUICE_ALLOCATE(*list, config->shape_count, "shapes of a body");
    for (int s = 0; s < config->shape_count; s++)
        if (config->shapes[s].body == number + 1)
            (*list)[(*count)++] = s;
    return SLUICE_OK;
}

/* The entry's locks. In 2-D also z, rx and ry. */
static unsigned locks_of(const struct sluice_config *config, const struct sluice_body *entry)
{
    return entry->locks | (config->dimension == 2 ? 4u | 8u | 16u : 0);
}

/* The farthest corner of the shapes' boxes from the centre, m. */
static double reach_of(const struct sluice_geometry *g, const int *list, int count,
                       const double centre[3])
{
    double most = 0;
    for (int k = 0; k < count; k++) {
        const struct sluice_solid *solid = &g->solid[list[k]];
        double away2 = 0;
        for (int a = 0; a < g->dimension; a++)
            away2 += pow(fmax(fabs(solid->low[a] - centre[a]), fabs(solid->high[a] - centre[a])),
                         2);
        most = fmax(most, sqrt(away2));
    }
    return most;
}

/* The tensor of the keys. In 2-D the moments about x and y do not count. */
static void given_inertia(const struct sluice_body *e, int dimension, double inertia[3][3])
{
    memset(inertia, 0, 9 * sizeof **inertia);
    for (int c = 0; c < 3; c++)
        inertia[c][c] = e->inertia[dimension == 2 ? 0 : c];
    if (dimension == 2 || isinf(e->products[0]))
        return;
    inertia[0][1] = inertia[1][0] = e->products[0];
    inertia[0][2] = inertia[2][0] = e->products[1];
    inertia[1][2] = inertia[2][1] = e->products[2];
}

static sluice_status set_mass(struct sluice_case_builder *b, struct sluice_rigid_body *body,
                              const int *list, int count)
{
    const struct sluice_body *e = body->entry;
    const int dimension = b->config->dimension;
    struct sluice_body_mass even; /* of even density */
    SLUICE_TRY(sluice_body_mass(&b->c->geometry, list, count, &even));
    body->volume = even.volume;
    SLUICE_TRY(
        sluice_body_asked_volume(&b->c->geometry, list, count, even.volume, &body->asked_volume));
    body->mass = e->mass > 0 ? e->mass : e->density * even.volume;
    memcpy(body->centre, e->has_centre ? e->centre : even.centre, sizeof body->centre);
    if (e->has_inertia)
        given_inertia(e, dimension, body->inertia);
    else {
        const double density = body->mass / even.volume,
                     arm[3] = {body->centre[0] - even.centre[0], body->centre[1] - even.centre[1],
                               body->centre[2] - even.centre[2]};
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                body->inertia[i][k] = density * even.inertia[i][k] +
                                      body->mass *
                                          ((i == k ? sluice_dot(arm, arm) : 0) - arm[i] * arm[k]);
    }
    if (dimension == 2) /* nothing turns about x and y */
        body->inertia[0][0] = body->inertia[1][1] = body->inertia[2][2];
    body->reach = reach_of(&b->c->geometry, list, count, body->centre);
    return SLUICE_OK;
}

/* --- Bodies --- */

static sluice_status make_body(struct sluice_case_builder *b, int number)
{
    struct sluice_rigid_body *body = &b->c->physics.bodies[number];
    int *list, count;
    SLUICE_TRY(list_shapes(b->config, number, &list, &count));
    const struct sluice_shape *first = &b->config->shapes[list[0]];
    body->entry = &b->config->bodies[sluice_config_body_entry(b->config, list[0])];
    body->locks = locks_of(b->config, body->entry);
    memcpy(body->name, first->motion, sizeof body->name);
    body->shape = list;
    body->shapes = count;
    for (int k = 0; k < count; k++)
        if (b->config->shapes[list[k]].kind == SLUICE_SHAPE_MESH)
            sluice_waiting_report(&b->waiting, "bodies: the mass of '%.30s'", body->name);
    sluice_status status = set_mass(b, body, list, count);
    if (status == SLUICE_OK)
        status = sluice_body_surface_create(&body->surface, &b->c->geometry, list, count, 1);
    sluice_waiting_end(&b->waiting);
    SLUICE_TRY(status);
    SLUICE_TRY(sluice_case_check_body_centre(b, body));
    return sluice_case_start_body(b, body);
}

sluice_status sluice_case_make_bodies(struct sluice_case_builder *b)
{
    const int count = b->config->rigid_count;
    b->c->contact.body = -1;
    if (count == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(b->c->physics.bodies, count, "bodies");
    b->c->physics.body_count = count;
    if (b->config->particles[0])
        SLUICE_TRY(sluice_case_read_file(b));
    for (int i = 0; i < count; i++)
        SLUICE_TRY(make_body(b, i));
    return sluice_case_check_body_contacts(b);
}

void sluice_case_destroy_bodies(struct sluice_case *c)
{
    for (int i = 0; c->physics.bodies && i < c->physics.body_count; i++) {
        free(c->physics.bodies[i].shape);
        sluice_body_surface_destroy(&c->physics.bodies[i].surface);
    }
    free(c->physics.bodies);
    c->physics.bodies = NULL;
    c->physics.body_count = 0;
}
