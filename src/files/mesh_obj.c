/* Wavefront OBJ: lines of vertices (v) and of faces (f). Everything else is skipped. */
#include <stdlib.h>
#include <string.h>

#include "files/mesh_reader.h"

/* The vertex of a corner: "7", "7/2", "7/2/5", "7//5", or counted back from the last, "-1". */
static sluice_status read_corner(const struct sluice_mesh_reader *r, const char *word,
                                 int64_t *vertex)
{
    char *end;
    const long long given = strtoll(word, &end, 10);
    const long long count = (long long)r->mesh->vertex_count;
    SLUICE_CHECK(end != word && (*end == 0 || *end == '/'), SLUICE_BAD_INPUT,
                 "%s:%lld: '%.40s' is no number of a vertex", r->path, r->line, word);
    SLUICE_CHECK(given != 0 && given <= count && given >= -count, SLUICE_BAD_INPUT,
                 "%s:%lld: a face has vertex %lld, but there are %lld before it", r->path, r->line,
                 given, count);
    *vertex = given > 0 ? given - 1 : count + given;
    return SLUICE_OK;
}

static sluice_status read_face(struct sluice_mesh_reader *r, char *rest)
{
    struct sluice_mesh_fan fan = {0};
    for (const char *word; (word = sluice_mesh_word(&rest));) {
        int64_t vertex;
        SLUICE_TRY(read_corner(r, word, &vertex));
        SLUICE_TRY(sluice_mesh_add_corner(r, &fan, vertex));
    }
    SLUICE_CHECK(fan.corners >= 3, SLUICE_BAD_INPUT,
                 "%s:%lld: a face has %lld corners, it needs three or more", r->path, r->line,
                 (long long)fan.corners);
    return SLUICE_OK;
}

/* Joins lines that end with a backslash. */
static void join_lines(struct sluice_mesh_reader *r, char *line)
{
    if (line[strspn(line, " \t")] == '#')
        return;
    for (char *end = line + strlen(line); r->next < r->text + r->bytes; end += strlen(end)) {
        char *last = end;
        while (last > line && (last[-1] == '\r' || last[-1] == ' '))
            last--;
        if (last == line || last[-1] != '\\')
            return;
        memset(last - 1, ' ', (size_t)(r->next - last + 1));
        sluice_mesh_line(r);
    }
}

sluice_status sluice_mesh_read_obj(struct sluice_mesh_reader *r)
{
    for (char *line; (line = sluice_mesh_line(r));) {
        join_lines(r, line);
        line[strcspn(line, "#")] = 0;
        const char *word = sluice_mesh_word(&line);
        double x[3];
        if (word && strcmp(word, "v") == 0) {
            SLUICE_TRY(sluice_mesh_coordinates(r, &line, x));
            SLUICE_TRY(sluice_mesh_add_vertex(r, x));
        } else if (word && strcmp(word, "f") == 0) {
            SLUICE_TRY(read_face(r, line));
        }
    }
    return SLUICE_OK;
}
