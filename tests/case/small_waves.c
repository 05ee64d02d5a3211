/* test: 0.1 s */
/* Waves lower than four spacings give a warning, with the expected error of the period. */
#include <math.h>

#include "model/waves.h"
#include "support/case_config.h"

static struct test_config t;
static struct sluice_motion motion;
static char said[4096];

static void begin(void)
{
    test_wcsph(&t, 2, 0.05);
    test_domain(&t, 6, 1.5, 0);
    memset(&motion, 0, sizeof motion);
    memset(said, 0, sizeof said);
    t.config.time.end = 20;
}

static void told(const char *text, const char *what)
{
    struct sluice_case c;
    if (!is_int(test_create(&c, &t, said), SLUICE_OK, what))
        return;
    ok(text ? strstr(said, text) != NULL : strstr(said, "stiffens") == NULL, "%s: %s", what, said);
    sluice_case_destroy(&c);
}

static void standing_waves(void)
{
    begin();
    test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 6, 1, 0);
    test_walls(&t, 1 | 2 | 4);
    struct sluice_initial *f = test_initial(&t, SLUICE_FIELD_OF_VELOCITY,
                                            SLUICE_INITIAL_GRAVITY_WAVE);
    f->mode[0] = 2;
    f->amplitude = 0.025;
    told("test.cfg:31: initial: the gravity-wave is 1 spacings high: the lattice stiffens waves "
         "lower than 4, and the period comes out up to 2% too short; a spacing of 0.0125",
         "a wave of half a spacing");
    f->amplitude = 0.005;
    told("up to 5% too short", "a wave of a tenth of a spacing");
    f->amplitude = 0.1;
    told(NULL, "a wave of four spacings");
}

static void paddles(void)
{
    begin();
    test_box(&t, SLUICE_SHAPE_FLUID, 0.5, 0, 0, 6, 1, 0);
    test_walls(&t, 2 | 4);
    strcpy(test_box(&t, SLUICE_SHAPE_WALL, 0.25, 0, 0, 0.5, 1.5, 0)->motion, "m");
    motion.kind = SLUICE_MOTION_SINE;
    strcpy(motion.name, "m");
    strcpy(motion.file, "test.cfg");
    motion.line = 40;
    motion.amplitude[0] = 0.05;
    motion.period = 2;
    t.config.motions = &motion;
    t.config.motion_count = 1;
    told("test.cfg:40: motions: box 3 (test.cfg:13) makes waves of about 2.3", "a paddle");
    motion.amplitude[0] = 0.2;
    told(NULL, "a paddle of larger strokes");
    motion.amplitude[0] = 0.05;
    t.shape[2].max[1] = 0.5;
    told(NULL, "a box beneath the surface is no paddle");
    t.shape[2].max[1] = 1.5;
    strcpy(test_box(&t, SLUICE_SHAPE_WALL, 0.25, 0, 0, 6, 0.25, 0)->motion, "m");
    told(NULL, "nor is the wall of a tank whose floor moves along");
}

int main(void)
{
    standing_waves();
    paddles();
    return done_testing();
}
