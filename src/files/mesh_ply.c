/* PLY: a header that describes elements, then their properties, in text or binary. Vertices have
 * x, y and z, faces a list vertex_indices or vertex_index; everything else is skipped. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/mesh_reader.h"

enum { ELEMENTS = 32, PROPERTIES = 64 };
enum type { CHAR, UCHAR, SHORT, USHORT, INT, UINT, FLOAT, DOUBLE, TYPES };
enum role { OTHER, X, Y, Z, CORNERS };

static const int type_bytes[TYPES] = {1, 1, 2, 2, 4, 4, 4, 8};
static const char *const type_name[TYPES][2] = {
    {"char", "int8"}, {"uchar", "uint8"}, {"short", "int16"},   {"ushort", "uint16"},
    {"int", "int32"}, {"uint", "uint32"}, {"float", "float32"}, {"double", "float64"}};

struct property {
    int list; /* its length has type `length`; a list of this role are corners */
    enum type type, length;
    enum role role;
};

struct element {
    char name[32];
    long long count;
    int properties;
    struct property property[PROPERTIES];
};

struct ply {
    struct sluice_mesh_reader *r;
    int text, big, elements; /* text: no binary; big: the most significant byte comes first */
    struct element element[ELEMENTS];
    char *rest; /* text: of the line that is read */
};

/* --- The header --- */

static sluice_status read_type(const struct ply *p, char **rest, enum type *type)
{
    const char *word = sluice_mesh_word(rest);
    for (int k = 0; k < TYPES; k++)
        if (word && (strcmp(word, type_name[k][0]) == 0 || strcmp(word, type_name[k][1]) == 0)) {
            *type = (enum type)k;
            return SLUICE_OK;
        }
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "%s:%lld: '%.40s' is no type of PLY", p->r->path,
                       p->r->line, word ? word : "");
}

static sluice_status read_property(struct ply *p, char *rest)
{
    static const char *const axis[3] = {"x", "y", "z"};
    const struct sluice_mesh_reader *r = p->r;
    SLUICE_CHECK(p->elements > 0, SLUICE_BAD_INPUT, "%s:%lld: a property before any element",
                 r->path, r->line);
    struct element *e = &p->element[p->elements - 1];
    SLUICE_CHECK(e->properties < PROPERTIES, SLUICE_BAD_INPUT,
                 "%s:%lld: an element has over %d properties", r->path, r->line, PROPERTIES);
    struct property *one = &e->property[e->properties++];
    while (isspace((unsigned char)*rest))
        rest++;
    one->list = strncmp(rest, "list", 4) == 0 && isspace((unsigned char)rest[4]);
    if (one->list) {
        rest += 4;
        SLUICE_TRY(read_type(p, &rest, &one->length));
        SLUICE_CHECK(one->length < FLOAT, SLUICE_BAD_INPUT,
                     "%s:%lld: the length of a list is no whole number", r->path, r->line);
    }
    SLUICE_TRY(read_type(p, &rest, &one->type));
    const char *name = sluice_mesh_word(&rest);
    SLUICE_CHECK(name, SLUICE_BAD_INPUT, "%s:%lld: a property without a name", r->path, r->line);
    for (int a = 0; a < 3; a++)
        if (strcmp(e->name, "vertex") == 0 && strcmp(name, axis[a]) == 0 && !one->list)
            one->role = (enum role)(X + a);
    if (strcmp(e->name, "face") == 0 && one->list &&
        (strcmp(name, "vertex_indices") == 0 || strcmp(name, "vertex_index") == 0))
        one->role = CORNERS;
    return SLUICE_OK;
}

