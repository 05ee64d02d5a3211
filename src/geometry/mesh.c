/* Solids from files of triangles. */
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "geometry/mesh_checks.h"
#include "files/mesh_file.h"
#include "geometry/solid.h"
#include "geometry/surface.h"

static void destroy(void *data)
{
    if (data)
        sluice_surface_destroy(data);
    free(data);
}

static sluice_status build(struct sluice_solid *solid, struct sluice_surface *s,
                           struct sluice_mesh_facts *facts, struct sluice_warnings *warnings)
{
    double from[3];
    const char *path = solid->shape->surface;
    struct sluice_mesh mesh;
    SLUICE_TRY(sluice_mesh_read(&mesh, path));
    s->dimension = 3;
    s->vertex_count = mesh.vertex_count;
    s->element_count = mesh.triangle_count;
    s->vertex = mesh.vertex; /* the surface takes them over */
    s->element = mesh.triangle;
    facts->flat = mesh.flat;
    SLUICE_TRY(sluice_mesh_check_edges(solid, s, from, warnings));
    facts->inside_out = sluice_surface_volume(s, from) < 0;
    if (facts->inside_out)
        sluice_surface_reverse(s);
    SLUICE_TRY(sluice_surface_build(s, from));
    memcpy(solid->low, s->low, sizeof solid->low);
    memcpy(solid->high, s->high, sizeof solid->high);
    solid->volume = s->volume;
    return SLUICE_OK;
}

static sluice_status create(struct sluice_solid *solid, struct sluice_warnings *warnings)
{
    struct sluice_surface *s;
    SLUICE_ALLOCATE(s, 1, "mesh");
    struct sluice_mesh_facts facts;
    sluice_status status = build(solid, s, &facts, warnings);
    if (status == SLUICE_OK)
        sluice_mesh_check(solid, s, &facts, warnings);
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

const struct sluice_solid_kind sluice_solid_mesh = {
    .create = create, .destroy = destroy, .distance = distance, .reach = reach};
