/* test: 7 s, sanitize-slow */
/* The mass of bodies: volume, centre and inertia against closed forms, of single shapes, which have
 * closed forms in the program too, and of combined ones, which are divided into cells. */
#include <stdio.h>

#include "bodies/cut_box.h"
#include "bodies/mass.h"
#include "core/vector.h"
#include "body_shapes.h"

/* The mass of the last `count` shapes. */
static sluice_status find(int count, struct sluice_body_mass *mass)
{
    struct sluice_geometry g;
    int shape[SHAPES_MOST];
    SLUICE_TRY(place_shapes(&g, count, shape));
    const sluice_status status = sluice_body_mass(&g, shape, count, mass);
    sluice_geometry_destroy(&g);
    return status;
}

/* Compares with the volume, the centre, and the moments of inertia about the axes; all to relative
 * `tolerance`. NULL: not compared. */
static void holds(int count, double volume, const double *centre, const double *inertia,
                  double tolerance, const char *what)
{
    struct sluice_body_mass m;
    double off_centre = 0, off_inertia = 0;
    const double size = pow(volume, 1.0 / t.config.dimension);
    if (!is_int(find(count, &m), SLUICE_OK, what)) {
        diag("%s", sluice_message());
        return;
    }
    const double off = fabs(m.volume / volume - 1);
    for (int a = 0; a < 3 && centre; a++)
        off_centre = fmax(off_centre, fabs(m.centre[a] - centre[a]) / size);
    for (int a = 0; a < 3 && inertia; a++)
        for (int b = 0; b < 3; b++)
            off_inertia = fmax(off_inertia,
                               fabs(m.inertia[a][b] - (a == b ? inertia[a] : 0)) / inertia[2]);
    ok(off <= tolerance && off_centre <= tolerance && off_inertia <= 3 * tolerance,
       "%s: volume, centre and inertia", what);
    diag("off by %.2g, centre %.2g, inertia %.2g", off, off_centre, off_inertia);
}

/* Hides the last shape in a wide box: then its closed form is not used. */
static void combine(void)
{
    struct sluice_shape *s = &t.shape[t.config.shape_count - 1];
    s->type = PART;
    strcpy(s->name, "inner");
    s = test_box(&t, WALL, 0, 0, 0, 4, 4, t.config.dimension == 3 ? 4 : 0);
    strcpy(s->within, "inner");
}

/* --- Cut boxes --- */

static void cuts(void)
{
    const double half[3] = {1, 1, 1};
    const struct sluice_half_space corner = {.normal = {1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3)},
                                             .offset = -2 / sqrt(3)};
    const struct sluice_half_space edge[2] = {{{1, 0, 0}, -0.5}, {{0, 1, 0}, -0.5}},
                                   twice[2] = {{{1, 0, 0}, 0}, {{1, 0, 0}, 0}},
                                   none[2] = {{{1, 0, 0}, 0}, {{-1, 0, 0}, 0}},
                                   flat = {{0.6, 0.8, 0}, -0.2};
    struct sluice_moments m;
    sluice_cut_box_moments(3, half, &corner, 1, &m);
    is_close(m.volume, 1.0 / 6, 1e-15, "the corner of a cube beyond a plane");
    is_close(m.first[1], m.volume * 0.75, 1e-15, "its centre is a quarter from the right angle");
    is_close(m.second[0][1], 11.0 / 120, 1e-15, "its second moment");
    sluice_cut_box_moments(3, half, edge, 2, &m);
    is_close(m.volume, 0.5, 1e-15, "the edge of a cube between two planes");
    is_close(m.second[0][0], 0.5 * (0.75 * 0.75 + 0.25 / 12), 1e-15, "its second moment");
    sluice_cut_box_moments(3, half, twice, 2, &m);
    is_close(m.volume, 4, 1e-15, "a plane that is there twice cuts once");
    sluice_cut_box_moments(3, half, none, 2, &m);
    is_close(m.volume, 0, 1e-15, "between two planes back to back is nothing");
    sluice_cut_box_moments(2, half, &flat, 1, &m);
    is_close(m.volume, 2 - 0.2 / 0.8 * 2, 1e-15, "a square beyond a line");
}

