#include "bodies/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion/rotation.h"
#include "core/allocate.h"
#include "core/vector.h"

/* value += more, with the loss of the addition in `low`. */
static void add(double *value, double *low, double more)
{
    const double sum = *value + (more + *low), kept = sum - *value;
    const double carried = more + *low;
    *low = (*value - (sum - kept)) + (carried - kept);
    *value = sum;
}

static void add_vector(double value[3], double low[3], const double more[3], double factor)
{
    for (int c = 0; c < 3; c++)
        add(&value[c], &low[c], factor * more[c]);
}

/* R m R^T */
static void turned(double r[3][3], const double m[3][3], double out[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            out[i][k] = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    out[i][k] += r[i][a] * m[a][b] * r[k][b];
        }
}

/* w of l = I w. */
static void spin_of(const double inertia[3][3], const double l[3], double w[3])
{
    double inverse[3][3];
    sluice_symmetric_inverse(inertia, inverse);
    sluice_matrix_times((const double(*)[3])inverse, l, w);
}

static void inertia_at(const struct sluice_rigid_body *body, const double q[4], double turn[3][3],
                       double inertia[3][3])
{
    sluice_quaternion_matrix(q, turn);
    turned(turn, body->inertia, inertia);
}

/* Sets the components of v and w that are locked to 0, and l to I w. */
static void lock(const struct sluice_rigid_body *body, const double inertia[3][3], double v[3],
                 double l[3])
{
    double w[3];
    if (body->locks >> 3) {
        spin_of(inertia, l, w);
        for (int c = 0; c < 3; c++)
            w[c] = body->locks & 8u << c ? 0 : w[c];
        sluice_matrix_times(inertia, w, l);
    }
    for (int c = 0; c < 3; c++)
        v[c] = body->locks & 1u << c ? 0 : v[c];
}

static void begin(struct sluice_bodies *b, int i)
{
    const struct sluice_rigid_body *body = &b->body[i];
    struct sluice_body_state *s = &b->state[i];
    double spin[3] = {body->entry->spin[0], body->entry->spin[1], body->entry->spin[2]};
    s->q[0] = 1;
    if (body->is_moved) {
        memcpy(s->q, body->q, sizeof s->q);
        s->turned = body->turned;
        for (int c = 0; c < 3; c++)
            s->x[c] = body->start.centre[c] - body->centre[c];
        memcpy(spin, body->start.spin, sizeof spin);
    } else if (b->config->dimension == 2) {
        spin[2] = spin[0];
        spin[0] = spin[1] = 0;
    }
    double turn[3][3], inertia[3][3];
    inertia_at(body, s->q, turn, inertia);
    memcpy(s->v, body->is_moved ? body->start.velocity : body->entry->velocity, sizeof s->v);
    sluice_matrix_times((const double(*)[3])inertia, spin, s->l);
    lock(body, (const double(*)[3])inertia, s->v, s->l);
}

sluice_status sluice_bodies_create(struct sluice_bodies *b, const struct sluice_motions *motions,
                                   const struct sluice_rigid_body *body, int count,
                                   const double origin[3])
{
    *b = (struct sluice_bodies){
        .count = count, .config = motions->config, .motions = motions, .body = body};
    memcpy(b->origin, origin, sizeof b->origin);
    if (count == 0)
        return SLUICE_OK;
    SLUICE_ALLOCATE(b->state, count, "bodies");
    SLUICE_ALLOCATE(b->now, count, "bodies");
    SLUICE_ALLOCATE(b->rigid, count, "bodies");
    SLUICE_ALLOCATE(b->system, count, "bodies");
    SLUICE_ALLOCATE(b->solution, count, "bodies");
    SLUICE_ALLOCATE(b->pose, count, "bodies");
    SLUICE_ALLOCATE(b->moored, count, "bodies");
    SLUICE_ALLOCATE(b->listed, count, "bodies");
    SLUICE_ALLOCATE(b->sum, (int64_t)count * SLUICE_LABEL_TERMS_MOST, "sums of bodies");
    for (int i = 0; i < count; i++)
        begin(b, i);
    return sluice_moorings_create(&b->moorings, b->config, body, count);
}

void sluice_bodies_destroy(struct sluice_bodies *b)
{
    free(b->state);
    free(b->now);
    free(b->rigid);
    free(b->system);
    free(b->solution);
    free(b->sum);
    free(b->pose);
    free(b->moored);
    free(b->listed);
    free(b->moved);
    sluice_moorings_destroy(&b->moorings);
    sluice_contacts_destroy(&b->contacts);
    *b = (struct sluice_bodies){0};
}