static sluice_status read_element(struct ply *p, char *rest)
{
    const struct sluice_mesh_reader *r = p->r;
    const char *name = sluice_mesh_word(&rest), *count = name ? sluice_mesh_word(&rest) : NULL;
    char *end = NULL;
    SLUICE_CHECK(p->elements < ELEMENTS, SLUICE_BAD_INPUT, "%s:%lld: over %d elements", r->path,
                 r->line, ELEMENTS);
    struct element *e = &p->element[p->elements++];
    snprintf(e->name, sizeof e->name, "%s", name ? name : "");
    e->count = count ? strtoll(count, &end, 10) : -1;
    SLUICE_CHECK(count && *end == 0 && e->count >= 0, SLUICE_BAD_INPUT,
                 "%s:%lld: an element has a name and a number", r->path, r->line);
    return SLUICE_OK;
}

static sluice_status read_format(struct ply *p, char *rest)
{
    const char *word = sluice_mesh_word(&rest);
    p->text = word && strcmp(word, "ascii") == 0;
    p->big = word && strcmp(word, "binary_big_endian") == 0;
    SLUICE_CHECK(p->text || p->big || (word && strcmp(word, "binary_little_endian") == 0),
                 SLUICE_BAD_INPUT, "%s:%lld: '%.40s' is no format of PLY", p->r->path, p->r->line,
                 word ? word : "");
    return SLUICE_OK;
}

static sluice_status read_header(struct ply *p)
{
    int ended = 0, format = 0;
    sluice_mesh_line(p->r); /* "ply" */
    for (char *line; !ended && (line = sluice_mesh_line(p->r));) {
        const char *word = sluice_mesh_word(&line);
        if (!word || strcmp(word, "comment") == 0 || strcmp(word, "obj_info") == 0)
            continue;
        ended = strcmp(word, "end_header") == 0;
        if (strcmp(word, "format") == 0) {
            SLUICE_TRY(read_format(p, line));
            format = 1;
        } else if (strcmp(word, "element") == 0)
            SLUICE_TRY(read_element(p, line));
        else if (strcmp(word, "property") == 0)
            SLUICE_TRY(read_property(p, line));
        else
            SLUICE_CHECK(ended, SLUICE_BAD_INPUT, "%s:%lld: '%.40s' is no word of a PLY header",
                         p->r->path, p->r->line, word);
    }
    SLUICE_CHECK(ended && format, SLUICE_BAD_INPUT,
                 "%s:%lld: the header has no 'format', or ends without 'end_header'", p->r->path,
                 p->r->line);
    return SLUICE_OK;
}

/* --- Values --- */

static double value_of(const unsigned char *bytes, enum type type, int big)
{
    uint64_t bits = 0;
    const int n = type_bytes[type];
    for (int k = 0; k < n; k++)
        bits |= (uint64_t)bytes[big ? n - 1 - k : k] << 8 * k;
    float single;
    double twofold;
    const uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&twofold, &bits, sizeof twofold);
    switch (type) {
    case CHAR:
        return (int8_t)bits;
    case SHORT:
        return (int16_t)bits;
    case INT:
        return (int32_t)low;
    case FLOAT:
        return (double)single;
    case DOUBLE:
        return twofold;
    default:
        return (double)bits;
    }
}

/* "FILE:12" or "FILE: byte 345" */
static const char *place_of(const struct ply *p, char text[600])
{
    if (p->text)
        snprintf(text, 600, "%s:%lld", p->r->path, p->r->line);
    else
        snprintf(text, 600, "%s: byte %zu", p->r->path, (size_t)(p->r->next - p->r->text));
    return text;
}

static sluice_status next_value(struct ply *p, enum type type, int is_place, double *value)
{
    struct sluice_mesh_reader *r = p->r;
    char place[600], *end = NULL;
    if (!p->text) {
        SLUICE_CHECK(r->text + r->bytes - r->next >= type_bytes[type], SLUICE_BAD_INPUT,
                     "%s: the file ends here, but claims more: it is cut off", place_of(p, place));
        *value = value_of((const unsigned char *)r->next, type, p->big);
        r->next += type_bytes[type];
        return SLUICE_OK;
    }
    const char *word = p->rest ? sluice_mesh_word(&p->rest) : NULL;
    while (!word) {
        p->rest = sluice_mesh_line(r);
        SLUICE_CHECK(p->rest, SLUICE_BAD_INPUT,
                     "%s: the file ends here, but claims more: it is cut off", place_of(p, place));
        word = sluice_mesh_word(&p->rest);
    }
    *value = strtod(word, &end);
    if (is_place)
        sluice_mesh_count_digits(r, word);
    SLUICE_CHECK(*end == 0, SLUICE_BAD_INPUT, "%s: '%.40s' is no number", place_of(p, place), word);
    return SLUICE_OK;
}

