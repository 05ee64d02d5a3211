#include "files/mesh_file.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/allocate.h"
#include "core/hash.h"
#include "files/safe_file.h"
#include "files/mesh_reader.h"

/* --- Clean-up --- */

static int same_place(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* A file could be made so that its places collide in a known hash; the seed is another one each
 * time. The numbers of the vertices do not depend on it. */
static uint64_t make_seed(const void *any)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_nsec << 32 ^ (uint64_t)now.tv_sec ^ (uint64_t)(uintptr_t)any;
}

static uint64_t hash_place(uint64_t seed, const double x[3])
{
    uint64_t h = seed;
    for (int a = 0; a < 3; a++) {
        uint64_t bits;
        memcpy(&bits, &x[a], sizeof bits);
        h = sluice_mix((h ^ bits) + SLUICE_MIX_STEP);
    }
    return h;
}

/* Gives vertices at one place one number: the lowest of them. */
static sluice_status merge_vertices(struct sluice_mesh *m)
{
    size_t slots = 64;
    int32_t *table, *to;
    while (slots < 2 * (size_t)m->vertex_count)
        slots *= 2;
    SLUICE_ALLOCATE(table, slots, "vertices of a mesh"); /* 1 + the new number */
    to = calloc((size_t)m->vertex_count + 1, sizeof *to);
    int64_t kept = 0;
    const uint64_t seed = make_seed(table);
    for (int64_t v = 0; to && v < m->vertex_count; v++) {
        size_t at = hash_place(seed, m->vertex[v]) & (slots - 1);
        while (table[at] && !same_place(m->vertex[table[at] - 1], m->vertex[v]))
            at = (at + 1) & (slots - 1);
        if (!table[at]) {
            memmove(m->vertex[kept], m->vertex[v], sizeof *m->vertex);
            table[at] = (int32_t)++kept;
        }
        to[v] = table[at] - 1;
    }
    for (int64_t i = 0; to && i < m->triangle_count; i++)
        for (int k = 0; k < 3; k++)
            m->triangle[i][k] = to[m->triangle[i][k]];
    if (to)
        m->vertex_count = kept;
    free(table);
    const int memory = to != NULL;
    free(to);
    SLUICE_CHECK(memory, SLUICE_DEVICE, "no memory for the vertices of a mesh");
    return SLUICE_OK;
}

static double area2_of(const struct sluice_mesh *m, const int32_t *t)
{
    const double *a = m->vertex[t[0]], *b = m->vertex[t[1]], *c = m->vertex[t[2]];
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                 v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]},
                 n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    return n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
}

sluice_status sluice_mesh_drop_flat(struct sluice_mesh *m)
{
    const int64_t all = m->triangle_count + m->on_line;
    int64_t kept = 0, on_line = 0, capacity = 0;
    int32_t(*line)[3] = NULL;
    for (int64_t i = 0; i < all; i++) {
        const int32_t *t = m->triangle[i];
        if (area2_of(m, t) > 0) {
            memmove(m->triangle[kept++], t, sizeof *m->triangle);
        } else if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) {
            SLUICE_GROW(line, on_line, capacity, "flat triangles of a mesh");
            memcpy(line[on_line++], t, sizeof *line);
        }
    }
    m->flat += m->triangle_count - kept;
    m->triangle_count = kept;
    m->on_line = on_line;
    if (on_line > 0)
        memcpy(m->triangle[kept], line, (size_t)on_line * sizeof *line);
    free(line);
    return SLUICE_OK;
}

/* Numbers of a file are so far apart where they are largest: floats by their last bit, texts by
 * their last digit. Texts of fewer digits than FEW_DIGITS may be cut off or not. */
