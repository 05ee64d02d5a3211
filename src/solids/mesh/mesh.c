/* Solids from files of triangles. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/waiting.h"
#include "domain/comm.h"
#include "solids/mesh/mesh_checks.h"
#include "files/mesh_file.h"
#include "solids/facets.h"
#include "solids/sharp.h"
#include "surface/surface.h"

/* Below so many triangles, starting threads takes longer than the checks. */
enum { FEW = 10000 };

static void destroy(void *data)
{
    if (data)
        sluice_surface_destroy(data);
    free(data);
}

/* Vertices nearer than this are one, in spacings. */
#define WELD 1e-3

/* Reads a file, mends what can be mended, and takes over its vertices and triangles. */
static sluice_status read_file(const struct sluice_solid *solid, struct sluice_surface *s,
                               struct sluice_mesh *file, struct sluice_mesh_edges *edges,
                               struct sluice_warnings *warnings)
{
    const double weld = WELD * solid->config->spacing / solid->shape->scale;
    sluice_waiting_report(warnings->waiting, "geometry: reading a mesh");
    SLUICE_TRY(sluice_mesh_read(file, solid->shape->surface));
    sluice_waiting_report(warnings->waiting, "geometry: joining the edges of a mesh");
    sluice_status status = sluice_mesh_edges_list(edges, file);
    if (status == SLUICE_OK)
        status = sluice_mesh_weld(solid, file, edges, weld, warnings);
    if (status == SLUICE_OK)
        status = sluice_mesh_orient(solid, file, edges, warnings);
    if (status == SLUICE_OK)
        status = sluice_mesh_fill_beneath(solid, file, edges, warnings);
    if (status != SLUICE_OK) {
        sluice_mesh_destroy(file);
        return status;
    }
    s->dimension = 3;
    s->vertex_count = file->vertex_count;
    s->element_count = file->triangle_count;
    s->vertex = file->vertex;
    s->element = file->triangle;
    return SLUICE_OK;
}

static sluice_status build(struct sluice_solid *solid, struct sluice_surface *s,
                           struct sluice_mesh_edges *edges, struct sluice_threads *team,
                           struct sluice_warnings *warnings)
{
    SLUICE_ALLOCATE(edges->parent, s->element_count + edges->on_line, "triangles of a mesh");
    SLUICE_ALLOCATE(edges->open, s->element_count + edges->on_line, "triangles of a mesh");
    SLUICE_TRY(sluice_mesh_check_edges(solid, s, edges, warnings));
    SLUICE_TRY(sluice_surface_build(s, team));
    SLUICE_TRY(sluice_mesh_turn_parts(solid, s, edges, team, warnings));
    memcpy(solid->low, s->low, sizeof solid->low);
    memcpy(solid->high, s->high, sizeof solid->high);
    solid->volume = s->volume;
    for (int64_t i = 0; i < s->element_count; i++)
        s->has_holes |= edges->open[i] != 0;
    return SLUICE_OK;
}

static sluice_status create(struct sluice_solid *solid, struct sluice_warnings *warnings)
{
    struct sluice_surface *s;
    SLUICE_ALLOCATE(s, 1, "mesh");
    struct sluice_mesh file = {0};
    struct sluice_mesh_edges edges = {0};
    struct sluice_threads *team = NULL;
    sluice_status status = read_file(solid, s, &file, &edges, warnings);
    if (status == SLUICE_OK && s->element_count > FEW)
        status = sluice_threads_create(
            &team, sluice_config_threads(solid->config, sluice_world()->sharing));
    if (status == SLUICE_OK)
        status = build(solid, s, &edges, team, warnings);
    sluice_mesh_edges_destroy(&edges);
    if (status == SLUICE_OK)
        sluice_mesh_check(solid, s, &file, team, warnings);
    sluice_threads_destroy(&team);
    solid->data = s;
    if (status != SLUICE_OK) {
        destroy(s);
        solid->data = NULL;
    }
    return status;
}

static double reach(const struct sluice_solid *solid, const double direction[3])
{
    return sluice_surface_reach(solid->data, direction);
}

static double distance(const struct sluice_solid *solid, const double x[3], double way[3])
{
    return sluice_surface_distance(solid->data, x, way);
}

static double certain(const struct sluice_solid *solid, const double x[3])
{
    return sluice_surface_certain(solid->data, x);
}

static int moments(const struct sluice_solid *solid, const double middle[3],
                   struct sluice_moments *m)
{
    const struct sluice_surface *s = solid->data;
    sluice_surface_moments(s, middle, m);
    return !s->has_holes;
}

static sluice_status sharp(const struct sluice_solid *solid, struct sluice_sharp *list)
{
    return sluice_sharp_add_ridges(list, solid->data);
}

static sluice_status triangles(const struct sluice_solid *solid, struct sluice_facets *facets)
{
    return sluice_facets_add_surface(facets, solid->data);
}

const struct sluice_solid_kind sluice_solid_mesh = {.create = create,
                                                    .destroy = destroy,
                                                    .distance = distance,
                                                    .certain = certain,
                                                    .reach = reach,
                                                    .moments = moments,
                                                    .sharp = sharp,
                                                    .triangles = triangles};
