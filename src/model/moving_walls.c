/* Walls with prescribed motions, and bodies: where they are at the end of each step, for the
 * operation that places their particles (kernels/pointwise/rigid_motion.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "kernels/types/rigid_motion_params.h"
#include "kernels/registry.h"
#include "model/model.h"

static sluice_status rigid_at(const struct sluice_model *m, const struct sluice_grid *g, int i,
                              struct sluice_rigid *body)
{
    const struct sluice_motion *motion = &m->physics->config->motions[i];
    struct sluice_displacement d;
    double centre[3];
    sluice_motions_at(&m->physics->motions, i, m->time, &d);
    for (int c = 0; c < 3; c++) {
        centre[c] = motion->centre[c] + d.x[c];
        body->velocity[c] = d.velocity[c];
        body->acceleration[c] = d.acceleration[c];
    }
    SLUICE_CHECK(sluice_grid_holds(g, centre), SLUICE_BAD_INPUT,
                 "motions.[%d]: at t = %.9g its centre is at (%.9g, %.9g, %.9g), farther from the "
                 "domain than can be counted; end the run earlier, or slow it",
                 i, m->time, centre[0], centre[1], centre[2]);
    sluice_grid_place(g, centre, &body->centre);
    const int axis = g->dimension == 2 ? 2 : motion->axis, p = (axis + 1) % 3, q = (axis + 2) % 3;
    memset(body->turn, 0, sizeof body->turn);
    memset(body->spin, 0, sizeof body->spin);
    memset(body->spin_rate, 0, sizeof body->spin_rate);
    body->turn[axis][axis] = 1;
    body->turn[p][p] = body->turn[q][q] = cos(d.angle);
    body->turn[q][p] = sin(d.angle);
    body->turn[p][q] = -sin(d.angle);
    body->spin[axis] = d.spin;
    body->spin_rate[axis] = d.spin_rate;
    sluice_rigid_set_inward(body);
    return SLUICE_OK;
}

static int has_driven_walls(const struct sluice_model *m)
{
    return sluice_set_exists(m->set[SLUICE_WALL]) && m->set[SLUICE_WALL]->moves == SLUICE_DRIVEN;
}

sluice_status sluice_model_motions(const struct sluice_model *m, const struct sluice_grid *g,
                                   struct rigid_motion_params *params)
{
    params->place = params->count = params->listed = params->bodies = params->turns = 0;
    if (!has_driven_walls(m))
        return SLUICE_OK;
    const int motions = m->physics->config->motion_count;
    params->count = motions > SLUICE_MOTIONS_HELD ? 0 : motions;
    for (int i = 0; i < params->count; i++)
        SLUICE_TRY(rigid_at(m, g, i, &params->motion[i]));
    params->listed = m->carriers.listed;
    params->turns = m->carriers.turns;
    params->bodies = m->bodies.count;
    params->table = m->carriers.table;
    return SLUICE_OK;
}

sluice_status sluice_model_place_carriers(struct sluice_model *m, struct sluice_backend *b)
{
    const int motions = m->physics->config->motion_count;
    const int listed = motions > SLUICE_MOTIONS_HELD ? motions : 0;
    void *memory = NULL;
    if (listed + m->bodies.count == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(m->carriers.motion, listed, "motions");
    SLUICE_TRY(
        b->ops->alloc(b, (size_t)(listed + m->bodies.count) * sizeof *m->carriers.table, &memory));
    m->carriers.listed = listed;
    m->carriers.table = memory;
    m->bodies.table = m->carriers.table + listed;
    return SLUICE_OK;
}

void sluice_model_release_carriers(struct sluice_model *m, struct sluice_backend *b)
{
    if (m->carriers.table)
        b->ops->free(b, m->carriers.table);
    free(m->carriers.motion);
    m->carriers = (struct sluice_carriers){0};
    m->bodies.table = NULL;
}

/* The listed motions at m->time. */
static sluice_status upload_motions(struct sluice_model *m, struct sluice_backend *b,
                                    const struct sluice_grid *g)
{
    struct sluice_carriers *to = &m->carriers;
    if (to->listed == 0 || !has_driven_walls(m))
        return SLUICE_OK;
    to->turns = 0;
    for (int i = 0; i < to->listed; i++) {
        SLUICE_TRY(rigid_at(m, g, i, &to->motion[i]));
        for (int c = 0; c < 3; c++)
            to->turns |= to->motion[i].spin[c] != 0;
    }
    return b->ops->upload(b, to->table, to->motion, (size_t)to->listed * sizeof *to->motion);
}