/* --- Motion --- */

/* Turns by dt with the angular momentum fixed: the spin of the middle of the step, which is found
 * by half a step with that of its beginning. */
static void rotate(const struct sluice_rigid_body *body, struct sluice_body_state *s, double dt)
{
    double turn[3][3], inertia[3][3], w[3], middle[4];
    memcpy(middle, s->q, sizeof middle);
    for (int round = 0; round < 2; round++) {
        double angle[3];
        inertia_at(body, middle, turn, inertia);
        spin_of((const double(*)[3])inertia, s->l, w);
        for (int c = 0; c < 3; c++)
            w[c] = body->locks & 8u << c ? 0 : w[c];
        if (round == 1)
            break;
        for (int c = 0; c < 3; c++)
            angle[c] = dt / 2 * w[c];
        sluice_quaternion_turn(middle, angle);
    }
    const double angle[3] = {dt * w[0], dt * w[1], dt * w[2]};
    s->turned += angle[2];
    if (w[0] != 0 || w[1] != 0 || w[2] != 0)
        sluice_quaternion_turn(s->q, angle);
}

static void set_pose(const struct sluice_bodies *b, int i, const double v[3], const double l[3])
{
    const struct sluice_body_state *s = &b->state[i];
    struct sluice_body_now *now = &b->now[i];
    struct sluice_pose *pose = &now->pose;
    double held_l[3] = {l[0], l[1], l[2]};
    inertia_at(&b->body[i], s->q, pose->turn, now->inertia);
    memcpy(pose->velocity, v, sizeof pose->velocity);
    lock(&b->body[i], (const double(*)[3])now->inertia, pose->velocity, held_l);
    spin_of((const double(*)[3])now->inertia, held_l, pose->spin);
    for (int c = 0; c < 3; c++) {
        pose->centre[c] = b->body[i].centre[c] + (s->x[c] + s->x_low[c]);
        if (b->body[i].locks & 8u << c)
            pose->spin[c] = 0;
    }
    if (now->held) {
        memset(pose->velocity, 0, sizeof pose->velocity);
        memset(pose->spin, 0, sizeof pose->spin);
    }
}

static void advance(struct sluice_bodies *b, int i, double time, double dt, double dt_old,
                    double beta)
{
    const struct sluice_rigid_body *body = &b->body[i];
    struct sluice_body_state *s = &b->state[i];
    double v[3], l[3];
    b->now[i].held = time < body->entry->release;
    if (dt > 0 && !b->now[i].held) {
        add_vector(s->v, s->v_low, s->a, dt / 2);
        add_vector(s->l, s->l_low, s->t, dt / 2);
        add_vector(s->x, s->x_low, s->v, dt);
        rotate(body, s, dt);
    }
    const double bend = dt > 0 ? beta * dt * dt / dt_old : 0;
    for (int c = 0; c < 3; c++) {
        v[c] = s->v[c] + dt / 2 * s->a[c] + bend * (s->a[c] - s->a_old[c]);
        l[c] = s->l[c] + dt / 2 * s->t[c] + bend * (s->t[c] - s->t_old[c]);
    }
    set_pose(b, i, v, l);
    memcpy(b->now[i].trial, s->solved, sizeof s->solved);
}

struct advance {
    struct sluice_bodies *bodies;
    double time, dt, dt_old, beta;
};

/* BLOCK: bodies that a thread takes at once. FEW: up to so many, waking threads takes longer. */
enum { BLOCK = 32, FEW = 256 };

static void advance_blocks(struct sluice_share *share, void *data)
{
    const struct advance *to = data;
    struct sluice_bodies *b = to->bodies;
    int64_t first, end;
    while (sluice_share_block(share, b->count, BLOCK, &first, &end))
        for (int i = (int)first; i < end; i++) {
            advance(b, i, to->time, to->dt, to->dt_old, to->beta);
            memset(b->now[i].wrench, 0, sizeof b->now[i].wrench);
            memset(b->now[i].pressure, 0, sizeof b->now[i].pressure);
            for (int c = 0; c < b->config->dimension; c++)
                b->now[i].wrench[SLUICE_BY_GRAVITY][c] = b->body[i].mass * b->pull[c];
            b->pose[i] = b->now[i].pose;
        }
}

