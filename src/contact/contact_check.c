/* Before a run: bodies that overlap at the start, and contacts that are too soft. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"

static int compare_depths(const void *a, const void *b)
{
    const struct sluice_contact_overlap *p = a, *q = b;
    if (p->depth < q->depth || p->depth > q->depth)
        return p->depth < q->depth ? 1 : -1;
    return p->body != q->body ? (p->body > q->body) - (p->body < q->body)
                              : (p->other > q->other) - (p->other < q->other);
}

/* The deepest touch of a pair. */
static struct sluice_contact_overlap overlap_of(const struct sluice_contacts *c,
                                                const struct sluice_pose *pose,
                                                const struct sluice_contact_pair *p)
{
    struct sluice_contact_overlap o = {.body = p->a,
                                       .other = p->b >= 0 ? p->b : -1,
                                       .shape = p->b >= 0 ? -1 : c->wall[-1 - p->b].shape};
    for (int64_t i = p->first; i < p->first + p->count; i++) {
        const struct sluice_contact_touch *t = &c->touch[i];
        if (!(t->overlap > o.depth))
            continue;
        o.depth = t->overlap;
        if (p->b < 0)
            o.shape = c->wall[-1 - (t->owner >= 0 ? t->other : t->owner)].shape;
        for (int a = 0; a < 3; a++)
            o.place[a] = sluice_contact_pose(c, pose, t->owner)->centre[a] + t->arm[a];
    }
    return o;
}

static void describe_place(int dimension, const double x[3], char *text, size_t size)
{
    if (dimension == 2)
        snprintf(text, size, "(%.6g, %.6g) m", x[0], x[1]);
    else
        snprintf(text, size, "(%.6g, %.6g, %.6g) m", x[0], x[1], x[2]);
}

/* "sphere 3 'ball' (a.cfg:12) and box 1 (a.cfg:8) by 0.012 m at (1, 2, 0.5) m". */
static int describe(const struct sluice_contacts *c, const struct sluice_contact_overlap *o,
                    char *text, size_t size)
{
    char a[2 * SLUICE_TEXT_MAX], b[2 * SLUICE_TEXT_MAX], place[80];
    const struct sluice_config *config = c->geometry->config;
    const int shape = o->other >= 0 ? c->solid[o->other].shape[0] : o->shape;
    describe_place(c->dimension, o->place, place, sizeof place);
    return snprintf(text, size, "%s and %s by %.3g m at %s",
                    sluice_geometry_title(config, c->solid[o->body].shape[0], a, sizeof a),
                    sluice_geometry_title(config, shape, b, sizeof b), o->depth, place);
}

static sluice_status refuse(const struct sluice_contacts *c,
                            const struct sluice_contact_overlap *overlap, int64_t count)
{
    enum { NAMED = 3 };
    const struct sluice_shape *shape =
        &c->geometry->config->shapes[c->solid[overlap[0].body].shape[0]];
    char text[NAMED * 6 * SLUICE_TEXT_MAX] = "", pairs[40] = "";
    size_t used = 0;
    for (int64_t i = 0; i < count && i < NAMED; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", i > 0 ? "; " : "");
        used += (size_t)describe(c, &overlap[i], text + used, sizeof text - used);
        if (used >= sizeof text)
            break;
    }
    if (count > 1)
        snprintf(pairs, sizeof pairs, ", %lld pairs", (long long)count);
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "%s:%d: geometry: bodies overlap at the start%s: %s%s; move them apart",
                       shape->file, shape->line, pairs, text, count > NAMED ? "; ..." : "");
}

sluice_status sluice_contacts_check(struct sluice_contacts *c, const struct sluice_pose *pose,
                                    double tolerance, struct sluice_threads *team)
{
    struct sluice_contact_overlap *overlap;
    int64_t count = 0;
    SLUICE_TRY(sluice_contact_find_touches(c, pose, 0, team));
    SLUICE_ALLOCATE(overlap, c->pairs, "overlaps");
    for (int64_t i = 0; i < c->pairs; i++) {
        overlap[count] = overlap_of(c, pose, &c->pair[i]);
        count += overlap[count].depth > tolerance;
    }
    qsort(overlap, (size_t)count, sizeof *overlap, compare_depths);
    const sluice_status status = count > 0 ? refuse(c, overlap, count) : SLUICE_OK;
    free(overlap);
    return status;
}

/* --- At rest --- */

/* The load on a point, if half of them bear it. */
static double load_on_point(const struct sluice_contacts *c, int body, const double *load)
{
    const struct sluice_contact_solid *s = &c->solid[body];
    const int is_ball = s->shapes == 1 && s->rounds == 1 && !s->round->is_ring;
    return load[body] / fmax(1, is_ball ? s->bearing : (double)s->tree.points / 2);
}

/* Body a on a wall, b = -1, or the one of two bodies that sinks less on the other. One without a
 * load cannot lie on another. The overlaps are still to the power of 3/2. */
static struct sluice_contact_rest press(const struct sluice_contacts *c, int a, int b,
                                        const double *load)
{
    const int b_lies = b >= 0 && load[b] > 0 &&
                       (!(load[a] > 0) || load_on_point(c, b, load) < load_on_point(c, a, load)),
              lies = b_lies ? b : a;
    /* Between two bodies both have points that bear, each with k/2. */
    const double whole = sluice_contact_stiffness(c, a, b) * (b >= 0 ? 2 : 1),
                 bearing = b < 0 ? c->solid[a].bearing
                                 : fmin(c->solid[a].bearing, c->solid[b].bearing);
    return (struct sluice_contact_rest){.body = lies,
                                        .other = b_lies ? a : b,
                                        .at_rest = load_on_point(c, lies, load) / whole,
                                        .let_go = 2.5 * load[lies] / (fmax(1, bearing) * whole)};
}

struct sluice_contact_rest sluice_contacts_rest(const struct sluice_contacts *c, const double *load)
{
    struct sluice_contact_rest deepest = {.body = -1, .other = -1};
    for (int a = 0; a < c->count; a++)
        for (int b = c->walls > 0 ? -1 : a + 1; b < c->count; b = b < 0 ? a + 1 : b + 1) {
            const struct sluice_contact_rest rest = press(c, a, b, load);
            if (rest.at_rest > deepest.at_rest * (1 + 1e-9)) /* of equal ones the first */
                deepest = rest;
        }
    deepest.at_rest = pow(deepest.at_rest, 2.0 / 3);
    deepest.let_go = pow(deepest.let_go, 2.0 / 3);
    return deepest;
}
