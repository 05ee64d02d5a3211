/* Bodies for the tests of contact: their points, their state, and a leapfrog that moves them. */
#ifndef SLUICE_TESTS_CONTACT_H
#define SLUICE_TESTS_CONTACT_H
#include "contact/contact.h"
#include "core/timer.h"
#include "core/vector.h"
#include "support/case_config.h"

enum { MOST = 1100, WALL = SLUICE_SHAPE_WALL };
static const double pi = 3.14159265358979323846;

struct moving {
    double momentum[3], angular[3]; /* kg m/s; about the centre, kg m^2/s */
    double force[3], torque[3];
};

struct world {
    struct sluice_config config;
    struct sluice_shape shape[MOST + 8];
    struct sluice_motion motion[2];
    struct sluice_motions motions;
    struct sluice_geometry g;
    struct sluice_contact_body body[MOST];
    struct sluice_contact_material walls;
    struct sluice_pose pose[MOST];
    struct moving state[MOST];
    struct sluice_contacts *contacts;
    struct sluice_contact_result result;
    struct sluice_threads *team;
    double gravity[3], time, lost, before; /* lost: energy, J */
    int index[MOST], count;
    double (*point[MOST])[3];
};

static struct world w;

/* --- Bodies --- */

static struct sluice_shape *add_shape(int kind)
{
    struct sluice_shape *s = &w.shape[w.config.shape_count++];
    s->kind = kind;
    s->type = WALL;
    s->scale = 1;
    strcpy(s->file, "test.cfg");
    s->line = 10 + w.config.shape_count;
    return s;
}

/* An empty domain of this size from 0, with walls on some sides (bits 1 x-, 2 x+, 4 y-, ...). */
static void begin(int dimension, double spacing, double size, unsigned sides)
{
    static struct test_config t;
    test_wcsph(&t, dimension, spacing);
    memset(&w, 0, sizeof w);
    w.config = t.config;
    w.config.shapes = w.shape;
    w.config.motions = w.motion;
    w.motions.config = &w.config;
    for (int a = 0; a < dimension; a++)
        w.config.domain.max[a] = size;
    w.walls = (struct sluice_contact_material){1e7, 0.3, 0.5, 0.5};
    if (sides)
        add_shape(SLUICE_SHAPE_WALLS)->sides = sides;
}

static void add_point(struct sluice_contact_body *b, double x, double y, double z)
{
    const int64_t number = b - w.body;
    double(*point)[3] = realloc(w.point[number], (size_t)(b->points + 1) * sizeof *point);
    if (!point)
        exit(1);
    w.point[number] = point;
    point[b->points][0] = x;
    point[b->points][1] = y;
    point[b->points++][2] = z;
    b->point = (const double(*)[3])point;
}

static struct sluice_contact_body *add_body(double mass, const double centre[3])
{
    struct sluice_contact_body *b = &w.body[w.count];
    w.index[w.count] = w.config.shape_count - 1;
    b->shape = &w.index[w.count];
    b->shapes = 1;
    b->mass = mass;
    b->material = w.walls;
    memcpy(b->centre, centre, sizeof b->centre);
    memcpy(w.pose[w.count].centre, centre, sizeof b->centre);
    for (int a = 0; a < 3; a++)
        w.pose[w.count].turn[a][a] = 1;
    w.count++;
    return b;
}

