/* The extent of the union is divided into cells, and these into smaller ones, until the surface in
 * each is flat. Around a place at a distance d from the surface, all within d is on the same side;
 * so a cell whose half diagonal is shorter is decided. A plane cuts off a part of a cell that the
 * surface crosses, which has closed forms (cut_box.h):
 *
 *      +-----------+      d0 and the direction out of the solid are those of the middle. The plane
 *      |\   d > 0  |      n . x + d0 = 0 misses a curved surface by the second derivatives of d.
 *      | \    .    |      Their mean over the cell, sum_a d_aa w_a^2/24, is 4/3 of the mean of
 *      |  \        |      d - d0 over the middles of the cell's parts. With d0 + this mean, the
 *      +---\-------+      error of a smooth surface is of fourth order.
 *
 * Where several shapes are near, a place outside all of their planes is outside the union. */
#include "bodies/union_moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bodies/edge_planes.h"
#include "bodies/union_faces.h"
#include "bodies/union_near.h"
#include "core/allocate.h"
#include "core/vector.h"
#include "surface/surface.h"

enum { CHILDREN = 8, CORNERS = 8 };
/* Looks at a torn mesh of 1000 triangles: some seconds. One takes longer with the root of them. */
#define ENOUGH_LOOKS 200000

/* Deviations from a plane, in widths of the cell, that count as flat, by the dimension. */
static const double flat[] = {[2] = 0.004, [3] = 0.01};

/* The parts of a cell, and what is known of the distances in it. */
struct children {
    int count;
    struct sluice_union_cell cell[CHILDREN];
    double *deviation, *mean; /* [near parts of the cell] of distances from its planes */
    int samples;              /* of a cell with one near part: its middle, children, corners */
    struct sluice_distance_sample sample[1 + CHILDREN + CORNERS];
    int has_seams; /* among the samples */
};

struct integral {
    const struct sluice_solid_union *u;
    struct sluice_union_near
        *near; /* a stack: the lists of a cell, of its children, of theirs ... */
    int64_t count, capacity;
    double finest, coarse;     /* half widths: the least; from which on planes may decide */
    int64_t samples, enough;   /* looks at parts; from so many on cells get coarser */
    struct sluice_moments sum; /* about origin */
    double origin[3];
};

static double half_width(const struct sluice_union_cell *c)
{
    return fmax(c->half[0], fmax(c->half[1], c->half[2]));
}

static void add_sample(struct children *s, const struct sluice_union_cell *of, const double y[3],
                       const struct sluice_union_near *n)
{
    struct sluice_distance_sample *sample = &s->sample[s->samples++];
    sample->d = n->d;
    for (int a = 0; a < 3; a++) {
        sample->at[a] = y[a] - of->middle[a];
        sample->out[a] = n->out[a];
    }
    s->has_seams |= n->is_seam;
}

/* Lists the parts near a cell, among those near the cell that it comes from; `s` (NULL: it is a
 * first cell) gets their distances from the latter's planes. */
static sluice_status list_near(struct integral *f, struct sluice_union_cell *c,
                               const struct sluice_union_cell *of, struct children *s)
{
    const double diagonal = sluice_norm(c->half);
    c->first = f->count;
    c->count = 0;
    c->is_full = 0;
    for (int64_t k = 0; k < of->count; k++) {
        const struct sluice_union_near from = f->near[of->first + k];
        struct sluice_union_near n;
        c->is_full |= sluice_union_is_in_box(f->u, from.part, c);
        if (!s && (c->is_full || sluice_union_is_beyond(f->u, from.part, c)))
            continue;
        f->samples++;
        const double sure = sluice_union_sample(f->u, from.part, c->middle, diagonal, &n);
        if (s) {
            const double off = n.d - sluice_union_plane_distance(of, &from, c->middle);
            s->deviation[k] = fmax(s->deviation[k], fabs(off));
            s->mean[k] += off;
            if (of->count == 1)
                add_sample(s, of, c->middle, &n);
        }
        if (sure >= diagonal) {
            c->is_full |= n.d < 0;
            continue;
        }
        SLUICE_GROW(f->near, f->count, f->capacity, "shapes near a cell");
        f->near[f->count++] = n;
        c->count++;
    }
    if (c->is_full) {
        f->count = c->first;
        c->count = 0;
    }
    return SLUICE_OK;
}

/* --- A cell by its planes --- */

enum state { CUT, FULL, EMPTY };

