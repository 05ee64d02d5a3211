#include "bodies/body_tables.h"

#include <stdio.h>
#include <string.h>

#include "core/vector.h"
#include "motion/rotation.h"

const struct sluice_column sluice_body_columns[] = {
    {"*", NULL, "m",
     "centre of mass; along a periodic axis it counts on beyond the end of the domain"},
    {"angle", "roll,pitch,yaw", "rad",
     "rotation since the start: in 2-D whole turns count; in 3-D it is Rz(yaw) Ry(pitch) Rx(roll)"},
    {"velocity_*", NULL, "m/s", "velocity of the centre of mass"},
    {"spin", "spin_*", "rad/s", "angular velocity"},
    {"acceleration_*", NULL, "m/s^2", "acceleration of the centre of mass"},
    {"spin_rate", "spin_rate_*", "rad/s^2", "rate of the angular velocity"},
    {"fluid_force_*", NULL, "N", "force by the fluid, with buoyancy"},
    {"fluid_torque", "fluid_torque_*", "N m", "its torque about the centre of mass"},
    {"gravity_force_*", NULL, "N", "weight, with the force of `acceleration`"},
    {"contact_force_*", NULL, "N", "force by contacts with bodies and walls"},
    {"contact_torque", "contact_torque_*", "N m", "its torque about the centre of mass"},
    {"mooring_force_*", NULL, "N", "force by moorings"},
    {"mooring_torque", "mooring_torque_*", "N m", "its torque about the centre of mass"},
    {0}};

const struct sluice_column sluice_mooring_columns[] = {
    {"length", NULL, "m", "distance between the ends; of a hinge how far it gives"},
    {"tension", NULL, "N",
     "tension of spring and damper; below 0 the spring pushes; of a hinge the size of its force"},
    {"force_*", NULL, "N", "force on the body; on the other end acts the opposite"},
    {"at_*", NULL, "m", "the end at the body; of a hinge with an axis its middle"},
    {"to_*", NULL, "m", "the other end; across a periodic axis its image"},
    {0}};

/* Appends a vector, or in 2-D what turns about z. */
static void put(double **to, const double v[3], int dimension, int turns)
{
    for (int c = turns && dimension == 2 ? 2 : 0; c < (turns ? 3 : dimension); c++)
        *(*to)++ = v[c];
}

int sluice_body_row(const struct sluice_bodies *b, int body, double row[SLUICE_BODY_COLUMNS_MOST])
{
    const struct sluice_body_state *s = &b->state[body];
    const struct sluice_body_now *now = &b->now[body];
    const int d = b->config->dimension;
    double *to = row, velocity[3] = {0, 0, 0}, spin[3], rate[3], angle[3], turn[3][3];
    memcpy(turn, now->pose.turn, sizeof turn);
    sluice_rotation_angles(turn, &angle[0], &angle[1], &angle[2]);
    if (d == 2)
        angle[2] = s->turned;
    sluice_body_spin(b, body, spin, rate);
    if (now->held)
        memset(spin, 0, sizeof spin);
    else
        memcpy(velocity, s->v, sizeof velocity);
    put(&to, now->pose.centre, d, 0);
    put(&to, angle, d, 1);
    put(&to, velocity, d, 0);
    put(&to, spin, d, 1);
    put(&to, s->a, d, 0);
    put(&to, rate, d, 1);
    for (int cause = 0; cause < SLUICE_BODY_CAUSES; cause++) {
        put(&to, now->wrench[cause], d, 0);
        if (cause != SLUICE_BY_GRAVITY)
            put(&to, now->wrench[cause] + 3, d, 1);
    }
    return (int)(to - row);
}

/* A hinge in space has two links: the sum of their forces acts at the middle between them. */
int sluice_mooring_row(const struct sluice_moorings *m, int dimension, int link,
                       double row[SLUICE_MOORING_COLUMNS])
{
    double force[3] = {0, 0, 0}, end[2][3] = {{0, 0, 0}, {0, 0, 0}}, apart[3], *to = row;
    int n = 1;
    while (link + n < m->count && m->link[link + n].mooring == m->link[link].mooring)
        n++;
    for (int k = link; k < link + n; k++)
        for (int c = 0; c < 3; c++) {
            force[c] += m->link[k].force[c];
            end[0][c] += m->link[k].end[0][c] / n;
            end[1][c] += m->link[k].end[1][c] / n;
        }
    for (int c = 0; c < 3; c++)
        apart[c] = end[1][c] - end[0][c];
    *to++ = sluice_norm(apart);
    *to++ = n == 1 ? m->link[link].tension : sluice_norm(force);
    put(&to, force, dimension, 0);
    put(&to, end[0], dimension, 0);
    put(&to, end[1], dimension, 0);
    return n;
}

double sluice_body_rows_every(const struct sluice_config *config)
{
    return config->output.bodies > 0 ? config->output.bodies : config->time.end / 1000;
}

const struct sluice_snapshot_body *sluice_bodies_list(const struct sluice_bodies *b, int *count)
{
    *count = b->count;
    for (int i = 0; i < b->count; i++) {
        const struct sluice_body_state *s = &b->state[i];
        struct sluice_snapshot_body *to = &b->listed[i];
        double rate[3];
        snprintf(to->name, sizeof to->name, "%s", b->body[i].name);
        memcpy(to->start, b->body[i].centre, sizeof to->start);
        memcpy(to->centre, b->now[i].pose.centre, sizeof to->centre);
        memcpy(to->q, s->q, sizeof to->q);
        to->turned = s->turned;
        memcpy(to->velocity, s->v, sizeof to->velocity);
        sluice_body_spin(b, i, to->spin, rate);
    }
    return b->listed;
}
