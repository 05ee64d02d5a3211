/* test: 3 s */
/* Contacts on the surface of a union, on tips and edges, and of round bodies. */
#include "support/part.h"
#include "contact_bodies.h"

static const double spacing = 0.02;

static void add_wall_box(double x0, double y0, double z0, double x1, double y1, double z1)
{
    const double min[3] = {x0, y0, z0}, max[3] = {x1, y1, z1};
    struct sluice_shape *s = add_shape(SLUICE_SHAPE_BOX);
    memcpy(s->min, min, sizeof min);
    memcpy(s->max, max, sizeof max);
}

/* Gravity down the last axis; the step of the stiffest impact at 1 m/s. */
static double begin_to_move(double young, double restitution, double friction)
{
    set_material(young, restitution, friction);
    w.gravity[w.config.dimension - 1] = -9.81;
    start();
    return limit(1);
}

/* --- Seams --- */

/* A frictionless box that slides at 1 m/s for half a second: its speed. */
static double slide(double dt)
{
    throw_body(0, 1, 0, 0, 0);
    while (w.time < 0.5)
        step(dt);
    const double speed = w.pose[0].velocity[0];
    end();
    return speed;
}

static void seams(void)
{
    static const struct {
        int boxes;
        double overlap, young;
    } floors[] = {{1, 0, 1e6}, {2, 0, 1e6}, {20, 0, 1e6}, {5, 0.04, 1e6}, {20, 0, 1e5}};
    for (int i = 0; i < 5; i++)
        for (int dimension = 2; dimension <= (i == 2 ? 3 : 2); dimension++) {
            const int n = floors[i].boxes;
            begin(dimension, spacing, 1, 0);
            for (int k = 0; k < n; k++)
                if (dimension == 2)
                    add_wall_box((double)k / n, 0, 0, (k + 1.0) / n + floors[i].overlap, 0.1, 0);
                else
                    add_wall_box((double)k / n, 0, 0, (k + 1.0) / n, 1, 0.1);
            add_box(0.2, dimension == 2 ? 0.1 : 0.4, 0.1, 0.1, 6, 7800);
            const double speed = slide(begin_to_move(floors[i].young, 0, 0));
            ok(fabs(speed - 1) < 0.003, "%d-D: %d boxes that overlap by %g m, %g Pa: %.6f m/s",
               dimension, n, floors[i].overlap, floors[i].young, speed);
        }
}

/* Along the top of one body, and of two that lie side by side. */
static void tops(void)
{
    for (int bodies = 1; bodies <= 2; bodies++) {
        begin(2, spacing, 1, 0);
        add_box(0.2, 0.4, 0, 0.1, 6, 7800);
        for (int i = 0; i < bodies; i++) {
            const int b = add_box(0.4 * i, 0, 0, 0.4, 21, 1000);
            w.body[b].locks = 63;
        }
        const double dt = begin_to_move(1e6, 0, 0);
        throw_body(0, 1, 0, 0, 0);
        while (w.time < (bodies == 1 ? 0.09 : 0.45))
            step(dt);
        ok(fabs(w.pose[0].velocity[0] - 1) < 0.003, "along the top of %d bodies: %.6f m/s", bodies,
           w.pose[0].velocity[0]);
        end();
    }
}

/* --- Tips --- */

/* Lets body 0 fall and come to rest; returns its distance from the exact place, in spacings. */
static double settle(double place, double dt, double until)
{
    const int up = w.config.dimension - 1;
    const double start_time = w.time;
    while (w.time < start_time + until)
        step(dt);
    const double off = fabs(w.pose[0].centre[up] - place) / spacing;
    end();
    return off;
}

