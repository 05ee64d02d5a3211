/* test: 20 s, sanitize-slow */
/* The law of contact: rebound, overlaps at rest, friction, stacks, energy. */
#include "support/part.h"
#include "contact_bodies.h"

/* --- Impacts --- */

/* Drops body 0 at 1 m/s; returns the ratio of its speeds after and before. The energy must close.
 */
static double rebound(double restitution, const char *what)
{
    set_material(1e7, restitution, 0);
    start();
    const int up = w.config.dimension - 1;
    throw_body(0, 0, up == 1 ? -1 : 0, up == 2 ? -1 : 0, 0);
    const double dt = limit(1), first = energy();
    double off = 0, touched = 0;
    for (int i = 0; i < 20000 && !(touched > 0 && w.result.points == 0); i++) {
        step(dt);
        off = fmax(off, fabs(energy() - first));
        touched = fmax(touched, w.result.deepest.depth);
    }
    const double e = w.pose[0].velocity[up];
    /* Leapfrog with 50 steps an impact: 1e-3 of the energy, with strong dampers some. */
    ok(off < 4e-3 * first, "%s, e = %g: energy closes, off by %.2g of it", what, restitution,
       off / first);
    end();
    return e;
}

static void restitution(void)
{
    const double wanted[] = {1, 0.8, 0.5, 0.2, 0.05};
    for (int i = 0; i < 5; i++) {
        begin(2, 0.01, 1, 4);
        add_ball(0.5, 0.11, 0, 0.1, 64, 31.4);
        double e = rebound(wanted[i], "a disc");
        ok(fabs(e - wanted[i]) < 0.02 * wanted[i] + 0.003, "a disc rebounds with %g: %.4f",
           wanted[i], e);
        begin(3, 0.02, 1, 16);
        add_ball(0.5, 0.5, 0.22, 0.2, 33, 33.5);
        e = rebound(wanted[i], "a sphere");
        ok(fabs(e - wanted[i]) < 0.02 * wanted[i] + 0.003, "a sphere rebounds with %g: %.4f",
           wanted[i], e);
        begin(3, 0.02, 1, 16);
        add_box(0.4, 0.4, 0.02, 0.2, 11, 1000);
        e = rebound(wanted[i], "a box on its face");
        ok(fabs(e - wanted[i]) < 0.02 * wanted[i] + 0.003, "a box rebounds with %g: %.4f",
           wanted[i], e);
    }
}

/* A box that falls on a lighter one that cannot move, or on the floor where it cannot turn. */
static void locked(void)
{
    static const struct {
        unsigned locks;
        double release;
        const char *what;
    } other[] = {{63, 0, "locked"}, {2, 0, "locked along y"}, {0, 1e9, "held"}};
    double e;
    for (int i = 0; i < 3; i++) {
        begin(2, 0.02, 1, 4);
        add_box(0.42, 0.52, 0, 0.16, 9, 1000);
        add_box(0.4, 0.3, 0, 0.2, 11, 5);
        w.body[1].locks = other[i].locks;
        w.body[1].release = other[i].release;
        e = rebound(0.5, other[i].what);
        ok(fabs(e - 0.5) < 0.013, "a box rebounds from one that is %s: %.4f", other[i].what, e);
    }
    begin(2, 0.02, 1, 4);
    add_ball(0.5, 0.12, 0, 0.1, 64, 31.4);
    w.body[0].centre[0] = w.pose[0].centre[0] = 0.42;
    w.body[0].locks = 1 | 32;
    e = rebound(0.5, "locked about z");
    ok(fabs(e - 0.5) < 0.013, "a body that cannot turn rebounds alike beside its centre: %.4f", e);
}

