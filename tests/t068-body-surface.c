/* Surfaces of bodies: closed, turned outwards, of the right volume, with points at corners. */
#include "t068-body-surface.h"

/* --- What a surface must be --- */

static int by_ends(const void *a, const void *b)
{
    const int32_t *p = a, *q = b;
    if (p[0] != q[0])
        return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

/* Each directed edge of the triangles is there once, and so is its reverse. Returns how many are
 * not. */
static int64_t count_open_edges(void)
{
    const int64_t n = 3 * surface.triangles;
    int32_t(*edge)[2] = malloc((size_t)n * sizeof *edge);
    int64_t wrong = 0;
    for (int64_t i = 0; i < n; i++) {
        edge[i][0] = surface.triangle[i / 3][i % 3];
        edge[i][1] = surface.triangle[i / 3][(i + 1) % 3];
    }
    qsort(edge, (size_t)n, sizeof *edge, by_ends);
    for (int64_t i = 0; i < n; i++) {
        const int32_t back[2] = {edge[i][1], edge[i][0]};
        wrong += (i > 0 && by_ends(edge[i], edge[i - 1]) == 0) ||
                 !bsearch(back, edge, (size_t)n, sizeof *edge, by_ends);
    }
    free(edge);
    return wrong;
}

/* Triangles whose normal leads into the body. */
static int64_t count_inverted(void)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < surface.triangles; i++) {
        double normal[3], beside[3], way[3];
        cross(surface.triangle[i], normal, beside);
        const double size = sluice_norm(normal);
        if (size < 1e-6 * dp * dp)
            continue;
        for (int a = 0; a < 3; a++)
            beside[a] += 0.05 * dp * normal[a] / size;
        const double d = union_distance(beside, way);
        wrong += -sluice_dot(way, normal) / d < 0;
    }
    return wrong;
}

/* euler: points - edges + triangles: 2 for each part without holes, 2 less for each hole through.
 * off: relative, of the volume. inverted: as many triangles may be so where faces meet sharply. */
static void holds(int count, double factor, int64_t euler, double off, int64_t inverted,
                  const char *what)
{
    struct sluice_body_mass mass;
    if (!is_int(make(count, factor), SLUICE_OK, what))
        return;
    if (sluice_body_mass(&g, shape, count, &mass) != SLUICE_OK)
        mass.volume = 0;
    const int64_t open = count_open_edges(), in = count_inverted();
    const double volume = volume_of(), beside = off_surface(), longest = longest_edge();
    ok(open == 0 && surface.points - surface.triangles / 2 == euler, "%s: closed", what);
    ok(in <= inverted, "%s: outwards", what);
    ok(fabs(volume / mass.volume - 1) <= off, "%s: its volume", what);
    ok(beside < 1e-6 && longest < 2.5 * factor, "%s: points on the surface, close enough", what);
    diag("%lld points, %lld triangles, volume off by %.2g, longest edge %.2g spacings, %lld "
         "inverted, %lld open, Euler %lld",
         (long long)surface.points, (long long)surface.triangles, volume / mass.volume - 1, longest,
         (long long)in, (long long)open, (long long)(surface.points - surface.triangles / 2));
}

static void has_corners_of_box(int of, const char *what)
{
    const struct sluice_shape *s = &g.snapped[of];
    double most = 0;
    for (int k = 0; k < 8; k++) {
        const double own[3] = {k & 1 ? s->max[0] : s->min[0], k & 2 ? s->max[1] : s->min[1],
                               k & 4 ? s->max[2] : s->min[2]};
        most = fmax(most, off_corner(of, own));
    }
    ok(most < 1e-6, "%s: its corners have points", what);
    diag("off by %.2g spacings", most);
}

/* --- Shapes --- */

static void boxes(void)
{
    static const double degrees[] = {4, 17, 30, 45, 58, 76};
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    holds(1, 1, 2, 1e-12, 0, "box");
    has_corners_of_box(0, "box");
    finish();
    holds(1, 2, 2, 1e-12, 0, "coarser");
    ok(surface.points < 400, "fewer points: %lld", (long long)surface.points);
    finish();
    turn(&t.shape[0], 17);
    holds(1, 1, 2, 1e-12, 0, "turned box");
    has_corners_of_box(0, "turned box");
    finish();
    for (size_t k = 0; k < sizeof degrees / sizeof *degrees; k++) {
        begin(3);
        turn(test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8), degrees[k]);
        combine();
        holds(1, 1, 2, 2e-3, 20, "box turned against the grid");
        has_corners_of_box(0, "box turned against the grid");
        finish();
    }
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 1.1, 1.05, 1.05);
    holds(1, 1, 2, 1e-12, 0, "box of two spacings");
    has_corners_of_box(0, "box of two spacings");
    finish();
}