/* The sides of a cell that are out of its parts. `shift` (NULL: none): to be added to each d. */
static int list_sides(const struct integral *f, const struct sluice_union_cell *c,
                      const double *shift, struct sluice_half_space side[SLUICE_CUTS_MOST])
{
    const double size = sluice_norm(c->half);
    int sides = 0;
    for (int64_t k = 0; k < c->count && sides < SLUICE_CUTS_MOST; k++) {
        const struct sluice_union_near *n = &f->near[c->first + k];
        memcpy(side[sides].normal, n->out, sizeof n->out);
        side[sides].offset = n->is_seam ? copysign(2 * size, n->d) : n->d + (shift ? shift[k] : 0);
        sides++;
    }
    return sides;
}

static enum state judge(const struct integral *f, const struct sluice_union_cell *c)
{
    enum state state = EMPTY;
    if (c->is_full)
        return FULL;
    for (int64_t k = c->first; k < c->first + c->count; k++) {
        const struct sluice_union_near *n = &f->near[k];
        double reach = 0;
        for (int a = 0; a < f->u->dimension; a++)
            reach += fabs(n->out[a]) * c->half[a];
        if (n->d <= -reach * (1 - 1e-12))
            return FULL;
        if (n->d < reach * (1 - 1e-12))
            state = CUT;
    }
    return state;
}

static void add_cell(struct integral *f, const struct sluice_union_cell *c, const double *shift)
{
    const int dimension = f->u->dimension;
    struct sluice_half_space side[SLUICE_CUTS_MOST];
    struct sluice_moments all, outside;
    double middle[3], zero[3] = {0, 0, 0};
    if (!c->is_full && c->count == 0)
        return;
    for (int a = 0; a < 3; a++)
        middle[a] = c->middle[a] - f->origin[a];
    sluice_moments_of_box(dimension, zero, c->half, &all);
    sluice_moments_add(&f->sum, &all, middle, 1);
    if (c->is_full)
        return;
    sluice_cut_box_moments(dimension, c->half, side, list_sides(f, c, shift, side), &outside);
    sluice_moments_add(&f->sum, &outside, middle, -1);
}

/* --- Division --- */

/* Halves the longer axes of a cell. */
static void make_children(const struct sluice_union_cell *c, int dimension, struct children *s)
{
    const double longest = half_width(c);
    s->count = 1;
    s->cell[0] = *c;
    for (int a = 0; a < dimension; a++) {
        if (c->half[a] < 0.6 * longest)
            continue;
        for (int k = 0; k < s->count; k++) {
            struct sluice_union_cell *low = &s->cell[k], *high = &s->cell[k + s->count];
            low->half[a] = c->half[a] / 2;
            *high = *low;
            low->middle[a] = c->middle[a] - low->half[a];
            high->middle[a] = c->middle[a] + low->half[a];
        }
        s->count *= 2;
    }
}

/* The verdict of a cell's corners. */
struct corners {
    double deviation; /* the largest from a plane */
    int in, out;      /* how many are in a part, and out of all, or on the surface */
};

static struct corners look_from_corners(struct integral *f, const struct sluice_union_cell *c,
                                        struct children *s)
{
    const double diagonal = sluice_norm(c->half);
    struct corners found = {0};
    for (int k = 0; k < 1 << f->u->dimension; k++) {
        double y[3] = {0, 0, 0}, least = INFINITY;
        for (int a = 0; a < f->u->dimension; a++)
            y[a] = c->middle[a] + (k >> a & 1 ? c->half[a] : -c->half[a]);
        for (int64_t i = c->first; i < c->first + c->count; i++) {
            struct sluice_union_near n;
            f->samples++;
            sluice_union_sample(f->u, f->near[i].part, y, diagonal, &n);
            least = fmin(least, n.d);
            found.deviation = fmax(found.deviation,
                                   fabs(n.d - sluice_union_plane_distance(c, &f->near[i], y)));
            if (c->count == 1)
                add_sample(s, c, y, &n);
        }
        found.in += least <= 1e-9 * diagonal;
        found.out += least >= -1e-9 * diagonal;
    }
    return found;
}

