/* test: 0.1 s */
/* Broken surfaces in STL, OBJ and PLY: the message for each error. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/mesh_file.h"
#include "support/tap.h"

static char folder[] = "/tmp/sluice-broken-meshes-XXXXXX", path[64];

static void write_file(const char *suffix, const void *data, size_t size)
{
    if (*path)
        unlink(path);
    snprintf(path, sizeof path, "%s/mesh%s", folder, suffix);
    FILE *file = fopen(path, "w");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        exit(1);
}

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

/* Messages stay short, whatever the file contains. */
static void long_words(void)
{
    static const char *const start[] = {"solid\nfacet\nouter loop\nvertex 1 ", "solid\n"};
    char text[8192];
    struct sluice_mesh m;
    for (size_t i = 0; i < sizeof start / sizeof *start; i++) {
        memset(text, 'w', sizeof text);
        memcpy(text, start[i], strlen(start[i]));
        write_file(".stl", text, sizeof text);
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
    refused();
    long_words();
    no_file();
    rmdir(folder);
    return done_testing();
}
