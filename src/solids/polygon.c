/* Polygons: corners from the config or from a table. In three dimensions they make a prism. */
#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "solids/place_table.h"
#include "solids/prism.h"

/* Corners in the plane across `along`, from the shape's file. Allocates. */
static sluice_status read_corners(const struct sluice_shape *s, int dimension, int along,
                                  double (**corner)[2], int64_t *count)
{
    static const char *const plane[4] = {"x and y", "y and z", "x and z", "x and y"};
    const unsigned wanted = dimension == 2 ? 3u : 7u & ~(1u << along);
    struct sluice_place_table table;
    SLUICE_TRY(sluice_place_table_read(&table, s->surface));
    sluice_status status = SLUICE_OK;
    if (table.has != wanted)
        status = SLUICE_FAIL(
            SLUICE_BAD_INPUT, "%s: the corners of this polygon need the columns %s%s", s->surface,
            plane[along + 1],
            along < 0 ? "" : ", those across its axis: name them so, or give another axis");
    else if (table.count < 3)
        status = SLUICE_FAIL(SLUICE_BAD_INPUT, "%s: it has %lld corners, a polygon three or more",
                             s->surface, (long long)table.count);
    *count = status == SLUICE_OK ? table.count : 0;
    if (status == SLUICE_OK && !(*corner = calloc((size_t)table.count, sizeof **corner)))
        status = SLUICE_FAIL(SLUICE_DEVICE, "no memory for %lld corners", (long long)table.count);
    for (int64_t i = 0; *corner && i < *count; i++)
        for (int a = 0, k = 0; a < 3; a++)
            if (wanted >> a & 1)
                (*corner)[i][k++] = table.row[i].x[a];
    sluice_place_table_destroy(&table);
    return status;
}

/* Twice the area of a triangle, positive if anticlockwise. */
static double turn(const double a[2], const double b[2], const double c[2])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int edges_cross(const double a[2], const double b[2], const double c[2], const double d[2])
{
    return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

/* Edges by where they begin along x. */
struct edge {
    double low, high;
    int64_t first; /* the corner that it begins at */
};

/* An edge that crosses another would enclose a part the wrong way round. */
static sluice_status check_edges(const double (*corner)[2], int64_t count)
{
    struct edge *edge;
    int64_t one = -1, other = -1;
    SLUICE_ALLOCATE(edge, count, "edges of a polygon");
    for (int64_t i = 0; i < count; i++) {
        const double a = corner[i][0], b = corner[(i + 1) % count][0];
        edge[i] = (struct edge){fmin(a, b), fmax(a, b), i};
    }
    qsort(edge, (size_t)count, sizeof *edge, sluice_by_real);
    for (int64_t i = 0; i < count && one < 0; i++)
        for (int64_t k = i + 1; k < count && edge[k].low <= edge[i].high && one < 0; k++) {
            const int64_t p = edge[i].first, q = edge[k].first;
            if (!edges_cross(corner[p], corner[(p + 1) % count], corner[q],
                             corner[(q + 1) % count]))
                continue;
            one = p < q ? p : q;
            other = p < q ? q : p;
        }
    free(edge);
    SLUICE_CHECK(one < 0, SLUICE_BAD_INPUT,
                 "the polygon crosses itself: the edge from corner %lld (%g, %g) crosses "
                 "that from corner %lld (%g, %g); give the corners in order along its edge",
                 (long long)one + 1, corner[one < 0 ? 0 : one][0], corner[one < 0 ? 0 : one][1],
                 (long long)other + 1, corner[other < 0 ? 0 : other][0],
                 corner[other < 0 ? 0 : other][1]);
    return SLUICE_OK;
}

static sluice_status build(struct sluice_solid *solid, const double (*corner)[2], int64_t count,
                           int along)
{
    const struct sluice_shape *s = solid->shape;
    struct sluice_prism *prism;
    SLUICE_TRY(check_edges(corner, count));
    SLUICE_ALLOCATE(prism, 1, "polygon");
    solid->data = prism;
    SLUICE_TRY(sluice_prism_create(prism, solid, corner, count, along,
                                   s->from <= -SLUICE_FAR ? -INFINITY : s->from,
                                   s->to >= SLUICE_FAR ? INFINITY : s->to));
    SLUICE_CHECK(prism->surface.volume > 0, SLUICE_BAD_INPUT,
                 "the polygon encloses no area: give its corners in order along its edge");
    return SLUICE_OK;
}

static void destroy(void *data)
{
    if (data)
        sluice_prism_destroy(data);
    free(data);
}

static sluice_status create(struct sluice_solid *solid, struct sluice_warnings *warnings)
{
    const struct sluice_shape *s = solid->shape;
    const int along = solid->dimension == 3 ? s->axis : -1;
    double(*corner)[2] = NULL;
    int64_t count = s->points.count;
    sluice_status status = SLUICE_OK;
    (void)warnings;
    if (s->surface[0])
        status = read_corners(s, solid->dimension, along, &corner, &count);
    if (status == SLUICE_OK)
        status = build(solid, corner ? (const double(*)[2])corner : s->points.at, count, along);
    free(corner);
    if (status != SLUICE_OK) {
        destroy(solid->data);
        solid->data = NULL;
    }
    return status;
}

static double distance(const struct sluice_solid *solid, const double x[3], double way[3])
{
    return sluice_prism_distance(solid->data, x, way);
}

static double reach(const struct sluice_solid *solid, const double direction[3])
{
    return sluice_prism_reach(solid->data, direction);
}

static int moments(const struct sluice_solid *solid, const double middle[3],
                   struct sluice_moments *m)
{
    return sluice_prism_moments(solid->data, middle, m);
}

static sluice_status sharp(const struct sluice_solid *solid, struct sluice_sharp *list)
{
    return sluice_prism_sharp(solid->data, list);
}

static sluice_status triangles(const struct sluice_solid *solid, struct sluice_facets *facets)
{
    return sluice_prism_triangles(solid->data, facets);
}

const struct sluice_solid_kind sluice_solid_polygon = {.create = create,
                                                       .destroy = destroy,
                                                       .distance = distance,
                                                       .reach = reach,
                                                       .moments = moments,
                                                       .sharp = sharp,
                                                       .triangles = triangles};
