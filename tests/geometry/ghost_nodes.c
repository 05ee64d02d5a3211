/* test: 1.0 s */
/* Ghost nodes: images of wall particles in the surface that the shapes make together. */
#include "support/case_config.h"

enum { FLUID = SLUICE_SHAPE_FLUID, WALL = SLUICE_SHAPE_WALL, VOID = SLUICE_SHAPE_VOID };
static struct test_config t;
static struct sluice_case c;

static void begin(int dimension, double x, double y, double z)
{
    test_wcsph(&t, dimension, 0.1);
    t.config.boundary.kind = SLUICE_BOUNDARY_MDBC;
    test_domain(&t, x, y, z);
    test_box(&t, FLUID, 0, 0, 0, 0.5, 0.5, 0.5);
}

static void build(const char *what)
{
    if (!is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, what))
        diag("%s", sluice_message());
    const struct sluice_start *wall = &c.start[SLUICE_WALL], *ghost = &c.start[SLUICE_GHOST];
    int64_t same = 0;
    for (int64_t i = 0; i < ghost->count && i < wall->count; i++) {
        double x[3], g[3];
        test_x(&c, SLUICE_WALL, i, x);
        test_x(&c, SLUICE_GHOST, i, g);
        double off = 0;
        for (int a = 0; a < 3; a++) /* nothing here is beyond a period */
            off += fabs(g[a] + wall->offset[i][a] - x[a]);
        same += wall->id[i] == ghost->id[i] && wall->id[i] == wall->id[0] + (sluice_id)i &&
                off < 1e-9;
    }
    ok(wall->count == ghost->count && same == wall->count,
       "a node for each of %lld wall particles, with its id, and the offset back to it",
       (long long)wall->count);
}

/* The node of the wall particle at (x, y, z). */
static void is_at(double x, double y, double z, double gx, double gy, double gz, const char *what)
{
    double off = INFINITY, p[3], g[3] = {0, 0, 0};
    for (int64_t i = 0; i < c.start[SLUICE_WALL].count; i++) {
        test_x(&c, SLUICE_WALL, i, p);
        if (fabs(p[0] - x) + fabs(p[1] - y) + fabs(p[2] - z) > 1e-6)
            continue;
        test_x(&c, SLUICE_GHOST, i, g);
        off = fabs(g[0] - gx) + fabs(g[1] - gy) + fabs(g[2] - gz);
    }
    if (!ok(off < 1e-9, "%s", what))
        diag("(%g, %g, %g) -> (%.9g, %.9g, %.9g)", x, y, z, g[0], g[1], g[2]);
}

static void flat(void)
{
    begin(2, 3, 2, 0);
    test_walls(&t, 1 | 4);
    test_box(&t, WALL, 1, 0.8, 0, 1.6, 1.4, 0);
    test_box(&t, WALL, 2, 0, 0, 2.3, 1.5, 0);
    build("a tank with a block and a plate");
    is_at(0.55, -0.05, 0, 0.55, 0.05, 0, "the floor's first layer");
    is_at(0.55, -0.25, 0, 0.55, 0.25, 0, "its last layer");
    is_at(2.95, -0.25, 0, 2.95, 0.25, 0, "where the domain ends, up all the same");
    is_at(-0.05, -0.15, 0, 0.05, 0.15, 0, "a tank's corner");
    is_at(1.05, 0.95, 0, 0.95, 0.95, 0, "a block's side");
    is_at(1.05, 0.85, 0, 0.95, 0.75, 0, "behind a block's edge: through the edge");
    is_at(1.25, 1.05, 0, 0.75, 0.55, 0, "deeper behind it");
    is_at(2.05, 0.75, 0, 1.95, 0.75, 0, "a thin plate's left side");
    is_at(2.25, 0.75, 0, 2.35, 0.75, 0, "its right side");
    is_at(2.15, 0.75, 0, 1.85, 0.75, 0, "its middle: to one side");
    is_at(2.15, -0.05, 0, 1.85, 0.05, 0, "the floor beneath it: past it");
    sluice_case_destroy(&c);

    begin(2, 3, 3, 0);
    test_box(&t, WALL, 1, 1, 0, 2.6, 2.6, 0);
    test_box(&t, VOID, 1.7, 1.7, 0, 1.9, 1.9, 0);
    build("a block with a hole");
    is_at(1.65, 1.75, 0, 1.75, 1.75, 0, "beside the hole");
    is_at(1.65, 1.65, 0, 1.75, 1.75, 0, "at the hole's corner");
    is_at(1.35, 1.35, 0, 0.65, 0.65, 0, "between both: to the nearer");
    is_at(2.15, 2.05, 0, 1.65, 1.75, 0, "farther from it than it is wide: beyond it");
    sluice_case_destroy(&c);

    begin(2, 3, 3, 0);
    test_box(&t, WALL, 1, 1, 0, 2.6, 2.6, 0)->fill = SLUICE_FILL_SOLID;
    build("a large block");
    is_at(1.75, 1.85, 0, 1.75, 1.85, 0, "out of all fluid's reach: where the particle is");
    sluice_case_destroy(&c);

    begin(2, 3, 3, 0);
    test_box(&t, WALL, 1, 1, 0, 2.6, 2.6, 0)->fill = SLUICE_FILL_SHELL;
    build("a shell");
    is_at(1.25, 1.85, 0, 0.75, 1.85, 0, "its hollow is no open place");
    sluice_case_destroy(&c);

    begin(2, 1, 1, 0);
    t.config.domain.periodic[0] = 1;
    test_walls(&t, 4);
    build("a periodic floor");
    is_at(0.05, -0.15, 0, 0.05, 0.15, 0, "at the period's end");
    sluice_case_destroy(&c);
}

