/* test: 1 s */
/* Contacts of bodies with walls that move, and with walls that voids and open sides cut. */
#include "contact_bodies.h"

/* A floor that moves along x carries a box with it. */
static void belt(void)
{
    begin(2, 0.02, 4, 0);
    add_moving_wall(4, 0.2, 0.5);
    const int b = add_box(1, 0.2, 0, 0.2, 11, 1000);
    set_material(1e7, 0.3, 0.4);
    w.gravity[1] = -9.81;
    start();
    const double first = energy();
    double work = 0;
    for (int i = 0; i < 4000; i++) {
        work += 1e-4 / 2 * w.result.driven;
        step(1e-4);
        work += 1e-4 / 2 * w.result.driven;
    }
    is_close(w.pose[b].velocity[0], 0.5, 1e-4, "a moving floor carries a box");
    /* It gives 0.5 M v^2 to the box and as much to the friction. */
    is_close(work, w.body[b].mass * 0.25, 0.01 * work, "its work is M v^2");
    is_close(energy(), first, 0.005 * work, "the energy closes with its work");
    end();
}

/* A wall that turns about z pushes a disc aside. */
static void paddle(void)
{
    begin(2, 0.02, 4, 0);
    struct sluice_shape *plate = add_shape(SLUICE_SHAPE_BOX);
    plate->min[0] = 2;
    plate->min[1] = 1.98;
    plate->max[0] = 3;
    plate->max[1] = 2.02;
    strcpy(plate->motion, "paddle");
    strcpy(w.motion[0].name, "paddle");
    w.motion[0].kind = SLUICE_MOTION_ROTATION;
    w.motion[0].rate = 1;
    w.motion[0].centre[0] = w.motion[0].centre[1] = 2;
    w.config.motion_count = 1;
    const int b = add_ball(2.7, 2.15, 0, 0.1, 17, 30);
    set_material(1e7, 1, 0);
    start();
    for (int i = 0; i < 2000; i++)
        step(1e-4);
    /* It meets the plate after asin(...) = 0.04 s at 0.7 m from the axis, and leaves with 2 v. */
    is_close(sluice_norm(w.pose[b].velocity), 2 * 0.7, 0.03,
             "a disc leaves a turning plate with twice its speed");
    end();
}

/* A ground with a shaft: cut by a later void, or by `without`. Boxes fall into the shaft. */
static void shaft(int by_void)
{
    const double dp = 0.02;
    begin(2, dp, 1, 0);
    if (!by_void) {
        struct sluice_shape *part = add_shape(SLUICE_SHAPE_BOX);
        part->type = SLUICE_SHAPE_PART;
        strcpy(part->name, "hole");
        part->min[0] = 0.4;
        part->max[0] = 0.6;
        part->max[1] = 0.4;
    }
    struct sluice_shape *ground = add_shape(SLUICE_SHAPE_BOX);
    ground->max[0] = 1;
    ground->max[1] = 0.4;
    if (!by_void)
        strcpy(ground->without, "hole");
    if (by_void) {
        struct sluice_shape *hole = add_shape(SLUICE_SHAPE_BOX);
        hole->type = SLUICE_SHAPE_VOID;
        hole->min[0] = 0.4;
        hole->max[0] = 0.6;
        hole->max[1] = 0.4;
    }
    const int in = add_box(0.46, 0.4, 0, 0.1, 6, 1), on = add_box(0.1, 0.4, 0, 0.1, 6, 1);
    set_material(1e6, 0.3, 0);
    w.gravity[1] = -9.81;
    w.pose[in].centre[1] = w.pose[on].centre[1] = 0.452;
    start();
    for (int i = 0; i < 8000; i++)
        step(2e-5);
    is_close(w.pose[in].centre[1], 0.452 - 9.81 * 0.16 * 0.16 / 2, 1e-6,
             by_void ? "a box falls freely into a hole that a void cuts"
                     : "a box falls freely into a hole of `without`");
    is_close(w.pose[on].centre[1], 0.45, 1e-3, "and one beside it stays on the ground");
    end();
}

/* A floor ends with the domain, but at a side that is a wall, too, or periodic. */
static void floor_end(unsigned sides, int periodic, int ends, const char *what)
{
    begin(2, 0.02, 1, sides);
    w.config.domain.periodic[0] = periodic;
    const int on = add_ball(0.3, 0.1, 0, 0.1, 64, 1), off = add_ball(0.8, 0.1, 0, 0.1, 64, 1);
    set_material(1e6, 0.3, 0);
    w.gravity[1] = -9.81;
    start();
    w.pose[off].centre[0] += 0.35;
    for (int i = 0; i < 4000; i++)
        step(5e-5);
    is_close(w.pose[on].centre[1], 0.1, 1e-3, what);
    is_close(w.pose[off].centre[1], ends ? 0.1 - 9.81 * 0.2 * 0.2 / 2 : 0.1, 1e-3,
             ends ? "and a ball falls freely beside it" : "and a ball beside it is carried");
    end();
}

static void floors(void)
{
    floor_end(4, 0, 1, "a floor carries a ball");
    floor_end(4, 1, 0, "so does a periodic one");
}

/* The shortest distance to a floor's end is sideways; a corner of two walls has no such end. */
static void corner_of_walls(void)
{
    for (int closed = 0; closed < 2; closed++) {
        begin(2, 0.02, 1, closed ? 4 | 2 : 4);
        const int b = add_box(0.9, 0, 0, 0.1, 6, 100);
        set_material(1e6, 0.3, 0);
        start();
        w.pose[b].centre[0] += closed ? 1e-3 : 0.099;
        w.pose[b].centre[1] -= 1e-3;
        find(0);
        const double *force = w.result.force[b];
        ok(closed ? force[0] < -1 && force[1] > 10 : force[0] >= 0 && force[1] > 1,
           "%s pushes a box that is 1 mm in it: %.4g, %.4g N",
           closed ? "a corner" : "a floor's end", force[0], force[1]);
        end();
    }
}

int main(void)
{
    belt();
    paddle();
    shaft(1);
    shaft(0);
    floors();
    corner_of_walls();
    return done_testing();
}
