/* Which solids are near each other: bodies and walls by the last distance that was found between
 * them, bodies by their boxes.
 *
 *     +-------------------+
 *     |  +----------+     |     The wide boxes find candidates, in cells of a table. As long as
 *     |  | box now  |     |     every box is inside its wide one, boxes that meet are candidates.
 *     |  +----------+     |     So the pairs are those of a new search, whenever the last one was.
 *     +-------------------+
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"
#include "core/hash.h"
#include "core/vector.h"

enum { MANY_CELLS = 64 }; /* a body in more cells is compared with all others */

/* How far a wide box reaches beyond the box, in spacings. */
#define MARGIN 0.5

/* --- Boxes --- */

static void set_boxes(struct sluice_contacts *c, const struct sluice_pose *pose)
{
    for (int b = 0; b < c->count; b++) {
        const struct sluice_contact_solid *s = &c->solid[b];
        double middle[3];
        sluice_matrix_times(pose[b].turn, s->middle, middle);
        for (int a = 0; a < 3; a++) {
            double half = SLUICE_CONTACT_MARGIN * c->spacing;
            for (int k = 0; k < 3; k++)
                half += fabs(pose[b].turn[a][k]) * s->half[k];
            c->boxes.low[b][a] = pose[b].centre[a] + middle[a] - half;
            c->boxes.high[b][a] = pose[b].centre[a] + middle[a] + half;
        }
    }
}

static void widen_boxes(struct sluice_contacts *c)
{
    for (int b = 0; b < c->count; b++)
        for (int a = 0; a < 3; a++) {
            c->wide.low[b][a] = c->boxes.low[b][a] - MARGIN * c->spacing;
            c->wide.high[b][a] = c->boxes.high[b][a] + MARGIN * c->spacing;
        }
}

static int is_any_outside_its_wide_box(const struct sluice_contacts *c)
{
    for (int b = 0; b < c->count; b++)
        for (int a = 0; a < c->dimension; a++)
            if (c->boxes.low[b][a] < c->wide.low[b][a] || c->boxes.high[b][a] > c->wide.high[b][a])
                return 1;
    return 0;
}

/* Lists the shifts, whole periods, that bring a box upon another. */
static int find_shifts(const struct sluice_contacts *c, const double la[3], const double ha[3],
                       const double lb[3], const double hb[3],
                       double shift[SLUICE_CONTACT_IMAGES][3])
{
    int count = 1;
    memset(shift[0], 0, sizeof shift[0]);
    for (int axis = 0; axis < c->dimension && count > 0; axis++) {
        const double period = c->period[axis];
        const double nearest =
            c->periodic[axis]
                ? floor((lb[axis] + hb[axis] - la[axis] - ha[axis]) / 2 / period + 0.5)
                : 0;
        const int reach = c->periodic[axis], known = count;
        double found[3];
        int founds = 0;
        for (int k = -reach; k <= reach; k++) {
            const double by = c->periodic[axis] ? (nearest + k) * period : 0;
            if (la[axis] + by <= hb[axis] && ha[axis] + by >= lb[axis])
                found[founds++] = by;
        }
        count = known * founds;
        for (int i = count - 1; i >= 0; i--) {
            memmove(shift[i], shift[i % known], sizeof shift[i]);
            shift[i][axis] = found[i / known];
        }
    }
    return count;
}

/* Those that bring body a's box upon b's. */
static int find_body_shifts(const struct sluice_contacts *c,
                            const struct sluice_contact_boxes *boxes, int a, int b,
                            double shift[SLUICE_CONTACT_IMAGES][3])
{
    return find_shifts(c, boxes->low[a], boxes->high[a], boxes->low[b], boxes->high[b], shift);
}

/* --- Cells --- */

struct lattice {
    double edge[3], low[3];
    int64_t n[3]; /* of a periodic axis; else 0 */
};

/* Cells as wide as the wide box of the usual body. */
static struct lattice make_lattice(const struct sluice_contacts *c)
{
    struct lattice l = {{0}, {0}, {0}};
    double mean = 0;
    for (int b = 0; b < c->count; b++) {
        double most = 0;
        for (int a = 0; a < c->dimension; a++)
            most = fmax(most, 2 * c->solid[b].half[a]);
        mean += most / c->count;
    }
    mean += (2 * MARGIN + 0.5) * c->spacing;
    for (int a = 0; a < 3; a++) {
        l.edge[a] = mean;
        l.low[a] = c->origin[a];
        if (!c->periodic[a])
            continue;
        l.n[a] = (int64_t)fmax(1, floor(c->period[a] / mean));
        l.edge[a] = c->period[a] / (double)l.n[a];
    }
    return l;
}

