/* test: 0.9 s */
/* Surfaces of bodies: triangles of the right volume, turned outwards, and contacts on the surface,
 * at its corners and edges, evenly spread. */
#include <stdio.h>

#include "bodies/mass.h"
#include "bodies/surface.h"
#include "core/vector.h"
#include "surface/surface.h"
#include "body_shapes.h"
#include "support/surface_volume.h"

static struct sluice_geometry g;
static struct sluice_body_surface surface;
static int shape[SHAPES_MOST], shapes;

/* The surface of the last `count` shapes. */
static sluice_status make(int count)
{
    shapes = count;
    sluice_status status = place_shapes(&g, count, shape);
    if (status == SLUICE_OK) {
        status = sluice_body_surface_create(&surface, &g, shape, count, 1);
        if (status != SLUICE_OK)
            sluice_geometry_destroy(&g);
    }
    if (status != SLUICE_OK)
        diag("%s", sluice_message());
    return status;
}

static void finish(void)
{
    sluice_body_surface_destroy(&surface);
    sluice_geometry_destroy(&g);
}

/* How far contacts are off the surface of the union; how near two of them are; spacings. */
static double off_surface(double *nearest)
{
    double most = 0, way[3];
    *nearest = INFINITY;
    for (int64_t i = 0; i < surface.contacts; i++) {
        double least = INFINITY;
        for (int k = 0; k < shapes; k++)
            least = fmin(least, sluice_geometry_distance(&g, shape[k], surface.contact[i], way));
        most = fmax(most, fabs(least));
        for (int64_t k = 0; k < i; k++) {
            for (int a = 0; a < 3; a++)
                way[a] = surface.contact[i][a] - surface.contact[k][a];
            *nearest = fmin(*nearest, sluice_norm(way));
        }
    }
    *nearest /= dp;
    return most / dp;
}

/* How far a place of a shape, in its own coordinates, is from the nearest contact, in spacings. */
static double off_corner(int of, double x0, double x1, double x2)
{
    const double own[3] = {x0, x1, x2};
    double x[3], least = INFINITY;
    sluice_solid_place(&g.solid[of], own, x);
    for (int64_t i = 0; i < surface.contacts; i++) {
        const double *p = surface.contact[i], way[3] = {p[0] - x[0], p[1] - x[1], p[2] - x[2]};
        least = fmin(least, sluice_norm(way));
    }
    return least / dp;
}

/* off: of the volume, relative. size: the area of the surface, in 2-D its length. */
static void holds(int count, double volume, double off, double size, const char *what)
{
    double area, nearest;
    if (!is_int(make(count), SLUICE_OK, what))
        return;
    const double found = surface_volume(&surface, g.dimension, &area),
                 beside = off_surface(&nearest),
                 density = (double)surface.contacts * pow(dp, g.dimension - 1) / size;
    ok(fabs(found / volume - 1) <= off, "%s: its volume", what);
    ok(beside < 0.06, "%s: contacts on the surface", what);
    ok(density > 0.7 && density < 2.2 && nearest > 0.01, "%s: evenly spread", what);
    diag("%lld triangles, %lld contacts, volume off by %.2g, contacts off by %.2g spacings, %.2g a "
         "spacing, nearest %.2g",
         (long long)surface.triangles, (long long)surface.contacts, found / volume - 1, beside,
         density, nearest);
}

static void has_corners_of_box(int of, const char *what)
{
    const struct sluice_shape *s = &g.snapped[of];
    double most = 0;
    for (int k = 0; k < 8; k++)
        most = fmax(most, off_corner(of, k & 1 ? s->max[0] : s->min[0],
                                     k & 2 ? s->max[1] : s->min[1], k & 4 ? s->max[2] : s->min[2]));
    ok(most < 1e-6, "%s: contacts at its corners: off by %.2g", what, most);
}

static void boxes(void)
{
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    holds(1, 0.4, 1e-12, 3.4, "box");
    has_corners_of_box(0, "box");
    is_int(surface.contacts, 21 * 11 * 17 - 19 * 9 * 15, "its contacts are those of a grid");
    finish();
    turn(&t.shape[0], 17);
    holds(1, 0.4, 1e-12, 3.4, "turned box");
    has_corners_of_box(0, "turned box");
    finish();
    begin(3);
    turn(test_box(&t, WALL, 1, 1, 1, 2, 2, 1 + 0.1 * dp), 17);
    holds(1, 0.1 * dp, 1e-9, 2 + 0.4 * dp, "a plate of a tenth of the spacing");
    has_corners_of_box(0, "the plate");
    finish();
}

