/* The fluid beside fitted walls: from the cells of the lattice to where it fits them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit/fit_internal.h"
#include "core/allocate.h"

static const double least_apart = 0.8; /* of two particles, dp */

/* --- The border of fluid and dry cells --- */

static int is_open(const struct sluice_fit_cell *c)
{
    return c->content == SLUICE_CELL_FLUID || c->content == SLUICE_CELL_DRY;
}

static void find_borders(struct sluice_fit *f)
{
    for (int64_t i = 0; i < f->map.count; i++)
        for (int side = 0; side < 2 * f->surface.dimension && is_open(&f->cell[i]); side++) {
            double x[3] = {f->cell[i].x[0], f->cell[i].x[1], f->cell[i].x[2]};
            int64_t cell[3];
            x[side / 2] += (side % 2 ? 1 : -1) * f->surface.step[side / 2];
            sluice_fit_cell_at(&f->surface, x, cell);
            const int64_t k = sluice_cell_map_find(&f->map, cell);
            if (k >= 0 && is_open(&f->cell[k]) && f->cell[k].content != f->cell[i].content)
                f->cell[i].border |= 1 << side;
        }
}

/* Finds the open cell whose border limits a point at x. In a wall's cell, that is the open cell in
 * front of the surface. Returns its number, or -1; from: x relative to its centre, in cells. */
static int64_t open_cell_at(const struct sluice_fit *f, const double x[3], double from[3])
{
    const struct sluice_geometry *g = &f->surface;
    double off[3] = {0}, way[3];
    for (int k = 0;; k++) {
        double y[3];
        int64_t cell[3];
        for (int a = 0; a < 3; a++)
            y[a] = x[a] + k * 0.5 * g->spacing * off[a];
        sluice_fit_cell_at(g, y, cell);
        const int64_t i = sluice_cell_map_find(&f->map, cell);
        for (int a = 0; a < g->dimension; a++) {
            const double place = (y[a] - g->origin[a]) / g->step[a];
            from[a] = place - floor(place) - 0.5 - (y[a] - x[a]) / g->step[a];
        }
        if (i < 0 || is_open(&f->cell[i]))
            return i;
        if (k == 2)
            return -1;
        if (k == 0) {
            const double d = sluice_fit_distance(f, SLUICE_FIT_ALL_WALLS, x, way, NULL);
            sluice_fit_outwards(f, SLUICE_FIT_ALL_WALLS, x, d, way, off);
        }
    }
}

/* Puts a point back that has passed the centre of a cell on the border, towards the other side. */
static void hold_at_border(const struct sluice_fit *f, struct sluice_pack_point *p)
{
    const struct sluice_geometry *g = &f->surface;
    double from[3], least = 0;
    int axis = -1;
    const int64_t i = open_cell_at(f, p->x, from);
    if (i < 0 || !f->cell[i].border)
        return;
    const int fluid = p->kind < f->config->shape_count,
              astray = fluid != (f->cell[i].content == SLUICE_CELL_FLUID);
    for (int side = 0; side < 2 * g->dimension; side++) {
        const int a = side / 2, sign = side % 2 ? 1 : -1;
        /* Up to the centre of its own cell, or back to that of its neighbour. */
        const double back = astray ? sign - from[a] : -from[a];
        if (!(f->cell[i].border >> side & 1) || back * sign * (astray ? 1 : -1) <= 0)
            continue;
        if (astray && (axis < 0 || fabs(back) < fabs(least))) {
            axis = a;
            least = back;
        } else if (!astray) {
            p->x[a] += back * g->step[a];
            p->went += fabs(back) * g->step[a];
        }
    }
    if (axis >= 0) {
        p->x[axis] += least * g->step[axis];
        p->went += fabs(least) * g->step[axis];
    }
}

static void hold_in_fluid(const void *data, struct sluice_pack_point *p, const double step[3])
{
    const struct sluice_fit *f = data;
    const struct sluice_geometry *g = &f->surface;
    const double least = SLUICE_FIT_TO_SURFACE * g->spacing;
    for (int a = 0; a < 3; a++) {
        p->x[a] += step[a];
        p->went += fabs(step[a]);
        if (a < g->dimension && !g->periodic[a])
            p->x[a] = fmax(g->origin[a],
                           fmin(p->x[a], g->origin[a] + (double)g->n[a] * g->step[a]));
    }
    hold_at_border(f, p);
    if (p->went < p->safe)
        return;
    for (int k = 0; k < 3; k++) { /* in a corner one wall after the other */
        p->safe = sluice_fit_hold(f, least, 1, p->x) - least;
        if (p->safe >= 0)
            break;
        hold_at_border(f, p);
    }
    p->went = 0;
}