struct range {
    int64_t low[3], high[3];
    double cells;
};

static struct range find_range(const struct sluice_contacts *c, const struct lattice *l, int b)
{
    struct range r = {{0}, {0}, 1};
    for (int a = 0; a < c->dimension; a++) {
        const double low = floor((c->wide.low[b][a] - l->low[a]) / l->edge[a]),
                     high = floor((c->wide.high[b][a] - l->low[a]) / l->edge[a]);
        r.cells *= high - low + 1;
        r.low[a] = (int64_t)fmax(-1e15, fmin(1e15, low));
        r.high[a] = (int64_t)fmax(-1e15, fmin(1e15, high));
        if (l->n[a] > 0 && r.high[a] - r.low[a] >= l->n[a])
            r.high[a] = r.low[a] + l->n[a] - 1;
    }
    return r;
}

static int64_t slot_of(const struct sluice_contacts *c, const struct lattice *l,
                       const int64_t cell[3])
{
    uint64_t hash = 0;
    for (int a = 0; a < 3; a++) {
        const int64_t n = l->n[a], i = n > 0 ? (cell[a] % n + n) % n : cell[a];
        hash = sluice_mix(hash + (uint64_t)i * SLUICE_MIX_STEP + (uint64_t)a);
    }
    return (int64_t)(hash & (uint64_t)(c->cells.heads - 1));
}

static sluice_status add_pair(struct sluice_contacts *c, int a, int b)
{
    SLUICE_GROW(c->pair, c->pairs, c->pair_capacity, "pairs of solids");
    c->pair[c->pairs++] = (struct sluice_contact_pair){.a = a < b ? a : b, .b = a < b ? b : a};
    return SLUICE_OK;
}

/* Compares a body's wide box with those that are already in a cell, and adds it. */
static sluice_status enter(struct sluice_contacts *c, int64_t slot, int b)
{
    struct sluice_contact_cells *t = &c->cells;
    double shift[SLUICE_CONTACT_IMAGES][3];
    for (int64_t e = t->head[slot]; e >= 0; e = t->entry[e].next)
        if (t->entry[e].body != b && find_body_shifts(c, &c->wide, t->entry[e].body, b, shift) > 0)
            SLUICE_TRY(add_pair(c, t->entry[e].body, b));
    SLUICE_GROW(t->entry, t->entries, t->capacity, "boxes of bodies");
    t->entry[t->entries] = (struct sluice_contact_entry){t->head[slot], b};
    t->head[slot] = t->entries++;
    return SLUICE_OK;
}

static sluice_status make_heads(struct sluice_contacts *c)
{
    struct sluice_contact_cells *t = &c->cells;
    int64_t wanted = 64;
    while (wanted < 8 * (int64_t)c->count)
        wanted *= 2;
    if (t->heads < wanted)
        SLUICE_ALLOCATE(t->head, wanted, "cells of bodies");
    t->heads = wanted;
    for (int64_t i = 0; i < t->heads; i++)
        t->head[i] = -1;
    t->entries = t->larges = 0;
    return SLUICE_OK;
}

static sluice_status enter_range(struct sluice_contacts *c, const struct lattice *l,
                                 const struct range *r, int b)
{
    int64_t cell[3];
    for (cell[2] = r->low[2]; cell[2] <= r->high[2]; cell[2]++)
        for (cell[1] = r->low[1]; cell[1] <= r->high[1]; cell[1]++)
            for (cell[0] = r->low[0]; cell[0] <= r->high[0]; cell[0]++)
                SLUICE_TRY(enter(c, slot_of(c, l, cell), b));
    return SLUICE_OK;
}