/* --- Shapes --- */

static void box(void)
{
    const double volume = 1 * 0.5 * 0.8, centre[3] = {1.5, 1.25, 1.4},
                 inertia[3] = {volume / 12 * (0.25 + 0.64), volume / 12 * (1 + 0.64),
                               volume / 12 * (1 + 0.25)};
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    holds(1, volume, centre, inertia, 1e-12, "box");
    combine();
    holds(1, volume, centre, inertia, 1e-12, "box along the axes, by cells");
    begin(3);
    turn(test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8), 17);
    holds(1, volume, NULL, NULL, 1e-12, "turned box");
    combine();
    holds(1, volume, NULL, NULL, 2e-6, "turned box, by cells across its faces");
    struct sluice_body_mass m;
    if (find(1, &m) == SLUICE_OK) { /* the trace does not turn */
        is_close(m.inertia[0][0] + m.inertia[1][1] + m.inertia[2][2],
                 inertia[0] + inertia[1] + inertia[2], 1e-6, "the same trace of the inertia");
        is_close(m.inertia[0][1], m.inertia[1][0], 1e-15, "the inertia is symmetric");
    }
}

static void round_shapes(void)
{
    const double ball = 4 * pi / 3 * 0.125, can = pi * 0.25 * 0.8, cone = can / 3;
    const double centre[3] = {1.5, 1.5, 1.5}, tip[3] = {1.5, 1.5, 1.3};
    const double of_ball[3] = {0.1 * ball, 0.1 * ball, 0.1 * ball},
                 of_can[3] = {can / 12 * (0.75 + 0.64), can / 12 * (0.75 + 0.64), can / 8},
                 of_cone[3] = {cone * (0.0375 + 0.024), cone * (0.0375 + 0.024), 0.075 * cone};
    begin(3);
    round_shape(SLUICE_SHAPE_SPHERE);
    holds(1, ball, centre, of_ball, 1e-12, "sphere");
    combine();
    holds(1, ball, centre, of_ball, 1e-4, "sphere, by cells");
    begin(3);
    round_shape(SLUICE_SHAPE_CYLINDER);
    holds(1, can, centre, of_can, 1e-12, "cylinder");
    combine();
    holds(1, can, centre, of_can, 1e-4, "cylinder, by cells");
    begin(3);
    round_shape(SLUICE_SHAPE_CONE);
    holds(1, cone, tip, of_cone, 1e-12, "cone");
    combine();
    holds(1, cone, tip, of_cone, 1e-4, "cone, by cells");
    begin(3);
    struct sluice_shape *s = round_shape(SLUICE_SHAPE_CONE);
    s->top_radius = 0.25;
    turn(s, 30);
    holds(1, pi / 3 * 0.8 * (0.25 + 0.125 + 0.0625), NULL, NULL, 1e-12, "turned blunt cone");
    combine();
    holds(1, pi / 3 * 0.8 * (0.25 + 0.125 + 0.0625), NULL, NULL, 1e-4, "the same by cells");
}

static void flat_shapes(void)
{
    const double disc = pi * 0.25, of_disc[3] = {0, 0, disc / 8},
                 of_box[3] = {0, 0, 0.5 * 1.25 / 12};
    const double in_disc[3] = {1.5, 1.5, 0}, in_box[3] = {1.5, 1.25, 0};
    begin(2);
    round_shape(SLUICE_SHAPE_DISC);
    holds(1, disc, in_disc, of_disc, 1e-12, "disc");
    combine();
    holds(1, disc, in_disc, of_disc, 1e-4, "disc, by cells");
    begin(2);
    test_box(&t, WALL, 1, 1, 0, 2, 1.5, 0);
    holds(1, 0.5, in_box, of_box, 1e-12, "box in 2-D");
    for (int sweep = 0; sweep < 2; sweep++) {
        begin(2 + sweep);
        struct sluice_shape *s = notched_shape();
        s->from = sweep ? 1 : -SLUICE_FAR;
        s->to = sweep ? 2 : SLUICE_FAR;
        s->axis = 2;
        holds(1, 1.375, NULL, NULL, 1e-12, sweep ? "prism" : "polygon");
        turn(s, 12);
        combine();
        holds(1, 1.375, NULL, NULL, 1e-4,
              sweep ? "turned prism, by cells" : "turned polygon, by cells");
    }
}