static void wedges(void)
{
    const double degrees[] = {11, 4.6, 60};
    for (int i = 0; i < 3; i++) {
        const double half = 0.3 * tan(degrees[i] / 2 * pi / 180);
        double corner[3][2] = {{0.51 - half, 0.1}, {0.51 + half, 0.1}, {0.51, 0.4}};
        begin(2, spacing, 1, 0);
        struct sluice_shape *s = add_shape(SLUICE_SHAPE_POLYGON);
        s->points.count = 3;
        memcpy(s->points.at, corner, sizeof corner);
        const int b = add_box(0.4, 0.42, 0, 0.2, 11, 1000);
        w.body[b].locks = 1 | 32;
        const double off = settle(0.5, begin_to_move(1e9, 0.2, 0.4), 0.25);
        ok(off < 0.3, "a box rests on a wedge of %g degrees, %.3f spacings off", degrees[i], off);
    }
}

static void cone(void)
{
    begin(3, spacing, 1, 0);
    struct sluice_shape *s = add_shape(SLUICE_SHAPE_CONE);
    s->axis = 2;
    s->length = 0.3;
    s->radius = 0.3 * tan(14 * pi / 180);
    s->centre[0] = 0.507;
    s->centre[1] = 0.513;
    s->centre[2] = 0.25;
    const int b = add_box(0.4, 0.4, 0.42, 0.2, 11, 1000);
    w.body[b].locks = 3 | 56;
    const double off = settle(0.5, begin_to_move(1e9, 0.2, 0.4), 0.25);
    ok(off < 0.3, "a box rests on a cone of 28 degrees, %.3f spacings off", off);
}

/* A disc on two edges 10 spacings apart: two boxes, or one shape. */
static void slot(void)
{
    double corner[8][2] = {{0.2, 0.1}, {0.8, 0.1}, {0.8, 0.4}, {0.6, 0.4},
                           {0.6, 0.2}, {0.4, 0.2}, {0.4, 0.4}, {0.2, 0.4}};
    for (int shapes = 1; shapes <= 2; shapes++) {
        begin(2, spacing, 1, 0);
        if (shapes == 2) {
            add_wall_box(0.2, 0.1, 0, 0.4, 0.4, 0);
            add_wall_box(0.6, 0.1, 0, 0.8, 0.4, 0);
        } else {
            struct sluice_shape *s = add_shape(SLUICE_SHAPE_POLYGON);
            s->points.count = 8;
            memcpy(s->points.at, corner, sizeof corner);
        }
        add_ball(0.5, 0.58, 0, 0.2, 32, 125);
        const double off = settle(0.4 + sqrt(0.03), begin_to_move(1e9, 0.2, 0.4), 0.25);
        ok(off < 0.3, "a disc rests on the edges of a slot of %d shapes, %.3f spacings off", shapes,
           off);
    }
}

/* --- Round bodies --- */

/* A ball of 10 spacings rolls for 0.57 m: on one floor, over seams, on another body. */
static void rolls(int dimension, int floor, const char *what)
{
    begin(dimension, spacing, 1.4, 0);
    const double up = 0.2 + (floor == 2 ? 1.2 : 0.1);
    if (dimension == 2)
        add_ball(0.3, up, 0, 0.2, 32, 125);
    else
        add_ball(0.3, 0.5, up, 0.2, 32, 33);
    for (int k = 0; k < (floor == 1 ? 7 : 1) && floor < 2; k++) {
        const double from = floor == 1 ? 0.2 * k : 0, to = floor == 1 ? from + 0.2 : 1.4;
        if (dimension == 2)
            add_wall_box(from, 0, 0, to, 0.1, 0);
        else
            add_wall_box(from, 0, 0, to, 1.4, 0.1);
    }
    if (floor == 2)
        w.body[add_box(0, 0, 0, 1.2, 61, 1000)].locks = 63;
    const double dt = begin_to_move(1e7, 0.5, 0.5);
    throw_body(0, 1, 0, 0, dimension == 2 ? -5 : 0);
    w.state[0].angular[1] = dimension == 3 ? 5 * w.body[0].inertia[1][1] : 0;
    set_velocities(0, 0);
    while (w.pose[0].centre[0] < 0.87 && w.time < 1)
        step(dt);
    const double speed = w.pose[0].velocity[0];
    ok(fabs(speed - 1) < 0.01, "%d-D: a ball rolls on %s: %.6f m/s after 0.57 m", dimension, what,
       speed);
    end();
}

