/* test: 0.1 s */
/* The output of `sluice check` for a case: every line of a small one, and of shapes that are cut
 * off. */
#include <math.h>

#include "probes/probe_report.h"
#include "support/case_config.h"

static const char *const expected[] = {
    "Shapes\n  box 1 (test.cfg:11): fluid, 40 particles, mass 420 kg/m asked, 400 kg/m actual "
    "(-4.76%)\n",
    "    face x-  asked            0  actual            0\n",
    "    face x+  asked         1.05  actual            1\n",
    "  box 2 'obstacle' (test.cfg:12): wall shell, 27 particles, area 0.27 m^2 asked, 0.27 m^2 "
    "actual (+0.00%)\n",
    "    face x-  asked         2.04  actual            2\n",
    "  box 3 (test.cfg:13): void, area 0.02 m^2 asked, 0.02 m^2 actual (+0.00%)\n",
    "  walls 4 (test.cfg:14): wall, 189 particles\n",
    "    face x-  asked            0  actual            0\n",
    "    face y-  asked            0  actual            0\n",
    "  fluid             40\n",
    "  wall              216\n  mass of fluid     400 kg/m\n",
    "  fluid from        (0, 0) m\n  to                (1, 0.4) m\n",
    "  spacing dp        0.1 m\n",
    "  smoothing length  0.15 m (1.5 dp)\n",
    "  wall layers       3\n",
    "  reference density 1000 kg/m^3\n",
    "  sound speed c0    28.0143 m/s (10 sqrt(2 g H))\n",
    "  fluid depth H     0.4 m\n",
    "  cutoff            0.3 m\n",
    "  neighbours        about 28\n",
    "  bins a cutoff     8 x 1\n",
    "Probes\n  P1           point   at (2, 0.25) m on face x- of 'obstacle'\n",
    "  H            height  at (0.7, 0) m, bed 0 m\n",
    "  L            line    at (0, 0.05) m to (1, 0.05) m\n",
    "  front        front   along x, above 0.01 m\n",
    "  F            force   on 'obstacle', torque about (2.5, 0) m\n",
    "  Q            flux    at (0, 0.05) m to (1, 0.05) m\n",
    "  O            overtopping at (0, 0.05) m to (1, 0.05) m\n",
    "  R            runup   at (0, 0.05) m to (2.9, 0.05) m, bed 0 to 0.3 m\n",
    "  V            profile at (0.25, 0) m, bed 0 m\n",
    "  S            patch   at (2, 0.15) m to (2, 0.25) m on face x- of 'obstacle', 4 points\n",
};

/* Fluid, an obstacle, a void, walls, and a probe of each kind. */
static void set_up(struct test_config *t)
{
    static const char *const name[] = {"P1", "L", "H", "front", "F", "Q", "O", "R", "V", "S"};
    _Static_assert(sizeof name / sizeof name[0] == SLUICE_PROBE_KIND_COUNT, "a name each");
    test_wcsph(t, 2, 0.1);
    test_domain(t, 4, 2, 0);
    test_initial(t, SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_HYDROSTATIC);
    test_box(t, SLUICE_SHAPE_FLUID, 0, 0, 0, 1.05 - 1e-7, 0.4, 0);
    struct sluice_shape *obstacle = test_box(t, SLUICE_SHAPE_WALL, 2.04, 0, 0, 2.94, 0.3, 0);
    strcpy(obstacle->name, "obstacle");
    obstacle->fill = SLUICE_FILL_SHELL;
    test_box(t, SLUICE_SHAPE_VOID, 3.5, 1, 0, 3.6, 1.2, 0);
    test_walls(t, 1 | 4);
    for (int kind = 0; kind < SLUICE_PROBE_KIND_COUNT; kind++) {
        struct sluice_probe *p = &t->probe[t->config.probe_count++];
        strcpy(p->name, name[kind]);
        p->kind = kind;
        p->at[0] = kind == SLUICE_PROBE_HEIGHT ? 0.7 : 0.25;
        p->from[1] = p->to[1] = 0.05;
        p->to[0] = kind == SLUICE_PROBE_RUNUP ? 2.9 : 1;
        p->points = 50;
        p->above = 0.01;
    }
    t->probe[SLUICE_PROBE_PATCH].at[0] = 0.2;
    t->probe[SLUICE_PROBE_PATCH].size[0] = 0.1;
    strcpy(t->probe[SLUICE_PROBE_PATCH].on, "obstacle");
    strcpy(t->probe[0].on, "obstacle");
    strcpy(t->probe[SLUICE_PROBE_FORCE].on, "obstacle");
    t->probe[SLUICE_PROBE_FORCE].about[0] = 2.5;
}

