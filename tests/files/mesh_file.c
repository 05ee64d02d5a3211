/* test: 0.1 s */
/* Surfaces in STL, OBJ and PLY: what is read. */
#include <stdint.h>
#include <unistd.h>
#include "files/mesh_file.h"
#include "support/tap.h"
struct solid {
    const char *name;
    int vertices, faces, corners; /* corners of each face */
    double volume;
    double vertex[8][3];
    int face[6][4];
};

static const struct solid tetrahedron = {.name = "tetrahedron",
                                         .vertices = 4,
                                         .faces = 4,
                                         .corners = 3,
                                         .volume = 1.0 / 6,
                                         .vertex = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                         .face = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
static const struct solid cube = {
    .name = "cube",
    .vertices = 8,
    .faces = 6,
    .corners = 4,
    .volume = 8,
    .vertex = {{-1, -1, -1},
               {1, -1, -1},
               {1, 1, -1},
               {-1, 1, -1},
               {-1, -1, 1},
               {1, -1, 1},
               {1, 1, 1},
               {-1, 1, 1}},
    .face = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}};
static char folder[] = "/tmp/sluice-mesh-file-XXXXXX", path[64];
static char bytes[8192]; /* of the file that is made */
static size_t used;

/* --- Files --- */

static void write_file(const char *suffix, const void *data, size_t size)
{
    if (*path)
        unlink(path);
    snprintf(path, sizeof path, "%s/mesh%s", folder, suffix);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        exit(1);
}
static void put(const void *data, size_t size)
{
    if (used + size > sizeof bytes)
        exit(1);
    memcpy(bytes + used, data, size);
    used += size;
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[512];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    put(line, (size_t)n);
}
static void put_integer(uint64_t value, int size, int big)
{
    for (int k = 0; k < size; k++) {
        const unsigned char byte = (unsigned char)(value >> 8 * (big ? size - 1 - k : k));
        put(&byte, 1);
    }
}
static void put_float(double value, int big)
{
    const float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    put_integer(bits, 4, big);
}
static void put_double(double value, int big)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_integer(bits, 8, big);
}

/* --- What is read --- */

static int triangles_of(const struct solid *s)
{
    return s->faces * (s->corners - 2);
}

