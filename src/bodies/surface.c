#include "bodies/surface.h"

#include <math.h>
#include <stdlib.h>

#include "contour/contour.h"
#include "contour/contour_join.h"
#include "contour/contour_points.h"
#include "bodies/solid_union.h"
#include "contour/surface_grid.h"

/* Nodes along the longest axis at least; halvings of the grid for thin parts, which may have so
 * many nodes; the part of the crossed edges that may lie in parts that are too thin. */
enum { NODES_LEAST = 8, HALVINGS_MOST = 3 };
static const double nodes_most = 5e7, missed_most = 0.01;

static int is_too_coarse(const struct sluice_surface_grid *grid)
{
    return (double)grid->missed > missed_most * (double)(grid->crossings + grid->missed) ||
           grid->crossings == 0;
}

/* Makes the grid finer until thin parts have nodes inside, if that is possible. */
static sluice_status make_grid(struct sluice_surface_grid *grid, const struct sluice_solid_union *u,
                               double step)
{
    SLUICE_TRY(sluice_surface_grid_create(grid, u, step, NODES_LEAST));
    for (int k = 1, least = NODES_LEAST; k <= HALVINGS_MOST && is_too_coarse(grid); k++) {
        step /= 2;
        least *= 2;
        if (sluice_surface_grid_size(u, step, least) > nodes_most)
            break;
        sluice_surface_grid_destroy(grid);
        SLUICE_TRY(sluice_surface_grid_create(grid, u, step, least));
    }
    return SLUICE_OK;
}

static sluice_status check_grid(const struct sluice_surface_grid *grid,
                                struct sluice_warnings *warnings)
{
    const struct sluice_solid_union *u = grid->u;
    const double step = fmax(grid->step[0], fmax(grid->step[1], grid->step[2]));
    char title[2 * SLUICE_TEXT_MAX];
    sluice_geometry_title(u->g->config, u->part[0].shape, title, sizeof title);
    SLUICE_CHECK(grid->crossings > grid->missed, SLUICE_BAD_INPUT,
                 "body: %s is thinner than %.3g m almost everywhere, too thin for a surface: make "
                 "it thicker or the spacing (%.9g) smaller",
                 title, step, u->g->spacing);
    if (is_too_coarse(grid) && warnings)
        sluice_warn(warnings,
                    "body: %s has parts that are thinner than %.3g m: its surface lacks them; make "
                    "them thicker or the spacing (%.9g) smaller",
                    title, step, u->g->spacing);
    return SLUICE_OK;
}

static sluice_status make_surface(struct sluice_closed_surface *s,
                                  const struct sluice_surface_grid *grid)
{
    struct sluice_contour contour;
    SLUICE_TRY(sluice_contour_create(&contour, grid));
    sluice_status status = sluice_contour_place(&contour);
    if (status == SLUICE_OK)
        status = sluice_contour_join(&contour, s);
    sluice_contour_destroy(&contour);
    if (status != SLUICE_OK)
        sluice_body_surface_destroy(s);
    return status;
}

sluice_status sluice_body_surface_create(struct sluice_closed_surface *s,
                                         const struct sluice_geometry *g, const int *shape,
                                         int count, double factor, struct sluice_warnings *warnings)
{
    struct sluice_solid_union u;
    struct sluice_surface_grid grid;
    *s = (struct sluice_closed_surface){0};
    SLUICE_TRY(sluice_solid_union_create(&u, g, shape, count));
    sluice_status status = make_grid(&grid, &u, factor * g->spacing);
    if (status == SLUICE_OK) {
        status = check_grid(&grid, warnings);
        if (status == SLUICE_OK)
            status = make_surface(s, &grid);
        sluice_surface_grid_destroy(&grid);
    }
    sluice_solid_union_destroy(&u);
    return status;
}

void sluice_body_surface_destroy(struct sluice_closed_surface *s)
{
    free(s->point);
    free(s->triangle);
    free(s->segment);
    *s = (struct sluice_closed_surface){0};
}
