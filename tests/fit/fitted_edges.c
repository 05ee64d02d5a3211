/* test: 3 s */
/* Where fitted walls and their fluid end: the deepest layer, the free surface, and open sides of
 * the domain. */
#include <unistd.h>

#include "fitted.h"

/* --- A solid box whose faces lie on the centres of cells --- */

static struct sluice_shape *solid(int kind)
{
    struct sluice_shape *s = test_shape(&t, kind, WALL);
    s->fit = SLUICE_FIT_SURFACE;
    s->fill = SLUICE_FILL_SOLID;
    return s;
}

/* The box's deepest seed is five spacings deep but for rounding: on the border of a layer that the
 * box does not have. Returns the number of particles that the layers of both solids should have. */
static int64_t box_on_centres(int box_first)
{
    const double rounding = 1e-13;
    begin(2, 6, 4, 0);
    test_box(&t, FLUID, 0, 0, 0, 6, 3, 0);
    test_walls(&t, 7);
    for (int k = 0; k < 2; k++)
        if ((k == 0) == box_first) {
            struct sluice_shape *s = solid(SLUICE_SHAPE_BOX);
            s->min[0] = 1.55 + rounding;
            s->min[1] = 0.75 + rounding;
            s->max[0] = 2.55 - rounding;
            s->max[1] = 1.75 - rounding;
        } else {
            struct sluice_shape *s = solid(SLUICE_SHAPE_DISC);
            s->centre[0] = 4.5;
            s->centre[1] = 1.5;
            s->radius = 0.43;
        }
    is_int(test_create(&c, &t, said), SLUICE_OK,
           box_first ? "a box before a disc" : "a box behind a disc");
    is_int(c.fit.thin, 0, "no layer is missing");
    ok(c.fit.unplaced <= 1, "%d particles have no place in their layer", (int)c.fit.unplaced);
    const int64_t due = c.fit.walls + c.fit.left;
    sluice_case_destroy(&c);
    return due;
}

static void solids_on_centres(void)
{
    const int64_t first = box_on_centres(1), second = box_on_centres(0);
    /* A half for each of the disc's five layers; those of the box hold 36, 28, 20, 12 and 4. */
    is_close((double)first, 100 + acos(-1) * 4.3 * 4.3, 2.5, "as many as their area holds");
    /* Layers 4 and 5 hold half a particle each in the middle, which rounds either way. */
    is_close((double)second, (double)first, 1, "the same in either order of the shapes");
}

/* --- The free surface stays where it is --- */

static const double level = 15; /* of the water, in spacings */

static void check_level(const char *what)
{
    const int up = t.config.dimension - 1;
    is_int(test_create(&c, &t, said), SLUICE_OK, what);
    fluid = places_of(SLUICE_FLUID);
    wall = places_of(SLUICE_WALL);
    double top = 0;
    int64_t first_row = 0;
    for (int64_t i = 0; i < fluid.count; i++) {
        top = fmax(top, fluid.x[i][up]);
        first_row += fluid.x[i][up] > level - 1;
    }
    /* Places are rounded to 1e-15 of a frame. */
    ok(top <= level - 0.5 + 1e-9, "%s: the highest particle is %.4f dp above the first row", what,
       top - (level - 0.5));
    ok(first_row > 10, "%s: there is a first row", what);
    is_close(c.fluid_high[up] / dp, level, 1e-9, "the fluid's upper face");
    is_close(c.fluid_depth / dp, level, 1e-9, "its depth, and so the sound speed");
    ok(nearest(&fluid, &fluid) >= 0.8 && nearest(&fluid, &wall) >= 0.8, "%s: all are apart", what);
    const double due = c.fit.fluid_due;
    /* One for the rounding: every particle has a place. */
    is_close((double)fluid.count, due, 1, "the mass of the fluid");
    end();
}

/* A wall in water, in 2-D. */
static void level_stays(int kind, const char *what)
{
    begin(2, 4, 2.5, 0);
    test_box(&t, FLUID, 0, 0, 0, 4, level * dp, 0);
    test_walls(&t, 7);
    struct sluice_shape *s = fitted(kind);
    s->min[0] = 1.37;
    s->min[1] = -0.5;
    s->max[0] = 2.28;
    s->max[1] = 1.83;
    s->centre[0] = 1.93;
    s->centre[1] = 1.46;
    s->radius = 0.62;
    if (kind == SLUICE_SHAPE_POLYGON) {
        s->points.count = 3;
        const double at[3][2] = {{0.5, -0.5}, {3.63, -0.5}, {3.63, 2.2}};
        memcpy(s->points.at, at, sizeof at);
    }
    check_level(what);
}

static void ball_afloat(void)
{
    begin(3, 1.6, 1.6, 2);
    test_box(&t, FLUID, 0, 0, 0, 1.6, 1.6, level * dp);
    test_walls(&t, 31);
    fitted_round(SLUICE_SHAPE_SPHERE, 0.81, 0.78, 1.46, 0.42);
    check_level("a ball afloat");
}

static void levels(void)
{
    level_stays(SLUICE_SHAPE_BOX, "a pier");
    level_stays(SLUICE_SHAPE_DISC, "a disc afloat");
    level_stays(SLUICE_SHAPE_POLYGON, "a beach");
    ball_afloat();
}

/* --- Open sides of the domain --- */

/* A slope that leaves the domain through its open sides ends where the space for walls ends. To
 * follow it further would take all memory: then the alarm ends the test. */
static void slope_without_end(void)
{
    alarm(200);
    begin(2, 8, 4, 0);
    test_box(&t, FLUID, 0, 0, 0, 8, 3.5, 0);
    struct sluice_shape *s = fitted(SLUICE_SHAPE_HALF_SPACE);
    s->centre[0] = 3;
    s->normal[0] = -0.5;
    s->normal[1] = 1;
    const double open = 80 * 35 - 0.5 * 50 * 25;
    build(open, "a slope through open sides");
    is_close(c.fit.fluid_due, open, 0.2, "its fluid by volume");
    end();
    alarm(0);
}

/* Half a ball in the open front, above the floor. The layers around the domain hold only a part of
 * the other half. */
static void ball_in_the_front(void)
{
    const double pi = acos(-1), r = 5, lost = r - 3, inner = r - 3;
    begin(3, 2, 2, 2);
    test_box(&t, FLUID, 0, 0, 0, 2, 2, 1.5);
    test_walls(&t, 1 | 2 | 16);
    fitted_round(SLUICE_SHAPE_SPHERE, 1, 0, 0.75, 0.5);
    const double open = 20 * 20 * 15 - 2 * pi / 3 * r * r * r;
    build(open, "half a ball in the open front");
    is_int(c.fit.fluid_unplaced, 0, "all of its fluid has a place, at the floor's end as well");
    const double cap = pi * lost * lost * (3 * r - lost) / 3;
    /* Planes: 1/200 of a spacing times the surface; a half for each layer. */
    is_close((double)c.fit.walls, 4 * pi / 3 * (r * r * r - inner * inner * inner) - cap,
             0.005 * 4 * pi * r * r + 1.5, "the ball's particles that have a place");
    end();
}

int main(void)
{
    solids_on_centres();
    levels();
    slope_without_end();
    ball_in_the_front();
    return done_testing();
}
