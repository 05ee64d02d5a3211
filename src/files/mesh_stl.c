/* STL: three vertices a triangle, in text or in 50 bytes. */
#include <string.h>
#include <strings.h>

#include "core/nearest_word.h"
#include "files/mesh_reader.h"

static double little_float(const char *bytes)
{
    uint32_t bits = 0;
    float value;
    for (int k = 0; k < 4; k++)
        bits |= (uint32_t)(unsigned char)bytes[k] << 8 * k;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

/* The caller has compared the count with the size of the file. */
sluice_status sluice_mesh_read_binary_stl(struct sluice_mesh_reader *r)
{
    enum { HEADER = 84, TRIANGLE = 50, NORMAL = 12 };
    r->has_floats = 1;
    for (size_t at = HEADER; at + TRIANGLE <= r->bytes; at += TRIANGLE) {
        for (size_t k = 0; k < 3; k++) {
            const size_t byte = at + NORMAL + 12 * k;
            const double x[3] = {little_float(r->text + byte), little_float(r->text + byte + 4),
                                 little_float(r->text + byte + 8)};
            SLUICE_TRY(sluice_mesh_check_place(r, byte, x));
            SLUICE_TRY(sluice_mesh_add_vertex(r, x));
        }
        const int64_t n = r->mesh->vertex_count;
        SLUICE_TRY(sluice_mesh_add_triangle(r, n - 3, n - 2, n - 1));
    }
    return SLUICE_OK;
}

static sluice_status refuse_word(const struct sluice_mesh_reader *r, const char *word)
{
    static const char *const known[] = {"facet",   "outer",    "vertex",
                                        "endloop", "endfacet", "endsolid"};
    const char *nearest;
    if (r->next > r->text + r->bytes) /* the line has no end */
        return SLUICE_FAIL(SLUICE_BAD_INPUT,
                           "%s:%lld: '%.40s' is no word of STL: the file ends there: it is cut off",
                           r->path, r->line, word);
    if (sluice_nearest_word(word, known, sizeof known / sizeof *known, &nearest))
        return SLUICE_FAIL(SLUICE_BAD_INPUT,
                           "%s:%lld: '%.40s' is no word of STL: did you mean '%s'?", r->path,
                           r->line, word, nearest);
    return SLUICE_FAIL(SLUICE_BAD_INPUT, "%s:%lld: '%.40s' is no word of STL", r->path, r->line,
                       word);
}

static sluice_status read_statement(struct sluice_mesh_reader *r, const char *word, char *rest,
                                    int *corners)
{
    static const char *const plain[] = {"solid", "facet", "endfacet", "endsolid"};
    double x[3];
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (strcasecmp(word, plain[i]) == 0) {
            SLUICE_CHECK(*corners < 0, SLUICE_BAD_INPUT,
                         "%s:%lld: '%s' inside a loop: its 'endloop' is missing", r->path, r->line,
                         plain[i]);
            return SLUICE_OK;
        }
    if (strcasecmp(word, "outer") == 0) {
        SLUICE_CHECK(*corners < 0, SLUICE_BAD_INPUT,
                     "%s:%lld: 'outer' inside a loop: its 'endloop' is missing", r->path, r->line);
        *corners = 0;
        return SLUICE_OK;
    }
    if (strcasecmp(word, "vertex") == 0) {
        SLUICE_TRY(sluice_mesh_coordinates(r, &rest, x));
        SLUICE_CHECK(*corners >= 0 && *corners < 3, SLUICE_BAD_INPUT,
                     "%s:%lld: a vertex %s: a facet has one loop of three", r->path, r->line,
                     *corners < 0 ? "outside a loop" : "too many");
        (*corners)++;
        return sluice_mesh_add_vertex(r, x);
    }
    if (strcasecmp(word, "endloop") != 0)
        return refuse_word(r, word);
    SLUICE_CHECK(*corners == 3, SLUICE_BAD_INPUT,
                 "%s:%lld: the loop has %d vertices, a triangle three", r->path, r->line,
                 *corners < 0 ? 0 : *corners);
    *corners = -1;
    const int64_t n = r->mesh->vertex_count;
    return sluice_mesh_add_triangle(r, n - 3, n - 2, n - 1);
}

sluice_status sluice_mesh_read_ascii_stl(struct sluice_mesh_reader *r)
{
    int corners = -1, ended = 0; /* vertices of the open loop; -1: none is open */
    for (char *line; (line = sluice_mesh_line(r));) {
        const char *word = sluice_mesh_word(&line);
        if (!word)
            continue;
        SLUICE_TRY(read_statement(r, word, line, &corners));
        ended = strcasecmp(word, "endsolid") == 0;
    }
    SLUICE_CHECK(ended, SLUICE_BAD_INPUT,
                 "%s:%lld: the file ends without 'endsolid', after %lld triangles: it is cut off",
                 r->path, r->line, (long long)r->mesh->triangle_count);
    return SLUICE_OK;
}
