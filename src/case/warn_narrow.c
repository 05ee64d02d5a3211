/* Warns of narrow places of the walls.
 *
 * Fluids on both sides of a plate act on each other if it is thinner than the kernel's reach. With
 * ghost nodes each half of it belongs to one side, and each must be as thick as the reach. In a gap
 * narrower than the reach a particle meets the walls of both sides at once; ghost nodes of the one
 * lie in the other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "case/builder.h"
#include "geometry/narrow.h"

enum { MOST = 20 }; /* lines */

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
             sluice_case_unit(b->config, " m"), n->width / b->config->spacing);
}

static void describe_plate(const struct sluice_case_builder *b, const struct sluice_narrow *n,
                           char *text, size_t size)
{
    char one[2 * SLUICE_TEXT_MAX], other[2 * SLUICE_TEXT_MAX];
    const double layers = n->width / b->config->spacing;
    const int same = n->shape == n->other,
              whole = n->axis >= 0 && fabs(layers - rint(layers)) < 1e-6;
    int used = snprintf(
        text, size, "%s%s%s is ", sluice_geometry_title(b->config, n->shape, one, sizeof one),
        same ? "" : " with ",
        same ? "" : sluice_geometry_title(b->config, n->other, other, sizeof other));
    if (used < 0 || (size_t)used >= size)
        return;
    if (whole)
        snprintf(text + used, size - (size_t)used, "%.0f particles thick along %c", rint(layers),
                 "xyz"[n->axis]);
    else
        snprintf(text + used, size - (size_t)used, "%.3g spacings thick, %.4g%s", layers, n->width,
                 sluice_case_unit(b->config, " m"));
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
    char what[5 * SLUICE_TEXT_MAX], place[96];
    if (n->kind == SLUICE_NARROW_GAP)
        describe_gap(b, n, what, sizeof what);
    else
        describe_plate(b, n, what, sizeof what);
    int used = snprintf(place, sizeof place, "(%.4g, %.4g", n->x[0], n->x[1]);
    if (b->config->dimension == 3)
        used += snprintf(place + used, sizeof place - (size_t)used, ", %.4g", n->x[2]);
    snprintf(place + used, sizeof place - (size_t)used, ")");
    sluice_warn(&b->warnings, "geometry: at %s %s, the kernel reaches over %d: %s", place, what,
                reach, why[n->kind][ghosts]);
}

sluice_status sluice_case_warn_narrow(struct sluice_case_builder *b)
{
    const double dp = b->config->spacing;
    const int reach = (int)ceil(b->c->cutoff / dp - 1e-9),
              ghosts = sluice_config_walls_have(b->config, SLUICE_WALL_GHOSTS) != 0;
    const struct sluice_narrow_limits limits = {
        .gap = b->c->cutoff, .plate = (ghosts ? 2 : 1) * reach * dp, .floor = reach * dp};
    struct sluice_narrow *narrow;
    int64_t count;
    SLUICE_TRY(sluice_geometry_find_narrow(&b->c->geometry, &limits, &narrow, &count));
    for (int64_t i = 0; i < count && i < MOST; i++)
        warn(b, &narrow[i], reach, ghosts);
    if (count > MOST)
        sluice_warn(&b->warnings,
                    "geometry: %lld more narrow places of walls, up to %.3g spacings wide",
                    (long long)(count - MOST), narrow[count - 1].width / dp);
    free(narrow);
    return SLUICE_OK;
}