static sluice_status read_list(struct ply *p, const struct property *one, long long vertices)
{
    struct sluice_mesh_fan fan = {0};
    char place[600];
    double length, value;
    SLUICE_TRY(next_value(p, one->length, 0, &length));
    SLUICE_CHECK(length >= 0 && length <= 1e9 && length == rint(length), SLUICE_BAD_INPUT,
                 "%s: a list of %g entries", place_of(p, place), length);
    for (int64_t k = 0; k < (int64_t)length; k++) {
        SLUICE_TRY(next_value(p, one->type, 0, &value));
        if (one->role != CORNERS)
            continue;
        SLUICE_CHECK(value >= 0 && value < (double)vertices && value == rint(value),
                     SLUICE_BAD_INPUT, "%s: a face has vertex %g, the vertices are 0 to %lld",
                     place_of(p, place), value, vertices - 1);
        SLUICE_TRY(sluice_mesh_add_corner(p->r, &fan, (int64_t)value));
    }
    SLUICE_CHECK(one->role != CORNERS || fan.corners >= 3, SLUICE_BAD_INPUT,
                 "%s: a face has %lld corners, it needs three or more", place_of(p, place),
                 (long long)fan.corners);
    return SLUICE_OK;
}

static sluice_status read_row(struct ply *p, const struct element *e, long long vertices)
{
    char place[600];
    double x[3] = {0, 0, 0};
    unsigned has = 0;
    for (int k = 0; k < e->properties; k++) {
        const struct property *one = &e->property[k];
        double value;
        if (one->list) {
            SLUICE_TRY(read_list(p, one, vertices));
            continue;
        }
        SLUICE_TRY(next_value(p, one->type, one->role != OTHER, &value));
        if (one->role == OTHER)
            continue;
        p->r->has_floats |= !p->text && one->type == FLOAT;
        SLUICE_CHECK(fabs(value) <= 1e9, SLUICE_BAD_INPUT,
                     "%s: the coordinate %g is not finite, or over 1e9: the file is broken",
                     place_of(p, place), value);
        x[one->role - X] = value;
        has |= 1u << (one->role - X);
    }
    if (strcmp(e->name, "vertex") != 0)
        return SLUICE_OK;
    SLUICE_CHECK(has == 7, SLUICE_BAD_INPUT, "%s: the vertices have no x, y and z", p->r->path);
    return sluice_mesh_add_vertex(p->r, x);
}

static long long count_of(const struct ply *p, const char *name)
{
    for (int i = 0; i < p->elements; i++)
        if (strcmp(p->element[i].name, name) == 0)
            return p->element[i].count;
    return 0;
}

sluice_status sluice_mesh_read_ply(struct sluice_mesh_reader *r)
{
    struct ply p = {.r = r};
    SLUICE_TRY(read_header(&p));
    const long long vertices = count_of(&p, "vertex"), faces = count_of(&p, "face");
    SLUICE_CHECK(vertices > 0 && faces > 0, SLUICE_BAD_INPUT,
                 "%s: its header names %lld vertices and %lld faces: a surface needs both", r->path,
                 vertices, faces);
    for (int i = 0; i < p.elements; i++)
        for (long long k = 0; k < p.element[i].count && p.element[i].properties > 0; k++)
            SLUICE_TRY(read_row(&p, &p.element[i], vertices));
    SLUICE_CHECK(r->mesh->vertex_count >= vertices, SLUICE_BAD_INPUT,
                 "%s: the vertices have no x, y and z", r->path);
    return SLUICE_OK;
}
