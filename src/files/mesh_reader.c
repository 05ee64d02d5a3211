#include "files/mesh_reader.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

#define FARTHEST 1e9

/* --- Lines and words --- */

char *sluice_mesh_line(struct sluice_mesh_reader *r)
{
    char *line = r->next, *end = r->text + r->bytes;
    if (line >= end)
        return NULL;
    char *stop = memchr(line, '\n', (size_t)(end - line));
    stop = stop ? stop : end;
    r->next = stop + 1;
    *stop = 0;
    r->line++;
    return line;
}

char *sluice_mesh_word(char **rest)
{
    char *word = *rest;
    while (isspace((unsigned char)*word))
        word++;
    if (!*word)
        return NULL;
    char *end = word;
    while (*end && !isspace((unsigned char)*end))
        end++;
    *rest = *end ? end + 1 : end;
    *end = 0;
    return word;
}

void sluice_mesh_count_digits(struct sluice_mesh_reader *r, const char *word)
{
    int digits = 0;
    for (; *word && *word != 'e' && *word != 'E'; word++)
        digits += isdigit((unsigned char)*word) && (digits > 0 || *word != '0');
    r->digits = digits > r->digits ? digits : r->digits;
}

sluice_status sluice_mesh_coordinates(struct sluice_mesh_reader *r, char **rest, double x[3])
{
    for (int a = 0; a < 3; a++) {
        const char *word = sluice_mesh_word(rest);
        char *end = NULL;
        x[a] = word ? strtod(word, &end) : 0;
        SLUICE_CHECK(word && end != word && *end == 0, SLUICE_BAD_INPUT,
                     "%s:%lld: a vertex has three numbers, but number %d is %s%.20s%s", r->path,
                     r->line, a + 1, word ? "'" : "", word ? word : "missing", word ? "'" : "");
        SLUICE_CHECK(fabs(x[a]) <= FARTHEST, SLUICE_BAD_INPUT,
                     "%s:%lld: the coordinate %.20s is not finite, or over 1e9: the file is broken",
                     r->path, r->line, word);
        sluice_mesh_count_digits(r, word);
    }
    return SLUICE_OK;
}

sluice_status sluice_mesh_check_place(const struct sluice_mesh_reader *r, size_t byte,
                                      const double x[3])
{
    for (int a = 0; a < 3; a++)
        SLUICE_CHECK(fabs(x[a]) <= FARTHEST, SLUICE_BAD_INPUT,
                     "%s: byte %zu: the coordinate %g is not finite, or over 1e9: the file is "
                     "broken",
                     r->path, byte, x[a]);
    return SLUICE_OK;
}

/* --- Vertices and triangles --- */

sluice_status sluice_mesh_add_vertex(struct sluice_mesh_reader *r, const double x[3])
{
    struct sluice_mesh *m = r->mesh;
    SLUICE_CHECK(m->vertex_count < INT32_MAX, SLUICE_BAD_INPUT,
                 "%s: over 2^31 - 1 vertices are too many", r->path);
    SLUICE_GROW(m->vertex, m->vertex_count, r->vertex_capacity, "vertices of a mesh");
    for (int a = 0; a < 3; a++)
        m->vertex[m->vertex_count][a] = x[a] == 0 ? 0 : x[a]; /* no -0 */
    m->vertex_count++;
    return SLUICE_OK;
}

sluice_status sluice_mesh_add_triangle(struct sluice_mesh_reader *r, int64_t a, int64_t b,
                                       int64_t c)
{
    struct sluice_mesh *m = r->mesh;
    SLUICE_GROW(m->triangle, m->triangle_count, r->triangle_capacity, "triangles of a mesh");
    int32_t *t = m->triangle[m->triangle_count++];
    t[0] = (int32_t)a;
    t[1] = (int32_t)b;
    t[2] = (int32_t)c;
    return SLUICE_OK;
}

sluice_status sluice_mesh_add_corner(struct sluice_mesh_reader *r, struct sluice_mesh_fan *fan,
                                     int64_t vertex)
{
    const int64_t last = fan->last;
    fan->last = vertex;
    if (fan->corners++ == 0)
        fan->first = vertex;
    if (fan->corners < 3)
        return SLUICE_OK;
    if (fan->corners == 4) {
        SLUICE_GROW(r->face, r->face_count, r->face_capacity, "faces of a mesh");
        r->face[r->face_count++].triangle = r->mesh->triangle_count - 1;
    }
    if (fan->corners >= 4)
        r->face[r->face_count - 1].corners = fan->corners;
    return sluice_mesh_add_triangle(r, fan->first, last, vertex);
}
