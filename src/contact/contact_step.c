/* The time step that impacts bear. */
#include <math.h>

#include "contact/contact_internal.h"
#include "core/vector.h"

/* How far a body reaches from its centre, m. */
static double reach_of(const struct sluice_contact_solid *s)
{
    return sluice_norm(s->middle) + s->radius;
}

/* The inverse mass of a body, also of one that is held; of one that may only turn reach^2/I, for
 * which the trace of its inverse inertia stands. */
static double free_lightness(const struct sluice_contacts *c, int body)
{
    if (body < 0)
        return 0;
    const struct sluice_contact_solid *s = &c->solid[body];
    double trace = 0;
    for (int a = 0; a < c->dimension; a++)
        if (!(s->locks & 1u << a))
            return 1 / s->mass;
    const unsigned turns = c->dimension == 2 ? 32u : 56u;
    for (int a = 0; a < 3 && (s->locks & turns) != turns; a++)
        trace += s->compliance[a][a];
    return reach_of(s) * reach_of(s) * trace;
}

double sluice_contact_lightness(const struct sluice_contacts *c, int body)
{
    return body >= 0 && c->solid[body].held ? 0 : free_lightness(c, body);
}

/* M/(N k (1 + z)^(5/2)) with 1/M; the least gives the shortest step. */
static double softness(const struct sluice_contacts *c, int a, int b, double inverse)
{
    const double damped = 1 + sluice_contact_damping(c, a, b, 1),
                 points = (double)c->solid[a].flat + (b >= 0 ? (double)c->solid[b].flat : 0);
    return 1 / (inverse * fmax(1, points) * sluice_contact_stiffness(c, a, b) * damped * damped *
                sqrt(damped));
}

static double step_of(double soft, double speed)
{
    return 2.943 / speed * pow(1.25 * soft * speed * speed, 0.4) / SLUICE_CONTACT_STEPS;
}

double sluice_contacts_limit(const struct sluice_contacts *c, double speed, int *body, int *other)
{
    double least = INFINITY;
    *body = *other = -1;
    for (int a = 0; a < c->count; a++)
        for (int b = c->walls > 0 ? -1 : a + 1; b < c->count; b = b < 0 ? a + 1 : b + 1) {
            const double soft = softness(c, a, b, free_lightness(c, a) + free_lightness(c, b));
            if (!(soft < least))
                continue;
            least = soft;
            *body = a;
            *other = b;
        }
    return step_of(least, speed);
}

/* --- In a run --- */

/* The velocity of a wall where a body's centre is. */
static void carried_at(const struct sluice_contact_wall *w, const double x[3], double u[3])
{
    double arm[3];
    for (int a = 0; a < 3; a++)
        arm[a] = x[a] - w->pose.centre[a];
    sluice_cross(w->pose.spin, arm, u);
    for (int a = 0; a < 3; a++)
        u[a] += w->pose.velocity[a];
}

/* An upper bound of the speed at which the surfaces of two solids meet. */
static double meeting_speed(const struct sluice_contacts *c, const struct sluice_pose *pose, int a,
                            int b)
{
    double u[3], turning = sluice_norm(pose[a].spin) * reach_of(&c->solid[a]);
    if (b < 0) {
        const struct sluice_contact_wall *w = &c->wall[-1 - b];
        carried_at(w, pose[a].centre, u);
        turning += sluice_norm(w->pose.spin) * reach_of(&c->solid[a]);
    } else {
        for (int k = 0; k < 3; k++)
            u[k] = pose[b].velocity[k];
        turning += sluice_norm(pose[b].spin) * reach_of(&c->solid[b]);
    }
    for (int k = 0; k < 3; k++)
        u[k] -= pose[a].velocity[k];
    return sluice_norm(u) + turning;
}

/* A held body that gets a motion at its release may have it in the next step. */
static double next_lightness(const struct sluice_contacts *c, const struct sluice_pose *pose,
                             int body)
{
    if (body < 0)
        return 0;
    const int moves = sluice_norm(pose[body].velocity) + sluice_norm(pose[body].spin) > 0;
    return moves ? free_lightness(c, body) : sluice_contact_lightness(c, body);
}

double sluice_contacts_step(const struct sluice_contacts *c, const struct sluice_pose *pose,
                            double least, int *body, int *other)
{
    double shortest = INFINITY;
    *body = *other = -1;
    for (int64_t i = 0; i < c->pairs; i++) {
        const struct sluice_contact_pair *p = &c->pair[i];
        const double light = next_lightness(c, pose, p->a) + next_lightness(c, pose, p->b);
        if (p->gap >= SLUICE_CONTACT_MARGIN * c->spacing || !(light > 0))
            continue;
        const double meet = fmax(least, meeting_speed(c, pose, p->a, p->b)),
                     speed = sqrt(meet * meet + 2 * c->sums[i].elastic * light);
        if (!(speed > 0))
            continue;
        const double dt = fmax(step_of(softness(c, p->a, p->b, light), speed),
                               p->gap / (2 * speed));
        if (!(dt < shortest))
            continue;
        shortest = dt;
        *body = p->a;
        *other = p->b < 0 ? -1 : p->b;
    }
    return shortest;
}
