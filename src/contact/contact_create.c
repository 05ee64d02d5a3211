/* Bodies and walls at t = 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/contact_internal.h"
#include "core/allocate.h"
#include "core/vector.h"

/* --- Bodies --- */

void sluice_contact_invert(int dimension, const double m[3][3], double out[3][3])
{
    if (dimension == 3) {
        sluice_symmetric_inverse(m, out);
        return;
    }
    memset(out, 0, 3 * sizeof *out);
    out[2][2] = m[2][2] > 0 ? 1 / m[2][2] : 0;
}

static sluice_status set_extent(struct sluice_contacts *c, struct sluice_contact_solid *s)
{
    const struct sluice_geometry *g = c->geometry;
    char title[2 * SLUICE_TEXT_MAX];
    for (int a = 0; a < c->dimension; a++) {
        s->low[a] = INFINITY;
        s->high[a] = -INFINITY;
        for (int k = 0; k < s->shapes; k++) {
            s->low[a] = fmin(s->low[a], g->solid[s->shape[k]].low[a]);
            s->high[a] = fmax(s->high[a], g->solid[s->shape[k]].high[a]);
        }
        SLUICE_CHECK(isfinite(s->low[a]) && isfinite(s->high[a]) && s->shapes > 0, SLUICE_BAD_INPUT,
                     "contacts: %s has no end along %c, so it can be no body",
                     s->shapes > 0
                         ? sluice_geometry_title(g->config, s->shape[0], title, sizeof title)
                         : "a body without a shape",
                     "xyz"[a]);
    }
    return SLUICE_OK;
}

/* Looks at the points within dp/4 of the last one along an axis, at `end`: on a flat side all lie
 * there. */
static void add_side(const struct sluice_contacts *c, struct sluice_contact_solid *s, int axis,
                     double end)
{
    const struct sluice_contact_tree *t = &s->tree;
    const double depth = 0.25 * c->spacing;
    int64_t points = 0;
    double bearing = 0;
    for (int64_t i = 0; i < t->points; i++) {
        const double height = fabs(t->point[i][axis] - end);
        points += height < depth;
        bearing += height < depth ? pow(1 - height / depth, 2.5) : 0;
    }
    s->flat = points > s->flat ? points : s->flat;
    s->bearing = fmax(s->bearing, bearing);
}

/* Circles bear as so many points as their weights: of a ball one, of a cylinder those on its side.
 */
static void count_circles(struct sluice_contact_solid *s)
{
    for (int k = 0; k < s->rounds; k++) {
        const struct sluice_contact_round *r = &s->round[k];
        const double weight = r->circles * s->circle[r->first].weight;
        const int alone = s->shapes == 1 && !r->is_ring;
        s->bearing = alone ? weight : fmax(s->bearing, weight);
        s->flat = alone || weight > (double)s->flat ? (int64_t)ceil(weight) : s->flat;
    }
}

/* The box and the ball around shapes and points, and the largest flat side of the points. */
static void set_bounds(struct sluice_contacts *c, struct sluice_contact_solid *s)
{
    const struct sluice_contact_tree *t = &s->tree;
    double low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int a = 0; a < c->dimension; a++) {
        low[a] = s->low[a] - s->centre[a];
        high[a] = s->high[a] - s->centre[a];
        double least = INFINITY, most = -INFINITY;
        for (int64_t i = 0; i < t->points; i++) {
            least = fmin(least, t->point[i][a]);
            most = fmax(most, t->point[i][a]);
        }
        add_side(c, s, a, least);
        add_side(c, s, a, most);
        low[a] = fmin(low[a], least);
        high[a] = fmax(high[a], most);
        s->middle[a] = (low[a] + high[a]) / 2;
        s->half[a] = (high[a] - low[a]) / 2;
    }
    for (int64_t i = 0; i < t->points; i++) {
        double to[3];
        for (int a = 0; a < 3; a++)
            to[a] = t->point[i][a] - s->middle[a];
        s->radius = fmax(s->radius, sluice_norm(to) + t->radius[i]);
    }
    count_circles(s);
}

static int is_combined(const struct sluice_contacts *c, int shape)
{
    const struct sluice_shape *s = &c->geometry->config->shapes[shape];
    return s->within[0] || s->without[0];
}

