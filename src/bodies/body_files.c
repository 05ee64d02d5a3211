#include "bodies/body_files.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

sluice_status sluice_body_files_open(struct sluice_series *series, const char *folder,
                                     const struct sluice_series_from *from, struct sluice_log *log)
{
    return from ? sluice_series_rebuild(series, &sluice_body_series, folder, from, log)
                : sluice_series_open(series, &sluice_body_series, folder);
}

sluice_status sluice_body_files_write(struct sluice_series *series, const struct sluice_bodies *b,
                                      const char *folder, int64_t number,
                                      const struct sluice_snapshot_header *header)
{
    struct sluice_posed_body *body;
    char path[4096];
    SLUICE_TRY(sluice_body_surfaces_path(path, sizeof path, folder, number));
    SLUICE_ALLOCATE(body, b->count, "surfaces of bodies");
    for (int i = 0; i < b->count; i++) {
        body[i] = (struct sluice_posed_body){
            .name = b->body[i].name, .surface = &b->body[i].surface, .pose = &b->now[i].pose};
        memcpy(body[i].start, b->body[i].centre, sizeof body[i].start);
    }
    const sluice_status status = sluice_body_surfaces_write(path, body, b->count, header);
    free(body);
    SLUICE_TRY(status);
    return sluice_series_append(series, strrchr(path, '/') + 1, header->time);
}

/* --- Walls --- */

/* The groups of walls that have a surface. */
struct walls {
    struct sluice_posed_body *body;
    struct sluice_body_surface *surface;
    char (*name)[SLUICE_TEXT_MAX];
    int *shape, count;
};

static int is_wall(const struct sluice_shape *s)
{
    return s->content == SLUICE_SHAPE_WALL && s->body == 0;
}

/* Lists the shapes of the group of a shape in `list`. Returns their number; 0: an earlier shape is
 * of the same group. */
static int find_group(const struct sluice_geometry *g, int shape, const char *name, int *list)
{
    char other[SLUICE_TEXT_MAX];
    int count = 0;
    for (int k = 0; k < g->config->shape_count; k++) {
        if (!is_wall(&g->config->shapes[k]))
            continue;
        if (strcmp(sluice_config_group(g->config, k, other), name) != 0)
            continue;
        if (k < shape)
            return 0;
        list[count++] = k;
    }
    return count;
}

static sluice_status add_group(struct walls *w, const struct sluice_geometry *g, int shape)
{
    static const struct sluice_pose still = {.turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    char *name = w->name[w->count];
    sluice_config_group(g->config, shape, name);
    const int count = find_group(g, shape, name, w->shape);
    if (count == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_wall_surface_create(&w->surface[w->count], g, w->shape, count));
    if (w->surface[w->count].triangles > 0) {
        w->body[w->count] = (struct sluice_posed_body){
            .name = name, .surface = &w->surface[w->count], .pose = &still};
        w->count++;
    }
    return SLUICE_OK;
}

static sluice_status write_walls(struct walls *w, const char *folder,
                                 const struct sluice_geometry *g,
                                 const struct sluice_snapshot_header *header)
{
    char path[4096];
    const int shapes = g->config->shape_count;
    SLUICE_ALLOCATE(w->body, shapes, "surfaces of walls");
    SLUICE_ALLOCATE(w->surface, shapes, "surfaces of walls");
    SLUICE_ALLOCATE(w->name, shapes, "names of walls");
    SLUICE_ALLOCATE(w->shape, shapes, "shapes of walls");
    for (int k = 0; k < shapes; k++)
        if (is_wall(&g->config->shapes[k]))
            SLUICE_TRY(add_group(w, g, k));
    if (w->count == 0)
        return SLUICE_OK;
    SLUICE_TRY(sluice_run_file_path(folder, "walls.hdf", path, sizeof path));
    return sluice_body_surfaces_write(path, w->body, w->count, header);
}

sluice_status sluice_wall_file_write(const char *folder, const struct sluice_geometry *g,
                                     const struct sluice_snapshot_header *header)
{
    struct walls w = {0};
    if (!g->box) /* no shapes */
        return SLUICE_OK;
    const sluice_status status = write_walls(&w, folder, g, header);
    for (int i = 0; i < w.count; i++)
        sluice_body_surface_destroy(&w.surface[i]);
    free(w.body);
    free(w.surface);
    free(w.name);
    free(w.shape);
    return status;
}