/* A box whose lower corner is at x, y, z, with n points along each edge. Returns its number. */
static int add_box(double x, double y, double z, double size, int n, double density)
{
    const int flat = w.config.dimension == 2;
    const double at[3] = {x, y, flat ? 0 : z};
    const double centre[3] = {x + size / 2, y + size / 2, flat ? 0 : z + size / 2};
    struct sluice_shape *s = add_shape(SLUICE_SHAPE_BOX);
    for (int a = 0; a < w.config.dimension; a++) {
        s->min[a] = at[a];
        s->max[a] = at[a] + size;
    }
    const double mass = density * size * size * (flat ? 1 : size);
    struct sluice_contact_body *b = add_body(mass, centre);
    for (int a = 0; a < 3; a++)
        b->inertia[a][a] = mass * size * size / 6;
    for (int k = 0; k < (flat ? 1 : n); k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                if (i % (n - 1) == 0 || j % (n - 1) == 0 || (!flat && k % (n - 1) == 0))
                    add_point(b, at[0] + size * i / (n - 1), at[1] + size * j / (n - 1),
                              flat ? 0 : at[2] + size * k / (n - 1));
    return w.count - 1;
}

/* A disc, in 3-D a sphere with n points from pole to pole; the first point is the lowest one. */
__attribute__((unused)) static int add_ball(double x, double y, double z, double radius, int n,
                                            double mass)
{
    const int flat = w.config.dimension == 2;
    const double centre[3] = {x, y, flat ? 0 : z};
    struct sluice_shape *s = add_shape(flat ? SLUICE_SHAPE_DISC : SLUICE_SHAPE_SPHERE);
    s->radius = radius;
    memcpy(s->centre, centre, sizeof s->centre);
    struct sluice_contact_body *b = add_body(mass, centre);
    for (int a = 0; a < 3; a++)
        b->inertia[a][a] = (flat ? 0.5 : 0.4) * mass * radius * radius;
    for (int i = 0; i < n; i++) {
        const double from_pole = pi * i / (n - 1);
        const int around = flat ? 2 : i % (n - 1) == 0 ? 1 : (int)(2 * n * sin(from_pole));
        for (int k = 0; k < around; k++) {
            const double turn = 2 * pi * k / around, r = radius * sin(from_pole),
                         down = radius * cos(from_pole);
            if (flat)
                add_point(b, x + r * cos(turn), y - down, 0);
            else
                add_point(b, x + r * cos(turn), y + r * sin(turn), z - down);
        }
    }
    return w.count - 1;
}

__attribute__((unused)) static void set_material(double young, double restitution, double friction)
{
    const struct sluice_contact_material m = {young, 0.3, restitution, friction};
    w.walls = m;
    for (int b = 0; b < w.count; b++)
        w.body[b].material = m;
}

/* --- Motion --- */

/* 1, or 0 of a locked degree of freedom and of a body that is held. */
static int is_open(int b, int k)
{
    return w.time >= w.body[b].release && !(w.body[b].locks & 1u << k);
}

static void set_velocities(int b, double ahead)
{
    const struct sluice_contact_body *of = &w.body[b];
    struct sluice_pose *p = &w.pose[b];
    double l[3], own[3], spin[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        p->velocity[a] = (w.state[b].momentum[a] +
                          is_open(b, a) * ahead * (w.state[b].force[a] + of->mass * w.gravity[a])) /
                         of->mass;
        l[a] = w.state[b].angular[a] + is_open(b, 3 + a) * ahead * w.state[b].torque[a];
    }
    for (int i = 0; i < 3; i++) {
        own[i] = 0;
        for (int k = 0; k < 3; k++)
            own[i] += p->turn[k][i] * l[k];
        own[i] /= of->inertia[i][i];
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            spin[i] += p->turn[i][k] * own[k];
    memcpy(p->spin, spin, sizeof spin);
}

/* Turns by spin dt (Rodrigues). */
static void turn_body(struct sluice_pose *p, double dt)
{
    const double rate = sluice_norm(p->spin), angle = rate * dt;
    for (int k = 0; k < 3 && rate > 0; k++) {
        const double column[3] = {p->turn[0][k], p->turn[1][k], p->turn[2][k]},
                     along = sluice_dot(p->spin, column) / (rate * rate);
        double side[3];
        sluice_cross(p->spin, column, side);
        for (int i = 0; i < 3; i++)
            p->turn[i][k] = cos(angle) * column[i] + sin(angle) / rate * side[i] +
                            (1 - cos(angle)) * along * p->spin[i];
    }
}

static void find(double dt)
{
    if (sluice_contacts_find(w.contacts, w.pose, w.time, dt, w.team, &w.result) != SLUICE_OK) {
        diag("%s", sluice_message());
        exit(1);
    }
    for (int b = 0; b < w.count; b++) {
        memcpy(w.state[b].force, w.result.force[b], sizeof w.state[b].force);
        memcpy(w.state[b].torque, w.result.torque[b], sizeof w.state[b].torque);
    }
}

static void start(void)
{
    const struct sluice_contact_setup setup = {.geometry = &w.g,
                                               .motions = &w.motions,
                                               .body = w.body,
                                               .count = w.count,
                                               .walls = w.walls};
    struct sluice_warnings warnings = {0};
    if (sluice_geometry_create(&w.g, &w.config, 3, &warnings) != SLUICE_OK ||
        sluice_contacts_create(&w.contacts, &setup) != SLUICE_OK) {
        diag("%s", sluice_message());
        exit(1);
    }
    find(0);
}

static void end(void)
{
    sluice_contacts_destroy(&w.contacts);
    sluice_geometry_destroy(&w.g);
    for (int b = 0; b < w.count; b++)
        free(w.point[b]);
}

/* Gives a body a velocity and a spin about z. */
__attribute__((unused)) static void throw_body(int b, double vx, double vy, double vz, double spin)
{
    const double v[3] = {vx, vy, vz};
    for (int a = 0; a < 3; a++)
        w.state[b].momentum[a] = w.body[b].mass * v[a];
    w.state[b].angular[2] = w.body[b].inertia[2][2] * spin;
    set_velocities(b, 0);
}

static void kick(double dt)
{
    for (int b = 0; b < w.count; b++)
        for (int a = 0; a < 3; a++) {
            w.state[b].momentum[a] += is_open(b, a) * dt *
                                      (w.state[b].force[a] + w.body[b].mass * w.gravity[a]);
            w.state[b].angular[a] += is_open(b, 3 + a) * dt * w.state[b].torque[a];
        }
}

/* Kick, drift, kick; the forces see velocities that are predicted to the end of the step. */
__attribute__((unused)) static void step(double dt)
{
    kick(dt / 2);
    for (int b = 0; b < w.count; b++) {
        set_velocities(b, 0);
        for (int a = 0; a < 3; a++)
            w.pose[b].centre[a] += dt * w.pose[b].velocity[a];
        turn_body(&w.pose[b], dt);
        set_velocities(b, dt / 2);
    }
    w.time += dt;
    w.lost += dt / 2 * w.before;
    find(dt);
    w.before = w.result.dissipated - w.result.driven;
    w.lost += dt / 2 * w.before + w.result.shed;
    kick(dt / 2);
    for (int b = 0; b < w.count; b++)
        set_velocities(b, 0);
}

/* Kinetic, potential and elastic energy, and what was lost, J. */
__attribute__((unused)) static double energy(void)
{
    double sum = w.result.elastic + w.lost;
    for (int b = 0; b < w.count; b++)
        sum += w.body[b].mass * (sluice_dot(w.pose[b].velocity, w.pose[b].velocity) / 2 -
                                 sluice_dot(w.gravity, w.pose[b].centre)) +
               sluice_dot(w.state[b].angular, w.pose[b].spin) / 2;
    return sum;
}

__attribute__((unused)) static double limit(double speed)
{
    int body, other;
    return sluice_contacts_limit(w.contacts, speed, &body, &other);
}

/* A wall from the origin to x, y that moves along x. */
__attribute__((unused)) static void add_moving_wall(double x, double y, double velocity)
{
    struct sluice_shape *wall = add_shape(SLUICE_SHAPE_BOX);
    wall->max[0] = x;
    wall->max[1] = y;
    strcpy(wall->motion, "push");
    strcpy(w.motion[0].name, "push");
    w.motion[0].velocity[0] = velocity;
    w.config.motion_count = 1;
}
#endif
