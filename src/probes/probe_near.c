#include "probes/probe_near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"

enum { MOST_CELLS = 48 }; /* an axis: 110,592 bytes at most */

void sluice_near_map_destroy(struct sluice_near_map *map)
{
    free(map->touched);
    map->touched = NULL;
}

/* Cell of a coordinate within the map's box on an axis. */
static int cell_of(const struct sluice_near_map *map, int axis, double x)
{
    const int cell = (int)((x - map->low[axis]) * map->per_length[axis]);
    return cell < 0 ? 0 : cell >= map->cells[axis] ? map->cells[axis] - 1 : cell;
}

static unsigned char *flag_of(const struct sluice_near_map *map, const int cell[3])
{
    return &map->touched[((size_t)cell[2] * (size_t)map->cells[1] + (size_t)cell[1]) *
                             (size_t)map->cells[0] +
                         (size_t)cell[0]];
}

static void find_extent(struct sluice_near_map *map, const struct sluice_near *lists, int n)
{
    for (int axis = 0; axis < 3; axis++) {
        map->low[axis] = INFINITY;
        map->high[axis] = -INFINITY;
        for (int i = 0; i < n; i++)
            if (lists[i].used) {
                map->low[axis] = fmin(map->low[axis], lists[i].low[axis]);
                map->high[axis] = fmax(map->high[axis], lists[i].high[axis]);
            }
    }
}

static void mark(struct sluice_near_map *map, const struct sluice_near *near)
{
    int first[3], last[3], cell[3];
    for (int axis = 0; axis < 3; axis++) {
        first[axis] = cell_of(map, axis, near->low[axis]);
        last[axis] = cell_of(map, axis, near->high[axis]);
    }
    for (cell[2] = first[2]; cell[2] <= last[2]; cell[2]++)
        for (cell[1] = first[1]; cell[1] <= last[1]; cell[1]++)
            for (cell[0] = first[0]; cell[0] <= last[0]; cell[0]++)
                *flag_of(map, cell) = 1;
}

