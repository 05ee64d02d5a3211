/* Triangles that cross others, or lie over them. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "core/waiting.h"
#include "solids/mesh/mesh_checks.h"

static double volume(const double a[3], const double b[3], const double c[3], const double d[3])
{
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]},
                 v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]},
                 w[3] = {d[0] - a[0], d[1] - a[1], d[2] - a[2]};
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/* Whether the segment from p to q passes through the inside of a triangle. */
static int pierces(const double p[3], const double q[3], const double *const t[3])
{
    const double above = volume(t[0], t[1], t[2], p), below = volume(t[0], t[1], t[2], q);
    if (!(above * below < 0))
        return 0;
    const double s0 = volume(p, q, t[0], t[1]), s1 = volume(p, q, t[1], t[2]),
                 s2 = volume(p, q, t[2], t[0]);
    /* At most one is 0: through an edge, as the diagonal of a face. */
    const int above_0 = (s0 > 0) + (s1 > 0) + (s2 > 0), below_0 = (s0 < 0) + (s1 < 0) + (s2 < 0);
    return above_0 + below_0 >= 2 && (above_0 == 0 || below_0 == 0);
}

/* Twice the area of a triangle seen along an axis. */
static double turn(const double a[3], const double b[3], const double c[3], int axis)
{
    const int i = (axis + 1) % 3, k = (axis + 2) % 3;
    return (b[i] - a[i]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[i] - a[i]);
}

/* Whether an edge of one triangle has all of the other on its outer side, or on it. */
static int is_parted(const double *const one[3], const double *const other[3], int axis,
                     double rounding)
{
    const double sense = turn(one[0], one[1], one[2], axis) > 0 ? 1 : -1;
    for (int k = 0; k < 3; k++) {
        int outside = 0;
        for (int i = 0; i < 3; i++)
            outside += sense * turn(one[k], one[(k + 1) % 3], other[i], axis) <= rounding;
        if (outside == 3)
            return 1;
    }
    return 0;
}

/* Whether two triangles lie in one plane, and over each other. */
static int overlap(const double *const a[3], const double *const b[3])
{
    double size = 0, far = 0, area[3];
    int axis = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            size = fmax(size, fmax(fabs(a[k][i] - a[0][i]), fabs(b[k][i] - a[0][i])));
            far = fmax(far, fmax(fabs(a[k][i]), fabs(b[k][i])));
        }
    const double rounding = 1e-15 * far * size;
    for (int k = 0; k < 3; k++)
        if (fabs(volume(a[0], a[1], a[2], b[k])) > 8 * rounding * size)
            return 0;
    for (int i = 0; i < 3; i++) {
        area[i] = fabs(turn(a[0], a[1], a[2], i));
        axis = area[i] > area[axis] ? i : axis;
    }
    return !is_parted(a, b, axis, rounding) && !is_parted(b, a, axis, rounding);
}

static int share_vertex(const int32_t *one, const int32_t *other)
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            if (one[i] == other[k])
                return 1;
    return 0;
}

enum { APART, CROSSING, OVERLAPPING };

static int compare(const struct sluice_surface *mesh, int64_t one, int64_t other)
{
    const double *a[3], *b[3];
    for (int k = 0; k < 3; k++) {
        a[k] = sluice_surface_corner(mesh, one, k);
        b[k] = sluice_surface_corner(mesh, other, k);
    }
    for (int k = 0; k < 3; k++)
        if (pierces(a[k], a[(k + 1) % 3], b) || pierces(b[k], b[(k + 1) % 3], a))
            return CROSSING;
    return overlap(a, b) ? OVERLAPPING : APART;
}

struct box {
    double low[3], high[3];
};

static void box_of(const struct sluice_surface *mesh, int64_t triangle, struct box *box)
{
    const double *a = sluice_surface_corner(mesh, triangle, 0),
                 *b = sluice_surface_corner(mesh, triangle, 1),
                 *c = sluice_surface_corner(mesh, triangle, 2);
    for (int i = 0; i < 3; i++) {
        const double low = a[i] < b[i] ? a[i] : b[i], high = a[i] < b[i] ? b[i] : a[i];
        box->low[i] = c[i] < low ? c[i] : low;
        box->high[i] = c[i] > high ? c[i] : high;
    }
}

static int meets(const struct box *box, const double low[3], const double high[3])
{
    for (int a = 0; a < 3; a++)
        if (low[a] > box->high[a] || high[a] < box->low[a])
            return 0;
    return 1;
}

/* Where most triangles overlap, all pairs would take days: so many crossings are enough, and so
 * many pairs are looked at: about ten seconds. */
enum { CROSSINGS_ENOUGH = 50000, PAIRS_ENOUGH = 200000000 };
/* A prime number: triangles are taken in steps of it, so that those that are seen lie all over. */
#define STRIDE INT64_C(2147483659)

struct crossings {
    int64_t count[3], first[3]; /* by how two triangles meet: pairs; the lowest triangle of them */
    int64_t pairs;              /* that were looked at */
};

static void add_crossings(struct crossings *to, int how, int64_t count, int64_t first)
{
    if (count > 0 && (to->count[how] == 0 || first < to->first[how]))
        to->first[how] = first;
    to->count[how] += count;
}

