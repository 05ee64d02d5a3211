/* Parts of a mesh, and which way round each is.
 *
 * A part is a set of triangles that are connected by edges of two triangles. Where all parts are as
 * they should be, the surface winds around a point just above a triangle 0 times, and around one
 * just below it once: on the outer surface, in a cavity, and on an island in a cavity alike. So the
 * winding number above a part's triangles decides:
 *
 *      0   right
 *     -1   inside out: the part is turned. If others are then wrong, they are turned next
 *      1   the part lies within the solid, and encloses it once more: solid in solid */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/vector.h"
#include "core/waiting.h"
#include "solids/mesh/mesh_checks.h"

enum { SAMPLES = 15, ROUNDS = 8, MOST_WARNED = 10 };
/* A mesh of more parts is torn: further rounds take long, and change nothing for the better. */
enum { MANY_PARTS = 2000, ROUNDS_OF_MANY = 2 };
/* A part that encloses less of the cube of its length is flat: its volume is rounding. */
static const double flat = 1e-9;

struct part {
    int64_t triangles, open; /* open edges */
    double rim[3];           /* sum of the open edges' ends */
    double from[3], volume;  /* the point that the volume is measured from */
    double low[3], high[3];
    int wrong;          /* it is inside out, and to be turned */
    int turned, within; /* it was turned; all of it lies within the solid */
    int is_flat;        /* it encloses nothing */
};

struct parts {
    struct sluice_surface *mesh;
    struct sluice_threads *team;
    struct sluice_waiting *waiting;
    int64_t count;
    struct part *part;
    int32_t *of; /* [element_count] part of a triangle */
    int64_t *first,
        *triangle; /* those of part i: triangle[first[i]] .. triangle[first[i + 1] - 1] */
};

/* --- Which triangles are a part --- */

void sluice_mesh_edges_join(struct sluice_mesh_edges *edges, int32_t one, int32_t other)
{
    const int32_t a = sluice_mesh_root(edges->parent, one),
                  b = sluice_mesh_root(edges->parent, other);
    edges->parent[a > b ? a : b] = a > b ? b : a;
}

/* Parts in the order of their first triangles. */
static void number_parts(struct parts *p, struct sluice_mesh_edges *edges)
{
    const int64_t n = p->mesh->element_count;
    for (int64_t i = 0; i < n; i++) {
        const int32_t root = sluice_mesh_root(edges->parent, (int32_t)i);
        p->of[i] = root == i ? (int32_t)p->count++ : p->of[root];
    }
}

static void list_triangles(struct parts *p)
{
    const int64_t n = p->mesh->element_count;
    for (int64_t i = 0; i < n; i++)
        p->first[p->of[i] + 1]++;
    for (int64_t k = 0; k < p->count; k++)
        p->first[k + 1] += p->first[k];
    for (int64_t i = n - 1; i >= 0; i--)
        p->triangle[--p->first[p->of[i] + 1]] = i;
    for (int64_t k = 0; k < p->count; k++)
        p->first[k] = p->first[k + 1];
    p->first[p->count] = n;
}

static void measure_extent(struct parts *p, const struct sluice_mesh_edges *edges)
{
    for (int64_t i = 0; i < p->mesh->element_count; i++) {
        struct part *part = &p->part[p->of[i]];
        for (int k = 0; k < 3; k++) {
            const double *x = sluice_surface_corner(p->mesh, i, k),
                         *next = sluice_surface_corner(p->mesh, i, (k + 1) % 3);
            const int is_open = edges->open[i] >> k & 1, first = part->triangles == 0 && k == 0;
            part->open += is_open;
            for (int a = 0; a < 3; a++) {
                part->rim[a] += is_open ? x[a] + next[a] : 0;
                part->low[a] = first ? x[a] : fmin(part->low[a], x[a]);
                part->high[a] = first ? x[a] : fmax(part->high[a], x[a]);
            }
        }
        part->triangles++;
    }
}

/* A hole is closed by a fan from its rim to the middle of all rims. */
static void measure_volumes(struct parts *p)
{
    for (int64_t k = 0; k < p->count; k++) {
        struct part *part = &p->part[k];
        memcpy(part->from, sluice_surface_corner(p->mesh, p->triangle[p->first[k]], 0),
               sizeof part->from);
        for (int a = 0; a < 3 && part->open > 0; a++)
            part->from[a] = part->rim[a] / (2 * (double)part->open);
        for (int64_t i = p->first[k]; i < p->first[k + 1]; i++) {
            double normal[3];
            const double *x = sluice_surface_corner(p->mesh, p->triangle[i], 0);
            sluice_surface_normal(p->mesh, p->triangle[i], normal);
            for (int a = 0; a < 3; a++)
                part->volume += normal[a] * (x[a] - part->from[a]) / 3;
        }
        const double way[3] = {part->high[0] - part->low[0], part->high[1] - part->low[1],
                               part->high[2] - part->low[2]};
        part->is_flat = fabs(part->volume) <= flat * pow(sluice_norm(way), 3);
    }
}

