/* Before a run: bodies that overlap at the start. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        for (int a = 0; a < 3; a++)
            o.place[a] = pose[t->owner].centre[a] + t->arm[a];
    }
    return o;
}

/* "sphere 3 'ball' (a.cfg:12) and box 1 (a.cfg:8) by 0.012 m at (1, 2, 0.5) m". */
static int describe(const struct sluice_contacts *c, const struct sluice_contact_overlap *o,
                    char *text, size_t size)
{
    char a[2 * SLUICE_TEXT_MAX], b[2 * SLUICE_TEXT_MAX];
    const struct sluice_config *config = c->geometry->config;
    const int shape = o->other >= 0 ? c->solid[o->other].shape[0] : o->shape;
    return snprintf(text, size, "%s and %s by %.3g m at (%.6g, %.6g, %.6g) m",
                    sluice_geometry_title(config, c->solid[o->body].shape[0], a, sizeof a),
                    sluice_geometry_title(config, shape, b, sizeof b), o->depth, o->place[0],
                    o->place[1], o->place[2]);
}

static sluice_status refuse(const struct sluice_contacts *c,
                            const struct sluice_contact_overlap *overlap, int64_t count)
{
    enum { NAMED = 3 };
    char text[NAMED * 6 * SLUICE_TEXT_MAX] = "";
    size_t used = 0;
    for (int64_t i = 0; i < count && i < NAMED; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", i > 0 ? "; " : "");
        used += (size_t)describe(c, &overlap[i], text + used, sizeof text - used);
        if (used >= sizeof text)
            break;
    }
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "geometry: bodies overlap at the start, %lld times: %s%s; move them apart",
                       (long long)count, text, count > NAMED ? "; ..." : "");
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
