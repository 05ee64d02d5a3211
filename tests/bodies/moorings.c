/* test: 0.1 s */
/* Moorings: which images they join on a periodic axis, and that they keep them; their step limit;
 * springs without a direction. */
#include <math.h>
#include <string.h>

#include "bodies/mooring.h"
#include "case/case.h"
#include "support/tap.h"

enum { BODIES_MOST = 2 };
static struct sluice_config config;
static struct sluice_case setup;
static struct sluice_moorings moorings;
static struct sluice_pose pose[BODIES_MOST];
static double wrench[BODIES_MOST][6];

/* Boxes of 0.2 m x 0.1 m, `a` and `b`, in a domain of 2 m that is periodic along x. */
static sluice_status create(double a, double b, const char *list)
{
    char all[2000];
    snprintf(all, sizeof all,
             "model = \"wcsph\"; dimension = 2; spacing = 0.05; fluid = { sound_speed = 20.0; };"
             "domain = { min = [0.0, 0.0]; max = [2.0, 1.0]; periodic = [true, false]; };"
             "geometry = ( { shape = \"box\"; type = \"fluid\"; min = [0.0, 0.0]; max = [2.0, "
             "0.2]; }, { shape = \"walls\"; sides = [\"y-\", \"y+\"]; },"
             "{ shape = \"box\"; type = \"body\"; name = \"a\"; min = [%g, 0.6]; max = [%g, 0.7]; "
             "}, { shape = \"box\"; type = \"body\"; name = \"b\"; min = [%g, 0.6]; max = [%g, "
             "0.7]; });"
             "bodies = ( { name = \"a\"; density = 500.0; }, { name = \"b\"; density = 500.0; });"
             "moorings = ( %s ); time = { end = 1.0; }; output = { every = 0.0; };",
             a - 0.1, a + 0.1, b - 0.1, b + 0.1, list);
    SLUICE_TRY(sluice_config_parse(&config, all, "moorings", NULL, 0, stderr));
    SLUICE_TRY(sluice_case_create(&setup, &config, NULL));
    return sluice_moorings_create(&moorings, &config, setup.physics.bodies, BODIES_MOST);
}

static int begin(double a, double b, const char *list)
{
    if (!is_int(create(a, b, list), SLUICE_OK, "a case with moorings begins")) {
        diag("%s", sluice_message());
        return 0;
    }
    memset(pose, 0, sizeof pose);
    for (int i = 0; i < BODIES_MOST; i++) {
        memcpy(pose[i].centre, setup.physics.bodies[i].centre, sizeof pose[i].centre);
        for (int c = 0; c < 3; c++)
            pose[i].turn[c][c] = 1;
    }
    return 1;
}

static void end(void)
{
    sluice_moorings_destroy(&moorings);
    sluice_case_destroy(&setup);
    sluice_config_destroy(&config);
}

/* Computes the wrenches with the bodies moved along x since the start. */
static void pull(double a, double b)
{
    memset(wrench, 0, sizeof wrench);
    for (int i = 0; i < BODIES_MOST; i++)
        pose[i].centre[0] = setup.physics.bodies[i].centre[0] + (i ? b : a);
    sluice_moorings_pull(&moorings, pose, wrench);
}

/* A rope that is longer than half a period, and longer than a period. */
static void long_ropes(void)
{
    if (begin(0.3, 1.5,
              "{ kind = \"spring\"; body = \"a\"; to = [0.1, 0.65]; stiffness = 1000.0;"
              "length = 1.2; slack = true; }, { kind = \"spring\"; body = \"b\"; to = "
              "[1.5, 0.65]; stiffness = 1000.0; length = 2.5; slack = true; }")) {
        pull(0.99, 2.4);
        ok(wrench[0][0] == 0 && wrench[1][0] == 0, "ropes of 1.2 and 2.5 m are slack");
        pull(1.01, 2.6);
        is_close(wrench[0][0], -10, 1e-10, "the first one pulls by 0.01 m");
        is_close(wrench[1][0], -100, 1e-10, "the second one by 0.1 m");
        is_close(moorings.elastic, 0.5 * 1000 * (1e-4 + 1e-2), 1e-10, "with their energy");
        pull(-1.41, -2.6);
        is_close(wrench[0][0], 10, 1e-10, "back as well");
        is_close(wrench[1][0], 100, 1e-10, "beyond the other face");
        end();
    }
}