/* Whether the planes of a cell fit the distances in its children, and leave no child undecided. */
static int seems_flat(const struct integral *f, const struct sluice_union_cell *c,
                      const struct children *s)
{
    if (c->count > SLUICE_CUTS_MOST || s->count < 1 << f->u->dimension)
        return 0;
    for (int64_t k = 0; k < c->count; k++)
        if (s->deviation[k] > 2 * flat[f->u->dimension] * half_width(c) ||
            f->near[c->first + k].is_seam)
            return 0;
    for (int k = 0; k < s->count && half_width(c) > f->coarse; k++)
        if (s->cell[k].count > 0 && judge(f, &s->cell[k]) != CUT)
            return 0;
    return 1;
}

/* Whether a cell and its children are all full, or all empty, by their planes and corners. In a
 * convex solid the planes are sure of an empty cell, the corners of a full one; in a hollow the
 * other way round. */
static int is_of_one_kind(const struct integral *f, const struct sluice_union_cell *c,
                          const struct children *s, const struct corners *corners)
{
    const enum state state = judge(f, c);
    if (state == CUT || (state == FULL ? corners->in : corners->out) < 1 << f->u->dimension)
        return 0;
    for (int k = 0; k < s->count; k++)
        if (judge(f, &s->cell[k]) != state)
            return 0;
    return 1;
}

/* Adds a cell in which flat faces meet at an edge. Returns 0 if there are none. */
static int add_edge(struct integral *f, const struct sluice_union_cell *c, const struct children *s)
{
    const int is_finest = half_width(c) <= f->finest;
    const double tolerance = 2 * half_width(c) * (is_finest ? flat[f->u->dimension] : 1e-6);
    const int dimension = f->u->dimension;
    struct sluice_half_space side[SLUICE_CUTS_MOST];
    struct sluice_moments part, all;
    double middle[3], zero[3] = {0, 0, 0};
    int is_hollow;
    if (c->count != 1 || s->has_seams)
        return 0;
    const int sides = sluice_edge_planes(s->sample, s->samples, dimension, c->half, tolerance,
                                         is_finest ? 1 : 2, side, &is_hollow);
    if (sides < 0)
        return 0;
    for (int a = 0; a < 3; a++)
        middle[a] = c->middle[a] - f->origin[a];
    sluice_cut_box_moments(dimension, c->half, side, sides, &part);
    sluice_moments_add(&f->sum, &part, middle, is_hollow ? -1 : 1);
    sluice_moments_of_box(dimension, zero, c->half, &all);
    sluice_moments_add(&f->sum, &all, middle, is_hollow ? 1 : 0);
    return 1;
}

/* Adds a cell as a whole. Returns 0 if it must be divided. */
static int add_whole(struct integral *f, struct sluice_union_cell *c, struct children *s)
{
    const double width = 2 * half_width(c);
    const int is_small = half_width(c) <= f->coarse, is_flat = seems_flat(f, c, s);
    if (!is_small && !is_flat)
        return 0;
    const struct corners corners = look_from_corners(f, c, s);
    if (is_flat && corners.deviation <= 4 * flat[f->u->dimension] * width) {
        for (int64_t k = 0; k < c->count; k++)
            s->mean[k] *= 4.0 / (3 * s->count);
        add_cell(f, c, s->mean);
        return 1;
    }
    if (is_small && is_of_one_kind(f, c, s, &corners)) {
        add_cell(f, c, NULL);
        return 1;
    }
    return is_small && add_edge(f, c, s);
}

static sluice_status integrate(struct integral *f, struct sluice_union_cell *c);

/* Adds a cell as a whole, or its children. */
static sluice_status add_parts(struct integral *f, struct sluice_union_cell *c, struct children *s)
{
    if (add_whole(f, c, s))
        return SLUICE_OK;
    for (int k = 0; k < s->count; k++)
        if (half_width(c) <= f->finest || s->cell[k].count == 0)
            add_cell(f, &s->cell[k], NULL);
        else
            SLUICE_TRY(integrate(f, &s->cell[k]));
    return SLUICE_OK;
}