static int in_domain(const struct sluice_geometry *g, const double x[3])
{
    for (int a = 0; a < g->dimension; a++)
        if (x[a] < g->origin[a] || x[a] > g->origin[a] + (double)g->n[a] * g->step[a])
            return 0;
    return 1;
}

static sluice_status add(struct sluice_pack *p, const double x[3], int32_t kind, int64_t tag)
{
    struct sluice_pack_point point = {.kind = kind, .tag = tag};
    memcpy(point.x, x, sizeof point.x);
    return sluice_pack_add(p, &point);
}

/* Fluid and dry cells within the kernel's reach of fitted walls move; all others, and the walls, do
 * not. */
static sluice_status add_points(const struct sluice_fit *f, struct sluice_pack *p)
{
    const int dry = f->config->shape_count;
    const double near = f->cutoff;
    const double none[3] = {0, 0, 0};
    for (int64_t i = 0; i < f->wall_count; i++)
        SLUICE_TRY(add(p, f->wall[i].x, dry, -1));
    for (int moving = 0; moving < 2; moving++) {
        for (int64_t i = 0; i < f->map.count; i++) {
            const struct sluice_fit_cell *c = &f->cell[i];
            const int fluid = c->content == SLUICE_CELL_FLUID,
                      moves = is_open(c) && c->apart < near && in_domain(&f->surface, c->x);
            if (c->content == SLUICE_CELL_SEED || c->narrow || moves != moving)
                continue;
            SLUICE_TRY(add(p, c->x, fluid ? c->shape : dry, i));
            if (moves)
                hold_in_fluid(f, &p->point[p->count - 1], none);
        }
        if (!moving)
            p->fixed = p->count;
    }
    return SLUICE_OK;
}

/* As many particles of each fluid as its volume holds. */
static sluice_status set_numbers(const struct sluice_fit *f, struct sluice_pack *p,
                                 struct sluice_fit_report *report)
{
    enum { ROUNDS = 8 };
    const int kinds = f->config->shape_count + 1;
    int64_t *change = calloc((size_t)kinds, sizeof *change), left = 1;
    SLUICE_CHECK(change, SLUICE_DEVICE, "no memory for %d shapes", kinds);
    for (int k = 0; k < kinds; k++)
        change[k] = llround(f->due_fluid[k]);
    for (int64_t i = 0; i < f->map.count; i++)
        if (f->cell[i].narrow)
            change[f->cell[i].shape]++; /* its particle is out already */
    sluice_status status = SLUICE_OK;
    for (int round = 0; round < ROUNDS && left > 0 && status == SLUICE_OK; round++) {
        status = sluice_pack_adjust(p, kinds, change);
        if (status == SLUICE_OK)
            status = sluice_pack_relax(p, 8, 0);
        left = 0;
        for (int k = 0; k < kinds; k++)
            left += llabs(change[k]);
    }
    for (int k = 0; k + 1 < kinds; k++)
        report->fluid_unplaced += llabs(change[k]);
    free(change);
    return status;
}

/* --- The result --- */

/* The walls' fraction of the place of a particle (docs/theory.md, "Walls": the spring). */
static double fraction_of(double r, int dimension)
{
    const double q = r / 0.8, t = 1 - 0.5 * q;
    const double scale = dimension == 2 ? 7 / (4 * acos(-1) * 0.64) : 21 / (16 * acos(-1) * 0.512);
    return t > 0 ? scale * t * t * t * t * (1 + 2 * q) : 0;
}

/* Whether a fixed point is a particle of a wall. */
static int is_wall(const struct sluice_fit *f, const struct sluice_pack_point *p)
{
    return p->tag < 0 || f->cell[p->tag].content == SLUICE_CELL_LATTICE;
}

/* Distances and fractions of the moving fluid; marks particles too near to others. keep:
 * [moving] */
