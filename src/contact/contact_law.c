/* The law of contact: forces of two solids on each other (contact.h has the equations). */
#include <math.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/vector.h"

static const double most_restitution = 0.99; /* of the tangential damper */
/* 1/M below this part of that of free bodies is the rounding of axes that are locked. */
static const double least_lightness = 1e-12;

/* --- A pair --- */

struct law {
    const struct sluice_contacts *c;
    const struct sluice_pose *pose;
    int a, b;
    double k, friction;
    double damping, tangential_damping; /* z */
    double rate, tangential_rate;       /* c/(k d^(3/2)), s/m */
    double dt;
};

static struct law make_law(const struct sluice_contacts *c, const struct sluice_pose *pose,
                           const struct sluice_contact_pair *p, double dt)
{
    return (struct law){
        .c = c,
        .pose = pose,
        .a = p->a,
        .b = p->b,
        .k = sluice_contact_stiffness(c, p->a, p->b),
        .friction = sluice_contact_friction(c, p->a, p->b),
        .damping = sluice_contact_damping(c, p->a, p->b, 1),
        .tangential_damping = sluice_contact_damping(c, p->a, p->b, most_restitution),
        .dt = dt};
}

/* The arm of a touch from the centre of body a, or of the other solid. */
static const double *arm_of(const struct law *l, const struct sluice_contact_touch *t, int second)
{
    return (t->owner == l->a) != second ? t->arm : t->other_arm;
}

/* The inverse of the mass along an axis; 0 of a wall, of a locked axis, and of a held body. */
static double lightness(const struct law *l, int body, int axis)
{
    if (body < 0)
        return 0;
    const struct sluice_contact_solid *solid = &l->c->solid[body];
    return solid->held || solid->locks & 1u << axis ? 0 : 1 / solid->mass;
}

/* The inertia at a pose, world axes, with rows and columns of 1 for the locked axes: its inverse is
 * that of the open axes. */
static void open_inertia(const struct sluice_contact_solid *solid, const struct sluice_pose *pose,
                         double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double own[3];
            sluice_matrix_times(solid->inertia, pose->turn[k], own);
            out[i][k] = (solid->locks >> 3) & (1u << i | 1u << k) ? (i == k ? 1 : 0)
                                                                  : sluice_dot(pose->turn[i], own);
        }
}

/* r . (inverse inertia) r of a body that is turned, about the axes that are not locked. */
static double compliance_of(const struct law *l, int body, const double r[3])
{
    double own[3], turned[3];
    if (body < 0 || l->c->solid[body].held)
        return 0;
    const struct sluice_contact_solid *solid = &l->c->solid[body];
    const struct sluice_pose *pose = &l->pose[body];
    if (solid->locks >> 3) {
        double open[3], inertia[3][3], inverse[3][3];
        open_inertia(solid, pose, inertia);
        sluice_contact_invert(l->c->dimension, (const double(*)[3])inertia, inverse);
        for (int a = 0; a < 3; a++)
            open[a] = solid->locks & 8u << a ? 0 : r[a];
        sluice_matrix_times((const double(*)[3])inverse, open, turned);
        return sluice_dot(open, turned);
    }
    sluice_matrix_transposed_times(pose->turn, r, own);
    sluice_matrix_times(solid->compliance, own, turned);
    return sluice_dot(own, turned);
}

/* The mass that the resultant of the forces f_i n_i feels: with g = sum f n/sum f and the same mean
 * h of arm x n, and A = 1/M_a + 1/M_b along each axis,
 *
 *     1/M = g.A g + h_a.I_a^-1 h_a + h_b.I_b^-1 h_b,   at least the mean of n.A n
 *
 * which is the inverse of what the points feel, where forces cancel. `least`: sum f n.A n.
 * INFINITY: neither solid gives way. */
static double effective_mass(const struct law *l, double force, const double g[3],
                             const double h[2][3], double least)
{
    double inverse = compliance_of(l, l->a, h[0]) + compliance_of(l, l->b, h[1]);
    const double whole = 1 / l->c->solid[l->a].mass + (l->b < 0 ? 0 : 1 / l->c->solid[l->b].mass);
    for (int axis = 0; axis < 3; axis++)
        inverse += g[axis] * g[axis] * (lightness(l, l->a, axis) + lightness(l, l->b, axis));
    inverse = fmax(least / force, inverse / (force * force));
    return inverse > least_lightness * whole ? 1 / inverse : INFINITY;
}

/* Sets the dampers of the pair from all of its touches. Terms: energy, force, force n, arms x it,
 * force n.A n. */