void sluice_model_set_body_scales(struct sluice_model *m)
{
    const struct sluice_scales *s = &m->physics->scales;
    double reach = 0;
    for (int i = 0; i < m->bodies.count; i++)
        reach = fmax(reach, m->bodies.body[i].reach);
    m->bodies.scales = (struct sluice_body_scales){
        .force = s->power - (s->momentum - s->mass), /* the power at the largest usual speed */
        .mass = s->mass,
        .arm = reach > 0 ? ilogb(reach) : 0};
}

sluice_status sluice_model_move_walls(struct sluice_model *m, struct sluice_backend *b,
                                      const struct sluice_grid *g, int place)
{
    struct rigid_motion_params params;
    sluice_bodies_advance(&m->bodies, m->time, m->dt, m->dt_old, m->physics->config->time.predictor,
                          m->team);
    SLUICE_TRY(sluice_bodies_touch(&m->bodies, m->time, m->dt, m->team));
    SLUICE_TRY(sluice_bodies_upload(&m->bodies, b, g));
    SLUICE_TRY(upload_motions(m, b, g));
    SLUICE_TRY(sluice_model_motions(m, g, &params));
    params.place = place;
    const int carriers = params.count + params.listed + params.bodies;
    for (int type = SLUICE_WALL; carriers && type <= SLUICE_GHOST; type++) {
        const struct sluice_point point = {"moving walls", SLUICE_POINTWISE_rigid_motion, &params,
                                           m->set[type]};
        if (sluice_set_exists(m->set[type]))
            SLUICE_TRY(b->ops->pointwise(b, g, &point));
    }
    return SLUICE_OK;
}

static double speed_of(const struct sluice_displacement *d, double reach)
{
    return sluice_norm(d->velocity) + fabs(d->spin) * reach;
}

static double acceleration_of(const struct sluice_displacement *d, double reach)
{
    return sluice_norm(d->acceleration) + (fabs(d->spin_rate) + d->spin * d->spin) * reach;
}

double sluice_physics_motion_acceleration(const struct sluice_physics *p, int motion, double t)
{
    struct sluice_displacement d;
    sluice_motions_at(&p->motions, motion, t, &d);
    return acceleration_of(&d, p->motion_reach[motion]);
}

double sluice_physics_motion_speed(const struct sluice_physics *p, int motion, double t)
{
    struct sluice_displacement d;
    sluice_motions_at(&p->motions, motion, t, &d);
    return speed_of(&d, p->motion_reach[motion]);
}

double sluice_model_wall_distance(const struct sluice_model *m, double t, double dt)
{
    const struct sluice_physics *p = m->physics;
    double speed = 0, unused = 0, way = 0;
    for (int i = 0; p->walls_move && i < p->config->motion_count; i++) {
        struct sluice_displacement from, to;
        sluice_motions_at(&p->motions, i, t, &from);
        sluice_motions_at(&p->motions, i, t + dt, &to);
        const double d[3] = {to.x[0] - from.x[0], to.x[1] - from.x[1], to.x[2] - from.x[2]};
        way = fmax(way, sluice_norm(d) + fabs(to.angle - from.angle) * p->motion_reach[i]);
    }
    sluice_bodies_limits(&m->bodies, dt, &speed, &unused);
    return fmax(way, 1.05 * dt * speed); /* a body's spin changes in the step */
}

void sluice_model_wall_limits(const struct sluice_model *m, double t, double dt, double *speed,
                              double *acceleration)
{
    const struct sluice_physics *p = m->physics;
    *speed = *acceleration = 0;
    sluice_bodies_limits(&m->bodies, dt, speed, acceleration);
    for (int i = 0; p->walls_move && i < p->config->motion_count; i++) {
        struct sluice_displacement d;
        sluice_motions_at(&p->motions, i, t, &d);
        *speed = fmax(*speed, speed_of(&d, p->motion_reach[i]));
        *acceleration = fmax(*acceleration, acceleration_of(&d, p->motion_reach[i]));
    }
}
