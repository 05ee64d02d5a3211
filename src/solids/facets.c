#include "solids/facets.h"

#include <math.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"

/* Pieces of a parallelogram; a larger one, such as the side of a solid without an end, is one. */
enum { PATCH_MOST = 1 << 20 };

sluice_status sluice_facets_list(struct sluice_facets *f)
{
    return f->solid->kind ? f->solid->kind->triangles(f->solid, f) : SLUICE_OK;
}

void sluice_facets_destroy(struct sluice_facets *f)
{
    free(f->point);
    free(f->triangle);
    free(f->segment);
    *f = (struct sluice_facets){0};
}

/* The volume within the triangles, in 2-D their area. `from`: a place near them. */
static double volume_of(const struct sluice_facets *f, const double from[3])
{
    double sum = 0;
    for (int64_t i = 0; i < f->triangles; i++) {
        double corner[3][3], normal[3];
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                corner[k][a] = f->point[f->triangle[i][k]][a] - from[a];
        sluice_cross(corner[0], corner[1], normal);
        if (f->solid->dimension == 3) {
            sum += sluice_dot(normal, corner[2]) / 6;
            continue;
        }
        for (int k = 0; k < 3; k++) {
            const double *p = corner[k], *q = corner[(k + 1) % 3];
            sum += (p[0] * q[1] - p[1] * q[0]) / 2;
        }
    }
    return sum;
}

static int is_ball(const struct sluice_facets *f)
{
    const int kind = f->solid->shape->kind;
    return kind == SLUICE_SHAPE_SPHERE || kind == SLUICE_SHAPE_DISC;
}

int sluice_facets_are_round(const struct sluice_facets *f)
{
    const int kind = f->solid->shape->kind;
    return is_ball(f) || kind == SLUICE_SHAPE_CYLINDER || kind == SLUICE_SHAPE_CONE;
}

/* A ball grows from its centre, the others from their axis. */
void sluice_facets_fill(struct sluice_facets *f)
{
    const struct sluice_shape *s = f->solid->shape;
    double centre[3], tip[3], axis[3] = {0, 0, 0};
    if (!sluice_facets_are_round(f))
        return;
    sluice_solid_place(f->solid, s->centre, centre);
    if (!is_ball(f)) {
        double own[3] = {s->centre[0], s->centre[1], s->centre[2]};
        own[s->axis] += 1;
        sluice_solid_place(f->solid, own, tip);
        for (int a = 0; a < 3; a++)
            axis[a] = (tip[a] - centre[a]) / s->scale;
    }
    const double part = f->solid->volume / volume_of(f, centre),
                 times = pow(part, is_ball(f) ? 1.0 / f->solid->dimension : 0.5);
    for (int64_t i = 0; i < f->points; i++) {
        double out[3];
        for (int a = 0; a < 3; a++)
            out[a] = f->point[i][a] - centre[a];
        const double along = sluice_dot(out, axis);
        for (int a = 0; a < 3; a++)
            f->point[i][a] += (times - 1) * (out[a] - along * axis[a]);
    }
}

int sluice_facets_pieces(const struct sluice_facets *f, double length)
{
    const double pieces = ceil(length * f->solid->shape->scale / f->step - 1e-6);
    return (int)fmin(fmax(pieces, 1), SLUICE_FACETS_MOST);
}

int sluice_facets_around(const struct sluice_facets *f, double radius)
{
    const int pieces = sluice_facets_pieces(f, 2 * acos(-1) * radius);
    const int least = f->around > 0 ? f->around : SLUICE_FACETS_ROUND;
    return pieces > least ? pieces : least;
}

double sluice_facets_far(const struct sluice_facets *f, double middle[3])
{
    const struct sluice_shape *s = f->solid->shape;
    double across2 = 0, at[3];
    for (int a = 0; a < 3; a++) {
        across2 += pow(f->high[a] - f->low[a], 2);
        at[a] = ((f->low[a] + f->high[a]) / 2 - s->move[a]) / s->scale;
    }
    sluice_matrix_transposed_times(f->solid->rotation, at, middle);
    return (0.5 * sqrt(across2) + f->step) / s->scale;
}

sluice_status sluice_facets_add_point(struct sluice_facets *f, const double own[3], int32_t *number)
{
    SLUICE_CHECK(f->points < INT32_MAX, SLUICE_DEVICE,
                 "the surface of a body has more than 2^31 points: make the spacing larger");
    SLUICE_GROW(f->point, f->points, f->point_capacity, "points of a surface");
    sluice_solid_place(f->solid, own, f->point[f->points]);
    *number = (int32_t)f->points++;
    return SLUICE_OK;
}

