/* Whether a place lies inside walls that are particles, at any angle to the lattice: within half a
 * spacing of one of them, or of the middle of two that are a cell's diagonal apart or less. So
 * holes between particles count, and the surface is half a spacing from the outermost ones:
 *
 *      o   o   o   o        o  wall particles, a spacing apart
 *        h                  h  in a hole
 *      o   o   o   o
 *            f              f  outside: half a spacing or more below the last row */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case/builder.h"

enum { NEAR_MOST = 128 };

/* How far the two particles can be whose middle is within half a spacing, m. */
static double reach_of(const struct sluice_wall_body *body)
{
    return (0.5 + 0.5 * sqrt(body->dimension)) * body->spacing;
}

sluice_status sluice_wall_body_create(struct sluice_wall_body *body,
                                      const struct sluice_case_builder *b, int64_t room)
{
    const struct sluice_grid_options *grid = &b->c->grid;
    uint64_t slots = 64;
    memset(body, 0, sizeof *body);
    while (slots < (uint64_t)room)
        slots *= 2;
    body->mask = slots - 1;
    body->dimension = b->config->dimension;
    body->spacing = b->config->spacing;
    for (int a = 0; a < 3; a++) {
        body->periodic[a] = a < body->dimension && grid->periodic[a];
        body->low[a] = grid->low[a];
        body->length[a] = grid->high[a] - grid->low[a];
        body->cells[a] = (int64_t)fmax(1, floor(body->length[a] / reach_of(body)));
        body->cell[a] = body->periodic[a] ? body->length[a] / (double)body->cells[a]
                                          : reach_of(body);
        body->from[a] = DBL_MAX;
        body->to[a] = -DBL_MAX;
    }
    body->x = malloc(((size_t)room + 1) * sizeof *body->x);
    body->next = malloc(((size_t)room + 1) * sizeof *body->next);
    body->head = calloc(slots, sizeof *body->head);
    SLUICE_CHECK(body->x && body->next && body->head, SLUICE_DEVICE,
                 "no memory for the places of %lld wall particles", (long long)room);
    return SLUICE_OK;
}

void sluice_wall_body_destroy(struct sluice_wall_body *body)
{
    free(body->x);
    free(body->head);
    free(body->next);
    memset(body, 0, sizeof *body);
}

static uint64_t slot_of(const struct sluice_wall_body *body, const int64_t cell[3])
{
    uint64_t h = 0;
    for (int a = 0; a < body->dimension; a++) { /* splitmix64 (Steele, Lea & Flood 2014) */
        int64_t c = cell[a];
        if (body->periodic[a])
            c = (c % body->cells[a] + body->cells[a]) % body->cells[a];
        h += (uint64_t)c + 0x9E3779B97F4A7C15u;
        h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9u;
        h = (h ^ (h >> 27)) * 0x94D049BB133111EBu;
        h ^= h >> 31;
    }
    return h & body->mask;
}

static void cell_of(const struct sluice_wall_body *body, const double x[3], int64_t cell[3])
{
    for (int a = 0; a < 3; a++)
        cell[a] = a < body->dimension ? (int64_t)floor((x[a] - body->low[a]) / body->cell[a]) : 0;
}

void sluice_wall_body_add(struct sluice_wall_body *body, const double x[3])
{
    int64_t cell[3];
    const int64_t k = body->count++;
    cell_of(body, x, cell);
    const uint64_t slot = slot_of(body, cell);
    memcpy(body->x[k], x, sizeof body->x[k]);
    body->next[k] = body->head[slot];
    body->head[slot] = k + 1;
    for (int a = 0; a < body->dimension; a++) {
        body->from[a] = fmin(body->from[a], x[a]);
        body->to[a] = fmax(body->to[a], x[a]);
    }
}

/* Wall particles within reach of a place. */
struct near {
    int count;
    double way[NEAR_MOST][3], least2; /* to them; to the nearest, m^2 */
    int64_t nearest;                  /* that one */
};

static void meet(const struct sluice_wall_body *body, int64_t k, const double x[3], struct near *n)
{
    const double reach = reach_of(body), reach2 = reach * reach * (1 + 1e-6);
    double way[3] = {0, 0, 0}, d2 = 0;
    for (int a = 0; a < body->dimension; a++) {
        way[a] = body->x[k][a] - x[a];
        if (body->periodic[a])
            way[a] -= body->length[a] * rint(way[a] / body->length[a]);
        d2 += way[a] * way[a];
    }
    const int nearer = d2 < n->least2;
    if (d2 > reach2 || (n->count == NEAR_MOST && !nearer))
        return;
    const int at = n->count < NEAR_MOST ? n->count++ : NEAR_MOST - 1;
    memcpy(n->way[at], way, sizeof way);
    if (nearer) {
        n->least2 = d2;
        n->nearest = k;
    }
}