/* Adds a cell with near parts. */
static sluice_status integrate(struct integral *f, struct sluice_union_cell *c)
{
    const int64_t before = f->count;
    if (f->samples > f->enough) { /* a surface that is torn everywhere has no smooth part */
        f->finest *= 4;
        f->coarse = fmax(f->coarse, f->finest);
        f->enough += f->enough / 16;
    }
    sluice_waiting_report(f->u->g->waiting, "bodies: finding the volume of one");
    struct children s = {.samples = 0};
    double of_few[2][SLUICE_CUTS_MOST] = {{0}}, *of_many = NULL;
    if (c->count > SLUICE_CUTS_MOST)
        SLUICE_ALLOCATE(of_many, 2 * c->count, "shapes near a cell");
    s.deviation = of_many ? of_many : of_few[0];
    s.mean = of_many ? of_many + c->count : of_few[1];
    make_children(c, f->u->dimension, &s);
    if (c->count == 1)
        add_sample(&s, c, c->middle, &f->near[c->first]);
    sluice_status status = SLUICE_OK;
    for (int k = 0; k < s.count && status == SLUICE_OK; k++)
        status = list_near(f, &s.cell[k], c, &s);
    if (status == SLUICE_OK)
        status = add_parts(f, c, &s);
    free(of_many);
    f->count = before;
    return status;
}

/* --- The first cells --- */

static sluice_status add_first_cell(struct integral *f, const struct sluice_union_cell *all,
                                    struct sluice_union_cell *c)
{
    SLUICE_TRY(list_near(f, c, all, NULL));
    if (c->count == 0)
        add_cell(f, c, NULL);
    else
        SLUICE_TRY(integrate(f, c));
    f->count = all->count;
    return SLUICE_OK;
}

static sluice_status add_first_cells(struct integral *f)
{
    const struct sluice_solid_union *u = f->u;
    double face[3][SLUICE_FACES_MOST] = {{0}};
    int faces[3] = {2, 2, 2};
    struct sluice_union_cell all = {.count = u->count}, c;
    for (int k = 0; k < u->count; k++) {
        SLUICE_GROW(f->near, f->count, f->capacity, "shapes of a body");
        f->near[f->count++] = (struct sluice_union_near){.part = k};
    }
    for (int a = 0; a < u->dimension; a++)
        faces[a] = sluice_union_faces(u, a, face[a]);
    for (int k = 0; k + 1 < faces[2]; k++)
        for (int j = 0; j + 1 < faces[1]; j++)
            for (int i = 0; i + 1 < faces[0]; i++) {
                const int at[3] = {i, j, k};
                for (int a = 0; a < 3; a++) {
                    c.middle[a] = (face[a][at[a] + 1] + face[a][at[a]]) / 2;
                    c.half[a] = (face[a][at[a] + 1] - face[a][at[a]]) / 2;
                }
                SLUICE_TRY(add_first_cell(f, &all, &c));
            }
    return SLUICE_OK;
}

/* The triangles of meshes with holes: their lids are no sharp surface. */
static int64_t triangles_with_lids(const struct sluice_solid_union *u)
{
    int64_t sum = 0;
    for (int k = 0; k < u->count; k++) {
        const int shape = u->part[k].shape;
        if (u->g->asked[shape].kind == SLUICE_SHAPE_MESH &&
            isfinite(sluice_geometry_certain(u->g, shape, u->part[k].box[0])))
            sum += ((const struct sluice_surface *)u->g->solid[shape].data)->element_count;
    }
    return sum;
}

/* The width of cells of which as many cover the box as cover a cube that is 32 wide. */
static double width_by_area(const struct sluice_solid_union *u)
{
    const double x = u->high[0] - u->low[0], y = u->high[1] - u->low[1], z = u->high[2] - u->low[2];
    return sqrt((x * y + y * z + z * x) / (3 * 32 * 32));
}

sluice_status sluice_union_moments(const struct sluice_solid_union *u, const double origin[3],
                                   struct sluice_moments *moments)
{
    struct integral f = {.u = u, .enough = INT64_MAX, .origin = {origin[0], origin[1], origin[2]}};
    const int64_t torn = u->dimension == 3 ? triangles_with_lids(u) : 0;
    double least = INFINITY, most = 0;
    for (int a = 0; a < u->dimension; a++) {
        least = fmin(least, u->high[a] - u->low[a]);
        most = fmax(most, u->high[a] - u->low[a]);
    }
    f.coarse = fmax(least / 16, most / 64) / 2;
    f.finest = fmax(least / (u->dimension == 2 ? 256 : 32), most / 1024) / 2;
    if (torn > 0) { /* no finer than is sensible, but soon */
        f.finest = fmax(f.finest, width_by_area(u) / 2);
        f.coarse = fmax(f.coarse, f.finest);
        f.enough = (int64_t)(ENOUGH_LOOKS / sqrt(fmax(1, (double)torn / 1000)));
    }
    const sluice_status status = add_first_cells(&f);
    *moments = f.sum;
    free(f.near);
    return status;
}