static struct sluice_shape *add_shape(struct test_config *t, int kind, int type, const char *within)
{
    struct sluice_shape *s = test_shape(t, kind, type);
    strcpy(s->within, within);
    s->centre[1] = 1;
    s->normal[1] = 1;
    s->radius = 0.8;
    return s;
}

/* The rest of a combined shape lies beyond the domain and the three layers around it, 0.15. */
static void clipped(void)
{
    static struct test_config t;
    static char text[8192];
    const double pi = acos(-1), slab = sqrt(0.64 - 0.25) + 1.28 * asin(0.5 / 0.8),
                 strip = 0.15 * sqrt(0.64 - 0.15 * 0.15 / 3); /* of the half disc's height */
    struct sluice_case c;
    test_wcsph(&t, 2, 0.05);
    test_domain(&t, 4, 2, 0);
    test_box(&t, SLUICE_SHAPE_FLUID, 1.5, 0, 0, 3, 0.5, 0);
    strcpy(add_shape(&t, SLUICE_SHAPE_DISC, SLUICE_SHAPE_PART, "")->name, "ball");
    strcpy(test_box(&t, SLUICE_SHAPE_WALL, -2, 0.5, 0, 2, 1.5, 0)->within, "ball");
    add_shape(&t, SLUICE_SHAPE_HALF_SPACE, SLUICE_SHAPE_WALL, "ball");
    add_shape(&t, SLUICE_SHAPE_HALF_SPACE, SLUICE_SHAPE_WALL, "")->centre[1] = 0.05;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "shapes over the domain's side");
    /* Some 600 and 400 cells, with half a cell along their edges. */
    is_close(c.shapes[2].clipped, 0.5 - 0.15 / slab, 0.01, "a box within a ball");
    is_close(c.shapes[3].clipped, 0.5 - strip / (pi * 0.32), 0.01, "a half-space within a ball");
    ok(!c.shapes[2].endless && !c.shapes[3].endless, "both have an end");
    ok(c.shapes[4].endless && c.shapes[4].clipped == 0, "a half-space alone has none");
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        exit(1);
    sluice_case_print(&c, out);
    fclose(out);
    ok(strstr(text, "40% of it beyond the domain") && strstr(text, "38% of it beyond the domain"),
       "check prints the fractions");
    ok(strstr(text, "goes on beyond the domain without an end"), "and what has no end");
    sluice_case_destroy(&c);
}

/* The volume left by `within` and `without` is an estimate. Fluid too thin for the spacing has
 * another volume on the lattice. */
