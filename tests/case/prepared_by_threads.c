/* test: 3 s */
/* Any number of threads prepares a case to the same bits: trees of surfaces, warnings about a mesh,
 * the cells of shapes, the particles' state, and messages. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solids/solid.h"
#include "surface/surface.h"
#include "support/case_config.h"

enum { TEAM = 3 };

static void must(sluice_status status)
{
    if (status == SLUICE_OK)
        return;
    diag("%s", sluice_message());
    exit(1);
}

/* --- Trees --- */

/* A closed line of n segments around a star. */
static sluice_status build_star(struct sluice_surface *s, int64_t n, struct sluice_threads *team)
{
    *s = (struct sluice_surface){.dimension = 2, .vertex_count = n, .element_count = n};
    s->vertex = calloc((size_t)n, sizeof *s->vertex);
    s->element = calloc((size_t)n, sizeof *s->element);
    for (int64_t i = 0; i < n; i++) {
        const double turn = 2 * M_PI * (double)i / (double)n, r = 1 + 0.3 * sin(7 * turn);
        s->vertex[i][0] = r * cos(turn);
        s->vertex[i][1] = r * sin(turn);
        s->element[i][0] = (int32_t)i;
        s->element[i][1] = (int32_t)((i + 1) % n);
    }
    return sluice_surface_build(s, team);
}

/* Whether node `at` has `count` elements from `first` on, all in its box, and its children have the
 * halves. Returns the node after its last descendant; -1: it is not so. */
static int64_t walk_tree(const struct sluice_surface *s, int64_t at, int64_t first, int64_t count)
{
    const struct sluice_surface_node *n = &s->node[at];
    if (at >= s->node_count || n->first != first || n->count != count)
        return -1;
    for (int64_t i = first; i < first + count; i++)
        for (int k = 0; k < s->dimension; k++)
            for (int a = 0; a < 3; a++) {
                const double x = sluice_surface_corner(s, s->order[i], k)[a];
                if (x < n->low[a] || x > n->high[a])
                    return -1;
            }
    if (n->second == 0)
        return count <= 4 ? at + 1 : -1;
    if (walk_tree(s, at + 1, first, count / 2) != n->second)
        return -1;
    return walk_tree(s, n->second, first + count / 2, count - count / 2);
}

static void trees(struct sluice_threads *team)
{
    static const int64_t large[] = {255, 256, 257, 511, 513, 1025, 50000, 66000, 131071};
    int whole = 1, same = 1;
    for (int64_t k = 3; k < 100 + (int64_t)(sizeof large / sizeof *large); k++) {
        const int64_t n = k < 100 ? k : large[k - 100];
        struct sluice_surface one, other;
        must(build_star(&one, n, NULL));
        must(build_star(&other, n, team));
        const int whole_now = walk_tree(&one, 0, 0, n) == one.node_count;
        const int same_now = one.node_count == other.node_count &&
                             same_bits(one.order, other.order, (size_t)n * sizeof *one.order) &&
                             same_bits(one.node, other.node,
                                       (size_t)one.node_count * sizeof *one.node);
        if (!whole_now || !same_now)
            diag("of %lld elements", (long long)n);
        whole &= whole_now;
        same &= same_now;
        sluice_surface_destroy(&one);
        sluice_surface_destroy(&other);
    }
    ok(whole, "trees of 3 to 131071 elements halve them, and their boxes hold them");
    ok(same, "a team makes the same trees");
}

/* --- Meshes --- */

/* Appends a sphere of 2 n m triangles about (x, 1, 1), with bumps 0.02 high. */
static void write_sphere(FILE *out, double x, int n, int m, int before)
{
    for (int i = 0; i <= m; i++)
        for (int k = 0; k < n; k++) {
            const double turn = 2 * M_PI * k / n, rise = M_PI * i / m,
                         r = 0.5 + 0.02 * sin(9 * turn) * sin(rise) * sin(11 * rise);
            fprintf(out, "v %.17g %.17g %.17g\n", x + r * sin(rise) * cos(turn),
                    1 + r * sin(rise) * sin(turn), 1 - r * cos(rise));
        }
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) {
            const int a = before + i * n + k + 1, b = before + i * n + (k + 1) % n + 1;
            fprintf(out, "f %d %d %d\nf %d %d %d\n", a, b + n, b, a, a + n, b + n);
        }
}

/* A cone of n needles, and as many in its base. */
static void write_cone(FILE *out, double x, int n, int before)
{
    fprintf(out, "v %.17g 1 0.5\nv %.17g 1 1.5\n", x, x);
    for (int i = 0; i < n; i++)
        fprintf(out, "v %.17g %.17g 0.5\n", x + 0.5 * cos(2 * acos(-1) * i / n),
                1 + 0.5 * sin(2 * acos(-1) * i / n));
    for (int i = 0; i < n; i++) {
        const int a = before + 3 + i, b = before + 3 + (i + 1) % n;
        fprintf(out, "f %d %d %d\nf %d %d %d\n", b, a, before + 1, a, b, before + 2);
    }
}

static void write_spheres(const char *path, double apart)
{
    FILE *out = fopen(path, "w");
    write_sphere(out, 1, 90, 60, 0);
    write_sphere(out, 1 + apart, 90, 60, 90 * 61);
    fclose(out);
}

static void write_cones(const char *path, double apart)
{
    FILE *out = fopen(path, "w");
    write_cone(out, 1, 800, 0);
    write_cone(out, 1 + apart, 800, 802);
    fclose(out);
}