static void find_near(const struct sluice_wall_body *body, const double x[3], struct near *n)
{
    const int64_t deep = body->dimension == 3;
    int64_t cell[3], d[3];
    cell_of(body, x, cell);
    for (d[2] = -deep; d[2] <= deep; d[2]++)
        for (d[1] = -1; d[1] <= 1; d[1]++)
            for (d[0] = -1; d[0] <= 1; d[0]++) {
                const int64_t at[3] = {cell[0] + d[0], cell[1] + d[1], cell[2] + d[2]};
                for (int64_t k = body->head[slot_of(body, at)]; k; k = body->next[k - 1])
                    meet(body, k - 1, x, n);
            }
}

/* Whether two particles are beside each other in a lattice of walls, and the place between them:
 * within half a spacing of their middle. Of two across a diagonal it is 0.3 spacings: enough to
 * close a cell's middle, and fluid may still come near the edge of a corner of walls. */
static int holds_between(const struct sluice_wall_body *body, const double v[3], const double w[3])
{
    const double dp2 = body->spacing * body->spacing;
    double apart2 = 0, middle2 = 0;
    for (int a = 0; a < body->dimension; a++) {
        apart2 += (v[a] - w[a]) * (v[a] - w[a]);
        middle2 += 0.25 * (v[a] + w[a]) * (v[a] + w[a]);
    }
    if (apart2 > body->dimension * dp2 * (1 + 1e-6))
        return 0;
    return middle2 < (apart2 < 1.2 * dp2 ? 0.25 * (1 - 1e-6) : 0.3 * 0.3) * dp2;
}

int64_t sluice_wall_body_holds(const struct sluice_wall_body *body, const double x[3])
{
    struct near n = {.least2 = DBL_MAX};
    for (int a = 0; a < body->dimension; a++)
        if (!body->periodic[a] &&
            (x[a] < body->from[a] - body->spacing || x[a] > body->to[a] + body->spacing))
            return 0;
    find_near(body, x, &n);
    if (n.count == 0)
        return 0;
    if (n.least2 < 0.25 * body->spacing * body->spacing * (1 - 1e-6))
        return n.nearest + 1;
    for (int i = 0; i < n.count; i++)
        for (int k = 0; k < i; k++)
            if (holds_between(body, n.way[i], n.way[k]))
                return n.nearest + 1;
    return 0;
}

int64_t sluice_wall_body_count_alone(const struct sluice_wall_body *body)
{
    int64_t alone = 0;
    for (int64_t k = 0; k < body->count; k++) {
        struct near n = {.least2 = DBL_MAX};
        int others = 0;
        find_near(body, body->x[k], &n); /* finds the particle itself, too */
        for (int i = 0; i < n.count; i++)
            others += n.way[i][0] != 0 || n.way[i][1] != 0 || n.way[i][2] != 0;
        alone += others == 0;
    }
    return alone;
}

static sluice_status check_row(const struct sluice_case_builder *b,
                               const struct sluice_wall_body *body,
                               const struct sluice_particle_row *row, int64_t first)
{
    const struct sluice_start *wall = &b->c->start[SLUICE_WALL];
    const int64_t held = sluice_wall_body_holds(body, row->x);
    if (!held)
        return SLUICE_OK;
    const uint32_t id = wall->id[first + held - 1];
    const double *at = body->x[held - 1];
    return SLUICE_FAIL(SLUICE_BAD_INPUT,
                       "%s:%lld: particle %u is fluid, but at (%.9g, %.9g, %.9g) it lies inside a "
                       "wall: nearest is particle %u of '%.60s' at (%.9g, %.9g, %.9g); move or "
                       "remove it, half a spacing (%.9g) or more from wall particles",
                       b->config->particles, (long long)row->line, row->id, row->x[0], row->x[1],
                       row->x[2], id, b->c->groups.group[sluice_groups_of(&b->c->groups, id)].name,
                       at[0], at[1], at[2], 0.5 * b->config->spacing);
}

sluice_status sluice_case_check_fluid(const struct sluice_case_builder *b)
{
    const struct sluice_start *wall = &b->c->start[SLUICE_WALL];
    const int64_t first = b->file.is_snapshot ? b->from_file[SLUICE_WALL] : 0;
    struct sluice_wall_body body;
    if (b->from_file[SLUICE_FLUID] == 0 || wall->count == first)
        return SLUICE_OK;
    sluice_status status = sluice_wall_body_create(&body, b, wall->count - first);
    for (int64_t i = first; i < wall->count && status == SLUICE_OK; i++) {
        double x[3];
        sluice_grid_coordinates(&b->grid, &wall->place[i], x);
        sluice_wall_body_add(&body, x);
    }
    for (int64_t i = 0; i < b->file.count && status == SLUICE_OK; i++)
        if (b->file.row[i].type == SLUICE_FLUID)
            status = check_row(b, &body, &b->file.row[i], first);
    sluice_wall_body_destroy(&body);
    return status;
}