static void round_shapes(void)
{
    begin(3);
    round_shape(SLUICE_SHAPE_SPHERE);
    holds(1, pi / 6, 1e-9, pi, "sphere");
    finish();
    begin(3);
    round_shape(SLUICE_SHAPE_CYLINDER);
    holds(1, pi * 0.2, 1e-9, pi * 1.3, "cylinder");
    ok(off_corner(0, 1.5 + 0.3, 1.5 + 0.4, 1.9) < 0.6, "there are contacts at the rim");
    finish();
    begin(3);
    struct sluice_shape *s = round_shape(SLUICE_SHAPE_CONE);
    s->top_radius = 0;
    holds(1, pi / 3 * 0.2, 1e-9, pi * (0.25 + 0.5 * hypot(0.5, 0.8)), "cone");
    ok(off_corner(0, 1.5, 1.5, 1.9) < 1e-6, "its tip has a contact");
    finish();
}

/* How far the farthest point of a triangle is outside the surface, in steps. */
static double farthest_out(double step)
{
    double most = 0, way[3];
    for (int64_t i = 0; i < surface.points; i++)
        most = fmax(most, sluice_geometry_distance(&g, shape[0], surface.point[i], way));
    return most / step;
}

static void is_full(double volume, double across, const char *what)
{
    if (!is_int(make(1), SLUICE_OK, what))
        return;
    const double error = surface_volume(&surface, g.dimension, NULL) / volume - 1,
                 out = farthest_out(fmin(dp, across / 8));
    ok(fabs(error) < 1e-9 && out < 0.05, "%s: its volume, and points near its surface", what);
    diag("%lld triangles, volume off by %.2g, points up to %.2g steps outside",
         (long long)surface.triangles, error, out);
    finish();
}

/* Round bodies of 2.4 to 8 spacings across, scaled and turned. */
static void few_particles(void)
{
    for (int k = 0; k < 8; k++) {
        const int kind = k / 2 == 0   ? SLUICE_SHAPE_DISC
                         : k / 2 == 1 ? SLUICE_SHAPE_SPHERE
                         : k / 2 == 2 ? SLUICE_SHAPE_CYLINDER
                                      : SLUICE_SHAPE_CONE;
        const double radius = k % 2 ? 1.2 * dp : 4 * dp, r2 = radius * radius;
        begin(kind == SLUICE_SHAPE_DISC ? 2 : 3);
        struct sluice_shape *s = round_shape(kind);
        s->radius = radius / 2;
        s->length = 1.5 * radius;
        s->top_radius = radius / 4;
        s->axis = k % 3;
        turn(s, 17);
        s->scale = 2;
        s->move[0] = s->move[1] = -1;
        s->move[2] = g.dimension == 3 ? -1 : 0;
        is_full(kind == SLUICE_SHAPE_DISC       ? pi * r2
                : kind == SLUICE_SHAPE_SPHERE   ? 4 * pi / 3 * r2 * radius
                : kind == SLUICE_SHAPE_CYLINDER ? 3 * pi * r2 * radius
                                                : 1.75 * pi * r2 * radius,
                2 * radius, "a small round body");
    }
}

static void prisms(void)
{
    for (int k = 0; k < 6; k++) {
        double most = 0;
        begin(3);
        struct sluice_shape *s = notched_shape();
        for (int i = 0; i < 6 && k >= 3; i++) /* clockwise */
            memcpy(s->points.at[i], notch[5 - i], sizeof notch[i]);
        s->from = 0.5;
        s->to = 1.5;
        s->axis = k % 3;
        turn(s, 17);
        holds(1, 1.375, 1e-9, 2 * 1.375 + 2 + 1 + 1 + 0.5 + 0.5 + 2 * hypot(0.5, 0.75), "prism");
        for (int i = 0; i < 12; i++) {
            double own[3];
            own[s->axis] = i < 6 ? 0.5 : 1.5;
            own[s->axis == 0] = notch[i % 6][0];
            own[s->axis == 2 ? 1 : 2] = notch[i % 6][1];
            most = fmax(most, off_corner(0, own[0], own[1], own[2]));
        }
        ok(most < 1e-6, "contacts at its corners: off by %.2g", most);
        finish();
    }
}

static void mesh(void)
{
    struct sluice_body_mass mass = {0};
    begin(3);
    hull_shape();
    is_int(make(1), SLUICE_OK, "hull");
    const struct sluice_surface *own = g.solid[0].data;
    ok(surface.triangles == own->element_count && surface.points == own->vertex_count,
       "a mesh has its own triangles: %lld", (long long)surface.triangles);
    finish();
    make(1);
    is_int(sluice_body_mass(&g, shape, 1, &mass), SLUICE_OK, "its mass");
    double area, nearest;
    const double volume = surface_volume(&surface, g.dimension, &area),
                 beside = off_surface(&nearest);
    ok(fabs(volume / mass.volume - 1) < 1e-9 && beside < 1e-6, "outwards, contacts on it");
    diag("%lld contacts, %.2g a spacing", (long long)surface.contacts,
         (double)surface.contacts * dp * dp / area);
    finish();
}

/* --- Cuts --- */

