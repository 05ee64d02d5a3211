#include "probes/probe_bed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sluice_status sluice_beds_create(struct sluice_beds *beds, const struct sluice_case *c)
{
    const int up = c->config->dimension - 1;
    *beds = (struct sluice_beds){.setup = c};
    beds->foot = c->config->domain.min[up];
    beds->low = c->grid.low[up];
    beds->top = c->grid.high[up];
    return sluice_walls_create(&beds->walls, c);
}

void sluice_beds_destroy(struct sluice_beds *beds)
{
    free(beds->column.span);
    free(beds->other.span);
    sluice_walls_destroy(&beds->walls);
    memset(beds, 0, sizeof *beds);
}

/* --- Sites --- */

/* Moves a place on a face of the domain slightly inside, out of the wall. */
static void bring_inside(const struct sluice_case *c, double x[3])
{
    const double hair = 1e-6 * c->config->spacing;
    for (int a = 0; a < c->config->dimension - 1; a++) {
        const double low = c->config->domain.min[a], high = c->config->domain.max[a];
        if (c->grid.periodic[a] || high <= low)
            continue;
        if (fabs(x[a] - low) < hair)
            x[a] = low + hair;
        if (fabs(x[a] - high) < hair)
            x[a] = high - hair;
    }
}

sluice_status sluice_bed_site_create(const struct sluice_beds *beds, const double x[3],
                                     struct sluice_bed_site *site)
{
    memset(site, 0, sizeof *site);
    memcpy(site->x, x, sizeof site->x);
    memcpy(site->inside, x, sizeof site->inside);
    bring_inside(beds->setup, site->inside);
    return sluice_walls_column(&beds->walls, 0, site->inside, &site->resting);
}

/* --- Surfaces --- */

/* All walls above and below a site, of which those at rest are known. */
static sluice_status join_walls(const struct sluice_beds *beds, const struct sluice_bed_site *site,
                                struct sluice_wall_column *column)
{
    column->count = 0;
    for (int k = 0; k < site->resting.count; k++)
        SLUICE_TRY(
            sluice_wall_column_add(column, site->resting.span[k].low, site->resting.span[k].high));
    SLUICE_TRY(sluice_walls_column(&beds->walls, 1, site->inside, column));
    sluice_wall_column_join(column, beds->setup->config->spacing * (1 - 1e-6));
    return SLUICE_OK;
}

/* The foot, where it is in the open, is added as a wall of no height. */
sluice_status sluice_beds_load(struct sluice_beds *beds, const struct sluice_bed_site *site)
{
    struct sluice_wall_column *column = &beds->column;
    const double same = 1e-6 * beds->setup->config->spacing;
    int open = 1;
    SLUICE_TRY(join_walls(beds, site, column));
    for (int k = 0; k < column->count; k++)
        open &= beds->foot < column->span[k].low - same || beds->foot > column->span[k].high + same;
    if (open)
        SLUICE_TRY(sluice_wall_column_add(column, beds->foot, beds->foot));
    sluice_wall_column_join(column, 0);
    return SLUICE_OK;
}

static int is_wall(const struct sluice_wall_span *span)
{
    return span->high > span->low;
}

int sluice_beds_surface(const struct sluice_beds *beds, int k, struct sluice_surface *surface)
{
    const struct sluice_wall_column *column = &beds->column;
    const struct sluice_wall_span *span = &column->span[k];
    const double same = 1e-6 * beds->setup->config->spacing;
    if (span->high < beds->low - same ||
        (span->high > beds->top - same && span->low > beds->foot + same))
        return 0;
    surface->height = fmin(span->high, beds->top);
    surface->ceiling = INFINITY;
    surface->of_wall = is_wall(span);
    for (int next = k + 1; next < column->count && isinf(surface->ceiling); next++)
        if (is_wall(&column->span[next]))
            surface->ceiling = column->span[next].low;
    return 1;
}

struct sluice_surface sluice_beds_nearest(const struct sluice_beds *beds, double height)
{
    struct sluice_surface best = {beds->foot, INFINITY, 0}, other = best;
    for (int k = 0; k < beds->column.count; k++)
        if (sluice_beds_surface(beds, k, &other) && other.of_wall >= best.of_wall &&
            (other.of_wall > best.of_wall ||
             fabs(other.height - height) < fabs(best.height - height)))
            best = other;
    return best;
}

/* A wall, a place under a wall, or one in the open. A lid that reaches the domain's top is no
 * cover. */
enum cover { IN_WALL, COVERED, OPEN };

static sluice_status find_cover(struct sluice_beds *beds, const double x[3], double height,
                                enum cover *cover)
{
    const double top = beds->top - 1e-6 * beds->setup->config->spacing;
    struct sluice_bed_site site;
    sluice_status status = sluice_bed_site_create(beds, x, &site);
    if (status == SLUICE_OK)
        status = join_walls(beds, &site, &beds->other);
    free(site.resting.span);
    *cover = OPEN;
    for (int k = 0; status == SLUICE_OK && k < beds->other.count && *cover != IN_WALL; k++) {
        const struct sluice_wall_span *span = &beds->other.span[k];
        if (span->low < height && span->high > height)
            *cover = IN_WALL;
        else if (span->low > height && span->high < top)
            *cover = COVERED;
    }
    return status;
}

/* Whether a level line along an axis leads from x into the open before it meets a wall. */
static sluice_status leads_out(struct sluice_beds *beds, const double x[3], double height, int *out)
{
    const struct sluice_grid_options *grid = &beds->setup->grid;
    const double dp = beds->setup->config->spacing;
    *out = 0;
    for (int way = 0; way < 2 * (beds->setup->config->dimension - 1) && !*out; way++) {
        const int axis = way / 2;
        const double most = grid->high[axis] - grid->low[axis];
        enum cover cover = COVERED;
        for (int k = 0; k * dp <= most && cover == COVERED; k++) {
            double place[3] = {x[0], x[1], x[2]};
            place[axis] += (way % 2 ? k : -k) * dp;
            if (!grid->periodic[axis] &&
                (place[axis] < grid->low[axis] || place[axis] > grid->high[axis]))
                break;
            SLUICE_TRY(find_cover(beds, place, height, &cover));
        }
        *out = cover == OPEN;
    }
    return SLUICE_OK;
}

sluice_status sluice_beds_dry(struct sluice_beds *beds, struct sluice_bed_site *site,
                              struct sluice_surface *surface)
{
    struct sluice_surface next;
    int out = 0;
    *surface = site->dry_known ? site->dry : sluice_beds_nearest(beds, beds->foot);
    for (int k = 0; k < beds->column.count && !out && !site->dry_known; k++)
        if (sluice_beds_surface(beds, k, &next) && next.of_wall) {
            *surface = next;
            SLUICE_TRY(leads_out(beds, site->inside, next.height + beds->setup->config->spacing / 2,
                                 &out));
        }
    site->dry = *surface;
    site->dry_known = beds->setup->config->motion_count == 0;
    return SLUICE_OK;
}

sluice_status sluice_beds_away(struct sluice_beds *beds, const double x[3], double height,
                               double step[3])
{
    const double dp = beds->setup->config->spacing;
    memset(step, 0, 3 * sizeof *step);
    for (int a = 0; a < beds->setup->config->dimension - 1; a++)
        for (int side = -1; side <= 1; side += 2) {
            double place[3] = {x[0], x[1], x[2]};
            enum cover cover;
            place[a] += side * dp;
            SLUICE_TRY(find_cover(beds, place, height + dp / 2, &cover));
            if (cover == IN_WALL)
                step[a] -= side * dp;
        }
    return SLUICE_OK;
}
