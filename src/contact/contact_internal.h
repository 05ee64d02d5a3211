/* The shared declarations of the files in contact.
 *
 *   contact_create.c    bodies and walls at t = 0
 *   contact_points.c    the points of a body, before there are contacts
 *   contact_balls.c     the balls that stand for points
 *   contact_tree.c      the points of a body as a tree
 *   contact_distance.c  distances of bodies and walls
 *   contact_sharp.c     tips and edges of walls
 *   contact_round.c     discs, spheres and cylinders
 *   contact_union.c     seams: surfaces that other walls or other parts cover
 *   contact_search.c    which solids are near each other
 *   contact_view.c      a solid as another one sees it
 *   contact_touch.c     which points are inside which solid
 *   contact_material.c  constants of the law
 *   contact_law.c       forces of two solids on each other
 *   contact_history.c   stretches
 *   contact_sum.c       sums without an order
 *   contact_find.c      all of it
 *   contact_step.c      the time step
 *   contact_check.c     before a run
 *
 * "Other" numbers the solid that a point is inside: a body from 0, wall w as -1 - w. */
#ifndef SLUICE_CONTACT_CONTACT_INTERNAL_H
#define SLUICE_CONTACT_CONTACT_INTERNAL_H
#include "contact/contact.h"
#include "kernels/types/exact_sum.h"

enum {
    SLUICE_CONTACT_LEAF = 8,    /* points of a leaf of the tree, at most */
    SLUICE_CONTACT_CHUNK = 512, /* points that one thread takes at a time, at most */
    SLUICE_CONTACT_IMAGES = 27
};

/* The radius of a point's ball over dp (contact_balls.c), and the part that tangential springs and
 * dampers have of the others. */
#define SLUICE_CONTACT_BALL       0.1
#define SLUICE_CONTACT_TANGENTIAL (2.0 / 7)

/* How far apart over dp solids are near: those that are farther do not meet in a step. */
#define SLUICE_CONTACT_MARGIN 0.25

/* A node and all below it: points first to first + count - 1, whose balls lie within a ball. Nodes
 * are in the order of a walk: node i + 1 is below node i unless that is a leaf, node `next` is not.
 */
struct sluice_contact_node {
    double centre[3], radius; /* from the body's centre at t = 0, m */
    int64_t first, count;
    int next;
};

struct sluice_contact_tree {
    struct sluice_contact_node *node;
    int nodes, chunks;
    int *chunk; /* [chunks] nodes that have all points together */
    /* [points] in the order of the tree: the centres of their balls, from the body's centre, and
     * the radii, m. */
    double (*point)[3], *radius;
    int64_t *number; /* [points] their numbers */
    int64_t *place;  /* [points] the place in the tree of each number */
    int *round;      /* [points] what a point on a round part stands for; NULL: no round parts */
    int64_t points;
};

/* A circle that stands for a round part of a body: a disc, a sphere (a circle in all planes), or
 * one of the circles along a cylinder, about dp apart. It touches where it is deepest, exactly. */
struct sluice_contact_circle {
    int part, is_ring;                 /* a ring has an axis */
    double centre[3], axis[3], radius; /* from the body's centre at t = 0, m */
    double weight; /* its stiffness over that of a point, by Hertz: sqrt(2 R/dp) */
};

/* A round part: of a cylinder its side. */
struct sluice_contact_round {
    int first, circles, is_ring;             /* of its circles */
    double centre[3], axis[3], radius, half; /* half: of the length; m */
};

