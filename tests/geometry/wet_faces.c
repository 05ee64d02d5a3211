/* test: 0.1 s */
/* The thickness of walls that fluid reaches from one side alone. */
#include "support/case_config.h"

enum { FLUID = SLUICE_SHAPE_FLUID, WALL = SLUICE_SHAPE_WALL };
static struct test_config t;
static char said[4096];

/* A paddle of 0.25 m in cells of 0.08 m: fluid in front of it alone does not see how thick it is.
 */
static void one_wet_face(void)
{
    struct sluice_case c;
    test_wcsph(&t, 2, 0.08);
    test_initial(&t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_HYDROSTATIC);
    test_domain(&t, 4, 1.6, 0);
    struct sluice_shape *water = test_box(&t, FLUID, 0.4, 0, 0, 4, 0.8, 0);
    test_walls(&t, 2 | 4);
    struct sluice_shape *paddle = test_box(&t, WALL, 0.11, 0, 0, 0.36, 1.28, 0);
    is_int(test_create(&c, &t, said), SLUICE_OK, "a paddle with one wet face");
    ok(c.warning_count == 1 && strstr(said, "28% off (over 1%); its face at x = 0.11 moves by 0.03 "
                                            "to 0.08; its face at x = 0.36 moves by 0.04 to 0.4:"),
       "the faces that move are named: %s", said);
    ok(strstr(said, "; fit = \"surface\" leaves its faces where they are") != NULL,
       "and what leaves them in place");
    sluice_case_destroy(&c);
    water->min[0] = 0;
    REFUSED(&t, SLUICE_BAD_INPUT, "a paddle with water on both sides",
            "28% off (the limit is 5%); its face at x = 0.11 moves by 0.03 to 0.08",
            "fit = \"surface\"");
    water->min[0] = 0.4;
    paddle->max[1] = 0.48;
    REFUSED(&t, SLUICE_BAD_INPUT, "a sill that water flows over", "(the limit is 5%)",
            "fit = \"surface\"");
}

int main(void)
{
    one_wet_face();
    return done_testing();
}
