/* Surfaces of bodies in 2-D: closed outlines, filled, of the right area, with points at corners. */
#include "t068-body-surface.h"

/* The outline: one segment ends and one begins at each of its points. Returns its area. */
static double outline(int64_t *open)
{
    int *balance = calloc((size_t)surface.points, sizeof *balance);
    double area = 0;
    *open = 0;
    for (int64_t i = 0; i < surface.segments; i++) {
        const int32_t *s = surface.segment[i];
        const double *p = surface.point[s[0]], *q = surface.point[s[1]];
        area += (p[0] * q[1] - p[1] * q[0]) / 2;
        balance[s[0]] += 1;
        balance[s[1]] += 100;
    }
    for (int64_t i = 0; i < surface.points; i++)
        *open += balance[i] != (i < surface.on_surface ? 101 : 0);
    free(balance);
    return area;
}

static void holds_flat(int count, double area, double off, const char *what)
{
    int64_t open, wrong = 0;
    if (!is_int(make(count, 1), SLUICE_OK, what))
        return;
    const double around = outline(&open), filled = volume_of();
    for (int64_t i = 0; i < surface.triangles; i++) {
        double normal[3], middle[3];
        cross(surface.triangle[i], normal, middle);
        wrong += normal[2] < -1e-12;
    }
    ok(open == 0, "%s: a closed outline", what);
    ok(fabs(around / area - 1) <= off, "%s: the area within", what);
    ok(fabs(filled - around) < 1e-12 && wrong == 0, "%s: triangles fill it", what);
    ok(off_surface() < 1e-6 && longest_edge() < 2.5, "%s: points on it, close enough", what);
    diag("%lld points, %lld on the outline, %lld triangles, area off by %.2g",
         (long long)surface.points, (long long)surface.on_surface, (long long)surface.triangles,
         around / area - 1);
}

static void flat(void)
{
    static const double notch[6][2] = {{1, 1}, {3, 1}, {3, 2}, {2.5, 2}, {2, 1.25}, {1.5, 2}};
    const double pi = acos(-1);
    begin(2);
    test_box(&t, WALL, 1, 1, 0, 2, 1.5, 0);
    holds_flat(1, 0.5, 1e-12, "box in 2-D");
    finish();
    begin(2);
    round_shape(SLUICE_SHAPE_DISC);
    holds_flat(1, pi * 0.25, 2e-3, "disc");
    finish();
    for (int k = 0; k < 4; k++) {
        double most = 0;
        begin(2);
        struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_POLYGON, WALL);
        s->points.count = 6;
        memcpy(s->points.at, notch, sizeof notch);
        turn(s, 10 * k);
        combine();
        holds_flat(1, 1.375, 1e-4, "polygon with a notch");
        for (int i = 0; i < 6; i++) {
            const double own[3] = {notch[i][0], notch[i][1], 0};
            most = fmax(most, off_corner(0, own));
        }
        ok(most < 1e-6, "its corners have points: off by %.2g", most);
        finish();
    }
    begin(2);
    strcpy(round_shape(SLUICE_SHAPE_DISC)->name, "hole");
    t.shape[0].type = PART;
    strcpy(test_box(&t, WALL, 0.8, 0.8, 0, 2.2, 2.2, 0)->without, "hole");
    holds_flat(1, 1.96 - pi * 0.25, 2e-3, "box without a disc");
    finish();
    begin(2);
    test_box(&t, WALL, 1, 1, 0, 2, 2, 0);
    test_box(&t, WALL, 2, 2, 0, 3, 3, 0);
    holds_flat(2, 2, 1e-3, "two boxes that touch at a corner");
    finish();
}

int main(void)
{
    flat();
    return done_testing();
}