/* A box that falls on a corner: the point of contact rebounds with e. */
static void corner(void)
{
    double low = 0, after = 0;
    begin(2, 0.02, 1, 4);
    add_box(0.4, 0.4, 0, 0.2, 11, 1000);
    set_material(1e9, 0.5, 0);
    start();
    throw_body(0, 0, -1, 0, 0);
    w.pose[0].spin[2] = 1;
    turn_body(&w.pose[0], 0.3);
    w.pose[0].centre[1] = 0.15;
    set_velocities(0, 0);
    const double dt = limit(1) / 2;
    for (int i = 0; i < 100000 && !(low > 0 && w.result.points == 0); i++) {
        step(dt);
        low = fmax(low, w.result.deepest.depth);
        const double *t = w.pose[0].turn[0], arm[3] = {-0.1 * t[0] - 0.1 * t[1], 0, 0};
        after = w.pose[0].velocity[1] + w.pose[0].spin[2] * arm[0];
    }
    /* The arm turns during the impact, and the ball is not at the very corner. */
    is_close(after, 0.5, 0.025, "a corner leaves the floor with e of its speed");
    end();
}

/* --- Overlaps at rest --- */

/* Box 0 rests in this pose: its contacts, on a wall or on box 1, carry its weight. share: the
 * points of its flat side over half of all its points; 0: it lies on no flat side. */
static void rests(const char *what, double share)
{
    double load[2] = {0, 0};
    find(0);
    load[0] = sluice_norm(w.result.force[0]);
    const double depth = w.result.deepest.depth;
    const struct sluice_contact_rest rest = sluice_contacts_rest(w.contacts, load);
    is_int(rest.body, 0, what);
    ok(rest.at_rest < depth, "%s: sinks by %.3g m, not less than %.3g", what, depth, rest.at_rest);
    if (share > 0) {
        is_close(rest.at_rest, pow(share, 2.0 / 3) * depth, 1e-9 * depth,
                 "on half of its points a box sinks less than on a flat side");
        is_close(rest.let_go, pow(2.5, 2.0 / 3) * depth, 1e-9 * depth,
                 "a flat side that is let go sinks 2.5^(2/3) times as deep as at rest");
    }
    end();
}

static void rest(void)
{
    for (int dimension = 2; dimension <= 3; dimension++)
        for (int i = 0; i < 3; i++) {
            const double tilt = 0.4 * i; /* about z in 2-D, about x in 3-D */
            begin(dimension, 0.02, 1, dimension == 2 ? 4 : 16);
            add_box(0.4, 0.4, 0.4, 0.2, 11, 1000);
            start();
            w.pose[0].spin[dimension == 2 ? 2 : 0] = 1;
            turn_body(&w.pose[0], tilt);
            w.pose[0].spin[0] = w.pose[0].spin[2] = 0;
            w.pose[0].centre[dimension - 1] = 0.1 * (cos(tilt) + sin(tilt)) - 0.015;
            rests(i == 0 ? "a box on its face" : "a box on its edge", i > 0 ? 0
                                                                      : dimension == 2
                                                                          ? 11 / 20.0
                                                                          : 121 / 301.0);
        }
    begin(2, 0.02, 1, 1 | 4);
    add_box(0, 0, 0, 0.2, 11, 1000);
    start();
    w.pose[0].centre[0] -= 0.015;
    w.pose[0].centre[1] -= 0.015;
    rests("a box in a corner", 0);
    begin(3, 0.02, 1, 0);
    add_box(0.4, 0.4, 0.6, 0.2, 11, 1000);
    add_box(0.4, 0.4, 0.4, 0.2, 11, 1000);
    start();
    w.pose[0].centre[2] -= 0.001;
    rests("a box on another", 121 / 301.0);
}

/* --- Friction --- */

/* A block on a floor, with gravity tilted by `angle`. Returns the change of its speed in the second
 * half of the time, and its displacement in that half. */
static double slide(double angle, double friction, int steps, double dt, double *way)
{
    begin(2, 0.02, 4, 4);
    const int b = add_box(0.4, 0, 0, 0.2, 11, 1000);
    set_material(1e7, 0.5, friction);
    w.gravity[0] = 9.81 * sin(angle);
    w.gravity[1] = -9.81 * cos(angle);
    start();
    double speed = 0;
    for (int i = 0; i < steps; i++) {
        step(dt);
        if (i == steps / 2 - 1) {
            *way = -w.pose[b].centre[0];
            speed = -w.pose[b].velocity[0];
        }
    }
    *way += w.pose[b].centre[0];
    speed += w.pose[b].velocity[0];
    end();
    return speed;
}