static sluice_status create_mesh(struct sluice_solid *solid, struct sluice_config *config,
                                 struct sluice_shape *shape, int threads, char said[4096])
{
    struct sluice_warnings warnings = {.out = fmemopen(said, 4096, "w")};
    *config = (struct sluice_config){.dimension = 3, .spacing = 0.1, .domain = {.max = {4, 2, 2}}};
    config->backend.threads = threads;
    const sluice_status status = sluice_solid_create(solid, config, shape, &warnings);
    fclose(warnings.out);
    return status;
}

/* The warnings about a file of two bodies, and their distances, on 1 thread and by a team. told: a
 * warning to expect; NULL: the surface does not cross itself. */
static void meshes(void (*write_file)(const char *path, double apart), double apart,
                   const char *told, const char *what)
{
    struct sluice_config config[2];
    struct sluice_shape shape = {.kind = SLUICE_SHAPE_MESH, .scale = 1, .base = INFINITY};
    struct sluice_solid solid[2];
    char said[2][4096] = {"", ""};
    int same = 1;
    snprintf(shape.surface, sizeof shape.surface, "/tmp/sluice-prepared-by-threads-%d.obj",
             (int)getpid());
    write_file(shape.surface, apart);
    for (int i = 0; i < 2; i++)
        must(create_mesh(&solid[i], &config[i], &shape, i ? TEAM : 1, said[i]));
    unlink(shape.surface);
    ok(told ? strstr(said[0], told) != NULL : !strstr(said[0], "crosses itself"), "%s: %s", what,
       said[0]);
    is_str(said[1], said[0], "a team gives the same warnings");
    for (int i = 0; i < 200; i++) {
        const double x[3] = {0.01 * i, 1 + 0.3 * sin(i), 1 + 0.3 * cos(i)};
        double way[2][3];
        const double d[2] = {sluice_solid_distance(&solid[0], x, way[0]),
                             sluice_solid_distance(&solid[1], x, way[1])};
        same &= same_bits(&d[0], &d[1], sizeof *d) && same_bits(way[0], way[1], sizeof *way);
    }
    ok(same && solid[0].volume == solid[1].volume, "and finds the same distances and volume");
    for (int i = 0; i < 2; i++)
        sluice_solid_destroy(&solid[i]);
}

/* --- Cases --- */

/* A tank with 144,000 particles of water. */
static void set_tank(struct test_config *t, int threads)
{
    test_wcsph(t, 3, 0.02);
    test_domain(t, 1.2, 1.2, 1);
    test_box(t, SLUICE_SHAPE_FLUID, 0, 0, 0, 1.2, 1.2, 0.8);
    test_walls(t, 31);
    t->config.fluid.masses = SLUICE_MASSES_HYDROSTATIC;
    t->config.backend.threads = threads;
}

static int same_start(const struct sluice_start *a, const struct sluice_start *b)
{
    const size_t n = (size_t)a->count;
    return a->count == b->count && same_bits(a->id, b->id, n * sizeof *a->id) &&
           same_bits(a->mass, b->mass, n * sizeof *a->mass) &&
           same_bits(a->density, b->density, n * sizeof *a->density) &&
           same_bits(a->velocity, b->velocity, n * sizeof *a->velocity);
}

static int same_places(const struct sluice_case *a, const struct sluice_case *b, int type)
{
    int same = 1;
    for (int64_t i = 0; i < a->start[type].count && same; i++) {
        double x[2][3];
        test_x(a, type, i, x[0]);
        test_x(b, type, i, x[1]);
        same = same_bits(x[0], x[1], sizeof *x);
    }
    return same;
}

static void cases(void)
{
    char said[2][4096] = {"", ""};
    struct test_config t[2];
    struct sluice_case c[2];
    for (int i = 0; i < 2; i++) {
        set_tank(&t[i], i ? TEAM : 1);
        test_initial(&t[i], SLUICE_FIELD_OF_PRESSURE, SLUICE_INITIAL_HYDROSTATIC);
        test_initial(&t[i], SLUICE_FIELD_OF_VELOCITY, SLUICE_INITIAL_ROTATION)->rate = 0.1;
        must(test_create(&c[i], &t[i], said[i]));
    }
    ok(c[0].start[SLUICE_FLUID].count == 144000, "a case with enough particles for a team");
    is_str(said[1], said[0], "a team gives the same warnings of it");
    for (int type = 0; type <= SLUICE_WALL; type++)
        ok(same_start(&c[0].start[type], &c[1].start[type]) && same_places(&c[0], &c[1], type),
           "and makes the same particles, type %d", type);
    for (int i = 0; i < 2; i++)
        sluice_case_destroy(&c[i]);
    /* The density is refused above a plane: the message names the first particle above it. */
    for (int i = 0; i < 2; i++) {
        set_tank(&t[i], i ? TEAM : 1);
        struct sluice_initial *f = test_initial(&t[i], SLUICE_FIELD_OF_DENSITY,
                                                SLUICE_INITIAL_LINEAR);
        f->value[0] = 1000;
        f->gradient[0][2] = 1000;
        REFUSED(&t[i], SLUICE_BAD_INPUT, "a density that is far off",
                "at (0.01, 0.01, 0.51) the density would be 1.51 times");
    }
}

int main(void)
{
    struct sluice_threads *team;
    must(sluice_threads_create(&team, TEAM));
    trees(team);
    sluice_threads_destroy(&team);
    meshes(write_spheres, 0.7, "the surface crosses itself, in ", "two spheres that cross");
    meshes(write_spheres, 1.2, NULL, "two spheres apart");
    meshes(write_cones, 0.2, "crossings were looked for at ", "two cones that cross all over");
    cases();
    return done_testing();
}