static void round_shapes(void)
{
    static const char *const what[] = {"sphere", "cylinder", "cone"};
    static const int kind[] = {SLUICE_SHAPE_SPHERE, SLUICE_SHAPE_CYLINDER, SLUICE_SHAPE_CONE};
    for (int k = 0; k < 3; k++) {
        begin(3);
        round_shape(kind[k]);
        holds(1, 0.5, 2, 2e-3, 0, what[k]);
        finish();
        holds(1, 1, 2, k == 2 ? 7e-3 : 5e-3, 0, "ten spacings wide");
        if (k == 1) {
            const double rim[3] = {1.5 + 0.3, 1.5 + 0.4, 1.9};
            ok(off_corner(0, rim) < 1, "there are points at the rim");
        }
        finish();
    }
    begin(3);
    round_shape(SLUICE_SHAPE_SPHERE)->radius = 0.5 * dp;
    holds(1, 1, 2, 0.03, 0, "sphere of one spacing");
    finish();
}

static void others(void)
{
    static const double notch[6][2] = {{1, 1}, {3, 1}, {3, 2}, {2.5, 2}, {2, 1.25}, {1.5, 2}};
    for (int against = 0; against < 2; against++) {
        double most = 0;
        begin(3);
        struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_POLYGON, WALL);
        s->points.count = 6;
        memcpy(s->points.at, notch, sizeof notch);
        s->from = 0.5;
        s->to = 1.5;
        s->axis = 2;
        turn(s, 17);
        if (against)
            combine();
        holds(1, 1, 2, 1e-3, against ? 20 : 0,
              against ? "prism against the grid" : "prism with a notch");
        for (int k = 0; k < 12; k++) {
            const double own[3] = {notch[k % 6][0], notch[k % 6][1], k < 6 ? 0.5 : 1.5};
            most = fmax(most, off_corner(0, own));
        }
        ok(most < 1e-6, "its corners have points: off by %.2g", most);
        finish();
    }
    begin(3);
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_MESH, WALL);
    strcpy(s->surface, "configs/hull.stl");
    s->move[0] = s->move[1] = s->move[2] = 1;
    holds(1, 0.4, 2, 6e-3, 4, "hull");
    finish();
}

static void unions(void)
{
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    test_box(&t, WALL, 1.5, 1.25, 1, 2.5, 2.5, 2);
    holds(2, 1, 2, 1e-12, 0, "two boxes that overlap");
    finish();
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.8);
    turn(test_box(&t, WALL, 1, 0.4, 0.6, 1.6, 1, 1.4), 40);
    holds(2, 1, 2, 3e-3, 10, "one of them turned");
    finish();
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 1.5, 1.5);
    test_box(&t, WALL, 1, 1, 1.5, 2, 1.5, 2);
    holds(2, 1, 2, 1e-12, 0, "halves of a box");
    finish();
    begin(3);
    strcpy(test_box(&t, PART, 1.2, 1.2, 1.2, 1.7, 1.4, 1.6)->name, "hole");
    strcpy(test_box(&t, WALL, 1, 1, 1, 2, 1.6, 1.8)->without, "hole");
    holds(1, 1, 4, 1e-12, 0, "box without a box within it");
    finish();
    t.shape[0].max[2] = 2;
    t.shape[0].min[2] = 0.8;
    holds(1, 1, 0, 1e-12, 0, "box with a hole through it");
    finish();
    begin(3);
    test_box(&t, WALL, 1, 1, 1, 2, 2, 2);
    test_box(&t, WALL, 2, 2, 1, 3, 3, 2);
    holds(2, 1, 4, 1e-3, 0, "two boxes that touch along an edge");
    finish();
    begin(3);
    round_shape(SLUICE_SHAPE_SPHERE);
    round_shape(SLUICE_SHAPE_SPHERE)->centre[2] = 2.51;
    holds(2, 1, 4, 5e-3, 0, "two spheres close to each other");
    finish();
}