static void incline(void)
{
    const double angle = 20 * pi / 180, dt = 1e-4;
    double way;
    /* The last bits of 0.5 m, and of the velocities that they come from. */
    const double speed = slide(angle, 0.4, 200000, dt, &way);
    ok(fabs(way) < 1e-15 && fabs(speed) < 1e-13,
       "mu > tan(angle): 100,000 steps without creep: %.2g m, %.2g m/s", way, speed);
    const double got = slide(angle, 0.2, 10000, dt, &way) / (5000 * dt),
                 wanted = 9.81 * (sin(angle) - 0.2 * cos(angle));
    ok(fabs(got - wanted) < 0.001 * wanted, "mu < tan(angle): slides with %.5f, wanted %.5f m/s^2",
       got, wanted);
}

/* A ball thrown along the floor slides until it rolls with 5/7 of its speed. */
static void rolling(void)
{
    begin(3, 0.02, 1, 16);
    add_ball(0.2, 0.5, 0.1, 0.1, 33, 4);
    set_material(1e7, 0.5, 0.5);
    w.gravity[2] = -9.81;
    start();
    throw_body(0, 0.5, 0, 0, 0);
    for (int i = 0; i < 8000; i++)
        step(2e-5);
    ok(fabs(w.pose[0].velocity[0] - 0.5 * 5 / 7) < 0.02,
       "a ball that slides comes to roll with 5/7 of its speed: %.4f m/s", w.pose[0].velocity[0]);
    is_close(w.pose[0].spin[1] * 0.1, w.pose[0].velocity[0], 0.02, "without slip");
    end();
}

/* Five boxes, each moved sideways by a different multiple of `aside`. Such a stack sways for long:
 * its rubber (overlaps of 0.1 mm) damps slow motions little. */
static void stack(double aside, double still, const char *what)
{
    enum { BOXES = 5, STEPS = 30000 };
    double way = 0, before[BOXES][3], carried[BOXES], fastest = 0, tilt = 0;
    begin(3, 0.02, 1, 16);
    for (int i = 0; i < BOXES; i++)
        add_box(0.4 + aside * (i % 2), 0.4 + aside * (i % 3), 0.1 * i, 0.1, 6, 1000);
    set_material(1e7, 0.5, 0.5);
    w.gravity[2] = -9.81;
    start();
    const double first = energy();
    for (int i = 0; i < STEPS; i++) {
        step(1e-4);
        for (int b = 0; b < BOXES && i == STEPS - 2000; b++)
            memcpy(before[b], w.pose[b].centre, sizeof before[b]);
    }
    for (int b = 0; b < BOXES; b++) {
        carried[b] = w.result.force[b][2];
        for (int a = 0; a < 3; a++)
            way = fmax(way, fabs(w.pose[b].centre[a] - before[b][a]));
        fastest = fmax(fastest, sluice_norm(w.pose[b].velocity));
        tilt = fmax(tilt, 1 - w.pose[b].turn[2][2]);
    }
    ok(way < still && fastest < 50 * still, "%s: a stack of five boxes rests: %.2g m, %.2g m/s",
       what, way, fastest);
    ok(tilt < 1e-5, "%s: and stands: %.2g", what, tilt);
    ok(fabs(energy() - first) < 3e-3 * 9.81 * 0.1, "%s: its energy closes: %.2g J", what,
       energy() - first);
    for (int b = 0; b < BOXES; b++)
        ok(fabs(carried[b] - 9.81) < 1e2 * still, "%s: box %d is carried: %.9g N", what, b,
           carried[b]);
    end();
}

