/* Where fitted walls end: the deepest layer. */
#include "t028-fitted.h"

/* --- A solid box whose faces lie on the centres of cells --- */

static struct sluice_shape *solid(int kind)
{
    struct sluice_shape *s = test_shape(&t, kind, WALL);
    s->fit = SLUICE_FIT_SURFACE;
    s->fill = SLUICE_FILL_SOLID;
    return s;
}

/* Its deepest seed is five spacings deep, less the rounding: on the border of a layer that the box
 * does not have. Returns the particles that the layers of both solids are due. */
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
    ok(c.fit.unplaced <= 1, "%d particles are not placed as due", (int)c.fit.unplaced);
    const int64_t due = c.fit.walls + c.fit.left;
    sluice_case_destroy(&c);
    return due;
}

static void solids_on_centres(void)
{
    const int64_t first = box_on_centres(1), second = box_on_centres(0);
    /* A half for each of the disc's five layers; those of the box hold 36, 28, 20, 12 and 4. */
    is_close((double)first, 100 + acos(-1) * 4.3 * 4.3, 2.5, "as many as their area holds");
    /* Of the middle, layers 4 and 5 hold half a particle each, which rounds either way. */
    is_close((double)second, (double)first, 1, "the same in either order of the shapes");
}

int main(void)
{
    solids_on_centres();
    return done_testing();
}