static void measure(const struct sluice_fit *f, const struct sluice_pack *p, unsigned char *keep,
                    struct sluice_fit_report *report)
{
    const int dry = f->config->shape_count;
    report->fluid_nearest = report->fluid_to_wall = p->reach / p->spacing;
    report->fraction = 0;
    for (int64_t i = 0; i < p->count - p->fixed; i++) {
        double fraction = 0, to_wall = INFINITY, to_fluid = INFINITY;
        keep[i] = 1;
        if (p->point[p->fixed + i].kind == dry)
            continue;
        for (uint32_t k = 0; k < p->near[i]; k++) {
            const int64_t j = p->other[p->first[i] + k];
            const double r = sluice_pack_distance(p, p->fixed + i, j) / p->spacing;
            if (j < p->fixed && is_wall(f, &p->point[j])) {
                to_wall = fmin(to_wall, r);
                fraction += fraction_of(r, f->surface.dimension);
            } else if (p->point[j].kind != dry && (j < p->fixed + i || j < p->fixed) &&
                       (j < p->fixed || keep[j - p->fixed]))
                to_fluid = fmin(to_fluid, r);
        }
        keep[i] = fmin(to_wall, to_fluid) >= least_apart;
        if (!keep[i]) {
            report->fluid_unplaced++;
            continue;
        }
        report->fluid_to_wall = fmin(report->fluid_to_wall, to_wall);
        report->fluid_nearest = fmin(report->fluid_nearest, to_fluid);
        report->fraction = fmax(report->fraction, fraction);
    }
}

/* Removes fluid that has found no place. */
static sluice_status remove_bad(struct sluice_fit *f, struct sluice_pack *p,
                                struct sluice_fit_report *report)
{
    const int64_t moving = p->count - p->fixed;
    unsigned char *keep = malloc((size_t)moving + 1);
    SLUICE_CHECK(keep, SLUICE_DEVICE, "no memory for %lld particles at fitted walls",
                 (long long)moving);
    const sluice_status status = sluice_pack_list(p);
    if (status == SLUICE_OK) {
        measure(f, p, keep, report);
        sluice_pack_remove(p, keep);
    }
    free(keep);
    return status;
}

/* Writes the places into the cells, and lists the particles that no cell has. */
static sluice_status take(struct sluice_fit *f, const struct sluice_pack *p,
                          struct sluice_fit_report *report)
{
    const int dry = f->config->shape_count;
    const double near = f->cutoff;
    for (int64_t i = 0; i < f->map.count; i++) {
        struct sluice_fit_cell *c = &f->cell[i];
        c->removed = c->content == SLUICE_CELL_FLUID && c->apart < near &&
                     in_domain(&f->surface, c->x);
    }
    for (int64_t i = p->fixed; i < p->count; i++) {
        const struct sluice_pack_point *point = &p->point[i];
        if (point->kind == dry)
            continue;
        if (point->tag < 0) {
            SLUICE_GROW(f->added, f->added_count, f->added_capacity, "particles at fitted walls");
            f->added[f->added_count++] = *point;
            continue;
        }
        struct sluice_fit_cell *c = &f->cell[point->tag];
        double moved2 = 0;
        for (int a = 0; a < 3; a++)
            moved2 += (point->x[a] - c->x[a]) * (point->x[a] - c->x[a]);
        report->moved += moved2 > 1e-6 * f->surface.spacing * f->surface.spacing;
        c->removed = 0;
        memcpy(c->x, point->x, sizeof c->x);
    }
    for (int64_t i = 0; i < f->map.count; i++)
        report->removed += f->cell[i].removed;
    report->added = f->added_count;
    return SLUICE_OK;
}

static sluice_status pack(struct sluice_fit *f, struct sluice_pack *p,
                          struct sluice_fit_report *report)
{
    find_borders(f);
    SLUICE_TRY(add_points(f, p));
    SLUICE_TRY(sluice_pack_relax(p, 12, 0));
    SLUICE_TRY(set_numbers(f, p, report));
    SLUICE_TRY(sluice_pack_relax(p, 120, 0));
    SLUICE_TRY(sluice_pack_relax(p, 20, 1));
    SLUICE_TRY(remove_bad(f, p, report));
    return take(f, p, report);
}

sluice_status sluice_fit_fluid(struct sluice_fit *f, struct sluice_fit_report *report)
{
    const double spacing = f->surface.spacing;
    struct sluice_pack p = {.manifold = f->surface.dimension,
                            .spacing = spacing,
                            .reach = fmax(2, fmin(4, f->cutoff / spacing)) * spacing,
                            .pace = 1.2,
                            .momentum = 0.8,
                            .grid = f->grid,
                            .waiting = f->waiting,
                            .what = "fluid beside fitted walls",
                            .team = f->team,
                            .hold = hold_in_fluid,
                            .data = f};
    const sluice_status status = pack(f, &p, report);
    sluice_pack_destroy(&p);
    return status;
}