static sluice_status create_solid(struct sluice_contacts *c, int b,
                                  const struct sluice_contact_body *body)
{
    struct sluice_contact_solid *s = &c->solid[b];
    SLUICE_ALLOCATE(s->shape, body->shapes, "shapes of a body");
    memcpy(s->shape, body->shape, (size_t)body->shapes * sizeof *s->shape);
    s->shapes = body->shapes;
    for (int k = 0; k < s->shapes; k++)
        s->combined |= is_combined(c, s->shape[k]);
    memcpy(s->centre, body->centre, sizeof s->centre);
    s->mass = body->mass;
    s->material = body->material;
    memcpy(s->inertia, body->inertia, sizeof s->inertia);
    sluice_contact_invert(c->dimension, (const double(*)[3])s->inertia, s->compliance);
    s->locks = body->locks & (c->dimension == 2 ? 1u | 2u | 32u : 63u);
    s->release = body->release;
    SLUICE_TRY(set_extent(c, s));
    SLUICE_TRY(sluice_contact_find_rounds(c, b));
    SLUICE_TRY(sluice_contact_tree_create(c, b, body->point, body->points));
    SLUICE_TRY(sluice_contact_mark_rounds(c, b, body->point));
    set_bounds(c, s);
    return SLUICE_OK;
}

/* --- Walls --- */

/* Marks the shapes that bodies have. */
static sluice_status list_shapes(struct sluice_contacts *c)
{
    SLUICE_ALLOCATE(c->is_of_body, c->geometry->config->shape_count, "shapes");
    for (int b = 0; b < c->count; b++)
        for (int k = 0; k < c->solid[b].shapes; k++)
            c->is_of_body[c->solid[b].shape[k]] = 1;
    return SLUICE_OK;
}

static int motion_of(const struct sluice_contacts *c, int shape)
{
    const struct sluice_config *config = c->geometry->config;
    return c->motions ? sluice_motions_find(config, config->shapes[shape].motion) : -1;
}

/* Whether a later shape owns the cells that it has in common with a wall, and is no wall that
 * stays with it. */
static int cuts(const struct sluice_contacts *c, const struct sluice_contact_wall *w, int later)
{
    const struct sluice_shape *s = &c->geometry->config->shapes[later];
    if (s->kind == SLUICE_SHAPE_WALLS || c->is_of_body[later])
        return 0;
    return s->type == SLUICE_SHAPE_FLUID || s->type == SLUICE_SHAPE_VOID ||
           (s->type == SLUICE_SHAPE_WALL && motion_of(c, later) != w->motion);
}

static sluice_status add_wall(struct sluice_contacts *c, int shape, int side)
{
    const struct sluice_config *config = c->geometry->config;
    struct sluice_contact_wall *w = &c->wall[c->walls++];
    w->shape = shape;
    w->side = side;
    w->motion = motion_of(c, shape);
    if (w->motion >= 0)
        memcpy(w->centre, config->motions[w->motion].centre, sizeof w->centre);
    SLUICE_ALLOCATE(w->cut, config->shape_count - shape, "shapes that cut a wall");
    for (int later = shape + 1; later < config->shape_count; later++)
        if (cuts(c, w, later))
            w->cut[w->cuts++] = later;
    w->combined = w->cuts > 0 || is_combined(c, shape);
    return SLUICE_OK;
}

/* Lists the faces of a side of the domain: its own, and its ends. A side ends with the domain where
 * it meets no other side and the axis is not periodic; behind its face it has no end. */
static void list_faces(const struct sluice_contacts *c, struct sluice_contact_wall *w,
                       unsigned sides)
{
    for (int k = 0; k < 2 * c->dimension; k++) {
        const int axis = k / 2, high = k % 2, own = k == w->side;
        if (!own && (axis == w->side / 2 || c->periodic[axis] || sides & 1u << k))
            continue;
        w->face[w->faces++] = (struct sluice_contact_face){
            axis, c->origin[axis] + (high ? c->period[axis] : 0), own == high ? -1 : 1};
    }
}

/* Each side of the domain is a wall of its own: in a corner a body touches two. Shapes that move
 * together follow each other. */
static sluice_status create_walls(struct sluice_contacts *c)
{
    const struct sluice_config *config = c->geometry->config;
    unsigned sides = 0;
    SLUICE_ALLOCATE(c->wall, config->shape_count + SLUICE_SHAPE_BOXES, "walls");
    for (int side = 0; side < 2 * c->dimension; side++)
        for (int s = config->shape_count - 1; s >= 0; s--)
            if (config->shapes[s].kind == SLUICE_SHAPE_WALLS &&
                sluice_has_side(config->shapes[s].sides, side / 2, side % 2)) {
                SLUICE_TRY(add_wall(c, s, side));
                sides |= 1u << side;
                break;
            }
    for (int w = 0; w < c->walls; w++)
        list_faces(c, &c->wall[w], sides);
    for (int motion = -1; motion < config->motion_count; motion++)
        for (int s = 0; s < config->shape_count; s++)
            if (config->shapes[s].kind != SLUICE_SHAPE_WALLS &&
                config->shapes[s].type == SLUICE_SHAPE_WALL && !c->is_of_body[s] &&
                motion_of(c, s) == motion)
                SLUICE_TRY(add_wall(c, s, -1));
    SLUICE_TRY(sluice_contact_list_besides(c));
    return sluice_contact_sharpen_walls(c);
}