static void rolling(void)
{
    rolls(2, 0, "a floor");
    rolls(2, 1, "seven boxes");
    rolls(2, 2, "another body");
    rolls(3, 0, "a floor");
}

/* A cylinder rolls on its side, and stands on its end. */
static void cylinders(void)
{
    for (int stands = 0; stands < 2; stands++) {
        const double centre[3] = {0.2, 0.5, stands ? 0.2 : 0.205};
        begin(3, spacing, 1, 16);
        struct sluice_shape *s = add_shape(SLUICE_SHAPE_CYLINDER);
        s->axis = stands ? 2 : 1;
        s->radius = 0.2;
        s->length = 0.4;
        memcpy(s->centre, centre, sizeof centre);
        struct sluice_contact_body *b = add_body(50, centre);
        for (int a = 0; a < 3; a++)
            b->inertia[a][a] = a == s->axis ? 1 : 1.17;
        for (int i = 0; i < 63; i++)
            for (int k = 0; k <= 20; k++) {
                double x[3] = {0};
                x[s->axis] = 0.02 * k - 0.2;
                x[(s->axis + 1) % 3] = 0.2 * cos(0.1 * i);
                x[(s->axis + 2) % 3] = 0.2 * sin(0.1 * i);
                add_point(b, centre[0] + x[0], centre[1] + x[1], centre[2] + x[2]);
            }
        const double dt = begin_to_move(1e7, 0.3, 0.5);
        if (stands) {
            const double off = settle(0.2, dt, 0.2);
            ok(off < 0.3, "a cylinder stands on its end, %.3f spacings off", off);
            continue;
        }
        throw_body(0, 1, 0, 0, 0);
        w.state[0].angular[1] = 5 * w.body[0].inertia[1][1];
        set_velocities(0, 0);
        while (w.time < 0.4)
            step(dt);
        ok(fabs(w.pose[0].velocity[0] - 1) < 0.01, "a cylinder rolls: %.6f m/s",
           w.pose[0].velocity[0]);
        end();
    }
}

/* --- State and energy --- */

/* Discs, a wedge of wall and a box in a heap: points of walls, and circles. */
static void begin_heap(int swap)
{
    double corner[3][2] = {{0.44, 0}, {0.56, 0}, {0.5, 0.2}};
    begin(2, spacing, 1, 1 | 2 | 4);
    struct sluice_shape *s = add_shape(SLUICE_SHAPE_POLYGON);
    s->points.count = 3;
    memcpy(s->points.at, corner, sizeof corner);
    for (int i = 0; i < 4; i++)
        switch (swap ? 3 - i : i) {
        case 0:
            add_box(0.41, 0.21, 0, 0.2, 11, 1000);
            break;
        case 1:
            add_ball(0.3, 0.1, 0, 0.1, 16, 31);
            break;
        case 2:
            add_ball(0.7, 0.11, 0, 0.1, 16, 31);
            break;
        default:
            add_ball(0.5, 0.53, 0, 0.1, 16, 31);
        }
    set_material(1e7, 0.3, 0.4);
    w.gravity[1] = -9.81;
    start();
}

