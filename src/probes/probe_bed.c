#include "probes/probe_bed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sluice_status sluice_beds_create(struct sluice_beds *beds, const struct sluice_case *c)
{
    const int up = c->config->dimension - 1;
    beds->setup = c;
    beds->foot = c->config->domain.min[up];
    beds->low = c->grid.low[up];
    beds->top = c->grid.high[up];
    return sluice_walls_create(&beds->walls, c);
}

void sluice_beds_destroy(struct sluice_beds *beds)
{
    free(beds->column.span);
    sluice_walls_destroy(&beds->walls);
    memset(beds, 0, sizeof *beds);
}

/* --- Sites --- */

/* A place on a face of the domain is inside it, not in the wall. */
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

static sluice_status copy_spans(const struct sluice_wall_column *from,
                                struct sluice_wall_column *to)
{
    for (int k = 0; k < from->count; k++)
        SLUICE_TRY(sluice_wall_column_add(to, from->span[k].low, from->span[k].high));
    return SLUICE_OK;
}

sluice_status sluice_bed_site_create(const struct sluice_beds *beds, const double x[3],
                                     const struct sluice_bed_site *before,
                                     struct sluice_bed_site *site)
{
    memset(site, 0, sizeof *site);
    memcpy(site->x, x, sizeof site->x);
    memcpy(site->inside, x, sizeof site->inside);
    bring_inside(beds->setup, site->inside);
    if (before && sluice_walls_same_column(beds->walls, site->inside, before->inside))
        return copy_spans(&before->resting, &site->resting);
    return sluice_walls_column(beds->walls, SLUICE_WALLS_RESTING, site->inside, &site->resting);
}

/* --- Surfaces --- */

/* All walls above and below a site. */
static sluice_status join_walls(struct sluice_beds *beds, const struct sluice_bed_site *site)
{
    beds->column.count = 0;
    SLUICE_TRY(copy_spans(&site->resting, &beds->column));
    SLUICE_TRY(sluice_walls_column(beds->walls, SLUICE_WALLS_MOVING, site->inside, &beds->column));
    sluice_wall_column_join(&beds->column, beds->setup->config->spacing * (1 - 1e-6));
    return SLUICE_OK;
}

/* With the foot, where it is in the open, as a wall of no height. */
sluice_status sluice_beds_take(struct sluice_beds *beds, const struct sluice_bed_site *site,
                               int *count)
{
    struct sluice_wall_column *column = &beds->column;
    const double same = 1e-6 * beds->setup->config->spacing;
    int open = 1;
    SLUICE_TRY(join_walls(beds, site));
    for (int k = 0; k < column->count; k++)
        open &= beds->foot < column->span[k].low - same || beds->foot > column->span[k].high + same;
    if (open)
        SLUICE_TRY(sluice_wall_column_add(column, beds->foot, beds->foot));
    sluice_wall_column_join(column, 0);
    *count = column->count;
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

/* Takes the walls at any place. */
static sluice_status take_place(struct sluice_beds *beds, const double x[3])
{
    struct sluice_bed_site site;
    sluice_status status = sluice_bed_site_create(beds, x, NULL, &site);
    if (status == SLUICE_OK)
        status = join_walls(beds, &site);
    free(site.resting.span);
    return status;
}

/* What is at a height of the column taken: a wall, a place under a wall, or one in the open. A lid
 * that reaches the domain's top is no cover. */
enum cover { IN_WALL, COVERED, OPEN };
static enum cover cover_at(const struct sluice_beds *beds, double height)
{
    const double top = beds->top - 1e-6 * beds->setup->config->spacing;
    enum cover cover = OPEN;
    for (int k = 0; k < beds->column.count; k++) {
        const struct sluice_wall_span *span = &beds->column.span[k];
        if (span->low < height && span->high > height)
            return IN_WALL;
        if (span->low > height && span->high < top)
            cover = COVERED;
    }
    return cover;
}

/* Whether a level way along an axis leads from x into the open before it meets a wall. */
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
            SLUICE_TRY(take_place(beds, place));
            cover = cover_at(beds, height);
        }
        *out = cover == OPEN;
    }
    return SLUICE_OK;
}

sluice_status sluice_beds_dry(struct sluice_beds *beds, struct sluice_bed_site *site,
                              struct sluice_surface *surface)
{
    const int count = beds->column.count;
    struct sluice_surface *all = calloc((size_t)count + 1, sizeof *all);
    int walls = 0, out = 0;
    sluice_status status = SLUICE_OK;
    SLUICE_CHECK(all, SLUICE_DEVICE, "no memory for %d walls above a probe", count);
    for (int k = 0; k < count; k++)
        walls += sluice_beds_surface(beds, k, &all[walls]) && all[walls].of_wall;
    *surface = sluice_beds_nearest(beds, beds->foot);
    if (walls > 1 && site->dry_known)
        *surface = site->dry;
    for (int k = 0; walls > 1 && !site->dry_known && k < walls && !out; k++) {
        *surface = all[k];
        if (k < walls - 1)
            status = leads_out(beds, site->inside, all[k].height + beds->setup->config->spacing / 2,
                               &out);
        if (status != SLUICE_OK)
            break;
    }
    site->dry = *surface;
    site->dry_known = beds->setup->config->motion_count == 0;
    free(all);
    return status;
}

sluice_status sluice_beds_away(struct sluice_beds *beds, const double x[3], double height,
                               double way[3])
{
    const double dp = beds->setup->config->spacing, at = height + dp / 2;
    memset(way, 0, 3 * sizeof *way);
    for (int a = 0; a < beds->setup->config->dimension - 1; a++)
        for (int side = -1; side <= 1; side += 2) {
            double place[3] = {x[0], x[1], x[2]};
            place[a] += side * dp;
            SLUICE_TRY(take_place(beds, place));
            if (cover_at(beds, at) == IN_WALL)
                way[a] -= side * dp;
        }
    return SLUICE_OK;
}