static void cuts(void)
{
    begin(3);
    strcpy(test_box(&t, PART, 1.2, 1.2, 1.2, 1.7, 1.4, 1.6)->name, "hole");
    strcpy(test_box(&t, WALL, 1, 1, 1, 2, 1.6, 1.8)->without, "hole");
    holds(1, 0.48 - 0.04, 1e-9, 1.2 + 1.6 + 0.96 + 0.76, "box without a box within it");
    finish();
    t.shape[0].max[2] = 2;
    holds(1, 0.48 - 0.06, 5e-3, 1.2 + 1.6 + 0.96 - 0.2 + 0.84 + 0.1, "a hollow hull is open");
    double most = 0;
    for (int k = 0; k < 4; k++)
        most = fmax(most, off_corner(0, k & 1 ? 1.7 : 1.2, k & 2 ? 1.4 : 1.2, 1.8));
    ok(most < 1e-6, "contacts at the corners of its rim: off by %.2g", most);
    finish();
    begin(3);
    strcpy(round_shape(SLUICE_SHAPE_SPHERE)->name, "ball");
    t.shape[0].type = PART;
    strcpy(half_space(1.5, 0.6, 0, 0.8)->within, "ball");
    holds(1, pi / 12, 1e-2, pi * 0.75, "half of a ball, by a half-space");
    finish();
    begin(3);
    strcpy(round_shape(SLUICE_SHAPE_CYLINDER)->name, "bore");
    t.shape[0].type = PART;
    t.shape[0].length = 3;
    strcpy(test_box(&t, WALL, 0.8, 0.8, 1, 2.2, 2.2, 1.8)->without, "bore");
    holds(1, 0.8 * (1.96 - pi * 0.25), 2e-3, 2 * (1.96 - pi * 0.25) + 4 * 1.4 * 0.8 + pi * 0.8,
          "box with a round hole through it");
    finish();
}

static void unions(void)
{
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.5);
    test_box(&t, WALL, 1, 1, 1.5, 2, 1.5, 2);
    holds(2, 0.5, 1e-12, 4, "halves of a box");
    int64_t within = 0;
    for (int64_t i = 0; i < surface.contacts; i++) {
        const double *x = surface.contact[i];
        within += x[0] > 1.01 && x[0] < 1.99 && x[1] > 1.01 && x[1] < 1.49 && x[2] > 1.01 &&
                  x[2] < 1.99;
    }
    ok(within == 0, "no contacts on the seam: %lld", (long long)within);
    finish();
    begin(3);
    t.config.domain.periodic[0] = 1;
    test_box(&t, WALL, 0.02, 1, 1, 3.32, 2, 2);
    holds(1, 3.3, 1e-2, 2 + 4 * 3.3, "a box close to its periodic image");
    finish();
}

static void flat(void)
{
    begin(2);
    test_box(&t, WALL, 1, 1, 0, 2, 1.5, 0);
    holds(1, 0.5, 1e-12, 3, "box in 2-D");
    is_int(surface.contacts, 60, "contacts a spacing apart");
    finish();
    begin(2);
    round_shape(SLUICE_SHAPE_DISC);
    holds(1, pi * 0.25, 1e-9, pi, "disc");
    finish();
    begin(2);
    struct sluice_shape *s = notched_shape();
    turn(s, 20);
    holds(1, 1.375, 1e-12, 2 + 1 + 1 + 0.5 + 0.5 + 2 * hypot(0.5, 0.75), "polygon with a notch");
    ok(off_corner(0, 2.5, 2, 0) < 1e-6 && off_corner(0, 3, 1, 0) < 1e-6, "at its corners, too");
    finish();
    begin(2);
    strcpy(round_shape(SLUICE_SHAPE_DISC)->name, "hole");
    t.shape[0].type = PART;
    strcpy(test_box(&t, WALL, 0.8, 0.8, 0, 2.2, 2.2, 0)->without, "hole");
    holds(1, 1.96 - pi * 0.25, 5e-3, 5.6 + pi, "box without a disc");
    finish();
    begin(2);
    strcpy(test_box(&t, PART, 1, 1, 0, 2, 2, 0)->name, "block");
    strcpy(half_space(1.5, 0.6, 0.8, 0)->within, "block");
    holds(1, 0.5, 1e-3, 2 + hypot(1, 0.75), "half of a square, by a half-space");
    ok(off_corner(1, 1, 1.875, 0) < 1e-5 && off_corner(1, 2, 1.125, 0) < 1e-5,
       "contacts where they cut each other");
    finish();
}

static void errors(void)
{
    begin(3);
    half_space(1, 0, 0, 1);
    is_int(make(1), SLUICE_BAD_INPUT, "a half-space has no surface");
    ok(strstr(sluice_message(), "half-space 1 (test.cfg:11) has no end along x"), "by its name");
}

int main(void)
{
    boxes();
    round_shapes();
    few_particles();
    prisms();
    mesh();
    cuts();
    unions();
    flat();
    errors();
    return done_testing();
}
