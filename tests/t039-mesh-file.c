/* Surfaces in STL, OBJ and PLY: what is read, and the message for each way of being broken. */
#include <stdint.h>
#include <unistd.h>
#include "files/mesh_file.h"
#include "tap.h"
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
static char folder[] = "/tmp/sluice-t039-XXXXXX", path[64];
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

/* What was put together is the solid, with each place once. */
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
            put_float(NAN, 0); /* nobody reads the normal */
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

/* --- What is refused --- */

#define TEN       "          "
#define HEADER    TEN TEN TEN TEN TEN TEN TEN TEN
#define ZERO4     "\0\0\0\0"
#define ZERO12    ZERO4 ZERO4 ZERO4
#define TRIANGLE  ZERO12 ZERO12 ZERO12 ZERO12 "\0\0"
#define FACET     "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
#define WHOLE     FACET "vertex 0 1 0\nendloop\nendfacet\n"
#define OBJ3      "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define PLY(kind) "ply\nformat " kind " 1.0\n"
#define XYZ(type) "property " type " x\nproperty " type " y\nproperty " type " z\n"
#define FACES     "element face 1\nproperty list uchar int vertex_indices\n"
#define PLY3      PLY("ascii") "element vertex 3\n" XYZ("float") FACES "end_header\n"
#define BINARY(kind, type, list)                                                                   \
    PLY(kind)                                                                                      \
    "element vertex 3\n" XYZ(type) "element face 1\nproperty list " list " vertex_index\n"         \
                                   "end_header\n"