static void deep(void)
{
    begin(3, 2, 2, 2);
    test_walls(&t, 1 | 4 | 16);
    test_box(&t, WALL, 1, 1, 1, 1.6, 1.6, 1.6);
    build("a tank with a cube");
    is_at(-0.05, -0.15, -0.25, 0.05, 0.15, 0.25, "a corner of three walls");
    is_at(0.35, -0.15, -0.05, 0.35, 0.15, 0.05, "a tank's edge");
    is_at(1.05, 1.05, 1.25, 0.95, 0.95, 1.25, "behind an edge of the cube");
    is_at(1.05, 1.05, 1.05, 0.95, 0.95, 0.95, "behind its corner");
    sluice_case_destroy(&c);
}

/* Along the radius, as far beyond the surface. */
static void round_shapes(void)
{
    begin(2, 3, 3, 0);
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_DISC, WALL);
    s->radius = 0.62;
    s->centre[0] = s->centre[1] = 1.5;
    build("a disc");
    const double x = 0.45, y = 0.25, far = (2 * 0.62 - hypot(x, y)) / hypot(x, y);
    is_at(1.5 + x, 1.5 - y, 0, 1.5 + far * x, 1.5 - far * y, 0, "a disc's particle");
    sluice_case_destroy(&c);

    begin(3, 3, 3, 3);
    s = test_shape(&t, SLUICE_SHAPE_CYLINDER, WALL);
    s->radius = 0.62;
    s->length = 1.2;
    s->axis = 2;
    s->centre[0] = s->centre[1] = s->centre[2] = 1.5;
    build("a cylinder");
    is_at(1.5 + x, 1.5 - y, 1.55, 1.5 + far * x, 1.5 - far * y, 1.55, "a cylinder's side");
    is_at(1.55, 1.45, 2.05, 1.55, 1.45, 2.15, "its cap");
    sluice_case_destroy(&c);
}

static void add_round(int kind, int type, double radius)
{
    struct sluice_shape *s = test_shape(&t, kind, type);
    s->radius = radius;
    s->length = 3; /* along x */
    s->centre[0] = s->centre[1] = 1.5;
    s->centre[2] = t.config.dimension == 3 ? 1.5 : 0;
}

/* Walls around a round hole: nodes go into the hole from its side, although the wall's own shape is
 * round, too. */
static void round_holes(void)
{
    const double x = 0.05, y = 1.25, far = (2 * 1.32 - hypot(x, y)) / hypot(x, y);
    begin(2, 3, 3, 0);
    add_round(SLUICE_SHAPE_DISC, WALL, 1.32);
    add_round(SLUICE_SHAPE_DISC, VOID, 0.62);
    build("a ring");
    is_at(1.55, 0.85, 0, 1.55, 0.95, 0, "its first layer, beneath the hole");
    is_at(1.55, 0.65, 0, 1.55, 1.15, 0, "its third");
    is_at(1.5 + x, 1.5 - y, 0, 1.5 + far * x, 1.5 - far * y, 0, "its last, to the outside");
    sluice_case_destroy(&c);

    begin(3, 3, 3, 3);
    t.config.domain.periodic[0] = 1;
    add_round(SLUICE_SHAPE_CYLINDER, WALL, 1.32);
    add_round(SLUICE_SHAPE_CYLINDER, VOID, 0.62);
    build("a pipe");
    is_at(0.05, 1.55, 0.85, 0.05, 1.55, 0.95, "its first layer, beneath the hole");
    is_at(0.05, 1.5 + x, 1.5 - y, 0.05, 1.5 + far * x, 1.5 - far * y, "its last");
    sluice_case_destroy(&c);
}

/* A moving wall uncovers the wall that it touches. */
static void motions(void)
{
    static struct sluice_motion motion = {.name = "m", .kind = SLUICE_MOTION_LINEAR};
    begin(2, 3, 2, 0);
    test_box(&t, WALL, 1, 0.5, 0, 1.3, 1.7, 0);
    struct sluice_shape *s = test_box(&t, WALL, 1.3, 0.5, 0, 1.6, 1.7, 0);
    build("two boxes that touch");
    is_at(1.25, 1.05, 0, 0.75, 1.05, 0, "are one wall");
    sluice_case_destroy(&c);
    t.config.motions = &motion;
    t.config.motion_count = 1;
    strcpy(s->motion, "m");
    build("one of them moves");
    is_at(1.25, 1.05, 0, 1.35, 1.05, 0, "the one at rest has a surface there");
    is_at(1.35, 1.05, 0, 1.25, 1.05, 0, "and the one that moves");
    int64_t moves = 0;
    for (int64_t i = 0; i < c.start[SLUICE_GHOST].count; i++)
        moves += c.start[SLUICE_GHOST].motion[i] == 1;
    is_int(moves, 36, "whose nodes move along");
    sluice_case_destroy(&c);
}

int main(void)
{
    flat();
    deep();
    round_shapes();
    round_holes();
    motions();
    begin(2, 3, 2, 0);
    test_walls(&t, 4);
    t.config.boundary.kind = SLUICE_BOUNDARY_ADAMI;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "other kinds of walls");
    ok(c.start[SLUICE_GHOST].count == 0 && !c.start[SLUICE_WALL].offset, "have none");
    sluice_case_destroy(&c);
    return done_testing();
}