static void unions(void)
{
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    test_box(&t, WALL, 1.5, 1.25, 1, 2.5, 2.5, 2);
    holds(2, 0.4 + 1.25 - 0.5 * 0.25 * 0.8, NULL, NULL, 1e-12, "two boxes that overlap");
    turn(&t.shape[0], 20);
    turn(&t.shape[1], 20);
    holds(2, 0.4 + 1.25 - 0.5 * 0.25 * 0.8, NULL, NULL, 1e-12, "both turned");
    begin(3);
    turn(test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.5), 33);
    turn(test_box(&t, WALL, 1, 1, 1.5, 2, 1.5, 2), 33);
    const double volume = 0.5, centre[3] = {1.5, 1.25, 1.5};
    const double inertia[3] = {volume / 12 * 1.25, volume / 12 * 2, volume / 12 * 1.25};
    holds(2, volume, NULL, NULL, 1e-12, "turned halves of a box");
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.5);
    test_box(&t, WALL, 1, 1, 1.5, 2, 1.5, 2);
    holds(2, volume, centre, inertia, 1e-12, "halves of a box");
    begin(3);
    test_box(&t, PART, 1.2, 1.2, 1.2, 1.7, 1.4, 1.6);
    strcpy(t.shape[0].name, "hole");
    struct sluice_shape *s = test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    strcpy(s->without, "hole");
    holds(1, 0.4 - 0.5 * 0.2 * 0.4, NULL, NULL, 1e-12, "box without a box");
    s->rotation_degrees = 3;
    holds(1, 0.4 - 0.5 * 0.2 * 0.4, NULL, NULL, 1e-6, "turned about the hole");
    begin(3);
    round_shape(SLUICE_SHAPE_SPHERE);
    round_shape(SLUICE_SHAPE_SPHERE)->centre[0] = 2;
    const double cap = pi * 0.25 * 0.25 / 3 * (1.5 - 0.25), one = 4 * pi / 3 * 0.125;
    const double between[3] = {1.75, 1.5, 1.5};
    holds(2, 2 * one - 2 * cap, between, NULL, 1e-4, "two spheres that overlap");
    round_shape(SLUICE_SHAPE_SPHERE)->centre[2] = 3;
    round_shape(SLUICE_SHAPE_SPHERE)->centre[2] = 3;
    holds(1, one, NULL, NULL, 1e-12, "one of them alone");
    holds(2, one, NULL, NULL, 1e-4, "one shape twice counts once");
    holds(4, 3 * one - 2 * cap, NULL, NULL, 1e-4, "all together");
}

static void meshes(void)
{
    struct sluice_warnings warnings = {0};
    struct sluice_solid solid;
    begin(3);
    struct sluice_shape *s = hull_shape();
    if (!is_int(sluice_solid_create(&solid, &t.config, s, &warnings), SLUICE_OK, "the hull"))
        return;
    const double volume = solid.volume;
    sluice_solid_destroy(&solid);
    holds(1, volume, NULL, NULL, 1e-12, "hull");
    struct sluice_body_mass exact, m;
    const int found = find(1, &exact) == SLUICE_OK;
    combine();
    if (found && find(1, &m) == SLUICE_OK) {
        is_close(m.volume / volume, 1, 1e-4, "by cells: the same volume");
        is_close(m.centre[2], exact.centre[2], 1e-5, "the same centre");
        is_close(m.inertia[0][0] / exact.inertia[0][0], 1, 3e-4, "and inertia");
    }
}