#define NINE       ZERO12 ZERO12 ZERO12
#define DATA(text) text, sizeof(text) - 1
static const struct {
    const char *suffix, *data;
    size_t size;
    const char *message, *what;
} broken[] = {
    {".stl", DATA(""), "mesh.stl: the file is empty", "an empty STL"},
    {".obj", DATA(""), "mesh.obj: the file is empty", "an empty OBJ"},
    {".ply", DATA(""), "mesh.ply: the file is empty", "an empty PLY"},
    {".obj", DATA("\n"), "no triangle with an area", "an OBJ of an empty line"},
    {".obj", DATA(OBJ3), "no triangle with an area", "an OBJ without faces"},
    {".stl", DATA(" \n "), "is no STL, OBJ or PLY file", "blanks"},
    {".stl", DATA("solid"), "mesh.stl:1: the file ends without 'endsolid'", "a word"},
    {".ply", DATA("ply"), "is no STL, OBJ or PLY file", "three letters"},
    {".ply", DATA("ply\n"), "no 'format', or ends without 'end_header'", "the first line of a PLY"},
    {".stl", DATA("\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xdb\0\x43\0"),
     "is no STL, OBJ or PLY file", "a JPEG"},
    {".obj", DATA("\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0\xff\xdb\0\x43\0"),
     "is no STL, OBJ or PLY file", "a JPEG named OBJ"},
    {".ply", DATA("\xff\xd8\xff\xe0\0\x10JFIF\0" HEADER), "is no STL, OBJ or PLY file",
     "a JPEG named PLY"},
    {".stl", DATA(HEADER "\2\0\0\0" TRIANGLE ZERO12),
     "byte 80: it claims 2 triangles, which take 184 bytes with the header, but it has 146",
     "binary STL cut off"},
    {".stl", DATA("solid" HEADER "\2\0\0\0" TRIANGLE), "byte 80: it claims", "with \"solid\" too"},
    {".stl", DATA(HEADER "\0\xca\x9a\x3b" TRIANGLE),
     "byte 80: it claims 1000000000 triangles, which take 50000000084 bytes",
     "binary STL of 1e9 triangles"},
    {".stl", DATA(HEADER ZERO4), "no triangle with an area", "binary STL without triangles"},
    {".stl", DATA(HEADER "\1\0\0\0" TRIANGLE), "no triangle with an area", "a flat triangle"},
    {".stl", DATA(HEADER "\1\0\0\0" ZERO12 ZERO12 "\0\0\xc0\x7f" ZERO4 ZERO4 ZERO12 "\0\0"),
     "byte 108: the coordinate nan", "NaN in binary STL"},
    {".stl", DATA(HEADER "\1\0\0\0" ZERO12 ZERO4 "\x99\x76\x96\xfe" ZERO4 ZERO12 ZERO12 "\0\0"),
     "byte 96: the coordinate -1e+38", "-1e38 in binary STL"},
    {".stl", DATA("solid\n" FACET "vertex nan 1 0\n"), ".stl:6: the coordinate nan",
     "NaN in ASCII STL"},
    {".stl", DATA("solid\n" FACET "vertex 0 1e300 0\n"), ".stl:6: the coordinate 1e300",
     "1e300 in ASCII STL"},
    {".stl", DATA("solid\n" FACET "vertex 0 1\n"),
     ".stl:6: a vertex has three numbers, but number "
     "3 is missing",
     "two coordinates"},
    {".stl", DATA("solid\n" FACET "vertex 0 0x 1\n"), "number 2 is '0x'", "no number"},
    {".stl", DATA("solid\n" FACET "vertex 0 " HEADER HEADER "1" TEN "q\n"), "number 3 is 'q'",
     "blanks between"},
    {".stl", DATA("solid\n" WHOLE), ".stl:8: the file ends without 'endsolid', after 1 triangles",
     "ASCII STL cut off after a facet"},
    {".stl", DATA("solid\n" WHOLE FACET "ver"), ".stl:13: 'ver' is no word", "in a word"},
    {".stl", DATA("solid\n" WHOLE "endsolid\nsolid\n" WHOLE), ".stl:17: the file ends without",
     "in a second solid"},
    {".stl", DATA("solid\n" FACET "endloop\nendfacet\nendsolid\n"),
     ".stl:6: the loop has 2 vertices, a triangle three", "a loop of two vertices"},
    {".stl", DATA("solid\n" FACET "vertex 0 1 0\nvertex 1 1 0\n"), ".stl:7: a vertex too many",
     "a loop of four"},
    {".stl", DATA("solid\n" FACET "outer loop\n"), ".stl:6: 'outer' inside a loop",
     "a loop in a loop"},
    {".stl", DATA("solid\n" FACET "endsolid\n"), ".stl:6: 'endsolid' inside a loop",
     "a loop without end"},
    {".stl", DATA("solid\nvertex 0 0 0\n"), ".stl:2: a vertex outside a loop", "no loop"},
    {".stl", DATA("solid\nfacet\nendloop\n"), ".stl:3: the loop has 0 vertices", "no loop to end"},
    {".stl", DATA("solid\n<html>\n"), ".stl:2: '<html>' is no word of STL", "another language"},
    {".obj", DATA(OBJ3 "f 1 2 4\n"), ".obj:4: a face has vertex 4, but there are 3 before it",
     "OBJ index out of range"},
    {".obj", DATA(OBJ3 "f -1 -2 -4\n"), ".obj:4: a face has vertex -4", "a negative one"},
    {".obj", DATA(OBJ3 "f 0 1 2\n"), ".obj:4: a face has vertex 0", "OBJ index 0"},
    {".obj", DATA(OBJ3 "f 1 2 99999999999999999999\n"), ".obj:4: a face has vertex 9223372036854",
     "an index over 2^63"},
    {".obj", DATA(OBJ3 "f 1 2 x\n"), ".obj:4: 'x' is no number of a vertex", "no index"},
    {".obj", DATA(OBJ3 "f 1 2.5 3\n"), ".obj:4: '2.5' is no number of a vertex", "half an index"},
    {".obj", DATA(OBJ3 "f 1 \\\n2\n"), ".obj:5: a face has 2 corners", "a face of two corners"},
    {".obj", DATA(OBJ3 "f\n"), ".obj:4: a face has 0 corners", "a face of none"},
    {".obj", DATA(OBJ3 "f 1 2 \\"), ".obj:4: ", "an OBJ cut off in a face"},
    {".obj", DATA("v 0 NaN 0\n"), ".obj:1: the coordinate NaN", "NaN in OBJ"},
    {".obj", DATA("v 0 0 -1e300\n"), ".obj:1: the coordinate -1e300", "1e300 in OBJ"},
    {".obj", DATA("v 0 0\n"), ".obj:1: a vertex has three numbers", "OBJ of two dimensions"},
    {".ply", DATA(PLY3 "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n"),
     ".ply:13: a face has vertex 3, the vertices are 0 to 2", "PLY index out of range"},
    {".ply", DATA(PLY3 "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n"), ".ply:13: a face has vertex -1",
     "one below 0"},
    {".ply", DATA(PLY3 "0 0 0\n1 0 0\n0 1 0\n3 0 1 nan\n"), ".ply:13: a face has vertex nan",
     "one that is no number"},
    {".ply", DATA(PLY3 "0 0 0\n1 0 0\n0 1 0\n3 0 1 1.5\n"), ".ply:13: a face has vertex 1.5",
     "half a vertex"},
    {".ply", DATA(PLY3 "0 0 0\n1 0 0\n0 1 0\n2 0 1\n"), ".ply:13: a face has 2 corners",
     "a PLY face of two corners"},
    {".ply", DATA(PLY3 "0 0 0\n1 0 0\n0 1 0\n1000000000 0 1 2\n"), "it is cut off",
     "a list of 1e9 entries"},
    {".ply", DATA(PLY3 "0 0 0\n1 0 0\n0 1 0\n-3 0 1 2\n"), "a list of -3 entries",
     "a list of -3 entries"},
    {".ply", DATA(PLY3 "0 0 0\n1 0 0\n0 1 0\n1e300 0 1 2\n"), "a list of 1e+300 entries",
     "a list of 1e300 entries"},
    {".ply", DATA(PLY3 "0 0 0\n1 0 0\n0 1"), ".ply:12: the file ends here, but claims more",
     "ASCII PLY cut off"},
    {".ply", DATA(PLY3), "the file ends here, but claims more", "a PLY that is all header"},
    {".ply", DATA(PLY3 "0 nan 0\n"), ".ply:10: the coordinate nan", "NaN in ASCII PLY"},
    {".ply", DATA(PLY3 "0 0 1e300\n"), ".ply:10: the coordinate 1e+300", "1e300 in ASCII PLY"},
    {".ply", DATA(PLY3 "0 0 zero\n"), ".ply:10: 'zero' is no number", "a word in ASCII PLY"},
    {".ply", DATA(BINARY("binary_little_endian", "float", "uint int") NINE "\0\xca\x9a\x3b" ZERO12),
     "the file ends here, but claims more: it is cut off", "a binary list of 1e9 entries"},
    {".ply", DATA(BINARY("binary_big_endian", "float", "uint int") NINE "\x3b\x9a\xca\0" ZERO12),
     "the file ends here, but claims more: it is cut off", "the same, big-endian"},
    {".ply", DATA(BINARY("binary_little_endian", "float", "int int") NINE "\xff\xff\xff\xff"),
     "a list of -1 entries", "a binary list of -1 entries"},
    {".ply", DATA(BINARY("binary_little_endian", "float", "uchar int") NINE "\3" ZERO12 ""),
     "no triangle with an area", "a flat triangle in PLY"},
    {".ply", DATA(BINARY("binary_little_endian", "float", "uchar int") NINE "\3" ZERO4 "\0\0\0"),
     ": the file ends here, but claims more", "binary PLY cut off in a face"},
    {".ply", DATA(BINARY("binary_little_endian", "float", "uchar int") ZERO12 ZERO12 ZERO4),
     ": the file ends here, but claims more", "binary PLY cut off in a vertex"},
    {".ply", DATA(BINARY("binary_little_endian", "float", "uchar int") "\0\0\xc0\x7f" NINE),
     ": the coordinate nan", "NaN in binary PLY"},
    {".ply",
     DATA(BINARY("binary_big_endian", "double",
                 "uchar int") "\x7e\x37\xe4\x3c\x88\0\x75\x9c" NINE NINE),
     ": the coordinate 1e+300", "1e300 in binary PLY"},
    {".ply", DATA(PLY("ascii") "element vertex 3\n" XYZ("float") FACES),
     ".ply:8: the header has no 'format', or ends without 'end_header'", "PLY without end_header"},
    {".ply", DATA("ply\nelement vertex 3\n" XYZ("float") FACES "end_header\n"),
     "the header has no 'format'", "PLY without a format"},
    {".ply", DATA(PLY("utf") ""), ".ply:2: 'utf' is no format of PLY", "an unknown format"},
    {".ply", DATA(PLY("ascii") "property float x\n"), ".ply:3: a property before any element",
     "a property of nothing"},
    {".ply", DATA(PLY("ascii") "element vertex -1\n"), ".ply:3: an element has a name and a number",
     "-1 vertices"},
    {".ply", DATA(PLY("ascii") "element vertex\n"), ".ply:3: an element has a name and a number",
     "an element without a number"},
    {".ply", DATA(PLY("ascii") "element vertex 3\nproperty real x\n"), ".ply:4: 'real' is no type",
     "an unknown type"},
    {".ply", DATA(PLY("ascii") "element vertex 3\nproperty float\n"),
     ".ply:4: a property without a name", "a property without a name"},
    {".ply", DATA(PLY("ascii") "element face 3\nproperty list float int x\n"),
     ".ply:4: the length of a list is no whole number", "a list of a real length"},
    {".ply", DATA(PLY("ascii") "hello\n"), ".ply:3: 'hello' is no word of a PLY header",
     "an unknown word"},
    {".ply", DATA(PLY("ascii") FACES "end_header\n"), "names 0 vertices and 1 faces",
     "PLY without vertices"},
    {".ply", DATA(PLY("ascii") "element vertex 1\n" XYZ("int") "end_header\n1 1 1\n"),
     "names 1 vertices and 0 faces", "a cloud of points"},
    {".ply",
     DATA(PLY("ascii") "element vertex 1\nproperty int x\nproperty int y\n" FACES
                       "end_header\n1 1\n3 0 0 0\n"),
     "the vertices have no x, y and z", "PLY of two dimensions"},
    {".ply", DATA(PLY("ascii") "element vertex 9\n" FACES "end_header\n3 0 1 2\n"),
     "the vertices have no x, y and z", "vertices without properties"},
    {".ply",
     DATA(PLY("ascii") FACES "element vertex 9000000000000000000\n" XYZ(
         "int") "end_header\n3 0 1 5000000000\n0 0 0\n"),
     "the file ends here, but claims more", "9e18 vertices after the faces"},
};