/* Looks at the later triangles that one triangle may cross. */
static void seek_crossings(const struct sluice_surface *mesh, int64_t one, struct crossings *found)
{
    struct box box, its;
    int64_t stack[64];
    int depth = 0;
    box_of(mesh, one, &box);
    stack[depth++] = 0;
    while (depth > 0) {
        const struct sluice_surface_node *n = &mesh->node[stack[--depth]];
        if (!meets(&box, n->low, n->high))
            continue;
        if (n->second) {
            stack[depth++] = n->second;
            stack[depth++] = n - mesh->node + 1;
            continue;
        }
        for (int64_t i = n->first; i < n->first + n->count; i++) {
            const int64_t other = mesh->order[i];
            found->pairs++;
            if (other <= one || share_vertex(mesh->element[one], mesh->element[other]))
                continue;
            box_of(mesh, other, &its);
            if (meets(&box, its.low, its.high))
                add_crossings(found, compare(mesh, one, other), 1, one);
        }
    }
}

static int is_enough(const struct crossings *found)
{
    return found->count[CROSSING] + found->count[OVERLAPPING] >= CROSSINGS_ENOUGH ||
           found->pairs >= PAIRS_ENOUGH;
}

/* Goes over all triangles, those near each other one after the other. */
struct sweep {
    const struct sluice_surface *mesh;
    pthread_mutex_t mutex; /* of found */
    struct crossings found;
    atomic_int enough; /* not all were seen */
    struct sluice_waiting *waiting;
};

static void report(struct sluice_waiting *waiting)
{
    sluice_waiting_report(waiting, "geometry: looking for crossings in a mesh");
}

static void sweep_blocks(struct sluice_share *share, void *data)
{
    struct sweep *s = data;
    int64_t i, end;
    while (!atomic_load(&s->enough) &&
           sluice_share_block(share, s->mesh->element_count, 256, &i, &end)) {
        struct crossings found = {0};
        report(s->waiting);
        for (; i < end && !is_enough(&found); i++)
            seek_crossings(s->mesh, s->mesh->order[i], &found);
        pthread_mutex_lock(&s->mutex);
        for (int how = CROSSING; how <= OVERLAPPING; how++)
            add_crossings(&s->found, how, found.count[how], found.first[how]);
        s->found.pairs += found.pairs;
        if (is_enough(&s->found))
            atomic_store(&s->enough, 1);
        pthread_mutex_unlock(&s->mutex);
    }
}

/* Returns the number of triangles that were seen. If they cross often enough to end early, they are
 * taken again, one by one: so the result does not depend on threads. */
static int64_t find_crossings(const struct sluice_surface *mesh, struct sluice_threads *team,
                              struct sluice_waiting *waiting, struct crossings *found)
{
    struct sweep s = {.mesh = mesh, .mutex = PTHREAD_MUTEX_INITIALIZER, .waiting = waiting};
    int64_t seen = 0;
    sluice_threads_run(team, sluice_blocks(mesh->element_count, 256), sweep_blocks, &s);
    *found = s.found;
    if (!atomic_load(&s.enough))
        return mesh->element_count;
    *found = (struct crossings){0};
    while (seen < mesh->element_count && !is_enough(found)) {
        report(waiting);
        seek_crossings(mesh, seen++ * STRIDE % mesh->element_count, found);
    }
    return seen;
}

int sluice_mesh_check_crossings(const struct sluice_solid *solid, const struct sluice_surface *mesh,
                                struct sluice_threads *team, struct sluice_warnings *warnings)
{
    struct crossings found;
    double x[3];
    const int64_t seen = find_crossings(mesh, team, warnings->waiting, &found);
    if (seen < mesh->element_count)
        sluice_warn(warnings,
                    "%s: crossings were looked for at %lld of %lld triangles only, as parts of the "
                    "surface lie over each other nearly everywhere: there are more pairs than "
                    "named below; remove the copy of a part, or unite the parts in the file",
                    solid->shape->surface, (long long)seen, (long long)mesh->element_count);
    if (found.count[CROSSING]) {
        sluice_solid_place(solid, sluice_surface_corner(mesh, found.first[CROSSING], 0), x);
        sluice_warn(warnings,
                    "%s: the surface crosses itself, in %lld pairs of triangles, one of them at "
                    "(%.6g, %.6g, %.6g): what it encloses twice is solid",
                    solid->shape->surface, (long long)found.count[CROSSING], x[0], x[1], x[2]);
    }
    if (found.count[OVERLAPPING]) {
        sluice_solid_place(solid, sluice_surface_corner(mesh, found.first[OVERLAPPING], 0), x);
        sluice_warn(warnings,
                    "%s: %lld pairs of triangles lie over each other in one plane, one of them at "
                    "(%.6g, %.6g, %.6g): parts of the surface touch or cross there, and what lies "
                    "within the solid counts as surface; unite the parts in the file",
                    solid->shape->surface, (long long)found.count[OVERLAPPING], x[0], x[1], x[2]);
    }
    return found.count[CROSSING] + found.count[OVERLAPPING] > 0;
}
