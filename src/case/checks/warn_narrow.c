/* Warns of narrow places of the walls.
 *
 * Fluids on both sides of a plate act on each other if it is thinner than the kernel's reach. With
 * ghost nodes each half of it belongs to one side, and each must be as thick as the reach. In a gap
 * narrower than the reach a particle meets the walls of both sides at once; ghost nodes of the one
 * lie in the other. A wedge is thinner than that at its edge, however thick it is elsewhere: its
 * shape has one line for all its edges. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "case/builder.h"
#include "geometry/narrow.h"

enum { MOST = 20 /* lines */, PLACE = 96 };

/* "at (1, 0.5) the gap of 0.1 m, 2 spacings, between box 2 (a.cfg:3) and box 3 (a.cfg:4)" */
static void describe_gap(const struct sluice_case_builder *b, const struct sluice_narrow *n,
                         char *text, size_t size)
{
    char one[2 * SLUICE_TEXT_MAX], other[2 * SLUICE_TEXT_MAX];
    const int same = n->shape == n->other;
    snprintf(text, size, "the gap %s %s%s%s is %.4g%s, %.3g spacings wide at its narrowest",
             same ? "within" : "between",
             sluice_geometry_title(b->config, n->shape, one, sizeof one), same ? "" : " and ",
             same ? "" : sluice_geometry_title(b->config, n->other, other, sizeof other), n->width,
             sluice_config_unit(b->config, " m"), n->width / b->config->spacing);
}

/* "box 2 'lid' (a.cfg:3) with box 3 (a.cfg:4)" */
static void describe_shapes(const struct sluice_case_builder *b, const struct sluice_narrow *n,
                            char *text, size_t size)
{
    char one[2 * SLUICE_TEXT_MAX], other[2 * SLUICE_TEXT_MAX];
    const int same = n->shape == n->other;
    snprintf(text, size, "%s%s%s", sluice_geometry_title(b->config, n->shape, one, sizeof one),
             same ? "" : " with ",
             same ? "" : sluice_geometry_title(b->config, n->other, other, sizeof other));
}

static void describe_plate(const struct sluice_case_builder *b, const struct sluice_narrow *n,
                           char *text, size_t size)
{
    char shapes[4 * SLUICE_TEXT_MAX];
    const double layers = n->width / b->config->spacing;
    describe_shapes(b, n, shapes, sizeof shapes);
    if (n->axis >= 0 && fabs(layers - rint(layers)) < 1e-6)
        snprintf(text, size, "%s is %.0f particle%s thick along %c", shapes, rint(layers),
                 rint(layers) > 1 ? "s" : "", "xyz"[n->axis]);
    else
        snprintf(text, size, "%s is %.3g spacings thick, %.4g%s", shapes, layers, n->width,
                 sluice_config_unit(b->config, " m"));
}

static void describe_place(const struct sluice_case_builder *b, const struct sluice_narrow *n,
                           char text[PLACE])
{
    const int used = snprintf(text, PLACE, "(%.4g, %.4g", n->x[0], n->x[1]);
    if (b->config->dimension == 3)
        snprintf(text + used, PLACE - (size_t)used, ", %.4g)", n->x[2]);
    else
        snprintf(text + used, PLACE - (size_t)used, ")");
}

static void warn(struct sluice_case_builder *b, const struct sluice_narrow *n, int reach,
                 int ghosts)
{
    static const char *const why[3][2] = {
        {"walls of both sides act on the fluid in it, and close it where no particle fits: widen "
         "or close it, or make the spacing smaller",
         "ghost nodes of one side lie in the other side's wall: widen or close it, or make the "
         "spacing smaller"},
        {"fluid on one side feels the other",
         "with ghost nodes half of them have no pressure where it is dry on one side; make it "
         "twice as thick as that"},
        {"fluid on it misses a part of its pressure; let it reach further out of the domain",
         "fluid on it misses a part of its pressure; let it reach further out of the domain"}};
    char what[5 * SLUICE_TEXT_MAX], place[PLACE];
    if (n->kind == SLUICE_NARROW_GAP)
        describe_gap(b, n, what, sizeof what);
    else
        describe_plate(b, n, what, sizeof what);
    describe_place(b, n, place);
    sluice_warn(&b->warnings, "geometry: at %s %s, the kernel reaches over %d: %s", place, what,
                reach, why[n->kind][ghosts]);
}