/* The pairs of bodies whose wide boxes meet, some of them more than once. */
static sluice_status find_wide_pairs(struct sluice_contacts *c)
{
    const struct lattice l = make_lattice(c);
    double shift[SLUICE_CONTACT_IMAGES][3];
    SLUICE_TRY(make_heads(c));
    for (int b = 0; b < c->count; b++) {
        const struct range r = find_range(c, &l, b);
        if (r.cells > MANY_CELLS)
            c->cells.large[c->cells.larges++] = b;
        else
            SLUICE_TRY(enter_range(c, &l, &r, b));
    }
    for (int i = 0; i < c->cells.larges; i++)
        for (int b = 0; b < c->count; b++)
            if (b != c->cells.large[i] &&
                find_body_shifts(c, &c->wide, c->cells.large[i], b, shift) > 0)
                SLUICE_TRY(add_pair(c, c->cells.large[i], b));
    return SLUICE_OK;
}

/* --- Pairs of bodies --- */

static int compare_pairs(const void *a, const void *b)
{
    const struct sluice_contact_pair *p = a, *q = b;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

/* Sorts the pairs; one that was found in several cells stays once. */
static void sort_pairs(struct sluice_contacts *c)
{
    int64_t kept = 0;
    if (c->pairs > 0)
        qsort(c->pair, (size_t)c->pairs, sizeof *c->pair, compare_pairs);
    for (int64_t i = 0; i < c->pairs; i++)
        if (kept == 0 || compare_pairs(&c->pair[kept - 1], &c->pair[i]) != 0)
            c->pair[kept++] = c->pair[i];
    c->pairs = kept;
}

static sluice_status list_candidates(struct sluice_contacts *c)
{
    struct sluice_contact_cells *t = &c->cells;
    t->candidates = c->pairs = 0;
    widen_boxes(c);
    SLUICE_TRY(find_wide_pairs(c));
    sort_pairs(c);
    for (int64_t i = 0; i < c->pairs; i++) {
        SLUICE_GROW(t->candidate, t->candidates, t->candidate_capacity, "pairs of solids");
        t->candidate[t->candidates][0] = c->pair[i].a;
        t->candidate[t->candidates++][1] = c->pair[i].b;
    }
    return SLUICE_OK;
}

static sluice_status find_body_pairs(struct sluice_contacts *c)
{
    struct sluice_contact_cells *t = &c->cells;
    double shift[SLUICE_CONTACT_IMAGES][3];
    if (!t->listed || is_any_outside_its_wide_box(c)) {
        t->listed = 0;
        SLUICE_TRY(list_candidates(c));
        t->listed = 1;
    }
    c->pairs = 0;
    for (int64_t i = 0; i < t->candidates; i++)
        if (find_body_shifts(c, &c->boxes, t->candidate[i][0], t->candidate[i][1], shift) > 0)
            SLUICE_TRY(add_pair(c, t->candidate[i][0], t->candidate[i][1]));
    return SLUICE_OK;
}

/* --- Walls --- */

/* Whether a body may touch a wall. It cannot before its middle has moved by its clearance. */
static int is_near(struct sluice_contacts *c, const struct sluice_pose *pose, int b, int w)
{
    const struct sluice_contact_solid *s = &c->solid[b];
    const struct sluice_contact_wall *wall = &c->wall[w];
    double *seen = c->clearance[(int64_t)b * c->walls + w], x[3], y[3], moved[3], way[3];
    sluice_matrix_times(pose[b].turn, s->middle, x);
    for (int a = 0; a < 3; a++)
        x[a] += pose[b].centre[a] - wall->pose.centre[a];
    sluice_matrix_transposed_times(wall->pose.turn, x, y);
    for (int a = 0; a < 3; a++) {
        y[a] += wall->centre[a];
        moved[a] = y[a] - seen[a];
    }
    if (sluice_norm(moved) < seen[3])
        return 0;
    memcpy(seen, y, sizeof y);
    seen[3] = sluice_contact_distance(c, -1 - w, y, way) - s->radius -
              SLUICE_CONTACT_MARGIN * c->spacing;
    return !(seen[3] > 0);
}

static sluice_status find_wall_pairs(struct sluice_contacts *c, const struct sluice_pose *pose)
{
    for (int b = 0; b < c->count; b++)
        for (int w = 0; w < c->walls; w++)
            if (is_near(c, pose, b, w)) {
                SLUICE_GROW(c->pair, c->pairs, c->pair_capacity, "pairs of solids");
                c->pair[c->pairs++] = (struct sluice_contact_pair){.a = b, .b = -1 - w};
            }
    return SLUICE_OK;
}

/* --- All --- */

static sluice_status add_items(struct sluice_contacts *c, int owner, int other,
                               const double shift[3])
{
    for (int k = 0; k < c->solid[owner].tree.chunks; k++) {
        SLUICE_GROW(c->item, c->items, c->item_capacity, "pairs of solids");
        struct sluice_contact_item *item = &c->item[c->items++];
        *item = (struct sluice_contact_item){
            .owner = owner, .other = other, .chunk = c->solid[owner].tree.chunk[k]};
        memcpy(item->shift, shift, sizeof item->shift);
        c->item_points += c->solid[owner].tree.node[item->chunk].count;
    }
    return SLUICE_OK;
}

/* The sharp points of a wall in body a. */
static sluice_status add_wall_items(struct sluice_contacts *c, int a, int other)
{
    const struct sluice_contact_wall *w = &c->wall[-1 - other];
    for (int k = 0; k < w->tree.chunks; k++) {
        const struct sluice_contact_node *node = &w->tree.node[w->tree.chunk[k]];
        double ball[2][3], shift[SLUICE_CONTACT_IMAGES][3], centre[3];
        sluice_matrix_times(w->pose.turn, node->centre, centre);
        for (int i = 0; i < 3; i++) {
            ball[0][i] = w->pose.centre[i] + centre[i] - node->radius;
            ball[1][i] = w->pose.centre[i] + centre[i] + node->radius;
        }
        const int images = find_shifts(c, ball[0], ball[1], c->boxes.low[a], c->boxes.high[a],
                                       shift);
        for (int i = 0; i < images; i++) {
            SLUICE_GROW(c->item, c->items, c->item_capacity, "pairs of solids");
            struct sluice_contact_item *item = &c->item[c->items++];
            *item = (struct sluice_contact_item){
                .owner = other, .other = a, .chunk = w->tree.chunk[k]};
            memcpy(item->shift, shift[i], sizeof item->shift);
            c->item_points += node->count;
        }
    }
    return SLUICE_OK;
}

/* First the points of a in b, with all images of b, then those of b in a. The points of a wall come
 * first. */
static sluice_status list_items(struct sluice_contacts *c, struct sluice_contact_pair *p)
{
    double shift[SLUICE_CONTACT_IMAGES][3] = {{0, 0, 0}};
    const int images = p->b < 0 ? 1 : find_body_shifts(c, &c->boxes, p->a, p->b, shift);
    p->first_item = c->items;
    if (p->b < 0)
        SLUICE_TRY(add_wall_items(c, p->a, p->b));
    for (int i = 0; i < images; i++)
        SLUICE_TRY(add_items(c, p->a, p->b, shift[i]));
    for (int i = 0; i < images && p->b >= 0; i++) {
        const double back[3] = {-shift[i][0], -shift[i][1], -shift[i][2]};
        SLUICE_TRY(add_items(c, p->b, p->a, back));
    }
    p->items = c->items - p->first_item;
    return SLUICE_OK;
}

static int is_one_wall(const struct sluice_contacts *c, int a, int b)
{
    return a < 0 && b < 0 && c->wall[-1 - a].side < 0 && c->wall[-1 - b].side < 0 &&
           c->wall[-1 - a].motion == c->wall[-1 - b].motion;
}

/* Makes one pair of a body with all walls that move together. */
static void join_pairs(struct sluice_contacts *c)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < c->pairs; i++) {
        struct sluice_contact_pair *last = &c->pair[kept > 0 ? kept - 1 : 0];
        if (kept > 0 && last->a == c->pair[i].a && is_one_wall(c, last->b, c->pair[i].b))
            last->items += c->pair[i].items;
        else
            c->pair[kept++] = c->pair[i];
    }
    c->pairs = kept;
}

sluice_status sluice_contact_search(struct sluice_contacts *c, const struct sluice_pose *pose)
{
    c->pairs = c->items = c->item_points = 0;
    set_boxes(c, pose);
    SLUICE_TRY(find_body_pairs(c));
    SLUICE_TRY(find_wall_pairs(c, pose));
    sort_pairs(c);
    for (int64_t i = 0; i < c->pairs; i++)
        SLUICE_TRY(list_items(c, &c->pair[i]));
    join_pairs(c);
    return SLUICE_OK;
}