/* Boxes and balls that are thrown into a pit and come to rest. */
static void pit(void)
{
    double least = 0, kinetic = 0;
    begin(3, 0.02, 0.4, 1 | 2 | 4 | 8 | 16);
    for (int i = 0; i < 12; i++) {
        const double x = 0.03 + 0.18 * (i % 2), y = 0.03 + 0.18 * (i / 2 % 2);
        const int b = i % 3 ? add_box(x, y, 0.06 + 0.18 * (i / 4), 0.1, 6, 1000)
                            : add_ball(x + 0.05, y + 0.05, 0.11 + 0.18 * (i / 4), 0.06, 12, 0.9);
        for (int a = 0; a < 3; a++) {
            w.pose[b].spin[a] = sin(3 * i + a);
            w.state[b].momentum[a] = w.body[b].mass * cos(5 * i + 2 * a);
            w.state[b].angular[a] = w.body[b].inertia[a][a] * 3 * sin(7 * i + a);
        }
    }
    set_material(1e7, 0.3, 0.5);
    w.gravity[2] = -9.81;
    start();
    for (int b = 0; b < w.count; b++) {
        turn_body(&w.pose[b], 0.5);
        set_velocities(b, 0);
    }
    find(0);
    const double first = energy(), dt = limit(1);
    while (w.time < 0.8) {
        step(dt);
        least = fmin(least, w.result.dissipated);
    }
    for (int b = 0; b < w.count; b++)
        kinetic += w.body[b].mass * sluice_dot(w.pose[b].velocity, w.pose[b].velocity) / 2;
    /* Balls roll on without resistance. */
    ok(kinetic < 2e-2 * w.lost && least >= 0, "a heap comes to rest: %.2g J of %.3g J", kinetic,
       w.lost);
    /* Springs of friction are integrated to first order when contacts begin, slide and end. */
    ok(fabs(energy() - first) < 5e-3 * w.lost, "its energy closes: %.2g J", energy() - first);
    end();
}

/* --- At an instant --- */

/* Two boxes, and the floor, that overlap and move in all directions. */
static void begin_clutter(double restitution, double friction)
{
    begin(3, 0.02, 1, 16 | 1);
    add_box(0.2, 0.2, 0.0, 0.2, 11, 1000);
    add_box(0.3, 0.26, 0.2, 0.2, 11, 500);
    add_ball(0.1, 0.3, 0.1, 0.1, 17, 3);
    set_material(1e6, restitution, friction);
    start();
    for (int b = 0; b < 3; b++) {
        for (int a = 0; a < 3; a++) {
            w.state[b].momentum[a] = w.body[b].mass * 0.05 * sin(3 * b + a + 1);
            w.state[b].angular[a] = w.body[b].inertia[a][a] * 0.3 * cos(2 * b + 5 * a);
        }
        w.pose[b].centre[2] -= 2e-4;
        w.pose[b].centre[0] -= 1e-4 * b;
        set_velocities(b, 0);
    }
}

static double power(void)
{
    double sum = 0;
    for (int b = 0; b < w.count; b++)
        sum += sluice_dot(w.result.force[b], w.pose[b].velocity) +
               sluice_dot(w.result.torque[b], w.pose[b].spin);
    return sum;
}

/* Moves with constant velocities: a difference of energies against the powers at both ends. */
static void identity(double restitution, double friction, const char *what)
{
    double worst = 0, size = 0, least = 0;
    begin_clutter(restitution, friction);
    for (int i = 0; i < 400; i++) {
        const double dt = i % 4 == 3 ? 1e-8 : 1e-5, elastic = w.result.elastic,
                     lost = w.result.dissipated + power();
        const int64_t points = w.result.points;
        for (int b = 0; b < w.count; b++) {
            for (int a = 0; a < 3; a++)
                w.pose[b].centre[a] += dt * w.pose[b].velocity[a];
            turn_body(&w.pose[b], dt);
        }
        find(dt);
        least = fmin(least, w.result.dissipated);
        if (i % 4 < 3 || w.result.points != points)
            continue;
        const double rate = (w.result.elastic - elastic) / dt;
        worst = fmax(worst, fabs(rate + (lost + w.result.dissipated + power()) / 2));
        size = fmax(size, fabs(power()));
    }
    /* The energies' own rounding over dt, and the curvature of 1e-8 s. */
    ok(worst < 1e-5 * size && w.result.points > 30,
       "%s: the power of the forces is what springs and losses take: off by %.2g of %.3g W", what,
       worst, size);
    ok(least >= -1e-12 * size, "%s: nothing is ever gained: %.2g W", what, least);
    end();
}