static void pull_moorings(struct sluice_bodies *b)
{
    b->elastic = b->dissipated = b->shed = b->driven = 0;
    if (b->moorings.count == 0)
        return;
    memset(b->moored, 0, (size_t)b->count * sizeof *b->moored);
    sluice_moorings_pull(&b->moorings, b->pose, b->moored);
    for (int i = 0; i < b->count; i++)
        memcpy(b->now[i].wrench[SLUICE_BY_MOORING], b->moored[i], sizeof b->moored[i]);
    b->elastic = b->moorings.elastic;
    b->dissipated = b->moorings.dissipated;
}

void sluice_bodies_advance(struct sluice_bodies *b, double time, double dt, double dt_old,
                           double beta, struct sluice_threads *team)
{
    struct advance to = {b, time, dt, dt_old, beta};
    b->fresh = 1;
    sluice_motions_pull(b->motions, time, b->pull);
    sluice_threads_run(b->count <= FEW ? NULL : team, sluice_blocks(b->count, BLOCK),
                       advance_blocks, &to);
    pull_moorings(b);
}

/* The sum of the wrenches but that of the fluid. */
static void sum_others(const struct sluice_body_now *now, double wrench[6])
{
    for (int k = 0; k < 6; k++) {
        wrench[k] = 0;
        for (int cause = SLUICE_BY_FLUID + 1; cause < SLUICE_BODY_CAUSES; cause++)
            wrench[k] += now->wrench[cause][k];
    }
}

/* The equations of the acceleration of body i under these wrenches, and its gyration w x l. */
static void set_system(const struct sluice_bodies *b, int i, const double wrench[6],
                       struct sluice_body_system *s, double gyration[3])
{
    const struct sluice_rigid_body *body = &b->body[i];
    struct sluice_body_now *now = &b->now[i];
    double l[3];
    sluice_matrix_times((const double(*)[3])now->inertia, now->pose.spin, l);
    sluice_cross(now->pose.spin, l, gyration);
    s->mass = body->mass;
    s->reach = body->reach;
    s->least = sluice_norm(b->config->gravity);
    s->fixed = now->held ? ~0u : body->locks;
    memcpy(s->inertia, now->inertia, sizeof s->inertia);
    for (int k = 0; k < 6; k++)
        s->right[k] = wrench[k] - (k >= 3 ? gyration[k - 3] : 0);
}

sluice_status sluice_bodies_upload(struct sluice_bodies *b, struct sluice_backend *backend,
                                   const struct sluice_grid *g)
{
    for (int i = 0; i < b->count; i++) {
        const struct sluice_pose *pose = &b->now[i].pose;
        struct sluice_rigid *r = &b->rigid[i];
        SLUICE_CHECK(sluice_grid_holds(g, pose->centre), SLUICE_BLOW_UP,
                     "body %d, '%s': its centre is at (%.9g, %.9g, %.9g), farther from the domain "
                     "than can be counted",
                     i + 1, b->body[i].name, pose->centre[0], pose->centre[1], pose->centre[2]);
        sluice_grid_place(g, b->body[i].centre, &r->centre);
        for (int c = 0; c < 3; c++) {
            r->centre.offset[c] += b->state[i].x[c] + b->state[i].x_low[c];
            r->velocity[c] = pose->velocity[c];
            r->spin[c] = pose->spin[c];
            r->acceleration[c] = b->now[i].trial[c];
            r->spin_rate[c] = b->now[i].trial[3 + c];
        }
        memcpy(r->turn, pose->turn, sizeof r->turn);
        sluice_rigid_set_inward(r);
        double wrench[6], gyration[3];
        sum_others(&b->now[i], wrench);
        for (int k = 0; k < 6; k++)
            wrench[k] += b->state[i].other[k];
        set_system(b, i, wrench, &b->system[i], gyration);
    }
    return b->count ? backend->ops->upload(backend, b->table, b->rigid,
                                           (size_t)b->count * sizeof *b->table)
                    : SLUICE_OK;
}

/* a, and dl/dt = I dw/dt + w x l, of the wrenches. */
static void set_rates(struct sluice_bodies *b, int i)
{
    const struct sluice_body_now *now = &b->now[i];
    struct sluice_body_state *s = &b->state[i];
    struct sluice_body_system system;
    double none[6][6] = {{0}}, wrench[6], rate[6], gyration[3];
    sum_others(now, wrench);
    for (int k = 0; k < 6; k++)
        wrench[k] += now->wrench[SLUICE_BY_FLUID][k];
    if (b->body[i].locks == 0 && !now->held) { /* exactly the wrench: momentum is kept */
        for (int c = 0; c < 3; c++) {
            s->a[c] = wrench[c] / b->body[i].mass;
            s->t[c] = wrench[3 + c];
        }
        return;
    }
    set_system(b, i, wrench, &system, gyration);
    body_system_solve(&system, none, system.right, rate);
    sluice_matrix_times(now->inertia, rate + 3, s->t);
    for (int c = 0; c < 3; c++) {
        s->a[c] = rate[c];
        s->t[c] += now->held ? 0 : gyration[c];
    }
}