/* --- All --- */

static void set_domain(struct sluice_contacts *c)
{
    const struct sluice_geometry *g = c->geometry;
    c->dimension = g->dimension;
    c->spacing = g->spacing;
    for (int a = 0; a < g->dimension; a++) {
        c->periodic[a] = g->periodic[a];
        c->origin[a] = g->origin[a];
        c->period[a] = (double)g->n[a] * g->step[a];
    }
}

static sluice_status create(struct sluice_contacts *c, const struct sluice_contact_setup *setup)
{
    const double least = SLUICE_CONTACT_LEAST_RESTITUTION_PERCENT / 100.0;
    c->geometry = setup->geometry;
    c->motions = setup->motions;
    c->material = setup->walls;
    set_domain(c);
    for (int i = 0; i <= SLUICE_CONTACT_DAMPINGS; i++)
        c->damping[i] = sluice_contact_solve_damping(least +
                                                     (1 - least) * i / SLUICE_CONTACT_DAMPINGS);
    SLUICE_ALLOCATE(c->solid, setup->count, "bodies");
    for (c->count = 0; c->count < setup->count; c->count++)
        SLUICE_TRY(create_solid(c, c->count, &setup->body[c->count]));
    SLUICE_TRY(list_shapes(c));
    SLUICE_TRY(create_walls(c));
    SLUICE_ALLOCATE(c->clearance, (size_t)c->count * (size_t)c->walls, "distances from walls");
    SLUICE_ALLOCATE(c->force, c->count, "forces of contacts");
    SLUICE_ALLOCATE(c->torque, c->count, "torques of contacts");
    SLUICE_ALLOCATE(c->body_sum, c->count, "forces of contacts");
    SLUICE_ALLOCATE(c->boxes.low, c->count, "boxes of bodies");
    SLUICE_ALLOCATE(c->boxes.high, c->count, "boxes of bodies");
    SLUICE_ALLOCATE(c->wide.low, c->count, "boxes of bodies");
    SLUICE_ALLOCATE(c->wide.high, c->count, "boxes of bodies");
    SLUICE_ALLOCATE(c->cells.large, c->count, "boxes of bodies");
    return SLUICE_OK;
}

sluice_status sluice_contacts_create(struct sluice_contacts **contacts,
                                     const struct sluice_contact_setup *setup)
{
    SLUICE_ALLOCATE(*contacts, 1, "contacts");
    const sluice_status status = create(*contacts, setup);
    if (status != SLUICE_OK) {
        (*contacts)->count += (*contacts)->count < setup->count; /* the one that failed */
        sluice_contacts_destroy(contacts);
    }
    return status;
}

static void destroy_wall(struct sluice_contact_wall *w)
{
    free(w->cut);
    free(w->beside);
    sluice_contact_tree_destroy(&w->tree);
}

void sluice_contacts_destroy(struct sluice_contacts **contacts)
{
    struct sluice_contacts *c = *contacts;
    if (!c)
        return;
    for (int b = 0; c->solid && b < c->count; b++) {
        free(c->solid[b].shape);
        free(c->solid[b].round);
        free(c->solid[b].circle);
        sluice_contact_tree_destroy(&c->solid[b].tree);
    }
    for (int w = 0; w < c->walls; w++)
        destroy_wall(&c->wall[w]);
    for (int i = 0; i < c->buffers; i++)
        free(c->buffer[i].touch);
    void *const arrays[] = {c->solid,      c->wall,        c->clearance,
                            c->boxes.low,  c->boxes.high,  c->wide.low,
                            c->wide.high,  c->cells.large, c->cells.candidate,
                            c->cells.head, c->cells.entry, c->pair,
                            c->sums,       c->item,        c->buffer,
                            c->touch,      c->memory,      c->renewed,
                            c->term,       c->force,       c->torque,
                            c->is_of_body, c->body_sum,    c->ended};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        free(arrays[i]);
    free(c);
    *contacts = NULL;
}