static void refused(void)
{
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct sluice_mesh m;
        write_file(broken[i].suffix, broken[i].data, broken[i].size);
        const sluice_status status = sluice_mesh_read(&m, path);
        const int named = strstr(sluice_message(), broken[i].message) &&
                          strstr(sluice_message(), path);
        if (!ok(status == SLUICE_BAD_INPUT && named && !m.vertex && !m.triangle, "%s",
                broken[i].what))
            diag("status %d: %s", (int)status, status ? sluice_message() : "");
        if (status == SLUICE_OK)
            sluice_mesh_destroy(&m);
    }
}

/* Messages stay short, whatever the file has in them. */
static void long_words(void)
{
    static const char *const start[] = {"solid\nfacet\nouter loop\nvertex 1 ", "solid\n"};
    struct sluice_mesh m;
    for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
        say("%s", start[i]);
        while (used < sizeof bytes)
            bytes[used++] = 'w';
        write_file(".stl", bytes, used);
        used = 0;
        const sluice_status status = sluice_mesh_read(&m, path);
        ok(status == SLUICE_BAD_INPUT && strlen(sluice_message()) < 200,
           "a word of 8000 letters is not repeated in full");
    }
}
static void no_file(void)
{
    struct sluice_mesh m;
    unlink(path);
    ok(sluice_mesh_read(&m, path) == SLUICE_IO && strstr(sluice_message(), "No such file"),
       "a file that is not there");
    ok(sluice_mesh_read(&m, folder) == SLUICE_IO && strstr(sluice_message(), "no regular file"),
       "a folder");
    ok(sluice_mesh_read(&m, "/dev/zero") == SLUICE_IO, "a file without end");
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    all_formats(&tetrahedron);
    all_formats(&cube);
    cleaned();
    refused();
    long_words();
    no_file();
    rmdir(folder);
    return done_testing();
}