/* A body beside its own images on a periodic axis. */
static void periodic(void)
{
    begin(3);
    t.config.domain.periodic[0] = 1;
    test_box(&t, WALL, 0.1, 1, 1, 3.9, 2, 2);
    strcpy(t.shape[0].name, "inner");
    t.shape[0].type = PART;
    strcpy(test_box(&t, WALL, 0.1, 0, 0, 3.9, 4, 4)->within, "inner");
    holds(1, 3.8, NULL, NULL, 1e-12, "a box close to its image");
}

/* Boxes whose faces lie between those of the lattice: the volume as asked for, and the actual one.
 */
static void moved_faces(void)
{
    struct sluice_warnings warnings = {0};
    struct sluice_geometry g;
    const int box[2] = {0, 3}, shell = 2, ball = 4;
    double volume = 0;
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2.02, 1.5, 1.8);
    strcpy(test_box(&t, PART, 1.2, 1.2, 1.2, 1.71, 1.4, 1.6)->name, "hole");
    strcpy(test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8)->without, "hole");
    test_box(&t, WALL, 1.5, 1.25, 1, 2.5, 2.5, 2.01);
    round_shape(SLUICE_SHAPE_SPHERE);
    if (!is_int(sluice_geometry_create(&g, &t.config, 4, &warnings), SLUICE_OK, "moved faces"))
        return;
    is_int(sluice_body_asked_volume(&g, box, 1, 0.4, &volume), SLUICE_OK, "a box");
    is_close(volume, 1.02 * 0.5 * 0.8, 1e-12, "its volume as asked for");
    is_int(sluice_body_asked_volume(&g, &shell, 1, 0.36, &volume), SLUICE_OK, "without a hole");
    is_close(volume, 0.4 - 0.51 * 0.2 * 0.4, 1e-12, "whose faces have moved");
    is_int(sluice_body_asked_volume(&g, box, 2, 0, &volume), SLUICE_OK, "two that overlap");
    is_close(volume, 0.408 + 1.25 * 1.01 - 0.52 * 0.25 * 0.8, 1e-12, "their volume counts once");
    is_int(sluice_body_asked_volume(&g, &ball, 1, 0, &volume), SLUICE_OK, "a ball");
    is_close(volume, pi / 6, 1e-12, "has no faces to move");
    sluice_geometry_destroy(&g);
}

static void refused(int count, const char *first, const char *second, const char *what)
{
    struct sluice_body_mass m;
    const sluice_status status = find(count, &m);
    if (!ok(status == SLUICE_BAD_INPUT && strstr(sluice_message(), first) &&
                strstr(sluice_message(), second),
            "refused: %s", what))
        diag("%d: %s", (int)status, sluice_message());
}

static void errors(void)
{
    begin(3);
    half_space(1, 0, 0, 1);
    refused(1, "half-space 1 (test.cfg:11) has no end along x", "within", "a half-space");
    test_box(&t, WALL, 1, 1, 1, 2, 2, 2);
    refused(2, "half-space 1 (test.cfg:11)", "no mass", "a half-space beside a box");
    begin(3);
    strcpy(test_box(&t, PART, 1, 1, 0.5, 2, 2, 2)->name, "block");
    strcpy(half_space(1, 0, 0, 1)->within, "block");
    holds(1, 0.5, NULL, NULL, 1e-12, "a half-space within a box has an end");
    begin(3);
    strcpy(test_box(&t, PART, 0.5, 0.5, 0.5, 3, 3, 3)->name, "block");
    strcpy(test_box(&t, PART, 1, 1, 1, 2, 2, 2)->without, "block");
    refused(1, "box 2 (test.cfg:12) encloses nothing", "no mass", "nothing is left");
}

int main(void)
{
    cuts();
    box();
    round_shapes();
    flat_shapes();
    unions();
    meshes();
    periodic();
    moved_faces();
    errors();
    return done_testing();
}