/* An axis is periodic, or has walls. */
int sluice_near_images(const struct sluice_grid_options *grid,
                       struct sluice_near_image images[SLUICE_NEAR_IMAGES])
{
    int count = 0;
    for (int n = 0; n < SLUICE_NEAR_IMAGES; n++) {
        const int side[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
        struct sluice_near_image *image = &images[count];
        int exists = 1;
        for (int axis = 0; axis < 3; axis++) {
            const int mirrors = axis < grid->dimension && side[axis] != 0 &&
                                (grid->walls >> (2 * axis + (side[axis] > 0)) & 1);
            exists &= side[axis] == 0 || grid->periodic[axis] || mirrors;
            image->sign[axis] = mirrors ? -1 : 1;
            image->shift[axis] = mirrors ? 2 * (side[axis] > 0 ? grid->high[axis] : grid->low[axis])
                                         : side[axis] * (grid->high[axis] - grid->low[axis]);
        }
        count += exists;
    }
    return count;
}

sluice_status sluice_near_map_create(struct sluice_near_map *map,
                                     const struct sluice_grid_options *grid,
                                     const struct sluice_near *lists, int n, double cell)
{
    size_t total = 1;
    map->grid = grid;
    map->cell = cell;
    map->image_count = sluice_near_images(grid, map->image);
    find_extent(map, lists, n);
    for (int axis = 0; axis < 3; axis++) {
        const double length = map->high[axis] - map->low[axis];
        map->cells[axis] = 1;
        if (axis < grid->dimension && length > cell)
            map->cells[axis] = (int)fmin(MOST_CELLS, ceil(length / cell));
        map->per_length[axis] = length > 0 ? map->cells[axis] / length : 0;
        total *= (size_t)map->cells[axis];
    }
    SLUICE_ALLOCATE(map->touched, total, "cells of the probes' map");
    for (int i = 0; i < n; i++)
        if (lists[i].used)
            mark(map, &lists[i]);
    return SLUICE_OK;
}

/* Where the particles are whose images are in a box. Returns 0 where that is outside the domain:
 * particles may leave the domain by less than a cell before they are wrapped. */
static int box_of_image(const struct sluice_near_map *map, const struct sluice_near *near,
                        const struct sluice_near_image *image, double slack, struct sluice_box *box)
{
    const struct sluice_grid_options *grid = map->grid;
    for (int axis = 0; axis < 3; axis++) {
        const double a = image->sign[axis] * (near->low[axis] - image->shift[axis]),
                     b = image->sign[axis] * (near->high[axis] - image->shift[axis]);
        box->low[axis] = fmin(a, b) - slack;
        box->high[axis] = fmax(a, b) + slack;
        const int closed = grid->periodic[axis] || (grid->walls >> 2 * axis & 3);
        if (closed && (box->high[axis] < grid->low[axis] - map->cell ||
                       box->low[axis] > grid->high[axis] + map->cell))
            return 0;
    }
    return 1;
}

int sluice_near_boxes(const struct sluice_near_map *map, const struct sluice_near *lists, int n,
                      double slack, struct sluice_box *box)
{
    int count = 0;
    for (int l = 0; l < n; l++)
        for (int k = 0; lists[l].due && k < map->image_count; k++)
            count += box_of_image(map, &lists[l], &map->image[k], slack, &box[count]);
    return count;
}

/* Half open: a particle on the common edge of two boxes is in one of them. */
static int is_within(const double x[3], const double low[3], const double high[3], int dimension)
{
    for (int axis = 0; axis < dimension; axis++)
        if (!(x[axis] >= low[axis] && x[axis] < high[axis])) /* not finite: outside */
            return 0;
    return 1;
}

sluice_status sluice_near_add(struct sluice_near *near, const struct sluice_near_entry *entry)
{
    SLUICE_GROW(near->entry, near->count, near->capacity, "particles near a probe");
    near->entry[near->count++] = *entry;
    return SLUICE_OK;
}

/* Adds one image of a particle to the lists whose boxes hold it. */
static sluice_status offer(const struct sluice_near_map *map, struct sluice_near *lists, int n,
                           const struct sluice_near_entry *entry)
{
    int cell[3] = {0, 0, 0};
    if (!is_within(entry->x, map->low, map->high, map->grid->dimension))
        return SLUICE_OK;
    for (int axis = 0; axis < map->grid->dimension; axis++)
        cell[axis] = cell_of(map, axis, entry->x[axis]);
    if (!*flag_of(map, cell))
        return SLUICE_OK;
    for (int i = 0; i < n; i++)
        if (lists[i].due && is_within(entry->x, lists[i].low, lists[i].high, map->grid->dimension))
            SLUICE_TRY(sluice_near_add(&lists[i], entry));
    return SLUICE_OK;
}

static int by_id(const void *a, const void *b)
{
    const struct sluice_near_entry *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->image - y->image;
}

sluice_status sluice_near_map_gather(const struct sluice_near_map *map, struct sluice_near *lists,
                                     int n, const struct sluice_host_particles *p)
{
    for (int64_t i = 0; i < p->count && map->low[0] <= map->high[0]; i++) {
        if (p->type[i] != SLUICE_FLUID)
            continue;
        struct sluice_near_entry entry = {.id = p->id[i], .particle = i};
        for (entry.image = 0; entry.image < map->image_count; entry.image++) {
            const struct sluice_near_image *image = &map->image[entry.image];
            for (int axis = 0; axis < 3; axis++)
                entry.x[axis] = image->sign[axis] * p->x[i][axis] + image->shift[axis];
            SLUICE_TRY(offer(map, lists, n, &entry));
        }
    }
    for (int k = 0; k < n; k++)
        if (lists[k].due && lists[k].count > 1)
            qsort(lists[k].entry, (size_t)lists[k].count, sizeof *lists[k].entry, by_id);
    return SLUICE_OK;
}

void sluice_near_site(const double from[3], const double to[3], int sites, int s, double x[3])
{
    const double t = sites > 1 ? (double)s / (sites - 1) : 0;
    for (int axis = 0; axis < 3; axis++)
        x[axis] = from[axis] + t * (to[axis] - from[axis]);
}

void sluice_near_sites(const double from[3], const double to[3], int sites, double support,
                       const double x[3], int *first, int *last)
{
    double length2 = 0, along = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double d = to[axis] - from[axis];
        length2 += d * d;
        along += d * (x[axis] - from[axis]);
    }
    *first = 0;
    *last = sites - 1;
    if (sites < 2 || length2 <= 0)
        return;
    const double interval = sqrt(length2) / (sites - 1), place = along / length2 * (sites - 1);
    const double reach = support / interval * (1 + 1e-9);
    *first = (int)fmax(0, ceil(place - reach));
    *last = (int)fmin(sites - 1, floor(place + reach));
}