struct sluice_contact_solid {
    int *shape, shapes;
    double centre[3], mass;                 /* at t = 0 */
    double inertia[3][3], compliance[3][3]; /* at t = 0; its inverse, or 0 */
    unsigned locks;                         /* in 2-D without those that a plane has */
    double release;                         /* s */
    int held;                               /* before its release */
    struct sluice_contact_material material;
    double low[3], high[3];    /* of its shapes at t = 0, m */
    double middle[3], half[3]; /* of the box around shapes and points, from the centre, m */
    double radius;             /* of the ball about `middle` around the balls of points */
    int64_t flat;              /* points on its largest flat side */
    double bearing; /* so many points at one height take the energy of an overlap of dp/4 */
    int combined;   /* has within, without or cuts: outside, its distance is a lower bound */
    struct sluice_contact_tree tree;
    struct sluice_contact_round *round;   /* [rounds] */
    struct sluice_contact_circle *circle; /* [circles] */
    int rounds, circles;
    double reach; /* so far a point may be from what its circle touches, m; 0 without circles */
    int ball;     /* a disc or a sphere, and all its points are on it */
};

/* A plane across an axis; outward: 1 or -1, the direction out of the solid. */
struct sluice_contact_face {
    int axis;
    double place, outward; /* m */
};

struct sluice_contact_wall {
    int shape, side; /* side: 2 axis + (high side) of a walls shape; -1: of another */
    int motion;      /* -1: none */
    struct sluice_contact_face face[5]; /* of a side: its own, and its ends */
    int faces;
    int *cut, cuts;                  /* later shapes that take its place */
    int *beside, besides;            /* walls that may cover parts of its surface */
    int combined;                    /* as of a solid */
    double centre[3];                /* of its motion at t = 0 */
    struct sluice_pose pose;         /* now */
    struct sluice_contact_tree tree; /* of its sharp points; the centres from `centre` */
};

/* Two solids that may touch: body a, and body b > a or wall -1 - b. All shapes of walls that move
 * together are one solid, so a floor of many boxes damps as one box; b is the first of them. */
struct sluice_contact_pair {
    int a, b;
    int64_t first, count; /* touches */
    int64_t items, first_item;
    double gap; /* between their surfaces, m; at most the margin */
};

/* Points of a chunk against one solid, `shift` (m) apart from where it is. Owner and other: one of
 * them may be a wall, -1 - w. */
struct sluice_contact_item {
    int owner, other, chunk, buffer; /* buffer: of the thread that did it */
    double shift[3], gap;            /* gap: of the nearest point, as a pair's */
    int64_t first, count, target;    /* touches in the buffer, and where they go */
};

/* Circles have the numbers after those of all points: one for each direction of contact, in the
 * axes of the other solid at t = 0, so that a body that rolls keeps its stretch. */
enum { SLUICE_CONTACT_DIRECTIONS = 128 * 128 * 128 };

/* A point inside a solid. World axes. */
struct sluice_contact_touch {
    int owner, other;
    int64_t point;                  /* in the order of the tree */
    double arm[3], other_arm[3];    /* from the centres, m */
    double overlap, normal[3];      /* m; out of the other solid */
    double weight;                  /* its stiffness over that of a point */
    double velocity[3], carried[3]; /* of the point against the other; of the other, m/s */
    double damped[3]; /* where the damper acts: the normal; at an edge that of the owner's face */
};

/* The state of a contact from step to step. */
struct sluice_contact_memory {
    int owner, other;
    int64_t point;
    double stretch[3], slip[3]; /* m, m/s, in the axes of the other at t = 0 */
    double largest;             /* overlap, m */
    int kept;                   /* the last call went on with it */
};

/* Sums over the contacts of a pair. */
struct sluice_contact_sums {
    double force[3];     /* on a */
    double torque[2][3]; /* on a, on b */
    double elastic, dissipated, driven;
};

struct sluice_contact_buffer {
    struct sluice_contact_touch *touch;
    int64_t count, capacity;
};

/* Boxes around bodies, m. */
struct sluice_contact_boxes {
    double (*low)[3], (*high)[3]; /* [bodies] */
};

/* For the wide boxes of bodies: their cells, as a table of chains, and the pairs that they give
 * (contact_search.c). */
struct sluice_contact_cells {
    int64_t *head, heads; /* [heads] first entry of a slot, -1: none */
    struct sluice_contact_entry {
        int64_t next;
        int body;
    } * entry;
    int64_t entries, capacity;
    int *large, larges;  /* bodies of too many cells */
    int (*candidate)[2]; /* bodies whose wide boxes meet, in order */
    int64_t candidates, candidate_capacity;
    int listed; /* candidates belong to the wide boxes */
};