static void add_up(struct sluice_bodies *b, int i)
{
    const struct sluice_rigid_body *body = &b->body[i];
    const struct sluice_body_state *s = &b->state[i];
    double w[3], p[3], x[3], orbital[3];
    spin_of((const double(*)[3])b->now[i].inertia, s->l, w);
    for (int c = 0; c < 3; c++) {
        x[c] = b->now[i].pose.centre[c] - b->origin[c];
        p[c] = body->mass * s->v[c];
        b->momentum[c] += p[c];
        if (c >= b->config->dimension)
            continue;
        const double bound = b->config->domain.periodic[c] ? 0 : b->config->gravity[c];
        b->potential -= body->mass * bound * x[c];
        if (!b->now[i].held)
            b->driven_power += p[c] * (b->pull[c] - bound);
    }
    sluice_cross(x, p, orbital);
    for (int c = 0; c < 3; c++)
        b->angular[c] += orbital[c] + s->l[c];
    b->kinetic += 0.5 * (sluice_dot(p, s->v) + sluice_dot(w, s->l));
}

void sluice_bodies_kick(struct sluice_bodies *b, double dt, int first)
{
    b->kinetic = b->potential = b->driven_power = 0;
    memset(b->momentum, 0, sizeof b->momentum);
    memset(b->angular, 0, sizeof b->angular);
    for (int i = 0; i < b->count; i++) {
        struct sluice_body_state *s = &b->state[i];
        memcpy(s->a_old, s->a, sizeof s->a);
        memcpy(s->t_old, s->t, sizeof s->t);
        memcpy(s->solved, b->now[i].trial, sizeof s->solved);
        for (int k = 0; k < 6; k++)
            s->other[k] = b->now[i].wrench[SLUICE_BY_FLUID][k] - b->now[i].pressure[k];
        set_rates(b, i);
        if (first) {
            memcpy(s->a_old, s->a, sizeof s->a);
            memcpy(s->t_old, s->t, sizeof s->t);
        }
        if (!b->now[i].held) {
            add_vector(s->v, s->v_low, s->a, dt / 2);
            add_vector(s->l, s->l_low, s->t, dt / 2);
            if (b->body[i].locks)
                lock(&b->body[i], (const double(*)[3])b->now[i].inertia, s->v, s->l);
        }
        add_up(b, i);
    }
}

/* --- Limits --- */

void sluice_body_spin(const struct sluice_bodies *b, int body, double spin[3], double rate[3])
{
    const struct sluice_body_state *s = &b->state[body];
    const struct sluice_body_now *now = &b->now[body];
    double gyration[3], left[3];
    spin_of(now->inertia, s->l, spin);
    sluice_cross(spin, s->l, gyration);
    for (int c = 0; c < 3; c++)
        left[c] = now->held ? 0 : s->t[c] - gyration[c];
    spin_of(now->inertia, left, rate);
    for (int c = 0; c < 3; c++)
        if (b->body[body].locks & 8u << c) /* not even rounding */
            spin[c] = rate[c] = 0;
}

double sluice_body_speed(const struct sluice_bodies *b, int body)
{
    double w[3], rate[3];
    sluice_body_spin(b, body, w, rate);
    return sluice_norm(b->state[body].v) + sluice_norm(w) * b->body[body].reach;
}

void sluice_bodies_limits(const struct sluice_bodies *b, double dt, double *speed,
                          double *acceleration)
{
    for (int i = 0; i < b->count; i++) {
        const struct sluice_body_state *s = &b->state[i];
        double w[3], spin_rate[3];
        sluice_body_spin(b, i, w, spin_rate);
        const double spin = sluice_norm(w), spins = sluice_norm(spin_rate), most = b->body[i].reach,
                     a = sluice_norm(s->a);
        *speed = fmax(*speed, sluice_norm(s->v) + spin * most + dt / 2 * (a + spins * most));
        *acceleration = fmax(*acceleration, a + (spins + spin * spin) * most);
    }
}

int sluice_bodies_are_finite(const struct sluice_bodies *b, int *number)
{
    for (int i = 0; i < b->count; i++) {
        const double *real = (const double *)&b->state[i];
        for (int k = 0; k < SLUICE_BODY_STATE_REALS; k++)
            if (!isfinite(real[k])) {
                *number = i;
                return 0;
            }
    }
    return 1;
}