sluice_status sluice_facets_add_triangle(struct sluice_facets *f, int32_t a, int32_t b, int32_t c)
{
    SLUICE_GROW(f->triangle, f->triangles, f->triangle_capacity, "triangles of a surface");
    int32_t *t = f->triangle[f->triangles++];
    t[0] = a;
    t[1] = b;
    t[2] = c;
    return SLUICE_OK;
}

/* The two triangles of a quadrangle, anticlockwise; those without an area are left out. */
static sluice_status add_quadrangle(struct sluice_facets *f, int32_t a, int32_t b, int32_t c,
                                    int32_t d)
{
    if (a != b && b != c)
        SLUICE_TRY(sluice_facets_add_triangle(f, a, b, c));
    return c != d && d != a ? sluice_facets_add_triangle(f, a, c, d) : SLUICE_OK;
}

sluice_status sluice_facets_add_patch(struct sluice_facets *f, const double corner[3],
                                      const double u[3], const double v[3])
{
    int wide = sluice_facets_pieces(f, sluice_norm(u)),
        deep = sluice_facets_pieces(f, sluice_norm(v));
    if (wide > PATCH_MOST / deep)
        wide = deep = 1;
    const int32_t first = (int32_t)f->points;
    int32_t at;
    for (int k = 0; k <= deep; k++)
        for (int i = 0; i <= wide; i++) {
            double own[3];
            for (int a = 0; a < 3; a++)
                own[a] = corner[a] + i * (u[a] / wide) + k * (v[a] / deep);
            SLUICE_TRY(sluice_facets_add_point(f, own, &at));
        }
    for (int32_t k = 0; k < deep; k++)
        for (int32_t i = 0; i < wide; i++) {
            at = first + k * (wide + 1) + i;
            SLUICE_TRY(add_quadrangle(f, at, at + 1, at + wide + 2, at + wide + 1));
        }
    return SLUICE_OK;
}

/* A ring about the axis; on the axis it is one point. */
static sluice_status add_ring(struct sluice_facets *f, const double centre[3], int axis,
                              const double place[2], int around, int32_t *first)
{
    const double turn = 2 * acos(-1) / around;
    double own[3];
    int32_t at;
    *first = (int32_t)f->points;
    for (int i = 0; i < (place[0] > 0 ? around : 1); i++) {
        own[axis] = centre[axis] + place[1];
        own[(axis + 1) % 3] = centre[(axis + 1) % 3] + place[0] * cos(turn * i);
        own[(axis + 2) % 3] = centre[(axis + 2) % 3] + place[0] * sin(turn * i);
        SLUICE_TRY(sluice_facets_add_point(f, own, &at));
    }
    return SLUICE_OK;
}

static sluice_status join_rings(struct sluice_facets *f, int32_t low, int32_t high, int is_low,
                                int is_high, int around)
{
    for (int i = 0; i < around; i++) {
        const int next = (i + 1) % around;
        SLUICE_TRY(add_quadrangle(f, low + (is_low ? i : 0), low + (is_low ? next : 0),
                                  high + (is_high ? next : 0), high + (is_high ? i : 0)));
    }
    return SLUICE_OK;
}

sluice_status sluice_facets_add_turned(struct sluice_facets *f, const double centre[3], int axis,
                                       const double (*place)[2], int count)
{
    double widest = 0;
    int32_t before = 0, ring;
    for (int k = 0; k < count; k++)
        widest = fmax(widest, place[k][0]);
    const int around = sluice_facets_around(f, widest);
    for (int k = 0; k < count; k++) {
        const double *a = place[k > 0 ? k - 1 : 0], *b = place[k];
        const int pieces = k > 0 ? sluice_facets_pieces(f, hypot(b[0] - a[0], b[1] - a[1])) : 1;
        double last[2] = {a[0], a[1]};
        for (int i = 1; i <= pieces; i++) {
            const double part = (double)i / pieces,
                         at[2] = {a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1])};
            SLUICE_TRY(add_ring(f, centre, axis, i == pieces ? b : at, around, &ring));
            if (k > 0)
                SLUICE_TRY(join_rings(f, before, ring, last[0] > 0, (i == pieces ? b : at)[0] > 0,
                                      around));
            memcpy(last, i == pieces ? b : at, sizeof last);
            before = ring;
        }
    }
    return SLUICE_OK;
}

sluice_status sluice_facets_add_surface(struct sluice_facets *f, const struct sluice_surface *s)
{
    const int32_t first = (int32_t)f->points;
    int32_t at;
    for (int64_t i = 0; i < s->vertex_count; i++)
        SLUICE_TRY(sluice_facets_add_point(f, s->vertex[i], &at));
    for (int64_t i = 0; i < s->element_count; i++)
        SLUICE_TRY(sluice_facets_add_triangle(f, first + s->element[i][0], first + s->element[i][1],
                                              first + s->element[i][2]));
    return SLUICE_OK;
}