/* A spring across a periodic face joins the nearest images. Its length grows as the bodies go. */
static void across_the_face(void)
{
    if (begin(1.8, 0.3,
              "{ kind = \"spring\"; body = \"a\"; other = \"b\"; stiffness = 1000.0; },"
              "{ kind = \"spring\"; body = \"b\"; to = [1.9, 0.65]; stiffness = 500.0; "
              "}")) {
        is_close(moorings.link[0].length, 0.5, 1e-12, "the spring joins the nearest images");
        is_close(moorings.link[1].length, 0.4, 1e-12, "so does a spring to a point");
        pull(0, 0);
        ok(wrench[0][0] == 0 && wrench[1][0] == 0, "both are relaxed");
        pull(0, 1);
        is_close(wrench[0][0], 1000, 1e-10, "1 m longer, half a period and more");
        is_close(wrench[1][0], -1500, 1e-10, "with both on the second body");
        pull(2, 2);
        is_close(wrench[0][0], 0, 1e-9, "the first one does not feel that both go round");
        is_close(wrench[1][0], -1000, 1e-10, "the other one does");
        end();
    }
}

/* A hinge at the face: both bodies have the arm to the nearest image. */
static void hinge_at_the_face(void)
{
    if (begin(1.8, 0.2,
              "{ kind = \"hinge\"; body = \"a\"; other = \"b\"; at = [2.0, 0.65]; "
              "stiffness = 1000.0; }, { kind = \"hinge\"; body = \"b\"; at = [2.0, "
              "0.65]; stiffness = 1000.0; }")) {
        is_close(moorings.link[0].arm[0][0], 0.2, 1e-12, "the first body's arm");
        is_close(moorings.link[0].arm[1][0], -0.2, 1e-12, "the second body's");
        is_close(moorings.link[1].arm[0][0], -0.2, 1e-12, "the arm of a hinge to a point");
        pull(0, 0);
        ok(fabs(wrench[0][0]) < 1e-10 && fabs(wrench[1][0]) < 1e-10, "no force at the start");
        pull(-0.01, 0);
        is_close(wrench[0][0], 10, 1e-10, "then the stiffness times the displacement");
        is_close(wrench[1][0], -10, 1e-10, "and back");
        end();
    }
}

/* The hinge sets the step: its end has the inverse mass 1/m + |arm|^2/I, the spring's ends 2/m. */
static void longest_step(void)
{
    const double mass = 10, inertia = mass * (0.04 + 0.01) / 12, ease = 1 / mass + 0.01 / inertia;
    if (begin(0.5, 1.0,
              "{ kind = \"spring\"; body = \"a\"; other = \"b\"; stiffness = 2000.0; },"
              "{ kind = \"hinge\"; body = \"a\"; at = [0.6, 0.65]; stiffness = "
              "2000.0; damping = 1.0; }")) {
        is_close(moorings.longest_step, 2 * M_PI / sqrt(2000 * ease) / 20, 1e-12,
                 "a twentieth of the shortest period");
        is_int(moorings.stiffest, 1, "the shortest period is the hinge's");
        end();
    }
    if (begin(0.5, 1.0,
              "{ kind = \"spring\"; body = \"a\"; other = \"b\"; stiffness = 0.0; "
              "damping = 1.0e4; }")) {
        is_close(moorings.longest_step, 0.5 / (1e4 * 2 / mass), 1e-12,
                 "or half of the decay of a damper");
        end();
    }
}

static void no_direction(void)
{
    static const char pushes[] = "{ kind = \"spring\"; body = \"a\"; to = [2.5, 0.65]; stiffness = "
                                 "10.0; length = 0.1; }",
                      slack[] = "{ kind = \"spring\"; body = \"a\"; to = [0.5, 0.65]; stiffness = "
                                "10.0; length = 0.1; slack = true; }, { kind = \"spring\"; body = "
                                "\"b\"; to = [1.0, 0.65]; stiffness = 10.0; }";
    is_int(create(0.5, 1.0, pushes), SLUICE_BAD_INPUT, "a spring that pushes from a length of 0");
    ok(strstr(sluice_message(), "moorings:1: moorings: both ends of the spring of 'a'") != NULL &&
           strstr(sluice_message(), "no direction") != NULL,
       "has no direction");
    sluice_config_destroy(&config);
    if (begin(0.5, 1.0, slack)) {
        pull(0.05, -0.01);
        ok(wrench[0][0] == 0, "a rope that is slack needs none");
        is_close(wrench[1][0], 0.1, 1e-12, "nor a spring of no length");
        end();
    }
}

int main(void)
{
    long_ropes();
    across_the_face();
    hinge_at_the_face();
    longest_step();
    no_direction();
    return done_testing();
}
