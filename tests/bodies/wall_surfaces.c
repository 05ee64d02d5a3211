/* test: 0.2 s */
/* Surfaces of walls for pictures: the volume of each kind of shape within 0.1%, few triangles where
 * it is flat, and none where shapes do not give it. */
#include <stdio.h>
#include <unistd.h>

#include "bodies/surface.h"
#include "core/vector.h"
#include "surface/surface.h"
#include "body_shapes.h"
#include "support/surface_volume.h"

static struct sluice_geometry g;
static struct sluice_body_surface surface;

/* The surface of the last `count` shapes. */
static sluice_status make(int count)
{
    int shape[SHAPES_MOST];
    sluice_status status = place_shapes(&g, count, shape);
    if (status == SLUICE_OK) {
        status = sluice_wall_surface_create(&surface, &g, shape, count);
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

static void holds(int count, double expected, double off, int64_t most, const char *what)
{
    if (!is_int(make(count), SLUICE_OK, what))
        return;
    const double error = surface_volume(&surface, g.dimension, NULL) / expected - 1;
    ok(fabs(error) <= off, "%s: its volume, off by %.2g", what, error);
    ok(surface.triangles > 0 && surface.triangles <= most && surface.contacts == 0,
       "%s: %lld triangles, at most %lld, and no contacts", what, (long long)surface.triangles,
       (long long)most);
    finish();
}

static void shapes_of_space(void)
{
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    holds(1, 0.4, 1e-12, 12, "box");
    turn(&t.shape[0], 17);
    holds(1, 0.4, 1e-12, 12, "turned box");
    test_box(&t, WALL, 3, 3, 3, 3.5, 3.5, 3.5);
    holds(2, 0.525, 1e-12, 24, "two boxes of a group");
    begin(3);
    round_shape(SLUICE_SHAPE_SPHERE);
    holds(1, pi / 6, 1e-3, 30000, "sphere");
    begin(3);
    round_shape(SLUICE_SHAPE_CYLINDER);
    holds(1, pi * 0.2, 1e-3, 600, "cylinder");
    begin(3);
    round_shape(SLUICE_SHAPE_CONE)->top_radius = 0;
    holds(1, pi / 3 * 0.2, 1e-3, 512, "cone");
    begin(3);
    struct sluice_shape *s = notched_shape();
    s->from = 0.5;
    s->to = 1.5;
    s->axis = 1;
    holds(1, 1.375, 1e-9, 40, "prism");
    s->from = -INFINITY;
    s->to = INFINITY;
    holds(1, 4 * 1.375, 1e-9, 50, "a prism without ends stops at the domain");
    begin(3);
    hull_shape();
    is_int(make(1), SLUICE_OK, "hull");
    const struct sluice_surface *own = g.solid[0].data;
    ok(surface.triangles == own->element_count &&
           fabs(surface_volume(&surface, 3, NULL) / g.solid[0].volume - 1) < 1e-9,
       "a mesh has its own triangles: %lld", (long long)surface.triangles);
    finish();
}

/* A slope of 1:4 by a grid of heights that is wider than the domain of 4 m. */
static void heights(void)
{
    char path[] = "/tmp/sluice-heights-XXXXXX.csv";
    const int file = mkstemps(path, 4);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (!ok(out != NULL, "a file of heights"))
        return;
    fprintf(out, "x,y,z\n");
    for (int i = 0; i <= 8; i++)
        for (int k = 0; k <= 8; k++)
            fprintf(out, "%g,%g,%g\n", 0.5 * i, 0.5 * k, 0.5 + 0.125 * i);
    fclose(out);
    begin(3);
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_HEIGHTFIELD, WALL);
    snprintf(s->surface, sizeof s->surface, "%s", path);
    s->no_data = INFINITY;
    holds(1, 16, 1e-6, 1000, "ground by heights");
    unlink(path);
}

static void combined(void)
{
    begin(3);
    strcpy(round_shape(SLUICE_SHAPE_CYLINDER)->name, "bore");
    t.shape[0].type = PART;
    t.shape[0].length = 3;
    strcpy(test_box(&t, WALL, 0.8, 0.8, 1, 2.2, 2.2, 1.8)->without, "bore");
    holds(1, 0.8 * (1.96 - pi * 0.25), 1e-2, 400000, "box with a round hole through it");
    begin(3);
    strcpy(round_shape(SLUICE_SHAPE_SPHERE)->name, "ball");
    t.shape[0].type = PART;
    strcpy(half_space(1.5, 0.6, 0, 0.8)->within, "ball");
    holds(1, pi / 12, 1e-2, 400000, "half of a ball, by a half-space");
}

static void shapes_of_a_plane(void)
{
    begin(2);
    test_box(&t, WALL, 1, 1, 0, 2, 1.5, 0);
    holds(1, 0.5, 1e-12, 2, "box in 2-D");
    begin(2);
    round_shape(SLUICE_SHAPE_DISC);
    holds(1, pi * 0.25, 1e-3, 144, "disc");
    begin(2);
    turn(notched_shape(), 20);
    holds(1, 1.375, 1e-9, 10, "polygon with a notch");
}

static void none(void)
{
    begin(3);
    half_space(1, 0.6, 0, 0.8);
    is_int(make(1), SLUICE_OK, "an oblique half-space");
    ok(surface.triangles == 0, "has no surface: %lld", (long long)surface.triangles);
    finish();
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    half_space(1, 0.6, 0, 0.8);
    is_int(make(2), SLUICE_OK, "a box and a half-space of one group");
    ok(surface.triangles == 0, "have none either: %lld", (long long)surface.triangles);
    finish();
}

int main(void)
{
    shapes_of_space();
    heights();
    combined();
    shapes_of_a_plane();
    none();
    return done_testing();
}