enum { SLUICE_CONTACT_DAMPINGS = 1024 };

struct sluice_contacts {
    const struct sluice_geometry *geometry;
    const struct sluice_motions *motions;
    int dimension;
    double spacing;
    int periodic[3];
    double origin[3], period[3];             /* m */
    struct sluice_contact_material material; /* of walls */
    struct sluice_contact_solid *solid;      /* [count] */
    struct sluice_contact_wall *wall;        /* [walls] */
    int count, walls;
    char *is_of_body;                            /* [shapes of the config] */
    double damping[SLUICE_CONTACT_DAMPINGS + 1]; /* z of e, from the least e to 1 */
    /* How far a body's middle was from a wall, and where, in the wall's axes: x, y, z, distance
     * beyond the ball. */
    double (*clearance)[4];                  /* [count][walls] */
    struct sluice_contact_boxes boxes, wide; /* now; at the last search, and wider */
    struct sluice_contact_cells cells;
    struct sluice_contact_pair *pair;
    struct sluice_contact_sums *sums; /* [pairs] */
    int64_t pairs, pair_capacity, sums_capacity;
    struct sluice_contact_item *item;
    int64_t items, item_capacity, item_points; /* item_points: of all items, at most */
    struct sluice_contact_buffer *buffer;      /* [buffers] */
    int buffers;
    struct sluice_contact_touch *touch; /* in the order of pairs, owners, points */
    int64_t touches, touch_capacity;
    struct sluice_contact_memory *memory, *renewed; /* [memories], [touches]; by key */
    int64_t memories, memory_capacity, renewed_capacity;
    double *ended; /* [ends] energies of springs */
    int64_t ends, end_capacity;
    double (*term)[12]; /* [touches] of the sums */
    int64_t term_capacity;
    double (*force)[3], (*torque)[3]; /* [count] */
    struct sluice_contact_body_sum {
        double most[6];
        exact_total total[6];
    } * body_sum; /* [count] */
};

/* --- Solids now --- */

static inline const struct sluice_pose *
sluice_contact_pose(const struct sluice_contacts *c, const struct sluice_pose *pose, int other)
{
    return other >= 0 ? &pose[other] : &c->wall[-1 - other].pose;
}

static inline const double *sluice_contact_centre(const struct sluice_contacts *c, int other)
{
    return other >= 0 ? c->solid[other].centre : c->wall[-1 - other].centre;
}

static inline const struct sluice_contact_tree *
sluice_contact_tree_of(const struct sluice_contacts *c, int owner)
{
    return owner >= 0 ? &c->solid[owner].tree : &c->wall[-1 - owner].tree;
}

/* Makes an array large enough for n elements, at least doubling; earlier contents are lost. */
#define SLUICE_CONTACT_ROOM(pointer, n, capacity, what)                                            \
    do {                                                                                           \
        if ((n) > (capacity)) {                                                                    \
            const int64_t larger_ = (n) > 2 * (capacity) ? (n) : 2 * (capacity);                   \
            free(pointer);                                                                         \
            (capacity) = 0;                                                                        \
            SLUICE_ALLOCATE(pointer, larger_, what);                                               \
            (capacity) = larger_;                                                                  \
        }                                                                                          \
    } while (0)

/* contact_create.c. The inverse of a symmetric matrix; 0 where it has none. In 2-D about z alone.
 */
void sluice_contact_invert(int dimension, const double m[3][3], double out[3][3]);

/* contact_balls.c. The centre (m) and the radius of the ball of a solid's point x at t = 0; radius
 * 0 and x itself where the solid is too thin. */
double sluice_contact_place_ball(const struct sluice_contacts *c, int solid, const double x[3],
                                 double centre[3]);

/* contact_tree.c. Sorts the points of a solid into a tree. Errors: memory. */
sluice_status sluice_contact_tree_create(struct sluice_contacts *c, int solid,
                                         const double (*point)[3], int64_t points);