static void restores(void)
{
    enum { ROWS = 1000 };
    static double before[ROWS][SLUICE_CONTACT_NUMBERS], after[ROWS][SLUICE_CONTACT_NUMBERS];
    struct sluice_pose pose[4];
    int of_walls = 0, circles = 0;
    begin_heap(0);
    const double dt = limit(2), first = energy();
    for (int i = 0; i < 20000 && w.time < 0.8; i++)
        step(dt);
    ok(fabs(energy() - first) < 5e-3 * w.lost,
       "the energy of a heap with a tip closes: %.2g J of "
       "%.3g J",
       energy() - first, w.lost);
    const int64_t count = sluice_contacts_history(w.contacts, NULL);
    if (!ok(count > 0 && count < ROWS, "it keeps %lld contacts", (long long)count))
        return;
    sluice_contacts_history(w.contacts, before);
    for (int64_t i = 0; i < count; i++) {
        of_walls += before[i][0] < 0;
        circles += before[i][2] > 1e5;
    }
    ok(of_walls > 0 && circles > 0, "%d of points of walls, %d of circles", of_walls, circles);
    memcpy(pose, w.pose, sizeof pose);
    is_int(
        sluice_contacts_restore(w.contacts, (const double(*)[SLUICE_CONTACT_NUMBERS])before, count),
        SLUICE_OK, "the state is restored");
    sluice_contacts_history(w.contacts, after);
    ok(same_bits(before, after, (size_t)count * sizeof *before), "it is what was saved");
    find(dt);
    const double elastic = w.result.elastic;
    is_int(
        sluice_contacts_restore(w.contacts, (const double(*)[SLUICE_CONTACT_NUMBERS])before, count),
        SLUICE_OK, "and again");
    if (sluice_threads_create(&w.team, 3) != SLUICE_OK)
        exit(1);
    find(dt);
    ok(same_bits(&elastic, &w.result.elastic, sizeof elastic),
       "with three threads it goes on with the same bits");
    sluice_threads_destroy(&w.team);
    end();
}

static void numbering(void)
{
    struct sluice_pose forwards[4];
    int same = 0;
    for (int swap = 0; swap < 2; swap++) {
        begin_heap(swap);
        const double dt = limit(2);
        while (w.time < 0.5)
            step(dt);
        for (int b = 0; b < 4 && swap; b++)
            same += same_bits(&forwards[3 - b], &w.pose[b], sizeof w.pose[b]);
        memcpy(forwards, w.pose, sizeof forwards);
        end();
    }
    is_int(same, 4, "balls and boxes that are numbered backwards move alike, to the bit");
}

/* A disc that sinks into a soft box by more than a spacing, near its edge. */
static void sinks(void)
{
    double off = 0, deepest = 0;
    begin(2, spacing, 1, 4);
    w.body[add_box(0.4, 0, 0, 0.2, 11, 1000)].locks = 63;
    add_ball(0.57, 0.29, 0, 0.08, 24, 40);
    begin_to_move(3e4, 1, 0);
    throw_body(1, 0, -1, 0, 0);
    const double first = energy();
    while (w.time < 0.3) {
        step(1e-5);
        off = fmax(off, fabs(energy() - first));
        deepest = fmax(deepest, w.result.deepest.depth);
    }
    ok(deepest > spacing && off < 2e-3 * 20, "a disc sinks by %.2f spacings, energy off by %.2g J",
       deepest / spacing, off);
    end();
}

/* A wedge of wall rises against a box: its work is booked. */
static void pushes(void)
{
    double corner[3][2] = {{0.44, 0}, {0.56, 0}, {0.5, 0.2}};
    begin(2, spacing, 1, 0);
    struct sluice_shape *s = add_shape(SLUICE_SHAPE_POLYGON);
    s->points.count = 3;
    memcpy(s->points.at, corner, sizeof corner);
    strcpy(s->motion, "rise");
    strcpy(w.motion[0].name, "rise");
    w.motion[0].velocity[1] = 0.5;
    w.config.motion_count = 1;
    w.body[add_box(0.41, 0.22, 0, 0.2, 11, 1000)].locks = 1 | 32;
    const double dt = begin_to_move(1e9, 0.5, 0.4), first = energy();
    double driven = 0;
    while (w.time < 0.3) {
        step(dt);
        driven += dt * w.result.driven;
    }
    ok(driven > 10 && fabs(energy() - first) < 2e-3 * driven,
       "a wedge that rises does %.4g J of work, booked to %.2g J", driven, energy() - first);
    ok(fabs(w.pose[0].centre[1] - 0.45) < 0.3 * spacing, "and carries the box: at %.4f m",
       w.pose[0].centre[1]);
    end();
}

int main(void)
{
    void (*const check[])(void) = {seams,     tops,     wedges,    cone,  slot,  rolling,
                                   cylinders, restores, numbering, sinks, pushes};
    for (int k = 0; k < (int)(sizeof check / sizeof *check); k++)
        if (part_has(k, 4))
            check[k]();
    return done_testing();
}