/* Corner k of triangle i, where each face is cut into a fan. */
static const double *corner_of(const struct solid *s, int i, int k)
{
    const int fan = s->corners - 2;
    return s->vertex[s->face[i / fan][k == 0 ? 0 : i % fan + k]];
}
static double volume_of(const struct sluice_mesh *m)
{
    double sum = 0;
    for (int64_t i = 0; i < m->triangle_count; i++) {
        const double *a = m->vertex[m->triangle[i][0]], *b = m->vertex[m->triangle[i][1]],
                     *c = m->vertex[m->triangle[i][2]];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

/* The welded mesh is the solid, with each vertex once. */
static void reads(const struct solid *s, const char *suffix, const char *what)
{
    struct sluice_mesh m;
    int same = 1;
    write_file(suffix, bytes, used);
    used = 0;
    const sluice_status status = sluice_mesh_read(&m, path);
    if (!ok(status == SLUICE_OK, "%s: a %s", what, s->name)) {
        diag("%s", sluice_message());
        return;
    }
    ok(m.vertex_count == s->vertices && m.triangle_count == triangles_of(s) && m.flat == 0,
       "%s: %lld vertices, %lld triangles, %lld flat", what, (long long)m.vertex_count,
       (long long)m.triangle_count, (long long)m.flat);
    for (int i = 0; i < m.triangle_count && i < triangles_of(s); i++)
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                same = same && m.vertex[m.triangle[i][k]][a] == corner_of(s, i, k)[a];
    ok(same, "%s: each triangle has its corners, in order", what);
    is_close(volume_of(&m), s->volume, 1e-14, "with the outside out");
    sluice_mesh_destroy(&m);
}
static void ascii_stl(const struct solid *s)
{
    say("solid of a test\n");
    for (int i = 0; i < triangles_of(s); i++) {
        say("  facet normal 0 0 0\n\touter loop\r\n");
        for (int k = 0; k < 3; k++) {
            const double *x = corner_of(s, i, k);
            say(" vertex %g %.3e %+g\n", x[0], x[1], x[2]);
        }
        say(" endloop\n\nendfacet\n");
    }
    say("endsolid of a test");
    reads(s, ".stl", "ASCII STL");
}
static void binary_stl(const struct solid *s, const char *header, const char *suffix,
                       const char *what)
{
    char title[80] = {0};
    snprintf(title, sizeof title, "%s", header);
    put(title, sizeof title);
    put_integer((uint64_t)triangles_of(s), 4, 0);
    for (int i = 0; i < triangles_of(s); i++) {
        for (int a = 0; a < 3; a++)
            put_float(NAN, 0); /* normals are not read */
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                put_float(corner_of(s, i, k)[a], 0);
        put_integer(0xffff, 2, 0);
    }
    reads(s, suffix, what);
}

enum obj_style { PLAIN, SLASHES, BEHIND, CONTINUED };
static void obj(const struct solid *s, enum obj_style style, const char *what)
{
    say("# a test\nmtllib test.mtl\no %s\n", s->name);
    for (int v = 0; v < s->vertices; v++)
        say(style == SLASHES ? "v %g %g %g 0.5 0.5 0.5\r\n" : "v  %g %g\t%g\n", s->vertex[v][0],
            s->vertex[v][1], s->vertex[v][2]);
    say("vt 0 0\nvn 0 0 1\ng faces\nusemtl steel\ns off\n");
    for (int i = 0; i < s->faces; i++) {
        say("f");
        for (int k = 0; k < s->corners; k++) {
            const int v = s->face[i][k] + 1;
            if (style == SLASHES)
                say(k == 0 ? " %d/1/1" : k == 1 ? " %d//1" : " %d/1", v);
            else if (style == CONTINUED)
                say(k == 1 ? " %d \\\n" : k == 2 ? " %d\\ \r\n\\\n" : " %d", v);
            else
                say(" %d", style == BEHIND ? v - 1 - s->vertices : v);
        }
        say(style == PLAIN ? " # a face\n" : "\n");
    }
    say("l 1 2\n");
    reads(s, ".obj", what);
}
static void ply_header(const struct solid *s, const char *format, const char *end)
{
    say("ply%sformat %s 1.0%scomment of a test%sobj_info none%s", end, format, end, end, end);
    say("element camera 1%sproperty uchar zoom%sproperty list ushort short gaps%s", end, end, end);
    say("element vertex %d%sproperty uchar red%sproperty double x%sproperty float y%s", s->vertices,
        end, end, end, end);
    say("property float32 z%sproperty list uint8 float64 weights%s", end, end);
    say("element face %d%sproperty char flag%sproperty\tlist\tuchar  int vertex_indices%s",
        s->faces, end, end, end);
    say("property uint colour%selement edge 1%sproperty int vertex1%send_header%s", end, end, end,
        end);
}
static void ascii_ply(const struct solid *s)
{
    ply_header(s, "ascii", "\r\n");
    say("7 3 -1 -2 -3\n");
    for (int v = 0; v < s->vertices; v++)
        say("255 %g %g\n%g 1 0.5\n", s->vertex[v][0], s->vertex[v][1], s->vertex[v][2]);
    for (int i = 0; i < s->faces; i++) {
        say("-1 %d", s->corners);
        for (int k = 0; k < s->corners; k++)
            say(" %d", s->face[i][k]);
        say(" 4294967295\n");
    }
    say("0\n");
    reads(s, ".ply", "ASCII PLY");
}
static void binary_ply(const struct solid *s, int big, const char *what)
{
    ply_header(s, big ? "binary_big_endian" : "binary_little_endian", "\n");
    put_integer(7, 1, big);
    put_integer(1, 2, big);
    put_integer(0xfffe, 2, big);
    for (int v = 0; v < s->vertices; v++) {
        put_integer(255, 1, big);
        put_double(s->vertex[v][0], big);
        put_float(s->vertex[v][1], big);
        put_float(s->vertex[v][2], big);
        put_integer(2, 1, big);
        put_double(0.5, big);
        put_double(NAN, big);
    }
    for (int i = 0; i < s->faces; i++) {
        put_integer(0xff, 1, big);
        put_integer((uint64_t)s->corners, 1, big);
        for (int k = 0; k < s->corners; k++)
            put_integer((uint64_t)s->face[i][k], 4, big);
        put_integer(0xffffffff, 4, big);
    }
    put_integer(0, 4, big);
    reads(s, "", what); /* its contents tell what it is */
}
static void all_formats(const struct solid *s)
{
    ascii_stl(s);
    binary_stl(s, "a test", ".stl", "binary STL");
    binary_stl(s, "solid of a test", ".STL", "binary STL that begins with \"solid\"");
    binary_stl(s, "of a test", ".obj", "binary STL under another name");
    obj(s, PLAIN, "OBJ");
    obj(s, SLASHES, "OBJ with textures, normals and colours");
    obj(s, BEHIND, "OBJ with negative indices");
    obj(s, CONTINUED, "OBJ with continued lines");
    ascii_ply(s);
    binary_ply(s, 0, "little-endian PLY");
    binary_ply(s, 1, "big-endian PLY");
}

/* Merged places, polygons, and triangles without an area. */
static void cleaned(void)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv -0 0 -0.0\nv 1 0 0\nv 2 0 0\n"
                               "f 1 2 3\nf 4 5 3\nf 1 4 3\nf 1 2 6\nf 3 3 3\nf 1 2 6 3 1\n";
    struct sluice_mesh m;
    write_file(".OBJ", text, sizeof text - 1);
    is_int(sluice_mesh_read(&m, path), SLUICE_OK, "a file with places twice and flat triangles");
    is_int(m.vertex_count, 4, "places that differ are counted; -0 is 0");
    is_int(m.triangle_count, 3, "triangles with an area");
    is_int(m.flat, 5, "the others are left out");
    ok(memcmp(m.triangle[0], m.triangle[1], sizeof *m.triangle) == 0,
       "triangles at one place have the same vertices");
    sluice_mesh_destroy(&m);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    all_formats(&tetrahedron);
    all_formats(&cube);
    cleaned();
    unlink(path);
    rmdir(folder);
    return done_testing();
}