/* Without damper and friction the force is the gradient of the energy. */
static void conservative(void)
{
    double off = 0, most = 0;
    begin_clutter(1, 0);
    find(0);
    for (int b = 0; b < 3; b++)
        for (int a = 0; a < 3; a++) {
            const double h = 1e-8, force = w.result.force[b][a], at = w.pose[b].centre[a];
            w.pose[b].centre[a] = at + h;
            find(0);
            const double above = w.result.elastic;
            w.pose[b].centre[a] = at - h;
            find(0);
            const double below = w.result.elastic;
            w.pose[b].centre[a] = at;
            find(0);
            off = fmax(off, fabs(force + (above - below) / (2 * h)));
            most = fmax(most, fabs(force));
        }
    ok(off < 1e-5 * most, "the force is minus the gradient of the energy: off by %.2g of %.3g N",
       off, most);
    end();
}

/* A contact that parts does not pull, at any speed. */
static void no_pulling(void)
{
    double least = 0;
    begin(2, 0.02, 1, 4);
    const int b = add_box(0.3, 0, 0, 0.2, 11, 1000);
    set_material(1e7, 0.1, 0.5);
    start();
    w.pose[b].centre[1] -= 1e-4;
    for (int i = 0; i < 100; i++) {
        throw_body(b, 0, 0.1 * i, 0, 0);
        find(0);
        least = fmin(least, w.result.force[b][1]);
    }
    ok(least >= 0 && w.result.points > 0, "a contact that parts does not pull: %g N", least);
    end();
}

static void newton(void)
{
    double off = 0, most = 0, whirl = 0;
    begin(3, 0.02, 1, 0);
    add_box(0.2, 0.2, 0.2, 0.2, 11, 1000);
    add_box(0.3, 0.26, 0.4, 0.2, 11, 500);
    set_material(1e6, 0.5, 0.4);
    start();
    w.pose[1].centre[2] -= 1e-3;
    throw_body(0, 0.1, 0.2, 0.3, 0.5);
    throw_body(1, -0.3, 0.1, -0.2, -1);
    for (int i = 0; i < 50; i++) {
        find(1e-5);
        double sum[3] = {0, 0, 0};
        for (int b = 0; b < 2; b++) {
            double torque[3];
            sluice_cross(w.pose[b].centre, w.result.force[b], torque);
            for (int a = 0; a < 3; a++)
                sum[a] += torque[a] + w.result.torque[b][a];
        }
        for (int a = 0; a < 3; a++) {
            off = fmax(off, fabs(w.result.force[0][a] + w.result.force[1][a]));
            most = fmax(most, fabs(w.result.force[0][a]));
        }
        whirl = fmax(whirl, sluice_norm(sum));
    }
    ok(most > 1 && !(off > 0), "the forces of two bodies are opposite, to the bit: %g N", off);
    ok(whirl < 1e-14 * most, "and so are their moments: %.2g N m of forces of %.3g N", whirl, most);
    end();
}

static void at_rest(void)
{
    stack(0, 1e-11, "flush");
}

static void swaying(void)
{
    stack(0.0037, 5e-4, "staggered");
}

static void identities(void)
{
    identity(0.5, 0.4, "with friction");
    identity(0.1, 0.05, "sliding, damped");
    identity(1, 0.4, "without a damper");
    identity(0.7, 0, "without friction");
}

int main(void)
{
    void (*const check[])(void) = {identities,   restitution, locked,  corner,  incline,
                                   newton,       rolling,     at_rest, swaying, pit,
                                   conservative, no_pulling,  rest};
    for (int k = 0; k < (int)(sizeof check / sizeof *check); k++)
        if (part_has(k, 4))
            check[k]();
    return done_testing();
}