static void find_precision(const struct sluice_mesh_reader *r)
{
    enum { FEW_DIGITS = 6, ENOUGH_DIGITS = 15 };
    struct sluice_mesh *m = r->mesh;
    int exponent = 0;
    for (int64_t v = 0; v < m->vertex_count; v++)
        for (int a = 0; a < 3; a++)
            m->farthest = fmax(m->farthest, fabs(m->vertex[v][a]));
    if (m->farthest == 0)
        return;
    frexp(m->farthest, &exponent);
    m->digits = r->has_floats ? 0 : r->digits;
    if (r->has_floats)
        m->precision = ldexp(1, exponent - 24);
    else if (r->digits >= FEW_DIGITS && r->digits < ENOUGH_DIGITS)
        m->precision = pow(10, floor(log10(m->farthest)) + 1 - r->digits);
}

/* --- The file --- */

static int ends_with(const char *path, const char *suffix)
{
    const size_t n = strlen(path), k = strlen(suffix);
    return n >= k && strcasecmp(path + n - k, suffix) == 0;
}

static sluice_status read_format(struct sluice_mesh_reader *r)
{
    uint32_t claimed = 0;
    for (int k = 0; k < 4 && r->bytes >= 84; k++)
        claimed |= (uint32_t)(unsigned char)r->text[80 + k] << 8 * k;
    const size_t size = 84 + 50 * (size_t)claimed;
    const int binary = memchr(r->text, 0, r->bytes) != NULL,
              padded = binary && claimed > 0 && r->bytes > size && ends_with(r->path, ".stl");
    if (r->bytes == size || padded) {
        r->mesh->unread = (int64_t)(r->bytes - size);
        r->bytes = size;
        return sluice_mesh_read_binary_stl(r);
    }
    if (r->bytes >= 4 && strncmp(r->text, "ply", 3) == 0 && isspace((unsigned char)r->text[3]))
        return sluice_mesh_read_ply(r);
    if (ends_with(r->path, ".obj") && !binary)
        return sluice_mesh_read_obj(r);
    const char *first = r->next;
    while (isspace((unsigned char)*first))
        first++;
    if (strncasecmp(first, "solid", 5) == 0 && !binary)
        return sluice_mesh_read_ascii_stl(r);
    SLUICE_CHECK(ends_with(r->path, ".stl") && r->bytes >= 84, SLUICE_BAD_INPUT,
                 "%s is no STL, OBJ or PLY file: it begins with neither \"solid\", \"ply\" nor a "
                 "header of 80 bytes and a count that fits its %zu bytes",
                 r->path, r->bytes);
    return SLUICE_FAIL(
        SLUICE_BAD_INPUT,
        "%s: byte 80: it claims %u triangles, which take %.0f bytes with the header, "
        "but it has %zu: the file is cut off or broken",
        r->path, claimed, 84 + 50.0 * claimed, r->bytes);
}

sluice_status sluice_mesh_read(struct sluice_mesh *mesh, const char *path)
{
    struct sluice_mesh_reader r = {.path = path, .mesh = mesh};
    *mesh = (struct sluice_mesh){0};
    SLUICE_TRY(sluice_safe_file_read(path, &r.text, &r.bytes));
    r.next = r.text + (r.bytes >= 3 && memcmp(r.text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0); /* UTF-8 */
    sluice_status status = r.bytes ? read_format(&r)
                                   : SLUICE_FAIL(SLUICE_BAD_INPUT, "%s: the file is empty", path);
    free(r.text);
    if (status == SLUICE_OK)
        status = sluice_mesh_cut_faces(&r);
    free(r.face);
    find_precision(&r);
    if (status == SLUICE_OK)
        status = merge_vertices(mesh);
    if (status == SLUICE_OK)
        status = sluice_mesh_drop_flat(mesh);
    if (status == SLUICE_OK && mesh->triangle_count == 0)
        status = SLUICE_FAIL(SLUICE_BAD_INPUT, "%s: it has no triangle with an area", path);
    if (status != SLUICE_OK)
        sluice_mesh_destroy(mesh);
    return status;
}

void sluice_mesh_destroy(struct sluice_mesh *mesh)
{
    free(mesh->vertex);
    free(mesh->triangle);
    *mesh = (struct sluice_mesh){0};
}