/* --- Which way round --- */

/* The winding number just above a triangle. */
static double winding_above(const struct sluice_surface *mesh, int64_t triangle)
{
    double normal[3], x[3];
    sluice_surface_normal(mesh, triangle, normal);
    const double area = sluice_norm(normal);
    for (int a = 0; a < 3; a++) {
        x[a] = area > 0 ? 1e-4 * normal[a] / sqrt(area) : 0;
        for (int k = 0; k < 3; k++)
            x[a] += sluice_surface_corner(mesh, triangle, k)[a] / 3;
    }
    return sluice_surface_winding(mesh, x);
}

/* Whether a part has to be turned. Its triangles should agree: near a hole the winding number is
 * between two, and of parts that cross others some triangles lie within them. Then its own volume
 * decides; a flat part has none, and stays as it is. */
static int is_inside_out(const struct parts *p, int64_t k, int *within)
{
    const int64_t n = p->first[k + 1] - p->first[k], samples = n < SAMPLES ? n : SAMPLES;
    int64_t below = 0, above = 0, clear = 0;
    for (int64_t i = 0; i < samples; i++) {
        const double w = winding_above(p->mesh, p->triangle[p->first[k] + i * n / samples]);
        clear += fabs(w - rint(w)) < 0.25;
        below += rint(w) == -1;
        above += rint(w) >= 1;
    }
    *within = above == samples && clear == samples;
    if (clear == samples && (below == 0 || below == samples))
        return below > 0;
    return !p->part[k].is_flat && p->part[k].volume < 0 && (below > 0 || 2 * clear < samples);
}

static void judge_parts(struct sluice_share *share, void *data)
{
    struct parts *p = data;
    int64_t k;
    while (sluice_share_next(share, &k)) {
        sluice_waiting_report(p->waiting, "geometry: finding the inner side of a mesh");
        p->part[k].wrong = is_inside_out(p, k, &p->part[k].within);
    }
}

static void turn(struct parts *p, int64_t k)
{
    for (int64_t i = p->first[k]; i < p->first[k + 1]; i++) {
        int32_t *t = p->mesh->element[p->triangle[i]];
        const int32_t swapped = t[0];
        t[0] = t[1];
        t[1] = swapped;
    }
    p->part[k].volume = -p->part[k].volume;
    p->part[k].turned = !p->part[k].turned;
}

static int rounds_of(const struct parts *p)
{
    return p->count > MANY_PARTS ? ROUNDS_OF_MANY : ROUNDS;
}

/* Returns how many parts the last round turned: more than 0 if they do not come to rest. */
static int64_t turn_all(struct parts *p)
{
    int64_t turned = 1;
    for (int round = 0; round < rounds_of(p) && turned > 0; round++) {
        turned = 0;
        sluice_threads_run(p->team, p->count, judge_parts, p);
        for (int64_t k = 0; k < p->count; k++)
            if (p->part[k].wrong) {
                turn(p, k);
                turned++;
            }
        if (turned)
            sluice_surface_measure(p->mesh, p->team);
    }
    return turned;
}

/* Refuses a heap of loose triangles. Nearly all triangles of a surface that is merely not welded
 * have an inner and an outer side; in a heap the winding number is arbitrary. A test of each
 * triangle would take minutes. */
static sluice_status check_heap(const struct parts *p, const struct sluice_solid *solid)
{
    enum { LOOKS = 100 };
    double area = 0, of_flat = 0, seen = 0, unclear = 0, normal[3];
    int64_t flat_parts = 0;
    const int64_t n = p->mesh->element_count;
    for (int64_t i = 0; i < n; i++) {
        sluice_surface_normal(p->mesh, i, normal);
        area += sluice_norm(normal);
        of_flat += p->part[p->of[i]].is_flat ? sluice_norm(normal) : 0;
    }
    if (p->count <= MANY_PARTS || of_flat < 0.5 * area)
        return SLUICE_OK;
    for (int64_t k = 0; k < p->count; k++)
        flat_parts += p->part[k].is_flat;
    for (int64_t i = 0; i < LOOKS; i++) {
        const double w = winding_above(p->mesh, i * n / LOOKS);
        sluice_surface_normal(p->mesh, i * n / LOOKS, normal);
        seen += sluice_norm(normal);
        unclear += fabs(w - rint(w)) > 0.25 ? sluice_norm(normal) : 0;
    }
    SLUICE_CHECK(unclear <= 0.25 * seen, SLUICE_BAD_INPUT,
                 "%s: %lld of %lld parts are flat, single triangles or faces that no edge joins to "
                 "others, and for %.0f%% of their area nothing says which side is inside: they "
                 "enclose nothing; weld the vertices of the mesh, and close it",
                 solid->shape->surface, (long long)flat_parts, (long long)p->count,
                 100 * unclear / seen);
    return SLUICE_OK;
}