static void set_dampers(struct law *l, const struct sluice_contact_touch *touch, int64_t n,
                        double (*term)[12])
{
    double light[3];
    for (int a = 0; a < 3; a++)
        light[a] = lightness(l, l->a, a) + lightness(l, l->b, a);
    for (int64_t i = 0; i < n; i++) {
        const struct sluice_contact_touch *t = &touch[i];
        const double f = t->weight * l->k * t->overlap * sqrt(t->overlap),
                     sign = t->owner == l->a ? 1 : -1;
        term[i][0] = 0.4 * f * t->overlap;
        term[i][1] = f;
        for (int a = 0; a < 3; a++)
            term[i][2 + a] = sign * f * t->normal[a];
        term[i][11] = f * (t->normal[0] * t->normal[0] * light[0] +
                           t->normal[1] * t->normal[1] * light[1] +
                           t->normal[2] * t->normal[2] * light[2]);
        sluice_cross(arm_of(l, t, 0), &term[i][2], &term[i][5]);
        sluice_cross(arm_of(l, t, 1), &term[i][2], &term[i][8]);
    }
    double sum[12], h[2][3];
    const int locked = light[0] < light[1] || light[1] < light[0] ||
                       (l->c->dimension == 3 && (light[0] < light[2] || light[2] < light[0]));
    for (int s = 0; s < (locked ? 12 : 11); s++)
        sum[s] = sluice_contact_sum(&term[0][s], n, 12);
    sum[11] = locked ? sum[11] : sum[1] * light[0];
    memcpy(h[0], &sum[5], sizeof h[0]);
    memcpy(h[1], &sum[8], sizeof h[1]);
    const double mass = effective_mass(l, sum[1], &sum[2], (const double(*)[3])h, sum[11]),
                 rate = isinf(mass) ? 0 : 2 * sqrt(mass / (2 * sum[0]));
    l->rate = l->damping * rate;
    l->tangential_rate = l->tangential_damping * rate;
}

/* --- A touch --- */

/* The tangential spring: its stiffness K, K's rate, the damper 2/7 c, and the limit mu F_n. */
struct spring {
    double stiffness, stiffening, damper, limit;
};

static struct spring make_spring(const struct law *l, const struct sluice_contact_touch *t,
                                 double largest, double closing, double normal_force)
{
    const double f = t->weight * l->k * t->overlap * sqrt(t->overlap),
                 stiffness = SLUICE_CONTACT_TANGENTIAL * t->weight * l->k * sqrt(largest);
    const int grows = closing > 0 && t->overlap >= largest;
    return (struct spring){.stiffness = stiffness,
                           .stiffening = grows ? stiffness / (2 * largest) * closing : 0,
                           .damper = SLUICE_CONTACT_TANGENTIAL * l->tangential_rate * f,
                           .limit = l->friction * normal_force};
}

/* Turns a stretch into the plane of contact, and keeps its length. A normal that has jumped to
 * another face leaves none; returns 0. */
static int turn_into_plane(const double normal[3], double s[3])
{
    const double length = sluice_norm(s), along = sluice_dot(s, normal);
    double in_plane[3];
    for (int a = 0; a < 3; a++)
        in_plane[a] = s[a] - along * normal[a];
    const double left = sluice_norm(in_plane);
    for (int a = 0; a < 3; a++)
        s[a] = left > 0.5 * length ? in_plane[a] * length / left : 0;
    return left > 0.5 * length;
}

/* A step of the stretch by the mean slip of its two ends; `before` is 0 of a contact that began in
 * it. If spring and damper together would pass the limit, they slide: K s + c ds/dt = limit,
 * implicit in time. */
static void advance(const struct spring *p, double dt, const double before[3], const double slip[3],
                    double s[3])
{
    double next[3], pull[3];
    for (int a = 0; a < 3; a++) {
        next[a] = s[a] + dt * (before[a] + slip[a]) / 2;
        pull[a] = p->stiffness * next[a] + p->damper * slip[a];
    }
    const double size = sluice_norm(pull);
    for (int a = 0; a < 3; a++)
        s[a] = size > p->limit ? (p->damper * s[a] + dt * p->limit * pull[a] / size) /
                                     (p->damper + p->stiffness * dt)
                               : next[a];
}

/* The force on the owner, -K s - c u_t up to the limit, is added to `force`. Returns the power that
 * is lost: of the damper by ds/dt, of the slider by u_t - ds/dt, and of a spring that stiffens
 * under the same force. */
static double pull(const struct spring *p, const double slip[3], const double s[3], double force[3])
{
    double drag[3], lost = p->stiffening * sluice_dot(s, s) / 2;
    for (int a = 0; a < 3; a++)
        drag[a] = p->stiffness * s[a] + p->damper * slip[a];
    const double size = sluice_norm(drag);
    const int slides = size > p->limit;
    for (int a = 0; a < 3; a++) {
        double stretching = slip[a];
        if (slides) {
            drag[a] *= p->limit / size;
            stretching = (drag[a] - p->stiffness * s[a]) / p->damper;
        }
        lost += drag[a] * slip[a] - p->stiffness * s[a] * stretching;
        force[a] -= drag[a];
    }
    return lost;
}