void sluice_contact_tree_destroy(struct sluice_contact_tree *tree);

/* contact_search.c. Lists the pairs of solids that may touch, by a, then b, and the items of each.
 * Errors: memory. */
sluice_status sluice_contact_search(struct sluice_contacts *c, const struct sluice_pose *pose);

/* contact_touch.c. Moves the walls to `time`, searches, and lists all touches. Errors: a pose that
 * is not finite, memory. */
sluice_status sluice_contact_find_touches(struct sluice_contacts *c, const struct sluice_pose *pose,
                                          double time, struct sluice_threads *team);

/* contact_distance.c. The signed distance (m) of y from a solid, and the displacement to its
 * surface, in its axes at t = 0. The distance from a combined solid may be too small outside. */
double sluice_contact_distance(const struct sluice_contacts *c, int other, const double y[3],
                               double way[3]);

/* The nearest surface of a solid as a ball sees it. Axes of the solid at t = 0. */
struct sluice_contact_hit {
    double distance, normal[3]; /* m, negative inside; out of the solid */
};

/* Normals of faces of the other solid: a smooth one, and those that the last circles found, by
 * their number modulo 3. */
struct sluice_contact_seen {
    double flat[3], normal[3][3];
    int circle[3]; /* -1: none */
};

/* Points p of the owner, from its centre, in the axes of the other at t = 0: y = turn p + by. */
struct sluice_contact_view {
    const struct sluice_contacts *c;
    const struct sluice_contact_item *item;
    const struct sluice_pose *own, *other;
    double turn[3][3], by[3], centre[3];
    struct sluice_contact_seen *seen; /* by the last points of the item */
};

/* contact_view.c. The other solid as an item's owner sees it; the caller sets `seen`. */
struct sluice_contact_view sluice_contact_make_view(const struct sluice_contacts *c,
                                                    const struct sluice_contact_item *item,
                                                    const struct sluice_pose *pose);
/* A point p of the owner, from its centre, in the axes of the other. */
void sluice_contact_to_other(const struct sluice_contact_view *v, const double p[3], double y[3]);
/* Adds a touch whose owner's point is at `arm` from its centre, in its axes at
 * t = 0. The caller sets `damped`, which is the normal, otherwise. Errors: memory. */
sluice_status sluice_contact_add_touch(const struct sluice_contact_view *v, int64_t point,
                                       const double arm[3], const struct sluice_contact_hit *hit,
                                       double overlap, struct sluice_contact_buffer *b);

/* contact_round.c. Finds the round parts of a body, before its tree. Errors: memory. */
sluice_status sluice_contact_find_rounds(struct sluice_contacts *c, int body);
/* Notes what the points of a body's tree stand for. x: [points] by number, m. Errors: memory. */
sluice_status sluice_contact_mark_rounds(struct sluice_contacts *c, int body, const double (*x)[3]);
/* Whether a point that sees this surface is tested by circles: those at its place, or those of the
 * other body. */
int sluice_contact_has_circle(const struct sluice_contact_view *v, int64_t point, const double y[3],
                              const struct sluice_contact_hit *hit);
/* Adds the touches of the circles that a point stands for, which sees this surface from y. *gap as
 * of an item. Errors: memory. */
sluice_status sluice_contact_test_circles(const struct sluice_contact_view *v, int64_t point,
                                          const double y[3], const struct sluice_contact_hit *hit,
                                          double *gap, struct sluice_contact_buffer *b);
/* Whether a ball is farther than the margin from the other solid: its item has no touch, and its
 * gap is the margin. */
int sluice_contact_is_far_ball(const struct sluice_contact_view *v);
/* Whether all is found of an item: a ball touches a convex solid at one place. */
int sluice_contact_is_done(const struct sluice_contact_view *v);
/* The stiffness of a contact over that of a point. */
static inline double sluice_contact_weight(const struct sluice_contacts *c, int owner,
                                           int64_t point)
{
    const int64_t points = sluice_contact_tree_of(c, owner)->points;
    return point < points
               ? 1
               : c->solid[owner].circle[(point - points) / SLUICE_CONTACT_DIRECTIONS].weight;
}