/* Small spheres and boxes in a heap, too small for the grid: whatever becomes of them is closed. */
static void heaps(void)
{
    uint64_t state = 1;
    int64_t open = 0, odd = 0;
    for (int heap = 0; heap < 8; heap++) {
        begin(3);
        for (int k = 0; k < SHAPES_MOST; k++) {
            double at[4];
            for (int a = 0; a < 4; a++) {
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                at[a] = (double)(state >> 11) * 0x1p-53;
            }
            struct sluice_shape *s = k % 2 ? round_shape(SLUICE_SHAPE_SPHERE)
                                           : test_box(&t, WALL, 0, 0, 0, 0, 0, 0);
            for (int a = 0; a < 3; a++) {
                s->centre[a] = 1 + 0.5 * at[a];
                s->min[a] = s->centre[a] - 0.4 * dp * (1 + at[3]);
                s->max[a] = s->centre[a] + 0.4 * dp * (1 + at[(a + 1) % 3]);
            }
            s->radius = (0.4 + at[3]) * dp;
            if (k % 2 == 0) {
                s->rotation_degrees = 1e-3 + 5 * at[3];
                s->rotation_axis[0] = s->rotation_axis[1] = 1;
            }
        }
        if (make(SHAPES_MOST, 2) != SLUICE_OK) {
            open++;
            continue;
        }
        open += count_open_edges();
        odd += surface.points % 1 != 0 || surface.triangles % 2 != 0;
        finish();
    }
    ok(open == 0 && odd == 0, "heaps of shapes too small for the grid are closed: %lld open",
       (long long)open);
}

/* --- Thin parts, periodic axes, errors --- */

static void thin(void)
{
    begin(3);
    turn(test_box(&t, WALL, 1, 1, 1, 2, 2, 1 + 0.1 * dp), 17);
    holds(1, 1, 2, 1e-9, 0, "a plate of a tenth of the spacing");
    has_corners_of_box(0, "the plate");
    finish();
    begin(3);
    turn(test_box(&t, WALL, 1, 1, 1, 2, 2, 1 + 0.6 * dp), 17);
    combine();
    holds(1, 1, 2, 1e-2, 30, "a plate against the grid makes it finer");
    ok(said[0] == 0, "without a warning");
    finish();
    begin(3);
    turn(test_box(&t, WALL, 1, 1, 1, 2.2, 2.2, 2.2), 17);
    turn(test_box(&t, WALL, 1, 1, 1, 1 + 0.05 * dp, 2, 2), 40);
    t.shape[1].move[0] = 1.2;
    is_int(make(2, 1), SLUICE_OK, "a block beside a thin plate");
    ok(strstr(said, "warning: body: box 1 (test.cfg:11)") && strstr(said, "lacks them"),
       "is warned of: %s", said);
    finish();
    begin(3);
    turn(test_box(&t, WALL, 1, 1, 1, 2, 2, 1 + 1e-4 * dp), 17);
    combine();
    is_int(make(1, 1), SLUICE_BAD_INPUT, "a sheet is refused");
    ok(strstr(sluice_message(), "box 2 (test.cfg:12) is thinner than"), "by its name");
}

static void beside_images(void)
{
    begin(3);
    t.config.domain.periodic[0] = 1;
    turn(test_box(&t, WALL, 1, 1, 1, 2, 2, 2), 0);
    t.shape[0].rotation_degrees = 0;
    t.shape[0].min[0] = 0;
    t.shape[0].max[0] = 3.3; /* moved by 0.7 */
    t.shape[0].move[0] = 0.7 - 0.68;
    holds(1, 1, 2, 1e-12, 0, "a box close to its periodic image");
    finish();
}

static void errors(void)
{
    begin(3);
    struct sluice_shape *s = test_shape(&t, SLUICE_SHAPE_HALF_SPACE, WALL);
    s->normal[2] = 1;
    s->centre[2] = 1;
    is_int(make(1, 1), SLUICE_BAD_INPUT, "a half-space has no surface");
    ok(strstr(sluice_message(), "half-space 1 (test.cfg:11) has no end along x"), "by its name");
}

int main(void)
{
    boxes();
    round_shapes();
    others();
    unions();
    heaps();
    thin();
    beside_images();
    errors();
    return done_testing();
}