/* The stretch of a touch as it is kept, advanced by dt. Marks the old one unless it is lost. */
static struct sluice_contact_memory remember(const struct law *l,
                                             const struct sluice_contact_touch *t,
                                             struct sluice_contact_memory *old,
                                             const double slip[3], double closing, double force)
{
    const struct sluice_pose *other = sluice_contact_pose(l->c, l->pose, t->other);
    struct sluice_contact_memory m = {.owner = t->owner, .other = t->other, .point = t->point};
    double s[3] = {0, 0, 0}, before[3];
    if (old)
        m = *old;
    if (l->dt > 0) {
        m.largest = fmax(m.largest, t->overlap);
        sluice_matrix_times(other->turn, m.slip, before);
        sluice_matrix_times(other->turn, m.stretch, s);
        const int stays = turn_into_plane(t->normal, s);
        for (int a = 0; a < 3 && old; a++)
            s[a] *= sqrt(old->largest / m.largest);
        if (old)
            old->kept = stays;
        const struct spring spring = make_spring(l, t, m.largest, closing, force);
        advance(&spring, l->dt, before, slip, s);
        sluice_matrix_transposed_times(other->turn, s, m.stretch);
        sluice_matrix_transposed_times(other->turn, slip, m.slip);
    }
    m.largest = fmax(m.largest, t->overlap);
    return m;
}

/* The power of a wall that moves, by the force on the body. */
static double power_of_wall(const struct law *l, const struct sluice_contact_touch *t,
                            const double force[3])
{
    double power = sluice_dot(force, t->carried);
    if (t->owner != l->a)
        power += sluice_dot(force, t->velocity);
    return power;
}

/* Terms: force on a, torques on a and b, energy, power lost, power of a wall that moves. */
static void solve_touch(const struct law *l, const struct sluice_contact_touch *t,
                        struct sluice_contact_memory *m, struct sluice_contact_memory *old,
                        double term[12])
{
    const double f = t->weight * l->k * t->overlap * sqrt(t->overlap),
                 closing = -sluice_dot(t->velocity, t->normal),
                 damped = -sluice_dot(t->velocity, t->damped),
                 damper = f * fmax(-1, l->rate * damped), normal = f + damper;
    double slip[3], s[3], force[3];
    for (int a = 0; a < 3; a++) {
        slip[a] = t->velocity[a] + closing * t->normal[a];
        force[a] = f * t->normal[a] + damper * t->damped[a];
    }
    *m = remember(l, t, old, slip, closing, normal);
    term[9] = 0.4 * f * t->overlap;
    term[10] = damper * damped;
    if (l->friction > 0) {
        const struct spring spring = make_spring(l, t, m->largest, closing, normal);
        sluice_matrix_times(sluice_contact_pose(l->c, l->pose, t->other)->turn, m->stretch, s);
        term[10] += pull(&spring, slip, s, force);
        term[9] += spring.stiffness * sluice_dot(s, s) / 2;
    }
    for (int a = 0; a < 3; a++)
        term[a] = t->owner == l->a ? force[a] : -force[a];
    term[11] = l->b < 0 ? power_of_wall(l, t, term) : 0;
    sluice_cross(arm_of(l, t, 0), term, &term[3]);
    sluice_cross(term, arm_of(l, t, 1), &term[6]);
}

void sluice_contact_solve_pair(struct sluice_contacts *c, const struct sluice_pose *pose,
                               int64_t pair, double dt)
{
    const struct sluice_contact_pair *p = &c->pair[pair];
    struct sluice_contact_sums *sums = &c->sums[pair];
    const struct sluice_contact_touch *touch = c->touch + p->first;
    double(*term)[12] = c->term + p->first, sum[12] = {0};
    struct law law = make_law(c, pose, p, dt);
    int64_t hint = 0;
    memset(sums, 0, sizeof *sums);
    if (p->count == 0)
        return;
    set_dampers(&law, touch, p->count, term);
    for (int64_t i = 0; i < p->count; i++)
        solve_touch(&law, &touch[i], &c->renewed[p->first + i],
                    sluice_contact_recall(c, &touch[i], &hint), term[i]);
    for (int s = 0; s < 12; s++)
        sum[s] = sluice_contact_sum(&term[0][s], p->count, 12);
    memcpy(sums->force, sum, sizeof sums->force);
    memcpy(sums->torque, sum + 3, sizeof sums->torque);
    sums->elastic = sum[9];
    sums->dissipated = sum[10];
    sums->driven = sum[11];
}