/* --- Warnings --- */

static void warn(const struct parts *p, const struct sluice_solid *solid,
                 struct sluice_warnings *warnings)
{
    const double unit = pow(solid->shape->scale, 3);
    int64_t turned = 0, within = 0, warned = 0, flat_parts = 0;
    for (int64_t k = 0; k < p->count; k++) {
        flat_parts += p->part[k].is_flat;
        turned += p->part[k].turned;
        within += p->part[k].within;
    }
    if (turned == p->count)
        sluice_warn(warnings,
                    "%s: the surface is inside out: its triangles show their inner side, and are "
                    "turned round",
                    solid->shape->surface);
    for (int64_t k = 0; k < p->count; k++) {
        const struct part *part = &p->part[k];
        double middle[3], x[3];
        if (part->is_flat || ((!part->turned || turned == p->count) && !part->within) ||
            warned++ >= MOST_WARNED)
            continue;
        for (int a = 0; a < 3; a++)
            middle[a] = (part->low[a] + part->high[a]) / 2;
        sluice_solid_place(solid, middle, x);
        if (part->within)
            sluice_warn(warnings,
                        "%s: part %lld of %lld, of %lld triangles about (%.6g, %.6g, %.6g), of "
                        "%.4g m^3, lies within the solid and faces outwards: it changes nothing; "
                        "if it is meant as a cavity, turn its faces in the file",
                        solid->shape->surface, (long long)k + 1, (long long)p->count,
                        (long long)part->triangles, x[0], x[1], x[2], part->volume * unit);
        else
            sluice_warn(warnings,
                        "%s: part %lld of %lld, of %lld triangles about (%.6g, %.6g, %.6g), is "
                        "inside out: it encloses %.4g m^3, and is turned round",
                        solid->shape->surface, (long long)k + 1, (long long)p->count,
                        (long long)part->triangles, x[0], x[1], x[2], fabs(part->volume) * unit);
    }
    if (flat_parts > 0)
        sluice_warn(warnings,
                    "%s: %lld of %lld parts are flat, single triangles or faces that no edge joins "
                    "to others: they enclose nothing; weld the vertices of the mesh",
                    solid->shape->surface, (long long)flat_parts, (long long)p->count);
    if (warned > MOST_WARNED)
        sluice_warn(warnings, "%s: in all %lld of %lld parts were turned, %lld lie within others",
                    solid->shape->surface, (long long)turned, (long long)p->count,
                    (long long)within);
}

/* Measures the parts, and turns those that are inside out. */
static sluice_status measure_and_turn(struct parts *p, const struct sluice_solid *solid,
                                      const struct sluice_mesh_edges *edges,
                                      struct sluice_warnings *warnings)
{
    list_triangles(p);
    measure_extent(p, edges);
    measure_volumes(p);
    SLUICE_TRY(check_heap(p, solid));
    const int64_t restless = turn_all(p);
    warn(p, solid, warnings);
    if (restless)
        sluice_warn(warnings,
                    "%s: which side of %lld of %lld parts is the inner one stays unclear: they "
                    "were turned %d times, each time with others; parts that cross each "
                    "other can do this: join or separate them",
                    solid->shape->surface, (long long)restless, (long long)p->count, rounds_of(p));
    p->mesh->volume = 0;
    for (int64_t k = 0; k < p->count; k++)
        p->mesh->volume += p->part[k].volume;
    return SLUICE_OK;
}

static sluice_status turn_parts(struct parts *p, const struct sluice_solid *solid,
                                struct sluice_mesh_edges *edges, struct sluice_warnings *warnings)
{
    const int64_t n = p->mesh->element_count;
    SLUICE_ALLOCATE(p->of, n, "parts of a mesh");
    SLUICE_ALLOCATE(p->triangle, n, "parts of a mesh");
    number_parts(p, edges);
    SLUICE_ALLOCATE(p->first, p->count + 2, "parts of a mesh");
    SLUICE_ALLOCATE(p->part, p->count + 1, "parts of a mesh");
    return measure_and_turn(p, solid, edges, warnings);
}

sluice_status sluice_mesh_turn_parts(const struct sluice_solid *solid, struct sluice_surface *mesh,
                                     struct sluice_mesh_edges *edges, struct sluice_threads *team,
                                     struct sluice_warnings *warnings)
{
    struct parts p = {.mesh = mesh, .team = team, .waiting = warnings->waiting};
    const sluice_status status = turn_parts(&p, solid, edges, warnings);
    free(p.of);
    free(p.triangle);
    free(p.first);
    free(p.part);
    return status;
}