/* contact_sharp.c. Makes the trees of walls. Errors: memory. */
sluice_status sluice_contact_sharpen_walls(struct sluice_contacts *c);

/* contact_union.c. Lists the walls that may cover parts of each wall. Errors: memory. */
sluice_status sluice_contact_list_besides(struct sluice_contacts *c);

enum sluice_contact_sight { SLUICE_CONTACT_NONE, SLUICE_CONTACT_SEEN, SLUICE_CONTACT_SEAM };
/* The nearest surface of `other` from y, if it is nearer than `radius`. A seam, which other walls
 * or other parts of the body cover, is none outside. */
enum sluice_contact_sight sluice_contact_look(const struct sluice_contacts *c, int other,
                                              const double y[3], double radius,
                                              struct sluice_contact_hit *hit);
/* The same of a place inside that is nearest to a seam: the surface that is seen from outside.
 * out: the direction to look from, of length 1. Returns 0 if there is none. */
int sluice_contact_look_from(const struct sluice_contacts *c, int other, const double y[3],
                             const double out[3], struct sluice_contact_hit *hit);
/* As sluice_contact_distance, but seams of a body's parts are no surface inside. */
double sluice_contact_depth(const struct sluice_contacts *c, int other, const double y[3],
                            double way[3]);

/* Whether y is farther than `reach` from a box. */
static inline int sluice_contact_is_beyond(int dimension, const double low[3], const double high[3],
                                           const double y[3], double reach)
{
    double sum = 0;
    for (int a = 0; a < dimension; a++) {
        const double d = y[a] < low[a] ? low[a] - y[a] : y[a] > high[a] ? y[a] - high[a] : 0;
        sum += d * d;
    }
    return sum > reach * reach;
}

/* contact_step.c. An upper bound of the inverse of the mass that a contact feels (1/kg): the part
 * of a body, or of a wall, which is 0. */
double sluice_contact_lightness(const struct sluice_contacts *c, int body);

/* contact_law.c. The forces of the solids of a pair on each other; fills c->sums[pair], and of its
 * touches c->term and, for dt > 0, c->renewed. */
void sluice_contact_solve_pair(struct sluice_contacts *c, const struct sluice_pose *pose,
                               int64_t pair, double dt);

/* contact_material.c. Constants of the contact of two solids: k (N/m^(3/2)), z of a restitution of
 * at most `most`, mu. */
double sluice_contact_stiffness(const struct sluice_contacts *c, int a, int b);
double sluice_contact_damping(const struct sluice_contacts *c, int a, int b, double most);
double sluice_contact_friction(const struct sluice_contacts *c, int a, int b);
/* The damping ratio of a restitution, by bisection. */
double sluice_contact_solve_damping(double restitution);
enum { SLUICE_CONTACT_LEAST_RESTITUTION_PERCENT = 5 };

/* The energy of a tangential spring, J. */
double sluice_contact_energy(const struct sluice_contacts *c,
                             const struct sluice_contact_memory *m);

/* contact_history.c. The memory of a touch, or NULL; *hint: where the next one may be. */
struct sluice_contact_memory *sluice_contact_recall(const struct sluice_contacts *c,
                                                    const struct sluice_contact_touch *touch,
                                                    int64_t *hint);
/* Makes c->renewed the memory, sorted. *shed: the energy of those that nothing went on with, J.
 * Errors: memory. */
sluice_status sluice_contact_renew(struct sluice_contacts *c, double *shed);

/* contact_sum.c. A term x of a sum whose largest one is `most`, and the sum of such. */
exact_total sluice_contact_total(double most, double x);
double sluice_contact_value(double most, exact_total total);
/* The sum of n numbers, each `stride` doubles after the last one. NaN if one is not finite. */
double sluice_contact_sum(const double *x, int64_t n, int64_t stride);
#endif