static void combined(void)
{
    static struct test_config t;
    static char text[8192];
    const double ring = acos(-1) * (0.64 - 0.61 * 0.61) / 2;
    struct sluice_case c;
    test_wcsph(&t, 2, 0.05);
    test_domain(&t, 4, 2, 0);
    struct sluice_shape *hole = add_shape(&t, SLUICE_SHAPE_DISC, SLUICE_SHAPE_PART, "");
    strcpy(hole->name, "hole");
    strcpy(add_shape(&t, SLUICE_SHAPE_DISC, SLUICE_SHAPE_PART, "")->name, "ball");
    struct sluice_shape *film = test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 0.8, 2, 0);
    struct sluice_shape *half = test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 0.8, 2, 0);
    strcpy(film->within, "ball");
    strcpy(film->without, "hole");
    hole->radius = 0.61;
    strcpy(half->within, "hole");
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "parts of discs");
    const struct sluice_shape_report *thin = &c.shapes[2], *thick = &c.shapes[3];
    ok(thin->deviation > 0 && thin->deviation < 0.005 * ring, "an estimate says how sure it is");
    is_close(thin->asked_volume, ring, 4 * thin->deviation, "half a ring 3.8 spacings wide");
    is_close(thick->asked_volume, acos(-1) * 0.61 * 0.61 / 2, 4 * thick->deviation, "half a disc");
    sluice_case_destroy(&c);

    hole->radius = 0.79; /* 0.2 spacings */
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a film thinner than a spacing");
    thin = &c.shapes[2];
    ok(fabs(thin->actual_volume - thin->asked_volume) > 0.05 * thin->asked_volume,
       "is off by more than 5%%: %g, %g", thin->actual_volume, thin->asked_volume);
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        exit(1);
    sluice_case_print(&c, out);
    fclose(out);
    ok(strstr(text, "kg/m asked") && strstr(text, "give or take"), "check prints: %s", text);
    sluice_case_destroy(&c);
}

static const char *const expected_of_gas[] = {
    "  box 1 (test.cfg:11): fluid, 72 particles, mass 4 kg/m asked, 4 kg/m actual (+0.00%), "
    "2.88 kg/m left, 28 cut by later shapes\n"
    "    square, particles of 0.04 kg/m, spacing 0.1 m, stretched by +0.00%, +0.00%\n",
    "  box 2 (test.cfg:12): fluid, 8 particles, mass 0.288 kg/m asked, 0.288 kg/m actual "
    "(+0.00%)\n"
    "    hexagonal, particles of 0.036 kg/m, spacing 0.189737 m, stretched by -6.94%, -3.29%\n",
    "  fluid             80\n",
    "  mass of fluid     3.168 kg/m\n",
    "  density           1 to 4 kg/m^3\n",
    "  pressure          0.4 to 3.2 Pa\n",
    "  internal energy   1 to 2 J/kg\n",
    "  sound speed       0.748331 to 1.0583 m/s\n",
    "  smoothing length  0.15 to 0.284605 m\n",
    "  cutoff            0.56921 m, the largest support\n",
    "  neighbours        about 28\n",
};

/* A gas with a thin one in a part of it. */
static void gas(void)
{
    static struct test_config t;
    static char text[8192];
    struct sluice_case c;
    test_gas(&t, 2, 0.1);
    test_domain(&t, 1, 1, 0);
    struct sluice_shape *dense = test_box(&t, SLUICE_SHAPE_FLUID, 0, 0, 0, 1, 1, 0),
                        *thin = test_box(&t, SLUICE_SHAPE_FLUID, 0.5, 0, 0, 0.9, 0.72, 0);
    dense->density = 4;
    dense->pressure = 3.2;
    dense->lattice = SLUICE_LATTICE_SQUARE;
    thin->density = 1;
    thin->energy = 1;
    thin->lattice = SLUICE_LATTICE_HEXAGONAL;
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a gas");
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        exit(1);
    sluice_case_print(&c, out);
    fclose(out);
    for (size_t i = 0; i < sizeof expected_of_gas / sizeof *expected_of_gas; i++)
        if (!ok(strstr(text, expected_of_gas[i]), "says %.*s",
                (int)strcspn(expected_of_gas[i], "\n"), expected_of_gas[i]))
            diag("%s", text);
    sluice_case_destroy(&c);
}

int main(void)
{
    static struct test_config t;
    static char text[8192];
    struct sluice_case c;
    set_up(&t);
    is_int(sluice_case_create(&c, &t.config, NULL), SLUICE_OK, "a case with everything");
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        return 1;
    sluice_case_print(&c, out);
    is_int(sluice_probes_print(&c, out), SLUICE_OK, "prints the probes");
    fclose(out);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ok(strstr(text, expected[i]), "says %.*s", (int)strcspn(expected[i], "\n"), expected[i]);
    is_int(c.warning_count, 1, "one warning, of the mass");
    sluice_case_destroy(&c);
    clipped();
    combined();
    gas();
    return done_testing();
}