static void warn_of_edge(struct sluice_case_builder *b, const struct sluice_narrow *n,
                         int64_t edges, int thick, int ghosts)
{
    char what[4 * SLUICE_TEXT_MAX], place[PLACE], number[48] = "";
    describe_shapes(b, n, what, sizeof what);
    describe_place(b, n, place);
    if (edges > 1)
        snprintf(number, sizeof number, ", one of %lld such edges", (long long)edges);
    sluice_warn(&b->warnings,
                "geometry: at %s %s ends in an edge of %.2g degrees%s: where it is thinner than %d "
                "spacings, %s",
                place, what, n->edge * 180 / acos(-1), number, thick,
                ghosts ? "half of its ghost nodes have no pressure if one side is dry"
                       : "fluid on one side feels the other");
}

/* Whether it is a gap that closes or opens as a body moves. */
static int is_beside_body(const struct sluice_case_builder *b, const struct sluice_narrow *n)
{
    const int one = b->config->shapes[n->shape].body, other = b->config->shapes[n->other].body;
    return n->kind == SLUICE_NARROW_GAP && one != other;
}

/* One line for all gaps beside bodies, which names the narrowest. */
static void warn_beside_bodies(struct sluice_case_builder *b, const struct sluice_narrow *narrow,
                               int64_t count, int reach)
{
    char what[5 * SLUICE_TEXT_MAX], place[PLACE], number[64] = "";
    const struct sluice_narrow *first = NULL;
    int64_t gaps = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!is_beside_body(b, &narrow[i]))
            continue;
        first = first ? first : &narrow[i];
        gaps++;
    }
    if (!first)
        return;
    describe_gap(b, first, what, sizeof what);
    describe_place(b, first, place);
    if (gaps > 1)
        snprintf(number, sizeof number, ", the narrowest of %lld gaps beside bodies",
                 (long long)gaps);
    sluice_warn(&b->warnings,
                "geometry: at %s %s%s, the kernel reaches over %d: fluid in such a gap meets the "
                "walls of both sides at once until the body moves away; dry gaps do no harm",
                place, what, number, reach);
}

/* The edges of a shape in narrow[]. */
struct shape_edges {
    int64_t count, sharpest;
};

/* Tells of the first MOST but gaps beside bodies, and returns how many lines all would be. */
static int64_t warn_of_all(struct sluice_case_builder *b, const struct sluice_narrow *narrow,
                           int64_t count, struct shape_edges *edges, int reach, int ghosts)
{
    int64_t lines = 0;
    /* One line for all edges of a shape; it names the sharpest. */
    for (int64_t i = 0; i < count; i++) {
        struct shape_edges *e = &edges[narrow[i].shape];
        if (narrow[i].edge > 0 && (e->count++ == 0 || narrow[i].edge < narrow[e->sharpest].edge))
            e->sharpest = i;
    }
    for (int64_t i = 0; i < count; i++) {
        const struct sluice_narrow *n = &narrow[i];
        const struct shape_edges *e = &edges[n->shape];
        if (is_beside_body(b, n) || (n->edge > 0 && e->sharpest != i) || lines++ >= MOST)
            continue;
        if (n->edge > 0)
            warn_of_edge(b, n, e->count, (ghosts ? 2 : 1) * reach, ghosts);
        else
            warn(b, n, reach, ghosts);
    }
    return lines;
}

sluice_status sluice_case_warn_narrow(struct sluice_case_builder *b)
{
    const double dp = b->config->spacing;
    const int reach = (int)ceil(b->c->cutoff / dp - 1e-9),
              ghosts = sluice_config_walls_have(b->config, SLUICE_WALL_GHOSTS) != 0;
    const struct sluice_narrow_limits limits = {
        .gap = b->c->cutoff, .plate = (ghosts ? 2 : 1) * reach * dp, .floor = reach * dp};
    struct sluice_narrow *narrow;
    struct shape_edges *edges; /* of each shape */
    int64_t count;
    SLUICE_TRY(sluice_geometry_find_narrow(&b->c->geometry, &limits, &narrow, &count));
    edges = calloc((size_t)b->config->shape_count, sizeof *edges);
    const int memory = edges != NULL;
    const int64_t lines = memory ? warn_of_all(b, narrow, count, edges, reach, ghosts) : 0;
    if (lines > MOST)
        sluice_warn(&b->warnings,
                    "geometry: %lld more narrow places of walls, up to %.3g spacings wide",
                    (long long)(lines - MOST), narrow[count - 1].width / dp);
    warn_beside_bodies(b, narrow, count, reach);
    free(edges);
    free(narrow);
    SLUICE_CHECK(memory, SLUICE_DEVICE, "no memory for the edges of %d shapes",
                 b->config->shape_count);
    return SLUICE_OK;
}
